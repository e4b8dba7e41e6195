/*
** memory.c - memory at a moment, see memory.h.
**
** The one idea: the first pass over the events notes for each write what it
** replaced, so that every later move can go either way. Threadgroup memory is
** one group's: it is forgotten where another group begins, and the pass notes
** that like a write.
*/
#include "devices/recording/memory.h"

#include <stdlib.h>
#include <string.h>

/* A change of one object: 'event' replaced what is in the pool, bytes and then
** their knownness. */
typedef struct Change {
  uint32_t event;
  uint16_t object;
  bool forgets;  /* another group begins */
  uint32_t size;
  uint64_t offset;
  uint64_t old;  /* in the pool */
} Change;

struct mt_RecordMemory {
  const mt_Recording *r;
  char **bytes, **known; /* by object */
  uint64_t *low, *high;  /* threadgroup memory: what its group has written */
  Change *change;
  size_t count, room;
  char *pool;
  size_t used, pool_room;
  size_t done;           /* changes that are done */
  uint32_t *unwritten;   /* reads of what was not written, in order */
  size_t unwritten_count, unwritten_room;
};

static bool grow(void *list, size_t need, size_t *room, size_t item) {
  if (need <= *room) return true;
  size_t more = *room ? *room * 2 : 4096;
  while (more < need) more *= 2;
  void *bigger = realloc(*(void **)list, more * item);
  if (!bigger) return false;
  *(void **)list = bigger;
  *room = more;
  return true;
}

/* ----------------------------------------------------------------- changing */

/* What the event writes; NULL: nothing. A read tells what is in memory whose
** contents are not known otherwise. */
static const char *written(const mt_RecordMemory *m, const mt_Event *e) {
  const mt_RecordSite *s = &m->r->sites[e->site];
  unsigned object = mt_event_object(e);
  if (s->kind > MT_EVENT_ATOMIC || object >= m->r->object_count) return NULL;
  const mt_RecordObject *o = &m->r->objects[object];
  int64_t at = mt_event_offset(e);
  if (!m->bytes[object] || at < 0 || (uint64_t)at + s->size > o->size)
    return NULL;
  if (s->kind == MT_EVENT_READ &&
      (o->before || o->within >= 0 || o->space == MT_SPACE_THREADGROUP))
    return NULL;
  const char *value = mt_event_value(m->r, e);
  return s->kind == MT_EVENT_ATOMIC ? value + s->size : value;
}

static bool add_change(mt_RecordMemory *m, uint32_t event, unsigned object,
                       uint64_t offset, uint64_t n, bool forgets) {
  if (!grow(&m->change, m->count + 1, &m->room, sizeof *m->change) ||
      !grow(&m->pool, m->used + 2 * n, &m->pool_room, 1))
    return false;
  m->change[m->count++] = (Change){event,  (uint16_t)object, forgets,
                                   (uint32_t)n, offset, m->used};
  memcpy(m->pool + m->used, m->bytes[object] + offset, n);
  memcpy(m->pool + m->used + n, m->known[object] + offset, n);
  m->used += 2 * n;
  return true;
}

static void redo(mt_RecordMemory *m, const Change *c) {
  if (c->forgets) {
    memset(m->known[c->object] + c->offset, 0, c->size);
    return;
  }
  const char *value = written(m, &m->r->events[c->event]);
  memcpy(m->bytes[c->object] + c->offset, value, c->size);
  memset(m->known[c->object] + c->offset, 1, c->size);
}

static void undo(mt_RecordMemory *m, const Change *c) {
  const char *old = m->pool + c->old;
  memcpy(m->bytes[c->object] + c->offset, old, c->size);
  memcpy(m->known[c->object] + c->offset, old + c->size, c->size);
}

void mt_record_memory_go(mt_RecordMemory *m, size_t event) {
  while (event == SIZE_MAX && m->done > 0) undo(m, &m->change[--m->done]);
  if (event == SIZE_MAX) return;
  while (m->done < m->count && m->change[m->done].event <= event)
    redo(m, &m->change[m->done++]);
  while (m->done > 0 && m->change[m->done - 1].event > event)
    undo(m, &m->change[--m->done]);
}

void mt_record_memory_see(const mt_RecordMemory *m, unsigned object,
                          const char **bytes, const char **known) {
  *bytes = m->bytes[object];
  *known = m->known[object];
}

/* ------------------------------------------------------------------- making */

