/*
** tile_keys.c - on which coordinates of its threadgroup a value depends.
**
** The one idea: what a thread computes from its place in the group, from
** numbers that the launch gives and from memory that is not written is the same
** in every threadgroup. What it computes from the group's x too is the same in
** all groups of a column. So the key of a value is a set of coordinates: the
** union of its operands' keys and, for a phi, of those of the branches that
** choose between them. A value that differs between iterations as an induction
** variable does has the key of its start and step.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/transform/keep_tiles.h"

#define MAX_KEY_DEPTH 24 /* instructions of an address or a condition */

/* ------------------------------------------------------------------ leaves */

static bool is_one_of(const char *name, const char *const *list) {
  for (; *list; list++)
    if (mt_starts(name, *list)) return true;
  return false;
}

/* 'component': of a vector, or -1 for all of it. */
static unsigned argument_key(const mt_TileLoop *w, LLVMValueRef v,
                             int component) {
  static const char *const sizes[] = {
      "threads_per_", "dispatch_", "threadgroups_per_grid",
      "simdgroups_per_", "quadgroups_per_", "thread_execution_width", NULL};
  static const char *const places[] = {
      "thread_position_in_threadgroup", "thread_index_in_",
      "simdgroup_index_in_", "quadgroup_index_in_", NULL};
  const mt_Param *p = mt_parameter(w->s->kernel, w->s->old, v);
  if (p && p->kind == MT_PARAM_BUFFER) return 0;
  if (!p || p->kind != MT_PARAM_BUILTIN) return MT_KEY_ANY;
  unsigned all = component >= 0 ? 1u << component
                                : (1u << mt_type_parts(LLVMTypeOf(v))) - 1;
  if (!strcmp(p->builtin, "threadgroup_position_in_grid")) return all;
  if (!strcmp(p->builtin, "thread_position_in_grid"))
    return all | MT_KEY_PLACE;
  return is_one_of(p->builtin, sizes)    ? 0
         : is_one_of(p->builtin, places) ? MT_KEY_PLACE
                                         : MT_KEY_ANY;
}

static unsigned element_key(mt_TileLoop *w, LLVMValueRef v) {
  LLVMValueRef of = LLVMGetOperand(v, 0), i = LLVMGetOperand(v, 1);
  if (LLVMIsAArgument(of) && LLVMIsAConstantInt(i))
    return argument_key(w, of, (int)LLVMConstIntGetZExtValue(i));
  return mt_tile_key(w, of) | mt_tile_key(w, i);
}

/* Is it memory that nothing in the launch writes? */
static bool reads_unwritten(const mt_TileLoop *w, LLVMValueRef load) {
  LLVMValueRef at = LLVMGetOperand(load, 0), of = mt_underlying_object(at);
  if (LLVMGetVolatile(load)) return false;
  if (LLVMIsAGlobalVariable(of)) return LLVMIsGlobalConstant(of);
  const mt_Param *p = mt_parameter(w->s->kernel, w->s->old, of);
  if (!p || p->kind != MT_PARAM_BUFFER) return false;
  return p->access == MT_READ || !w->written[p - w->s->kernel->params];
}

/* -------------------------------------------------------------------- phis */

static bool is_in_loop(const mt_TileLoop *w, LLVMValueRef v, int loop) {
  return mt_cfg_computes(w->s, loop, mt_value(w->s, v));
}

static bool is_induction(const mt_TileLoop *w, LLVMValueRef phi, int loop,
                         mt_Induction *out) {
  return mt_induction_find(phi, out) && !is_in_loop(w, out->by, loop);
}

/* The branches that decide from where 'block' is reached: those after its
** immediate dominator and not after itself. */
static unsigned choice_key(mt_TileLoop *w, int block) {
  mt_Spmd *s = w->s;
  unsigned key = 0;
  int from = s->block[block].dominator;
  for (int i = 0; i < s->blocks && from >= 0; i++)
    if (s->block[i].succs == 2 && mt_cfg_dominates(s, from, i) &&
        !mt_cfg_dominates(s, block, i))
      key |= mt_tile_key(w, s->block[i].condition);
  return from < 0 ? MT_KEY_ANY : key;
}

static unsigned phi_key(mt_TileLoop *w, LLVMValueRef phi) {
  int block = mt_value(w->s, phi)->block;
  int loop = mt_cfg_header_of(w->s, block);
  mt_Induction i;
  if (loop >= 0)
    return is_induction(w, phi, loop, &i)
               ? mt_tile_key(w, i.start) | mt_tile_key(w, i.by)
               : MT_KEY_ANY;
  unsigned key = choice_key(w, block);
  for (unsigned n = 0; n < LLVMCountIncoming(phi); n++)
    key |= mt_tile_key(w, LLVMGetIncomingValue(phi, n));
  return key;
}

