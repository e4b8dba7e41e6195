/*
** unroll.c - which loops stay loops until they are vectorised.
**
** The one idea: unrolling before vectorisation pays only where the induction
** variable becomes a constant that decides something: an element of a private
** array (which can then live in registers), a component of a vector, a lane to
** shuffle from. Any other loop would only be more code to vectorise.
** Conversely, a loop with a small trip count that chooses simdgroup matrices
** from an array is unrolled whatever its size. So is a short loop over a few
** contiguous elements of each thread (unroll_contiguous.c).
*/
#include "devices/compiler/prepare/unroll.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/inactive_lanes.h"

typedef struct Node {
  LLVMBasicBlockRef of;
  int state; /* 0: not visited, 1: on the DFS stack, 2: done */
  int in;    /* number of the last loop that it was found in */
} Node;

typedef struct Graph {
  Node *node; /* sorted by 'of' */
  int nodes;
  int *stack;
  int loops; /* visited so far */
  LLVMValueRef function;
  const mt_MslKernel *kernel; /* NULL: ignore contiguous loops */
  bool callee;                /* pointer arguments may be private */
  bool products;              /* unroll what multiplies matrices */
  bool contiguous; /* a contiguous loop was found */
} Graph;

static int by_block(const void *a, const void *b) {
  LLVMBasicBlockRef x = ((const Node *)a)->of, y = ((const Node *)b)->of;
  return (x > y) - (x < y);
}

static int find(const Graph *g, LLVMBasicBlockRef b) {
  Node key = {b, 0, 0};
  Node *n = bsearch(&key, g->node, (size_t)g->nodes, sizeof key, by_block);
  return n ? (int)(n - g->node) : -1;
}

/* ------------------------------------------------------- gain of unrolling */

/* May the pointer point to private memory? */
static bool is_private(const Graph *g, LLVMValueRef pointer) {
  for (int depth = 0; depth < 64; depth++) {
    if (LLVMIsAAllocaInst(pointer)) return true;
    if (LLVMIsAArgument(pointer)) return g->callee;
    if (LLVMIsAPHINode(pointer) || LLVMIsASelectInst(pointer)) return true;
    if (!LLVMIsAGetElementPtrInst(pointer)) return false;
    pointer = LLVMGetOperand(pointer, 0);
  }
  return true;
}

static mt_UnrollGain call_gains(LLVMValueRef call) {
  const char *name = mt_callee(call);
  if (!strncmp(name, "__mt_matrix_", 12)) return MT_GAINS_MUCH;
  return !strncmp(name, "__mt_", 5) && strncmp(name, "__mt_barrier_", 13) &&
                 strncmp(name, MT_HOLD, strlen(MT_HOLD))
             ? MT_GAINS : MT_GAINS_NOTHING;
}

/* Would a constant induction variable decide something here? */
static mt_UnrollGain gains(const Graph *g, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
      return is_private(g, LLVMGetOperand(i, 0)) ? MT_GAINS : 0;
    case LLVMStore:
      return is_private(g, LLVMGetOperand(i, 1)) ? MT_GAINS : 0;
    case LLVMExtractElement:
      return LLVMIsConstant(LLVMGetOperand(i, 1)) ? 0 : MT_GAINS;
    case LLVMInsertElement:
      return LLVMIsConstant(LLVMGetOperand(i, 2)) ? 0 : MT_GAINS;
    case LLVMSwitch: return MT_GAINS;
    case LLVMCall: return call_gains(i);
    default: return MT_GAINS_NOTHING;
  }
}

static mt_UnrollGain block_gains(const Graph *g, LLVMBasicBlockRef b) {
  mt_UnrollGain most = MT_GAINS_NOTHING;
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
       i = LLVMGetNextInstruction(i)) {
    mt_UnrollGain one = gains(g, i);
    if (one > most) most = one;
  }
  return most;
}

/* The largest gain of the loop's blocks: those that reach 'latch' without
** passing 'header'. */
static mt_UnrollGain loop_gains(Graph *g, int header, int latch) {
  int top = 0, mark = ++g->loops;
  mt_UnrollGain most = block_gains(g, g->node[header].of);
  g->node[header].in = g->node[latch].in = mark;
  if (latch != header) g->stack[top++] = latch;
  while (top) {
    LLVMBasicBlockRef b = g->node[g->stack[--top]].of;
    mt_UnrollGain one = block_gains(g, b);
    if (one > most) most = one;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u;
         u = LLVMGetNextUse(u)) {
      LLVMValueRef user = LLVMGetUser(u);
      if (!LLVMIsATerminatorInst(user)) continue;
      int from = find(g, LLVMGetInstructionParent(user));
      if (from < 0 || g->node[from].in == mark) continue;
      g->node[from].in = mark;
      g->stack[top++] = from;
    }
  }
  return most;
}

