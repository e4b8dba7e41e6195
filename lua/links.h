/*
** links.h - argument buffers: what the pointers, textures and samplers inside of
** a struct that was given as a table lead to.
*/
#ifndef MT_LUA_LINKS_H
#define MT_LUA_LINKS_H

#include <lua.h>

#include "devices/device.h"
#include "lua/pin.h"

/*
** The value at 'value' was stored as a 'type' by mt_value_store, which leaves
** the places of links zero. Note what belongs there in 'arg', 'at' being where
** in its bytes the value stands and 'path' its name. What they lead to is pinned.
** NULL, or what is wrong.
*/
const char *mt_lua_read_links(lua_State *L, int value, const mt_Type *type,
                              size_t at, const char *path, mt_Pins *pins,
                              mt_Arg *arg);

/* May a buffer of 'have' be read as 'want'? Same scalars, whatever the
** grouping; a struct's layout is the person's own business. */
bool mt_lua_same_elements(const mt_Type *have, const mt_Type *want);

#endif
