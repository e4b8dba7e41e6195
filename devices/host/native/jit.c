/*
** jit.c - LLVM modules to machine code: optimise, emit, load.
**
** The one idea: code always goes through an object file in memory, so that
** cached and newly compiled code are loaded in the same way. One LLJIT serves
** the process; each object has a resource tracker, and freeing that unloads the
** code.
*/
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/target/target.h"
#include "devices/host/native/gathers.h"
#include "devices/host/native/line_table.h"
#include "devices/host/native/native.h"
#include "devices/host/native/runtime_symbols.h"

static struct {
  LLVMOrcLLJITRef jit;
  mt_Error reported; /* by the JIT, since mt_jit_load began */
} self;

struct mt_Code {
  LLVMOrcResourceTrackerRef tracker;
  mt_GroupCode *entry;
  mt_LineTable *lines; /* or NULL */
};

/* ---------------------------------------------------------------- compile */

/* The part of O3 that pays for code without loops left to vectorise, in half
** its time: stack slots become SSA values (before barrier regions are inlined,
** or a slot's value would stay live through the later ones; so does the code
** that is dead go, or all of it would be inlined), what is the same in all
** calls of a region is known in it, known masks fold, loop-invariant code is
** hoisted. What a kernel itself loads twice or overwrites is gone since
** prepare/: the dependences of loads, which GVN would find by asking about
** every pair of accesses, took a third of all passes and gained nothing. */
static const char *const FINISH =
    "globaldce,function(sroa,dce),cgscc(inline),globaldce,"
    "ipsccp<no-func-spec>,"
    "function(early-cse<memssa>,simplifycfg,"
    "instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate,licm),simplifycfg,"
    "loop(indvars,loop-deletion),gvn<no-memdep>,adce,simplifycfg,"
    "instcombine<no-verify-fixpoint>,loop-mssa(licm),simplifycfg)";

/* Fewer passes for quick code, in a fifth of the time. */
static const char *const SOON =
    "globaldce,function(sroa),cgscc(inline),globaldce,"
    "function(early-cse,simplifycfg,instsimplify,adce)";
/* The same without SROA, for functions with too many stack slots. */
static const char *const SLOTS =
    "globaldce,cgscc(inline),globaldce,"
    "function(early-cse,simplifycfg,instsimplify,adce)";

/* Vectorise the inner loops that strategy/inner_loop.c has left to LLVM, at
** the full width of the CPU's vectors. */
static const char *const ALONG =
    "function(loop-vectorize<interleave-forced-only;vectorize-forced-only>,"
    "simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(licm),simplifycfg)";

static void wish(LLVMModuleRef m, const char *name, const char *value) {
  LLVMAttributeRef wide =
      LLVMCreateStringAttribute(LLVMGetModuleContext(m), name,
                                (unsigned)strlen(name), value,
                                (unsigned)strlen(value));
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMAddAttributeAtIndex(
          f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, wide);
}

/* The largest that LLVM makes loops of, and that it takes vectors in. */
static void wish_registers(LLVMModuleRef m, const char *bits) {
  wish(m, "prefer-vector-width", bits);
  wish(m, "min-legal-vector-width", bits);
}

/* A loop that LLVM fails to vectorise is no news to the user. */
static void say_nothing(LLVMDiagnosticInfoRef info, void *context) {
  (void)info, (void)context;
}

#define MAX_LANES 256 /* of a mask */

static bool is_mask(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind &&
         LLVMGetTypeKind(LLVMGetElementType(t)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMGetElementType(t)) == 1;
}

/* Replace zext <n x i1> by select mask, 1, 0. */
static void choose_ones(LLVMBuilderRef b, LLVMValueRef zext) {
  LLVMTypeRef t = LLVMTypeOf(zext);
  LLVMValueRef one[MAX_LANES], mask = LLVMGetOperand(zext, 0);
  unsigned n = LLVMGetVectorSize(t);
  if (n > MAX_LANES) return;
  for (unsigned l = 0; l < n; l++)
    one[l] = LLVMConstInt(LLVMGetElementType(t), 1, 0);
  LLVMPositionBuilderBefore(b, zext);
  LLVMReplaceAllUsesWith(zext, LLVMBuildSelect(b, mask, LLVMConstVector(one, n),
                                               LLVMConstNull(t), ""));
  LLVMInstructionEraseFromParent(zext);
}

/* Works around an endless loop in LLVM 22's AVX-512 instruction selection on
** add(zext <n x i1>) with a computed mask. */
static void spare_masks(mt_Target *t, LLVMModuleRef m) {
  if (!mt_target_has(t, "avx512f")) return;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(f); at;
         at = LLVMGetNextBasicBlock(at))
      for (LLVMValueRef i = LLVMGetFirstInstruction(at), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAZExtInst(i) && is_mask(LLVMTypeOf(LLVMGetOperand(i, 0))))
          choose_ones(b, i);
      }
  LLVMDisposeBuilder(b);
}

