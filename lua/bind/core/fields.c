/*
** fields.c - fields of tables.
*/
#include "lua/bind/core/fields.h"

void mt_lua_set_string(lua_State *L, const char *name, const char *v) {
  lua_pushstring(L, v);
  lua_setfield(L, -2, name);
}

void mt_lua_set_integer(lua_State *L, const char *name, uint64_t v) {
  lua_pushinteger(L, (lua_Integer)v);
  lua_setfield(L, -2, name);
}

void mt_lua_set_number(lua_State *L, const char *name, double v) {
  lua_pushnumber(L, v);
  lua_setfield(L, -2, name);
}

void mt_lua_set_boolean(lua_State *L, const char *name, bool v) {
  lua_pushboolean(L, v);
  lua_setfield(L, -2, name);
}

lua_Integer mt_lua_integer_field(lua_State *L, int index, const char *name) {
  lua_getfield(L, index, name);
  lua_Integer v = lua_tointeger(L, -1);
  lua_pop(L, 1);
  return v;
}

double mt_lua_number_field(lua_State *L, int index, const char *name) {
  lua_getfield(L, index, name);
  double v = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return v;
}
