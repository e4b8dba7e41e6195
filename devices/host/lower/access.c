/*
** access.c - lowers accesses of a checked kernel, vectorised.
**
** The one idea: nearly every access is correct, and for most a comparison or
** two in the generated code proves it: the inline fast path. The table of
** limits (mt_CheckTables) holds for each site how many aligned places, from the
** base of its memory, need no more than a bounds check; 0 sends every access to
** the helper, which knows all the rules. For lanes with one stride, the first
** and the last decide for all. threadgroup_reads.c has threadgroup reads.
**
** The pointer that comes out has the shape of the one that went in, so that a
** contiguous access stays contiguous. If a lane is bad, all lanes are
** redirected to other memory, the stage, where bad lanes read zeros and writes
** are lost; the helper itself has executed the good lanes' writes.
*/
#include <stdlib.h>

#include "devices/host/lower/lowered_access.h"

#define MAX_CLASSES 4 /* classes of lanes that are compared one by one */

/* Where the lanes of an affine pointer go on the stage. */
typedef struct Plan {
  bool row;
  int64_t step;             /* stride of a row */
  int64_t term[MT_MAX_TERMS];  /* else: the value that replaces each term */
  int64_t lane[MT_MAX_LANES];  /* and the offset of each lane then */
} Plan;

static uint64_t word_of(LLVMValueRef call) {
  return LLVMConstIntGetZExtValue(LLVMGetOperand(call, MT_PROBE_INFO));
}

/* ---------------------------------------------------------------- the stage */

static int64_t spread_of(const mt_Spmd *s, const int64_t *lane,
                         int64_t *least) {
  int64_t low = lane[0], high = lane[0];
  for (int l = 1; l < s->lanes; l++) {
    if (lane[l] < low) low = lane[l];
    if (lane[l] > high) high = lane[l];
  }
  if (least) *least = low;
  return high - low;
}

/* Do two lanes share a slot only if they share their address? */
static bool is_disjoint(const mt_Spmd *s, const mt_Shape *h, const Plan *p) {
  for (int a = 0; a < s->lanes; a++)
    for (int b = 0; b < a; b++)
      if (p->lane[a] == p->lane[b] &&
          !(mt_same_class(h, a, b) && h->offset[a] == h->offset[b]))
        return false;
  return true;
}

/* Values for the terms that give every lane a slot of its own. */
static bool spread_out(const mt_Spmd *s, const mt_Shape *h, int64_t size,
                       Plan *p) {
  int64_t least;
  for (int l = 0; l < s->lanes; l++) p->lane[l] = h->offset[l];
  for (unsigned j = 0; j < h->terms; j++) {
    int64_t span = spread_of(s, p->lane, NULL);
    if (span > MT_STAGE) return false;
    p->term[j] = (span + size + 15) / 16 * 16;
    for (int l = 0; l < s->lanes; l++)
      if (llabs(h->factor[j][l]) > MT_STAGE) return false;
    for (int l = 0; l < s->lanes; l++)
      p->lane[l] += h->factor[j][l] * p->term[j];
  }
  if (spread_of(s, p->lane, &least) + size > MT_STAGE) return false;
  return is_disjoint(s, h, p);
}

/* False: the redirected lanes cannot stay affine. */
static bool make_plan(mt_Spmd *s, LLVMValueRef call, const mt_Shape *h,
                      Plan *p) {
  uint64_t word = word_of(call);
  int64_t size = MT_INFO_SIZE(word);
  mt_SiteKind kind = MT_INFO_KIND(word);
  bool write = kind == MT_SITE_WRITE &&
               LLVMGetNumArgOperands(call) > MT_PROBE_VALUE;
  mt_PointerSpace space = mt_address_space(s, LLVMGetOperand(call, 2));
  if (space == MT_POINTER_PRIVATE || space == MT_POINTER_UNKNOWN) return false;
  if ((kind != MT_SITE_READ && !write) || s->lanes != MT_LANES) return false;
  p->row = mt_lower_row(s, h, &p->step);
  if (p->row) return llabs(p->step) * (MT_LANES - 1) + size <= MT_STAGE;
  return spread_out(s, h, size, p);
}

