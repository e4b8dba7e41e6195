/*
** affine.c - arithmetic on base + offset[lane] + factor[lane] * term.
**
** The one idea: the same few rules say whether a result is affine (analysis)
** and which scalars it is made of (code generation), so they are written once,
** on a Linear; the scalars are left out in the analysis.
**
** Sums, differences and products with a uniform number are exact in their
** width, wrapping included. Widening is not: the uint index i - 1 is 2^32 - 1
** in lane 0 of the first SIMD-group, and the other lanes do not continue from
** there. As an address such a lane must be guarded (no buffer is that long), so
** addresses treat a wrapped index as a negative one: the base is widened at the
** lane with the largest offset. Every other use reads the vector, widened lane
** by lane, that is kept with an address_only part.
*/
#include <string.h>

#include "devices/host/analyse/analyse.h"

typedef struct Linear {
  mt_Shape h;
  LLVMTypeRef type;
  LLVMValueRef base, term[MT_MAX_TERMS]; /* NULL in the analysis */
} Linear;

typedef struct Rule {
  mt_Spmd *s;
  bool emit;
} Rule;

/* ------------------------------------------------------------------- parts */

static unsigned width(Rule r, LLVMTypeRef t) {
  (void)r;
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t)
                                                   : 64;
}

static int64_t wrap(int64_t x, unsigned bits) {
  if (bits >= 64) return x;
  return (int64_t)((uint64_t)x << (64 - bits)) >> (64 - bits);
}

static bool is_pointer(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMPointerTypeKind;
}

static bool is_number(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  return k == LLVMPointerTypeKind ||
         (k == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 64);
}

/* Without the factors of terms that it has not: all are 64 kB. */
static void copy(Linear *to, const Linear *from) {
  mt_shape_copy(&to->h, &from->h);
  to->type = from->type, to->base = from->base;
  memcpy(to->term, from->term, sizeof to->term);
}

/* Take an operand that is uniform or affine; false: it is neither. */
static bool take(Rule r, LLVMValueRef v, unsigned part, Linear *out) {
  const mt_Shape *h = mt_part_shape(r.s, v, part);
  if (h->kind != MT_SHAPE_UNIFORM && h->kind != MT_SHAPE_AFFINE) return false;
  mt_shape_copy(&out->h, h);
  out->base = NULL;
  memset(out->term, 0, sizeof out->term);
  out->type = mt_type_part(LLVMTypeOf(v), part);
  if (!is_number(out->type)) return false;
  if (!r.emit) return true;
  if (!mt_value(r.s, v)) {
    out->base = mt_uniform(r.s, v, part);
    return true;
  }
  mt_Part *p = mt_affine(r.s, v, part);
  out->base = p->base;
  memcpy(out->term, p->term, sizeof p->term);
  return true;
}

static bool constant_of(Rule r, LLVMValueRef v, unsigned part, int64_t *out) {
  if (mt_value(r.s, v)) return false;
  LLVMValueRef c = mt_constant_part(v, part);
  if (!LLVMIsAConstantInt(c) || width(r, LLVMTypeOf(c)) > 64) return false;
  *out = LLVMConstIntGetSExtValue(c);
  return true;
}

static void settle(Rule r,
                   Linear *x) { /* all lanes equal: uniform */
  bool same = x->h.terms == 0;
  for (int l = 0; l < r.s->lanes; l++)
    if (x->h.offset[l]) same = false;
  if (same) x->h.kind = MT_SHAPE_UNIFORM, x->h.constant = false;
}

/* --------------------------------------------------------------- additions */

/* Zero is no instruction: LLVM would read and drop each one. */
static bool is_zero(LLVMValueRef x) {
  return LLVMIsConstant(x) && LLVMIsNull(x);
}

static LLVMValueRef add_base(Rule r, const Linear *a, const Linear *b,
                             int sign) {
  if (!r.emit) return NULL;
  if (is_zero(b->base)) return a->base;
  if (is_pointer(a->type)) {
    LLVMValueRef at = b->base;
    return LLVMBuildGEP2(r.s->b, r.s->i8, a->base, &at, 1, "");
  }
  return sign > 0 ? LLVMBuildAdd(r.s->b, a->base, b->base, "")
                  : LLVMBuildSub(r.s->b, a->base, b->base, "");
}

static int same_factor(const mt_Shape *h, const int64_t *f) {
  for (unsigned j = 0; j < h->terms; j++)
    if (!memcmp(h->factor[j], f, sizeof h->factor[j])) return (int)j;
  return -1;
}

