/*
** row_buffer.c - finds loops in which each lane walks along a row of its own.
**
** The one idea: in a[i * n + j] with j the loop's induction variable, a
** thread's next element lies next to this one, but the rows of adjacent lanes
** are far apart: 32 lanes touch 32 cache lines for one element each, and
** again in the next iteration. So the elements of several iterations are read
** at once, a line of each row, and transposed (run/transpose.c) into a buffer
** in which each iteration's elements are contiguous. That is legal where the
** address grows by the same few bytes in every iteration and nothing stores to
** what was read early; this file proves both.
*/
#include "devices/host/strategy/row_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"

/* of a row in a loop that all lanes leave together: four cache lines */
#define MAX_WORDS 64
/* Bytes in a loop that lanes leave in different iterations: often short, of
** rows that begin anywhere. */
#define SHORT 16
#define MIN_ITERATIONS 4 /* that one buffer has to serve, to pay for its call */
#define MIN_UNKNOWN 8    /* where SHORT is all that is read: bytes and halves */
/* varying phis of a loop: filling a buffer is a call that spills them */
#define MAX_CARRIED 8
#define MAX_BUFFERS 8 /* of a kernel */
/* iterations before the first fill, if the trip count is unknown */
#define WAIT 2

/* ----------------------------------------------------------------- the loop */

/* Nothing in the loop synchronises with other threads, or accesses memory other
** than by plain loads and stores. */
static bool is_quiet(mt_Spmd *s, int loop) {
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    if (!mt_cfg_computes(s, loop, &s->value[i])) continue;
    switch (LLVMGetInstructionOpcode(v)) {
      case LLVMAtomicRMW:
      case LLVMAtomicCmpXchg:
      case LLVMFence: return false;
      case LLVMLoad:
      case LLVMStore:
        if (LLVMGetVolatile(v) ||
            LLVMGetOrdering(v) != LLVMAtomicOrderingNotAtomic)
          return false;
        break;
      case LLVMCall:
        if (!mt_is_pure_intrinsic(mt_callee(v))) return false;
        break;
      default: break;
    }
  }
  return true;
}

/* 'block' dominates every latch: each iteration but the last executes it. */
static bool is_always(const mt_Spmd *s, int block, int loop) {
  const mt_CfgBlock *header = &s->block[s->loop[loop].header];
  for (int i = 0; i < header->preds; i++)
    if (mt_cfg_in_loop(s, header->pred[i], loop) &&
        !mt_cfg_dominates(s, block, header->pred[i]))
      return false;
  return true;
}

/* Varying phis of the header: they live in memory across every call. */
static int carried(mt_Spmd *s, int loop) {
  int n = 0;
  for (int i = 0; i < s->values; i++) {
    const mt_Value *v = &s->value[i];
    if (v->block != s->loop[loop].header || !LLVMIsAPHINode(v->of)) continue;
    for (unsigned p = 0; p < v->parts; p++)
      n += v->part[p].shape->kind == MT_SHAPE_VARYING;
  }
  return n;
}

/* ----------------------------------------------------------------- aliasing */

/* May 'store' write what the same lane loads by 'load' in a later iteration,
** 'step' bytes on? Through the very same pointer it may not, if it comes after
** the load and stores no more than a step. Other arguments are other buffers,
** if the launch's buffers do not overlap. */
static bool clash(mt_Spmd *s, LLVMValueRef load, LLVMValueRef store,
                  int64_t step) {
  LLVMValueRef p = LLVMGetOperand(load, 0), q = LLVMGetOperand(store, 1);
  mt_PointerSpace a = mt_address_space(s, p), b = mt_address_space(s, q);
  if (b == MT_POINTER_PRIVATE || b == MT_POINTER_SHARED) return false;
  if (a == MT_POINTER_UNKNOWN || b == MT_POINTER_UNKNOWN) return true;
  if ((a == MT_POINTER_THREADGROUP) != (b == MT_POINTER_THREADGROUP))
    return false;
  LLVMTypeRef stored = LLVMTypeOf(LLVMGetOperand(store, 0));
  if (p == q && (int64_t)mt_type_size(s, stored) > step) return true;
  if (p == q && mt_value(s, load)->block != mt_value(s, store)->block)
    return !mt_cfg_dominates(s, mt_value(s, load)->block,
                             mt_value(s, store)->block);
  if (p == q) /* values are in program order */
    return mt_value(s, load) > mt_value(s, store);
  return a == MT_POINTER_THREADGROUP || !mt_no_alias(s, p, q);
}

