/*
** unroll_arrays.c - loops that keep a private array in memory.
**
** The one idea: an array of a thread lives in registers only if each of its
** indices is a constant, and most indices are counters of loops. So the
** question is asked of the array, not of a loop: which loops count its indices,
** and are they all bounded by constants, or by counters of others of them, as
** in a triangle (for r < 6 … for c <= r)? Then all of these loops are unrolled,
** up to a limit for the kernel. An array with an index that is loaded or passed
** stays in memory, and asks for nothing.
**
** An index that is one of a few constants then, such as the row of a pivot, is
** no obstacle: few_indices.c chooses between the elements.
*/
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/unroll.h"

#define MOST_ARRAYS 64
#define MOST_VISITED 512 /* values that the indices of an array come from */
#define MOST_DEPTH 64
#define MOST_TRIPS 1024
#define MOST_BLOCKS 2000
#define CHOSEN "mt.unroll_array" /* a loop's branch that has a hint of ours */

typedef struct Loop {
  uint64_t body; /* instructions of an iteration */
  bool unrolled; /* is chosen */
  bool asked;    /* by the array that is looked at */
} Loop;

typedef struct Nest {
  mt_LoopEnds ends;
  Loop *loop; /* by number */
  uint64_t outside; /* instructions in no loop */
  LLVMTargetDataRef layout;
  LLVMValueRef visited[MOST_VISITED];
  unsigned visits;
} Nest;

/* --------------------------------------------------------------- the nest */

static void read_block(Nest *n, int number) {
  int l = n->ends.nest.loop[number];
  uint64_t *body = l < 0 ? &n->outside : &n->loop[l].body;
  for (LLVMValueRef i = LLVMGetFirstInstruction(n->ends.nest.block[number]); i;
       i = LLVMGetNextInstruction(i))
    *body += mt_unrolled_weight(i);
}

/* False: out of memory. */
static bool open_nest(Nest *n, LLVMValueRef f) {
  const mt_LoopNest *of = &n->ends.nest;
  memset(n, 0, sizeof *n);
  if (!mt_loop_ends_make(f, MOST_TRIPS, &n->ends)) return false;
  n->layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
  n->loop = calloc((size_t)of->loop_count + 1, sizeof *n->loop);
  if (!n->loop) return false;
  for (int b = 0; b < of->blocks && of->block[b]; b++) read_block(n, b);
  return true;
}

static void close_nest(Nest *n) {
  mt_loop_ends_free(&n->ends);
  free(n->loop);
}

/* ------------------------------------------------ where an index comes from */

static bool is_visited(Nest *n, LLVMValueRef v) {
  for (unsigned k = 0; k < n->visits; k++)
    if (n->visited[k] == v) return true;
  return false;
}

/* The loop whose header has this phi; -1: it is no header. */
static int loop_of(const Nest *n, LLVMValueRef phi) {
  const mt_LoopNest *of = &n->ends.nest;
  int b = mt_loop_nest_number(of, LLVMGetInstructionParent(phi));
  int l = b < 0 ? -1 : of->loop[b];
  return l >= 0 && of->loops[l].header == b ? l : -1;
}

static bool is_known(Nest *n, LLVMValueRef v, int depth);

/* Are all operands from 'first' on known? */
static bool are_known(Nest *n, LLVMValueRef i, int first, int depth) {
  for (int k = first; k < LLVMGetNumOperands(i); k++)
    if (!is_known(n, LLVMGetOperand(i, (unsigned)k), depth + 1)) return false;
  return true;
}

/* A loop that counts an index: its iterations are known, or will be once the
** loops around it are unrolled. */
static bool ask_for(Nest *n, int l, int depth) {
  const mt_LoopEnd *end = &n->ends.of[l];
  if (n->loop[l].asked) return true;
  n->loop[l].asked = true;
  if (!end->branch) return false;
  if (end->trips) return true;
  if (end->exits != 1 || !LLVMIsConditional(end->branch)) return false;
  LLVMValueRef test = LLVMGetCondition(end->branch);
  return LLVMIsAICmpInst(test) && are_known(n, test, 0, depth);
}

