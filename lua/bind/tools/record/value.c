/*
** value.c - values of a recording as text, by the types of the source.
*/
#include <stdio.h>
#include <string.h>

#include "base/kernel_types/scalar.h"
#include "lua/bind/tools/record/parts.h"

enum { PARTS = 4, DEEP = 8 };

/* ------------------------------------------------------------------ numbers */

static void write_whole(mt_Str *out, mt_Scalar s, const char *bytes) {
  uint64_t u = 0;
  size_t size = mt_scalar_size(s);
  memcpy(&u, bytes, size < 8 ? size : 8);
  bool is_signed = s == MT_CHAR || s == MT_SHORT || s == MT_INT || s == MT_LONG;
  unsigned shift = 64 - 8 * (unsigned)size;
  if (is_signed)
    mt_str_addf(out, "%lld", (long long)((int64_t)(u << shift) >> shift));
  else
    mt_str_addf(out, "%llu", (unsigned long long)u);
}

static void write_number(mt_Str *out, mt_Scalar s, const char *bytes) {
  double v;
  if (s == MT_BOOL) {
    mt_str_add(out, *bytes ? "true" : "false");
  } else if (mt_scalar_is_float(s)) {
    mt_scalars_unpack(s, bytes, 1, &v);
    mt_str_addf(out, "%.6g", v);
  } else {
    write_whole(out, s, bytes);
  }
}

static bool is_known(const char *known, size_t n) {
  for (size_t i = 0; known && i < n; i++)
    if (!known[i]) return false;
  return true;
}

static bool is_any_known(const char *known, size_t n) {
  for (size_t i = 0; known && i < n; i++)
    if (known[i]) return true;
  return !known;
}

static void write_scalar(mt_Str *out, mt_Scalar s, const char *bytes,
                         const char *known) {
  if (is_known(known, mt_scalar_size(s))) write_number(out, s, bytes);
  else mt_str_add(out, "?");
}

/* "{1, 2, 3}" of 'n' numbers. */
static void write_row(mt_Str *out, mt_Scalar s, size_t n, const char *bytes,
                      const char *known) {
  size_t each = mt_scalar_size(s);
  mt_str_add(out, "{");
  for (size_t i = 0; i < n; i++) {
    if (i) mt_str_add(out, ", ");
    write_scalar(out, s, bytes + i * each, known ? known + i * each : NULL);
  }
  mt_str_add(out, "}");
}

/* -------------------------------------------------------------------- types */

typedef struct Writer {
  mt_Str *out;
  const mt_Recording *r;
  size_t most;
} Writer;

static void write_type(const Writer *w, const mt_Type *t, const char *bytes,
                       const char *known, unsigned depth);

static void write_matrix(const Writer *w, const mt_Type *t, const char *bytes,
                         const char *known) {
  size_t column = t->columns ? t->size / t->columns : 0;
  mt_str_add(w->out, "{");
  for (unsigned i = 0; i < t->columns; i++) {
    if (i) mt_str_add(w->out, ", ");
    write_row(w->out, t->scalar, t->rows, bytes + i * column,
              known ? known + i * column : NULL);
  }
  mt_str_add(w->out, "}");
}

static void write_array(const Writer *w, const mt_Type *t, const char *bytes,
                        const char *known, unsigned depth) {
  mt_str_add(w->out, "{");
  for (size_t i = 0; i < t->count && i < w->most; i++) {
    size_t at = i * t->element->size;
    if (i) mt_str_add(w->out, ", ");
    write_type(w, t->element, bytes + at, known ? known + at : NULL, depth + 1);
  }
  mt_str_add(w->out, t->count > w->most ? ", …}" : "}");
}

/* A lane holds two of the 64 elements of a simdgroup matrix. */
static bool is_simdgroup_matrix(const mt_Type *t) {
  return strncmp(t->name, "simdgroup_matrix", 16) == 0 && t->field_count == 1;
}

