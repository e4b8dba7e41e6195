/*
** console.h - the conversation: prompt, read, run, print, again.
*/
#ifndef MT_CONSOLE_H
#define MT_CONSOLE_H

#include <lua.h>
#include <stdbool.h>

/* Until Ctrl-D. 'banner': greet first. On a terminal with line editing, else
** line by line, with prompts only if somebody is there to read them. */
void mt_console(lua_State *L, bool banner);

#endif
