/*
** prepare.c - from the front end's bitcode to one flat function.
**
** The one idea: after this file there are no function calls to consider. The
** chosen kernel is kept, everything else is inlined into it or dropped, and
** LLVM's passes bring the rest into the form that prepare.h promises. The steps
** that LLVM has no pass for are in files of their own (steps.h), except a few
** small ones here.
*/
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/inactive_lanes.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/prepare/steps.h"
#include "devices/compiler/prepare/unroll.h"
#include "devices/compiler/target/target.h"
#include "msl/passes/undefined.h"

#define LARGE (128u << 10) /* bytes of bitcode: some thousand source lines */

/* Inlining, and the scalar simplification that every code generator profits
** from. */
static const char *const FLATTEN = "always-inline,globaldce";
static const char *const CLEAN =
    "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,"
    "instcombine<no-verify-fixpoint>,sroa<modify-cfg>,simplifycfg,"
    "loop-mssa(loop-rotate,licm),simplifycfg,"
    "instcombine<no-verify-fixpoint>,loop(indvars,loop-idiom,loop-deletion)";
/* Then unroll loops, where unroll.c expects a gain. */
static const char *const UNROLL =
    "loop(loop-unroll-full),"
    "loop-unroll<O3;no-partial;no-runtime;no-peeling;no-upperbound>,"
    "sroa<modify-cfg>,gvn,dse,adce,simplifycfg,"
    "instcombine<no-verify-fixpoint>";
/* Hoist the invariant part of unrolled loops out of the loop around them. */
static const char *const LEAVE = "loop-mssa(licm)";
static const char *const UNUSED = "globaldce";
/* Instead of both for 'plain': local variables in registers, constants
** propagated. */
static const char *const PLAIN =
    "function(sroa,sccp,instsimplify,simplifycfg),globaldce";
/* Instead of all for functions that stay functions. */
static const char *const CALLED =
    "globaldce,function(sroa,early-cse,simplifycfg,instsimplify,adce)";
/* For the checker: only local variables in registers. */
static const char *const REGISTERS = "function(sroa)";
static const char *const LIBRARY = "function(sroa,simplifycfg)";
static const char *const FOLD = "function(sccp,instsimplify)";
/* The form that the code generators rely on. */
static const char *const SHAPE =
    "function(fix-irreducible,mergereturn,loop-simplify,lcssa,dce)";
/* Lower switches before SHAPE, and while their defaults are still known to be
** unreachable: Clang leaves a loop that has both a break and a continue through
** such a switch, and a default that returned from the thread would make it miss
** barriers. */
static const char *const SWITCHES = "function(lower-switch)";

/* ------------------------------------------------------------------- llvm */

/* Without a handler LLVM prints to the console, and exits on errors. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  mt_Error *err = context;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || err->text[0]) return;
  char *text = LLVMGetDiagInfoDescription(info);
  mt_error(err, MT_FAIL, "LLVM: %s", text);
  LLVMDisposeMessage(text);
}

/* A library may have hundreds of kernels, and reading all but one is wasted
** time. So a large module is loaded lazily, and linking it into an empty module
** materialises only the functions that the kernel needs. */
static LLVMBool read_needed(const mt_PrepareInput *in, LLVMContextRef context,
                            LLVMMemoryBufferRef bytes, LLVMModuleRef *out) {
  LLVMModuleRef all;
  if (LLVMGetBitcodeModuleInContext2(context, bytes, &all)) {
    LLVMDisposeMemoryBuffer(bytes);
    return 1;
  }
  LLVMValueRef kernel = LLVMGetNamedFunction(all, in->kernel->function);
  for (LLVMValueRef f = LLVMGetFirstFunction(all); f;
       f = LLVMGetNextFunction(f))
    if (f != kernel && !LLVMIsDeclaration(f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  *out = LLVMModuleCreateWithNameInContext("kernel", context);
  LLVMSetTarget(*out, LLVMGetTarget(all));
  LLVMSetDataLayout(*out, LLVMGetDataLayoutStr(all));
  LLVMBool bad = LLVMLinkModules2(*out, all); /* consumes 'all' */
  if (bad) LLVMDisposeModule(*out);
  return bad;
}

static mt_Status parse(const mt_PrepareInput *in, mt_Prepared *out,
                       mt_Error *err) {
  LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRange(
      in->bitcode, in->size, "kernel", 0);
  mt_Error said = {""};
  LLVMBool bad;
  out->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(out->context, on_diagnostic, &said);
  if (in->size > LARGE) {
    bad = read_needed(in, out->context, bytes, &out->module);
  } else {
    bad = LLVMParseBitcodeInContext2(out->context, bytes, &out->module);
    LLVMDisposeMemoryBuffer(bytes);
  }
  LLVMContextSetDiagnosticHandler(out->context, NULL, NULL);
  if (!bad) return MT_OK;
  out->module = NULL;
  return mt_error(err, MT_FAIL, "the kernel's bitcode cannot be read: %s",
                  said.text[0] ? said.text : "LLVM gave no reason");
}

/* ------------------------------------------------------------ unreachable */

void mt_end_at_unreachable(LLVMValueRef f) {
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f)));
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(f));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAUnreachableInst(last)) continue;
    LLVMInstructionEraseFromParent(last);
    LLVMPositionBuilderAtEnd(b, block);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) LLVMBuildRetVoid(b);
    else LLVMBuildRet(b, LLVMConstNull(type));
  }
  LLVMDisposeBuilder(b);
}

