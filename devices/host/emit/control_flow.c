/*
** control_flow.c - control flow for 32 lanes.
**
** The one idea: every block is generated twice. In the full version all lanes
** are active: no masks, and a divergent branch tests whether all lanes or none
** take it and stays in the full version if so. Otherwise it moves to the masked
** version, where blocks run one after the other in the order of analyse/cfg.c,
** each for the lanes in its mask: a branch adds lanes to the masks of its
** successors, a phi is selected by the edge's lanes, a loop runs until its
** header's mask is empty. Where all lanes have reconverged it returns to the
** full version. A block that lanes only reach together has no masked version;
** and in a kernel with many branches, lanes that do not reconverge have a
** masked version of their own (barrier_regions.c). All versions keep values in
** the same slots (vector/values.c), so a change of version is just a jump.
*/
#include <stdlib.h>

#include "devices/host/emit/emit.h"
#include "devices/host/plan/plan.h"
#include "devices/host/region/region.h"
#include "devices/host/strategy/strategy.h"

/* The masked version that is generated, and the full one's code. */
static mt_MaskedCode *code(const mt_Spmd *s) { return mt_emit_state(s)->m; }
static LLVMBasicBlockRef *full_at(const mt_Spmd *s) {
  return mt_emit_state(s)->full_at;
}

static void choose_version(mt_Spmd *s, int masked) {
  mt_emit_state(s)->m = &mt_emit_state(s)->masked[masked];
}

static void start_version(mt_Spmd *s, int masked) {
  size_t n = (size_t)s->blocks + 1, loops = (size_t)s->loops + 1;
  mt_MaskedCode *m = &mt_emit_state(s)->masked[masked];
  m->partial = s->masked[masked].partial, m->passed = s->masked[masked].passed;
  m->guard_at = mt_new(s, n, sizeof *m->guard_at);
  m->at = mt_new(s, n, sizeof *m->at);
  m->slot = mt_new(s, n, sizeof *m->slot);
  m->end_at = mt_new(s, loops, sizeof *m->end_at);
  m->few_at = mt_new(s, loops, sizeof *m->few_at);
}

void mt_emit_start(mt_Spmd *s) {
  mt_EmitState *own = mt_emit_state(s);
  own->full_at = mt_new(s, (size_t)s->blocks + 1, sizeof *own->full_at);
  for (int i = 0; i < 2; i++) start_version(s, i);
  choose_version(s, 0);
}

/* ------------------------------------------------------------------- masks */

/* Masks are stored as suits the CPU: bits with mask registers, else words. */
static LLVMTypeRef slot_type(mt_Spmd *s) {
  return s->cost->masks ? s->v_i1 : s->v_i32;
}

static LLVMValueRef load_mask(mt_Spmd *s, int block) {
  LLVMValueRef m =
      LLVMBuildLoad2(s->b, slot_type(s), code(s)->slot[block], "");
  if (s->cost->masks) return m;
  return LLVMBuildICmp(s->b, LLVMIntNE, m, LLVMConstNull(s->v_i32), "");
}

static void store_mask(mt_Spmd *s, int block, LLVMValueRef m) {
  if (!s->cost->masks) m = LLVMBuildSExt(s->b, m, s->v_i32, "");
  LLVMBuildStore(s->b, m, code(s)->slot[block]);
}

/* A block that all lanes reach together has no mask. */
static void add_lanes(mt_Spmd *s, int block, LLVMValueRef m) {
  if (!code(s)->slot[block]) return;
  store_mask(s, block, LLVMBuildOr(s->b, load_mask(s, block), m, ""));
}

void mt_mask_add(mt_Spmd *s, int block, LLVMValueRef lane) {
  LLVMValueRef n = LLVMBuildIntCast2(s->b, lane, s->bits, 0, "");
  n = LLVMBuildShl(s->b, LLVMConstInt(s->bits, 1, 0), n, "");
  add_lanes(s, block, LLVMBuildBitCast(s->b, n, s->v_i1, ""));
}

