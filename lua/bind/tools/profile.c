/*
** profile.c - runs the profiler from Lua: the C part of profile{…}.
*/
#include "devices/profile.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "lua/bind/core/core.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/gpu/kernel.h"
#include "lua/bind/tools/check.h"
#include "lua/bind/tools/launch_copies.h"

static void set_kinds(lua_State *L, const char *name, const uint64_t *v) {
  lua_createtable(L, 0, MT_COUNT_KINDS);
  for (int k = 0; k < MT_COUNT_KINDS; k++)
    mt_lua_set_integer(L, mt_count_name((mt_CountKind)k), v[k]);
  lua_setfield(L, -2, name);
}

static void push_counts(lua_State *L, const mt_Counts *c) {
  lua_createtable(L, 0, 24);
  set_kinds(L, "issued", c->issued);
  set_kinds(L, "lanes", c->lanes);
#define SET(field) mt_lua_set_integer(L, #field, c->field)
  SET(operations);
  SET(device_reads);
  SET(device_writes);
  SET(device_read_bytes);
  SET(device_write_bytes);
  SET(lines);
  SET(lines_ideal);
  SET(group_reads);
  SET(group_writes);
  SET(banks);
  SET(banks_ideal);
  SET(constant_reads);
  SET(private_reads);
  SET(private_writes);
  SET(atomics);
  SET(atomics_worst);
  SET(branches);
  SET(divergent);
#undef SET
}

static void push_busiest(lua_State *L, const mt_Busiest *b) {
  lua_createtable(L, 0, 3);
  mt_lua_set_integer(L, "instructions", b->instructions);
  mt_lua_set_integer(L, "device_reads", b->device_reads);
  mt_lua_set_integer(L, "device_writes", b->device_writes);
}

