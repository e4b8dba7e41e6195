/*
** float_bits.c - the bits of a float that are taken for an integer.
**
** The one idea: floats and integers share PTX's registers, and LLVM stores a
** byte of a float's bits by st.b8 of the register that a float instruction
** wrote. NVIDIA's assembler (as of driver 580 and CUDA 12.9) takes that for a
** conversion: it stores the number. A mov between them is all that it needs,
** and it costs nothing; LLVM must not see through it. So each bitcast of a
** float gets one, and so does a float that is stored where it is not aligned,
** which LLVM does byte by byte.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

static bool is_float(LLVMTypeRef t) {
  switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return true;
    default: return false;
  }
}

static unsigned bits_of(LLVMTypeRef t) {
  switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: return 16;
    case LLVMDoubleTypeKind: return 64;
    default: return 32;
  }
}

/* The bits of the float 'x', as an integer of its size. */
static LLVMValueRef moved(mt_PtxWork *w, LLVMValueRef x) {
  static const struct {
    const char *text, *registers;
  } moves[] = {{"mov.b16 $0, $1;", "=h,h"},
               {"mov.b32 $0, $1;", "=r,r"},
               {"mov.b64 $0, $1;", "=l,l"}};
  unsigned bits = bits_of(LLVMTypeOf(x));
  int k = bits == 16 ? 0 : bits == 32 ? 1 : 2;
  LLVMTypeRef t = LLVMIntTypeInContext(w->context, bits);
  LLVMTypeRef f = LLVMFunctionType(t, &t, 1, 0);
  const char *text = moves[k].text, *registers = moves[k].registers;
  LLVMValueRef mov =
      LLVMGetInlineAsm(f, text, strlen(text), registers, strlen(registers), 0,
                       0, LLVMInlineAsmDialectATT, 0);
  LLVMValueRef v = LLVMBuildBitCast(w->b, x, t, "");
  return LLVMBuildCall2(w->b, f, mov, &v, 1, "");
}

static unsigned count_of(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

static LLVMValueRef component(mt_PtxWork *w, LLVMValueRef v, unsigned k) {
  if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVectorTypeKind) return v;
  return LLVMBuildExtractElement(w->b, v, LLVMConstInt(w->i32, k, 0), "");
}

/* The bits of 'v', a float or a vector of them, as a value of 'type'. */
static LLVMValueRef bits_as(mt_PtxWork *w, LLVMValueRef v, LLVMTypeRef type) {
  unsigned n = count_of(LLVMTypeOf(v));
  LLVMValueRef all = NULL;
  if (n == 1)
    return LLVMBuildBitCast(w->b, moved(w, component(w, v, 0)), type, "");
  for (unsigned k = 0; k < n; k++) {
    LLVMValueRef x = moved(w, component(w, v, k));
    if (!all) all = LLVMGetUndef(LLVMVectorType(LLVMTypeOf(x), n));
    all = LLVMBuildInsertElement(w->b, all, x, LLVMConstInt(w->i32, k, 0), "");
  }
  return LLVMBuildBitCast(w->b, all, type, "");
}

static void settle_cast(mt_PtxWork *w, LLVMValueRef cast) {
  LLVMValueRef v = LLVMGetOperand(cast, 0);
  LLVMTypeRef to = LLVMTypeOf(cast);
  if (!is_float(mt_element_type(LLVMTypeOf(v))) ||
      is_float(mt_element_type(to)))
    return;
  LLVMPositionBuilderBefore(w->b, cast);
  LLVMReplaceAllUsesWith(cast, bits_as(w, v, to));
  LLVMInstructionEraseFromParent(cast);
}

static void settle_store(mt_PtxWork *w, LLVMValueRef store) {
  LLVMValueRef v = LLVMGetOperand(store, 0), to = LLVMGetOperand(store, 1);
  LLVMTypeRef type = mt_element_type(LLVMTypeOf(v));
  unsigned align = LLVMGetAlignment(store);
  if (!is_float(type) || align >= bits_of(type) / 8) return;
  LLVMPositionBuilderBefore(w->b, store);
  for (unsigned k = 0; k < count_of(LLVMTypeOf(v)); k++) {
    LLVMValueRef at = LLVMConstInt(w->i64, k * (bits_of(type) / 8), 0);
    LLVMValueRef made = LLVMBuildStore(
        w->b, moved(w, component(w, v, k)),
        LLVMBuildInBoundsGEP2(w->b, w->i8, to, &at, 1, ""));
    LLVMSetAlignment(made, align);
    LLVMSetVolatile(made, LLVMGetVolatile(store));
  }
  LLVMInstructionEraseFromParent(store);
}

void mt_ptx_settle_float_bits(mt_PtxWork *w) {
  for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = mt_first_from(LLVMGetFirstBasicBlock(f)), next; i;
         i = next) {
      next = mt_next_instruction(i);
      if (LLVMGetInstructionOpcode(i) == LLVMBitCast) settle_cast(w, i);
      else if (LLVMGetInstructionOpcode(i) == LLVMStore) settle_store(w, i);
    }
}