static void clear_masks(mt_Spmd *s, int loop) {
  for (int i = 0; i < s->blocks; i++)
    if (code(s)->slot[i] && (loop < 0 || mt_cfg_in_loop(s, i, loop)))
      LLVMBuildStore(s->b, LLVMConstNull(slot_type(s)), code(s)->slot[i]);
}

static bool has_mask(const mt_Spmd *s, int place) {
  int block = s->order[place];
  return code(s)->slot[block] || !code(s)->guard_at[block];
}

/* The same for all blocks that lanes may reach if they diverge after 'block',
** up to where blocks have no mask. */
static void clear_masks_near(mt_Spmd *s, int block) {
  int first = s->block[block].place, last = first + 1;
  if (!has_mask(s, first)) first++;
  while (first > 0 && first < last && has_mask(s, first - 1)) first--;
  while (last < s->blocks && has_mask(s, last)) last++;
  for (int at = first; at < last; at++)
    if (code(s)->slot[s->order[at]])
      LLVMBuildStore(s->b, LLVMConstNull(slot_type(s)),
                     code(s)->slot[s->order[at]]);
}

/* ------------------------------------------------------------------ labels */

/* The code that follows 'place' in the order, seen from inside 'loop'. */
static LLVMBasicBlockRef after(mt_Spmd *s, int place, int loop) {
  for (;;) {
    while (loop >= 0 && place == s->loop[loop].last) {
      if (code(s)->end_at[loop]) return code(s)->end_at[loop];
      loop = s->loop[loop].parent;
    }
    if (++place >= s->blocks) return mt_emit_state(s)->leave;
    int next = s->order[place];
    if (code(s)->guard_at[next]) return code(s)->guard_at[next];
    loop = s->block[next].loop;
  }
}

static LLVMBasicBlockRef after_block(mt_Spmd *s, int block) {
  return after(s, s->block[block].place, s->block[block].loop);
}

static bool is_header(const mt_Spmd *s, int block) {
  return mt_cfg_header_of(s, block) >= 0;
}

/* Where to go if no lane is in 'block': past all blocks that it dominates. */
static LLVMBasicBlockRef past(mt_Spmd *s, int block) {
  int loop = s->block[block].loop, place = s->block[block].place;
  if (is_header(s, block)) loop = s->loop[loop].parent;
  int end = loop < 0 ? s->blocks - 1 : s->loop[loop].last;
  while (place < end && mt_cfg_dominates(s, block, s->order[place + 1]))
    place++;
  return after(s, place, loop);
}

/* ------------------------------------------------------------------- edges */

/* The incoming value of a phi on one edge. */
typedef struct Given {
  mt_Part *phi;
  LLVMValueRef base, term[MT_MAX_TERMS], vector;
} Given;

typedef struct Edge {
  Given *given;
  size_t count;
} Edge;

static bool wants_vector(const mt_Part *p) {
  return p->shape->kind == MT_SHAPE_VARYING || p->shape->address_only;
}

static void give_linear(mt_Spmd *s, Given *g, LLVMValueRef x, unsigned part) {
  if (mt_value(s, x)) {
    mt_Part *from = mt_affine(s, x, part);
    g->base = from->base;
    for (unsigned t = 0; t < g->phi->shape->terms; t++)
      g->term[t] = from->term[t];
    return;
  }
  g->base = mt_uniform(s, x, part);
  LLVMTypeRef t = LLVMGetTypeKind(g->phi->type) == LLVMPointerTypeKind
                      ? s->i64 : g->phi->type;
  for (unsigned j = 0; j < g->phi->shape->terms; j++)
    g->term[j] = LLVMConstNull(t); /* undef: any value is right */
}

static void give(mt_Spmd *s, Given *g, mt_Part *phi, LLVMValueRef x,
                 unsigned part) {
  *g = (Given){.phi = phi};
  if (phi->shape->kind != MT_SHAPE_VARYING) give_linear(s, g, x, part);
  if (wants_vector(phi)) g->vector = mt_vector(s, x, part);
}

