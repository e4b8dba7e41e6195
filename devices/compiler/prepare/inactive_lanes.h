/*
** inactive_lanes.h - what a lane that is off still holds, for those who read
** it.
**
** A shuffle may read from a lane that is not active. A GPU gives what that
** lane's register holds: the value as the lane last computed it, as in
**
**   if (lane >= 1) x += simd_shuffle_up(x, 1);
**
** where lane 0 stays outside and its x is read by lane 1. So where a value is
** made that is read so, a call of __mt_simd_hold keeps it in one of the
** thread's cells, and the shuffle has the cell's number. Where the value is a
** variable's that had another one before the branch, that one is kept too, for
** lanes that never come to it. Both engines read from the cell what inactive
** lanes give: 0 for a lane that never had a value, or that is no thread's.
*/
#ifndef MT_COMPILER_PREPARE_INACTIVE_LANES_H
#define MT_COMPILER_PREPARE_INACTIVE_LANES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "msl/msl.h"

#define MT_HOLD "__mt_simd_hold_" /* u32 and u64: (cell, value) */

/* Put the calls into 'function', whose variables are registers; before anything
** moves code into branches. */
void mt_inactive_lanes_keep(LLVMValueRef function, const mt_MslKernel *kernel);

/* Is there a call that reads from other lanes? */
bool mt_inactive_lanes_read(LLVMValueRef function);

/* The cell for operand 'which' of a call that moves values between lanes; -1:
** it has none. */
int mt_inactive_cell(LLVMValueRef call, unsigned which);

/* How many cells 'function' has. */
unsigned mt_inactive_cell_count(LLVMValueRef function);

#endif
