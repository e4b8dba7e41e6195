/*
** loop_nest.c - reverse postorder, dominators and natural loops, see
** loop_nest.h.
**
** llvm-c exposes the control-flow graph but none of LLVM's analyses. These are
** the textbook ones: a depth-first search, the dominators of Cooper, Harvey and
** Kennedy, and for each back edge the blocks that reach it.
*/
#include "devices/compiler/ir/loop_nest.h"

#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/dominators.h"

/* ------------------------------------------------------------------ blocks */

static int by_address(const void *a, const void *b) {
  LLVMBasicBlockRef x = *(const LLVMBasicBlockRef *)a;
  LLVMBasicBlockRef y = *(const LLVMBasicBlockRef *)b;
  return (x > y) - (x < y);
}

static int find(const mt_LoopNest *o, LLVMBasicBlockRef b) {
  LLVMBasicBlockRef *at =
      bsearch(&b, o->sorted, (size_t)o->blocks, sizeof b, by_address);
  return at ? (int)(at - o->sorted) : -1;
}

int mt_loop_nest_number(const mt_LoopNest *o, LLVMBasicBlockRef b) {
  int at = find(o, b);
  return at < 0 ? -1 : o->number[at];
}

int mt_loop_nest_dominator(const mt_LoopNest *o, int block) {
  return o->dominator[block];
}

static unsigned successors(LLVMBasicBlockRef b) {
  return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b));
}

static LLVMBasicBlockRef successor(LLVMBasicBlockRef b, unsigned i) {
  return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), i);
}

/* Number the reachable blocks in reverse postorder. */
static bool walk(mt_LoopNest *o, LLVMBasicBlockRef entry) {
  int *stack = calloc((size_t)o->blocks, sizeof *stack);
  unsigned *next = calloc((size_t)o->blocks, sizeof *next);
  bool *seen = calloc((size_t)o->blocks, sizeof *seen);
  bool ok = stack && next && seen;
  int depth = 0, last = o->blocks;
  if (ok) {
    stack[depth++] = find(o, entry);
    seen[stack[0]] = true;
  }
  while (depth) {
    int at = stack[depth - 1];
    LLVMBasicBlockRef b = o->sorted[at];
    if (next[at] < successors(b)) {
      int to = find(o, successor(b, next[at]++));
      if (!seen[to]) seen[stack[depth++] = to] = true;
    } else {
      o->number[at] = --last;
      depth--;
    }
  }
  free(stack);
  free(next);
  free(seen);
  for (int i = 0; ok && i < o->blocks; i++) { /* unreachable: none */
    if (o->number[i] < 0) continue;
    o->number[i] -= last;
    o->block[o->number[i]] = o->sorted[i];
  }
  return ok;
}

static int reachable(const mt_LoopNest *o) {
  int n = 0;
  while (n < o->blocks && o->block[n]) n++;
  return n;
}

/* -------------------------------------------------------------- dominators */

/* Of the first 'n' blocks, which are in reverse postorder. */
static bool dominate(mt_LoopNest *o, int n) {
  int edges = 0;
  for (int i = 0; i < n; i++) edges += (int)successors(o->block[i]);
  mt_Edge *edge = calloc((size_t)edges + 1, sizeof *edge);
  if (!edge) return false;
  edges = 0;
  for (int i = 0; i < n; i++)
    for (unsigned s = 0; s < successors(o->block[i]); s++)
      edge[edges++] = (mt_Edge){
          i, mt_loop_nest_number(o, successor(o->block[i], s))};
  for (int i = n; i < o->blocks; i++) o->dominator[i] = -1;
  int count = mt_dominators(n, edge, edges, false, 0, NULL, o->dominator);
  free(edge);
  return count >= 0;
}

static bool dominates(const mt_LoopNest *o, int a, int b) {
  while (b > a) b = o->dominator[b];
  return a == b;
}

/* ------------------------------------------------------------------- loops */

bool mt_loop_nest_contains(const mt_LoopNest *o, int block, int loop) {
  int l = o->loop[block];
  while (l >= 0 && l != loop) l = o->loops[l].parent;
  return l >= 0;
}

/* Mark the targets of back edges: most blocks are no loop headers, and add_loop
** looks at all blocks from its header on. */
static void find_headers(const mt_LoopNest *o, int n, bool *header) {
  for (int i = 0; i < n; i++)
    for (unsigned s = 0; s < successors(o->block[i]); s++) {
      int to = mt_loop_nest_number(o, successor(o->block[i], s));
      if (to <= i && dominates(o, to, i)) header[to] = true;
    }
}

/* Headers come outermost first, so the innermost loop of a block is written
** last, and a header's previous loop is the parent. */
static void add_loop(mt_LoopNest *o, int header, int n, bool *body) {
  memset(body, 0, (size_t)n * sizeof *body);
  body[header] = true;
  bool any = false;
  for (int i = header; i < n; i++)
    for (unsigned s = 0; s < successors(o->block[i]); s++)
      if (mt_loop_nest_number(o, successor(o->block[i], s)) == header &&
          dominates(o, header, i))
        any = body[i] = true;
  if (!any) return;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = n - 1; i > header; i--) {
      if (body[i] || !dominates(o, header, i)) continue;
      for (unsigned s = 0; s < successors(o->block[i]) && !body[i]; s++) {
        int to = mt_loop_nest_number(o, successor(o->block[i], s));
        if (to != header && body[to]) changed = body[i] = true;
      }
    }
  }
  o->loops[o->loop_count] = (mt_NestLoop){header, o->loop[header]};
  for (int i = header; i < n; i++)
    if (body[i]) o->loop[i] = o->loop_count;
  o->loop_count++;
}

/* ------------------------------------------------------------------- whole */

mt_Status mt_loop_nest_make(LLVMValueRef f, mt_LoopNest *out, mt_Error *err) {
  memset(out, 0, sizeof *out);
  size_t n = LLVMCountBasicBlocks(f);
  out->blocks = (int)n;
  out->block = calloc(n, sizeof *out->block);
  out->sorted = calloc(n, sizeof *out->sorted);
  out->number = malloc(n * sizeof *out->number);
  out->dominator = malloc(n * sizeof *out->dominator);
  out->loop = malloc(n * sizeof *out->loop);
  out->loops = calloc(n, sizeof *out->loops);
  bool *body = calloc(n, sizeof *body), *header = calloc(n, sizeof *header);
  bool ok = out->block && out->sorted && out->number && out->dominator &&
            out->loop && out->loops && body && header;
  if (ok) {
    memset(out->number, -1, n * sizeof *out->number);
    memset(out->loop, -1, n * sizeof *out->loop);
    LLVMGetBasicBlocks(f, out->sorted);
    qsort(out->sorted, n, sizeof *out->sorted, by_address);
    ok = walk(out, LLVMGetEntryBasicBlock(f));
  }
  if (ok) {
    int live = reachable(out);
    ok = dominate(out, live);
    if (ok) find_headers(out, live, header);
    for (int h = 0; ok && h < live; h++)
      if (header[h]) add_loop(out, h, live, body);
  }
  free(body);
  free(header);
  return ok ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
}

void mt_loop_nest_free(mt_LoopNest *o) {
  free(o->block);
  free(o->sorted);
  free(o->number);
  free(o->dominator);
  free(o->loop);
  free(o->loops);
  memset(o, 0, sizeof *o);
}
