/*
** buffer.c - the buffer object: memory shared by views, indexing, freeing.
**
** There are two userdata: the memory, which owns the device's buffer and has
** the finaliser, and the view, which scripts hold and which keeps the memory in
** its user value. Lua's collector sees a few bytes where there may be
** gigabytes, so allocation itself runs a collection when much has been
** allocated since the last.
*/
#include "lua/bind/memory/buffer.h"

#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lua/bind/core/core.h"
#include "lua/bind/core/devices.h"
#include "lua/bind/memory/buffer/methods.h"
#include "lua/bind/memory/value.h"

#define MEMORY "mettle.memory"
#define COLLECT_AFTER ((size_t)256 << 20)

/* Bytes allocated since the last full collection, and alive at its end. */
static size_t allocated_since, alive_then, alive_now;

/* ----------------------------------------------------------------- memory */

static void give_back(void *buffer) {
  alive_now -= mt_buffer_size(buffer);
  mt_buffer_free(buffer);
}

static int memory_gc(lua_State *L) {
  mt_LuaMemory *m = luaL_checkudata(L, 1, MEMORY);
  mt_pin_free(&m->pin);
  return 0;
}

static void collect(lua_State *L) {
  lua_gc(L, LUA_GCCOLLECT);
  allocated_since = 0;
  alive_then = alive_now;
}

/* Push a memory of 'size' bytes; on failure pushes nothing. */
static mt_LuaMemory *push_memory(lua_State *L, size_t size, mt_Error *err) {
  mt_Device *dev = mt_lua_device(L);
  if (allocated_since + size > COLLECT_AFTER + alive_then) collect(L);
  mt_LuaMemory *m = lua_newuserdatauv(L, sizeof *m, 0);
  mt_pin_init(&m->pin, give_back);
  luaL_setmetatable(L, MEMORY);
  mt_Buffer *buffer = NULL;
  mt_Status status = mt_buffer_new(dev, size, &buffer, err);
  if (status == MT_FAIL) { /* freeing unreachable buffers may be enough */
    collect(L);
    status = mt_buffer_new(dev, size, &buffer, err);
  }
  if (status != MT_OK) {
    lua_pop(L, 1);
    return NULL;
  }
  mt_pin_own(L, &m->pin, buffer);
  allocated_since += size;
  alive_now += size;
  return m;
}

/* ------------------------------------------------------------------ views */

/* Replace the memory on top of the stack by a view of it. */
static mt_LuaBuffer *wrap(lua_State *L, const mt_Type *type, size_t offset,
                          unsigned dims, const size_t *shape) {
  mt_LuaBuffer *b = lua_newuserdatauv(L, sizeof *b, 1);
  memset(b, 0, sizeof *b);
  b->memory = lua_touserdata(L, -2);
  b->type = type;
  b->offset = offset;
  b->count = 1;
  b->dims = dims;
  for (unsigned i = 0; i < dims; i++) b->count *= b->shape[i] = shape[i];
  luaL_setmetatable(L, MT_LUA_BUFFER);
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, 1);
  return b;
}

mt_LuaBuffer *mt_lua_push_buffer(lua_State *L, const mt_Type *type,
                                 unsigned dims, const size_t *shape,
                                 mt_Error *err) {
  size_t bytes = type->size;
  for (unsigned i = 0; i < dims; i++) {
    if (shape[i] && bytes > SIZE_MAX / shape[i]) bytes = SIZE_MAX;
    else bytes *= shape[i];
  }
  if (push_memory(L, bytes, err) == NULL) return NULL;
  return wrap(L, type, 0, dims, shape);
}

mt_LuaBuffer *mt_lua_push_view(lua_State *L, int arg, const mt_Type *type,
                               size_t offset, unsigned dims,
                               const size_t *shape) {
  lua_getiuservalue(L, arg, 1);
  return wrap(L, type, offset, dims, shape);
}

mt_LuaBuffer *mt_lua_test_buffer(lua_State *L, int arg) {
  return luaL_testudata(L, arg, MT_LUA_BUFFER);
}

