/*
** record.c - recordings from Lua: require "mettle.record", for
** lua/draw/draw.lua and lua/record/record.lua.
**
** A recording may have millions of events, so they stay in C: a userdata whose
** methods give one event, or one step of a SIMD-group, as plain numbers.
*/
#include "lua/bind/tools/record/parts.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/bind/core/core.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/gpu/kernel.h"
#include "lua/bind/tools/check.h"
#include "lua/bind/tools/launch_copies.h"

typedef mt_LuaRecording Box;

/* ----------------------------------------------------------------- methods */

mt_LuaRecording *mt_lua_check_recording(lua_State *L, int at) {
  return luaL_checkudata(L, at, MT_RECORDING_NAME);
}

static Box *check_box(lua_State *L) { return mt_lua_check_recording(L, 1); }

size_t mt_lua_check_number(lua_State *L, int at, size_t count,
                           const char *what) {
  lua_Integer n = luaL_checkinteger(L, at);
  if (n < 1 || (lua_Unsigned)n > count)
    luaL_error(L, "the recording has no %s %d", what, (int)n);
  return (size_t)n - 1;
}

static int box_gc(lua_State *L) {
  Box *b = check_box(L);
  mt_steps_free(&b->steps);
  mt_record_index_free(b->index);
  b->index = NULL;
  mt_recording_free(&b->r);
  free(b->threads);
  b->threads = NULL;
  return 0;
}

static int box_count(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)check_box(L)->r.count);
  return 1;
}

/* Made when first asked for: a recording of lines has many. */
static Box *with_steps(lua_State *L) {
  Box *b = check_box(L);
  mt_Error err = {""};
  if (b->has_steps) return b;
  if (mt_steps_new(&b->r, &b->steps, &err) != MT_OK) mt_lua_raise(L, &err);
  b->has_steps = true;
  return b;
}

static int box_steps(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)with_steps(L)->steps.count);
  return 1;
}

/* event(n) -> site, group, thread, epoch, object (nil: none), offset */
static int box_event(lua_State *L) {
  Box *b = check_box(L);
  const mt_Event *e =
      &b->r.events[mt_lua_check_number(L, 2, b->r.count, "event")];
  unsigned object = mt_event_object(e);
  lua_pushinteger(L, e->site);
  lua_pushinteger(L, e->group);
  lua_pushinteger(L, e->thread);
  lua_pushinteger(L, e->epoch);
  if (object == MT_NO_OBJECT) lua_pushnil(L);
  else lua_pushinteger(L, (lua_Integer)object + 1);
  lua_pushinteger(L, mt_event_offset(e));
  return 6;
}

/* value(n) -> the value of an event as text; nil: it has none */
static int box_value(lua_State *L) {
  Box *b = check_box(L);
  size_t n = mt_lua_check_number(L, 2, b->r.count, "event");
  const mt_Event *e = &b->r.events[n];
  if (!b->r.sites[e->site].bytes) return 0;
  mt_Str *out = mt_lua_new_str(L);
  mt_record_write_event(out, &b->r, e);
  lua_pushlstring(L, mt_str_text(out), out->length);
  return 1;
}

/* thread(n) -> x, y, z in the grid, of the thread of an event */
static int box_thread(lua_State *L) {
  Box *b = check_box(L);
  const mt_Event *e =
      &b->r.events[mt_lua_check_number(L, 2, b->r.count, "event")];
  mt_ThreadAt at = mt_event_thread(&b->r, e);
  for (int d = 0; d < 3; d++) lua_pushinteger(L, at.grid[d]);
  return 3;
}

/* step(n) -> site, group, simdgroup, epoch, first, count, units, ideal, queue:
** its events are ordered(first), …, ordered(first + count - 1) */
static int box_step(lua_State *L) {
  Box *b = with_steps(L);
  size_t n = mt_lua_check_number(L, 2, b->steps.count, "step");
  const mt_Step *s = &b->steps.step[n];
  lua_Integer all[] = {s->site, s->group, s->simdgroup, s->epoch,
                       (lua_Integer)s->first + 1, (lua_Integer)s->count,
                       s->units, s->ideal, s->queue};
  enum { COUNT = sizeof all / sizeof *all };
  for (int i = 0; i < COUNT; i++) lua_pushinteger(L, all[i]);
  return COUNT;
}

/* ordered(n) -> the number of the n-th event, step by step */
static int box_ordered(lua_State *L) {
  Box *b = with_steps(L);
  size_t n = mt_lua_check_number(L, 2, b->r.count, "event");
  lua_pushinteger(L, (lua_Integer)b->steps.order[n] + 1);
  return 1;
}

