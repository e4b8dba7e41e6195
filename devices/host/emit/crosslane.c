/*
** crosslane.c - operations between the threads of a SIMD-group or quad.
**
** The one idea: a SIMD-group is one vector, so moving values between threads is
** a shuffle of its lanes, by a constant mask where the distance is known, and a
** reduction is a tree of shuffles. run/crosslane_reference.h defines each
** operation, down to the order of additions; this file agrees with it bit for
** bit.
*/
#include <stdio.h>
#include <string.h>

#include "devices/compiler/prepare/prepare.h"
#include "devices/host/access/access.h"
#include "devices/host/emit/emit.h"

/* ----------------------------------------------------------------- shuffles */

LLVMValueRef mt_lane_shuffle(mt_Spmd *s, LLVMValueRef v, const int *from) {
  return mt_shuffle_two(s, v, LLVMGetPoison(LLVMTypeOf(v)), from, MT_LANES);
}

static LLVMValueRef active_or(mt_Spmd *s, LLVMValueRef v,
                              LLVMValueRef otherwise) {
  return s->full ? v : LLVMBuildSelect(s->b, s->mask, v, otherwise, "");
}

/* ------------------------------- what lanes hold (prepare/inactive_lanes.h) */

void mt_inactive_cells_make(mt_Spmd *s) {
  if (!s->held) return;
  for (unsigned k = 0; k < s->cells; k++)
    s->held[k] = mt_entry_alloca(s, s->held_type[k], 0);
}

static void hold(mt_Spmd *s, const mt_CrosslaneCall *c) {
  LLVMValueRef v = mt_vector(s, LLVMGetOperand(c->call, 1), 0);
  LLVMValueRef to =
      s->held[LLVMConstIntGetZExtValue(LLVMGetOperand(c->call, 0))];
  LLVMValueRef before = LLVMBuildLoad2(s->b, LLVMTypeOf(v), to, "");
  LLVMBuildStore(s->b, active_or(s, v, before), to);
}

/* Operand 'which' in all lanes; inactive lanes have the value in their cell. */
static LLVMValueRef all_lanes(mt_Spmd *s, const mt_CrosslaneCall *c,
                              unsigned which) {
  LLVMValueRef v = mt_vector(s, LLVMGetOperand(c->call, which), 0);
  if (s->full) return v;
  int cell = mt_inactive_cell(c->call, which);
  return active_or(s, v, cell < 0 ? LLVMConstNull(LLVMTypeOf(v))
                                  : LLVMBuildLoad2(s->b, LLVMTypeOf(v),
                                                   s->held[cell], ""));
}

static LLVMValueRef lanes_i32(mt_Spmd *s, int (*of)(int, int), int width) {
  int64_t x[MT_LANES];
  for (int l = 0; l < MT_LANES; l++) x[l] = of(l, width);
  return mt_const_vector(s, s->i32, x);
}

static int place_in(int lane, int width) { return lane % width; }
static int start_of(int lane, int width) { return lane - lane % width; }

/* ------------------------------------------------------------------- moves */

enum { TAKE_ZERO = -1, TAKE_OWN = -2 };

static int fill_source(const mt_CrosslaneCall *c, int lane, uint32_t delta,
                       uint32_t modulo) {
  if (modulo == 0 || modulo > (uint32_t)c->width) modulo = (uint32_t)c->width;
  if (delta > modulo) return TAKE_ZERO;
  int m = (int)modulo, d = (int)delta, place = lane % c->width % m;
  int start = lane - place;
  if (c->op == MT_CROSSLANE_FILL_UP)
    return place >= d ? lane - d : MT_LANES + start + m + place - d;
  return place + d < m ? lane + d : MT_LANES + start + place + d - m;
}

