/*
** globals.c - the globals of a session, or of its sandbox.
*/
#include "repl/lua/globals.h"

static const char globals_key; /* of the registry */

void mt_globals_set(lua_State *L) {
  lua_rawsetp(L, LUA_REGISTRYINDEX, &globals_key);
}

void mt_globals_push(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &globals_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_pushglobaltable(L);
}
