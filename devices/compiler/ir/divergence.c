/*
** divergence.c - where the lanes of a SIMD-group diverge, see divergence.h.
**
** The one idea: values and branches make each other varying, so both are marked
** until nothing changes. A branch by a varying value diverges; the phis where
** its paths join, and those of a loop's exit, are varying. Its lanes have
** reconverged at its immediate postdominator.
*/
#include "devices/compiler/ir/divergence.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/call.h"
#include "devices/compiler/ir/crosslane.h"
#include "devices/compiler/ir/dominators.h"
#include "devices/compiler/ir/parameter.h"

/* ------------------------------------------------------------------- graph */

static int by_address(const void *a, const void *b) {
  const mt_Numbered *x = a, *y = b;
  return (x->of > y->of) - (x->of < y->of);
}

static unsigned number_of(const mt_Numbered *all, unsigned n, const void *of) {
  mt_Numbered key = {of, 0};
  const mt_Numbered *at = bsearch(&key, all, n, sizeof *all, by_address);
  return at ? at->number : n;
}

static void count(mt_Divergence *g) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(g->function); b;
       b = LLVMGetNextBasicBlock(b), g->blocks++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      g->instructions++;
}

static void number(mt_Divergence *g) {
  unsigned n = 0, at = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(g->function); b;
       b = LLVMGetNextBasicBlock(b), n++) {
    g->block[n] = b;
    g->block_number[n] = (mt_Numbered){b, n};
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i), at++) {
      g->instruction[at] = i;
      g->number[at] = (mt_Numbered){i, at};
    }
  }
  qsort(g->block_number, g->blocks, sizeof *g->block_number, by_address);
  qsort(g->number, g->instructions, sizeof *g->number, by_address);
}

static bool allocate(mt_Divergence *g) {
  count(g);
  size_t n = g->blocks, i = g->instructions;
  g->block = calloc(n, sizeof *g->block);
  g->join = calloc(n, sizeof *g->join);
  g->block_number = calloc(n, sizeof *g->block_number);
  g->instruction = calloc(i, sizeof *g->instruction);
  g->number = calloc(i, sizeof *g->number);
  g->varies = calloc(i + 3 * n, sizeof *g->varies);
  if (!g->block || !g->join || !g->block_number || !g->instruction ||
      !g->number || !g->varies)
    return false;
  g->parts = g->varies + i, g->first = g->parts + n, g->second = g->first + n;
  number(g);
  return true;
}

void mt_divergence_close(mt_Divergence *g) {
  free(g->block), free(g->join), free(g->block_number), free(g->instruction);
  free(g->number), free(g->varies);
}

unsigned mt_divergence_number(const mt_Divergence *g, LLVMBasicBlockRef b) {
  return number_of(g->block_number, g->blocks, b);
}

unsigned mt_divergence_block(const mt_Divergence *g, LLVMValueRef i) {
  return mt_divergence_number(g, LLVMGetInstructionParent(i));
}

LLVMValueRef mt_divergence_end(const mt_Divergence *g, unsigned b) {
  return LLVMGetBasicBlockTerminator(g->block[b]);
}

static unsigned ways(const mt_Divergence *g, unsigned b) {
  return LLVMGetNumSuccessors(mt_divergence_end(g, b));
}

static unsigned way(const mt_Divergence *g, unsigned b, unsigned i) {
  return mt_divergence_number(g, LLVMGetSuccessor(mt_divergence_end(g, b), i));
}

void mt_divergence_reach(const mt_Divergence *g, unsigned b, unsigned wall,
                         bool *out) {
  if (b == wall || out[b]) return;
  out[b] = true;
  for (unsigned i = 0; i < ways(g, b); i++)
    mt_divergence_reach(g, way(g, b, i), wall, out);
}

/* --------------------------------------------------------- reconvergence */

