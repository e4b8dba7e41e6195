/*
** launch_copies.c - copies of a launch's arguments on the host device.
*/
#include "lua/bind/tools/launch_copies.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cancel.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/gpu/kernel.h"
#include "lua/bind/gpu/migrate.h"

/* One of the user's buffers or textures, and its copy. */
typedef struct mt_Copy {
  mt_Buffer *buffer_from, *buffer;
  mt_Texture *texture_from, *texture;
} mt_Copy;

/* ------------------------------------------------------------------ spares */

/* Small copies are kept for the next launch: filling them is faster than having
** the system map new pages. They belong to the Lua state, which frees them
** before it closes their device. */
#define SPARES 8
#define SPARE_MAX ((size_t)5 << 20) /* bytes of one */

typedef struct Spares {
  mt_Buffer *of[SPARES];
  unsigned next; /* to be replaced, if all are taken */
} Spares;

static int spares_gc(lua_State *L) {
  Spares *s = lua_touserdata(L, 1);
  for (int i = 0; i < SPARES; i++) mt_buffer_free(s->of[i]);
  memset(s, 0, sizeof *s);
  return 0;
}

static Spares *spares_of(lua_State *L) {
  return mt_lua_one(L, "mettle.spares", sizeof(Spares), spares_gc);
}

/* A spare of that size, which the caller then owns; or NULL. */
static mt_Buffer *take_spare(lua_State *L, size_t size) {
  Spares *s = spares_of(L);
  for (int i = 0; i < SPARES; i++)
    if (s->of[i] && mt_buffer_size(s->of[i]) == size) {
      mt_Buffer *b = s->of[i];
      s->of[i] = NULL;
      return b;
    }
  return NULL;
}

static void give_spare(Spares *s, mt_Buffer *b) {
  unsigned i = 0;
  while (i < SPARES && s->of[i]) i++;
  if (i == SPARES) i = s->next++ % SPARES;
  mt_buffer_free(s->of[i]);
  s->of[i] = b;
}

void mt_launch_copies_keep(lua_State *L, mt_LaunchCopies *w) {
  Spares *s = spares_of(L);
  for (size_t i = 0; i < w->copy_count; i++) {
    mt_Buffer *b = w->copies[i].buffer;
    if (!b || mt_buffer_size(b) > SPARE_MAX) continue;
    w->copies[i].buffer = NULL;
    give_spare(s, b);
  }
  mt_launch_copies_free(w);
}

/* ------------------------------------------------------------------ copies */

void mt_launch_copies_free(mt_LaunchCopies *w) {
  for (size_t i = 0; i < w->copy_count; i++) {
    mt_buffer_free(w->copies[i].buffer);
    mt_texture_free(w->copies[i].texture);
  }
  for (unsigned i = 0; w->lists && i < w->count; i++) free(w->lists[i]);
  free(w->lists);
  free(w->copies);
  free(w->args);
  free(w->given);
  free(w->flags);
  memset(w, 0, sizeof *w);
}

static int copies_gc(lua_State *L) {
  mt_launch_copies_free(lua_touserdata(L, 1));
  return 0;
}

/* Upper limit of copies: one per argument, texture of an array and link. */
static size_t count_copies(const mt_Launch *l) {
  size_t n = 1;
  for (unsigned i = 0; i < l->arg_count; i++)
    n += 1 + l->args[i].texture_count + l->args[i].link_count;
  return n;
}

static mt_LaunchCopies *push_copies(lua_State *L, const mt_Launch *l) {
  mt_LaunchCopies *w =
      mt_lua_new_owned(L, sizeof *w, 0, "mettle.launch_copies", copies_gc);
  size_t n = l->arg_count + 1;
  w->count = l->arg_count;
  w->args = calloc(n, sizeof *w->args);
  w->given = calloc(n, sizeof *w->given);
  w->lists = calloc(n, sizeof *w->lists);
  w->copies = calloc(count_copies(l), sizeof *w->copies);
  w->flags = calloc(2 * n, sizeof *w->flags);
  if (!w->lists || !w->args || !w->given || !w->copies || !w->flags)
    luaL_error(L, "not enough memory");
  memcpy(w->args, l->args, l->arg_count * sizeof *w->args);
  memcpy(w->given, l->args, l->arg_count * sizeof *w->given);
  return w;
}

/* The copy of a buffer. Views of the same memory share one, so that overlapping
** arguments still overlap. */
static mt_Buffer *copy_buffer(lua_State *L, mt_LaunchCopies *w, mt_Buffer *from,
                              mt_Device *dev) {
  mt_Error err;
  mt_Copy *c = w->copies;
  for (; c < w->copies + w->copy_count; c++)
    if (c->buffer_from == from) return c->buffer;
  c->buffer = take_spare(L, mt_buffer_size(from));
  bool spare = c->buffer != NULL;
  if (!spare &&
      mt_buffer_new(dev, mt_buffer_size(from), &c->buffer, &err) != MT_OK)
    mt_lua_raise(L, &err);
  c->buffer_from = from;
  w->copy_count++;
  void *to = mt_buffer_contents(c->buffer);
#ifdef MADV_POPULATE_WRITE /* map all pages at once; failure is harmless */
  if (!spare) madvise(to, mt_buffer_size(from), MADV_POPULATE_WRITE);
#endif
  if (mt_buffer_access(from, 0, mt_buffer_size(from), MT_READ, &err) != MT_OK ||
      mt_buffer_access(c->buffer, 0, mt_buffer_size(from), MT_WRITE, &err) !=
          MT_OK)
    mt_lua_raise(L, &err);
  if (!mt_copy(to, mt_buffer_contents(from), mt_buffer_size(from)))
    luaL_error(L, "interrupted");
  return c->buffer;
}

