/*
** chunk.h - compiles text to a Lua function: an expression or statements,
** perhaps incomplete.
*/
#ifndef MT_CHUNK_H
#define MT_CHUNK_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum mt_ChunkState {
  MT_CHUNK_READY, /* the function is pushed */
  MT_CHUNK_MORE,  /* correct so far, but incomplete: nothing is pushed */
  MT_CHUNK_BAD    /* the message is pushed */
} mt_ChunkState;

/*
** Load 'n' bytes as 'name' (a Lua chunk name). 'expressions': "1 + 1" and
** "=1 + 1" are treated as "return 1 + 1", "x = 3; x" as "x = 3; return x". The
** text is stored under its name so that an error can show its line (report.h).
*/
mt_ChunkState mt_chunk_load(lua_State *L, const char *text, size_t n,
                            const char *name, bool expressions);

/* Is the text a whole chunk of statements? */
bool mt_chunk_compiles(lua_State *L, const char *text, size_t n);

/* Have errors in the chunk called 'name' show the lines of this text. */
void mt_chunk_remember(lua_State *L, const char *text, size_t n,
                       const char *name);

/* Push the text of the chunk called 'name', or nil. */
void mt_chunk_source(lua_State *L, const char *name);

#endif
