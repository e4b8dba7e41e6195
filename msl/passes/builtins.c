/*
** builtins.c - program-scope variables that hold a thread's position.
**
** A kernel stores into such a variable on entry (reader/builtins.c). All
** callees are inlined into the kernels, so that every use is in one; there an
** alloca of the kernel replaces the global.
*/
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

static void inline_all(LLVMModuleRef module, const mt_Functions *kernels) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || mt_functions_has(kernels, f)) continue;
    mt_pass_inline(f);
  }
  mt_pass_run(module, "always-inline");
}

/* The function that contains a use; NULL: the user is a constant. */
static LLVMValueRef function_of(LLVMUseRef use) {
  LLVMValueRef user = LLVMIsAInstruction(LLVMGetUser(use));
  return user ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) : NULL;
}

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
  inline_all(module, kernels);
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
