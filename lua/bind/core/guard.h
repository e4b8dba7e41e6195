/*
** guard.h - Lua's own libraries without what can crash the program.
**
** Lua checks nothing of a binary chunk, and debug writes where C code trusts
** what it finds. So load, loadfile, dofile and require take text, bytecode only
** where the mode "b" asks for it; and debug reads everything, but changes no
** userdata, no upvalue of a C function, no hidden variable, and gives a copy of
** the registry. lua/reference/help/debug.md says so.
*/
#ifndef MT_LUA_GUARD_H
#define MT_LUA_GUARD_H

#include <lua.h>

/* After luaL_openlibs. */
void mt_lua_open_guard(lua_State *L);

#endif
