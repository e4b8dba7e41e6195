/*
** methods.h - the methods of a buffer, by the file they live in. Only
** lua/bind/memory/buffer.c, which registers them, and those files need this.
*/
#ifndef MT_LUA_BUFFER_METHODS_H
#define MT_LUA_BUFFER_METHODS_H

#include <lua.h>

/* buffer/make.c: new buffers */
int mt_gpu_buffer(lua_State *L);
int mt_buffer_copy(lua_State *L);
int mt_buffer_table(lua_State *L);

/* buffer/fill.c: contents */
int mt_buffer_fill(lua_State *L);
int mt_buffer_iota(lua_State *L);
int mt_buffer_random(lua_State *L);
int mt_buffer_normal(lua_State *L);

/* buffer/reduce.c: numbers about the contents */
int mt_buffer_sum(lua_State *L);
int mt_buffer_min(lua_State *L);
int mt_buffer_max(lua_State *L);
int mt_buffer_mean(lua_State *L);

/* buffer/equals.c: comparison */
int mt_buffer_equals(lua_State *L);

/* buffer/show.c: for reading */
int mt_buffer_tostring(lua_State *L);
int mt_buffer_hex(lua_State *L);

/* npy.c: NumPy's file format */
int mt_gpu_load(lua_State *L);
int mt_buffer_save(lua_State *L);

#endif
