/*
** barriers.c - barriers, cross-lane operations and conditions of a checked
** launch.
**
** The one idea: a barrier has two probes, where threads arrive and where they
** go on. The first thread to go on ends the phase: the threads that arrived are
** counted, and a new epoch starts, so that accesses before the barrier happen
** before those after it.
*/
#include <stdio.h>
#include <string.h>

#include "devices/host/check/check.h"
#include "devices/host/run/run.h"

void mt_check_group(const mt_Group *g, uint64_t number) {
  mt_Check *c = g->observer;
  /* equals 'c->number', except in other orders, which report no threads */
  (void)number;
  mt_progress_group(&c->progress);
  c->group = g;
  c->threads = g->actual[0] * g->actual[1] * g->actual[2];
  c->now++;
  c->group_start = c->any_barrier = c->now;
  mt_epochs_group(c);
  c->fenced = c->simd_barriers = false;
  for (int i = 0; i < MT_ORDERS; i++) c->since[i] = c->now;
  memset(c->simd_since, 0, sizeof c->simd_since);
  c->came = c->came_site = c->came_elsewhere = c->came_other = 0;
  memset(c->came_lanes, 0, sizeof c->came_lanes);
  memset(c->came_here, 0, sizeof c->came_here);
  memset(c->gone_lanes, 255, sizeof c->gone_lanes);
  memset(c->simd_came, 0, sizeof c->simd_came);
  memset(c->simd_gone, 255, sizeof c->simd_gone);
  c->group_memory.start = g->threadgroup;
  mt_tile_group(c);
}

/* Lanes of SIMD-group 'sg' that are threads. */
static uint32_t lanes_of(const mt_Check *c, uint32_t sg) {
  uint32_t left = c->threads - sg * MT_LANES;
  return left >= MT_LANES ? ~0u : (1u << left) - 1;
}

/* ------------------------------------------------ the threadgroup's barrier */

static void come(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site) {
  if (!c->came_site) c->came_site = site;
  unsigned n = mt_lane_count(mask);
  c->came += n;
  c->came_lanes[sg] |= mask;
  if (site == c->came_site) {
    c->came_here[sg] |= mask;
    return;
  }
  c->came_elsewhere += n;
  if (!c->came_other) c->came_other = site;
}

/* A barrier in a function that is called twice has two sites but one line. */
static bool is_same_line(const mt_Check *c, uint32_t a, uint32_t b) {
  const mt_SourcePlace *x = &c->sites->site[a].place,
                       *y = &c->sites->site[b].place;
  return x->line == y->line && x->column == y->column && x->file == y->file;
}

/* The first thread that is not in 'came'; the thread count if all are. */
static uint32_t first_missing(const mt_Check *c, const uint32_t *came) {
  for (uint32_t sg = 0; sg * MT_LANES < c->threads; sg++) {
    uint32_t gone = lanes_of(c, sg) & ~came[sg];
    if (gone) return sg * MT_LANES + (uint32_t)__builtin_ctz(gone);
  }
  return c->threads;
}

static void torn(mt_Check *c) {
  const mt_Site *s = &c->sites->site[c->came_site];
  mt_Finding f = {.kind = MT_FIND_DIVERGENT_BARRIER, .place = s->place,
                  .value = c->came - c->came_elsewhere,
                  .expected = c->threads};
  if (c->came_elsewhere) {
    bool same = is_same_line(c, c->came_site, c->came_other);
    snprintf(f.detail, sizeof f.detail, "%u threads wait at %s",
             c->came_elsewhere,
             same ? "another call of it" : "another barrier");
    if (!same) f.other = c->sites->site[c->came_other].place;
  }
  uint32_t who = first_missing(c, c->came_lanes);
  f.other_only = who == c->threads; /* all wait, but at different barriers */
  if (f.other_only) who = first_missing(c, c->came_here);
  mt_finding_add(c, &f, who, NULL);
}

static void order(mt_Check *c, uint64_t *since, uint32_t flags) {
  for (int i = 0; i < MT_ORDERS; i++) {
    static const uint32_t bit[MT_ORDERS] = {1, 2, 4};
    if (flags & bit[i]) since[i] = c->now;
  }
}

/* The phase is over: all threads that have arrived go on. */
static void end_round(mt_Check *c, const mt_Site *s) {
  if (c->came != c->threads || c->came_elsewhere) torn(c);
  size_t used = (c->threads + MT_LANES - 1) / MT_LANES * sizeof(uint32_t);
  c->came = c->came_site = c->came_elsewhere = c->came_other = 0;
  memset(c->came_lanes, 0, used);
  memset(c->came_here, 0, used);
  memset(c->gone_lanes, 0, used);
  bool tiles = s->width & 2;
  if (!tiles) mt_tile_flush(c);
  c->any_barrier = ++c->now;
  order(c, c->since, s->width);
  if (tiles) mt_tile_barrier(c);
}