static unsigned most_terms(Rule r) {
  return r.s->lanes > MT_LANES ? MT_MAX_TERMS : MT_FEW_TERMS;
}

static bool add_term(Rule r, Linear *a, LLVMValueRef term, const int64_t *f) {
  int j = same_factor(&a->h, f);
  if (j >= 0) {
    if (r.emit) a->term[j] = LLVMBuildAdd(r.s->b, a->term[j], term, "");
    return true;
  }
  if (a->h.terms == most_terms(r)) return false;
  memcpy(a->h.factor[a->h.terms], f, sizeof a->h.factor[0]);
  a->term[a->h.terms++] = term;
  return true;
}

static bool add(Rule r, Linear *a, const Linear *b, int sign) {
  unsigned bits = width(r, a->type);
  a->base = add_base(r, a, b, sign);
  if (b->h.align < a->h.align) a->h.align = b->h.align;
  if (a->h.constant || b->h.constant)
    a->h.constant = a->h.constant && b->h.constant;
  for (int l = 0; l < r.s->lanes; l++)
    a->h.offset[l] = wrap(a->h.offset[l] + sign * b->h.offset[l], bits);
  for (unsigned j = 0; j < b->h.terms; j++) {
    int64_t f[MT_MAX_LANES] = {0}; /* same_factor compares all MT_MAX_LANES */
    for (int l = 0; l < r.s->lanes; l++) f[l] = sign * b->h.factor[j][l];
    if (!add_term(r, a, b->term[j], f)) return false;
  }
  a->h.address_only |= b->h.address_only;
  a->h.kind = MT_SHAPE_AFFINE;
  return true;
}

/* --------------------------------------------------------- multiplications */

static LLVMValueRef times(Rule r, LLVMValueRef x, int64_t k) {
  if (!r.emit || k == 1) return x;
  LLVMTypeRef t = LLVMTypeOf(x);
  return LLVMBuildMul(r.s->b, x, LLVMConstInt(t, (uint64_t)k, 1), "");
}

static uint64_t low_bit(int64_t k) {
  return k ? (uint64_t)k & -(uint64_t)k : 1ull << 32;
}

static uint64_t align_product(uint64_t a, uint64_t b) {
  uint64_t p = a > 1ull << 32 || b > 1ull << 32 ? 1ull << 32 : a * b;
  return p > 1ull << 32 || !p ? 1ull << 32 : p;
}

static void scale(Rule r, Linear *a, int64_t k) {
  unsigned bits = width(r, a->type);
  a->base = times(r, a->base, k);
  a->h.align = align_product(a->h.align, low_bit(k));
  for (int l = 0; l < r.s->lanes; l++) {
    a->h.offset[l] = wrap(a->h.offset[l] * k, bits);
    for (unsigned j = 0; j < a->h.terms; j++)
      a->h.factor[j][l] = wrap(a->h.factor[j][l] * k, bits);
  }
}

/* By a uniform number that is not constant: the offsets become a term. */
static bool multiply(Rule r, Linear *a, const Linear *u) {
  int64_t f[MT_MAX_LANES];
  memcpy(f, a->h.offset, sizeof f);
  a->h.constant = false;
  a->h.align = align_product(a->h.align, u->h.align);
  if (r.emit) {
    a->base = LLVMBuildMul(r.s->b, a->base, u->base, "");
    for (unsigned j = 0; j < a->h.terms; j++)
      a->term[j] = LLVMBuildMul(r.s->b, a->term[j], u->base, "");
  }
  memset(a->h.offset, 0, sizeof a->h.offset);
  a->h.address_only |= u->h.address_only;
  bool any = false;
  for (int l = 0; l < r.s->lanes; l++) any |= f[l] != 0;
  return !any || add_term(r, a, u->base, f);
}

/* Is the base a multiple of 'align' and are the offsets below it? Then they
** have no bit in common. */
static bool lanes_differ(Rule r, const Linear *a) {
  if (a->h.terms || a->h.address_only) return false;
  for (int l = 0; l < r.s->lanes; l++)
    if (a->h.offset[l] < 0 || (uint64_t)a->h.offset[l] >= a->h.align)
      return false;
  return true;
}

/* ------------------------------------------------------------------- casts */

static LLVMValueRef cast(Rule r, LLVMOpcode op, LLVMValueRef x, LLVMTypeRef t) {
  return r.emit ? LLVMBuildCast(r.s->b, op, x, t, "") : NULL;
}

