/*
** contiguity_guarded.c - addresses that are contiguous except at edges.
**
** The one idea: image kernels clamp or wrap their coordinates, so the address
** follows no pattern that is known at compile time; yet nothing is clamped in
** any but the outermost SIMD-groups. So the address is computed a second time,
** as scalars: the one of each run's first lane, under the condition that every
** minimum, maximum, select and remainder acts alike on the whole run. The
** condition is tested on the run's first and last lane. Where it holds, a
** contiguous access suffices and the vector of addresses is not needed.
*/
#include <llvm/Config/llvm-config.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/access/access.h"

/* instructions from the address back to a position */
#define MAX_ADDRESS_DEPTH 16
#define MIN_RUN 8 /* lanes of a run that is worth the test */
/* bytes: of a step, a factor or an element; products of two stay below
** 2^31 */
#define MAX_STEP 4096
#define MAX_INDICES 4 /* of a GEP */

typedef struct Look {
  mt_Spmd *s;
  /* only find out whether it can be done: values do not exist */
  bool plan;
  int block;       /* of the access */
  int run, first;  /* lanes of a run, and the first lane of this one */
  LLVMValueRef ok; /* the condition, an i1 */
  bool failed;
} Look;

/* A value in a run of lanes: the first lane's, and the step from lane to
** lane. */
typedef struct Even {
  LLVMValueRef first;
  int64_t step;
} Even;

static Even fail(Look *w) {
  w->failed = true;
  return (Even){LLVMConstNull(w->s->i64), 0};
}

static void require(Look *w, LLVMIntPredicate is, LLVMValueRef a,
                    LLVMValueRef b) {
  LLVMValueRef ok = LLVMBuildICmp(w->s->b, is, a, b, "");
  w->ok = LLVMBuildAnd(w->s->b, w->ok, ok, "");
}

static LLVMValueRef number(LLVMValueRef like, int64_t n) {
  return LLVMConstInt(LLVMTypeOf(like), (uint64_t)n, 1);
}

static LLVMValueRef last_of(Look *w, Even x) {
  return LLVMBuildAdd(w->s->b, x.first, number(x.first, x.step * (w->run - 1)),
                      "");
}

/* ------------------------------------------------------------------- leaves */

/* A value of which only the type matters: LLVM folds what is built of it. */
static LLVMValueRef any_value(LLVMTypeRef t) { return LLVMGetUndef(t); }

static LLVMValueRef scalar(Look *w, LLVMValueRef v) {
  if (w->plan && !LLVMIsAConstantInt(v)) return any_value(LLVMTypeOf(v));
  return mt_uniform(w->s, v, 0);
}

static bool is_at_hand(Look *w, LLVMValueRef v) {
  return mt_is_available(w->s, v, w->block);
}

static Even leaf(Look *w, LLVMValueRef v, const mt_Shape *h) {
  mt_Spmd *s = w->s;
  if (h->kind == MT_SHAPE_UNIFORM) return (Even){scalar(w, v), 0};
  if (h->address_only) return fail(w);
  int f = w->first;
  int64_t step = h->offset[f + 1] - h->offset[f];
  for (int l = f + 1; l < f + w->run; l++) {
    if (h->offset[l] - h->offset[l - 1] != step || !mt_same_class(h, l, f))
      return fail(w);
  }
  if (w->plan) return (Even){any_value(LLVMTypeOf(v)), step};
  return (Even){mt_affine_lane(s, mt_affine(s, v, 0), (unsigned)f), step};
}

/* A position in a group whose rows are no multiple of a vector: even, as long
** as the run does not go on in the next row. */
static bool is_place(Look *w, LLVMValueRef v, Even *out) {
  LLVMValueRef from = v, ok;
  unsigned part = 0;
  if (LLVMIsAInstruction(v) && !mt_part_copied(w->s, v, 0, &from, &part))
    return false;
  const mt_Value *x = mt_value(w->s, from);
  if (!x || x->block >= 0) return false;
  int step = mt_geometry_step(w->s, from, part, w->run);
  if (step < 0) return false;
  *out = (Even){any_value(LLVMTypeOf(v)), step};
  if (w->plan) return true;
  out->first = mt_geometry_run(w->s, from, part, w->first, w->run, &ok);
  w->ok = LLVMBuildAnd(w->s->b, w->ok, ok, "");
  return true;
}

/* --------------------------------------------------------------- operations */

static Even look(Look *w, LLVMValueRef v, int depth);

