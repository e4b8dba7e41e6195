/*
** address.c - addresses in threadgroup memory as sums, see address.h.
*/
#include "devices/cuda/ptx/address.h"

#include <stddef.h>

#define STEPS 500 /* to find the terms: a value may be reached by many ways */
#define DEPTH 12  /* of what bits are computed of */

static bool is_offset(LLVMValueRef p) {
  return LLVMIsAGetElementPtrInst(p) ||
         (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr);
}

void mt_address_add(mt_Address *s, LLVMValueRef v, uint32_t times) {
  unsigned i = 0;
  while (i < s->terms && s->term[i].of != v) i++;
  if (i == MT_ADDRESS_TERMS) {
    s->failed = true;
    return;
  }
  if (i == s->terms) s->term[s->terms++].of = v, s->term[i].times = 0;
  s->term[i].times += times;
}

static bool is_wide(LLVMValueRef v) {
  return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(v)) >= 32;
}

static void add_integer(mt_Address *s, LLVMValueRef v, uint32_t times) {
  if (s->steps++ == STEPS) s->failed = true;
  if (s->failed) return;
  if (LLVMIsAConstantInt(v)) {
    s->constant += times * (uint32_t)LLVMConstIntGetSExtValue(v);
    return;
  }
  LLVMValueRef a = NULL, b = NULL;
  if (LLVMIsAInstruction(v) && LLVMGetNumOperands(v) > 0)
    a = LLVMGetOperand(v, 0);
  if (a && LLVMGetNumOperands(v) == 2) b = LLVMGetOperand(v, 1);
  uint32_t by =
      b && LLVMIsAConstantInt(b) ? (uint32_t)LLVMConstIntGetZExtValue(b) : 0;
  switch (a ? LLVMGetInstructionOpcode(v) : LLVMUnreachable) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
      if (is_wide(a) && is_wide(v)) return add_integer(s, a, times);
      break;
    case LLVMOr:
      if (!LLVMGetIsDisjoint(v)) break;
      /* fall through */
    case LLVMAdd:
      add_integer(s, a, times);
      return add_integer(s, b, times);
    case LLVMSub:
      add_integer(s, a, times);
      return add_integer(s, b, -times);
    case LLVMMul:
      if (LLVMIsAConstantInt(b)) return add_integer(s, a, times * by);
      break;
    case LLVMShl:
      if (LLVMIsAConstantInt(b) && by < 32)
        return add_integer(s, a, times << by);
      break;
    default:
      break;
  }
  mt_address_add(s, v, times);
}

static void add_indices(LLVMTargetDataRef layout, mt_Address *s,
                        LLVMValueRef p) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++) {
    if (i > 1) {
      LLVMTypeKind kind = LLVMGetTypeKind(t);
      if (kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind) {
        s->failed = true;
        return;
      }
      t = LLVMGetElementType(t);
    }
    add_integer(s, LLVMGetOperand(p, i),
                (uint32_t)LLVMABISizeOfType(layout, t));
  }
}

mt_Address mt_address_of(LLVMTargetDataRef layout, LLVMValueRef p) {
  mt_Address s = {.terms = 0};
  while (is_offset(p)) {
    add_indices(layout, &s, p);
    p = LLVMGetOperand(p, 0);
  }
  if (!LLVMIsAGlobalVariable(p)) mt_address_add(&s, p, 1);
  return s;
}

/* -------------------------------------------------------------------- bits */

static uint64_t type_bits(LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  unsigned n =
      LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 64;
  return n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
}

/* All from the lowest one on. */
static uint64_t bits_above(uint64_t may) { return may ? -(may & -may) : 0; }

static uint64_t bits_of(LLVMValueRef v, unsigned depth);

static uint64_t bits_of_operation(LLVMValueRef v, unsigned depth) {
  LLVMValueRef b = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
  uint64_t by = b && LLVMIsAConstantInt(b) ? LLVMConstIntGetZExtValue(b) : 64;
#define OPERAND(n) bits_of(LLVMGetOperand(v, n), depth + 1)
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
    case LLVMTrunc:
      return OPERAND(0);
    case LLVMAnd:
      return OPERAND(0) & OPERAND(1);
    case LLVMOr:
    case LLVMXor:
      return OPERAND(0) | OPERAND(1);
    case LLVMAdd:
    case LLVMSub:
      return bits_above(OPERAND(0) | OPERAND(1));
    case LLVMShl:
      return by < 64 ? OPERAND(0) << by : UINT64_MAX;
    case LLVMLShr:
      return by < 64 ? OPERAND(0) >> by : UINT64_MAX;
    case LLVMMul:
      return by < 64 || (b && LLVMIsAConstantInt(b))
                 ? bits_above(OPERAND(0)) * (by & -by)
                 : UINT64_MAX;
    default:
      return UINT64_MAX;
  }
#undef OPERAND
}

static uint64_t bits_of(LLVMValueRef v, unsigned depth) {
  if (LLVMIsAConstantInt(v)) return LLVMConstIntGetZExtValue(v);
  if (depth == DEPTH || !LLVMIsAInstruction(v)) return type_bits(v);
  return bits_of_operation(v, depth) & type_bits(v);
}

uint64_t mt_may_be_one(LLVMValueRef v) { return bits_of(v, 0); }
