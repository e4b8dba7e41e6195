/*
** make.c - new buffers: by size, from values, as copies; and back to
** tables.
**
** gpu.buffer takes an optional type and then either sizes or one table. The
** shape of a table is that of its first entries; every other row must match it.
*/
#include <lauxlib.h>
#include <stdint.h>
#include <string.h>

#include "base/cancel.h"
#include "lua/bind/core/core.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/buffer/methods.h"
#include "lua/bind/memory/value.h"

static mt_LuaBuffer *new_buffer(lua_State *L, const mt_Type *type,
                                unsigned dims, const size_t *shape) {
  mt_Error err;
  mt_LuaBuffer *b = mt_lua_push_buffer(L, type, dims, shape, &err);
  if (b == NULL) mt_lua_raise(L, &err);
  return b;
}

/* ------------------------------------------------------------ from tables */

/* How deep the table at 'index' is nested along its first entries. */
static unsigned depth_of(lua_State *L, int index) {
  unsigned depth = 0;
  int top = lua_gettop(L);
  lua_pushvalue(L, index);
  while (lua_istable(L, -1) && depth < 8) {
    depth++;
    lua_rawgeti(L, -1, 1);
    luaL_checkstack(L, 2, NULL);
  }
  lua_settop(L, top);
  return depth;
}

static unsigned shape_of(lua_State *L, int index, const mt_Type *type,
                         size_t shape[3]) {
  unsigned depth = depth_of(L, index);
  bool vector = type->kind != MT_TYPE_SCALAR;
  /* a vector's own components are the innermost tables, if there are any */
  unsigned dims = vector && depth > 1 ? depth - 1 : depth;
  if (dims > 3)
    luaL_error(L, "tables are nested too deep: at most 3 dimensions");
  lua_pushvalue(L, index);
  for (unsigned i = 0; i < dims; i++) {
    shape[i] = lua_rawlen(L, -1);
    if (shape[i] == 0)
      luaL_error(L, "the table is empty: a buffer needs at least one element");
    lua_rawgeti(L, -1, 1);
    lua_remove(L, -2);
  }
  lua_pop(L, 1);
  return dims;
}

/* Store the table on top of the stack from element 'at' on; returns the next.
** 'level' counts dimensions; the innermost holds the elements. */
static size_t store_rows(lua_State *L, const mt_LuaBuffer *b, unsigned level,
                         size_t at) {
  int table = lua_gettop(L);
  if (!lua_istable(L, table) || lua_rawlen(L, table) != b->shape[level])
    luaL_error(L, "every row must have %I values like the first; one has %s",
               (LUAI_UACINT)b->shape[level],
               lua_istable(L, table)
                   ? lua_pushfstring(L, "%I", (LUAI_UACINT)lua_rawlen(L, table))
                   : luaL_typename(L, table));
  luaL_checkstack(L, 4, NULL);
  char *data = mt_lua_buffer_data(L, b, MT_READ_WRITE);
  for (size_t i = 0; i < b->shape[level]; i++) {
    mt_Error err;
    lua_rawgeti(L, table, (lua_Integer)i + 1);
    if (level + 1 < b->dims)
      at = store_rows(L, b, level + 1, at);
    else if (!mt_value_store(L, -1, b->type, data + at++ * b->type->size, &err))
      luaL_error(L, "value %I: %s", (LUAI_UACINT)at, err.text);
    lua_settop(L, table);
    if (mt_cancelled()) luaL_error(L, "interrupted");
  }
  return at;
}

static int from_table(lua_State *L, int index, const mt_Type *type) {
  size_t shape[3];
  unsigned dims = shape_of(L, index, type, shape);
  mt_LuaBuffer *b = new_buffer(L, type, dims, shape);
  lua_pushvalue(L, index);
  store_rows(L, b, 0, 0);
  lua_pop(L, 1);
  return 1;
}

/* ------------------------------------------------------------------ sizes */

/* gpu.buffer([type,] n), ([type,] rows, columns), ([type,] {…}) -> buffer */
int mt_gpu_buffer(lua_State *L) {
  const mt_Type *type = mt_type_named("float");
  int arg = 1;
  if (lua_type(L, 1) == LUA_TSTRING) type = mt_lua_check_type(L, arg++);
  if (lua_istable(L, arg)) return from_table(L, arg, type);
  int dims = lua_gettop(L) - arg + 1;
  if (dims < 1)
    return luaL_error(L,
                      "how many elements? gpu.buffer(1000), "
                      "gpu.buffer(\"half\", 64, 32) or gpu.buffer{1, 2, 3}");
  if (dims > 3) return luaL_error(L, "a buffer has at most three dimensions");
  size_t shape[3];
  for (int i = 0; i < dims; i++) {
    if (lua_type(L, arg + i) != LUA_TNUMBER)
      return luaL_error(L,
                        "a buffer is made from its sizes or its values, the "
                        "type first: gpu.buffer(1000), "
                        "gpu.buffer(\"half\", 64, 32) or gpu.buffer{1, 2, 3}; "
                        "got %s where a size belongs",
                        luaL_typename(L, arg + i));
    shape[i] = mt_lua_check_count(
        L, arg + i, 1, dims == 1 ? "the number of elements" : "a size");
  }
  new_buffer(L, type, (unsigned)dims, shape);
  return 1;
}

/* b:copy() -> a new buffer with the same contents */
int mt_buffer_copy(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  mt_LuaBuffer *c = new_buffer(L, b->type, b->dims, b->shape);
  const void *source = mt_lua_buffer_data(L, b, MT_READ);
  if (!mt_copy(mt_lua_buffer_data(L, c, MT_WRITE), source,
               b->count * b->type->size))
    return luaL_error(L, "interrupted");
  return 1;
}

/* -------------------------------------------------------------- to tables */

/* Push the elements of one row at this level, from 'at' on; returns the index
** after the last. */
static size_t push_rows(lua_State *L, const mt_LuaBuffer *b, unsigned level,
                        size_t at) {
  luaL_checkstack(L, 4, NULL);
  /* a large preallocation is cleared in one step, which Ctrl-C cannot stop */
  lua_createtable(L, (int)(b->shape[level] < 65536 ? b->shape[level] : 65536),
                  0);
  for (size_t i = 0; i < b->shape[level]; i++) {
    if (level + 1 < b->dims) {
      at = push_rows(L, b, level + 1, at);
    } else {
      _Alignas(16) char copy[MT_LUA_ELEMENT_MAX];
      memcpy(copy, mt_lua_buffer_part(L, b, at++, 1, MT_READ), b->type->size);
      mt_value_push(L, b->type, copy);
      if (mt_cancelled()) luaL_error(L, "interrupted");
    }
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return at;
}

/* b:table() -> list of its values, a list of rows if it has two dimensions */
int mt_buffer_table(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  if (b->count > INT32_MAX)
    return luaL_error(L, "%I elements are too many for a table: use a view",
                      (LUAI_UACINT)b->count);
  push_rows(L, b, 0, 0);
  return 1;
}