/* -------------------------------------------------------------- inspection */

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

static mt_Status inspect(const mt_PrepareInput *in, mt_Prepared *out,
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

/* --------------------------------------------------------- instrumentation */

static bool is_checked(const mt_PrepareInput *in) {
  return in->instrument && in->instrument->accesses;
}

/* A function of the Metal library, whose variables and branches are not the
** user's. */
static bool is_library(LLVMValueRef f) {
  size_t n;
  const char *name = LLVMGetValueName2(f, &n);
  return mt_starts(name, "_ZN5metal") || mt_starts(name, "_ZNK5metal");
}

/* Simplify library functions first: what they do inside, such as selecting by a
** value without a branch in the source, is not a use by the kernel. */
static mt_Status plain_library(const mt_PrepareInput *in, LLVMModuleRef m,
                               mt_Error *err) {
  if (!is_checked(in)) return MT_OK;
  if (in->instrument->library) in->instrument->library(m);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !is_library(f))
      mt_add_attribute(f, "optnone", 0);
  mt_Status status = mt_run_passes(in->target, m, LIBRARY, err);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) mt_drop_enum(f, "optnone");
  return status;
}

/* Only local variables are promoted to registers first: the accesses that
** remain are those that the checker instruments. */
static mt_Status instrument_accesses(const mt_PrepareInput *in, mt_Prepared *p,
                                 mt_Error *err) {
  if (!is_checked(in)) return MT_OK;
  mt_Status status = MT_OK;
  if (in->instrument->variables)
    status = in->instrument->variables(in->instrument->context, p->module,
                                       p->function, err);
  mt_inactive_lanes_extend(p->function);
  if (status == MT_OK)
    status = mt_run_passes(in->target, p->module, REGISTERS, err);
  mt_inactive_lanes_end_extension(p->function);
  mt_undefined_show(p->module);
  if (status == MT_OK) mt_split_vector_stores(p->module, p->function);
  if (status == MT_OK) mt_split_vector_loads(p->module, p->function);
  if (status == MT_OK)
    status = in->instrument->accesses(in->instrument->context, in->target,
                                      p->module, p->function, in->kernel, err);
  if (status == MT_OK && mt_inactive_lanes_read(p->function) &&
      !mt_inactive_lanes_keep(p->function, in->kernel))
    status = mt_error(err, MT_FAIL, "out of memory");
  if (status == MT_OK) status = mt_verify(p->module, "check", err);
  if (status == MT_OK) status = mt_run_passes(in->target, p->module, FOLD, err);
  if (in->instrument->sweep) in->instrument->sweep(p->module);
  return status;
}

/* The profiler comes last: it counts optimised code. */
static mt_Status put_counters(const mt_PrepareInput *in, mt_Prepared *p,
                              mt_Error *err) {
  if (!in->instrument || !in->instrument->counters) return MT_OK;
  mt_Status status = in->instrument->counters(
      in->instrument->context, p->module, p->function, in->kernel, err);
  return status == MT_OK ? mt_verify(p->module, "profile", err) : status;
}

/* ------------------------------------------------------- constant memory */

