/*
** interruptible.c - the functions of Lua that are replaced.
*/
#include "repl/lua/interruptible.h"

#include <lauxlib.h>
#include <stdbool.h>

#include "base/cancel.h"
#include "repl/lua/interrupt.h"

/* -------------------------------------------------------------- finalisers */

/* A __gc: calls upvalue 1 with the same arguments, in a coroutine. */
static int finalise(lua_State *L) {
  int given = lua_gettop(L), results = 0;
  lua_State *co = lua_newthread(L);
  lua_insert(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 2);
  lua_xmove(L, co, given + 1);
  int status = mt_interrupt_resume(co, L, given, &results);
  if (status == LUA_YIELD)
    return luaL_error(L, "attempt to yield from a finaliser");
  luaL_checkstack(L, results + 1, "too many results");
  lua_xmove(co, L, status == LUA_OK ? results : 1);
  return status == LUA_OK ? results : lua_error(L);
}

/* Upvalue 1 is Lua's own function, which reports errors. */
static int set_metatable(lua_State *L) {
  if (lua_istable(L, 2)) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) == LUA_TFUNCTION && !lua_iscfunction(L, -1)) {
      lua_pushcclosure(L, finalise, 1);
      lua_pushliteral(L, "__gc");
      lua_insert(L, -2);
      lua_rawset(L, 2);
    } else {
      lua_pop(L, 1);
    }
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* ----------------------------------------------------------------- sorting */

enum { MANY = 2000000 }; /* elements; fewer are sorted quickly */

static int less(lua_State *L) {
  if (mt_cancelled()) return luaL_error(L, "interrupted");
  lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
  return 1;
}

static int sort(lua_State *L) {
  if (lua_istable(L, 1) && lua_isnoneornil(L, 2) && lua_rawlen(L, 1) > MANY) {
    lua_settop(L, 1);
    lua_pushcfunction(L, less);
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* ------------------------------------------------------------------ memory */

static lua_Alloc real_alloc; /* the same for all states: luaL_newstate's */

static void *alloc(void *context, void *block, size_t old, size_t size) {
  const size_t large = 1 << 20;
  if (size > large && (block == NULL || size > old) && mt_cancelled())
    return NULL;
  return real_alloc(context, block, old, size);
}

/* ------------------------------------------------------------ registration */

static void replace(lua_State *L, const char *name, lua_CFunction f) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, f, 1);
  lua_setfield(L, -2, name);
}

void mt_interruptible_open(lua_State *L) {
  lua_pushglobaltable(L);
  replace(L, "setmetatable", set_metatable);
  lua_getfield(L, -1, "table");
  replace(L, "sort", sort);
  lua_pop(L, 2);
  void *context;
  lua_Alloc f = lua_getallocf(L, &context);
  if (f != alloc) {
    real_alloc = f;
    lua_setallocf(L, alloc, context);
  }
}
