/*
** kernel_log.c - the builtins by which kernels say something
** (run/kernel_log.h), as vectors and thread by thread.
**
** The one idea: a helper is given the lanes that are on, and for each of them
** its value in a row; nothing is said for the others.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/str.h"
#include "devices/host/instrument/lower.h"
#include "devices/host/run/kernel_log.h"

#define VALUE "__mt_log_value" /* void (i64 value, i32 code) */
#define END "__mt_log_end"     /* void (ptr format, i32 level) */

bool mt_is_log_call(const char *name) {
  return !strcmp(name, VALUE) || !strcmp(name, END) ||
         !strcmp(name, MT_SAY_ASSERT);
}

/* ------------------------------------------------------------------ vectors */

bool mt_log_emit(mt_Spmd *s, LLVMValueRef call, const char *name) {
  LLVMTypeRef none = LLVMVoidTypeInContext(s->context);
  if (!mt_is_log_call(name)) return false;
  LLVMValueRef mask = mt_lower_mask(s), lanes = mt_const_i32(s, s->lanes);
  LLVMValueRef row = mt_lower_memory(s, mt_vector(s, LLVMGetOperand(call, 0), 0));
  if (!strcmp(name, VALUE)) {
    LLVMValueRef args[] = {mask, lanes, row, LLVMGetOperand(call, 1)};
    mt_lower_call(s, "mt_log_value", none, args, 4);
    return true;
  }
  bool end = !strcmp(name, END);
  LLVMValueRef last = end ? LLVMGetOperand(call, 1)
                          : mt_const_i32(s, (int)LLVMGetDebugLocLine(call));
  LLVMValueRef args[] = {s->sg, mask, lanes, row, last};
  mt_lower_call(s, end ? "mt_log_end" : "mt_assert_failed", none, args, 5);
  return true;
}

/* --------------------------------------------------------- thread by thread */

/* 'v' in memory that is there for the whole of the function. */
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

static void call_helper(LLVMModuleRef module, LLVMBuilderRef b,
                        const char *name, LLVMValueRef *args, unsigned n) {
  LLVMTypeRef types[8];
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(
      LLVMVoidTypeInContext(LLVMGetModuleContext(module)), types, n, 0);
  LLVMValueRef f = LLVMGetNamedFunction(module, name);
  if (!f) f = LLVMAddFunction(module, name, type);
  LLVMBuildCall2(b, type, f, args, n, "");
}

void mt_log_scalar(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call,
                   LLVMValueRef index) {
  LLVMTypeRef i32 = LLVMTypeOf(index);
  LLVMValueRef one = LLVMConstInt(i32, 1, 0);
  const char *name = mt_callee(call);
  LLVMValueRef sg = LLVMBuildLShr(b, index, LLVMConstInt(i32, 5, 0), "");
  LLVMValueRef lane = LLVMBuildAnd(b, index, LLVMConstInt(i32, 31, 0), "");
  LLVMValueRef mask = LLVMBuildShl(b, one, lane, "");
  LLVMValueRef m = in_memory(module, b, call, LLVMGetOperand(call, 0));
  if (!strcmp(name, VALUE)) {
    LLVMValueRef args[] = {mask, one, m, LLVMGetOperand(call, 1)};
    call_helper(module, b, "mt_log_value", args, 4);
    return;
  }
  bool end = !strcmp(name, END);
  LLVMValueRef last = end ? LLVMGetOperand(call, 1)
                          : LLVMConstInt(i32, LLVMGetDebugLocLine(call), 0);
  LLVMValueRef args[] = {sg, mask, one, m, last};
  call_helper(module, b, end ? "mt_log_end" : "mt_assert_failed", args, 5);
}
