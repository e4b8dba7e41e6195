/*
** threadgroup_reads.c - the inline fast path of threadgroup reads: bits that
** say whether a word may be read, and the list of reads.
** check/threadgroup_reads.c has the idea.
*/
#include <stdlib.h>

#include "devices/host/lower/lowered_access.h"

#define MAX_PIECES 2 /* words of bits that are tested inline; else a call */
#define PIECE 56     /* bits of a word that are usable at any bit offset in its
                     ** first byte */

/* Are 'n' bits from bit 'first' on set? 'first' is wrapped into the map. */
static LLVMValueRef bits_set(const mt_LoweredAccess *a, LLVMValueRef first,
                             unsigned n) {
  mt_Spmd *s = a->s;
  LLVMValueRef map = mt_lower_table(s, offsetof(mt_CheckTables, clean));
  LLVMValueRef ok = NULL;
  first = LLVMBuildAnd(s->b, first, mt_const_i64(s, MT_TILE_BYTES / 4 - 1), "");
  LLVMValueRef byte = LLVMBuildLShr(s->b, first, mt_const_i64(s, 3), "");
  LLVMValueRef bit = LLVMBuildAnd(s->b, first, mt_const_i64(s, 7), "");
  for (unsigned done = 0; done < n; done += PIECE) {
    unsigned few = n - done < PIECE ? n - done : PIECE;
    LLVMValueRef at = LLVMBuildAdd(s->b, byte, mt_const_i64(s, done / 8), "");
    at = LLVMBuildInBoundsGEP2(s->b, s->i8, map, &at, 1, "");
    LLVMValueRef x = LLVMBuildLoad2(s->b, s->i64, at, "");
    LLVMSetAlignment(x, 1);
    LLVMValueRef want = LLVMBuildShl(
        s->b, mt_const_i64(s, (int64_t)(((uint64_t)1 << few) - 1)), bit, "");
    x = LLVMBuildAnd(s->b, x, want, "");
    x = LLVMBuildICmp(s->b, LLVMIntEQ, x, want, "");
    ok = ok ? LLVMBuildAnd(s->b, ok, x, "") : x;
  }
  return ok;
}

/* Bytes from the start of threadgroup memory to 'p'. */
static LLVMValueRef tile_offset(const mt_LoweredAccess *a, LLVMValueRef p) {
  mt_Spmd *s = a->s;
  LLVMValueRef from =
      mt_group_field(s, offsetof(mt_Group, threadgroup), s->ptr);
  return LLVMBuildSub(s->b, LLVMBuildPtrToInt(s->b, p, s->i64, ""),
                      LLVMBuildPtrToInt(s->b, from, s->i64, ""), "");
}

static LLVMValueRef run_clean(const mt_LoweredAccess *a, mt_ListedRead *t,
                              int i, LLVMValueRef p) {
  mt_Spmd *s = a->s;
  mt_LaneRun r = t->run[i];
  LLVMValueRef at = tile_offset(a, p);
  t->at[i] = LLVMBuildSub(s->b, at, mt_const_i64(s, r.first * r.step), "");
  int64_t span = r.step * (r.count - 1);
  LLVMValueRef low =
      span < 0 ? LLVMBuildAdd(s->b, at, mt_const_i64(s, span), "") : at;
  /* Smaller elements may begin inside a word. */
  uint64_t bytes = (uint64_t)llabs(span) + a->size + (a->align < 2 ? 3 : 0);
  LLVMValueRef word = LLVMBuildLShr(s->b, low, mt_const_i64(s, 2), "");
  return bits_set(a, word, (unsigned)((bytes + 3) / 4));
}

static bool is_small(const mt_LoweredAccess *a, const mt_ListedRead *t) {
  uint64_t pieces = 0;
  for (int i = 0; i < t->runs; i++) {
    const mt_LaneRun *r = &t->run[i];
    uint64_t span = (uint64_t)(llabs(r->step) * (r->count - 1));
    pieces += ((span + a->size + 6) / 4 + PIECE - 1) / PIECE;
  }
  return t->runs && pieces <= MAX_PIECES;
}

