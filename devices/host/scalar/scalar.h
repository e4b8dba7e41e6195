/*
** scalar.h - a kernel thread by thread.
**
** The plainest way to run a kernel: what every other way must agree with, and
** what runs the kernels that the vectoriser cannot do.
*/
#ifndef MT_HOST_SCALAR_SCALAR_H
#define MT_HOST_SCALAR_SCALAR_H

#include "devices/compiler/prepare/prepare.h"


/* Replace a call that instrumentation put in (MT_PROBE…) by code for the thread
** 'index'. Gives the value that stands for it. */
typedef LLVMValueRef mt_ScalarProbe(LLVMModuleRef module, LLVMBuilderRef b,
                                    LLVMValueRef call, const char *name,
                                    LLVMValueRef index);

/*
** Add to the prepared module a function of type mt_GroupCode that runs one
** threadgroup of any size. Threads that wait for each other are fibers
** (run/fiber.h), others a plain loop. A barrier waits for all threads, or if
** 'without_returned' for those that have not returned. 'probe' may be NULL if
** nothing was put in.
*/
mt_Status mt_scalar_build(mt_Prepared *p, const mt_MslKernel *kernel,
                          bool without_returned, mt_ScalarProbe *probe,
                          LLVMValueRef *group_function, mt_Error *err);

/* kernel_log.c: the same for os_log and asserts. */
void mt_log_scalar(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call,
                   LLVMValueRef index);

#endif
