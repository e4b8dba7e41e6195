/*
** inspect.c - what a prepared kernel needs, and whether it can run, see
** steps.h.
*/
#include <llvm-c/Target.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

static bool can_wait(const char *callee) {
  return mt_starts(callee, "__mt_") && !mt_is_probe(callee) &&
         !mt_is_log_call(callee) &&
         strcmp(callee, MT_LANE_NUMBER) != 0;
}

static mt_Status look_at_call(LLVMValueRef call, const mt_PrepareInput *in,
                              mt_Prepared *out, mt_Error *err) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee)) {
    if (LLVMIsAInlineAsm(callee))
      return mt_error(err, MT_BADARG, "kernel '%s' has inline assembly, which "
                      "the host device cannot run", in->kernel->name);
    return mt_error(err, MT_BADARG, "kernel '%s' calls a function through a "
                    "pointer, which the host device cannot run",
                    in->kernel->name);
  }
  if (!LLVMIsDeclaration(callee) && out->has_calls) return MT_OK;
  if (!LLVMIsDeclaration(callee))
    return mt_error(err, MT_BADARG, "kernel '%s' calls a function that calls "
                    "itself; MSL has no recursion", in->kernel->name);
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  if (can_wait(name)) {
    out->waits = true;
  } else if (!mt_starts(name, "llvm.") && !mt_starts(name, "__mt_")) {
    return mt_error(err, MT_BADARG, "kernel '%s' calls '%s', which is declared "
                    "but has no body", in->kernel->name, name);
  }
  return MT_OK;
}

static mt_Status inspect_function(const mt_PrepareInput *in, mt_Prepared *out,
                                  LLVMValueRef function, mt_Error *err) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(out->module);
  mt_Status status = MT_OK;
  MT_EACH_INSTRUCTION(i, function) {
    if (LLVMIsAAllocaInst(i)) {
      LLVMTypeRef t = LLVMGetAllocatedType(i);
      LLVMValueRef n = LLVMGetOperand(i, 0);
      uint64_t count = LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 1;
      out->private_bytes += LLVMABISizeOfType(layout, t) * count;
      /* the vectoriser places allocas at multiples of 16 */
      if (LLVMGetAlignment(i) < 16) LLVMSetAlignment(i, 16);
    } else if (LLVMIsACallInst(i)) {
      status = look_at_call(i, in, out, err);
      if (status != MT_OK) return status;
    }
  }
  return MT_OK;
}

mt_Status mt_prepared_inspect(const mt_PrepareInput *in, mt_Prepared *out,
                              mt_Error *err) {
  mt_Status status = MT_OK;
  for (LLVMValueRef f = LLVMGetFirstFunction(out->module); f;
       f = LLVMGetNextFunction(f))
    if (f == out->function || (out->has_calls && !LLVMIsDeclaration(f)))
      if ((status = inspect_function(in, out, f, err)) != MT_OK) return status;
  out->threadgroup_bytes = mt_threadgroup_size(out->module);
  if (out->private_bytes > MT_PRIVATE_MAX)
    return mt_error(err, MT_BADARG,
                    "kernel '%s' needs %zu KiB of private memory for each "
                    "thread; the host device has %u: use a smaller array, "
                    "threadgroup memory or a buffer", in->kernel->name,
                    out->private_bytes / 1024, MT_PRIVATE_MAX / 1024);
  return MT_OK;
}