static mt_Texture *copy_texture(lua_State *L, mt_LaunchCopies *w,
                                mt_Texture *from, mt_Device *dev) {
  mt_Error err;
  mt_Copy *c = w->copies;
  for (; c < w->copies + w->copy_count; c++)
    if (c->texture_from == from) return c->texture;
  if (mt_texture_new(dev, mt_texture_desc(from), &c->texture, &err) != MT_OK)
    mt_lua_raise(L, &err);
  c->texture_from = from;
  w->copy_count++;
  mt_lua_copy_pixels(L, from, c->texture);
  return c->texture;
}

static void *new_list(lua_State *L, mt_LaunchCopies *w, unsigned i,
                      size_t bytes) {
  w->lists[i] = malloc(bytes);
  if (w->lists[i] == NULL) luaL_error(L, "not enough memory");
  return w->lists[i];
}

static void copy_textures(lua_State *L, mt_LaunchCopies *w, unsigned i,
                          mt_Device *dev) {
  const mt_Arg *from = &w->given[i];
  mt_Texture **to = new_list(L, w, i, from->texture_count * sizeof *to);
  for (unsigned k = 0; k < from->texture_count; k++)
    to[k] = copy_texture(L, w, from->textures[k], dev);
  w->args[i].textures = to;
  w->args[i].texture = to[0];
}

static void copy_links(lua_State *L, mt_LaunchCopies *w, unsigned i,
                       mt_Device *dev) {
  const mt_Arg *from = &w->given[i];
  mt_Link *to = new_list(L, w, i, from->link_count * sizeof *to);
  memcpy(to, from->links, from->link_count * sizeof *to);
  for (unsigned k = 0; k < from->link_count; k++) {
    mt_Arg *a = &to[k].arg;
    if (a->kind == MT_ARG_BUFFER) a->buffer = copy_buffer(L, w, a->buffer, dev);
    if (a->kind == MT_ARG_TEXTURE)
      a->texture = copy_texture(L, w, a->texture, dev);
  }
  w->args[i].links = to;
}

static void copy_arguments(lua_State *L, mt_LaunchCopies *w, mt_Device *dev) {
  for (unsigned i = 0; i < w->count; i++) {
    const mt_Arg *from = &w->given[i];
    if (from->kind == MT_ARG_BUFFER)
      w->args[i].buffer = copy_buffer(L, w, from->buffer, dev);
    else if (from->kind == MT_ARG_TEXTURE && from->texture_count)
      copy_textures(L, w, i, dev);
    else if (from->kind == MT_ARG_TEXTURE)
      w->args[i].texture = copy_texture(L, w, from->texture, dev);
    else if (from->link_count)
      copy_links(L, w, i, dev);
  }
}

const mt_Kept *mt_launch_copies_initial(lua_State *L, const mt_LaunchCopies *w,
                                        size_t *count) {
  mt_Kept *list = lua_newuserdatauv(L, (w->copy_count + 1) * sizeof *list, 0);
  size_t n = 0;
  for (size_t i = 0; i < w->copy_count; i++)
    if (w->copies[i].buffer)
      list[n++] = (mt_Kept){w->copies[i].buffer,
                            mt_buffer_contents(w->copies[i].buffer_from)};
  *count = n;
  return list;
}

void mt_launch_copies_give_back(lua_State *L, mt_LaunchCopies *w) {
  for (size_t i = 0; i < w->copy_count; i++) {
    const mt_Copy *c = &w->copies[i];
    mt_Error err;
    if (c->buffer &&
        (mt_buffer_access(c->buffer, 0, mt_buffer_size(c->buffer), MT_READ,
                          &err) != MT_OK ||
         mt_buffer_access(c->buffer_from, 0, mt_buffer_size(c->buffer),
                          MT_WRITE, &err) != MT_OK))
      mt_lua_raise(L, &err);
    if (c->buffer)
      memcpy(mt_buffer_contents(c->buffer_from), mt_buffer_contents(c->buffer),
             mt_buffer_size(c->buffer));
    if (c->texture) mt_lua_copy_pixels(L, c->texture, c->texture_from);
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
  mt_Extent e = mt_launch_extent(l);
  mt_lua_set_extent(L, mt_kernel_info(l->kernel)->name, &e);
}

void mt_lua_set_extent(lua_State *L, const char *kernel, const mt_Extent *e) {
  uint32_t grid[3], group[3];
  uint64_t threads = 1, groups = 1;
  for (int d = 0; d < 3; d++) {
    grid[d] = (uint32_t)e->threads[d];
    group[d] = (uint32_t)e->group[d];
    threads *= e->threads[d];
    groups *= e->groups[d];
  }
  mt_lua_set_three(L, "grid", grid);
  mt_lua_set_three(L, "group", group);
  mt_lua_set_integer(L, "threads", threads);
  mt_lua_set_integer(L, "threadgroups", groups);
  mt_lua_set_string(L, "kernel", kernel);
}

mt_LaunchCopies *mt_launch_copies_read(lua_State *L, mt_Launch *launch) {
  mt_lua_read_launch(L, 1, 2, launch);
  launch->repeats = 1;
  mt_LaunchCopies *w = push_copies(L, launch);
  copy_arguments(L, w, mt_kernel_device(launch->kernel));
  launch->args = w->args;
  return w;
}

const char *mt_lua_launch_end(lua_State *L, mt_Status status,
                              const mt_Error *err) {
  if (status == MT_OK) return NULL;
  if (status != MT_TIMEOUT && status != MT_CANCELLED) mt_lua_raise(L, err);
  return err->text;
}
