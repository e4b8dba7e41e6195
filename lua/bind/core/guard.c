/*
** guard.c - Lua's own libraries without what can crash the program.
**
** The one idea: a guarded function checks or completes its arguments, and then
** is Lua's own, called as C, so that its messages stay the same.
*/
#include "lua/bind/core/guard.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

/* Lua's own function is the first upvalue. */
static int original(lua_State *L) {
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* ------------------------------------------------------------------- chunks */

/* Set the mode at 'at' to text where none was given. */
static bool complete_mode(lua_State *L, int at) {
  if (!lua_isnoneornil(L, at)) return false;
  if (lua_gettop(L) < at) lua_settop(L, at);
  lua_pushliteral(L, "t");
  lua_replace(L, at);
  return true;
}

/* nil and why it was not loaded are on top: what to do about a binary chunk. */
static int advise(lua_State *L, int n, const char *call) {
  const char *why = n == 2 ? lua_tostring(L, -1) : NULL;
  if (why && lua_isnil(L, -2) && strstr(why, "binary chunk")) {
    lua_pushfstring(L, "%s: bytecode can crash the program; %s loads it all "
                    "the same", why, call);
    lua_replace(L, -2);
  }
  return n;
}

/* load(chunk [, name [, mode [, env]]]) */
static int guard_load(lua_State *L) {
  bool completed = !lua_isnone(L, 1) && complete_mode(L, 3);
  int n = original(L);
  return completed ? advise(L, n, "load(chunk, name, \"b\")") : n;
}

/* loadfile([file [, mode [, env]]]) */
static int guard_loadfile(lua_State *L) {
  bool completed = complete_mode(L, 2);
  int n = original(L);
  return completed ? advise(L, n, "loadfile(file, \"b\")") : n;
}

static int after_file(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  return lua_gettop(L) - 1;
}

/* dofile([file]), as Lua has it, but for the mode */
static int guard_dofile(lua_State *L) {
  const char *file = luaL_optstring(L, 1, NULL);
  lua_settop(L, 1);
  if (luaL_loadfilex(L, file, "t") != LUA_OK) return lua_error(L);
  lua_callk(L, 0, LUA_MULTRET, 0, after_file);
  return after_file(L, LUA_OK, 0);
}

/* require's searcher for Lua files, as Lua has it, but for the mode; the table
** 'package' and its searchpath are its upvalues. */
static int guard_searcher(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, 1);
  if (lua_getfield(L, lua_upvalueindex(1), "path") != LUA_TSTRING)
    return luaL_error(L, "'package.path' must be a string");
  lua_call(L, 2, 2);
  if (lua_isnil(L, -2)) return 1; /* where it was looked for */
  const char *file = lua_tostring(L, -2);
  if (luaL_loadfilex(L, file, "t") != LUA_OK)
    return luaL_error(L, "error loading module '%s' from file '%s':\n\t%s",
                      name, file, lua_tostring(L, -1));
  lua_pushstring(L, file);
  return 2;
}

/* -------------------------------------------------------------------- debug */

static int refuse(lua_State *L, const char *what) {
  return luaL_error(L, "%s: C code of the program relies on it, and could "
                    "crash", what);
}

/* debug.setmetatable(value, table) */
static int guard_setmetatable(lua_State *L) {
  if (lua_type(L, 1) == LUA_TUSERDATA)
    return refuse(L, "debug.setmetatable does not change a userdata");
  return original(L);
}

/* debug.setuservalue(userdata, value [, n]) */
static int guard_setuservalue(lua_State *L) {
  luaL_checktype(L, 1, LUA_TUSERDATA);
  return refuse(L, "debug.setuservalue does not change a userdata");
}

/* debug.setupvalue(f, n, value) */
static int guard_setupvalue(lua_State *L) {
  if (lua_iscfunction(L, 1))
    return refuse(L, "debug.setupvalue does not change a function of C");
  return original(L);
}

/* Is the local that debug.setlocal([thread,] level, n, value) names one that
** Lua or C keeps for itself, such as a loop's counter? */
static bool is_hidden(lua_State *L) {
  int first = lua_isthread(L, 1) ? 2 : 1;
  lua_State *of = first == 2 ? lua_tothread(L, 1) : L;
  lua_Integer level = lua_tointeger(L, first), n = lua_tointeger(L, first + 1);
  lua_Debug at;
  if (level < 0 || level > 0x7fffffff || n < 0 || n > 0x7fffffff ||
      (of != L && !lua_checkstack(of, 1)) ||
      !lua_getstack(of, (int)level, &at))
    return false;
  const char *name = lua_getlocal(of, &at, (int)n);
  if (name) lua_pop(of, 1);
  return name && name[0] == '(';
}

static int guard_setlocal(lua_State *L) {
  if (is_hidden(L))
    return refuse(L, "debug.setlocal does not change a hidden variable");
  return original(L);
}

/* debug.getregistry() -> a copy */
static int guard_getregistry(lua_State *L) {
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, LUA_REGISTRYINDEX);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2); /* table, key, key, value */
    lua_rawset(L, -4);
  }
  return 1;
}

/* ------------------------------------------------------------------ opening */

/* Functions of the table on top get these in front of them. */
static void guard_all(lua_State *L, const luaL_Reg *guards) {
  for (; guards->name; guards++) {
    if (lua_getfield(L, -1, guards->name) != LUA_TFUNCTION) {
      lua_pop(L, 1);
      continue;
    }
    lua_pushcclosure(L, guards->func, 1);
    lua_setfield(L, -2, guards->name);
  }
}

void mt_lua_open_guard(lua_State *L) {
  static const luaL_Reg chunks[] = {{"load", guard_load},
                                    {"loadfile", guard_loadfile},
                                    {"dofile", guard_dofile},
                                    {NULL, NULL}};
  static const luaL_Reg debug[] = {{"setmetatable", guard_setmetatable},
                                   {"setuservalue", guard_setuservalue},
                                   {"setupvalue", guard_setupvalue},
                                   {"setlocal", guard_setlocal},
                                   {"getregistry", guard_getregistry},
                                   {NULL, NULL}};
  lua_pushglobaltable(L);
  guard_all(L, chunks);
  lua_getfield(L, -1, "debug");
  guard_all(L, debug);
  lua_getfield(L, -2, "package");
  lua_getfield(L, -1, "searchers");
  lua_pushvalue(L, -2);
  lua_getfield(L, -3, "searchpath");
  lua_pushcclosure(L, guard_searcher, 2);
  lua_rawseti(L, -2, 2); /* after the preloaded modules */
  lua_settop(L, -5);
}