/* The same by a call, where inline code would be too long. */
static LLVMValueRef tile_call(const mt_LoweredAccess *a, const mt_ListedRead *t,
                              LLVMValueRef inside) {
  mt_Spmd *s = a->s;
  const mt_Part *p = mt_affine(s, a->p, 0);
  const mt_Shape *h = p->shape;
  LLVMValueRef n[1 + 4 * MT_MAX_RUNS];
  unsigned k = 0;
  n[k++] = mt_const_i32(s, t->runs);
  for (int i = 0; i < t->runs; i++) {
    const mt_LaneRun *r = &t->run[i];
    if (!mt_same_class(h, 0, r->first)) return NULL;
    n[k++] = mt_const_i32(s, r->first);
    n[k++] = mt_const_i32(s, r->count);
    n[k++] = mt_const_i32(s, r->step);
    n[k++] = mt_const_i32(s, h->offset[r->first] - h->offset[0]);
  }
  LLVMValueRef at = LLVMBuildSelect(
      s->b, inside, tile_offset(a, mt_affine_lane(s, p, 0)),
      mt_const_i64(s, INT64_MIN / 2), ""); /* out of range: the helper says
                                           ** no */
  LLVMValueRef args[] = {s->sg, mt_active_mask(s), a->site, at,
                         mt_lower_list(s, n, k)};
  LLVMValueRef ok = mt_lower_call(s, "mt_check_tile", s->i32, args, 5);
  return LLVMBuildICmp(s->b, LLVMIntNE, ok, LLVMConstNull(s->i32), "");
}

LLVMValueRef mt_lower_tile(const mt_LoweredAccess *a, mt_ShapeKind kind,
                           LLVMValueRef inside, mt_ListedRead *t) {
  mt_Spmd *s = a->s;
  *t = (mt_ListedRead){.runs = 1, .run = {{0, MT_LANES, 0}}};
  if (kind == MT_SHAPE_VARYING || s->lanes != MT_LANES) return NULL;
  if (kind == MT_SHAPE_AFFINE)
    t->runs = mt_lower_runs(s, mt_part_shape(s, a->p, 0), t->run);
  if (!is_small(a, t))
    return t->runs && kind == MT_SHAPE_AFFINE ? tile_call(a, t, inside) : NULL;
  t->listed =
      LLVMBuildLoad2(s->b, s->i32,
                     mt_lower_table(s, offsetof(mt_CheckTables, listed)), "");
  LLVMValueRef most = mt_const_i32(s, MT_TILE_READS - MT_MAX_RUNS);
  LLVMValueRef ok = LLVMBuildICmp(s->b, LLVMIntULE, t->listed, most, "");
  for (int i = 0; i < t->runs; i++) {
    unsigned first = (unsigned)t->run[i].first;
    LLVMValueRef p =
        kind == MT_SHAPE_UNIFORM ? mt_uniform(s, a->p, 0)
                             : mt_affine_lane(s, mt_affine(s, a->p, 0), first);
    ok = LLVMBuildAnd(s->b, ok, run_clean(a, t, i, p), "");
  }
  return ok;
}

/* Appends one mt_TileRead for each run. */
void mt_lower_tile_list(const mt_LoweredAccess *a, const mt_ListedRead *t) {
  mt_Spmd *s = a->s;
  LLVMTypeRef pair = LLVMArrayType2(s->i64, 2);
  LLVMTypeRef all = LLVMArrayType2(pair, MT_TILE_READS);
  LLVMValueRef list = mt_lower_table(s, offsetof(mt_CheckTables, list));
  LLVMValueRef mask = mt_active_mask(s);
  LLVMValueRef low32 = mt_const_i64(s, 0xffffffff);
  LLVMValueRef who = LLVMBuildOr(
      s->b, LLVMBuildShl(s->b, s->sg, mt_const_i32(s, 16), ""), a->site, "");
  who = LLVMBuildShl(s->b, LLVMBuildZExt(s->b, who, s->i64, ""),
                     mt_const_i64(s, 32), "");
  for (int i = 0; i < t->runs; i++) {
    mt_LaneRun r = t->run[i];
    uint32_t lanes = (r.count == 32 ? ~0u : (1u << r.count) - 1) << r.first;
    LLVMValueRef on = LLVMBuildAnd(s->b, mask, mt_const_i32(s, lanes), "");
    LLVMValueRef x = LLVMBuildAnd(s->b, t->at[i], low32, "");
    x = LLVMBuildOr(s->b, x, mt_const_i64(s, (int64_t)((uint64_t)r.step << 32)),
                    "");
    LLVMValueRef y =
        LLVMBuildOr(s->b, LLVMBuildZExt(s->b, on, s->i64, ""), who, "");
    LLVMValueRef entry = LLVMBuildAdd(s->b, t->listed, mt_const_i32(s, i), "");
    entry = LLVMBuildZExt(s->b, entry, s->i64, "");
    for (int k = 0; k < 2; k++) {
      LLVMValueRef index[] = {mt_const_i64(s, 0), entry, mt_const_i64(s, k)};
      LLVMValueRef to = LLVMBuildInBoundsGEP2(s->b, all, list, index, 3, "");
      LLVMBuildStore(s->b, k ? y : x, to);
    }
  }
  LLVMValueRef more =
      LLVMBuildAdd(s->b, t->listed, mt_const_i32(s, t->runs), "");
  LLVMBuildStore(s->b, more,
                 mt_lower_table(s, offsetof(mt_CheckTables, listed)));
}
