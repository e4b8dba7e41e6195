/*
** safe_division.c - integer divisions with undefined results get one, see
** steps.h.
**
** Metal leaves integer division by zero undefined, but no GPU faults on it.
** Here the divisor is replaced by 1, so that x / 0 is x and x % 0 is 0 on every
** machine and in both code generators; likewise for INT_MIN divided by -1.
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

static void guard_division(LLVMBuilderRef b, LLVMValueRef i, bool sign) {
  LLVMValueRef a = LLVMGetOperand(i, 0), d = LLVMGetOperand(i, 1);
  LLVMTypeRef t = LLVMTypeOf(d);
  bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
  unsigned bits = LLVMGetIntTypeWidth(vector ? LLVMGetElementType(t) : t);
  if (LLVMIsAConstantInt(d) && LLVMConstIntGetZExtValue(d) != 0 &&
      LLVMConstIntGetSExtValue(d) != -1)
    return;
  if (bits > 64 || (vector && LLVMGetVectorSize(t) > 64)) return;
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

void mt_guard_divisions(LLVMValueRef function) {
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
  MT_EACH_INSTRUCTION(i, function) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMUDiv || op == LLVMURem) guard_division(b, i, false);
    if (op == LLVMSDiv || op == LLVMSRem) guard_division(b, i, true);
  }
  LLVMDisposeBuilder(b);
}

void mt_guard_all_divisions(LLVMModuleRef m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) mt_guard_divisions(f);
}
