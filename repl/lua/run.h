/*
** run.h - runs the user's code: protected, interruptible, errors reported.
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
  MT_EXIT_USAGE = 2,         /* what was asked for cannot be carried out */
  MT_EXIT_INTERRUPTED = 130, /* by Ctrl-C; reported there too */
  MT_EXIT_MORE = -1,         /* only mt_run_line: the text is not complete */
  MT_EXIT_MISTAKEN = -2      /* only mt_run_line: MSL, not Lua; reported */
} mt_Exit;

/* Once for a state, while there is memory. */
void mt_run_open(lua_State *L);

/* A file ("-" is standard input) with the arguments from argv[1] on; argv[0] is
** its name. argv also becomes the global table 'arg'. */
mt_Exit mt_run_file(lua_State *L, const char *file, int argc, char **argv);

/* Code of the command line. A bare expression prints its value. */
mt_Exit mt_run_code(lua_State *L, const char *code);

/* The chunk typed at the console so far; values of expressions are printed and
** stored in the global '_'. */
mt_Exit mt_run_line(lua_State *L, const char *text, size_t n);

/*
** A cell of a notebook, called 'name' in messages ("=cell 3"): all of it is one
** chunk, and the values of an expression at its end are shown.
*/
mt_Exit mt_run_cell(lua_State *L, const char *text, size_t n, const char *name);

/* Is the cell complete? MT_EXIT_OK, MT_EXIT_MORE, or MT_EXIT_ERROR if no
** further line can make it valid. Nothing is run or shown. */
mt_Exit mt_run_cell_state(lua_State *L, const char *text, size_t n);

/* Where values and errors go, if not to the terminal. */
typedef struct mt_RunView {
  const char *printer; /* a module in Lua; its print gets values, as show's */
  void (*failed)(void *context, bool interrupted, const char *message,
                 const char *details); /* NULL: to the terminal */
  void *context;
} mt_RunView;

/* For code of this state from now on; '*view' lives as long as the state. */
void mt_run_view(lua_State *L, const mt_RunView *view);

/* As mt_run_cell, for text that is Mettle's own: with Lua's globals always. */
mt_Exit mt_run_trusted(lua_State *L, const char *text, size_t n,
                       const char *name);

#endif
