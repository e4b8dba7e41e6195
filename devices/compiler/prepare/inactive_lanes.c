/*
** inactive_lanes.c - keeps values for reads from inactive lanes, see
** inactive_lanes.h.
**
** The one idea: the operand of a shuffle is traced back to the value that it is
** a part of, and that value is stored where it is computed. It is stored only
** if lanes may diverge between there and the shuffle, that is, if the shuffle
** is control-dependent on a varying branch. Other shuffles cost nothing.
*/
#include "devices/compiler/prepare/inactive_lanes.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/call.h"
#include "devices/compiler/ir/crosslane.h"

#define NOTE "mt.held"
#define MOST_STEPS 8       /* from the operand to its source */
#define MOST_INDICES 8     /* of a member in nested structs */
#define MOST_JOINS 16      /* phis and updates of a variable */
#define INACCESSIBLE 12    /* memory(inaccessiblemem: readwrite) */
#define MANY_BLOCKS 2000u  /* beyond: no analysis, keep all */

/* ------------------------------------------------------------------- calls */

/* Does it read from other lanes by a lane number, which may be an inactive
** lane's? */
static bool moves(LLVMValueRef i) {
  mt_Crosslane c;
  return mt_crosslane_find(mt_callee(i), &c) && c.row->class == MT_LANES_MOVE;
}

/* The number of moved operands: the first, and of a fill the second too. */
static unsigned moved_count(LLVMValueRef call) {
  mt_Crosslane c;
  return mt_crosslane_find(mt_callee(call), &c) ? mt_crosslane_moved(c.row) : 0;
}

bool mt_inactive_lanes_read(LLVMValueRef f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (moves(i)) return true;
  return false;
}

static unsigned note_kind(LLVMValueRef i) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(i));
  return LLVMGetMDKindIDInContext(c, NOTE, sizeof NOTE - 1);
}

int mt_inactive_cell(LLVMValueRef call, unsigned which) {
  LLVMValueRef note = LLVMGetMetadata(call, note_kind(call)), cell[2];
  if (!note || LLVMGetMDNodeNumOperands(note) != 2) return -1;
  LLVMGetMDNodeOperands(note, cell);
  return (int)LLVMConstIntGetSExtValue(cell[which]);
}

unsigned mt_inactive_cell_count(LLVMValueRef f) {
  unsigned most = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
      if (!mt_starts(mt_callee(i), MT_HOLD)) continue;
      uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
      if (n >= most) most = (unsigned)n + 1;
    }
  return most;
}

/* ------------------------------------------------------------------- graph */

typedef struct Numbered {
  const void *of;
  unsigned number;
} Numbered;

typedef struct Graph {
  LLVMValueRef function;
  const mt_MslKernel *kernel;
  unsigned blocks, instructions;
  LLVMBasicBlockRef *block;
  LLVMValueRef *instruction;
  Numbered *block_number, *number; /* sorted by address */
  bool *varies;                    /* by instruction */
  bool *parts;                     /* by block: its terminator diverges */
  bool *first, *second;            /* scratch sets of blocks */
} Graph;

static int by_address(const void *a, const void *b) {
  const Numbered *x = a, *y = b;
  return (x->of > y->of) - (x->of < y->of);
}

static unsigned number_of(const Numbered *all, unsigned n, const void *of) {
  Numbered key = {of, 0};
  const Numbered *at = bsearch(&key, all, n, sizeof *all, by_address);
  return at ? at->number : n;
}

static void count(Graph *g) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(g->function); b;
       b = LLVMGetNextBasicBlock(b), g->blocks++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      g->instructions++;
}

static void number(Graph *g) {
  unsigned n = 0, at = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(g->function); b;
       b = LLVMGetNextBasicBlock(b), n++) {
    g->block[n] = b;
    g->block_number[n] = (Numbered){b, n};
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i), at++) {
      g->instruction[at] = i;
      g->number[at] = (Numbered){i, at};
    }
  }
  qsort(g->block_number, g->blocks, sizeof *g->block_number, by_address);
  qsort(g->number, g->instructions, sizeof *g->number, by_address);
}