/* Removes shuffles around components of short vectors that are deinterleaved,
** computed alike and interleaved again. */
static const char *const WOVEN = "function(vector-combine)";

static bool has_note(LLVMModuleRef m, const char *name) {
  return LLVMGetNamedMetadata(m, name, strlen(name)) != NULL;
}

/* SROA's time grows with slots times blocks. */
#define MAX_SLOTS_TIMES_BLOCKS 20000000u

static bool has_many_slots(LLVMModuleRef m) {
  uint64_t most = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
       f = LLVMGetNextFunction(f)) {
    uint64_t slots = 0, blocks = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b), blocks++)
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
           i = LLVMGetNextInstruction(i))
        slots += LLVMIsAAllocaInst(i) != NULL;
    if (slots * blocks > most) most = slots * blocks;
  }
  return most > MAX_SLOTS_TIMES_BLOCKS;
}

static const char *passes_for(LLVMModuleRef m, bool quick) {
  if (!quick) return FINISH;
  return has_many_slots(m) ? SLOTS : SOON;
}

static mt_Status improve(mt_Target *t, LLVMModuleRef module, bool quick,
                         mt_Error *err) {
  mt_Status status = mt_run_passes(t, module, passes_for(module, quick), err);
  if (status == MT_OK && has_note(module, MT_INTERLEAVED))
    status = mt_run_passes(t, module, WOVEN, err);
  if (status != MT_OK || !has_note(module, MT_INNER_LOOP)) return status;
  wish(module, "prefer-vector-width", "512");
  LLVMContextRef c = LLVMGetModuleContext(module);
  LLVMContextSetDiagnosticHandler(c, say_nothing, NULL);
  status = mt_run_passes(t, module, ALONG, err);
  LLVMContextSetDiagnosticHandler(c, NULL, NULL);
  return status;
}

mt_Status mt_optimise(mt_Target *t, LLVMModuleRef module, bool quick,
                      mt_Error *err) {
  mt_null_is_valid(module);
  mt_Status status = improve(t, module, quick, err);
  if (status != MT_OK) return status;
  mt_finish_gathers(t, module);
  if (has_note(module, MT_SHORT_REGISTERS)) wish_registers(module, "256");
  spare_masks(t, module);
  mt_trap_unreachable(module);
  return status;
}

/* LLVM reports the size of a frame only in a warning: "stack frame size (N)
** exceeds limit (M) in function …". */
#define FRAME_LIMIT "16384"
static void on_warning(LLVMDiagnosticInfoRef info, void *context) {
  size_t *frames = context;
  char *text = LLVMGetDiagInfoDescription(info);
  const char *said = strstr(text, "stack frame size (");
  if (said) *frames += strtoull(strchr(said, '(') + 1, NULL, 10);
  LLVMDisposeMessage(text);
}

static void ask_for_frames(LLVMModuleRef m) {
  static const char NAME[] = "warn-stack-size";
  LLVMAttributeRef limit = LLVMCreateStringAttribute(
      LLVMGetModuleContext(m), NAME, sizeof NAME - 1, FRAME_LIMIT,
      sizeof FRAME_LIMIT - 1);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMAddAttributeAtIndex(
          f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, limit);
}

static mt_Status emit(LLVMTargetMachineRef machine, LLVMModuleRef module,
                      bool assembly, mt_Str *out, mt_Error *err) {
  LLVMMemoryBufferRef buffer = NULL;
  char *text = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(
          machine, module, assembly ? LLVMAssemblyFile : LLVMObjectFile, &text,
          &buffer)) {
    mt_error(err, MT_FAIL, "LLVM could not make machine code: %s", text);
    LLVMDisposeMessage(text);
    return MT_FAIL;
  }
  mt_str_add_bytes(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return out->failed ? mt_error(err, MT_FAIL, "out of memory") : MT_OK;
}

mt_Status mt_emit(mt_Target *t, LLVMModuleRef module, bool quick, bool assembly,
                  mt_Str *out, uint64_t *stack, mt_Error *err) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  size_t frames = 0;
  ask_for_frames(module);
  LLVMContextSetDiagnosticHandler(context, on_warning, &frames);
  mt_Status status =
      emit(quick ? mt_target_quick_machine(t) : mt_target_machine(t), module,
           assembly, out, err);
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  if (stack) *stack = frames;
  return status;
}

/* -------------------------------------------------------------------- load */

