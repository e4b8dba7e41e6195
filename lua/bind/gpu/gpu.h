/*
** gpu.h - the global table gpu: devices, and what is made on them.
*/
#ifndef MT_LUA_GPU_H
#define MT_LUA_GPU_H

#include <lua.h>

/* Sets the global 'gpu' with its functions; others add theirs to it. */
void mt_lua_open_gpu(lua_State *L);

#endif
