/*
** loop_ends.h - where each loop of a function closes, where it is left, and
** after how many iterations.
*/
#ifndef MT_COMPILER_IR_LOOP_ENDS_H
#define MT_COMPILER_IR_LOOP_ENDS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "devices/compiler/ir/loop_nest.h"

typedef struct mt_LoopEnd {
  LLVMValueRef branch; /* that leads back to the header; NULL: several do */
  LLVMValueRef exit;   /* the last terminator that leaves it; NULL: none */
  int exits;           /* terminators that leave it */
  int64_t trips;       /* at most; 0: not known */
} mt_LoopEnd;

typedef struct mt_LoopEnds {
  mt_LoopNest nest;
  mt_LoopEnd *of; /* by number of the loop */
} mt_LoopEnds;

/* Iterations are counted up to 'most', 0: not at all. False: out of memory.
** mt_loop_ends_free in any case. */
bool mt_loop_ends_make(LLVMValueRef function, int64_t most, mt_LoopEnds *out);
void mt_loop_ends_free(mt_LoopEnds *e);

LLVMBasicBlockRef mt_loop_header(const mt_LoopNest *n, int loop);
/* Is 'to' outside the loop? */
bool mt_loop_leaves(const mt_LoopNest *n, int loop, LLVMBasicBlockRef to);

/* After how many iterations a terminator in the loop leaves it, up to 'most';
** 0: not known, or it does not leave it. */
int64_t mt_loop_trips(const mt_LoopNest *n, int loop, LLVMValueRef terminator,
                      int64_t most);

#endif
