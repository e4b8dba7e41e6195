/*
** index.c - threads and variables of a recording, see index.h.
**
** The one idea: what is asked often is sorted once. Events are sorted by thread
** when the index is made; the values of one thread by variable, and the lines
** of one SIMD-group by place, when they are first asked for, and kept for a
** while.
*/
#include "devices/recording/index.h"

#include <stdlib.h>
#include <string.h>

#include "devices/recording/memory.h"

enum { KEPT = 96, LANES = 32 };

/* The values of one thread, by variable, and its visits. Positions are less the
** slice's first. */
typedef struct Values {
  const mt_Slice *of;
  size_t *start;    /* by variable; one more at the end */
  uint32_t *list;   /* positions, in order */
  uint32_t *visit;  /* where each begins */
  size_t visits;
} Values;

/* The lines of one SIMD-group, by site, iteration and lane. */
typedef struct Line {
  uint64_t key;
  uint32_t event, lane;
} Line;

struct mt_RecordIndex {
  const mt_Recording *r;
  uint32_t *order;
  mt_Slice *slice;
  size_t slices;
  Values kept[KEPT];
  size_t next;
  Line *line;       /* of the SIMD-group, */
  size_t lines;
  uint64_t line_group;
  uint32_t line_simdgroup;
  bool has_lines;
  mt_RecordMemory *memory; /* NULL: not asked for */
};

/* ------------------------------------------------------------------ threads */

static uint64_t thread_key(const mt_Event *e) {
  return (uint64_t)e->group << 16 | e->thread;
}

/* A table of slices by their key, while the index is made. */
typedef struct Found {
  uint32_t *slot; /* number of the slice + 1 */
  size_t mask;
} Found;

static size_t slot_of(const mt_RecordIndex *x, const Found *f, uint64_t key) {
  size_t at = (size_t)((key * 0x9E3779B97F4A7C15u) >> 20) & f->mask;
  for (; f->slot[at]; at = (at + 1) & f->mask) {
    const mt_Slice *s = &x->slice[f->slot[at] - 1];
    if (((uint64_t)s->group << 16 | s->thread) == key) break;
  }
  return at;
}

static bool more_slots(const mt_RecordIndex *x, Found *f, size_t count) {
  if (f->slot && count * 2 < f->mask) return true;
  size_t n = f->slot ? (f->mask + 1) * 2 : 1024;
  uint32_t *slot = calloc(n, sizeof *slot);
  if (!slot) return false;
  free(f->slot);
  *f = (Found){slot, n - 1};
  for (size_t i = 0; i < count; i++) {
    uint64_t key = (uint64_t)x->slice[i].group << 16 | x->slice[i].thread;
    f->slot[slot_of(x, f, key)] = (uint32_t)i + 1;
  }
  return true;
}

static bool add_slice(mt_RecordIndex *x, Found *f, size_t *room,
                      uint64_t key) {
  if (x->slices == *room) {
    *room = *room ? *room * 2 : 1024;
    mt_Slice *more = realloc(x->slice, *room * sizeof *more);
    if (!more) return false;
    x->slice = more;
  }
  x->slice[x->slices++] = (mt_Slice){.group = (uint32_t)(key >> 16),
                                     .thread = (uint32_t)key & 0xffff};
  f->slot[slot_of(x, f, key)] = (uint32_t)x->slices;
  return more_slots(x, f, x->slices);
}

/* The slice of a thread, which is added if it is new; 0: no memory, else its
** number from 1 on. */
static size_t slice_of(mt_RecordIndex *x, Found *f, size_t *room,
                       uint64_t key) {
  uint32_t known = f->slot[slot_of(x, f, key)];
  if (known) return known;
  return add_slice(x, f, room, key) ? x->slices : 0;
}

