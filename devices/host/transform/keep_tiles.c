/*
** keep_tiles.c - tiles in threadgroup memory that are filled for all iterations
** of a loop at once, and kept for the next threadgroups.
**
**   for (first = 0; first < k; first += 32) {
**     a[y][x] = …; b[y][x] = …;  barrier();  sum += … a … b …;  barrier();
**   }
**
** The one idea: what tile 'b' gets depends on the group's x alone, as in every
** product of matrices, so that all groups of a column fill it with the same
** numbers. And a core has no use for the barriers: it has memory for the tiles
** of many iterations. So each tile gets a slot for each iteration, and the loop
** becomes
**
**   if (!kept(b)) for (first …) b[n][y][x] = …;       the same for a
**   barrier();
**   for (first …) sum += … a[n] … b[n] …;
**
** Sums stay in registers from the first iteration to the last, and tiles are
** read again and again from the second-level cache, in the order in which they
** lie there. run/kept_tiles.c says what is kept: it knows the coordinates on
** which a tile depends (tile_keys.c). Where there are more iterations than
** slots, an outer loop goes over them in pieces, and nothing is kept.
**
** An element that an iteration does not write has the value that an earlier one
** wrote, but in its slot it has none. So every iteration has to write the same
** elements: the address of each store stays the same, and so do the threads
** that reach it. Nothing else may pass between threads in the loop.
*/
#include "devices/host/transform/keep_tiles.h"

#include "base/align.h"
#include "devices/compiler/ir/ir.h"

/* instructions of an iteration before its barrier: each tile has a copy */
#define MAX_COPIED 512

static uint64_t size_of(const mt_KeptLoop *k, LLVMValueRef variable) {
  return LLVMABISizeOfType(k->w.s->layout, LLVMGlobalGetValueType(variable));
}

/* The tile that an access of the loop is to, before the loop is changed. */
mt_SlotTile *mt_slot_tile(mt_KeptLoop *k, LLVMValueRef access, unsigned at) {
  LLVMValueRef of = mt_underlying_object(LLVMGetOperand(access, at));
  for (int i = 0; i < k->tiles; i++) {
    mt_SlotTile *t = &k->tile[i];
    if (t->variable != of) continue;
    mt_TileRange r = mt_tile_range(&k->w, access, at, size_of(k, of));
    if (r.from < t->range.to && r.to > t->range.from) return t;
  }
  return NULL;
}

bool mt_is_slot_tile(const mt_KeptLoop *k, LLVMValueRef pointer) {
  LLVMValueRef of = mt_underlying_object(pointer);
  bool is = false;
  for (int i = 0; i < k->tiles; i++) is |= k->tile[i].variable == of;
  return is;
}

/* Every use of the variable is a load or store of an element. */
static bool is_accessed_only(LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    unsigned at;
    if (LLVMIsAConstantExpr(user) && !LLVMGetFirstUse(user)) continue;
    if (!LLVMIsAInstruction(user)) return false;
    if (LLVMIsAGetElementPtrInst(user)) {
      if (LLVMGetOperand(user, 0) != v || !is_accessed_only(user)) return false;
      continue;
    }
    mt_Effect effect = mt_tile_effect(user, &at);
    if ((effect != MT_READS && effect != MT_WRITES) ||
        LLVMGetOperand(user, at) != v ||
        (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v))
      return false;
  }
  return true;
}

/* A store before the barrier that writes the same elements in each iteration:
** its key goes into the tile's. */
static bool add_store(mt_KeptLoop *k, mt_SlotTile *t, LLVMValueRef v,
                      int block) {
  mt_TileLoop *w = &k->w;
  if (!LLVMIsAStoreInst(v) || !mt_tile_is_before(w, block) ||
      !mt_tile_invariant(w, LLVMGetOperand(v, 1), 0) ||
      !mt_tile_always_by_the_same(w, block))
    return false;
  t->key |= (mt_tile_key(w, LLVMGetOperand(v, 0)) |
             mt_tile_key(w, LLVMGetOperand(v, 1))) & ~MT_KEY_PLACE;
  return true;
}

/* An access outside the loop: a store may not come before it. */
static bool add_outside(mt_KeptLoop *k, LLVMValueRef pointer, int block,
                        bool writes) {
  LLVMValueRef of = mt_underlying_object(pointer);
  for (int i = 0; i < k->tiles && !writes; i++)
    if (k->tile[i].variable == of) k->tile[i].read_later = true;
  return !writes ||
         !mt_tile_leads(&k->w, block, k->w.s->loop[k->w.loop].header);
}

