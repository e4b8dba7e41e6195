/*
** splats.c - a bool that becomes a vector.
**
** In MSL true is 1 in every component; Clang's vectors have OpenCL's rule, -1.
** The one idea: Clang extends a bool with its sign for such a vector and
** nowhere else, so every scalar that is extended from one bit becomes 0 or 1
** here. A bool that Clang knows would be a constant by now, which looks like
** any other -1: msl/reader/splats.c keeps it from being known.
*/
#include "msl/passes/passes.h"

static bool is_splat(LLVMValueRef i) {
  if (LLVMGetInstructionOpcode(i) != LLVMSExt) return false;
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(i, 0));
  return LLVMGetTypeKind(from) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(from) == 1;
}

void mt_pass_splats(LLVMModuleRef module) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  MT_EACH_FUNCTION(f, module) MT_EACH_BLOCK(b, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (!is_splat(i)) continue;
      LLVMPositionBuilderBefore(builder, i);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
      LLVMReplaceAllUsesWith(
          i, LLVMBuildZExt(builder, LLVMGetOperand(i, 0), LLVMTypeOf(i), ""));
      LLVMInstructionEraseFromParent(i);
    }
  LLVMDisposeBuilder(builder);
}
