/*
** wide_division.c - divisions of integers of 64 bits as vectors.
**
** The one idea: no CPU divides vectors of integers, and one lane after the
** other takes 20 to 90 cycles for each. The quotient is estimated by a product
** of doubles that is never too large: x * (1 / d) has four roundings, and a
** factor of 1 - 2^-50 takes away more than they add. What the estimate leaves
** is below x * 2^-49 + d, and the same again leaves less than 2 * d: so one
** subtraction more at most is right.
*/
#include "devices/compiler/target/target.h"
#include "devices/host/emit/emit.h"

#define BIT (1.0 / (1ll << 50))

/* Of one division: the reciprocal as a vector of doubles. */
typedef struct Division {
  LLVMTypeRef real;
  LLVMValueRef by, inverse;
} Division;

static LLVMValueRef double_of(mt_Spmd *s, double x) {
  return LLVMConstReal(LLVMDoubleTypeInContext(s->context), x);
}

/* C / d for a number or a vector of them. */
static LLVMValueRef inverse(mt_Spmd *s, LLVMValueRef d, LLVMTypeRef real,
                            LLVMValueRef c) {
  d = LLVMBuildUIToFP(s->b, d, real, "");
  return LLVMBuildFDiv(s->b, c, d, "");
}

static Division division_by(mt_Spmd *s, LLVMValueRef d, LLVMValueRef same) {
  LLVMTypeRef one = LLVMDoubleTypeInContext(s->context);
  LLVMValueRef c = double_of(s, 1 - BIT);
  Division by = {mt_vector_of(s, one), d, NULL};
  by.inverse = same ? mt_splat(s, inverse(s, same, one, c))
                    : inverse(s, d, by.real, mt_splat(s, c));
  return by;
}

/* At most 'x' / by, and nearly that. */
static LLVMValueRef estimate(mt_Spmd *s, const Division *by, LLVMValueRef x) {
  LLVMTypeRef t = LLVMTypeOf(x);
  x = LLVMBuildUIToFP(s->b, x, by->real, "");
  x = LLVMBuildFMul(s->b, x, by->inverse, "");
  return LLVMBuildFPToUI(s->b, x, t, "");
}

static LLVMValueRef rest(mt_Spmd *s, const Division *by, LLVMValueRef x,
                         LLVMValueRef q) {
  return LLVMBuildSub(s->b, x, LLVMBuildMul(s->b, q, by->by, ""), "");
}

static LLVMValueRef divide(mt_Spmd *s, LLVMValueRef x, const Division *by,
                           bool quotient) {
  LLVMValueRef q = estimate(s, by, x);
  x = rest(s, by, x, q);
  LLVMValueRef more = estimate(s, by, x);
  x = rest(s, by, x, more);
  LLVMValueRef again = LLVMBuildICmp(s->b, LLVMIntUGE, x, by->by, "");
  if (!quotient)
    return LLVMBuildSelect(s->b, again, LLVMBuildSub(s->b, x, by->by, ""), x,
                           "");
  q = LLVMBuildAdd(s->b, q, more, "");
  LLVMTypeRef t = LLVMTypeOf(q);
  return LLVMBuildSub(s->b, q, LLVMBuildSExt(s->b, again, t, ""), "");
}

/* Zero, which is left to inactive lanes, becomes 1. */
static LLVMValueRef not_zero(mt_Spmd *s, LLVMValueRef d) {
  LLVMTypeRef t = LLVMTypeOf(d);
  LLVMValueRef one = LLVMConstInt(s->i64, 1, 0);
  if (t != s->i64) one = mt_splat(s, one);
  LLVMValueRef zero = LLVMBuildICmp(s->b, LLVMIntEQ, d, LLVMConstNull(t), "");
  return LLVMBuildSelect(s->b, zero, one, d, "");
}

/* All ones below zero. */
static LLVMValueRef sign_of(mt_Spmd *s, LLVMValueRef x) {
  return LLVMBuildAShr(s->b, x, mt_splat(s, mt_const_i64(s, 63)), "");
}

/* -x where 'sign' is all ones. */
static LLVMValueRef signed_by(mt_Spmd *s, LLVMValueRef x, LLVMValueRef sign) {
  return LLVMBuildSub(s->b, LLVMBuildXor(s->b, x, sign, ""), sign, "");
}

static LLVMValueRef absolute(mt_Spmd *s, LLVMValueRef x) {
  LLVMTypeRef t = LLVMTypeOf(x);
  LLVMValueRef args[2] = {x, LLVMConstInt(s->i1, 0, 0)};
  return mt_intrinsic(s, "llvm.abs", &t, 1, args, 2);
}

LLVMValueRef mt_divide_wide(mt_Spmd *s, LLVMOpcode op, LLVMValueRef x,
                            LLVMValueRef d, LLVMValueRef same) {
  bool quotient = op == LLVMUDiv || op == LLVMSDiv;
  bool sign = op == LLVMSDiv || op == LLVMSRem;
  if (!mt_target_has(s->target, "avx512dq")) return NULL;
  LLVMValueRef minus = sign ? sign_of(s, x) : NULL;
  if (sign && quotient) minus = LLVMBuildXor(s->b, minus, sign_of(s, d), "");
  if (sign) x = absolute(s, x), d = absolute(s, d);
  if (sign && same) same = absolute(s, same);
  d = not_zero(s, d);
  Division by = division_by(s, d, same ? not_zero(s, same) : NULL);
  x = divide(s, x, &by, quotient);
  return sign ? signed_by(s, x, minus) : x;
}
