/*
** picture.h - pictures inside Lua: require "mettle.picture".
*/
#ifndef MT_LUA_PICTURE_H
#define MT_LUA_PICTURE_H

#include <lua.h>

/* Called by mt_lua_open. */
void mt_lua_open_picture(lua_State *L);

#endif
