/*
** cfg.c - the kernel's control flow as the vectoriser needs it.
**
** The one idea: code for 32 lanes runs blocks one after the other where a
** single thread would choose. So the blocks are laid out in one order in which
** every edge but a loop's back edge leads forward and every loop is contiguous.
** Lanes that diverge wait at blocks further down until control arrives there. A
** jump over blocks is allowed only where no lanes wait; 'side' and 'split' say
** where some may.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/host/analyse/analyse.h"

#define MAX_BLOCKS 4000

/* ---------------------------------------------------------------- blocks */

static int count_blocks(mt_Spmd *s) {
  int n = 0;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(s->old); bb;
       bb = LLVMGetNextBasicBlock(bb)) {
    n++;
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i;
         i = LLVMGetNextInstruction(i))
      n += mt_is_barrier(i);
  }
  return n;
}

static void cut_blocks(mt_Spmd *s) {
  int n = 0;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(s->old); bb;
       bb = LLVMGetNextBasicBlock(bb)) {
    s->block[n].of = bb;
    s->block[n].first = LLVMGetFirstInstruction(bb);
    for (LLVMValueRef i = s->block[n].first; i; i = LLVMGetNextInstruction(i))
      if (mt_is_barrier(i)) {
        s->block[n].barrier = s->barriers = true;
        s->block[n].end = LLVMGetNextInstruction(i);
        s->block[n].succ[0] = n + 1;
        s->block[n++].succs = 1;
        s->block[n].of = bb;
        s->block[n].first = LLVMGetNextInstruction(i);
      }
    n++;
  }
}

static int block_of(const mt_Spmd *s, LLVMBasicBlockRef bb) {
  for (int i = 0; i < s->blocks; i++)
    if (s->block[i].of == bb) return i; /* its part before the first barrier */
  return -1;
}

static void link_block(mt_Spmd *s, mt_CfgBlock *k) {
  if (k->barrier) return;
  LLVMValueRef t = LLVMGetBasicBlockTerminator(k->of);
  LLVMOpcode op = LLVMGetInstructionOpcode(t);
  if (op == LLVMBr) {
    k->succs = (int)LLVMGetNumSuccessors(t);
    for (int i = 0; i < k->succs; i++)
      k->succ[i] = block_of(s, LLVMGetSuccessor(t, (unsigned)i));
    if (k->succs == 2 && k->succ[0] == k->succ[1]) k->succs = 1;
    if (k->succs == 2) k->condition = LLVMGetCondition(t);
  } else if (op != LLVMRet && op != LLVMUnreachable) {
    mt_unsupported(s, "a jump that is neither a branch nor a return");
  }
  LLVMOpcode first = LLVMGetInstructionOpcode(k->first);
  k->trivial =
      k->succs < 2 && k->first == t &&
      (first == LLVMRet || first == LLVMBr || first == LLVMUnreachable);
}

static void link_blocks(mt_Spmd *s) {
  for (int i = 0; i < s->blocks; i++) link_block(s, &s->block[i]);
  for (int i = 0; i < s->blocks; i++)
    for (int j = 0; j < s->block[i].succs; j++)
      s->block[s->block[i].succ[j]].preds++;
  for (int i = 0; i < s->blocks; i++) {
    s->block[i].pred = mt_new(s, (size_t)s->block[i].preds + 1, sizeof(int));
    s->block[i].preds = 0;
  }
  for (int i = 0; i < s->blocks; i++)
    for (int j = 0; j < s->block[i].succs; j++) {
      mt_CfgBlock *t = &s->block[s->block[i].succ[j]];
      t->pred[t->preds++] = i;
    }
}

/* ------------------------------------------------------------ dominators */

/* Number the dominator tree in preorder: the blocks of a subtree are
** consecutive, so mt_cfg_dominates is a comparison, however long the kernel
** is. */
static void number_dominated(mt_Spmd *s, const int *order, int count) {
  int *next = mt_new(s, (size_t)s->blocks + 1, sizeof *next);
  for (int i = 0; i < s->blocks; i++)
    s->block[i].entered = -1, s->block[i].dominates = 0;
  for (int i = count - 1; i >= 0; i--) { /* postorder: children first */
    if (order[i] == s->blocks) continue;
    mt_CfgBlock *k = &s->block[order[i]];
    k->dominates++;
    if (k->dominator >= 0) s->block[k->dominator].dominates += k->dominates;
  }
  for (int i = 0; i < count; i++) {
    if (order[i] == s->blocks) continue;
    mt_CfgBlock *k = &s->block[order[i]];
    k->entered = k->dominator < 0 ? 0 : next[k->dominator];
    if (k->dominator >= 0) next[k->dominator] += k->dominates;
    next[order[i]] = k->entered + 1;
  }
  mt_drop(s, next);
}

