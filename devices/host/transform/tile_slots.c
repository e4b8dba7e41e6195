/*
** tile_slots.c - a loop that fills tiles, rewritten (keep_tiles.c): one loop
** for each tile that fills its slots, and a loop that reads them.
**
**   piece:   wait; for each tile: if it is not kept, fill its slots
**   turn:    wait
**   header:  an iteration, which reads slot n
**   latch:   leave, or on: to the header, to 'turn', or to the next piece
**
** A loop that fills a tile is a copy of an iteration up to its barrier, without
** the stores to other tiles. The loop that reads is the old one, without any.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/transform/keep_tiles.h"

/* iterations: at each turn, sums go to the frame and come back */
#define SUM_TURN 4
#define SLOTS_AHEAD 1 /* iterations that slots of a row are prefetched ahead */

LLVMBasicBlockRef mt_append_block(mt_KeptLoop *k, const char *name) {
  mt_Spmd *s = k->w.s;
  LLVMBasicBlockRef b =
      LLVMAppendBasicBlockInContext(s->context, s->old, name);
  LLVMPositionBuilderAtEnd(s->b, b);
  return b;
}

/* A value of the loop at the builder's position, computed again unless there is
** a copy of it. */
static LLVMValueRef again(mt_KeptLoop *k, LLVMValueRef v) {
  mt_Value *x = LLVMIsAInstruction(v) ? mt_value(k->w.s, v) : NULL;
  if (!x || !mt_cfg_in_loop(k->w.s, x->block, k->w.loop)) return v;
  LLVMValueRef c = mt_copy_of(&k->c, v);
  if (c) return c;
  for (int i = 0; i < LLVMGetNumOperands(v); i++)
    again(k, LLVMGetOperand(v, (unsigned)i));
  c = mt_clone_here(&k->c, v);
  mt_copy_pair(&k->c, v, c);
  return c;
}

/* --------------------------------------------------------------- the slots */

/* The same address in 'slots', whose chain begins with 'variable'. */
static LLVMValueRef moved(mt_KeptLoop *k, const mt_SlotTile *t,
                          LLVMValueRef pointer) {
  if (pointer == t->variable) return t->slots;
  LLVMValueRef to = moved(k, t, LLVMGetOperand(pointer, 0));
  LLVMValueRef c = LLVMInstructionClone(pointer);
  LLVMPositionBuilderBefore(k->w.s->b, LLVMGetNextInstruction(pointer));
  LLVMInsertIntoBuilder(k->w.s->b, c);
  LLVMSetOperand(c, 0, to);
  return c;
}

/* Let an access of the variable use the slot at 'offset'. */
static void use_slot(mt_KeptLoop *k, const mt_SlotTile *t, LLVMValueRef access,
                     LLVMValueRef offset) {
  mt_Spmd *s = k->w.s;
  unsigned at;
  mt_tile_effect(access, &at);
  LLVMValueRef to = moved(k, t, LLVMGetOperand(access, at));
  LLVMPositionBuilderBefore(s->b, access);
  LLVMSetOperand(access, at, LLVMBuildGEP2(s->b, s->i8, to, &offset, 1, ""));
}

/* From the variable's address in 'slots' to that of the slot. */
static LLVMValueRef slot_at(mt_KeptLoop *k, const mt_SlotTile *t,
                            LLVMValueRef n) {
  mt_Spmd *s = k->w.s;
  LLVMValueRef bytes =
      LLVMBuildMul(s->b, n, mt_const_i64(s, t->size), "");
  return LLVMBuildAdd(s->b, t->start, bytes, "");
}

static LLVMValueRef call(mt_KeptLoop *k, const char *name, LLVMTypeRef result,
                         LLVMValueRef *args, unsigned n) {
  return mt_build_call(k->w.s->module, k->w.s->b, name, result, args, n);
}

static LLVMValueRef make_slots(mt_KeptLoop *k, const mt_SlotTile *t) {
  mt_Spmd *s = k->w.s;
  LLVMTypeRef type = LLVMArrayType2(s->i8, MT_KEPT_BYTES);
  LLVMValueRef g = LLVMAddGlobal(s->module, type, "mt.slots");
  LLVMSetSection(g, LLVMGetSection(t->variable));
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetInitializer(g, LLVMGetUndef(type));
  LLVMSetAlignment(g, 128);
  return g;
}

/* ----------------------------------------------------------------- the loop */

static void build_barrier(mt_KeptLoop *k) {
  LLVMInsertIntoBuilder(k->w.s->b, LLVMInstructionClone(k->barrier));
}

