/*
** compile.c - one compile of a kernel, see compile.h.
**
** The one idea: try the vectoriser first. A kernel that it does not support
** runs thread by thread, from a new prepared copy, since the attempt has
** changed the first one.
*/
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/instrument/instrument.h"
#include "devices/host/lower/lower.h"
#include "devices/host/kernel/compile.h"
#include "devices/host/kernel/tier.h"
#include "devices/host/native/native.h"
#include "devices/host/scalar/scalar.h"
#include "devices/host/vectorise/vectorise.h"

void mt_prepared_job_free(mt_PreparedJob *w) {
  mt_prepared_free(&w->prepared);
}

/* ----------------------------------------------------------------- prepare */

bool mt_request_is_instrumented(const mt_CompileRequest *o) {
  return o->task == MT_TASK_CHECKED || o->task == MT_TASK_PROFILED ||
         o->task == MT_TASK_RECORDED;
}

/* How instrumentation calls are lowered; NULL: there are none. */
static const mt_ProbeLowering *probes_of(const mt_CompileRequest *o) {
  return o->task == MT_TASK_CHECKED    ? &mt_check_lowering
         : o->task == MT_TASK_PROFILED ? &mt_profile_lowering
         : o->task == MT_TASK_RECORDED ? &mt_record_lowering
                                       : NULL;
}

static mt_PrepareInput input_of(const mt_PreparedJob *w,
                                const mt_ArgumentFacts *formats) {
  const mt_CompileJob *p = &w->job;
  return (mt_PrepareInput){
      .target = w->target,
      .bitcode = p->bitcode, .size = p->size, .kernel = p->msl,
      .values = p->values, .value_count = p->value_count,
      .constants = p->constants, .constant_count = p->constant_count,
      .file = p->file, .formats = formats};
}

/* Instrumented code is prepared again for each request: the tables belong to
** one copy. */
static mt_Status prepare_instrumented(const mt_PreparedJob *w,
                                 const mt_CompileRequest *o,
                                 mt_CompileResult *out, mt_Prepared *p,
                                 mt_Error *err) {
  /* Where formats are known, local variables are promoted too early. */
  bool known = o->task != MT_TASK_RECORDED || !o->kind.values;
  mt_PrepareInput in = input_of(w, known ? &o->kind.formats : NULL);
  mt_sites_free(&out->sites);
  mt_counts_free(&out->counts);
  out->sites.pixels = o->kind.pixels;
  out->sites.values = o->kind.values;
  mt_Instrumentation how =
      o->task == MT_TASK_PROFILED   ? mt_profile_instrumentation(&out->counts)
      : o->task == MT_TASK_RECORDED ? mt_record_instrumentation(&out->sites)
                                    : mt_check_instrumentation(&out->sites);
  in.instrument = &how;
  /* The profiler counts optimised code. */
  in.unrolling = o->task == MT_TASK_PROFILED ? MT_UNROLL_LIMITED
                                             : MT_UNROLL_LITTLE;
  return mt_prepare(&in, p, err);
}

/* Quick code, or no code: taking a kernel only asks whether it is valid. */
static bool is_soon(const mt_CompileRequest *o) {
  return o->tier == MT_TIER_QUICK || o->task == MT_TASK_CHECK;
}

/* Quick code by threads has no need of a flat kernel. */
static mt_CallsKept calls_of(const mt_CompileRequest *o) {
  return !is_soon(o) ? MT_CALLS_INLINED
         : o->calls  ? MT_CALLS_IF_POSSIBLE : MT_CALLS_IF_LARGE;
}

/* Is what was prepared, for an earlier request, of no use to this one: for
** other facts, not flat or unrolled otherwise? */
static bool is_for_other(const mt_PreparedJob *w, const mt_CompileRequest *o,
                         const mt_PrepareInput *in) {
  return (w->prepared.has_calls && !w->prepared.enormous &&
          in->calls == MT_CALLS_INLINED) ||
         (w->prepared.settled && w->unrolling != in->unrolling) ||
         memcmp(&w->formats, &o->kind.formats, sizeof w->formats) != 0;
}

