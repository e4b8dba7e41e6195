/*
** extremes.c - the larger or smaller of two floats, as one instruction.
**
** In fast math fmax(x, y) is x > y ? x : y in the library, which is what a
** processor's instruction does, NaN included. A GPU's instruction gives the
** number where one of the two is NaN; so LLVM, which has no word that NaN does
** not count here, leaves a comparison and a selection. Fast math lets the
** answer be either, as Metal has it. Selections that count signed zeros are
** safe math's, and stay.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

#define HALVES 80 /* the compute capability that has it for half */

static bool has_instruction(const mt_PtxWork *w, LLVMTypeRef t) {
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  return kind == LLVMFloatTypeKind ||
         (kind == LLVMHalfTypeKind && w->capability >= HALVES);
}

/* +1: the first operand is the larger one where it holds, -1: the smaller one,
** 0: it says something else. */
static int order_of(LLVMRealPredicate p) {
  switch (p) {
    case LLVMRealOGT: case LLVMRealOGE:
    case LLVMRealUGT: case LLVMRealUGE: return 1;
    case LLVMRealOLT: case LLVMRealOLE:
    case LLVMRealULT: case LLVMRealULE: return -1;
    default: return 0;
  }
}

/* +1: 'select' is the larger of '*a' and '*b', -1: the smaller, 0: neither. */
static int extreme_of(LLVMValueRef select, LLVMValueRef *a, LLVMValueRef *b) {
  LLVMValueRef test = LLVMGetOperand(select, 0);
  if (!LLVMIsAFCmpInst(test)) return 0;
  int order = order_of(LLVMGetFCmpPredicate(test));
  *a = LLVMGetOperand(select, 1);
  *b = LLVMGetOperand(select, 2);
  if (LLVMGetOperand(test, 0) == *a && LLVMGetOperand(test, 1) == *b)
    return order;
  if (LLVMGetOperand(test, 0) == *b && LLVMGetOperand(test, 1) == *a)
    return -order;
  return 0;
}

static void settle(mt_PtxWork *w, LLVMValueRef select) {
  LLVMTypeRef type = LLVMTypeOf(select);
  LLVMValueRef args[2];
  if (!has_instruction(w, type) || !LLVMCanValueUseFastMathFlags(select) ||
      !(LLVMGetFastMathFlags(select) & LLVMFastMathNoSignedZeros))
    return;
  int which = extreme_of(select, &args[0], &args[1]);
  if (!which) return;
  bool half = LLVMGetTypeKind(type) == LLVMHalfTypeKind;
  const char *name = which > 0 ? half ? "llvm.maxnum.f16" : "llvm.maxnum.f32"
                     : half    ? "llvm.minnum.f16"
                               : "llvm.minnum.f32";
  LLVMPositionBuilderBefore(w->b, select);
  LLVMReplaceAllUsesWith(
      select, mt_build_call(w->module, w->b, name, type, args, 2));
}

void mt_ptx_extremes(mt_PtxWork *w) {
  for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = mt_first_from(LLVMGetFirstBasicBlock(f)); i;
         i = mt_next_instruction(i))
      if (LLVMIsASelectInst(i)) settle(w, i);
}