/* Constant memory is not written during a launch; with these attributes its
** loads can be hoisted out of loops with stores. */
static void keep_constant(const mt_PrepareInput *in, LLVMValueRef f) {
  static const char *const SAID[] = {"noalias", "readonly"};
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
  unsigned count = LLVMCountParams(f);
  for (unsigned i = 0; i < in->kernel->param_count && i < count; i++) {
    LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(f, i));
    if (!in->kernel->params[i].constant ||
        LLVMGetTypeKind(t) != LLVMPointerTypeKind)
      continue;
    for (int k = 0; k < 2; k++) {
      unsigned kind = LLVMGetEnumAttributeKindForName(SAID[k], strlen(SAID[k]));
      LLVMAddAttributeAtIndex(f, i + 1, LLVMCreateEnumAttribute(c, kind, 0));
    }
  }
}

/* ------------------------------------------------------------- simplifying */

/* No loop becomes a call of memset: across lanes its stores may be
** contiguous. */
static void keep_loops(LLVMValueRef f) {
  LLVMAttributeRef none = LLVMCreateStringAttribute(
      LLVMGetTypeContext(LLVMTypeOf(f)), "no-builtins", 11, "", 0);
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, none);
}

/* Limit unrolling, after all rounding that it could change was settled. */
static void limit_unrolling(const mt_PrepareInput *in, mt_Prepared *p) {
  if (in->unrolling == MT_UNROLL_AS_ASKED ||
      !mt_unroll_is_long(p->function))
    return;
  if (in->settle) p->settled = in->settle(in->target, p->module);
  if (in->settle && !p->settled) return;
  p->limited = mt_unroll_limit(p->function, in->unrolling);
}

static mt_Status improve(const mt_PrepareInput *in, mt_Prepared *p,
                         mt_Error *err) {
  if (in->plain) return mt_run_passes(in->target, p->module, PLAIN, err);
  keep_loops(p->function);
  if (!is_checked(in)) mt_split_structs(p->module, p->function);
  if (in->formats && !in->formats->overlap && !is_checked(in))
    mt_add_noalias_scopes(p->function, in->kernel);
  mt_Status status =
      mt_run_function_passes(in->target, p->function, CLEAN, err);
  if (status != MT_OK || in->rolled) return status;
  bool nested =
      mt_unroll_choose(p->function, is_checked(in) ? NULL : in->kernel,
                       in->unroll_products);
  limit_unrolling(in, p);
  status = mt_run_function_passes(in->target, p->function, UNROLL, err);
  if (status == MT_OK && nested)
    status = mt_run_function_passes(in->target, p->function, LEAVE, err);
  if (status == MT_OK)
    status = mt_run_passes(in->target, p->module, UNUSED, err);
  return status;
}

/* The same for a function that will be inlined. What it gains by unrolling is
** decided again in the kernel. */
static mt_Status improve_callee(const mt_PrepareInput *in, LLVMValueRef f,
                                mt_Error *err) {
  keep_loops(f);
  mt_Status status = mt_run_function_passes(in->target, f, CLEAN, err);
  if (status != MT_OK) return status;
  mt_unroll_choose_callee(f, in->unroll_products);
  status = mt_run_function_passes(in->target, f, UNROLL, err);
  mt_keep_endless_loops(f);
  return status;
}

static mt_Status flatten(const mt_PrepareInput *in, mt_Prepared *p,
                         mt_Error *err) {
  mt_Status status = MT_OK;
  if (!is_checked(in) && !in->plain && !in->rolled)
    status = mt_callees_first(in, p->module, p->function, improve_callee, err);
  if (status == MT_OK)
    status = mt_run_passes(in->target, p->module, FLATTEN, err);
  return status;
}

/* Store vector components alone; the checker does it in its own order. */
static mt_Status split_vectors(const mt_PrepareInput *in, mt_Prepared *p,
                               mt_Error *err) {
  if (is_checked(in) || !mt_has_vector_access(p->function)) return MT_OK;
  mt_Status status = mt_run_passes(in->target, p->module, REGISTERS, err);
  if (status == MT_OK) mt_split_vector_stores(p->module, p->function);
  return status;
}

/* Keep values for reads from inactive lanes; the checker does it in its own
** order. */
static mt_Status hold_values(const mt_PrepareInput *in, mt_Prepared *p,
                             mt_Error *err) {
  if (is_checked(in) || !mt_inactive_lanes_read(p->function)) return MT_OK;
  mt_inactive_lanes_extend(p->function);
  mt_Status status = mt_run_passes(in->target, p->module, REGISTERS, err);
  mt_inactive_lanes_end_extension(p->function);
  if (status == MT_OK && !mt_inactive_lanes_keep(p->function, in->kernel))
    status = mt_error(err, MT_FAIL, "out of memory");
  return status;
}

