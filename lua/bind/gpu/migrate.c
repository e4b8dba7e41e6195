/*
** migrate.c - buffers and textures move to the device that uses them.
**
** A buffer's memory is on one device at a time. A launch on another device
** makes memory there, copies the contents, and frees the old. So there is never
** a second copy that could be out of date, the next launch copies nothing, and
** what a Lua variable or a view refers to is the same before and after.
*/
#include "lua/bind/gpu/migrate.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "lua/bind/core/core.h"

/* What is being moved: the device's object and where it goes. */
typedef struct Move {
  lua_State *L;
  const mt_Pins *pins;
  mt_Device *to;
  const char *kernel;
} Move;

/* The pin that owns 'thing'. Raises if another function has pinned it, too:
** that one holds its address (a launch whose arguments are just being read, by
** an __index that launches this one). */
static mt_Pin *pin_of(const Move *m, const void *thing) {
  mt_Pin *found = NULL;
  unsigned own = 0;
  for (unsigned i = 0; i < m->pins->count; i++) {
    mt_Pin *p = m->pins->list[i];
    if (p->thing != thing && p->late != thing) continue;
    found = p;
    own++;
  }
  if (found == NULL || found->pins > own)
    luaL_error(m->L,
               "%s: an argument cannot move to %s, because another launch "
               "is using it: wait for that to end, or give a copy",
               m->kernel, mt_device_info(m->to)->name);
  return found;
}

static void replace(mt_Pin *p, const void *from, void *to) {
  if (p->thing == from)
    p->thing = to;
  else
    p->late = to; /* freed while it is pinned */
}

/* ---------------------------------------------------------------- buffers */

static mt_Status copy_contents(mt_Buffer *from, mt_Buffer *to, mt_Error *err) {
  size_t size = mt_buffer_size(from);
  mt_Status status = mt_buffer_access(from, 0, size, MT_READ, err);
  if (status == MT_OK) status = mt_buffer_access(to, 0, size, MT_WRITE, err);
  if (status == MT_OK &&
      !mt_copy(mt_buffer_contents(to), mt_buffer_contents(from), size))
    status = mt_error(err, MT_CANCELLED, "interrupted");
  return status;
}

static mt_Buffer *move_buffer(const Move *m, mt_Buffer *from) {
  mt_Error err;
  mt_Buffer *to = NULL;
  if (mt_buffer_device(from) == m->to) return from;
  mt_Pin *pin = pin_of(m, from);
  mt_Status status = mt_buffer_new(m->to, mt_buffer_size(from), &to, &err);
  if (status == MT_FAIL) { /* freeing unreachable buffers may be enough */
    lua_gc(m->L, LUA_GCCOLLECT);
    status = mt_buffer_new(m->to, mt_buffer_size(from), &to, &err);
  }
  if (status == MT_OK) status = copy_contents(from, to, &err);
  if (status != MT_OK) {
    mt_buffer_free(to);
    mt_lua_raise(m->L, &err);
  }
  replace(pin, from, to);
  mt_buffer_free(from);
  return to;
}

/* --------------------------------------------------------------- textures */

static mt_Status copy_pixels(const mt_Texture *from, mt_Texture *to,
                             mt_Error *err) {
  const mt_TextureDesc *d = mt_texture_desc(from);
  size_t size =
      mt_pixel_size(d->format) * d->width * d->height * d->depth * d->layers;
  void *pixels = malloc(size);
  if (pixels == NULL) return mt_error(err, MT_FAIL, "not enough memory");
  mt_Status status = mt_texture_read(from, pixels, size, err);
  if (status == MT_OK) status = mt_texture_write(to, pixels, size, err);
  free(pixels);
  return status;
}

void mt_lua_copy_pixels(lua_State *L, const mt_Texture *from, mt_Texture *to) {
  mt_Error err;
  if (copy_pixels(from, to, &err) != MT_OK) mt_lua_raise(L, &err);
}

static mt_Texture *move_texture(const Move *m, mt_Texture *from) {
  mt_Error err;
  mt_Texture *to = NULL;
  if (mt_texture_device(from) == m->to) return from;
  mt_Pin *pin = pin_of(m, from);
  mt_Status status = mt_texture_new(m->to, mt_texture_desc(from), &to, &err);
  if (status == MT_OK) status = copy_pixels(from, to, &err);
  if (status != MT_OK) {
    mt_texture_free(to);
    mt_lua_raise(m->L, &err);
  }
  replace(pin, from, to);
  mt_texture_free(from);
  return to;
}

/* -------------------------------------------------------------- arguments */

/* Is any of them elsewhere? Most launches have nothing to move. */
static bool elsewhere(const mt_Arg *a, const mt_Device *dev) {
  if (a->kind == MT_ARG_BUFFER) return mt_buffer_device(a->buffer) != dev;
  if (a->kind == MT_ARG_TEXTURE && a->texture_count == 0)
    return mt_texture_device(a->texture) != dev;
  for (unsigned i = 0; i < a->texture_count; i++)
    if (mt_texture_device(a->textures[i]) != dev) return true;
  for (unsigned i = 0; i < a->link_count; i++)
    if (elsewhere(&a->links[i].arg, dev)) return true;
  return false;
}

/* The buffers of all arguments, those in argument buffers among them: what has
** moved is replaced wherever the launch names it. */
static void each_argument(mt_Arg *args, unsigned count, const void *from,
                          mt_Buffer *buffer, mt_Texture *texture) {
  for (unsigned i = 0; i < count; i++) {
    mt_Arg *a = &args[i];
    if (buffer && a->buffer == from) a->buffer = buffer;
    if (texture && a->texture == from) a->texture = texture;
    mt_Texture **list = (mt_Texture **)a->textures; /* the reader's own list */
    for (unsigned k = 0; texture && k < a->texture_count; k++)
      if (list[k] == from) list[k] = texture;
    mt_Link *links = (mt_Link *)a->links;
    for (unsigned k = 0; k < a->link_count; k++)
      each_argument(&links[k].arg, 1, from, buffer, texture);
  }
}

static void move_argument(const Move *m, mt_Launch *l, mt_Arg *a) {
  mt_Arg *all = (mt_Arg *)l->args;
  if (a->kind == MT_ARG_BUFFER) {
    const mt_Buffer *from = a->buffer;
    mt_Buffer *to = move_buffer(m, a->buffer);
    if (to != from) each_argument(all, l->arg_count, from, to, NULL);
  }
  unsigned n = a->kind != MT_ARG_TEXTURE ? 0
               : a->texture_count        ? a->texture_count
                                         : 1;
  for (unsigned i = 0; i < n; i++) {
    mt_Texture *from = a->texture_count ? a->textures[i] : a->texture;
    mt_Texture *to = move_texture(m, from);
    if (to != from) each_argument(all, l->arg_count, from, NULL, to);
  }
  for (unsigned i = 0; i < a->link_count; i++)
    move_argument(m, l, (mt_Arg *)&a->links[i].arg);
}

void mt_lua_migrate(lua_State *L, const mt_Pins *pins, mt_Launch *l) {
  Move m = {L, pins, mt_kernel_device(l->kernel),
            mt_kernel_info(l->kernel)->name};
  for (unsigned i = 0; i < l->arg_count; i++)
    if (elsewhere(&l->args[i], m.to))
      move_argument(&m, l, (mt_Arg *)&l->args[i]);
}
