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
#include "devices/compiler/ir/ir.h"

#define NOTE "mt.held"
#define MOST_STEPS 8       /* from the operand to its source */
#define MOST_INDICES 8     /* of a member in nested structs */
#define MOST_JOINS 16      /* phis and updates of a variable */
#define INACCESSIBLE 12    /* memory(inaccessiblemem: readwrite) */

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
  MT_EACH_INSTRUCTION(i, f)
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
  MT_EACH_INSTRUCTION(i, f) {
    if (!mt_starts(mt_callee(i), MT_HOLD)) continue;
    uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    if (n >= most) most = (unsigned)n + 1;
  }
  return most;
}

/* --------------------------------------- is it read from inactive lanes? */

/* May lanes that have the value computed in 'from' diverge at a block of
** 'parting'? */
static bool is_read_so(const mt_Divergence *g, unsigned from,
                       const bool *parting) {
  memset(g->first, 0, g->blocks * sizeof *g->first);
  mt_divergence_reach(g, from, g->blocks, g->first);
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

/* The vector of four that a vector of three was taken from; else 'v'. */
static LLVMValueRef padded(LLVMValueRef v, unsigned at) {
  if (!LLVMIsAShuffleVectorInst(v)) return v;
  LLVMValueRef from = LLVMGetOperand(v, 0);
  bool is_longer =
      LLVMGetVectorSize(LLVMTypeOf(from)) > LLVMGetVectorSize(LLVMTypeOf(v));
  return is_longer && LLVMGetMaskValue(v, at) == (int)at ? from : v;
}

/* 'whole': a component is one of its vector, whatever that was made of. */
static Source trace(LLVMValueRef v, bool whole) {
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
      if (whole) s.value = padded(s.value, at);
      if (whole || !find_component(&s.value, &at))
        s.step[s.steps++] = (Step){NULL, at};
    } else {
      break;
    }
  }
  return s;
}

static Source source_of(LLVMValueRef v) { return trace(v, false); }

static bool is_same_step(const Step *a, const Step *b) {
  if (!a->cast || !b->cast)
    return !a->cast && !b->cast && a->component == b->component;
  return LLVMGetInstructionOpcode(a->cast) ==
             LLVMGetInstructionOpcode(b->cast) &&
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
static bool dominates(const mt_Divergence *g, unsigned a, unsigned b) {
  if (a == b) return false;
  memset(g->first, 0, g->blocks * sizeof *g->first);
  mt_divergence_reach(g, 0, a, g->first);
  return !g->first[b];
}

/* May 'v' be the value of a variable that was never set? Its phis may lead back
** to each other: each is visited once. */
static bool is_never_set(LLVMValueRef v) {
  LLVMValueRef phi[4 * MOST_JOINS];
  unsigned count = 0;
  if (LLVMIsUndef(v)) return true;
  if (LLVMIsAPHINode(v)) phi[count++] = v;
  for (unsigned at = 0; at < count; at++)
    for (unsigned i = 0; i < LLVMCountIncoming(phi[at]); i++) {
      LLVMValueRef u = LLVMGetIncomingValue(phi[at], i);
      bool known = !LLVMIsAPHINode(u);
      if (LLVMIsUndef(u)) return true;
      for (unsigned k = 0; k < count; k++) known |= phi[k] == u;
      if (known) continue;
      if (count == sizeof phi / sizeof *phi) return true;
      phi[count++] = u;
    }
  return false;
}

static void add_before(const mt_Divergence *g, LLVMValueRef join,
                       LLVMValueRef v, unsigned made, Variable *all) {
  for (unsigned i = 0; i < LLVMCountIncoming(join); i++) {
    LLVMValueRef u = LLVMGetIncomingValue(join, i);
    unsigned from =
        mt_divergence_number(g, LLVMGetIncomingBlock(join, i));
    if (u == v || all->count == MOST_JOINS || is_never_set(u)) continue;
    if (dominates(g, from, made)) all->before[all->count++] = (Before){u, from};
  }
}

/* Values that lanes still hold which diverge on the way to block 'made', where
** 'v' is computed. */
static void find_before(const mt_Divergence *g, LLVMValueRef v, unsigned made,
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
  if (!parting) return; /* none, or without memory: keep all */
  mt_divergence_parting(g, made, parting);
  for (unsigned k = 0; k < all->count; k++)
    if (is_read_so(g, all->before[k].block, parting))
      all->before[kept++] = all->before[k];
  all->count = kept;
  free(parting);
}

/* ---------------------------------------- variables that are not read later */

#define EXTENSION "__mt_used" /* void (...) */
#define MOST_VARIABLES 64
#define MOST_COPIES 24 /* from a variable to the call */

typedef struct Variables {
  LLVMValueRef of[MOST_VARIABLES];  /* allocas */
  LLVMTypeRef type[MOST_VARIABLES]; /* as they are read: float3 as float4 */
  unsigned count;
} Variables;

static bool add_variable(Variables *all, LLVMValueRef alloca,
                         LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(alloca));
  if (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) return false;
  for (unsigned k = 0; k < all->count; k++)
    if (all->of[k] == alloca) return false;
  if (all->count == MOST_VARIABLES) return false;
  all->type[all->count] = type;
  all->of[all->count++] = alloca;
  return true;
}

