/*
** passes.c - LLVM's passes over a module, and its verifier, see target.h.
*/
#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stddef.h>

#include "devices/compiler/target/target.h"

mt_Status mt_llvm_error(mt_Error *err, const char *doing, LLVMErrorRef e) {
  char *text = LLVMGetErrorMessage(e);
  mt_error(err, MT_FAIL, "%s: %s", doing, text);
  LLVMDisposeErrorMessage(text);
  return MT_FAIL;
}

mt_Status mt_run_passes(mt_Target *t, LLVMModuleRef module, const char *passes,
                        mt_Error *err) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef e = LLVMRunPasses(module, passes, mt_target_machine(t), options);
  LLVMDisposePassBuilderOptions(options);
  return e ? mt_llvm_error(err, "LLVM refused a pipeline", e) : MT_OK;
}

mt_Status mt_run_function_passes(mt_Target *t, LLVMValueRef function,
                                 const char *passes, mt_Error *err) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef e =
      LLVMRunPassesOnFunction(function, passes, mt_target_machine(t), options);
  LLVMDisposePassBuilderOptions(options);
  return e ? mt_llvm_error(err, "LLVM refused a pipeline", e) : MT_OK;
}

mt_Status mt_verify(LLVMModuleRef module, const char *stage, mt_Error *err) {
  char *text = NULL;
  mt_Status status = MT_OK;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &text)) {
    for (char *p = text; *p; p++)
      if (*p == '\n') *p = ' ';
    status = mt_error(err, MT_FAIL,
                      "the host engine made invalid code (%s): %s", stage,
                      text);
  }
  LLVMDisposeMessage(text);
  return status;
}