static bool clashes(mt_Spmd *s, LLVMValueRef load, int loop, int64_t step) {
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    if (mt_cfg_computes(s, loop, &s->value[i]) && LLVMIsAStoreInst(v) &&
        clash(s, load, v, step))
      return true;
  }
  return false;
}

/* The store may be delayed: no load in the loop reads what it writes meanwhile,
** and no other store writes there. */
static bool keeps_back(mt_Spmd *s, LLVMValueRef store, int loop, int64_t step) {
  LLVMValueRef p = LLVMGetOperand(store, 1);
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    if (v == store || !mt_cfg_computes(s, loop, &s->value[i])) continue;
    if (LLVMIsALoadInst(v) && clash(s, v, store, step)) return false;
    if (LLVMIsAStoreInst(v) && !mt_is_private(s, LLVMGetOperand(v, 1)) &&
        !mt_no_alias(s, p, LLVMGetOperand(v, 1)))
      return false;
  }
  return true;
}

/* -------------------------------------------------------- recognising loads */

/* Each part lies within a word, or consists of whole words. */
static bool can_cut(mt_Spmd *s, LLVMTypeRef t, int64_t by) {
  if (mt_type_parts(t) > MT_ROW_PARTS) return false;
  for (unsigned p = 0; p < mt_type_parts(t); p++) {
    LLVMTypeRef part = mt_type_part(t, p);
    if (LLVMGetTypeKind(part) == LLVMPointerTypeKind) return false;
    int64_t size = (int64_t)mt_type_size(s, part);
    int64_t unit = size > 4 ? 4 : size;
    if (size != 1 && size != 2 && size != 4 && size != 8) return false;
    if (by % unit || (int64_t)mt_type_offset(s, t, p) % unit) return false;
  }
  return true;
}

static bool same_address(const mt_Shape *h, int a, int b) {
  return h->offset[a] == h->offset[b] && mt_same_class(h, a, b);
}

/* Find the distinct addresses: lanes with the same address share one. */
static void find_places(const mt_Spmd *s, const mt_Shape *h, mt_RowBuffer *w) {
  w->count = 0;
  for (int l = 0; l < s->lanes; l++) {
    int n = 0;
    while (n < w->count &&
           (h->kind != MT_SHAPE_AFFINE || !same_address(h, l, w->lane[n])))
      n++;
    if (n == w->count) w->lane[w->count++] = l;
    w->place[l] = n;
  }
  w->room = (w->count + 15) / 16 * 16;
}

/* Choose how many words are moved at once, and so for how many iterations. */
static bool measure(mt_Spmd *s, mt_RowBuffer *w) {
  int64_t size = (int64_t)LLVMABISizeOfType(s->layout, w->type);
  bool divergent = s->loop[w->loop].divergent;
  int64_t rounds = mt_loop_trip_count(s, w->loop),
          bytes = divergent ? s->cost->cache_line : 4 * MAX_WORDS;
  if (carried(s, w->loop) > MAX_CARRIED) return false;
  w->anywhere = divergent && !rounds;
  if (w->anywhere) bytes = SHORT;
  w->wait = rounds || w->anywhere ? 0 : WAIT;
  if (rounds && rounds < MIN_ITERATIONS) return false;
  while (rounds && bytes > 16 && (rounds - 1) * w->step + size <= bytes / 2)
    bytes /= 2;
  w->words = (int)(bytes / 4);
  w->rounds = size > bytes ? 0 : (int)((bytes - size) / w->step + 1);
  return w->rounds >= (w->anywhere ? MIN_UNKNOWN : MIN_ITERATIONS);
}

