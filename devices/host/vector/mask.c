/*
** mask.c - masks as integers, and the active lanes.
*/
#include "devices/host/vector/vector.h"

LLVMValueRef mt_mask_bits(mt_Spmd *s, LLVMValueRef mask) {
  return LLVMBuildBitCast(s->b, mask, s->bits, "");
}

#define WORD 64 /* lanes of a mask register */

/* The halves of a wide mask combined, and so on until one register is left. */
static LLVMValueRef fold(mt_Spmd *s, LLVMOpcode how, LLVMValueRef mask) {
  int from[MT_MAX_LANES], n = s->lanes;
  for (int i = 0; i < n; i++) from[i] = i;
  for (; n > WORD; n /= 2) {
    LLVMValueRef low = mt_shuffle_two(s, mask, NULL, from, n / 2);
    LLVMValueRef high = mt_shuffle_two(s, mask, NULL, from + n / 2, n / 2);
    mask = LLVMBuildBinOp(s->b, how, low, high, "");
  }
  LLVMTypeRef bits = LLVMIntTypeInContext(s->context, (unsigned)n);
  return LLVMBuildBitCast(s->b, mask, bits, "");
}

LLVMValueRef mt_mask_any(mt_Spmd *s, LLVMValueRef mask) {
  LLVMValueRef x = fold(s, LLVMOr, mask);
  return LLVMBuildICmp(s->b, LLVMIntNE, x, LLVMConstNull(LLVMTypeOf(x)), "");
}

LLVMValueRef mt_mask_all(mt_Spmd *s, LLVMValueRef mask) {
  LLVMValueRef x = fold(s, LLVMAnd, mask);
  return LLVMBuildICmp(s->b, LLVMIntEQ, x, LLVMConstAllOnes(LLVMTypeOf(x)),
                       "");
}

LLVMValueRef mt_active_mask(mt_Spmd *s) {
  return s->full ? mt_const_i32(s, -1) : mt_mask_bits(s, s->mask);
}