static void narrow(Rule r, Linear *a, LLVMTypeRef to) {
  unsigned bits = LLVMGetIntTypeWidth(to);
  a->base = cast(r, LLVMTrunc, a->base, to);
  for (unsigned j = 0; j < a->h.terms; j++)
    a->term[j] = cast(r, LLVMTrunc, a->term[j], to);
  for (int l = 0; l < r.s->lanes; l++) {
    a->h.offset[l] = wrap(a->h.offset[l], bits);
    for (unsigned j = 0; j < a->h.terms; j++)
      a->h.factor[j][l] = wrap(a->h.factor[j][l], bits);
  }
  a->type = to;
  a->h.address_only = false;
  if (a->h.align > 1ull << (bits - 1)) a->h.align = 1ull << (bits - 1);
}

static LLVMValueRef plus(Rule r, LLVMValueRef x, int64_t k) {
  if (!r.emit || !k) return x;
  return LLVMBuildAdd(r.s->b, x, LLVMConstInt(LLVMTypeOf(x), (uint64_t)k, 1),
                      "");
}

/* Lanes by class: those a known distance apart. */
typedef struct Classes {
  unsigned count;
  int of[MT_MAX_LANES];
  int first[MT_MAX_TERMS], top[MT_MAX_TERMS]; /* top: the largest offset */
} Classes;

/* False: there are more than terms. */
static bool sort_lanes(Rule r, const Linear *a, Classes *all) {
  unsigned c = all->count = 0;
  all->top[0] = 0;
  for (int l = 0; l < r.s->lanes; l++) {
    /* mostly it is the class of the lane before */
    if (l && !mt_same_class(&a->h, all->first[c], l))
      for (c = 0; c < all->count; c++)
        if (mt_same_class(&a->h, all->first[c], l)) break;
    if (c == most_terms(r)) return false;
    if (c == all->count) all->first[c] = all->top[c] = l, all->count++;
    if (a->h.offset[l] > a->h.offset[all->top[c]]) all->top[c] = l;
    all->of[l] = (int)c;
  }
  return true;
}

/* The number in lane 'at', widened; 'from' is its base plus its offset. */
static LLVMValueRef widen_lane(Rule r, LLVMOpcode op, const Linear *a,
                               LLVMValueRef from, int at, LLVMTypeRef to) {
  if (!r.emit) return NULL;
  for (unsigned j = 0; j < a->h.terms; j++)
    if (a->h.factor[j][at])
      from = LLVMBuildAdd(r.s->b, from,
                          times(r, a->term[j], a->h.factor[j][at]), "");
  return cast(r, op, from, to);
}

/* The widened number of each class is a term, and the base a constant: the
** address of a run of lanes is then the buffer's plus one term, without a
** difference to that of the first run. */
static bool widen_classes(Rule r, LLVMOpcode op, Linear *a, LLVMTypeRef to) {
  Classes all;
  LLVMValueRef x[MT_MAX_TERMS];
  if (!sort_lanes(r, a, &all)) return false;
  int64_t top = a->h.offset[all.top[0]];
  LLVMValueRef from = plus(r, a->base, top);
  for (unsigned c = 0; c < all.count; c++) {
    int64_t over = a->h.offset[all.top[c]] - top;
    LLVMValueRef own = over ? plus(r, a->base, over + top) : from;
    x[c] = plus(r, widen_lane(r, op, a, own, all.top[c], to), -over);
  }
  a->base = r.emit ? LLVMConstInt(to, (uint64_t)-top, 1) : NULL;
  a->h.terms = 0;
  for (unsigned c = 0; c < all.count; c++) {
    int64_t f[MT_MAX_LANES] = {0}; /* same_factor compares all MT_MAX_LANES */
    for (int l = 0; l < r.s->lanes; l++) f[l] = all.of[l] == (int)c;
    if (!add_term(r, a, x[c], f)) return false;
  }
  a->h.align = 1;
  return true;
}

static bool widen(Rule r, LLVMOpcode op, Linear *a, LLVMTypeRef to) {
  if (lanes_differ(r, a)) { /* no lane wraps: it is exact */
    a->base = cast(r, op, a->base, to);
    a->type = to;
    a->h.constant = false;
    return true;
  }
  if (a->h.terms) {
    if (!widen_classes(r, op, a, to)) return false;
  } else { /* one class: only the base is widened */
    int64_t top = 0;
    for (int l = 0; l < r.s->lanes; l++)
      if (!l || a->h.offset[l] > top) top = a->h.offset[l];
    a->base = plus(r, cast(r, op, plus(r, a->base, top), to), -top);
  }
  a->type = to;
  a->h.constant = false;
  a->h.address_only = true;
  return true;
}