/* Drop the decoders of texture formats that this launch does not use. */
static mt_Status drop_formats(const mt_PrepareInput *in, mt_Prepared *p,
                              mt_Error *err) {
  static const mt_ArgumentFacts none;
  if (!in->formats || memcmp(in->formats, &none, sizeof none) == 0)
    return MT_OK;
  mt_Status status = mt_run_passes(in->target, p->module, REGISTERS, err);
  if (status == MT_OK && mt_fold_texture_formats(p->function, in->formats))
    status = mt_run_passes(in->target, p->module, FOLD, err);
  return status;
}

mt_Status mt_canonicalise_loops(mt_Target *t, LLVMModuleRef module,
                                mt_Error *err) {
  return mt_run_passes(t, module, SHAPE, err);
}

/* ------------------------------------------------------- calls that stay */

/* '*keep': functions shall stay functions. */
static mt_Status choose_calls(const mt_PrepareInput *in, mt_Prepared *p,
                              bool *keep, mt_Error *err) {
  bool recursive;
  uint64_t size = mt_flat_size(p->module, p->function, &recursive);
  bool never = in->instrument || in->calls == MT_CALLS_NEVER;
  *keep = false;
  if (recursive) return MT_OK; /* refused later */
  if (never && size > MT_FLAT_HOPELESS)
    return mt_error(err, MT_BADARG,
                    "kernel '%s' is too large%s: with its functions inlined it "
                    "would have more than %d instructions; take a kernel that "
                    "does a part of its work", in->kernel->name,
                    in->instrument ? " to be instrumented" : "",
                    MT_FLAT_HOPELESS);
  p->enormous = !never && size > MT_FLAT_ENORMOUS;
  *keep = p->enormous ||
          (!never && !in->plain && in->calls != MT_CALLS_INLINED &&
           (size > MT_FLAT_LARGE || in->calls == MT_CALLS_IF_POSSIBLE));
  return MT_OK;
}

static void for_each_function(mt_Prepared *p,
                              void step(mt_Prepared *, LLVMValueRef)) {
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!LLVMIsDeclaration(f)) step(p, f);
  }
}

static void split_and_expand(mt_Prepared *p, LLVMValueRef f) {
  mt_split_vector_stores(p->module, f);
  mt_expand_memcpy(p->module, f);
}

static void use_words(mt_Prepared *p, LLVMValueRef f) {
  (void)p;
  mt_access_words(f);
}

/* On failure all calls must be inlined, in a new module. */
static mt_Status keep_calls(const mt_PrepareInput *in, mt_Prepared *p,
                            mt_Error *err) {
  LLVMModuleRef m = p->module;
  p->has_calls = true;
  if (mt_run_passes(in->target, m, CALLED, err) != MT_OK ||
      !mt_calls_can_stay(m, p->enormous))
    return MT_FAIL;
  mt_calls_keep(m, p->function, in->file, p->enormous);
  if (mt_run_passes(in->target, m, FLATTEN, err) != MT_OK ||
      mt_threadgroup_lists(p->function, err) != MT_OK)
    return MT_FAIL;
  for_each_function(p, split_and_expand);
  if (in->file) mt_debug_lines_of_file(p->function, in->file);
  if (mt_run_passes(in->target, m, FLATTEN, err) != MT_OK ||
      mt_function_constants_check(m, in, err) != MT_OK ||
      mt_run_passes(in->target, m, SWITCHES, err) != MT_OK)
    return MT_FAIL;
  mt_end_at_unreachable(p->function);
  if (p->enormous) mt_calls_finish(m, p->function, in->file);
  for_each_function(p, use_words);
  if (mt_canonicalise_loops(in->target, m, err) != MT_OK ||
      mt_threadgroup_free_uses(p->function, err) != MT_OK ||
      mt_verify(m, "prepare", err) != MT_OK ||
      inspect(in, p, err) != MT_OK || p->waits)
    return MT_FAIL;
  return MT_OK;
}

/* -------------------------------------------------------------- the whole */

