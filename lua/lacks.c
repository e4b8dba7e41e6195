/*
** lacks.c - features that a GPU lacks by lua/families.lua, for callers without
** a Lua state.
*/
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

#include "base/file.h"
#include "lua/mettle.h"

static void add_names(lua_State *L, mt_Str *out) {
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++, lua_pop(L, 1))
    mt_str_addf(out, "%s%s", i == 1 ? "" : ", ", lua_tostring(L, -1));
}

void mt_lua_lacks(const char *families, mt_Str *out) {
  char path[4096];
  const char *data = mt_dir_data();
  lua_State *L = luaL_newstate();
  if (L == NULL) return;
  luaL_openlibs(L);
  snprintf(path, sizeof path, "%s/lua/families.lua", data ? data : ".");
  if (luaL_dofile(L, path) == LUA_OK && lua_istable(L, -1) && lua_getfield(L, -1, "lacks") == LUA_TFUNCTION) {
    lua_pushstring(L, families);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_istable(L, -1)) add_names(L, out);
  }
  lua_close(L);
}
