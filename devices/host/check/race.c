/*
** race.c - shadow memory: races and uninitialised reads.
**
** The one idea: happens-before by epochs. Shadow cells hold the last write and
** the last read of every few bytes, each with its thread and epoch. The epoch
** grows with every barrier; groups run one after the other, so it identifies
** the group as well. Two accesses of different threads, one of them a write,
** are a race unless a barrier that orders this memory is between them, or both
** are atomic. Only fences order different groups. Lockstep of lanes is no
** order.
**
** Writing the value that is already there is no race: threads that all set a
** flag to the same value do no harm.
*/
#include <string.h>

#include "devices/host/check/shadow_cell.h"


/* ------------------------------------------------------------------- cells */

static uint64_t cell_of(const mt_Check *c, uint32_t thread, uint32_t site) {
  return c->now << MT_CELL_TIME | (uint64_t)thread << MT_CELL_THREAD |
         (uint64_t)site << 1;
}

static uint64_t time_of(uint64_t cell) { return cell >> MT_CELL_TIME; }
static uint32_t thread_of(uint64_t cell) {
  return (uint32_t)(cell >> MT_CELL_THREAD) & 1023;
}
static uint32_t site_of(uint64_t cell) {
  return (uint32_t)(cell >> 1) & MT_SITES_MAX;
}

static bool is_atomic(const mt_Site *s) {
  return s->kind == MT_SITE_ATOMIC || s->kind == MT_SITE_ATOMIC_READ ||
         s->kind == MT_SITE_ATOMIC_WRITE;
}

static bool is_read(const mt_Check *c, uint64_t cell) {
  return c->sites->site[site_of(cell)].kind == MT_SITE_READ;
}

static bool atomic_cell(const mt_Check *c, uint64_t cell) {
  return is_atomic(&c->sites->site[site_of(cell)]);
}

static int order_of(const mt_Region *r) {
  return r->space == MT_SPACE_THREADGROUP ? MT_ORDER_GROUP
         : r->space == MT_SPACE_TEXTURE   ? MT_ORDER_TEXTURE
                                          : MT_ORDER_DEVICE;
}

/* ------------------------------------------------------------------- lines */

void mt_line_open(mt_Check *c, mt_Region *r, uint64_t *line, uint64_t *cells,
                  size_t number) {
  uint64_t word = line[number], *cell = cells + (number << MT_LINE);
  line[number] = MT_LINE_OPEN;
  if (c->counting) mt_partition_opened(c, r, cells == r->reads, number);
  if (!word) return;
  size_t each = c->sites->site[site_of(word)].size >> r->shift;
  for (size_t i = 0; i < 1u << MT_LINE; i++)
    cell[i] = word + i / (each ? each : 1) * MT_CELL_NEXT;
  r->touched = true;
}

/* Are all cells of an open line written? */
static bool line_is_set(const mt_Region *r, size_t line) {
  const uint64_t *cell = r->writes + (line << MT_LINE);
  unsigned unset = 0;
  for (size_t i = 0; i < 1u << MT_LINE; i++) unset |= cell[i] == 0;
  return !unset;
}

bool mt_shadow_covers(const mt_Region *r, size_t at, size_t size) {
  size_t i = at >> r->shift, stop = ((at + size - 1) >> r->shift) + 1;
  if (!r->tracked || !r->line_writes || !size) return false;
  while (i < stop) {
    size_t line = i >> MT_LINE, end = (line + 1) << MT_LINE;
    if (end > stop) end = stop;
    if (!r->gathered && !r->line_writes[line]) return false;
    if (!r->gathered && r->line_writes[line] == MT_LINE_OPEN &&
        line_is_set(r, line))
      i = end;
    for (; (r->gathered || r->line_writes[line] == MT_LINE_OPEN) && i < end;
         i++)
      if (!mt_cell_is_set(r, i)) return false;
    i = end;
  }
  return true;
}

/* ------------------------------------------------------------------- order */

/* Both groups executed a fence in between: it orders their accesses. */
static bool fenced_between(const mt_Check *c, uint64_t when) {
  return c->fenced && mt_epochs_fenced(c, when);
}

