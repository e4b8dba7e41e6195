/*
** recorder.c - what recorded code calls: events and their values.
**
** The one idea: threads run one after the other on one OS thread, so memory
** holds the value of an access right after it.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/host/record/record.h"
#include "devices/host/run/run.h"

/* Where an access may fault that reads for generated code. */
#define NEAR ((uintptr_t)16 << 20)

/* ------------------------------------------------------------------- groups */

/* Number 'thread' of the grid: its group's number, and its index there. */
static uint32_t group_of(const mt_Group *g, uint32_t thread, uint32_t *index) {
  uint32_t at[3] = {thread % g->grid[0], thread / g->grid[0] % g->grid[1],
                    thread / g->grid[0] / g->grid[1]};
  uint32_t number = 0;
  *index = 0;
  for (int d = 2; d >= 0; d--) {
    uint32_t group = at[d] / g->size[d];
    uint32_t left = g->grid[d] - group * g->size[d];
    number = number * g->groups[d] + group;
    *index = *index * (left < g->size[d] ? left : g->size[d]) +
             at[d] % g->size[d];
  }
  return number;
}

static void choose(mt_Recorder *r, const mt_Group *g) {
  const mt_RecordOptions *o = r->options;
  r->chosen = o->group < 0 || (uint64_t)o->group == r->number;
  r->all = !o->threads;
  if (r->all || !r->chosen) return;
  memset(r->wanted, 0, sizeof r->wanted);
  r->chosen = false;
  for (size_t i = 0; i < o->thread_count; i++) {
    uint32_t index;
    if (group_of(g, o->threads[i], &index) != r->number ||
        index >= MT_GROUP_MOST)
      continue;
    r->wanted[index] = r->chosen = true;
  }
}

void mt_record_group(const mt_Group *g, uint64_t number) {
  mt_Recorder *r = g->observer;
  mt_progress_group(&r->progress);
  r->group = g;
  r->number = (uint32_t)number;
  memset(r->epoch, 0, sizeof r->epoch);
  mt_record_find(r, g);
  choose(r, g);
}

/* ------------------------------------------------------------------- events */

static bool is_wanted(const mt_Recorder *r, uint32_t index) {
  return r->chosen && (r->all || r->wanted[index]);
}

static bool grow(void **list, size_t need, size_t *room, size_t item) {
  if (need <= *room) return true;
  size_t more = *room ? *room * 2 : 4096;
  while (more < need) more *= 2;
  mt_guard_shield(); /* allocates */
  void *bigger = realloc(*list, more * item);
  mt_guard_unshield();
  if (!bigger) return false;
  *list = bigger;
  *room = more;
  return true;
}

/* A new event with room for 'bytes' of value in the pool; NULL: it is left
** out. */
static mt_Event *add(mt_Recorder *r, uint32_t index, uint32_t site,
                     uint32_t instance, size_t bytes) {
  mt_Recording *o = r->out;
  size_t pool = bytes > 8 ? bytes : 0;
  uint64_t all = (o->count + 1) * sizeof *o->events + o->pool_bytes + pool;
  if (o->count >= r->most_events || all > r->most_bytes ||
      !grow((void **)&o->events, o->count + 1, &r->room, sizeof *o->events) ||
      !grow((void **)&o->pool, o->pool_bytes + pool, &r->pool_room, 1)) {
    o->left_out++;
    return NULL;
  }
  mt_Event *e = &o->events[o->count++];
  *e = (mt_Event){.group = r->number, .thread = (uint16_t)index,
                  .site = (uint16_t)site, .epoch = r->epoch[index],
                  .instance = instance,
                  .where = mt_event_where(MT_NO_OBJECT, 0)};
  if (pool) e->value = o->pool_bytes;
  o->pool_bytes += pool;
  return e;
}

/* The value's bytes, to be written. */
static char *value_of(mt_Recorder *r, mt_Event *e, size_t bytes) {
  return bytes > 8 ? (char *)r->out->pool + e->value : (char *)&e->value;
}

/* Is it on the stack that this thread runs on? */
static bool is_private(const char *p) {
  char here;
  uintptr_t at = (uintptr_t)p, stack = (uintptr_t)&here;
  return at - (stack - NEAR) < 2 * NEAR;
}

static void access(mt_Recorder *r, uint32_t index, uint32_t site,
                   uint32_t instance, const char *p) {
  const mt_Site *s = &r->sites->site[site];
  bool atomic = s->kind == MT_SITE_ATOMIC;
  size_t bytes = atomic ? 2 * (size_t)s->size : s->size;
  int64_t offset;
  if (!is_wanted(r, index)) return;
  unsigned object = mt_record_object(r, s, p, &offset);
  if (object == MT_NO_OBJECT) {
    r->out->unplaced += !is_private(p);
    return;
  }
  mt_Event *e = add(r, index, site, instance, bytes);
  if (!e) return;
  e->where = mt_event_where(object, offset);
  char *to = value_of(r, e, bytes);
  if (atomic) memcpy(to, r->old, s->size), to += s->size;
  memcpy(to, p, s->size);
}