static Even scaled(Look *w, Even x, int64_t by) {
  LLVMValueRef first = LLVMBuildMul(w->s->b, x.first, number(x.first, by), "");
  if (x.step > MAX_STEP || by > MAX_STEP || by < -MAX_STEP) return fail(w);
  return (Even){first, x.step * by};
}

static Even product(Look *w, LLVMValueRef v, Even a, Even b) {
  LLVMValueRef y = LLVMGetOperand(v, 1);
  if (LLVMIsAConstantInt(y) && a.step)
    return scaled(w, a, LLVMConstIntGetSExtValue(y));
  if (a.step || b.step) return fail(w);
  return (Even){LLVMBuildMul(w->s->b, a.first, b.first, ""), 0};
}

/* Minimum or maximum of a value that steps and a limit that does not: the value
** itself, as long as its end that is nearer to the limit does not pass it. */
static Even limited(Look *w, Even a, Even b, bool sign, bool upper,
                    const char *name) {
  if (!a.step && !b.step) {
    LLVMTypeRef t = LLVMTypeOf(a.first);
    LLVMValueRef args[2] = {a.first, b.first};
    if (w->plan) return a;
    return (Even){mt_intrinsic(w->s, name, &t, 1, args, 2), 0};
  }
  Even moves = a.step ? a : b, limit = a.step ? b : a;
  if (limit.step || moves.step < 0) return fail(w);
  LLVMIntPredicate le = sign ? LLVMIntSLE : LLVMIntULE;
  LLVMValueRef last = last_of(w, moves);
  require(w, le, moves.first, last); /* no wrap within the run */
  if (upper)
    require(w, le, last, limit.first);
  else
    require(w, le, limit.first, moves.first);
  return moves;
}

static Even call(Look *w, LLVMValueRef v, int depth) {
  static const struct { const char *name; bool sign, upper; } KNOWN[] = {
      {"llvm.smin", true, true}, {"llvm.smax", true, false},
      {"llvm.umin", false, true}, {"llvm.umax", false, false}};
  const char *name = mt_callee(v);
  for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
    if (strncmp(name, KNOWN[i].name, 9)) continue;
    Even a = look(w, LLVMGetOperand(v, 0), depth + 1);
    Even b = look(w, LLVMGetOperand(v, 1), depth + 1);
    if (w->failed) return a;
    return limited(w, a, b, KNOWN[i].sign, KNOWN[i].upper, KNOWN[i].name);
  }
  return fail(w);
}

/* a mod m, without a wrap up to the run's end: there it is at most m - 1. */
static Even wrapped(Look *w, Even a, LLVMValueRef rest, LLVMValueRef most) {
  if (a.step < 0) return fail(w);
  Even x = {rest, a.step};
  LLVMValueRef last = last_of(w, x);
  require(w, LLVMIntULE, rest, last);
  require(w, LLVMIntULE, last, most);
  return x;
}

static Even remainder_of(Look *w, Even a, Even b) {
  LLVMBuilderRef k = w->s->b;
  if (b.step) return fail(w);
  LLVMValueRef one = number(b.first, 1);
  LLVMValueRef none = LLVMBuildICmp(k, LLVMIntEQ, b.first, number(one, 0), "");
  LLVMValueRef d = LLVMBuildSelect(k, none, one, b.first, "");
  return wrapped(w, a, LLVMBuildURem(k, a.first, d, ""),
                 LLVMBuildSub(k, d, one, ""));
}

/* An 'and' that keeps low bits: the mask is tested to be 2^n - 1. */
static Even masked(Look *w, Even a, Even b) {
  LLVMBuilderRef k = w->s->b;
  if (a.step && b.step) return fail(w);
  Even x = a.step ? a : b;
  LLVMValueRef m = a.step ? b.first : a.first;
  LLVMValueRef low = LLVMBuildAnd(k, x.first, m, "");
  if (!x.step) return (Even){low, 0};
  LLVMValueRef above = LLVMBuildAdd(k, m, number(m, 1), "");
  require(w, LLVMIntEQ, LLVMBuildAnd(k, m, above, ""), number(m, 0));
  return wrapped(w, x, low, m);
}

