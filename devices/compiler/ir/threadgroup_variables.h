/*
** threadgroup_variables.h - threadgroup variables of a prepared module.
*/
#ifndef MT_COMPILER_IR_THREADGROUP_VARIABLES_H
#define MT_COMPILER_IR_THREADGROUP_VARIABLES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

bool mt_is_threadgroup(LLVMValueRef global);

/* Where 'global' lies in the group's threadgroup memory. */
size_t mt_threadgroup_place(LLVMModuleRef module, LLVMValueRef global);

/* Bytes that all threadgroup variables of the module take together. */
size_t mt_threadgroup_size(LLVMModuleRef module);

/* Constants of the program that hold addresses of threadgroup variables become
** variables of 'function', into which all is inlined. */
mt_Status mt_threadgroup_lists(LLVMValueRef function, mt_Error *err);

/* Turn constant expressions over threadgroup variables into instructions. Any
** LLVM pass that simplifies may undo it. */
mt_Status mt_threadgroup_free_uses(LLVMValueRef function, mt_Error *err);

/*
** Replace every use of a threadgroup variable inside 'function' by its place
** in the memory at 'base' (a pointer that dominates them all), with address
** computations built before 'before'. The places are the same in any
** function of the module.
*/
void mt_threadgroup_bind(LLVMValueRef function, LLVMValueRef base,
                         LLVMValueRef before);

#endif