static mt_Status prepare(const mt_PrepareInput *in, mt_Prepared *out,
                         mt_Error *err) {
  LLVMTargetMachineRef machine = mt_target_machine(in->target);
  out->target = in->target;
  mt_Status status = parse(in, out, err);
  if (status != MT_OK) return status;
  LLVMModuleRef m = out->module;
  out->function = LLVMGetNamedFunction(m, in->kernel->function);
  if (!out->function || LLVMIsDeclaration(out->function))
    return mt_error(err, MT_FAIL, "kernel '%s' is not in its bitcode",
                    in->kernel->name);
  mt_retarget(m, machine);
  mt_drop_lists(m);
  mt_internalise(m, out->function);
  mt_null_is_valid(m);
  /* Before anything is simplified, or LLVM finds a divisor that is always zero
  ** and assumes any result; but the checker must see the operation. */
  if (is_checked(in)) mt_undefined_hide(m);
  else mt_guard_all_integers(m);
  if (!is_checked(in)) keep_constant(in, out->function);
  mt_keep_quotients(m);
  if (in->instrument || !mt_ldexp_is_native(in->target)) mt_expand_ldexp(m);
  bool keep = false;
  status = mt_function_constants_set(m, in, err);
  if (status == MT_OK) status = choose_calls(in, out, &keep, err);
  if (status == MT_OK && keep) return keep_calls(in, out, err);
  if (status != MT_OK ||
      (status = plain_library(in, m, err)) != MT_OK ||
      (status = flatten(in, out, err)) != MT_OK ||
      (status = mt_threadgroup_lists(out->function, err)) != MT_OK ||
      (status = hold_values(in, out, err)) != MT_OK ||
      (status = drop_formats(in, out, err)) != MT_OK ||
      (status = split_vectors(in, out, err)) != MT_OK ||
      (status = instrument_accesses(in, out, err)) != MT_OK)
    return status;
  if (is_checked(in)) mt_guard_integers(out->function);
  if (in->file && !is_checked(in)) /* the checker reports file names itself */
    mt_debug_lines_of_file(out->function, in->file);
  if ((status = improve(in, out, err)) != MT_OK ||
      (status = put_counters(in, out, err)) != MT_OK ||
      (status = mt_function_constants_check(m, in, err)) != MT_OK)
    return status;
  if (is_checked(in) && in->instrument->sweep) in->instrument->sweep(m);
  if (!in->plain && mt_expand_memcpy(m, out->function) &&
      (status = mt_run_passes(in->target, m, FLATTEN, err)) != MT_OK)
    return status;
  if ((status = mt_run_passes(in->target, m, SWITCHES, err)) != MT_OK)
    return status;
  mt_end_at_unreachable(out->function);
  mt_access_words(out->function);
  if (!in->plain) mt_flip_signs(out->function);
  if (!in->plain) mt_keep_roots(out->function);
  if ((status = mt_canonicalise_loops(in->target, m, err)) != MT_OK ||
      (!in->plain &&
       (status = mt_distribute_factors(out->function, err)) != MT_OK) ||
      (status = mt_threadgroup_free_uses(out->function, err)) != MT_OK ||
      (status = mt_verify(m, "prepare", err)) != MT_OK)
    return status;
  return inspect(in, out, err);
}

mt_Status mt_prepare(const mt_PrepareInput *in, mt_Prepared *out,
                     mt_Error *err) {
  mt_PrepareInput less = *in;
  memset(out, 0, sizeof *out);
  mt_Status status = prepare(&less, out, err);
  if (status != MT_OK && out->has_calls) {
    less.calls = MT_CALLS_NEVER;
    mt_prepared_free(out);
    status = prepare(&less, out, err);
  }
  /* What is refused may be gone once all loops are unrolled. */
  if (status != MT_OK && out->limited && less.unrolling == MT_UNROLL_LITTLE) {
    less.unrolling = MT_UNROLL_LIMITED;
    mt_prepared_free(out);
    status = prepare(&less, out, err);
  }
  if (status != MT_OK) mt_prepared_free(out);
  return status;
}

void mt_prepared_copy(const mt_Prepared *p, mt_Prepared *out) {
  size_t length;
  const char *name = LLVMGetValueName2(p->function, &length);
  *out = *p;
  out->is_copy = true;
  out->module = LLVMCloneModule(p->module);
  out->function = LLVMGetNamedFunction(out->module, name);
}

void mt_prepared_free(mt_Prepared *p) {
  if (p->module) LLVMDisposeModule(p->module);
  if (p->context && !p->is_copy) LLVMContextDispose(p->context);
  memset(p, 0, sizeof *p);
}
