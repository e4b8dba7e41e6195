/*
** unroll.h - which loops of a kernel stay loops.
*/
#ifndef MT_COMPILER_PREPARE_UNROLL_H
#define MT_COMPILER_PREPARE_UNROLL_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "msl/msl.h"

/*
** Tell LLVM not to write out those loops of 'f' that gain nothing from it
** before the vectoriser has seen them, and to write out those that gain much.
** What the source says itself (#pragma unroll) stands. With 'kernel', which 'f'
** is of, short loops over each thread's own numbers are among the latter; true:
** one of these is inside of another loop, which its loads might leave.
*/
bool mt_unroll_choose(LLVMValueRef f, const mt_MslKernel *kernel);

/*
** unroll_contiguous.c: is the loop of the one block 'header', with 'branch' at
** its end, a short one over numbers of each thread's own?
*/
bool mt_is_contiguous_loop(LLVMValueRef f, const mt_MslKernel *kernel,
                           LLVMBasicBlockRef header, LLVMValueRef branch);

#endif