/* The lane that 'lane' takes its value from; 32 and more: from the fill. */
static int source(const mt_CrosslaneCall *c, int lane, uint32_t n,
                  uint32_t modulo) {
  int w = c->width, place = lane % w, start = lane - place;
  uint32_t at;
  switch (c->op) {
    case MT_CROSSLANE_SHUFFLE:
    case MT_CROSSLANE_BROADCAST:
      return n < (uint32_t)w ? start + (int)n : TAKE_ZERO;
    case MT_CROSSLANE_SHUFFLE_XOR:
      at = (uint32_t)place ^ n;
      return at < (uint32_t)w ? start + (int)at : TAKE_ZERO;
    case MT_CROSSLANE_SHUFFLE_UP:
      return (uint32_t)place < n ? TAKE_OWN : lane - (int)n;
    case MT_CROSSLANE_SHUFFLE_DOWN:
      return n >= (uint32_t)(w - place) ? TAKE_OWN : lane + (int)n;
    case MT_CROSSLANE_ROTATE_UP:
      return start + (int)(((uint32_t)place - n) % (uint32_t)w);
    case MT_CROSSLANE_ROTATE_DOWN:
      return start + (int)(((uint32_t)place + n) % (uint32_t)w);
    default: return fill_source(c, lane, n, modulo);
  }
}

static bool is_fill(const mt_CrosslaneCall *c) {
  return c->op == MT_CROSSLANE_FILL_UP || c->op == MT_CROSSLANE_FILL_DOWN;
}

/* Lanes of an operand, if they are compile-time constants. */
static bool known(mt_Spmd *s, LLVMValueRef v, uint32_t *out) {
  if (LLVMIsAConstantInt(v)) {
    for (int l = 0; l < MT_LANES; l++)
      out[l] = (uint32_t)LLVMConstIntGetZExtValue(v);
    return true;
  }
  const mt_Shape *h = mt_part_shape(s, v, 0);
  if (h->kind != MT_SHAPE_AFFINE || !h->constant) return false;
  for (int l = 0; l < MT_LANES; l++) out[l] = (uint32_t)h->offset[l];
  return true;
}

static LLVMValueRef move_known(mt_Spmd *s, const mt_CrosslaneCall *c,
                               const uint32_t *n, const uint32_t *modulo) {
  LLVMValueRef v = all_lanes(s, c, 0);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v)), second = zero;
  if (is_fill(c)) second = all_lanes(s, c, 1);
  int from[MT_LANES];
  bool none[MT_LANES], any = false;
  for (int l = 0; l < MT_LANES; l++) {
    from[l] = source(c, l, n[l], modulo[l]);
    none[l] = from[l] == TAKE_ZERO;
    any |= none[l];
    if (from[l] == TAKE_OWN || none[l]) from[l] = l;
  }
  LLVMValueRef r = mt_shuffle_two(s, v, second, from, MT_LANES);
  if (!any) return r;
  int pick[MT_LANES];
  for (int l = 0; l < MT_LANES; l++) pick[l] = none[l] ? MT_LANES + l : l;
  return mt_shuffle_two(s, r, zero, pick, MT_LANES);
}

static LLVMValueRef cmp(mt_Spmd *s, LLVMIntPredicate p, LLVMValueRef a,
                        LLVMValueRef b) {
  return LLVMBuildICmp(s->b, p, a, b, "");
}

static LLVMValueRef splat32(mt_Spmd *s, int64_t x) {
  return mt_splat(s, mt_const_i32(s, x));
}

