/*
** buffer_show.c - a buffer as readable text: its type and shape, its first and
** last elements, its extremes; and its bytes.
*/
#include <ctype.h>
#include <lauxlib.h>

#include "base/scalar.h"
#include "lua/buffer.h"
#include "lua/buffer_methods.h"
#include "lua/mettle.h"
#include "lua/stats.h"
#include "lua/value.h"

#define HEAD 6          /* elements shown before the dots */
#define TAIL 2          /* and after them */
#define ROWS 6          /* rows of a 2-D buffer, likewise */
#define LAST_ROWS 2
#define MANY ((size_t)1 << 28) /* above it no statistics: use b:min() … */

/* ---------------------------------------------------------------- contents */

static void add_run(lua_State *L, const mt_LuaBuffer *b, size_t first,
                    size_t n, mt_Str *out) {
  for (size_t i = 0; i < n; i++) {
    if (i == HEAD && n > HEAD + TAIL) {
      mt_str_add(out, "  …");
      i = n - TAIL;
    }
    mt_str_add(out, i ? "  " : "");
    mt_value_text(b->type, mt_lua_buffer_part(L, b, first + i, 1, MT_READ), out);
  }
}

static void add_rows(lua_State *L, const mt_LuaBuffer *b, mt_Str *out) {
  size_t columns = b->shape[b->dims - 1], rows = b->count / columns;
  for (size_t r = 0; r < rows; r++) {
    if (r == ROWS && rows > ROWS + LAST_ROWS) {
      mt_str_add(out, "\n  …");
      r = rows - LAST_ROWS;
    }
    mt_str_add(out, "\n  ");
    add_run(L, b, r * columns, columns, out);
  }
}

static void add_stats(lua_State *L, const mt_LuaBuffer *b, mt_Str *out) {
  mt_Stats s;
  if (b->type->kind != MT_TYPE_SCALAR || b->count < 2) return;
  if (b->count > MANY ||
      !mt_buffer_stats(b, mt_lua_buffer_data(L, b, MT_READ), 0, &s)) {
    mt_str_add(out, "\n  b:min(), b:max(), b:mean() look at all of it");
    return;
  }
  size_t numbers = s.count - s.nan;
  if (numbers)
    mt_str_addf(out, "\n  min %.6g  max %.6g  mean %.6g", s.min, s.max,
                s.sum / (double)numbers);
  if (s.nan) mt_str_addf(out, "%s%zu nan", numbers ? "  " : "\n  ", s.nan);
}

/* tostring(b) */
int mt_buffer_tostring(lua_State *L) {
  mt_LuaBuffer *b = luaL_checkudata(L, 1, MT_LUA_BUFFER);
  mt_Str *text = mt_lua_new_str(L);
  mt_lua_buffer_describe(b, text);
  if (mt_lua_buffer_freed(b)) {
    mt_str_add(text, " (freed)");
  } else {
    if (b->dims == 1) {
      mt_str_add(text, "  ");
      add_run(L, b, 0, b->count, text);
    } else {
      add_rows(L, b, text);
    }
    add_stats(L, b, text);
  }
  mt_lua_push_text(L, text);
  return 1;
}

/* --------------------------------------------------------------- the bytes */

static void hex_line(const unsigned char *bytes, size_t at, size_t n,
                     mt_Str *out) {
  mt_str_addf(out, "%s%08zx ", at ? "\n" : "", at);
  for (size_t i = 0; i < 16; i++) {
    if (i == 8) mt_str_add(out, " ");
    if (i < n) mt_str_addf(out, " %02x", bytes[i]);
    else mt_str_add(out, "   ");
  }
  mt_str_add(out, "  |");
  for (size_t i = 0; i < n; i++)
    mt_str_add_char(out, isprint(bytes[i]) && bytes[i] < 128 ? (char)bytes[i] : '.');
  mt_str_add(out, "|");
}

/* b:hex([first [, n]]) -> string: the bytes of n elements, 16 a line */
int mt_buffer_hex(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  size_t size = b->type->size;
  size_t first = lua_isnoneornil(L, 2) ? 0 : mt_lua_check_count(L, 2, 0, "the first element");
  if (first >= b->count)
    return luaL_error(L, "element %I is out of range: the buffer has %I",
                      (LUAI_UACINT)first, (LUAI_UACINT)b->count);
  size_t n = b->count - first;
  if (!lua_isnoneornil(L, 3)) {
    size_t asked = mt_lua_check_count(L, 3, 1, "the count");
    if (asked < n) n = asked;
  } else if (n * size > 256) {
    n = (256 + size - 1) / size;
  }
  mt_Str *text = mt_lua_new_str(L);
  const unsigned char *bytes = mt_lua_buffer_part(L, b, first, n, MT_READ);
  for (size_t at = 0; at < n * size; at += 16)
    hex_line(bytes + at, at, n * size - at < 16 ? n * size - at : 16, text);
  mt_lua_push_text(L, text);
  return 1;
}
