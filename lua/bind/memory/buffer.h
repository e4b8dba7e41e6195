/*
** buffer.h - buffers as Lua sees them: typed, shaped, 0-based.
**
** A Lua buffer is a view of an mt_Buffer: a type, a first element, a count and
** a shape. Views share the memory of the buffer they were made from and keep it
** alive; free() ends it for all of them, and using one after that is an error.
*/
#ifndef MT_LUA_BUFFER_H
#define MT_LUA_BUFFER_H

#include <lua.h>
#include <stdbool.h>

#include "base/str.h"
#include "devices/device.h"
#include "lua/bind/core/pin.h"

#define MT_LUA_BUFFER "mettle.buffer" /* name of the metatable */
#define MT_LUA_ELEMENT_MAX 64         /* bytes of the largest element */

/* The memory, shared by all views; collected when the last of them is. */
typedef struct mt_LuaMemory {
  mt_Pin pin; /* of an mt_Buffer */
} mt_LuaMemory;

typedef struct mt_LuaBuffer {
  mt_LuaMemory *memory; /* kept alive by user value 1 */
  const mt_Type *type;  /* of one element: scalar, vector or packed */
  size_t offset;        /* bytes from the start of the memory */
  size_t count;         /* elements */
  size_t shape[3];      /* shape[0..dims-1], rows first; product is count */
  unsigned dims;        /* 1 to 3 */
} mt_LuaBuffer;

/* The buffer at 'arg', alive, or a Lua error that says what it is instead. */
mt_LuaBuffer *mt_lua_check_buffer(lua_State *L, int arg);
mt_LuaBuffer *mt_lua_test_buffer(lua_State *L, int arg); /* NULL if none */

bool mt_lua_buffer_freed(const mt_LuaBuffer *b);

/*
** Address of its first element, for an access of that kind to all of it
** (mt_buffer_access: a device may have to copy it from its own memory, and
** MT_WRITE alone promises that every byte will be written); raises if that
** fails, or if it was freed. Valid until Lua runs again: any allocation may run
** a finaliser, which may free the buffer. So call it after all values are
** pushed, and again after any further push. Of two views that may overlap, the
** one that is read comes first.
*/
void *mt_lua_buffer_data(lua_State *L, const mt_LuaBuffer *b, mt_Access access);
/* The same for 'count' elements from 'first' on; address of the first one. */
void *mt_lua_buffer_part(lua_State *L, const mt_LuaBuffer *b, size_t first,
                         size_t count, mt_Access access);
/* The address alone, to be compared with others. */
void *mt_lua_buffer_address(lua_State *L, const mt_LuaBuffer *b);

/* Pin the buffer at 'arg'; the device's buffer, or NULL if it was freed. */
mt_Buffer *mt_lua_pin_buffer(lua_State *L, int arg, mt_Pins *pins);

/* Number of scalars in it, padding included: a float3 counts as 4. */
size_t mt_lua_buffer_scalars(const mt_LuaBuffer *b);

/* Append "float[1000]" or "half[64 × 32]". */
void mt_lua_buffer_describe(const mt_LuaBuffer *b, mt_Str *out);

/*
** Push a new zeroed buffer of the current device. On failure pushes nothing
** and returns NULL with the line in 'err'. 'dims' is 1 to 3. Raises only if Lua
** is out of memory or there is no device.
*/
mt_LuaBuffer *mt_lua_push_buffer(lua_State *L, const mt_Type *type,
                                 unsigned dims, const size_t *shape,
                                 mt_Error *err);

/* Push another view of the memory of the buffer at 'arg'. */
mt_LuaBuffer *mt_lua_push_view(lua_State *L, int arg, const mt_Type *type,
                               size_t offset, unsigned dims,
                               const size_t *shape);

/* The type named at 'arg'; raises if a buffer cannot hold it. */
const mt_Type *mt_lua_check_type(lua_State *L, int arg);

/* A whole number of at least 'least' at 'arg'; raises with 'what' if not. */
size_t mt_lua_check_count(lua_State *L, int arg, size_t least,
                          const char *what);

/* Metatable and methods, gpu.buffer and gpu.load; called by mt_lua_open. */
void mt_lua_open_buffer(lua_State *L);

#endif
