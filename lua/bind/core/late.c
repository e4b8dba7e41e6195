/*
** late.c - the table of what is bound late.
**
** The registry has the address of the table's first row.
*/
#include "lua/bind/core/late.h"

#include <lauxlib.h>
#include <string.h>

#define ROWS "mettle.late"

void mt_lua_push_field_of(lua_State *L, const char *module, const char *field) {
  lua_getglobal(L, "require");
  lua_pushstring(L, module);
  lua_call(L, 1, 1);
  lua_getfield(L, -1, field);
  lua_remove(L, -2);
}

int mt_lua_call_module(lua_State *L, const char *module, const char *function) {
  int given = lua_gettop(L);
  mt_lua_push_field_of(L, module, function);
  lua_insert(L, 1);
  lua_call(L, given, LUA_MULTRET);
  return lua_gettop(L);
}

static const mt_LateRow *find(lua_State *L, const char *name) {
  lua_getfield(L, LUA_REGISTRYINDEX, ROWS);
  const mt_LateRow *row = lua_touserdata(L, -1);
  lua_pop(L, 1);
  while (row && row->name && strcmp(row->name, name) != 0) row++;
  if (row == NULL || row->name == NULL)
    luaL_error(L, "nothing is bound to '%s'", name);
  return row;
}

void mt_lua_push_late(lua_State *L, const char *name) {
  const mt_LateRow *row = find(L, name);
  mt_lua_push_field_of(L, row->module, row->field);
}

int mt_lua_call_late(lua_State *L, const char *name) {
  const mt_LateRow *row = find(L, name);
  return mt_lua_call_module(L, row->module, row->field);
}

/* late.NAME */
static int late_index(lua_State *L) {
  mt_lua_push_late(L, luaL_checkstring(L, 2));
  return 1;
}

static int open_late(lua_State *L) {
  static const luaL_Reg meta[] = {{"__index", late_index}, {NULL, NULL}};
  lua_newtable(L);
  luaL_newlib(L, meta);
  lua_setmetatable(L, -2);
  return 1;
}

void mt_lua_open_late(lua_State *L, const mt_LateRow *rows) {
  lua_pushlightuserdata(L, (void *)rows);
  lua_setfield(L, LUA_REGISTRYINDEX, ROWS);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, open_late);
  lua_setfield(L, -2, "mettle.late");
  lua_pop(L, 1);
}