static Box *push_box(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"event", box_event},     {"value", box_value}, {"thread", box_thread},
      {"step", box_step},       {"steps", box_steps}, {"count", box_count},
      {"ordered", box_ordered}, {NULL, NULL}};
  Box *b = lua_newuserdatauv(L, sizeof *b, 1);
  memset(b, 0, sizeof *b);
  if (luaL_newmetatable(L, MT_RECORDING_NAME)) {
    luaL_newlib(L, methods);
    luaL_setfuncs(L, mt_lua_record_queries, 0);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, box_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushliteral(L, "recording");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  lua_pushvalue(L, 1); /* the kernel owns types and file names */
  lua_setiuservalue(L, -2, 1);
  return b;
}

/* ------------------------------------------------------------------ tables */

static void set_sites(lua_State *L, const mt_Recording *r) {
  lua_createtable(L, (int)r->site_count, 0);
  for (size_t i = 1; i < r->site_count; i++) {
    const mt_RecordSite *s = &r->sites[i];
    lua_createtable(L, 0, 9);
    mt_lua_set_string(L, "kind", mt_event_name(s->kind));
    mt_lua_set_integer(L, "line", s->place.line);
    mt_lua_set_integer(L, "column", s->place.column);
    mt_lua_set_string(L, "file", s->place.file);
    mt_lua_set_integer(L, "size", s->size);
    mt_lua_set_string(L, "type", s->type);
    mt_lua_set_integer(L, "frame", s->frame);
    if (s->kind == MT_EVENT_VALUE)
      mt_lua_set_integer(L, "variable", (uint64_t)s->variable + 1);
    if (s->place.file && s->place.text) {
      lua_pushlstring(L, s->place.text, s->place.text_length);
      lua_setfield(L, -2, "text");
    }
    if (s->name[0]) mt_lua_set_string(L, "name", s->name);
    lua_rawseti(L, -2, (lua_Integer)i);
  }
  lua_setfield(L, -2, "sites");
}

static void set_objects(lua_State *L, const mt_Recording *r) {
  lua_createtable(L, (int)r->object_count, 0);
  for (size_t i = 0; i < r->object_count; i++) {
    const mt_RecordObject *o = &r->objects[i];
    lua_createtable(L, 0, 10);
    mt_lua_set_string(L, "name", o->name);
    mt_lua_set_string(L, "space", mt_space_name(o->space));
    mt_lua_set_string(L, "type", o->type ? o->type->name : NULL);
    if (o->space == MT_SPACE_TEXTURE) {
      mt_lua_set_string(L, "type", mt_pixel_name(o->format));
      mt_lua_set_three(L, "extent", o->extent);
      mt_lua_set_integer(L, "row_bytes", o->row_bytes);
      mt_lua_set_integer(L, "slice_bytes", o->slice_bytes);
    }
    mt_lua_set_integer(L, "element", o->element);
    mt_lua_set_integer(L, "size", o->size);
    mt_lua_set_integer(L, "address", o->address);
    mt_lua_set_integer(L, "row", o->rows[1] ? o->rows[1] : o->rows[0]);
    if (o->param >= 0) mt_lua_set_integer(L, "param", (uint64_t)o->param + 1);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "objects");
}

/* A variable's type as a person writes it: half, where Clang says _Float16. */
static void set_type(lua_State *L, const mt_Type *type) {
  if (type == NULL) return;
  luaL_gsub(L, type->name, "_Float16", "half");
  luaL_gsub(L, lua_tostring(L, -1), "__bf16", "bfloat");
  lua_remove(L, -2);
  lua_setfield(L, -2, "type");
}

/* variables, from 1 on; frames, from 0 on */
static void set_variables(lua_State *L, const mt_Recording *r) {
  lua_createtable(L, (int)r->variable_count, 0);
  for (size_t i = 0; i < r->variable_count; i++) {
    const mt_RecordVariable *v = &r->variables[i];
    lua_createtable(L, 0, 6);
    mt_lua_set_string(L, "name", v->name);
    set_type(L, v->type);
    mt_lua_set_integer(L, "frame", v->frame);
    mt_lua_set_integer(L, "line", v->line);
    if (v->last) mt_lua_set_integer(L, "last", v->last);
    if (v->type && v->type->kind == MT_TYPE_POINTER)
      mt_lua_set_boolean(L, "pointer", true);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "variables");
  lua_createtable(L, (int)r->frame_count, 1);
  for (size_t i = 0; i < r->frame_count; i++) {
    lua_createtable(L, 0, 3);
    mt_lua_set_string(L, "name", r->frames[i].name);
    if (i) mt_lua_set_integer(L, "parent", r->frames[i].parent);
    if (i) mt_lua_set_integer(L, "line", r->frames[i].line);
    lua_rawseti(L, -2, (lua_Integer)i);
  }
  lua_setfield(L, -2, "frames");
}

