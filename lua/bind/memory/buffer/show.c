/*
** show.c - a buffer as readable text: its type and shape, its first and
** last elements, its extremes; and its bytes.
*/
#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#include "base/kernel_types/scalar.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/system.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/buffer/methods.h"
#include "lua/bind/memory/stats.h"
#include "lua/bind/memory/value.h"

#define HEAD 6          /* elements shown before the dots */
#define TAIL 2          /* and after them */
#define WHOLE_ROWS 16   /* rows of a matrix that are all shown */
#define ROWS 6          /* of a larger one, before the dots */
#define LAST_ROWS 2     /* and after them */
#define PLANES 3        /* matrices of a 3-D buffer before the dots */
#define MANY ((size_t)1 << 28) /* above it no statistics: use b:min() … */

/* ---------------------------------------------------------------- contents */

/* Elements 0 to 'head' - 1, dots if some are missing, and the last TAIL. */
static void add_ends(lua_State *L, const mt_LuaBuffer *b, size_t head,
                     mt_Str *out) {
  for (size_t i = 0; i < b->count; i++) {
    if (i == head) {
      mt_str_add(out, "  …");
      i = b->count - TAIL;
    }
    mt_str_add(out, i ? "  " : "");
    mt_value_text(b->type, mt_lua_buffer_part(L, b, i, 1, MT_READ), out);
  }
}

/* The buffer in what is left of the line: all of a short one, else as many of
** its first elements as fit, up to HEAD, and the last ones. */
static void add_run(lua_State *L, const mt_LuaBuffer *b, mt_Str *out) {
  bool whole = b->count <= HEAD + TAIL;
  size_t head = whole ? b->count : HEAD, start = out->length,
         columns = (size_t)mt_lua_columns();
  for (;;) {
    add_ends(L, b, head, out);
    /* the dots are three bytes and one column */
    if (out->length - 2 * (head < b->count) <= columns || head == 1) return;
    if (whole && b->count <= TAIL + 1) return; /* nothing can be left out */
    head = whole && head == b->count ? b->count - TAIL - 1 : head - 1;
    mt_str_cut(out, start);
  }
}

/*
** A matrix is a table: columns aligned at their right ends, all of it if it has
** at most WHOLE_ROWS rows and fits the window, else its first and last rows and
** as many columns as fit, with the last two. Floats get four digits instead of
** six where that is what makes all columns fit.
*/
typedef struct Matrix {
  const mt_LuaBuffer *b;
  size_t first;             /* element at its top left */
  size_t rows, columns;     /* of all of it */
  size_t shown_rows, head;  /* rows shown; columns before the dots */
  size_t kept, tail; /* columns whose texts are made; of these the last */
  size_t *at;               /* where the text of each cell begins */
  size_t *width;            /* of each column that is kept */
  mt_Str *cells;            /* the texts, each ended by a zero byte */
} Matrix;

static size_t row_of(const Matrix *m, size_t i) {
  if (m->rows == m->shown_rows || i < ROWS) return i;
  return m->rows - m->shown_rows + i;
}

static size_t column_of(const Matrix *m, size_t i) {
  return i < m->kept - m->tail ? i : m->columns - m->kept + i;
}

/* The element as text; 'digits' are for single floats, 0: as everywhere. */
static void add_element(const mt_Type *type, const void *bytes, int digits,
                        mt_Str *out) {
  double v;
  if (digits == 0) {
    mt_value_text(type, bytes, out);
    return;
  }
  mt_scalars_unpack(type->scalar, bytes, 1, &v);
  if (v != v) mt_str_add(out, "nan"); /* the system's may have a sign */
  else mt_str_addf(out, "%.*g", digits, v);
}

/* Texts and widths of all cells that may be shown. */
static void make_cells(lua_State *L, Matrix *m, int digits) {
  mt_str_clear(m->cells);
  memset(m->width, 0, m->kept * sizeof *m->width);
  for (size_t r = 0; r < m->shown_rows; r++)
    for (size_t c = 0; c < m->kept; c++) {
      size_t element = m->first + row_of(m, r) * m->columns + column_of(m, c),
             begin = m->cells->length;
      add_element(m->b->type, mt_lua_buffer_part(L, m->b, element, 1, MT_READ),
                  digits, m->cells);
      size_t n = m->cells->length - begin;
      mt_str_add_char(m->cells, '\0');
      m->at[r * m->kept + c] = begin;
      if (n > m->width[c]) m->width[c] = n;
    }
}

