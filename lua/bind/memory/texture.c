/*
** texture.c - gpu.texture and gpu.sampler.
**
** Pixels are written and read as buffers of the format's own components: a
** texture of rgba8unorm reads as uchar[height × width × 4]. Nothing is
** converted, so the stored bytes are visible.
*/
#include "lua/bind/memory/texture.h"

#include <lauxlib.h>
#include <limits.h>
#include <string.h>

#include "lua/bind/core/core.h"
#include "lua/bind/core/devices.h"
#include "lua/bind/core/late.h"
#include "lua/bind/memory/buffer.h"

#define TEXTURE "mettle.texture"
#define SAMPLER "mettle.sampler"

typedef struct LuaTexture {
  mt_Pin pin; /* of an mt_Texture */
} LuaTexture;

static const char *const kind_names[] = {"1d", "1d_array", "2d", "2d_array",
                                         "3d"};

/* ---------------------------------------------------------------- formats */

static mt_PixelFormat check_format(lua_State *L, int arg) {
  const char *name = mt_lua_check_text(L, arg);
  for (int f = 0; f < MT_PIXEL_FORMATS; f++)
    if (strcmp(mt_pixel_name((mt_PixelFormat)f), name) == 0)
      return (mt_PixelFormat)f;
  mt_Str *names = mt_lua_new_str(L);
  for (int f = 0; f < MT_PIXEL_FORMATS; f++)
    mt_str_addf(names, "%s%s", f ? ", " : "", mt_pixel_name((mt_PixelFormat)f));
  luaL_error(L, "there is no pixel format '%s'; there are: %s", name,
             mt_str_text(names));
  return MT_R8UNORM;
}

/* --------------------------------------------------------------- textures */

static void give_back(void *texture) { mt_texture_free(texture); }

static int texture_gc(lua_State *L) {
  LuaTexture *box = luaL_checkudata(L, 1, TEXTURE);
  mt_pin_free(&box->pin);
  return 0;
}

mt_Texture *mt_lua_check_texture(lua_State *L, int arg) {
  LuaTexture *box = luaL_checkudata(L, arg, TEXTURE);
  if (box->pin.thing == NULL) luaL_error(L, "the texture was freed");
  return box->pin.thing;
}

mt_Texture *mt_lua_test_texture(lua_State *L, int arg) {
  return luaL_testudata(L, arg, TEXTURE) ? mt_lua_check_texture(L, arg) : NULL;
}

/* Saturates: the device then refuses the size. */
static unsigned check_side(lua_State *L, int arg, const char *what) {
  size_t v = mt_lua_check_count(L, arg, 1, what);
  return v > UINT_MAX ? UINT_MAX : (unsigned)v;
}

static unsigned side_field(lua_State *L, const char *name) {
  unsigned v = 1;
  if (lua_getfield(L, 1, name) != LUA_TNIL)
    v = check_side(L, -1, name);
  lua_pop(L, 1);
  return v;
}

/* Raise if the table at 1 has a key that is not among 'keys': a misspelt one
** would otherwise do nothing. */
static void check_keys(lua_State *L, const char *what,
                       const char *const *keys) {
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? mt_lua_check_text(L, -2)
                                                     : "(a number)";
    size_t i = 0;
    while (keys[i] && strcmp(keys[i], key) != 0) i++;
    if (keys[i]) continue;
    mt_Str *list = mt_lua_new_str(L);
    for (i = 0; keys[i]; i++) mt_str_addf(list, "%s%s", i ? ", " : "", keys[i]);
    luaL_error(L, "a %s is made from %s; not from '%s'", what,
               mt_str_text(list), key);
  }
}

static bool has_field(lua_State *L, const char *name) {
  bool there = lua_getfield(L, 1, name) != LUA_TNIL;
  lua_pop(L, 1);
  return there;
}

/* The dimensions that are given determine the kind, not their lengths. */
static void desc_from_table(lua_State *L, mt_TextureDesc *d) {
  static const char *const keys[] = {"format", "width", "height", "depth",
                                     "layers", "kind",  NULL};
  check_keys(L, "texture", keys);
  lua_getfield(L, 1, "format");
  d->format = check_format(L, lua_gettop(L));
  lua_pop(L, 1);
  d->width = side_field(L, "width");
  d->height = side_field(L, "height");
  d->depth = side_field(L, "depth");
  d->layers = side_field(L, "layers");
  d->kind = has_field(L, "depth")    ? MT_TEXTURE_3D
            : has_field(L, "height") ? MT_TEXTURE_2D
                                     : MT_TEXTURE_1D;
  if (has_field(L, "layers"))
    d->kind =
        has_field(L, "height") ? MT_TEXTURE_2D_ARRAY : MT_TEXTURE_1D_ARRAY;
  if (lua_getfield(L, 1, "kind") != LUA_TNIL) {
    const char *kind = mt_lua_check_text(L, -1);
    int k = 0;
    while (k < 5 && strcmp(kind_names[k], kind) != 0) k++;
    if (k == 5)
      luaL_error(
          L, "a texture's kind is 1d, 1d_array, 2d, 2d_array or 3d, not '%s'",
          kind);
    d->kind = (mt_TextureKind)k;
  }
  lua_pop(L, 1);
}

