/*
** barrier_regions.c - barriers, and the function that runs a threadgroup.
**
** The one idea: a barrier ends a region. A region is a function of the
** SIMD-group's number that runs from the kernel's start, or from after a
** barrier, to the next barrier or the end, and returns the number of the next
** region. The group function calls a region for every SIMD-group before it goes
** on to the next one: that is the barrier. Values that are live across a
** barrier are spilled to memory, a frame for each SIMD-group:
**
**   next region (i32), mask of active lanes (a bit each), values, values of
**   inactive lanes, private arrays
**
** Values that are cheap to compute from the kernel's arguments (positions,
** addresses) are rematerialised instead. A loop-carried value shares the place
** of its phi in the frame, so that a region which only passes it on moves
** nothing.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/host/vectorise/simdgroup_matrix.h"

#define FRAME_HEAD 128     /* size of the frame's header */
/* most private memory, in bytes, that is kept on the stack */
#define ARENA_MAX (1 << 16)
#define DONE (-1)

/* ---------------------------------------------------------------- liveness */

static size_t live_words(const mt_Spmd *s) {
  return (size_t)(s->values + 63) / 64;
}

static void use(mt_Spmd *s, uint64_t *set, LLVMValueRef v, int block) {
  mt_Value *x = mt_value(s, v);
  if (x && x->block >= 0 && (block < 0 || x->block != block))
    mt_set_add(set, (int)(x - s->value));
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

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

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
  at = round_up(at, align);
  if (move) {
    LLVMValueRef offset = mt_const_i64(s, (int64_t)at);
    LLVMValueRef in = LLVMBuildGEP2(s->b, s->i8, s->spill, &offset, 1, "");
    LLVMValueRef x = LLVMBuildLoad2(s->b, t, move > 0 ? slot : in, "");
    LLVMValueRef st = LLVMBuildStore(s->b, x, move > 0 ? in : slot);
    LLVMSetAlignment(move > 0 ? st : x, (unsigned)align);
  }
  return at + slot_size(s, t);
}

static size_t frame_value(mt_Spmd *s, mt_Value *v, size_t at, int move) {
  if (v->paired) {
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
      at = frame_piece(s, mt_vector_of(s, p->type), p->slot_vector, at, move);
  }
  return at;
}

static bool same_pieces(const mt_Value *a, const mt_Value *b) {
  if (a->parts != b->parts || a->rows != b->rows) return false;
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

/* Give the incoming values of a phi, and the phis that this value comes into,
** its place, and so on from there. */
static void share_place(mt_Spmd *s, mt_Value *v) {
  for (int i = 0; i < s->values; i++) {
    mt_Value *phi = &s->value[i];
    if (phi->block < 0 || !LLVMIsAPHINode(phi->of)) continue;
    for (unsigned n = 0; n < LLVMCountIncoming(phi->of); n++) {
      mt_Value *x = mt_value(s, LLVMGetIncomingValue(phi->of, n));
      mt_Value *next = x == v ? phi : phi == v ? x : NULL;
      if (!next || !next->spilled || next->spill || !can_share(s, next, v))
        continue;
      next->spill = v->spill;
      next->paired = v->paired;
      share_place(s, next);
    }
  }
}

/* The same for the cells of inactive lanes. */
static size_t frame_held(mt_Spmd *s, size_t at, int move) {
  for (unsigned k = 0; k < s->cells; k++)
    at = frame_piece(s, s->held_type[k], s->held ? s->held[k] : NULL, at, move);
  return at;
}

/* Give every value that is live across a barrier a place in the frame. */
static void lay_out_frame(mt_Spmd *s) {
  size_t at = FRAME_HEAD;
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    v->rematerialise = v->block >= 0 && mt_instr_rematerialises(s, v->of);
    for (int b = 0; b < s->blocks; b++)
      if (s->block[b].barrier &&
          mt_set_has(s->block[s->block[b].succ[0]].live, i))
        v->spilled = !v->rematerialise;
  }
  at = mt_matrix_frame_place(s, at, share_place);
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (!v->spilled || v->spill) continue;
    v->spill = round_up(at, 64);
    at = frame_value(s, v, v->spill, 0);
    share_place(s, v);
  }
  s->held_at = round_up(at, 64);
  s->spill_bytes = round_up(frame_held(s, s->held_at, 0), 128);
}