static void set_words(lua_State *L, const mt_Recording *r) {
  lua_createtable(L, (int)r->unrecorded_count, 0);
  for (size_t i = 0; i < r->unrecorded_count; i++) {
    lua_pushstring(L, r->unrecorded[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "unrecorded");
  lua_createtable(L, (int)r->difference_count, 0);
  for (size_t i = 0; i < r->difference_count; i++) {
    lua_createtable(L, 0, 3);
    mt_lua_set_string(L, "name", r->differences[i].name);
    mt_lua_set_integer(L, "elements", r->differences[i].elements);
    mt_lua_set_integer(L, "first", r->differences[i].first);
    mt_lua_set_number(L, "worst", r->differences[i].worst);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "differences");
  mt_lua_set_boolean(L, "compared", r->compared);
  mt_lua_set_string(L, "file", r->file);
  if (r->file) {
    lua_pushlstring(L, r->text ? r->text : "", r->text_length);
    lua_setfield(L, -2, "source");
  }
}

/* ----------------------------------------------------------------- running */

/* options.threads: numbers in the grid, copied into the box. */
static void read_threads(lua_State *L, Box *b, mt_RecordOptions *o) {
  if (lua_getfield(L, 3, "threads") == LUA_TTABLE) {
    lua_Integer n = luaL_len(L, -1);
    b->threads = malloc(((size_t)n + 1) * sizeof *b->threads);
    if (!b->threads) luaL_error(L, "not enough memory");
    for (lua_Integer i = 0; i < n; i++) {
      lua_rawgeti(L, -1, i + 1);
      b->threads[i] = (uint32_t)lua_tointeger(L, -1);
      lua_pop(L, 1);
    }
    o->threads = b->threads;
    o->thread_count = (size_t)n;
  }
  lua_pop(L, 1);
}

/* run(host kernel, launch, options) -> recording; options: events, bytes,
** group (a number, or nil), threads (a list of numbers, or nil), values,
** schedule (a number of mt_Schedule), seed */
static int record_run(lua_State *L) {
  mt_Launch launch;
  mt_Error err = {""};
  mt_RecordOptions o = {.group = -1};
  lua_settop(L, 3);
  mt_LaunchCopies *w = mt_launch_copies_read(L, &launch);
  Box *b = push_box(L);
  int box = lua_gettop(L);
  o.events = (uint64_t)mt_lua_integer_field(L, 3, "events");
  o.bytes = (uint64_t)mt_lua_integer_field(L, 3, "bytes");
  if (lua_getfield(L, 3, "group") != LUA_TNIL) o.group = lua_tointeger(L, -1);
  lua_pop(L, 1);
  read_threads(L, b, &o);
  lua_getfield(L, 3, "values");
  o.values = lua_toboolean(L, -1);
  lua_pop(L, 1);
  o.schedule = (mt_Schedule)mt_lua_integer_field(L, 3, "schedule");
  o.seed = (uint64_t)mt_lua_integer_field(L, 3, "seed");
  mt_Status status = mt_record(&launch, &o, &b->r, &err);
  mt_lua_show_messages(mt_kernel_device(launch.kernel));
  /* What led to a fault is what a recording of lines is for. */
  bool faulted = o.values && status == MT_FAIL && b->r.count > 0;
  const char *why =
      faulted ? err.text : mt_lua_launch_end(L, status, &err);
  lua_createtable(L, 0, 24);
  set_sites(L, &b->r);
  set_objects(L, &b->r);
  set_variables(L, &b->r);
  set_words(L, &b->r);
  mt_lua_set_integer(L, "left_out", b->r.left_out);
  mt_lua_set_three(L, "groups", b->r.groups);
  mt_lua_set_launch(L, &launch);
  mt_lua_set_string(L, "stopped", why);
  mt_lua_set_boolean(L, "faulted", faulted);
  lua_pushvalue(L, box);
  lua_setfield(L, -2, "events");
  mt_launch_copies_keep(L, w);
  return 1;
}

static int open_record(lua_State *L) {
  static const luaL_Reg functions[] = {{"run", record_run}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}

void mt_lua_open_record(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_record);
  lua_setfield(L, -2, "mettle.record");
  lua_pop(L, 2);
}