mt_LuaBuffer *mt_lua_check_buffer(lua_State *L, int arg) {
  mt_LuaBuffer *b = luaL_testudata(L, arg, MT_LUA_BUFFER);
  if (b == NULL) luaL_typeerror(L, arg, "buffer");
  if (mt_lua_buffer_freed(b)) luaL_error(L, "the buffer was freed");
  return b;
}

bool mt_lua_buffer_freed(const mt_LuaBuffer *b) {
  return b->memory->pin.thing == NULL;
}

void *mt_lua_buffer_address(lua_State *L, const mt_LuaBuffer *b) {
  if (mt_lua_buffer_freed(b)) luaL_error(L, "the buffer was freed");
  return (char *)mt_buffer_contents(b->memory->pin.thing) + b->offset;
}

void *mt_lua_buffer_part(lua_State *L, const mt_LuaBuffer *b, size_t first,
                         size_t count, mt_Access access) {
  char *data = mt_lua_buffer_address(L, b);
  size_t size = b->type->size, at = first * size;
  mt_Error err;
  if (mt_buffer_access(b->memory->pin.thing, b->offset + at, count * size,
                       access, &err) != MT_OK)
    mt_lua_raise(L, &err);
  return data + at;
}

void *mt_lua_buffer_data(lua_State *L, const mt_LuaBuffer *b,
                         mt_Access access) {
  return mt_lua_buffer_part(L, b, 0, b->count, access);
}

mt_Buffer *mt_lua_pin_buffer(lua_State *L, int arg, mt_Pins *pins) {
  mt_LuaBuffer *b = mt_lua_test_buffer(L, arg);
  lua_getiuservalue(L, arg, 1);
  mt_pins_add(L, pins, &b->memory->pin);
  lua_pop(L, 1);
  return b->memory->pin.thing;
}

size_t mt_lua_buffer_scalars(const mt_LuaBuffer *b) {
  return b->count * (b->type->size / mt_scalar_size(b->type->scalar));
}

void mt_lua_buffer_describe(const mt_LuaBuffer *b, mt_Str *out) {
  mt_str_addf(out, "%s[", b->type->name);
  for (unsigned i = 0; i < b->dims; i++)
    mt_str_addf(out, "%s%zu", i ? " × " : "", b->shape[i]);
  mt_str_add(out, "]");
}

/* -------------------------------------------------------------- arguments */

const mt_Type *mt_lua_check_type(lua_State *L, int arg) {
  const char *name = mt_lua_check_text(L, arg);
  const mt_Type *type = mt_type_named(name);
#define X(with, id, scalar, ...) #scalar ", "
  if (type == NULL)
    luaL_error(L, "there is no type '%s'; a buffer holds " __MT_SCALARS(X, )
                  "or a vector of 2, 3 or 4 of them such as float4", name);
#undef X
  return type;
}

size_t mt_lua_check_count(lua_State *L, int arg, size_t least,
                          const char *what) {
  lua_Number v = luaL_checknumber(L, arg);
  const char *shown = luaL_tolstring(L, arg, NULL);
  if (v != floor(v))
    luaL_error(L, "%s must be a whole number, got %s", what, shown);
  if (v < (lua_Number)least)
    luaL_error(L, "%s must be at least %d, got %s", what, (int)least, shown);
  if (v > 0x1p52) luaL_error(L, "%s is absurdly large: %s", what, shown);
  lua_pop(L, 1);
  return (size_t)v;
}

/* --------------------------------------------------------------- indexing */

/* Address of the element with the index at 'arg'; raises if out of range. */
static void *element_at(lua_State *L, const mt_LuaBuffer *b, int arg,
                        mt_Access access) {
  int exact;
  lua_Integer i = lua_tointegerx(L, arg, &exact);
  if (!exact)
    luaL_error(L, "a buffer is indexed by whole numbers from 0, got %s",
               luaL_tolstring(L, arg, NULL));
  if (i < 0 || (lua_Unsigned)i >= b->count)
    luaL_error(
        L, "index %I is out of range: the buffer has %I elements, 0 to %I",
        (LUAI_UACINT)i, (LUAI_UACINT)b->count, (LUAI_UACINT)b->count - 1);
  return mt_lua_buffer_part(L, b, (size_t)i, 1, access);
}