static LLVMValueRef frame_field(mt_Spmd *s, size_t at) {
  LLVMValueRef offset = mt_const_i64(s, (int64_t)at);
  return LLVMBuildGEP2(s->b, s->i8, s->spill, &offset, 1, "");
}

/* ----------------------------------------------------------------- regions */

static int region_of(const mt_Spmd *s, int barrier) { /* 1 and up */
  int n = 1;
  for (int i = 0; i < barrier; i++) n += s->block[i].barrier;
  return n;
}

static void reach(mt_Spmd *s, int block) {
  if (s->inside[block]) return;
  s->inside[block] = true;
  if (s->block[block].barrier) return;
  for (int i = 0; i < s->block[block].succs; i++)
    reach(s, s->block[block].succ[i]);
}

/* Is there a path from 'at' to 'block' within the region, without 'not_by'? */
static bool leads_to(const mt_Spmd *s, int at, int block, int not_by,
                     bool *seen) {
  if (at == not_by || seen[at]) return false;
  if (at == block) return true;
  seen[at] = true;
  if (s->block[at].barrier) return false;
  for (int i = 0; i < s->block[at].succs; i++)
    if (leads_to(s, s->block[at].succ[i], block, not_by, seen)) return true;
  return false;
}

bool mt_is_available(mt_Spmd *s, LLVMValueRef v, int block) {
  const mt_Value *x = mt_value(s, v);
  if (!x || x->block < 0 || x->block == block) return true;
  if (!x->crosses) return false;
  if (s->start == 0 || mt_set_has(s->block[s->start].live, (int)(x - s->value)))
    return true;
  bool *seen = mt_new(s, (size_t)s->blocks, sizeof *seen);
  bool past = leads_to(s, s->start, block, x->block, seen);
  mt_drop(s, seen);
  return !past;
}

/* Does the region start with it in the frame, and not compute it again? */
static bool is_passed_on(const mt_Spmd *s, const mt_Value *v) {
  return s->start != 0 && v->block >= 0 && !s->inside[v->block] &&
         mt_set_has(s->block[s->start].live, (int)(v - s->value));
}

/* Does a jump from the end of 'from' to 'to' belong to the region? */
static bool is_edge_inside(const mt_Spmd *s, LLVMBasicBlockRef from, int to) {
  for (int i = 0; i < s->block[to].preds; i++) {
    const mt_CfgBlock *k = &s->block[s->block[to].pred[i]];
    if (k->of == from && !k->barrier && s->inside[k - s->block]) return true;
  }
  return false;
}

/* An affine value's base may differ where the value does not. */
static bool has_affine(const mt_Value *v) {
  for (unsigned i = 0; i < v->parts; i++)
    if (v->part[i].shape->kind == MT_SHAPE_AFFINE) return true;
  return false;
}

/* Is the value of 'v' in its place already? It is one that the region only
** passes on, or a phi of such values, which share its place. */
static bool is_in_place(mt_Spmd *s, const mt_Value *v) {
  if (is_passed_on(s, v)) return true;
  if (!LLVMIsAPHINode(v->of) || v->block < 0 || s->start == 0 || has_affine(v))
    return false;
  for (unsigned n = 0; n < LLVMCountIncoming(v->of); n++) {
    const mt_Value *x = mt_value(s, LLVMGetIncomingValue(v->of, n));
    if (!is_edge_inside(s, LLVMGetIncomingBlock(v->of, n), v->block)) continue;
    if (!x || !x->spilled || x->spill != v->spill || !is_passed_on(s, x))
      return false;
  }
  return true;
}

void mt_region_wait(mt_Spmd *s, int block) {
  int next = s->block[block].succ[0];
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->spilled && mt_set_has(s->block[next].live, i) && !is_in_place(s, v))
      frame_value(s, v, v->spill, 1);
  }
  frame_held(s, s->held_at, 1);
  LLVMBuildStore(s->b, mt_mask_bits(s, s->mask), frame_field(s, 16));
  LLVMBuildRet(s->b, mt_const_i32(s, region_of(s, block)));
}

