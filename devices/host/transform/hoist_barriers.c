/*
** hoist_barriers.c - barriers that only some threads of a SIMD-group reach.
**
**   if (lane == 0) { sums[g] = s; barrier(); if (g == 0) total(sums); }
**
** Metal requires all threads at a barrier, but its GPUs count SIMD-groups, and
** kernels that are in use rely on that. Where the condition depends on the lane
** only, either all SIMD-groups reach the barrier or none does; in vector code
** the other threads can wait there, too, and then go their way. The one idea:
** the code before the barrier, the barrier and the code after it become
**
**   if (c) before;  barrier();  if (c) after; else other;
**
** This is done where nothing else helps (kernel/compile.c), never in
** instrumented code, and not where the other side has barriers of its own,
** which a GPU would match with this one. Any other barrier that threads miss is
** an error in the kernel; scalar/scalar.c reports it.
*/
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/host/transform/transform.h"

#define MAX_MOVES 64 /* each takes a barrier out of one if */

typedef struct Graph {
  const mt_MslKernel *kernel;
  LLVMValueRef function;
  LLVMBasicBlockRef *block;
  unsigned count;
} Graph;

typedef unsigned char *Set; /* a byte for each block */

/* The if that a barrier is moved out of. */
typedef struct Move {
  /* if, its side with the barrier, the barrier's block, its other side */
  unsigned from, first, last, other;
  LLVMValueRef barrier;
  Set before; /* the blocks from 'first' up to 'last', exclusive */
} Move;

static unsigned number_of(const Graph *g, LLVMBasicBlockRef b) {
  unsigned i = 0;
  while (i < g->count && g->block[i] != b) i++;
  return i;
}

static unsigned ways(const Graph *g, unsigned b) {
  return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(g->block[b]));
}

static unsigned way(const Graph *g, unsigned b, unsigned i) {
  return number_of(
      g, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(g->block[b]), i));
}

/* All blocks that are reached from 'b', and 'b', without passing 'wall'. */
static void reach(const Graph *g, unsigned b, unsigned wall, Set out) {
  if (b == wall || out[b]) return;
  out[b] = 1;
  for (unsigned i = 0; i < ways(g, b); i++) reach(g, way(g, b, i), wall, out);
}

static bool meet(const Graph *g, const unsigned char *a,
                 const unsigned char *b) {
  for (unsigned i = 0; i < g->count; i++)
    if (a[i] && b[i]) return true;
  return false;
}

static LLVMValueRef barrier_in(const Graph *g, unsigned b) {
  LLVMValueRef i = LLVMGetFirstInstruction(g->block[b]);
  while (i && !mt_is_barrier(i)) i = LLVMGetNextInstruction(i);
  return i;
}

/* Are the blocks before the barrier entered only from 'from' and left only to
** 'last'? */
static bool is_closed(const Graph *g, const Move *m) {
  for (unsigned b = 0; b < g->count; b++) {
    if (m->before[b] && ways(g, b) == 0) return false; /* a return */
    for (unsigned i = 0; i < ways(g, b); i++) {
      unsigned to = way(g, b, i);
      bool inner = m->before[to] || to == m->last;
      if (inner && !m->before[b] && !(b == m->from && to == m->first))
        return false;
      if (!inner && m->before[b]) return false;
    }
  }
  return true;
}

/* 'space' has room for four sets; this uses three. */
static bool may_move(const Graph *g, Move *m, Set space) {
  size_t n = g->count;
  Set other = space, behind = space + n;
  m->before = space + 2 * n;
  memset(space, 0, 3 * n);
  reach(g, m->other, m->from, other);
  if (other[m->last]) return false; /* both sides reach it */
  reach(g, m->first, m->last, m->before);
  if (m->before[m->from] || meet(g, m->before, other)) return false;
  if (!is_closed(g, m)) return false;
  for (unsigned i = 0; i < ways(g, m->last); i++)
    reach(g, way(g, m->last, i), m->from, behind);
  /* a loop: the barrier runs in every iteration */
  if (behind[m->last]) return false;
  for (unsigned b = 0; b < n; b++)
    if (other[b] && !behind[b] && barrier_in(g, b)) return false;
  return true;
}

/* -------------------------------------------------------- what lanes decide */

/* Does it depend on the lane only, and so is the same in every SIMD-group? */
static bool is_of_lanes(const Graph *g, LLVMValueRef v, int depth);

static bool is_lane_argument(const Graph *g, LLVMValueRef v) {
  static const char *const names[] = {
      "thread_index_in_simdgroup", "thread_index_in_quadgroup",
      "threads_per_simdgroup", "thread_execution_width",
      "threads_per_quadgroup", "simdgroups_per_threadgroup",
      "dispatch_simdgroups_per_threadgroup"};
  const mt_Param *p = mt_parameter(g->kernel, g->function, v);
  return p && p->builtin &&
         mt_is_among(p->builtin, names, sizeof names / sizeof *names);
}

