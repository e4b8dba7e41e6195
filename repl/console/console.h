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

/* The call that a text of one word stands for, "help()" for "help", or
** "lesson(3)" for "lesson 3"; false if it is none. */
bool mt_console_command(lua_State *L, const char *text, char call[32]);

#endif
