/*
** keep_quotients.c - quotients are computed where the source has them, see
** steps.h.
**
** The one idea: fast math lets LLVM turn (x / y) * z into (x * z) / y. That
** gains nothing, and where x / y stands before a loop and the product in it,
** one multiplication becomes a product and a division, or two products. LLVM
** asks the quotient's own flag whether it may be reassociated, so it loses that
** one; the permission to multiply by a reciprocal stays.
**
** That permission is lost where it would be wasted: LLVM makes x * (r / v) of
** x / (v * sqrt(y)), with r an estimate of 1 / sqrt(y) and a step that improves
** it, to be rid of the square root. If the root is used elsewhere, it has both.
*/
#include <llvm-c/DebugInfo.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

/* llvm-c cannot clear a flag in place. */
static void keep_quotient(LLVMBuilderRef b, LLVMValueRef i,
                          LLVMFastMathFlags flags) {
  LLVMPositionBuilderBefore(b, i);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
  LLVMValueRef q =
      LLVMBuildFDiv(b, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), "");
  if (LLVMIsAInstruction(q)) LLVMSetFastMathFlags(q, flags);
  LLVMReplaceAllUsesWith(i, q);
  LLVMInstructionEraseFromParent(i);
}

void mt_keep_quotients(LLVMModuleRef m) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = mt_first_from(LLVMGetFirstBasicBlock(f)), next; i;
         i = next) {
      next = mt_next_instruction(i);
      if (LLVMGetInstructionOpcode(i) != LLVMFDiv) continue;
      LLVMFastMathFlags flags = LLVMGetFastMathFlags(i);
      if (flags & LLVMFastMathAllowReassoc)
        keep_quotient(b, i, flags & ~(unsigned)LLVMFastMathAllowReassoc);
    }
  LLVMDisposeBuilder(b);
}

static bool is_root(LLVMValueRef v) {
  return mt_starts(mt_callee(v), "llvm.sqrt.");
}

/* Is 'v', a divisor, a product with a square root that is needed anyway? Where
** several are divided by it, a reciprocal serves them all. */
static bool has_root(LLVMValueRef v) {
  if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMFMul)
    return false;
  LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
  LLVMValueRef root = is_root(a) ? a : is_root(b) ? b : NULL;
  if (!root || (mt_only_user(root) && mt_only_user(v))) return false;
  int quotients = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
    quotients += LLVMGetInstructionOpcode(LLVMGetUser(u)) == LLVMFDiv;
  return quotients == 1;
}

void mt_keep_roots(LLVMValueRef function) {
  LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  for (LLVMValueRef i = mt_first_from(LLVMGetFirstBasicBlock(function)), next;
       i; i = next) {
    next = mt_next_instruction(i);
    if (LLVMGetInstructionOpcode(i) != LLVMFDiv) continue;
    LLVMFastMathFlags flags = LLVMGetFastMathFlags(i);
    if (flags & LLVMFastMathAllowReciprocal && has_root(LLVMGetOperand(i, 1)))
      keep_quotient(b, i, flags & ~(unsigned)LLVMFastMathAllowReciprocal);
  }
  LLVMDisposeBuilder(b);
}
