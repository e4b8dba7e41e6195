/*
** active_lanes.c - the lanes that run a block together, as a mask.
**
** The one idea: a GPU decides by itself which lanes of a warp it runs together
** at a moment; what the kernel means by its active lanes follows from its
** branches, and is the same on every device. So the mask is computed: a
** divergent branch takes a ballot among the lanes that are there, lanes that
** part have parted masks, and where all of them must come again the mask is
** that of before. A cross-lane instruction with such a mask waits for its
** lanes, whichever way and in whatever order they come.
**
** Where several paths lead to a block that not all of the lanes reach, a lane
** cannot tell there which others come. LLVM then makes the control flow
** structured (lower.c), after which every block has one of the rules below.
*/
#include "devices/cuda/ptx/active_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"

/* How the mask of a block follows from others. */
typedef enum Rule {
  UNDECIDED,
  ALL_LANES,  /* the SIMD-group's */
  SAME,       /* as 'from' has it, which leads here on every way */
  OF_EDGE,    /* what goes from 'from' to here */
  OF_LOOP,    /* a header: what enters, what comes again */
  OF_UNIFORM, /* all come by one of its edges, whichever */
  UNKNOWN
} Rule;

struct mt_ActiveLanes {
  mt_PtxWork *w;
  const mt_Divergence *g;
  mt_LoopNest nest;
  Rule *rule;            /* by block of the nest */
  int *from;
  LLVMValueRef *mask;    /* by block; NULL: not built so far */
  LLVMValueRef *ballot;  /* by block: the lanes of its branch's first way */
  bool *seen;            /* scratch */
};

/* ------------------------------------------------------------------- graph */

static LLVMValueRef end_of(const mt_ActiveLanes *a, int b) {
  return LLVMGetBasicBlockTerminator(a->nest.block[b]);
}

static int ways(const mt_ActiveLanes *a, int b) {
  return (int)LLVMGetNumSuccessors(end_of(a, b));
}

static int way(const mt_ActiveLanes *a, int b, int i) {
  return mt_loop_nest_number(&a->nest,
                             LLVMGetSuccessor(end_of(a, b), (unsigned)i));
}

static bool leads(const mt_ActiveLanes *a, int from, int to) {
  for (int i = 0; i < ways(a, from); i++)
    if (way(a, from, i) == to) return true;
  return false;
}

/* The next predecessor of 'to' after 'from'; -1: none. */
static int next_before(const mt_ActiveLanes *a, int to, int from) {
  for (from++; from < a->nest.blocks && a->nest.block[from]; from++)
    if (leads(a, from, to)) return from;
  return -1;
}

static bool is_header(const mt_ActiveLanes *a, int b) {
  int loop = a->nest.loop[b];
  return loop >= 0 && a->nest.loops[loop].header == b;
}

/* A function too large to be analysed has divergent branches only. */
static bool diverges(const mt_ActiveLanes *a, int b) {
  if (ways(a, b) < 2 || way(a, b, 0) == way(a, b, 1)) return false;
  return a->g->blocks > MT_DIVERGENCE_BLOCKS ||
         a->g->parts[mt_divergence_number(a->g, a->nest.block[b])];
}

/* ------------------------------------------------------------------- rules */

/* The nearest dominator of 'b' that runs as often: in the same loop. */
static int dominator(const mt_ActiveLanes *a, int b) {
  int d = b, loop = a->nest.loop[b];
  do
    d = mt_loop_nest_dominator(&a->nest, d);
  while (d > 0 && a->nest.loop[d] != loop);
  return d;
}

/* Does the edge to 'to' end an iteration of 'loop'? */
static bool ends_iteration(const mt_ActiveLanes *a, int to, int loop) {
  return loop >= 0 && (to == a->nest.loops[loop].header ||
                       !mt_loop_nest_contains(&a->nest, to, loop));
}

/* Mark the blocks from 'b' on as far as 'target', within one iteration of
** 'loop'. false: there is a way that misses it. */
static bool mark_until(const mt_ActiveLanes *a, int b, int target, int loop) {
  bool all = ways(a, b) > 0;
  a->seen[b] = true;
  for (int i = 0; i < ways(a, b); i++) {
    int to = way(a, b, i);
    if (to == target || a->seen[to]) continue;
    all &= !ends_iteration(a, to, loop) && mark_until(a, to, target, loop);
  }
  return all;
}

static bool leads_always(const mt_ActiveLanes *a, int from, int to) {
  memset(a->seen, 0, (size_t)a->nest.blocks * sizeof *a->seen);
  return mark_until(a, from, to, a->nest.loop[to]);
}

/* Mark the blocks that lead to 'b' without passing 'from', itself included. */
static void mark_back(const mt_ActiveLanes *a, int b, int from) {
  for (int p = next_before(a, b, -1); p >= 0; p = next_before(a, b, p)) {
    if (a->seen[p]) continue;
    a->seen[p] = true;
    if (p != from) mark_back(a, p, from);
  }
}

/* Do the lanes that are together at 'from', and come to 'to', take one way? */
static bool stay_together(const mt_ActiveLanes *a, int from, int to) {
  memset(a->seen, 0, (size_t)a->nest.blocks * sizeof *a->seen);
  mark_back(a, to, from);
  for (int b = 0; b < a->nest.blocks; b++)
    if (a->seen[b] && diverges(a, b)) return false;
  return true;
}

