/*
** json.h - JSON for the modules in lua/.
*/
#ifndef MT_LUA_JSON_H
#define MT_LUA_JSON_H

#include <lua.h>

void mt_lua_open_json(lua_State *L); /* require "mettle.json" */

#endif