static bool is_known_phi(Nest *n, LLVMValueRef phi, int depth) {
  int l = loop_of(n, phi);
  if (l >= 0 && !ask_for(n, l, depth)) return false;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (!is_known(n, LLVMGetIncomingValue(phi, k), depth + 1)) return false;
  return true;
}

/* An element of a constant table, at an index that is known. */
static bool is_known_load(Nest *n, LLVMValueRef load, int depth) {
  LLVMValueRef from = LLVMGetOperand(load, 0);
  LLVMValueRef table = mt_underlying_object(from);
  if (!LLVMIsAGlobalVariable(table) || !LLVMIsGlobalConstant(table))
    return false;
  for (; LLVMIsAGetElementPtrInst(from); from = LLVMGetOperand(from, 0))
    if (!are_known(n, from, 1, depth)) return false;
  return true;
}

/* Is 'v' a constant, or one of a few, once the loops that count it are
** unrolled? They are asked for. */
static bool is_known(Nest *n, LLVMValueRef v, int depth) {
  if (LLVMIsConstant(v) || is_visited(n, v)) return true;
  if (!LLVMIsAInstruction(v) || depth > MOST_DEPTH ||
      n->visits == MOST_VISITED)
    return false;
  n->visited[n->visits++] = v;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPHI: return is_known_phi(n, v, depth);
    case LLVMLoad: return is_known_load(n, v, depth);
    case LLVMICmp: case LLVMFCmp: return true; /* 0 or 1 */
    case LLVMSelect: return are_known(n, v, 1, depth);
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMShl: case LLVMLShr:
    case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor: case LLVMUDiv:
    case LLVMSDiv: case LLVMURem: case LLVMSRem: case LLVMZExt: case LLVMSExt:
    case LLVMTrunc: case LLVMFreeze: return are_known(n, v, 0, depth);
    default: return false;
  }
}

/* ---------------------------------------------------------------- an array */

/* Are all accesses through 'pointer' at known indices, and nothing but
** accesses? '*any': some index is no constant yet. */
static bool has_known_uses(Nest *n, LLVMValueRef pointer, bool *any,
                           int depth) {
  if (depth > MOST_DEPTH) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    const char *name = mt_callee(i);
    if (LLVMIsALoadInst(i)) continue;
    if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 0) != pointer) continue;
    if (mt_starts(name, "llvm.lifetime.") || mt_starts(name, "llvm.memset.") ||
        mt_is_copy(name))
      continue;
    if (LLVMIsAGetElementPtrInst(i)) {
      *any |= mt_has_variable_index(i);
      if (!are_known(n, i, 1, depth)) return false;
    } else if (!mt_is_choice(i) || is_visited(n, i)) {
      if (!mt_is_choice(i)) return false;
      continue;
    } else if (n->visits < MOST_VISITED) {
      n->visited[n->visits++] = i;
    } else {
      return false;
    }
    if (!has_known_uses(n, i, any, depth + 1)) return false;
  }
  return true;
}

static uint64_t bytes_of(const Nest *n, LLVMValueRef alloca) {
  int64_t count;
  if (!mt_const_number(LLVMGetOperand(alloca, 0), &count) || count != 1)
    return UINT64_MAX;
  return LLVMABISizeOfType(n->layout, LLVMGetAllocatedType(alloca));
}

/* Which loops would have to be unrolled? False: it stays in memory. */
static bool ask(Nest *n, LLVMValueRef alloca) {
  bool any = false;
  n->visits = 0;
  for (int l = 0; l < n->ends.nest.loop_count; l++) n->loop[l].asked = false;
  return has_known_uses(n, alloca, &any, 0) && any;
}

/* ------------------------------------------------------------------- choice */

