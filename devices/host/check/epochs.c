/*
** epochs.c - the epochs of each threadgroup of a checked launch, and its
** fences.
**
** The one idea: run-length encoding. Most groups of a launch execute as many
** barriers as the one before, so they start at equal distances in time, and a
** run of such groups is one record. A launch may have as many groups as
** threads: a number for each would be larger than all of its buffers.
*/
#include "devices/host/check/check.h"

#define GROUPS_MAX (1ull << 32) /* the limit of a check */

typedef struct mt_Run {
  uint64_t group; /* the first of the run, in the order of running */
  uint64_t start; /* its first epoch */
  uint64_t ticks; /* epochs from one group to the next; 0: only one group so
                  ** far */
} Run;

static mt_Status count_groups(mt_Check *c, mt_Error *err) {
  mt_Extent e = mt_launch_extent(c->launch);
  uint64_t all = 1;
  for (int d = 0; d < 3; d++)
    if (__builtin_mul_overflow(all, e.groups[d], &all)) all = GROUPS_MAX + 1;
  c->group_total = all;
  if (all <= GROUPS_MAX) return MT_OK;
  return mt_error(err, MT_BADARG, "a grid of more than 2^32 threadgroups is "
                  "too much to check: take a smaller one");
}

mt_Status mt_epochs_new(mt_Check *c, mt_Error *err) {
  mt_Status status = count_groups(c, err);
  if (status != MT_OK) return status;
  size_t groups = (size_t)c->group_total + 1;
  c->runs = mt_shadow_pages_new(groups * sizeof *c->runs);
  c->fences = mt_shadow_pages_new(groups * sizeof *c->fences);
  if (c->runs && c->fences) return MT_OK;
  return mt_error(err, MT_FAIL, "no memory to check so many threadgroups");
}

void mt_epochs_free(mt_Check *c) {
  size_t groups = (size_t)c->group_total + 1;
  mt_shadow_pages_free(c->runs, groups * sizeof *c->runs);
  mt_shadow_pages_free(c->fences, groups * sizeof *c->fences);
}

size_t mt_epochs_bytes(const mt_Check *c) {
  bool barriers = false, fences = false;
  for (size_t i = 1; i < c->sites->count; i++) {
    mt_SiteKind kind = c->sites->site[i].kind;
    fences |= kind == MT_SITE_FENCE;
    barriers |= kind == MT_SITE_BARRIER || kind == MT_SITE_SIMD_BARRIER;
  }
  size_t each = (barriers || fences ? sizeof *c->runs / 2 : 0) +
                (fences ? sizeof *c->fences : 0);
  return each * (size_t)c->group_total;
}

void mt_epochs_group(mt_Check *c) {
  c->number = c->group_count++;
  if (c->number == 0) c->run_count = 0;
  if (c->run_count) {
    Run *last = &c->runs[c->run_count - 1];
    uint64_t since = c->number - last->group;
    if (!last->ticks) last->ticks = c->now - last->start;
    if (last->start + since * last->ticks == c->now) return;
  }
  c->runs[c->run_count++] = (Run){.group = c->number, .start = c->now};
}

/* The run of a group or, 'by_time', of an epoch. */
static size_t run_of(const mt_Check *c, uint64_t what, bool by_time) {
  size_t low = 0, high = c->run_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    const Run *r = &c->runs[middle];
    if ((by_time ? r->start : r->group) <= what)
      low = middle;
    else
      high = middle;
  }
  return low;
}

uint64_t mt_epochs_group_of(const mt_Check *c, uint64_t when) {
  size_t i = run_of(c, when, true);
  const Run *r = &c->runs[i];
  uint64_t last = i + 1 < c->run_count ? r[1].group - 1 : c->number;
  uint64_t group = r->group + (r->ticks ? (when - r->start) / r->ticks : 0);
  return group < last ? group : last;
}

static uint64_t start_of(const mt_Check *c, uint64_t group) {
  const Run *r = &c->runs[run_of(c, group, false)];
  return r->start + (group - r->group) * r->ticks;
}

void mt_epochs_fence(mt_Check *c) {
  uint64_t since = ++c->now - c->group_start;
  c->fenced = true;
  c->fences[c->number] = since < UINT32_MAX ? (uint32_t)since : UINT32_MAX;
}

bool mt_epochs_fenced(const mt_Check *c, uint64_t when) {
  uint64_t group = mt_epochs_group_of(c, when);
  return c->fences[group] &&
         start_of(c, group) + c->fences[group] > when;
}
