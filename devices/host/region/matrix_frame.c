/*
** matrix_frame.c - sums of simdgroup matrices that live across a barrier.
**
** The one idea: a product wants the rows of two sums side by side, sixteen
** floats (simdgroup_multiply.c), and the frame is our own memory. So the rows
** of such a pair take turns in it, and a product reads its sums from there just
** before it, and writes them just after it, without shuffles. Read at the
** region's start and written at its end, the sums of all products would want
** registers at once.
*/
#include "base/align.h"
#include "devices/host/access/access.h"
#include "devices/host/region/region.h"

#define ROW 32            /* bytes of a row of eight floats */
#define PAIR (8 * 2 * ROW) /* bytes of two matrices */

static bool is_placed(const mt_Value *v) {
  return !v || !v->spilled || v->spill || !v->rows || v->partner ||
         v->part[0].type != v->part[1].type ||
         LLVMGetTypeKind(v->part[0].type) != LLVMFloatTypeKind;
}

static mt_Value *sum_of(mt_Spmd *s, LLVMValueRef product) {
  return mt_value(s, LLVMGetOperand(product, MT_PRODUCT_SUM));
}

/* The product that mt_matrix_multiply computes together with this one. */
static mt_Value *next_to(mt_Spmd *s, const mt_Value *product) {
  for (int i = (int)(product - s->value) + 1; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->block == product->block && mt_is_product(v->of) &&
        LLVMGetOperand(v->of, 0) == LLVMGetOperand(product->of, 0) &&
        !is_placed(sum_of(s, v->of)))
      return v;
  }
  return NULL;
}

size_t mt_matrix_frame_place(mt_Spmd *s, size_t at,
                             void (*share)(mt_Spmd *, mt_Value *)) {
  for (int i = 0; mt_has_pairs(s) && i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->block < 0 || !mt_is_product(v->of)) continue;
    mt_Value *first = sum_of(s, v->of), *other = next_to(s, v);
    mt_Value *second = other ? sum_of(s, other->of) : NULL;
    if (is_placed(first) || !second || second == first) continue;
    at = mt_align_up(at, 64);
    first->spill = at, second->spill = at + ROW;
    mt_framed(s, first)->paired = mt_framed(s, second)->paired = true;
    share(s, first);
    share(s, second);
    at += PAIR;
  }
  return at;
}

static LLVMValueRef place_of(mt_Spmd *s, const mt_Value *v, int row) {
  return mt_byte_offset(s, s->spill, (int64_t)v->spill + 2 * ROW * row);
}

/* Rows of 'count' floats from the place of 'v' on. */
static LLVMValueRef read(mt_Spmd *s, const mt_Value *v, int row,
                         unsigned count) {
  LLVMTypeRef t = LLVMVectorType(s->f32, count);
  LLVMValueRef x = LLVMBuildLoad2(s->b, t, place_of(s, v, row), "");
  LLVMSetAlignment(x, 4 * count);
  return x;
}

static void write(mt_Spmd *s, const mt_Value *v, int row, LLVMValueRef x) {
  LLVMValueRef st = LLVMBuildStore(s->b, x, place_of(s, v, row));
  LLVMSetAlignment(st, 4 * LLVMGetVectorSize(LLVMTypeOf(x)));
}

void mt_matrix_frame_read(mt_Spmd *s, const mt_Value *v) {
  int from[MT_LANES];
  for (int i = 0; i < MT_LANES; i++) from[i] = i;
  for (int p = 0; p < 2; p++) {
    LLVMValueRef x[4];
    for (int r = 0; r < 4; r++) x[r] = read(s, v, 4 * p + r, 8);
    LLVMValueRef a = mt_shuffle_two(s, x[0], x[1], from, 16);
    LLVMValueRef b = mt_shuffle_two(s, x[2], x[3], from, 16);
    LLVMBuildStore(s->b, mt_shuffle_two(s, a, b, from, MT_LANES),
                   v->part[p].slot_vector);
  }
}

void mt_matrix_frame_write(mt_Spmd *s, const mt_Value *v) {
  unsigned framed = mt_framed(s, v)->framed;
  if (framed && framed == s->making) return;
  for (int i = 0; i < 8; i++) {
    int from[8];
    LLVMValueRef half = LLVMBuildLoad2(s->b, mt_vector_of(s, s->f32),
                                       v->part[i / 4].slot_vector, "");
    for (int c = 0; c < 8; c++) from[c] = i % 4 * 8 + c;
    write(s, v, i, mt_shuffle_two(s, half, NULL, from, 8));
  }
}

static bool are_pair(const mt_Spmd *s, const mt_Value *a, const mt_Value *b) {
  return a && b && mt_framed(s, a)->paired && mt_framed(s, b)->paired &&
         b->spill == a->spill + ROW;
}

static int users_inside(mt_Spmd *s, const mt_Value *v) {
  int n = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(v->of); u; u = LLVMGetNextUse(u)) {
    mt_Value *user = mt_value(s, LLVMGetUser(u));
    n += user && user->block >= 0 && s->inside[user->block];
  }
  return n;
}

/* Is it what the frame had at the region's start and still has? Another value
** may have taken its place since. */
static bool is_in_frame(mt_Spmd *s, const mt_Value *v) {
  if (!mt_is_passed_on(s, v) || users_inside(s, v) != 1) return false;
  for (int i = 0; i < s->values; i++) {
    const mt_Value *x = &s->value[i];
    const mt_FramedMatrix *at = mt_framed(s, x);
    if (at->paired && x->spill == v->spill && at->framed == s->making)
      return false;
  }
  return true;
}

bool mt_matrix_frame_take(mt_Spmd *s, LLVMValueRef *sum, LLVMValueRef *row) {
  const mt_Value *a = mt_value(s, sum[0]), *b = mt_value(s, sum[1]);
  if (!s->full || !are_pair(s, a, b) || !is_in_frame(s, a) ||
      !is_in_frame(s, b))
    return false;
  for (int r = 0; r < 8; r++) row[r] = read(s, a, r, 16);
  return true;
}

void mt_matrix_frame_give(mt_Spmd *s, LLVMValueRef *product,
                          LLVMValueRef *row) {
  mt_Value *a = mt_value(s, product[0]), *b = mt_value(s, product[1]);
  const mt_CfgBlock *k = &s->block[a->block];
  if (!s->full || !are_pair(s, a, b) || !k->barrier) return;
  const uint64_t *live = s->block[k->succ[0]].live;
  if (!mt_set_has(live, (int)(a - s->value)) ||
      !mt_set_has(live, (int)(b - s->value)))
    return;
  for (int r = 0; r < 8; r++) write(s, a, r, row[r]);
  mt_framed(s, a)->framed = mt_framed(s, b)->framed = s->making;
}

bool mt_matrix_frame_pair(mt_Spmd *s, const mt_Value *first,
                          LLVMValueRef *row) {
  const mt_Value *two[2] = {first, first->partner};
  for (int i = 0; i < 2; i++)
    if (!mt_is_undisturbed(s, two[i], NULL)) return false;
  for (int r = 0; r < 8; r++) {
    LLVMTypeRef t = LLVMVectorType(s->f32, 16);
    size_t at = two[r / 4]->spill + (size_t)(r % 4) * 2 * ROW;
    row[r] = LLVMBuildLoad2(s->b, t, mt_frame_field(s, at), "");
    LLVMSetAlignment(row[r], 64);
  }
  return true;
}
