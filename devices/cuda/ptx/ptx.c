/*
** ptx.c - from bitcode to PTX, see ptx.h; the steps between are passes.c's.
*/
#include "devices/cuda/ptx/ptx.h"

#include <llvm-c/TargetMachine.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/cuda.h"
#include "devices/cuda/ptx/work.h"

/* Of the 255 registers of a thread, what private arrays may take; and how long
** a kernel may become for that: less than a third of the instructions that a
** GPU's caches for them hold. */
#define ARRAY_BYTES 800
#define ARRAY_INSTRUCTIONS 6000

/* The host's choice of loops that stay loops is not for a GPU. */
static void drop_hints(LLVMValueRef f) {
  unsigned kind = LLVMGetMDKindIDInContext(
      LLVMGetModuleContext(LLVMGetGlobalParent(f)), "llvm.loop", 9);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    LLVMSetMetadata(LLVMGetBasicBlockTerminator(b), kind, NULL);
}

static mt_Status emit(mt_PtxWork *w, bool ir, mt_Str *out, mt_Error *err) {
  if (ir) {
    char *text = LLVMPrintModuleToString(w->module);
    mt_str_add(out, text);
    LLVMDisposeMessage(text);
    return MT_OK;
  }
  char *text = NULL;
  LLVMMemoryBufferRef made = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(mt_target_machine(w->prepared.target),
                                          w->module, LLVMAssemblyFile, &text,
                                          &made)) {
    mt_error(err, MT_FAIL, "LLVM made no PTX of kernel '%s': %s",
             w->job->msl->name, text ? text : "it gave no reason");
    LLVMDisposeMessage(text);
    return MT_FAIL;
  }
  mt_str_add_bytes(out, LLVMGetBufferStart(made), LLVMGetBufferSize(made));
  LLVMDisposeMemoryBuffer(made);
  return out->failed ? mt_error(err, MT_FAIL, "out of memory") : MT_OK;
}

mt_Status mt_ptx_make(const mt_CompileJob *job, const mt_PtxRequest *request,
                      mt_PtxFacts *facts, mt_Str *out, mt_Error *err) {
  memset(facts, 0, sizeof *facts);
  mt_PtxWork w = {.job = job,
                  .capability = request->capability,
                  .whole = request->whole,
                  .facts = facts};
  mt_Target *target = mt_target_nvptx(request->capability, err);
  if (!target) return MT_FAIL;
  mt_PrepareInput in = {.target = target,
                        .bitcode = job->bitcode,
                        .size = job->size,
                        .kernel = job->msl,
                        .values = job->values,
                        .value_count = job->value_count,
                        .constants = job->constants,
                        .constant_count = job->constant_count,
                        .file = job->file,
                        .calls = MT_CALLS_NEVER,
                        .rolled = true,
                        .arrays = {ARRAY_BYTES, ARRAY_INSTRUCTIONS},
                        .unroll_products = true,
                        .own_functions = mt_ptx_own_functions};
  mt_Status status = mt_prepare(&in, &w.prepared, err);
  if (status == MT_OK && mt_ptx_has_matrices(w.prepared.module)) {
    in.rolled = false; /* arrays of matrices become registers */
    mt_prepared_free(&w.prepared);
    status = mt_prepare(&in, &w.prepared, err);
    if (status == MT_OK) drop_hints(w.prepared.function);
  }
  if (status == MT_OK) {
    mt_uses_find(job->msl, w.prepared.function, &facts->uses);
    mt_ptx_begin(&w);
    status = mt_passes_run(&mt_ptx_passes, &w, err);
    if (status == MT_OK) status = emit(&w, request->ir, out, err);
    LLVMDisposeBuilder(w.b);
  }
  mt_prepared_free(&w.prepared);
  return status;
}
