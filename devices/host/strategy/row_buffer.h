/*
** row_buffer.h - loops in which each lane walks along a row of its own:
** row_buffer.c finds the accesses, row_buffer_load.c and row_buffer_store.c
** emit them through a transposed buffer.
*/
#ifndef MT_HOST_STRATEGY_ROW_BUFFER_H
#define MT_HOST_STRATEGY_ROW_BUFFER_H

#include "devices/host/strategy/strategies.h"

#define MT_ROW_PARTS 16 /* most scalar parts of the value */

/* A load or store in a loop whose address grows by 'step' bytes with every
** iteration, in each lane. */
typedef struct mt_RowBuffer {
  LLVMValueRef instr, pointer;
  LLVMTypeRef type; /* of the value loaded or stored */
  int loop, step;
  int words;  /* of each lane, moved at once: 4 to 64, a power of two */
  int rounds; /* iterations that one buffer serves */
  int wait;   /* iterations before the first fill: the loop may be short, and
              ** how short is not known */
  bool anywhere; /* rows begin anywhere, and lanes leave the loop when they
                 ** like */
  /* A store, and a load if 'end' is not NULL: end - counter iterations are
  ** left; the loop continues while 'counter + 1 until end' holds. */
  LLVMValueRef counter, end;
  LLVMIntPredicate until;
  int count; /* distinct addresses */
  int room;  /* 'count' rounded up to a multiple of 16 */
  int place[MT_MAX_LANES]; /* which of them each lane has */
  int lane[MT_MAX_LANES];  /* the first lane that has it */
  /* In the region being generated: */
  LLVMValueRef phase;  /* slot of an i32, see row_buffer_load.c */
  LLVMValueRef buffer; /* words * room words */
  LLVMValueRef at;     /* 'room' addresses */
} mt_RowBuffer;

/* The row buffer of this access; NULL: its address does not advance so, or
** there is no gain. Valid after the uniformity analysis. */
mt_RowBuffer *mt_row_buffer(mt_Spmd *s, LLVMValueRef instr);

/* Emit a load and set its parts. */
void mt_row_buffer_load(mt_Spmd *s, mt_RowBuffer *w);

/* Emit a store, with all lanes active. */
void mt_row_buffer_store(mt_Spmd *s, mt_RowBuffer *w);

/* For both: a phi. */
LLVMValueRef mt_make_phi(mt_Spmd *s, LLVMValueRef *x, LLVMBasicBlockRef *from,
                         unsigned n);
/* Iterations that are left, this one included; of the counter's type. */
LLVMValueRef mt_row_buffer_left(mt_Spmd *s, const mt_RowBuffer *w);
/* Call mt_transpose_in or mt_transpose_out (run/transpose.h) with the addresses
** in 'at', for 'words' (an i32) of each. */
void mt_row_buffer_call(mt_Spmd *s, const mt_RowBuffer *w, LLVMValueRef words,
                        const char *name);

#endif
