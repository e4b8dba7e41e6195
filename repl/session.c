/*
** session.c - opens Lua states for the program and its subcommands.
*/
#include "repl/session.h"

#include <lauxlib.h>
#include <stdio.h>

#include "lua/mettle.h"
#include "repl/interrupt.h"
#include "repl/listen.h"
#include "repl/run.h"

lua_State *mt_session_open(void) {
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    fprintf(stderr, "mettle: not enough memory\n");
    return NULL;
  }
  mt_lua_open(L);
  mt_interrupt_open(L);
  mt_listen_open(L);
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

int mt_session_main(const char *code, int argc, char **argv) {
  lua_State *L = mt_session_open();
  if (L == NULL) return MT_EXIT_ERROR;
  mt_session_arguments(L, argc, argv);
  int status = mt_run_code(L, code);
  if (status != MT_EXIT_INTERRUPTED) status = mt_session_status(L, status);
  mt_interrupt_close(L);
  return status;
}
