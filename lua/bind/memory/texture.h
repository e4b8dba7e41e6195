/*
** texture.h - textures and samplers as Lua sees them.
*/
#ifndef MT_LUA_TEXTURE_H
#define MT_LUA_TEXTURE_H

#include <lua.h>

#include "devices/device.h"
#include "lua/bind/core/pin.h"

/* gpu.texture, gpu.sampler and their metatables; called by mt_lua_open. */
void mt_lua_open_texture(lua_State *L);

/* The texture at 'arg', alive; NULL if it is none. Raises if it was freed. */
mt_Texture *mt_lua_test_texture(lua_State *L, int arg);

/* The texture at 'arg', alive, or a Lua error. Valid until Lua runs again. */
mt_Texture *mt_lua_check_texture(lua_State *L, int arg);

/* Push a new texture of zeros of the current device; raises if that fails. */
mt_Texture *mt_lua_push_texture(lua_State *L, const mt_TextureDesc *desc);

/* Pin the value on top of the stack and bind it to a texture or sampler
** parameter. Returns NULL, or what is wrong with it. */
const char *mt_lua_bind_texture(lua_State *L, const mt_Param *p, mt_Pins *pins,
                                mt_Arg *out);

/* The same for the table of 'count' textures on top. */
const char *mt_lua_bind_textures(lua_State *L, unsigned count, mt_Pins *pins,
                                 mt_Arg *out);

#endif