/* In the order of generated code, dominators first. */
static int blocks_before(const mt_KeptLoop *k, LLVMBasicBlockRef *out) {
  const mt_Spmd *s = k->w.s;
  int n = 0;
  for (int i = 0; i < s->blocks; i++) {
    LLVMBasicBlockRef b = s->block[s->order[i]].of;
    bool seen = false;
    for (int o = 0; o < n; o++) seen |= out[o] == b;
    if (mt_tile_is_before(&k->w, s->order[i]) && !seen) out[n++] = b;
  }
  return n;
}

/* The end of an iteration of a loop that fills: the next values of the phis,
** and the branch back. */
static void end_filling(mt_KeptLoop *k, LLVMBasicBlockRef from,
                        LLVMBasicBlockRef end, LLVMBasicBlockRef then,
                        LLVMValueRef n, LLVMValueRef limit) {
  mt_Spmd *s = k->w.s;
  LLVMBasicBlockRef head = mt_block_copy(&k->c, k->header);
  LLVMPositionBuilderAtEnd(s->b, end);
  for (int i = 0; i < k->phis; i++) {
    mt_Induction step;
    LLVMValueRef p = mt_copy_of(&k->c, k->phi[i]);
    LLVMValueRef x = LLVMGetPoison(LLVMTypeOf(p));
    if (mt_is_stepped(k, k->phi[i], &step)) x = again(k, step.next);
    LLVMAddIncoming(p, &k->piece[i], &from, 1);
    LLVMAddIncoming(p, &x, &end, 1);
  }
  LLVMValueRef on = again(k, k->condition);
  if (!k->stays) on = LLVMBuildNot(s->b, on, "");
  LLVMValueRef zero = mt_const_i64(s, 0);
  LLVMValueRef next = LLVMBuildAdd(s->b, n, mt_const_i64(s, 1), "");
  LLVMAddIncoming(n, &zero, &from, 1);
  LLVMAddIncoming(n, &next, &end, 1);
  LLVMValueRef more = LLVMBuildICmp(s->b, LLVMIntNE, next, limit, "");
  LLVMBuildCondBr(s->b, LLVMBuildAnd(s->b, on, more, ""), head, then);
}

/* Fill the slots of one tile: iterations without what follows the barrier. */
static void fill(mt_KeptLoop *k, const mt_SlotTile *t, LLVMBasicBlockRef from,
                 LLVMBasicBlockRef then, LLVMValueRef limit) {
  mt_Spmd *s = k->w.s;
    k->c.copies = blocks_before(k, k->c.old);
  mt_copy_phis(&k->c, "mt.fill");
  LLVMBasicBlockRef end = mt_append_block(k, "mt.fill.end");
  LLVMPositionBuilderAtEnd(s->b, mt_block_copy(&k->c, k->header));
  LLVMValueRef n = LLVMBuildPhi(s->b, s->i64, "");
  mt_mark(n, MT_FILLS, 1);
  LLVMValueRef slot = slot_at(k, t, n);
  mt_copy_bodies(&k->c,
                 LLVMGetPreviousInstruction(s->block[k->w.wait].end), end);
  for (int i = 0; i < k->c.copies; i++)
    if (k->c.old[i] != k->header) mt_copy_incoming(&k->c, k->c.old[i], from);
  end_filling(k, from, end, then, n, limit);
  LLVMPositionBuilderAtEnd(s->b, from);
  LLVMBuildBr(s->b, mt_block_copy(&k->c, k->header));
  for (int i = 0; i < k->c.pairs; i++) {
    LLVMValueRef store = k->c.pair[i].from;
    if (!LLVMIsAStoreInst(store)) continue;
    /* to another tile, or to the thread's own memory */
    if (!mt_is_slot_tile(k, LLVMGetOperand(store, 1)) ||
        mt_slot_tile(k, store, 1) != t)
      LLVMInstructionEraseFromParent(k->c.pair[i].to);
    else
      use_slot(k, t, k->c.pair[i].to, slot);
  }
  mt_drop_detours(s, k->c.copy, k->c.copies);
}

