/*
** instructions.c - one instruction of the kernel, for 32 lanes.
**
** The one idea: arithmetic is the same instruction again, part by part, on
** scalars where its operands are uniform and on vectors where they are not.
** Affine results are left to analyse/affine.c, memory and calls to files of
** their own.
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "devices/host/emit/emit.h"
#include "devices/host/strategy/strategy.h"

#define MAX_OPERANDS 8

static unsigned operand_part(LLVMValueRef x, unsigned part) {
  return mt_type_parts(LLVMTypeOf(x)) > 1 ? part : 0;
}

static LLVMValueRef operand(mt_Spmd *s, LLVMValueRef i, unsigned n,
                            unsigned part, bool vector) {
  LLVMValueRef x = LLVMGetOperand(i, n);
  part = operand_part(x, part);
  return vector ? mt_vector(s, x, part) : mt_uniform(s, x, part);
}

/* ------------------------------------------------------------------- flags */

static void copy_flags(LLVMValueRef from, LLVMValueRef to) {
  if (!LLVMIsAInstruction(to)) return; /* constant-folded */
  LLVMOpcode op = LLVMGetInstructionOpcode(to);
  if (op != LLVMGetInstructionOpcode(from)) return;
  if (LLVMCanValueUseFastMathFlags(from) && LLVMCanValueUseFastMathFlags(to))
    LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
  if (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl) {
    LLVMSetNSW(to, LLVMGetNSW(from));
    LLVMSetNUW(to, LLVMGetNUW(from));
  }
  if (op == LLVMLShr || op == LLVMAShr || op == LLVMUDiv || op == LLVMSDiv)
    LLVMSetExact(to, LLVMGetExact(from));
}

/* -------------------------------------------------------------- arithmetic */

/* Is the divisor constant in every lane, and neither 0 nor -1 (the smallest
** number divided by -1 overflows)? */
static bool divides_all(LLVMValueRef d) {
  for (unsigned l = 0; LLVMIsConstant(d) && l < MT_LANES; l++) {
    LLVMValueRef x = LLVMGetAggregateElement(d, l);
    if (!x || !LLVMIsAConstantInt(x) || LLVMIsNull(x) ||
        LLVMConstIntGetSExtValue(x) == -1)
      return false;
  }
  return LLVMIsConstant(d);
}

/* Inactive lanes must not divide by zero: in LLVM, one such lane makes the
** whole division undefined. */
static LLVMValueRef safe_divisor(mt_Spmd *s, LLVMValueRef d, bool vector) {
  if (!vector || s->full || divides_all(d)) return d;
  LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(d));
  return LLVMBuildSelect(s->b, s->mask, d,
                         mt_splat(s, LLVMConstInt(t, 1, 0)), "");
}

/* 1 / d for a uniform d, too large by a factor of 1 + 2^-50: the product with a
** 32-bit number is then never below the true quotient, and too little above it
** to reach the next integer. */
static LLVMValueRef inverse(mt_Spmd *s, LLVMValueRef d, bool sign) {
  LLVMTypeRef f = LLVMDoubleTypeInContext(s->context), t = LLVMTypeOf(d);
  LLVMValueRef zero = LLVMBuildICmp(s->b, LLVMIntEQ, d, LLVMConstNull(t), "");
  d = LLVMBuildSelect(s->b, zero, LLVMConstInt(t, 1, 0), d, "");
  d = LLVMBuildCast(s->b, sign ? LLVMSIToFP : LLVMUIToFP, d, f, "");
  LLVMValueRef one = LLVMConstReal(f, 1 + 1.0 / (1ll << 50));
  return mt_splat(s, LLVMBuildFDiv(s->b, one, d, ""));
}

