/*
** specialise.c - the code of a kernel for one kind of launch, see kernel.h.
**
** The one idea: the threadgroup's size, ragged edges of the grid, texture
** formats and whether buffers overlap are compile-time constants; a launch that
** differs in one of them gets code of its own. So do the checker and the
** profiler.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/sites/sites.h"
#include "devices/host/kernel/compile.h"
#include "devices/host/kernel/tier.h"
#include "devices/host/native/native.h"
#include "devices/host/run/run.h"

#define MOST_KINDS 64   /* variants that a kernel remembers */
#define MOST_WATCHED 8  /* variants whose instrumented code is kept */

mt_CompileRequest mt_request_for(const mt_HostKernel *k, mt_CompileTask task,
                                 const mt_Variant *kind, const mt_Key *key) {
  mt_CompileRequest o = {.task = task,
                         .kind = *kind,
                         .hasty = k->hasty,
                         .plain = kind->scalar && k->plain_scalar};
  mt_key_symbol(key, o.symbol);
  return o;
}

/* -------------------------------------------------------------------- code */

static mt_Key key_for(const mt_HostKernel *k, const mt_Variant *l) {
  mt_Key key = k->key;
  uint32_t words[9] = {l->geometry.size[0], l->geometry.size[1],
                       l->geometry.size[2], l->geometry.ragged[0],
                       l->geometry.ragged[1], l->geometry.ragged[2],
                       l->geometry.rows, l->geometry.many, l->scalar};
  if (l->scalar) memset(words, 0, 8 * sizeof *words); /* fits any geometry */
  mt_key_add(&key, words, sizeof words);
  mt_key_add(&key, &l->formats, sizeof l->formats);
  mt_tier_add_to_key(&key);
  return key;
}

/* The key for the target METTLE_ALSO; also records there that the kernel is
** valid. */
static mt_Status key_also(const mt_HostKernel *k, const mt_Variant *kind,
                          mt_Key *out, mt_Error *err) {
  mt_HostKernel other = {.from = k->from,
                         .work = {.job = k->work.job}, /* for its key */
                         .threadgroup_bytes = k->threadgroup_bytes};
  mt_Target *target = mt_target_also(err);
  if (!target) return MT_FAIL;
  other.key = mt_kernel_key(&other, target);
  if (!mt_kernel_is_known(&other)) mt_kernel_make_known(&other);
  *out = key_for(&other, kind);
  return MT_OK;
}

static mt_Status write_other(mt_HostKernel *k, const mt_Variant *kind,
                             const mt_Key *key, mt_Error *err) {
  mt_CompileResult built = {0};
  mt_CompileRequest order = mt_request_for(k, MT_TASK_CODE, kind, key);
  order.other = true;
  mt_Status status = mt_compile_server_request(k, &order, &built, err);
  built.made.key = *key;
  if (status == MT_OK) mt_disk_cache_write(&built.made, &built.bytes);
  mt_compile_result_free(&built);
  return status;
}

/* Compile for METTLE_ALSO too, if it is set: to the disk only. */
static mt_Status make_also(mt_HostKernel *k, const mt_Variant *kind,
                           mt_Error *err) {
  mt_Key key;
  mt_CodeFacts kept;
  if (!mt_target_is_also_asked()) return MT_OK;
  mt_Status status = key_also(k, kind, &key, err);
  if (status != MT_OK) return status;
  mt_Str object = MT_STR_INIT;
  bool there = mt_disk_cache_read(&key, &kept, &object);
  mt_str_free(&object);
  return there ? MT_OK : write_other(k, kind, &key, err);
}

/* The code of 's', held until mt_code_cache_release. It may have been unloaded
** since the last launch; then it is read from disk or compiled again. */
static mt_Status hold_code(mt_HostKernel *k, mt_Specialisation *s,
                           bool measured, mt_LoadedCode **out, mt_Error *err) {
  *out = mt_code_cache_find(&s->key);
  if (*out) return MT_OK;
  mt_Status status = make_also(k, &s->kind, err);
  if (status != MT_OK) return status;
  return mt_tier_hold(k, &s->kind, &s->key, measured, out, err);
}

