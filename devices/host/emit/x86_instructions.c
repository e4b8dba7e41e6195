/*
** x86_instructions.c - instructions of x86 that LLVM's IR has no operation for.
**
** The one idea: LLVM leaves open what a float out of range becomes as an
** integer, and knows powers of two by integers only. The processor's own
** instructions are defined for all operands and spare what has to be put around
** LLVM's. They exist for whole registers, so a vector of lanes is cut into
** these. Each function returns NULL on a machine without the instruction.
*/
#include "devices/compiler/target/target.h"
#include "devices/host/access/access.h"
#include "devices/host/emit/emit.h"

/* 1.5 * 2^23: the sum of this and a small number is rounded to an integer, and
** its lowest bits are that integer. */
#define MAGIC 12582912.0
#define MAGIC_BITS 0x4b400000
#define MAX_SCALE 256 /* an exponent far from where a float would round */

#define CURRENT_ROUNDING 4

/* ---------------------------------------------------- vectors by registers */

typedef LLVMValueRef Instruction(mt_Spmd *s, const char *name,
                                 LLVMValueRef *operand, LLVMTypeRef result);

static LLVMValueRef piece(mt_Spmd *s, LLVMValueRef x, unsigned at, unsigned n) {
  LLVMTypeRef from = LLVMTypeOf(x);
  LLVMTypeRef t[2] = {LLVMVectorType(LLVMGetElementType(from), n), from};
  LLVMValueRef args[2] = {x, mt_const_i64(s, at)};
  if (LLVMGetVectorSize(from) == n) return x;
  return mt_intrinsic(s, "llvm.vector.extract", t, 2, args, 2);
}

static LLVMValueRef put(mt_Spmd *s, LLVMValueRef all, LLVMValueRef x,
                        unsigned at) {
  LLVMTypeRef t[2] = {LLVMTypeOf(all), LLVMTypeOf(x)};
  LLVMValueRef args[3] = {all, x, mt_const_i64(s, at)};
  if (t[0] == t[1]) return x;
  return mt_intrinsic(s, "llvm.vector.insert", t, 2, args, 3);
}

/* 'name' for each register of 'n' elements; the result's elements are of type
** 'to'. */
static LLVMValueRef each_register(mt_Spmd *s, unsigned n, const char *name,
                                  Instruction *one, LLVMValueRef a,
                                  LLVMValueRef b, LLVMTypeRef to) {
  unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(a));
  if (lanes % n) return NULL;
  LLVMValueRef all = LLVMGetPoison(LLVMVectorType(to, lanes));
  for (unsigned at = 0; at < lanes; at += n) {
    LLVMValueRef x[2] = {piece(s, a, at, n), b ? piece(s, b, at, n) : NULL};
    all = put(s, all, one(s, name, x, LLVMVectorType(to, n)), at);
  }
  return all;
}

static LLVMValueRef plain(mt_Spmd *s, const char *name, LLVMValueRef *x,
                          LLVMTypeRef result) {
  (void)result;
  return mt_intrinsic(s, name, NULL, 0, x, 1);
}

static LLVMValueRef all_of(mt_Spmd *s) {
  return LLVMConstAllOnes(LLVMInt16TypeInContext(s->context));
}

/* AVX-512's have a mask and a rounding mode. */
static LLVMValueRef converted(mt_Spmd *s, const char *name, LLVMValueRef *x,
                              LLVMTypeRef result) {
  LLVMValueRef args[4] = {x[0], LLVMConstNull(result), all_of(s),
                          mt_const_i32(s, CURRENT_ROUNDING)};
  return mt_intrinsic(s, name, NULL, 0, args, 4);
}

static LLVMValueRef scaled(mt_Spmd *s, const char *name, LLVMValueRef *x,
                           LLVMTypeRef result) {
  LLVMValueRef args[5] = {x[0], x[1], LLVMConstNull(result), all_of(s),
                          mt_const_i32(s, CURRENT_ROUNDING)};
  return mt_intrinsic(s, name, NULL, 0, args, 5);
}

/* -------------------------------------------------------------- truncation */

static LLVMValueRef float_of(mt_Spmd *s, double x) {
  return mt_splat(s, LLVMConstReal(s->f32, x));
}

