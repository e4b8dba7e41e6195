/*
** schedules.c - answers that differ if threads run in another order.
**
** The one idea: a correct kernel does not depend on the order in which its
** threadgroups, SIMD-groups and threads run. So it is run again, from the same
** contents, in orders drawn from a seed, and the answers are compared.
*/
#include <stdlib.h>
#include <string.h>

#include "base/permutation.h"
#include "devices/host/check/check.h"
#include "devices/host/run/run.h"

#define SMALL 65536   /* threads of a launch that may also run thread by
                      ** thread, */
#define SHORT 0.02    /* if vectorised it took no longer (seconds): thread by
                      ** thread takes up to a hundred times as long, */
#define SHORT_LANES 0.002 /* and with shuffles, at each of which all lanes
                          ** meet, up to a thousand times */

/* ------------------------------------------------------------------ orders */

static uint64_t mix(uint64_t x) { return mt_mix(x + 0x9e3779b97f4a7c15ull); }

static uint64_t shuffled(void *check, uint64_t turn) {
  return mt_permuted(&((mt_Check *)check)->drawn, turn);
}

static void draw(mt_Check *c, uint64_t seed) {
  uint64_t n = c->group_total ? c->group_total : 1;
  c->drawn = mt_permutation(n, mix(seed + 1), mix(seed));
  c->turn = (uint32_t)mix(seed + 2) | 1;
}

/* ---------------------------------------------------------------- contents */

mt_Status mt_check_snapshot(mt_Check *c, mt_Error *err) {
  bool again = c->options->schedules || c->parts_most > 1;
  for (size_t i = 0; again && i < c->regions; i++) {
    mt_Region *r = &c->region[i];
    if (!mt_is_answer(r) || r->kept) continue;
    r->before = mt_shadow_pages_new(r->size);
    if (!r->before)
      return mt_error(err, MT_FAIL, "no memory for a copy of %zu MB",
                      r->size >> 20);
    if (!mt_copy(r->before, r->start, r->size))
      return mt_check_interrupted(c, err);
  }
  return MT_OK;
}

/* Keeps the current contents as the answer of vectorised code (0) or of code
** that runs thread by thread (1): these may round differently. */
static mt_Status keep_answers(mt_Check *c, int of, mt_Error *err) {
  for (size_t i = 0; i < c->regions; i++) {
    mt_Region *r = &c->region[i];
    if (!mt_is_answer(r)) continue;
    r->answer[of] = mt_shadow_pages_new(r->size);
    if (!r->answer[of])
      return mt_error(err, MT_FAIL, "no memory for a copy of %zu MB",
                      r->size >> 20);
    if (!mt_copy(r->answer[of], r->start, r->size))
      return mt_check_interrupted(c, err);
  }
  return MT_OK;
}

void mt_check_restore(mt_Check *c, bool answers) {
  for (size_t i = 0; i < c->regions; i++) {
    mt_Region *r = &c->region[i];
    const char *before = r->kept ? r->kept : r->before;
    if (mt_is_answer(r))
      mt_copy(r->start, answers ? r->answer[0] : before, r->size);
  }
}

/* ------------------------------------------------------------------- runs */

static mt_Status run_from_start(mt_Check *c, const mt_InstrumentedCode *w,
                                uint64_t (*order)(void *check, uint64_t turn),
                                mt_Error *err) {
  mt_check_restore(c, false);
  c->schedule = true;
  c->group_count = 0;
  mt_Status status = mt_check_once(c, w, order, err);
  c->schedule = false;
  return status;
}

static mt_Status run_again(mt_Check *c, const mt_InstrumentedCode *w, int of,
                           uint64_t seed, mt_Error *err) {
  mt_progress_run(&c->progress, (unsigned)(seed - c->options->seed) + 2,
                  1 + c->options->schedules, c->group_total);
  draw(c, seed);
  mt_Status status = run_from_start(c, w, shuffled, err);
  c->turn = 0;
  if (status != MT_OK) return status;
  for (size_t i = 0; i < c->regions; i++)
    if (mt_is_answer(&c->region[i]))
      mt_check_compare(c, &c->region[i], of, seed);
  return mt_cancelled() ? mt_check_interrupted(c, err) : MT_OK;
}

/* Thread by thread, the order of lanes can vary, too. */
static mt_Status threads_of(mt_Check *c, const mt_InstrumentedCode **how,
                            bool *ready, mt_Error *err) {
  mt_Status status = mt_instrumented_for(c->launch, true, how, err);
  if (status != MT_OK || *ready) return status;
  c->sites = &(*how)->sites;
  status = run_from_start(c, *how, NULL, err);
  if (status == MT_OK) status = keep_answers(c, 1, err);
  *ready = status == MT_OK;
  return status;
}

static bool is_short(const mt_Check *c) {
  for (size_t i = 0; i < c->sites->count; i++)
    if (c->sites->site[i].kind == MT_SITE_LANES)
      return c->seconds <= SHORT_LANES;
  return c->seconds <= SHORT;
}

mt_Status mt_check_schedules(mt_Check *c, const mt_InstrumentedCode *w,
                             unsigned *done, mt_Error *err) {
  const mt_SiteTable *sites = c->sites;
  const mt_Launch *l = c->launch;
  uint64_t all = c->group_total * l->group.x * l->group.y * l->group.z;
  bool ready = false;
  mt_Status status = keep_answers(c, 0, err);
  if (status != MT_OK) return status;
  for (unsigned k = 0; k < c->options->schedules && status == MT_OK; k++) {
    uint64_t seed = c->options->seed + k;
    const mt_InstrumentedCode *how = w;
    int of =
        w->simd && all <= SMALL && is_short(c) && (mix(seed) >> 60 & 1);
    if (of) status = threads_of(c, &how, &ready, err);
    c->sites = &how->sites;
    if (status == MT_OK) status = run_again(c, how, of, seed, err);
    c->sites = sites;
    *done += status == MT_OK;
  }
  mt_check_restore(c, true);
  return status;
}