/* A lane that has already gone on from the last barrier starts a new phase. */
static void go(mt_Check *c, uint32_t sg, uint32_t mask, const mt_Site *s) {
  if (c->gone_lanes[sg] & mask & -mask) end_round(c, s);
  c->gone_lanes[sg] |= mask;
}

/* ---------------------------------------------------------- a SIMD-group's */

static void simd_go(mt_Check *c, uint32_t sg, uint32_t mask,
                    const mt_Site *s) {
  if (c->simd_gone[sg] & mask & -mask) {
    uint32_t all = lanes_of(c, sg);
    if (c->simd_came[sg] != all) {
      mt_Finding f = {.kind = MT_FIND_DIVERGENT_BARRIER, .place = s->place,
                      .value = (uint64_t)__builtin_popcount(c->simd_came[sg]),
                      .expected = (uint64_t)__builtin_popcount(all)};
      snprintf(f.detail, sizeof f.detail, "of the SIMD-group");
      uint32_t gone = all & ~c->simd_came[sg];
      mt_finding_add(c, &f,
                     sg * MT_LANES + (uint32_t)__builtin_ctz(gone ? gone : 1),
                     NULL);
    }
    c->simd_barriers = true;
    c->simd_came[sg] = c->simd_gone[sg] = 0;
    mt_tile_flush(c);
    c->now++;
    order(c, c->simd_since[sg], s->width);
  }
  c->simd_gone[sg] |= mask;
}

/* ----------------------------------------------------------------- helpers */

void mt_check_wait(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site) {
  const mt_Site *s = &c->sites->site[site];
  if (!mask) return;
  if (s->kind == MT_SITE_BARRIER)
    come(c, sg, mask, site);
  else if (s->kind == MT_SITE_SIMD_BARRIER)
    c->simd_came[sg] |= mask;
}

void mt_check_go(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site) {
  const mt_Site *s = &c->sites->site[site];
  if (!mask) return;
  if (s->kind == MT_SITE_BARRIER) {
    go(c, sg, mask, s);
  } else if (s->kind == MT_SITE_SIMD_BARRIER) {
    simd_go(c, sg, mask, s);
  } else {
    mt_tile_flush(c);
    mt_epochs_fence(c);
  }
}

/* -------------------------------------------------------- failed conditions */

static void private_bounds(mt_Check *c, const mt_Site *s, mt_Finding *f,
                           uint64_t offset) {
  const mt_Root *r = &c->sites->root[s->root];
  int64_t element = (int64_t)(r->element ? r->element : 1);
  int64_t at = (int64_t)offset, index = at / element;
  f->kind = MT_FIND_OUT_OF_BOUNDS;
  f->how = s->kind == MT_SITE_READ ? MT_HOW_READ : MT_HOW_WRITE;
  f->space = MT_SPACE_PRIVATE;
  f->name = r->name[0] ? r->name : NULL;
  f->index = at % element < 0 ? index - 1 : index;
  f->length = r->size / (uint64_t)element;
  memcpy(f->rows, r->rows, sizeof f->rows);
  f->bytes = s->size;
}

/* 'value' is the index after the site's path. */
static void past_inner(const mt_Site *s, mt_Finding *f, uint64_t value) {
  f->kind = MT_FIND_OUT_OF_BOUNDS;
  f->how = s->write ? MT_HOW_WRITE : MT_HOW_READ;
  f->space = s->space;
  f->name = s->name;
  f->inner = true;
  f->index = (int64_t)value;
  f->length = s->width;
  f->value = 0;
  snprintf(f->detail, sizeof f->detail, "%s", s->path ? s->path : "");
}

/* 'value' is the offset in bytes. */
static void crooked(const mt_Site *s, mt_Finding *f, uint64_t value) {
  f->kind = MT_FIND_MISALIGNED;
  f->how = s->write ? MT_HOW_WRITE : MT_HOW_READ;
  f->space = s->space;
  f->name = s->name;
  f->index = (int64_t)value / (int64_t)s->part_size;
  f->length = s->width;
  f->bytes = s->align;
  f->value = 0;
}

/* 'flag' (instrument.h) says which lane asked which; gives the thread. */
static uint32_t inactive(const mt_Check *c, mt_Finding *f, uint32_t thread,
                         uint32_t flag) {
  f->kind = MT_FIND_INACTIVE_LANE;
  f->place = c->sites->site[MT_FLAG_SITE(flag)].place;
  f->value = (uint16_t)MT_FLAG_FROM(flag);
  f->expected = c->threads;
  return thread - thread % MT_LANES + MT_FLAG_LANE(flag);
}

/* 'value' is the site where the variable was read, if known. */
static void unset(const mt_Check *c, mt_Finding *f, const mt_Site *use,
                  uint64_t value) {
  f->kind = MT_FIND_UNINITIALISED;
  f->how = MT_HOW_READ;
  f->space = MT_SPACE_PRIVATE;
  f->value = 0;
  if (value >= c->sites->count) return;
  f->place = c->sites->site[value].place;
  f->name = c->sites->site[value].name;
  if (use->place.line != f->place.line)
    snprintf(f->detail, sizeof f->detail, "its value is used on line %u",
             use->place.line);
}