/* The variables that 'v' is a copy or a component of. */
static void find_variables(Variables *all, LLVMValueRef v, unsigned depth) {
  if (depth == MOST_COPIES || !LLVMIsAInstruction(v)) return;
  LLVMValueRef from = LLVMIsALoadInst(v) ? LLVMGetOperand(v, 0) : NULL;
  if (from && LLVMIsAAllocaInst(from) &&
      add_variable(all, from, LLVMTypeOf(v))) {
    for (LLVMUseRef u = LLVMGetFirstUse(from); u; u = LLVMGetNextUse(u)) {
      LLVMValueRef store = LLVMGetUser(u);
      if (LLVMIsAStoreInst(store) && LLVMGetOperand(store, 1) == from)
        find_variables(all, LLVMGetOperand(store, 0), depth + 1);
    }
  } else if (is_cast(v) || LLVMIsAExtractElementInst(v) ||
             LLVMIsAExtractValueInst(v)) {
    find_variables(all, LLVMGetOperand(v, 0), depth + 1);
  } else if (LLVMIsAInsertElementInst(v) || LLVMIsAShuffleVectorInst(v)) {
    find_variables(all, LLVMGetOperand(v, 0), depth + 1);
    find_variables(all, LLVMGetOperand(v, 1), depth + 1);
  }
}

static void use_all(const Variables *all, LLVMModuleRef m, LLVMBuilderRef b) {
  LLVMTypeRef none = LLVMVoidTypeInContext(LLVMGetModuleContext(m));
  LLVMTypeRef type = LLVMFunctionType(none, NULL, 0, true);
  LLVMValueRef f = LLVMGetNamedFunction(m, EXTENSION);
  if (!f) f = LLVMAddFunction(m, EXTENSION, type);
  for (unsigned k = 0; k < all->count; k++) {
    LLVMValueRef value = LLVMBuildLoad2(b, all->type[k], all->of[k], "");
    LLVMBuildCall2(b, type, f, &value, 1, "");
  }
}

void mt_inactive_lanes_extend(LLVMValueRef function) {
  LLVMModuleRef m = LLVMGetGlobalParent(function);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  Variables all = {.count = 0};
  MT_EACH_INSTRUCTION(i, function)
    for (unsigned n = 0; moves(i) && n < moved_count(i); n++)
      find_variables(&all, LLVMGetOperand(i, n), 0);
  for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
       k = LLVMGetNextBasicBlock(k)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(k);
    if (!LLVMIsAReturnInst(last)) continue;
    LLVMPositionBuilderBefore(b, last);
    use_all(&all, m, b);
  }
  LLVMDisposeBuilder(b);
}

void mt_inactive_lanes_end_extension(LLVMValueRef function) {
  LLVMValueRef f =
      LLVMGetNamedFunction(LLVMGetGlobalParent(function), EXTENSION);
  if (!f) return;
  for (LLVMUseRef u; (u = LLVMGetFirstUse(f)) != NULL;)
    LLVMInstructionEraseFromParent(LLVMGetUser(u));
  LLVMDeleteFunction(f);
}