static bool open_graph(Graph *g) {
  count(g);
  size_t n = g->blocks, i = g->instructions;
  g->block = calloc(n, sizeof *g->block);
  g->block_number = calloc(n, sizeof *g->block_number);
  g->instruction = calloc(i, sizeof *g->instruction);
  g->number = calloc(i, sizeof *g->number);
  g->varies = calloc(i + 3 * n, sizeof *g->varies);
  if (!g->block || !g->block_number || !g->instruction || !g->number ||
      !g->varies)
    return false;
  g->parts = g->varies + i, g->first = g->parts + n, g->second = g->first + n;
  number(g);
  return true;
}

static void close_graph(Graph *g) {
  free(g->block), free(g->block_number), free(g->instruction);
  free(g->number), free(g->varies);
}

static unsigned block_of(const Graph *g, LLVMValueRef i) {
  return number_of(g->block_number, g->blocks, LLVMGetInstructionParent(i));
}

static LLVMValueRef end_of(const Graph *g, unsigned b) {
  return LLVMGetBasicBlockTerminator(g->block[b]);
}

static unsigned ways(const Graph *g, unsigned b) {
  return LLVMGetNumSuccessors(end_of(g, b));
}

static unsigned way(const Graph *g, unsigned b, unsigned i) {
  return number_of(g->block_number, g->blocks,
                   LLVMGetSuccessor(end_of(g, b), i));
}

/* Add to 'out' the blocks that are reachable from 'b', itself included, without
** passing 'wall'. */
static void reach(const Graph *g, unsigned b, unsigned wall, bool *out) {
  if (b == wall || out[b]) return;
  out[b] = true;
  for (unsigned i = 0; i < ways(g, b); i++) reach(g, way(g, b, i), wall, out);
}

/* ------------------------------------------------------------- uniformity */

static bool is_uniform_argument(const Graph *g, LLVMValueRef v) {
  static const char *const names[] = {
      "threadgroup_position_in_grid", "threadgroups_per_grid",
      "threads_per_grid", "grid_size", "threads_per_threadgroup",
      "dispatch_threads_per_threadgroup", "threads_per_simdgroup",
      "thread_execution_width", "simdgroup_index_in_threadgroup",
      "simdgroups_per_threadgroup", "dispatch_simdgroups_per_threadgroup",
      "quadgroups_per_threadgroup", "dispatch_quadgroups_per_threadgroup"};
  for (unsigned i = 0; i < g->kernel->param_count; i++) {
    const char *builtin = g->kernel->params[i].builtin;
    if (LLVMGetParam(g->function, i) != v) continue;
    if (!builtin) return true;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
      if (strcmp(builtin, names[n]) == 0) return true;
    return false;
  }
  return false;
}

