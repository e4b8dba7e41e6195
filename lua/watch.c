/*
** watch.c - copies of a launch's arguments on the host device.
*/
#include "lua/watch.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lua/fields.h"
#include "lua/kernel.h"
#include "lua/mettle.h"

static int watch_gc(lua_State *L) {
  mt_Watch *w = lua_touserdata(L, 1);
  for (unsigned i = 0; i < w->count; i++) {
    mt_buffer_free(w->buffers[i]);
    mt_texture_free(w->textures[i]);
    for (unsigned k = 0; w->arrays[i] && k < w->given[i].texture_count; k++)
      mt_texture_free(w->arrays[i][k]);
    free(w->arrays[i]);
  }
  free(w->arrays);
  free(w->args);
  free(w->given);
  free(w->buffers);
  free(w->textures);
  free(w->flags);
  memset(w, 0, sizeof *w);
  return 0;
}

static mt_Watch *push_watch(lua_State *L, const mt_Launch *l) {
  mt_Watch *w = lua_newuserdatauv(L, sizeof *w, 0);
  memset(w, 0, sizeof *w);
  if (luaL_newmetatable(L, "mettle.watch")) {
    lua_pushcfunction(L, watch_gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  size_t n = l->arg_count + 1;
  w->args = calloc(n, sizeof *w->args);
  w->given = calloc(n, sizeof *w->given);
  w->buffers = calloc(n, sizeof *w->buffers);
  w->textures = calloc(n, sizeof *w->textures);
  w->arrays = calloc(n, sizeof *w->arrays);
  w->flags = calloc(2 * n, sizeof *w->flags);
  if (!w->arrays || !w->args || !w->given || !w->buffers || !w->textures || !w->flags)
    luaL_error(L, "not enough memory");
  memcpy(w->args, l->args, l->arg_count * sizeof *w->args);
  memcpy(w->given, l->args, l->arg_count * sizeof *w->given);
  w->count = l->arg_count;
  return w;
}

/* The copy of argument i's buffer: views of one memory share one copy, so that
** arguments which overlap still do. */
static mt_Buffer *copy_buffer(lua_State *L, mt_Watch *w, unsigned i,
                              mt_Device *dev) {
  mt_Buffer *from = w->given[i].buffer;
  mt_Error err;
  for (unsigned k = 0; k < i; k++)
    if (w->given[k].kind == MT_ARG_BUFFER && w->given[k].buffer == from)
      return w->args[k].buffer;
  if (mt_buffer_new(dev, mt_buffer_size(from), &w->buffers[i], &err) != MT_OK)
    mt_lua_raise(L, &err);
  void *to = mt_buffer_contents(w->buffers[i]);
#ifdef MADV_POPULATE_WRITE /* all pages at once; it is no matter if not */
  madvise(to, mt_buffer_size(from), MADV_POPULATE_WRITE);
#endif
  memcpy(to, mt_buffer_contents(from), mt_buffer_size(from));
  return w->buffers[i];
}

/* All pixels of 'from' into 'to', of the same description. */
static void copy_pixels(lua_State *L, const mt_Texture *from, mt_Texture *to) {
  const mt_TextureDesc *d = mt_texture_desc(from);
  size_t size = mt_pixel_size(d->format) * d->width * d->height * d->depth * d->layers;
  void *pixels = lua_newuserdatauv(L, size, 0);
  mt_Error err;
  if (mt_texture_read(from, pixels, size, &err) != MT_OK ||
      mt_texture_write(to, pixels, size, &err) != MT_OK)
    mt_lua_raise(L, &err);
  lua_pop(L, 1);
}

static mt_Texture *copy_texture(lua_State *L, mt_Watch *w, unsigned i,
                                mt_Device *dev) {
  mt_Texture *from = w->given[i].texture;
  mt_Error err;
  for (unsigned k = 0; k < i; k++)
    if (w->given[k].kind == MT_ARG_TEXTURE && w->given[k].texture == from)
      return w->args[k].texture;
  if (mt_texture_new(dev, mt_texture_desc(from), &w->textures[i], &err) != MT_OK)
    mt_lua_raise(L, &err);
  copy_pixels(L, from, w->textures[i]);
  return w->textures[i];
}

static void copy_textures(lua_State *L, mt_Watch *w, unsigned i, mt_Device *dev) {
  const mt_Arg *from = &w->given[i];
  mt_Error err;
  mt_Texture **to = w->arrays[i] = calloc(from->texture_count, sizeof *to);
  if (to == NULL) luaL_error(L, "not enough memory");
  for (unsigned k = 0; k < from->texture_count; k++) {
    if (mt_texture_new(dev, mt_texture_desc(from->textures[k]), &to[k], &err) != MT_OK)
      mt_lua_raise(L, &err);
    copy_pixels(L, from->textures[k], to[k]);
  }
  w->args[i].textures = to;
  w->args[i].texture = to[0];
}

static void copy_arguments(lua_State *L, mt_Watch *w, mt_Device *dev) {
  for (unsigned i = 0; i < w->count; i++) {
    if (w->given[i].kind == MT_ARG_BUFFER)
      w->args[i].buffer = copy_buffer(L, w, i, dev);
    else if (w->given[i].kind == MT_ARG_TEXTURE && w->given[i].texture_count)
      copy_textures(L, w, i, dev);
    else if (w->given[i].kind == MT_ARG_TEXTURE)
      w->args[i].texture = copy_texture(L, w, i, dev);
  }
}

void mt_lua_watch_back(lua_State *L, mt_Watch *w) {
  for (unsigned i = 0; i < w->count; i++) {
    if (w->buffers[i])
      memcpy(mt_buffer_contents(w->given[i].buffer),
             mt_buffer_contents(w->buffers[i]), mt_buffer_size(w->buffers[i]));
    if (w->textures[i]) copy_pixels(L, w->textures[i], w->given[i].texture);
    for (unsigned k = 0; w->arrays[i] && k < w->given[i].texture_count; k++)
      copy_pixels(L, w->arrays[i][k], w->given[i].textures[k]);
  }
}

void mt_lua_set_three(lua_State *L, const char *name, const uint32_t v[3]) {
  lua_createtable(L, 3, 0);
  for (int i = 0; i < 3; i++) {
    lua_pushinteger(L, v[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, name);
}

void mt_lua_set_launch(lua_State *L, const mt_Launch *l) {
  mt_Size g = l->grid, p = l->group;
  if (l->by_groups) g = (mt_Size){g.x * p.x, g.y * p.y, g.z * p.z};
  uint32_t grid[3] = {(uint32_t)g.x, (uint32_t)g.y, (uint32_t)g.z};
  uint32_t group[3] = {(uint32_t)p.x, (uint32_t)p.y, (uint32_t)p.z};
  mt_lua_set_three(L, "grid", grid);
  mt_lua_set_three(L, "group", group);
  mt_lua_set_integer(L, "threads", g.x * g.y * g.z);
  mt_lua_set_integer(L, "threadgroups",
                     (g.x + p.x - 1) / p.x * ((g.y + p.y - 1) / p.y) * ((g.z + p.z - 1) / p.z));
  mt_lua_set_string(L, "kernel", mt_kernel_info(l->kernel)->name);
}

mt_Watch *mt_lua_watch(lua_State *L, mt_Launch *launch) {
  mt_Kernel *k = mt_lua_check_kernel(L, 1);
  mt_lua_read_launch(L, k, 2, launch);
  launch->repeats = 1;
  mt_Watch *w = push_watch(L, launch);
  copy_arguments(L, w, mt_kernel_device(k));
  launch->args = w->args;
  return w;
}

const char *mt_lua_watch_end(lua_State *L, mt_Status status,
                             const mt_Error *err) {
  if (status == MT_OK) return NULL;
  if (status != MT_TIMEOUT && status != MT_CANCELLED) mt_lua_raise(L, err);
  return err->text;
}
