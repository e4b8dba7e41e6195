/*
** safe_integers.c - integer operations that LLVM leaves undefined get a result,
** see steps.h.
**
** Metal leaves integer division by zero undefined, but no GPU faults on it.
** Here the divisor is replaced by 1, so that x / 0 is x and x % 0 is 0 on every
** machine and in both code generators; likewise for INT_MIN divided by -1.
**
** A shift takes the lowest bits of its amount, as many as the width needs: MSL
** has x << 33 be x << 1. LLVM drops the mask of an amount that it knows to be
** small.
*/
#include <llvm-c/DebugInfo.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

static LLVMValueRef each(LLVMTypeRef t, uint64_t n) {
  if (LLVMGetTypeKind(t) != LLVMVectorTypeKind) return LLVMConstInt(t, n, 0);
  LLVMValueRef all[64], one = LLVMConstInt(LLVMGetElementType(t), n, 0);
  unsigned size = LLVMGetVectorSize(t);
  for (unsigned i = 0; i < size && i < 64; i++) all[i] = one;
  return LLVMConstVector(all, size);
}

static bool is_long(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind && LLVMGetVectorSize(t) > 64;
}

static unsigned width_of(LLVMTypeRef t) {
  bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
  return LLVMGetIntTypeWidth(vector ? LLVMGetElementType(t) : t);
}

static void guard_division(LLVMBuilderRef b, LLVMValueRef i, bool sign) {
  LLVMValueRef a = LLVMGetOperand(i, 0), d = LLVMGetOperand(i, 1);
  LLVMTypeRef t = LLVMTypeOf(d);
  unsigned bits = width_of(t);
  if (LLVMIsAConstantInt(d) && LLVMConstIntGetZExtValue(d) != 0 &&
      LLVMConstIntGetSExtValue(d) != -1)
    return;
  if (bits > 64 || is_long(t)) return;
  LLVMPositionBuilderBefore(b, i);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
  LLVMValueRef bad = LLVMBuildICmp(b, LLVMIntEQ, d, LLVMConstNull(t), "");
  if (sign) {
    LLVMValueRef minus =
        LLVMBuildICmp(b, LLVMIntEQ, d, LLVMConstAllOnes(t), "");
    LLVMValueRef least = LLVMBuildICmp(b, LLVMIntEQ, a,
                                       each(t, (uint64_t)1 << (bits - 1)), "");
    bad = LLVMBuildOr(b, bad, LLVMBuildAnd(b, minus, least, ""), "");
  }
  LLVMSetOperand(i, 1, LLVMBuildSelect(b, bad, each(t, 1), d, ""));
}

static void guard_shift(LLVMBuilderRef b, LLVMValueRef i) {
  LLVMValueRef by = LLVMGetOperand(i, 1);
  LLVMTypeRef t = LLVMTypeOf(by);
  unsigned bits = width_of(t);
  if (bits > 64 || (bits & (bits - 1)) != 0 || is_long(t)) return;
  if (LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) < bits) return;
  LLVMPositionBuilderBefore(b, i);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
  LLVMSetOperand(i, 1, LLVMBuildAnd(b, by, each(t, bits - 1), ""));
}

static void guard(LLVMBuilderRef b, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMUDiv:
    case LLVMURem: guard_division(b, i, false); break;
    case LLVMSDiv:
    case LLVMSRem: guard_division(b, i, true); break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: guard_shift(b, i); break;
    default: break;
  }
}

void mt_guard_integers(LLVMValueRef function) {
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
  MT_EACH_INSTRUCTION(i, function) guard(b, i);
  LLVMDisposeBuilder(b);
}

void mt_guard_all_integers(LLVMModuleRef m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) mt_guard_integers(f);
}