/* 32-bit integers divide exactly as doubles, for which CPUs have vector
** instructions. A divisor of zero gives some number, as on a GPU. 'same' is the
** divisor as a scalar if it is uniform, else NULL. */
static LLVMValueRef divide_as_double(mt_Spmd *s, LLVMOpcode op, LLVMValueRef a,
                                     LLVMValueRef d, LLVMValueRef same) {
  bool sign = op == LLVMSDiv || op == LLVMSRem;
  LLVMTypeRef t = LLVMTypeOf(a);
  LLVMTypeRef f = mt_vector_of(s, LLVMDoubleTypeInContext(s->context));
  LLVMValueRef zero = LLVMBuildICmp(s->b, LLVMIntEQ, d, LLVMConstNull(t), "");
  d = LLVMBuildSelect(s->b, zero,
                      mt_splat(s, LLVMConstInt(LLVMGetElementType(t), 1, 0)), d,
                      "");
  LLVMOpcode to = sign ? LLVMSIToFP : LLVMUIToFP;
  LLVMValueRef x = LLVMBuildCast(s->b, to, a, f, "");
  LLVMValueRef q =
      same ? LLVMBuildFMul(s->b, x, inverse(s, same, sign), "")
           : LLVMBuildFDiv(s->b, x, LLVMBuildCast(s->b, to, d, f, ""), "");
  /* through 64 bits: -2^31 / -1 fits there and wraps when truncated */
  LLVMValueRef w = LLVMBuildFPToSI(s->b, q, s->v_i64, "");
  q = LLVMBuildTrunc(s->b, w, t, "");
  if (op == LLVMUDiv || op == LLVMSDiv) return q;
  return LLVMBuildSub(s->b, a, LLVMBuildMul(s->b, q, d, ""), "");
}

static LLVMValueRef shared_divisor(mt_Spmd *s, LLVMValueRef i, unsigned part) {
  LLVMValueRef d = LLVMGetOperand(i, 1);
  part = operand_part(d, part);
  return mt_part_kind(s, d, part) == MT_SHAPE_UNIFORM ? mt_uniform(s, d, part)
                                                  : NULL;
}

static bool is_division(LLVMOpcode op) {
  return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

/* NULL: left to LLVM, as powers of two are, which it shifts. */
static LLVMValueRef wide(mt_Spmd *s, LLVMValueRef i, unsigned part,
                         LLVMValueRef x, LLVMValueRef y) {
  LLVMValueRef d = LLVMGetOperand(i, 1);
  uint64_t by = LLVMIsAConstantInt(d) ? LLVMConstIntGetZExtValue(d) : 3;
  if ((by & (by - 1)) == 0 || (by & (0 - by)) == 0 - by) return NULL;
  return mt_divide_wide(s, LLVMGetInstructionOpcode(i), x, y,
                        shared_divisor(s, i, part));
}

static LLVMValueRef binary(mt_Spmd *s, LLVMValueRef i, unsigned part,
                           bool vector) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  LLVMValueRef x = operand(s, i, 0, part, vector);
  LLVMValueRef y = operand(s, i, 1, part, vector);
  if (is_division(op)) {
    LLVMTypeRef t = mt_type_part(LLVMTypeOf(i), part);
    if (vector && !LLVMIsConstant(y) && LLVMGetIntTypeWidth(t) == 32)
      return divide_as_double(s, op, x, y, shared_divisor(s, i, part));
    LLVMValueRef q = vector && LLVMGetIntTypeWidth(t) == 64
                         ? wide(s, i, part, x, y) : NULL;
    if (q) return q;
    y = safe_divisor(s, y, vector);
  }
  LLVMValueRef r = LLVMBuildBinOp(s->b, op, x, y, "");
  copy_flags(i, r);
  return r;
}

static LLVMValueRef choose(mt_Spmd *s, LLVMValueRef i, unsigned part,
                           bool vector) {
  LLVMValueRef c = LLVMGetOperand(i, 0);
  unsigned cp = operand_part(c, part);
  bool one = mt_part_kind(s, c, cp) == MT_SHAPE_UNIFORM;
  LLVMValueRef r = LLVMBuildSelect(
      s->b, one ? mt_uniform(s, c, cp) : mt_vector(s, c, cp),
      operand(s, i, 1, part, vector), operand(s, i, 2, part, vector), "");
  copy_flags(i, r);
  return r;
}

static LLVMValueRef address(mt_Spmd *s, LLVMValueRef i, bool vector) {
  LLVMValueRef index[MAX_OPERANDS];
  int n = LLVMGetNumOperands(i);
  if (n > MAX_OPERANDS) {
    mt_unsupported(s, "an address of %d steps", n);
    return LLVMGetPoison(vector ? mt_vector_of(s, s->ptr) : s->ptr);
  }
  LLVMTypeRef t = LLVMGetGEPSourceElementType(i);
  for (int k = 1; k < n; k++) {
    LLVMValueRef x = LLVMGetOperand(i, (unsigned)k);
    /* a struct's index must stay constant */
    bool constant = mt_value(s, x) == NULL;
    index[k - 1] = constant ? x : operand(s, i, (unsigned)k, 0, vector);
  }
  LLVMValueRef base = operand(s, i, 0, 0, vector);
  return LLVMBuildGEP2(s->b, t, base, index, (unsigned)n - 1, "");
}