/* As 'source', on vectors; lanes in '*zero' take 0, in '*own' their own
** value. */
static LLVMValueRef source_lanes(mt_Spmd *s, const mt_CrosslaneCall *c,
                                 LLVMValueRef n, LLVMValueRef modulo,
                                 LLVMValueRef *zero, LLVMValueRef *own) {
  LLVMBuilderRef b = s->b;
  LLVMValueRef place = lanes_i32(s, place_in, c->width);
  LLVMValueRef start = lanes_i32(s, start_of, c->width),
               w = splat32(s, c->width);
  LLVMValueRef at, m, delta;
  switch (c->op) {
    case MT_CROSSLANE_SHUFFLE:
    case MT_CROSSLANE_BROADCAST: at = n; break;
    case MT_CROSSLANE_SHUFFLE_XOR: at = LLVMBuildXor(b, place, n, ""); break;
    case MT_CROSSLANE_SHUFFLE_UP:
      *own = cmp(s, LLVMIntULT, place, n);
      return LLVMBuildSub(b, s->lane, n, "");
    case MT_CROSSLANE_SHUFFLE_DOWN:
      *own = cmp(s, LLVMIntUGE, n, LLVMBuildSub(b, w, place, ""));
      return LLVMBuildAdd(b, s->lane, n, "");
    case MT_CROSSLANE_ROTATE_UP:
    case MT_CROSSLANE_ROTATE_DOWN:
      at = c->op == MT_CROSSLANE_ROTATE_UP ? LLVMBuildSub(b, place, n, "")
                                 : LLVMBuildAdd(b, place, n, "");
      at = LLVMBuildAnd(b, at, splat32(s, c->width - 1), "");
      return LLVMBuildAdd(b, start, at, "");
    default: /* fill: lanes of v, then, from 32 on, those of the fill */
      m = LLVMBuildOr(b, cmp(s, LLVMIntEQ, modulo, splat32(s, 0)),
                      cmp(s, LLVMIntUGT, modulo, w), "");
      modulo = LLVMBuildSelect(b, m, w, modulo, "");
      *zero = cmp(s, LLVMIntUGT, n, modulo);
      at = LLVMBuildURem(b, place, modulo, "");
      start = LLVMBuildSub(b, s->lane, at, "");
      delta = c->op == MT_CROSSLANE_FILL_UP ? LLVMBuildSub(b, at, n, "")
                                  : LLVMBuildAdd(b, at, n, "");
      /* below 0 or past the end: in the fill, 'modulo' lanes up or down */
      m = c->op == MT_CROSSLANE_FILL_UP ? cmp(s, LLVMIntULT, at, n)
                              : cmp(s, LLVMIntUGE, delta, modulo);
      at = c->op == MT_CROSSLANE_FILL_UP ? LLVMBuildAdd(b, delta, modulo, "")
                               : LLVMBuildSub(b, delta, modulo, "");
      at = LLVMBuildAdd(b, at, splat32(s, MT_LANES), "");
      at = LLVMBuildSelect(b, m, at, delta, "");
      return LLVMBuildAdd(b, start, at, "");
  }
  *zero = cmp(s, LLVMIntUGE, at, w);
  return LLVMBuildAdd(b, start, at, "");
}

/* A shuffle whose mask is not constant: through memory. */
static LLVMValueRef pick_lanes(mt_Spmd *s, LLVMValueRef v, LLVMValueRef second,
                               LLVMValueRef at) {
  LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(v));
  LLVMTypeRef two = LLVMArrayType2(LLVMTypeOf(v), 2);
  LLVMValueRef m = mt_entry_alloca(s, two, 128);
  LLVMValueRef index[2] = {mt_const_i32(s, 0), mt_const_i32(s, 1)};
  LLVMBuildStore(s->b, v, m);
  if (second)
    LLVMBuildStore(s->b, second, LLVMBuildGEP2(s->b, two, m, index, 2, ""));
  at = LLVMBuildAnd(s->b, at, splat32(s, 2 * MT_LANES - 1), "");
  at = LLVMBuildZExt(s->b, at, s->v_i64, "");
  LLVMValueRef from = LLVMBuildGEP2(s->b, t, m, &at, 1, "");
  return mt_gather_all(s, t, from);
}

static LLVMValueRef move_lanes(mt_Spmd *s, const mt_CrosslaneCall *c) {
  LLVMValueRef v = all_lanes(s, c, 0);
  LLVMValueRef none = LLVMConstNull(LLVMTypeOf(v)), zero = NULL, own = NULL;
  LLVMValueRef second = NULL, modulo = splat32(s, 0);
  unsigned which = is_fill(c) ? 2 : 1;
  LLVMValueRef n = mt_vector(s, LLVMGetOperand(c->call, which), 0);
  if (is_fill(c)) {
    second = all_lanes(s, c, 1);
    modulo = mt_vector(s, LLVMGetOperand(c->call, 3), 0);
  }
  LLVMValueRef at = source_lanes(s, c, n, modulo, &zero, &own);
  LLVMValueRef r = pick_lanes(s, v, second, at);
  if (zero) r = LLVMBuildSelect(s->b, zero, none, r, "");
  return own ? LLVMBuildSelect(s->b, own, v, r, "") : r;
}