static bool value_varies(const Graph *g, LLVMValueRef v) {
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

static bool makes_varying(const Graph *g, LLVMValueRef i) {
  const char *name = mt_callee(i);
  if (LLVMIsAAllocaInst(i) || LLVMIsAAtomicRMWInst(i) ||
      LLVMIsAAtomicCmpXchgInst(i))
    return true;
  if (mt_starts(name, "__mt_")) return !is_uniform_call(name);
  for (int n = 0; n < LLVMGetNumOperands(i); n++)
    if (value_varies(g, LLVMGetOperand(i, (unsigned)n))) return true;
  return false;
}

/* The branch at the end of 'b' is divergent: phis where its paths join are
** varying. */
static bool part_at(Graph *g, unsigned b) {
  bool changed = false;
  g->parts[b] = true;
  memset(g->first, 0, 2 * g->blocks * sizeof *g->first);
  reach(g, way(g, b, 0), b, g->first);
  for (unsigned i = 1; i < ways(g, b); i++) reach(g, way(g, b, i), b, g->second);
  for (unsigned n = 0; n < g->instructions; n++) {
    LLVMValueRef i = g->instruction[n];
    if (g->varies[n] || !LLVMIsAPHINode(i)) continue;
    unsigned at = block_of(g, i);
    if (g->first[at] && g->second[at]) changed = g->varies[n] = true;
  }
  return changed;
}

static bool find_varying_once(Graph *g) {
  bool changed = false;
  for (unsigned n = 0; n < g->instructions; n++)
    if (!g->varies[n] && makes_varying(g, g->instruction[n]))
      changed = g->varies[n] = true;
  for (unsigned b = 0; b < g->blocks; b++) {
    unsigned n = number_of(g->number, g->instructions, end_of(g, b));
    if (!g->parts[b] && ways(g, b) > 1 && g->varies[n]) changed |= part_at(g, b);
  }
  return changed;
}

/* --------------------------------------- is it read from inactive lanes? */

/* Blocks from which a path leads to the kernel's end without passing 'b'. */
static void find_past(const Graph *g, unsigned b, bool *past) {
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
static bool decides(const Graph *g, unsigned k, unsigned b, const bool *past) {
  bool there = false, elsewhere = false;
  for (unsigned i = 0; i < ways(g, k); i++) {
    unsigned to = way(g, k, i);
    bool misses = to != b && past[to];
    there |= !misses, elsewhere |= misses;
  }
  return there && elsewhere;
}

/* The blocks with divergent branches that 'b' is control-dependent on,
** transitively. */
static void find_parting(const Graph *g, unsigned b, bool *out) {
  bool *seen = calloc(g->blocks, sizeof *seen);
  bool *past = calloc(g->blocks, sizeof *past);
  unsigned *todo = calloc(g->blocks, sizeof *todo), n = 0;
  if (seen && past && todo) todo[n++] = b, seen[b] = true;
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

/* May lanes that have the value computed in 'from' diverge at a block of
** 'parting'? */
static bool is_read_so(const Graph *g, unsigned from, const bool *parting) {
  memset(g->first, 0, g->blocks * sizeof *g->first);
  reach(g, from, g->blocks, g->first);
  for (unsigned k = 0; k < g->blocks; k++)
    if (g->first[k] && parting[k]) return true;
  return false;
}

/* ------------------------------------------------ the source of an operand */

typedef struct Step {
  LLVMValueRef cast; /* a cast of one operand; NULL: a component */
  unsigned component;
} Step;

typedef struct Source {
  LLVMValueRef value;
  Step step[MOST_STEPS]; /* from the operand back to 'value' */
  unsigned steps;
  unsigned cell;
} Source;

static bool is_cast(LLVMValueRef v) {
  return LLVMIsACastInst(v) || LLVMIsAFreezeInst(v);
}

/* Look through inserts and shuffles for component '*at' of '*v'. true: '*v' is
** now the scalar itself; false: it is component '*at' of '*v'. */
static bool find_component(LLVMValueRef *v, unsigned *at) {
  for (;;) {
    LLVMValueRef i = *v;
    if (LLVMIsAInsertElementInst(i) &&
        LLVMIsAConstantInt(LLVMGetOperand(i, 2))) {
      bool here = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)) == *at;
      *v = LLVMGetOperand(i, here ? 1 : 0);
      if (here) return true;
    } else if (LLVMIsAShuffleVectorInst(i)) {
      int from = LLVMGetMaskValue(i, *at);
      int size = (int)LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(i, 0)));
      if (from < 0) return false;
      *v = LLVMGetOperand(i, from >= size);
      *at = (unsigned)(from >= size ? from - size : from);
    } else {
      return false;
    }
  }
}

/* trunc (zext x) to the type of x: a bool vector has bytes in memory. */
static LLVMValueRef cast_and_back(LLVMValueRef v) {
  LLVMValueRef wide = LLVMIsATruncInst(v) ? LLVMGetOperand(v, 0) : NULL;
  if (!wide || !LLVMIsAZExtInst(wide)) return NULL;
  LLVMValueRef narrow = LLVMGetOperand(wide, 0);
  return LLVMTypeOf(narrow) == LLVMTypeOf(v) ? narrow : NULL;
}

typedef struct Path { /* indices of a member, outermost first */
  unsigned index[MOST_INDICES], count;
} Path;

static bool path_in_front(Path *p, LLVMValueRef v) {
  unsigned more = LLVMGetNumIndices(v);
  if (p->count + more > MOST_INDICES) return false;
  memmove(p->index + more, p->index, p->count * sizeof *p->index);
  memcpy(p->index, LLVMGetIndices(v), more * sizeof *p->index);
  p->count += more;
  return true;
}