static LLVMValueRef arithmetic(mt_Spmd *s, LLVMValueRef i, unsigned part,
                               bool vector) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  LLVMTypeRef t = mt_type_part(LLVMTypeOf(i), part);
  if (vector) t = mt_vector_of(s, t);
  LLVMValueRef r;
  switch (op) {
    case LLVMICmp:
      return LLVMBuildICmp(s->b, LLVMGetICmpPredicate(i),
                           operand(s, i, 0, part, vector),
                           operand(s, i, 1, part, vector), "");
    case LLVMFCmp:
      r = LLVMBuildFCmp(s->b, LLVMGetFCmpPredicate(i),
                        operand(s, i, 0, part, vector),
                        operand(s, i, 1, part, vector), "");
      copy_flags(i, r);
      return r;
    case LLVMSelect: return choose(s, i, part, vector);
    case LLVMFNeg:
      r = LLVMBuildFNeg(s->b, operand(s, i, 0, part, vector), "");
      copy_flags(i, r);
      return r;
    case LLVMFreeze:
      return LLVMBuildFreeze(s->b, operand(s, i, 0, part, vector), "");
    case LLVMGetElementPtr: return address(s, i, vector);
    default:
      if (LLVMIsACastInst(i))
        return LLVMBuildCast(s->b, op, operand(s, i, 0, part, vector), t, "");
      if (LLVMIsABinaryOperator(i)) return binary(s, i, part, vector);
      mt_unsupported(s, "an instruction of kind %d", (int)op);
      return LLVMGetPoison(t);
  }
}

/* ------------------------------------------------ short vectors of a thread */

/* x[i] with an index that is not constant: select among the parts. */
static LLVMValueRef extract(mt_Spmd *s, LLVMValueRef i, bool vector) {
  LLVMValueRef all = LLVMGetOperand(i, 0), index = operand(s, i, 1, 0, vector);
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, 1));
  LLVMValueRef r = operand(s, i, 0, 0, vector);
  for (unsigned p = 1; p < mt_type_parts(LLVMTypeOf(all)); p++) {
    LLVMValueRef k = LLVMConstInt(t, p, 0);
    LLVMValueRef is = LLVMBuildICmp(s->b, LLVMIntEQ, index,
                                    vector ? mt_splat(s, k) : k, "");
    r = LLVMBuildSelect(s->b, is, operand(s, i, 0, p, vector), r, "");
  }
  return r;
}

static LLVMValueRef insert(mt_Spmd *s, LLVMValueRef i, unsigned part,
                           bool vector) {
  LLVMValueRef index = operand(s, i, 2, 0, vector);
  LLVMValueRef k = LLVMConstInt(LLVMTypeOf(LLVMGetOperand(i, 2)), part, 0);
  LLVMValueRef is = LLVMBuildICmp(s->b, LLVMIntEQ, index,
                                  vector ? mt_splat(s, k) : k, "");
  return LLVMBuildSelect(s->b, is, operand(s, i, 1, 0, vector),
                         operand(s, i, 0, part, vector), "");
}

static LLVMTypeRef int_of(mt_Spmd *s, unsigned bits, bool vector) {
  LLVMTypeRef t = LLVMIntTypeInContext(s->context, bits);
  return vector ? mt_vector_of(s, t) : t;
}

static LLVMValueRef number(mt_Spmd *s, LLVMTypeRef t, uint64_t x, bool vector) {
  LLVMTypeRef scalar = vector ? LLVMGetElementType(t) : t;
  LLVMValueRef c = LLVMConstInt(scalar, x, 0);
  return vector ? mt_splat(s, c) : c;
}

/* A bitcast that changes the number of parts: little-endian, by shifts. */
static LLVMValueRef recut(mt_Spmd *s, LLVMValueRef i, unsigned part,
                          bool vector) {
  LLVMValueRef x = LLVMGetOperand(i, 0);
  LLVMTypeRef from = mt_type_part(LLVMTypeOf(x), 0);
  LLVMTypeRef to = mt_type_part(LLVMTypeOf(i), 0);
  unsigned a = (unsigned)LLVMSizeOfTypeInBits(s->layout, from);
  unsigned b = (unsigned)LLVMSizeOfTypeInBits(s->layout, to);
  LLVMTypeRef out = vector ? mt_vector_of(s, to) : to,
              r_type = int_of(s, b, vector);
  LLVMValueRef r = NULL;
  if (b % a && a % b) {
    mt_unsupported(s, "a bit cast from %u to %u bits", a, b);
    return LLVMGetPoison(out);
  }
  if (b > a)
    for (unsigned k = 0; k < b / a; k++) {
      LLVMValueRef y = operand(s, i, 0, part * (b / a) + k, vector);
      y = LLVMBuildBitCast(s->b, y, int_of(s, a, vector), "");
      y = LLVMBuildZExt(s->b, y, r_type, "");
      y = LLVMBuildShl(s->b, y, number(s, r_type, (uint64_t)k * a, vector), "");
      r = r ? LLVMBuildOr(s->b, r, y, "") : y;
    }
  else {
    LLVMTypeRef wide = int_of(s, a, vector);
    r = LLVMBuildBitCast(s->b, operand(s, i, 0, part / (a / b), vector), wide,
                         "");
    r = LLVMBuildLShr(
        s->b, r, number(s, wide, (uint64_t)(part % (a / b)) * b, vector), "");
    r = LLVMBuildTrunc(s->b, r, r_type, "");
  }
  return LLVMBuildBitCast(s->b, r, out, "");
}