/* The start of a piece: what is kept is known, the rest is filled. Returns the
** block where it is, without a branch. */
static LLVMBasicBlockRef start_piece(mt_KeptLoop *k, LLVMBasicBlockRef piece,
                                     LLVMValueRef *limit) {
  mt_Spmd *s = k->w.s;
  LLVMPositionBuilderAtEnd(s->b, piece);
  int64_t most = 0;
  for (int i = 0; i < k->tiles; i++)
    if (k->tile[i].size > most) most = k->tile[i].size;
  LLVMValueRef size = mt_const_i64(s, most);
  *limit = call(k, "mt.tile.slots", s->i64, &size, 1);
  LLVMBasicBlockRef at = piece;
  for (int i = 0; i < k->tiles; i++) {
    mt_SlotTile *t = &k->tile[i];
    LLVMPositionBuilderAtEnd(s->b, at);
    LLVMValueRef args[] = {mt_const_i32(s, i), mt_const_i32(s, t->key)};
    LLVMValueRef answer = call(k, "mt.tile.enter", s->i64, args, 2);
    LLVMValueRef one = mt_const_i64(s, 1);
    t->start = LLVMBuildSub(
        s->b, LLVMBuildAnd(s->b, answer, mt_const_i64(s, ~INT64_C(1)), ""),
        mt_const_i64(s, (int64_t)t->base), "");
    LLVMValueRef kept = LLVMBuildICmp(
        s->b, LLVMIntNE, LLVMBuildAnd(s->b, answer, one, ""),
        mt_const_i64(s, 0), "");
    LLVMBasicBlockRef filling = mt_append_block(k, "mt.fill.start");
    LLVMBasicBlockRef then = mt_append_block(k, "mt.filled");
    LLVMPositionBuilderAtEnd(s->b, at);
    LLVMBuildCondBr(s->b, kept, then, filling);
    fill(k, t, filling, then, *limit);
    at = then;
  }
  return at;
}

/* After the last iteration: tiles are kept if all slots are filled, and one
** that is read later gets what the last iteration left in it. */
static void end_loop(mt_KeptLoop *k, LLVMValueRef first, LLVMValueRef n) {
  mt_Spmd *s = k->w.s;
  bool later = false;
  LLVMValueRef count = LLVMBuildSelect(
      s->b, first, LLVMBuildAdd(s->b, n, mt_const_i64(s, 1), ""),
      mt_const_i64(s, 0), "");
  for (int i = 0; i < k->tiles; i++) {
    mt_SlotTile *t = &k->tile[i];
    LLVMValueRef args[] = {mt_const_i32(s, i), mt_const_i32(s, t->key), count};
    call(k, "mt.tile.keep", LLVMVoidTypeInContext(s->context), args, 3);
    if (!t->read_later) continue;
    LLVMValueRef last[] = {
        mt_const_i32(s, i), t->variable, t->slots,
        mt_const_i64(s, (int64_t)t->range.from),
        slot_at(k, t, n),
        mt_const_i64(s, (int64_t)(t->range.to - t->range.from))};
    call(k, "mt.tile.leave", LLVMVoidTypeInContext(s->context), last, 6);
    later = true;
  }
  if (later) build_barrier(k);
  LLVMBuildBr(s->b, k->exit);
}

/* The loop itself: loads from slots, no stores and no barriers; but where
** matrices are added up that cannot be split (split_sums.c), these stay: across
** a barrier sums are in the frame, as products want them (matrix_frame.c), and
** not in more registers than there are. */
static void change_loop(mt_KeptLoop *k, LLVMValueRef n) {
  mt_Spmd *s = k->w.s;
  LLVMValueRef slot[MT_TILES];
  LLVMValueRef v = n;
  while (LLVMIsAPHINode(v)) v = LLVMGetNextInstruction(v);
  LLVMPositionBuilderBefore(s->b, v);
  for (int i = 0; i < k->tiles; i++) slot[i] = slot_at(k, &k->tile[i], n);
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef of = s->value[i].of;
    unsigned at;
    if (s->value[i].block < 0 ||
        !mt_cfg_in_loop(s, s->value[i].block, k->w.loop))
      continue;
    if (LLVMIsAPHINode(of)) continue;
    if (mt_is_barrier(of)) {
      if (!k->waits) LLVMInstructionEraseFromParent(of);
      continue;
    }
    mt_Effect effect = mt_tile_effect(of, &at);
    mt_SlotTile *t = effect && mt_is_slot_tile(k, LLVMGetOperand(of, at))
                  ? mt_slot_tile(k, of, at) : NULL;
    if (t && effect == MT_WRITES) {
      LLVMInstructionEraseFromParent(of);
      continue;
    }
    if (t) use_slot(k, t, of, slot[t - k->tile]);
    if (t && !(t->key & 1))
      mt_mark(of, MT_READS_SLOTS, (int)(SLOTS_AHEAD * t->size));
  }
}

/* Addresses that nothing accesses any more. */
static void drop_addresses(LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v), next; u; u = next) {
    LLVMValueRef user = LLVMGetUser(u);
    next = LLVMGetNextUse(u);
    if (!LLVMIsAGetElementPtrInst(user)) continue;
    drop_addresses(user);
    if (!LLVMGetFirstUse(user)) LLVMInstructionEraseFromParent(user);
  }
}

