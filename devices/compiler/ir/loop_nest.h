/*
** loop_nest.h - a function's blocks in an order that time follows, and its
** loops.
*/
#ifndef MT_COMPILER_IR_LOOP_NEST_H
#define MT_COMPILER_IR_LOOP_NEST_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct mt_OrderLoop {
  int header; /* number of a block */
  int parent; /* loop around it; -1: none */
} mt_OrderLoop;

/* Blocks are numbered in reverse postorder: each one before all that follow it,
** but for the way back to a loop's header. */
typedef struct mt_Order {
  LLVMBasicBlockRef *block; /* by number */
  int blocks;
  int *loop;                /* by number: innermost loop; -1: none */
  mt_OrderLoop *loops;
  int loop_count;
  /* inner workings */
  LLVMBasicBlockRef *sorted;
  int *number;              /* beside 'sorted' */
  int *dominator;
} mt_Order;

/* Of a function whose loops are reducible. mt_order_free in any case. */
mt_Status mt_order_make(LLVMValueRef function, mt_Order *out, mt_Error *err);
void mt_order_free(mt_Order *o);

int mt_order_number(const mt_Order *o, LLVMBasicBlockRef b); /* -1: dead */
bool mt_order_in_loop(const mt_Order *o, int block, int loop);

#endif
