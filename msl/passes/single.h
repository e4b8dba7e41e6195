/*
** single.h - one pass of the front end alone, over any module: for mettle opt
** and tests/passes.
*/
#ifndef MT_PASSES_SINGLE_H
#define MT_PASSES_SINGLE_H

#include <llvm-c/Core.h>

#include "base/pass.h"
#include "base/str.h"
#include "msl/msl.h"

/* The passes in their order; a row's unit is made here, and by compile. */
extern const mt_PassTable mt_msl_passes;

/* Run 'pass', a row of mt_msl_passes, over a module with these kernels. What
** it has to say of a source is appended to 'said', in lines that are comments
** of LLVM's text. */
mt_Status mt_msl_pass_alone(const mt_Pass *pass, LLVMModuleRef module,
                            const mt_MslKernel *kernels, size_t count,
                            mt_Str *said, mt_Error *err);

#endif