static Even binary(Look *w, LLVMValueRef v, int depth) {
  LLVMBuilderRef k = w->s->b;
  Even a = look(w, LLVMGetOperand(v, 0), depth + 1);
  Even b = look(w, LLVMGetOperand(v, 1), depth + 1);
  if (w->failed) return a;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMOr:
      if (!LLVMGetIsDisjoint(v)) return fail(w); /* fall through */
    case LLVMAdd:
      return (Even){LLVMBuildAdd(k, a.first, b.first, ""), a.step + b.step};
    case LLVMSub:
      return (Even){LLVMBuildSub(k, a.first, b.first, ""), a.step - b.step};
    case LLVMMul: return product(w, v, a, b);
    case LLVMShl:
      if (!LLVMIsAConstantInt(LLVMGetOperand(v, 1)) ||
          LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) > 12)
        return fail(w);
      return scaled(w, a,
                    1ll << LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)));
    case LLVMAnd: return masked(w, a, b);
    case LLVMURem: return remainder_of(w, a, b);
    default: return fail(w);
  }
}

static Even extended(Look *w, LLVMValueRef v, int depth) {
  bool sign = LLVMGetInstructionOpcode(v) == LLVMSExt;
  Even x = look(w, LLVMGetOperand(v, 0), depth + 1);
  if (w->failed) return x;
  if (x.step < 0) return fail(w);
  if (x.step)
    require(w, sign ? LLVMIntSLE : LLVMIntULE, x.first, last_of(w, x));
  x.first = LLVMBuildIntCast2(w->s->b, x.first, LLVMTypeOf(v), sign, "");
  return x;
}

/* The value of a comparison in the first lane, required to be the same in the
** whole run: monotonic, so both ends decide. */
static LLVMValueRef agreed(Look *w, LLVMValueRef c, int depth) {
  LLVMBuilderRef k = w->s->b;
  if (mt_part_kind(w->s, c, 0) == MT_SHAPE_UNIFORM && is_at_hand(w, c))
    return scalar(w, c);
  if (!LLVMIsAICmpInst(c)) return fail(w).first;
  LLVMIntPredicate is = LLVMGetICmpPredicate(c);
  Even a = look(w, LLVMGetOperand(c, 0), depth + 1);
  Even b = look(w, LLVMGetOperand(c, 1), depth + 1);
  bool equal = is == LLVMIntEQ || is == LLVMIntNE;
  if (w->failed || b.step || a.step < 0 || (equal && a.step) ||
      LLVMGetTypeKind(LLVMTypeOf(a.first)) != LLVMIntegerTypeKind)
    return fail(w).first;
  LLVMValueRef here = LLVMBuildICmp(k, is, a.first, b.first, "");
  if (!a.step) return here;
  bool sign = is >= LLVMIntSGT;
  LLVMValueRef last = last_of(w, a);
  require(w, sign ? LLVMIntSLE : LLVMIntULE, a.first, last);
  require(w, LLVMIntEQ, here, LLVMBuildICmp(k, is, last, b.first, ""));
  return here;
}

/* An equality that holds in no lane of the run: the number is below the first
** lane's value or above the last one's. */
static bool is_none(Look *w, LLVMValueRef c, bool want, int depth) {
  LLVMIntPredicate is = LLVMGetICmpPredicate(c);
  if (is != (want ? LLVMIntNE : LLVMIntEQ)) return false;
  Even a = look(w, LLVMGetOperand(c, 0), depth + 1);
  Even b = look(w, LLVMGetOperand(c, 1), depth + 1);
  if (w->failed || b.step || a.step < 0 ||
      LLVMGetTypeKind(LLVMTypeOf(a.first)) != LLVMIntegerTypeKind)
    return false;
  require(w, LLVMIntUGT, LLVMBuildSub(w->s->b, b.first, a.first, ""),
          number(a.first, a.step * (w->run - 1)));
  return true;
}

/* Require the condition to be 'want' in all lanes of the run. */
static void require_all(Look *w, LLVMValueRef c, bool want, int depth) {
  if (LLVMIsAICmpInst(c) && is_none(w, c, want, depth)) return;
  LLVMValueRef here = w->failed ? NULL : agreed(w, c, depth);
  if (!w->failed)
    require(w, LLVMIntEQ, here, LLVMConstInt(w->s->i1, want, 0));
}

/* A select. Where one side steps and the other does not, as at the edge of a
** torus, all lanes have to take the one that steps. */
static Even chosen(Look *w, LLVMValueRef v, int depth) {
  Even a = look(w, LLVMGetOperand(v, 1), depth + 1);
  Even b = look(w, LLVMGetOperand(v, 2), depth + 1);
  if (w->failed || (a.step != b.step && a.step && b.step)) return fail(w);
  if (a.step != b.step) {
    require_all(w, LLVMGetOperand(v, 0), a.step != 0, depth + 1);
    return a.step ? a : b;
  }
  LLVMValueRef c = agreed(w, LLVMGetOperand(v, 0), depth + 1);
  if (w->failed) return a;
  return (Even){LLVMBuildSelect(w->s->b, c, a.first, b.first, ""), a.step};
}

