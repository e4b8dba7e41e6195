/*
** chunk.c - compiles typed text.
*/
#include "repl/lua/chunk.h"

#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#include "repl/lua/lua_lexer.h"

#define SOURCES "mettle.sources" /* registry: chunk name -> text */

void mt_chunk_remember(lua_State *L, const char *text, size_t n,
                       const char *name) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, SOURCES);
  lua_pushlstring(L, text, n);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

void mt_chunk_source(lua_State *L, const char *name) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, SOURCES);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
}

/* Replace the text on top of the stack by its function; false: by nothing. */
static bool load_top(lua_State *L, const char *name) {
  size_t length;
  const char *code = lua_tolstring(L, -1, &length);
  bool ok = luaL_loadbufferx(L, code, length, name, "t") == LUA_OK;
  lua_remove(L, -2);
  if (!ok) lua_pop(L, 1);
  return ok;
}

/* Load "return …" with the text, or with what follows a leading '='. */
static bool load_expression(lua_State *L, const char *text, size_t n,
                            const char *name) {
  size_t skip = 0;
  while (skip < n && isspace((unsigned char)text[skip]) && text[skip] != '\n')
    skip++;
  skip = skip < n && text[skip] == '=' ? skip + 1 : 0;
  lua_pushliteral(L, "return ");
  lua_pushlstring(L, text + skip, n - skip);
  lua_concat(L, 2);
  return load_top(L, name);
}

bool mt_chunk_compiles(lua_State *L, const char *text, size_t n) {
  bool ok = luaL_loadbufferx(L, text, n, "=text", "t") == LUA_OK;
  lua_pop(L, 1);
  return ok;
}

/* Load "x = 3; x": statements, then after a semicolon an expression. */
static bool load_ending(lua_State *L, const char *text, size_t n,
                        const char *name) {
  size_t semicolon = n;
  for (size_t at = 0; at < n;) {
    mt_LuaToken t = mt_lua_token(text, n, at);
    if (t.part == MT_LUA_CODE && text[t.start] == ';') semicolon = t.start;
    at = t.end;
  }
  if (semicolon == n || !mt_chunk_compiles(L, text, semicolon)) return false;
  lua_pushlstring(L, text, semicolon);
  lua_pushliteral(L, "; return ");
  lua_pushlstring(L, text + semicolon + 1, n - semicolon - 1);
  lua_concat(L, 3);
  return load_top(L, name);
}

/* Lua's message for incomplete code ends in "<eof>". */
static bool is_unfinished(lua_State *L, int status) {
  static const char mark[] = "<eof>";
  size_t n, m = sizeof mark - 1;
  const char *message = lua_tolstring(L, -1, &n);
  return status == LUA_ERRSYNTAX && n >= m &&
         strcmp(message + n - m, mark) == 0;
}

mt_ChunkState mt_chunk_load(lua_State *L, const char *text, size_t n,
                            const char *name, bool expressions) {
  luaL_checkstack(L, 8, NULL);
  mt_chunk_remember(L, text, n, name);
  if (expressions && load_expression(L, text, n, name)) return MT_CHUNK_READY;
  int status = luaL_loadbufferx(L, text, n, name, "t");
  if (status == LUA_OK) return MT_CHUNK_READY;
  if (expressions && load_ending(L, text, n, name)) {
    lua_remove(L, -2);
    return MT_CHUNK_READY;
  }
  if (!is_unfinished(L, status)) return MT_CHUNK_BAD;
  lua_pop(L, 1);
  return MT_CHUNK_MORE;
}