/* Mark a value to rematerialise and all its operands. */
static void need(mt_Spmd *s, bool *needed, LLVMValueRef v) {
  mt_Value *x = mt_value(s, v);
  if (!x || x->block < 0 || needed[x - s->value]) return;
  needed[x - s->value] = true;
  for (int n = 0; n < LLVMGetNumOperands(v); n++)
    need(s, needed, LLVMGetOperand(v, (unsigned)n));
}

static void read_frame(mt_Spmd *s, int start) {
  bool *needed = mt_new(s, (size_t)s->values + 1, 1);
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (!mt_set_has(s->block[start].live, i)) continue;
    if (v->rematerialise)
      need(s, needed, v->of);
    else
      frame_value(s, v, v->spill, -1);
  }
  s->making++, s->full = true, s->mask = s->all_on;
  for (int i = 0; i < s->values; i++)
    if (needed[i]) mt_instr_emit(s, s->value[i].of);
  mt_drop(s, needed);
}

/* Private memory of a SIMD-group: that of each lane, and behind it what all
** lanes share. */
static size_t lanes_bytes(const mt_Spmd *s) {
  return round_up(s->private_bytes * (size_t)s->lanes, 128);
}

/* The arrays that all lanes share: in the frame, or each by itself. */
static void make_shared(mt_Spmd *s, bool framed) {
  for (int i = 0; s->shared_bytes && i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (!v->shared) continue;
    LLVMTypeRef t = LLVMGetAllocatedType(v->of);
    uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(v->of, 0));
    if (framed)
      v->memory = frame_field(s, s->spill_bytes + lanes_bytes(s) + v->place);
    else
      v->memory = mt_entry_alloca(s, n == 1 ? t : LLVMArrayType2(t, n), 16);
  }
}

static void make_memory(mt_Spmd *s, size_t frame) {
  s->spill = frame ? LLVMGetParam(s->fn, 2) : NULL;
  s->scratch = mt_entry_alloca(s, LLVMArrayType2(s->i8, 128), 128);
  bool framed = frame > s->spill_bytes;
  make_shared(s, framed);
  size_t arena = s->private_bytes * (size_t)s->lanes;
  if (!arena) return;
  if (framed)
    s->arena = frame_field(s, s->spill_bytes);
  else
    s->arena = mt_entry_alloca(s, LLVMArrayType2(s->i8, arena), 128);
}

/* Only this pointer leads to the frame, unless it contains private arrays. */
static void frame_is_noalias(mt_Spmd *s) {
  unsigned kind = LLVMGetEnumAttributeKindForName("noalias", 7);
  LLVMAddAttributeAtIndex(s->fn, 3,
                          LLVMCreateEnumAttribute(s->context, kind, 0));
}

static LLVMValueRef region(mt_Spmd *s, LLVMTypeRef type, int start,
                           size_t frame) {
  s->fn = LLVMAddFunction(s->module, "mt_region", type);
  LLVMSetLinkage(s->fn, LLVMInternalLinkage);
  if (frame == s->spill_bytes) frame_is_noalias(s);
  s->group = LLVMGetParam(s->fn, 0), s->sg = LLVMGetParam(s->fn, 1);
  s->entry = mt_new_block(s, "entry");
  LLVMBasicBlockRef body = mt_new_block(s, "body");
  s->leave = mt_new_block(s, "leave");
  memset(s->inside, 0, (size_t)s->blocks * sizeof *s->inside);
  s->start = start;
  reach(s, start);

  LLVMPositionBuilderAtEnd(s->b, body);
  mt_plan_region(s);
  make_memory(s, frame);
  mt_slots_make(s);
  mt_inactive_cells_make(s);
  LLVMValueRef mask = s->all_on;
  if (start == 0) {
    for (unsigned k = 0; k < s->cells; k++)
      LLVMBuildStore(s->b, LLVMConstNull(s->held_type[k]), s->held[k]);
    mask = LLVMBuildSelect(s->b, LLVMGetParam(s->fn, 3), mask,
                           mt_geometry_mask(s), "");
  } else {
    read_frame(s, start);
    frame_held(s, s->held_at, -1);
    mask = LLVMBuildLoad2(s->b, s->bits, frame_field(s, 16), "");
    mask = LLVMBuildBitCast(s->b, mask, s->v_i1, "");
  }
  mt_control_flow_enter(s, start, mask);
  mt_control_flow_emit(s);
  LLVMPositionBuilderAtEnd(s->b, s->leave);
  LLVMBuildRet(s->b, mt_const_i32(s, DONE));
  LLVMPositionBuilderAtEnd(s->b, s->entry);
  LLVMBuildBr(s->b, body);
  return s->fn;
}