static void write_struct(const Writer *w, const mt_Type *t, const char *bytes,
                         const char *known, unsigned depth) {
  if (is_simdgroup_matrix(t)) {
    write_type(w, t->fields[0].type, bytes, known, depth + 1);
    mt_str_add(w->out, " of this lane");
    return;
  }
  mt_str_add(w->out, "{");
  for (unsigned i = 0; i < t->field_count; i++) {
    const mt_Field *f = &t->fields[i];
    mt_str_addf(w->out, "%s%s%s", i ? ", " : "", f->name,
                f->name[0] ? " = " : "");
    write_type(w, f->type, bytes + f->offset, known ? known + f->offset : NULL,
               depth + 1);
  }
  mt_str_add(w->out, "}");
}

static void write_texture(const Writer *w, const mt_Type *t,
                          const char *bytes) {
  uint64_t handle = 0;
  memcpy(&handle, bytes, t->size < 8 ? t->size : 8);
  for (size_t i = 0; i < w->r->object_count; i++)
    if (w->r->objects[i].handle == handle && handle) {
      mt_str_add(w->out, w->r->objects[i].name);
      return;
    }
  mt_str_add(w->out, t->name);
}

static void write_type(const Writer *w, const mt_Type *t, const char *bytes,
                       const char *known, unsigned depth) {
  if (depth > DEEP) {
    mt_str_add(w->out, "…");
    return;
  }
  switch (t->kind) {
    case MT_TYPE_SCALAR:
    case MT_TYPE_ATOMIC: write_scalar(w->out, t->scalar, bytes, known); break;
    case MT_TYPE_VECTOR:
    case MT_TYPE_PACKED:
      write_row(w->out, t->scalar, t->rows, bytes, known);
      break;
    case MT_TYPE_MATRIX: write_matrix(w, t, bytes, known); break;
    case MT_TYPE_ARRAY: write_array(w, t, bytes, known, depth); break;
    case MT_TYPE_STRUCT:
    case MT_TYPE_UNION: write_struct(w, t, bytes, known, depth); break;
    case MT_TYPE_TEXTURE: write_texture(w, t, bytes); break;
    case MT_TYPE_POINTER: mt_str_add(w->out, "a pointer"); break;
    case MT_TYPE_SAMPLER: mt_str_add(w->out, "a sampler"); break;
    case MT_TYPE_OTHER: mt_str_addf(w->out, "(%zu bytes)", t->size); break;
  }
}

void mt_record_write_value(mt_Str *out, const mt_Recording *r,
                           const mt_Type *type, const char *bytes,
                           const char *known, size_t most) {
  Writer w = {out, r, most};
  write_type(&w, type, bytes, known, 0);
}

/* ------------------------------------------- what has no type of the source */

/* By the name of the site's type: "f32", "s16". */
static mt_Scalar scalar_named(const char *name) {
  static const struct {
    const char *name;
    mt_Scalar scalar;
  } known[] = {{"f32", MT_FLOAT}, {"f16", MT_HALF},   {"bf16", MT_BFLOAT},
               {"s8", MT_CHAR},   {"s16", MT_SHORT},  {"s32", MT_INT},
               {"s64", MT_LONG},  {"u8", MT_UCHAR},   {"u16", MT_USHORT},
               {"u32", MT_UINT},  {"u64", MT_ULONG}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i].name)) return known[i].scalar;
  return MT_VOID;
}

/* "{1, 2, 3, 4, …}", or the bytes of what has no type. */
static void write_plain(mt_Str *out, mt_Scalar s, const char *bytes,
                        size_t size) {
  size_t each = s == MT_VOID ? 1 : mt_scalar_size(s), n = size / each;
  if (s == MT_VOID && size > 8) {
    mt_str_addf(out, "(%zu bytes)", size);
    return;
  }
  if (n > 1) mt_str_add(out, "{");
  for (size_t i = 0; i < n && i < PARTS; i++) {
    if (i) mt_str_add(out, ", ");
    if (s == MT_VOID) mt_str_addf(out, "0x%02x", (unsigned char)bytes[i]);
    else write_number(out, s, bytes + i * each);
  }
  if (n > PARTS) mt_str_add(out, ", …");
  if (n > 1) mt_str_add(out, "}");
}