/* One more node, the function's exit, has the number s->blocks. */
static int list_edges(const mt_Spmd *s, mt_Edge *edge) {
  int n = 0;
  for (int b = 0; b < s->blocks; b++) {
    const mt_CfgBlock *k = &s->block[b];
    if (!k->succs) edge[n++] = (mt_Edge){b, s->blocks};
    for (int i = 0; i < k->succs; i++) edge[n++] = (mt_Edge){b, k->succ[i]};
  }
  return n;
}

static void find_dominators(mt_Spmd *s) {
  int nodes = s->blocks + 1;
  mt_Edge *edge = mt_new(s, 2 * (size_t)nodes, sizeof *edge);
  int *order = mt_new(s, (size_t)nodes, sizeof *order);
  int *up = mt_new(s, (size_t)nodes, sizeof *up);
  int edges = list_edges(s, edge);
  int count = mt_dominators(nodes, edge, edges, false, 0, order, up);
  if (count < 0) longjmp(s->working.out, 1);
  for (int i = 0; i < s->blocks; i++) {
    s->block[i].dominator = i ? up[i] : -1;
    if (up[i] < 0) mt_unsupported(s, "code that is never reached");
  }
  number_dominated(s, order, count);
  if (mt_dominators(nodes, edge, edges, true, s->blocks, NULL, up) < 0)
    longjmp(s->working.out, 1);
  for (int i = 0; i < s->blocks; i++) /* an endless loop has no exit */
    s->block[i].postdominator = up[i] < 0 ? s->blocks : up[i];
  mt_drop(s, edge), mt_drop(s, order), mt_drop(s, up);
}

bool mt_cfg_dominates(const mt_Spmd *s, int a, int b) {
  if (a < 0 || b < 0 || s->block[b].entered < 0) return a == b;
  unsigned behind = (unsigned)(s->block[b].entered - s->block[a].entered);
  return behind < (unsigned)s->block[a].dominates;
}

/* ----------------------------------------------------------------- loops */

static void fill_loop(mt_Spmd *s, int loop, uint64_t *body, int from) {
  if (mt_set_has(body, from)) return;
  mt_set_add(body, from);
  for (int i = 0; i < s->block[from].preds; i++)
    fill_loop(s, loop, body, s->block[from].pred[i]);
}

typedef struct Body {
  int header, size;
  uint64_t *blocks;
} Body;

static int by_size(const void *a, const void *b) {
  return ((const Body *)b)->size - ((const Body *)a)->size;
}

static Body *find_bodies(mt_Spmd *s, int *count) {
  Body *body = mt_new(s, (size_t)s->blocks, sizeof *body);
  *count = 0;
  for (int h = 0; h < s->blocks; h++) {
    Body k = {h, 0, NULL};
    for (int i = 0; i < s->block[h].preds; i++) {
      int latch = s->block[h].pred[i];
      if (!mt_cfg_dominates(s, h, latch)) continue;
      if (!k.blocks) {
        k.blocks = mt_new(s, s->words, 8);
        mt_set_add(k.blocks, h);
      }
      fill_loop(s, h, k.blocks, latch);
    }
    if (!k.blocks) continue;
    for (int i = 0; i < s->blocks; i++) k.size += mt_set_has(k.blocks, i);
    body[(*count)++] = k;
  }
  qsort(body, (size_t)*count, sizeof *body, by_size); /* outer ones first */
  return body;
}

static void find_loops(mt_Spmd *s) {
  int n;
  Body *body = find_bodies(s, &n);
  s->loop = mt_new(s, (size_t)n + 1, sizeof *s->loop);
  s->loops = n;
  for (int i = 0; i < s->blocks; i++) s->block[i].loop = -1;
  for (int l = 0; l < n; l++) {
    s->loop[l].header = body[l].header;
    s->loop[l].parent = s->block[body[l].header].loop;
    for (int i = 0; i < s->blocks; i++)
      if (mt_set_has(body[l].blocks, i)) s->block[i].loop = l;
    mt_drop(s, body[l].blocks);
  }
  mt_drop(s, body);
}

bool mt_cfg_in_loop(const mt_Spmd *s, int block, int loop) {
  int l = s->block[block].loop;
  while (l >= 0 && l != loop) l = s->loop[l].parent;
  return l == loop;
}

int mt_cfg_header_of(const mt_Spmd *s, int block) {
  int loop = s->block[block].loop;
  return loop >= 0 && s->loop[loop].header == block ? loop : -1;
}

bool mt_cfg_computes(const mt_Spmd *s, int loop, const mt_Value *x) {
  return x && x->block >= 0 && mt_cfg_in_loop(s, x->block, loop);
}

/* ----------------------------------------------------------------- order */