static Even address(Look *w, LLVMValueRef v, int depth) {
  mt_Spmd *s = w->s;
  LLVMValueRef at[MAX_INDICES];
  mt_GepIndex index;
  unsigned n = 0;
  if (LLVMGetNumOperands(v) - 1 > MAX_INDICES) return fail(w);
  Even all = look(w, LLVMGetOperand(v, 0), depth + 1);
  for (mt_GepWalk g = mt_gep_walk(s->layout, v); mt_gep_next(&g, &index);) {
    Even x = look(w, index.index, depth + 1);
    bool known = index.in == LLVMPointerTypeKind ||
                 index.in == LLVMArrayTypeKind;
    if (!known || w->failed || (x.step && index.bytes > MAX_STEP))
      return fail(w);
    at[n++] = x.first;
    all.step += x.step * (int64_t)index.bytes;
  }
  all.first = LLVMBuildGEP2(s->b, LLVMGetGEPSourceElementType(v), all.first, at,
                            n, "");
  return all;
}

static Even look_at(Look *w, LLVMValueRef v, int depth) {
  mt_Spmd *s = w->s;
  mt_Value *x = mt_value(s, v);
  if (w->failed) return fail(w);
  if (!x) return (Even){scalar(w, v), 0}; /* a constant */
  if (mt_type_parts(LLVMTypeOf(v)) != 1 || depth > MAX_ADDRESS_DEPTH)
    return fail(w);
  const mt_Shape *h = mt_part_shape(s, v, 0);
  if (h->kind != MT_SHAPE_VARYING && is_at_hand(w, v)) return leaf(w, v, h);
  Even place;
  if (is_place(w, v, &place)) return place;
  if (!LLVMIsAInstruction(v)) return fail(w);
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
    case LLVMSExt: return extended(w, v, depth);
    case LLVMFreeze: return look(w, LLVMGetOperand(v, 0), depth + 1);
    case LLVMSelect: return chosen(w, v, depth);
    case LLVMGetElementPtr: return address(w, v, depth);
    case LLVMCall: return call(w, v, depth);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMOr:
    case LLVMURem: return binary(w, v, depth);
    default: return fail(w);
  }
}

/* The span from the first to the last lane must be less than half of the type's
** range; otherwise comparing the two could not detect a wrap. */
static Even look(Look *w, LLVMValueRef v, int depth) {
  Even x = look_at(w, v, depth);
  LLVMTypeRef t = LLVMTypeOf(v);
  if (w->failed || !x.step || LLVMGetTypeKind(t) != LLVMIntegerTypeKind)
    return x;
  unsigned bits = LLVMGetIntTypeWidth(t);
  int64_t span = (x.step < 0 ? -x.step : x.step) * (w->run - 1);
  return bits < 64 && span >= 1ll << (bits - 1) ? fail(w) : x;
}

/* Look at all runs of 'run' lanes; false: they are not contiguous so. */
static bool look_at_runs(Look *w, LLVMValueRef pointer, int64_t size,
                         LLVMValueRef *at) {
  int n = w->s->lanes / w->run;
  w->ok = LLVMConstInt(w->s->i1, 1, 0);
  for (int i = 0; i < n && n <= MT_CONTIGUOUS_RUNS && !w->failed; i++) {
    w->first = i * w->run;
    Even x = look(w, pointer, 0);
    if (!w->failed && x.step != size) fail(w);
    at[i] = x.first;
  }
  return n <= MT_CONTIGUOUS_RUNS && !w->failed;
}

int mt_guarded_run(mt_Spmd *s, LLVMValueRef instr, LLVMValueRef pointer,
                   int64_t size) {
  LLVMValueRef at[MT_CONTIGUOUS_RUNS];
  for (int run = s->lanes; run >= MIN_RUN; run /= 2) {
    Look w = {.s = s, .plan = true, .block = mt_value(s, instr)->block,
              .run = run};
    if (look_at_runs(&w, pointer, size, at)) return run;
  }
  return 0;
}

LLVMValueRef mt_guarded_test(mt_Spmd *s, LLVMValueRef instr,
                             LLVMValueRef pointer, int64_t size, int run,
                             LLVMValueRef *at) {
  Look w = {.s = s, .block = mt_value(s, instr)->block, .run = run};
  look_at_runs(&w, pointer, size, at);
  return LLVMBuildFreeze(s->b, w.ok, "");
}
