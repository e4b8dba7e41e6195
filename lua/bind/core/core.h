/*
** core.h - what every binding of lua/ stands on: errors, texts, types, and
** memory that the collector frees.
*/
#ifndef MT_LUA_CORE_H
#define MT_LUA_CORE_H

#include <lauxlib.h>
#include <lua.h>

#include "base/status.h"
#include "base/str.h"

/* In the registry: true in a session of a person (mt_lua_for_person), or
** nil. */
#define MT_LUA_PERSON "mettle.person"

/* The string at 'at' for functions of C, for which it would end at a NUL byte:
** a name or path that has one is an error. */
const char *mt_lua_check_text(lua_State *L, int at);
const char *mt_lua_opt_text(lua_State *L, int at, const char *otherwise);

/* Raise the line of 'err' with the position of the calling Lua code. */
int mt_lua_raise(lua_State *L, const mt_Error *err);

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

#endif
