/*
** builtins.c - program-scope variables that hold a thread's position.
**
** A kernel stores into such a variable on entry (reader/builtins.c). Functions
** that use one, and those that call these, are inlined into the kernels that
** reach them, so that every use is in one; there an alloca of the kernel
** replaces the global. All other functions stay what they are: a library of
** large kernels would grow without end.
*/
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "msl/passes/passes.h"

static bool is_builtin(LLVMValueRef global) {
  const char *section = LLVMGetSection(global);
  return section && strcmp(section, ".msl.builtin") == 0;
}

static LLVMValueRef next_builtin(LLVMValueRef global) {
  while (global && !is_builtin(global)) global = LLVMGetNextGlobal(global);
  return global;
}

/* The function that contains a use; NULL: the user is a constant. */
static LLVMValueRef function_of(LLVMUseRef use) {
  LLVMValueRef user = LLVMIsAInstruction(LLVMGetUser(use));
  return user ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) : NULL;
}

/* ----------------------------------------------------------------- inlining */

#define MOST_INLINED 1e6 /* instructions: seconds for LLVM */

typedef struct Inlining {
  const mt_Functions *kernels;
  mt_Functions reached; /* by a kernel, and the kernels */
  mt_Functions users;   /* of these: by themselves or by a call */
  double *sizes;      /* of each with all that goes into it; -1: not yet */
} Inlining;

static void add_users(Inlining *w, LLVMValueRef of) {
  for (LLVMUseRef u = LLVMGetFirstUse(of); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef f = function_of(u);
    if (f && mt_functions_has(&w->reached, f) &&
        !mt_functions_has(w->kernels, f))
      mt_functions_add(&w->users, f);
  }
}

static double size_of(Inlining *w, size_t user);

/* Instructions of 'f' once its calls of users are inlined. */
static double grown_size(Inlining *w, LLVMValueRef f) {
  double size = 0;
  MT_EACH_BLOCK(b, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
      size_t k = LLVMIsACallInst(i)
                     ? mt_functions_index(&w->users, LLVMGetCalledValue(i))
                     : SIZE_MAX;
      size += k == SIZE_MAX ? 1 : size_of(w, k);
    }
  return size;
}

static double size_of(Inlining *w, size_t user) {
  if (w->sizes[user] < 0) {
    w->sizes[user] = 0; /* a recursion is not inlined */
    w->sizes[user] = grown_size(w, w->users.items[user]);
  }
  return w->sizes[user];
}

/* LLVM inlines users into each other, too, so their sizes count as well. */
static bool is_small_enough(Inlining *w) {
  double total = 0;
  w->sizes = malloc((w->users.count + 1) * sizeof *w->sizes);
  if (w->sizes == NULL) return false;
  for (size_t i = 0; i < w->users.count; i++) w->sizes[i] = -1;
  for (size_t i = 0; i < w->kernels->count; i++)
    total += grown_size(w, w->kernels->items[i]);
  for (size_t i = 0; i < w->users.count; i++) total += size_of(w, i);
  free(w->sizes);
  return total <= MOST_INLINED;
}

/* LLVM inlines whatever is marked: the marks of others are taken away and
** given back. */
static void inline_users(const Inlining *w, LLVMModuleRef module) {
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  mt_Functions others = {0};
  MT_EACH_FUNCTION(f, module)
    if (LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind) &&
        !mt_functions_has(&w->users, f) && mt_functions_add(&others, f))
      mt_pass_mark(f, "alwaysinline", false);
  for (size_t i = 0; i < w->users.count; i++)
    mt_pass_inline(w->users.items[i]);
  mt_pass_run(module, "always-inline");
  for (size_t i = 0; i < others.count; i++)
    mt_pass_mark(others.items[i], "alwaysinline", true);
  mt_functions_free(&others);
}

/* All functions that a kernel calls, itself or by others. */
static void reach(Inlining *w) {
  mt_Calls calls = {0};
  for (size_t i = 0; i < w->kernels->count; i++)
    mt_calls_reach(&calls, w->kernels->items[i], &w->reached);
  mt_calls_free(&calls);
}

/* False: what came of it would be too large. */
static bool inline_all(LLVMModuleRef module, const mt_Functions *kernels) {
  Inlining w = {.kernels = kernels};
  reach(&w);
  for (LLVMValueRef g = next_builtin(LLVMGetFirstGlobal(module)); g;
       g = next_builtin(LLVMGetNextGlobal(g)))
    add_users(&w, g);
  for (size_t i = 0; i < w.users.count; i++) add_users(&w, w.users.items[i]);
  bool small = is_small_enough(&w);
  if (small) inline_users(&w, module);
  mt_functions_free(&w.users);
  mt_functions_free(&w.reached);
  return small;
}

/* ------------------------------------------------------------- the variable */

/* Replaces 'global' by an alloca in 'kernel'. */
static void make_own(LLVMValueRef global, LLVMValueRef kernel) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(
      LLVMGetModuleContext(LLVMGetGlobalParent(global)));
  LLVMValueRef own = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(global), next; use; use = next) {
    next = LLVMGetNextUse(use);
    if (function_of(use) != kernel) continue;
    LLVMValueRef user = LLVMGetUser(use);
    if (own == NULL) {
      LLVMPositionBuilderBefore(
          builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
      own = LLVMBuildAlloca(builder, LLVMGlobalGetValueType(global), "");
      LLVMSetAlignment(own, LLVMGetAlignment(global));
    }
    /* setting an operand removes its use from the list; 'next' was read
    ** before */
    for (int k = 0; k < LLVMGetNumOperands(user); k++)
      if (LLVMGetOperand(user, (unsigned)k) == global) {
        LLVMSetOperand(user, (unsigned)k, own);
        break;
      }
  }
  LLVMDisposeBuilder(builder);
}

void mt_pass_builtins(mt_MslModule *m, LLVMModuleRef module,
                      const mt_Functions *kernels) {
  LLVMValueRef global = next_builtin(LLVMGetFirstGlobal(module));
  if (global == NULL) return;
  if (!inline_all(module, kernels)) {
    mt_diagnose(m, MT_ERROR_SEVERITY, mt_map_offset(m, 0),
                "too many calls lead to functions that use a program-scope "
                "built-in",
                "Make it a parameter of the kernel, and pass it on.");
    return;
  }
  for (; global; global = next_builtin(LLVMGetNextGlobal(global))) {
    for (size_t i = 0; i < kernels->count; i++)
      make_own(global, kernels->items[i]);
    for (LLVMUseRef use = LLVMGetFirstUse(global); use;
         use = LLVMGetNextUse(use))
      if (function_of(use) == NULL) {
        mt_diagnose(
            m, MT_ERROR_SEVERITY, mt_map_offset(m, 0),
            "the address of a program-scope built-in cannot be taken here",
            "Make it a parameter of the kernel.");
        break;
      }
  }
}
