/*
** passes.c - the passes of mt_prepare, as a table in the order in which they
** run.
**
** The one idea: a kernel that becomes one flat function, one whose functions
** stay functions, one that is checked and one for another device's code
** generator take the same road, and each leaves out a part of it. So there is
** one order, and each row says in which modes it runs and what must hold before
** (base/pass.h). What a row does is in a file of its own, or a pipeline of
** LLVM's passes.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/inactive_lanes.h"
#include "devices/compiler/prepare/steps.h"
#include "devices/compiler/prepare/unroll.h"
#include "msl/passes/undefined.h"

/* ------------------------------------------------------- LLVM's own passes */

/* Inlining, and the scalar simplification that every code generator profits
** from. */
static const char *const INLINE = "always-inline,globaldce";
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
/* After elements are chosen by selections. */
static const char *const RESOLVED =
    "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,"
    "instcombine<no-verify-fixpoint>";
#define ARRAY_ROUNDS 3
/* Hoist the invariant part of unrolled loops out of the loop around them. */
static const char *const HOIST = "loop-mssa(licm)";
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

static mt_Status over_module(mt_PrepareUnit *u, const char *passes,
                             mt_Error *err) {
  return mt_run_passes(u->in->target, u->out->module, passes, err);
}

static mt_Status over_kernel(mt_PrepareUnit *u, const char *passes,
                             mt_Error *err) {
  return mt_run_function_passes(u->in->target, u->out->function, passes, err);
}

mt_Status mt_canonicalise_loops(mt_Target *t, LLVMModuleRef module,
                                mt_Error *err) {
  return mt_run_passes(t, module, SHAPE, err);
}

/* A row's function: 'u' and 'p' are what it works on. */
#define UNUSED_OK __attribute__((unused))
#define PASS(name)                                                      \
  static mt_Status do_##name(mt_PrepareUnit *u, mt_Prepared *p,         \
                             mt_Error *err);                            \
  static mt_Status name(void *unit, mt_Error *err) {                    \
    mt_PrepareUnit *u = unit;                                           \
    return do_##name(u, u->out, err);                                   \
  }                                                                     \
  static mt_Status do_##name(UNUSED_OK mt_PrepareUnit *u,               \
                             UNUSED_OK mt_Prepared *p,                  \
                             UNUSED_OK mt_Error *err)

static bool is_checked(const mt_PrepareUnit *u) {
  return u->state.modes & MT_PREPARE_CHECKED;
}

/* -------------------------------------------------- before simplification */

PASS(retarget) {
  mt_retarget(p->module, mt_target_machine(u->in->target));
  return MT_OK;
}

PASS(drop_lists) {
  mt_drop_lists(p->module);
  return MT_OK;
}

PASS(internalise) {
  mt_internalise(p->module, p->function);
  return MT_OK;
}

PASS(null_is_valid) {
  mt_null_is_valid(p->module);
  return MT_OK;
}

PASS(hide_undefined) {
  mt_undefined_hide(p->module);
  return MT_OK;
}

PASS(guard_integers) {
  mt_guard_all_integers(p->module);
  return MT_OK;
}

PASS(constant_memory) {
  mt_mark_constant_memory(u->in, p->function);
  return MT_OK;
}

PASS(keep_quotients) {
  mt_keep_quotients(p->module);
  return MT_OK;
}

PASS(expand_ldexp) {
  if (u->in->instrument || !mt_ldexp_is_native(u->in->target))
    mt_expand_ldexp(p->module);
  return MT_OK;
}

PASS(function_constants) {
  return mt_function_constants_set(p->module, u->in, err);
}

PASS(own_functions) {
  if (u->in->own_functions) u->in->own_functions(p->module);
  return MT_OK;
}

/* ------------------------------------------------------------------- calls */

static mt_Status too_large(const mt_PrepareInput *in, mt_Error *err) {
  return mt_error(err, MT_BADARG,
                  "kernel '%s' is too large%s: with its functions inlined it "
                  "would have more than %d instructions; take a kernel that "
                  "does a part of its work", in->kernel->name,
                  in->instrument ? " to be instrumented" : "",
                  MT_FLAT_HOPELESS);
}

