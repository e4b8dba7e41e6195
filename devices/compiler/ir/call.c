/*
** call.c - calls of functions by their names, see call.h.
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

bool mt_calls_one_of(LLVMValueRef i, const char *const *names) {
  const char *name = mt_callee(i);
  for (int k = 0; names[k]; k++)
    if (!strncmp(name, names[k], strlen(names[k]))) return true;
  return false;
}
