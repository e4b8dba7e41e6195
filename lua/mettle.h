/*
** mettle.h - Mettle inside a Lua state.
**
** mt_lua_open puts everything a person uses (gpu, cpu, help, …) into the
** globals of 'L'. What is written in Lua lives in lua/NAME.lua below the data
** folder and is loaded by require "lua.NAME", when first used. Nothing here
** opens a device or loads LLVM: that waits for the first buffer or kernel.
*/
#ifndef MT_LUA_METTLE_H
#define MT_LUA_METTLE_H

#include <lua.h>

/* All libraries and globals. Raises only for want of memory. */
void mt_lua_open(lua_State *L);

/* Frees kernels and buffers and closes the devices; before lua_close. */
void mt_lua_close(lua_State *L);

#endif