/* Iterations of a loop in a triangle: half of those of the loop around it. */
static int64_t estimated_trips(const Nest *n, int l) {
  const mt_LoopEnd *end = n->ends.of;
  for (int of = l; of >= 0; of = n->ends.nest.loops[of].parent)
    if (end[of].trips)
      return of == l ? end[of].trips : (end[of].trips + 1) / 2;
  return 8;
}

/* Instructions of the function with the loops unrolled that are chosen or
** asked for. */
static uint64_t unrolled_size(const Nest *n) {
  uint64_t size = n->outside;
  for (int l = 0; l < n->ends.nest.loop_count; l++) {
    uint64_t one = n->loop[l].body;
    for (int of = l; of >= 0; of = n->ends.nest.loops[of].parent)
      if (n->loop[of].unrolled || n->loop[of].asked)
        one *= (uint64_t)estimated_trips(n, of);
    size += one;
  }
  return size;
}

/* What the source says about a loop counts: [[unroll(1)]] stays one. */
static bool may_unroll(const Nest *n) {
  int64_t count;
  for (int l = 0; l < n->ends.nest.loop_count; l++)
    if (n->loop[l].asked) {
      mt_UnrollHint hint = mt_unroll_hint(n->ends.of[l].branch, &count);
      if (hint == MT_HINT_DISABLE || hint == MT_HINT_COUNT) return false;
    }
  return true;
}

typedef struct Array {
  uint64_t bytes;
  LLVMValueRef alloca;
} Array;

static int by_size(const void *a, const void *b) {
  const Array *x = a, *y = b;
  return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* The arrays of at most so many bytes, the smallest first. */
static unsigned list_arrays(const Nest *n, uint64_t most,
                            Array list[MOST_ARRAYS]) {
  unsigned count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(n->ends.nest.block[0]); i;
       i = LLVMGetNextInstruction(i)) {
    uint64_t bytes = LLVMIsAAllocaInst(i) ? bytes_of(n, i) : UINT64_MAX;
    if (bytes > most || count == MOST_ARRAYS) continue;
    list[count++] = (Array){bytes, i};
  }
  qsort(list, count, sizeof *list, by_size);
  return count;
}

static void choose_loops(Nest *n, const mt_ArrayLimits *limits) {
  Array list[MOST_ARRAYS];
  uint64_t bytes = 0;
  unsigned count = list_arrays(n, limits->bytes, list);
  for (unsigned k = 0; k < count; k++) {
    if (!ask(n, list[k].alloca) || !may_unroll(n) ||
        bytes + list[k].bytes > limits->bytes ||
        unrolled_size(n) > limits->instructions)
      continue;
    bytes += list[k].bytes;
    for (int l = 0; l < n->ends.nest.loop_count; l++)
      n->loop[l].unrolled |= n->loop[l].asked;
  }
}

static void add_hint(const mt_LoopEnd *end) {
  if (end->exits > 1 && end->trips > 1)
    mt_unroll_hint_replace(end->branch, end->trips);
  else
    mt_unroll_hint_add(end->branch, "llvm.loop.unroll.full");
  mt_mark(end->branch, CHOSEN, 1);
}

bool mt_unroll_arrays_choose(LLVMValueRef f, const mt_ArrayLimits *limits) {
  Nest n;
  bool any = false;
  if (!limits->bytes || LLVMCountBasicBlocks(f) > MOST_BLOCKS) return false;
  if (open_nest(&n, f)) {
    choose_loops(&n, limits);
    for (int l = 0; l < n.ends.nest.loop_count; l++)
      if (n.loop[l].unrolled) add_hint(&n.ends.of[l]), any = true;
  }
  close_nest(&n);
  return any;
}

void mt_unroll_arrays_forget(LLVMValueRef f) {
  LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(b);
    if (!mt_marked(branch, CHOSEN)) continue;
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, CHOSEN, strlen(CHOSEN)),
                    NULL);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9), NULL);
  }
}
