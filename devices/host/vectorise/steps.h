/*
** steps.h - what the rows of passes.c call; for the files of this folder.
*/
#ifndef MT_HOST_VECTORISE_STEPS_H
#define MT_HOST_VECTORISE_STEPS_H

#include "devices/host/vectorise/vectorise.h"

/* analysed_kernel.c: the kernel with its facts, for vectors of 'lanes' lanes;
** NULL: out of memory. Its status says whether there are vectors. */
mt_Spmd *mt_spmd_new(mt_Target *target, LLVMModuleRef module,
                     const mt_MslKernel *kernel, const mt_Geometry *geometry,
                     const mt_ProbeLowering *probes, int lanes, mt_Error *err);
/* The same kernel with another width or geometry, or after it was changed. */
mt_Spmd *mt_spmd_variant(const mt_Spmd *s, const mt_Geometry *geometry,
                         int lanes, mt_Error *err);
void mt_spmd_free(mt_Spmd *s); /* NULL ok */

/* Does something with the kernel, and what comes of it to 'out'. False: memory
** ran out, and the kernel, which may be half rewritten, is given up. */
typedef void mt_SpmdStep(mt_Spmd *s, void *out);
bool mt_spmd_run(mt_SpmdStep *step, mt_Spmd *s, void *out);

/* barrier_regions.c: what all regions share; before anything is planned. */
void mt_regions_start(mt_Spmd *s);
/* barrier_regions.c: generate all regions of the kernel, and the function that
** runs a threadgroup through them. */
mt_Status mt_regions_build(mt_Spmd *s, LLVMValueRef *out, size_t *spill_bytes);

/* report.c: what became of loads and stores, branches and loops, as lines of
** facts->list; and their number in facts->accesses. */
void mt_access_report(mt_Spmd *s, mt_VectorFacts *facts);

#endif