/* Broadcast one lane, whose number is uniform. */
static LLVMValueRef take_lane(mt_Spmd *s, const mt_CrosslaneCall *c) {
  LLVMValueRef v = all_lanes(s, c, 0);
  LLVMValueRef n = mt_uniform(s, LLVMGetOperand(c->call, 1), 0);
  LLVMValueRef in =
      LLVMBuildICmp(s->b, LLVMIntULT, n, mt_const_i32(s, MT_LANES), "");
  LLVMValueRef at = LLVMBuildAnd(s->b, n, mt_const_i32(s, MT_LANES - 1), "");
  LLVMValueRef x = LLVMBuildExtractElement(s->b, v, at, "");
  return LLVMBuildSelect(s->b, in, x, LLVMConstNull(LLVMTypeOf(x)), "");
}

static void move(mt_Spmd *s, const mt_CrosslaneCall *c) {
  uint32_t n[MT_LANES], modulo[MT_LANES] = {0};
  if (mt_part_kind(s, c->call, 0) == MT_SHAPE_UNIFORM) {
    mt_set_uniform(s, c->call, 0, take_lane(s, c));
    return;
  }
  bool now = known(s, LLVMGetOperand(c->call, is_fill(c) ? 2 : 1), n) &&
             (!is_fill(c) || known(s, LLVMGetOperand(c->call, 3), modulo));
  mt_set_vector(s, c->call, 0,
                now ? move_known(s, c, n, modulo) : move_lanes(s, c));
}

/* ------------------------------------------------------------------- first */

static LLVMValueRef first_active(mt_Spmd *s) {
  LLVMValueRef args[2] = {mt_mask_bits(s, s->mask), LLVMConstInt(s->i1, 1, 0)};
  return mt_intrinsic(s, "llvm.cttz", &s->i32, 1, args, 2);
}

/* The bits of each lane's quad: 0 … 15 in every lane. */
static LLVMValueRef quad_bits(mt_Spmd *s, LLVMValueRef mask) {
  LLVMValueRef bits = mt_splat(s, mt_mask_bits(s, mask));
  bits = LLVMBuildLShr(s->b, bits, lanes_i32(s, start_of, 4), "");
  return LLVMBuildAnd(s->b, bits, splat32(s, 15), "");
}

static LLVMValueRef quad_first(mt_Spmd *s) { /* as a lane of the SIMD-group */
  LLVMValueRef args[2] = {quad_bits(s, s->mask), LLVMConstInt(s->i1, 0, 0)};
  LLVMValueRef n = mt_intrinsic(s, "llvm.cttz", &s->v_i32, 1, args, 2);
  return LLVMBuildAdd(s->b, n, lanes_i32(s, start_of, 4), "");
}

static void broadcast_first(mt_Spmd *s, const mt_CrosslaneCall *c) {
  LLVMValueRef v = mt_vector(s, LLVMGetOperand(c->call, 0), 0);
  int from[MT_LANES];
  if (c->width == MT_LANES) {
    LLVMValueRef at = s->full ? mt_const_i32(s, 0) : first_active(s);
    mt_set_uniform(s, c->call, 0, LLVMBuildExtractElement(s->b, v, at, ""));
  } else if (s->full) {
    for (int l = 0; l < MT_LANES; l++) from[l] = start_of(l, 4);
    mt_set_vector(s, c->call, 0, mt_lane_shuffle(s, v, from));
  } else {
    mt_set_vector(s, c->call, 0, pick_lanes(s, v, NULL, quad_first(s)));
  }
}

