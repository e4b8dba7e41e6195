/*
** steps.c - a recording in the steps of SIMD-groups, see record.h.
**
** The one idea: lanes are in step where they are at the same site in the same
** iterations of its loops and have passed the same barriers. So those three
** numbers name a step. Each lane goes from step to step; an order in which all
** of them do is a topological sort of these edges. Where it is free, what a
** lower lane came to first is first.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/access_cost.h"
#include "devices/record.h"

#define LANES 32u
#define NONE UINT32_MAX

typedef struct Edge {
  uint32_t to, next; /* next one from the same step; NONE: no more */
} Edge;

typedef struct Merge {
  const mt_Recording *r;
  mt_Steps *out;
  uint32_t *step_of;   /* by event: its step, in the order of finding */
  mt_Step *found;      /* by step, in that order */
  uint32_t *instance;  /* by step */
  uint32_t *edges;     /* by step: its first edge; at last, its final number */
  uint32_t *before;    /* by step: edges to it that are left */
  size_t count;
  Edge *edge;          /* of the running SIMD-group */
  uint32_t *heap;      /* its steps that may be next, the least first */
  size_t edge_count, ready;
  uint32_t *slot;      /* a hash table of its steps; NONE: free */
  size_t slots;        /* a power of two */
} Merge;

/* ------------------------------------------------------------------ finding */

static size_t hash_of(const mt_Event *e) {
  uint64_t h = (uint64_t)e->site << 32 | e->instance;
  h = (h ^ (uint64_t)e->epoch << 48) * 0x9E3779B97F4A7C15u;
  return (size_t)(h ^ h >> 29);
}

static bool is_of(const Merge *m, uint32_t step, const mt_Event *e) {
  const mt_Step *s = &m->found[step];
  return s->site == e->site && s->epoch == e->epoch &&
         m->instance[step] == e->instance;
}

/* The slot of the event's step, or the free one for it. */
static uint32_t *slot_for(const Merge *m, const mt_Event *e) {
  size_t at = hash_of(e) & (m->slots - 1);
  while (m->slot[at] != NONE && !is_of(m, m->slot[at], e))
    at = (at + 1) & (m->slots - 1);
  return &m->slot[at];
}

static uint32_t add_step(Merge *m, const mt_Event *e) {
  uint32_t n = (uint32_t)m->count++;
  m->found[n] = (mt_Step){.group = e->group, .epoch = e->epoch,
                          .site = e->site,
                          .simdgroup = (uint16_t)(e->thread / LANES)};
  m->instance[n] = e->instance;
  m->edges[n] = NONE;
  m->before[n] = 0;
  return n;
}

static void add_edge(Merge *m, uint32_t from, uint32_t to) {
  m->edge[m->edge_count] = (Edge){to, m->edges[from]};
  m->edges[from] = (uint32_t)m->edge_count++;
  m->before[to]++;
}

/* The events of one lane, by number. A lane that comes to a step again (of an
** iteration that has the same number) makes a new one. */
static void follow_lane(Merge *m, const uint32_t *event, size_t n) {
  uint32_t last = NONE;
  for (size_t i = 0; i < n; i++) {
    const mt_Event *e = &m->r->events[event[i]];
    uint32_t *slot = slot_for(m, e), bit = 1u << e->thread % LANES;
    if (*slot == NONE || m->found[*slot].mask & bit) *slot = add_step(m, e);
    m->found[*slot].mask |= bit;
    m->found[*slot].count++;
    m->step_of[event[i]] = *slot;
    if (last != NONE) add_edge(m, last, *slot);
    last = *slot;
  }
}

/* ----------------------------------------------------------------- ordering */

static void push(Merge *m, uint32_t step) {
  size_t at = m->ready++;
  for (; at && m->heap[(at - 1) / 2] > step; at = (at - 1) / 2)
    m->heap[at] = m->heap[(at - 1) / 2];
  m->heap[at] = step;
}

