/*
** test_record_index.c - the index of a recording beside a plain walk through
** its events, for random recordings: memory at a moment in both directions,
** slices, visits, variables.
**
** Guards: devices/recording/index.c, devices/recording/memory.c: random
** recordings beside a plain walk through their events; devices/access_cost.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "devices/recording/index.h"

enum { SITES = 12, BYTES = 64, ALIAS = 16, ROUNDS = 100, LOOKS = 20 };
enum { BUFFER, TILE, VIEW, OBJECTS }; /* VIEW is the end of BUFFER */

static uint64_t seed = 7;

static unsigned any(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

static unsigned value_bytes(mt_EventKind k) {
  if (k == MT_EVENT_ATOMIC) return 8;
  return k <= MT_EVENT_WRITE || k == MT_EVENT_VALUE ? 4 : 0;
}

static void make_tables(mt_Recording *r) {
  r->site_count = SITES;
  r->sites = calloc(SITES, sizeof *r->sites);
  r->frame_count = 4;
  r->frames = calloc(4, sizeof *r->frames);
  r->frames[2].parent = 1, r->frames[3].parent = 2;
  r->variable_count = 3;
  r->variables = calloc(3, sizeof *r->variables);
  for (unsigned i = 0; i < 3; i++)
    r->variables[i].size = 4 + 4 * i, r->variables[i].frame = i;
  r->object_count = OBJECTS;
  r->objects = calloc(OBJECTS, sizeof *r->objects);
  for (unsigned i = 0; i < OBJECTS; i++) {
    mt_RecordObject *o = &r->objects[i];
    o->space = i == TILE ? MT_SPACE_THREADGROUP : MT_SPACE_DEVICE;
    o->element = 4, o->size = BYTES, o->within = -1;
  }
  r->objects[BUFFER].before = calloc(BYTES, 1);
  r->objects[VIEW].within = BUFFER;
  r->objects[VIEW].within_at = ALIAS;
  r->objects[VIEW].size = BYTES - ALIAS;
  for (unsigned i = 1; i < SITES; i++) {
    mt_RecordSite *s = &r->sites[i];
    s->kind = (mt_EventKind)(i % MT_EVENT_KINDS);
    s->size = 4, s->bytes = value_bytes(s->kind);
    s->frame = i % 4, s->place.line = i % 3 + 1;
  }
}

/* Events of any kind, in and around objects, of a group after the other. */
static void make_events(mt_Recording *r) {
  uint32_t group = 0;
  r->count = any(500);
  r->events = calloc(r->count + 1, sizeof *r->events);
  for (size_t i = 0; i < r->count; i++) {
    mt_Event *e = &r->events[i];
    group += any(60) == 0;
    *e = (mt_Event){.group = group, .thread = (uint16_t)any(70),
                    .site = (uint16_t)(1 + any(SITES - 1)),
                    .instance = any(3), .value = any(1u << 31)};
    unsigned object = any(OBJECTS + 1);
    int64_t offset = (int64_t)any(BYTES + 16) - 8;
    if (r->sites[e->site].kind == MT_EVENT_VALUE)
      object = any(3), offset = 4 * any(object + 1);
    e->where =
        mt_event_where(object == OBJECTS ? MT_NO_OBJECT : object, offset);
  }
}

/* What an object holds after 'event', by all events from the first on. */
static void replay(const mt_Recording *r, unsigned object, size_t event,
                   char *bytes, char *known) {
  memset(bytes, 0, BYTES);
  memset(known, object == BUFFER, BYTES);
  for (size_t i = 0; i <= event; i++) {
    const mt_Event *e = &r->events[i];
    const mt_RecordSite *s = &r->sites[e->site];
    unsigned to = mt_event_object(e);
    int64_t at = mt_event_offset(e);
    if (object == TILE && i && e->group != e[-1].group) memset(known, 0, BYTES);
    if (s->kind != MT_EVENT_WRITE && s->kind != MT_EVENT_ATOMIC) continue;
    if (to >= OBJECTS || at < 0 || (uint64_t)at + 4 > r->objects[to].size)
      continue;
    if (to == VIEW) to = BUFFER, at += ALIAS;
    if (to != object) continue;
    const char *value = mt_event_value(r, e);
    memcpy(bytes + at, value + (s->kind == MT_EVENT_ATOMIC ? 4 : 0), 4);
    memset(known + at, 1, 4);
  }
}

static void same_memory(const mt_Recording *r, mt_RecordIndex *x,
                        unsigned object, size_t event) {
  char bytes[BYTES], known[BYTES];
  const char *b, *k;
  mt_Error err;
  assert_int_equal(mt_index_memory(x, object, event, &b, &k, &err), MT_OK);
  replay(r, object, event, bytes, known);
  assert_memory_equal(k, known, BYTES);
  for (int i = 0; i < BYTES; i++)
    if (known[i]) assert_int_equal(b[i], bytes[i]);
}

/* The last value that the thread gave byte 'at' of a variable; -1: none. */
static int last_value(const mt_Recording *r, const mt_RecordIndex *x,
                      size_t since, size_t position, unsigned variable,
                      size_t at) {
  for (size_t p = position + 1; p-- > since;) {
    const mt_Event *e = &r->events[mt_index_event(x, p)];
    size_t from = (size_t)mt_event_offset(e);
    if (r->sites[e->site].kind == MT_EVENT_VALUE &&
        mt_event_object(e) == variable && at >= from && at < from + 4)
      return ((const unsigned char *)mt_event_value(r, e))[at - from];
  }
  return -1;
}

static void same_thread(const mt_Recording *r, mt_RecordIndex *x,
                        const mt_Slice *s) {
  char bytes[16], known[16];
  mt_Visit v;
  assert_ptr_equal(mt_index_thread(x, s->group, s->thread), s);
  for (size_t p = s->first; p < s->first + s->count; p++) {
    size_t n = mt_index_event(x, p);
    assert_int_equal(r->events[n].thread, s->thread);
    assert_true(p == s->first || n > mt_index_event(x, p - 1));
    assert_int_equal(mt_index_before(x, s, n), p);
    if (mt_index_visit(x, s, p, &v) && v.number > 0)
      assert_true(v.first <= p && p <= v.last);
    for (unsigned i = 0; i < 3; i++) {
      size_t since = mt_index_entry(x, s, i, p);
      mt_index_variable(x, s, i, since, p, bytes, known);
      for (size_t at = 0; at < r->variables[i].size; at++) {
        int is = last_value(r, x, since, p, i, at);
        assert_int_equal(known[at], is >= 0);
        if (is >= 0) assert_int_equal((unsigned char)bytes[at], is);
      }
    }
  }
}

static void beside_a_plain_walk(void **state) {
  (void)state;
  for (int round = 0; round < ROUNDS; round++) {
    mt_Recording r = {.count = 0};
    mt_Error err;
    size_t mine, other;
    make_tables(&r);
    make_events(&r);
    mt_RecordIndex *x = mt_record_index_new(&r, &err);
    mt_RecordIndex *y = mt_record_index_new(&r, &err);
    assert_true(x && y);
    for (int i = 0; i < LOOKS && r.count; i++) {
      same_memory(&r, x, BUFFER, any((unsigned)r.count));
      same_memory(&r, x, TILE, any((unsigned)r.count));
    }
    for (size_t i = 0; i < mt_index_slices(x); i++)
      same_thread(&r, x, mt_index_slice(x, i));
    assert_false(mt_index_part(x, y, true, &mine, &other));
    mt_record_index_free(x);
    mt_record_index_free(y);
    mt_recording_free(&r);
  }
}

/* Two recordings that part in one value. */
static void where_they_part(void **state) {
  (void)state;
  mt_Recording a = {.count = 0}, b = {.count = 0};
  mt_Error err;
  size_t mine = 0, other = 0;
  make_tables(&a);
  make_tables(&b);
  while (a.count < 100) {
    free(a.events);
    make_events(&a);
  }
  b.count = a.count;
  b.events = malloc(a.count * sizeof *b.events);
  memcpy(b.events, a.events, a.count * sizeof *b.events);
  size_t n = a.count / 2;
  while (a.sites[a.events[n].site].kind != MT_EVENT_WRITE) n++;
  b.events[n].value ^= 1;
  mt_RecordIndex *x = mt_record_index_new(&a, &err);
  mt_RecordIndex *y = mt_record_index_new(&b, &err);
  assert_true(mt_index_part(x, y, false, &mine, &other));
  assert_int_equal(mine, n);
  assert_int_equal(other, n);
  mt_record_index_free(x);
  mt_record_index_free(y);
  mt_recording_free(&a);
  mt_recording_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(beside_a_plain_walk),
                                     cmocka_unit_test(where_they_part)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