static bool computes(LLVMValueRef v) {
  return LLVMIsABinaryOperator(v) || LLVMIsAICmpInst(v) || LLVMIsACastInst(v) ||
         LLVMIsASelectInst(v) || LLVMIsAFreezeInst(v);
}

static bool is_of_lanes(const Graph *g, LLVMValueRef v, int depth) {
  if (LLVMIsConstant(v)) return true;
  if (LLVMIsAArgument(v)) return is_lane_argument(g, v);
  if (depth == 0 || !computes(v)) return false;
  for (int i = 0; i < LLVMGetNumOperands(v); i++)
    if (!is_of_lanes(g, LLVMGetOperand(v, (unsigned)i), depth - 1))
      return false;
  return true;
}

static bool lanes_part_at(const Graph *g, unsigned b) {
  if (ways(g, b) != 2) return false;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(g->block[b]);
  LLVMValueRef c = LLVMGetCondition(end);
  return !LLVMIsConstant(c) && is_of_lanes(g, c, 16);
}

static bool find_move(const Graph *g, Move *m, Set space) {
  for (m->last = 0; m->last < g->count; m->last++) {
    m->barrier = barrier_in(g, m->last);
    if (!m->barrier) continue;
    for (m->from = 0; m->from < g->count; m->from++) {
      if (m->from == m->last || !lanes_part_at(g, m->from)) continue;
      for (unsigned side = 0; side < 2; side++) {
        m->first = way(g, m->from, side), m->other = way(g, m->from, !side);
        Set from_first = space + 3 * g->count;
        if (m->first == m->other) continue;
        memset(from_first, 0, g->count);
        reach(g, m->first, m->from, from_first);
        if (from_first[m->last] && may_move(g, m, space)) return true;
      }
    }
  }
  return false;
}

/* ------------------------------------------------------------------ surgery */

static void redirect(LLVMBasicBlockRef from, LLVMBasicBlockRef old,
                     LLVMBasicBlockRef to) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) == old) LLVMSetSuccessor(end, i, to);
}

static void move_to_end(LLVMBuilderRef b, LLVMValueRef i,
                        LLVMBasicBlockRef to) {
  LLVMPositionBuilderAtEnd(b, to);
  LLVMInstructionRemoveFromParent(i);
  LLVMInsertIntoBuilder(b, i);
}

/* Let the phis of 'block' name 'now' where they named 'old'. */
static void rename_incoming(LLVMBuilderRef b, LLVMBasicBlockRef block,
                            LLVMBasicBlockRef old, LLVMBasicBlockRef now) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next;
       i && LLVMIsAPHINode(i); i = next) {
    next = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(b, i);
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(i), "");
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
      LLVMValueRef value = LLVMGetIncomingValue(i, k);
      LLVMBasicBlockRef from = LLVMGetIncomingBlock(i, k);
      if (from == old) from = now;
      LLVMAddIncoming(phi, &value, &from, 1);
    }
    LLVMReplaceAllUsesWith(i, phi);
    LLVMInstructionEraseFromParent(i);
  }
}

/* Let uses of 'v' outside the blocks before the barrier read it through a
** phi in 'wait'; it is poison for the other lanes. */
static void carry(LLVMBuilderRef b, LLVMValueRef v, const Graph *g,
                  const Move *m, LLVMBasicBlockRef before,
                  LLVMBasicBlockRef wait) {
  LLVMValueRef phi = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(v), next; u; u = next) {
    next = LLVMGetNextUse(u);
    LLVMValueRef user = LLVMGetUser(u);
    LLVMBasicBlockRef at = LLVMGetInstructionParent(user);
    unsigned n = number_of(g, at);
    if (user == phi || at == before || (n < g->count && m->before[n])) continue;
    if (!phi) {
      LLVMBasicBlockRef from[] = {before, g->block[m->from]};
      LLVMValueRef values[] = {v, LLVMGetPoison(LLVMTypeOf(v))};
      LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(wait));
      phi = LLVMBuildPhi(b, LLVMTypeOf(v), "");
      LLVMAddIncoming(phi, values, from, 2);
      next = LLVMGetFirstUse(v); /* the use list has changed: start again */
      continue;
    }
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, (unsigned)i) == v)
        LLVMSetOperand(user, (unsigned)i, phi);
    next = LLVMGetFirstUse(v);
  }
}

static void carry_block(LLVMBuilderRef b, LLVMBasicBlockRef block,
                        const Graph *g, const Move *m,
                        LLVMBasicBlockRef before, LLVMBasicBlockRef wait) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i))
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
      carry(b, i, g, m, before, wait);
}