void mt_lower_access_shape(mt_Spmd *s, LLVMValueRef call, mt_Shape *out) {
  const mt_Shape *h = mt_part_shape(s, LLVMGetOperand(call, 2), 0);
  Plan plan;
  if (h->kind != MT_SHAPE_AFFINE) {
    out->kind = h->kind;
  } else if (make_plan(s, call, h, &plan)) {
    mt_shape_copy(out, h);
    out->address_only = out->constant = false;
    out->align = 1;
  } else {
    out->kind = MT_SHAPE_VARYING;
  }
}

/* ----------------------------------------------------------- the comparison */

/* The site's entry in the table that is at this offset. */
static LLVMValueRef table_entry(const mt_LoweredAccess *a, size_t offset,
                                bool constant) {
  mt_Spmd *s = a->s;
  LLVMValueRef at =
      LLVMBuildInBoundsGEP2(s->b, s->i64, mt_lower_table(s, offset),
                            (LLVMValueRef[]){a->site}, 1, "");
  LLVMValueRef x = LLVMBuildLoad2(s->b, s->i64, at, "");
  unsigned kind = LLVMGetMDKindIDInContext(s->context, "invariant.load", 14);
  if (constant)
    LLVMSetMetadata(x, kind,
                    LLVMMetadataAsValue(s->context, LLVMMDNodeInContext2(
                                                        s->context, NULL, 0)));
  return x;
}

/* Aligned places from the start to 'p'. Rotating right moves the bits below the
** alignment to the top, so that a misaligned address is out of range, too. A
** scalar or a vector. */
static LLVMValueRef distance(const mt_LoweredAccess *a, LLVMValueRef p,
                             LLVMTypeRef t) {
  mt_Spmd *s = a->s;
  LLVMValueRef from = t == s->i64 ? a->start : mt_splat(s, a->start);
  LLVMValueRef x =
      LLVMBuildSub(s->b, LLVMBuildPtrToInt(s->b, p, t, ""), from, "");
  if (!a->align) return x;
  LLVMValueRef by = mt_const_i64(s, a->align);
  LLVMValueRef args[] = {x, x, t == s->i64 ? by : mt_splat(s, by)};
  return mt_intrinsic(s, "llvm.fshr", &t, 1, args, 3);
}

/* Are 'p' and the address 'more' bytes after it in bounds? */
static LLVMValueRef is_inside(const mt_LoweredAccess *a, LLVMValueRef p,
                              uint64_t more) {
  mt_Spmd *s = a->s;
  LLVMValueRef limit = a->limit;
  if (more) {
    LLVMValueRef args[] = {limit, mt_const_i64(s, (int64_t)(more >> a->align))};
    limit = mt_intrinsic(s, "llvm.usub.sat", &s->i64, 1, args, 2);
  }
  return LLVMBuildICmp(s->b, LLVMIntULT, distance(a, p, s->i64), limit, "");
}

static LLVMValueRef vector_inside(const mt_LoweredAccess *a) {
  mt_Spmd *s = a->s;
  LLVMValueRef far = distance(a, mt_vector(s, a->p, 0), s->v_i64);
  LLVMValueRef bad =
      LLVMBuildICmp(s->b, LLVMIntUGE, far, mt_splat(s, a->limit), "");
  if (!s->full) bad = LLVMBuildAnd(s->b, bad, s->mask, "");
  return LLVMBuildICmp(s->b, LLVMIntEQ, mt_mask_bits(s, bad),
                       LLVMConstNull(s->bits), "");
}