/* A texture's pixels are bytes, words or floats of their format. */
static mt_Scalar scalar_of_pixel(const mt_RecordObject *o, uint32_t size) {
  const char *c = mt_pixel(o->format)->component;
  mt_Scalar s = mt_scalar_named(c, strlen(c));
  if (s == MT_VOID) s = MT_FLOAT;
  return size % mt_scalar_size(s) ? MT_VOID : s;
}

/* ------------------------------------------------------------------- parts */

/* The part of 't' at byte '*at' that has 'size' bytes or is a vector of about
** as many; '*at' becomes the rest. NULL: none. */
static const mt_Type *part_at(const mt_Type *t, size_t *at, size_t size,
                              mt_Str *name) {
  for (int depth = 0; t && t->size && depth < DEEP; depth++) {
    bool whole = *at == 0 && (size == t->size ||
                              (t->kind == MT_TYPE_VECTOR && size < t->size &&
                               size > t->size / 2));
    if (whole && t->kind != MT_TYPE_STRUCT && t->kind != MT_TYPE_ARRAY)
      return t;
    if (whole && size == t->size && t->kind == MT_TYPE_ARRAY) return t;
    if (whole && size == t->size &&
        (t->field_count != 1 || is_simdgroup_matrix(t)))
      return t;
    if (t->kind == MT_TYPE_ARRAY) {
      if (name) mt_str_addf(name, "[%zu]", *at / t->element->size);
      *at %= t->element->size;
      t = t->element;
    } else if (t->kind == MT_TYPE_STRUCT && !is_simdgroup_matrix(t)) {
      const mt_Field *f = NULL;
      for (unsigned i = t->field_count; i-- > 0 && !f;)
        if (t->fields[i].offset <= *at) f = &t->fields[i];
      if (!f) return NULL;
      if (name) mt_str_addf(name, ".%s", f->name);
      *at -= f->offset;
      t = f->type;
    } else {
      return t;
    }
  }
  return NULL;
}

/* The bytes of one access of the part 't', at byte 'at' of it. */
static void write_part(mt_Str *out, const mt_Recording *r, const mt_Type *t,
                       size_t at, const char *bytes, size_t size) {
  size_t each = t->kind <= MT_TYPE_ATOMIC ? mt_scalar_size(t->scalar) : 0;
  if (at == 0 && size == t->size) {
    mt_record_write_value(out, r, t, bytes, NULL, PARTS);
  } else if (each && size % each == 0 && size / each == 1) {
    write_number(out, t->scalar, bytes);
  } else if (each && size % each == 0) {
    write_row(out, t->scalar, size / each, bytes, NULL);
  } else {
    write_plain(out, MT_VOID, bytes, size);
  }
}

/* What of the part 't' has 'size' bytes from 'at' on: "[1][0]" of a matrix,
** ".x", ".yz" of a vector. */
static void write_component(mt_Str *out, const mt_Type *t, size_t at,
                            size_t size) {
  size_t each = t->kind <= MT_TYPE_ATOMIC ? mt_scalar_size(t->scalar) : 0;
  if (!each || size >= t->size) return;
  if (t->kind == MT_TYPE_MATRIX && t->columns) {
    size_t column = t->size / t->columns;
    mt_str_addf(out, "[%zu]", at / column);
    if (size == each) mt_str_addf(out, "[%zu]", at % column / each);
    return;
  }
  size_t first = at / each, n = size / each;
  if (n >= t->rows || first + n > 4) return;
  mt_str_addf(out, ".%.*s", (int)n, &"xyzw"[first]);
}

