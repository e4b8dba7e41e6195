/*
** loop_nest.h - a function's blocks in an order that time follows, and its
** loops.
*/
#ifndef MT_COMPILER_IR_LOOP_NEST_H
#define MT_COMPILER_IR_LOOP_NEST_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct mt_NestLoop {
  int header; /* number of a block */
  int parent; /* loop around it; -1: none */
} mt_NestLoop;

/* Blocks are numbered in reverse postorder: each one before all that follow it,
** but for the way back to a loop's header. */
typedef struct mt_LoopNest {
  LLVMBasicBlockRef *block; /* by number */
  int blocks;
  int *loop;                /* by number: innermost loop; -1: none */
  mt_NestLoop *loops;
  int loop_count;
  /* inner workings */
  LLVMBasicBlockRef *sorted;
  int *number;              /* beside 'sorted' */
  int *dominator;
} mt_LoopNest;

/* Of a function whose loops are reducible. mt_loop_nest_free in any case. */
mt_Status mt_loop_nest_make(LLVMValueRef function, mt_LoopNest *out,
                            mt_Error *err);
void mt_loop_nest_free(mt_LoopNest *o);

/* -1: dead */
int mt_loop_nest_number(const mt_LoopNest *o, LLVMBasicBlockRef b);
bool mt_loop_nest_contains(const mt_LoopNest *o, int block, int loop);

#endif