/* Functions that stay functions are never 'plain'. */
PASS(choose_calls) {
  const mt_PrepareInput *in = u->in;
  bool recursive;
  uint64_t size = mt_flat_size(p->module, p->function, &recursive);
  bool never = in->instrument || in->calls == MT_CALLS_NEVER;
  if (recursive) return MT_OK; /* refused later */
  if (never && size > MT_FLAT_HOPELESS) return too_large(in, err);
  p->enormous = !never && size > MT_FLAT_ENORMOUS;
  p->has_calls = p->enormous ||
                 (!never && !in->plain && in->calls != MT_CALLS_INLINED &&
                  (size > MT_FLAT_LARGE || in->calls == MT_CALLS_IF_POSSIBLE));
  if (p->has_calls) u->state.modes &= ~(unsigned)MT_PREPARE_PLAIN;
  if (p->has_calls) u->state.modes |= MT_PREPARE_CALLS;
  return MT_OK;
}

/* A function of the Metal library, whose variables and branches are not the
** user's. */
static bool is_library(LLVMValueRef f) {
  size_t n;
  const char *name = LLVMGetValueName2(f, &n);
  return mt_starts(name, "_ZN5metal") || mt_starts(name, "_ZNK5metal");
}

/* What library functions do inside, such as selecting by a value without a
** branch in the source, is not a use by the kernel. */
PASS(simplify_library) {
  LLVMModuleRef m = p->module;
  if (u->in->instrument && u->in->instrument->library)
    u->in->instrument->library(m);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !is_library(f))
      mt_add_attribute(f, "optnone", 0);
  mt_Status status = over_module(u, LIBRARY, err);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) mt_drop_enum(f, "optnone");
  return status;
}

/* No loop becomes a call of memset: across lanes its stores may be
** contiguous. */
static void keep_loops_of(LLVMValueRef f) {
  LLVMAttributeRef none = LLVMCreateStringAttribute(
      LLVMGetTypeContext(LLVMTypeOf(f)), "no-builtins", 11, "", 0);
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, none);
}

/* A function that will be inlined. What it gains by unrolling is decided again
** in the kernel. */
static mt_Status simplify_callee(const mt_PrepareInput *in, LLVMValueRef f,
                                 mt_Error *err) {
  keep_loops_of(f);
  mt_Status status = mt_run_function_passes(in->target, f, CLEAN, err);
  if (status != MT_OK) return status;
  mt_unroll_choose_callee(f, in->unroll_products);
  status = mt_run_function_passes(in->target, f, UNROLL, err);
  mt_keep_endless_loops(f);
  return status;
}

PASS(callees_first) {
  return mt_callees_first(u->in, p->module, p->function, simplify_callee, err);
}

PASS(simplify_called) { return over_module(u, CALLED, err); }

/* On failure all calls must be inlined, in a new module. */
PASS(keep_calls) {
  if (!mt_calls_can_stay(p->module, p->enormous))
    return mt_error(err, MT_FAIL, "a function cannot stay a function");
  mt_calls_keep(p->module, p->function, u->in->file, p->enormous);
  return MT_OK;
}

PASS(inline_calls) { return over_module(u, INLINE, err); }

PASS(threadgroup_lists) { return mt_threadgroup_lists(p->function, err); }

/* ----------------------------------------- while the source's accesses last */

PASS(instrument_variables) {
  const mt_Instrumentation *by = u->in->instrument;
  return by && by->variables
             ? by->variables(by->context, p->module, p->function, err)
             : MT_OK;
}

/* Only local variables go to registers: the accesses that remain are those that
** the checker instruments. */
PASS(promote_variables) {
  if (!is_checked(u) && !mt_inactive_lanes_read(p->function)) return MT_OK;
  mt_inactive_lanes_extend(p->function);
  mt_Status status = over_module(u, REGISTERS, err);
  mt_inactive_lanes_end_extension(p->function);
  return status;
}