/* The prepared form is reused for another geometry. */
static mt_Status prepare(mt_PreparedJob *w, const mt_CompileRequest *o,
                         mt_CompileResult *out, mt_Prepared *p, mt_Error *err) {
  mt_prepared_free(p);
  if (mt_request_is_instrumented(o))
    return prepare_instrumented(w, o, out, p, err);
  mt_PrepareInput in = input_of(w, &o->kind.formats);
  in.plain = o->plain;
  if (in.plain) return mt_prepare(&in, p, err);
  mt_Status status = MT_OK;
  in.calls = calls_of(o);
  in.unrolling = is_soon(o) ? MT_UNROLL_LITTLE : MT_UNROLL_LIMITED;
  in.settle = mt_rounding_settle;
  if (is_for_other(w, o, &in)) mt_prepared_free(&w->prepared);
  if (!w->prepared.module) {
    w->formats = o->kind.formats;
    w->unrolling = in.unrolling;
  }
  if (!w->prepared.module) status = mt_prepare(&in, &w->prepared, err);
  if (status != MT_OK) return status;
  mt_prepared_copy(&w->prepared, p);
  out->settled = p->settled;
  /* Before the tiers part: one of them has no vectors. With calls there is
  ** nothing to settle, unless both have them. */
  bool parts =
      p->enormous || (!p->has_calls && (o->huge || mt_tier_is_huge(p)));
  out->huge = o->task != MT_TASK_CHECK &&
              (parts ? mt_rounding_settle(p->target, p->module) : p->has_calls);
  return MT_OK;
}

/* -------------------------------------------------------------------- code */

/* Only the group function has external linkage. */
static void name_group(LLVMModuleRef m, LLVMValueRef group,
                       const char *symbol) {
  LLVMSetValueName2(group, symbol, strlen(symbol));
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && f != group)
      LLVMSetLinkage(f, LLVMInternalLinkage);
}

/* Do threads reconverge at every barrier, but for those that have returned? */
static bool meets(const mt_CompileJob *job, const mt_CompileRequest *o,
                  const mt_Prepared *p) {
  return p->waits &&
         mt_barriers_reconverge(p->target, p->module, job->msl, probes_of(o));
}

/* Thread by thread without an attempt to vectorise? */
static bool runs_by_threads(const mt_CompileRequest *o,
                            const mt_CompileResult *out, const mt_Prepared *p) {
  return o->kind.scalar || o->thread_by_thread || p->has_calls ||
         (out->huge && o->tier == MT_TIER_QUICK);
}

/* MT_UNSUPPORTED: not vectorised. Consumes 'p' unless scalar code is asked
** for. */
static mt_Status as_vectors(const mt_CompileJob *job,
                            const mt_CompileRequest *o, mt_CompileResult *out,
                            mt_Prepared *p, LLVMValueRef *group,
                            mt_Error *err) {
  if (runs_by_threads(o, out, p)) return MT_UNSUPPORTED;
  bool told = o->task == MT_TASK_IR || o->task == MT_TASK_WHY;
  out->vectors.list = told ? &out->accesses : NULL;
  mt_Geometry geometry = o->kind.geometry;
  /* Both tiers number threadgroups alike, and one may know no rows. */
  bool no_rows = o->large || out->huge || out->settled;
  if (no_rows) geometry.rows = MT_ROWS_SHORT;
  mt_Status status = mt_vectorise(p->target, p->module, job->msl, &geometry,
                                  probes_of(o), group, &out->vectors,
                                  &out->why);
  if (status == MT_OK) {
    out->made.simd = true;
    out->made.by_rows = out->vectors.by_rows;
    out->made.any_rows = no_rows || out->vectors.any_rows;
    out->made.spill_bytes = out->vectors.spill_bytes;
    out->made.kept_bytes = out->vectors.loops.kept_bytes;
    out->why.text[0] = 0;
  } else if (status != MT_UNSUPPORTED && err) {
    *err = out->why;
  }
  return status;
}

