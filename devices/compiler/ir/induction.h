/*
** induction.h - induction variables of loops, and trip counts.
*/
#ifndef MT_COMPILER_IR_INDUCTION_H
#define MT_COMPILER_IR_INDUCTION_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* A phi that one value is added to in every iteration, of a loop with one
** preheader and one latch. */
typedef struct mt_Induction {
  LLVMValueRef start; /* in the first iteration */
  LLVMValueRef next;  /* in the next one */
  LLVMValueRef by;    /* what is added */
  LLVMTypeRef unit;   /* of a pointer: 'by' elements of this type; else NULL */
} mt_Induction;

/* False: 'phi' is none. Whether 'by' is invariant is for the caller to see. */
bool mt_induction_find(LLVMValueRef phi, mt_Induction *out);

/* Is the phi a sum in a loop that LLVM may reorder? Once its rounding is
** settled, it has no vectors along the loop (strategy/inner_loop.c). */
bool mt_is_free_sum(LLVMValueRef phi);

/* The value of an integer constant of at most 64 bits, its sign extended. */
bool mt_const_number(LLVMValueRef v, int64_t *out);

/*
** The trip count of the loop with this header, if it is left by the branch that
** 'condition' decides; 'stays': the loop goes on where it is true. 0: not
** known. Known: an induction variable that starts at a constant, changes by one
** and is compared with one, for equality, or else in at most 'most' iterations.
*/
int64_t mt_trip_count(LLVMBasicBlockRef header, LLVMValueRef condition,
                      bool stays, int64_t most);

#endif
