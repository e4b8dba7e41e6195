/*
** lua_lexer.c - a tokenizer that never fails, for text that may be unfinished.
*/
#include "repl/lua/lua_lexer.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Number of '=' in a long bracket that opens at 'at'; -1 if none does. */
static int opening_level(const char *text, size_t n, size_t at) {
  if (at >= n || text[at] != '[') return -1;
  size_t i = at + 1;
  while (i < n && text[i] == '=') i++;
  return i < n && text[i] == '[' ? (int)(i - at - 1) : -1;
}

/* The position after the bracket that closes 'level', or 'n'. */
static size_t closing(const char *text, size_t n, size_t from, int level,
                      int *closed) {
  for (size_t i = from; i < n; i++) {
    if (text[i] != ']') continue;
    size_t j = i + 1;
    while (j < n && text[j] == '=') j++;
    if (j < n && text[j] == ']' && (int)(j - i - 1) == level) {
      *closed = 1;
      return j + 1;
    }
  }
  return n;
}

static mt_LuaToken long_token(const char *text, size_t n, size_t from,
                              size_t bracket, int level, mt_LuaPart part) {
  mt_LuaToken t = {part, from, n, bracket + (size_t)level + 2, level, 0};
  t.end = closing(text, n, t.inner, level, &t.closed);
  return t;
}

static mt_LuaToken comment_token(const char *text, size_t n, size_t from) {
  int level = opening_level(text, n, from + 2);
  if (level >= 0)
    return long_token(text, n, from, from + 2, level, MT_LUA_BLOCK);
  mt_LuaToken t = {MT_LUA_COMMENT, from, n, from + 2, -1, 0};
  const char *newline = memchr(text + from, '\n', n - from);
  if (newline) {
    t.end = (size_t)(newline - text);
    t.closed = 1;
  }
  return t;
}

static mt_LuaToken string_token(const char *text, size_t n, size_t from) {
  mt_LuaToken t = {MT_LUA_STRING, from, n, from + 1, -1, 0};
  for (size_t i = from + 1; i < n; i++) {
    if (text[i] == '\\') {
      i++;
    } else if (text[i] == text[from] || text[i] == '\n') {
      t.closed = text[i] == text[from];
      t.end = i + (size_t)t.closed;
      break;
    }
  }
  return t;
}

mt_LuaToken mt_lua_token(const char *text, size_t n, size_t from) {
  char c = text[from];
  mt_LuaToken t = {MT_LUA_CODE, from, from + 1, from, -1, 1};
  if (c == '-' && from + 1 < n && text[from + 1] == '-')
    return comment_token(text, n, from);
  if (c == '"' || c == '\'') return string_token(text, n, from);
  int level = opening_level(text, n, from);
  if (level >= 0) return long_token(text, n, from, from, level, MT_LUA_LONG);
  if (isalnum((unsigned char)c) || c == '_') {
    t.part = MT_LUA_NAME;
    while (t.end < n &&
           (isalnum((unsigned char)text[t.end]) || text[t.end] == '_'))
      t.end++;
  }
  return t;
}

void mt_lua_brackets(const char *text, size_t n, mt_LuaOpen *out) {
  enum { MOST = sizeof out->at / sizeof *out->at };
  mt_LuaToken t = {MT_LUA_CODE, 0, 0, 0, -1, 1};
  out->count = 0;
  for (size_t at = 0; at < n; at = t.end) {
    t = mt_lua_token(text, n, at);
    bool string = t.part == MT_LUA_STRING && !t.closed;
    bool opens = t.part == MT_LUA_CODE && strchr("({", text[at]);
    if ((string || opens) && out->count < MOST) out->at[out->count++] = at;
    if (t.part == MT_LUA_CODE && strchr(")}", text[at]) && out->count > 0)
      out->count--;
  }
  out->last = t;
}

int mt_lua_open_level(const char *text, size_t n) {
  mt_LuaToken t = {MT_LUA_CODE, 0, 0, 0, -1, 1};
  for (size_t at = 0; at < n; at = t.end) t = mt_lua_token(text, n, at);
  return t.closed ? -1 : t.level;
}

int mt_lua_closes(const char *text, size_t n, int level) {
  int closed = 0;
  closing(text, n, 0, level, &closed);
  return closed;
}
