/*
** unroll.c - which loops stay loops until they are vectors.
**
** The one idea: writing a loop out pays before vectorisation only where its
** counter then becomes a constant that decides something: an element of a
** thread's own array (which can then live in registers), a component of a
** vector, a lane to shuffle from. Any other loop would only be more code to
** vectorise, twice.
*/
#include "devices/host/engine/unroll.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct Node {
  LLVMBasicBlockRef of;
  int state; /* 0: not seen, 1: on the way, 2: done */
  int in;    /* the loop it was last found in */
} Node;

typedef struct Graph {
  Node *node; /* sorted by 'of' */
  int nodes;
  int *stack;
  int loops; /* looked at so far */
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

/* -------------------------------------------------------- what a loop does */

/* Does the pointer lead to an array of the thread's own? */
static bool is_private(LLVMValueRef pointer) {
  for (int depth = 0; depth < 64; depth++) {
    if (LLVMIsAAllocaInst(pointer)) return true;
    if (LLVMIsAPHINode(pointer) || LLVMIsASelectInst(pointer)) return true;
    if (!LLVMIsAGetElementPtrInst(pointer)) return false;
    pointer = LLVMGetOperand(pointer, 0);
  }
  return true;
}

static bool talks_to_lanes(LLVMValueRef call) {
  LLVMValueRef f = LLVMGetCalledValue(call);
  size_t n;
  const char *name = LLVMIsAFunction(f) ? LLVMGetValueName2(f, &n) : "";
  return !strncmp(name, "__mt_", 5) && strncmp(name, "__mt_barrier_", 13);
}

/* Would a constant in place of the counter decide something here? */
static bool gains(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: return is_private(LLVMGetOperand(i, 0));
    case LLVMStore: return is_private(LLVMGetOperand(i, 1));
    case LLVMExtractElement: return !LLVMIsConstant(LLVMGetOperand(i, 1));
    case LLVMInsertElement: return !LLVMIsConstant(LLVMGetOperand(i, 2));
    case LLVMSwitch: return true;
    case LLVMCall: return talks_to_lanes(i);
    default: return false;
  }
}

static bool block_gains(LLVMBasicBlockRef b) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
       i = LLVMGetNextInstruction(i))
    if (gains(i)) return true;
  return false;
}

/* All blocks that lead back to 'latch' without passing 'header'. */
static bool loop_gains(Graph *g, int header, int latch) {
  int top = 0, mark = ++g->loops;
  bool yes = false;
  g->node[header].in = g->node[latch].in = mark;
  yes |= block_gains(g->node[header].of);
  if (latch != header) g->stack[top++] = latch;
  while (top && !yes) {
    LLVMBasicBlockRef b = g->node[g->stack[--top]].of;
    yes |= block_gains(b);
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
  return yes;
}

/* ------------------------------------------------------------ telling LLVM */

static LLVMMetadataRef word(LLVMContextRef c, const char *text) {
  LLVMMetadataRef s = LLVMMDStringInContext2(c, text, strlen(text));
  return LLVMMDNodeInContext2(c, &s, 1);
}

#define MOST_HINTS 16

/* Has the source its own wish? It is !{!"llvm.loop.unroll. …", …}. */
static bool is_wish(LLVMValueRef hint) {
  LLVMValueRef part[MOST_HINTS];
  if (!LLVMIsAMDNode(hint)) return false;
  unsigned n = (unsigned)LLVMGetMDNodeNumOperands(hint);
  if (!n || n > MOST_HINTS) return false;
  LLVMGetMDNodeOperands(hint, part);
  const char *text = part[0] ? LLVMGetMDString(part[0], &n) : NULL;
  return text && n > 17 && !strncmp(text, "llvm.loop.unroll.", 17);
}

/* A loop's hints are a list that begins with itself. */
static void keep_loop(LLVMContextRef c, LLVMValueRef branch) {
  unsigned kind = LLVMGetMDKindIDInContext(c, "llvm.loop", 9), n = 0;
  LLVMValueRef old = LLVMGetMetadata(branch, kind), hint[MOST_HINTS];
  LLVMMetadataRef list[MOST_HINTS + 1];
  if (old) n = (unsigned)LLVMGetMDNodeNumOperands(old);
  if (n > MOST_HINTS) return;
  if (n) LLVMGetMDNodeOperands(old, hint);
  for (unsigned i = 1; i < n; i++) {
    if (is_wish(hint[i])) return;
    list[i] = LLVMValueAsMetadata(hint[i]);
  }
  if (!n) n = 1;
  list[0] = LLVMTemporaryMDNode(c, NULL, 0);
  list[n++] = word(c, "llvm.loop.unroll.disable");
  LLVMMetadataRef all = LLVMMDNodeInContext2(c, list, n);
  LLVMMetadataReplaceAllUsesWith(list[0], all);
  LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(c, all));
}

/* ----------------------------------------------------------------- walking */

/* An edge to a block that is still on the way closes a loop. */
static void visit(Graph *g, LLVMContextRef c, int n) {
  g->node[n].state = 1;
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(g->node[n].of);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
    int to = find(g, LLVMGetSuccessor(branch, i));
    if (to >= 0 && g->node[to].state == 0)
      visit(g, c, to);
    else if (to >= 0 && g->node[to].state == 1 && !loop_gains(g, to, n))
      keep_loop(c, branch);
  }
  g->node[n].state = 2;
}

void mt_unroll_choose(LLVMValueRef f) {
  Graph g = {0};
  size_t n = LLVMCountBasicBlocks(f);
  if (n > 5000) return; /* 'visit' calls itself */
  g.node = calloc(n + 1, sizeof *g.node);
  g.stack = calloc(n + 1, sizeof *g.stack);
  if (g.node && g.stack) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
      g.node[g.nodes++].of = b;
    qsort(g.node, n, sizeof *g.node, by_block);
    int entry = find(&g, LLVMGetEntryBasicBlock(f));
    visit(&g, LLVMGetModuleContext(LLVMGetGlobalParent(f)), entry);
  }
  free(g.node);
  free(g.stack);
}