/* An access before or after its probe: a fault is the kernel's, at its line. */
#define AT_CALLER(statement)                                                 \
  do {                                                                       \
    mt_Group *at_group = (mt_Group *)(uintptr_t)r->group;         \
    at_group->caller = (uintptr_t)__builtin_return_address(0);               \
    statement;                                                               \
    at_group->caller = 0;                                                    \
  } while (0)

void mt_record_at(mt_Recorder *r, uint32_t index, uint32_t site,
                  uint32_t instance, const char *p) {
  AT_CALLER(access(r, index, site, instance, p));
}

void mt_record_old(mt_Recorder *r, uint32_t index, uint32_t site,
                   uint32_t instance, const char *p) {
  uint32_t size = r->sites->site[site].size;
  (void)index, (void)instance;
  AT_CALLER(memcpy(r->old, p, size < 8 ? size : 8));
}

void mt_record_wait(mt_Recorder *r, uint32_t index, uint32_t site,
                    uint32_t instance) {
  if (is_wanted(r, index))
    add(r, index, site, instance, 0);
}

void mt_record_pass(mt_Recorder *r, uint32_t index, uint32_t site,
                    uint32_t instance) {
  (void)site, (void)instance;
  r->epoch[index]++;
}

void mt_record_lanes(mt_Recorder *r, uint32_t index, uint32_t site,
                     uint32_t instance, uint32_t from, uint64_t value) {
  if (!is_wanted(r, index)) return;
  mt_Event *e = add(r, index, site, instance, 8);
  if (!e) return;
  e->value = value;
  e->where = mt_event_where(MT_NO_OBJECT, (int32_t)from);
}

/* Metal does not say which lane holds which elements: these are the host's. */
void mt_record_matrix(mt_Recorder *r, uint32_t index, uint32_t site,
                      uint32_t instance, const char *p, int64_t stride,
                      uint32_t turned) {
  int64_t size = r->sites->site[site].size;
  for (uint32_t half = 0; half < 2; half++) {
    int64_t row = mt_lane_row(index % MT_LANES);
    int64_t column = mt_lane_column(index % MT_LANES) + half;
    int64_t at = turned ? column * stride + row : row * stride + column;
    AT_CALLER(access(r, index, site + half, instance, p + at * size));
  }
}

/* --------------------------------------------------------- lines, variables */

void mt_record_line(mt_Recorder *r, uint32_t index, uint32_t site,
                    uint32_t instance) {
  if (r->options->schedule == MT_SCHEDULE_LINES)
    mt_fiber_yield(r->group, index);
  if (is_wanted(r, index))
    add(r, index, site, instance, 0);
}

/* A variable's event, with room for its value; NULL: it is left out. */
static char *add_value(mt_Recorder *r, uint32_t index, uint32_t site,
                       uint32_t instance, uint32_t offset) {
  size_t bytes = r->sites->site[site].size;
  const mt_Variable *v = &r->sites->variable[r->sites->site[site].root];
  if (!is_wanted(r, index)) return NULL;
  if (bytes > v->size || offset > v->size - bytes) return NULL; /* another's */
  mt_Event *e = add(r, index, site, instance, bytes);
  if (!e) return NULL;
  e->where = mt_event_where((unsigned)r->sites->site[site].root,
                            (int32_t)offset);
  return value_of(r, e, bytes);
}

void mt_record_value(mt_Recorder *r, uint32_t index, uint32_t site,
                     uint32_t instance, uint32_t offset, uint64_t a, uint64_t b,
                     uint64_t c, uint64_t d) {
  uint64_t words[] = {a, b, c, d};
  char *to = add_value(r, index, site, instance, offset);
  size_t bytes = r->sites->site[site].size;
  if (to) memcpy(to, words, bytes < sizeof words ? bytes : sizeof words);
}

void mt_record_copy(mt_Recorder *r, uint32_t index, uint32_t site,
                    uint32_t instance, uint32_t offset, const char *p) {
  char *to = add_value(r, index, site, instance, offset);
  if (to) memcpy(to, p, r->sites->site[site].size);
}

/* A pointer is kept as the object it leads to. */
void mt_record_pointer(mt_Recorder *r, uint32_t index, uint32_t site,
                       uint32_t instance, uint32_t in, const char *p) {
  static const mt_Site any = {.root = MT_ROOT_UNKNOWN};
  int64_t offset = 0;
  char *to = add_value(r, index, site, instance, in);
  if (!to) return;
  unsigned object = mt_record_object(r, &any, p, &offset);
  uint64_t where = mt_event_where(object, offset);
  memcpy(to, &where, sizeof where);
}
