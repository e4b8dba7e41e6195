/*
** simdgroup_matrix.h - shared by simdgroup_matrix.c and simdgroup_multiply.c: a
** simdgroup matrix in memory, and its upper and lower four rows as vectors.
*/
#ifndef MT_HOST_VECTORISE_SIMDGROUP_MATRIX_H
#define MT_HOST_VECTORISE_SIMDGROUP_MATRIX_H

#include "devices/host/vectorise/access/access.h"

typedef struct mt_MatrixAccess {
  LLVMValueRef pointer, stride, transpose;
  LLVMTypeRef type; /* in memory */
  /* transposed, or not known: columns are contiguous, not rows */
  bool turned;
} mt_MatrixAccess;

/* The matrix that __mt_matrix_'name' reads or writes: the operands from 'first'
** on. */
mt_MatrixAccess mt_matrix_operands(mt_Spmd *s, LLVMValueRef call,
                                   const char *name, unsigned first);
/* All lanes are active, and rows (or columns) of eight have a uniform
** stride. */
bool mt_matrix_regular(mt_Spmd *s, const mt_MatrixAccess *m);
/* Of a regular one: the address of an element in memory order, and a row of
** eight. */
LLVMValueRef mt_matrix_at(mt_Spmd *s, const mt_MatrixAccess *m, int row,
                          int column);
LLVMValueRef mt_matrix_row(mt_Spmd *s, const mt_MatrixAccess *m, int row);
/* matrix_place.c: is the second one directly to the right of the first one in
** memory, row by row? */
bool mt_matrix_beside(mt_Spmd *s, const mt_MatrixAccess *a,
                      const mt_MatrixAccess *b);

/* The two halves of a matrix value by rows, in whichever layout it is kept; and
** back. */
void mt_matrix_rows(mt_Spmd *s, LLVMValueRef matrix, LLVMValueRef *half);
void mt_matrix_set(mt_Spmd *s, LLVMValueRef matrix, LLVMValueRef *half);
/* Of a pair (mt_Value.partner): eight rows of both matrices side by side,
** sixteen floats. Set some of them, from an even number to before another. */
typedef struct mt_Rows {
  int from, to;
} mt_Rows;
void mt_matrix_pair_rows(mt_Spmd *s, const mt_Value *first, LLVMValueRef *row);
void mt_matrix_set_pair(mt_Spmd *s, const mt_Value *first, LLVMValueRef *row,
                        mt_Rows rows);

/* simdgroup_multiply.c: products at a time, two pairs of eight registers */
#define MT_PRODUCTS 4
void mt_matrix_multiply(mt_Spmd *s, LLVMValueRef call);
/* Do all users of a loaded matrix take it from memory? */
bool mt_matrix_only_direct(mt_Spmd *s, LLVMValueRef load);
/* Memory that a matrix may have been loaded from. */
bool mt_may_write(LLVMValueRef i);

/* order_products.c: products with the same sums one after the other. */
void mt_order_products(LLVMValueRef function);

/* split_sums.c. Can the matrices that the loop adds up be divided among copies
** of it, each with its sums in registers? Do it: the loop has no effects, and
** is entered from the block 'from'. 'parks': while another copy runs, and at
** the barrier before all of them, sums are in the frame. */
struct mt_VectorFacts;
bool mt_can_split_sums(mt_Spmd *s, LLVMBasicBlockRef header);
void mt_split_sums(mt_Spmd *s, LLVMBasicBlockRef header,
                   LLVMBasicBlockRef from, bool parks,
                   struct mt_VectorFacts *facts);
/* The rows of its result that a product computes: it leaves the others as they
** are in the sum. True: it is in a loop that was split. */
bool mt_product_rows(LLVMValueRef product, mt_Rows *out);
/* The number of a sum of which a part, two rows of a pair, is parked; 0: it is
** not. What a loop does not compute of its sums is, too. Values with the same
** number are the same sum one after the other. */
int mt_parked_sum(const mt_Value *v, unsigned part);

/* matrix_frame.c. Give the sums of products that live across a barrier places
** in the frame from 'at' on, and those that 'share' finds the same; the end.
** mt_Value.paired: it has such a place. */
size_t mt_matrix_frame_place(mt_Spmd *s, size_t at,
                             void (*share)(mt_Spmd *, mt_Value *));
/* Between its place and its slots. */
void mt_matrix_frame_read(mt_Spmd *s, const mt_Value *v);
void mt_matrix_frame_write(mt_Spmd *s, const mt_Value *v);
/* The rows of a pair (mt_Value.partner) from the frame, read here and not at
** the region's start; false: it is not there, or not any more. */
bool mt_matrix_frame_pair(mt_Spmd *s, const mt_Value *first, LLVMValueRef *row);
/* The rows of two sums, side by side, from the frame; false: they are not
** there. And the results to it, if they belong there. */
bool mt_matrix_frame_take(mt_Spmd *s, LLVMValueRef *sum, LLVMValueRef *row);
void mt_matrix_frame_give(mt_Spmd *s, LLVMValueRef *product,
                          LLVMValueRef *row);

#endif