/* Immediate postdominators; g->blocks is the end. Blocks that never reach the
** end have none. */
static bool find_joins(mt_Divergence *g) {
  int end = (int)g->blocks, nodes = end + 1, edges = 0;
  for (unsigned b = 0; b < g->blocks; b++) edges += 1 + (int)ways(g, b);
  mt_Edge *edge = calloc((size_t)edges + 1, sizeof *edge);
  int *up = calloc((size_t)nodes, sizeof *up);
  bool ok = edge && up;
  edges = 0;
  for (unsigned b = 0; ok && b < g->blocks; b++) {
    if (!ways(g, b)) edge[edges++] = (mt_Edge){(int)b, end};
    for (unsigned i = 0; i < ways(g, b); i++)
      edge[edges++] = (mt_Edge){(int)b, (int)way(g, b, i)};
  }
  if (ok) ok = mt_dominators(nodes, edge, edges, true, end, NULL, up) >= 0;
  for (unsigned b = 0; ok && b < g->blocks; b++)
    g->join[b] = up[b] < 0 ? g->blocks : (unsigned)up[b];
  free(edge), free(up);
  return ok;
}

/* ------------------------------------------------------------- uniformity */

static bool is_uniform_argument(const mt_Divergence *g, LLVMValueRef v) {
  static const char *const names[] = {"threadgroup_position_in_grid",
                                      "threadgroups_per_grid",
                                      "threads_per_grid",
                                      "grid_size",
                                      "threads_per_threadgroup",
                                      "dispatch_threads_per_threadgroup",
                                      "threads_per_simdgroup",
                                      "thread_execution_width",
                                      "simdgroup_index_in_threadgroup",
                                      "simdgroups_per_threadgroup",
                                      "dispatch_simdgroups_per_threadgroup",
                                      "quadgroups_per_threadgroup",
                                      "dispatch_quadgroups_per_threadgroup"};
  const mt_Param *p = mt_parameter(g->kernel, g->function, v);
  if (!p) return false;
  return !p->builtin ||
         mt_is_among(p->builtin, names, sizeof names / sizeof *names);
}

static bool value_varies(const mt_Divergence *g, LLVMValueRef v) {
  if (LLVMIsAArgument(v)) return !is_uniform_argument(g, v);
  if (!LLVMIsAInstruction(v)) return false;
  unsigned n = number_of(g->number, g->instructions, v);
  return n < g->instructions && g->varies[n];
}

/* Is the result the same in all lanes of a SIMD-group? */
static bool is_uniform_call(const char *name) {
  mt_Crosslane c;
  return mt_crosslane_find(name, &c) && c.scope == MT_SCOPE_SIMD &&
         c.row->result == MT_LANES_UNIFORM;
}

static bool makes_varying(const mt_Divergence *g, LLVMValueRef i) {
  const char *name = mt_callee(i);
  if (LLVMIsAAllocaInst(i) || LLVMIsAAtomicRMWInst(i) ||
      LLVMIsAAtomicCmpXchgInst(i))
    return true;
  if (mt_starts(name, "__mt_")) return !is_uniform_call(name);
  for (int n = 0; n < LLVMGetNumOperands(i); n++)
    if (value_varies(g, LLVMGetOperand(i, (unsigned)n))) return true;
  return false;
}

static bool vary_phis(mt_Divergence *g, unsigned b) {
  bool changed = false;
  for (LLVMValueRef i = LLVMGetFirstInstruction(g->block[b]);
       i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
    unsigned n = number_of(g->number, g->instructions, i);
    if (!g->varies[n]) changed = g->varies[n] = true;
  }
  return changed;
}

/* Lanes leave a loop by the divergent branch of 'b', in different iterations:
** what they carry out (phis, in LCSSA) is varying, also if it is the same for
** all lanes that are in an iteration together. */
static bool part_in_time(mt_Divergence *g, unsigned b) {
  bool changed = false;
  for (unsigned i = 0; i < ways(g, b); i++) {
    memset(g->first, 0, g->blocks * sizeof *g->first);
    mt_divergence_reach(g, way(g, b, i), g->blocks, g->first);
    if (!g->first[b]) changed |= vary_phis(g, way(g, b, i));
  }
  return changed;
}

/* The blocks from way 'i' of 'b' to where its lanes have reconverged. */
static void reach_join(const mt_Divergence *g, unsigned b, unsigned i,
                       bool *out) {
  unsigned join = g->join[b];
  bool stop = join < g->blocks && !out[join];
  if (stop) out[join] = true; /* it is not passed */
  mt_divergence_reach(g, way(g, b, i), b, out);
}

