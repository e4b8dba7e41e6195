/*
** system.h - system functions for Mettle's own Lua modules.
*/
#ifndef MT_LUA_SYSTEM_H
#define MT_LUA_SYSTEM_H

#include <lua.h>

/* Makes require "mettle.system" work; called by mt_lua_open. */
void mt_lua_open_system(lua_State *L);

/* Ctrl-C was pressed: remove the hook that stops all Lua code, so that the
** caller can return partial results. mettle.system's stop() restores it and
** raises. */
void mt_lua_hold_interrupt(lua_State *L);

/* Columns of the terminal; 80 if there is none. */
int mt_lua_columns(void);

#endif