/* -------------------------------------------------------------- trip count */

#define FEW 4 /* iterations of a large loop */

/* Does the loop that 'branch' leads back to its header end after a few
** iterations, by an induction variable between constants? */
static bool is_short(LLVMBasicBlockRef header, LLVMValueRef branch) {
  if (!LLVMIsConditional(branch)) return false;
  int64_t n = mt_trip_count(header, LLVMGetCondition(branch),
                            LLVMGetSuccessor(branch, 0) == header, FEW);
  return n > 0 && n <= FEW;
}

/* Does the value choose an element of a private array, or of a vector? */
static bool chooses(const Graph *g, LLVMValueRef v, int depth) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAPHINode(user)) continue;
    if (gains(g, user) == MT_GAINS && !LLVMIsACallInst(user)) return true;
    if (LLVMIsACallInst(user) || LLVMIsATerminatorInst(user)) continue;
    if (depth > 16 || chooses(g, user, depth + 1)) return true;
  }
  return false;
}

static bool counter_chooses(const Graph *g, LLVMBasicBlockRef header) {
  for (LLVMValueRef v = LLVMGetFirstInstruction(header);
       v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
    if (chooses(g, v, 0)) return true;
  return false;
}

/* ------------------------------------------------------ depth-first search */

/* The loop with header 'header' and latch 'n', which ends in 'branch'. */
static void choose(Graph *g, int header, int n, LLVMValueRef branch) {
  mt_UnrollGain gain = loop_gains(g, header, n);
  LLVMBasicBlockRef first = g->node[header].of;
  bool own =
      gain != MT_GAINS_MUCH && g->kernel && n == header &&
      mt_is_contiguous_loop(g->function, g->kernel, g->node[n].of, branch);
  if (gain == MT_GAINS_MUCH && !g->products && !counter_chooses(g, first))
    gain = MT_GAINS_NOTHING;
  if (own || (gain == MT_GAINS_MUCH && LLVMIsABranchInst(branch) &&
              is_short(first, branch)))
    mt_unroll_hint_add(branch, "llvm.loop.unroll.full");
  else if (gain == MT_GAINS_NOTHING)
    mt_unroll_hint_add(branch, "llvm.loop.unroll.disable");
  g->contiguous |= own;
}

/* An edge to a block that is on the DFS stack is a back edge. */
static void visit(Graph *g, int n) {
  g->node[n].state = 1;
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(g->node[n].of);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
    int to = find(g, LLVMGetSuccessor(branch, i));
    if (to >= 0 && g->node[to].state == 0)
      visit(g, to);
    else if (to >= 0 && g->node[to].state == 1)
      choose(g, to, n, branch);
  }
  g->node[n].state = 2;
}

static bool choose_all(LLVMValueRef f, const mt_MslKernel *kernel, bool callee,
                       bool products) {
  Graph g = {.function = f, .kernel = kernel, .callee = callee,
             .products = products};
  size_t n = LLVMCountBasicBlocks(f);
  if (n > 5000) return false; /* 'visit' is recursive */
  g.node = calloc(n + 1, sizeof *g.node);
  g.stack = calloc(n + 1, sizeof *g.stack);
  if (g.node && g.stack) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
      g.node[g.nodes++].of = b;
    qsort(g.node, n, sizeof *g.node, by_block);
    visit(&g, find(&g, LLVMGetEntryBasicBlock(f)));
  }
  free(g.node);
  free(g.stack);
  return g.contiguous && g.loops > 1;
}

mt_UnrollGain mt_unroll_gain(LLVMValueRef instruction) {
  static const Graph kernel; /* whose arguments are no private memory */
  return gains(&kernel, instruction);
}

bool mt_unroll_choose(LLVMValueRef f, const mt_MslKernel *kernel,
                      bool products) {
  return choose_all(f, kernel, false, products);
}

void mt_unroll_choose_callee(LLVMValueRef f, bool products) {
  choose_all(f, NULL, true, products);
}
