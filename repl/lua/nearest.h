/*
** nearest.h - the known word that is closest to a mistyped one.
*/
#ifndef MT_NEAREST_H
#define MT_NEAREST_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/*
** For a message that ends in "a nil value (global 'prnt')" or "(field …)":
** append "; did you mean print?" if a global, or a field of a global table, has
** a similar name.
*/
void mt_nearest_suggest(lua_State *L, const char *message, mt_Str *out);

#endif
