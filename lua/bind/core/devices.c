/*
** devices.c - the devices of a Lua state.
*/
#include "lua/bind/core/devices.h"

#include <stdio.h>
#include <string.h>

#include "devices/compiler_module.h"
#include "lua/bind/core/core.h"

#define MAX_OPEN 64

typedef struct Devices {
  mt_Device *open[MAX_OPEN];
  size_t count;
  mt_Device *current; /* one of 'open', or NULL: not yet chosen */
} Devices;

static int close_devices(lua_State *L) {
  Devices *d = lua_touserdata(L, 1);
  if (d == NULL) return 0;
  for (size_t i = 0; i < d->count; i++) mt_device_close(d->open[i]);
  d->count = 0;
  d->current = NULL;
  return 0;
}

static Devices *devices_of(lua_State *L) {
  return mt_lua_one(L, "mettle.devices", sizeof(Devices), close_devices);
}

/* The open device of that name, or a newly opened one; NULL for the best. */
static mt_Status find_or_open(Devices *d, const char *name, mt_Device **out,
                              mt_Error *err) {
  char first[32];
  size_t n = name ? strlen(name) : 0;
  if (n > 2 && n < sizeof first && strcmp(name + n - 2, ":0") == 0) {
    /* cuda:0 is cuda */
    snprintf(first, sizeof first, "%.*s", (int)n - 2, name);
    name = first;
  }
  for (size_t i = 0; name && i < d->count; i++)
    if (strcmp(mt_device_info(d->open[i])->name, name) == 0) {
      *out = d->open[i];
      return MT_OK;
    }
  if (d->count == MAX_OPEN)
    return mt_error(err, MT_FAIL, "%d devices are open: no more fit", MAX_OPEN);
  mt_Status status = mt_device_open(name, out, err);
  if (status == MT_OK) d->open[d->count++] = *out;
  return status;
}

mt_Device *mt_lua_device(lua_State *L) {
  Devices *d = devices_of(L);
  mt_Error err;
  if (d->current == NULL && find_or_open(d, NULL, &d->current, &err) != MT_OK)
    mt_lua_raise(L, &err);
  return d->current;
}

void mt_lua_ready(lua_State *L) {
  Devices *d = devices_of(L);
  mt_Error ignored;
  if (d->current || find_or_open(d, NULL, &d->current, &ignored) == MT_OK)
    mt_device_ready(d->current);
}

void mt_lua_confining(lua_State *L) {
  Devices *d = devices_of(L);
  for (size_t i = 0; i < d->count; i++) mt_device_confining(d->open[i]);
  mt_compiler_confining();
}

mt_Device *mt_lua_device_named(lua_State *L, const char *name) {
  mt_Device *dev;
  mt_Error err;
  if (find_or_open(devices_of(L), name, &dev, &err) != MT_OK)
    mt_lua_raise(L, &err);
  return dev;
}

mt_Device *mt_lua_use_device(lua_State *L, const char *name) {
  return devices_of(L)->current = mt_lua_device_named(L, name);
}

void mt_lua_open_devices(lua_State *L) { devices_of(L); }