static bool is_engine(const char *name) {
  const char *engine = getenv("METTLE_ENGINE");
  return engine && strcmp(engine, name) == 0;
}

static bool wants_scalar(void) { return is_engine("scalar"); }

static bool same(const mt_Variant *a, const mt_Variant *b, bool any_rows) {
  if (a->scalar != b->scalar || a->pixels != b->pixels ||
      (a->geometry.rows != b->geometry.rows && !any_rows) ||
      a->geometry.many != b->geometry.many)
    return false;
  return memcmp(a->geometry.size, b->geometry.size,
                sizeof a->geometry.size) == 0 &&
         memcmp(a->geometry.ragged, b->geometry.ragged,
                sizeof a->geometry.ragged) == 0 &&
         memcmp(&a->formats, &b->formats, sizeof a->formats) == 0;
}

/* Forget the least recently launched variants beyond MOST_KINDS. */
static void forget_kinds(mt_HostKernel *k) {
  mt_Specialisation **at = &k->specials;
  for (int n = 0; *at && n < MOST_KINDS; n++) at = &(*at)->next;
  for (mt_Specialisation *s = *at, *next; s; s = next) {
    next = s->next;
    free(s);
  }
  *at = NULL;
}

/* The specialisation for launches of this kind, which becomes the first. */
static mt_Status special_for(mt_HostKernel *k, const mt_Variant *want,
                             mt_Specialisation **out, mt_Error *err) {
  for (mt_Specialisation **at = &k->specials; *at; at = &(*at)->next) {
    mt_Specialisation *s = *at;
    if (!same(&s->kind, want, s->any_rows)) continue;
    *at = s->next; /* move to front: the likeliest next time */
    s->next = k->specials;
    *out = k->specials = s;
    return MT_OK;
  }
  mt_Specialisation *s = calloc(1, sizeof *s);
  if (!s) return mt_error(err, MT_FAIL, "out of memory");
  s->kind = *want;
  s->key = key_for(k, want);
  s->next = k->specials;
  *out = k->specials = s;
  forget_kinds(k);
  return MT_OK;
}

/* One row of many small groups: what is done for a group takes as long as a few
** of its vectors. */
#define MANY_PIECES 16 /* of a row, enough for several cores */
static bool is_long_row(const mt_Extent *e) {
  return e->group[0] < MT_ROW_THREADS &&
         e->threads[0] >= MANY_PIECES * MT_ROW_THREADS;
}

/* Rows of a grid that fill vectors of 32, but for an eighth. */
static mt_GridRows rows_of(const mt_Extent *e) {
  uint64_t row = e->threads[0], idle = -row % MT_LANES;
  bool several = e->threads[1] > 1 || e->threads[2] > 1;
  if (!several && !is_long_row(e)) return MT_ROWS_SHORT;
  if (row < 2 * MT_LANES || 8 * idle > row) return MT_ROWS_SHORT;
  return idle ? MT_ROWS_LONG : MT_ROWS_WHOLE;
}

/* Fewer groups end before the tiles that they keep repay the compile. Other
** kernels have nothing to keep, and one code for all launches. With
** METTLE_ENGINE=simd, vectors are those of a large launch. */
#define MANY_GROUPS 64
static bool has_many_groups(const mt_HostKernel *k, const mt_Extent *e) {
  uint64_t n = 1;
  for (int d = 0; d < 3 && n < MANY_GROUPS; d++)
    n *= (e->threads[d] + e->group[d] - 1) / e->group[d];
  return k->threadgroup_bytes && (n >= MANY_GROUPS || is_engine("simd"));
}

static mt_Variant kind_of(const mt_Launch *l) {
  mt_Variant s = {.scalar = wants_scalar()};
  mt_Extent e = mt_launch_extent(l);
  s.geometry.many = has_many_groups((const mt_HostKernel *)l->kernel, &e);
  for (int d = 0; d < 3; d++) {
    s.geometry.size[d] = (uint32_t)e.group[d];
    s.geometry.ragged[d] = e.threads[d] % e.group[d] != 0;
  }
  s.geometry.rows = rows_of(&e);
  mt_argument_facts(l, &s.formats);
  return s;
}