/* Retry with barriers hoisted out of divergent ifs. In instrumented code such a
** barrier is a finding. */
static mt_Status with_barriers_out(mt_PreparedJob *w,
                                   const mt_CompileRequest *o,
                                   mt_CompileResult *out, mt_Prepared *p,
                                   LLVMValueRef *group, mt_Error *err) {
  if (mt_request_is_instrumented(o) || !p->waits) return MT_UNSUPPORTED;
  mt_Error why = out->why;
  mt_Status status = prepare(w, o, out, p, err);
  if (status != MT_OK) return status;
  out->vectors.hoisting = true;
  status = as_vectors(&w->job, o, out, p, group, err);
  if (status == MT_UNSUPPORTED) out->why = why;
  return status;
}

/* Beyond so many instructions LLVM's time grows superlinearly: ten seconds for
** twice as many. Such an instrumented kernel is compiled the quick way, in a
** third of the time; it then runs twice as long. */
#define MANY 24000
/* The same for the instructions left after optimisation. With 12000, LLVM's
** register allocation takes 4 s; the quick code generator takes half a second,
** and the code runs 1.4 times as long. Kernels that people write have 200 to
** 4000. */
#define MANY_LEFT 5000

static bool is_larger(LLVMModuleRef module, size_t most) {
  size_t n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    MT_EACH_INSTRUCTION(i, f)
      if (++n > most) return true;
  return false;
}

/* Quick code whose loops have stayed loops is small as a rule: with fewer
** instructions than this, optimising it takes a tenth of a second at most. */
#define SMALL 2000

/* Two tiers, if the kernel is large and both can give the same bits. */
static void choose_tier(const mt_CompileRequest *o, mt_CompileResult *out,
                        const mt_Prepared *p) {
  LLVMModuleRef m = p->module;
  bool instrumented = mt_request_is_instrumented(o);
  bool settled = out->huge || out->settled;
  if (instrumented && is_larger(m, MANY)) out->hasty = true;
  if (instrumented || !(o->large || settled || mt_tier_is_slow(m))) return;
  out->two_tiers = settled || mt_rounding_settle(p->target, m);
  out->made.quick = out->two_tiers && o->tier == MT_TIER_QUICK;
  if (out->made.quick && !(p->limited && !is_larger(m, SMALL)))
    out->hasty = true;
}

static mt_Status finish(const mt_CompileJob *job, const mt_CompileRequest *o,
                        mt_CompileResult *out, mt_Prepared *p,
                        LLVMValueRef group, mt_Error *err) {
  bool simd = out->made.simd;
  choose_tier(o, out, p);
  name_group(p->module, group, out->made.quick ? o->quick_symbol : o->symbol);
  LLVMMetadataRef lines = simd && !mt_request_is_instrumented(o)
                              ? LLVMGetSubprogram(p->function) : NULL;
  mt_Status status =
      mt_verify(p->module, simd ? "vectorise" : "scalar", err);
  if (o->task == MT_TASK_WHY) return status;
  bool instrumented = mt_request_is_instrumented(o);
  if (status == MT_OK)
    status = mt_optimise(p->target, p->module, out->hasty, err);
  if (instrumented && is_larger(p->module, MANY_LEFT)) out->hasty = true;
  /* The group function replaces the kernel and takes over its debug scope. */
  if (lines && !LLVMGetNamedFunction(p->module, job->msl->function))
    LLVMSetSubprogram(group, lines);
  return status;
}

/* Thread by thread, for a reason. */
static void name_fallback(const mt_CompileRequest *o, mt_CompileResult *out,
                          const mt_Prepared *p) {
  if (o->thread_by_thread)
    mt_error(&out->why, MT_UNSUPPORTED, "%s", o->because);
  else if (p->enormous)
    mt_error(&out->why, MT_UNSUPPORTED,
             "with its functions inlined it would be too large");
  else if (o->kind.scalar && !mt_request_is_instrumented(o))
    mt_error(&out->why, MT_UNSUPPORTED, "METTLE_ENGINE=scalar asks for it");
  snprintf(out->made.fallback, sizeof out->made.fallback, "%.*s",
           (int)sizeof out->made.fallback - 1, out->why.text);
}

