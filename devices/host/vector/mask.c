/*
** mask.c - masks as integers, and the active lanes.
*/
#include "devices/host/vector/vector.h"

LLVMValueRef mt_mask_bits(mt_Spmd *s, LLVMValueRef mask) {
  return LLVMBuildBitCast(s->b, mask, s->bits, "");
}

LLVMValueRef mt_mask_any(mt_Spmd *s, LLVMValueRef mask) {
  return LLVMBuildICmp(s->b, LLVMIntNE, mt_mask_bits(s, mask),
                       LLVMConstNull(s->bits), "");
}

LLVMValueRef mt_active_mask(mt_Spmd *s) {
  return s->full ? mt_const_i32(s, -1) : mt_mask_bits(s, s->mask);
}