/* Compares the first and the last active lane. */
static LLVMValueRef masked_row_inside(const mt_LoweredAccess *a,
                                      const mt_Part *p, int64_t step) {
  mt_Spmd *s = a->s;
  LLVMValueRef bits = mt_active_mask(s), none = LLVMConstInt(s->i1, 0, 0);
  LLVMValueRef up[] = {bits, none}, ok = NULL, lane[2];
  lane[0] = mt_intrinsic(s, "llvm.cttz", &s->i32, 1, up, 2);
  lane[1] = LLVMBuildSub(s->b, mt_const_i32(s, MT_LANES - 1),
                         mt_intrinsic(s, "llvm.ctlz", &s->i32, 1, up, 2), "");
  LLVMValueRef first = mt_affine_lane(s, p, 0);
  for (int i = 0; i < 2; i++) {
    LLVMValueRef at = LLVMBuildSExt(s->b, lane[i], s->i64, "");
    at = LLVMBuildMul(s->b, at, mt_const_i64(s, step), "");
    at = LLVMBuildGEP2(s->b, s->i8, first, &at, 1, "");
    LLVMValueRef one = is_inside(a, at, 0);
    ok = ok ? LLVMBuildAnd(s->b, ok, one, "") : one;
  }
  return ok;
}

typedef struct Class {
  int least, most; /* lanes with the lowest and the highest address */
} Class;

/* Classes of lanes at constant distances; 0: too many, or a distance is not a
** multiple of the alignment. */
static int classes_of(const mt_LoweredAccess *a, const mt_Shape *h, Class *c) {
  int n = 0;
  int64_t below = ((int64_t)1 << a->align) - 1;
  for (int l = 0; l < a->s->lanes; l++) {
    int k = 0;
    while (k < n && !mt_same_class(h, l, c[k].least)) k++;
    if (k == n && n == MAX_CLASSES) return 0;
    if (k == n) c[n++] = (Class){l, l};
    if ((h->offset[l] - h->offset[c[k].least]) & below) return 0;
    if (h->offset[l] < h->offset[c[k].least]) c[k].least = l;
    if (h->offset[l] > h->offset[c[k].most]) c[k].most = l;
  }
  return n;
}

static LLVMValueRef linear_inside(const mt_LoweredAccess *a) {
  mt_Spmd *s = a->s;
  mt_Part *p = mt_affine(s, a->p, 0);
  const mt_Shape *h = p->shape;
  Class c[MAX_CLASSES];
  int n = classes_of(a, h, c);
  int64_t step;
  if (!n) return vector_inside(a);
  if (!s->full && mt_lower_row(s, h, &step))
    return masked_row_inside(a, p, step);
  LLVMValueRef ok = NULL;
  for (int i = 0; i < n; i++) {
    LLVMValueRef at = mt_affine_lane(s, p, (unsigned)c[i].least);
    LLVMValueRef one = is_inside(
        a, at, (uint64_t)(h->offset[c[i].most] - h->offset[c[i].least]));
    ok = ok ? LLVMBuildAnd(s->b, ok, one, "") : one;
  }
  return ok;
}

static LLVMValueRef all_inside(const mt_LoweredAccess *a, mt_ShapeKind kind) {
  if (kind == MT_SHAPE_UNIFORM)
    return is_inside(a, mt_uniform(a->s, a->p, 0), 0);
  return kind == MT_SHAPE_AFFINE ? linear_inside(a) : vector_inside(a);
}

/* The condition of the fast path, and a listed threadgroup read. */
typedef struct Quick {
  LLVMValueRef ok;
  mt_ListedRead tile;
} Quick;

static Quick quick_of(const mt_LoweredAccess *a, mt_ShapeKind kind) {
  Quick q = {.ok = all_inside(a, kind)};
  if (!a->tile || a->kind != MT_SITE_READ) return q;
  LLVMValueRef clean = mt_lower_tile(a, kind, q.ok, &q.tile);
  q.ok = clean ? LLVMBuildAnd(a->s->b, q.ok, clean, "")
               : LLVMConstInt(a->s->i1, 0, 0);
  return q;
}