/* Counts the events of each thread; of[i]: the slice of event i. */
static bool count_threads(mt_RecordIndex *x, uint32_t *of) {
  Found f = {NULL, 0};
  size_t room = 0, at = 0;
  uint64_t last = UINT64_MAX;
  bool ok = more_slots(x, &f, 0);
  for (size_t i = 0; ok && i < x->r->count; i++) {
    uint64_t key = thread_key(&x->r->events[i]);
    if (key != last) at = slice_of(x, &f, &room, key);
    last = key;
    ok = at != 0;
    if (!ok) break;
    x->slice[at - 1].count++;
    of[i] = (uint32_t)at - 1;
  }
  free(f.slot);
  return ok;
}

static int by_thread(const void *a, const void *b) {
  const mt_Slice *x = a, *y = b;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static bool make_order(mt_RecordIndex *x) {
  const mt_Recording *r = x->r;
  x->order = malloc((r->count + 1) * sizeof *x->order);
  uint32_t *of = malloc((r->count + 1) * sizeof *of);
  size_t *next = NULL;
  bool ok = x->order && of && r->count < UINT32_MAX && count_threads(x, of) &&
            (next = malloc((x->slices + 1) * sizeof *next)) != NULL;
  size_t at = 0;
  for (size_t i = 0; ok && i < x->slices; i++) {
    x->slice[i].first = next[i] = at;
    at += x->slice[i].count;
  }
  for (size_t i = 0; ok && i < r->count; i++)
    x->order[next[of[i]]++] = (uint32_t)i;
  free(of);
  free(next);
  if (ok && x->slices) qsort(x->slice, x->slices, sizeof *x->slice, by_thread);
  return ok;
}

mt_RecordIndex *mt_record_index_new(const mt_Recording *r, mt_Error *err) {
  mt_RecordIndex *x = calloc(1, sizeof *x);
  if (x) x->r = r;
  if (x && make_order(x)) return x;
  mt_error(err, MT_FAIL, "no memory to sort %zu events", r->count);
  mt_record_index_free(x);
  return NULL;
}

void mt_record_index_free(mt_RecordIndex *x) {
  if (!x) return;
  for (size_t i = 0; i < KEPT; i++) {
    free(x->kept[i].start);
    free(x->kept[i].list);
    free(x->kept[i].visit);
  }
  mt_record_memory_free(x->memory);
  free(x->line);
  free(x->slice);
  free(x->order);
  free(x);
}

size_t mt_index_slices(const mt_RecordIndex *x) { return x->slices; }

const mt_Slice *mt_index_slice(const mt_RecordIndex *x, size_t number) {
  return number < x->slices ? &x->slice[number] : NULL;
}

const mt_Slice *mt_index_thread(const mt_RecordIndex *x, uint32_t group,
                                uint32_t thread) {
  mt_Slice key = {.group = group, .thread = thread};
  return x->slices ? bsearch(&key, x->slice, x->slices, sizeof key, by_thread)
                   : NULL;
}

size_t mt_index_event(const mt_RecordIndex *x, size_t position) {
  return position < x->r->count ? x->order[position] : MT_NOWHERE;
}

size_t mt_index_before(const mt_RecordIndex *x, const mt_Slice *s,
                       size_t event) {
  size_t n = mt_count_until(x->order + s->first, s->count, event);
  return n ? s->first + n - 1 : MT_NOWHERE;
}

/* ---------------------------------------------------------------- variables */

static const mt_Event *event_at(const mt_RecordIndex *x, size_t position) {
  return &x->r->events[x->order[position]];
}

static bool is_value(const mt_RecordIndex *x, const mt_Event *e) {
  return x->r->sites[e->site].kind == MT_EVENT_VALUE &&
         mt_event_object(e) < x->r->variable_count;
}

static bool sort_values(mt_RecordIndex *x, Values *v) {
  const mt_Slice *s = v->of;
  size_t n = x->r->variable_count;
  v->start = calloc(n + 2, sizeof *v->start);
  if (!v->start) return false;
  for (size_t i = 0; i < s->count; i++) {
    const mt_Event *e = event_at(x, s->first + i);
    if (is_value(x, e)) v->start[mt_event_object(e) + 2]++;
  }
  for (size_t i = 2; i < n + 2; i++) v->start[i] += v->start[i - 1];
  v->list = malloc((v->start[n + 1] + 1) * sizeof *v->list);
  for (size_t i = 0; v->list && i < s->count; i++) {
    const mt_Event *e = event_at(x, s->first + i);
    if (is_value(x, e))
      v->list[v->start[mt_event_object(e) + 1]++] = (uint32_t)i;
  }
  return v->list != NULL;
}

enum { PARTS = 64 };

/* The line events of the visit that is being read. */
typedef struct Reading {
  uint16_t site[PARTS];
  size_t count;
} Reading;

/* Does a visit begin with this line event? */
static bool begins(const mt_RecordIndex *x, Reading *v, const mt_Event *e) {
  const mt_RecordSite *s = &x->r->sites[e->site];
  const mt_RecordSite *t = v->count ? &x->r->sites[v->site[0]] : NULL;
  bool fresh = !t || t->frame != s->frame || t->place.line != s->place.line ||
               t->place.file != s->place.file || v->count == PARTS;
  for (size_t i = 0; !fresh && i < v->count; i++) fresh = v->site[i] == e->site;
  if (fresh) v->count = 0;
  v->site[v->count++] = e->site;
  return fresh;
}

static bool list_visits(mt_RecordIndex *x, Values *v) {
  const mt_Slice *s = v->of;
  size_t room = 0;
  Reading now = {.count = 0};
  for (size_t i = 0; i < s->count; i++) {
    const mt_Event *e = event_at(x, s->first + i);
    if (x->r->sites[e->site].kind != MT_EVENT_LINE || !begins(x, &now, e))
      continue;
    if (v->visits == room) {
      room = room ? room * 2 : 256;
      uint32_t *more = realloc(v->visit, room * sizeof *more);
      if (!more) return false;
      v->visit = more;
    }
    v->visit[v->visits++] = (uint32_t)i;
  }
  return true;
}

static const Values *values_of(mt_RecordIndex *x, const mt_Slice *s) {
  for (size_t i = 0; i < KEPT; i++)
    if (x->kept[i].of == s) return &x->kept[i];
  Values *v = &x->kept[x->next++ % KEPT];
  free(v->start);
  free(v->list);
  free(v->visit);
  *v = (Values){.of = s};
  if (sort_values(x, v) && list_visits(x, v)) return v;
  v->of = NULL;
  return NULL;
}

bool mt_index_visit_at(mt_RecordIndex *x, const mt_Slice *s, size_t number,
                       mt_Visit *out) {
  const Values *v = values_of(x, s);
  if (!v || number >= v->visits) return false;
  size_t end = number + 1 < v->visits ? v->visit[number + 1] : s->count;
  *out = (mt_Visit){number, v->visits, s->first + v->visit[number],
                    s->first + end - 1};
  return true;
}

bool mt_index_visit(mt_RecordIndex *x, const mt_Slice *s, size_t position,
                    mt_Visit *out) {
  const Values *v = values_of(x, s);
  if (!v) return false;
  size_t n = position < s->first
                 ? 0
                 : mt_count_until(v->visit, v->visits, position - s->first);
  return mt_index_visit_at(x, s, n ? n - 1 : 0, out);
}

/* Takes what an event gave the variable, where no later one did. */
static size_t take(const mt_RecordIndex *x, const mt_Event *e, size_t size,
                   char *bytes, char *known) {
  const char *from = mt_event_value(x->r, e);
  size_t at = (size_t)mt_event_offset(e), n = x->r->sites[e->site].size;
  size_t taken = 0;
  for (size_t i = 0; i < n && at + i < size; i++) {
    if (known[at + i]) continue;
    bytes[at + i] = from[i];
    known[at + i] = 1;
    taken++;
  }
  return taken;
}

size_t mt_index_variable(mt_RecordIndex *x, const mt_Slice *s,
                         unsigned variable, size_t since, size_t position,
                         char *bytes, char *known) {
  const Values *v = values_of(x, s);
  size_t size = x->r->variables[variable].size, missing = size;
  memset(bytes, 0, size);
  memset(known, 0, size);
  if (!v) return MT_NOWHERE;
  if (position < s->first) return MT_NOWHERE;
  size_t first = v->start[variable];
  size_t n = mt_count_until(v->list + first, v->start[variable + 1] - first,
                            position - s->first);
  size_t last = MT_NOWHERE;
  while (n-- && missing) {
    size_t at = s->first + v->list[first + n];
    if (at < since) break;
    if (last == MT_NOWHERE) last = at;
    missing -= take(x, event_at(x, at), size, bytes, known);
  }
  return last;
}

/* Is 'frame' the frame 'outer', or called by it? */
static bool is_within(const mt_Recording *r, uint32_t frame, uint32_t outer) {
  while (frame != outer && frame) frame = r->frames[frame].parent;
  return frame == outer;
}

size_t mt_index_entry(const mt_RecordIndex *x, const mt_Slice *s,
                      uint32_t frame, size_t position) {
  if (frame == 0) return s->first;
  size_t at = position;
  while (at > s->first &&
         is_within(x->r, x->r->sites[event_at(x, at - 1)->site].frame, frame))
    at--;
  return at;
}

/* -------------------------------------------------------------------- lanes */

static uint64_t line_key(const mt_Event *e) {
  return (uint64_t)e->site << 32 | e->instance;
}

static int by_key(const void *a, const void *b) {
  const Line *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  if (x->lane != y->lane) return x->lane < y->lane ? -1 : 1;
  return x->event < y->event ? -1 : x->event > y->event;
}

static bool sort_lines(mt_RecordIndex *x, uint32_t group, uint32_t simdgroup) {
  size_t room = 0;
  if (x->has_lines && x->line_group == group && x->line_simdgroup == simdgroup)
    return true;
  x->has_lines = false;
  x->lines = 0;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const mt_Slice *s = mt_index_thread(x, group, simdgroup * LANES + lane);
    if (s) room += s->count;
  }
  free(x->line);
  x->line = malloc((room + 1) * sizeof *x->line);
  if (!x->line) return false;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const mt_Slice *s = mt_index_thread(x, group, simdgroup * LANES + lane);
    for (size_t i = 0; s && i < s->count; i++) {
      const mt_Event *e = event_at(x, s->first + i);
      if (x->r->sites[e->site].kind == MT_EVENT_LINE)
        x->line[x->lines++] = (Line){line_key(e), x->order[s->first + i], lane};
    }
  }
  qsort(x->line, x->lines, sizeof *x->line, by_key);
  x->line_group = group, x->line_simdgroup = simdgroup;
  return x->has_lines = true;
}

