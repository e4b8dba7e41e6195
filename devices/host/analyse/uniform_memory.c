/*
** uniform_memory.c - private arrays that hold the same in all lanes.
**
** The one idea: a private array that all lanes write alike needs no copy for
** each lane. It is *shared*: one copy, plain memory, and a load from it at a
** uniform address is uniform. The traversal stack of a packet of rays is an
** example: pushes and pops are decided by simd_any, so all lanes have the same
** stack. The analysis is optimistic as that of shapes is: an array is shared
** until a rule fails.
**
**   - Its address is only used by loads, stores and fills of its elements.
**   - What is stored, and where, is uniform, and no pointer to a thread's own
**     memory, which is elsewhere for each lane.
**   - No lane can load what only other lanes have stored. A store on one side
**     of a divergent branch is seen by lanes of that side alone, so the array
**     is not loaded on the other side, nor after the point where the sides
**     reconverge, unless its lifetime has begun again by then.
**
** For a loop that lanes leave in different iterations the last rule says that
** the array may be stored to and loaded inside, but not be loaded afterwards:
** the lanes that are still inside have executed all stores.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/host/analyse/uniform_memory.h"

#define MOST_USES 4096 /* of an array's address; more are not followed */

struct mt_SharedArray {
  mt_Value *of;
  /* blocks that load, that store, and where its lifetime begins again */
  uint64_t *loads, *stores, *starts;
  LLVMValueRef *write; /* stores and calls of memset */
  int writes, uses;
};

/* --------------------------------------------------------------------- uses */

static bool follow(mt_Spmd *s, mt_SharedArray *a, LLVMValueRef pointer);

static void add_write(mt_Spmd *s, mt_SharedArray *a, LLVMValueRef i) {
  a->write = mt_arena_grow(&s->working, a->write, (size_t)a->writes + 1,
                           sizeof *a->write);
  a->write[a->writes++] = i;
}

static bool add_call(mt_Spmd *s, mt_SharedArray *a, LLVMValueRef i,
                     LLVMValueRef pointer) {
  const char *name = mt_callee(i);
  int block = mt_value(s, i)->block;
  if (!strncmp(name, "llvm.lifetime.start", 19)) {
    mt_set_add(a->starts, block);
    return true;
  }
  if (!strncmp(name, "llvm.lifetime.", 14)) return true;
  if (strncmp(name, "llvm.memset.", 12) || LLVMGetOperand(i, 0) != pointer)
    return false;
  mt_set_add(a->stores, block);
  add_write(s, a, i);
  return true;
}

/* Record one use of the array's address; false: it may get anywhere. */
static bool add_use(mt_Spmd *s, mt_SharedArray *a, LLVMValueRef i,
                    LLVMValueRef pointer) {
  const mt_Value *v = mt_value(s, i);
  if (!v || v->block < 0 || ++a->uses > MOST_USES) return false;
  if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) {
    bool store = LLVMIsAStoreInst(i) != NULL;
    if (LLVMGetVolatile(i) ||
        LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ||
        (store && LLVMGetOperand(i, 0) == pointer))
      return false;
    mt_set_add(store ? a->stores : a->loads, v->block);
    if (store) add_write(s, a, i);
    return true;
  }
  if (LLVMIsAGetElementPtrInst(i))
    return LLVMGetOperand(i, 0) == pointer && follow(s, a, i);
  return LLVMIsACallInst(i) && add_call(s, a, i, pointer);
}

static bool follow(mt_Spmd *s, mt_SharedArray *a, LLVMValueRef pointer) {
  for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u))
    if (!add_use(s, a, LLVMGetUser(u), pointer)) return false;
  return true;
}

/* The alloca that a pointer is derived from by constant and variable offsets
** alone; NULL: none. */
static LLVMValueRef array_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAAllocaInst(pointer) ? pointer : NULL;
}

/* Does the block load the array before its lifetime begins again there? */
static bool is_late(const mt_Spmd *s, const mt_SharedArray *a, int block) {
  const mt_CfgBlock *k = &s->block[block];
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsALoadInst(i) && array_of(LLVMGetOperand(i, 0)) == a->of->of)
      return true;
    if (strncmp(mt_callee(i), "llvm.lifetime.start", 19)) continue;
    unsigned last = LLVMGetNumArgOperands(i) - 1; /* the pointer */
    if (LLVMGetOperand(i, last) == a->of->of) return false;
  }
  return true;
}

/* Only where no load comes first does a new lifetime end the old one. */
static void drop_late_starts(mt_Spmd *s, mt_SharedArray *a) {
  for (int b = 0; b < s->blocks; b++)
    if (mt_set_has(a->starts, b) && is_late(s, a, b))
      a->starts[b / 64] &= ~(1ull << (b % 64));
}