/* The start of a piece: the phis of the loop begin there. It waits, so that
** there is one region for all pieces (barrier_regions.c). Returns an i1,
** whether it is the first piece. */
static LLVMValueRef make_piece(mt_KeptLoop *k, LLVMBasicBlockRef piece,
                               LLVMBasicBlockRef on) {
  mt_Spmd *s = k->w.s;
  LLVMPositionBuilderAtEnd(s->b, piece);
  LLVMValueRef first = LLVMBuildPhi(s->b, s->i1, "");
  LLVMValueRef yes = LLVMConstInt(s->i1, 1, 0), no = LLVMConstNull(s->i1);
  LLVMAddIncoming(first, &yes, &k->preheader, 1);
  LLVMAddIncoming(first, &no, &on, 1);
  for (int i = 0; i < k->phis; i++) {
    LLVMValueRef start = mt_incoming(k->phi[i], k->preheader);
    LLVMValueRef last = mt_incoming(k->phi[i], k->latch);
    k->piece[i] = LLVMBuildPhi(s->b, LLVMTypeOf(k->phi[i]), "");
    LLVMAddIncoming(k->piece[i], &start, &k->preheader, 1);
    LLVMAddIncoming(k->piece[i], &last, &on, 1);
  }
  build_barrier(k);
  return first;
}

/* After how many iterations the next SIMD-groups have their turn, a power of
** two: what these read is in the first-level cache, and the next ones find it
** there. 0: they wait for no other reason, or at the barriers of the loop.
** Where matrices are added up, sums move at each turn, and turns are longer. */
static int64_t iterations_of_turn(const mt_KeptLoop *k) {
  const uint32_t *n = k->w.s->geometry->size;
  int64_t bytes = 0, most = 1;
  if (k->waits || n[0] * n[1] * n[2] <= (uint32_t)k->w.s->lanes) return 0;
  if (k->matrices) return SUM_TURN;
  for (int i = 0; i < k->tiles; i++) bytes += k->tile[i].size;
  while (2 * most * bytes <= k->w.s->cost->cache_first) most *= 2;
  return most > 1 ? most : 2;
}

/* A block that ends with a barrier, with a phi for each of the header's, and
** one for the number of the slot, which it returns. All turns start there, so
** that the loop is in one region. */
static LLVMValueRef make_turn(mt_KeptLoop *k, LLVMBasicBlockRef turn,
                              LLVMBasicBlockRef filled, LLVMValueRef *phi) {
  mt_Spmd *s = k->w.s;
  LLVMValueRef zero = mt_const_i64(s, 0);
  LLVMPositionBuilderAtEnd(s->b, turn);
  LLVMValueRef n = LLVMBuildPhi(s->b, s->i64, "");
  LLVMAddIncoming(n, &zero, &filled, 1);
  for (int i = 0; i < k->phis; i++) {
    phi[i] = LLVMBuildPhi(s->b, LLVMTypeOf(k->phi[i]), "");
    LLVMAddIncoming(phi[i], &k->piece[i], &filled, 1);
  }
  build_barrier(k);
  LLVMBuildBr(s->b, k->header);
  return n;
}

/* From the latch, at 'on', back to the header: at once, or with the next turn;
** or into the next piece. 'n': the header's number of the slot. */
static void go_on(mt_KeptLoop *k, LLVMValueRef n, LLVMValueRef limit,
                  LLVMBasicBlockRef on, LLVMBasicBlockRef filled,
                  LLVMBasicBlockRef piece) {
  mt_Spmd *s = k->w.s;
  LLVMValueRef phi[MT_MAX_PHIS];
  int64_t iterations = iterations_of_turn(k);
  LLVMBasicBlockRef turn = k->turn = mt_append_block(k, "mt.turn");
  LLVMBasicBlockRef same = mt_append_block(k, "mt.same_piece");
  LLVMValueRef at_turn = make_turn(k, turn, filled, phi);
  LLVMPositionBuilderAtEnd(s->b, on);
  LLVMValueRef next = LLVMBuildAdd(s->b, n, mt_const_i64(s, 1), "");
  LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntNE, next, limit, ""), same,
                  piece);
  LLVMAddIncoming(n, &at_turn, &turn, 1);
  LLVMAddIncoming(n, &next, &same, 1);
  if (iterations) LLVMAddIncoming(at_turn, &next, &same, 1);
  for (int i = 0; i < k->phis; i++) {
    LLVMValueRef x = mt_incoming(k->phi[i], k->latch);
    if (iterations) LLVMAddIncoming(phi[i], &x, &same, 1);
    LLVMValueRef p = mt_change_phi(s->b, k->phi[i], k->preheader, turn, phi[i]);
    k->phi[i] = mt_change_phi(s->b, p, k->latch, same, NULL);
  }
  LLVMPositionBuilderAtEnd(s->b, filled);
  LLVMBuildBr(s->b, turn);
  LLVMPositionBuilderAtEnd(s->b, same);
  if (!iterations) {
    LLVMBuildBr(s->b, k->header);
    return;
  }
  LLVMValueRef part =
      LLVMBuildAnd(s->b, next, mt_const_i64(s, iterations - 1), "");
  LLVMValueRef goes_on =
      LLVMBuildICmp(s->b, LLVMIntNE, part, mt_const_i64(s, 0), "");
  LLVMBuildCondBr(s->b, goes_on, k->header, turn);
}

