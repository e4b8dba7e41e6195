/*
** undefined.h - LLVM's passes before the engine has given a division by zero
** and a shift by too many bits their result, or the checker has seen them.
*/
#ifndef MT_UNDEFINED_H
#define MT_UNDEFINED_H

#include <llvm-c/Core.h>

/* Makes LLVM know nothing of divisors and shifts' amounts, unless they are
** constants that are right; and takes that back. Even inlining folds what is
** undefined. */
void mt_undefined_hide(LLVMModuleRef module);
void mt_undefined_show(LLVMModuleRef module);

#endif
