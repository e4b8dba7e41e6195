/*
** conversions.c - floats to integers, as one instruction.
**
** MSL's conversions saturate and give 0 for NaN, which LLVM's back end writes
** as a conversion with five comparisons and selections around it. PTX's does
** just that for integers of 32 bits. Those of 8 and 16 bits are clamped after
** it; NaN is another number for 64 bits, so these stay LLVM's.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

#define WORD 32

/* Clamp 'v', of 32 bits, to the integers of 'bits'. */
static LLVMValueRef clamped(mt_PtxWork *w, LLVMValueRef v, bool is_signed,
                            unsigned bits) {
  uint64_t most = ((uint64_t)1 << (bits - is_signed)) - 1;
  LLVMValueRef high[2] = {v, LLVMConstInt(w->i32, most, 0)};
  v = mt_build_call(w->module, w->b,
                    is_signed ? "llvm.smin.i32" : "llvm.umin.i32", w->i32, high,
                    2);
  if (!is_signed) return v;
  LLVMValueRef low[2] = {v, LLVMConstInt(w->i32, ~most, 1)};
  return mt_build_call(w->module, w->b, "llvm.smax.i32", w->i32, low, 2);
}

static void settle(mt_PtxWork *w, LLVMValueRef call, bool is_signed) {
  LLVMTypeRef to = LLVMTypeOf(call);
  LLVMTypeRef number = LLVMFloatTypeInContext(w->context);
  LLVMValueRef v = LLVMGetOperand(call, 0);
  LLVMTypeKind from = LLVMGetTypeKind(LLVMTypeOf(v));
  if (LLVMGetTypeKind(to) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(to) > WORD ||
      (from != LLVMFloatTypeKind && from != LLVMHalfTypeKind))
    return;
  LLVMPositionBuilderBefore(w->b, call);
  v = LLVMBuildFPExt(w->b, v, number, "");
  v = mt_build_call(w->module, w->b,
                    is_signed ? "llvm.nvvm.f2i.rz" : "llvm.nvvm.f2ui.rz",
                    w->i32, &v, 1);
  unsigned bits = LLVMGetIntTypeWidth(to);
  if (bits < WORD) v = clamped(w, v, is_signed, bits);
  LLVMReplaceAllUsesWith(call, LLVMBuildIntCast2(w->b, v, to, 0, ""));
  LLVMInstructionEraseFromParent(call);
}

void mt_ptx_convert(mt_PtxWork *w) {
  for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = mt_first_from(LLVMGetFirstBasicBlock(f)), next; i;
         i = next) {
      next = mt_next_instruction(i);
      const char *name = mt_callee(i);
      if (mt_starts(name, "llvm.fptosi.sat.")) settle(w, i, true);
      if (mt_starts(name, "llvm.fptoui.sat.")) settle(w, i, false);
    }
}
