/*
** variables.c - the local variables that need shadow flags (uninitialised.c).
**
** The one idea: flags can follow a variable if its address does not escape, and
** are not needed if no use can come from an uninitialised byte of it
** (definite_assignment.c). A variable that cannot be followed, or is too large,
** is named in the report unless its first use initialises it.
*/
#include <stdlib.h>
#include <string.h>

#include "base/pointer_map.h"
#include "base/str.h"
#include "devices/host/definedness/variables.h"

#define SIZE_MAX_WATCHED 2048 /* bytes of a variable */
#define ALL_MAX_WATCHED 16384 /* of all larger than SMALL */
#define SMALL 64
#define SMALL_MAX_WATCHED 8192 /* of all others; each byte becomes a register or
                               ** two */

typedef struct Search {
  mt_Instrumenter *w;
  LLVMValueRef *all; /* the function's instructions */
  size_t n;
  mt_PointerMap order;  /* of the instructions; made when first needed */
} Search;

/* -------------------------------------------------------------------- uses */

static bool is_atomic(LLVMValueRef i) {
  return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static bool simple_uses(LLVMValueRef p) {
  for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    const char *name = mt_callee(i);
    bool good = false;
    if (LLVMIsALoadInst(i))
      good = !is_atomic(i);
    else if (LLVMIsAStoreInst(i))
      good = !is_atomic(i) && LLVMGetOperand(i, 0) != p;
    else if (LLVMIsAGetElementPtrInst(i) || LLVMIsABitCastInst(i))
      good = simple_uses(i);
    else if (mt_is_copy(name) || mt_starts(name, "llvm.memset."))
      good = LLVMIsAConstantInt(LLVMGetOperand(i, 2)) != NULL;
    else
      good = mt_starts(name, "llvm.lifetime.");
    if (!good) return false;
  }
  return true;
}

/* Is the pointer always stored before 'load' reads it? A parameter's or a
** reference's is; another variable's if the store comes first. */
static bool comes_first(LLVMValueRef alloca, LLVMValueRef store,
                        LLVMValueRef load) {
  size_t n;
  LLVMBasicBlockRef at = LLVMGetInstructionParent(store);
  if (strstr(LLVMGetValueName2(alloca, &n), ".addr") ||
      LLVMGetMetadata(load, LLVMGetMDKindIDInContext(
          LLVMGetTypeContext(LLVMTypeOf(load)), "nonnull", 7)))
    return true;
  if (at != LLVMGetInstructionParent(load))
    return at == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(at));
  for (LLVMValueRef i = store; i; i = LLVMGetNextInstruction(i))
    if (i == load) return true;
  return false;
}

/* The one store to 'alloca', which is otherwise only loaded; NULL if there is
** no such store. */
static LLVMValueRef only_store(LLVMValueRef alloca) {
  LLVMValueRef store = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    if (LLVMIsALoadInst(i) || mt_starts(mt_callee(i), "llvm.lifetime."))
      continue;
    if (!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 0) == alloca || store)
      return NULL;
    store = i;
  }
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u))
    if (store && LLVMIsALoadInst(LLVMGetUser(u)) &&
        !comes_first(alloca, store, LLVMGetUser(u)))
      return NULL;
  return store;
}

/* A reference or 'this' is kept in a variable of its own: forward the stored
** pointer to its loads. The store itself then must not make its address
** escape. */
static void forward(LLVMValueRef alloca) {
  LLVMTypeRef t = LLVMGetAllocatedType(alloca);
  if (LLVMGetTypeKind(t) != LLVMPointerTypeKind) return;
  LLVMValueRef store = only_store(alloca);
  if (!store) return;
  LLVMValueRef stored = LLVMGetOperand(store, 0);
  for (LLVMUseRef u = LLVMGetFirstUse(alloca), next; u; u = next) {
    LLVMValueRef i = LLVMGetUser(u);
    next = LLVMGetNextUse(u);
    if (LLVMIsALoadInst(i) && i != stored) LLVMReplaceAllUsesWith(i, stored);
  }
  LLVMSetOperand(store, 0, LLVMGetUndef(t));
}

/* ----------------------------------------------------------------- left out */

static uint64_t size_of(const Search *s, LLVMTypeRef t) {
  return LLVMABISizeOfType(s->w->layout, t);
}

