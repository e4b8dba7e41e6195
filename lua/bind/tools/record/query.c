/*
** query.c - what the index of a recording knows
** (devices/recording/index.h), for lua/record/record.lua and the stepper.
** Everything counts from 1 on: events in the order in which they happened,
** slices (the threads that were recorded), and positions in the list of events
** thread by thread.
*/
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "lua/bind/core/core.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/tools/record/parts.h"

static mt_RecordIndex *index_of(lua_State *L, mt_LuaRecording *b) {
  mt_Error err = {""};
  if (!b->index) b->index = mt_record_index_new(&b->r, &err);
  if (!b->index) mt_lua_raise(L, &err);
  return b->index;
}

static const mt_Slice *check_slice(lua_State *L, mt_RecordIndex *x, int at) {
  return mt_index_slice(
      x, mt_lua_check_number(L, at, mt_index_slices(x), "thread"));
}

/* A number that counts from 0 on, or nil. */
static int push(lua_State *L, size_t n) {
  if (n == MT_NOWHERE) lua_pushnil(L);
  else lua_pushinteger(L, (lua_Integer)n + 1);
  return 1;
}

/* slices() -> how many threads were recorded */
static int query_slices(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  lua_pushinteger(L, (lua_Integer)mt_index_slices(index_of(L, b)));
  return 1;
}

/* slice(group, thread) -> its slice; nil: it was not recorded */
static int query_slice(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  mt_RecordIndex *x = index_of(L, b);
  const mt_Slice *s =
      mt_index_thread(x, (uint32_t)luaL_checkinteger(L, 2),
                      (uint32_t)luaL_checkinteger(L, 3));
  return push(L, s ? (size_t)(s - mt_index_slice(x, 0)) : MT_NOWHERE);
}

/* range(slice) -> group, thread, first position, last position */
static int query_range(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  const mt_Slice *s = check_slice(L, index_of(L, b), 2);
  lua_pushinteger(L, s->group);
  lua_pushinteger(L, s->thread);
  lua_pushinteger(L, (lua_Integer)s->first + 1);
  lua_pushinteger(L, (lua_Integer)(s->first + s->count));
  return 4;
}

/* at(position) -> the event there */
static int query_at(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  size_t p = mt_lua_check_number(L, 2, b->r.count, "position");
  return push(L, mt_index_event(index_of(L, b), p));
}

/* before(slice, event) -> the thread's last position at or before it */
static int query_before(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  mt_RecordIndex *x = index_of(L, b);
  const mt_Slice *s = check_slice(L, x, 2);
  return push(L, mt_index_before(x, s, (size_t)luaL_checkinteger(L, 3) - 1));
}

static int push_visit(lua_State *L, bool found, const mt_Visit *v) {
  if (!found) return 0;
  return push(L, v->first) + push(L, v->last) + push(L, v->number) +
         push(L, v->count - 1);
}

/* visit(slice, position) -> its first and last position, its number, and how
** many there are; nothing: the thread comes to no line */
static int query_visit(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  mt_RecordIndex *x = index_of(L, b);
  const mt_Slice *s = check_slice(L, x, 2);
  mt_Visit v;
  size_t p = mt_lua_check_number(L, 3, b->r.count, "position");
  return push_visit(L, mt_index_visit(x, s, p, &v), &v);
}

/* visit_at(slice, number) -> the same; nothing: there is none */
static int query_visit_at(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  mt_RecordIndex *x = index_of(L, b);
  const mt_Slice *s = check_slice(L, x, 2);
  lua_Integer n = luaL_checkinteger(L, 3);
  mt_Visit v;
  return push_visit(L, n > 0 && mt_index_visit_at(x, s, (size_t)n - 1, &v), &v);
}

/* next(slice, position, step, kind[, line]) -> the next position after it, or
** before it where 'step' is -1, of an event of that kind, on that line */
static int query_next(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  mt_RecordIndex *x = index_of(L, b);
  const mt_Slice *s = check_slice(L, x, 2);
  lua_Integer at = luaL_checkinteger(L, 3) - 1, step = luaL_checkinteger(L, 4);
  const char *kind = mt_lua_check_text(L, 5);
  lua_Integer line = luaL_optinteger(L, 6, 0);
  lua_Integer first = (lua_Integer)s->first,
              end = first + (lua_Integer)s->count;
  for (at += step; at >= first && at < end; at += step) {
    const mt_Event *e = &b->r.events[mt_index_event(x, (size_t)at)];
    const mt_RecordSite *site = &b->r.sites[e->site];
    if (strcmp(mt_event_name(site->kind), kind) == 0 &&
        (line == 0 || site->place.line == (unsigned)line))
      return push(L, (size_t)at);
  }
  return 0;
}