mt_Status mt_index_lanes(mt_RecordIndex *x, size_t event, size_t out[32],
                         mt_Error *err) {
  const mt_Event *e = &x->r->events[event];
  uint64_t key = line_key(e);
  for (int l = 0; l < LANES; l++) out[l] = MT_NOWHERE;
  if (!sort_lines(x, e->group, e->thread / LANES))
    return mt_error(err, MT_FAIL, "out of memory");
  size_t low = 0, high = x->lines;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (x->line[middle].key < key) low = middle + 1;
    else high = middle;
  }
  for (; low < x->lines && x->line[low].key == key; low++)
    if (out[x->line[low].lane] == MT_NOWHERE ||
        x->line[low].event <= event)
      out[x->line[low].lane] = x->line[low].event;
  return MT_OK;
}

/* ------------------------------------------------------------------- memory */

static bool has_memory(mt_RecordIndex *x) {
  if (!x->memory) x->memory = mt_record_memory_new(x->r);
  return x->memory != NULL;
}

bool mt_index_is_unwritten(mt_RecordIndex *x, size_t event) {
  return has_memory(x) && mt_record_memory_is_unwritten(x->memory, event);
}

mt_Status mt_index_memory(mt_RecordIndex *x, unsigned object, size_t event,
                          const char **bytes, const char **known,
                          mt_Error *err) {
  if (!has_memory(x))
    return mt_error(err, MT_FAIL, "no memory for the contents of the buffers");
  mt_record_memory_go(x->memory, event);
  mt_record_memory_see(x->memory, object, bytes, known);
  return MT_OK;
}

