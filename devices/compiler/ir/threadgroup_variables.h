/*
** threadgroup_variables.h - the threadgroup variables of a prepared module.
*/
#ifndef MT_COMPILER_IR_THREADGROUP_VARIABLES_H
#define MT_COMPILER_IR_THREADGROUP_VARIABLES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

bool mt_is_threadgroup(LLVMValueRef global);

/* Byte offset of 'global' in the group's threadgroup memory. */
size_t mt_threadgroup_place(LLVMModuleRef module, LLVMValueRef global);

/* Total bytes of the module's threadgroup variables. */
size_t mt_threadgroup_size(LLVMModuleRef module);

/* Constant globals that hold addresses of threadgroup variables become local
** variables of 'function', since those addresses differ by group. Everything
** must be inlined. */
mt_Status mt_threadgroup_lists(LLVMValueRef function, mt_Error *err);

/* Expand constant expressions over threadgroup variables into instructions. Any
** simplifying LLVM pass may fold them again. */
mt_Status mt_threadgroup_free_uses(LLVMValueRef function, mt_Error *err);

/*
** Replace every use of a threadgroup variable inside 'function' by its address
** in the memory at 'base' (a pointer that dominates all uses), with the address
** computations built before 'before'. Offsets are the same in every function of
** the module.
*/
void mt_threadgroup_bind(LLVMValueRef function, LLVMValueRef base,
                         LLVMValueRef before);

#endif
