/*
** frame.c - require "mettle.frame": from what a kernel wrote to pixels.
**
**   frame.new(width, height) -> frame, black
**   f:take(texture or buffer [, low, high [, map]]) -> f
**   f:save(path): a PNG file; f:png(): its bytes, packed in haste
**   f:bytes() -> its pixels, four bytes each; f:put(bytes) -> f
*/
#include "lua/bind/screen/frame.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/user_file.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/texture.h"
#include "pictures/frame.h"
#include "lua/bind/core/core.h"

#define FRAME "mettle.frame"
enum { SIDE_MOST = 16384 };

mt_LuaFrame *mt_lua_check_frame(lua_State *L, int arg) {
  return luaL_checkudata(L, arg, FRAME);
}

static size_t byte_count(const mt_LuaFrame *f) {
  return (size_t)f->width * f->height * 4;
}

static int frame_gc(lua_State *L) {
  mt_LuaFrame *f = mt_lua_check_frame(L, 1);
  free(f->rgba);
  free(f->scratch);
  *f = (mt_LuaFrame){0};
  return 0;
}

static int frame_new(lua_State *L) {
  size_t width = mt_lua_check_count(L, 1, 1, "a frame's width");
  size_t height = mt_lua_check_count(L, 2, 1, "a frame's height");
  if (width > SIDE_MOST || height > SIDE_MOST)
    return luaL_error(L, "a frame has at most %d pixels a side", SIDE_MOST);
  mt_LuaFrame *f = lua_newuserdatauv(L, sizeof *f, 0);
  *f = (mt_LuaFrame){.width = (unsigned)width, .height = (unsigned)height};
  luaL_setmetatable(L, FRAME);
  f->rgba = calloc(byte_count(f), 1);
  if (f->rgba == NULL) return luaL_error(L, "not enough memory for a frame");
  return 1;
}

/* ------------------------------------------------------------------ taking */

static void check_count(lua_State *L, const mt_LuaFrame *f, size_t count) {
  if (count != (size_t)f->width * f->height)
    luaL_error(L, "a frame of %d × %d has %d pixels, not %d", (int)f->width,
               (int)f->height, (int)(f->width * f->height), (int)count);
}

static void *scratch(lua_State *L, mt_LuaFrame *f, size_t size) {
  if (f->room < size) {
    free(f->scratch);
    f->room = 0;
    f->scratch = malloc(size);
    if (f->scratch == NULL) luaL_error(L, "not enough memory for a frame");
    f->room = size;
  }
  return f->scratch;
}

static void texels_of_texture(lua_State *L, mt_LuaFrame *f, mt_Texture *t,
                              mt_Texels *out) {
  const mt_TextureDesc *d = mt_texture_desc(t);
  const mt_PixelRow *row = mt_pixel(d->format);
  mt_Error err;
  size_t count = (size_t)d->width * d->height * d->depth * d->layers;
  check_count(L, f, count);
  void *pixels = scratch(L, f, count * row->size);
  if (mt_texture_read(t, pixels, count * row->size, &err) != MT_OK)
    mt_lua_raise(L, &err);
  *out = (mt_Texels){.numbers = pixels,
                     .scalar = mt_type_named(row->component)->scalar,
                     .channels = row->channels,
                     .stride = row->channels,
                     .bgra = row->blue_first,
                     .count = count};
}

/* A vector of three is four numbers in memory, unless it is packed. */
static void texels_of_buffer(lua_State *L, mt_LuaFrame *f,
                             const mt_LuaBuffer *b, mt_Texels *out) {
  const mt_Type *t = b->type;
  unsigned channels = t->rows > 1 ? t->rows : 1;
  size_t count = b->count;
  if (channels == 1 && b->dims == 3 &&
      b->shape[2] <= 4) { /* uchar[h × w × 4] */
    channels = (unsigned)b->shape[2];
    count /= channels;
  }
  check_count(L, f, count);
  unsigned stride =
      t->rows > 1 ? (unsigned)(t->size / mt_scalar_size(t->scalar)) : channels;
  *out = (mt_Texels){.numbers = mt_lua_buffer_data(L, b, MT_READ),
                     .scalar = t->scalar,
                     .channels = channels,
                     .stride = stride,
                     .count = count};
}

