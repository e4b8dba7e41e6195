/*
** induction.c - induction variables and trip counts, see induction.h.
*/
#include "devices/compiler/ir/induction.h"

#include <stddef.h>

#include "base/str.h"
#include "devices/compiler/ir/call.h"

bool mt_const_number(LLVMValueRef v, int64_t *out) {
  if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
    return false;
  *out = LLVMConstIntGetSExtValue(v);
  return true;
}

/* Is 'v' the phi plus something? */
static bool advances(LLVMValueRef phi, LLVMValueRef v) {
  if (!LLVMIsAInstruction(v)) return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  return (op == LLVMAdd || op == LLVMGetElementPtr) &&
         LLVMGetNumOperands(v) == 2 && LLVMGetOperand(v, 0) == phi;
}

bool mt_induction_find(LLVMValueRef phi, mt_Induction *out) {
  if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2) return false;
  LLVMValueRef a = LLVMGetIncomingValue(phi, 0);
  LLVMValueRef b = LLVMGetIncomingValue(phi, 1);
  if (advances(phi, a) == advances(phi, b)) return false;
  LLVMValueRef next = advances(phi, a) ? a : b;
  *out = (mt_Induction){.start = next == a ? b : a, .next = next,
                        .by = LLVMGetOperand(next, 1)};
  if (LLVMIsAGetElementPtrInst(next))
    out->unit = LLVMGetGEPSourceElementType(next);
  return true;
}

static bool holds(LLVMIntPredicate is, int64_t a, int64_t b, unsigned bits) {
  uint64_t all = bits < 64 ? (1ull << bits) - 1 : ~0ull;
  uint64_t x = (uint64_t)a & all, y = (uint64_t)b & all;
  switch (is) {
    case LLVMIntEQ: return x == y;
    case LLVMIntNE: return x != y;
    case LLVMIntULT: return x < y;
    case LLVMIntULE: return x <= y;
    case LLVMIntUGT: return x > y;
    case LLVMIntUGE: return x >= y;
    case LLVMIntSLT: return a < b;
    case LLVMIntSLE: return a <= b;
    case LLVMIntSGT: return a > b;
    default: return a >= b;
  }
}

/* A value that is compared in every iteration: 'first', then 'step' more. */
typedef struct Compared {
  int64_t first, step, end;
} Compared;

/* What 'condition' compares: the phi of the header, or the phi and a
** constant. */
static bool find_compared(LLVMBasicBlockRef header, LLVMValueRef condition,
                          Compared *out) {
  mt_Induction v;
  LLVMValueRef x = LLVMGetOperand(condition, 0), phi = x;
  int64_t more = 0;
  bool sum = LLVMIsABinaryOperator(x) != NULL;
  if (sum) phi = LLVMGetOperand(x, 0);
  if (sum && (LLVMGetInstructionOpcode(x) != LLVMAdd ||
              !mt_const_number(LLVMGetOperand(x, 1), &more)))
    return false;
  if (!mt_const_number(LLVMGetOperand(condition, 1), &out->end) ||
      !mt_induction_find(phi, &v) || v.unit ||
      LLVMGetInstructionParent(phi) != header ||
      !mt_const_number(v.start, &out->first) ||
      !mt_const_number(v.by, &out->step) || !out->step)
    return false;
  out->first += more;
  return true;
}

int64_t mt_trip_count(LLVMBasicBlockRef header, LLVMValueRef condition,
                      bool stays, int64_t most) {
  Compared c;
  if (!LLVMIsAICmpInst(condition) || !find_compared(header, condition, &c))
    return 0;
  LLVMIntPredicate is = LLVMGetICmpPredicate(condition);
  if (is == (stays ? LLVMIntNE : LLVMIntEQ)) { /* until they are equal */
    int64_t far;
    if (__builtin_sub_overflow(c.end, c.first, &far) || far == INT64_MIN)
      return 0;
    return far % c.step || far / c.step < 0 ? 0 : far / c.step + 1;
  }
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(condition, 1)));
  for (int64_t n = 1, now = c.first; n <= most; n++, now += c.step)
    if (holds(is, now, c.end, bits) != stays) return n;
  return 0;
}

bool mt_is_free_sum(LLVMValueRef phi) {
  if (!LLVMIsAPHINode(phi) || !LLVMCanValueUseFastMathFlags(phi)) return false;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMValueRef next = LLVMGetIncomingValue(phi, k);
    bool adds = LLVMIsAInstruction(next) &&
                (LLVMGetInstructionOpcode(next) == LLVMFAdd ||
                 mt_starts(mt_callee(next), "llvm.fmuladd."));
    if (!adds || !(LLVMGetFastMathFlags(next) & LLVMFastMathAllowReassoc))
      continue;
    for (int n = 0; n < LLVMGetNumOperands(next); n++)
      if (LLVMGetOperand(next, (unsigned)n) == phi) return true;
  }
  return false;
}
