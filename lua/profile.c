/*
** profile.c - runs the profiler from Lua: the C part of profile{…}.
*/
#include "devices/profile.h"

#include <lauxlib.h>
#include <string.h>

#include "lua/check.h"
#include "lua/fields.h"
#include "lua/kernel.h"
#include "lua/watch.h"

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

static void push_profile(lua_State *L, const mt_Profile *p) {
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

/* A profile in a userdata, so that it is freed if an error is raised. */
static mt_Profile *push_room(lua_State *L) {
  mt_Profile *r = lua_newuserdatauv(L, sizeof *r, 0);
  memset(r, 0, sizeof *r);
  if (luaL_newmetatable(L, "mettle.counts")) {
    lua_pushcfunction(L, profile_gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return r;
}

/* run(host kernel, launch) -> counters */
static int profile_run(lua_State *L) {
  mt_Launch launch;
  mt_Error err = {""};
  lua_settop(L, 2);
  mt_lua_watch(L, &launch);
  mt_Profile *p = push_room(L);
  mt_Status status = mt_profile(&launch, p, &err);
  mt_lua_show_messages(mt_kernel_device(launch.kernel));
  const char *why = mt_lua_watch_end(L, status, &err);
  push_profile(L, p);
  mt_lua_set_launch(L, &launch);
  mt_lua_set_string(L, "stopped", why);
  return 1;
}

static int open_profile(lua_State *L) {
  static const luaL_Reg functions[] = {{"run", profile_run}, {NULL, NULL}};
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