static mt_Status build(mt_PreparedJob *w, const mt_CompileRequest *o,
                       mt_CompileResult *out, mt_Prepared *p, mt_Error *err) {
  LLVMValueRef group = NULL;
  mt_Status status = prepare(w, o, out, p, err);
  if (status != MT_OK) return status;
  bool used = !runs_by_threads(o, out, p);
  status = as_vectors(&w->job, o, out, p, &group, err);
  if (status == MT_UNSUPPORTED && used)
    status = with_barriers_out(w, o, out, p, &group, err);
  if (status == MT_UNSUPPORTED) {
    name_fallback(o, out, p);
    status = used ? prepare(w, o, out, p, err) : MT_OK;
    if (o->kind.fibers) p->waits = true;
    if (status == MT_OK)
      status = mt_scalar_build(p, w->job.msl, meets(&w->job, o, p),
                               mt_probe_scalar, &group, err);
  }
  out->made.threadgroup_bytes = out->made.simd ? out->vectors.threadgroup_bytes
                                               : p->threadgroup_bytes;
  return status == MT_OK ? finish(&w->job, o, out, p, group, err) : status;
}

/* ------------------------------------------------------------------ listing */

static mt_Status list(const mt_CompileJob *job, const mt_CompileRequest *o,
                      mt_CompileResult *out, mt_Prepared *p, mt_Error *err) {
  bool ir = o->task == MT_TASK_IR, simd = out->made.simd;
  const uint32_t *size = o->kind.geometry.size;
  mt_str_addf(&out->bytes,
              "%s kernel %s, threadgroups of %u x %u x %u, %s%s%s%s\n",
              ir ? ";" : "#", job->msl->name, size[0], size[1], size[2],
              !simd                 ? "thread by thread"
              : out->made.by_rows ? "32 threads of a row of the grid as a "
                                    "vector"
                                  : "32 threads as a vector",
              !simd && out->why.text[0] ? ": " : "",
              simd ? "" : out->why.text,
              out->made.quick  ? ", quick code"
              : out->two_tiers ? ", optimised code"
                               : "");
  if (!ir)
    return mt_listing_asm(p->target, p->module, out->hasty, job->source,
                          &out->bytes, err);
  mt_str_add(&out->bytes, mt_str_text(&out->accesses));
  mt_listing_ir(p->module, job->source, &out->bytes);
  return MT_OK;
}

/* ----------------------------------------------------------------- requests */

static mt_Status make(mt_PreparedJob *w, const mt_CompileRequest *o,
                      mt_CompileResult *out, mt_Error *err) {
  mt_Prepared p = {0};
  mt_Status status;
  if (o->task == MT_TASK_CHECK) {
    status = prepare(w, o, out, &p, err);
    out->made.threadgroup_bytes = p.threadgroup_bytes;
    if (status == MT_OK)
      mt_uses_find(w->job.msl, p.function, &out->made.uses);
  } else {
    status = build(w, o, out, &p, err);
    if (status == MT_OK && (o->task == MT_TASK_IR || o->task == MT_TASK_ASM))
      status = list(&w->job, o, out, &p, err);
    else if (status == MT_OK && o->task == MT_TASK_WHY)
      mt_explain(&w->job, o, out);
    else if (status == MT_OK)
      status = mt_emit(p.target, p.module, out->hasty, false, &out->bytes,
                       &out->made.stack_bytes, err);
  }
  if (status == MT_OK && (out->bytes.failed || out->accesses.failed))
    status = mt_error(err, MT_FAIL, "out of memory");
  mt_prepared_free(&p);
  return status;
}

/* The form prepared for the other target is of no use to this one. */
static mt_Status make_for_other(const mt_CompileJob *job,
                                const mt_CompileRequest *o,
                                mt_CompileResult *out, mt_Error *err) {
  mt_PreparedJob there = {.job = *job, .target = mt_target_also(err)};
  if (!there.target || mt_target_check(there.target, err)) return MT_FAIL;
  mt_Status status = make(&there, o, out, err);
  mt_prepared_job_free(&there);
  return status;
}

mt_Status mt_compile_request(mt_PreparedJob *w, const mt_CompileRequest *o,
                             mt_CompileResult *out, mt_Error *err) {
  out->hasty = o->hasty;
  if (!w->target) {
    mt_Target *t = mt_target_host(err);
    if (!t || mt_target_check(t, err)) return MT_FAIL;
    w->target = t;
  }
  return o->other ? make_for_other(&w->job, o, out, err)
                  : make(w, o, out, err);
}