static void wrong(mt_Check *c, uint32_t thread, const mt_Site *s,
                  uint64_t value) {
  mt_Finding f = {.place = s->place, .value = value};
  switch (s->kind) {
    case MT_SITE_DIVIDE:
      f.kind = MT_FIND_DIVISION_BY_ZERO;
      if (!value)
        snprintf(f.detail, sizeof f.detail,
                 "the least number of %u bits divided by -1", s->width);
      f.value = 0;
      break;
    case MT_SITE_SHIFT:
      f.kind = MT_FIND_SHIFT;
      f.expected = s->width;
      break;
    case MT_SITE_ALIGN:
      crooked(s, &f, value);
      break;
    case MT_SITE_ASSERT:
      f.kind = MT_FIND_ASSERT;
      snprintf(f.detail, sizeof f.detail, "%s", s->name ? s->name : "");
      break;
    case MT_SITE_INDEX:
      past_inner(s, &f, value);
      break;
    case MT_SITE_UNSET:
      if (MT_FLAG_KIND(value) == MT_FLAG_LANES)
        thread = inactive(c, &f, thread, (uint32_t)value);
      else
        unset(c, &f, s, value);
      break;
    default:
      private_bounds(c, s, &f, value);
  }
  mt_finding_add(c, &f, thread, NULL);
}

void mt_check_if(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                 const uint64_t *values) {
  for (uint32_t left = mask; left; left &= left - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(left);
    wrong(c, sg * MT_LANES + lane, &c->sites->site[site], values[lane]);
  }
}

void mt_check_thread_if(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                        const uint64_t *value) {
  if (mask)
    wrong(c, sg * MT_LANES + (uint32_t)__builtin_ctz(mask),
          &c->sites->site[site], *value);
}

/* ------------------------------------------------------------------- lanes */

/* Reading a lane that has no thread is only a mistake where the lane is named
** ('width'): shuffle_down and rotations reach past the last thread of a partial
** SIMD-group by design. */
void mt_check_lane(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                   const uint32_t *from, uint32_t *flags) {
  bool named = c->sites->site[site].width;
  uint32_t there = lanes_of(c, sg), given[MT_LANES];
  memcpy(given, flags, sizeof given);
  for (uint32_t left = mask; left; left &= left - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(left), f = from[lane];
    bool exists = f < MT_LANES && (there >> f & 1);
    if (exists && (mask >> f & 1))
      flags[lane] =
          MT_FLAG_KIND(given[f]) == MT_FLAG_LANES ? given[f] : 0;
    else
      flags[lane] = exists || named ? mt_flag_lanes(site, lane, f) : 0;
  }
}

/* A matrix is spread over all 32 lanes: elements in inactive lanes are
** undefined. */
void mt_check_convergent(mt_Check *c, uint32_t sg, uint32_t mask,
                         uint32_t site) {
  const mt_Site *s = &c->sites->site[site];
  if (mask == ~0u || !mask) return;
  uint32_t there = lanes_of(c, sg), off = there & ~mask;
  mt_Finding f = {.kind = MT_FIND_INACTIVE_LANE,
                  .place = s->place,
                  .value = mt_lane_count(mask),
                  .expected = mt_lane_count(there)};
  snprintf(f.detail, sizeof f.detail, "%s", s->name ? s->name : "");
  mt_finding_add(
      c, &f, sg * MT_LANES + (uint32_t)__builtin_ctz(off ? off : mask), NULL);
}

/* Thread by thread: recorded here, checked when the lanes meet. */
void mt_check_thread_lane(mt_Check *c, uint32_t sg, uint32_t mask,
                          uint32_t site, uint32_t from, uint32_t flag) {
  unsigned lane = (unsigned)__builtin_ctz(mask);
  c->lane_site[lane] = site;
  c->lane_from[lane] = from;
  c->flag[sg * MT_LANES + lane] = flag;
}

uint32_t mt_check_thread_asked(mt_Check *c, uint32_t sg, uint32_t mask) {
  return c->flag[sg * MT_LANES + (uint32_t)__builtin_ctz(mask)];
}

void mt_check_active(mt_Check *c, uint32_t sg, uint32_t active) {
  uint32_t site = active ? c->lane_site[__builtin_ctz(active)] : 0;
  if (!site) return;
  if (c->sites->site[site].kind == MT_SITE_TOGETHER)
    mt_check_convergent(c, sg, active, site);
  else
    mt_check_lane(c, sg, active, site, c->lane_from, &c->flag[sg * MT_LANES]);
  for (uint32_t left = active; left; left &= left - 1)
    c->lane_site[__builtin_ctz(left)] = 0;
}

uint32_t mt_check_order(const mt_Check *c, uint32_t i, uint32_t n) {
  uint32_t turn = c->turn;
  if (!turn) return i;
  i = (i + (turn >> 2) % n) % n;
  return turn & 2 ? n - 1 - i : i;
}