/* The child node of 'level' (a loop; -1: the kernel) that contains 'block': a
** block number, or blocks + loop; -1: 'block' is outside the level. */
static int node_of(const mt_Spmd *s, int level, int block) {
  int l = s->block[block].loop;
  if (l == level) return block;
  while (l >= 0 && s->loop[l].parent != level) l = s->loop[l].parent;
  return l < 0 ? -1 : s->blocks + l;
}

static void lay_out(mt_Spmd *s, int level, int entry, int *place);

typedef struct Layout {
  int level, *order, count;
  char *seen;
} Layout;

/* Depth first over the nodes of one level, without back edges. */
static void visit(mt_Spmd *s, Layout *w, int node) {
  w->seen[node] = 1;
  int header = w->level < 0 ? -1 : s->loop[w->level].header;
  for (int side = 1; side >= 0; side--)
    for (int b = 0; b < s->blocks; b++) {
      if (node_of(s, w->level, b) != node || side >= s->block[b].succs)
        continue;
      int to = s->block[b].succ[side];
      int n = node_of(s, w->level, to);
      if (n < 0 || n == node || to == header || w->seen[n]) continue;
      visit(s, w, n);
    }
  w->order[w->count++] = node;
}

static void lay_out(mt_Spmd *s, int level, int entry, int *place) {
  size_t n = (size_t)(s->blocks + s->loops);
  Layout w = {level, mt_new(s, n, sizeof(int)), 0, mt_new(s, n, 1)};
  int first = node_of(s, level, entry);
  visit(s, &w, first);
  for (int i = w.count - 1; i >= 0; i--) {
    if (w.order[i] < s->blocks) {
      s->block[w.order[i]].place = *place;
      s->order[(*place)++] = w.order[i];
    } else {
      int l = w.order[i] - s->blocks;
      lay_out(s, l, s->loop[l].header, place);
      s->loop[l].last = *place - 1;
    }
  }
  mt_drop(s, w.order), mt_drop(s, w.seen);
}

/* Every edge must lead forward, or back to the header of a loop around it. */
static void check_order(mt_Spmd *s, int placed) {
  if (placed != s->blocks) mt_unsupported(s, "irreducible control flow");
  for (int i = 0; i < s->blocks && s->status == MT_OK; i++)
    for (int j = 0; j < s->block[i].succs; j++) {
      const mt_CfgBlock *t = &s->block[s->block[i].succ[j]];
      if (t->place > s->block[i].place) continue;
      if (t->loop < 0 || s->loop[t->loop].header != s->block[i].succ[j] ||
          !mt_cfg_in_loop(s, i, t->loop))
        mt_unsupported(s, "irreducible control flow");
    }
}

mt_Status mt_cfg_build(mt_Spmd *s) {
  s->blocks = count_blocks(s);
  if (s->blocks > MAX_BLOCKS)
    return mt_unsupported(s, "%d blocks of code, too many for vectors",
                          s->blocks);
  s->words = (size_t)(s->blocks + 63) / 64;
  s->block = mt_new(s, (size_t)s->blocks, sizeof *s->block);
  s->order = mt_new(s, (size_t)s->blocks, sizeof *s->order);
  cut_blocks(s);
  link_blocks(s);
  find_dominators(s);
  if (s->status != MT_OK) return s->status;
  find_loops(s);
  int placed = 0;
  lay_out(s, -1, 0, &placed);
  check_order(s, placed);
  return s->status;
}

/* The nearest dominator that is in no loop which 'block' is outside. The
** phis of 'block' can be reset there: values leave loops through phis only
** (LCSSA), so values of an earlier iteration are not read any more. */
static int find_fresh(const mt_Spmd *s, int block) {
  int d = s->block[block].dominator;
  while (d >= 0 && s->block[d].loop >= 0 &&
         !mt_cfg_in_loop(s, block, s->block[d].loop))
    d = s->block[d].dominator;
  return d;
}

/* ------------------------------------------------------------ divergence */

static void reach(const mt_Spmd *s, uint64_t *set, int from, int until) {
  if (from == until || mt_set_has(set, from)) return;
  mt_set_add(set, from);
  for (int i = 0; i < s->block[from].succs; i++)
    reach(s, set, s->block[from].succ[i], until);
}

void mt_cfg_diverges(mt_Spmd *s, int block) {
  mt_CfgBlock *k = &s->block[block];
  k->divergent = true;
  for (int i = 0; i < 2; i++) {
    k->side[i] = mt_new(s, s->words, 8);
    reach(s, k->side[i], k->succ[i], k->postdominator);
  }
  for (int l = k->loop; l >= 0; l = s->loop[l].parent)
    if (!mt_cfg_in_loop(s, k->succ[0], l) || !mt_cfg_in_loop(s, k->succ[1], l))
      s->loop[l].divergent = true;
}