/* Number of leading indices that 'p' and an insertvalue share. */
static unsigned path_shared(const Path *p, LLVMValueRef insert) {
  unsigned n = 0, most = LLVMGetNumIndices(insert);
  while (n < most && n < p->count && LLVMGetIndices(insert)[n] == p->index[n])
    n++;
  return n;
}

/* The value inserted for the member that 'extract' reads; NULL: not found. */
static LLVMValueRef find_member(LLVMValueRef extract) {
  Path p = {{0}, 0};
  for (LLVMValueRef v = extract;;) {
    if (LLVMIsAExtractValueInst(v)) {
      if (!path_in_front(&p, v)) return NULL;
      v = LLVMGetOperand(v, 0);
    } else if (LLVMIsAInsertValueInst(v)) {
      unsigned shared = path_shared(&p, v), all = LLVMGetNumIndices(v);
      if (shared < all && shared == p.count) return NULL; /* part of it */
      bool here = shared == all;
      if (here)
        p.count -= all,
            memmove(p.index, p.index + all, p.count * sizeof *p.index);
      v = LLVMGetOperand(v, here ? 1 : 0);
    } else {
      return p.count ? NULL : v;
    }
    if (p.count == 0) return v;
  }
}

/* The same value without a redundant cast or extract; NULL: none. */
static LLVMValueRef same_as(LLVMValueRef v) {
  return LLVMIsAExtractValueInst(v) ? find_member(v) : cast_and_back(v);
}

static Source source_of(LLVMValueRef v) {
  Source s = {.value = v};
  while (s.steps < MOST_STEPS) {
    v = s.value;
    LLVMValueRef same = same_as(v);
    if (same) {
      s.value = same;
    } else if (is_cast(v)) {
      s.step[s.steps++] = (Step){v, 0};
      s.value = LLVMGetOperand(v, 0);
    } else if (LLVMIsAExtractElementInst(v) &&
               LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
      unsigned at = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
      s.value = LLVMGetOperand(v, 0);
      if (!find_component(&s.value, &at)) s.step[s.steps++] = (Step){NULL, at};
    } else {
      break;
    }
  }
  return s;
}

static bool is_same_step(const Step *a, const Step *b) {
  if (!a->cast || !b->cast)
    return !a->cast && !b->cast && a->component == b->component;
  return LLVMGetInstructionOpcode(a->cast) == LLVMGetInstructionOpcode(b->cast) &&
         LLVMTypeOf(a->cast) == LLVMTypeOf(b->cast);
}

static bool is_same(const Source *a, const Source *b) {
  if (a->value != b->value || a->steps != b->steps) return false;
  for (unsigned i = 0; i < a->steps; i++)
    if (!is_same_step(&a->step[i], &b->step[i])) return false;
  return true;
}

/* --------------------------------------------- the variable's earlier value */

/* float x = 1; if (…) { x = 2; …read x of another lane… } use(x): the two
** values are one variable, since a phi joins them, and so one register. A lane
** that does not take the branch holds the phi's value from before it. */
typedef struct Before {
  LLVMValueRef value;
  unsigned block; /* at whose end it is the variable's value */
} Before;

typedef struct Variable {
  LLVMValueRef
      joins[MOST_JOINS]; /* phis of the variable, and its updates */
  unsigned join_count;
  Before before[MOST_JOINS];
  unsigned count;
} Variable;

/* Is 'w' other lanes' 'v', moved here by a cross-lane call? */
static bool is_moved(LLVMValueRef w, LLVMValueRef v) {
  while (LLVMIsAInsertElementInst(w)) w = LLVMGetOperand(w, 1);
  w = source_of(w).value;
  return LLVMIsACallInst(w) && moves(w) &&
         source_of(LLVMGetOperand(w, 0)).value == v;
}

/* x += simd_shuffle_down(x, 1): the result is the variable's next value. */
static bool is_update(LLVMValueRef user, LLVMValueRef v) {
  if (!LLVMIsAInstruction(user) || LLVMTypeOf(user) != LLVMTypeOf(v))
    return false;
  for (int k = 0; k < LLVMGetNumOperands(user); k++)
    if (is_moved(LLVMGetOperand(user, (unsigned)k), v)) return true;
  return false;
}