static void desc_from_arguments(lua_State *L, mt_TextureDesc *d) {
  static const mt_TextureKind kinds[] = {MT_TEXTURE_1D, MT_TEXTURE_2D,
                                         MT_TEXTURE_3D};
  unsigned *sides[3] = {&d->width, &d->height, &d->depth};
  int n = lua_gettop(L) - 1;
  d->format = check_format(L, 1);
  if (n < 1 || n > 3)
    luaL_error(L,
               "a texture has a width, a height and a depth: "
               "gpu.texture(\"rgba8unorm\", 640, 480)");
  for (int i = 0; i < n; i++)
    *sides[i] = check_side(L, i + 2, "a side");
  d->kind = kinds[n - 1];
}

mt_Texture *mt_lua_push_texture(lua_State *L, const mt_TextureDesc *desc) {
  mt_Device *dev = mt_lua_device(L);
  LuaTexture *box = lua_newuserdatauv(L, sizeof *box, 0);
  mt_pin_init(&box->pin, give_back);
  luaL_setmetatable(L, TEXTURE);
  mt_Error err;
  mt_Texture *texture = NULL;
  if (mt_texture_new(dev, desc, &texture, &err) != MT_OK) mt_lua_raise(L, &err);
  mt_pin_own(L, &box->pin, texture);
  return texture;
}

/* gpu.texture(format, width [, height [, depth]]), gpu.texture{format = …} */
static int gpu_texture(lua_State *L) {
  mt_TextureDesc d = {.width = 1, .height = 1, .depth = 1, .layers = 1};
  if (lua_istable(L, 1)) desc_from_table(L, &d);
  else desc_from_arguments(L, &d);
  mt_lua_push_texture(L, &d);
  return 1;
}