/* ------------------------------------------------------------- the helpers */

/* The value to be written: its elements one after the other, each with 32
** lanes. */
typedef struct Values {
  LLVMValueRef part[64];
  unsigned parts;
  LLVMTypeRef row;
} Values;

/* Materialise vectors before the branch, so that they dominate later uses. */
static void take_values(const mt_LoweredAccess *a, Values *v) {
  mt_Spmd *s = a->s;
  v->parts = 0;
  if (LLVMGetNumArgOperands(a->call) <= MT_PROBE_VALUE) return;
  LLVMValueRef x = LLVMGetOperand(a->call, MT_PROBE_VALUE);
  LLVMTypeRef t = mt_type_part(LLVMTypeOf(x), 0);
  v->parts = mt_type_parts(LLVMTypeOf(x));
  if (v->parts > 64) v->parts = 64;
  v->row = mt_vector_of(s, t == s->i1 ? s->i8 : t);
  for (unsigned p = 0; p < v->parts; p++) v->part[p] = mt_vector(s, x, p);
}

static LLVMValueRef put_values(const mt_LoweredAccess *a, const Values *v) {
  mt_Spmd *s = a->s;
  if (!v->parts) return LLVMConstPointerNull(s->ptr);
  LLVMValueRef m = mt_entry_alloca(s, LLVMArrayType2(v->row, v->parts), 64);
  for (unsigned p = 0; p < v->parts; p++) {
    LLVMValueRef x = v->part[p], at = mt_const_i64(s, p);
    if (LLVMTypeOf(x) != v->row) x = LLVMBuildZExt(s->b, x, v->row, "");
    LLVMValueRef to = LLVMBuildGEP2(s->b, v->row, m, &at, 1, "");
    LLVMSetAlignment(LLVMBuildStore(s->b, x, to), 1);
  }
  return m;
}

/* Branch weights: the first successor is likely. */
static LLVMValueRef mostly(mt_Spmd *s) {
  LLVMMetadataRef m[] = {
      LLVMMDStringInContext2(s->context, "branch_weights", 14),
      LLVMValueAsMetadata(mt_const_i32(s, 2000)),
      LLVMValueAsMetadata(mt_const_i32(s, 1))};
  LLVMMetadataRef all = LLVMMDNodeInContext2(s->context, m, 3);
  return LLVMMetadataAsValue(s->context, all);
}

/* A branch around the helper, and its join block. */
typedef struct Fork {
  LLVMBasicBlockRef quick, ask, on;
} Fork;

static Fork fork_begin(const mt_LoweredAccess *a, const Quick *q) {
  mt_Spmd *s = a->s;
  Fork f = {mt_new_block(s, "quick"), mt_new_block(s, "ask"),
            mt_new_block(s, "")};
  LLVMValueRef way = LLVMBuildCondBr(s->b, q->ok, f.quick, f.ask);
  LLVMSetMetadata(way, LLVMGetMDKindIDInContext(s->context, "prof", 4),
                  mostly(s));
  LLVMPositionBuilderAtEnd(s->b, f.quick);
  if (q->tile.listed) mt_lower_tile_list(a, &q->tile);
  LLVMBuildBr(s->b, f.on);
  LLVMPositionBuilderAtEnd(s->b, f.ask);
  return f;
}

static void fork_end(const mt_LoweredAccess *a, Fork *f) {
  f->ask = LLVMGetInsertBlock(a->s->b);
  LLVMBuildBr(a->s->b, f->on);
  LLVMPositionBuilderAtEnd(a->s->b, f->on);
}