/* Does 'i' set all of the variable, 'size' bytes, to a constant? */
static bool sets_all(const Search *s, LLVMValueRef i, LLVMValueRef alloca,
                     uint64_t size) {
  const char *name = mt_callee(i);
  bool store = LLVMIsAStoreInst(i), copy = mt_is_copy(name);
  if (!store && !copy && !mt_starts(name, "llvm.memset.")) return false;
  if (store || copy) {
    LLVMValueRef from = LLVMGetOperand(i, store ? 0 : 1);
    if (!LLVMIsConstant(from) || LLVMIsUndef(from)) return false;
  }
  if (store)
    return LLVMGetOperand(i, 1) == alloca &&
           size_of(s, LLVMTypeOf(LLVMGetOperand(i, 0))) >= size;
  return LLVMGetOperand(i, 0) == alloca &&
         LLVMIsAConstantInt(LLVMGetOperand(i, 2)) &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)) >= size;
}

/* The first use in program order. */
static LLVMValueRef first_use(Search *s, LLVMValueRef alloca) {
  uint32_t first = MT_POINTER_MAP_NONE;
  if (!s->order.used)
    for (size_t i = 0; i < s->n; i++)
      mt_pointer_map_set(&s->order, s->all[i], (uint32_t)i);
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    uint32_t at = mt_pointer_map_get(&s->order, i);
    if (at < first && !mt_starts(mt_callee(i), "llvm.lifetime.")) first = at;
  }
  return first == MT_POINTER_MAP_NONE ? NULL : s->all[first];
}

/* Is it a variable of the source, not a compiler's temporary? */
static bool is_persons(LLVMValueRef alloca) {
  static const char *const ours[] = {"ref.tmp", "agg.tmp", ".addr", "retval",
                                     ".coerce", "cleanup.dest", "__", "mt."};
  size_t length;
  const char *name = LLVMGetValueName2(alloca, &length);
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (strstr(name, ours[i])) return false;
  return length > 0;
}

/* No flags for 'alloca': report it, unless its first use initialises it. */
static void leave_out(Search *s, LLVMValueRef alloca, mt_UncheckedWhy why) {
  char name[48];
  LLVMValueRef first = is_persons(alloca) ? first_use(s, alloca) : NULL;
  if (!first || sets_all(s, first, alloca,
                         size_of(s, LLVMGetAllocatedType(alloca))))
    return;
  mt_instrument_name(alloca, name, sizeof name);
  mt_unchecked_add(s->w->table, why, mt_instrument_place(first), name);
}

/* ------------------------------------------------------------------- search */

static bool is_one_variable(const Search *s, LLVMValueRef i) {
  return LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) == 1 &&
         size_of(s, LLVMGetAllocatedType(i)) > 0;
}

/* The variables whose address does not escape; gives how many. */
static size_t list_variables(Search *s, LLVMValueRef *out) {
  size_t count = 0;
  for (size_t i = 0; i < s->n; i++)
    if (LLVMIsAAllocaInst(s->all[i])) forward(s->all[i]);
  for (size_t i = 0; i < s->n; i++) {
    LLVMValueRef v = s->all[i];
    if (!is_one_variable(s, v)) continue;
    bool plain = simple_uses(v);
    if (plain && size_of(s, LLVMGetAllocatedType(v)) <= SIZE_MAX_WATCHED)
      out[count++] = v;
    else
      leave_out(s, v, plain ? MT_UNCHECKED_LARGE : MT_UNCHECKED_ESCAPES);
  }
  return count;
}

/* Those of them that need flags, as far as there is room. */
static size_t choose(Search *s, const mt_Definite *known, LLVMValueRef *list,
                     size_t count) {
  uint64_t large = 0, small = 0;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t size = size_of(s, LLVMGetAllocatedType(list[i]));
    if (mt_definite_needless(known, i)) continue;
    bool room = size > SMALL ? (large += size) <= ALL_MAX_WATCHED
                             : (small += size) <= SMALL_MAX_WATCHED;
    if (room) list[kept++] = list[i];
    else leave_out(s, list[i], MT_UNCHECKED_CROWDED);
  }
  return kept;
}

size_t mt_instrument_variables(mt_Instrumenter *w, LLVMValueRef *all, size_t n,
                               LLVMValueRef *out, mt_Definite **known) {
  Search s = {.w = w, .all = all, .n = n};
  size_t count = list_variables(&s, out);
  *known = mt_definite_new(w->layout, w->function, all, n, out, count);
  count = choose(&s, *known, out, count);
  mt_pointer_map_free(&s.order);
  return count;
}
