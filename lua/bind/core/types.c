/*
** types.c - require "mettle.types": the scalar types of MSL by name, for
** modules written in Lua.
**
** Each is {size = bytes, kind = "f", "i", "u" or "b", numpy = "float32"}; where
** NumPy has no such type, 'numpy' is nil.
*/
#include <lauxlib.h>
#include <stdio.h>

#include "base/kernel_types/scalar.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/core/types.h"

static void push_numpy_name(lua_State *L, mt_Scalar s) {
  const char *kind = "bool";
  int bits = 8 * (int)mt_scalar_size(s);
  if (mt_scalar_kind(s) == 'f') kind = "float%d";
  if (mt_scalar_kind(s) == 'i') kind = "int%d";
  if (mt_scalar_kind(s) == 'u') kind = "uint%d";
  lua_pushfstring(L, kind, bits);
}

static int open_types(lua_State *L) {
  lua_newtable(L);
  for (int i = MT_VOID + 1; i < MT_SCALARS; i++) {
    mt_Scalar s = (mt_Scalar)i;
    char kind[2] = {mt_scalar_kind(s)};
    lua_newtable(L);
    lua_pushinteger(L, (lua_Integer)mt_scalar_size(s));
    lua_setfield(L, -2, "size");
    mt_lua_set_string(L, "kind", kind);
    if (mt_scalar_in_numpy(s)) {
      push_numpy_name(L, s);
      lua_setfield(L, -2, "numpy");
    }
    lua_setfield(L, -2, mt_scalar_name(s));
  }
  return 1;
}

void mt_lua_open_types(lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, open_types);
  lua_setfield(L, -2, "mettle.types");
  lua_pop(L, 1);
}