/* -------------------------------------------------------------------- bits */

static bool bits(Rule r, LLVMOpcode op, Linear *a, int64_t k) {
  if (!lanes_differ(r, a)) return false;
  if (op == LLVMLShr && (k < 0 || k >= width(r, a->type))) return false;
  uint64_t low = a->h.align - 1;
  if (r.emit) {
    uint64_t m =
        op == LLVMLShr || op == LLVMAnd ? (uint64_t)k : (uint64_t)k & ~low;
    a->base = LLVMBuildBinOp(r.s->b, op, a->base,
                             LLVMConstInt(a->type, m, 1), "");
  }
  for (int l = 0; l < r.s->lanes; l++) {
    int64_t x = a->h.offset[l], m = (int64_t)((uint64_t)k & low);
    a->h.offset[l] = op == LLVMLShr ? x >> k
                     : op == LLVMAnd ? (x & m)
                     : op == LLVMOr  ? (x | m)
                                     : (x ^ m);
  }
  a->h.constant = false;
  if (op == LLVMLShr)
    a->h.align = k < 40 && a->h.align >> k ? a->h.align >> k : 1;
  return true;
}

/* or (or xor) of a uniform number and an affine one whose offsets lie below the
** lowest bit that either base can have: only the base changes. */
static bool join_bits(Rule r, LLVMOpcode op, Linear *a, const Linear *u) {
  if (!lanes_differ(r, a)) return false;
  for (int l = 0; l < r.s->lanes; l++)
    if ((uint64_t)a->h.offset[l] >= u->h.align) return false;
  if (r.emit) a->base = LLVMBuildBinOp(r.s->b, op, a->base, u->base, "");
  if (u->h.align < a->h.align) a->h.align = u->h.align;
  a->h.constant = false;
  return true;
}

/* ---------------------------------------------------------------- constants */

/* Values that are compile-time constants in every lane. */
static bool lanes_of(Rule r, LLVMValueRef v, unsigned part, int64_t *out) {
  int64_t k;
  if (constant_of(r, v, part, &k)) {
    for (int l = 0; l < r.s->lanes; l++) out[l] = k;
    return true;
  }
  const mt_Shape *h = mt_part_shape(r.s, v, part);
  if (h->kind != MT_SHAPE_AFFINE || !h->constant) return false;
  memcpy(out, h->offset, sizeof h->offset);
  return true;
}

/* Constant folding: the result is known in every lane. */
static bool fold(Rule r, LLVMValueRef i, unsigned part, Linear *out) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  int64_t a[MT_MAX_LANES], b[MT_MAX_LANES] = {0};
  if (LLVMGetNumOperands(i) > 2 || LLVMGetNumOperands(i) < 1) return false;
  LLVMTypeRef from = mt_type_part(LLVMTypeOf(LLVMGetOperand(i, 0)), part);
  LLVMTypeRef to = mt_type_part(LLVMTypeOf(i), part);
  if (LLVMGetTypeKind(from) != LLVMIntegerTypeKind ||
      LLVMGetTypeKind(to) != LLVMIntegerTypeKind || width(r, from) > 64)
    return false;
  if (!lanes_of(r, LLVMGetOperand(i, 0), part, a)) return false;
  bool two = LLVMGetNumOperands(i) == 2;
  if (two && !lanes_of(r, LLVMGetOperand(i, 1), part, b)) return false;
  unsigned w = width(r, from);
  uint64_t keep = w < 64 ? (1ull << w) - 1 : ~0ull;
  mt_shape_reset(&out->h, MT_SHAPE_AFFINE);
  out->base = NULL;
  for (int l = 0; l < r.s->lanes; l++) {
    int64_t *x = &out->h.offset[l];
    if (op == LLVMICmp)
      *x = -(int64_t)mt_fold_compare(LLVMGetICmpPredicate(i), a[l], b[l], keep);
    else if (op == LLVMZExt)
      *x = (int64_t)((uint64_t)a[l] & keep);
    else if (op == LLVMSExt || op == LLVMTrunc)
      *x = wrap(a[l], width(r, to));
    else if (!two || !mt_fold_number(op, w, a[l], b[l], x))
      return false;
  }
  out->h.constant = true;
  out->h.align = 1ull << 32;
  out->type = to;
  if (r.emit) out->base = LLVMConstNull(to);
  return true;
}

