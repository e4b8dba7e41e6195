/*
** record.c - recordings from Lua: require "mettle.record", for lua/draw.lua.
**
** A recording may have millions of events, so they stay in C: a userdata whose
** methods give one event, or one step of a SIMD-group, as plain numbers.
*/
#include "devices/record.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scalar.h"
#include "lua/check.h"
#include "lua/fields.h"
#include "lua/kernel.h"
#include "lua/mettle.h"
#include "lua/watch.h"

#define NAME "mettle.recording"

typedef struct Box {
  mt_Recording r; /* its kernel is the userdata's value */
  mt_Steps steps;
  uint32_t *threads; /* of the options; NULL when it has run */
} Box;

/* ------------------------------------------------------------------ values */

/* The last field that starts at or before byte 'at'; NULL: none. */
static const mt_Field *field_at(const mt_Type *t, size_t at) {
  for (unsigned i = t->field_count; i-- > 0;)
    if (t->fields[i].offset <= at) return &t->fields[i];
  return NULL;
}

/* The scalar at byte 'at' of elements of a type; MT_VOID: unknown. */
static mt_Scalar scalar_at(const mt_Type *t, size_t at) {
  while (t && t->size) {
    at %= t->size;
    if (t->kind == MT_TYPE_ARRAY) {
      t = t->element;
    } else if (t->kind == MT_TYPE_STRUCT) {
      const mt_Field *f = field_at(t, at);
      if (f) at -= f->offset;
      t = f ? f->type : NULL;
    } else {
      return t->kind <= MT_TYPE_ATOMIC ? t->scalar : MT_VOID;
    }
  }
  return MT_VOID;
}

/* By the name of the site's type: "f32", "s16". */
static mt_Scalar scalar_named(const char *name) {
  static const struct {
    const char *name;
    mt_Scalar scalar;
  } known[] = {{"f32", MT_FLOAT}, {"f16", MT_HALF},   {"bf16", MT_BFLOAT},
               {"s8", MT_CHAR},   {"s16", MT_SHORT},  {"s32", MT_INT},
               {"s64", MT_LONG},  {"u8", MT_UCHAR},   {"u16", MT_USHORT},
               {"u32", MT_UINT},  {"u64", MT_ULONG}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i].name)) return known[i].scalar;
  return MT_VOID;
}

/* A texture's pixels are bytes, words or floats of their format. */
static mt_Scalar scalar_of_pixel(const mt_RecordObject *o, uint32_t size) {
  const char *c = mt_pixel(o->format)->component;
  mt_Scalar s = !strcmp(c, "uchar")    ? MT_UCHAR
                : !strcmp(c, "char")   ? MT_CHAR
                : !strcmp(c, "ushort") ? MT_USHORT
                : !strcmp(c, "short")  ? MT_SHORT
                : !strcmp(c, "half")   ? MT_HALF
                : !strcmp(c, "uint")   ? MT_UINT
                : !strcmp(c, "int")    ? MT_INT
                                       : MT_FLOAT;
  return size % mt_scalar_size(s) ? MT_VOID : s;
}

static mt_Scalar scalar_of(const mt_Recording *r, const mt_Event *e) {
  const mt_RecordSite *s = &r->sites[e->site];
  unsigned object = mt_event_object(e);
  mt_Scalar found = MT_VOID;
  if (object < r->object_count) {
    const mt_RecordObject *o = &r->objects[object];
    if (o->space == MT_SPACE_TEXTURE) return scalar_of_pixel(o, s->size);
    found = scalar_at(o->type, (size_t)mt_event_offset(e));
    /* the pointer was cast: as the code reads it */
    if (found != MT_VOID && mt_scalar_size(found) > s->size) found = MT_VOID;
  }
  return found != MT_VOID ? found : scalar_named(s->type);
}

enum { PARTS = 4 };

static void add_number(mt_Str *out, mt_Scalar s, const char *bytes) {
  double v;
  mt_scalars_unpack(s, bytes, 1, &v);
  mt_str_addf(out, mt_scalar_is_float(s) ? "%.6g" : "%.0f", v);
}

/* "1.5", "{1, 2, 3}", or the bytes of what has no type. */
static void add_value(mt_Str *out, mt_Scalar s, const char *bytes,
                      size_t size) {
  size_t each = s == MT_VOID ? 1 : mt_scalar_size(s), n = size / each;
  if (s == MT_VOID && size > 8) {
    mt_str_addf(out, "(%zu bytes)", size);
    return;
  }
  if (n > 1) mt_str_add(out, "{");
  for (size_t i = 0; i < n && i < PARTS; i++) {
    if (i) mt_str_add(out, ", ");
    if (s == MT_VOID) mt_str_addf(out, "0x%02x", (unsigned char)bytes[i]);
    else add_number(out, s, bytes + i * each);
  }
  if (n > PARTS) mt_str_add(out, ", …");
  if (n > 1) mt_str_add(out, "}");
}

/* ----------------------------------------------------------------- methods */

static Box *check_box(lua_State *L) { return luaL_checkudata(L, 1, NAME); }

static size_t check_number(lua_State *L, int at, size_t count,
                           const char *what) {
  lua_Integer n = luaL_checkinteger(L, at);
  if (n < 1 || (lua_Unsigned)n > count)
    luaL_error(L, "the recording has no %s %d", what, (int)n);
  return (size_t)n - 1;
}

static int box_gc(lua_State *L) {
  Box *b = check_box(L);
  mt_steps_free(&b->steps);
  mt_recording_free(&b->r);
  free(b->threads);
  b->threads = NULL;
  return 0;
}

