/*
** inactive_lanes.h - keeps values that a shuffle may read from inactive lanes.
**
** A shuffle may read from an inactive lane. A GPU then returns what that lane's
** register holds, the last value that the lane computed, as in
**
**   if (lane >= 1) x += simd_shuffle_up(x, 1);
**
** where lane 0 is inactive and lane 1 reads its x. So a call of __mt_simd_hold
** stores such a value into a per-thread cell where it is computed, and the
** shuffle carries the cell's number. If the variable had another value before
** the branch, that value is stored as well, for lanes that do not take the
** branch. Both code generators (vectorise, scalar) read inactive lanes' values
** from the cell: 0 for a lane that has stored none, or that has no thread.
*/
#ifndef MT_COMPILER_PREPARE_INACTIVE_LANES_H
#define MT_COMPILER_PREPARE_INACTIVE_LANES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "msl/msl.h"

/* Before variables are brought into registers: let those that shuffles read
** live until the thread ends, so that each value of one is joined with those of
** lanes that take another way, even if it is not read afterwards. The second
** call removes what the first inserted; unused phis are left. */
void mt_inactive_lanes_extend(LLVMValueRef function);
void mt_inactive_lanes_end_extension(LLVMValueRef function);

/* Insert the calls into 'function', whose variables must be in registers (SSA),
** before any pass moves code into branches. false: out of memory, and shuffles
** may read wrong values. */
bool mt_inactive_lanes_keep(LLVMValueRef function, const mt_MslKernel *kernel);

/* Has 'function' a call that reads from other lanes? */
bool mt_inactive_lanes_read(LLVMValueRef function);

/* The cell of operand 'which' of a cross-lane call; -1: none. */
int mt_inactive_cell(LLVMValueRef call, unsigned which);

/* Number of cells that 'function' stores to. */
unsigned mt_inactive_cell_count(LLVMValueRef function);

#endif
