/*
** mettle.h - Mettle inside a Lua state.
**
** mt_lua_open puts everything a user needs (gpu, cpu, help, …) into the globals
** of 'L'. Modules written in Lua are lua/NAME.lua below the data folder and are
** loaded by require "lua.NAME", at first use. Nothing here opens a device or
** loads LLVM: the first buffer or kernel does. lua_close frees kernels, buffers
** and finally the devices.
*/
#ifndef MT_LUA_METTLE_H
#define MT_LUA_METTLE_H

#include <lua.h>
#include <lauxlib.h>

#include "devices/device.h"

/* All libraries and globals. Raises only if out of memory. */
void mt_lua_open(lua_State *L);

/* The device in use, opened if need be; raises if there is none. */
mt_Device *mt_lua_device(lua_State *L);

/* Have that device load its compiler (mt_device_ready). Raises nothing: the
** first compile reports failures. */
void mt_lua_ready(lua_State *L);
/* Before this process is confined (base/confine.h), to the devices in use. */
void mt_lua_confining(lua_State *L);

/* The device of that name, opened if need be; the device in use stays the same.
** Raises if there is none. */
mt_Device *mt_lua_device_named(lua_State *L, const char *name);

/* Declares that the session is interactive, as the console is: notes may be
** shown that do not belong in the output of a subcommand or script. */
void mt_lua_for_person(lua_State *L);
#define MT_LUA_PERSON "mettle.person" /* in the registry: true, or nil */

/* Append the features that a GPU lacks by Apple's tables, and the limits in
** which it takes less than these promise, with commas. Needs no state. */
void mt_lua_lacks(const mt_DeviceInfo *gpu, mt_Str *lacks, mt_Str *falls_short);

/* Ctrl-C was pressed: remove the hook that stops all Lua code, so that the
** caller can return partial results. mettle.system's stop() restores it and
** raises. */
void mt_lua_hold_interrupt(lua_State *L);

/* The string at 'at' for functions of C, for which it would end at a NUL byte:
** a name or path that has one is an error. */
const char *mt_lua_check_text(lua_State *L, int at);
const char *mt_lua_opt_text(lua_State *L, int at, const char *otherwise);

/* Raise the line of 'err' with the position of the calling Lua code. */
int mt_lua_raise(lua_State *L, const mt_Error *err);

/* Call 'function' of a module that is written in Lua with everything on the
** stack; returns what it returns. */
int mt_lua_call_module(lua_State *L, const char *module, const char *function);

/*
** Push zeroed memory that the collector frees, by 'gc', so that nothing is lost
** when an error is raised. 'name' is the metatable's in the registry; 'values'
** is how many Lua values it may keep.
*/
void *mt_lua_new_owned(lua_State *L, size_t size, int values, const char *name,
                       lua_CFunction gc);

/*
** Push a growable string that the collector frees, so that text can be built
** between calls that may raise. mt_lua_push_text pushes what it holds.
*/
mt_Str *mt_lua_new_str(lua_State *L);
void mt_lua_push_text(lua_State *L, const mt_Str *s);

/*
** A singleton of the Lua state: 'size' bytes, zeroed at the first call. 'gc'
** releases them when the state is closed, the last made first.
*/
void *mt_lua_one(lua_State *L, const char *name, size_t size, lua_CFunction gc);

/*
** Register a metatable with these functions. getmetatable returns a table with
** its name instead: a script that could call __gc would get half-freed objects.
** (debug.getmetatable returns the real one; every function survives that.)
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

/* types.c: require "mettle.types". Called by mt_lua_open. */
void mt_lua_open_types(lua_State *L);

#endif
