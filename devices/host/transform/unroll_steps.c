/*
** unroll_steps.c - several steps of a short inner loop at a time, where tiles
** are kept (keep_tiles.c).
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/transform/keep_tiles.h"

#define UNROLL 4 /* copies of an iteration */

/* A loop of one block after the barrier, with a known number of steps. */
static bool is_short_loop(const mt_TileLoop *w, int loop) {
  const mt_Spmd *s = w->s;
  int header = s->loop[loop].header;
  const mt_CfgBlock *b = &s->block[header];
  int instructions = 0;
  if (s->loop[loop].parent != w->loop || s->loop[loop].last != b->place ||
      b->succs != 2 || !mt_tile_is_after(w, header))
    return false;
  int64_t trips =
      mt_trip_count(b->of, b->condition, b->succ[0] == header, INT32_MAX);
  for (LLVMValueRef v = b->first; v && v != b->end;
       v = LLVMGetNextInstruction(v))
    instructions++;
  return trips >= 2 * UNROLL && trips % UNROLL == 0 &&
         instructions * UNROLL <= MT_MAX_UNROLLED;
}

/* What the next step has in place of 'v': for a phi, what this step gives
** it. */
static LLVMValueRef next_step(const mt_KeptLoop *k, LLVMBasicBlockRef b,
                              LLVMValueRef v) {
  if (!LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != b) return v;
  LLVMValueRef x = LLVMIsAPHINode(v) ? mt_incoming(v, b) : v;
  LLVMValueRef to = mt_copy_of(&k->c, x);
  return to ? to : x;
}

/* Another step before the branch; the pairs are the step before it, and then
** this one. */
static void add_step(mt_KeptLoop *k, LLVMBasicBlockRef b, LLVMValueRef last) {
  mt_Spmd *s = k->w.s;
  mt_Copy *now = k->c.pair + k->c.pairs;
  int n = 0;
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(b));
  for (LLVMValueRef v = LLVMGetFirstInstruction(b);;
       v = LLVMGetNextInstruction(v)) {
    if (!LLVMIsAPHINode(v)) {
      LLVMValueRef c = LLVMInstructionClone(v);
      LLVMInsertIntoBuilder(s->b, c);
      for (int i = 0; i < LLVMGetNumOperands(c); i++) {
        LLVMValueRef x = LLVMGetOperand(c, (unsigned)i), to = NULL;
        for (int o = 0; o < n; o++)
          if (now[o].from == x) to = now[o].to;
        LLVMSetOperand(c, (unsigned)i, to ? to : next_step(k, b, x));
      }
      now[n++] = (mt_Copy){v, c};
    }
    if (v == last) break;
  }
  memmove(k->c.pair, now, (size_t)n * sizeof *now);
  k->c.pairs = n;
}

/* A user of 'v' that wants the last step: the branch, a phi, or code after the
** loop. The others are steps, which use the one before. */
static LLVMValueRef later_user(LLVMValueRef v, LLVMBasicBlockRef b) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMGetInstructionParent(user) != b || LLVMIsAPHINode(user) ||
        user == LLVMGetBasicBlockTerminator(b))
      return user;
  }
  return NULL;
}

/* Without barriers and stores, a step of the inner loop is a few instructions:
** its own branch and addresses would be a tenth of it. */
static void unroll(mt_KeptLoop *k, LLVMBasicBlockRef b) {
  LLVMValueRef last =
      LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(b));
  k->c.pairs = 0;
  for (int i = 1; i < UNROLL; i++) add_step(k, b, last);
  for (int i = 0; i < k->c.pairs; i++)
    for (LLVMValueRef u; (u = later_user(k->c.pair[i].from, b));)
      for (int n = 0; n < LLVMGetNumOperands(u); n++)
        if (LLVMGetOperand(u, (unsigned)n) == k->c.pair[i].from)
          LLVMSetOperand(u, (unsigned)n, k->c.pair[i].to);
}

void mt_unroll_inner(mt_KeptLoop *k) {
  for (int l = 0; l < k->w.s->loops; l++)
    if (is_short_loop(&k->w, l))
      unroll(k, k->w.s->block[k->w.s->loop[l].header].of);
}

