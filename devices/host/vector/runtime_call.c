/*
** runtime_call.c - calls of run-time functions in C, one for all lanes.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/vector/vector.h"

LLVMValueRef mt_call_runtime(mt_Spmd *s, const char *name, LLVMTypeRef result,
                           LLVMValueRef *args, unsigned n) {
  return mt_build_call(s->module, s->b, name, result, args, n);
}

/* Store a vector to memory, for a run-time function to read. */
LLVMValueRef mt_vector_to_memory(mt_Spmd *s, LLVMValueRef vector) {
  LLVMValueRef m = mt_entry_alloca(s, LLVMTypeOf(vector), 64);
  LLVMSetAlignment(LLVMBuildStore(s->b, vector, m), 64);
  return m;
}