/* Does 'cell' happen before what 'thread' does now? */
static bool is_before(const mt_Check *c, const mt_Region *r, uint64_t cell,
                      uint32_t thread) {
  uint64_t when = time_of(cell);
  uint32_t other = thread_of(cell), sg = thread / MT_LANES;
  int order = order_of(r);
  if (when < c->group_start) return fenced_between(c, when);
  if (when < c->since[order]) return true;
  if (other == thread && !(cell & MT_CELL_SEVERAL)) return true;
  return other / MT_LANES == sg && when < c->simd_since[sg][order];
}

/* ---------------------------------------------------------------- findings */

static mt_AccessHow how_of(const mt_Site *s) {
  return is_atomic(s) ? MT_HOW_ATOMIC
         : s->kind == MT_SITE_READ ? MT_HOW_READ : MT_HOW_WRITE;
}

static mt_Apart apart(const mt_Check *c, uint64_t cell, uint32_t thread) {
  if (time_of(cell) < c->group_start) return MT_APART_GROUPS;
  return thread_of(cell) / MT_LANES == thread / MT_LANES ? MT_APART_LANES
                                                         : MT_APART_SIMDGROUPS;
}

/* If several threads read cell 'i', this one last, the one before it; 0: no
** longer known. */
static uint64_t reader_before(mt_Check *c, const mt_Region *r, size_t i,
                              uint32_t thread) {
  const mt_Readers *e = mt_readers_of(c, r, i >> MT_LINE);
  uint64_t cell = e->cell[i & ((1 << MT_LINE) - 1)];
  if (e->line != r->reads + (i >> MT_LINE << MT_LINE) || !cell) return 0;
  return time_of(cell) >= c->group_start && thread_of(cell) != thread &&
                 !is_before(c, r, cell, thread)
             ? cell : 0;
}

/* The non-atomic write to the memory that 's' updates atomically. */
static const mt_Site *plain_write(const mt_Check *c, const mt_Site *s) {
  for (size_t i = 1; i < c->sites->count; i++)
    if (c->sites->site[i].kind == MT_SITE_WRITE &&
        c->sites->site[i].root == s->root)
      return &c->sites->site[i];
  return s;
}

/* 'thread' accesses cell 'i', which 'cell' accessed before: a race. */
static void race(mt_Check *c, mt_Region *r, const mt_Touch *t, uint32_t thread,
                 size_t i, uint64_t cell, char *base, char *p) {
  if (time_of(cell) >= c->group_start && thread_of(cell) == thread) {
    uint64_t before = reader_before(c, r, i, thread);
    if (before && is_read(c, cell)) cell = before;
  }
  const mt_Site *other = &c->sites->site[site_of(cell)];
  bool plain_before = other->after && is_atomic(t->s);
  if (plain_before) other = plain_write(c, other);
  uint64_t when = time_of(cell);
  mt_Finding f = {.kind = MT_FIND_RACE, .place = t->s->place,
                  .how = how_of(t->s), .other = other->place,
                  .other_how = how_of(other),
                  .apart = apart(c, cell, thread)};
  f.flags = when >= c->group_start && when < c->any_barrier;
  mt_check_name(c, t->s, r, base, p, &f);
  uint64_t group =
      when < c->group_start ? mt_epochs_group_of(c, when) : c->number;
  mt_ThreadAt at = mt_thread_at(c, group, thread_of(cell));
  bool itself = group == c->number && thread_of(cell) == thread;
  mt_finding_add(c, &f, thread, itself || plain_before ? NULL : &at);
}

static void unset(mt_Check *c, mt_Region *r, const mt_Touch *t, uint32_t thread,
                  char *base, char *p) {
  mt_Finding f = {.kind = MT_FIND_UNINITIALISED, .place = t->s->place,
                  .how = how_of(t->s)};
  mt_check_name(c, t->s, r, base, p, &f);
  mt_finding_add(c, &f, thread, NULL);
}

/* ------------------------------------------------------------------ values */