static bool forget_group(mt_RecordMemory *m, uint32_t event) {
  for (unsigned i = 0; i < m->r->object_count; i++) {
    if (m->r->objects[i].space != MT_SPACE_THREADGROUP || !m->high[i])
      continue;
    if (!add_change(m, event, i, m->low[i], m->high[i] - m->low[i], true))
      return false;
    redo(m, &m->change[m->count - 1]);
    m->low[i] = m->high[i] = 0;
  }
  return true;
}

/* Threadgroup memory holds what earlier work left there. */
static bool note_read(mt_RecordMemory *m, uint32_t event) {
  const mt_Event *e = &m->r->events[event];
  const mt_RecordSite *s = &m->r->sites[e->site];
  unsigned object = mt_event_object(e);
  if (s->kind != MT_EVENT_READ || object >= m->r->object_count) return true;
  const mt_RecordObject *o = &m->r->objects[object];
  int64_t at = mt_event_offset(e);
  if (o->space != MT_SPACE_THREADGROUP || !m->known[object] || at < 0 ||
      (uint64_t)at + s->size > o->size ||
      !memchr(m->known[object] + at, 0, s->size))
    return true;
  if (!grow(&m->unwritten, m->unwritten_count + 1, &m->unwritten_room,
            sizeof *m->unwritten))
    return false;
  m->unwritten[m->unwritten_count++] = event;
  return true;
}

bool mt_record_memory_is_unwritten(const mt_RecordMemory *m, size_t event) {
  size_t n = mt_count_until(m->unwritten, m->unwritten_count, event);
  return n && m->unwritten[n - 1] == event;
}

static bool note_all(mt_RecordMemory *m) {
  uint32_t group = 0;
  for (size_t i = 0; i < m->r->count; i++) {
    const mt_Event *e = &m->r->events[i];
    if (i && e->group != group && !forget_group(m, (uint32_t)i)) return false;
    group = e->group;
    if (!note_read(m, (uint32_t)i)) return false;
    if (!written(m, e)) continue;
    unsigned object = mt_event_object(e);
    uint64_t at = (uint64_t)mt_event_offset(e), n = m->r->sites[e->site].size;
    if (!add_change(m, (uint32_t)i, object, at, n, false)) return false;
    redo(m, &m->change[m->count - 1]);
    if (!m->high[object] || at < m->low[object]) m->low[object] = at;
    if (at + n > m->high[object]) m->high[object] = at + n;
  }
  m->done = m->count;
  return true;
}

static bool make_objects(mt_RecordMemory *m) {
  size_t n = m->r->object_count;
  m->bytes = calloc(n + 1, sizeof *m->bytes);
  m->known = calloc(n + 1, sizeof *m->known);
  m->low = calloc(n + 1, sizeof *m->low);
  m->high = calloc(n + 1, sizeof *m->high);
  if (!m->bytes || !m->known || !m->low || !m->high) return false;
  for (size_t i = 0; i < n; i++) {
    const mt_RecordObject *o = &m->r->objects[i];
    if (o->within >= 0) continue;
    m->bytes[i] = calloc(o->size + 1, 1);
    m->known[i] = calloc(o->size + 1, 1);
    if (!m->bytes[i] || !m->known[i]) return false;
    if (!o->before) continue;
    memcpy(m->bytes[i], o->before, o->size);
    memset(m->known[i], 1, o->size);
  }
  for (size_t i = 0; i < n; i++) {
    const mt_RecordObject *o = &m->r->objects[i];
    if (o->within < 0) continue;
    m->bytes[i] = m->bytes[o->within] + o->within_at;
    m->known[i] = m->known[o->within] + o->within_at;
  }
  return true;
}

mt_RecordMemory *mt_record_memory_new(const mt_Recording *r) {
  mt_RecordMemory *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->r = r;
  if (make_objects(m) && note_all(m)) return m;
  mt_record_memory_free(m);
  return NULL;
}

void mt_record_memory_free(mt_RecordMemory *m) {
  if (!m) return;
  for (size_t i = 0; i < m->r->object_count; i++) {
    if (m->r->objects[i].within >= 0) continue;
    if (m->bytes) free(m->bytes[i]);
    if (m->known) free(m->known[i]);
  }
  free(m->bytes);
  free(m->known);
  free(m->low);
  free(m->high);
  free(m->change);
  free(m->unwritten);
  free(m->pool);
  free(m);
}