/* ------------------------------------------------------------------- places */

/* "[2][5]": element 'i' of an array with inner dimensions 'rows'. */
static void write_index(mt_Str *out, const uint32_t rows[2], int64_t i) {
  int64_t inner = rows[1] ? (int64_t)rows[0] * rows[1] : rows[0];
  if (i < 0 || !inner) {
    mt_str_addf(out, "[%lld]", (long long)i);
    return;
  }
  mt_str_addf(out, "[%lld]", (long long)(i / inner));
  if (rows[1])
    mt_str_addf(out, "[%lld]", (long long)(i % inner / rows[1]));
  mt_str_addf(out, "[%lld]", (long long)(i % (rows[1] ? rows[1] : rows[0])));
}

static void write_pixel(mt_Str *out, const mt_RecordObject *o,
                        uint64_t offset) {
  uint64_t rest = offset % o->slice_bytes;
  mt_str_addf(out, "%s(%llu, %llu", o->name,
              (unsigned long long)(rest % o->row_bytes / o->element),
              (unsigned long long)(rest / o->row_bytes));
  if (o->extent[2] > 1)
    mt_str_addf(out, ", %llu", (unsigned long long)(offset / o->slice_bytes));
  mt_str_add(out, ")");
}

/* "x[3]", "tile[2][5]", "h[5].id"; 'size' bytes are meant, 0: the element. */
static void write_where(mt_Str *out, const mt_RecordObject *o, int64_t offset,
                        size_t size) {
  int64_t element = o->element ? o->element : 1;
  if (o->space == MT_SPACE_TEXTURE && offset >= 0 && o->slice_bytes) {
    write_pixel(out, o, (uint64_t)offset);
    return;
  }
  int64_t i = offset / element - (offset % element < 0);
  mt_str_add(out, o->name);
  write_index(out, o->rows, i);
  const mt_Type *t = o->type;
  if (!t || t->size != o->element || offset < 0) return;
  size_t at = (size_t)(offset % element);
  if ((!size && !at) || at + size > t->size || (!at && size == t->size))
    return;
  t = part_at(t, &at, size, out);
  if (t && size) write_component(out, t, at, size);
}

void mt_record_write_where(mt_Str *out, const mt_Recording *r,
                           const mt_Event *e) {
  unsigned object = mt_event_object(e);
  if (object >= r->object_count) return;
  write_where(out, &r->objects[object], mt_event_offset(e),
              r->sites[e->site].size);
}

/* ------------------------------------------------------------------- events */

static void write_place(mt_Str *out, const mt_Recording *r, uint64_t where,
                        const char *private) {
  mt_Event to = {.where = where};
  unsigned object = mt_event_object(&to);
  if (object >= r->object_count) {
    if (private[0]) mt_str_addf(out, "&%s", private);
    else mt_str_add(out, "private memory");
    return;
  }
  mt_str_add(out, "&");
  write_where(out, &r->objects[object], mt_event_offset(&to), 0);
}

/* An access: as its object's type says, unless the pointer was cast. */
static void write_access(mt_Str *out, const mt_Recording *r, const mt_Event *e,
                         const char *bytes) {
  const mt_RecordSite *s = &r->sites[e->site];
  unsigned object = mt_event_object(e);
  const mt_RecordObject *o = object < r->object_count ? &r->objects[object]
                                                      : NULL;
  if (o && o->space == MT_SPACE_TEXTURE) {
    write_plain(out, scalar_of_pixel(o, s->size), bytes, s->size);
    return;
  }
  const mt_Type *t = o ? o->type : NULL;
  int64_t offset = mt_event_offset(e);
  if (t && t->size && offset >= 0) {
    size_t at = (size_t)offset % t->size;
    t = part_at(t, &at, s->size, NULL);
    bool fits = t && (t->kind > MT_TYPE_ATOMIC ||
                      mt_scalar_size(t->scalar) <= s->size);
    if (fits && at + s->size <= t->size) {
      write_part(out, r, t, at, bytes, s->size);
      return;
    }
    if (fits && t->kind <= MT_TYPE_ATOMIC) {
      write_plain(out, t->scalar, bytes, s->size);
      return;
    }
  }
  write_plain(out, scalar_named(s->type), bytes, s->size);
}