/* Is part 'p' of 'x' already where the phi's is: in the frame, at the same
** place? */
static bool is_there(mt_Spmd *s, const mt_Value *phi, LLVMValueRef x,
                     unsigned p) {
  const mt_Value *v = phi->part[p].in_frame ? mt_value(s, x) : NULL;
  if (!v || !v->spilled || v->spill != phi->spill) return false;
  return v->part[p].in_frame || mt_is_undisturbed(s, v, phi);
}

/* Read the incoming values of the phis of 'to' before any phi is written. */
static Edge read_edge(mt_Spmd *s, int from, int to) {
  Edge e = {NULL, 0};
  const mt_CfgBlock *k = &s->block[to];
  if (is_header(s, to) && !mt_cfg_in_loop(s, from, k->loop))
    mt_row_buffers_enter(s, k->loop);
  /* a barrier splits a basic block: no phis */
  if (s->block[from].barrier) return e;
  for (LLVMValueRef i = k->first; i != k->end && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    mt_Value *v = mt_value(s, i);
    LLVMValueRef x = NULL;
    for (unsigned n = 0; n < LLVMCountIncoming(i) && !x; n++)
      if (LLVMGetIncomingBlock(i, n) == s->block[from].of)
        x = LLVMGetIncomingValue(i, n);
    e.given = mt_arena_grow(&s->working, e.given, e.count + v->parts,
                            sizeof *e.given);
    for (unsigned p = 0; p < v->parts; p++)
      if (!is_there(s, v, x, p))
        give(s, &e.given[e.count++], &v->part[p], x, p);
  }
  return e;
}

static void put(mt_Spmd *s, LLVMValueRef x, LLVMValueRef slot,
                LLVMValueRef when) {
  if (when) {
    LLVMValueRef old = LLVMBuildLoad2(s->b, LLVMTypeOf(x), slot, "");
    x = LLVMBuildSelect(s->b, when, x, old, "");
  }
  LLVMBuildStore(s->b, x, slot);
}

/* Write the phis for the lanes of 'mask'; NULL: all. 'maybe': the mask may be
** empty. */
static void write_edge(mt_Spmd *s, Edge *e, LLVMValueRef mask, bool maybe) {
  LLVMValueRef any = maybe && e->count ? mt_mask_any(s, mask) : NULL;
  for (size_t i = 0; i < e->count; i++) {
    Given *g = &e->given[i];
    if (g->phi->shape->kind != MT_SHAPE_VARYING)
      put(s, g->base, g->phi->slot_base, any);
    for (unsigned t = 0; t < g->phi->shape->terms; t++)
      put(s, g->term[t], g->phi->slot_term[t], any);
    if (g->vector) put(s, g->vector, g->phi->slot_vector, mask);
  }
  mt_drop(s, e->given);
  e->given = NULL, e->count = 0;
}

static void forget(mt_Spmd *s, LLVMValueRef slot) {
  LLVMBuildStore(s->b, LLVMGetPoison(LLVMGetAllocatedType(slot)), slot);
}

static void forget_part(mt_Spmd *s, const mt_Part *p) {
  if (p->shape->kind == MT_SHAPE_TOP) return;
  if (p->shape->kind != MT_SHAPE_VARYING && !p->shape->constant)
    forget(s, p->slot_base);
  for (unsigned t = 0; t < p->shape->terms; t++) forget(s, p->slot_term[t]);
  if (wants_vector(p)) forget(s, p->slot_vector);
}

