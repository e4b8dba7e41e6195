/*
** advice.h - what Lua calls the remedies of messages from below lua/.
*/
#ifndef MT_LUA_ADVICE_H
#define MT_LUA_ADVICE_H

#include "base/advice.h"

/* For mt_advice_set, by a program whose user writes Lua. */
extern const mt_Advice mt_lua_advice;

#endif