/* ----------------------------------------------------------- two recordings */

static bool is_compared(const mt_RecordIndex *x, const mt_Event *e,
                        bool lines) {
  mt_EventKind k = x->r->sites[e->site].kind;
  return lines || (k != MT_EVENT_LINE && k != MT_EVENT_VALUE);
}

static const char *name_of(const mt_Recording *r, const mt_Event *e) {
  unsigned n = mt_event_object(e);
  if (r->sites[e->site].kind == MT_EVENT_VALUE)
    return n < r->variable_count ? r->variables[n].name : "";
  return n < r->object_count ? r->objects[n].name : "";
}

static bool is_alike(const mt_RecordIndex *x, const mt_Event *a,
                     const mt_RecordIndex *y, const mt_Event *b, bool lines) {
  const mt_RecordSite *s = &x->r->sites[a->site], *t = &y->r->sites[b->site];
  if (s->kind != t->kind || s->size != t->size || s->bytes != t->bytes)
    return false;
  if (lines && (s->place.line != t->place.line)) return false;
  if (strcmp(name_of(x->r, a), name_of(y->r, b)) != 0) return false;
  if (s->kind != MT_EVENT_LANES && mt_event_offset(a) != mt_event_offset(b))
    return false;
  if (s->kind == MT_EVENT_LANES && strcmp(s->name, t->name) != 0) return false;
  return s->bytes == 0 || memcmp(mt_event_value(x->r, a),
                                 mt_event_value(y->r, b), s->bytes) == 0;
}