static bool is_recut(LLVMValueRef i) {
  return LLVMGetInstructionOpcode(i) == LLVMBitCast &&
         mt_type_parts(LLVMTypeOf(i)) !=
             mt_type_parts(LLVMTypeOf(LLVMGetOperand(i, 0)));
}

static LLVMValueRef general(mt_Spmd *s, LLVMValueRef i, unsigned part,
                            bool vector) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMExtractElement) return extract(s, i, vector);
  if (op == LLVMInsertElement) return insert(s, i, part, vector);
  if (is_recut(i)) return recut(s, i, part, vector);
  return arithmetic(s, i, part, vector);
}

/* ------------------------------------------------------------------ results */

static void copy_part(mt_Spmd *s, LLVMValueRef i, unsigned part,
                      LLVMValueRef from, unsigned at) {
  const mt_Shape *h = mt_part_shape(s, i, part);
  if (h->kind == MT_SHAPE_VARYING)
    mt_set_vector(s, i, part, mt_vector(s, from, at));
  else if (h->kind == MT_SHAPE_UNIFORM)
    mt_set_uniform(s, i, part, mt_uniform(s, from, at));
  else {
    LLVMValueRef exact = h->address_only ? mt_vector(s, from, at) : NULL;
    mt_Part *p = mt_affine(s, from, at);
    mt_set_affine(s, i, part, p->base, p->term, exact);
  }
}

static bool all_uniform(mt_Spmd *s, LLVMValueRef i, unsigned part) {
  bool whole = LLVMGetInstructionOpcode(i) == LLVMExtractElement ||
               LLVMGetInstructionOpcode(i) == LLVMInsertElement || is_recut(i);
  for (int n = 0; n < LLVMGetNumOperands(i); n++) {
    LLVMValueRef x = LLVMGetOperand(i, (unsigned)n);
    unsigned parts = mt_type_parts(LLVMTypeOf(x));
    if (!whole) {
      if (mt_part_kind(s, x, operand_part(x, part)) != MT_SHAPE_UNIFORM)
        return false;
      continue;
    }
    for (unsigned p = 0; p < parts; p++)
      if (mt_part_kind(s, x, p) != MT_SHAPE_UNIFORM) return false;
  }
  return true;
}

static void emit_part(mt_Spmd *s, LLVMValueRef i, unsigned part) {
  LLVMValueRef from;
  unsigned at;
  const mt_Shape *h = mt_part_shape(s, i, part);
  if (mt_part_copied(s, i, part, &from, &at))
    copy_part(s, i, part, from, at);
  else if (h->kind == MT_SHAPE_VARYING)
    mt_set_vector(s, i, part, general(s, i, part, true));
  else if (h->kind == MT_SHAPE_UNIFORM && all_uniform(s, i, part))
    mt_set_uniform(s, i, part, general(s, i, part, false));
  else
    mt_affine_emit(s, i, part,
                   h->address_only ? general(s, i, part, true) : NULL);
}

void mt_instr_emit(mt_Spmd *s, LLVMValueRef i) {
  unsigned parts = mt_type_parts(LLVMTypeOf(i));
  LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(i));
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
      if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        mt_atomic_emit(s, i);
      else
        mt_memory_load(s, i);
      return;
    case LLVMStore:
      if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        mt_atomic_emit(s, i);
      else
        mt_memory_store(s, i);
      return;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence: mt_atomic_emit(s, i); return;
    case LLVMAlloca: mt_memory_alloca(s, i); return;
    case LLVMCall: mt_call_emit(s, i); return;
    default: break;
  }
  for (unsigned p = 0; p < parts; p++) emit_part(s, i, p);
}