/* ----------------------------------------------------------- group function */

typedef struct Group {
  LLVMTypeRef region_type;
  LLVMValueRef *region;
  int regions;
  size_t frame;
  LLVMValueRef group, simdgroups;
} Group;

/* The checker chooses the order of an instrumented kernel's SIMD-groups. */
static LLVMValueRef in_turn(mt_Spmd *s, LLVMValueRef i, LLVMValueRef n) {
  if (!s->probes || !s->probes->order) return i;
  LLVMValueRef args[] = {i, n};
  return mt_call_runtime(s, s->probes->order, s->i32, args, 2);
}

typedef struct Each { /* a loop over the SIMD-groups */
  LLVMBasicBlockRef head, done;
  LLVMValueRef number, sg; /* the iteration, and the SIMD-group that it runs */
} Each;

static Each each_begin(mt_Spmd *s, LLVMValueRef simdgroups) {
  Each e = {mt_new_block(s, "each"), mt_new_block(s, "done"), NULL, NULL};
  LLVMBasicBlockRef from = LLVMGetInsertBlock(s->b);
  LLVMBuildBr(s->b, e.head);
  LLVMPositionBuilderAtEnd(s->b, e.head);
  e.number = LLVMBuildPhi(s->b, s->i32, "");
  LLVMValueRef zero = mt_const_i32(s, 0);
  LLVMAddIncoming(e.number, &zero, &from, 1);
  e.sg = in_turn(s, e.number, simdgroups);
  return e;
}

static void each_end(mt_Spmd *s, Each e, LLVMValueRef simdgroups) {
  LLVMValueRef next = LLVMBuildAdd(s->b, e.number, mt_const_i32(s, 1), "");
  LLVMBasicBlockRef from = LLVMGetInsertBlock(s->b);
  LLVMAddIncoming(e.number, &next, &from, 1);
  LLVMValueRef more = LLVMBuildICmp(s->b, LLVMIntULT, next, simdgroups, "");
  LLVMBuildCondBr(s->b, more, e.head, e.done);
  LLVMPositionBuilderAtEnd(s->b, e.done);
}

/* The frame of a SIMD-group; it starts with the number of its next region.
** Along rows, where nobody waits, all have the first. */
static LLVMValueRef frame_of(mt_Spmd *s, Group *g, LLVMValueRef sg) {
  if (!g->frame) return LLVMConstNull(s->ptr);
  LLVMValueRef all = mt_group_field(s, offsetof(mt_Group, spill), s->ptr);
  if (s->by_rows) return all;
  LLVMValueRef at = LLVMBuildMul(s->b, LLVMBuildZExt(s->b, sg, s->i64, ""),
                                 mt_const_i64(s, (int64_t)g->frame), "");
  return LLVMBuildGEP2(s->b, s->i8, all, &at, 1, "");
}

/* 'whole': all lanes are known to be in the grid. */
static LLVMValueRef call_region(mt_Spmd *s, Group *g, int n, LLVMValueRef sg,
                                bool whole) {
  LLVMValueRef args[4] = {g->group, sg, frame_of(s, g, sg),
                          LLVMConstInt(s->i1, whole, 0)};
  return LLVMBuildCall2(s->b, g->region_type, g->region[n], args, 4, "");
}

/* Run region n for the SIMD-groups that wait for it: all of them, if the kernel
** follows Metal's rule that all threads reach a barrier. */
static void run_region(mt_Spmd *s, Group *g, int n) {
  Each e = each_begin(s, g->simdgroups);
  if (n > 0) {
    LLVMBasicBlockRef run = mt_new_block(s, "run"), over = mt_new_block(s, "");
    LLVMValueRef next = LLVMBuildLoad2(s->b, s->i32, frame_of(s, g, e.sg), "");
    LLVMValueRef mine =
        LLVMBuildICmp(s->b, LLVMIntEQ, next, mt_const_i32(s, n), "");
    LLVMBuildCondBr(s->b, mine, run, over);
    LLVMPositionBuilderAtEnd(s->b, run);
    LLVMValueRef then = call_region(s, g, n, e.sg, false);
    LLVMBuildStore(s->b, then, frame_of(s, g, e.sg));
    LLVMBuildBr(s->b, over);
    LLVMPositionBuilderAtEnd(s->b, over);
  } else {
    LLVMValueRef then = call_region(s, g, 0, e.sg, false);
    LLVMBuildStore(s->b, then, frame_of(s, g, e.sg));
  }
  each_end(s, e, g->simdgroups);
}

