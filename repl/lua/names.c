/*
** names.c - resolves and lists names in live tables.
*/
#include "repl/lua/names.h"


#include <ctype.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "repl/lua/globals.h"

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

static size_t matching_bracket(const char *text, size_t end) {
  for (size_t i = end; i > 0; i--)
    if (text[i - 1] == '[') return i - 1;
  return end;
}

size_t mt_name_start(const char *text, size_t end) {
  size_t at = end;
  for (;;) {
    while (at > 0 && in_name(text[at - 1])) at--;
    if (at > 0 && text[at - 1] == ']') {
      size_t open = matching_bracket(text, at);
      if (open == at) return at;
      at = open;
      continue;
    }
    bool joined = at > 1 && (text[at - 1] == '.' || text[at - 1] == ':') &&
                  (in_name(text[at - 2]) || text[at - 2] == ']');
    if (!joined) return at;
    at--;
  }
}

/* -------------------------------------------------------------- resolving */

static int get_protected(lua_State *L) {
  lua_gettable(L, 1);
  return 1;
}

typedef struct Reader {
  const char *at, *end;
} Reader;

/* Push the next part of the name as a key; false at its end or if malformed. */
static bool push_key(lua_State *L, Reader *r) {
  if (r->at < r->end && (*r->at == '.' || *r->at == ':')) r->at++;
  if (r->at == r->end) return false;
  if (*r->at == '[') {
    const char *close = memchr(r->at, ']', (size_t)(r->end - r->at));
    if (close == NULL) return false;
    const char *inner = r->at + 1;
    size_t n = (size_t)(close - inner);
    r->at = close + 1;
    if (n > 1 && (*inner == '"' || *inner == '\'') && inner[n - 1] == *inner) {
      lua_pushlstring(L, inner + 1, n - 2);
      return true;
    }
    char *rest;
    lua_Integer i = strtoll(inner, &rest, 10);
    lua_pushinteger(L, i);
    return rest == close && n > 0 ? true : (lua_pop(L, 1), false);
  }
  const char *from = r->at;
  while (r->at < r->end && in_name(*r->at)) r->at++;
  if (r->at == from) return false;
  lua_pushlstring(L, from, (size_t)(r->at - from));
  return true;
}

bool mt_name_push(lua_State *L, const char *name, size_t n) {
  Reader r = {name, name + n};
  int top = lua_gettop(L);
  luaL_checkstack(L, 8, NULL);
  mt_globals_push(L);
  while (r.at < r.end) {
    lua_pushcfunction(L, get_protected);
    lua_insert(L, -2);
    if (!push_key(L, &r) || lua_pcall(L, 2, 1, 0) != LUA_OK ||
        lua_isnil(L, -1)) {
      lua_settop(L, top);
      return false;
    }
  }
  return n > 0 ? true : (lua_settop(L, top), false);
}

/* ----------------------------------------------------------------- listing */

static bool is_callable(lua_State *L) {
  if (lua_isfunction(L, -1)) return true;
  if (luaL_getmetafield(L, -1, "__call") == LUA_TNIL) return false;
  lua_pop(L, 1);
  return true;
}

static bool is_name(const char *s) {
  if (isdigit((unsigned char)s[0]) || s[0] == '\0') return false;
  while (in_name(*s)) s++;
  return *s == '\0';
}

/* The string keys of the table on top. */
static void list_keys(lua_State *L, char separator, mt_NameEach each,
                      void *context) {
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    if (lua_type(L, -2) == LUA_TSTRING && is_name(lua_tostring(L, -2)) &&
        (separator != ':' || is_callable(L)))
      each(context, lua_tostring(L, -2));
    lua_pop(L, 1);
  }
}

void mt_name_list(lua_State *L, char separator, mt_NameEach each,
                  void *context) {
  int top = lua_gettop(L);
  luaL_checkstack(L, 16, NULL);
  lua_pushvalue(L, -1);
  for (int deep = 0; deep < 8; deep++) { /* __index may form a cycle */
    if (lua_istable(L, -1)) list_keys(L, separator, each, context);
    if (luaL_getmetafield(L, -1, "__methods") == LUA_TTABLE)
      list_keys(L, separator, each, context);
    lua_settop(L, top + 1);
    if (luaL_getmetafield(L, -1, "__index") != LUA_TTABLE) break;
    lua_replace(L, top + 1);
  }
  lua_settop(L, top);
}
