/*
** interruptible.h - makes functions of Lua's library interruptible by Ctrl-C.
**
** The hook that stops Lua code (interrupt.h) is not called inside Lua's own C
** functions, nor, by Lua's rule, while a finaliser runs. So:
**   setmetatable  makes the __gc of a table run in a coroutine, where hooks are
**                 called
**   table.sort    of many elements gets a comparison function
**   allocations   of large blocks fail after Ctrl-C: this stops C code that
**                 allocates without end, such as reading all of /dev/zero
** lua/bind/core/pattern.h does the same for patterns.
*/
#ifndef MT_INTERRUPTIBLE_H
#define MT_INTERRUPTIBLE_H

#include <lua.h>

void mt_interruptible_open(lua_State *L); /* once, after mt_lua_open */

#endif