static LLVMValueRef as_result(mt_Spmd *s, const mt_CrosslaneCall *c,
                              LLVMValueRef x) {
  LLVMTypeRef t = LLVMTypeOf(c->call);
  bool vector = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
  return LLVMBuildIntCast2(s->b, x, vector ? mt_vector_of(s, t) : t, 0, "");
}

static void is_first(mt_Spmd *s, const mt_CrosslaneCall *c) {
  LLVMValueRef first = c->width == 4 ? quad_first(s)
                                     : mt_splat(s, first_active(s));
  LLVMValueRef is = cmp(s, LLVMIntEQ, s->lane, first);
  mt_set_vector(s, c->call, 0, as_result(s, c, is));
}

static void ballot(mt_Spmd *s, const mt_CrosslaneCall *c) {
  LLVMValueRef m = s->mask;
  if (c->op == MT_CROSSLANE_BALLOT) {
    LLVMValueRef v = mt_vector(s, LLVMGetOperand(c->call, 0), 0);
    if (LLVMTypeOf(v) != s->v_i1) v = LLVMBuildTrunc(s->b, v, s->v_i1, "");
    v = LLVMBuildFreeze(s->b, v, "");
    m = s->full ? v : LLVMBuildAnd(s->b, m, v, "");
  }
  if (c->width == MT_LANES)
    mt_set_uniform(s, c->call, 0, as_result(s, c, mt_mask_bits(s, m)));
  else
    mt_set_vector(s, c->call, 0, as_result(s, c, quad_bits(s, m)));
}

/* -------------------------------------------------------------- reductions */

static LLVMValueRef combine(mt_Spmd *s, const mt_CrosslaneCall *c,
                            mt_CrosslaneOp op, LLVMValueRef a, LLVMValueRef b) {
  bool f = c->type == MT_LANES_F32, sign = mt_crosslane_is_signed(c->type);
  LLVMTypeRef t = LLVMTypeOf(a);
  LLVMValueRef args[2] = {a, b};
  switch (op) {
    case MT_CROSSLANE_SUM:
      return f ? LLVMBuildFAdd(s->b, a, b, "") : LLVMBuildAdd(s->b, a, b, "");
    case MT_CROSSLANE_PRODUCT:
      return f ? LLVMBuildFMul(s->b, a, b, "") : LLVMBuildMul(s->b, a, b, "");
    case MT_CROSSLANE_MIN:
      return mt_intrinsic(s,
                          f      ? "llvm.minnum"
                          : sign ? "llvm.smin"
                                 : "llvm.umin",
                          &t, 1, args, 2);
    case MT_CROSSLANE_MAX:
      return mt_intrinsic(s,
                          f      ? "llvm.maxnum"
                          : sign ? "llvm.smax"
                                 : "llvm.umax",
                          &t, 1, args, 2);
    case MT_CROSSLANE_AND: return LLVMBuildAnd(s->b, a, b, "");
    case MT_CROSSLANE_OR: return LLVMBuildOr(s->b, a, b, "");
    default: return LLVMBuildXor(s->b, a, b, "");
  }
}

static LLVMValueRef neutral(const mt_CrosslaneCall *c, mt_CrosslaneOp op) {
  LLVMTypeRef t = LLVMTypeOf(c->call);
  if (c->type == MT_LANES_F32) {
    double inf = __builtin_inf();
    return LLVMConstReal(t, op == MT_CROSSLANE_SUM       ? 0.0
                            : op == MT_CROSSLANE_PRODUCT ? 1.0
                            : op == MT_CROSSLANE_MIN     ? inf
                                                         : -inf);
  }
  bool sign = mt_crosslane_is_signed(c->type);
  uint64_t top = 1ull << (LLVMGetIntTypeWidth(t) - 1);
  switch (op) {
    case MT_CROSSLANE_PRODUCT: return LLVMConstInt(t, 1, 0);
    case MT_CROSSLANE_AND: return LLVMConstInt(t, ~0ull, 1);
    case MT_CROSSLANE_MIN: return LLVMConstInt(t, sign ? top - 1 : ~0ull, 1);
    case MT_CROSSLANE_MAX: return LLVMConstInt(t, sign ? top : 0, 0);
    default: return LLVMConstInt(t, 0, 0);
  }
}