/* How far a launch has come. */
typedef struct Progress {
  uint64_t next; /* threadgroup to run, or MT_ALL_RUN */
  bool quick;    /* some ran quick code */
  uint64_t device_ns, wall_ns;
} Progress;

static bool is_superseded(void *key) { return mt_tier_has_arrived(key); }

/* The recorder's sites say which memory is meant on a line. They take LLVM's
** time once more, which an error message is worth. */
static uint64_t params_at(const mt_Runnable *what, const mt_Launch *l,
                          unsigned line, int write) {
  (void)what;
  unsigned buffers = 0;
  for (unsigned i = 0; i < l->arg_count; i++)
    buffers += l->args[i].kind == MT_ARG_BUFFER;
  if (buffers < 2) return 0;
  mt_Error err;
  mt_InstrumentedCode code = {0};
  uint64_t params = 0;
  if (mt_recorded_new(l, false, false, &code, &err) == MT_OK) {
    params = mt_sites_params_at(&code.sites, line, write);
    mt_instrumented_free(&code);
  }
  return params;
}

/* Run the threadgroups that are left with the best code that there is. */
static mt_Status run_rest(mt_HostKernel *k, mt_Specialisation *s,
                          const mt_Launch *l, Progress *p, mt_Error *err) {
  mt_LoadedCode *code = NULL;
  mt_Timing timing = {0};
  mt_Status status = hold_code(k, s, l->measured, &code, err);
  if (status != MT_OK) return status;
  bool may_change = code->made.quick && l->repeats == 1;
  mt_Runnable what = {.code = mt_code_entry(code->code),
                      .loaded = code->code,
                      .threadgroup_bytes = code->made.threadgroup_bytes,
                      .by_rows = code->made.by_rows,
                      .spill_bytes = code->made.spill_bytes,
                      .stack_bytes = code->made.stack_bytes,
                      .params_at = params_at,
                      .kept_bytes = code->made.kept_bytes,
                      .iterations = &s->iterations,
                      .group_ns = &s->group_ns,
                      .first = p->next,
                      .next = &p->next,
                      .used = (double)p->wall_ns * 1e-9,
                      .superseded = may_change ? is_superseded : NULL,
                      .context = &s->key};
  s->simd = code->made.simd;
  s->quick = code->made.quick;
  s->any_rows = code->made.any_rows || !code->made.simd;
  snprintf(k->head.fallback, sizeof k->head.fallback, "%s",
           code->made.fallback);
  status = mt_dispatch(l, &what, &timing, err);
  p->quick |= code->made.quick;
  p->device_ns += timing.device_ns;
  p->wall_ns += timing.wall_ns;
  mt_code_cache_release(code);
  return status;
}

mt_Status mt_host_launch(const mt_Launch *l, mt_Timing *out, mt_Error *err) {
  mt_HostKernel *k = (mt_HostKernel *)l->kernel;
  mt_Variant want = kind_of(l);
  mt_Specialisation *s = NULL;
  Progress p = {0};
  mt_Status status = special_for(k, &want, &s, err);
  do {
    if (status == MT_OK) status = run_rest(k, s, l, &p, err);
  } while (status == MT_OK && p.next != MT_ALL_RUN);
  mt_tier_launch_ended();
  if (!out) return status;
  out->device_ns = p.device_ns;
  out->wall_ns = p.wall_ns;
  out->quick = p.quick;
  out->fallback = mt_kernel_fallback(&k->head);
  return status;
}

/* ------------------------------------------------------------ instrumented */

static bool writes_texture(const mt_Launch *l, unsigned i) {
  return l->args[i].kind == MT_ARG_TEXTURE &&
         l->kernel->info.params[i].access & MT_WRITE;
}

