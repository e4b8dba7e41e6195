/*
** frame.c - the values that are live across a barrier, and their places in the
** frame of a SIMD-group:
**
**   next region (i32), mask of active lanes (a bit each), values, values of
**   inactive lanes, addresses to prefetch, private arrays
**
** Values that are cheap to compute from the kernel's arguments (positions,
** addresses) are rematerialised instead. A loop-carried value shares the place
** of its phi, so that a region which only passes it on moves nothing.
*/
#include "base/align.h"
#include "devices/host/access/access.h"
#include "devices/host/region/region.h"
#include "devices/host/transform/transform.h"

#define FRAME_HEAD 128 /* size of the frame's header */

/* ---------------------------------------------------------------- liveness */

static size_t live_words(const mt_Spmd *s) {
  return (size_t)(s->values + 63) / 64;
}

static void use(mt_Spmd *s, uint64_t *set, LLVMValueRef v, int block) {
  mt_Value *x = mt_value(s, v);
  if (!x || x->block < 0 || (block >= 0 && x->block == block)) return;
  mt_set_add(set, (int)(x - s->value));
  if (x->partner) mt_set_add(set, (int)(x->partner - s->value));
}

static void use_operands(mt_Spmd *s, uint64_t *set, LLVMValueRef i, int block) {
  for (int n = 0; n < LLVMGetNumOperands(i); n++)
    use(s, set, LLVMGetOperand(i, (unsigned)n), block);
}

/* The incoming values of the edge's phis are live at its source. */
static void use_phis(mt_Spmd *s, uint64_t *out, int from, int to) {
  const mt_CfgBlock *k = &s->block[to];
  if (s->block[from].barrier) return;
  for (LLVMValueRef i = k->first; i != k->end && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i))
    for (unsigned n = 0; n < LLVMCountIncoming(i); n++)
      if (LLVMGetIncomingBlock(i, n) == s->block[from].of)
        use(s, out, LLVMGetIncomingValue(i, n), -1);
}

static bool live_at(mt_Spmd *s, int block) {
  mt_CfgBlock *k = &s->block[block];
  size_t words = live_words(s);
  uint64_t *in = mt_new(s, words, 8);
  for (int j = 0; j < k->succs; j++) {
    const uint64_t *next = s->block[k->succ[j]].live;
    for (size_t w = 0; w < words; w++) in[w] |= next[w];
    use_phis(s, in, block, k->succ[j]);
  }
  for (int i = 0; i < s->values; i++) /* defined here: not live at the start */
    if (s->value[i].block == block) in[i / 64] &= ~(1ull << (i % 64));
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i))
    if (!LLVMIsAPHINode(i)) use_operands(s, in, i, block);
  bool changed = memcmp(in, k->live, words * 8) != 0;
  memcpy(k->live, in, words * 8);
  mt_drop(s, in);
  return changed;
}

static void find_live(mt_Spmd *s) {
  for (int i = 0; i < s->blocks; i++)
    s->block[i].live = mt_new(s, live_words(s), 8);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = s->blocks - 1; i >= 0; i--) changed |= live_at(s, s->order[i]);
  }
}

/* ------------------------------------------------------------------ frames */

static size_t slot_size(mt_Spmd *s, LLVMTypeRef t) {
  return LLVMABISizeOfType(s->layout, t);
}

static LLVMTypeRef term_type(mt_Spmd *s, const mt_Part *p) {
  return LLVMGetTypeKind(p->type) == LLVMPointerTypeKind ? s->i64 : p->type;
}

/* The place of one scalar or vector of a value in its frame. With 'move' > 0
** write it from its slot, with 'move' < 0 read it back; returns its end. */
static size_t frame_piece(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef slot,
                          size_t at, int move) {
  size_t align = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? 64 : 8;
  at = mt_align_up(at, align);
  if (move) {
    LLVMValueRef offset = mt_const_i64(s, (int64_t)at);
    LLVMValueRef in = LLVMBuildGEP2(s->b, s->i8, s->spill, &offset, 1, "");
    LLVMValueRef x = LLVMBuildLoad2(s->b, t, move > 0 ? slot : in, "");
    LLVMValueRef st = LLVMBuildStore(s->b, x, move > 0 ? in : slot);
    LLVMSetAlignment(move > 0 ? st : x, (unsigned)align);
  }
  return at + slot_size(s, t);
}

