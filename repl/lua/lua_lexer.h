/*
** lua_lexer.h - a tokenizer for Lua: classifies the parts of a text as code,
** string, long string or comment.
*/
#ifndef MT_LUA_LEXER_H
#define MT_LUA_LEXER_H

#include <stddef.h>

typedef enum mt_LuaPart {
  MT_LUA_CODE,    /* one token of code, or white space */
  MT_LUA_NAME,    /* name, keyword or number */
  MT_LUA_STRING,  /* '…' or "…" */
  MT_LUA_LONG,    /* [[…]], [=[…]=] */
  MT_LUA_COMMENT, /* -- to the end of the line */
  MT_LUA_BLOCK    /* --[[…]] */
} mt_LuaPart;

typedef struct mt_LuaToken {
  mt_LuaPart part;
  size_t start, end; /* bytes in the text; the next token starts at 'end' */
  size_t inner;      /* strings and comments: where their content starts */
  int level;         /* long brackets: number of '='; else -1 */
  int closed;        /* strings and comments: the end was found */
} mt_LuaToken;

/* The token that starts at 'from' (< 'n'). */
mt_LuaToken mt_lua_token(const char *text, size_t n, size_t from);

/* Positions of ( and { and of an unfinished string that are open at the end of
** the text, innermost last. */
typedef struct mt_LuaOpen {
  size_t at[64];
  size_t count;
  mt_LuaToken last; /* the token that the text ends in */
} mt_LuaOpen;

void mt_lua_brackets(const char *text, size_t n, mt_LuaOpen *out);

/* The level of the long bracket that is open at the end of the text; -1 if it
** does not end inside one. */
int mt_lua_open_level(const char *text, size_t n);

/* Is there a bracket in the text that closes 'level'? */
int mt_lua_closes(const char *text, size_t n, int level);

#endif
