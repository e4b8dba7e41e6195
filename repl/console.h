/*
** console.h - the read-eval-print loop.
*/
#ifndef MT_CONSOLE_H
#define MT_CONSOLE_H

#include <lua.h>
#include <stdbool.h>

/* Runs until Ctrl-D. 'banner': greet first. With line editing on a terminal,
** else line by line, with prompts only if standard input is a terminal. */
void mt_console(lua_State *L, bool banner);

#endif
