/*
** undefined.c - passes that simplify, but conclude nothing from a division by
** zero or a shift by too many bits; a result for functions without a return.
**
** The one idea: the engine gives both a result, or reports them
** (devices/compiler/prepare/safe_integers.c). LLVM takes it that they never
** happen, and drops what follows from a divisor that it knows to be zero. So
** while passes run before that, divisors and shifts' amounts are results of a
** function that LLVM does not see into, unless they are constants that are
** right.
*/
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "msl/passes/passes.h"
#include "msl/passes/undefined.h"

#define HIDES "__mt_hidden."

/* Is the second operand a number with which the result is undefined, or may it
** turn out to be one? */
static bool may_be_undefined(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  bool divides = op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem ||
                 op == LLVMSRem;
  if (!divides && op != LLVMShl && op != LLVMLShr && op != LLVMAShr)
    return false;
  LLVMValueRef x = LLVMGetOperand(i, 1);
  unsigned bits = 0;
  if (!LLVMIsAConstantInt(x) ||
      (bits = LLVMGetIntTypeWidth(LLVMTypeOf(x))) > 64)
    return true;
  uint64_t n = LLVMConstIntGetZExtValue(x);
  return divides ? n == 0 || LLVMConstIntGetSExtValue(x) == -1 : n >= bits;
}

/* The function for a type; it has no body. */
static LLVMValueRef hiding(LLVMModuleRef module, LLVMTypeRef t) {
  char name[64];
  char *type = LLVMPrintTypeToString(t);
  snprintf(name, sizeof name, HIDES "%s", type);
  LLVMDisposeMessage(type);
  LLVMValueRef f = LLVMGetNamedFunction(module, name);
  if (f) return f;
  f = LLVMAddFunction(module, name, LLVMFunctionType(t, &t, 1, 0));
  mt_pass_mark(f, "memory", true); /* uses none */
  mt_pass_mark(f, "nounwind", true);
  mt_pass_mark(f, "willreturn", true);
  return f;
}

void mt_undefined_hide(LLVMModuleRef module) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  MT_EACH_FUNCTION(f, module)
    MT_EACH_BLOCK(b, f)
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
           i = LLVMGetNextInstruction(i)) {
        if (!may_be_undefined(i)) continue;
        LLVMValueRef x = LLVMGetOperand(i, 1);
        LLVMValueRef h = hiding(module, LLVMTypeOf(x));
        LLVMPositionBuilderBefore(builder, i);
        LLVMSetOperand(i, 1, LLVMBuildCall2(builder, LLVMGlobalGetValueType(h),
                                            h, &x, 1, ""));
      }
  LLVMDisposeBuilder(builder);
}

void mt_undefined_show(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    size_t n;
    next = LLVMGetNextFunction(f);
    if (!mt_starts(LLVMGetValueName2(f, &n), HIDES)) continue;
    for (LLVMUseRef u; (u = LLVMGetFirstUse(f));) {
      LLVMValueRef call = LLVMGetUser(u);
      LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
      LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(f);
  }
}

/* ------------------------------------------------------------------ results */

/* Clang's variable for the result of a function with several ends. */
static LLVMValueRef result_of(LLVMValueRef f) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i;
       i = LLVMGetNextInstruction(i)) {
    size_t n;
    if (LLVMIsAAllocaInst(i) && strcmp(LLVMGetValueName2(i, &n), "retval") == 0)
      return i;
  }
  return NULL;
}

/* It is zero until a return stores into it: at an end without one it would be
** undefined, and LLVM drops what follows from such a result. */
void mt_pass_results(LLVMModuleRef module) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  MT_EACH_FUNCTION(f, module) {
    LLVMValueRef result = LLVMIsDeclaration(f) ? NULL : result_of(f);
    if (result == NULL) continue;
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(result));
    LLVMBuildStore(builder, LLVMConstNull(LLVMGetAllocatedType(result)),
                   result);
  }
  LLVMDisposeBuilder(builder);
}

void mt_pass_simplify(LLVMModuleRef module, const char *passes) {
  mt_undefined_hide(module);
  mt_pass_run(module, passes);
  mt_undefined_show(module);
}