/* ------------------------------------------------------------------ arrays */

static void drop(mt_SharedArray *a) {
  if (a->of) a->of->shared = false;
  a->of = NULL;
}

int mt_shared_find(mt_Spmd *s, mt_SharedArray **out) {
  int n = 0;
  *out = NULL;
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->block < 0 || !LLVMIsAAllocaInst(v->of)) continue;
    *out = mt_arena_grow(&s->working, *out, (size_t)n + 1, sizeof **out);
    mt_SharedArray *a = &(*out)[n++];
    *a = (mt_SharedArray){.of = v};
    a->loads = mt_new(s, s->words, 8), a->stores = mt_new(s, s->words, 8);
    a->starts = mt_new(s, s->words, 8);
    v->shared = true;
    if (follow(s, a, v->of))
      drop_late_starts(s, a);
    else
      drop(a);
  }
  return n;
}

void mt_shared_free(mt_Spmd *s, mt_SharedArray *a, int n) {
  for (int i = 0; i < n; i++) {
    mt_drop(s, a[i].loads), mt_drop(s, a[i].stores);
    mt_drop(s, a[i].starts), mt_drop(s, a[i].write);
  }
  mt_drop(s, a);
}

bool mt_is_shared(mt_Spmd *s, LLVMValueRef pointer) {
  LLVMValueRef array = array_of(pointer);
  return array && mt_value(s, array)->shared;
}

/* -------------------------------------------------------------------- rules */

static bool is_varying(mt_Spmd *s, LLVMValueRef v) {
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(v)); p++) {
    mt_ShapeKind k = mt_part_kind(s, v, p);
    if (k == MT_SHAPE_AFFINE || k == MT_SHAPE_VARYING) return true;
  }
  return false;
}

/* May it point to a thread's own memory? Each lane has that at a place of its
** own: the pointers differ, although they are the same in the analysis. */
static bool is_own_pointer(mt_Spmd *s, LLVMValueRef v) {
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
  for (unsigned p = 0; !pointer && p < mt_type_parts(LLVMTypeOf(v)); p++)
    if (LLVMGetTypeKind(mt_type_part(LLVMTypeOf(v), p)) ==
        LLVMPointerTypeKind)
      return true; /* in a vector: it is not followed */
  return pointer && (mt_is_private(s, v) ||
                     mt_address_space(s, v) == MT_POINTER_UNKNOWN);
}

static bool is_alike(mt_Spmd *s, LLVMValueRef write) {
  LLVMValueRef v = LLVMGetOperand(write, 0);
  return !is_varying(s, v) && !is_varying(s, LLVMGetOperand(write, 1)) &&
         !(LLVMIsAStoreInst(write) && is_own_pointer(s, v));
}

bool mt_shared_check_values(mt_Spmd *s, mt_SharedArray *a, int n) {
  bool changed = false;
  for (int i = 0; i < n; i++)
    for (int w = 0; a[i].of && w < a[i].writes; w++) {
      if (is_alike(s, a[i].write[w])) continue;
      drop(&a[i]);
      changed = true;
    }
  return changed;
}

static bool meets(const mt_Spmd *s, const uint64_t *a, const uint64_t *b) {
  for (size_t w = 0; w < s->words; w++)
    if (a[w] & b[w]) return true;
  return false;
}

/* Can a load be reached from 'from' while what was stored before is kept? */
static bool is_loaded(const mt_Spmd *s, const mt_SharedArray *a, uint64_t *seen,
                      int from) {
  if (from >= s->blocks || mt_set_has(seen, from) ||
      mt_set_has(a->starts, from))
    return false;
  mt_set_add(seen, from);
  if (mt_set_has(a->loads, from)) return true;
  for (int i = 0; i < s->block[from].succs; i++)
    if (is_loaded(s, a, seen, s->block[from].succ[i])) return true;
  return false;
}

static bool is_split(mt_Spmd *s, const mt_SharedArray *a,
                     const mt_CfgBlock *k) {
  bool stored = false;
  for (int i = 0; i < 2; i++) {
    if (!meets(s, k->side[i], a->stores)) continue;
    if (meets(s, k->side[1 - i], a->loads)) return true;
    stored = true;
  }
  if (!stored) return false;
  uint64_t *seen = mt_new(s, s->words, 8);
  bool loaded = is_loaded(s, a, seen, k->postdominator);
  mt_drop(s, seen);
  return loaded;
}

void mt_shared_check_branch(mt_Spmd *s, mt_SharedArray *a, int n, int block) {
  for (int i = 0; i < n; i++)
    if (a[i].of && is_split(s, &a[i], &s->block[block])) drop(&a[i]);
}
