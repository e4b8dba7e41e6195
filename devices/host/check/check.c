/*
** check.c - mt_check_run: an instrumented launch, and the checks after it.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/advice.h"
#include "base/clock.h"
#include "devices/host/check/check.h"
#include "devices/host/native/native.h"
#include "devices/host/run/run.h"

/* -------------------------------------------------------- before the launch */

/* Too much threadgroup memory is a finding. True: the launch cannot run. */
static bool too_much_memory(mt_Check *c) {
  const mt_Launch *l = c->launch;
  const mt_KernelInfo *k = &l->kernel->info;
  size_t sum = k->threadgroup_static;
  size_t limit = l->kernel->device->info.max_threadgroup_memory;
  for (unsigned i = 0; i < l->arg_count; i++)
    if (l->args[i].kind == MT_ARG_THREADGROUP) sum += l->args[i].size;
  if (sum <= limit) return false;
  mt_Finding f = {.kind = MT_FIND_THREADGROUP_MEMORY,
                  .space = MT_SPACE_THREADGROUP, .bytes = sum, .value = sum,
                  .expected = limit, .length = limit};
  snprintf(f.detail, sizeof f.detail,
           "%zu bytes of threadgroup memory; the limit is %zu", sum, limit);
  mt_finding_add_global(c, &f);
  return true;
}

/* --------------------------------------------------------------------- run */

/* All runs of a check share the launch's time limit; the message says which
** runs exceeded it. */
static mt_Status out_of_time(const mt_Check *c, mt_Error *err) {
  return mt_error(
      err, MT_TIMEOUT,
      "kernel '%s' was stopped: %s not end within its time limit of "
      "%g s%s",
      c->launch->kernel->info.name,
      c->schedule ? "its runs in other orders did" : "it did",
      c->launch->time_limit,
      c->schedule ? mt_advice()->no_schedules : "");
}

/* Seconds for the next run; 0 = no limit, below 0: none left. */
static double time_left(mt_Check *c) {
  double limit = c->launch->time_limit;
  if (limit <= 0) return 0;
  if (!c->started) c->started = mt_now_ns();
  double left = limit - (double)(mt_now_ns() - c->started) * 1e-9;
  return left > 0 ? left : -1;
}

static uint32_t turn_of(void *check, uint32_t i, uint32_t n) {
  return mt_check_order(check, i, n);
}

static void active_now(void *check, uint32_t sg, uint32_t lanes) {
  mt_check_active(check, sg, lanes);
}

mt_Status mt_check_once(mt_Check *c, const mt_InstrumentedCode *w,
                        uint64_t (*order)(void *check, uint64_t turn),
                        mt_Error *err) {
  mt_Runnable what = {.code = mt_code_entry(w->code),
                      .loaded = w->code,
                      .threadgroup_bytes = w->threadgroup_bytes,
                      .spill_bytes = w->spill_bytes,
                      .stack_bytes = w->stack_bytes,
                      .observer = c, .before = mt_check_group, .order = order,
                      .turn = turn_of, .active = active_now,
                      .passes_barriers = true,
                      .quiet = c->schedule || c->part};
  mt_Launch once = *c->launch;
  once.repeats = 1;
  once.time_limit = time_left(c);
  if (once.time_limit < 0) return out_of_time(c, err);
  mt_fast_path_limits(c);
  mt_Status status = mt_dispatch_observed(&once, &what, err);
  return status == MT_TIMEOUT ? out_of_time(c, err) : status;
}

mt_Status mt_check_interrupted(const mt_Check *c, mt_Error *err) {
  return mt_error(err, MT_CANCELLED, "the check of kernel '%s' was interrupted",
                  c->launch->kernel->info.name);
}

/* Coverage of the outputs that were named, or else inferred. */
static void cover(mt_Check *c) {
  const mt_CheckOptions *given = c->options;
  bool outputs[64] = {false};
  if (!given->outputs && given->guess) c->outputs = mt_check_outputs(c);
  for (unsigned i = 0; i < 64 && i < c->launch->arg_count; i++) {
    if (given->outputs && given->outputs[i]) c->outputs |= (uint64_t)1 << i;
    outputs[i] = c->outputs >> i & 1;
  }
  mt_CheckOptions asked = *given;
  asked.outputs = outputs;
  c->options = &asked;
  if (c->launch->arg_count <= 64) mt_check_coverage(c);
  c->options = given;
}

static mt_Status check(mt_Check *c, unsigned *schedules, mt_Error *err) {
  const mt_InstrumentedCode *w;
  mt_Status status = mt_instrumented_for(c->launch, false, &w, err);
  if (status != MT_OK) return status;
  c->sites = &w->sites;
  c->group_memory.size = mt_align16(w->threadgroup_bytes);
  status = mt_check_map(c, err);
  if (status == MT_OK) status = mt_epochs_new(c, err);
  if (status == MT_OK) status = mt_partition_new(c, err);
  if (status == MT_OK) status = mt_check_snapshot(c, err);
  if (status != MT_OK) return status;
  mt_progress_part(&c->progress, 1, 1, c->group_total);
  clock_t start = clock();
  status = mt_check_once(c, w, NULL, err);
  mt_findings_later(c, true);
  mt_unchecked_report(c);
  if (status != MT_OK) return status;
  c->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  status = mt_partition_run_rest(c, w, err);
  if (status != MT_OK) return status;
  cover(c);
  if (mt_cancelled()) return mt_check_interrupted(c, err);
  mt_check_drop_shadow(c);
  if (c->options->schedules)
    status = mt_check_schedules(c, w, schedules, err);
  return status;
}

/* The run faulted in spite of the checks: report the findings so far. */
static mt_Status after_fault(mt_Check *c, mt_Status status, mt_Error *err) {
  if (status != MT_FAIL || !mt_findings_any(c)) return status;
  mt_findings_unchecked(c, "the run was stopped before its end: %s", err->text);
  return MT_OK;
}

mt_Status mt_check_run(const mt_Launch *launch, const mt_CheckOptions *options,
                       mt_CheckReport *out, mt_Error *err) {
  static const mt_CheckOptions none;
  mt_Check *c = mt_shadow_pages_new(sizeof *c);
  mt_Error ignored = {{0}};
  if (!err) err = &ignored;
  memset(out, 0, sizeof *out);
  if (!c) return mt_error(err, MT_FAIL, "out of memory");
  c->launch = launch;
  c->parts = 1;
  c->options = options ? options : &none;
  mt_Status status = mt_findings_new(c, false, err);
  if (status == MT_OK && !too_much_memory(c)) {
    status = mt_launch_check(launch, err);
    mt_progress_begin(&c->progress, "checking", launch->kernel->info.name);
    if (status == MT_OK)
      status = after_fault(c, check(c, &out->schedules, err), err);
    mt_progress_end(&c->progress);
  }
  out->seed = c->options->seed;
  out->outputs = c->outputs;
  memcpy(out->unordered, c->unordered, sizeof out->unordered);
  if (c->found[0] && status != MT_BADARG) {
    mt_Status listed = mt_findings_report(c, out, err);
    if (status == MT_OK) status = listed;
  }
  mt_check_unmap(c);
  mt_epochs_free(c);
  mt_findings_free(c);
  mt_shadow_pages_free(c, sizeof *c);
  return status;
}
