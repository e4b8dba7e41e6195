/*
** session.c - opens Lua states for the program and its subcommands.
*/
#include "repl/lua/session.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "lua/mettle.h"
#include "repl/lua/interrupt.h"
#include "repl/lua/interruptible.h"
#include "repl/lua/run.h"

lua_State *mt_session_open(void) {
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    fprintf(stderr, "mettle: not enough memory\n");
    return NULL;
  }
  mt_lua_open(L);
  mt_interrupt_open(L);
  mt_interruptible_open(L);
  mt_run_open(L);
  return L;
}

void mt_session_arguments(lua_State *L, int argc, char **argv) {
  lua_createtable(L, argc, 0);
  for (int i = 1; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i);
  }
  lua_setglobal(L, "arg");
}

int mt_session_status(lua_State *L, int otherwise) {
  lua_getglobal(L, "arg");
  if (!lua_istable(L, -1)) return otherwise;
  lua_getfield(L, -1, "status");
  return lua_isinteger(L, -1) ? (int)lua_tointeger(L, -1) : otherwise;
}

bool mt_session_wants(lua_State *L, const char *word) {
  int top = lua_gettop(L);
  lua_getglobal(L, "arg");
  bool same = lua_istable(L, -1) &&
              lua_getfield(L, -1, "wants") == LUA_TSTRING &&
              strcmp(lua_tostring(L, -1), word) == 0;
  lua_settop(L, top);
  return same;
}

void mt_session_script(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushboolean(L, true);
  lua_setfield(L, -2, "mettle.script");
  lua_pop(L, 1);
}

int mt_session_verdict(lua_State *L) {
  int top = lua_gettop(L), status = 0;
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "lua.session.verdict") == LUA_TTABLE &&
      lua_getfield(L, -1, "status") == LUA_TFUNCTION &&
      lua_pcall(L, 0, 1, 0) == LUA_OK)
    status = (int)lua_tointeger(L, -1);
  lua_settop(L, top);
  return status;
}

int mt_session_main(const char *code, int argc, char **argv) {
  lua_State *L = mt_session_open();
  if (L == NULL) return MT_EXIT_ERROR;
  mt_session_arguments(L, argc, argv);
  int status = mt_run_code(L, code);
  if (status != MT_EXIT_INTERRUPTED) status = mt_session_status(L, status);
  mt_interrupt_close(L);
  return status;
}