/* What does not fit becomes 2^31, which is right below zero; inverted it is the
** largest integer. */
static LLVMValueRef to_signed(mt_Spmd *s, LLVMValueRef x) {
  LLVMValueRef r;
  if (s->cost->masks)
    r = each_register(s, 16, "llvm.x86.avx512.mask.cvttps2dq.512", converted, x,
                      NULL, s->i32);
  else if (mt_target_has(s->target, "avx"))
    r = each_register(s, 8, "llvm.x86.avx.cvtt.ps2dq.256", plain, x, NULL,
                      s->i32);
  else
    r = each_register(s, 4, "llvm.x86.sse2.cvttps2dq", plain, x, NULL, s->i32);
  if (!r) return NULL;
  LLVMTypeRef t = LLVMTypeOf(r);
  LLVMValueRef above =
      LLVMBuildFCmp(s->b, LLVMRealOGE, x, float_of(s, 0x1p31), "");
  LLVMValueRef most = mt_splat(s, LLVMConstInt(s->i32, INT32_MAX, 0));
  r = s->cost->masks
          ? LLVMBuildSelect(s->b, above, most, r, "")
          : LLVMBuildXor(s->b, r, LLVMBuildSExt(s->b, above, t, ""), "");
  LLVMValueRef number = LLVMBuildFCmp(s->b, LLVMRealORD, x, x, "");
  return LLVMBuildSelect(s->b, number, r, LLVMConstNull(t), "");
}

/* What does not fit becomes 2^32 - 1, which is right above. */
static LLVMValueRef to_unsigned(mt_Spmd *s, LLVMValueRef x) {
  LLVMValueRef zero = float_of(s, 0);
  if (!s->cost->masks) return NULL;
  x = LLVMBuildSelect(s->b, LLVMBuildFCmp(s->b, LLVMRealOGT, x, zero, ""), x,
                      zero, "");
  return each_register(s, 16, "llvm.x86.avx512.mask.cvttps2udq.512", converted,
                       x, NULL, s->i32);
}

LLVMValueRef mt_x86_to_integer(mt_Spmd *s, LLVMValueRef x, bool sign) {
  if (!mt_target_has(s->target, "sse2")) return NULL;
  return sign ? to_signed(s, x) : to_unsigned(s, x);
}

/* ----------------------------------------------------------- powers of two */

/* The sum with MAGIC of which 'n', a number of the kernel, is the lowest bits
** and '*more'; NULL: none. */
static LLVMValueRef sum_of(LLVMValueRef n, int64_t *more) {
  if (!LLVMIsAInstruction(n) || LLVMGetInstructionOpcode(n) != LLVMAdd ||
      !LLVMIsAConstantInt(LLVMGetOperand(n, 1)))
    return NULL;
  LLVMValueRef t = LLVMGetOperand(n, 0);
  *more = LLVMConstIntGetSExtValue(LLVMGetOperand(n, 1)) + MAGIC_BITS;
  if (!LLVMIsABitCastInst(t) || *more > MAX_SCALE || *more < -MAX_SCALE)
    return NULL;
  t = LLVMGetOperand(t, 0);
  return LLVMGetTypeKind(LLVMTypeOf(t)) == LLVMFloatTypeKind ? t : NULL;
}

/* MSL's exponentials keep n small (scale in msl/include/metal/__math_core), so
** that the sum is MAGIC + n. Two exponentials of the same number share it: then
** it may be in another block, and known there only. */
LLVMValueRef mt_x86_scale(mt_Spmd *s, LLVMValueRef call, LLVMValueRef p) {
  int64_t more;
  LLVMValueRef n = LLVMGetOperand(call, 1);
  LLVMValueRef sum = s->cost->masks ? sum_of(n, &more) : NULL;
  if (!sum || mt_part_kind(s, sum, 0) != MT_SHAPE_VARYING ||
      !mt_is_available(s, sum, mt_value(s, call)->block))
    return NULL;
  LLVMValueRef e =
      LLVMBuildFSub(s->b, mt_vector(s, sum, 0), float_of(s, MAGIC), "");
  if (more) e = LLVMBuildFAdd(s->b, e, float_of(s, (double)more), "");
  return each_register(s, 16, "llvm.x86.avx512.mask.scalef.ps.512", scaled, p,
                       e, s->f32);
}
