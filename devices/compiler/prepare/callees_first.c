/*
** callees_first.c - the functions of a large kernel are simplified before they
** are inlined.
**
** The one idea: a function that is called from forty places is simplified and
** unrolled once, not forty times inside the flat kernel, where every pass also
** costs more than in proportion. So the call graph is inlined from its leaves
** upwards, and each leaf is simplified first. Left as they are: functions that
** later steps must see as Clang emitted them (threadgroup variables, components
** of vectors in memory, cross-lane operations).
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"
#include "devices/compiler/target/target.h"

typedef struct Size {
  LLVMValueRef function;
  uint64_t flat; /* instructions, with those of all callees */
  int state;     /* 0: not visited, 1: on the stack, 2: known */
} Size;

typedef struct Sizes {
  Size *of; /* sorted by 'function' */
  size_t count;
  bool recursive; /* a function calls itself */
} Sizes;

static int by_function(const void *a, const void *b) {
  LLVMValueRef x = ((const Size *)a)->function,
               y = ((const Size *)b)->function;
  return (x > y) - (x < y);
}

/* The function with a body that 'i' calls; NULL: none. */
static LLVMValueRef called(LLVMValueRef i) {
  LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  return f && LLVMIsAFunction(f) && !LLVMIsDeclaration(f) ? f : NULL;
}

static uint64_t flat_size(Sizes *all, LLVMValueRef f) {
  Size key = {.function = f};
  Size *s = bsearch(&key, all->of, all->count, sizeof key, by_function);
  if (s && s->state == 1) all->recursive = true; /* refused later */
  if (!s || s->state == 1) return 0;
  if (s->state == 2) return s->flat;
  s->state = 1;
  MT_EACH_INSTRUCTION(i, f) {
    LLVMValueRef callee = called(i);
    uint64_t n = callee ? flat_size(all, callee) : 1;
    if (s->flat <= MT_FLAT_HOPELESS) s->flat += n; /* it cannot overflow */
  }
  s->state = 2;
  return s->flat;
}

uint64_t mt_flat_size(LLVMModuleRef m, LLVMValueRef kernel, bool *recursive) {
  Sizes all = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    all.count++;
  all.of = calloc(all.count + 1, sizeof *all.of);
  if (!all.of) return 0;
  size_t n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    all.of[n++].function = f;
  qsort(all.of, n, sizeof *all.of, by_function);
  uint64_t size = flat_size(&all, kernel);
  *recursive = all.recursive;
  free(all.of);
  return size;
}

/* --------------------------------------------------------------- functions */

static bool is_leaf(LLVMValueRef f) {
  MT_EACH_INSTRUCTION(i, f)
    if (called(i)) return false;
  return true;
}

/* Mark the functions that use 'v', also by way of constant expressions. */
static void spare_users(LLVMValueRef v, const char *mark) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAInstruction(user)) {
      spare_users(user, mark);
      continue;
    }
    LLVMValueRef f =
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    LLVMAddAttributeAtIndex(
        f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(LLVMGetTypeContext(LLVMTypeOf(f)), mark,
                                  (unsigned)strlen(mark), "", 0));
  }
}

static const char SPARED[] = "mettle-as-emitted";

static bool is_spared(LLVMValueRef f) {
  return LLVMGetStringAttributeAtIndex(
             f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, SPARED,
             sizeof SPARED - 1) != NULL;
}

/* Inlining does not hand attributes on, so each round marks again. */
static void spare(LLVMModuleRef m) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
    if (mt_is_threadgroup(g)) spare_users(g, SPARED);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
       f = LLVMGetNextFunction(f)) {
    size_t n;
    if (LLVMIsDeclaration(f) && mt_starts(LLVMGetValueName2(f, &n), "__mt_"))
      spare_users(f, SPARED);
  }
}

static unsigned always_inline(void) {
  return LLVMGetEnumAttributeKindForName("alwaysinline", 12);
}

static bool is_inlined(LLVMValueRef f) {
  return LLVMGetEnumAttributeAtIndex(
             f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
             always_inline()) != NULL;
}

static void set_inlined(LLVMValueRef f, bool inlined) {
  LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
  if (inlined)
    LLVMAddAttributeAtIndex(f, at,
                            LLVMCreateEnumAttribute(c, always_inline(), 0));
  else
    LLVMRemoveEnumAttributeAtIndex(f, at, always_inline());
}

static void set_all(LLVMModuleRef m, LLVMValueRef kernel, bool inlined) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (f != kernel && !LLVMIsDeclaration(f)) set_inlined(f, inlined);
}

/* Simplify the leaves and let them be inlined. '*found': there are any. */
static mt_Status simplify_leaves(const mt_PrepareInput *in, LLVMModuleRef m,
                                 LLVMValueRef kernel, mt_SimplifyFunction *how,
                                 bool *found, mt_Error *err) {
  mt_Status status = MT_OK;
  *found = false;
  spare(m);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f && status == MT_OK;
       f = LLVMGetNextFunction(f)) {
    if (f == kernel || LLVMIsDeclaration(f) || is_inlined(f) || !is_leaf(f))
      continue;
    if (!is_spared(f) && !mt_has_vector_access(f)) status = how(in, f, err);
    set_inlined(f, true);
    *found = true;
  }
  return status;
}

mt_Status mt_callees_first(const mt_PrepareInput *in, LLVMModuleRef m,
                           LLVMValueRef kernel, mt_SimplifyFunction *how,
                           mt_Error *err) {
  bool found = true, recursive;
  if (mt_flat_size(m, kernel, &recursive) <= MT_FLAT_LARGE) return MT_OK;
  mt_Status status = MT_OK;
  set_all(m, kernel, false);
  while (found && status == MT_OK) {
    status = simplify_leaves(in, m, kernel, how, &found, err);
    if (found && status == MT_OK)
      status = mt_run_passes(in->target, m, "always-inline,globaldce", err);
  }
  set_all(m, kernel, true);
  return status;
}
