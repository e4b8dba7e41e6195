/*
** npy.c - NumPy's .npy files, both ways.
**
** A file is a magic word, a version, a Python dict as text (descr,
** fortran_order, shape), and the elements. Written: version 1.0, little-endian,
** rows first, vectors as one more dimension. Read: any version, either byte
** order, columns first too; float64, which Metal has not, becomes float.
*/
#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scalar.h"
#include "lua/buffer.h"
#include "lua/buffer_methods.h"
#include "lua/mettle.h"

#define MAGIC "\x93NUMPY"
#define MAX_DIMS 8

static const struct {
  mt_Scalar scalar;
  char kind; /* as in descr: f i u b */
  char size;
} kinds[] = {
    {MT_FLOAT, 'f', 4}, {MT_HALF, 'f', 2},  {MT_INT, 'i', 4},
    {MT_UINT, 'u', 4},  {MT_SHORT, 'i', 2}, {MT_USHORT, 'u', 2},
    {MT_CHAR, 'i', 1},  {MT_UCHAR, 'u', 1}, {MT_LONG, 'i', 8},
    {MT_ULONG, 'u', 8}, {MT_BOOL, 'b', 1},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* ----------------------------------------------------------------- saving */

static mt_Status write_header(const mt_LuaBuffer *b, mt_Str *out,
                              mt_Error *err) {
  mt_Str dict = MT_STR_INIT;
  size_t k = 0;
  while (k < KINDS && kinds[k].scalar != b->type->scalar) k++;
  if (k == KINDS)
    return mt_error(err, MT_BADARG,
                    "NumPy has no %s: save b:as(\"ushort\"), or copy it to "
                    "a float buffer first", mt_scalar_name(b->type->scalar));
  mt_str_addf(&dict, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (",
              kinds[k].size == 1 ? '|' : '<', kinds[k].kind, kinds[k].size);
  for (unsigned i = 0; i < b->dims; i++) mt_str_addf(&dict, "%zu, ", b->shape[i]);
  if (b->type->rows > 1) mt_str_addf(&dict, "%u, ", b->type->rows);
  mt_str_add(&dict, "), }");
  while ((10 + dict.length + 1) % 64) mt_str_add_char(&dict, ' ');
  mt_str_add_char(&dict, '\n');
  mt_str_add_bytes(out, MAGIC "\x01\x00", 8);
  mt_str_add_char(out, (char)(dict.length & 255));
  mt_str_add_char(out, (char)(dict.length >> 8));
  mt_str_add_bytes(out, dict.text, dict.length);
  mt_str_free(&dict);
  return MT_OK;
}

/* The elements, without the gap that a float3 has behind it. */
static void write_elements(const mt_LuaBuffer *b, const char *data, mt_Str *out) {
  size_t dense = mt_scalar_size(b->type->scalar) * b->type->rows;
  if (!mt_str_reserve(out, dense * b->count)) return;
  if (dense == b->type->size) {
    mt_str_add_bytes(out, data, dense * b->count);
    return;
  }
  for (size_t i = 0; i < b->count; i++)
    mt_str_add_bytes(out, data + i * b->type->size, dense);
}

/* b:save(path) -> b */
int mt_buffer_save(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  const char *path = luaL_checkstring(L, 2);
  mt_Str *file = mt_lua_new_str(L);
  mt_Error err;
  if (write_header(b, file, &err) != MT_OK) return mt_lua_raise(L, &err);
  write_elements(b, mt_lua_buffer_data(L, b), file);
  if (file->failed) return luaL_error(L, "%s: not enough memory to write it", path);
  if (mt_file_write(path, file->text, file->length, 0644, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  mt_str_free(file);
  lua_settop(L, 1);
  return 1;
}

/* ---------------------------------------------------------------- loading */

typedef struct Header {
  mt_Scalar scalar; /* what it becomes */
  size_t size;      /* bytes of one element in the file */
  bool is_double, swapped, columns_first;
  size_t shape[MAX_DIMS];
  unsigned dims;
  size_t data; /* where the elements start */
} Header;

/* What follows "'key':" in the dict, or NULL. */
static const char *entry(const char *dict, const char *key) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "'%s'", key);
  const char *p = strstr(dict, quoted);
  if (p == NULL) return NULL;
  p += strlen(quoted);
  while (*p == ' ' || *p == ':') p++;
  return p;
}

static bool read_descr(const char *p, Header *h) {
  if (p == NULL || *p++ != '\'') return false;
  bool big = *p == '>';
  if (strchr("<>|=", *p)) p++;
  char kind = *p++;
  h->size = strtoul(p, NULL, 10);
  h->swapped = big && h->size > 1;
  if (kind == 'f' && h->size == 8) {
    h->is_double = true;
    h->scalar = MT_FLOAT;
    return true;
  }
  for (size_t k = 0; k < KINDS; k++)
    if (kinds[k].kind == kind && (size_t)kinds[k].size == h->size) {
      h->scalar = kinds[k].scalar;
      return true;
    }
  return false;
}

static bool read_shape(const char *p, Header *h) {
  if (p == NULL || *p++ != '(') return false;
  while (*p && *p != ')') {
    char *end;
    if (*p == ' ' || *p == ',') {
      p++;
      continue;
    }
    unsigned long long n = strtoull(p, &end, 10);
    if (end == p || h->dims == MAX_DIMS) return false;
    h->shape[h->dims++] = (size_t)n;
    p = *end == 'L' ? end + 1 : end;
  }
  if (h->dims == 0) h->shape[h->dims++] = 1; /* a single number */
  return *p == ')';
}

/* The dict must lie inside the file; it is copied to have an end. */
static mt_Status read_header(const char *path, const mt_Str *file, Header *h,
                             mt_Error *err) {
  const unsigned char *u = (const unsigned char *)file->text;
  char dict[4096];
  memset(h, 0, sizeof *h);
  if (file->length < 12 || memcmp(u, MAGIC, 6) != 0)
    return mt_error(err, MT_FAIL, "%s: not a .npy file", path);
  size_t length = u[8] | (size_t)u[9] << 8, start = 10;
  if (u[6] >= 2) length |= (size_t)u[10] << 16 | (size_t)u[11] << 24, start = 12;
  if (length >= sizeof dict || start + length > file->length)
    return mt_error(err, MT_FAIL, "%s: its header is damaged", path);
  memcpy(dict, file->text + start, length);
  dict[length] = '\0';
  const char *order = entry(dict, "fortran_order");
  h->columns_first = order && strncmp(order, "True", 4) == 0;
  h->data = start + length;
  if (!read_descr(entry(dict, "descr"), h))
    return mt_error(err, MT_FAIL,
                    "%s: its elements are of a type that Metal does not have: "
                    "convert it with .astype('float32') first", path);
  if (!read_shape(entry(dict, "shape"), h))
    return mt_error(err, MT_FAIL, "%s: its shape cannot be read", path);
  return MT_OK;
}

/* Elements that the file says it has, checked against its length. */
static mt_Status count_elements(const char *path, const mt_Str *file,
                                const Header *h, size_t *out, mt_Error *err) {
  size_t n = 1, room = (file->length - h->data) / h->size;
  for (unsigned i = 0; i < h->dims; i++) {
    if (h->shape[i] == 0)
      return mt_error(err, MT_FAIL, "%s: it holds no elements", path);
    if (n > room / h->shape[i]) n = room + 1;
    else n *= h->shape[i];
  }
  if (n > room)
    return mt_error(err, MT_FAIL, "%s: it is shorter than its shape says", path);
  *out = n;
  return MT_OK;
}

static void read_element(const char *from, const Header *h, char *to) {
  char bytes[8];
  for (size_t i = 0; i < h->size; i++)
    bytes[i] = from[h->swapped ? h->size - 1 - i : i];
  if (h->is_double) {
    double d;
    memcpy(&d, bytes, sizeof d);
    mt_scalars_pack(MT_FLOAT, &d, 1, to);
  } else {
    memcpy(to, bytes, h->size);
  }
}

/* Where element i, counted rows first, lies in a file with columns first. */
static size_t column_place(const Header *h, size_t i) {
  size_t place = 0, stride[MAX_DIMS], s = 1;
  for (unsigned d = 0; d < h->dims; d++) stride[d] = s, s *= h->shape[d];
  for (unsigned d = h->dims; d-- > 0; i /= h->shape[d])
    place += i % h->shape[d] * stride[d];
  return place;
}

/* gpu.load(path) -> buffer */
int mt_gpu_load(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  mt_Str *file = mt_lua_new_str(L);
  Header h;
  mt_Error err;
  size_t n = 0, shape[3] = {1, 1, 1};
  if (mt_file_read(path, 0, file, &err) != MT_OK ||
      read_header(path, file, &h, &err) != MT_OK ||
      count_elements(path, file, &h, &n, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  /* more than three dimensions: the leading ones become one */
  unsigned dims = h.dims < 3 ? h.dims : 3, extra = h.dims - dims;
  for (unsigned i = 0; i < h.dims; i++) shape[i < extra ? 0 : i - extra] *= h.shape[i];
  const mt_Type *type = mt_type_named(mt_scalar_name(h.scalar));
  mt_LuaBuffer *b = mt_lua_push_buffer(L, type, dims, shape, &err);
  if (b == NULL) return mt_lua_raise(L, &err);
  char *to = mt_lua_buffer_data(L, b);
  const char *from = file->text + h.data;
  if (!h.swapped && !h.is_double && (!h.columns_first || h.dims < 2))
    memcpy(to, from, n * h.size);
  else
    for (size_t i = 0; i < n; i++)
      read_element(from + (h.columns_first ? column_place(&h, i) : i) * h.size,
                   &h, to + i * type->size);
  mt_str_free(file);
  return 1;
}