/* from -> first … last         from -> first … before -> wait
**      -> other           =>        -> wait
**                              wait: barrier -> last (the rest), other */
static void move(const Graph *g, const Move *m) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(g->function));
  LLVMTypeRef bit = LLVMInt1TypeInContext(c);
  LLVMBasicBlockRef from = g->block[m->from], last = g->block[m->last],
                    other = g->block[m->other];
  LLVMBasicBlockRef before = LLVMInsertBasicBlockInContext(c, last, "before");
  LLVMBasicBlockRef wait = LLVMInsertBasicBlockInContext(c, last, "wait");
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  for (unsigned i = 0; i < g->count; i++)
    if (m->before[i] || (i == m->from && m->first == m->last))
      redirect(g->block[i], last, before);
  for (LLVMValueRef i; (i = LLVMGetFirstInstruction(last)) != m->barrier;)
    move_to_end(b, i, before);
  LLVMPositionBuilderAtEnd(b, before);
  LLVMBuildBr(b, wait);
  move_to_end(b, m->barrier, wait);
  redirect(from, other, wait);
  rename_incoming(b, other, from, wait);
  LLVMBasicBlockRef ends[] = {before, from};
  LLVMValueRef which[] = {LLVMConstInt(bit, 1, 0), LLVMConstInt(bit, 0, 0)};
  LLVMPositionBuilderBefore(b, m->barrier);
  LLVMValueRef was = LLVMBuildPhi(b, bit, "");
  LLVMAddIncoming(was, which, ends, 2);
  LLVMPositionBuilderAtEnd(b, wait);
  LLVMBuildCondBr(b, was, last, other);
  for (unsigned i = 0; i < g->count; i++)
    if (m->before[i]) carry_block(b, g->block[i], g, m, before, wait);
  carry_block(b, before, g, m, before, wait);
  LLVMDisposeBuilder(b);
}

/* -------------------------------------------------- those without an effect */

static bool is_private(LLVMValueRef pointer) {
  return LLVMIsAAllocaInst(mt_underlying_object(pointer));
}

/* May another thread observe its effect? */
static bool is_seen(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore: return !is_private(LLVMGetOperand(i, 1));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence: return true;
    case LLVMCall:
      if (mt_starts(mt_callee(i), "llvm."))
        return mt_starts(mt_callee(i), "llvm.mem");
      return !mt_is_barrier(i) && !mt_starts(mt_callee(i), "__mt_simd_");
    default: return false;
  }
}

static bool is_seen_before(const Graph *g, LLVMValueRef barrier, Set space) {
  LLVMBasicBlockRef at = LLVMGetInstructionParent(barrier);
  for (LLVMValueRef i = barrier; (i = LLVMGetPreviousInstruction(i)) != NULL;)
    if (is_seen(i)) return true;
  for (unsigned b = 0; b < g->count; b++) {
    memset(space, 0, g->count);
    for (unsigned w = 0; w < ways(g, b); w++)
      reach(g, way(g, b, w), g->count, space);
    if (!space[number_of(g, at)]) continue;
    for (LLVMValueRef i = LLVMGetFirstInstruction(g->block[b]); i;
         i = LLVMGetNextInstruction(i))
      if (is_seen(i)) return true;
  }
  return false;
}

/* threadgroup_barrier(mem_flags::mem_none) orders no memory; where nothing has
** been written yet it only keeps threads together, and is not needed. */
static bool drop_idle(const Graph *g, Set space) {
  bool dropped = false;
  for (unsigned b = 0; b < g->count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(g->block[b]), next; i;
         i = next) {
      next = LLVMGetNextInstruction(i);
      if (!mt_is_barrier(i)) continue;
      LLVMValueRef flags = LLVMGetOperand(i, 0);
      bool none = LLVMIsAConstantInt(flags) &&
                  LLVMConstIntGetZExtValue(flags) == 0;
      if (!none || is_seen_before(g, i, space)) continue;
      LLVMInstructionEraseFromParent(i);
      dropped = true;
    }
  return dropped;
}

bool mt_hoist_barriers(LLVMValueRef function, const mt_MslKernel *kernel) {
  bool moved = false, more = true;
  for (int n = 0; n < MAX_MOVES && more; n++) {
    Graph g = {.kernel = kernel, .function = function,
               .count = LLVMCountBasicBlocks(function)};
    Move m = {0};
    g.block = calloc(g.count, sizeof *g.block);
    Set space = calloc(g.count, 4);
    more = g.block && space;
    if (more) {
      LLVMGetBasicBlocks(function, g.block);
      if (n == 0) moved = drop_idle(&g, space);
      more = find_move(&g, &m, space);
    }
    if (more) move(&g, &m), moved = true;
    free(g.block);
    free(space);
  }
  return moved;
}