static mt_Status define(LLVMOrcLLJITRef jit, const mt_RuntimeSymbols *all,
                        mt_Error *err) {
  LLVMOrcJITDylibRef dylib = LLVMOrcLLJITGetMainJITDylib(jit);
  LLVMOrcCSymbolMapPair *pairs = calloc(all->count, sizeof *pairs);
  if (!pairs) return mt_error(err, MT_FAIL, "out of memory");
  for (size_t i = 0; i < all->count; i++) {
    pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit, all->symbol[i].name);
    pairs[i].Sym.Address = (LLVMOrcExecutorAddress)all->symbol[i].address;
    pairs[i].Sym.Flags.GenericFlags =
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
  }
  LLVMErrorRef e =
      LLVMOrcJITDylibDefine(dylib, LLVMOrcAbsoluteSymbols(pairs, all->count));
  free(pairs);
  if (!e) return MT_OK;
  return mt_llvm_error(err, "LLVM's JIT did not take the runtime's symbols", e);
}

/* Symbols for generated code: those that rooms register, then the C library. */
static mt_Status define_symbols(LLVMOrcLLJITRef jit, mt_Error *err) {
  const mt_RuntimeSymbols *all;
  size_t n = mt_runtime_symbols(&all);
  for (size_t i = 0; i < n; i++) {
    mt_Status status = define(jit, &all[i], err);
    if (status != MT_OK) return status;
  }
  LLVMOrcDefinitionGeneratorRef process;
  LLVMErrorRef e = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
      &process, LLVMOrcLLJITGetGlobalPrefix(jit), NULL, NULL);
  if (e) return mt_llvm_error(err, "LLVM's JIT cannot see the C library", e);
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), process);
  return MT_OK;
}

/* A failed lookup does not say why; this report does. */
static void on_report(void *context, LLVMErrorRef e) {
  (void)context;
  char *text = LLVMGetErrorMessage(e);
  mt_error(&self.reported, MT_FAIL, "%s", text);
  LLVMDisposeErrorMessage(text);
}

static mt_Status need_jit(mt_Error *err) {
  if (self.jit) return MT_OK;
  if (!mt_target_host(err)) return MT_FAIL;
  LLVMOrcLLJITRef jit;
  LLVMErrorRef e = LLVMOrcCreateLLJIT(&jit, LLVMOrcCreateLLJITBuilder());
  if (e) return mt_llvm_error(err, "LLVM's JIT did not start", e);
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit),
                                          on_report, NULL);
  mt_Status status = define_symbols(jit, err);
  if (status == MT_OK)
    self.jit = jit;
  else
    LLVMConsumeError(LLVMOrcDisposeLLJIT(jit));
  return status;
}

void mt_jit_warm(void) {
  mt_Error ignored; /* the next mt_jit_load reports it */
  need_jit(&ignored);
}

mt_Status mt_jit_load(const void *object, size_t size, const char *symbol,
                      mt_Code **out, mt_Error *err) {
  *out = NULL;
  mt_Status status = need_jit(err);
  if (status != MT_OK) return status;
  self.reported.text[0] = 0;
  mt_Code *code = calloc(1, sizeof *code);
  if (!code) return mt_error(err, MT_FAIL, "out of memory");
  code->tracker = LLVMOrcJITDylibCreateResourceTracker(
      LLVMOrcLLJITGetMainJITDylib(self.jit));
  LLVMMemoryBufferRef bytes =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(object, size, symbol);
  LLVMErrorRef e = LLVMOrcLLJITAddObjectFileWithRT(self.jit, code->tracker,
                                                   bytes);
  LLVMOrcExecutorAddress address = 0;
  if (!e) e = LLVMOrcLLJITLookup(self.jit, &address, symbol);
  if (e) {
    mt_code_free(code);
    if (!self.reported.text[0])
      return mt_llvm_error(err, "LLVM's JIT could not load the kernel", e);
    LLVMConsumeError(e);
    return mt_error(err, MT_FAIL, "LLVM's JIT could not load the kernel: %s",
                    self.reported.text);
  }
  code->entry = (mt_GroupCode *)(uintptr_t)address;
  code->lines = mt_line_table_read(object, size, symbol);
  *out = code;
  return MT_OK;
}

mt_GroupCode *mt_code_entry(const mt_Code *code) { return code->entry; }

unsigned mt_code_line(const mt_Code *code, uintptr_t address) {
  if (!code) return 0;
  return mt_line_table_find(code->lines,
                            (ptrdiff_t)(address - (uintptr_t)code->entry));
}

void mt_code_free(mt_Code *code) {
  if (!code) return;
  LLVMErrorRef e = LLVMOrcResourceTrackerRemove(code->tracker);
  if (e) LLVMConsumeError(e);
  LLVMOrcReleaseResourceTracker(code->tracker);
  mt_line_table_free(code->lines);
  free(code);
}
