/*
** call.h - whom an instruction calls.
*/
#ifndef MT_COMPILER_IR_CALL_H
#define MT_COMPILER_IR_CALL_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <string.h>

/* The name of the function that 'i' calls; "" if 'i' is NULL or no call, or
** calls by pointer. It belongs to the function. */
static inline const char *mt_callee(LLVMValueRef i) {
  LLVMValueRef f = i && LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  size_t n;
  return f && LLVMIsAFunction(f) ? LLVMGetValueName2(f, &n) : "";
}

static inline bool mt_is_barrier(LLVMValueRef i) {
  return strcmp(mt_callee(i), "__mt_barrier_threadgroup") == 0;
}

#endif