/* ------------------------------------------------------------------ storing */

typedef struct Notes {
  bool failed; /* out of memory */
  mt_Divergence *g;
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
      LLVMTypeRef i32 =
          LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
      v = LLVMBuildExtractElement(
          n->b, v, LLVMConstInt(i32, s->step[k].component, 0), "");
    }
  }
  return v;
}

/* Touches no memory of the kernel, but must not move: convergent, with
** inaccessible memory. */
static LLVMValueRef hold_function(Notes *n, LLVMTypeRef t) {
  const char *name =
      LLVMGetIntTypeWidth(t) == 64 ? MT_HOLD "u64" : MT_HOLD "u32";
  LLVMValueRef f = LLVMGetNamedFunction(n->module, name);
  if (f) return f;
  LLVMContextRef c = LLVMGetTypeContext(t);
  LLVMTypeRef params[] = {LLVMInt32TypeInContext(c), t};
  f = LLVMAddFunction(n->module, name,
                      LLVMFunctionType(LLVMVoidTypeInContext(c), params, 2, 0));
  mt_add_attribute(f, "convergent", 0);
  mt_add_attribute(f, "nounwind", 0);
  mt_add_attribute(f, "willreturn", 0);
  mt_add_attribute(f, "memory", INACCESSIBLE);
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
    unsigned room = 2 * n->room + 16;
    Source *more = realloc(n->kept, room * sizeof *more);
    if (!more) {
      n->failed = true;
      return -1;
    }
    n->kept = more, n->room = room;
  }
  n->kept[n->count] = *s;
  n->kept[n->count].cell = n->count;
  go_behind(n, s->value);
  hold(n, &n->kept[n->count], s->value, t);
  for (unsigned k = 0; k < all->count; k++) {
    LLVMPositionBuilderBefore(n->b,
                              mt_divergence_end(n->g, all->before[k].block));
    hold(n, &n->kept[n->count], all->before[k].value, t);
  }
  return (int)n->count++;
}

static unsigned block_of(const mt_Divergence *g, LLVMValueRef v) {
  return LLVMIsAInstruction(v) ? mt_divergence_block(g, v) : 0;
}

static int cell_for(Notes *n, LLVMValueRef call, unsigned which) {
  mt_Divergence *g = n->g;
  LLVMValueRef v = LLVMGetOperand(call, which);
  if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind) return -1;
  Source s = source_of(v);
  unsigned block = mt_divergence_block(g, call);
  unsigned from = block_of(g, s.value);
  Variable all = {.count = 0};
  if (g->blocks <= MT_DIVERGENCE_BLOCKS) {
    if (n->at != block) {
      memset(n->parting, 0, g->blocks * sizeof *n->parting);
      mt_divergence_parting(g, block, n->parting);
      n->at = block;
    }
    find_before(g, s.value, from, &all);
    Source whole = trace(v, true); /* the variable may be a vector */
    if (all.count == 0 && whole.value != s.value) {
      Variable vector = {.count = 0};
      find_before(g, whole.value, block_of(g, whole.value), &vector);
      if (vector.count) {
        s = whole, all = vector;
        from = block_of(g, s.value);
      }
    }
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
    all[k] =
        LLVMValueAsMetadata(LLVMConstInt(i32, (uint64_t)(int64_t)cell[k], 1));
  LLVMSetMetadata(call, note_kind(call),
                  LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, all, 2)));
}

bool mt_inactive_lanes_keep(LLVMValueRef function, const mt_MslKernel *kernel) {
  mt_Divergence g = {.function = function, .kernel = kernel};
  Notes n = {.g = &g, .module = LLVMGetGlobalParent(function), .at = -1u};
  n.failed = !mt_divergence_open(&g) ||
             !(n.parting = calloc(g.blocks, sizeof *n.parting));
  if (!n.failed) {
    n.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(n.module));
    for (unsigned i = 0; i < g.instructions; i++)
      if (moves(g.instruction[i])) note(&n, g.instruction[i]);
    LLVMDisposeBuilder(n.b);
  }
  free(n.parting), free(n.kept);
  mt_divergence_close(&g);
  return !n.failed;
}