/* ------------------------------------------------------------ instructions */

static bool binary(Rule r, LLVMValueRef i, unsigned part, Linear *out) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
  Linear b;
  int64_t k;
  if (!take(r, x, part, out) || !take(r, y, part, &b)) return false;
  if (op == LLVMOr && LLVMGetIsDisjoint(i)) op = LLVMAdd;
  if (op == LLVMAdd || op == LLVMSub)
    return add(r, out, &b, op == LLVMAdd ? 1 : -1);
  if (op == LLVMShl && constant_of(r, y, part, &k) && k >= 0 && k < 32) {
    scale(r, out, (int64_t)1 << k);
    return true;
  }
  if (op == LLVMMul) {
    if (out->h.kind == MT_SHAPE_UNIFORM) { /* put the affine one first */
      Linear t;
      copy(&t, out), copy(out, &b), copy(&b, &t);
      x = y, y = LLVMGetOperand(i, 0);
    }
    if (b.h.kind != MT_SHAPE_UNIFORM) return false;
    if (!constant_of(r, y, part, &k)) return multiply(r, out, &b);
    scale(r, out, k);
    return true;
  }
  if ((op == LLVMOr || op == LLVMXor) && out->h.kind != b.h.kind) {
    Linear u;
    copy(&u, out->h.kind == MT_SHAPE_UNIFORM ? out : &b);
    if (out->h.kind == MT_SHAPE_UNIFORM) copy(out, &b);
    if (join_bits(r, op, out, &u)) return true;
    if (!take(r, x, part, out)) return false; /* undo */
  }
  bool bitwise =
      op == LLVMAnd || op == LLVMOr || op == LLVMXor || op == LLVMLShr;
  return bitwise && out->h.kind == MT_SHAPE_AFFINE &&
         constant_of(r, y, part, &k) && bits(r, op, out, k);
}

static bool convert(Rule r, LLVMValueRef i, unsigned part, Linear *out) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  LLVMTypeRef to = mt_type_part(LLVMTypeOf(i), part);
  LLVMValueRef x = LLVMGetOperand(i, 0);
  if (!take(r, x, part, out)) return false;
  if (op == LLVMTrunc) {
    narrow(r, out, to);
    return true;
  }
  if (op == LLVMPtrToInt || op == LLVMIntToPtr) {
    if (width(r, out->type) != width(r, to)) return false;
    out->base = cast(r, op, out->base, to);
    out->type = to;
    return true;
  }
  mt_Value *v = mt_value(r.s, x);
  if (!widen(r, op, out, to)) return false;
  /* thread positions do not wrap */
  if (v && v->block < 0) out->h.address_only = false;
  return true;
}

/* -------------------------------------------------------------- comparisons */

/* i < n, where all lanes of i are between two multiples of a power of two of
** which n is one: the same in all lanes. Likewise i > n, if n is one less. */
static bool is_even(LLVMIntPredicate p, const Linear *a, const Linear *u,
                    bool constant, int64_t n, int lanes) {
  uint64_t step = 1;
  for (int l = 0; l < lanes; l++)
    while ((uint64_t)a->h.offset[l] >= step) step *= 2;
  switch (p) {
    case LLVMIntULT: case LLVMIntUGE: case LLVMIntSLT: case LLVMIntSGE:
      return u->h.align >= step;
    case LLVMIntUGT: case LLVMIntULE: case LLVMIntSGT: case LLVMIntSLE:
      return constant && ((uint64_t)n + 1) % step == 0;
    default: return false;
  }
}

static bool comparison(Rule r, LLVMValueRef i, unsigned part, Linear *out) {
  LLVMIntPredicate p = LLVMGetICmpPredicate(i), q = p;
  LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
  Linear a, b;
  int64_t n = 0;
  if (!take(r, x, part, &a) || !take(r, y, part, &b) || is_pointer(a.type))
    return false;
  bool left = a.h.kind == MT_SHAPE_AFFINE;
  if (left == (b.h.kind == MT_SHAPE_AFFINE)) return false;
  if (!left) q = mt_swapped_comparison(p);
  bool constant = constant_of(r, left ? y : x, part, &n);
  if (!lanes_differ(r, left ? &a : &b) ||
      !is_even(q, left ? &a : &b, left ? &b : &a, constant, n, r.s->lanes))
    return false;
  mt_shape_reset(&out->h, MT_SHAPE_UNIFORM);
  out->type = r.s->i1;
  out->base = r.emit ? LLVMBuildICmp(r.s->b, p, a.base, b.base, "") : NULL;
  return true;
}

