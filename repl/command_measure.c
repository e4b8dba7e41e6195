/*
** command_measure.c - mettle bench and mettle cards: the functions main of
** lua/bench.lua and lua/cards.lua, with the words of the command line.
*/
#include <lauxlib.h>
#include <stdio.h>

#include "lua/mettle.h"
#include "repl/commands.h"
#include "repl/interrupt.h"
#include "repl/run.h"

static void set_arg(lua_State *L, int argc, char **argv) {
  lua_createtable(L, argc, 0);
  for (int i = 1; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i);
  }
  lua_setglobal(L, "arg");
}

static int run_main(const char *code, int argc, char **argv) {
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    fprintf(stderr, "mettle: not enough memory\n");
    return MT_EXIT_ERROR;
  }
  mt_lua_open(L);
  mt_interrupt_open(L);
  set_arg(L, argc, argv);
  mt_Exit status = mt_run_code(L, code);
  lua_close(L);
  return status;
}

int mt_command_bench(int argc, char **argv) {
  return run_main("require('lua.bench').main(arg)", argc, argv);
}

int mt_command_cards(int argc, char **argv) {
  return run_main("require('lua.cards').main(arg)", argc, argv);
}
