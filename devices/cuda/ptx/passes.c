/*
** passes.c - the passes from a prepared kernel to PTX, as a table in the order
** in which they run (base/pass.h); and one of them alone, for mettle opt.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler_module.h"
#include "devices/cuda/ptx/work.h"

#define SHARED "mettle_shared"

enum { /* forms */
  PREPARED = 1,
  BOUND = 2,
  ENTRY = 4,
  LINKED = 8,
  OPTIMISED = 16
};

/* Inline the body and the builtins, find out where pointers lead, and then what
** LLVM does for every GPU kernel. At last conditions like x < n && y < m become
** one branch: a few instructions more cost a GPU less than another branch. */
static const char *const OPTIMISE =
    "always-inline,globaldce,function(sroa<modify-cfg>,infer-address-spaces,"
    "scalarizer<min-bits=32>),default<O3>";

void mt_ptx_begin(mt_PtxWork *w) {
  LLVMContextRef c = w->context = w->prepared.context;
  w->module = w->prepared.module;
  w->state = (mt_PassState){0, PREPARED};
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
      w->module, LLVMArrayType2(w->i8, 0), SHARED, MT_NV_SHARED);
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

#define PASS(name, call)                                    \
  static mt_Status name(void *unit, mt_Error *err) {        \
    mt_PtxWork *w = unit;                                   \
    (void)err;                                              \
    return call;                                            \
  }

PASS(keep_for_later, (mt_ptx_keep_for_later(w), MT_OK))
PASS(matrices, mt_ptx_place_matrices(w, err))
PASS(threadgroup, (bind_threadgroup(w), MT_OK))
PASS(calls, mt_ptx_lower_calls(w, err))
PASS(entry, mt_ptx_make_entry(w, err))
PASS(builtins, mt_ptx_link_builtins(w, err))
PASS(constants, (mt_ptx_place_constants(w), MT_OK))
/* line tables would make the driver compile for debugging */
PASS(strip, (LLVMStripModuleDebugInfo(w->module), MT_OK))
PASS(verify, mt_verify(w->module, "ptx", err))
PASS(optimise, mt_run_passes(w->prepared.target, w->module, OPTIMISE, err))
PASS(flat_constants, mt_ptx_flatten_constants(w, err))
PASS(speculate, mt_ptx_speculate(w, err))
PASS(unroll, mt_ptx_unroll(w, err))
PASS(extremes, (mt_ptx_extremes(w), MT_OK))
PASS(conversions, (mt_ptx_convert(w), MT_OK))
PASS(narrow, (mt_ptx_narrow(w), MT_OK))
PASS(high_products, (mt_ptx_high_products(w), MT_OK))
PASS(loops, (mt_ptx_keep_loops(w), MT_OK))
PASS(float_bits, (mt_ptx_settle_float_bits(w), MT_OK))

static const mt_Pass passes[] = {
    {"ptx-keep-for-later", "loops that load are unrolled after LLVM's passes",
     keep_for_later, .needs = PREPARED},
    {"ptx-matrices", "simdgroup matrices are on tensor cores", matrices,
     .needs = PREPARED},
    {"ptx-threadgroup", "threadgroup variables are places in shared memory",
     threadgroup, .needs = PREPARED, .gives = BOUND},
    {"ptx-calls", "builtins that need the launch's state get it", calls,
     .needs = BOUND},
    {"ptx-entry", "the entry that a GPU starts, with positions of threads",
     entry, .needs = BOUND, .gives = ENTRY},
    {"ptx-builtins", "builtins that are called have bodies", builtins,
     .needs = ENTRY, .gives = LINKED},
    {"ptx-constants", "constants are in global memory", constants,
     .needs = LINKED},
    {"ptx-strip", "no debug information", strip, .needs = LINKED},
    {"ptx-verify", "LLVM's verifier", verify, .needs = LINKED},
    {"ptx-speculate", "branches around a few operations are selections",
     speculate, .needs = LINKED},
    {"ptx-optimise", "all is inlined, address spaces are known, O3", optimise,
     .needs = LINKED, .gives = OPTIMISED},
    {"ptx-unroll", "loops that load, further than LLVM would", unroll,
     .needs = OPTIMISED},
    {"ptx-flat-constants", "constants with vectors of three are plain bytes",
     flat_constants, .needs = OPTIMISED},
    {"ptx-extremes", "the larger of two floats is one instruction", extremes,
     .needs = OPTIMISED},
    {"ptx-conversions", "floats become integers by one instruction",
     conversions, .needs = OPTIMISED},
    {"ptx-narrow", "sums and products of small numbers in 32 bits", narrow,
     .needs = OPTIMISED},
    {"ptx-high-products", "the upper half of a product is one instruction",
     high_products, .needs = OPTIMISED},
    {"ptx-loops", "the driver's compiler leaves unrolled loops as they are",
     loops, .needs = OPTIMISED},
    {"ptx-float-bits", "bits of a float that are an integer are moved",
     float_bits, .needs = OPTIMISED},
};

static const char *const modes[] = {NULL};
static const char *const forms[] = {
    "the kernel is prepared", "threadgroup variables have places",
    "there is an entry",      "builtins are linked in",
    "the kernel is optimised", NULL};

const mt_PassTable mt_ptx_passes = {
    "cuda/ptx", passes, sizeof passes / sizeof *passes, modes, forms};

/* For a GPU that has tensor cores for all kinds of matrices. */
static mt_Status run_alone(const mt_Pass *pass, LLVMValueRef kernel,
                           const mt_MslKernel *msl, mt_Error *err) {
  LLVMModuleRef module = LLVMGetGlobalParent(kernel);
  mt_CompileJob job = {.msl = msl};
  mt_PtxFacts facts = {0};
  mt_PtxWork w = {.job = &job, .capability = MT_TENSOR_CAPABILITY,
                  .facts = &facts};
  w.prepared = (mt_Prepared){
      .target = mt_target_nvptx(w.capability, err),
      .context = LLVMGetModuleContext(module), .module = module,
      .function = kernel, .threadgroup_bytes = mt_threadgroup_size(module)};
  if (!w.prepared.target) return MT_FAIL;
  mt_ptx_begin(&w);
  LLVMValueRef shared = LLVMGetNamedGlobal(module, SHARED);
  if (shared) w.shared = LLVMConstAddrSpaceCast(shared, w.ptr);
  mt_Status status = pass->run(&w, err);
  LLVMDisposeBuilder(w.b);
  return status;
}

extern const mt_DevicePasses mt_cuda_passes; /* NAME.passes, devices.mk */
const mt_DevicePasses mt_cuda_passes = {&mt_ptx_passes, run_alone};
