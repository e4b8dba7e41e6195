/*
** narrow.c - sums and products of small numbers in 32 bits.
**
** LLVM computes an index in the 64 bits of an address where it can, from the
** bytes that it begins with. A GPU has no multiplier of 64 bits: such a product
** is two instructions and two registers, and a sum two. So operations whose
** operands and result are known to fit are done in 32, and extended after.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

#define DEPTH 8 /* operations that are followed */
#define UNKNOWN UINT64_MAX

/* The largest number that 'v' may be, without a sign; UNKNOWN: any. */
static uint64_t most(LLVMValueRef v, unsigned depth) {
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
  uint64_t all = bits < 64 ? ((uint64_t)1 << bits) - 1 : UNKNOWN;
  if (LLVMIsAConstantInt(v)) return LLVMConstIntGetZExtValue(v);
  if (!LLVMIsAInstruction(v) || depth == 0 || bits > 64) return all;
  LLVMOpcode code = LLVMGetInstructionOpcode(v);
  if (code == LLVMZExt) {
    LLVMValueRef from = LLVMGetOperand(v, 0);
    return LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMIntegerTypeKind
               ? most(from, depth - 1)
               : all;
  }
  if (LLVMGetNumOperands(v) != 2 || code == LLVMPHI || code == LLVMICmp)
    return all;
  if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) !=
      LLVMIntegerTypeKind)
    return all;
  uint64_t a = most(LLVMGetOperand(v, 0), depth - 1);
  uint64_t b = most(LLVMGetOperand(v, 1), depth - 1), made = UNKNOWN;
  bool small = a <= UINT32_MAX && b <= UINT32_MAX;
  switch (code) {
    case LLVMAdd: if (small) made = a + b; break;
    case LLVMMul: if (small) made = a * b; break;
    case LLVMAnd: made = a < b ? a : b; break;
    case LLVMLShr: made = a; break;
    default: break;
  }
  return made < all ? made : all;
}

/* 'v' in 32 bits; NULL: it is not made of them. */
static LLVMValueRef in_word(mt_PtxWork *w, LLVMValueRef v) {
  if (LLVMIsAConstantInt(v))
    return LLVMConstIntGetZExtValue(v) <= UINT32_MAX
               ? LLVMConstInt(w->i32, LLVMConstIntGetZExtValue(v), 0)
               : NULL;
  if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMZExt)
    return NULL;
  LLVMValueRef from = LLVMGetOperand(v, 0);
  if (LLVMTypeOf(from) == w->i32) return from;
  return LLVMGetIntTypeWidth(LLVMTypeOf(from)) < 32
             ? LLVMBuildZExt(w->b, from, w->i32, "")
             : NULL;
}

static bool is_long(const mt_PtxWork *w, LLVMValueRef i) {
  if (LLVMTypeOf(i) != w->i64) return false;
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd: case LLVMMul: case LLVMAnd: case LLVMLShr: return true;
    default: return false;
  }
}

static bool is_extended(LLVMValueRef v) {
  return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMZExt;
}

static void narrow(mt_PtxWork *w, LLVMValueRef i) {
  LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
  if ((!is_extended(a) && !LLVMIsAConstantInt(a)) ||
      (!is_extended(b) && !LLVMIsAConstantInt(b)) ||
      most(i, DEPTH) > UINT32_MAX)
    return;
  LLVMPositionBuilderBefore(w->b, i);
  a = in_word(w, a), b = in_word(w, b);
  if (!a || !b) return;
  LLVMValueRef made =
      LLVMBuildBinOp(w->b, LLVMGetInstructionOpcode(i), a, b, "");
  LLVMReplaceAllUsesWith(i, LLVMBuildZExt(w->b, made, w->i64, ""));
}

void mt_ptx_narrow(mt_PtxWork *w) {
  for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f;
       f = LLVMGetNextFunction(f))
    MT_EACH_INSTRUCTION(i, f) if (is_long(w, i)) narrow(w, i);
}