static const char *value_at(const mt_Touch *t, unsigned lane, uint32_t part) {
  uint32_t l = t->stride == 1 ? 0 : lane;
  return t->values + ((size_t)part * t->stride + l) * t->s->part_size;
}

/* Does the lane write the value that the other thread wrote? Compare with the
** other lane's value within one call, else with memory. */
static bool same_value(const mt_Touch *t, unsigned lane, uint64_t cell) {
  char *p = mt_touch_at(t, lane);
  uint32_t other = thread_of(cell);
  if (t->s->constant && site_of(cell) == t->site) return true;
  if (!t->s->parts || !t->values) return false;
  unsigned l = other % MT_LANES;
  bool beside = other / MT_LANES == t->sg && (t->mask >> l & 1) && l < lane &&
                t->stride > 1 && mt_touch_at(t, l) == p;
  for (uint32_t k = 0; k < t->s->parts; k++) {
    const void *there = beside ? value_at(t, l, k) : p + k * t->s->part_size;
    if (memcmp(value_at(t, lane, k), there, t->s->part_size) != 0)
      return false;
  }
  return true;
}

/* ------------------------------------------------------------------ touches */

static void note_read(mt_Check *c, mt_Region *r, size_t i, uint64_t mine,
                      uint32_t thread, bool atomic) {
  uint64_t old = mt_cell_was_read(c, r, i), when = time_of(old);
  if (old && when < c->group_start && r->space != MT_SPACE_THREADGROUP)
    return; /* another group's read stays: a write now races with it */
  if (old && when >= c->group_start && !is_before(c, r, old, thread)) {
    if (atomic && !atomic_cell(c, old)) return;
    mt_reader_left(c, r, i, old, mine);
    mine |= MT_CELL_SEVERAL;
  } else if (old && when >= c->group_start && when >= c->since[order_of(r)] &&
             thread_of(old) == thread && atomic && !atomic_cell(c, old)) {
    return;
  }
  *mt_cell_read(c, r, i) = mine;
  r->touched = true;
}

/* Another thread initialises threadgroup memory by an unordered atomic store:
** this access may come first and see no value. */
static bool is_set_too_late(const mt_Check *c, const mt_Region *r, size_t i,
                            const mt_Touch *t, uint64_t w, uint32_t thread) {
  return r == &c->group_memory && w && is_atomic(t->s) &&
         t->s->kind != MT_SITE_ATOMIC_WRITE && !c->simd_barriers &&
         c->sites->site[site_of(w)].kind == MT_SITE_ATOMIC_WRITE &&
         !(w & MT_CELL_SEVERAL) && !is_before(c, r, w, thread) &&
         !mt_tile_settled(c, i);
}

static void touch_read(mt_Check *c, mt_Region *r, const mt_Touch *t,
                       size_t i, uint32_t thread, char *base, char *p) {
  uint64_t w = mt_cell_written(c, r, i);
  bool atomic = is_atomic(t->s);
  bool stale = r->space == MT_SPACE_THREADGROUP &&
               (w == 0 || time_of(w) < c->group_start);
  if (stale || (w == 0 && r->blank))
    unset(c, r, t, thread, base, p);
  else if (w && !is_before(c, r, w, thread) &&
           (!(atomic && atomic_cell(c, w)) ||
            is_set_too_late(c, r, i, t, w, thread)))
    race(c, r, t, thread, i, w, base, p);
  note_read(c, r, i, cell_of(c, thread, t->site), thread, atomic);
}

/* Did another group write there non-atomically, and then atomically? No barrier
** of that group orders this one. */
static bool plain_elsewhere(const mt_Check *c, uint64_t cell) {
  return cell && time_of(cell) < c->group_start &&
         c->sites->site[site_of(cell)].after;
}

/* The cell of a write. For an atomic one it also records whether others did the
** same in this epoch, and whether the group wrote there non-atomically. */
static uint64_t cell_of_write(const mt_Check *c, const mt_Touch *t,
                              uint32_t thread, uint64_t old, bool open) {
  uint64_t mine = cell_of(c, thread, t->site);
  if (!old || !is_atomic(t->s)) return mine;
  bool plain = !atomic_cell(c, old) || c->sites->site[site_of(old)].after;
  if (plain && time_of(old) >= c->group_start &&
      t->site + 1 < c->sites->count && c->sites->site[t->site + 1].after)
    mine = cell_of(c, thread, t->site + 1);
  return open && atomic_cell(c, old) ? mine | MT_CELL_SEVERAL : mine;
}

