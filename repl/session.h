/*
** session.h - a Lua state with Mettle in it.
*/
#ifndef MT_SESSION_H
#define MT_SESSION_H

#include <lua.h>

/* All of Mettle's globals, and Ctrl-C heard. NULL if there is no memory for it,
** which is said on standard error. lua_close ends it. */
lua_State *mt_session_open(void);

/* A subcommand that is written in Lua: run 'code' in a session of its own, with
** argv[1] on as the global table 'arg'. Returns the exit status: what the code
** left in arg.status, else 0, or 1 if it raised. */
int mt_session_main(const char *code, int argc, char **argv);

#endif