PASS(hold_inactive_values) {
  if (mt_inactive_lanes_read(p->function) &&
      !mt_inactive_lanes_keep(p->function, u->in->kernel))
    return mt_error(err, MT_FAIL, "out of memory");
  return MT_OK;
}

PASS(fold_formats) {
  static const mt_ArgumentFacts none;
  const mt_ArgumentFacts *formats = u->in->formats;
  if (!formats || memcmp(formats, &none, sizeof none) == 0) return MT_OK;
  mt_Status status = over_module(u, REGISTERS, err);
  if (status == MT_OK && mt_fold_texture_formats(p->function, formats))
    status = over_module(u, FOLD, err);
  return status;
}

PASS(show_undefined) {
  mt_undefined_show(p->module);
  return MT_OK;
}

#define EACH_DEFINED(f, m)                                           \
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f;                  \
       f = LLVMGetNextFunction(f))                                   \
    if (!LLVMIsDeclaration(f))

PASS(split_vector_stores) {
  bool ready = is_checked(u) || p->has_calls;
  if (!ready && !mt_has_vector_access(p->function)) return MT_OK;
  mt_Status status = ready ? MT_OK : over_module(u, REGISTERS, err);
  if (status == MT_OK)
    EACH_DEFINED(f, p->module) mt_split_vector_stores(p->module, f);
  return status;
}

PASS(split_vector_loads) {
  mt_split_vector_loads(p->module, p->function);
  return MT_OK;
}

PASS(instrument_accesses) {
  const mt_Instrumentation *by = u->in->instrument;
  return by && by->accesses
             ? by->accesses(by->context, u->in->target, p->module, p->function,
                            u->in->kernel, err)
             : MT_OK;
}

PASS(verify_checked) { return mt_verify(p->module, "check", err); }

PASS(fold_checked) { return over_module(u, FOLD, err); }

PASS(sweep_probes) {
  if (u->in->instrument && u->in->instrument->sweep)
    u->in->instrument->sweep(p->module);
  return MT_OK;
}

/* The checker reports file names itself. */
PASS(debug_lines) {
  if (u->in->file) mt_debug_lines_of_file(p->function, u->in->file);
  return MT_OK;
}

/* ------------------------------------------------------------- simplifying */

PASS(simplify_plain) { return over_module(u, PLAIN, err); }

PASS(keep_loops) {
  keep_loops_of(p->function);
  return MT_OK;
}

PASS(split_structs) {
  mt_split_structs(p->module, p->function);
  return MT_OK;
}

PASS(noalias_scopes) {
  if (u->in->formats && !u->in->formats->overlap)
    mt_add_noalias_scopes(p->function, u->in->kernel);
  return MT_OK;
}

PASS(simplify) { return over_kernel(u, CLEAN, err); }

/* Unrolled loops may show that others have constant bounds. */
PASS(arrays_to_registers) {
  const mt_ArrayLimits *limits = &u->in->arrays;
  for (int round = 0; round < ARRAY_ROUNDS; round++) {
    mt_Status status = MT_OK;
    bool unrolled = mt_unroll_arrays_choose(p->function, limits);
    if (unrolled) status = over_kernel(u, UNROLL, err);
    mt_unroll_arrays_forget(p->function);
    bool resolved =
        status == MT_OK && mt_resolve_few_indices(p->function, limits);
    if (resolved) status = over_kernel(u, RESOLVED, err);
    if (status != MT_OK || (!unrolled && !resolved)) return status;
  }
  return MT_OK;
}

PASS(choose_unrolling) {
  const mt_MslKernel *kernel = is_checked(u) ? NULL : u->in->kernel;
  u->nested = mt_unroll_choose(p->function, kernel, u->in->unroll_products);
  return MT_OK;
}

