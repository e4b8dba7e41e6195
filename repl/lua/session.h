/*
** session.h - a Lua state with Mettle in it.
*/
#ifndef MT_SESSION_H
#define MT_SESSION_H

#include <lua.h>
#include <stdbool.h>

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

/* Is that what the code left in arg.wants, a string? */
bool mt_session_wants(lua_State *L, const char *word);

/* From now on code is run for the shell and not for a person at a console: a
** wrong report that is not looked at is shown at the end. */
void mt_session_script(lua_State *L);

/* What the verdicts that were shown (lua/session/verdict.lua) mean to the
** shell: 0, 1 if an answer was wrong, 2 if nothing could be judged. */
int mt_session_verdict(lua_State *L);

#endif
