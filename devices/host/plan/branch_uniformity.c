/*
** branch_uniformity.c - run-time tests, on scalars, whether all lanes take the
** same side of a branch.
**
** The one idea: the guard of nearly every kernel, i < n, compares a number that
** grows from lane to lane with a uniform one. Its smallest and its largest lane
** decide for the others, and those are two scalars: no vector compare and no
** mask, unless the lanes really diverge.
*/
#include "devices/host/plan/choices.h"
#include "devices/host/transform/transform.h"

static LLVMIntPredicate inverse(LLVMIntPredicate p) {
  switch (p) {
    case LLVMIntUGT: return LLVMIntULE;
    case LLVMIntUGE: return LLVMIntULT;
    case LLVMIntULT: return LLVMIntUGE;
    case LLVMIntULE: return LLVMIntUGT;
    case LLVMIntSGT: return LLVMIntSLE;
    case LLVMIntSGE: return LLVMIntSLT;
    case LLVMIntSLT: return LLVMIntSGE;
    case LLVMIntSLE: return LLVMIntSGT;
    default: return p;
  }
}

/* Is it base + offset[lane], without terms, and exact? */
static bool is_plain(mt_Spmd *s, LLVMValueRef v) {
  if (!mt_value(s, v)) return false;
  const mt_Shape *h = mt_part_shape(s, v, 0);
  return h->kind == MT_SHAPE_AFFINE && !h->terms && !h->address_only &&
         LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind;
}

/* A caller that asks only whether there is a test gets this in place of each
** scalar, and LLVM folds what is made of it: values do not exist yet. */
static LLVMValueRef any_value(LLVMTypeRef t) { return LLVMGetUndef(t); }

static LLVMValueRef plus(mt_Spmd *s, LLVMValueRef x, int64_t n) {
  LLVMValueRef c = LLVMConstInt(LLVMTypeOf(x), (unsigned long long)n, 1);
  return n ? LLVMBuildAdd(s->b, x, c, "") : x;
}

static bool is_signed(LLVMIntPredicate p) {
  return p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntSGT ||
         p == LLVMIntSGE;
}

/* All of low … low + span are below y and none has wrapped: low is below y -
** span, saturated to 0 (or the smallest number). */
static LLVMValueRef all_below(mt_Spmd *s, LLVMIntPredicate p, LLVMValueRef low,
                              int64_t span, LLVMValueRef y) {
  bool equal = p == LLVMIntULE || p == LLVMIntSLE;
  if (span == 0) return LLVMBuildICmp(s->b, p, low, y, "");
  LLVMTypeRef t = LLVMTypeOf(y);
  LLVMValueRef args[2] = {
      y, LLVMConstInt(t, (unsigned long long)(span - equal), 0)};
  if (!LLVMIsUndef(y))
    y = mt_intrinsic(s, is_signed(p) ? "llvm.ssub.sat" : "llvm.usub.sat", &t, 1,
                     args, 2);
  return LLVMBuildICmp(s->b, is_signed(p) ? LLVMIntSLT : LLVMIntULT, low, y,
                       "");
}

/* x < y (or the like) in all lanes: the smallest and the largest decide. NULL
** if they are so far apart that a lane between them may have wrapped, as after
** a multiplication by a large power of two. */
static LLVMValueRef compare(mt_Spmd *s, LLVMIntPredicate p, LLVMValueRef x,
                            LLVMValueRef y, bool plan) {
  const int64_t *offset = mt_part_shape(s, x, 0)->offset;
  int64_t least = offset[0], most = offset[0];
  for (int l = 1; l < s->lanes; l++) {
    if (offset[l] < least) least = offset[l];
    if (offset[l] > most) most = offset[l];
  }
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(x));
  uint64_t span = (uint64_t)most - (uint64_t)least;
  if (span >= 1ull << (bits - 1)) return NULL;
  LLVMValueRef base =
      plan ? any_value(LLVMTypeOf(x)) : mt_affine(s, x, 0)->base;
  LLVMValueRef low = plus(s, base, least);
  LLVMValueRef to = plan ? any_value(LLVMTypeOf(y)) : mt_uniform(s, y, 0);
  if (p == LLVMIntULT || p == LLVMIntULE || p == LLVMIntSLT || p == LLVMIntSLE)
    return all_below(s, p, low, (int64_t)span, to);
  LLVMValueRef steady =
      LLVMBuildICmp(s->b, is_signed(p) ? LLVMIntSLE : LLVMIntULE, low,
                    plus(s, base, most), "");
  return LLVMBuildAnd(s->b, steady, LLVMBuildICmp(s->b, p, low, to, ""), "");
}

