/*
** devices.h - the devices of a Lua state, and which one is in use.
**
** A device is opened when it is first needed and stays open until the state is
** closed, so what was made on it remains valid after another one was chosen.
*/
#ifndef MT_LUA_DEVICES_H
#define MT_LUA_DEVICES_H

#include <lua.h>

#include "devices/device.h"

/* Before anything else that the state has: what is made first is freed last. */
void mt_lua_open_devices(lua_State *L);

/* The device in use, opened if need be; raises if there is none. */
mt_Device *mt_lua_device(lua_State *L);

/* Have that device load its compiler (mt_device_ready). Raises nothing: the
** first compile reports failures. */
void mt_lua_ready(lua_State *L);
/* Before this process is confined (base/confine.h), to the devices in use. */
void mt_lua_confining(lua_State *L);

/* The device of that name, opened if need be; the device in use stays the same.
** Raises if there is none. */
mt_Device *mt_lua_device_named(lua_State *L, const char *name);

/* That device becomes the one in use; raises if there is none. */
mt_Device *mt_lua_use_device(lua_State *L, const char *name);

#endif