/* After all rounding that unrolling could change was settled. */
PASS(limit_unrolling) {
  const mt_PrepareInput *in = u->in;
  if (in->unrolling == MT_UNROLL_AS_ASKED || !mt_unroll_is_long(p->function))
    return MT_OK;
  if (in->settle) p->settled = in->settle(in->target, p->module);
  if (in->settle && !p->settled) return MT_OK;
  p->limited = mt_unroll_limit(p->function, in->unrolling);
  return MT_OK;
}

PASS(unroll) { return over_kernel(u, UNROLL, err); }

PASS(hoist_unrolled) {
  return u->nested ? over_kernel(u, HOIST, err) : MT_OK;
}

PASS(drop_unused) { return over_module(u, UNUSED, err); }

/* ----------------------------------------------------------- the last form */

/* The profiler counts optimised code. */
PASS(count_operations) {
  const mt_Instrumentation *by = u->in->instrument;
  if (!by || !by->counters) return MT_OK;
  mt_Status status =
      by->counters(by->context, p->module, p->function, u->in->kernel, err);
  return status == MT_OK ? mt_verify(p->module, "profile", err) : status;
}

PASS(check_constants) {
  return mt_function_constants_check(p->module, u->in, err);
}

PASS(expand_memcpy) {
  bool any = false;
  EACH_DEFINED(f, p->module) any |= mt_expand_memcpy(p->module, f);
  return any ? over_module(u, INLINE, err) : MT_OK;
}

PASS(lower_switches) { return over_module(u, SWITCHES, err); }

PASS(end_at_unreachable) {
  mt_end_at_unreachable(p->function);
  return MT_OK;
}

PASS(finish_calls) {
  if (p->enormous) mt_calls_finish(p->module, p->function, u->in->file);
  return MT_OK;
}

PASS(bit_vectors) {
  EACH_DEFINED(f, p->module) mt_access_words(f);
  return MT_OK;
}

PASS(equal_phis) {
  mt_replace_equal_phis(p->function);
  return MT_OK;
}

PASS(flip_signs) {
  mt_flip_signs(p->function);
  return MT_OK;
}

PASS(keep_roots) {
  mt_keep_roots(p->function);
  return MT_OK;
}

PASS(canonical_loops) {
  return mt_canonicalise_loops(u->in->target, p->module, err);
}

PASS(distribute_factors) { return mt_distribute_factors(p->function, err); }

PASS(threadgroup_uses) { return mt_threadgroup_free_uses(p->function, err); }

PASS(verify_prepared) { return mt_verify(p->module, "prepare", err); }

PASS(inspect) { return mt_prepared_inspect(u->in, p, err); }

/* Functions that stay cannot wait for each other's threads. */
PASS(refuse_waits) {
  return p->waits ? mt_error(err, MT_FAIL, "threads wait in a function")
                  : MT_OK;
}

/* --------------------------------------------------------------- the table */

enum {
  CHECKED = MT_PREPARE_CHECKED,
  COUNTED = MT_PREPARE_COUNTED,
  SIMPLE = MT_PREPARE_PLAIN,
  ROLLED = MT_PREPARE_ROLLED,
  CALLS = MT_PREPARE_CALLS,

  WRITTEN = MT_FORM_AS_WRITTEN,
  VALUES = MT_FORM_VALUES,
  FLAT = MT_FORM_FLAT,
  VARIABLES = MT_FORM_REGISTERS,
  NO_SWITCH = MT_FORM_NO_SWITCH,
  LOOPS = MT_FORM_LOOPS
};