static LLVMValueRef meet(const mt_LoweredAccess *a, const Fork *f,
                         LLVMValueRef quick, LLVMValueRef asked) {
  LLVMValueRef phi = LLVMBuildPhi(a->s->b, LLVMTypeOf(quick), "");
  LLVMValueRef x[] = {quick, asked};
  LLVMBasicBlockRef from[] = {f->quick, f->ask};
  LLVMAddIncoming(phi, x, from, 2);
  return phi;
}

static void emit_one(const mt_LoweredAccess *a, const Quick *q,
                     LLVMValueRef *args, const Values *v) {
  mt_Spmd *s = a->s;
  LLVMValueRef p = mt_uniform(s, a->p, 0);
  Fork f = fork_begin(a, q);
  args[4] = p, args[5] = put_values(a, v);
  args[6] = mt_const_i32(s, s->lanes);
  LLVMValueRef to = mt_lower_call(s, "mt_check_one", s->ptr, args, 7);
  fork_end(a, &f);
  mt_set_uniform(s, a->call, 0, meet(a, &f, p, to));
}

/* All lanes move to the stage together. */
static void emit_row(const mt_LoweredAccess *a, const Quick *q,
                     LLVMValueRef *args, const Values *v, int64_t step) {
  mt_Spmd *s = a->s;
  mt_Part *p = mt_affine(s, a->p, 0);
  LLVMValueRef base = p->base, term[MT_MAX_TERMS];
  for (unsigned j = 0; j < p->shape->terms; j++) term[j] = p->term[j];
  LLVMValueRef first = mt_affine_lane(s, p, 0);
  Fork f = fork_begin(a, q);
  args[4] = first, args[5] = mt_const_i64(s, step);
  args[6] = put_values(a, v);
  LLVMValueRef to = mt_lower_call(s, "mt_check_row", s->ptr, args, 7);
  LLVMValueRef by = LLVMBuildPtrToInt(s->b, to, s->i64, "");
  by = LLVMBuildSub(s->b, by, LLVMBuildPtrToInt(s->b, first, s->i64, ""), "");
  to = LLVMBuildGEP2(s->b, s->i8, base, &by, 1, "");
  fork_end(a, &f);
  mt_set_affine(s, a->call, 0, meet(a, &f, base, to), term, NULL);
}

/* The lanes' slots on the stage, and their runs, as mt_check_spread reads
** them. */
static LLVMValueRef spread_constant(mt_Spmd *s, const Plan *plan,
                                    const mt_Shape *h) {
  mt_LaneRun run[MT_MAX_RUNS];
  LLVMValueRef n[MT_LANES + 1 + 3 * MT_MAX_RUNS];
  int runs = mt_lower_runs(s, h, run);
  unsigned k = 0;
  for (int l = 0; l < MT_LANES; l++) n[k++] = mt_const_i32(s, plan->lane[l]);
  n[k++] = mt_const_i32(s, runs);
  for (int i = 0; i < runs; i++) {
    n[k++] = mt_const_i32(s, run[i].first);
    n[k++] = mt_const_i32(s, run[i].count);
    n[k++] = mt_const_i32(s, run[i].step);
  }
  return mt_lower_list(s, n, k);
}