/* An edge writes a phi for its lanes and keeps the slot's value for the others.
** Unless that value is known to be poison at the start, LLVM carries the one of
** the last iteration through every block of the loop: in a long loop, as many
** phis as it has phis times blocks. */
static void forget_phis(mt_Spmd *s, int block) {
  for (int i = 0; i < s->blocks; i++) {
    const mt_CfgBlock *k = &s->block[i];
    if (k->fresh != block || !s->inside[i]) continue;
    for (LLVMValueRef v = k->first; v != k->end && LLVMIsAPHINode(v);
         v = LLVMGetNextInstruction(v)) {
      mt_Value *phi = mt_value(s, v);
      for (unsigned p = 0; p < phi->parts; p++)
        if (!phi->part[p].in_frame) forget_part(s, &phi->part[p]);
    }
  }
}

/* ------------------------------------------------------------ full version */

static LLVMValueRef branch_vector(mt_Spmd *s, int block) {
  LLVMValueRef c = mt_vector(s, s->block[block].condition, 0);
  return LLVMBuildFreeze(s->b, c, "");
}

static LLVMValueRef branch_scalar(mt_Spmd *s, int block) {
  LLVMValueRef c = mt_uniform(s, s->block[block].condition, 0);
  return LLVMBuildFreeze(s->b, c, "");
}

static LLVMBasicBlockRef full_edge(mt_Spmd *s, Edge *e, int to) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->b), at = mt_new_block(s, "");
  LLVMPositionBuilderAtEnd(s->b, at);
  for (size_t i = 0; i < e->count; i++) {
    Given *g = &e->given[i];
    if (g->phi->shape->kind != MT_SHAPE_VARYING)
      put(s, g->base, g->phi->slot_base, NULL);
    for (unsigned t = 0; t < g->phi->shape->terms; t++)
      put(s, g->term[t], g->phi->slot_term[t], NULL);
    if (g->vector) put(s, g->vector, g->phi->slot_vector, NULL);
  }
  LLVMBuildBr(s->b, full_at(s)[to]);
  LLVMPositionBuilderAtEnd(s->b, here);
  return at;
}

/* The lanes diverge: continue in the masked version. */
static LLVMBasicBlockRef part_ways(mt_Spmd *s, int block, LLVMValueRef c,
                                   Edge *e) {
  const mt_CfgBlock *k = &s->block[block];
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->b), at = mt_new_block(s, "");
  LLVMPositionBuilderAtEnd(s->b, at);
  if (s->twofold) choose_version(s, !mt_cfg_reconverges(s, k));
  clear_masks_near(s, block);
  LLVMValueRef lanes[2] = {c, LLVMBuildNot(s->b, c, "")};
  for (int i = 0; i < 2; i++) {
    write_edge(s, &e[i], lanes[i], false);
    add_lanes(s, k->succ[i], lanes[i]);
  }
  LLVMBuildBr(s->b, after_block(s, block));
  LLVMPositionBuilderAtEnd(s->b, here);
  return at;
}

static void full_branch(mt_Spmd *s, int block) {
  const mt_CfgBlock *k = &s->block[block];
  Edge e[2] = {read_edge(s, block, k->succ[0]),
               read_edge(s, block, k->succ[1])};
  if (!k->divergent) {
    LLVMValueRef c = branch_scalar(s, block);
    LLVMBasicBlockRef yes = full_edge(s, &e[0], k->succ[0]);
    LLVMBasicBlockRef no = full_edge(s, &e[1], k->succ[1]);
    LLVMBuildCondBr(s->b, c, yes, no);
    mt_drop(s, e[0].given), mt_drop(s, e[1].given);
    return;
  }
  LLVMBasicBlockRef yes = full_edge(s, &e[0], k->succ[0]);
  LLVMBasicBlockRef no = full_edge(s, &e[1], k->succ[1]);
  for (int i = 0; i < 2; i++) { /* test scalars first: they mostly decide */
    if (!k->tested[i == 0]) continue;
    LLVMValueRef sure = mt_branch_uniform_test(s, block, i == 0);
    LLVMBasicBlockRef next = mt_new_block(s, "");
    LLVMBuildCondBr(s->b, sure, i == 0 ? yes : no, next);
    LLVMPositionBuilderAtEnd(s->b, next);
  }
  LLVMValueRef c = branch_vector(s, block);
  LLVMBasicBlockRef both = part_ways(s, block, c, e);
  LLVMBasicBlockRef rest = mt_new_block(s, "");
  LLVMBuildCondBr(s->b, mt_mask_all(s, c), yes, rest);
  LLVMPositionBuilderAtEnd(s->b, rest);
  LLVMBuildCondBr(s->b, mt_mask_any(s, c), both, no);
}