static void run_regions(mt_Spmd *s, Group *g) {
  LLVMBasicBlockRef choose = mt_new_block(s, "choose"),
                    end = mt_new_block(s, "end");
  run_region(s, g, 0);
  LLVMBuildBr(s->b, choose);
  /* the region that the first unfinished SIMD-group waits for */
  LLVMPositionBuilderAtEnd(s->b, choose);
  Each e = each_begin(s, g->simdgroups);
  LLVMBasicBlockRef found = mt_new_block(s, "found"), on = mt_new_block(s, "");
  LLVMValueRef next = LLVMBuildLoad2(s->b, s->i32, frame_of(s, g, e.sg), "");
  LLVMValueRef waits =
      LLVMBuildICmp(s->b, LLVMIntSGE, next, mt_const_i32(s, 0), "");
  LLVMBuildCondBr(s->b, waits, found, on);
  LLVMPositionBuilderAtEnd(s->b, on);
  each_end(s, e, g->simdgroups);
  LLVMBuildBr(s->b, end);

  LLVMPositionBuilderAtEnd(s->b, found);
  LLVMValueRef which = LLVMBuildSwitch(s->b, next, end, (unsigned)g->regions);
  for (int n = 1; n < g->regions; n++) {
    LLVMBasicBlockRef at = mt_new_block(s, "region");
    LLVMAddCase(which, mt_const_i32(s, n), at);
    LLVMPositionBuilderAtEnd(s->b, at);
    run_region(s, g, n);
    LLVMBuildBr(s->b, choose);
  }
  LLVMPositionBuilderAtEnd(s->b, end);
  LLVMBuildRetVoid(s->b);
}

/* Atomic, since only a fault makes anybody read it; a volatile store would keep
** everything after it in the loop. */
static void note_first(mt_Spmd *s, Group *g, LLVMValueRef first) {
  LLVMValueRef offset = mt_const_i64(s, offsetof(mt_Group, first));
  LLVMValueRef at = LLVMBuildGEP2(s->b, s->i8, g->group, &offset, 1, "");
  LLVMValueRef store = LLVMBuildStore(s->b, first, at);
  LLVMSetAlignment(store, 4);
  LLVMSetOrdering(store, LLVMAtomicOrderingMonotonic);
}

/* What follows is for n > 0; '*over' comes after it. */
static void if_any(mt_Spmd *s, LLVMValueRef n, LLVMBasicBlockRef *over) {
  LLVMBasicBlockRef some = mt_new_block(s, "some");
  *over = mt_new_block(s, "over");
  LLVMValueRef zero = mt_const_i32(s, 0);
  LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntNE, n, zero, ""), some,
                  *over);
  LLVMPositionBuilderAtEnd(s->b, some);
}