static void add_joins(Variable *all, LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u), join = LLVMIsAPHINode(user);
    bool known = all->join_count == MOST_JOINS;
    for (unsigned k = 0; k < all->join_count; k++)
      known |= all->joins[k] == user;
    if (!known && (join || is_update(user, v)))
      all->joins[all->join_count++] = user;
  }
}

/* Does every path from the entry to 'b' pass 'a', a different block? */
static bool dominates(const Graph *g, unsigned a, unsigned b) {
  if (a == b) return false;
  memset(g->first, 0, g->blocks * sizeof *g->first);
  reach(g, 0, a, g->first);
  return !g->first[b];
}

static void add_before(const Graph *g, LLVMValueRef join, LLVMValueRef v,
                       unsigned made, Variable *all) {
  for (unsigned i = 0; i < LLVMCountIncoming(join); i++) {
    LLVMValueRef u = LLVMGetIncomingValue(join, i);
    unsigned from =
        number_of(g->block_number, g->blocks, LLVMGetIncomingBlock(join, i));
    if (u == v || LLVMIsUndef(u) || all->count == MOST_JOINS) continue;
    if (dominates(g, from, made)) all->before[all->count++] = (Before){u, from};
  }
}

/* Values that lanes still hold which diverge on the way to block 'made', where
** 'v' is computed. */
static void find_before(const Graph *g, LLVMValueRef v, unsigned made,
                        Variable *all) {
  if (!LLVMIsAInstruction(v)) return;
  add_joins(all, v);
  for (unsigned k = 0; k < all->join_count; k++) {
    if (LLVMIsAPHINode(all->joins[k]))
      add_before(g, all->joins[k], v, made, all);
    add_joins(all, all->joins[k]);
  }
  bool *parting = all->count ? calloc(g->blocks, sizeof *parting) : NULL;
  unsigned kept = 0;
  if (parting) find_parting(g, made, parting);
  for (unsigned k = 0; parting && k < all->count; k++)
    if (is_read_so(g, all->before[k].block, parting))
      all->before[kept++] = all->before[k];
  all->count = kept;
  free(parting);
}

/* ------------------------------------------------------------------ storing */

typedef struct Notes {
  Graph *g;
  LLVMModuleRef module;
  LLVMBuilderRef b;
  Source *kept;
  unsigned count, room;
  unsigned at;      /* the block that 'parting' belongs to */
  bool *parting;    /* of block 'at' */
} Notes;

static void go_behind(Notes *n, LLVMValueRef v) {
  LLVMValueRef i = LLVMIsAInstruction(v);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(n->g->function);
  LLVMValueRef at = i ? LLVMGetNextInstruction(i)
                      : LLVMGetFirstInstruction(entry);
  while (LLVMIsAPHINode(at) || (!i && LLVMIsAAllocaInst(at)))
    at = LLVMGetNextInstruction(at);
  LLVMPositionBuilderBefore(n->b, at);
  LLVMSetCurrentDebugLocation2(n->b, i ? LLVMInstructionGetDebugLoc(i) : NULL);
}

/* The operand that 's' describes, recomputed from 'v' instead of its source. */
static LLVMValueRef make_again(Notes *n, const Source *s, LLVMValueRef v) {
  for (unsigned k = s->steps; k-- > 0;) {
    if (s->step[k].cast) {
      LLVMValueRef again = LLVMInstructionClone(s->step[k].cast);
      LLVMSetOperand(again, 0, v);
      LLVMInsertIntoBuilder(n->b, again);
      v = again;
    } else {
      LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
      v = LLVMBuildExtractElement(
          n->b, v, LLVMConstInt(i32, s->step[k].component, 0), "");
    }
  }
  return v;
}

static void add_attribute(LLVMValueRef f, const char *name, uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(
      f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateEnumAttribute(LLVMGetTypeContext(LLVMTypeOf(f)), kind, value));
}