static LLVMValueRef compared(mt_Spmd *s, LLVMValueRef v, bool want,
                             bool plan) {
  LLVMIntPredicate p = LLVMGetICmpPredicate(v);
  LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
  if (p == LLVMIntEQ || p == LLVMIntNE) return NULL;
  if (!want) p = inverse(p);
  if (is_plain(s, x) && mt_part_kind(s, y, 0) == MT_SHAPE_UNIFORM)
    return compare(s, p, x, y, plan);
  if (is_plain(s, y) && mt_part_kind(s, x, 0) == MT_SHAPE_UNIFORM)
    return compare(s, mt_swapped_comparison(p), y, x, plan);
  return NULL;
}

/* The block whose branch is asked about; 'plan': nothing is to be emitted. */
typedef struct Ask {
  int block;
  bool plan;
} Ask;

static LLVMValueRef agree(mt_Spmd *s, Ask ask, LLVMValueRef v, bool want,
                          int depth);

/* a and b, or a or b. If both must hold, both tests are needed; if one is
** enough, the other may be missing. */
static LLVMValueRef combine(mt_Spmd *s, Ask ask, LLVMValueRef a, LLVMValueRef b,
                            bool want, bool is_and, int depth) {
  LLVMValueRef x = agree(s, ask, a, want, depth + 1);
  LLVMValueRef y = agree(s, ask, b, want, depth + 1);
  if (want == is_and) return x && y ? LLVMBuildAnd(s->b, x, y, "") : NULL;
  if (!x || !y) return x ? x : y;
  return LLVMBuildOr(s->b, x, y, "");
}

static bool is_bit(LLVMValueRef v, int bit) {
  return LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) == 1 &&
         LLVMConstIntGetZExtValue(v) == (unsigned)bit;
}

/* Operands of an instruction in another block may not be available here. */
static LLVMValueRef agree(mt_Spmd *s, Ask ask, LLVMValueRef v, bool want,
                          int depth) {
  if (mt_part_kind(s, v, 0) == MT_SHAPE_UNIFORM) {
    LLVMValueRef x = ask.plan ? any_value(s->i1) : mt_uniform(s, v, 0);
    return want ? x : LLVMBuildNot(s->b, x, "");
  }
  mt_Value *of = mt_value(s, v);
  if (!of || of->block != ask.block || depth > MT_CONDITION_DEPTH) return NULL;
  LLVMValueRef a = LLVMGetOperand(v, 0);
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMICmp: return compared(s, v, want, ask.plan);
    case LLVMAnd:
      return combine(s, ask, a, LLVMGetOperand(v, 1), want, true, depth);
    case LLVMOr:
      return combine(s, ask, a, LLVMGetOperand(v, 1), want, false, depth);
    case LLVMXor:
      if (!is_bit(LLVMGetOperand(v, 1), 1)) return NULL;
      return agree(s, ask, a, !want, depth + 1);
    case LLVMSelect:
      if (is_bit(LLVMGetOperand(v, 2), 0))
        return combine(s, ask, a, LLVMGetOperand(v, 1), want, true, depth);
      if (is_bit(LLVMGetOperand(v, 1), 1))
        return combine(s, ask, a, LLVMGetOperand(v, 2), want, false, depth);
      return NULL;
    default: return NULL;
  }
}

LLVMValueRef mt_branch_uniform_test(mt_Spmd *s, int block, bool want) {
  LLVMValueRef x =
      agree(s, (Ask){block, false}, s->block[block].condition, want, 0);
  return x ? LLVMBuildFreeze(s->b, x, "") : NULL;
}

bool mt_branch_has_test(mt_Spmd *s, int block, bool want) {
  LLVMValueRef c = s->block[block].condition;
  return agree(s, (Ask){block, true}, c, want, 0) != NULL;
}