static const mt_Pass passes[] = {
    {"retarget", "the module is for the machine that runs it", retarget,
     .needs = WRITTEN},
    {"drop-lists", "llvm.used and similar lists are gone", drop_lists,
     .needs = WRITTEN},
    {"internalise", "all but the kernel is internal, and shall be inlined",
     internalise, .needs = WRITTEN},
    {"null-is-valid", "null is an address like others", null_is_valid,
     .needs = WRITTEN},
    {"hide-undefined", "LLVM sees no divisor that may be zero", hide_undefined,
     .only = CHECKED, .needs = WRITTEN},
    {"guard-integers", "no division by zero, no shift by too many bits",
     guard_integers, .skip = CHECKED, .needs = WRITTEN},
    {"constant-memory", "constant buffers are read only", constant_memory,
     .skip = CHECKED},
    {"keep-quotients", "float quotients stay where the source has them",
     keep_quotients, .needs = WRITTEN},
    {"expand-ldexp", "llvm.ldexp as two products", expand_ldexp,
     .needs = WRITTEN},
    {"function-constants", "function constants have their values",
     function_constants, .needs = WRITTEN, .gives = VALUES},
    {"own-functions", "functions that the device has itself are its builtins",
     own_functions, .skip = CHECKED, .needs = WRITTEN},
    {"choose-calls", "which functions stay functions", choose_calls,
     .needs = VALUES},

    {"simplify-library", "functions of Metal's library, simplified alone",
     simplify_library, .only = CHECKED, .needs = WRITTEN},
    {"callees-first", "functions of a large kernel, simplified before they are "
     "inlined", callees_first, .skip = CHECKED | SIMPLE | ROLLED | CALLS,
     .needs = VALUES, .breaks = WRITTEN},
    {"simplify-called", "functions that stay functions, simplified",
     simplify_called, .only = CALLS, .needs = VALUES, .breaks = WRITTEN,
     .gives = VARIABLES},
    {"keep-calls", "functions that stay functions are not inlined", keep_calls,
     .only = CALLS, .needs = VARIABLES},
    {"inline-calls", "every other call is inlined", inline_calls,
     .needs = VALUES, .breaks = WRITTEN, .gives = FLAT},
    {"threadgroup-lists", "lists of threadgroup variables are local variables",
     threadgroup_lists, .needs = FLAT},

    {"fold-formats", "known texture formats fold into the code", fold_formats,
     .only = CHECKED, .needs = FLAT},
    {"instrument-variables", "probes of variables in memory",
     instrument_variables, .only = CHECKED, .needs = FLAT},
    {"promote-variables", "variables in registers, with their values for lanes "
     "that are inactive", promote_variables, .skip = CALLS, .needs = FLAT},
    {"hold-inactive-values", "values that a shuffle may read from inactive "
     "lanes", hold_inactive_values, .skip = CHECKED | CALLS, .needs = FLAT},
    {"fold-formats", "known texture formats fold into the code", fold_formats,
     .skip = CHECKED | CALLS, .needs = FLAT},
    {"show-undefined", "divisors are visible again", show_undefined,
     .only = CHECKED},
    {"split-vector-stores", "a component that is stored alone is stored alone",
     split_vector_stores, .needs = FLAT},
    {"split-vector-loads", "only components that are used are loaded",
     split_vector_loads, .only = CHECKED, .needs = FLAT},
    {"instrument-accesses", "probes of accesses, barriers and divisions",
     instrument_accesses, .only = CHECKED, .needs = FLAT},
    {"hold-inactive-values", "values that a shuffle may read from inactive "
     "lanes", hold_inactive_values, .only = CHECKED, .needs = FLAT},
    {"verify-checked", "LLVM's verifier, over the probes", verify_checked,
     .only = CHECKED},
    {"fold-checked", "constants fold, between the probes", fold_checked,
     .only = CHECKED},
    {"sweep-probes", "probes that simplification showed to be redundant are "
     "gone", sweep_probes, .only = CHECKED},
    {"guard-integers", "no division by zero, no shift by too many bits",
     guard_integers, .only = CHECKED, .needs = FLAT},
    {"debug-lines", "lines of included files become that of the call",
     debug_lines, .skip = CHECKED, .needs = FLAT},

    {"simplify-plain", "variables in registers, constants propagated",
     simplify_plain, .only = SIMPLE, .needs = FLAT, .gives = VARIABLES},
    {"keep-loops", "no loop becomes a call of memset", keep_loops,
     .skip = SIMPLE | CALLS},
    {"split-structs", "structs with an indexed array, one variable a member",
     split_structs, .skip = CHECKED | SIMPLE | CALLS, .needs = FLAT},
    {"noalias-scopes", "buffers of the launch that do not overlap",
     noalias_scopes, .skip = CHECKED | SIMPLE | CALLS, .needs = FLAT},
    {"simplify", "scalar simplification, loops rotated", simplify,
     .skip = SIMPLE | CALLS, .needs = FLAT, .gives = VARIABLES},
    {"arrays-to-registers", "loops that keep private arrays in memory are "
     "unrolled", arrays_to_registers, .skip = CHECKED | SIMPLE | CALLS,
     .needs = VARIABLES},
    {"choose-unrolling", "hints for loops: which are unrolled",
     choose_unrolling, .skip = SIMPLE | ROLLED | CALLS, .needs = VARIABLES},
    {"limit-unrolling", "hints for long loops: how far", limit_unrolling,
     .skip = SIMPLE | ROLLED | CALLS, .needs = VARIABLES},
    {"unroll", "loops are unrolled, by their hints", unroll,
     .skip = SIMPLE | ROLLED | CALLS, .needs = VARIABLES},
    {"hoist-unrolled", "what is invariant leaves the outer loop",
     hoist_unrolled, .skip = SIMPLE | ROLLED | CALLS, .needs = VARIABLES},
    {"drop-unused", "unused globals are gone", drop_unused,
     .skip = SIMPLE | ROLLED | CALLS},

    {"count-operations", "the profiler's counters", count_operations,
     .only = COUNTED, .needs = FLAT},
    {"check-constants", "no function constant without a value is read",
     check_constants, .needs = VALUES},
    {"sweep-probes", "probes that simplification showed to be redundant are "
     "gone", sweep_probes, .only = CHECKED},
    {"expand-memcpy", "long copies and fills are loops", expand_memcpy,
     .skip = SIMPLE, .needs = FLAT, .breaks = LOOPS},
    {"lower-switches", "switches are branches", lower_switches,
     .gives = NO_SWITCH, .breaks = LOOPS},
    {"end-at-unreachable", "undefined behaviour returns", end_at_unreachable,
     .needs = NO_SWITCH, .breaks = LOOPS},
    {"finish-calls", "functions that always stay name no lines of other files",
     finish_calls, .only = CALLS, .needs = NO_SWITCH},
    {"bit-vectors", "vectors of bits are loaded and stored as words",
     bit_vectors, .needs = NO_SWITCH},
    {"equal-phis", "a phi of equal expressions is that expression", equal_phis,
     .skip = SIMPLE | CALLS, .needs = VARIABLES},
    {"flip-signs", "a sign that a bit decides, by XOR", flip_signs,
     .skip = SIMPLE | CALLS, .needs = VARIABLES},
    {"keep-roots", "no estimate of a root beside the root", keep_roots,
     .skip = SIMPLE | CALLS, .needs = VARIABLES},
    {"canonical-loops", "reducible loops with one preheader, latch and LCSSA",
     canonical_loops, .needs = NO_SWITCH, .gives = LOOPS},
    {"distribute-factors", "factors from before a loop, over its sums",
     distribute_factors, .skip = SIMPLE | CALLS, .needs = LOOPS | VARIABLES},
    {"threadgroup-uses", "no constant expression over threadgroup variables",
     threadgroup_uses, .needs = FLAT},
    {"verify-prepared", "LLVM's verifier", verify_prepared,
     .needs = LOOPS},
    {"inspect", "memory that a thread needs; calls that cannot be made",
     inspect, .needs = FLAT | VALUES | NO_SWITCH | LOOPS},
    {"refuse-waits", "no barrier where functions stay functions", refuse_waits,
     .only = CALLS},
};

static const char *const modes[] = {"checked", "counted", "plain", "rolled",
                                    "calls", NULL};
static const char *const forms[] = {
    "nothing is simplified yet",       "function constants have values",
    "calls are inlined",               "variables are in registers",
    "switches are branches",           "loops are canonical",
    NULL};

const mt_PassTable mt_prepare_passes = {
    "compiler/prepare", passes, sizeof passes / sizeof *passes, modes, forms};