/* May a texture be read through one parameter and written through another? */
static bool has_texture_twice(const mt_Launch *l) {
  for (unsigned i = 0; i < l->arg_count; i++) {
    const mt_Arg *a = &l->args[i];
    if (a->link_count || (a->kind == MT_ARG_TEXTURE && a->texture_count > 1))
      return true; /* too costly to find out */
    for (unsigned k = 0; k < l->arg_count && writes_texture(l, i); k++)
      if (k != i && l->args[k].kind == MT_ARG_TEXTURE &&
          l->args[k].texture == a->texture)
        return true;
  }
  return false;
}

static mt_Variant instrumented_variant(const mt_Launch *l, bool scalar) {
  mt_Variant s = kind_of(l);
  s.geometry.rows = MT_ROWS_SHORT;
  s.geometry.many = false;
  s.scalar |= scalar;
  s.pixels = has_texture_twice(l);
  return s;
}

/* Drop the least recently used; one check needs two. */
static void forget_instrumented(mt_HostKernel *k) {
  mt_InstrumentedVariant **at = &k->instrumented;
  for (int n = 0; *at && n < MOST_WATCHED; n++) at = &(*at)->next;
  for (mt_InstrumentedVariant *w = *at, *next; w; w = next) {
    next = w->next;
    mt_instrumented_free(&w->code);
    free(w);
  }
  *at = NULL;
}

/* Compiled once for a variant, as users check again and again. */
mt_Status mt_instrumented_for(const mt_Launch *l, bool scalar,
                              const mt_InstrumentedCode **out, mt_Error *err) {
  mt_HostKernel *k = (mt_HostKernel *)l->kernel;
  mt_Variant want = instrumented_variant(l, scalar);
  for (mt_InstrumentedVariant **at = &k->instrumented; *at; at = &(*at)->next) {
    mt_InstrumentedVariant *found = *at;
    if (!same(&found->kind, &want, false)) continue;
    *at = found->next;
    found->next = k->instrumented;
    k->instrumented = found;
    *out = &found->code;
    return MT_OK;
  }
  mt_InstrumentedVariant *w = calloc(1, sizeof *w);
  if (!w) return mt_error(err, MT_FAIL, "out of memory");
  w->kind = want;
  mt_Status status = mt_instrumented_new(l, scalar, NULL, &w->code, err);
  if (status != MT_OK) {
    free(w);
    return status;
  }
  w->next = k->instrumented;
  k->instrumented = w;
  forget_instrumented(k);
  *out = &w->code;
  return MT_OK;
}

/* A launch's time limit also bounds its compile, which a loop unrolled a
** thousand times makes long. But most compiles take half a second on a busy
** CPU, and limits are meant for endless loops: so at least LEAST_SECONDS. */
#define LEAST_SECONDS 2.0

static double seconds_for(const mt_Launch *l) {
  if (l->time_limit <= 0) return 0;
  return l->time_limit > LEAST_SECONDS ? l->time_limit : LEAST_SECONDS;
}

/* Over so few threads code runs for less time than LLVM needs to optimise it:
** quick code takes LLVM half of the time, and runs twice as long. */
#define FEW_THREADS 8192

static bool has_few_threads(const mt_Launch *l) {
  mt_Extent e = mt_launch_extent(l);
  uint64_t n = 1;
  for (int d = 0; d < 3 && n <= FEW_THREADS; d++) n *= e.threads[d];
  return n <= FEW_THREADS;
}

