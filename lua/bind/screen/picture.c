/*
** picture.c - require "mettle.picture": pictures of files, textures, buffers.
**
** For the modules in lua/ (image.lua is what a person calls). A picture is a
** userdata; nothing in it is shared with the buffer or texture it was made of.
**
**   picture.load(path)                         of a PNG or JPEG file
**   picture.of(x [, map, low, high, bits])     of a texture or a buffer; and
**                                              the range of its colours
**   picture.terminal()                         what the terminal can show
**   picture.colours(map)                       256 × {red, green, blue}
**   p:texture()  p:buffer()  p:save(path)  p:show([terminal])  p:draw(terminal)
**   p:resize(width, height)  p:png()
*/
#include "lua/bind/screen/picture.h"

#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/user_file.h"
#include "base/kernel_types/scalar.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/texture.h"
#include "pictures/picture.h"

#define PICTURE "mettle.picture"

static int picture_gc(lua_State *L) {
  mt_picture_free(luaL_checkudata(L, 1, PICTURE));
  return 0;
}

/* An empty one on the stack, to be filled: then nothing is lost by an error. */
static mt_Picture *push_picture(lua_State *L) {
  mt_Picture *p = lua_newuserdatauv(L, sizeof *p, 0);
  *p = (mt_Picture){0};
  luaL_setmetatable(L, PICTURE);
  return p;
}

static mt_Picture *check_picture(lua_State *L, int arg) {
  mt_Picture *p = luaL_checkudata(L, arg, PICTURE);
  if (p->rgba == NULL) luaL_error(L, "the picture was freed");
  return p;
}

/* ----------------------------------------------------------------- of files */

static int picture_load(lua_State *L) {
  const char *path = mt_lua_check_text(L, 1);
  mt_Picture *p = push_picture(L);
  mt_Error err;
  return mt_picture_load(path, p, &err) == MT_OK ? 1 : mt_lua_raise(L, &err);
}

/* --------------------------------------------------------------- of numbers */

/* How the numbers become colours; what was not given is chosen by the type. */
typedef struct Look {
  mt_ColourMap map;
  double low, high; /* nan: not given */
  unsigned bits;    /* 0: not given */
} Look;

static Look check_look(lua_State *L, int arg) {
  Look look = {MT_MAPS, luaL_optnumber(L, arg + 1, NAN),
               luaL_optnumber(L, arg + 2, NAN),
               (unsigned)luaL_optinteger(L, arg + 3, 0)};
  const char *name = mt_lua_opt_text(L, arg, NULL);
  for (mt_ColourMap m = 0; name && m < MT_MAPS; m++)
    if (strcmp(name, mt_map_name(m)) == 0) look.map = m;
  if (name && look.map == MT_MAPS)
    luaL_error(
        L, "there is no colour map '%s'; there are grey, viridis and diverging",
        name);
  if (look.bits != 0 && look.bits != 8 && look.bits != 16)
    luaL_error(L, "a picture has 8 or 16 bits, not %d", (int)look.bits);
  return look;
}

/* Bytes and 16-bit words are pictures already, colours in floats go from 0 to
** 1; what is left takes the range that it has. A diverging map has 0 in its
** middle. */
static void choose(Look *look, const mt_NumberField *f) {
  double low = 0, high = 1;
  bool bytes = f->scalar == MT_UCHAR, words = f->scalar == MT_USHORT,
       given = look->map != MT_MAPS;
  if (!given)
    look->map =
        bytes || words || f->scalar == MT_BOOL ? MT_MAP_GREY : MT_MAP_VIRIDIS;
  if (look->bits == 0) look->bits = words && look->map == MT_MAP_GREY ? 16 : 8;
  if (!isnan(look->low) && !isnan(look->high)) return;
  if ((bytes || words) && (!given || look->map == MT_MAP_GREY))
    high = bytes ? 255 : 65535;
  else if (f->scalar != MT_BOOL &&
           !(f->channels > 1 && mt_scalar_is_float(f->scalar)))
    if (!mt_field_range(f, &low, &high)) low = 0, high = 1;
  if (look->map == MT_MAP_DIVERGING && f->channels <= 1) {
    high = fmax(fabs(low), fabs(high));
    low = -high;
  }
  if (isnan(look->low)) look->low = low;
  if (isnan(look->high)) look->high = high;
}

