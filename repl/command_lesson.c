/*
** command_lesson.c - mettle lesson check DIR...: the linter of lessons
** (lua/lesson_lint.lua), for those who write them.
*/
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "lua/mettle.h"
#include "repl/commands.h"
#include "repl/interrupt.h"
#include "repl/run.h"

static const char code[] =
    "if not require('lua.lesson_lint').main(arg) then os.exit(1, true) end";

static int usage(void) {
  fprintf(stderr,
          "usage: mettle lesson check DIR...\n"
          "Tries everything that the lessons in these folders claim; exit "
          "status 0 if all of it is true.\n");
  return 2;
}

int mt_command_lesson(int argc, char **argv) {
  if (argc < 3 || strcmp(argv[1], "check") != 0) return usage();
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    fprintf(stderr, "mettle: not enough memory\n");
    return MT_EXIT_ERROR;
  }
  mt_lua_open(L);
  mt_interrupt_open(L);
  lua_createtable(L, argc - 2, 0);
  for (int i = 2; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i - 1);
  }
  lua_setglobal(L, "arg");
  mt_Exit status = mt_run_code(L, code);
  lua_close(L);
  return status;
}