/* Not cached on disk: the table of sites belongs to this code. */
static mt_Status instrumented_as(mt_CompileTask task, const mt_Launch *l,
                                 mt_Variant kind, mt_CountTable *counts,
                                 mt_InstrumentedCode *out, mt_Error *err) {
  static uint64_t serial;
  mt_HostKernel *k = (mt_HostKernel *)l->kernel;
  mt_Key key = key_for(k, &kind);
  mt_CompileResult built = {0};
  serial++;
  mt_key_add(&key, "checked", 7);
  mt_key_add(&key, &serial, sizeof serial);
  mt_CompileRequest order = mt_request_for(k, task, &kind, &key);
  order.plain = false;
  order.hasty |= has_few_threads(l);
  order.seconds = seconds_for(l);
  memset(out, 0, sizeof *out);
  mt_Status status = mt_compile_server_request(k, &order, &built, err);
  if (status == MT_OK)
    status = mt_jit_load(built.bytes.text, built.bytes.length, order.symbol,
                         &out->code, err);
  if (status == MT_OK) {
    out->simd = built.made.simd;
    out->why = built.why;
    out->spill_bytes = built.made.spill_bytes;
    out->stack_bytes = built.made.stack_bytes;
    out->threadgroup_bytes = built.made.threadgroup_bytes;
    out->sites = built.sites;
    memset(&built.sites, 0, sizeof built.sites);
    if (counts) *counts = built.counts;
    if (counts) memset(&built.counts, 0, sizeof built.counts);
  }
  mt_compile_result_free(&built);
  return status;
}

mt_Status mt_instrumented_new(const mt_Launch *l, bool scalar,
                              mt_CountTable *counts, mt_InstrumentedCode *out,
                              mt_Error *err) {
  return instrumented_as(counts ? MT_TASK_PROFILED : MT_TASK_CHECKED, l,
                         instrumented_variant(l, scalar), counts, out, err);
}

mt_Status mt_recorded_new(const mt_Launch *l, bool values, bool fibers,
                          mt_InstrumentedCode *out, mt_Error *err) {
  mt_Variant kind = instrumented_variant(l, true);
  kind.values = values;
  kind.fibers = fibers;
  return instrumented_as(MT_TASK_RECORDED, l, kind, NULL, out, err);
}

void mt_place_as_typed(const mt_Kernel *kernel, mt_SourcePlace *place) {
  const mt_HostKernel *k = (const mt_HostKernel *)kernel;
  place->text = mt_msl_typed(k->from.module->msl, &place->file, place->line,
                             &place->column, &place->text_length);
}

const char *mt_kernel_text(const mt_Kernel *kernel, size_t *length) {
  const mt_HostKernel *k = (const mt_HostKernel *)kernel;
  *length = 0;
  if (!k->from.msl->file) return NULL;
  return mt_msl_text_of(k->from.module->msl, k->from.msl->file, length);
}

void mt_instrumented_free(mt_InstrumentedCode *w) {
  if (w->code) mt_code_free(w->code);
  mt_sites_free(&w->sites);
  memset(w, 0, sizeof *w);
}

/* ----------------------------------------------------------------- listing */

/* For the last launch's variant, or for many threadgroups of 256. */
mt_Status mt_host_listing(mt_Kernel *kernel, mt_Listing what, mt_Str *out,
                          mt_Error *err) {
  mt_HostKernel *k = (mt_HostKernel *)kernel;
  mt_Variant kind = {.scalar = wants_scalar()};
  unsigned most = k->head.info.max_threads;
  kind.geometry = (mt_Geometry){.size = {most < 256 ? most : 256, 1, 1},
                                .many = k->threadgroup_bytes > 0};
  for (int d = 0; d < 3; d++)
    if (k->from.msl->required_group[d])
      kind.geometry.size[d] = k->from.msl->required_group[d];
  mt_argument_facts_guess(k->from.msl, &kind.formats);
  if (k->specials) kind = k->specials->kind;
  mt_Key key = key_for(k, &kind);
  static const mt_CompileTask tasks[] = {[MT_LISTING_IR] = MT_TASK_IR,
                                         [MT_LISTING_ASM] = MT_TASK_ASM,
                                         [MT_LISTING_WHY] = MT_TASK_WHY};
  mt_CompileRequest order = mt_request_for(k, tasks[what], &kind, &key);
  mt_tier_ask(&order);
  mt_CompileResult built = {0};
  mt_Status status = mt_compile_server_request(k, &order, &built, err);
  if (status == MT_OK)
    mt_str_add_bytes(out, mt_str_text(&built.bytes), built.bytes.length);
  if (status == MT_OK && what == MT_LISTING_WHY && k->specials &&
      k->specials->quick)
    mt_str_add(out, " The last launch ran quick code.");
  mt_compile_result_free(&built);
  return status;
}
