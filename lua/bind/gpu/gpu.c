/*
** gpu.c - the global table gpu: the devices, and which one is in use.
**
** gpu.device is not a plain field: reading it opens the default device.
*/
#include "lua/bind/gpu/gpu.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler_module.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/devices.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/core/late.h"
#include "lua/bind/core/pin.h"

#define DEVICE "mettle.device"  /* metatable of a device's description */
/* ------------------------------------------------------ describing a device */

/* What GPUs of these families lack by Apple's tables, with this macOS. */
static void set_lacks(lua_State *L, const mt_DeviceInfo *i) {
  if (i->families == NULL) return;
  mt_lua_push_late(L, "missing_features");
  lua_pushstring(L, i->families);
  lua_pushstring(L, i->macos);
  lua_call(L, 2, 1);
  lua_setfield(L, -2, "lacks");
}

static void push_device(lua_State *L, const mt_Device *dev) {
  const mt_DeviceInfo *i = mt_device_info(dev);
  lua_createtable(L, 0, 16);
  mt_lua_set_string(L, "name", i->name);
  mt_lua_set_string(L, "title", i->title);
  mt_lua_set_string(L, "how", i->how);
  mt_lua_set_boolean(L, "is_gpu", i->is_gpu);
  mt_lua_set_boolean(L, "unified_memory", i->unified_memory);
  mt_lua_set_integer(L, "units", i->units);
  if (i->simd_width) mt_lua_set_integer(L, "simd_width", i->simd_width);
  mt_lua_set_integer(L, "max_threads_per_group", i->max_threads_per_group);
  mt_lua_set_integer(L, "max_threadgroup_memory", i->max_threadgroup_memory);
  mt_lua_set_integer(L, "max_buffer", i->max_buffer);
  mt_lua_set_integer(L, "max_buffers", i->max_buffers);
  mt_lua_set_integer(L, "max_textures", i->max_textures);
  mt_lua_set_integer(L, "memory", i->memory);
  mt_lua_set_string(L, "families", i->families);
  mt_lua_set_string(L, "macos", i->macos);
  set_lacks(L, i);
  luaL_setmetatable(L, DEVICE);
}

static void add_lacks(lua_State *L, int device, mt_Str *text) {
  if (lua_getfield(L, device, "lacks") == LUA_TTABLE)
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING;
         i++, lua_pop(L, 1))
      mt_str_addf(text, "%s%s", i == 1 ? "\n  lacks: " : ", ",
                  lua_tostring(L, -1));
}

static int device_tostring(lua_State *L) {
  mt_Str *text = mt_lua_new_str(L);
  lua_getfield(L, 1, "name");
  mt_Device *dev = mt_lua_device_named(L, mt_lua_check_text(L, -1));
  mt_str_addf(text, "%s:\n", mt_device_info(dev)->name);
  mt_device_describe(mt_device_info(dev), text);
  if (text->length) text->length--; /* the last newline */
  add_lacks(L, 1, text);
  mt_lua_push_text(L, text);
  return 1;
}

/* -------------------------------------------------------------- functions */

/* gpu.devices() -> list of {name, what, current, missing} */
static int gpu_devices(lua_State *L) {
  const mt_DeviceEntry *entries;
  size_t n = mt_device_list(&entries);
  const char *current = mt_device_info(mt_lua_device(L))->name;
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    lua_createtable(L, 0, 4);
    mt_lua_set_string(L, "name", entries[i].name);
    mt_lua_set_string(L, "what", entries[i].what);
    mt_lua_set_string(L, "missing", entries[i].missing);
    lua_pushboolean(L, strcmp(entries[i].name, current) == 0);
    lua_setfield(L, -2, "current");
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* gpu.use(name) -> the device; buffers and kernels made before stay valid */
static int gpu_use(lua_State *L) {
  push_device(L, mt_lua_use_device(L, mt_lua_check_text(L, 1)));
  return 1;
}

/* gpu.capture(file, f) -> what f returns */
static int gpu_capture(lua_State *L) {
  const char *path = mt_lua_check_text(L, 1);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  mt_Device *dev = mt_lua_device(L);
  mt_Error err;
  if (mt_capture_start(dev, path, &err) != MT_OK) return mt_lua_raise(L, &err);
  int status = lua_pcall(L, 0, LUA_MULTRET, 0);
  mt_capture_stop(dev);
  return status == LUA_OK ? lua_gettop(L) - 1 : lua_error(L);
}

static int gpu_index(lua_State *L) {
  const char *key = lua_tostring(L, 2);
  if (key && strcmp(key, "kernels") == 0) { /* written in Lua, loaded late */
    mt_lua_push_late(L, "kernels");
    return 1;
  }
  if (key && strcmp(key, "target") == 0) {
    mt_lua_push_late(L, "get_target");
    lua_call(L, 0, 1);
    return 1;
  }
  if (key == NULL || strcmp(key, "device") != 0) return 0;
  push_device(L, mt_lua_device(L));
  return 1;
}

static int gpu_newindex(lua_State *L) {
  const char *key = lua_tostring(L, 2);
  if (key && strcmp(key, "device") == 0)
    return luaL_error(L, "gpu.device is read only: choose with gpu.use(name)");
  if (key && strcmp(key, "target") == 0) {
    mt_lua_push_late(L, "set_target");
    lua_pushvalue(L, 3);
    lua_call(L, 1, 0);
    return 0;
  }
  lua_rawset(L, 1);
  return 0;
}

/* gpu.ready() */
static int gpu_ready(lua_State *L) {
  mt_device_ready(mt_lua_device(L));
  return 0;
}

void mt_lua_open_gpu(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"devices", gpu_devices}, {"use", gpu_use}, {"capture", gpu_capture},
      {"ready", gpu_ready}, {NULL, NULL}};
  static const luaL_Reg meta[] = {
      {"__index", gpu_index}, {"__newindex", gpu_newindex}, {NULL, NULL}};
  mt_lua_open_devices(L); /* the first made is the last freed */
  mt_pin_open(L);
  static const luaL_Reg device[] = {{"__tostring", device_tostring},
                                    {NULL, NULL}};
  mt_lua_new_meta(L, DEVICE, "device", device);
  luaL_newlib(L, functions);
  luaL_newlib(L, meta);
  lua_setmetatable(L, -2);
  lua_setglobal(L, "gpu");
}