static bool choose(Rule r, LLVMValueRef i, unsigned part, Linear *out) {
  LLVMValueRef c = LLVMGetOperand(i, 0);
  unsigned cp = mt_type_parts(LLVMTypeOf(c)) > 1 ? part : 0;
  Linear b;
  if (mt_part_kind(r.s, c, cp) != MT_SHAPE_UNIFORM) return false;
  if (!take(r, LLVMGetOperand(i, 1), part, out) ||
      !take(r, LLVMGetOperand(i, 2), part, &b) || out->h.terms != b.h.terms ||
      memcmp(out->h.offset, b.h.offset, sizeof b.h.offset) ||
      memcmp(out->h.factor, b.h.factor, sizeof b.h.factor[0] * b.h.terms))
    return false;
  if (b.h.align < out->h.align) out->h.align = b.h.align;
  out->h.constant = false;
  out->h.address_only |= b.h.address_only;
  if (!r.emit) return true;
  LLVMValueRef which = mt_uniform(r.s, c, cp);
  out->base = LLVMBuildSelect(r.s->b, which, out->base, b.base, "");
  for (unsigned j = 0; j < b.h.terms; j++)
    out->term[j] = LLVMBuildSelect(r.s->b, which, out->term[j], b.term[j], "");
  return true;
}

/* Add one index of a GEP, times its element size. */
static bool add_index(Rule r, Linear *out, LLVMValueRef index, int64_t step) {
  Linear x;
  if (!take(r, index, 0, &x)) return false;
  if (width(r, x.type) < 64) {
    if (x.h.kind == MT_SHAPE_UNIFORM) {
      x.base = cast(r, LLVMSExt, x.base, r.s->i64);
      x.type = r.s->i64;
    } else if (!widen(r, LLVMSExt, &x, r.s->i64)) {
      return false;
    }
  }
  scale(r, &x, step);
  return add(r, out, &x, 1);
}

/* Add the offset of a member. */
static bool add_bytes(Rule r, Linear *out, int64_t bytes) {
  Linear x = {.type = r.s->i64, .h = {.kind = MT_SHAPE_UNIFORM, .align = 1}};
  if (r.emit) x.base = mt_const_i64(r.s, bytes);
  return add(r, out, &x, 1);
}

static bool address(Rule r, LLVMValueRef i, Linear *out) {
  if (mt_type_parts(LLVMTypeOf(i)) != 1 ||
      !take(r, LLVMGetOperand(i, 0), 0, out))
    return false;
  mt_GepIndex x;
  bool good = true;
  for (mt_GepWalk g = mt_gep_walk(r.s->layout, i); good && mt_gep_next(&g, &x);)
    good = x.in == LLVMStructTypeKind
               ? add_bytes(r, out, (int64_t)x.bytes)
               : add_index(r, out, x.index, (int64_t)x.bytes);
  return good;
}

static bool result(Rule r, LLVMValueRef i, unsigned part, Linear *out) {
  if (fold(r, i, part, out)) return true;
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMLShr: return binary(r, i, part, out);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr: return convert(r, i, part, out);
    case LLVMICmp: return comparison(r, i, part, out);
    case LLVMSelect: return choose(r, i, part, out);
    case LLVMGetElementPtr: return address(r, i, out);
    default: return false;
  }
}

bool mt_affine_shape(mt_Spmd *s, LLVMValueRef i, unsigned part, mt_Shape *out) {
  Linear x;
  if (!result((Rule){s, false}, i, part, &x)) return false;
  if (x.h.kind == MT_SHAPE_AFFINE && !x.h.constant && !x.h.address_only)
    settle((Rule){s, false}, &x);
  mt_shape_copy(out, &x.h);
  return true;
}

void mt_affine_emit(mt_Spmd *s, LLVMValueRef i, unsigned part,
                    LLVMValueRef vector) {
  Linear x;
  x.base = NULL;
  if (!result((Rule){s, true}, i, part, &x))
    mt_unsupported(s, "an address whose affine form does not settle");
  else
    mt_set_affine(s, i, part, x.base, x.term, vector);
}
