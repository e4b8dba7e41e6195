/*
** scalar.h - compiles a kernel to run thread by thread.
**
** The simplest way to run a kernel: the reference for the vectoriser, and the
** fallback for kernels that it does not support.
*/
#ifndef MT_HOST_SCALAR_SCALAR_H
#define MT_HOST_SCALAR_SCALAR_H

#include "devices/compiler/prepare/prepare.h"


/* Replace a call that instrumentation inserted (MT_PROBE…) by code for the
** thread 'index'; 'observer' is that of its mt_Group. Returns the value that
** replaces its result. */
typedef LLVMValueRef mt_ScalarProbe(LLVMModuleRef module, LLVMBuilderRef b,
                                    LLVMValueRef call, const char *name,
                                    LLVMValueRef index, LLVMValueRef observer);

/*
** Add to the prepared module a function of type mt_GroupCode that runs one
** threadgroup of any size. Threads that synchronise are fibers (run/fiber.h),
** others iterations of a plain loop. A barrier waits for all threads, or if
** 'without_returned' for those that have not returned. 'probe' may be NULL if
** the kernel is not instrumented.
*/
mt_Status mt_scalar_build(mt_Prepared *p, const mt_MslKernel *kernel,
                          bool without_returned, mt_ScalarProbe *probe,
                          LLVMValueRef *group_function, mt_Error *err);

/* kernel_log.c: the same for os_log and asserts. */
void mt_log_scalar(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call,
                   LLVMValueRef index);

#endif
