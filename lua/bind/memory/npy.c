/*
** npy.c - NumPy's .npy files, both ways.
**
** A file is a magic word, a version, a Python dict as text (descr,
** fortran_order, shape), and the elements. Written: version 1.0, little-endian,
** rows first, vectors as one more dimension. Read: any version, either byte
** order, columns first too; float64, which Metal lacks, becomes float.
*/
#include <errno.h>
#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/files/file.h"
#include "base/files/user_file.h"
#include "base/kernel_types/scalar.h"
#include "base/notice.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/buffer/methods.h"
#include "pictures/picture.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/late.h"

#define MAGIC "\x93NUMPY"
#define MAX_DIMS 8
#define PIECE 65536       /* bytes that are converted at a time */
#define READ_PIECE ((size_t)16 << 20)

/* ----------------------------------------------------------------- saving */

static mt_Status write_header(const mt_LuaBuffer *b, mt_Str *out,
                              mt_Error *err) {
  mt_Str dict = MT_STR_INIT;
  mt_Scalar scalar = b->type->scalar;
  size_t size = mt_scalar_size(scalar);
  if (!mt_scalar_in_numpy(scalar))
    return mt_error(err, MT_BADARG,
                    "NumPy has no %s: save b:as(\"ushort\"), or copy it to "
                    "a float buffer first", mt_scalar_name(scalar));
  mt_str_addf(&dict, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (",
              size == 1 ? '|' : '<', mt_scalar_kind(scalar), size);
  for (unsigned i = 0; i < b->dims; i++)
    mt_str_addf(&dict, "%zu, ", b->shape[i]);
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

/* The elements, without the padding of a float3. */
static mt_Status write_elements(mt_UserFile *s, const mt_LuaBuffer *b,
                                const char *data, mt_Error *err) {
  char packed[PIECE];
  size_t dense = mt_scalar_size(b->type->scalar) * b->type->rows, n = 0;
  mt_Status status = MT_OK;
  if (dense == b->type->size)
    return mt_user_file_write(s, data, dense * b->count, err);
  for (size_t i = 0; i < b->count && status == MT_OK; i++) {
    memcpy(packed + n, data + i * b->type->size, dense);
    n += dense;
    if (n + dense <= sizeof packed && i + 1 < b->count) continue;
    status = mt_user_file_write(s, packed, n, err);
    n = 0;
    if (status == MT_OK && mt_cancelled())
      status = mt_error(err, MT_CANCELLED, "%s: interrupted, it is not written",
                        s->path);
  }
  return status;
}

/* Is the value at 'arg' a name that ends with 'end'? */
static bool named(lua_State *L, int arg, const char *end) {
  const char *dot = lua_type(L, arg) == LUA_TSTRING
                        ? strrchr(lua_tostring(L, arg), '.')
                        : NULL;
  return dot && strcasecmp(dot, end) == 0;
}

/* Or as pictures' names do? Those that cannot be written are said to be so. */
static bool named_picture(lua_State *L, int arg) {
  static const char *const ends[] = {".png", ".jpg",  ".jpeg", ".gif",
                                     ".bmp", ".webp", ".tif",  ".tiff"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (named(L, arg, ends[i])) return true;
  return false;
}

/* b:save(path) -> b; a picture where the name says so, or options are given */
int mt_buffer_save(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  if (lua_istable(L, 2) || !lua_isnoneornil(L, 3) || named_picture(L, 2))
    return mt_lua_call_late(L, "save_picture");
  const char *path = mt_lua_check_text(L, 2);
  mt_Str *header = mt_lua_new_str(L);
  mt_Error err;
  mt_UserFile s;
  if (write_header(b, header, &err) != MT_OK) return mt_lua_raise(L, &err);
  if (header->failed)
    return luaL_error(L, "%s: not enough memory to write it", path);
  const char *data = mt_lua_buffer_data(L, b, MT_READ);
  /* nothing raises from here */
  mt_Status status = mt_user_file_open(&s, path, 0644, &err);
  if (status == MT_OK)
    status = mt_user_file_write(&s, header->text, header->length, &err);
  if (status == MT_OK) status = write_elements(&s, b, data, &err);
  if (mt_user_file_close(&s, status, false, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  lua_settop(L, 1);
  return 1;
}

/* ---------------------------------------------------------------- loading */

typedef struct Header {
  mt_Scalar scalar; /* type of the buffer's elements */
  size_t size;      /* bytes of one element in the file */
  bool is_double, swapped, columns_first;
  size_t shape[MAX_DIMS];
  unsigned dims;
  size_t data; /* offset of the elements */
} Header;

/* The text after "'key':" in the dict, or NULL. */
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
  for (int k = MT_VOID + 1; k < MT_SCALARS; k++) {
    h->scalar = (mt_Scalar)k;
    if (mt_scalar_in_numpy(h->scalar) && mt_scalar_kind(h->scalar) == kind &&
        mt_scalar_size(h->scalar) == h->size)
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

/* An open file, in a userdata that closes it. */
typedef struct Source {
  int fd;
  const char *path;
  size_t size; /* bytes */
} Source;

static mt_Status open_source(Source *s, mt_Error *err) {
  return mt_file_open_plain(s->path, &s->fd, &s->size, err);
}

static void close_source(Source *s) {
  if (s->fd >= 0) close(s->fd);
  s->fd = -1;
}

static int source_gc(lua_State *L) {
  close_source(lua_touserdata(L, 1));
  return 0;
}

/* Close it now, not when collected: an open pipe would count as read. */
static int raise_from(lua_State *L, Source *s, const mt_Error *err) {
  close_source(s);
  return mt_lua_raise(L, err);
}

static Source *push_source(lua_State *L, const char *path) {
  Source *s = mt_lua_new_owned(L, sizeof *s, 0, "mettle.source", source_gc);
  *s = (Source){.fd = -1, .path = path};
  return s;
}

/* Read 'n' bytes from offset 'at'; Ctrl-C interrupts it. */
static mt_Status read_bytes(const Source *s, size_t at, void *to, size_t n,
                            mt_Error *err) {
  for (size_t done = 0; done < n;) {
    size_t piece = n - done < READ_PIECE ? n - done : READ_PIECE;
    ssize_t got = pread(s->fd, (char *)to + done, piece, (off_t)(at + done));
    if (got < 0 && errno != EINTR)
      return mt_error(err, MT_FAIL, "%s: %s", s->path, strerror(errno));
    if (got == 0)
      return mt_error(err, MT_FAIL, "%s: it became shorter while it was read",
                      s->path);
    if (got > 0) done += (size_t)got;
    if (mt_cancelled())
      return mt_error(err, MT_CANCELLED, "%s: interrupted", s->path);
  }
  return MT_OK;
}

/* The dict must lie inside the file; the copy is ended by a zero byte. */
static mt_Status read_header(const Source *s, Header *h, mt_Error *err) {
  const char *path = s->path;
  unsigned char u[12];
  char dict[4096];
  memset(h, 0, sizeof *h);
  if (s->size < 12) return mt_error(err, MT_FAIL, "%s: not a .npy file", path);
  mt_Status status = read_bytes(s, 0, u, sizeof u, err);
  if (status != MT_OK) return status;
  if (memcmp(u, MAGIC, 6) != 0)
    return mt_error(err, MT_FAIL, "%s: not a .npy file", path);
  size_t length = u[8] | (size_t)u[9] << 8, start = 10;
  if (u[6] >= 2)
    length |= (size_t)u[10] << 16 | (size_t)u[11] << 24, start = 12;
  if (length >= sizeof dict || start + length > s->size)
    return mt_error(err, MT_FAIL, "%s: its header is damaged", path);
  status = read_bytes(s, start, dict, length, err);
  if (status != MT_OK) return status;
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

/* The number of elements by the header, checked against the file's size. */
static mt_Status count_elements(const Source *s, const Header *h, size_t *out,
                                mt_Error *err) {
  size_t n = 1, room = (s->size - h->data) / h->size;
  for (unsigned i = 0; i < h->dims; i++) {
    if (h->shape[i] == 0)
      return mt_error(err, MT_FAIL, "%s: it holds no elements", s->path);
    if (n > room / h->shape[i]) n = room + 1;
    else n *= h->shape[i];
  }
  if (n > room)
    return mt_error(err, MT_FAIL, "%s: it is shorter than its shape says",
                    s->path);
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

/* The place, in a file with columns first, of element i counted rows first. */
static size_t column_place(const Header *h, size_t i) {
  size_t place = 0, stride[MAX_DIMS], s = 1;
  for (unsigned d = 0; d < h->dims; d++) stride[d] = s, s *= h->shape[d];
  for (unsigned d = h->dims; d-- > 0; i /= h->shape[d])
    place += i % h->shape[d] * stride[d];
  return place;
}

/* Read elements that must be converted, in the order of the file, piece by
** piece. */
static mt_Status read_changed(const Source *s, const Header *h, size_t n,
                              char *to, size_t size, mt_Error *err) {
  char piece[PIECE];
  size_t most = sizeof piece / h->size;
  for (size_t i = 0; i < n; i += most) {
    size_t m = n - i < most ? n - i : most;
    mt_Status status =
        read_bytes(s, h->data + i * h->size, piece, m * h->size, err);
    if (status != MT_OK) return status;
    for (size_t k = 0; k < m; k++)
      read_element(piece + k * h->size, h, to + (i + k) * size);
  }
  return MT_OK;
}

/* Columns first: read the whole file, then move each element to its place. */
static mt_Status read_columns(const Source *s, const Header *h, size_t n,
                              char *to, size_t size, mt_Error *err) {
  char *all = malloc(n * h->size);
  if (all == NULL)
    return mt_error(err, MT_FAIL, "%s: not enough memory to read it", s->path);
  mt_Status status = read_bytes(s, h->data, all, n * h->size, err);
  for (size_t i = 0; i < n && status == MT_OK; i++) {
    read_element(all + column_place(h, i) * h->size, h, to + i * size);
    if (i % 65536 == 0 && mt_cancelled())
      status = mt_error(err, MT_CANCELLED, "%s: interrupted", s->path);
  }
  free(all);
  return status;
}

static mt_Status read_elements(const Source *s, const Header *h, size_t n,
                               char *to, size_t size, mt_Error *err) {
  if (h->columns_first && h->dims > 1)
    return read_columns(s, h, n, to, size, err);
  if (h->swapped || h->is_double) return read_changed(s, h, n, to, size, err);
  return read_bytes(s, h->data, to, n * h->size, err);
}

/* Several arrays may have been saved into one file. */
static void tell_left_over(const Source *s, const Header *h, size_t n) {
  size_t rest = s->size - h->data - n * h->size;
  mt_Error text;
  if (rest == 0) return;
  mt_error(&text, MT_OK,
           "%s: %zu bytes after the end of its array are not read", s->path,
           rest);
  mt_warning(text.text);
}

/* gpu.load(path) -> buffer; of a picture a texture */
int mt_gpu_load(lua_State *L) {
  if (lua_istable(L, 1) || !lua_isnoneornil(L, 2) || named_picture(L, 1) ||
      (!named(L, 1, ".npy") && mt_picture_is(mt_lua_check_text(L, 1))))
    return mt_lua_call_late(L, "load_picture");
  Source *s = push_source(L, mt_lua_check_text(L, 1));
  Header h;
  mt_Error err;
  size_t n = 0, shape[3] = {1, 1, 1};
  if (open_source(s, &err) != MT_OK || read_header(s, &h, &err) != MT_OK ||
      count_elements(s, &h, &n, &err) != MT_OK)
    return raise_from(L, s, &err);
  /* more than three dimensions: the leading ones become one */
  unsigned dims = h.dims < 3 ? h.dims : 3, extra = h.dims - dims;
  for (unsigned i = 0; i < h.dims; i++)
    shape[i < extra ? 0 : i - extra] *= h.shape[i];
  const mt_Type *type = mt_type_named(mt_scalar_name(h.scalar));
  mt_LuaBuffer *b = mt_lua_push_buffer(L, type, dims, shape, &err);
  if (b == NULL) return raise_from(L, s, &err);
  if (read_elements(s, &h, n, mt_lua_buffer_data(L, b, MT_READ_WRITE),
                    type->size, &err) != MT_OK)
    return raise_from(L, s, &err);
  close_source(s);
  tell_left_over(s, &h, n);
  return 1;
}
