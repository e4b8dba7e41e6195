/*
** arithmetic.c - probes of integer arithmetic that has no result: division by
** zero, and shifts by the width or more.
**
** The operand that is at fault is replaced, so that the kernel goes on.
*/
#include <llvm-c/DebugInfo.h>

#include "devices/host/instrument/checker.h"

static bool is_vector(LLVMValueRef v) {
  return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

/* Is 'v' true in any of its elements? */
static LLVMValueRef any(mt_Instrumenter *w, LLVMValueRef v) {
  if (!is_vector(v)) return v;
  LLVMValueRef all = NULL;
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(v)); i++) {
    LLVMValueRef one =
        LLVMBuildExtractElement(w->b, v, mt_instrument_number(w, i), "");
    all = all ? LLVMBuildOr(w->b, all, one, "") : one;
  }
  return all;
}

static LLVMValueRef constant_like(LLVMValueRef v, uint64_t n) {
  LLVMTypeRef t = LLVMTypeOf(v);
  if (!is_vector(v)) return LLVMConstInt(t, n, 0);
  LLVMValueRef part[64];
  unsigned count = LLVMGetVectorSize(t);
  for (unsigned i = 0; i < count && i < 64; i++)
    part[i] = LLVMConstInt(LLVMGetElementType(t), n, 0);
  return LLVMConstVector(part, count);
}

static unsigned width_of(LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  return LLVMGetIntTypeWidth(is_vector(v) ? LLVMGetElementType(t) : t);
}

static bool known_between(LLVMValueRef v, uint64_t low, uint64_t high) {
  if (LLVMIsAConstantInt(v)) {
    uint64_t n = LLVMConstIntGetZExtValue(v);
    return n >= low && n <= high;
  }
  if (!LLVMIsAConstantDataVector(v)) return false;
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(v)); i++)
    if (!known_between(LLVMGetAggregateElement(v, i), low, high)) return false;
  return true;
}

static LLVMValueRef first_part(mt_Instrumenter *w, LLVMValueRef v) {
  if (is_vector(v))
    v = LLVMBuildExtractElement(w->b, v, mt_instrument_number(w, 0), "");
  return LLVMBuildIntCast2(w->b, v, w->i64, 0, "");
}

void mt_instrument_division(mt_Instrumenter *w, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  LLVMValueRef a = LLVMGetOperand(i, 0), d = LLVMGetOperand(i, 1);
  unsigned width = width_of(d);
  uint64_t ones = width >= 64 ? ~0ull : (1ull << width) - 1;
  if (width > 64 || known_between(d, 1, ones - 1)) return;
  LLVMPositionBuilderBefore(w->b, i);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(i));
  LLVMValueRef zero =
      LLVMBuildICmp(w->b, LLVMIntEQ, d, constant_like(d, 0), "");
  LLVMValueRef bad = zero;
  if (op == LLVMSDiv || op == LLVMSRem) {
    LLVMValueRef minus =
        LLVMBuildICmp(w->b, LLVMIntEQ, d, constant_like(d, ones), "");
    LLVMValueRef least = LLVMBuildICmp(
        w->b, LLVMIntEQ, a, constant_like(a, 1ull << (width - 1)), "");
    bad = LLVMBuildOr(w->b, bad, LLVMBuildAnd(w->b, minus, least, ""), "");
  }
  uint32_t n = mt_site_add(w->table, (mt_Site){.kind = MT_SITE_DIVIDE,
                                               .place = mt_instrument_place(i),
                                               .root = MT_ROOT_UNKNOWN,
                                               .width = width});
  if (!n) return;
  LLVMValueRef by_zero = any(w, zero);
  mt_instrument_if(w, n, any(w, bad), LLVMBuildZExt(w->b, by_zero, w->i64, ""));
  LLVMSetOperand(i, 1, LLVMBuildSelect(w->b, bad, constant_like(d, 1), d, ""));
}

void mt_instrument_shift(mt_Instrumenter *w, LLVMValueRef i) {
  LLVMValueRef by = LLVMGetOperand(i, 1);
  unsigned width = width_of(by);
  if (width > 64 || known_between(by, 0, width - 1)) return;
  LLVMPositionBuilderBefore(w->b, i);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(i));
  LLVMValueRef bad =
      LLVMBuildICmp(w->b, LLVMIntUGE, by, constant_like(by, width), "");
  uint32_t n = mt_site_add(w->table, (mt_Site){.kind = MT_SITE_SHIFT,
                                               .place = mt_instrument_place(i),
                                               .root = MT_ROOT_UNKNOWN,
                                               .width = width});
  if (!n) return;
  mt_instrument_if(w, n, any(w, bad), first_part(w, by));
  LLVMSetOperand(
      i, 1, LLVMBuildAnd(w->b, by, constant_like(by, width - 1), ""));
}
