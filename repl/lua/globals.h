/*
** globals.h - the globals that cells and completion see: Lua's own, or in a
** sandbox a table.
*/
#ifndef MT_GLOBALS_H
#define MT_GLOBALS_H

#include <lua.h>

/* The table on top of the stack, which is popped, from now on. */
void mt_globals_set(lua_State *L);

void mt_globals_push(lua_State *L);

#endif
