/*
** hint.c - signature and one line of help for the name being typed.
**
** The name is the one that ends the text or, if the help has no entry for it,
** the function whose arguments are being typed. The texts come from
** lua/reference/help.lua: hint("gpu.buffer"), hint("buffer:fill").
*/
#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#include "repl/line/complete.h"
#include "repl/lua/lua_lexer.h"
#include "repl/lua/names.h"

/* Push the help's function hint; false if there is none. */
static bool push_helper(lua_State *L) {
  static bool missing;
  int top = lua_gettop(L);
  if (missing) return false;
  lua_getglobal(L, "require");
  lua_pushliteral(L, "lua.reference.help");
  if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_istable(L, -1) &&
      lua_getfield(L, -1, "hint") == LUA_TFUNCTION) {
    lua_remove(L, -2);
    return true;
  }
  missing = true;
  lua_settop(L, top);
  return false;
}

static bool ask(lua_State *L, const char *path, mt_Str *out) {
  int top = lua_gettop(L);
  bool found = push_helper(L);
  if (found) {
    lua_pushstring(L, path);
    found = lua_pcall(L, 1, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING;
    if (found) mt_str_addf(out, "   %s", lua_tostring(L, -1));
  }
  lua_settop(L, top);
  return found;
}

/* "b:fill" is looked up as "buffer:fill" if the value of b is a buffer. */
static bool ask_method(lua_State *L, const char *name, size_t n, mt_Str *out) {
  const char *colon = memchr(name, ':', n);
  if (colon == NULL || !mt_name_push(L, name, (size_t)(colon - name)))
    return false;
  bool found = false;
  if (luaL_getmetafield(L, -1, "__name") == LUA_TSTRING) {
    lua_pushlstring(L, colon, n - (size_t)(colon - name));
    lua_concat(L, 2);
    found = ask(L, lua_tostring(L, -1), out);
    lua_pop(L, 1);
  } else if (lua_type(L, -1) == LUA_TSTRING) {
    lua_pushlstring(L, colon, n - (size_t)(colon - name));
    lua_pushfstring(L, "string%s", lua_tostring(L, -1));
    found = ask(L, lua_tostring(L, -1), out);
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
  return found;
}

/* The name that ends at 'end' in 'text'. */
static bool ask_name(lua_State *L, const char *text, size_t end, mt_Str *out) {
  while (end > 0 && isspace((unsigned char)text[end - 1])) end--;
  size_t start = mt_name_start(text, end);
  if (start == end || isdigit((unsigned char)text[start])) return false;
  if (ask_method(L, text + start, end - start, out)) return true;
  /* after a call: most calls return a buffer */
  bool chained = start > 1 && text[start - 1] == ':' && text[start - 2] == ')';
  lua_pushstring(L, chained ? "buffer:" : "");
  lua_pushlstring(L, text + start, end - start);
  lua_concat(L, 2);
  bool found = ask(L, lua_tostring(L, -1), out);
  lua_pop(L, 1);
  return found;
}

void mt_hint(void *context, const char *line, mt_Str *out) {
  mt_Typing *typing = context;
  lua_State *L = typing->L;
  mt_Str text = MT_STR_INIT;
  mt_LuaOpen open;
  mt_str_add(&text, mt_str_text(typing->above));
  mt_str_add(&text, line);
  luaL_checkstack(L, 16, NULL);
  mt_lua_brackets(text.text, text.length, &open);
  bool inside = !open.last.closed && open.last.part != MT_LUA_STRING;
  bool found = inside || line[strspn(line, " \t")] == '\0';
  if (!found && open.last.part == MT_LUA_NAME)
    found = ask_name(L, text.text, text.length, out);
  while (!found && open.count > 0)
    found = ask_name(L, text.text, open.at[--open.count], out);
  mt_str_free(&text);
}