/* The bytes that each lane's address advances per iteration, if it is in memory
** that threads share and the lanes are not contiguous already; else 0. */
static int64_t step_of_lanes(mt_Spmd *s, const mt_RowBuffer *w) {
  mt_PointerSpace space = mt_address_space(s, w->pointer);
  if (mt_is_private(s, w->pointer) || space == MT_POINTER_UNKNOWN) return 0;
  if (mt_part_kind(s, w->pointer, 0) == MT_SHAPE_UNIFORM ||
      mt_memory_is_runs(s, w->pointer, w->type))
    return 0;
  return mt_induction_step(s, w->loop, w->pointer, NULL);
}

int mt_distinct_addresses(mt_Spmd *s, LLVMValueRef pointer) {
  mt_RowBuffer w;
  find_places(s, mt_part_shape(s, pointer, 0), &w);
  return w.count;
}

/* -------------------------------------------------- recognising trip counts */

/* No branch in the loop diverges: all lanes stay together. */
static bool is_together(const mt_Spmd *s, int loop) {
  for (int i = 0; i < s->blocks; i++)
    if (mt_cfg_in_loop(s, i, loop) && s->block[i].divergent) return false;
  return true;
}

/* The loop counts up by one and has a single exit, where the induction variable
** reaches a loop-invariant end: so the iterations left are known. */
static bool find_end(mt_Spmd *s, mt_RowBuffer *w, int block) {
  int ways = 0;
  for (int i = 0; i < s->blocks; i++) {
    const mt_CfgBlock *k = &s->block[i];
    if (!mt_cfg_in_loop(s, i, w->loop)) continue;
    if (!k->succs) return false;
    bool in[2] = {mt_cfg_in_loop(s, k->succ[0], w->loop),
                  k->succs < 2 || mt_cfg_in_loop(s, k->succ[1], w->loop)};
    if (in[0] && in[1]) continue;
    LLVMValueRef c = k->condition;
    if (ways++ || !c || !LLVMIsAICmpInst(c) || k->loop != w->loop) return false;
    LLVMValueRef next = LLVMGetOperand(c, 0);
    w->end = LLVMGetOperand(c, 1);
    w->until = LLVMGetICmpPredicate(c);
    if (w->until == LLVMIntEQ && !in[0]) w->until = LLVMIntNE;
    else if (!in[0]) return false;
    if (!LLVMIsABinaryOperator(next) ||
        LLVMGetInstructionOpcode(next) != LLVMAdd ||
        !LLVMIsAConstantInt(LLVMGetOperand(next, 1)) ||
        LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1)) != 1)
      return false;
    w->counter = LLVMGetOperand(next, 0);
    if (!mt_value(s, w->counter) || !LLVMIsAPHINode(w->counter) ||
        mt_induction_step(s, w->loop, w->counter, NULL) != 1 ||
        mt_cfg_computes(s, w->loop, mt_value(s, w->end)) ||
        mt_part_kind(s, w->end, 0) != MT_SHAPE_UNIFORM ||
        mt_part_kind(s, w->counter, 0) != MT_SHAPE_UNIFORM)
      return false;
    if (!is_always(s, i, w->loop)) return false;
  }
  return ways == 1 && (w->until == LLVMIntNE || w->until == LLVMIntULT) &&
         mt_is_available(s, w->counter, block) &&
         mt_is_available(s, w->end, block);
}

/* -------------------------------------------------------------------- loads */

static bool look(mt_Spmd *s, LLVMValueRef load, mt_RowBuffer *w) {
  int block = mt_value(s, load)->block, loop = s->block[block].loop;
  *w = (mt_RowBuffer){
      .instr = load, .pointer = LLVMGetOperand(load, 0), .loop = loop};
  w->type = LLVMTypeOf(load);
  if (loop < 0 || !mt_value(s, w->pointer) || LLVMGetVolatile(load) ||
      mt_is_inner_loop(s, loop))
    return false;
  int64_t by = step_of_lanes(s, w);
  if (by <= 0 || by > s->cost->cache_line) return false;
  w->step = (int)by;
  if (!can_cut(s, w->type, by) || !measure(s, w)) return false;
  if (!is_always(s, block, loop) || !is_quiet(s, loop)) return false;
  find_places(s, mt_part_shape(s, w->pointer, 0), w);
  if (w->wait && is_together(s, loop) && find_end(s, w, block)) w->wait = 0;
  else w->end = NULL;
  return !clashes(s, load, loop, by);
}

