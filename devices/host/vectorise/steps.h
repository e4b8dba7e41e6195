/*
** steps.h - the last steps of mt_vectorise; for the files of this folder.
*/
#ifndef MT_HOST_VECTORISE_STEPS_H
#define MT_HOST_VECTORISE_STEPS_H

#include "devices/host/vectorise/vectorise.h"

/* barrier_regions.c: generate all regions of the kernel, and the function that
** runs a threadgroup through them. */
mt_Status mt_regions_build(mt_Spmd *s, LLVMValueRef *out, size_t *spill_bytes);

/* report.c: what became of loads and stores, branches and loops, as lines of
** facts->list; and their number in facts->accesses. */
void mt_access_report(mt_Spmd *s, mt_VectorFacts *facts);

#endif
