/*
** unroll.h - which loops of a kernel are unrolled before vectorisation.
*/
#ifndef MT_COMPILER_PREPARE_UNROLL_H
#define MT_COMPILER_PREPARE_UNROLL_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "msl/msl.h"

/*
** Attach unroll hints: disable for loops of 'f' that gain nothing before
** vectorisation, full for those that gain much. Hints of the source (#pragma
** unroll) take precedence. With 'kernel', whose function 'f' is, short loops
** over each thread's contiguous elements are unrolled as well; true: there is
** such a loop and 'f' has other loops too, so that unrolled loads may be
** hoisted out of an outer loop. 'products': short loops that multiply simdgroup
** matrices gain much, even if they choose none.
*/
bool mt_unroll_choose(LLVMValueRef f, const mt_MslKernel *kernel,
                      bool products);
/* The same for a function that will be inlined: its pointer arguments may point
** to private memory of the caller. */
void mt_unroll_choose_callee(LLVMValueRef f, bool products);

/*
** unroll_contiguous.c: is the single-block loop 'header', with terminator
** 'branch', a short loop over contiguous elements of each thread?
*/
bool mt_is_contiguous_loop(LLVMValueRef f, const mt_MslKernel *kernel,
                           LLVMBasicBlockRef header, LLVMValueRef branch);

#endif
