/*
** mettle.h - Mettle inside a Lua state.
**
** mt_lua_open puts everything a person uses (gpu, cpu, help, …) into the
** globals of 'L'. What is written in Lua lives in lua/NAME.lua below the data
** folder and is loaded by require "lua.NAME", when first used. Nothing here
** opens a device or loads LLVM: that waits for the first buffer or kernel.
** lua_close frees kernels, buffers and, last of all, the devices.
*/
#ifndef MT_LUA_METTLE_H
#define MT_LUA_METTLE_H

#include <lua.h>
#include <lauxlib.h>

#include "devices/device.h"

/* All libraries and globals. Raises only for want of memory. */
void mt_lua_open(lua_State *L);

/* The device in use, opened if need be; raises if there is none. */
mt_Device *mt_lua_device(lua_State *L);

/* Have that device load what compiling needs (mt_device_ready). Raises nothing:
** whoever compiles will say what is wrong. */
void mt_lua_ready(lua_State *L);

/* The device of that name, opened if need be, whichever is in use; raises. */
mt_Device *mt_lua_device_named(lua_State *L, const char *name);

/* A person reads what is said meanwhile, as at the console: notes that a
** subcommand's or another program's output has no place for may be shown. */
void mt_lua_for_person(lua_State *L);
#define MT_LUA_PERSON "mettle.person" /* in the registry: true, or nil */

/* Append what a GPU of these families ("Apple 7, Mac 2") lacks, by name, with
** commas. Needs no state. */
void mt_lua_lacks(const char *families, mt_Str *out);

/* Ctrl-C was pressed: take off the hook that stops all Lua code, so that the caller
** can give what there is so far. mettle.system's stop() puts it back and raises. */
void mt_lua_hold_interrupt(lua_State *L);

/* Raise the line of 'err' as an error of the Lua code that called. */
int mt_lua_raise(lua_State *L, const mt_Error *err);

/*
** Push a growable string that the collector frees, so that text can be built
** between calls that may raise. mt_lua_push_text pushes what it holds.
*/
mt_Str *mt_lua_new_str(lua_State *L);
void mt_lua_push_text(lua_State *L, const mt_Str *s);

/*
** What a Lua state has one of: 'size' bytes, all zero when first asked for,
** which 'gc' empties when the state is closed, those made last first.
*/
void *mt_lua_one(lua_State *L, const char *name, size_t size, lua_CFunction gc);

/*
** Register a metatable with these functions. getmetatable gives a table with
** its name in place of it: who could call __gc would have objects that are half
** there. (debug.getmetatable gives the real one; every function survives that.)
*/
void mt_lua_new_meta(lua_State *L, const char *registered, const char *name,
                     const luaL_Reg *functions);

/*
** Register a type of userdata: 'index' is called as __index with the table of
** methods as its first upvalue. Completion finds the methods in __methods.
*/
void mt_lua_new_type(lua_State *L, const char *registered, const char *name,
                     const luaL_Reg *meta, const luaL_Reg *methods,
                     lua_CFunction index);

#endif