/* The map named at 'arg'; NULL, grey, if it is nil. */
static const uint8_t (*check_map(lua_State *L, int arg))[3] {
  if (lua_isnoneornil(L, arg)) return NULL;
  const char *name = mt_lua_check_text(L, arg);
  mt_Str *names = mt_lua_new_str(L);
  for (mt_ColourMap m = 0; m < MT_MAPS; m++) {
    if (strcmp(mt_map_name(m), name) == 0) return mt_map_colours(m);
    mt_str_addf(names, "%s%s", m ? ", " : "", mt_map_name(m));
  }
  luaL_error(L, "there is no map '%s'; there are: %s", name,
             mt_str_text(names));
  return NULL;
}

/* f:take(texture or buffer [, low, high [, map]]) -> f */
static int frame_take(lua_State *L) {
  mt_LuaFrame *f = mt_lua_check_frame(L, 1);
  mt_Texels t;
  double low, high;
  const uint8_t (*map)[3] = check_map(L, 5);
  mt_Texture *texture = mt_lua_test_texture(L, 2);
  if (texture) texels_of_texture(L, f, texture, &t);
  else texels_of_buffer(L, f, mt_lua_check_buffer(L, 2), &t);
  mt_frame_range(t.scalar, &low, &high);
  if (!lua_isnoneornil(L, 3)) low = luaL_checknumber(L, 3);
  if (!lua_isnoneornil(L, 4)) high = luaL_checknumber(L, 4);
  mt_frame_fill(&t, low, high, map, f->rgba);
  lua_settop(L, 1);
  return 1;
}

/* ------------------------------------------------------------------- bytes */

mt_Picture mt_lua_frame_picture(const mt_LuaFrame *f) {
  return (mt_Picture){.width = f->width,
                      .height = f->height,
                      .bits = 8,
                      .channels = 3,
                      .rgba = f->rgba};
}

/* f:save(path): a PNG file */
static int frame_save(lua_State *L) {
  mt_LuaFrame *f = mt_lua_check_frame(L, 1);
  const char *path = mt_lua_check_text(L, 2);
  mt_Picture p = mt_lua_frame_picture(f);
  mt_Str *bytes = mt_lua_new_str(L);
  mt_Error err;
  if (mt_picture_png(&p, false, bytes, &err) != MT_OK ||
      mt_user_file_save(path, mt_str_text(bytes), bytes->length, 0644, false,
                   &err) != MT_OK)
    return mt_lua_raise(L, &err);
  return 0;
}

static int frame_png(lua_State *L) {
  mt_LuaFrame *f = mt_lua_check_frame(L, 1);
  mt_Picture p = mt_lua_frame_picture(f);
  mt_Str *bytes = mt_lua_new_str(L);
  mt_Error err;
  if (mt_picture_png(&p, true, bytes, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  mt_lua_push_text(L, bytes);
  return 1;
}

static int frame_bytes(lua_State *L) {
  mt_LuaFrame *f = mt_lua_check_frame(L, 1);
  lua_pushlstring(L, (const char *)f->rgba, byte_count(f));
  return 1;
}

static int frame_put(lua_State *L) {
  mt_LuaFrame *f = mt_lua_check_frame(L, 1);
  size_t n;
  const char *bytes = luaL_checklstring(L, 2, &n);
  luaL_argcheck(L, n == byte_count(f), 2, "not the frame's number of bytes");
  memcpy(f->rgba, bytes, n);
  lua_settop(L, 1);
  return 1;
}

static int frame_index(lua_State *L) {
  mt_LuaFrame *f = mt_lua_check_frame(L, 1);
  const char *key = mt_lua_check_text(L, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  if (strcmp(key, "width") == 0) lua_pushinteger(L, f->width);
  else if (strcmp(key, "height") == 0) lua_pushinteger(L, f->height);
  else lua_pushnil(L);
  return 1;
}

static int open_frame(lua_State *L) {
  static const luaL_Reg functions[] = {{"new", frame_new}, {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", frame_gc}, {NULL, NULL}};
  static const luaL_Reg methods[] = {
      {"take", frame_take}, {"bytes", frame_bytes}, {"put", frame_put},
      {"save", frame_save}, {"png", frame_png},     {NULL, NULL}};
  mt_lua_new_type(L, FRAME, "frame", meta, methods, frame_index);
  luaL_newlib(L, functions);
  return 1;
}

void mt_lua_open_frame(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_frame);
  lua_setfield(L, -2, "mettle.frame");
  lua_pop(L, 2);
}