void mt_lua_push_counts(lua_State *L, const mt_Profile *p) {
  lua_createtable(L, 0, 14);
  push_busiest(L, &p->busiest);
  lua_setfield(L, -2, "busiest");
  push_counts(L, &p->total);
  lua_setfield(L, -2, "total");
  lua_newtable(L);
  for (size_t i = 0; i < p->line_count; i++) {
    push_counts(L, &p->lines[i].counts);
    lua_rawseti(L, -2, p->lines[i].line);
  }
  lua_setfield(L, -2, "lines");
  mt_lua_set_string(L, "file", p->file);
  if (p->file) {
    lua_pushlstring(L, p->text ? p->text : "", p->text_length);
    lua_setfield(L, -2, "source");
  }
  mt_lua_set_integer(L, "simdgroups", p->simdgroups);
  mt_lua_set_integer(L, "unique_bytes", p->unique_bytes);
  mt_lua_set_integer(L, "unique_lines", p->unique_lines);
  if (p->registers) mt_lua_set_integer(L, "registers", p->registers);
  mt_lua_set_integer(L, "threadgroup_bytes", p->threadgroup_bytes);
  lua_createtable(L, (int)p->unknown_count, 0);
  for (size_t i = 0; i < p->unknown_count; i++) {
    lua_pushstring(L, p->unknown[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "unknown");
}

static int profile_gc(lua_State *L) {
  mt_profile_free(lua_touserdata(L, 1));
  return 0;
}

static mt_Profile *push_room(lua_State *L) {
  return mt_lua_new_owned(L, sizeof(mt_Profile), 0, "mettle.counts",
                          profile_gc);
}

/* run(host kernel, launch) -> counters */
static int profile_run(lua_State *L) {
  mt_Launch launch;
  mt_Error err = {""};
  lua_settop(L, 2);
  mt_launch_copies_read(L, &launch);
  mt_Profile *p = push_room(L);
  mt_Status status = mt_profile(&launch, p, &err);
  mt_lua_show_messages(mt_kernel_device(launch.kernel));
  const char *why = mt_lua_launch_end(L, status, &err);
  mt_lua_push_counts(L, p);
  mt_lua_set_launch(L, &launch);
  mt_lua_set_string(L, "stopped", why);
  return 1;
}

/* --------------------------------------------- what launches have in common */

#define MAP "mettle.accesses"

/* The accesses of a launch; the user values are its buffers' names. */
typedef struct Map {
  mt_AccessMap map;
  const void **given; /* contents of the user's buffer of each */
  const char **names; /* parameter or member; of the kernel */
  size_t *offsets, *elements; /* where its view begins; bytes of an element */
} Map;

static int map_gc(lua_State *L) {
  Map *m = luaL_checkudata(L, 1, MAP);
  mt_access_map_free(&m->map);
  free(m->given);
  free(m->names);
  free(m->offsets);
  free(m->elements);
  memset(m, 0, sizeof *m);
  return 0;
}

static Map *push_map(lua_State *L) {
  Map *m = mt_lua_new_owned(L, sizeof *m, 1, MAP, map_gc);
  lua_pushvalue(L, 1); /* the kernel, which owns the names */
  lua_setiuservalue(L, -2, 1);
  return m;
}

/* The first argument that is buffer 'b' of the map. */
static void name_buffer(Map *m, size_t b, const char *name, const mt_Type *t,
                        const mt_Arg *a) {
  if (a->kind != MT_ARG_BUFFER || m->names[b] ||
      mt_buffer_contents(a->buffer) != m->map.buffers[b].contents)
    return;
  m->names[b] = name;
  m->offsets[b] = a->offset;
  m->elements[b] = t && t->size ? t->size : 1;
}

static void name_buffers(lua_State *L, Map *m, const mt_Launch *l,
                         const mt_LaunchCopies *w) {
  size_t n = m->map.count, kept;
  m->given = calloc(n + 1, sizeof *m->given);
  m->names = calloc(n + 1, sizeof *m->names);
  m->offsets = calloc(n + 1, sizeof *m->offsets);
  m->elements = calloc(n + 1, sizeof *m->elements);
  if (!m->given || !m->names || !m->offsets || !m->elements)
    luaL_error(L, "not enough memory");
  const mt_Kept *list = mt_launch_copies_initial(L, w, &kept);
  for (size_t b = 0; b < n; b++) {
    for (size_t i = 0; i < kept; i++)
      if (mt_buffer_contents(list[i].buffer) == m->map.buffers[b].contents)
        m->given[b] = list[i].contents;
    for (unsigned i = 0; i < l->arg_count; i++) {
      const mt_Param *p = &mt_kernel_info(l->kernel)->params[i];
      const mt_Arg *a = &l->args[i];
      name_buffer(m, b, p->name, p->type, a);
      for (unsigned k = 0; k < a->link_count; k++)
        name_buffer(m, b, a->links[k].name, a->links[k].type->element,
                    &a->links[k].arg);
    }
  }
  lua_pop(L, 1);
}

/* accesses(host kernel, launch) -> a map of them, why it was stopped or nil */
static int profile_accesses(lua_State *L) {
  mt_Launch launch;
  mt_Error err = {""};
  lua_settop(L, 2);
  mt_LaunchCopies *w = mt_launch_copies_read(L, &launch);
  mt_Profile *p = push_room(L);
  Map *m = push_map(L);
  int at = lua_gettop(L);
  mt_Status status = mt_profile_map(&launch, p, &m->map, &err);
  const char *why = mt_lua_launch_end(L, status, &err);
  name_buffers(L, m, &launch, w);
  lua_pushvalue(L, at);
  if (why) lua_pushstring(L, why);
  else lua_pushnil(L);
  mt_launch_copies_keep(L, w);
  return 2;
}

static uint64_t bits(const mt_AccessedBuffer *b, mt_TouchSet s, size_t i) {
  return b->set[s][i];
}

static const char *how(const mt_AccessedBuffer *b, size_t byte) {
  uint64_t bit = 1ull << byte % 64;
  if (bits(b, MT_TOUCH_WRITTEN, byte / 64) & bit) return "write";
  return bits(b, MT_TOUCH_ATOMIC, byte / 64) & bit ? "atomic" : "read";
}

/* Bytes that both access, one of them not by an atomic and not only reading. */
static uint64_t conflict(const mt_AccessedBuffer *a, const mt_AccessedBuffer *b,
                         size_t i) {
  uint64_t aw = bits(a, MT_TOUCH_WRITTEN, i);
  uint64_t bw = bits(b, MT_TOUCH_WRITTEN, i);
  uint64_t ar = bits(a, MT_TOUCH_READ, i), br = bits(b, MT_TOUCH_READ, i);
  uint64_t aa = bits(a, MT_TOUCH_ATOMIC, i), ba = bits(b, MT_TOUCH_ATOMIC, i);
  return (aw & (bw | br | ba)) | (bw & (ar | aa)) | (aa & br) | (ba & ar);
}

static void set_side(lua_State *L, const Map *m, size_t b, size_t byte,
                     const char *name, const char *index, const char *does) {
  int64_t at = (int64_t)byte - (int64_t)m->offsets[b];
  mt_lua_set_string(L, name, m->names[b] ? m->names[b] : "?");
  mt_lua_set_string(L, does, how(&m->map.buffers[b], byte));
  lua_pushinteger(L, at / (int64_t)m->elements[b]);
  lua_setfield(L, -2, index);
}

/* Push a table about two buffers, or nil if they have nothing in common. */
static bool push_overlap(lua_State *L, const Map *x, size_t a, const Map *y,
                         size_t b) {
  const mt_AccessedBuffer *p = &x->map.buffers[a], *q = &y->map.buffers[b];
  uint64_t bytes = 0;
  size_t first = 0;
  for (size_t i = 0; i < p->size / 64 + 1; i++) {
    uint64_t both = conflict(p, q, i);
    if (both && !bytes) first = i * 64 + (size_t)__builtin_ctzll(both);
    bytes += (unsigned)__builtin_popcountll(both);
  }
  if (!bytes) return false;
  lua_createtable(L, 0, 8);
  set_side(L, x, a, first, "buffer", "index", "how");
  set_side(L, y, b, first, "other_buffer", "other_index", "other_how");
  mt_lua_set_integer(L, "count", (bytes + x->elements[a] - 1) / x->elements[a]);
  return true;
}

/* overlap(map, map) -> list of { buffer, index, how, other_…, count }: elements
** that two launches must not access at the same time */
static int profile_overlap(lua_State *L) {
  const Map *x = luaL_checkudata(L, 1, MAP), *y = luaL_checkudata(L, 2, MAP);
  lua_Integer n = 0;
  lua_settop(L, 2);
  lua_newtable(L);
  for (size_t a = 0; a < x->map.count; a++)
    for (size_t b = 0; b < y->map.count; b++)
      if (x->given[a] && x->given[a] == y->given[b] &&
          x->map.buffers[a].size == y->map.buffers[b].size &&
          push_overlap(L, x, a, y, b))
        lua_rawseti(L, -2, ++n);
  return 1;
}

static int open_profile(lua_State *L) {
  static const luaL_Reg functions[] = {{"run", profile_run},
                                       {"accesses", profile_accesses},
                                       {"overlap", profile_overlap},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}

void mt_lua_open_profile(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_profile);
  lua_setfield(L, -2, "mettle.profile");
  lua_pop(L, 2);
}