static bool add_access(mt_KeptLoop *k, LLVMValueRef v, int block) {
  unsigned at;
  mt_Effect effect = mt_tile_effect(v, &at);
  bool inside = mt_cfg_in_loop(k->w.s, block, k->w.loop);
  if (!effect) return true;
  if (effect == MT_DOES_ANYTHING) return !inside;
  LLVMValueRef pointer = LLVMGetOperand(v, at);
  mt_PointerSpace space = mt_address_space(k->w.s, pointer);
  if (mt_is_slot_tile(k, pointer) && !inside)
    return add_outside(k, pointer, block, effect == MT_WRITES);
  mt_SlotTile *t = mt_is_slot_tile(k, pointer) ? mt_slot_tile(k, v, at) : NULL;
  if (t && effect == MT_WRITES) return add_store(k, t, v, block);
  if (mt_is_slot_tile(k, pointer)) return mt_tile_is_after(&k->w, block);
  if (!inside || space == MT_POINTER_PRIVATE || space == MT_POINTER_SHARED)
    return true;
  return effect == MT_READS &&
         (space == MT_POINTER_DEVICE || space == MT_POINTER_CONSTANT);
}

static bool add_tile(mt_KeptLoop *k, LLVMValueRef variable, mt_TileRange r) {
  for (int i = k->tiles; i-- > 0;) {
    mt_SlotTile *t = &k->tile[i];
    if (t->variable != variable || r.from >= t->range.to ||
        r.to <= t->range.from)
      continue;
    if (t->range.from < r.from) r.from = t->range.from;
    if (t->range.to > r.to) r.to = t->range.to;
    *t = k->tile[--k->tiles];
  }
  if (k->tiles == MT_TILES) return false;
  k->tile[k->tiles++] = (mt_SlotTile){.variable = variable, .range = r};
  return true;
}

/* The threadgroup variables that the loop stores to, or parts of them: accesses
** that overlap are to the same tile. */
static bool find_tiles(mt_KeptLoop *k) {
  mt_Spmd *s = k->w.s;
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    unsigned at;
    if (s->value[i].block < 0 ||
        !mt_cfg_in_loop(s, s->value[i].block, k->w.loop))
      continue;
    mt_Effect effect = mt_tile_effect(v, &at);
    if (effect != MT_READS && effect != MT_WRITES) continue;
    LLVMValueRef g = mt_underlying_object(LLVMGetOperand(v, at));
    if (!LLVMIsAGlobalVariable(g) || !mt_is_threadgroup(g)) continue;
    if (!is_accessed_only(g) ||
        !add_tile(k, g, mt_tile_range(&k->w, v, at, size_of(k, g))))
      return false;
  }
  for (int i = 0; i < k->tiles; i++) {
    mt_SlotTile *t = &k->tile[i];
    t->base = t->range.from / 128 * 128;
    t->size = (int64_t)mt_align_up(t->range.to - t->base, 128);
  }
  return k->tiles > 0;
}

/* The first barrier of an iteration, which all others follow. */
static bool find_barrier(mt_TileLoop *w) {
  const mt_Spmd *s = w->s;
  w->wait = -1;
  for (int i = 0; i < s->blocks; i++)
    if (s->block[i].barrier && mt_cfg_in_loop(s, i, w->loop) &&
        (w->wait < 0 || mt_cfg_dominates(s, i, w->wait)))
      w->wait = i;
  for (int i = 0; i < s->blocks && w->wait >= 0; i++)
    if (s->block[i].barrier && mt_cfg_in_loop(s, i, w->loop) &&
        !mt_cfg_dominates(s, w->wait, i))
      return false;
  return w->wait >= 0 && s->block[w->wait].loop == w->loop;
}

/* A loop with one preheader, and one block that ends each iteration and the
** loop; its threads leave it together. */
static bool find_shape(mt_KeptLoop *k) {
  mt_Spmd *s = k->w.s;
  const mt_CfgLoop *l = &s->loop[k->w.loop];
  const mt_CfgBlock *header = &s->block[l->header];
  int latch = -1, before = -1;
  if (l->divergent || l->parent >= 0 || header->preds != 2) return false;
  for (int i = 0; i < 2; i++)
    *(mt_cfg_in_loop(s, header->pred[i], k->w.loop) ? &latch : &before) =
        header->pred[i];
  if (latch < 0 || before < 0 || s->block[before].succs != 1 ||
      s->block[latch].succs != 2)
    return false;
  for (int i = 0; i < s->blocks; i++)
    for (int n = 0; mt_cfg_in_loop(s, i, k->w.loop) && n < s->block[i].succs;
         n++)
      if (i != latch && !mt_cfg_in_loop(s, s->block[i].succ[n], k->w.loop))
        return false;
  const mt_CfgBlock *end = &s->block[latch];
  k->stays = end->succ[0] == l->header;
  if (end->succ[!k->stays] != l->header || !end->condition) return false;
  k->preheader = s->block[before].of, k->header = header->of;
  k->latch = end->of, k->exit = s->block[end->succ[k->stays]].of;
  k->condition = end->condition;
  return LLVMGetFirstInstruction(header->of) == header->first &&
         mt_cfg_dominates(s, k->w.wait, latch) &&
         mt_tile_key(&k->w, k->condition) == 0;
}

/* A phi of the header that is known without the rest of the loop. */
bool mt_is_stepped(mt_KeptLoop *k, LLVMValueRef phi, mt_Induction *out) {
  return !(mt_tile_key(&k->w, phi) & MT_KEY_ANY) &&
         mt_induction_find(phi, out);
}

