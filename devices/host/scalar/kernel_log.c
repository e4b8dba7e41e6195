/*
** kernel_log.c - lowers os_log and asserts for one thread (run/kernel_log.h).
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/scalar/scalar.h"

/* 'v' in an alloca of the function's entry block. */
static LLVMValueRef in_memory(LLVMModuleRef module, LLVMBuilderRef b,
                              LLVMValueRef call, LLVMValueRef v) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMBuilderRef start =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(
      start, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
  LLVMValueRef m = LLVMBuildAlloca(start, LLVMTypeOf(v), "");
  LLVMDisposeBuilder(start);
  LLVMBuildStore(b, v, m);
  return m;
}

void mt_log_scalar(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call,
                   LLVMValueRef index) {
  LLVMTypeRef i32 = LLVMTypeOf(index);
  LLVMTypeRef none = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef one = LLVMConstInt(i32, 1, 0);
  const char *name = mt_callee(call);
  LLVMValueRef sg = LLVMBuildLShr(b, index, LLVMConstInt(i32, 5, 0), "");
  LLVMValueRef lane = LLVMBuildAnd(b, index, LLVMConstInt(i32, 31, 0), "");
  LLVMValueRef mask = LLVMBuildShl(b, one, lane, "");
  LLVMValueRef m = in_memory(module, b, call, LLVMGetOperand(call, 0));
  if (!strcmp(name, MT_LOG_VALUE)) {
    LLVMValueRef args[] = {mask, one, m, LLVMGetOperand(call, 1)};
    mt_build_call(module, b, "mt_log_value", none, args, 4);
    return;
  }
  bool end = !strcmp(name, MT_LOG_END);
  LLVMValueRef last = end ? LLVMGetOperand(call, 1)
                          : LLVMConstInt(i32, LLVMGetDebugLocLine(call), 0);
  LLVMValueRef args[] = {sg, mask, one, m, last};
  mt_build_call(module, b, end ? "mt_log_end" : "mt_assert_failed", none, args,
                5);
}