static void skip_filling(mt_KeptLoop *k, LLVMBasicBlockRef wait) {
  mt_Spmd *s = k->w.s;
  int n = 0, all = blocks_before(k, k->c.copy);
  for (int i = 0; i < all; i++)
    if (k->c.copy[i] != k->header && k->c.copy[i] != wait)
      k->c.old[n++] = k->c.copy[i];
  bool needed = !n || wait == k->header ||
                LLVMIsAPHINode(LLVMGetFirstInstruction(wait));
  for (int i = 0; i < n; i++)
    needed |= mt_is_used_outside(k->c.old[i], k->c.old, n);
  if (needed) {
    mt_drop_detours(s, k->c.copy, all);
    return;
  }
  mt_branch_to(s, k->header, wait);
  mt_drop_blocks(k->c.old, n, wait);
  mt_drop_dead(wait);
  mt_drop_dead(k->header);
}

static void drop_variables(mt_KeptLoop *k) {
  for (int i = 0; i < k->tiles; i++) {
    LLVMValueRef g = k->tile[i].variable;
    bool again = false;
    for (int n = 0; n < i; n++) again |= k->tile[n].variable == g;
    if (again) continue;
    drop_addresses(g);
    if (!LLVMGetFirstUse(g)) LLVMDeleteGlobal(g);
  }
}

void mt_use_slots(mt_KeptLoop *k) {
  mt_Spmd *s = k->w.s;
  size_t room = (size_t)(s->values + 4 * MT_MAX_PHIS + 2 * MT_MAX_UNROLLED);
  k->barrier = LLVMInstructionClone(
      LLVMGetPreviousInstruction(s->block[k->w.wait].end));
  k->c.b = s->b, k->c.function = s->old;
  k->c.pair = mt_new(s, room, sizeof *k->c.pair);
  k->c.old = mt_new(s, (size_t)s->blocks, sizeof(LLVMBasicBlockRef));
  k->c.copy = mt_new(s, (size_t)s->blocks, sizeof(LLVMBasicBlockRef));
  for (int i = 0; i < k->tiles; i++)
    k->tile[i].slots = make_slots(k, &k->tile[i]);
  LLVMBasicBlockRef piece = mt_append_block(k, "mt.piece");
  LLVMBasicBlockRef on = mt_append_block(k, "mt.on");
  LLVMBasicBlockRef leave = mt_append_block(k, "mt.leave");
  LLVMValueRef limit, first = make_piece(k, piece, on);
  LLVMBasicBlockRef filled = start_piece(k, piece, &limit);

  LLVMPositionBuilderBefore(s->b, LLVMGetFirstInstruction(k->header));
  LLVMValueRef n = LLVMBuildPhi(s->b, s->i64, "mt.slot");
  change_loop(k, n);
  go_on(k, n, limit, on, filled, piece);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(k->latch);
  LLVMSetSuccessor(end, !k->stays, on);
  LLVMSetSuccessor(end, k->stays, leave);
  LLVMPositionBuilderAtEnd(s->b, leave);
  end_loop(k, first, n);
  for (LLVMValueRef v = LLVMGetFirstInstruction(k->exit), after;
       v && LLVMIsAPHINode(v); v = after) {
    after = LLVMGetNextInstruction(v);
    mt_change_phi(s->b, v, k->latch, leave, NULL);
  }
  LLVMSetSuccessor(LLVMGetBasicBlockTerminator(k->preheader), 0, piece);
  skip_filling(k, s->block[k->w.wait].of);
  drop_variables(k);
  LLVMDeleteInstruction(k->barrier);
}