/* The branch at the end of 'b' is divergent: phis where its paths join are
** varying. */
static bool part_at(mt_Divergence *g, unsigned b) {
  bool changed = part_in_time(g, b);
  g->parts[b] = true;
  memset(g->first, 0, 2 * g->blocks * sizeof *g->first);
  reach_join(g, b, 0, g->first);
  for (unsigned i = 1; i < ways(g, b); i++) reach_join(g, b, i, g->second);
  for (unsigned n = 0; n < g->instructions; n++) {
    LLVMValueRef i = g->instruction[n];
    if (g->varies[n] || !LLVMIsAPHINode(i)) continue;
    unsigned at = mt_divergence_block(g, i);
    if (g->first[at] && g->second[at]) changed = g->varies[n] = true;
  }
  return changed;
}

static bool find_varying_once(mt_Divergence *g) {
  bool changed = false;
  for (unsigned n = 0; n < g->instructions; n++)
    if (!g->varies[n] && makes_varying(g, g->instruction[n]))
      changed = g->varies[n] = true;
  for (unsigned b = 0; b < g->blocks; b++) {
    unsigned n = number_of(g->number, g->instructions, mt_divergence_end(g, b));
    if (!g->parts[b] && ways(g, b) > 1 && g->varies[n])
      changed |= part_at(g, b);
  }
  return changed;
}

/* ------------------------------------------------------ control dependence */

/* Blocks from which a path leads to the kernel's end without passing 'b'. */
static void find_past(const mt_Divergence *g, unsigned b, bool *past) {
  memset(past, 0, g->blocks * sizeof *past);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned k = g->blocks; k-- > 0;) {
      if (past[k] || k == b) continue;
      bool to = ways(g, k) == 0;
      for (unsigned i = 0; i < ways(g, k); i++) to |= past[way(g, k, i)];
      if (to) changed = past[k] = true;
    }
  }
}

/* Is 'b' control-dependent on the terminator of 'k'? */
static bool decides(const mt_Divergence *g, unsigned k, unsigned b,
                    const bool *past) {
  bool there = false, elsewhere = false;
  for (unsigned i = 0; i < ways(g, k); i++) {
    unsigned to = way(g, k, i);
    bool misses = to != b && past[to];
    there |= !misses, elsewhere |= misses;
  }
  return there && elsewhere;
}

void mt_divergence_parting(const mt_Divergence *g, unsigned b, bool *out) {
  bool *seen = calloc(g->blocks, sizeof *seen);
  bool *past = calloc(g->blocks, sizeof *past);
  unsigned *todo = calloc(g->blocks, sizeof *todo), n = 0;
  if (seen && past && todo)
    todo[n++] = b, seen[b] = true;
  else /* without memory: all that may */
    for (unsigned k = 0; k < g->blocks; k++) out[k] |= g->parts[k];
  while (n) {
    unsigned at = todo[--n];
    find_past(g, at, past);
    for (unsigned k = 0; k < g->blocks; k++) {
      if (!decides(g, k, at, past)) continue;
      out[k] |= g->parts[k];
      if (!seen[k]) todo[n++] = k, seen[k] = true;
    }
  }
  free(seen), free(past), free(todo);
}

/* ---------------------------------------------------------------- the whole */

bool mt_divergence_open(mt_Divergence *g) {
  if (!allocate(g)) return false;
  if (g->blocks > MT_DIVERGENCE_BLOCKS) return true;
  if (!find_joins(g)) return false;
  while (find_varying_once(g)) continue;
  return true;
}

bool mt_divergence_converged(const mt_Divergence *g, unsigned b) {
  if (g->blocks > MT_DIVERGENCE_BLOCKS) return false;
  bool *parting = calloc(g->blocks, sizeof *parting), any = parting == NULL;
  if (parting) mt_divergence_parting(g, b, parting);
  for (unsigned k = 0; parting && k < g->blocks; k++) any |= parting[k];
  free(parting);
  return !any;
}