static uint32_t pop(Merge *m) {
  uint32_t least = m->heap[0], last = m->heap[--m->ready];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < m->ready; at = child) {
    if (child + 1 < m->ready && m->heap[child + 1] < m->heap[child]) child++;
    if (m->heap[child] >= last) break;
    m->heap[at] = m->heap[child];
  }
  m->heap[at] = last;
  return least;
}

/* ------------------------------------------------------------ a threadgroup */

/* A table that holds 'n' steps. */
static bool clear_slots(Merge *m, size_t n) {
  size_t need = 64;
  while (need < 2 * n) need *= 2;
  if (need > m->slots) {
    free(m->slot);
    m->slot = malloc(need * sizeof *m->slot);
    m->slots = m->slot ? need : 0;
    if (!m->slot) return false;
  }
  memset(m->slot, 0xff, m->slots * sizeof *m->slot);
  return true;
}

typedef struct Place {
  uint32_t step, epoch;
  size_t at; /* among those of its group */
} Place;

/* By epoch; within one they stay as they are. */
static int by_epoch(const void *a, const void *b) {
  const Place *x = a, *y = b;
  if (x->epoch != y->epoch) return x->epoch < y->epoch ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

/* The events of a group. */
typedef struct Group {
  const uint32_t *event;  /* numbers of events, thread by thread */
  const size_t *first;    /* by thread: its first one; one more at the end */
} Group;

/* A SIMD-group's steps, in order, appended to 'to'. */
static bool merge_simdgroup(Merge *m, const Group *g, unsigned sg, Place *to,
                            size_t *n) {
  unsigned from = sg * LANES, end = from + LANES;
  uint32_t first = (uint32_t)m->count;
  if (!clear_slots(m, g->first[end] - g->first[from])) return false;
  m->edge_count = m->ready = 0;
  for (unsigned t = from; t < end; t++)
    follow_lane(m, g->event + g->first[t], g->first[t + 1] - g->first[t]);
  for (uint32_t s = first; s < m->count; s++)
    if (m->before[s] == 0) push(m, s);
  while (m->ready) {
    uint32_t s = pop(m);
    to[*n] = (Place){s, m->found[s].epoch, *n}, ++*n;
    for (uint32_t e = m->edges[s]; e != NONE; e = m->edge[e].next)
      if (--m->before[m->edge[e].to] == 0) push(m, m->edge[e].to);
  }
  for (uint32_t s = first; s < m->count; s++) /* a circle: never seen */
    if (m->before[s]) to[*n] = (Place){s, m->found[s].epoch, *n}, ++*n;
  return true;
}

/* The events from 'a' up to 'b' are of one group. */
static bool merge_group(Merge *m, size_t a, size_t b, Place *places) {
  enum { most = 1024 };
  size_t first[1026] = {0}, at[1026], n = 0;
  const mt_Event *e = m->r->events;
  uint32_t *list = malloc((b - a) * sizeof *list);
  if (!list) return false;
  for (size_t i = a; i < b; i++) first[e[i].thread % most + 1]++;
  for (unsigned t = 0; t < most; t++) first[t + 1] += first[t];
  memcpy(at, first, sizeof at);
  for (size_t i = a; i < b; i++) list[at[e[i].thread % most]++] = (uint32_t)i;
  Group g = {list, first};
  bool ok = true;
  for (unsigned sg = 0; ok && sg < most / LANES; sg++)
    if (first[sg * LANES] != first[(sg + 1) * LANES])
      ok = merge_simdgroup(m, &g, sg, places, &n);
  qsort(places, n, sizeof *places, by_epoch);
  for (size_t i = 0; ok && i < n; i++) {
    mt_Step *s = &m->out->step[m->out->count];
    *s = m->found[places[i].step];
    m->edges[places[i].step] = (uint32_t)m->out->count++;
  }
  free(list);
  return ok;
}

/* -------------------------------------------------------------------- costs */

static void set_cost(const mt_Recording *r, const uint32_t *order,
                     mt_Step *s) {
  const mt_RecordSite *site = &r->sites[s->site];
  mt_LaneAddresses p = {.mask = s->mask, .size = site->size};
  mt_Space space = MT_SPACE_NONE;
  for (size_t i = s->first; i < s->first + s->count; i++) {
    const mt_Event *e = &r->events[order[i]];
    unsigned object = mt_event_object(e);
    if (object == MT_NO_OBJECT || site->kind > MT_EVENT_ATOMIC) return;
    const mt_RecordObject *o = &r->objects[object];
    /* different objects share no line */
    p.at[e->thread % LANES] = ((uintptr_t)object << 40) +
                              (uintptr_t)o->address +
                              (uintptr_t)mt_event_offset(e);
    if (o->space == MT_SPACE_THREADGROUP) /* but banks */
      p.at[e->thread % LANES] -= (uintptr_t)object << 40;
    space = o->space;
  }
  uint64_t ideal = 0, units = 0;
  if (space == MT_SPACE_DEVICE) units = mt_cost_lines(&p, &ideal);
  if (space == MT_SPACE_THREADGROUP) units = mt_cost_banks(&p, &ideal);
  s->units = (uint32_t)units;
  s->ideal = (uint32_t)ideal;
  if (site->kind == MT_EVENT_ATOMIC) s->queue = (uint32_t)mt_cost_queue(&p);
}

/* At most 32, and nearly always in order. */
static void sort_lanes(const mt_Recording *r, uint32_t *event, size_t n) {
  for (size_t i = 1; i < n; i++) {
    uint32_t x = event[i];
    size_t k = i;
    for (; k > 0 && r->events[event[k - 1]].thread > r->events[x].thread; k--)
      event[k] = event[k - 1];
    event[k] = x;
  }
}

static void set_order(Merge *m) {
  mt_Steps *s = m->out;
  size_t at = 0;
  for (size_t i = 0; i < s->count; i++) {
    s->step[i].first = at;
    at += s->step[i].count;
    s->step[i].count = 0;
  }
  for (size_t i = 0; i < m->r->count; i++) {
    mt_Step *to = &s->step[m->edges[m->step_of[i]]];
    s->order[to->first + to->count++] = (uint32_t)i;
  }
  for (size_t i = 0; i < s->count; i++) {
    sort_lanes(m->r, s->order + s->step[i].first, s->step[i].count);
    set_cost(m->r, s->order, &s->step[i]);
  }
}

/* ---------------------------------------------------------------- the whole */

mt_Status mt_steps_new(const mt_Recording *r, mt_Steps *out, mt_Error *err) {
  size_t n = r->count;
  Merge m = {.r = r, .out = out};
  memset(out, 0, sizeof *out);
  if (n >= NONE) return mt_error(err, MT_FAIL, "too many events");
  out->step = malloc((n + 1) * sizeof *out->step);
  out->order = malloc((n + 1) * sizeof *out->order);
  m.found = malloc((n + 1) * sizeof *m.found);
  m.step_of = malloc((n + 1) * sizeof *m.step_of);
  m.edges = malloc((n + 1) * sizeof *m.edges);
  m.before = malloc((n + 1) * sizeof *m.before);
  m.edge = malloc((n + 1) * sizeof *m.edge);
  m.heap = malloc((n + 1) * sizeof *m.heap);
  m.instance = malloc((n + 1) * sizeof *m.instance);
  Place *places = malloc((n + 1) * sizeof *places);
  bool ok = out->step && out->order && m.found && m.step_of && m.edges &&
            m.before && m.edge && m.heap && m.instance && places;
  for (size_t a = 0, b; ok && a < n; a = b) {
    for (b = a + 1; b < n && r->events[b].group == r->events[a].group;) b++;
    ok = merge_group(&m, a, b, places);
  }
  if (ok) set_order(&m);
  free(m.found);
  free(m.step_of);
  free(m.edges);
  free(m.before);
  free(m.edge);
  free(m.heap);
  free(m.instance);
  free(m.slot);
  free(places);
  if (ok) return MT_OK;
  mt_steps_free(out);
  return mt_error(err, MT_FAIL, "out of memory");
}

void mt_steps_free(mt_Steps *s) {
  free(s->step);
  free(s->order);
  memset(s, 0, sizeof *s);
}
