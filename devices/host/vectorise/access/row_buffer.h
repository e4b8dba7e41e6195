/*
** row_buffer.h - lanes that walk along rows of their own: what row_buffer.c
** finds and row_buffer_load.c and row_buffer_store.c do with it.
*/
#ifndef MT_HOST_VECTORISE_ACCESS_ROW_BUFFER_H
#define MT_HOST_VECTORISE_ACCESS_ROW_BUFFER_H

#include "devices/host/vector/vector.h"

#define MT_ROW_PARTS 16 /* most that the value has */

/* A load or store in a loop, each lane of which goes on by 'step' bytes with
** every round. */
typedef struct mt_RowBuffer {
  LLVMValueRef instr, pointer;
  LLVMTypeRef type; /* of what is loaded or stored */
  int loop, step;
  int words;        /* of each lane that are moved at once: 4, 8 or 16 */
  int rounds;       /* that they last for */
  int wait;         /* rounds to see first whether there are more */
  LLVMValueRef counter, end; /* store: rounds left are end - counter, and */
  LLVMIntPredicate until;    /* they go on while counter + 1 is so to 'end' */
  int count;        /* different addresses */
  int room;         /* the same, as a multiple of 16 */
  int place[MAX_LANES]; /* of each lane among them */
  int lane[MAX_LANES];  /* the first with that address */
  /* In the region being generated: */
  LLVMValueRef phase;  /* slot of an i32, see row_buffer_load.c */
  LLVMValueRef buffer; /* 'words' times 'room' words */
  LLVMValueRef at;     /* 'room' addresses */
} mt_RowBuffer;

/* What moves along in this access; NULL: it does not, or there is nothing to
** gain. Known once the shapes are. */
mt_RowBuffer *mt_row_buffer(mt_Spmd *s, LLVMValueRef instr);
void mt_row_buffers_free(mt_Spmd *s);

/* By how much 'v' grows in a round of the loop (0: it stays), if that is known;
** the argument of the kernel that a pointer was made from, or NULL; how many
** different addresses the lanes have; the rounds of a loop that counts from one
** constant to another, or 0. */
int64_t mt_induction_step(mt_Spmd *s, int loop, LLVMValueRef v, bool *known);
LLVMValueRef mt_root_argument(mt_Spmd *s, LLVMValueRef pointer);
int mt_distinct_addresses(mt_Spmd *s, LLVMValueRef pointer);
/* Are they of two arguments, which do not overlap in this launch? */
bool mt_no_alias(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b);
int64_t mt_trip_count(mt_Spmd *s, int loop);

/* Places for all of a region's, and a loop that is about to be entered. */
void mt_row_buffers_make(mt_Spmd *s);
void mt_row_buffers_enter(mt_Spmd *s, int loop);

/* Set the parts of a load. */
void mt_row_buffer_load(mt_Spmd *s, mt_RowBuffer *w);

/* Do a store, in the full version. */
void mt_row_buffer_store(mt_Spmd *s, mt_RowBuffer *w);

/* What both use: a scalar in each of 'count' places; one of several values by
** where it came from. */
LLVMValueRef mt_splat_count(mt_Spmd *s, LLVMValueRef x, int count);
LLVMValueRef mt_make_phi(mt_Spmd *s, LLVMValueRef *x, LLVMBasicBlockRef *from,
                         unsigned n);
/* mt_transpose_in or mt_transpose_out (run/transpose.h), with the addresses
** in 'at'. */
void mt_row_buffer_call(mt_Spmd *s, const mt_RowBuffer *w, const char *name);

#endif
