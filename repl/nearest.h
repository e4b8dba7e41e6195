/*
** nearest.h - which known word a mistyped one is closest to.
*/
#ifndef MT_NEAREST_H
#define MT_NEAREST_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Letters to change, insert or leave out to make 'b' of 'a'; a swap of two
** counts as one. Words over 24 letters are 24 apart. */
size_t mt_distance(const char *a, const char *b);

/*
** For a message that ends in "a nil value (global 'prnt')" or "(field …)":
** append "; did you mean print?" if there is a global, or a field of a global
** table, that is close, and "; here it is gpu.buffer" for a field or method
** that other libraries have under another name.
*/
void mt_nearest_suggest(lua_State *L, const char *message, mt_Str *out);

#endif
