/*
** loop_nest.h - a function's blocks in reverse postorder, and its natural
** loops.
*/
#ifndef MT_COMPILER_IR_LOOP_NEST_H
#define MT_COMPILER_IR_LOOP_NEST_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct mt_NestLoop {
  int header; /* block number */
  int parent; /* enclosing loop; -1: none */
} mt_NestLoop;

/* Blocks are numbered in reverse postorder: each before its successors, except
** along back edges to loop headers. */
typedef struct mt_LoopNest {
  LLVMBasicBlockRef *block; /* by number; NULL past the reachable ones */
  int blocks;
  int *loop;                /* by number: innermost loop; -1: none */
  mt_NestLoop *loops;
  int loop_count;
  /* private */
  LLVMBasicBlockRef *sorted;
  int *number;              /* of sorted[i]; -1: unreachable */
  int *dominator;
} mt_LoopNest;

/* The loops of 'function' must be reducible. mt_loop_nest_free in any case. */
mt_Status mt_loop_nest_make(LLVMValueRef function, mt_LoopNest *out,
                            mt_Error *err);
void mt_loop_nest_free(mt_LoopNest *o);

/* -1: unreachable */
int mt_loop_nest_number(const mt_LoopNest *o, LLVMBasicBlockRef b);
bool mt_loop_nest_contains(const mt_LoopNest *o, int block, int loop);
/* The immediate dominator; block 0 is its own. */
int mt_loop_nest_dominator(const mt_LoopNest *o, int block);

#endif
