/*
** loop_counters.h - variables that count the iterations of loops.
*/
#ifndef MT_COMPILER_IR_LOOP_COUNTERS_H
#define MT_COMPILER_IR_LOOP_COUNTERS_H

#include "devices/compiler/ir/loop_nest.h"

/*
** Give loop number 'loop' of 'function', and all around it, an i32 in memory
** with its iterations so far, from 0 on, unless they have one: counter[] by
** loop, NULL: none so far. -1: no loop, nothing to do. Moves the builder; does
** not change the blocks.
*/
void mt_loop_counters_add(const mt_LoopNest *nest, LLVMValueRef function,
                          LLVMBuilderRef b, LLVMValueRef *counter, int loop);

#endif