static void add_split(mt_Spmd *s, const uint64_t *here, const uint64_t *there) {
  for (int i = 0; i < s->blocks; i++)
    if (mt_set_has(here, i))
      for (size_t w = 0; w < s->words; w++) s->block[i].split[w] |= there[w];
}

void mt_cfg_finish(mt_Spmd *s) {
  for (int i = 0; i < s->blocks; i++)
    s->block[i].split = mt_new(s, s->words, 8);
  for (int i = 0; i < s->blocks; i++) {
    mt_CfgBlock *k = &s->block[i];
    k->fresh = find_fresh(s, i);
    if (!k->divergent) continue;
    add_split(s, k->side[0], k->side[1]);
    add_split(s, k->side[1], k->side[0]);
    if (k->postdominator < s->blocks)
      s->block[k->postdominator].reconverges = true;
  }
}

/* The successor of a block that only jumps; else 'blocks'. */
static int next_trivial(const mt_Spmd *s, int block) {
  const mt_CfgBlock *k = &s->block[block];
  return k->trivial && k->succs == 1 ? k->succ[0] : s->blocks;
}

bool mt_cfg_reconverges(const mt_Spmd *s, const mt_CfgBlock *k) {
  int last = s->blocks;
  for (int i = k->postdominator, n = 0; i < s->blocks && n < s->blocks; n++)
    last = i, i = next_trivial(s, i);
  return last < s->blocks && (!s->block[last].trivial || s->block[last].succs);
}

/* Lanes are split from the branch until all have reached the point where its
** sides reconverge, or the end. */
static void mark_side(const mt_Spmd *s, mt_MaskedBlocks *m,
                      const mt_CfgBlock *k) {
  for (int i = 0; i < s->blocks; i++)
    m->partial[i] |= mt_set_has(k->side[0], i) || mt_set_has(k->side[1], i);
  if (mt_cfg_reconverges(s, k)) return;
  for (int i = k->postdominator; i < s->blocks; i = next_trivial(s, i))
    m->partial[i] = true;
}

static void mark_passed(const mt_Spmd *s, mt_MaskedBlocks *m,
                        const mt_CfgBlock *k) {
  int end = k->postdominator < s->blocks ? s->block[k->postdominator].place
                                         : s->blocks;
  for (int at = k->place + 1; at < end; at++)
    m->passed[s->order[at]] |= !m->partial[s->order[at]];
}

void mt_cfg_partial(const mt_Spmd *s, mt_MaskedBlocks *m, bool meeting,
                    bool parting) {
  for (int turn = 0; turn < 2; turn++)
    for (int i = 0; i < s->blocks; i++) {
      const mt_CfgBlock *k = &s->block[i];
      if (k->divergent && (mt_cfg_reconverges(s, k) ? meeting : parting))
        (turn == 0 ? mark_side : mark_passed)(s, m, k);
    }
}

bool mt_cfg_can_jump(const mt_Spmd *s, int a, int b) {
  int from = s->block[a].place + 1, to = s->block[b].place;
  if (to < from) to = s->loop[s->block[b].loop].last + 1; /* a back edge */
  for (int i = from; i < to; i++)
    if (mt_set_has(s->block[a].split, s->order[i])) return false;
  return true;
}

/* Does this side do nothing but return? */
static bool only_returns(const mt_Spmd *s, const uint64_t *side) {
  for (int i = 0; i < s->blocks; i++)
    if (mt_set_has(side, i) && !s->block[i].trivial) return false;
  return true;
}

/* Does every divergent branch before the barrier lead only one side to it, and
** the other to the end of the kernel? Not both to it, and not past it to more
** code. */
bool mt_cfg_may_miss(const mt_Spmd *s, int block) {
  for (int i = 0; i < s->blocks; i++) {
    const mt_CfgBlock *k = &s->block[i];
    if (!k->divergent) continue;
    bool in0 = mt_set_has(k->side[0], block),
         in1 = mt_set_has(k->side[1], block);
    if (!in0 && !in1) continue;
    if (in0 && in1) return false;
    if (k->postdominator < s->blocks && !s->block[k->postdominator].trivial)
      return false;
  }
  return true;
}

bool mt_cfg_can_wait(const mt_Spmd *s, int block) {
  if (!mt_cfg_may_miss(s, block)) return false;
  for (int i = 0; i < s->blocks; i++) {
    const mt_CfgBlock *k = &s->block[i];
    if (!k->divergent) continue;
    bool in0 = mt_set_has(k->side[0], block),
         in1 = mt_set_has(k->side[1], block);
    if ((in0 || in1) && !only_returns(s, k->side[in0 ? 1 : 0])) return false;
  }
  return true;
}
