/*
** json.c - require "mettle.json": encode(value [, indented]), decode(text).
**
** A Lua table becomes a list if its keys are 1 … n and no others, else an
** object; an empty one becomes an object, unless its metatable has __list.
** JSON's null becomes nil, that is, no entry. A userdata owns the cJSON tree,
** so that an error frees it. Both functions raise errors that say where.
** Invalid UTF-8 in a string (a file's name may be any bytes) is written as
** U+FFFD: JSON cannot represent it.
*/
#include "lua/bind/core/json.h"

#include <cJSON.h>
#include <lauxlib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lua/bind/core/core.h"


#define TREE "mettle.json"
enum { DEEPEST = 100 };

static int tree_gc(lua_State *L) {
  cJSON **tree = lua_touserdata(L, 1);
  cJSON_Delete(*tree);
  *tree = NULL;
  return 0;
}

static cJSON **push_tree(lua_State *L) {
  return mt_lua_new_owned(L, sizeof(cJSON *), 0, TREE, tree_gc);
}

/* ----------------------------------------------------------------- encoding */

static cJSON *need(lua_State *L, cJSON *node) {
  if (node == NULL) luaL_error(L, "not enough memory for the JSON");
  return node;
}

/* Are the keys of the table at 'index' 1 … n and no others? */
static bool is_list(lua_State *L, int index) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, index), seen = 0;
  if (n == 0) {
    bool list = luaL_getmetafield(L, index, "__list") != LUA_TNIL;
    if (list) lua_pop(L, 1);
    return list && (lua_pushnil(L), !lua_next(L, index));
  }
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 ||
        lua_tointeger(L, -2) > n) {
      lua_pop(L, 2);
      return false;
    }
    seen++;
  }
  return seen == n;
}

/* cJSON's strings end at a zero byte: one inside would truncate the string. */
static const char *whole_string(lua_State *L, int index) {
  size_t n;
  const char *text = lua_tolstring(L, index, &n);
  if (strlen(text) != n)
    luaL_error(L, "a string with a zero byte in it cannot be written as JSON");
  return text;
}

static cJSON *new_node(lua_State *L, int index) {
  lua_Number v;
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
      return need(L, cJSON_CreateBool(lua_toboolean(L, index)));
    case LUA_TNUMBER:
      v = lua_tonumber(L, index);
      if (!isfinite(v))
        luaL_error(L, "JSON has no word for %s", v != v ? "NaN" : "infinity");
      return need(L, cJSON_CreateNumber(v));
    case LUA_TSTRING:
      return need(L, cJSON_CreateString(whole_string(L, index)));
    case LUA_TTABLE:
      return need(
          L, is_list(L, index) ? cJSON_CreateArray() : cJSON_CreateObject());
    default:
      luaL_error(L, "a %s cannot be written as JSON", luaL_typename(L, index));
      return NULL;
  }
}

/* Add the contents of the table at 'index' to 'node', which the tree owns. */
static void fill(lua_State *L, int index, cJSON *node, int depth) {
  if (depth > DEEPEST)
    luaL_error(L, "tables are nested too deep for JSON, or in a circle");
  luaL_checkstack(L, 8, NULL);
  bool list = cJSON_IsArray(node);
  lua_Integer n = (lua_Integer)lua_rawlen(L, index);
  for (lua_Integer i = 1; list && i <= n; i++) {
    lua_rawgeti(L, index, i);
    cJSON *item = new_node(L, lua_gettop(L));
    cJSON_AddItemToArray(node, item);
    if (lua_istable(L, -1)) fill(L, lua_gettop(L), item, depth + 1);
    lua_pop(L, 1);
  }
  if (list) return;
  /* sorted, so that the same table always gives the same text */
  lua_newtable(L);
  int keys = lua_gettop(L);
  lua_Integer count = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "a JSON object has names as keys, not a %s",
                 luaL_typename(L, -2));
    lua_pushvalue(L, -2);
    lua_rawseti(L, keys, ++count);
  }
  lua_getglobal(L, "table");
  lua_getfield(L, -1, "sort");
  lua_pushvalue(L, keys);
  lua_call(L, 1, 0);
  lua_settop(L, keys);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, keys, i);
    const char *key = whole_string(L, -1);
    lua_pushvalue(L, -1);
    lua_rawget(L, index);
    cJSON *item = new_node(L, lua_gettop(L));
    if (!cJSON_AddItemToObject(node, key, item)) {
      cJSON_Delete(item);
      luaL_error(L, "not enough memory for the JSON");
    }
    if (lua_istable(L, -1)) fill(L, lua_gettop(L), item, depth + 1);
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
}

static int json_encode(lua_State *L) {
  luaL_checkany(L, 1);
  bool indented = lua_toboolean(L, 2);
  cJSON **tree = push_tree(L);
  *tree = new_node(L, 1);
  if (lua_istable(L, 1)) fill(L, 1, *tree, 1);
  mt_Str *out = mt_lua_new_str(L);
  char *text = indented ? cJSON_Print(*tree) : cJSON_PrintUnformatted(*tree);
  if (text == NULL) return luaL_error(L, "not enough memory for the JSON");
  mt_str_add_utf8(out, text, strlen(text));
  cJSON_free(text);
  mt_lua_push_text(L, out);
  return 1;
}

/* ----------------------------------------------------------------- decoding */

static void push_value(lua_State *L, const cJSON *node) {
  luaL_checkstack(L, 8, NULL);
  if (cJSON_IsBool(node)) lua_pushboolean(L, cJSON_IsTrue(node));
  else if (cJSON_IsString(node)) lua_pushstring(L, node->valuestring);
  else if (cJSON_IsNumber(node)) {
    double v = node->valuedouble;
    if (v == floor(v) && fabs(v) < 0x1p53) lua_pushinteger(L, (lua_Integer)v);
    else lua_pushnumber(L, v);
  } else if (cJSON_IsArray(node) || cJSON_IsObject(node)) {
    lua_Integer i = 0;
    lua_newtable(L);
    for (const cJSON *item = node->child; item; item = item->next) {
      push_value(L, item);
      if (cJSON_IsArray(node)) lua_rawseti(L, -2, ++i);
      else lua_setfield(L, -2, item->string);
    }
  } else {
    lua_pushnil(L);
  }
}

static int json_decode(lua_State *L) {
  size_t n;
  const char *text = luaL_checklstring(L, 1, &n), *end = NULL;
  cJSON **tree = push_tree(L);
  *tree = cJSON_ParseWithLengthOpts(text, n + 1, &end, 1);
  if (*tree == NULL) {
    int line = 1, column = 1;
    for (const char *p = text; end && p < end && p < text + n; p++) {
      column++;
      if (*p == '\n') line++, column = 1;
    }
    return luaL_error(L,
                      n == 0 ? "the text is empty, not JSON"
                             : "this is not JSON: line %d, column %d",
                      line, column);
  }
  push_value(L, *tree);
  return 1;
}

static int open_json(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"encode", json_encode}, {"decode", json_decode}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}

void mt_lua_open_json(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_json);
  lua_setfield(L, -2, "mettle.json");
  lua_pop(L, 2);
}
