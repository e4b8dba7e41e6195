/*
** end_at_unreachable.c - undefined behaviour ends the thread, see steps.h.
*/
#include "devices/compiler/prepare/steps.h"

void mt_end_at_unreachable(LLVMValueRef f) {
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f)));
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(f));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAUnreachableInst(last)) continue;
    LLVMInstructionEraseFromParent(last);
    LLVMPositionBuilderAtEnd(b, block);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) LLVMBuildRetVoid(b);
    else LLVMBuildRet(b, LLVMConstNull(type));
  }
  LLVMDisposeBuilder(b);
}