/* same(slice, event) -> the position at which that thread comes to the same
** line in the same iterations; nothing: it does not */
static int query_same(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  mt_RecordIndex *x = index_of(L, b);
  const mt_Slice *s = check_slice(L, x, 2);
  const mt_Event *of =
      &b->r.events[mt_lua_check_number(L, 3, b->r.count, "event")];
  for (size_t at = s->first; at < s->first + s->count; at++) {
    const mt_Event *e = &b->r.events[mt_index_event(x, at)];
    if (e->site == of->site && e->instance == of->instance) return push(L, at);
  }
  return 0;
}

/* {[site] = true}, argument 'at', as one flag for each site */
static const bool *check_sites(lua_State *L, const mt_Recording *r, int at) {
  luaL_checktype(L, at, LUA_TTABLE);
  bool *wanted = lua_newuserdatauv(L, r->site_count + 1, 0);
  for (size_t i = 0; i < r->site_count; i++) {
    lua_rawgeti(L, at, (lua_Integer)i);
    wanted[i] = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  return wanted;
}

/* find(event, step, sites) -> the next event after it, or before it, at one of
** these sites */
static int query_find(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  lua_Integer at = luaL_checkinteger(L, 2) - 1, step = luaL_checkinteger(L, 3);
  const bool *wanted = check_sites(L, &b->r, 4);
  for (at += step; at >= 0 && at < (lua_Integer)b->r.count; at += step)
    if (wanted[b->r.events[at].site]) return push(L, (size_t)at);
  return 0;
}

/* variable(slice, variable, position) -> its value as text, the position of its
** last change; nothing: it has no value there */
static int query_variable(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  mt_RecordIndex *x = index_of(L, b);
  const mt_Slice *s = check_slice(L, x, 2);
  size_t v = mt_lua_check_number(L, 3, b->r.variable_count, "variable");
  size_t p = mt_lua_check_number(L, 4, b->r.count, "position");
  size_t size = b->r.variables[v].size + 1;
  char *bytes = lua_newuserdatauv(L, 2 * size, 0);
  mt_Str *out = mt_lua_new_str(L);
  size_t since = mt_index_entry(x, s, b->r.variables[v].frame, p);
  size_t last = mt_index_variable(x, s, (unsigned)v, since, p, bytes,
                                  bytes + size);
  if (last == MT_NOWHERE) return 0;
  mt_record_write_variable(out, &b->r, (unsigned)v, bytes, bytes + size,
                           &b->r.events[mt_index_event(x, last)]);
  lua_pushlstring(L, mt_str_text(out), out->length);
  return 1 + push(L, last);
}

/* lanes(event) -> {[lane] = event}: the lanes that come to that line in the
** same iterations */
static int query_lanes(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  size_t n = mt_lua_check_number(L, 2, b->r.count, "event");
  size_t lanes[32];
  mt_Error err = {""};
  if (mt_index_lanes(index_of(L, b), n, lanes, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  lua_createtable(L, 32, 1);
  for (int l = 0; l < 32; l++) {
    if (lanes[l] == MT_NOWHERE) continue;
    lua_pushinteger(L, (lua_Integer)lanes[l] + 1);
    lua_rawseti(L, -2, l);
  }
  return 1;
}

/* memory(object, event, first, count) -> the elements from 'first' (from 0 on)
** on as texts, as they are after the event; event 0: before all of them */
static int query_memory(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  size_t object = mt_lua_check_number(L, 2, b->r.object_count, "object");
  lua_Integer event = luaL_checkinteger(L, 3), first = luaL_checkinteger(L, 4);
  lua_Integer count = luaL_checkinteger(L, 5);
  const mt_RecordObject *o = &b->r.objects[object];
  const char *bytes, *known;
  mt_Error err = {""};
  if (mt_index_memory(index_of(L, b), (unsigned)object, (size_t)event - 1,
                      &bytes, &known, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  lua_Integer all = (lua_Integer)(o->size / o->element);
  if (first < 0 || count < 0 || first > all) count = 0;
  if (count > all - first) count = all - first;
  lua_createtable(L, (int)count, 0);
  for (lua_Integer i = 0; i < count; i++) {
    mt_Str *out = mt_lua_new_str(L);
    mt_record_write_element(out, &b->r, o, bytes, known, (uint64_t)(first + i));
    lua_pushlstring(L, mt_str_text(out), out->length);
    lua_rawseti(L, -3, i + 1);
    lua_pop(L, 1);
  }
  return 1;
}

/* touched(object, first byte, end) -> the events that access these bytes */
static int query_touched(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  size_t object = mt_lua_check_number(L, 2, b->r.object_count, "object");
  lua_Integer first = luaL_checkinteger(L, 3), end = luaL_checkinteger(L, 4);
  lua_Integer n = 0;
  lua_newtable(L);
  for (size_t i = 0; i < b->r.count; i++) {
    const mt_Event *e = &b->r.events[i];
    const mt_RecordSite *s = &b->r.sites[e->site];
    if (s->kind > MT_EVENT_ATOMIC || mt_event_object(e) != object) continue;
    int64_t at = mt_event_offset(e);
    if (at >= end || at + (int64_t)s->size <= first) continue;
    lua_pushinteger(L, (lua_Integer)i + 1);
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* select(sites[, most]) -> the events at these sites, {[site] = true}; and how
** many there are */
static int query_select(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  lua_Integer most = luaL_optinteger(L, 3, LUA_MAXINTEGER), n = 0;
  const bool *wanted = check_sites(L, &b->r, 2);
  lua_newtable(L);
  for (size_t i = 0; i < b->r.count; i++) {
    if (!wanted[b->r.events[i].site] || ++n > most) continue;
    lua_pushinteger(L, (lua_Integer)i + 1);
    lua_rawseti(L, -2, n);
  }
  lua_pushinteger(L, n);
  return 2;
}

/* part(other, lines) -> found, its event or nil, the other's event or nil */
static int query_part(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  mt_LuaRecording *c = mt_lua_check_recording(L, 2);
  size_t mine = MT_NOWHERE, other = MT_NOWHERE;
  bool found = mt_index_part(index_of(L, b), index_of(L, c),
                             lua_toboolean(L, 3), &mine, &other);
  lua_pushboolean(L, found);
  return 1 + push(L, mine) + push(L, other);
}

static int push_written(lua_State *L,
                        void (*write)(mt_Str *out, const mt_Recording *r,
                                      const mt_Event *e)) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  size_t n = mt_lua_check_number(L, 2, b->r.count, "event");
  mt_Str *out = mt_lua_new_str(L);
  write(out, &b->r, &b->r.events[n]);
  lua_pushlstring(L, mt_str_text(out), out->length);
  return 1;
}

/* name(event) -> the name of what it gives a value: "own.id", "a[3]" */
static int query_name(lua_State *L) {
  return push_written(L, mt_record_write_name);
}

/* place(event) -> where the access is: "x[3]", "h[5].id", "t(3, 1)" */
static int query_place(lua_State *L) {
  return push_written(L, mt_record_write_where);
}

/* unwritten(event) -> is it a read of what its group had not written? */
static int query_unwritten(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  size_t n = mt_lua_check_number(L, 2, b->r.count, "event");
  lua_pushboolean(L, mt_index_is_unwritten(index_of(L, b), n));
  return 1;
}

/* key(event) -> a number that lanes of a SIMD-group share which are at the same
** place in the same iterations */
static int query_key(lua_State *L) {
  mt_LuaRecording *b = mt_lua_check_recording(L, 1);
  size_t n = mt_lua_check_number(L, 2, b->r.count, "event");
  const mt_Event *e = &b->r.events[n];
  lua_pushinteger(L, (lua_Integer)e->site << 32 | e->instance);
  return 1;
}

const luaL_Reg mt_lua_record_queries[] = {
    {"slices", query_slices},     {"slice", query_slice},
    {"range", query_range},       {"at", query_at},
    {"before", query_before},     {"next", query_next},
    {"variable", query_variable}, {"lanes", query_lanes},
    {"memory", query_memory},     {"touched", query_touched},
    {"select", query_select},     {"part", query_part},
    {"name", query_name},         {"same", query_same},
    {"place", query_place},       {"unwritten", query_unwritten},
    {"find", query_find},         {"visit", query_visit},
    {"visit_at", query_visit_at}, {"key", query_key},
    {NULL, NULL}};
