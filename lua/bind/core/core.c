/*
** core.c - what every binding of lua/ stands on: errors, texts, types and
** memory that the collector frees.
*/
#include "lua/bind/core/core.h"

#include <stdbool.h>
#include <string.h>

const char *mt_lua_check_text(lua_State *L, int at) {
  size_t length;
  const char *text = luaL_checklstring(L, at, &length);
  if (strlen(text) != length)
    luaL_error(L, "a NUL byte follows '%s': no name and no path has one", text);
  return text;
}

const char *mt_lua_opt_text(lua_State *L, int at, const char *otherwise) {
  return lua_isnoneornil(L, at) ? otherwise : mt_lua_check_text(L, at);
}

int mt_lua_raise(lua_State *L, const mt_Error *err) {
  return luaL_error(L, "%s", err->text);
}

void *mt_lua_new_owned(lua_State *L, size_t size, int values, const char *name,
                       lua_CFunction gc) {
  void *memory = lua_newuserdatauv(L, size, values);
  memset(memory, 0, size);
  if (luaL_newmetatable(L, name)) {
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return memory;
}

static int str_gc(lua_State *L) {
  mt_str_free(lua_touserdata(L, 1));
  return 0;
}

mt_Str *mt_lua_new_str(lua_State *L) {
  return mt_lua_new_owned(L, sizeof(mt_Str), 0, "mettle.str", str_gc);
}

void mt_lua_push_text(lua_State *L, const mt_Str *s) {
  if (s->failed) luaL_error(L, "not enough memory for the text");
  lua_pushlstring(L, mt_str_text(s), s->length);
}

void *mt_lua_one(lua_State *L, const char *name, size_t size,
                 lua_CFunction gc) {
  if (lua_getfield(L, LUA_REGISTRYINDEX, name) != LUA_TUSERDATA) {
    lua_pop(L, 1);
    memset(lua_newuserdatauv(L, size, 0), 0, size);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, name);
  }
  void *kept = lua_touserdata(L, -1);
  lua_pop(L, 1); /* the registry has it */
  return kept;
}

void mt_lua_new_meta(lua_State *L, const char *registered, const char *name,
                     const luaL_Reg *functions) {
  luaL_newmetatable(L, registered);
  luaL_setfuncs(L, functions, 0);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_createtable(L, 0, 1);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

void mt_lua_new_type(lua_State *L, const char *registered, const char *name,
                     const luaL_Reg *meta, const luaL_Reg *methods,
                     lua_CFunction index) {
  mt_lua_new_meta(L, registered, name, meta);
  luaL_getmetatable(L, registered);
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__methods");
  lua_pushcclosure(L, index, 1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