/* Touches no memory of the kernel, but must not move: convergent, with
** inaccessible memory. */
static LLVMValueRef hold_function(Notes *n, LLVMTypeRef t) {
  const char *name = LLVMGetIntTypeWidth(t) == 64 ? MT_HOLD "u64" : MT_HOLD "u32";
  LLVMValueRef f = LLVMGetNamedFunction(n->module, name);
  if (f) return f;
  LLVMContextRef c = LLVMGetTypeContext(t);
  LLVMTypeRef params[] = {LLVMInt32TypeInContext(c), t};
  f = LLVMAddFunction(n->module, name,
                      LLVMFunctionType(LLVMVoidTypeInContext(c), params, 2, 0));
  add_attribute(f, "convergent", 0);
  add_attribute(f, "nounwind", 0);
  add_attribute(f, "willreturn", 0);
  add_attribute(f, "memory", INACCESSIBLE);
  return f;
}

static void hold(Notes *n, const Source *s, LLVMValueRef v, LLVMTypeRef t) {
  LLVMValueRef f = hold_function(n, t);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(t));
  LLVMValueRef args[] = {LLVMConstInt(i32, s->cell, 0), make_again(n, s, v)};
  LLVMBuildCall2(n->b, LLVMGlobalGetValueType(f), f, args, 2, "");
}

/* The cell that holds the operand; stores are inserted once for each source. */
static int keep(Notes *n, const Source *s, const Variable *all, LLVMTypeRef t) {
  for (unsigned i = 0; i < n->count; i++)
    if (is_same(&n->kept[i], s)) return (int)n->kept[i].cell;
  if (n->count == n->room) {
    Source *more = realloc(n->kept, (2 * n->room + 16) * sizeof *more);
    if (!more) return -1;
    n->kept = more, n->room = 2 * n->room + 16;
  }
  n->kept[n->count] = *s;
  n->kept[n->count].cell = n->count;
  go_behind(n, s->value);
  hold(n, &n->kept[n->count], s->value, t);
  for (unsigned k = 0; k < all->count; k++) {
    LLVMPositionBuilderBefore(n->b, end_of(n->g, all->before[k].block));
    hold(n, &n->kept[n->count], all->before[k].value, t);
  }
  return (int)n->count++;
}

static int cell_for(Notes *n, LLVMValueRef call, unsigned which) {
  Graph *g = n->g;
  LLVMValueRef v = LLVMGetOperand(call, which);
  if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind) return -1;
  Source s = source_of(v);
  unsigned block = block_of(g, call);
  unsigned from = LLVMIsAInstruction(s.value) ? block_of(g, s.value) : 0;
  Variable all = {.count = 0};
  if (g->blocks <= MANY_BLOCKS) {
    if (n->at != block) {
      memset(n->parting, 0, g->blocks * sizeof *n->parting);
      find_parting(g, block, n->parting);
      n->at = block;
    }
    find_before(g, s.value, from, &all);
    if (all.count == 0 && !is_read_so(g, from, n->parting)) return -1;
  }
  return keep(n, &s, &all, LLVMTypeOf(v));
}

static void note(Notes *n, LLVMValueRef call) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(c);
  int cell[2] = {-1, -1};
  for (unsigned k = 0; k < moved_count(call); k++)
    cell[k] = cell_for(n, call, k);
  if (cell[0] < 0 && cell[1] < 0) return;
  LLVMMetadataRef all[2];
  for (int k = 0; k < 2; k++)
    all[k] = LLVMValueAsMetadata(LLVMConstInt(i32, (uint64_t)(int64_t)cell[k], 1));
  LLVMSetMetadata(call, note_kind(call),
                  LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, all, 2)));
}

void mt_inactive_lanes_keep(LLVMValueRef function, const mt_MslKernel *kernel) {
  Graph g = {.function = function, .kernel = kernel};
  Notes n = {.g = &g, .module = LLVMGetGlobalParent(function), .at = -1u};
  if (open_graph(&g) && (n.parting = calloc(g.blocks, sizeof *n.parting))) {
    n.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(n.module));
    while (g.blocks <= MANY_BLOCKS && find_varying_once(&g)) continue;
    for (unsigned i = 0; i < g.instructions; i++)
      if (moves(g.instruction[i])) note(&n, g.instruction[i]);
    LLVMDisposeBuilder(n.b);
  }
  free(n.parting), free(n.kept);
  close_graph(&g);
}