/* The next position from 'at' on of what is compared; the slice's end: none. */
static size_t next_compared(const mt_RecordIndex *x, const mt_Slice *s,
                            size_t at, bool lines) {
  while (at < s->first + s->count && !is_compared(x, event_at(x, at), lines))
    at++;
  return at;
}

/* Where a thread parts; false: nowhere. */
static bool part_thread(const mt_RecordIndex *x, const mt_Slice *a,
                        const mt_RecordIndex *y, const mt_Slice *b, bool lines,
                        size_t *mine, size_t *other) {
  size_t i = a->first, k = b->first;
  for (;; i++, k++) {
    i = next_compared(x, a, i, lines);
    k = next_compared(y, b, k, lines);
    bool end = i == a->first + a->count, ends = k == b->first + b->count;
    if (end && ends) return false;
    if (end || ends ||
        !is_alike(x, event_at(x, i), y, event_at(y, k), lines)) {
      *mine = end ? MT_NOWHERE : x->order[i];
      *other = ends ? MT_NOWHERE : y->order[k];
      return true;
    }
  }
}

bool mt_index_part(const mt_RecordIndex *x, const mt_RecordIndex *y, bool lines,
                   size_t *mine, size_t *other) {
  bool found = false;
  for (size_t i = 0; i < x->slices; i++) {
    const mt_Slice *a = &x->slice[i];
    const mt_Slice *b = mt_index_thread(y, a->group, a->thread);
    size_t m, o;
    if (!b || !part_thread(x, a, y, b, lines, &m, &o)) continue;
    if (found && m >= *mine) continue;
    *mine = m, *other = o;
    found = true;
  }
  return found;
}
