/*
** debug_types.h - the types of variables, from debug information, as text
** (base/kernel_types/type_text.h); for what instruments code.
*/
#ifndef MT_MSL_DEBUG_TYPES_H
#define MT_MSL_DEBUG_TYPES_H

#include <llvm-c/Core.h>

#include "base/str.h"

/* Appends the type of a DILocalVariable; its size in bytes, 0: unknown. */
size_t mt_debug_type_of_local(LLVMContextRef context, LLVMMetadataRef variable,
                              mt_Str *out);
/* The same of a variable at program scope, or in threadgroup memory. */
size_t mt_debug_type_of_global(LLVMContextRef context, LLVMValueRef global,
                               mt_Str *out);

#endif
