/*
** argument_buffers.h - argument buffers: the targets of pointers, textures and
** samplers inside a struct that is given as a table.
*/
#ifndef MT_LUA_ARGUMENT_BUFFERS_H
#define MT_LUA_ARGUMENT_BUFFERS_H

#include <lua.h>

#include "devices/device.h"
#include "lua/bind/core/pin.h"

/*
** The value at 'value' was stored as a 'type' by mt_value_store, which writes
** zeros for links. Add the links to 'arg'; 'at' is the value's offset in its
** bytes and 'path' its name. The targets are pinned. Returns NULL, or what is
** wrong.
*/
const char *mt_lua_read_argument_buffer(lua_State *L, int value,
                                        const mt_Type *type, size_t at,
                                        const char *path, mt_Pins *pins,
                                        mt_Arg *arg);

/* May a buffer of 'have' be read as 'want'? The scalars must be the same, the
** vector lengths may differ; a struct's layout is not checked. */
bool mt_lua_same_elements(const mt_Type *have, const mt_Type *want);

#endif