static int box_count(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)check_box(L)->r.count);
  return 1;
}

static int box_steps(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)check_box(L)->steps.count);
  return 1;
}

/* event(n) -> site, group, thread, epoch, object (nil: none), offset */
static int box_event(lua_State *L) {
  Box *b = check_box(L);
  const mt_Event *e = &b->r.events[check_number(L, 2, b->r.count, "event")];
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

/* A pointer as what it leads to: "y[3]". */
static void add_pointer(mt_Str *out, const mt_Recording *r,
                        const mt_Event *pointer) {
  mt_Event to = {.where = pointer->value};
  unsigned object = mt_event_object(&to);
  if (object >= r->object_count) {
    mt_str_add(out, "elsewhere");
    return;
  }
  const mt_RecordObject *o = &r->objects[object];
  mt_str_addf(out, "&%s[%lld]", o->name,
              (long long)(mt_event_offset(&to) / (o->element ? o->element : 1)));
}

/* value(n) -> the value of an event as text; nil: it has none */
static int box_value(lua_State *L) {
  Box *b = check_box(L);
  const mt_Event *e = &b->r.events[check_number(L, 2, b->r.count, "event")];
  const mt_RecordSite *s = &b->r.sites[e->site];
  if (!s->bytes) return 0;
  mt_Str *out = mt_lua_new_str(L);
  const char *bytes = mt_event_value(&b->r, e);
  mt_Scalar scalar = scalar_of(&b->r, e);
  if (!strcmp(s->type, "ptr")) add_pointer(out, &b->r, e);
  else add_value(out, scalar, bytes, s->size);
  if (s->kind == MT_EVENT_ATOMIC) {
    mt_str_add(out, " → ");
    add_value(out, scalar, bytes + s->size, s->size);
  }
  lua_pushlstring(L, mt_str_text(out), out->length);
  return 1;
}

/* thread(n) -> x, y, z in the grid, of the thread of an event */
static int box_thread(lua_State *L) {
  Box *b = check_box(L);
  const mt_Event *e = &b->r.events[check_number(L, 2, b->r.count, "event")];
  mt_ThreadAt at = mt_event_thread(&b->r, e);
  for (int d = 0; d < 3; d++) lua_pushinteger(L, at.grid[d]);
  return 3;
}

/* step(n) -> site, group, simdgroup, epoch, first, count, units, ideal, queue:
** its events are ordered(first), …, ordered(first + count - 1) */
static int box_step(lua_State *L) {
  Box *b = check_box(L);
  const mt_Step *s = &b->steps.step[check_number(L, 2, b->steps.count, "step")];
  lua_Integer all[] = {s->site, s->group, s->simdgroup, s->epoch,
                       (lua_Integer)s->first + 1, (lua_Integer)s->count,
                       s->units, s->ideal, s->queue};
  enum { COUNT = sizeof all / sizeof *all };
  for (int i = 0; i < COUNT; i++) lua_pushinteger(L, all[i]);
  return COUNT;
}

/* ordered(n) -> the number of the n-th event, step by step */
static int box_ordered(lua_State *L) {
  Box *b = check_box(L);
  size_t n = check_number(L, 2, b->r.count, "event");
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
  if (luaL_newmetatable(L, NAME)) {
    luaL_newlib(L, methods);
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
    lua_createtable(L, 0, 6);
    mt_lua_set_string(L, "kind", mt_event_name(s->kind));
    mt_lua_set_integer(L, "line", s->place.line);
    mt_lua_set_integer(L, "column", s->place.column);
    mt_lua_set_string(L, "file", s->place.file);
    mt_lua_set_integer(L, "size", s->size);
    mt_lua_set_string(L, "type", s->type);
    if (s->name[0]) mt_lua_set_string(L, "name", s->name);
    lua_rawseti(L, -2, (lua_Integer)i);
  }
  lua_setfield(L, -2, "sites");
}

static void set_objects(lua_State *L, const mt_Recording *r) {
  static const char *const spaces[] = {NULL, "device", "constant",
                                       "threadgroup", "private", "texture",
                                       "wild"};
  lua_createtable(L, (int)r->object_count, 0);
  for (size_t i = 0; i < r->object_count; i++) {
    const mt_RecordObject *o = &r->objects[i];
    lua_createtable(L, 0, 10);
    mt_lua_set_string(L, "name", o->name);
    mt_lua_set_string(L, "space", spaces[o->space]);
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
** group (a number, or nil), threads (a list of numbers, or nil), values */
static int record_run(lua_State *L) {
  mt_Launch launch;
  mt_Error err = {""};
  mt_RecordOptions o = {.group = -1};
  lua_settop(L, 3);
  mt_Watch *w = mt_lua_watch(L, &launch);
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
  mt_Status status = mt_record(&launch, &o, &b->r, &err);
  mt_lua_show_messages(mt_kernel_device(launch.kernel));
  const char *why = mt_lua_watch_end(L, status, &err);
  if (mt_steps_new(&b->r, &b->steps, &err) != MT_OK) mt_lua_raise(L, &err);
  lua_createtable(L, 0, 20);
  set_sites(L, &b->r);
  set_objects(L, &b->r);
  set_words(L, &b->r);
  mt_lua_set_integer(L, "left_out", b->r.left_out);
  mt_lua_set_three(L, "groups", b->r.groups);
  mt_lua_set_launch(L, &launch);
  mt_lua_set_string(L, "stopped", why);
  lua_pushvalue(L, box);
  lua_setfield(L, -2, "events");
  mt_lua_watch_done(L, w);
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