/* Lanes without one stride move to distinct slots. */
static void emit_spread(const mt_LoweredAccess *a, const Quick *q,
                        LLVMValueRef *args, const Values *v, Plan *plan) {
  mt_Spmd *s = a->s;
  mt_Part *p = mt_affine(s, a->p, 0);
  LLVMValueRef base = p->base, term[MT_MAX_TERMS], moved[MT_MAX_TERMS];
  unsigned terms = p->shape->terms;
  for (unsigned j = 0; j < terms; j++) term[j] = p->term[j];
  LLVMValueRef at = mt_vector(s, a->p, 0);
  Fork f = fork_begin(a, q);
  int64_t least;
  spread_of(s, plan->lane, &least);
  for (int l = 0; l < s->lanes; l++) plan->lane[l] -= least;
  args[4] = mt_vector_to_memory(s, at), args[5] = put_values(a, v);
  args[6] = spread_constant(s, plan, p->shape);
  LLVMValueRef to = mt_lower_call(s, "mt_check_spread", s->ptr, args, 7);
  LLVMValueRef good = LLVMBuildIsNull(s->b, to, "");
  LLVMValueRef by = mt_const_i64(s, -least);
  to = LLVMBuildGEP2(s->b, s->i8, to, &by, 1, "");
  to = LLVMBuildSelect(s->b, good, base, to, "");
  for (unsigned j = 0; j < terms; j++)
    moved[j] = LLVMBuildSelect(
        s->b, good, term[j],
        LLVMConstInt(LLVMTypeOf(term[j]), (uint64_t)plan->term[j], 1), "");
  fork_end(a, &f);
  base = meet(a, &f, base, to);
  for (unsigned j = 0; j < terms; j++) term[j] = meet(a, &f, term[j], moved[j]);
  mt_set_affine(s, a->call, 0, base, term, NULL);
}

/* The helper replaces the addresses of bad lanes in the list. */
static void emit_lanes(const mt_LoweredAccess *a, const Quick *q,
                       LLVMValueRef *args, const Values *v) {
  mt_Spmd *s = a->s;
  LLVMValueRef at = mt_vector(s, a->p, 0);
  Fork f = fork_begin(a, q);
  args[4] = mt_vector_to_memory(s, at), args[5] = put_values(a, v);
  mt_lower_call(s, "mt_check_lanes", LLVMVoidTypeInContext(s->context), args,
                  6);
  LLVMValueRef to = LLVMBuildLoad2(s->b, LLVMTypeOf(at), args[4], "");
  LLVMSetAlignment(to, 64);
  fork_end(a, &f);
  mt_set_vector(s, a->call, 0, meet(a, &f, at, to));
}

/* --------------------------------------------------------------- the whole */

static mt_LoweredAccess place_of(mt_Spmd *s, LLVMValueRef call) {
  uint64_t word = word_of(call);
  LLVMValueRef base = LLVMGetOperand(call, 1);
  mt_LoweredAccess a = {.s = s,
                        .call = call,
                        .site = LLVMGetOperand(call, 0),
                        .p = LLVMGetOperand(call, 2),
                        .size = MT_INFO_SIZE(word),
                        .align = MT_INFO_ALIGN(word),
                        .kind = MT_INFO_KIND(word),
                        .tile = MT_INFO_TILE(word)};
  a.base = mt_part_kind(s, base, 0) == MT_SHAPE_UNIFORM
               ? mt_uniform(s, base, 0) : LLVMConstPointerNull(s->ptr);
  bool known = !LLVMIsAConstantPointerNull(base);
  a.limit = table_entry(&a, offsetof(mt_CheckTables, limit), known);
  a.start = known ? LLVMBuildPtrToInt(s->b, a.base, s->i64, "")
                  : table_entry(&a, offsetof(mt_CheckTables, start), false);
  return a;
}

void mt_lower_access(mt_Spmd *s, LLVMValueRef call) {
  mt_LoweredAccess a = place_of(s, call);
  mt_ShapeKind kind = mt_part_kind(s, a.p, 0), to = mt_part_kind(s, call, 0);
  LLVMValueRef args[8] = {s->sg, mt_active_mask(s), a.site, a.base};
  Quick q = quick_of(&a, kind);
  Values v;
  Plan plan;
  take_values(&a, &v);
  if (kind == MT_SHAPE_UNIFORM)
    emit_one(&a, &q, args, &v);
  else if (to != MT_SHAPE_AFFINE ||
           !make_plan(s, call, mt_part_shape(s, a.p, 0), &plan))
    emit_lanes(&a, &q, args, &v);
  else if (plan.row)
    emit_row(&a, &q, args, &v, plan.step);
  else
    emit_spread(&a, &q, args, &v, &plan);
}