static void instructions(mt_Spmd *s, const mt_CfgBlock *k) {
  if (s->needs_masks) forget_phis(s, (int)(k - s->block));
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i))
    if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i)) mt_instr_emit(s, i);
}

static bool is_inner_loop(mt_Spmd *s, int block) {
  return is_header(s, block) && mt_is_inner_loop(s, s->block[block].loop);
}

static void full_inner_loop(mt_Spmd *s, int block) {
  int to = mt_inner_loop_emit(s, s->block[block].loop);
  Edge e = read_edge(s, block, to);
  write_edge(s, &e, NULL, false);
  LLVMBuildBr(s->b, full_at(s)[to]);
}

static void full_block_at(mt_Spmd *s, int block, LLVMBasicBlockRef at) {
  const mt_CfgBlock *k = &s->block[block];
  LLVMPositionBuilderAtEnd(s->b, at);
  s->making++, s->full = true, s->mask = s->all_on;
  instructions(s, k);
  if (k->barrier) {
    mt_region_wait(s, block);
  } else if (!k->succs) {
    LLVMBuildBr(s->b, mt_emit_state(s)->leave);
  } else if (k->succs == 1) {
    Edge e = read_edge(s, block, k->succ[0]);
    write_edge(s, &e, NULL, false);
    LLVMBuildBr(s->b, full_at(s)[k->succ[0]]);
  } else {
    full_branch(s, block);
  }
}

/* An inner loop begins with the test whether running it lane by lane pays; if
** not, it is generated like any other loop, with a back edge that skips the
** test. */
static void full_block(mt_Spmd *s, int block) {
  LLVMBasicBlockRef start = full_at(s)[block];
  if (!is_inner_loop(s, block)) {
    full_block_at(s, block, start);
    return;
  }
  LLVMPositionBuilderAtEnd(s->b, start);
  s->making++, s->full = true, s->mask = s->all_on;
  LLVMValueRef pays = mt_inner_loop_pays(s, s->block[block].loop);
  LLVMBasicBlockRef round = pays ? mt_new_block(s, "round") : NULL;
  if (pays) {
    LLVMBasicBlockRef inner = mt_new_block(s, "row");
    LLVMBuildCondBr(s->b, pays, inner, round);
    LLVMPositionBuilderAtEnd(s->b, inner);
    s->making++;
  }
  full_inner_loop(s, block);
  if (!pays) return;
  full_at(s)[block] = round;
  full_block_at(s, block, round);
  full_at(s)[block] = start;
}

/* ---------------------------------------------------------- masked version */

/* Where lanes enter a block; for a loop with a scalar tail, the test for few
** lanes. */
static LLVMBasicBlockRef way_in(mt_Spmd *s, int from, int to) {
  int l = s->block[to].loop;
  bool enters = is_header(s, to) && !(from >= 0 && mt_cfg_in_loop(s, from, l));
  return enters && code(s)->few_at[l] ? code(s)->few_at[l] : code(s)->at[to];
}

/* All active lanes go to 'to': directly, if no other lanes wait in between. */
static void go(mt_Spmd *s, int block, int to, Edge *e) {
  write_edge(s, e, s->mask, false);
  add_lanes(s, to, s->mask);
  LLVMBuildBr(s->b, mt_cfg_can_jump(s, block, to)
                        ? way_in(s, block, to) : after_block(s, block));
}