size_t mt_frame_value(mt_Spmd *s, mt_Value *v, size_t at, int move) {
  if (mt_framed(s, v)->paired) {
    if (move > 0)
      mt_matrix_frame_write(s, v);
    else
      mt_matrix_frame_read(s, v);
    return at;
  }
  for (unsigned i = 0; i < v->parts; i++) {
    mt_Part *p = &v->part[i];
    const mt_Shape *h = p->shape;
    if (h->kind != MT_SHAPE_VARYING && !h->constant)
      at = frame_piece(s, p->type, p->slot_base, at, move);
    for (unsigned t = 0; t < h->terms; t++)
      at = frame_piece(s, term_type(s, p), p->slot_term[t], at, move);
    if (h->kind == MT_SHAPE_VARYING || h->address_only)
      at = frame_piece(s, mt_vector_of(s, p->type), p->slot_vector, at,
                       p->in_frame ? 0 : move);
  }
  return at;
}

static bool same_pieces(const mt_Value *a, const mt_Value *b) {
  if (a->parts != b->parts || a->rows != b->rows ||
      !a->partner != !b->partner)
    return false;
  for (unsigned i = 0; i < a->parts; i++) {
    const mt_Shape *x = a->part[i].shape, *y = b->part[i].shape;
    if (a->part[i].type != b->part[i].type || x->kind != y->kind ||
        x->constant != y->constant || x->address_only != y->address_only ||
        x->terms != y->terms)
      return false;
  }
  return true;
}

/* Are both live after the same barrier? */
static bool both_live(const mt_Spmd *s, int a, int b) {
  for (int i = 0; i < s->blocks; i++) {
    if (!s->block[i].barrier) continue;
    const uint64_t *live = s->block[s->block[i].succ[0]].live;
    if (mt_set_has(live, a) && mt_set_has(live, b)) return true;
  }
  return false;
}

/* May 'v' have the place of 'other' and of all that share it? */
static bool can_share(const mt_Spmd *s, const mt_Value *v,
                      const mt_Value *other) {
  if (!same_pieces(v, other)) return false;
  for (int i = 0; i < s->values; i++)
    if (s->value[i].spilled && s->value[i].spill == other->spill &&
        &s->value[i] != v && both_live(s, (int)(v - s->value), i))
      return false;
  return true;
}

static bool is_parked(const mt_Value *v) {
  return v->partner && (mt_parked_sum(v, 0) || mt_parked_sum(v, 1));
}

/* The same sum, parked between other loops, has its place, too. */
static void park_there(mt_Spmd *s, const mt_Value *v) {
  int sum = v->partner ? mt_parked_sum(v, 0) : 0;
  for (int i = 0; i < s->values && sum; i++) {
    mt_Value *x = &s->value[i];
    if (x->spill || !is_parked(x) ||
        (mt_parked_sum(x, 0) != sum && mt_parked_sum(x, 1) != sum) ||
        !can_share(s, x, v))
      continue;
    x->spilled = true;
    x->spill = v->spill;
  }
}

/* Give the incoming values of a phi, and the phis that this value comes into,
** its place, and so on from there. */
static void share_place(mt_Spmd *s, mt_Value *v) {
  park_there(s, v);
  for (int i = 0; i < s->values; i++) {
    mt_Value *phi = &s->value[i];
    if (phi->block < 0 || !LLVMIsAPHINode(phi->of)) continue;
    for (unsigned n = 0; n < LLVMCountIncoming(phi->of); n++) {
      mt_Value *x = mt_value(s, LLVMGetIncomingValue(phi->of, n));
      mt_Value *next = x == v ? phi : phi == v ? x : NULL;
      if (!next || !next->spilled || next->spill || !can_share(s, next, v))
        continue;
      next->spill = v->spill;
      mt_framed(s, next)->paired = mt_framed(s, v)->paired;
      share_place(s, next);
    }
  }
}