/* The vectors of a row of which all lanes are in the grid, from thread 'from'
** on. */
static void run_whole(mt_Spmd *s, Group *g, LLVMValueRef from,
                      LLVMValueRef vectors) {
  LLVMBasicBlockRef over;
  if_any(s, vectors, &over);
  Each e = each_begin(s, vectors);
  LLVMValueRef first =
      LLVMBuildMul(s->b, e.sg, mt_const_i32(s, s->lanes), "");
  first = LLVMBuildAdd(s->b, from, first, "");
  note_first(s, g, first);
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  LLVMAddCallSiteAttribute(call_region(s, g, 0, first, true),
                           (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute(s->context, kind, 0));
  each_end(s, e, vectors);
  LLVMBuildBr(s->b, over);
  LLVMPositionBuilderAtEnd(s->b, over);
}

/* The vector at thread 'first', of which only some lanes are in the grid, if
** there are 'any' of them. */
static void run_end(mt_Spmd *s, Group *g, LLVMValueRef first, LLVMValueRef note,
                    LLVMValueRef any) {
  LLVMBasicBlockRef over;
  if_any(s, any, &over);
  note_first(s, g, note);
  call_region(s, g, 0, first, false);
  LLVMBuildBr(s->b, over);
  LLVMPositionBuilderAtEnd(s->b, over);
}

/* A piece of a row (grid_rows.c): first the vectors of which all lanes are in
** the grid, in a loop of their own, out of which the addresses of rows and all
** else that is the same for the whole row can be hoisted; then the rest, unless
** it is known that there is none. */
static void run_row(mt_Spmd *s, Group *g) {
  LLVMValueRef lanes = mt_const_i32(s, s->lanes), zero = mt_const_i32(s, 0);
  LLVMValueRef threads =
      mt_group_field(s, offsetof(mt_Group, actual), s->i32);
  LLVMValueRef from = zero, shift = zero, left = threads;
  if (s->geometry->shifted) {
    s->sg = zero;
    shift = mt_row_shift(s, threads);
    from = LLVMBuildSub(s->b, lanes, shift, "");
    from = LLVMBuildURem(s->b, from, lanes, "");
    LLVMValueRef args[2] = {threads, from};
    left = mt_intrinsic(s, "llvm.usub.sat", &s->i32, 1, args, 2);
  }
  LLVMValueRef whole = LLVMBuildUDiv(s->b, left, lanes, "");
  LLVMValueRef rest = LLVMBuildURem(s->b, left, lanes, "");
  if (s->geometry->shifted)
    run_end(s, g, LLVMBuildNeg(s->b, shift, ""), zero, shift);
  run_whole(s, g, from, whole);
  LLVMValueRef last = LLVMBuildMul(s->b, whole, lanes, "");
  last = LLVMBuildAdd(s->b, from, last, "");
  if (!s->geometry->whole) run_end(s, g, last, last, rest);
  LLVMBuildRetVoid(s->b);
}

static LLVMValueRef group_function(mt_Spmd *s, Group *g) {
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(s->context), &s->ptr, 1, 0);
  s->fn = LLVMAddFunction(s->module, "mt_spmd_group", type);
  LLVMPositionBuilderAtEnd(s->b, mt_new_block(s, "entry"));
  g->group = LLVMGetParam(s->fn, 0);
  g->simdgroups = mt_geometry_simdgroups(s, g->group);
  if (g->regions > 1) {
    run_regions(s, g);
  } else if (s->by_rows) {
    run_row(s, g);
  } else {
    Each e = each_begin(s, g->simdgroups);
    call_region(s, g, 0, e.sg, false);
    each_end(s, e, g->simdgroups);
    LLVMBuildRetVoid(s->b);
  }
  return s->fn;
}

static void all_regions(mt_Spmd *s, Group *g) {
  LLVMTypeRef args[4] = {s->ptr, s->i32, s->ptr, s->i1};
  g->region_type = LLVMFunctionType(s->i32, args, 4, 0);
  g->region = mt_new(s, (size_t)s->blocks + 1, sizeof *g->region);
  g->region[g->regions++] = region(s, g->region_type, 0, g->frame);
  for (int i = 0; i < s->blocks && s->status == MT_OK; i++)
    if (s->block[i].barrier)
      g->region[g->regions++] =
          region(s, g->region_type, s->block[i].succ[0], g->frame);
}

mt_Status mt_regions_build(mt_Spmd *s, LLVMValueRef *out, size_t *spill_bytes) {
  Group g = {0};
  const uint32_t *n = s->geometry->size;
  size_t simdgroups =
      ((size_t)n[0] * n[1] * n[2] + (size_t)s->lanes - 1) / (size_t)s->lanes;
  size_t arena = lanes_bytes(s) + s->shared_bytes;
  if (s->barriers) {
    find_live(s);
    lay_out_frame(s);
    g.frame = s->spill_bytes;
  }
  if (arena && (s->barriers || arena > ARENA_MAX))
    g.frame = s->spill_bytes + round_up(arena, 128);
  all_regions(s, &g);
  if (s->status == MT_OK) *out = group_function(s, &g);
  *spill_bytes = g.frame * simdgroups;
  mt_drop(s, g.region);
  return s->status;
}
