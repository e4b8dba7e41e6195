/*
** shuffle.c - elements of one vector or two by constant indices.
*/
#include "devices/host/vector/vector.h"

LLVMValueRef mt_shuffle_two(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b,
                            const int *from, int count) {
  LLVMValueRef m[4 * MT_MAX_LANES];
  for (int i = 0; i < count; i++) m[i] = mt_const_i32(s, from[i]);
  return LLVMBuildShuffleVector(s->b, a, b ? b : LLVMGetPoison(LLVMTypeOf(a)),
                                LLVMConstVector(m, (unsigned)count), "");
}