static void touch_write(mt_Check *c, mt_Region *r, const mt_Touch *t, size_t i,
                        uint32_t thread, unsigned lane, char *base, char *p) {
  uint64_t w = mt_cell_written(c, r, i), rd = mt_cell_was_read(c, r, i);
  bool atomic = is_atomic(t->s), shared = r->space == MT_SPACE_THREADGROUP;
  if (shared && time_of(w) < c->group_start) w = 0;
  if (shared && time_of(rd) < c->group_start) rd = 0;
  if (t->s->kind == MT_SITE_ATOMIC && r->blank && w == 0)
    unset(c, r, t, thread, base, p);
  bool open_write = w && !is_before(c, r, w, thread);
  bool open_read = rd && !is_before(c, r, rd, thread);
  bool reported = false;
  if (open_write && (!(atomic && atomic_cell(c, w)) || plain_elsewhere(c, w) ||
                     is_set_too_late(c, r, i, t, w, thread))) {
    bool same = !atomic && !atomic_cell(c, w) &&
                same_value(t, lane, w);
    if (!same) race(c, r, t, thread, i, w, base, p);
    /* Setting a flag to one constant by many threads is intended, and no
    ** mistake in an output unless the caller names the outputs. */
    bool flag = t->s->constant && !c->options->outputs;
    if (same && !flag && !r->again[c->later]++)
      r->again_first[c->later] = (p - r->start) / (int64_t)t->s->size;
    reported = !same;
  }
  if (open_read && !reported && !(atomic && atomic_cell(c, rd)))
    race(c, r, t, thread, i, rd, base, p);
  /* In one epoch, keep the non-atomic access: more accesses race with it. */
  bool fresh_write = w && time_of(w) >= c->group_start &&
                     time_of(w) >= c->since[order_of(r)];
  bool fresh_read = rd && time_of(rd) >= c->group_start &&
                    time_of(rd) >= c->since[order_of(r)];
  if (!(atomic && fresh_write && !atomic_cell(c, w)))
    *mt_cell_write(c, r, i) = cell_of_write(c, t, thread, w, open_write);
  if (mt_cell_was_read(c, r, i) &&
      !(atomic && fresh_read && !atomic_cell(c, rd)))
    *mt_cell_read(c, r, i) = 0;
  r->touched = true;
}

void mt_shadow_touch(mt_Check *c, mt_Region *r, const mt_Touch *t,
                     unsigned lane, char *base) {
  char *p = mt_touch_at(t, lane);
  uint32_t thread = t->sg * MT_LANES + lane;
  size_t first = (size_t)(p - r->start) >> r->shift;
  size_t last = ((size_t)(p - r->start) + t->s->size - 1) >> r->shift;
  bool reads = t->s->kind == MT_SITE_READ || t->s->kind == MT_SITE_ATOMIC_READ;
  for (size_t i = first; i <= last && i < r->cells; i++) {
    if (mt_is_elsewhere(r, i)) continue;
    c->later = c->counting && r->opened && i >= r->first;
    if (reads)
      touch_read(c, r, t, i, thread, base, p);
    else
      touch_write(c, r, t, i, thread, lane, base, p);
  }
  c->later = false;
}

void mt_shadow_note(mt_Check *c, mt_Region *r, const mt_Touch *t,
                    unsigned lane) {
  uint32_t thread = t->sg * MT_LANES + lane;
  size_t at = (size_t)(mt_touch_at(t, lane) - r->start);
  size_t last = (at + t->s->size - 1) >> r->shift;
  for (size_t i = at >> r->shift; i <= last && i < r->cells; i++)
    if (!mt_is_elsewhere(r, i))
      note_read(c, r, i, cell_of(c, thread, t->site), thread, is_atomic(t->s));
}
