/*
** main.c - the program: which state, which code, which exit status.
*/
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/mettle.h"

static void complain(lua_State *L) {
  const char *text = luaL_tolstring(L, -1, NULL);
  fprintf(stderr, "mettle: %s\n", text);
  lua_pop(L, 2);
}

static int with_traceback(lua_State *L) {
  luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
  return 1;
}

/* Run the chunk on top of the stack with 'n' arguments above it. */
static int run(lua_State *L, int n) {
  int base = lua_gettop(L) - n;
  lua_pushcfunction(L, with_traceback);
  lua_insert(L, base);
  int status = lua_pcall(L, n, 0, base);
  lua_remove(L, base);
  return status;
}

static int run_file(lua_State *L, const char *name, int argc, char **argv) {
  lua_createtable(L, argc, 1);
  for (int i = 0; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i);
  }
  lua_setglobal(L, "arg");
  int status = luaL_loadfile(L, name);
  if (status != LUA_OK) return status;
  for (int i = 1; i < argc; i++) lua_pushstring(L, argv[i]);
  return run(L, argc - 1);
}

int main(int argc, char **argv) {
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    fprintf(stderr, "mettle: not enough memory\n");
    return 1;
  }
  mt_lua_open(L);
  int status;
  if (argc > 2 && strcmp(argv[1], "-e") == 0) {
    status = luaL_loadbuffer(L, argv[2], strlen(argv[2]), "=(command line)");
    if (status == LUA_OK) status = run(L, 0);
  } else if (argc > 1) {
    status = run_file(L, argv[1], argc - 1, argv + 1);
  } else {
    status = run_file(L, NULL, 1, argv);
  }
  if (status != LUA_OK) complain(L);
  lua_close(L);
  return status == LUA_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
