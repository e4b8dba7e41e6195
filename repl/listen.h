/*
** listen.h - what of Lua's own would not listen to Ctrl-C, made to.
**
** The hook that stops Lua code (interrupt.h) is not called inside of Lua's own C
** functions, nor, by Lua's rule, while a finaliser runs. So:
**   setmetatable  has the __gc of a table run in a coroutine, where hooks are called
**   table.sort    of many elements asks a function which of two comes first
**   memory        in large pieces is refused after Ctrl-C: what grows without end
**                 in C, as the whole of /dev/zero, ends there
** Patterns are lua/pattern.h's.
*/
#ifndef MT_LISTEN_H
#define MT_LISTEN_H

#include <lua.h>

void mt_listen_open(lua_State *L); /* once, after mt_lua_open */

#endif
