/*
** check.h - require "mettle.check" and "mettle.profile": devices/check.h and
** devices/profile.h for the modules lua/check.lua and lua/profile.lua.
*/
#ifndef MT_LUA_CHECK_H
#define MT_LUA_CHECK_H

#include <lua.h>

void mt_lua_open_check(lua_State *L);
void mt_lua_open_profile(lua_State *L); /* in profile.c */

#endif
