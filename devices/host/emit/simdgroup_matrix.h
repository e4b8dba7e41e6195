/*
** simdgroup_matrix.h - shared by simdgroup_matrix.c and simdgroup_multiply.c: a
** simdgroup matrix in memory, and its upper and lower four rows as vectors.
*/
#ifndef MT_HOST_EMIT_SIMDGROUP_MATRIX_H
#define MT_HOST_EMIT_SIMDGROUP_MATRIX_H

#include "devices/host/emit/emit.h"
#include "devices/host/region/region.h"
#include "devices/host/transform/transform.h"

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
void mt_matrix_pair_rows(mt_Spmd *s, const mt_Value *first, LLVMValueRef *row);
void mt_matrix_set_pair(mt_Spmd *s, const mt_Value *first, LLVMValueRef *row,
                        mt_Rows rows);

/* simdgroup_multiply.c */
void mt_matrix_multiply(mt_Spmd *s, LLVMValueRef call);
/* Do all users of a loaded matrix take it from memory? */
bool mt_matrix_only_direct(mt_Spmd *s, LLVMValueRef load);

#endif