/* Can it be computed where an iteration waits? A copy of it is there then, or
** it has operands for which that is so. */
static bool is_computable(const mt_KeptLoop *k, LLVMValueRef v) {
  const mt_Spmd *s = k->w.s;
  mt_Value *x = LLVMIsAInstruction(v) ? mt_value(k->w.s, v) : NULL;
  if (!x || !mt_cfg_in_loop(s, x->block, k->w.loop)) return true;
  if (mt_tile_is_before(&k->w, x->block))
    return mt_cfg_dominates(s, x->block, k->w.wait);
  for (int i = 0; i < LLVMGetNumOperands(v) && !LLVMIsAPHINode(v); i++)
    if (!is_computable(k, LLVMGetOperand(v, (unsigned)i))) return false;
  return !LLVMIsAPHINode(v);
}

static bool are_computable(mt_KeptLoop *k) {
  mt_Induction step;
  for (int i = 0; i < k->phis; i++)
    if (mt_is_stepped(k, k->phi[i], &step) && !is_computable(k, step.next))
      return false;
  return is_computable(k, k->condition);
}

/* What decides the way of an iteration up to its barrier must be known without
** the rest of the loop. */
static bool is_separate(mt_KeptLoop *k) {
  mt_Spmd *s = k->w.s;
  int copies = 0;
  for (int i = 0; i < s->blocks; i++) {
    if (!mt_tile_is_before(&k->w, i)) continue;
    if (s->block[i].succs == 2 &&
        mt_tile_key(&k->w, s->block[i].condition) & MT_KEY_ANY)
      return false;
    for (LLVMValueRef v = s->block[i].first; v && v != s->block[i].end;
         v = LLVMGetNextInstruction(v))
      copies++;
  }
  return copies <= MAX_COPIED;
}

static bool find_phis(mt_KeptLoop *k) {
  for (LLVMValueRef v = LLVMGetFirstInstruction(k->header);
       v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
    if (k->phis == MT_MAX_PHIS) return false;
    k->phi[k->phis++] = v;
    k->matrices |= mt_value(k->w.s, v)->rows;
  }
  return true;
}

/* Groups that follow each other have the same x or the same y: a tile that
** depends on both is never there again. */
static bool pays(const mt_KeptLoop *k) {
  for (int i = 0; i < k->tiles; i++)
    if (k->tile[i].key & MT_KEY_ANY || (k->tile[i].key & 3) == 3 ||
        k->tile[i].size > MT_KEPT_BYTES / MT_PANELS)
      return false;
  return true;
}

static bool suits(mt_KeptLoop *k) {
  mt_Spmd *s = k->w.s;
  if (!find_barrier(&k->w) || !find_shape(k) || !find_tiles(k) ||
      !is_separate(k) || !find_phis(k) || !are_computable(k))
    return false;
  for (int i = 0; i < s->values; i++)
    if (s->value[i].block >= 0 &&
        !add_access(k, s->value[i].of, s->value[i].block))
      return false;
  return pays(k);
}

static unsigned line_of(mt_KeptLoop *k, const mt_SlotTile *t) {
  mt_Spmd *s = k->w.s;
  for (int i = 0; i < s->values; i++)
    if (s->value[i].block >= 0 && LLVMIsAStoreInst(s->value[i].of) &&
        mt_is_slot_tile(k, LLVMGetOperand(s->value[i].of, 1)) &&
        mt_slot_tile(k, s->value[i].of, 1) == t)
      return LLVMGetDebugLocLine(s->value[i].of);
  return 0;
}

static void tell(mt_KeptLoop *k, mt_TransformFacts *facts) {
  facts->kept = k->tiles;
  for (int i = 0; i < k->tiles; i++) {
    const mt_SlotTile *t = &k->tile[i];
    facts->tile[i] = (mt_KeptTile){line_of(k, t), t->key};
    if (t->key & 1 && (uint64_t)t->size > facts->kept_bytes)
      facts->kept_bytes = (uint64_t)t->size;
  }
}

bool mt_keep_tiles(mt_Spmd *s, mt_TransformFacts *facts) {
  const uint32_t *n = s->geometry->size;
  if (s->probes || !s->noalias || !s->geometry->many ||
      n[0] * n[1] * n[2] <= (uint32_t)s->lanes)
    return false;
  bool *written = mt_tile_written(s);
  for (int l = 0; l < s->loops; l++) {
    mt_KeptLoop k = {.w = {.s = s, .loop = l, .written = written}};
    k.w.key = mt_new(s, (size_t)s->values, sizeof *k.w.key);
    if (!suits(&k)) continue;
    tell(&k, facts);
    k.waits = k.matrices && !mt_can_split_sums(s, k.header);
    mt_use_slots(&k);
    if (!k.matrices) mt_unroll_inner(&k);
    else if (!k.waits) mt_split_sums(s, k.header, k.turn, true, facts);
    return true;
  }
  return false;
}