size_t mt_frame_held(mt_Spmd *s, size_t at, int move) {
  for (unsigned k = 0; k < s->cells; k++)
    at = frame_piece(s, s->held_type[k], s->held ? s->held[k] : NULL, at, move);
  return at;
}

static bool has_vectors(const mt_Value *v) {
  for (unsigned i = 0; i < v->parts; i++) {
    const mt_Shape *h = v->part[i].shape;
    if (h->kind == MT_SHAPE_VARYING || h->address_only) return true;
  }
  return false;
}

/* Places for the values that have vectors, or for those that have none; the
** end. */
static size_t place_values(mt_Spmd *s, size_t at, bool vectors) {
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (!v->spilled || v->spill || has_vectors(v) != vectors) continue;
    v->spill = mt_align_up(at, v->partner ? 128 : vectors ? 64 : 8);
    at = mt_frame_value(s, v, v->spill, 0);
    share_place(s, v);
  }
  return at;
}

static bool is_division(LLVMOpcode op) {
  return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

/* Is it cheap, and made of what is there in every region? */
static bool can_rematerialise(mt_Spmd *s, LLVMValueRef i) {
  if (LLVMIsAAllocaInst(i)) return true;
  if (LLVMIsAPHINode(i) || LLVMIsACallInst(i) || LLVMIsALoadInst(i) ||
      LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
      LLVMIsAAtomicCmpXchgInst(i) || LLVMIsATerminatorInst(i) ||
      LLVMIsAFreezeInst(i) || LLVMIsAFenceInst(i) ||
      is_division(LLVMGetInstructionOpcode(i)))
    return false;
  for (int n = 0; n < LLVMGetNumOperands(i); n++) {
    mt_Value *x = mt_value(s, LLVMGetOperand(i, (unsigned)n));
    if (x && x->block >= 0 && !x->rematerialise) return false;
  }
  return true;
}

void mt_region_start(mt_Spmd *s) {
  mt_region_state(s)->matrix =
      mt_new(s, (size_t)s->values + 1, sizeof(mt_FramedMatrix));
}

void mt_frame_lay_out(mt_Spmd *s) {
  size_t at = FRAME_HEAD;
  find_live(s);
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    v->rematerialise = v->block >= 0 && can_rematerialise(s, v->of);
    for (int b = 0; b < s->blocks; b++)
      if (s->block[b].barrier &&
          mt_set_has(s->block[s->block[b].succ[0]].live, i))
        v->spilled = !v->rematerialise;
  }
  at = mt_matrix_frame_place(s, at, share_place);
  /* scalars first, which share cache lines */
  at = place_values(s, at, false);
  at = place_values(s, at, true);
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    for (unsigned p = 0; p < v->parts && v->spilled && v->partner; p++)
      v->part[p].in_frame = mt_parked_sum(v, p) != 0;
  }
  mt_region_state(s)->held_at = mt_align_up(at, 64);
  at = mt_align_up(mt_frame_held(s, mt_region_state(s)->held_at, 0), 64);
  at = mt_prefetch_places(s, at);
  mt_region_state(s)->spill_bytes = mt_align_up(at, 128);
}

void mt_frame_slots(mt_Spmd *s) {
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    for (unsigned p = 0; p < v->parts; p++)
      if (v->part[p].in_frame)
        v->part[p].slot_vector = mt_frame_field(
            s, v->spill + p * slot_size(s, mt_vector_of(s, v->part[p].type)));
  }
}

LLVMValueRef mt_frame_field(mt_Spmd *s, size_t at) {
  LLVMValueRef offset = mt_const_i64(s, (int64_t)at);
  return LLVMBuildGEP2(s->b, s->i8, s->spill, &offset, 1, "");
}
