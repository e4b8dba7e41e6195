/*
** migrate.h - buffers and textures move to the device that uses them.
*/
#ifndef MT_LUA_MIGRATE_H
#define MT_LUA_MIGRATE_H

#include <lua.h>

#include "devices/device.h"
#include "lua/bind/core/pin.h"

/*
** Move every buffer and texture of the launch that is on another device to the
** kernel's, and put them in place of the old ones in its arguments, which
** 'pins' has pinned. Views of the same memory move with it. Raises, with
** everything still valid, if the device has no room or one is in use.
*/
void mt_lua_migrate(lua_State *L, const mt_Pins *pins, mt_Launch *l);

/* Copy all pixels of 'from' to 'to', which has the same description. */
void mt_lua_copy_pixels(lua_State *L, const mt_Texture *from, mt_Texture *to);

#endif
