/*
** unroll.h - which loops of a kernel are unrolled before vectorisation.
*/
#ifndef MT_COMPILER_PREPARE_UNROLL_H
#define MT_COMPILER_PREPARE_UNROLL_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "devices/compiler/prepare/prepare.h"
#include "msl/msl.h"

/* What a constant induction variable would decide for an instruction of a
** kernel: nothing; which element, component or lane; which simdgroup matrix. */
typedef enum mt_UnrollGain {
  MT_GAINS_NOTHING,
  MT_GAINS,
  MT_GAINS_MUCH
} mt_UnrollGain;
mt_UnrollGain mt_unroll_gain(LLVMValueRef instruction);

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

/*
** unroll_limit.c: would quick code of 'f', whose hints are chosen, be spared
** many instructions? Then limit the hints; true: one was changed.
*/
bool mt_unroll_is_long(LLVMValueRef f);
bool mt_unroll_limit(LLVMValueRef f, mt_Unrolling how);

/*
** unroll_arrays.c: hint that loops be unrolled whose counters are all that
** keeps private arrays in memory, within 'limits'; true: there are some.
** forget: remove what is left of these hints.
*/
bool mt_unroll_arrays_choose(LLVMValueRef f, const mt_ArrayLimits *limits);
void mt_unroll_arrays_forget(LLVMValueRef f);

/* few_indices.c: elements of private arrays that are one of a few are chosen by
** selections; true: some are. */
bool mt_resolve_few_indices(LLVMValueRef f, const mt_ArrayLimits *limits);

#endif
