/*
** lower.h - the code that probes become (probe/probe.h).
**
** Vectorised code makes one call for the 32 lanes of a SIMD-group, and for
** accesses a fast path without a call. Code that runs thread by thread calls
** the same C functions for one lane. They are those of check/check.h,
** profile/profile.h and record/record.h.
**
**   lower.c              probes as vectors, and thread by thread
**   access.c             vectorised accesses, with a fast path inline
**   threadgroup_reads.c  the fast path of reads of threadgroup memory
**   lanes.c              runs of lanes; calls of helpers
*/
#ifndef MT_HOST_LOWER_LOWER_H
#define MT_HOST_LOWER_LOWER_H

#include "devices/host/vector/vector.h"

/* Lowering of the checker's probes, of the profiler's and of the recorder's
** (vector/vector.h); the last are not vectorised. */
extern const mt_ProbeLowering mt_check_lowering, mt_profile_lowering,
    mt_record_lowering;

/* Replaces a probe in a kernel that runs thread by thread; 'index' is the
** thread's, 'observer' that of its mt_Group. Gives the value of the call. */
LLVMValueRef mt_probe_scalar(LLVMModuleRef module, LLVMBuilderRef b,
                             LLVMValueRef call, const char *name,
                             LLVMValueRef index, LLVMValueRef observer);

#endif
