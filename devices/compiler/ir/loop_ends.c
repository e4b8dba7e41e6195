/*
** loop_ends.c - closing branches, exits and trip counts of loops, see
** loop_ends.h.
**
** The one idea: a terminator is in all loops around its block, and each of its
** successors closes such a loop, leaves it, or does neither.
*/
#include "devices/compiler/ir/loop_ends.h"

#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/induction.h"

LLVMBasicBlockRef mt_loop_header(const mt_LoopNest *n, int loop) {
  return n->block[n->loops[loop].header];
}

bool mt_loop_leaves(const mt_LoopNest *n, int loop, LLVMBasicBlockRef to) {
  int b = mt_loop_nest_number(n, to);
  return b < 0 || !mt_loop_nest_contains(n, b, loop);
}

int64_t mt_loop_trips(const mt_LoopNest *n, int loop, LLVMValueRef terminator,
                      int64_t most) {
  if (!LLVMIsABranchInst(terminator) || !LLVMIsConditional(terminator))
    return 0;
  bool out[2];
  for (unsigned s = 0; s < 2; s++)
    out[s] = mt_loop_leaves(n, loop, LLVMGetSuccessor(terminator, s));
  return out[0] != out[1]
             ? mt_trip_count(mt_loop_header(n, loop),
                             LLVMGetCondition(terminator), !out[0], most)
             : 0;
}

static bool closes(const mt_LoopNest *n, int loop, LLVMValueRef terminator) {
  for (unsigned s = 0; s < LLVMGetNumSuccessors(terminator); s++)
    if (LLVMGetSuccessor(terminator, s) == mt_loop_header(n, loop)) return true;
  return false;
}

static bool goes_out(const mt_LoopNest *n, int loop, LLVMValueRef terminator) {
  for (unsigned s = 0; s < LLVMGetNumSuccessors(terminator); s++)
    if (mt_loop_leaves(n, loop, LLVMGetSuccessor(terminator, s))) return true;
  return false;
}

static void read_terminator(mt_LoopEnds *e, int loop, LLVMValueRef terminator,
                            int64_t most, int *closing) {
  mt_LoopEnd *end = &e->of[loop];
  if (closes(&e->nest, loop, terminator)) {
    bool alone = ++closing[loop] == 1 && LLVMIsABranchInst(terminator);
    end->branch = alone ? terminator : NULL;
  }
  if (!goes_out(&e->nest, loop, terminator)) return;
  end->exits++;
  end->exit = terminator;
  int64_t trips = most ? mt_loop_trips(&e->nest, loop, terminator, most) : 0;
  if (trips > 0 && (!end->trips || trips < end->trips)) end->trips = trips;
}

bool mt_loop_ends_make(LLVMValueRef f, int64_t most, mt_LoopEnds *out) {
  mt_Error ignored;
  const mt_LoopNest *n = &out->nest;
  memset(out, 0, sizeof *out);
  if (mt_loop_nest_make(f, &out->nest, &ignored) != MT_OK) return false;
  out->of = calloc((size_t)n->loop_count + 1, sizeof *out->of);
  int *closing = calloc((size_t)n->loop_count + 1, sizeof *closing);
  for (int b = 0; out->of && closing && b < n->blocks && n->block[b]; b++)
    for (int l = n->loop[b]; l >= 0; l = n->loops[l].parent)
      read_terminator(out, l, LLVMGetBasicBlockTerminator(n->block[b]), most,
                      closing);
  bool made = out->of && closing;
  free(closing);
  return made;
}

void mt_loop_ends_free(mt_LoopEnds *e) {
  mt_loop_nest_free(&e->nest);
  free(e->of);
  e->of = NULL;
}
