/*
** mettle.h - Mettle inside a Lua state.
**
** mt_lua_open puts everything a user needs (gpu, cpu, help, …) into the globals
** of 'L'. Modules written in Lua are lua/ROOM/NAME.lua below the data folder
** and are loaded by require "lua.ROOM.NAME", at first use. Nothing here opens
** a device or loads LLVM: the first buffer or kernel does. lua_close frees
** kernels, buffers and finally the devices.
*/
#ifndef MT_LUA_METTLE_H
#define MT_LUA_METTLE_H

#include <lua.h>

/* All libraries and globals. Raises only if out of memory. */
void mt_lua_open(lua_State *L);

/* Declares that the session is interactive, as the console is: notes may be
** shown that do not belong in the output of a subcommand or script. */
void mt_lua_for_person(lua_State *L);

#endif
