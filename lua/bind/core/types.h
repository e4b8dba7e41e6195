/*
** types.h - require "mettle.types": the scalar types of MSL by name.
*/
#ifndef MT_LUA_TYPES_H
#define MT_LUA_TYPES_H

#include <lua.h>

void mt_lua_open_types(lua_State *L);

#endif
