/*
** call.h - the callee of an instruction, and calls of functions by name.
**
** Names the builtins that several rooms ask for, cross-lane ones in
** crosslane.h; docs/ir.md lists them all.
*/
#ifndef MT_COMPILER_IR_CALL_H
#define MT_COMPILER_IR_CALL_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <string.h>

#include "devices/compiler/ir/crosslane.h"

#define MT_PROBE "__mt_probe" /* prefix of every instrumentation call */
#define MT_LOG_VALUE "__mt_log_value"      /* void (i64 value, i32 code) */
#define MT_LOG_END "__mt_log_end"          /* void (ptr format, i32 level) */
#define MT_LOG_ASSERT "__mt_assert_failed" /* void (ptr condition) */

/* The name of the function that 'i' calls; "" if 'i' is NULL, is no call, or is
** an indirect call. The string belongs to the function. */
static inline const char *mt_callee(LLVMValueRef i) {
  LLVMValueRef f = i && LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  size_t n;
  return f && LLVMIsAFunction(f) ? LLVMGetValueName2(f, &n) : "";
}

/* Does the name of the function that 'call' calls begin with one of 'names',
** which end with NULL? */
bool mt_calls_one_of(LLVMValueRef call, const char *const *names);

/* The one user of 'v'; NULL: it has none, or several. */
static inline LLVMValueRef mt_only_user(LLVMValueRef v) {
  LLVMUseRef u = LLVMGetFirstUse(v);
  return u && !LLVMGetNextUse(u) ? LLVMGetUser(u) : NULL;
}

static inline bool mt_is_barrier(LLVMValueRef i) {
  return strcmp(mt_callee(i), "__mt_barrier_threadgroup") == 0;
}

static inline bool mt_is_probe(const char *name) {
  return strncmp(name, MT_PROBE, sizeof MT_PROBE - 1) == 0;
}

/* memcpy or memmove; a fill is "llvm.memset." */
static inline bool mt_is_copy(const char *name) {
  return !strncmp(name, "llvm.memcpy.", 12) ||
         !strncmp(name, "llvm.memmove.", 13);
}

/* An intrinsic of LLVM that leaves memory alone. */
static inline bool mt_is_pure_intrinsic(const char *name) {
  return !strncmp(name, "llvm.", 5) && strncmp(name, "llvm.mem", 8);
}

/* A call of os_log, or of a failed assertion. */
static inline bool mt_is_log_call(const char *name) {
  return !strcmp(name, MT_LOG_VALUE) || !strcmp(name, MT_LOG_END) ||
         !strcmp(name, MT_LOG_ASSERT);
}

/* Build a call of the function 'name', which is declared if the module does not
** have it yet. At most 8 arguments. */
LLVMValueRef mt_build_call(LLVMModuleRef module, LLVMBuilderRef b,
                           const char *name, LLVMTypeRef result,
                           LLVMValueRef *args, unsigned n);

#endif
