/*
** call.c - building a call of a function by its name, see call.h.
*/
#include "devices/compiler/ir/call.h"

LLVMValueRef mt_build_call(LLVMModuleRef module, LLVMBuilderRef b,
                                const char *name, LLVMTypeRef result,
                                LLVMValueRef *args, unsigned n) {
  LLVMTypeRef types[8];
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
  LLVMValueRef f = LLVMGetNamedFunction(module, name);
  if (!f) f = LLVMAddFunction(module, name, type);
  return LLVMBuildCall2(b, type, f, args, n, "");
}