static int make_picture(lua_State *L, mt_Picture *p, const mt_NumberField *f,
                        Look *look) {
  mt_Error err;
  choose(look, f);
  if (mt_field_picture(f, look->map, look->low, look->high, look->bits, p,
                       &err) != MT_OK)
    return mt_lua_raise(L, &err);
  lua_pushnumber(L, look->low);
  lua_pushnumber(L, look->high);
  return 3;
}

/* --------------------------------------------------------------- of buffers */

static unsigned side(lua_State *L, size_t n) {
  if (n > MT_PICTURE_SIDE)
    luaL_error(L, "a side of %I is too long for a picture: the limit is %d",
               (LUAI_UACINT)n, MT_PICTURE_SIDE);
  return (unsigned)n;
}

/* rows × columns of numbers or vectors, or rows × columns × 1 to 4. */
static mt_NumberField field_of_buffer(lua_State *L, const mt_LuaBuffer *b) {
  mt_NumberField f = {.scalar = b->type->scalar};
  bool vector =
      b->type->kind == MT_TYPE_VECTOR || b->type->kind == MT_TYPE_PACKED;
  if (b->dims == 2 && (vector || b->type->kind == MT_TYPE_SCALAR)) {
    f.channels = vector ? b->type->rows : 1;
    f.step = (unsigned)(b->type->size / mt_scalar_size(f.scalar));
  } else if (b->dims == 3 && b->type->kind == MT_TYPE_SCALAR &&
             b->shape[2] <= 4) {
    f.channels = f.step = (unsigned)b->shape[2];
  } else {
    mt_Str *what = mt_lua_new_str(L);
    mt_lua_buffer_describe(b, what);
    luaL_error(
        L,
        "%s is no picture: that is rows × columns, or rows × columns × 3 or 4 "
        "colours%s",
        mt_str_text(what),
        b->dims == 1 ? "; b:reshape(rows, columns) makes one of it" : "");
  }
  f.height = side(L, b->shape[0]);
  f.width = side(L, b->shape[1]);
  return f;
}

static int of_buffer(lua_State *L, const mt_LuaBuffer *b, Look *look) {
  mt_NumberField f = field_of_buffer(L, b);
  mt_Picture *p = push_picture(L);
  f.numbers = mt_lua_buffer_data(L, b, MT_READ);
  return make_picture(L, p, &f, look);
}

/* -------------------------------------------------------------- of textures */

static mt_NumberField field_of_texture(lua_State *L, const mt_TextureDesc *d) {
  const mt_PixelRow *row = mt_pixel(d->format);
  mt_NumberField f = {.scalar = mt_type_named(row->component)->scalar,
                      .width = d->width,
                      .height = d->height,
                      .channels = row->channels,
                      .blue_first = row->blue_first};
  if (d->depth > 1 || d->layers > 1)
    luaL_error(L,
               "a texture with several layers is several pictures: t:read() "
               "gives them all as a buffer");
  return f;
}

/* rg is red and green, not grey and alpha: two of four channels. */
static void widen(mt_NumberField *f, void *numbers) {
  size_t n = (size_t)f->width * f->height, part = mt_scalar_size(f->scalar);
  char *at = numbers;
  for (size_t i = n; i-- > 0;) {
    memmove(at + 3 * i * part, at + 2 * i * part, 2 * part);
    memset(at + (3 * i + 2) * part, 0, part);
  }
  f->channels = 3;
}

