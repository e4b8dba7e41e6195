/*
** slips.c - asks lua/slips/slips.lua. Each call is protected: a report must
** come whatever becomes of the advice.
*/
#include "repl/lua/slips.h"

#include <lauxlib.h>

#include "lua/bind/core/core.h"
#include "repl/lua/nearest.h"

void mt_slip_open(lua_State *L, mt_Slip *out) {
  *out = (mt_Slip){mt_lua_new_str(L), mt_lua_new_str(L), false, false};
}

/* Push the function of slips; false with nothing pushed. */
static bool push_function(lua_State *L, const char *name) {
  if (!lua_checkstack(L, 12)) return false;
  lua_getglobal(L, "require");
  lua_pushliteral(L, "lua.slips.slips");
  if (lua_pcall(L, 1, 1, 0) != LUA_OK || !lua_istable(L, -1))
    return lua_pop(L, 1), false;
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
  return true;
}

/* Call it with 'n' arguments; three values are left on the stack. */
static bool ask(lua_State *L, int n) {
  return lua_pcall(L, n, 3, 0) == LUA_OK && lua_type(L, -3) == LUA_TSTRING;
}

static void take(lua_State *L, mt_Slip *out) {
  mt_str_add(out->say, lua_tostring(L, -3));
  if (lua_type(L, -2) == LUA_TSTRING)
    mt_str_add(out->written, lua_tostring(L, -2));
}

bool mt_slip_syntax(lua_State *L, const char *text, size_t n, int number,
                    const char *message, bool unfinished, mt_Slip *out) {
  int top = lua_gettop(L);
  bool known = false;
  if (push_function(L, "syntax")) {
    lua_pushlstring(L, text, n);
    lua_pushinteger(L, number);
    lua_pushstring(L, message);
    lua_pushboolean(L, unfinished);
    known = ask(L, 4);
    if (known) {
      take(L, out);
      out->msl = lua_toboolean(L, -1);
    }
  }
  lua_settop(L, top);
  return known;
}

bool mt_slip_failed(lua_State *L, const char *line, const char *message,
                    mt_Slip *out) {
  int top = lua_gettop(L);
  bool known = false;
  if (push_function(L, "failed")) {
    lua_pushstring(L, line);
    lua_pushstring(L, message);
    known = ask(L, 2);
    if (known) {
      take(L, out);
      out->guess = lua_toboolean(L, -1);
    }
  }
  lua_settop(L, top);
  return known;
}

/* "nothing is called lesons; did you mean lessons?", if there is a similar
** name. */
static bool guess(lua_State *L, const char *name, mt_Str *out) {
  lua_pushfstring(L, "a nil value (global '%s')", name);
  mt_str_addf(out, "nothing is called %s", name);
  size_t before = out->length;
  mt_nearest_suggest(L, lua_tostring(L, -1), out);
  lua_pop(L, 1);
  return out->length > before;
}

bool mt_slip_note(lua_State *L, const char *text, size_t n, mt_Str *out) {
  int top = lua_gettop(L);
  bool known = false;
  if (push_function(L, "note")) {
    lua_pushlstring(L, text, n);
    known = ask(L, 1);
    if (known)
      mt_str_add(out, lua_tostring(L, -3));
    else if (lua_gettop(L) == top + 3 && lua_type(L, -2) == LUA_TSTRING)
      known = guess(L, lua_tostring(L, -2), out);
  }
  lua_settop(L, top);
  return known;
}
