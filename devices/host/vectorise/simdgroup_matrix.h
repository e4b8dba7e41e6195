/*
** simdgroup_matrix.h - what simdgroup_matrix.c and simdgroup_multiply.c share:
** a simdgroup matrix in memory, and its upper and lower four rows as vectors.
*/
#ifndef MT_HOST_VECTORISE_SIMDGROUP_MATRIX_H
#define MT_HOST_VECTORISE_SIMDGROUP_MATRIX_H

#include "devices/host/vectorise/access/access.h"

typedef struct mt_MatrixAccess {
  LLVMValueRef pointer, stride, transpose;
  LLVMTypeRef type; /* in memory */
  bool turned;      /* or not known: columns lie where rows should */
} mt_MatrixAccess;

/* The matrix that __mt_matrix_'name' reads or writes: operands 'first' and
** behind. */
mt_MatrixAccess mt_matrix_operands(mt_Spmd *s, LLVMValueRef call,
                                   const char *name, unsigned first);
/* All lanes are on; rows (or columns) of eight lie at a uniform distance. */
bool mt_matrix_regular(mt_Spmd *s, const mt_MatrixAccess *m);
/* Of a regular one, not turned: the address of an element; a row of eight. */
LLVMValueRef mt_matrix_at(mt_Spmd *s, const mt_MatrixAccess *m, int row,
                          int column);
LLVMValueRef mt_matrix_row(mt_Spmd *s, const mt_MatrixAccess *m, int row);

/* The two halves of a matrix value, whichever way it is kept; and back. */
void mt_matrix_rows(mt_Spmd *s, LLVMValueRef matrix, LLVMValueRef *half);
void mt_matrix_set(mt_Spmd *s, LLVMValueRef matrix, LLVMValueRef *half);

/* A shuffle of 'a' and 'b' (NULL: of 'a' alone). */
LLVMValueRef mt_pick(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b,
                     const int *from, int count);

/* simdgroup_multiply.c */
void mt_matrix_multiply(mt_Spmd *s, LLVMValueRef call);

#endif