/* ------------------------------------------------------------------ values */

static bool is_pure(LLVMValueRef v) {
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMFreeze:
    case LLVMFNeg: return true;
    case LLVMCall:
      return mt_starts(mt_callee(v), "llvm.") &&
             LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVoidTypeKind &&
             !mt_starts(mt_callee(v), "llvm.mem");
    default: return LLVMIsABinaryOperator(v) || LLVMIsACastInst(v);
  }
}

static unsigned operands_key(mt_TileLoop *w, LLVMValueRef v) {
  unsigned key = 0;
  for (int i = 0; i < LLVMGetNumOperands(v); i++)
    key |= mt_tile_key(w, LLVMGetOperand(v, (unsigned)i));
  return key;
}

static unsigned instruction_key(mt_TileLoop *w, LLVMValueRef v) {
  if (LLVMIsAPHINode(v)) return phi_key(w, v);
  if (LLVMIsAExtractElementInst(v)) return element_key(w, v);
  if (LLVMIsALoadInst(v))
    return reads_unwritten(w, v) ? mt_tile_key(w, LLVMGetOperand(v, 0))
                                 : MT_KEY_ANY;
  return is_pure(v) ? operands_key(w, v) : MT_KEY_ANY;
}

unsigned mt_tile_key(mt_TileLoop *w, LLVMValueRef v) {
  if (LLVMIsConstant(v)) return 0;
  if (LLVMIsAArgument(v)) return argument_key(w, v, -1);
  mt_Value *x = LLVMIsAInstruction(v) ? mt_value(w->s, v) : NULL;
  if (!x) return MT_KEY_ANY;
  uint8_t *known = &w->key[x - w->s->value];
  if (*known) return *known == 1 ? MT_KEY_ANY : *known - 2u;
  *known = 1;
  unsigned key = instruction_key(w, v);
  *known = (uint8_t)(key + 2);
  return key;
}

/* -------------------------------------------------------------- invariance */

static bool phi_invariant(const mt_TileLoop *w, LLVMValueRef phi, int depth) {
  mt_Induction i;
  int loop = mt_cfg_header_of(w->s, mt_value(w->s, phi)->block);
  return loop >= 0 && loop != w->loop && is_induction(w, phi, loop, &i) &&
         mt_tile_invariant(w, i.start, depth + 1) &&
         mt_tile_invariant(w, i.by, depth + 1);
}

bool mt_tile_invariant(const mt_TileLoop *w, LLVMValueRef v, int depth) {
  if (!is_in_loop(w, v, w->loop)) return true;
  if (depth == MAX_KEY_DEPTH) return false;
  if (LLVMIsAPHINode(v)) return phi_invariant(w, v, depth);
  if (LLVMIsALoadInst(v) ? !reads_unwritten(w, v) : !is_pure(v)) return false;
  for (int i = 0; i < LLVMGetNumOperands(v); i++)
    if (!mt_tile_invariant(w, LLVMGetOperand(v, (unsigned)i), depth + 1))
      return false;
  return true;
}

static bool lead(const mt_TileLoop *w, int from, int to, bool *seen) {
  const mt_Spmd *s = w->s;
  for (int i = 0; i < s->block[from].succs; i++) {
    int next = s->block[from].succ[i];
    if (next == to) return true;
    if (next == s->loop[w->loop].header || seen[next]) continue;
    seen[next] = true;
    if (lead(w, next, to, seen)) return true;
  }
  return false;
}

bool mt_tile_leads(const mt_TileLoop *w, int from, int to) {
  bool *seen = mt_new(w->s, (size_t)w->s->blocks, sizeof *seen);
  bool leads = lead(w, from, to, seen);
  mt_drop(w->s, seen);
  return leads;
}

static bool postdominates(const mt_Spmd *s, int a, int b) {
  while (b >= 0 && b < s->blocks && b != a) b = s->block[b].postdominator;
  return a == b;
}

bool mt_tile_always_by_the_same(const mt_TileLoop *w, int block) {
  const mt_Spmd *s = w->s;
  if (block == s->loop[w->loop].header) return true;
  for (int i = 0; i < s->blocks; i++)
    if (s->block[i].succs == 2 && mt_cfg_in_loop(s, i, w->loop) &&
        !postdominates(s, block, i) && mt_tile_leads(w, i, block) &&
        !mt_tile_invariant(w, s->block[i].condition, 0))
      return false;
  return true;
}