static bool all_fit(const Matrix *m, size_t room) {
  size_t all = 0;
  for (size_t c = 0; c < m->kept; c++) all += m->width[c] + 2;
  return m->kept == m->columns && all <= room;
}

/* How many columns fit before the dots; all of them if all fit. */
static void fit_columns(Matrix *m, size_t room) {
  size_t used = 0, last = 0;
  m->head = m->kept;
  if (all_fit(m, room)) return;
  for (size_t c = m->kept - m->tail; c < m->kept; c++) last += m->width[c] + 2;
  for (m->head = 0; m->head < m->kept - m->tail; m->head++) {
    used += m->width[m->head] + 2;
    if (used + last + 3 > room && m->head > 0) break;
  }
}

static void add_cell(const Matrix *m, size_t r, size_t c, mt_Str *out) {
  const char *text = mt_str_text(m->cells) + m->at[r * m->kept + c];
  for (size_t n = strlen(text); n < m->width[c] + 2; n++)
    mt_str_add_char(out, ' ');
  mt_str_add(out, text);
}

static void add_table(const Matrix *m, mt_Str *out) {
  for (size_t r = 0; r < m->shown_rows; r++) {
    if (r == ROWS && m->shown_rows < m->rows) mt_str_add(out, "\n  …");
    mt_str_add(out, "\n");
    for (size_t c = 0; c < m->head; c++) add_cell(m, r, c, out);
    if (m->head < m->kept) mt_str_add(out, "  …");
    for (size_t c = m->kept - m->tail; c < m->kept && m->head < m->kept; c++)
      add_cell(m, r, c, out);
  }
}

static void add_matrix(lua_State *L, const mt_LuaBuffer *b, size_t first,
                       mt_Str *out) {
  size_t columns = b->shape[b->dims - 1], rows = b->shape[b->dims - 2],
         room = (size_t)mt_lua_columns();
  Matrix m = {.b = b,
              .first = first,
              .rows = rows,
              .columns = columns,
              .tail = columns > 2 ? 2 : 1};
  if (room < 20) room = 20;
  m.shown_rows = rows > WHOLE_ROWS ? ROWS + LAST_ROWS : rows;
  m.kept =
      columns < room ? columns : room; /* a cell has three columns at least */
  m.cells = mt_lua_new_str(L);
  size_t places = m.kept * (m.shown_rows + 1);
  m.at = lua_newuserdatauv(L, places * sizeof *m.at, 0);
  m.width = m.at + m.kept * m.shown_rows;
  make_cells(L, &m, 0);
  if (b->type->kind == MT_TYPE_SCALAR && mt_scalar_is_float(b->type->scalar) &&
      m.kept == columns && !all_fit(&m, room)) {
    make_cells(L, &m, 4);
    if (!all_fit(&m, room)) make_cells(L, &m, 0);
  }
  if (m.cells->failed) luaL_error(L, "not enough memory for the text");
  fit_columns(&m, room);
  add_table(&m, out);
  lua_pop(L, 2);
}

/* Three dimensions: matrices, each with its index above. */
static void add_rows(lua_State *L, const mt_LuaBuffer *b, mt_Str *out) {
  size_t planes = b->dims == 3 ? b->shape[0] : 1, size = b->count / planes;
  for (size_t p = 0; p < planes; p++) {
    if (p == PLANES && planes > PLANES + 1) {
      mt_str_add(out, "\n  …");
      p = planes - 1;
    }
    if (b->dims == 3) mt_str_addf(out, "\n [%zu]", p);
    add_matrix(L, b, p * size, out);
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
      add_run(L, b, text);
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
    mt_str_add_char(out,
                    isprint(bytes[i]) && bytes[i] < 128 ? (char)bytes[i] : '.');
  mt_str_add(out, "|");
}

/* b:hex([first [, n]]) -> string: the bytes of n elements, 16 a line */
int mt_buffer_hex(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  size_t size = b->type->size;
  size_t first = lua_isnoneornil(L, 2)
                     ? 0
                     : mt_lua_check_count(L, 2, 0, "the first element");
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