static int of_texture(lua_State *L, Look *look) {
  const mt_TextureDesc d = *mt_texture_desc(mt_lua_check_texture(L, 1));
  mt_NumberField f = field_of_texture(L, &d);
  size_t size = (size_t)d.width * d.height * mt_pixel(d.format)->size;
  mt_Error err;
  char *pixels = lua_newuserdatauv(L, size / 2 * 3 + 2, 0);
  mt_Picture *p = push_picture(L);
  if (mt_texture_read(mt_lua_check_texture(L, 1), pixels, size, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  if (f.channels == 2) widen(&f, pixels);
  f.numbers = pixels;
  return make_picture(L, p, &f, look);
}

static int picture_of(lua_State *L) {
  Look look = check_look(L, 2);
  mt_LuaBuffer *b = mt_lua_test_buffer(L, 1);
  if (b) return of_buffer(L, mt_lua_check_buffer(L, 1), &look);
  return of_texture(L, &look);
}

/* ------------------------------------------------------------- out of Lua's */

/* p:texture() -> rgba8unorm or rgba16unorm */
static int picture_texture(lua_State *L) {
  mt_Picture *p = check_picture(L, 1);
  mt_TextureDesc d = {.kind = MT_TEXTURE_2D,
                      .format = p->bits == 16 ? MT_RGBA16UNORM : MT_RGBA8UNORM,
                      .width = p->width,
                      .height = p->height,
                      .depth = 1,
                      .layers = 1};
  mt_Texture *t = mt_lua_push_texture(L, &d);
  mt_Error err;
  if (mt_texture_write(t, p->rgba, (size_t)p->width * p->height * p->bits / 2,
                       &err) != MT_OK)
    return mt_lua_raise(L, &err);
  return 1;
}

static void copy_channels(const mt_Picture *p, char *to) {
  size_t part = p->bits / 8, n = (size_t)p->width * p->height, k = p->channels;
  for (size_t i = 0; i < n; i++, to += k * part) {
    const uint8_t *from = p->rgba + i * 4 * part;
    memcpy(to, from, (k > 2 ? k : 1) * part);
    if (k == 2) memcpy(to + part, from + 3 * part, part);
  }
}

/* p:buffer() -> uchar or ushort, rows × columns, × channels if there are more
** */
static int picture_buffer(lua_State *L) {
  mt_Picture *p = check_picture(L, 1);
  size_t shape[3] = {p->height, p->width, p->channels};
  mt_Error err;
  mt_LuaBuffer *b =
      mt_lua_push_buffer(L, mt_type_named(p->bits == 16 ? "ushort" : "uchar"),
                         p->channels > 1 ? 3 : 2, shape, &err);
  if (b == NULL) return mt_lua_raise(L, &err);
  copy_channels(p, mt_lua_buffer_data(L, b, MT_WRITE));
  return 1;
}

static int picture_png(lua_State *L) {
  mt_Picture *p = check_picture(L, 1);
  mt_Str *file = mt_lua_new_str(L);
  mt_Error err;
  if (mt_picture_png(p, false, file, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  mt_lua_push_text(L, file);
  return 1;
}

/* p:save(path): a PNG file, atomically */
static int picture_save(lua_State *L) {
  mt_Picture *p = check_picture(L, 1);
  const char *path = mt_lua_check_text(L, 2);
  mt_Str *file = mt_lua_new_str(L);
  mt_Error err;
  if (mt_picture_png(p, false, file, &err) != MT_OK ||
      mt_user_file_save(path, file->text, file->length, 0644, false, &err) !=
          MT_OK)
    return mt_lua_raise(L, &err);
  return 0;
}

static int picture_resize(lua_State *L) {
  mt_Picture *p = check_picture(L, 1);
  lua_Integer w = luaL_checkinteger(L, 2), h = luaL_checkinteger(L, 3);
  mt_Error err;
  if (w < 1 || h < 1 || w > MT_PICTURE_SIDE || h > MT_PICTURE_SIDE)
    return luaL_error(L, "a picture cannot have %I × %I pixels", (LUAI_UACINT)w,
                      (LUAI_UACINT)h);
  mt_picture_narrow(p);
  mt_Picture *out = push_picture(L);
  return mt_picture_resize(p, (unsigned)w, (unsigned)h, out, &err) == MT_OK
             ? 1
             : mt_lua_raise(L, &err);
}

/* ---------------------------------------------------------------- terminals */

/* terminal() -> {way, columns, rows, cell_width, cell_height, tmux, far} */
static int picture_terminal(lua_State *L) {
  mt_Terminal t;
  mt_terminal_ask(&t);
  lua_createtable(L, 0, 7);
  mt_lua_set_string(L, "way", mt_protocol_name(t.way));
  mt_lua_set_integer(L, "columns", t.columns);
  mt_lua_set_integer(L, "rows", t.rows);
  mt_lua_set_integer(L, "cell_width", t.cell_width);
  mt_lua_set_integer(L, "cell_height", t.cell_height);
  mt_lua_set_boolean(L, "tmux", t.tmux);
  mt_lua_set_boolean(L, "far", t.far);
  return 1;
}

static unsigned size_field(lua_State *L, int arg, const char *name) {
  lua_Integer v = mt_lua_integer_field(L, arg, name);
  return v < 1 ? 1 : v > 10000 ? 10000 : (unsigned)v;
}

static bool flag_field(lua_State *L, int arg, const char *name) {
  lua_getfield(L, arg, name);
  bool v = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return v;
}

/* The table that terminal() gave, perhaps changed. */
static mt_Terminal check_terminal(lua_State *L, int arg) {
  mt_Terminal t = {.way = MT_SHOW_NONE};
  luaL_checktype(L, arg, LUA_TTABLE);
  lua_getfield(L, arg, "way");
  const char *name = mt_lua_check_text(L, -1);
  while (t.way < MT_PROTOCOLS && strcmp(mt_protocol_name(t.way), name) != 0)
    t.way++;
  if (t.way == MT_PROTOCOLS)
    luaL_error(L, "no terminal shows pictures by '%s'", name);
  lua_pop(L, 1);
  t.columns = size_field(L, arg, "columns");
  t.rows = size_field(L, arg, "rows");
  t.cell_width = size_field(L, arg, "cell_width");
  t.cell_height = size_field(L, arg, "cell_height");
  t.tmux = flag_field(L, arg, "tmux");
  t.far = flag_field(L, arg, "far");
  return t;
}

/* p:show(terminal) -> the bytes that show it, fitted; p:draw: at its own size
** */
static int to_terminal(lua_State *L,
                       mt_Status (*encode)(const mt_Picture *,
                                           const mt_Terminal *, mt_Str *,
                                           mt_Error *)) {
  mt_Picture *p = check_picture(L, 1);
  mt_Terminal t = check_terminal(L, 2);
  mt_Str *text = mt_lua_new_str(L);
  mt_Error err;
  if (encode(p, &t, text, &err) != MT_OK) return mt_lua_raise(L, &err);
  mt_lua_push_text(L, text);
  return 1;
}

static int picture_show(lua_State *L) {
  return to_terminal(L, mt_picture_show);
}

static int picture_draw(lua_State *L) {
  mt_picture_narrow(check_picture(L, 1));
  return to_terminal(L, mt_picture_draw);
}

/* ----------------------------------------------------------------- the rest */

/* colours(map) -> list of 256 {red, green, blue}, 0 to 255 */
static int picture_colours(lua_State *L) {
  Look look = check_look(L, 1);
  const uint8_t (*colours)[3] =
      mt_map_colours(look.map == MT_MAPS ? MT_MAP_VIRIDIS : look.map);
  lua_createtable(L, 256, 0);
  for (int i = 0; i < 256; i++) {
    lua_createtable(L, 3, 0);
    for (int c = 0; c < 3; c++) {
      lua_pushinteger(L, colours[i][c]);
      lua_rawseti(L, -2, c + 1);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int picture_index(lua_State *L) {
  const mt_Picture *p = check_picture(L, 1);
  const char *key = mt_lua_check_text(L, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  if (strcmp(key, "width") == 0) lua_pushinteger(L, p->width);
  else if (strcmp(key, "height") == 0) lua_pushinteger(L, p->height);
  else if (strcmp(key, "bits") == 0) lua_pushinteger(L, p->bits);
  else if (strcmp(key, "channels") == 0) lua_pushinteger(L, p->channels);
  else return 0;
  return 1;
}

static int picture_tostring(lua_State *L) {
  static const char *const kinds[] = {"", "grey", "grey and alpha", "RGB",
                                      "RGBA"};
  const mt_Picture *p = check_picture(L, 1);
  lua_pushfstring(L, "picture, %d × %d, %s, %d bits", (int)p->width,
                  (int)p->height, kinds[p->channels], (int)p->bits);
  return 1;
}

static int open_picture(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"load", picture_load},         {"of", picture_of},
      {"terminal", picture_terminal}, {"colours", picture_colours},
      {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}

void mt_lua_open_picture(lua_State *L) {
  static const luaL_Reg meta[] = {
      {"__gc", picture_gc}, {"__tostring", picture_tostring}, {NULL, NULL}};
  static const luaL_Reg methods[] = {
      {"texture", picture_texture}, {"buffer", picture_buffer},
      {"png", picture_png},         {"save", picture_save},
      {"resize", picture_resize},   {"show", picture_show},
      {"draw", picture_draw},       {NULL, NULL}};
  /* not by mt_lua_new_type: it is no type that a person meets */
  mt_lua_new_meta(L, PICTURE, "picture", meta);
  luaL_getmetatable(L, PICTURE);
  luaL_newlib(L, methods);
  lua_pushcclosure(L, picture_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_picture);
  lua_setfield(L, -2, "mettle.picture");
  lua_pop(L, 2);
}
