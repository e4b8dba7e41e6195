/*
** parameter.h - the parameter of a kernel that a value is.
*/
#ifndef MT_COMPILER_IR_PARAMETER_H
#define MT_COMPILER_IR_PARAMETER_H

#include <llvm-c/Core.h>
#include <stddef.h>

#include "msl/msl.h"

/* What the front end says of 'v', an argument of 'function', which was made
** from 'kernel'. NULL: 'v' is no argument, or one that a pass added. */
static inline const mt_Param *mt_parameter(const mt_MslKernel *kernel,
                                           LLVMValueRef function,
                                           LLVMValueRef v) {
  if (!v || !LLVMIsAArgument(v)) return NULL;
  for (unsigned i = 0; i < kernel->param_count; i++)
    if (LLVMGetParam(function, i) == v) return &kernel->params[i];
  return NULL;
}

#endif
