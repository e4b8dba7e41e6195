/*
** check.h - require "mettle.check", "mettle.profile" and "mettle.record":
** devices/check.h, profile.h and record.h for lua/check/check.lua,
** lua/profile/profile.lua and lua/draw/draw.lua.
*/
#ifndef MT_LUA_CHECK_H
#define MT_LUA_CHECK_H

#include <lua.h>

#include "devices/check.h"
#include "devices/profile.h"

void mt_lua_open_check(lua_State *L);
void mt_lua_open_profile(lua_State *L); /* in profile.c */
void mt_lua_open_record(lua_State *L);  /* in record.c */

/* What was found as a table, on top of the stack. */
void mt_lua_push_findings(lua_State *L, const mt_CheckReport *r);
void mt_lua_push_counts(lua_State *L, const mt_Profile *p); /* in profile.c */

#endif
