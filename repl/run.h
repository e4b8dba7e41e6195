/*
** run.h - runs a person's code: protected, stoppable, errors reported.
*/
#ifndef MT_RUN_H
#define MT_RUN_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit statuses of the program, and what the functions here return. */
typedef enum mt_Exit {
  MT_EXIT_OK = 0,
  MT_EXIT_ERROR = 1,         /* reported on standard error */
  MT_EXIT_INTERRUPTED = 130, /* by Ctrl-C; said so there */
  MT_EXIT_MORE = -1,         /* mt_run_line alone: the text is not complete */
  MT_EXIT_MISTAKEN = -2      /* the same: reported, it is (half) a kernel */
} mt_Exit;

/* A file ("-" is standard input) with the arguments argv[1] on, argv[0] being
** its name; argv also becomes the global table 'arg'. */
mt_Exit mt_run_file(lua_State *L, const char *file, int argc, char **argv);

/* Code of the command line. A bare expression prints its value. */
mt_Exit mt_run_code(lua_State *L, const char *code);

/* What was typed at the console so far; values of expressions are printed, and
** kept in the global '_'. */
mt_Exit mt_run_line(lua_State *L, const char *text, size_t n);

/* Is the text a whole chunk of statements? */
bool mt_run_compiles(lua_State *L, const char *text, size_t n);

#endif
