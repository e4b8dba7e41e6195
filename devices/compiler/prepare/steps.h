/*
** steps.h - the steps of mt_prepare that LLVM has no pass for.
**
** Each changes the module in place; prepare.c calls them in the order that they
** need.
*/
#ifndef MT_COMPILER_PREPARE_STEPS_H
#define MT_COMPILER_PREPARE_STEPS_H

#include "devices/compiler/prepare/prepare.h"

/* function_constants.c: give the function constants their values, before
** anything is simplified; and say so when one without a value is still read
** afterwards. */
mt_Status mt_function_constants_set(LLVMModuleRef m, const mt_PrepareInput *in,
                                    mt_Error *err);
mt_Status mt_function_constants_check(LLVMModuleRef m,
                                      const mt_PrepareInput *in, mt_Error *err);

/* safe_division.c: no division by zero, none of the least number by -1. */
void mt_guard_divisions(LLVMValueRef function);
void mt_guard_all_divisions(LLVMModuleRef m);

/* debug_lines.c: instructions of other files than the kernel's get the line
** of the call in 'file'. */
void mt_debug_lines_of_file(LLVMValueRef function, const char *file);

/* noalias_scopes.c: no two buffers overlap of which one is written.
** 'function' gets an attribute that says so as well. */
void mt_add_noalias_scopes(LLVMValueRef function, const mt_MslKernel *kernel);

/* expand_memcpy.c: copies and fills of more than MT_SHORT_COPY bytes become
** calls of functions that are to be inlined. false: there are none. */
#define MT_SHORT_COPY 256
bool mt_expand_memcpy(LLVMModuleRef module, LLVMValueRef function);

/* texture_formats.c: put the textures' formats into 'function', whose
** variables are registers. false: it asks for none of them. */
bool mt_fold_texture_formats(LLVMValueRef function,
                             const mt_ArgumentFacts *formats);

/* split_vector_access.c: parts of vectors in shared memory are
** written alone. To be called when local variables are in registers; 'any':
** is there something to do, perhaps? */
bool mt_has_vector_access(LLVMValueRef function);
void mt_split_vector_stores(LLVMModuleRef module, LLVMValueRef function);
/* And only what is used of them is read. */
void mt_split_vector_loads(LLVMModuleRef module, LLVMValueRef function);

#endif