/* t:write(buffer) -> t: all pixels, from a buffer of as many bytes */
static int texture_write(lua_State *L) {
  mt_Texture *t = mt_lua_check_texture(L, 1);
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 2);
  mt_Error err;
  if (mt_texture_write(t, mt_lua_buffer_data(L, b, MT_READ),
                       b->count * b->type->size, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  lua_settop(L, 1);
  return 1;
}

/* t:read() -> buffer of the components, rows first */
static int texture_read(lua_State *L) {
  const mt_TextureDesc *d = mt_texture_desc(mt_lua_check_texture(L, 1));
  size_t channels = mt_pixel(d->format)->channels;
  size_t rows = (size_t)d->height * d->depth * d->layers;
  size_t shape[3] = {rows, d->width, channels};
  const mt_Type *component = mt_type_named(mt_pixel(d->format)->component);
  mt_Error err;
  mt_LuaBuffer *b =
      mt_lua_push_buffer(L, component, channels > 1 ? 3 : 2, shape, &err);
  if (b == NULL) return mt_lua_raise(L, &err);
  mt_Texture *t = mt_lua_check_texture(L, 1);
  if (mt_texture_read(t, mt_lua_buffer_data(L, b, MT_WRITE),
                      b->count * b->type->size, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  return 1;
}

/* t:save(path [, options]) -> t: a PNG file */
static int texture_save(lua_State *L) {
  mt_lua_check_texture(L, 1);
  return mt_lua_call_late(L, "save_picture");
}

static int texture_index(lua_State *L) {
  const mt_TextureDesc *d = mt_texture_desc(mt_lua_check_texture(L, 1));
  const char *key = mt_lua_check_text(L, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  if (strcmp(key, "width") == 0) lua_pushinteger(L, d->width);
  else if (strcmp(key, "height") == 0) lua_pushinteger(L, d->height);
  else if (strcmp(key, "depth") == 0) lua_pushinteger(L, d->depth);
  else if (strcmp(key, "layers") == 0) lua_pushinteger(L, d->layers);
  else if (strcmp(key, "format") == 0)
    lua_pushstring(L, mt_pixel_name(d->format));
  else if (strcmp(key, "device") == 0)
    lua_pushstring(
        L, mt_device_info(mt_texture_device(mt_lua_check_texture(L, 1)))->name);
  else if (strcmp(key, "kind") == 0) lua_pushstring(L, kind_names[d->kind]);
  else
    return luaL_error(
        L, "a texture has no '%s'; help \"texture\" lists what it has", key);
  return 1;
}

static int texture_tostring(lua_State *L) {
  const mt_TextureDesc *d = mt_texture_desc(mt_lua_check_texture(L, 1));
  lua_pushfstring(L, "texture%s %s, %d × %d", kind_names[d->kind],
                  mt_pixel_name(d->format), (int)d->width, (int)d->height);
  if (d->depth > 1) lua_pushfstring(L, " × %d", (int)d->depth);
  else if (d->layers > 1) lua_pushfstring(L, ", %d layers", (int)d->layers);
  else lua_pushliteral(L, "");
  lua_concat(L, 2);
  return 1;
}

/* --------------------------------------------------------------- samplers */

/* The index in 'words' of the string in field 'name'; 0 if not given. */
static unsigned word_field(lua_State *L, const char *name,
                           const char *const *words) {
  mt_Error err;
  unsigned i = 0;
  if (lua_getfield(L, 1, name) != LUA_TNIL &&
      mt_sampler_find(name, words, mt_lua_check_text(L, -1), &i, &err) != MT_OK)
    mt_lua_raise(L, &err);
  lua_pop(L, 1);
  return i;
}

/* gpu.sampler{filter = "linear", address = "repeat", coord = "pixel"} */
static int gpu_sampler(lua_State *L) {
  static const char *const filters[] = {"nearest", "linear", NULL};
  static const char *const keys[] = {"filter", "address", "coord", "compare",
                                     NULL};
  static const char *const coords[] = {"normalized", "pixel", NULL};
  lua_settop(L, 1);
  if (lua_isnil(L, 1)) {
    lua_newtable(L);
    lua_replace(L, 1);
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  check_keys(L, "sampler", keys);
  mt_SamplerDesc d = {.linear = word_field(L, "filter", filters) == 1,
                      .pixel = word_field(L, "coord", coords) == 1,
                      .address = word_field(L, "address", mt_sampler_addresses),
                      .compare = word_field(L, "compare", mt_sampler_compares)};
  mt_SamplerDesc *s = lua_newuserdatauv(L, sizeof *s, 0);
  *s = d;
  luaL_setmetatable(L, SAMPLER);
  return 1;
}

static int sampler_tostring(lua_State *L) {
  const mt_SamplerDesc *s = luaL_checkudata(L, 1, SAMPLER);
  lua_pushfstring(L, "sampler: %s, %s, %s coordinates%s%s",
                  s->linear ? "linear" : "nearest",
                  mt_sampler_addresses[s->address],
                  s->pixel ? "pixel" : "normalized",
                  s->compare ? ", compares by " : "",
                  s->compare ? mt_sampler_compares[s->compare] : "");
  return 1;
}

/* ----------------------------------------------------------------- public */

/* Pin the texture on top of the stack; NULL, with what is wrong in '*why'. */
static mt_Texture *pin_texture(lua_State *L, mt_Pins *pins, const char **why) {
  LuaTexture *t = luaL_testudata(L, -1, TEXTURE);
  *why = "it takes a texture, from gpu.texture(format, width, height)";
  if (t == NULL) return NULL;
  mt_pins_add(L, pins, &t->pin);
  *why = "the texture was freed";
  return t->pin.thing;
}

const char *mt_lua_bind_texture(lua_State *L, const mt_Param *p, mt_Pins *pins,
                                mt_Arg *out) {
  if (p->kind == MT_PARAM_SAMPLER) {
    const mt_SamplerDesc *s = luaL_testudata(L, -1, SAMPLER);
    if (s == NULL) return "it takes a sampler, from gpu.sampler{…}";
    out->kind = MT_ARG_SAMPLER;
    out->sampler = *s;
    return NULL;
  }
  const char *why;
  if (p->array_count > 1)
    return "it takes a table of textures, one for each place";
  mt_Texture *t = pin_texture(L, pins, &why);
  if (t == NULL) return why;
  out->kind = MT_ARG_TEXTURE;
  out->texture = t;
  return NULL;
}

const char *mt_lua_bind_textures(lua_State *L, unsigned count, mt_Pins *pins,
                                 mt_Arg *out) {
  mt_Texture **into = mt_pins_room(L, pins, count * sizeof *into);
  if (lua_rawlen(L, -1) != count)
    return lua_pushfstring(L, "it takes a table of %d textures, got %d",
                           (int)count, (int)lua_rawlen(L, -1));
  for (unsigned i = 0; i < count; i++) {
    const char *why;
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    bool none = luaL_testudata(L, -1, TEXTURE) == NULL;
    if (none)
      return lua_pushfstring(L, "place %d of its table is not a texture",
                             (int)i + 1);
    into[i] = pin_texture(L, pins, &why);
    lua_pop(L, 1);
    if (into[i] == NULL) return why;
  }
  *out = (mt_Arg){.kind = MT_ARG_TEXTURE,
                  .texture = into[0],
                  .textures = into,
                  .texture_count = count};
  return NULL;
}

void mt_lua_open_texture(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"texture", gpu_texture}, {"sampler", gpu_sampler}, {NULL, NULL}};
  static const luaL_Reg meta[] = {
      {"__gc", texture_gc}, {"__tostring", texture_tostring}, {NULL, NULL}};
  static const luaL_Reg methods[] = {{"write", texture_write},
                                     {"read", texture_read},
                                     {"save", texture_save},
                                     {NULL, NULL}};
  mt_lua_new_type(L, TEXTURE, "texture", meta, methods, texture_index);
  luaL_getmetatable(L, TEXTURE); /* the prompt shows it (show.lua) */
  lua_pushboolean(L, true);
  lua_setfield(L, -2, "__picture");
  lua_pop(L, 1);
  static const luaL_Reg sampler[] = {{"__tostring", sampler_tostring},
                                     {NULL, NULL}};
  mt_lua_new_meta(L, SAMPLER, "sampler", sampler);
  lua_getglobal(L, "gpu");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}
