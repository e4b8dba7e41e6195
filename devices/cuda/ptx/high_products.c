/*
** high_products.c - the upper half of a product, as one instruction.
**
** LLVM has no operation for it but a product of 64 bits that is shifted, and
** its back end sees that this is mul.hi only within a block: an operand that
** is extended before a loop makes it a product of 64 bits. NVIDIA's compiler,
** as of driver 580, gets some of those wrong: in a loop, 6 * mulhi(x, y) became
** a plain product of x. And mul.hi is a third of the instructions.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

#define HALF 32

/* 'v', of 64 bits, is a number of 32 that was extended: that number; else
** NULL. */
static LLVMValueRef narrow(mt_PtxWork *w, LLVMValueRef v, LLVMOpcode how) {
  if (LLVMIsAConstantInt(v)) {
    uint64_t n = LLVMConstIntGetZExtValue(v);
    bool fits = how == LLVMZExt ? n <= UINT32_MAX
                                : (int64_t)n == (int64_t)(int32_t)n;
    return fits ? LLVMConstInt(w->i32, n & UINT32_MAX, 0) : NULL;
  }
  if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != how) return NULL;
  LLVMValueRef x = LLVMGetOperand(v, 0);
  return LLVMTypeOf(x) == w->i32 ? x : NULL;
}

static LLVMValueRef shifted(LLVMValueRef v) { /* by 32 bits; else NULL */
  int64_t by;
  if (!LLVMIsAInstruction(v) ||
      (LLVMGetInstructionOpcode(v) != LLVMLShr &&
       LLVMGetInstructionOpcode(v) != LLVMAShr) ||
      !mt_const_number(LLVMGetOperand(v, 1), &by) || by != HALF)
    return NULL;
  return LLVMGetOperand(v, 0);
}

/* The same as 'trunc', by mul.hi; NULL: it is something else. */
static LLVMValueRef upper_half(mt_PtxWork *w, LLVMValueRef trunc) {
  static const struct {
    LLVMOpcode how;
    const char *name;
  } kinds[] = {{LLVMZExt, "llvm.nvvm.mulhi.ui"},
               {LLVMSExt, "llvm.nvvm.mulhi.i"}};
  LLVMValueRef product = shifted(LLVMGetOperand(trunc, 0));
  if (LLVMTypeOf(trunc) != w->i32 || !product ||
      LLVMTypeOf(product) != w->i64 || !LLVMIsAInstruction(product) ||
      LLVMGetInstructionOpcode(product) != LLVMMul)
    return NULL;
  for (int k = 0; k < 2; k++) {
    LLVMValueRef args[2];
    for (unsigned i = 0; i < 2; i++)
      args[i] = narrow(w, LLVMGetOperand(product, i), kinds[k].how);
    if (!args[0] || !args[1]) continue;
    unsigned id = LLVMLookupIntrinsicID(kinds[k].name, strlen(kinds[k].name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(w->module, id, NULL, 0);
    LLVMPositionBuilderBefore(w->b, trunc);
    return LLVMBuildCall2(w->b, LLVMGlobalGetValueType(f), f, args, 2, "");
  }
  return NULL;
}

void mt_ptx_high_products(mt_PtxWork *w) {
  for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f;
       f = LLVMGetNextFunction(f))
    MT_EACH_INSTRUCTION(i, f) {
      LLVMValueRef high =
          LLVMGetInstructionOpcode(i) == LLVMTrunc ? upper_half(w, i) : NULL;
      if (high) LLVMReplaceAllUsesWith(i, high);
    }
}
