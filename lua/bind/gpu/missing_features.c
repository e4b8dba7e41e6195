/*
** missing_features.c - what a GPU lacks by lua/reference/families.lua, for
** callers without a Lua state.
*/
#include "lua/bind/gpu/missing_features.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

#include "base/files/folders.h"


static void add_names(lua_State *L, mt_Str *out) {
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING;
       i++, lua_pop(L, 1))
    mt_str_addf(out, "%s%s", i == 1 ? "" : ", ", lua_tostring(L, -1));
}

static void ask_lacks(lua_State *L, const mt_DeviceInfo *gpu, mt_Str *out) {
  lua_getfield(L, 1, "lacks");
  lua_pushstring(L, gpu->families);
  lua_pushstring(L, gpu->macos);
  if (lua_pcall(L, 2, 1, 0) == LUA_OK && lua_istable(L, -1)) add_names(L, out);
  lua_settop(L, 1);
}

static void ask_short(lua_State *L, const mt_DeviceInfo *gpu, mt_Str *out) {
  lua_getfield(L, 1, "short");
  lua_pushstring(L, gpu->families);
  lua_pushinteger(L, (lua_Integer)gpu->max_threads_per_group);
  lua_pushinteger(L, (lua_Integer)gpu->max_threadgroup_memory);
  if (lua_pcall(L, 3, 1, 0) == LUA_OK && lua_isstring(L, -1))
    mt_str_addf(out, "%s", lua_tostring(L, -1));
  lua_settop(L, 1);
}

void mt_lua_missing_features(const mt_DeviceInfo *gpu, mt_Str *lacks,
                             mt_Str *falls_short) {
  char path[4096];
  const char *data = mt_dir_data();
  lua_State *L = gpu->families ? luaL_newstate() : NULL;
  if (L == NULL) return;
  luaL_openlibs(L);
  snprintf(path, sizeof path, "%s/lua/reference/families.lua",
           data ? data : ".");
  if (luaL_dofile(L, path) == LUA_OK && lua_istable(L, 1)) {
    ask_lacks(L, gpu, lacks);
    ask_short(L, gpu, falls_short);
  }
  lua_close(L);
}
