/*
** pattern.h - Lua's patterns, with a matcher that Ctrl-C can interrupt.
**
** A pattern with several repetitions, ".-.-.-x", takes time exponential in
** their number on a long text, and Lua's own matcher cannot be interrupted.
** string.find, match, gmatch and gsub are therefore replaced: short work goes
** to Lua's own functions, which are faster; work that may be long is done here,
** with the same results and the same errors.
*/
#ifndef MT_LUA_PATTERN_H
#define MT_LUA_PATTERN_H

#include <lua.h>

/* Called by mt_lua_open. require "mettle.pattern" has the four functions of
** this matcher alone, and 'lua', a table of Lua's own. */
void mt_lua_open_pattern(lua_State *L);

#endif