static void masked_branch(mt_Spmd *s, int block) {
  const mt_CfgBlock *k = &s->block[block];
  Edge e[2] = {read_edge(s, block, k->succ[0]),
               read_edge(s, block, k->succ[1])};
  if (k->divergent) {
    LLVMValueRef c = branch_vector(s, block);
    LLVMValueRef lanes[2] = {
        LLVMBuildAnd(s->b, s->mask, c, ""),
        LLVMBuildAnd(s->b, s->mask, LLVMBuildNot(s->b, c, ""), "")};
    for (int i = 0; i < 2; i++) {
      write_edge(s, &e[i], lanes[i], true);
      add_lanes(s, k->succ[i], lanes[i]);
    }
    LLVMBuildBr(s->b, after_block(s, block));
    return;
  }
  LLVMBasicBlockRef way[2] = {mt_new_block(s, ""), mt_new_block(s, "")};
  LLVMBuildCondBr(s->b, branch_scalar(s, block), way[0], way[1]);
  for (int i = 0; i < 2; i++) {
    LLVMPositionBuilderAtEnd(s->b, way[i]);
    go(s, block, k->succ[i], &e[i]);
  }
}

/* If all lanes are active again, return to the full version. */
static void try_full(mt_Spmd *s, int block) {
  LLVMBasicBlockRef stay = mt_new_block(s, "");
  LLVMBuildCondBr(s->b, mt_mask_all(s, s->mask), full_at(s)[block], stay);
  LLVMPositionBuilderAtEnd(s->b, stay);
}

static void guard_block(mt_Spmd *s, int block) {
  if (!code(s)->slot[block]) return;
  LLVMPositionBuilderAtEnd(s->b, code(s)->guard_at[block]);
  LLVMValueRef any = mt_mask_any(s, load_mask(s, block));
  LLVMBuildCondBr(s->b, any, way_in(s, -1, block), past(s, block));
}

static void masked_block(mt_Spmd *s, int block) {
  const mt_CfgBlock *k = &s->block[block];
  LLVMPositionBuilderAtEnd(s->b, code(s)->at[block]);
  s->making++, s->full = false, s->mask = load_mask(s, block);
  if (k->reconverges && s->needs_full &&
      code(s) != &mt_emit_state(s)->masked[1])
    try_full(s, block);
  if (is_header(s, block)) clear_masks(s, k->loop);
  if (is_inner_loop(s, block)) {
    int to = mt_inner_loop_emit(s, k->loop);
    Edge e = read_edge(s, block, to);
    go(s, block, to, &e);
    return;
  }
  instructions(s, k);
  if (k->barrier) {
    mt_region_wait(s, block);
  } else if (!k->succs) {
    LLVMBuildBr(s->b, after_block(s, block));
  } else if (k->succs == 1) {
    Edge e = read_edge(s, block, k->succ[0]);
    go(s, block, k->succ[0], &e);
  } else {
    masked_branch(s, block);
  }
}

/* Run the last lanes that stay in the loop one after the other. */
static void emit_scalar_tail(mt_Spmd *s, int l, int few) {
  int header = s->loop[l].header;
  LLVMBasicBlockRef tail = mt_new_block(s, "few");
  s->mask = load_mask(s, header);
  LLVMValueRef bits = mt_mask_bits(s, s->mask);
  LLVMValueRef count = mt_intrinsic(s, "llvm.ctpop", &s->bits, 1, &bits, 1);
  LLVMValueRef most = LLVMConstInt(s->bits, (unsigned long long)few, 0);
  LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntULE, count, most, ""), tail,
                  code(s)->at[header]);
  LLVMPositionBuilderAtEnd(s->b, tail);
  mt_scalar_tail_emit(s, l);
  store_mask(s, header, s->all_off);
}