static void write_assigned(mt_Str *out, const mt_Recording *r,
                           const mt_Event *e, const char *bytes) {
  const mt_RecordSite *s = &r->sites[e->site];
  unsigned n = mt_event_object(e);
  const mt_Type *t = n < r->variable_count ? r->variables[n].type : NULL;
  size_t at = (size_t)mt_event_offset(e);
  if (!strcmp(s->type, "ptr") && (!t || t->kind != MT_TYPE_TEXTURE)) {
    uint64_t where;
    memcpy(&where, bytes, sizeof where);
    write_place(out, r, where, s->name);
    return;
  }
  t = t ? part_at(t, &at, s->size, NULL) : NULL;
  if (t && at + s->size <= t->size) write_part(out, r, t, at, bytes, s->size);
  else write_plain(out, scalar_named(s->type), bytes, s->size);
}

void mt_record_write_event(mt_Str *out, const mt_Recording *r,
                           const mt_Event *e) {
  const mt_RecordSite *s = &r->sites[e->site];
  const char *bytes = mt_event_value(r, e);
  if (s->kind == MT_EVENT_VALUE) {
    write_assigned(out, r, e, bytes);
    return;
  }
  write_access(out, r, e, bytes);
  if (s->kind != MT_EVENT_ATOMIC) return;
  mt_str_add(out, " → ");
  write_access(out, r, e, bytes + s->size);
}

void mt_record_write_name(mt_Str *out, const mt_Recording *r,
                          const mt_Event *e) {
  unsigned n = mt_event_object(e);
  if (n >= r->variable_count) return;
  const mt_RecordVariable *v = &r->variables[n];
  size_t at = (size_t)mt_event_offset(e), size = r->sites[e->site].size;
  mt_str_add(out, v->name);
  if (!v->type) return;
  const mt_Type *t = part_at(v->type, &at, size, out);
  if (t) write_component(out, t, at, size);
}

/* ------------------------------------------------------ variables, elements */

void mt_record_write_variable(mt_Str *out, const mt_Recording *r,
                              unsigned variable, const char *bytes,
                              const char *known, const mt_Event *last) {
  const mt_RecordVariable *v = &r->variables[variable];
  const mt_RecordSite *s = &r->sites[last->site];
  if (!v->type || v->type->kind == MT_TYPE_POINTER || !strcmp(s->type, "ptr")) {
    mt_record_write_event(out, r, last);
    return;
  }
  mt_record_write_value(out, r, v->type, bytes, known, 8);
}

void mt_record_write_element(mt_Str *out, const mt_Recording *r,
                             const mt_RecordObject *o, const char *bytes,
                             const char *known, uint64_t index) {
  size_t at = (size_t)index * o->element;
  bytes += at, known += at;
  if (!is_any_known(known, o->element)) {
    mt_str_add(out, "·");
  } else if (o->space == MT_SPACE_TEXTURE) {
    write_plain(out, scalar_of_pixel(o, o->element), bytes, o->element);
  } else if (o->type && o->type->size == o->element) {
    mt_record_write_value(out, r, o->type, bytes, known, PARTS);
  } else {
    size_t in = o->type && o->type->size ? at % o->type->size : 0;
    const mt_Type *t = o->type ? part_at(o->type, &in, o->element, NULL) : NULL;
    if (t) write_part(out, r, t, in, bytes, o->element);
    else write_plain(out, MT_VOID, bytes, o->element);
  }
}
