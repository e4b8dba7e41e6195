/*
** ptx.c - the steps from bitcode to PTX, see ptx.h.
*/
#include "devices/cuda/ptx/ptx.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

/* Inline the body and the builtins, find out where pointers lead, and then what
** LLVM does for every GPU kernel. At last conditions like x < n && y < m become
** one branch: a few instructions more cost a GPU less than another branch. */
static const char *const OPTIMISE =
    "always-inline,globaldce,function(sroa<modify-cfg>,infer-address-spaces,"
    "scalarizer<min-bits=32>),default<O3>";

static void start(mt_PtxWork *w) {
  LLVMContextRef c = w->context = w->prepared.context;
  w->module = w->prepared.module;
  w->b = LLVMCreateBuilderInContext(c);
  w->i8 = LLVMInt8TypeInContext(c);
  w->i32 = LLVMInt32TypeInContext(c);
  w->i64 = LLVMInt64TypeInContext(c);
  w->ptr = LLVMPointerTypeInContext(c, MT_NV_GENERIC);
  w->none = LLVMVoidTypeInContext(c);
}

/* All threadgroup memory is one external array of unknown size. */
static void bind_threadgroup(mt_PtxWork *w) {
  LLVMValueRef g = LLVMAddGlobalInAddressSpace(
      w->module, LLVMArrayType2(w->i8, 0), "mettle_shared", MT_NV_SHARED);
  LLVMSetAlignment(g, 16);
  w->shared = LLVMConstAddrSpaceCast(g, w->ptr);
  w->facts->threadgroup_bytes = (uint32_t)w->prepared.threadgroup_bytes;
  LLVMValueRef f = w->prepared.function;
  mt_threadgroup_bind(f, w->shared,
                      LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
  for (LLVMValueRef v = LLVMGetFirstGlobal(w->module), next; v; v = next) {
    next = LLVMGetNextGlobal(v);
    if (mt_is_threadgroup(v) && !LLVMGetFirstUse(v)) LLVMDeleteGlobal(v);
  }
}

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

static mt_Status make(mt_PtxWork *w, const mt_PtxRequest *request, mt_Str *out,
                      mt_Error *err) {
  mt_Target *target = w->prepared.target;
  mt_Status status = mt_ptx_place_matrices(w, err);
  bind_threadgroup(w);
  if (status == MT_OK) status = mt_ptx_lower_calls(w, err);
  if (status == MT_OK) status = mt_ptx_make_entry(w, err);
  if (status == MT_OK) status = mt_ptx_link_builtins(w, err);
  if (status != MT_OK) return status;
  mt_ptx_place_constants(w);
  /* line tables would make the driver compile for debugging */
  LLVMStripModuleDebugInfo(w->module);
  status = mt_verify(w->module, "ptx", err);
  if (status == MT_OK) status = mt_run_passes(target, w->module, OPTIMISE, err);
  if (status == MT_OK) status = mt_ptx_flatten_constants(w, err);
  if (status == MT_OK) mt_ptx_high_products(w);
  if (status == MT_OK) mt_ptx_keep_loops(w);
  if (status == MT_OK) mt_ptx_settle_float_bits(w);
  return status == MT_OK ? emit(w, request->ir, out, err) : status;
}

mt_Status mt_ptx_make(const mt_CompileJob *job, const mt_PtxRequest *request,
                      mt_PtxFacts *facts, mt_Str *out, mt_Error *err) {
  memset(facts, 0, sizeof *facts);
  mt_PtxWork w = {
      .job = job, .capability = request->capability, .facts = facts};
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
                        .unroll_products = true};
  mt_Status status = mt_prepare(&in, &w.prepared, err);
  if (status == MT_OK && mt_ptx_has_matrices(w.prepared.module)) {
    in.rolled = false; /* arrays of matrices become registers */
    mt_prepared_free(&w.prepared);
    status = mt_prepare(&in, &w.prepared, err);
    if (status == MT_OK) drop_hints(w.prepared.function);
  }
  if (status == MT_OK) {
    mt_uses_find(job->msl, w.prepared.function, &facts->uses);
    start(&w);
    status = make(&w, request, out, err);
    LLVMDisposeBuilder(w.b);
  }
  mt_prepared_free(&w.prepared);
  return status;
}
