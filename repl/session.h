/*
** session.h - a Lua state with Mettle in it.
*/
#ifndef MT_SESSION_H
#define MT_SESSION_H

#include <lua.h>

/* A state with Mettle's globals and Ctrl-C handling. NULL if out of memory,
** which is reported on standard error. Close it with lua_close. */
lua_State *mt_session_open(void);

/* A subcommand written in Lua: run 'code' in a new session, with argv[1] on as
** the global table 'arg'. Returns the exit status: the value that the code left
** in arg.status, else 0, or 1 if it raised. */
int mt_session_main(const char *code, int argc, char **argv);

/* Its parts: argv[1] on as the global table 'arg', and what the code left in
** arg.status, an integer, else 'otherwise'. */
void mt_session_arguments(lua_State *L, int argc, char **argv);
int mt_session_status(lua_State *L, int otherwise);

#endif
