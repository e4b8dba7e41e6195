/*
** check.h - require "mettle.check", "mettle.profile" and "mettle.record":
** devices/check.h, profile.h and record.h for lua/check.lua, lua/profile.lua
** and lua/draw.lua.
*/
#ifndef MT_LUA_CHECK_H
#define MT_LUA_CHECK_H

#include <lua.h>

void mt_lua_open_check(lua_State *L);
void mt_lua_open_profile(lua_State *L); /* in profile.c */
void mt_lua_open_record(lua_State *L);  /* in record.c */

#endif