static Rule decide(const mt_ActiveLanes *a, int b, int *from) {
  *from = 0;
  if (b == 0 ||
      mt_divergence_converged(a->g,
                              mt_divergence_number(a->g, a->nest.block[b])))
    return ALL_LANES;
  if (is_header(a, b)) return OF_LOOP;
  *from = dominator(a, b);
  if (leads_always(a, *from, b)) return SAME;
  if (stay_together(a, *from, b)) return OF_UNIFORM;
  *from = next_before(a, b, -1);
  bool only = next_before(a, b, *from) < 0;
  return only && a->nest.loop[*from] == a->nest.loop[b] ? OF_EDGE : UNKNOWN;
}

/* Decide for 'b' and all that its mask follows from. */
static bool decide_all(mt_ActiveLanes *a, int b) {
  if (a->rule[b] != UNDECIDED) return a->rule[b] != UNKNOWN;
  a->rule[b] = decide(a, b, &a->from[b]);
  switch (a->rule[b]) {
    case SAME:
    case OF_EDGE:
      return decide_all(a, a->from[b]);
    case OF_LOOP:
    case OF_UNIFORM:
      for (int p = next_before(a, b, -1); p >= 0; p = next_before(a, b, p))
        if (!decide_all(a, p)) return false;
      return true;
    default:
      return a->rule[b] != UNKNOWN;
  }
}

/* ------------------------------------------------------------------- masks */

static LLVMValueRef mask_of(mt_ActiveLanes *a, int b);

/* The lanes of 'b' that take the first way of its divergent branch. */
static LLVMValueRef ballot_of(mt_ActiveLanes *a, int b) {
  mt_PtxWork *w = a->w;
  if (a->ballot[b]) return a->ballot[b];
  LLVMValueRef end = end_of(a, b);
  LLVMValueRef args[] = {mask_of(a, b), LLVMGetCondition(end)};
  LLVMPositionBuilderBefore(w->b, end);
  return a->ballot[b] = mt_build_call(
             w->module, w->b, "llvm.nvvm.vote.ballot.sync", w->i32, args, 2);
}

static LLVMValueRef mask_of_edge(mt_ActiveLanes *a, int from, int to) {
  if (!diverges(a, from)) return mask_of(a, from);
  LLVMValueRef first = ballot_of(a, from);
  if (way(a, from, 0) == to) return first;
  LLVMBuilderRef b = a->w->b;
  LLVMPositionBuilderBefore(b, end_of(a, from));
  return LLVMBuildAnd(b, mask_of(a, from), LLVMBuildNot(b, first, ""), "");
}

/* What comes by each edge. A loop's mask is known before that of its end. */
static LLVMValueRef join_edges(mt_ActiveLanes *a, int b) {
  LLVMPositionBuilderBefore(a->w->b,
                            LLVMGetFirstInstruction(a->nest.block[b]));
  LLVMValueRef phi = LLVMBuildPhi(a->w->b, a->w->i32, "lanes");
  a->mask[b] = phi;
  for (int p = next_before(a, b, -1); p >= 0; p = next_before(a, b, p)) {
    LLVMValueRef value = mask_of_edge(a, p, b);
    for (int i = 0; i < ways(a, p); i++)
      if (way(a, p, i) == b)
        LLVMAddIncoming(phi, &value, &a->nest.block[p], 1);
  }
  return phi;
}

static LLVMValueRef build_mask(mt_ActiveLanes *a, int b) {
  switch (a->rule[b]) {
    case SAME:
      return mask_of(a, a->from[b]);
    case OF_EDGE:
      return mask_of_edge(a, a->from[b], b);
    case OF_LOOP:
    case OF_UNIFORM:
      return join_edges(a, b);
    default:
      return LLVMGetParam(a->g->function, MT_BODY_LANES(a->w));
  }
}

static LLVMValueRef mask_of(mt_ActiveLanes *a, int b) {
  if (!a->mask[b]) a->mask[b] = build_mask(a, b);
  return a->mask[b];
}

/* --------------------------------------------------------------- interface */

mt_Status mt_active_lanes_new(mt_PtxWork *w, const mt_Divergence *g,
                              mt_ActiveLanes **out, mt_Error *err) {
  mt_ActiveLanes *a = *out = calloc(1, sizeof *a);
  if (!a) return mt_error(err, MT_FAIL, "out of memory");
  a->w = w, a->g = g;
  mt_Status status = mt_loop_nest_make(g->function, &a->nest, err);
  if (status != MT_OK) return status;
  size_t n = (size_t)a->nest.blocks;
  a->rule = calloc(n, sizeof *a->rule);
  a->from = calloc(n, sizeof *a->from);
  a->mask = calloc(n, sizeof *a->mask);
  a->ballot = calloc(n, sizeof *a->ballot);
  a->seen = calloc(n, sizeof *a->seen);
  bool ok = a->rule && a->from && a->mask && a->ballot && a->seen;
  return ok ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
}

void mt_active_lanes_free(mt_ActiveLanes *a) {
  if (!a) return;
  mt_loop_nest_free(&a->nest);
  free(a->rule), free(a->from), free(a->mask), free(a->ballot), free(a->seen);
  free(a);
}

bool mt_active_lanes_known(mt_ActiveLanes *a, LLVMBasicBlockRef block) {
  int b = mt_loop_nest_number(&a->nest, block);
  return b < 0 || decide_all(a, b);
}

LLVMValueRef mt_active_lanes_mask(mt_ActiveLanes *a, LLVMBasicBlockRef block) {
  int b = mt_loop_nest_number(&a->nest, block);
  if (b < 0) return LLVMConstInt(a->w->i32, UINT32_MAX, 0); /* never run */
  return mask_of(a, b);
}
