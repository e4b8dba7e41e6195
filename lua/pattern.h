/*
** pattern.h - Lua's patterns, matched so that Ctrl-C ends it.
**
** A pattern with several repetitions, ".-.-.-x", may try more ways to fit a long
** text than anybody can wait for, and Lua's own matcher looks at nothing else
** meanwhile. string.find, match, gmatch and gsub are therefore replaced: short
** work goes to Lua's own, which is faster; what might be long is done here, with
** the same results and the same errors.
*/
#ifndef MT_LUA_PATTERN_H
#define MT_LUA_PATTERN_H

#include <lua.h>

/* Called by mt_lua_open. require "mettle.pattern" has the four by themselves,
** and 'lua', a table of Lua's own. */
void mt_lua_open_pattern(lua_State *L);

#endif
