/*
** call.h - whom an instruction calls, and calls by name.
**
** Builtins that several rooms ask for are named here; docs/ir.md has them all.
*/
#ifndef MT_COMPILER_IR_CALL_H
#define MT_COMPILER_IR_CALL_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <string.h>

#define MT_PROBE "__mt_probe" /* instrumentation: all its calls start so */
#define MT_LOG_VALUE "__mt_log_value"      /* void (i64 value, i32 code) */
#define MT_LOG_END "__mt_log_end"          /* void (ptr format, i32 level) */
#define MT_LOG_ASSERT "__mt_assert_failed" /* void (ptr condition) */

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

static inline bool mt_is_probe(const char *name) {
  return strncmp(name, MT_PROBE, sizeof MT_PROBE - 1) == 0;
}

/* Of os_log, or of an assertion that does not hold. */
static inline bool mt_is_log_call(const char *name) {
  return !strcmp(name, MT_LOG_VALUE) || !strcmp(name, MT_LOG_END) ||
         !strcmp(name, MT_LOG_ASSERT);
}

/* Call the function 'name', which is declared if it is not there yet. */
LLVMValueRef mt_build_call(LLVMModuleRef module, LLVMBuilderRef b,
                           const char *name, LLVMTypeRef result,
                           LLVMValueRef *args, unsigned n);

#endif
