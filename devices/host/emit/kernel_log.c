/*
** kernel_log.c - os_log and asserts of 32 lanes (run/kernel_log.h).
**
** The one idea: one run-time call gets the mask of active lanes and the values
** of all lanes in memory, and logs the active ones.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/str.h"
#include "devices/host/emit/emit.h"

bool mt_log_emit(mt_Spmd *s, LLVMValueRef call, const char *name) {
  LLVMTypeRef none = LLVMVoidTypeInContext(s->context);
  if (!mt_is_log_call(name)) return false;
  LLVMValueRef mask = mt_active_mask(s), lanes = mt_const_i32(s, s->lanes);
  LLVMValueRef row =
      mt_vector_to_memory(s, mt_vector(s, LLVMGetOperand(call, 0), 0));
  if (!strcmp(name, MT_LOG_VALUE)) {
    LLVMValueRef args[] = {mask, lanes, row, LLVMGetOperand(call, 1)};
    mt_call_runtime(s, "mt_log_value", none, args, 4);
    return true;
  }
  bool end = !strcmp(name, MT_LOG_END);
  LLVMValueRef last = end ? LLVMGetOperand(call, 1)
                          : mt_const_i32(s, (int)LLVMGetDebugLocLine(call));
  LLVMValueRef args[] = {s->sg, mask, lanes, row, last};
  mt_call_runtime(s, end ? "mt_log_end" : "mt_assert_failed", none, args, 5);
  return true;
}
