/*
** keep_quotients.c - quotients are computed where the source has them, see
** steps.h.
**
** The one idea: fast math lets LLVM turn (x / y) * z into (x * z) / y. That
** gains nothing, and where x / y stands before a loop and the product in it,
** one multiplication becomes a product and a division, or two products. LLVM
** asks the quotient's own flag whether it may be reassociated, so it loses that
** one; the permission to multiply by a reciprocal stays.
*/
#include <llvm-c/DebugInfo.h>

#include "devices/compiler/ir/instructions.h"
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