/* ------------------------------------------------------------------- stores */

static bool is_of_words(mt_Spmd *s, LLVMTypeRef t) {
  for (unsigned p = 0; p < mt_type_parts(t); p++)
    if (mt_type_size(s, mt_type_part(t, p)) != 4) return false;
  return true;
}

static bool look_at_store(mt_Spmd *s, LLVMValueRef store, mt_RowBuffer *w) {
  int block = mt_value(s, store)->block, loop = s->block[block].loop;
  *w = (mt_RowBuffer){
      .instr = store, .pointer = LLVMGetOperand(store, 1), .loop = loop};
  w->type = LLVMTypeOf(LLVMGetOperand(store, 0));
  if (loop < 0 || !s->needs_full || !mt_value(s, w->pointer) ||
      mt_is_inner_loop(s, loop))
    return false;
  int64_t by = step_of_lanes(s, w);
  if (by <= 0 || by != (int64_t)mt_type_size(s, w->type)) return false;
  w->step = (int)by;
  if (!can_cut(s, w->type, by) || !is_of_words(s, w->type) || !measure(s, w) ||
      w->rounds * w->step != 4 * w->words)
    return false;
  if (!is_together(s, loop) || !is_always(s, block, loop) || !is_quiet(s, loop))
    return false;
  find_places(s, mt_part_shape(s, w->pointer, 0), w);
  return keeps_back(s, store, loop, by) && w->count == s->lanes &&
         w->room == w->count && find_end(s, w, block);
}

static bool look_at(mt_Spmd *s, LLVMValueRef i, mt_RowBuffer *w) {
  return (LLVMIsALoadInst(i) && look(s, i, w)) ||
         (LLVMIsAStoreInst(i) && look_at_store(s, i, w));
}

static void find(mt_Spmd *s) {
  mt_StrategyState *own = mt_strategy_state(s);
  own->row_buffers = 0;
  own->row_buffer = mt_new(s, MAX_BUFFERS, sizeof *own->row_buffer);
  for (int i = 0; i < s->values && own->row_buffers < MAX_BUFFERS; i++)
    if (s->value[i].block >= 0 &&
        look_at(s, s->value[i].of, &own->row_buffer[own->row_buffers]))
      own->row_buffers++;
}

mt_RowBuffer *mt_row_buffer(mt_Spmd *s, LLVMValueRef instr) {
  const mt_StrategyState *own = mt_strategy_state(s);
  if (!own->row_buffer && s->loops) find(s);
  for (int i = 0; i < own->row_buffers; i++)
    if (own->row_buffer[i].instr == instr) return &own->row_buffer[i];
  return NULL;
}

int mt_row_buffer_rows(mt_Spmd *s) {
  const mt_StrategyState *own = mt_strategy_state(s);
  int most = 0;
  mt_row_buffer(s, NULL);
  for (int i = 0; i < own->row_buffers; i++)
    if (own->row_buffer[i].count > most) most = own->row_buffer[i].count;
  return most;
}

/* A row buffer serves loads in both versions, unless a test of scalars shows at
** run time that the lanes are contiguous. */
static bool choose(mt_Spmd *s, LLVMValueRef i, mt_AccessPlan *plan) {
  if (!mt_row_buffer(s, i)) return false;
  plan->how = MT_ACCESS_ROW_BUFFER;
  if (LLVMIsAStoreInst(i)) return s->full;
  mt_LaneAccess first = mt_access_of(s, i, 0);
  return !mt_access_choose_test(s, &first, false).run;
}

static void load(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  (void)plan;
  mt_row_buffer_load(s, mt_row_buffer(s, i));
}

static void store(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  (void)plan;
  mt_row_buffer_store(s, mt_row_buffer(s, i));
}

const mt_Strategy mt_strategy_row_buffer = {choose, load, store};