static void loop_end(mt_Spmd *s, int l) {
  if (!code(s)->end_at[l]) return;
  int header = s->loop[l].header;
  int few = code(s)->few_at[l] ? s->loop[l].tail : 0;
  LLVMBasicBlockRef next = after(s, s->loop[l].last, s->loop[l].parent);
  LLVMBasicBlockRef more = few ? code(s)->few_at[l] : code(s)->at[header];
  LLVMPositionBuilderAtEnd(s->b, code(s)->end_at[l]);
  LLVMBuildCondBr(s->b, mt_mask_any(s, load_mask(s, header)), more, next);
  if (!few) return;
  LLVMPositionBuilderAtEnd(s->b, more);
  emit_scalar_tail(s, l, few);
  LLVMBuildBr(s->b, next);
}

/* ------------------------------------------------------------------ region */

/* In the version where lanes reconverge, a block without masked code is one
** that all lanes reach together: use its full code. */
static void make_label(mt_Spmd *s, mt_MaskedCode *m, int block) {
  m->slot[block] = NULL, m->guard_at[block] = m->at[block] = NULL;
  if (!s->inside[block]) return;
  if (m == &mt_emit_state(s)->masked[0])
    m->guard_at[block] = m->at[block] = full_at(s)[block];
  if (m->partial[block]) m->at[block] = mt_new_block(s, "masked");
  if (!m->partial[block] && !m->passed[block]) return;
  if (m == &mt_emit_state(s)->masked[1] && !m->partial[block]) return;
  m->guard_at[block] = mt_new_block(s, "guard");
  m->slot[block] = mt_entry_alloca(s, slot_type(s), 0);
}

static void make_labels(mt_Spmd *s, mt_MaskedCode *m) {
  for (int i = 0; i < s->blocks; i++) make_label(s, m, i);
  for (int l = 0; l < s->loops; l++) {
    int header = s->loop[l].header;
    bool masks = m->partial[header] && s->inside[header];
    m->end_at[l] = masks ? mt_new_block(s, "end") : NULL;
    m->few_at[l] =
        masks && s->loop[l].tail ? mt_new_block(s, "count") : NULL;
  }
}

void mt_control_flow_enter(mt_Spmd *s, int block, LLVMValueRef mask) {
  for (int i = 0; i < s->blocks; i++)
    full_at(s)[i] = s->needs_full && s->inside[i] ? mt_new_block(s, "full")
                                                  : NULL;
  for (int i = 0; i <= s->twofold; i++)
    make_labels(s, &mt_emit_state(s)->masked[i]);
  mt_row_buffers_make(s);
  choose_version(s, s->twofold);
  if (!code(s)->partial[block]) {
    LLVMBuildBr(s->b, full_at(s)[block]);
    return;
  }
  clear_masks(s, -1);
  store_mask(s, block, mask);
  if (!s->needs_full) {
    LLVMBuildBr(s->b, code(s)->guard_at[block]);
    return;
  }
  /* along rows the caller knows, so that LLVM drops the other version */
  LLVMValueRef all =
      s->by_rows ? LLVMGetParam(s->fn, 3) : mt_mask_all(s, mask);
  LLVMBuildCondBr(s->b, all, full_at(s)[block], code(s)->guard_at[block]);
}

static void masked_version(mt_Spmd *s, mt_MaskedCode *m) {
  mt_emit_state(s)->m = m;
  for (int i = 0; i < s->blocks && s->status == MT_OK; i++) {
    guard_block(s, s->order[i]);
    if (m->partial[s->order[i]] && s->inside[s->order[i]])
      masked_block(s, s->order[i]);
  }
  for (int l = 0; l < s->loops && s->status == MT_OK; l++) loop_end(s, l);
}

void mt_control_flow_emit(mt_Spmd *s) {
  choose_version(s, 0);
  for (int i = 0; i < s->blocks && s->status == MT_OK; i++)
    if (s->needs_full && s->inside[s->order[i]]) full_block(s, s->order[i]);
  for (int i = 0; i <= s->twofold; i++)
    masked_version(s, &mt_emit_state(s)->masked[i]);
}