static LLVMValueRef reduce_all(mt_Spmd *s, const mt_CrosslaneCall *c,
                               LLVMValueRef v) {
  for (int half = MT_LANES / 2; half; half /= 2) {
    int low[MT_LANES], high[MT_LANES];
    for (int l = 0; l < half; l++) low[l] = l, high[l] = l + half;
    LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(v));
    v = combine(s, c, c->row->combines, mt_shuffle_two(s, v, none, low, half),
                mt_shuffle_two(s, v, none, high, half));
  }
  return LLVMBuildExtractElement(s->b, v, mt_const_i64(s, 0), "");
}

static LLVMValueRef reduce_quads(mt_Spmd *s, const mt_CrosslaneCall *c,
                                 LLVMValueRef v) {
  for (int half = 2; half; half /= 2) {
    int low[MT_LANES], high[MT_LANES];
    for (int l = 0; l < MT_LANES; l++) {
      low[l] = start_of(l, 4) + l % half;
      high[l] = low[l] + half;
    }
    v = combine(s, c, c->row->combines, mt_lane_shuffle(s, v, low),
                mt_lane_shuffle(s, v, high));
  }
  return v;
}

static void reduce(mt_Spmd *s, const mt_CrosslaneCall *c) {
  LLVMValueRef v = mt_vector(s, LLVMGetOperand(c->call, 0), 0);
  v = active_or(s, v, mt_splat(s, neutral(c, c->row->combines)));
  if (c->width == MT_LANES)
    mt_set_uniform(s, c->call, 0, reduce_all(s, c, v));
  else
    mt_set_vector(s, c->call, 0, reduce_quads(s, c, v));
}

static void scan(mt_Spmd *s, const mt_CrosslaneCall *c) {
  mt_CrosslaneOp op = c->row->combines;
  LLVMValueRef none = mt_splat(s, neutral(c, op));
  LLVMValueRef v = mt_vector(s, LLVMGetOperand(c->call, 0), 0);
  v = active_or(s, v, none);
  for (int step = 1; step < c->width; step *= 2) {
    int below[MT_LANES], pick[MT_LANES];
    for (int l = 0; l < MT_LANES; l++) {
      bool has = l % c->width >= step;
      below[l] = has ? l - step : l;
      pick[l] = has ? l : MT_LANES + l;
    }
    LLVMValueRef sum = combine(s, c, op, mt_lane_shuffle(s, v, below), v);
    v = mt_shuffle_two(s, sum, v, pick, MT_LANES);
  }
  if (c->row->class == MT_LANES_EXCLUSIVE) {
    int below[MT_LANES];
    for (int l = 0; l < MT_LANES; l++)
      below[l] = l % c->width ? l - 1 : MT_LANES + l;
    v = mt_shuffle_two(s, v, none, below, MT_LANES);
  }
  mt_set_vector(s, c->call, 0, v);
}

bool mt_crosslane_emit(mt_Spmd *s, LLVMValueRef call, const char *name) {
  mt_CrosslaneCall c;
  if (!mt_crosslane_call(call, name, &c)) return false;
  switch (c.row->class) {
    case MT_LANES_POSITION:
      mt_set_affine(s, call, 0, LLVMConstNull(LLVMTypeOf(call)), NULL, NULL);
      break;
    case MT_LANES_CELL: hold(s, &c); break;
    case MT_LANES_FIRST: broadcast_first(s, &c); break;
    case MT_LANES_VOTE:
      (c.op == MT_CROSSLANE_IS_FIRST ? is_first : ballot)(s, &c);
      break;
    case MT_LANES_MOVE: move(s, &c); break;
    case MT_LANES_REDUCE: reduce(s, &c); break;
    case MT_LANES_SCAN:
    case MT_LANES_EXCLUSIVE: scan(s, &c); break;
    case MT_LANES_MATRIX:
    case MT_LANES_BARRIER: return false;
  }
  return true;
}