/* Address of the element at row, column (and plane) from 'arg' on. */
static void *element_of_shape(lua_State *L, const mt_LuaBuffer *b, int arg,
                              mt_Access access) {
  static const char *const names[3][3] = {
      {"index"}, {"row", "column"}, {"plane", "row", "column"}};
  size_t index = 0;
  for (unsigned i = 0; i < b->dims; i++) {
    const char *name = names[b->dims - 1][i];
    size_t v = mt_lua_check_count(L, arg + (int)i, 0, name);
    if (v >= b->shape[i])
      luaL_error(L, "%s %I is out of range: the buffer has %I, 0 to %I", name,
                 (LUAI_UACINT)v, (LUAI_UACINT)b->shape[i],
                 (LUAI_UACINT)b->shape[i] - 1);
    index = index * b->shape[i] + v;
  }
  return mt_lua_buffer_part(L, b, index, 1, access);
}

static void store(lua_State *L, int arg, const mt_LuaBuffer *b, void *where) {
  mt_Error err;
  if (!mt_value_store(L, arg, b->type, where, &err)) mt_lua_raise(L, &err);
}

/* Push a copy: a vector becomes a table, and making one may run a finaliser. */
static int push_element(lua_State *L, const mt_LuaBuffer *b, const void *at) {
  _Alignas(16) char copy[MT_LUA_ELEMENT_MAX];
  memcpy(copy, at, b->type->size);
  mt_value_push(L, b->type, copy);
  return 1;
}

static int push_property(lua_State *L, const mt_LuaBuffer *b, const char *key) {
  if (strcmp(key, "type") == 0) {
    lua_pushstring(L, b->type->name);
  } else if (strcmp(key, "bytes") == 0) {
    lua_pushinteger(L, (lua_Integer)(b->count * b->type->size));
  } else if (strcmp(key, "device") == 0) {
    if (mt_lua_buffer_freed(b)) return luaL_error(L, "the buffer was freed");
    lua_pushstring(
        L, mt_device_info(mt_buffer_device(b->memory->pin.thing))->name);
  } else if (strcmp(key, "shape") == 0) {
    lua_createtable(L, (int)b->dims, 0);
    for (unsigned i = 0; i < b->dims; i++) {
      lua_pushinteger(L, (lua_Integer)b->shape[i]);
      lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
  } else {
    return luaL_error(L, "a buffer has no '%s'; help \"buffer\" lists what it "
                         "has", key);
  }
  return 1;
}

/* b[i], b.type, b:method; upvalue 1 is the table of methods */
static int buffer_index(lua_State *L) {
  if (lua_type(L, 2) == LUA_TSTRING) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    return push_property(L, luaL_checkudata(L, 1, MT_LUA_BUFFER),
                         lua_tostring(L, 2));
  }
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  return push_element(L, b, element_at(L, b, 2, MT_READ));
}

static int buffer_newindex(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING)
    return luaL_error(L, "a buffer has no field '%s' to set; elements are "
                         "b[0] to b[#b - 1]", lua_tostring(L, 2));
  store(L, 3, b, element_at(L, b, 2, MT_READ_WRITE));
  return 0;
}

static int buffer_len(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)mt_lua_check_buffer(L, 1)->count);
  return 1;
}

/* b:at(row, column) -> value */
static int buffer_at(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  return push_element(L, b, element_of_shape(L, b, 2, MT_READ));
}

/* b:set(row, column, value) -> b */
static int buffer_set(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  luaL_checkany(L, (int)b->dims + 2);
  store(L, (int)b->dims + 2, b, element_of_shape(L, b, 2, MT_READ_WRITE));
  lua_settop(L, 1);
  return 1;
}

/* a + b and other operators, which users of other array libraries try */
static int no_arithmetic(lua_State *L) {
  return luaL_error(L, "Lua does no arithmetic on whole buffers: that is what "
                       "kernels are for, or cpu.add(a, b) and its like; help "
                       "\"python\" and help \"cpu\" say more");
}

/* ------------------------------------------------------------ other views */

/* b:view(first, n) -> buffer that shares the memory */
static int buffer_view(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  size_t first = mt_lua_check_count(L, 2, 0, "the first element");
  size_t n = b->count - (first < b->count ? first : b->count);
  if (!lua_isnoneornil(L, 3)) n = mt_lua_check_count(L, 3, 1, "the count");
  if (first >= b->count || n > b->count - first)
    return luaL_error(L,
                      "elements %I to %I are not all in the buffer, which "
                      "has %I",
                      (LUAI_UACINT)first,
                      (LUAI_UACINT)(first + (n ? n - 1 : 0)),
                      (LUAI_UACINT)b->count);
  mt_lua_push_view(L, 1, b->type, b->offset + first * b->type->size, 1, &n);
  return 1;
}

/* b:as(type) -> the same bytes, seen as another type */
static int buffer_as(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  const mt_Type *type = mt_lua_check_type(L, 2);
  size_t bytes = b->count * b->type->size, n = bytes / type->size;
  if (bytes % type->size)
    return luaL_error(L,
                      "%I bytes are not a whole number of %s (%I bytes each)",
                      (LUAI_UACINT)bytes, type->name, (LUAI_UACINT)type->size);
  if (type->size == b->type->size)
    mt_lua_push_view(L, 1, type, b->offset, b->dims, b->shape);
  else
    mt_lua_push_view(L, 1, type, b->offset, 1, &n);
  return 1;
}

/* b:reshape(rows, columns) -> the same elements in another shape */
static int buffer_reshape(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  int dims = lua_gettop(L) - 1;
  size_t shape[3], n = 1;
  if (dims < 1 || dims > 3)
    return luaL_error(L, "a shape has one to three sizes, got %d", dims);
  for (int i = 0; i < dims; i++)
    n *= shape[i] = mt_lua_check_count(L, i + 2, 1, "a size");
  if (n != b->count)
    return luaL_error(L, "the shape has %I elements, the buffer %I",
                      (LUAI_UACINT)n, (LUAI_UACINT)b->count);
  mt_lua_push_view(L, 1, b->type, b->offset, (unsigned)dims, shape);
  return 1;
}

/* b:free(): frees the memory now; all views of it become unusable */
static int buffer_free(lua_State *L) {
  luaL_checkudata(L, 1, MT_LUA_BUFFER);
  lua_getiuservalue(L, 1, 1);
  lua_replace(L, 1);
  return memory_gc(L);
}

/* ----------------------------------------------------------- registration */

static void add_to_gpu(lua_State *L) {
  lua_getglobal(L, "gpu");
  lua_pushcfunction(L, mt_gpu_buffer);
  lua_setfield(L, -2, "buffer");
  lua_pushcfunction(L, mt_gpu_load);
  lua_setfield(L, -2, "load");
  lua_pop(L, 1);
}

void mt_lua_open_buffer(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"at", buffer_at},          {"set", buffer_set},
      {"view", buffer_view},      {"as", buffer_as},
      {"reshape", buffer_reshape}, {"free", buffer_free},
      {"copy", mt_buffer_copy},   {"table", mt_buffer_table},
      {"fill", mt_buffer_fill},   {"iota", mt_buffer_iota},
      {"random", mt_buffer_random}, {"normal", mt_buffer_normal},
      {"sum", mt_buffer_sum},     {"min", mt_buffer_min},
      {"max", mt_buffer_max},     {"mean", mt_buffer_mean},
      {"equals", mt_buffer_equals}, {"hex", mt_buffer_hex},
      {"save", mt_buffer_save},   {NULL, NULL}};
  static const luaL_Reg meta[] = {
      {"__newindex", buffer_newindex}, {"__len", buffer_len},
      {"__tostring", mt_buffer_tostring},
      {"__add", no_arithmetic},        {"__sub", no_arithmetic},
      {"__mul", no_arithmetic},        {"__div", no_arithmetic},
      {"__unm", no_arithmetic},        {NULL, NULL}};
  static const luaL_Reg memory[] = {{"__gc", memory_gc}, {NULL, NULL}};
  mt_lua_new_meta(L, MEMORY, "memory of a buffer", memory);
  mt_lua_new_type(L, MT_LUA_BUFFER, "buffer", meta, methods, buffer_index);
  add_to_gpu(L);
}
