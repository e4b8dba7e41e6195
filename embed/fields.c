/*
** fields.c - where the fields of a kernel's structs lie.
**
** A path such as "list[2].at[1]" is followed from the parameter's type, adding
** up offsets. Fields of an unnamed union are its struct's, as in the source.
*/
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "embed/embed.h"

typedef struct Place {
  mt_Type type; /* a copy: columns and components have no mt_Type */
  size_t offset;
} Place;

static bool has_fields(const mt_Type *t) {
  return t->kind == MT_TYPE_STRUCT || t->kind == MT_TYPE_UNION;
}

/* -------------------------------------------------------------- one step */

/* The field 'name' of 'length' characters. */
static bool by_name(Place *p, const char *name, size_t length) {
  for (unsigned i = 0; i < p->type.field_count; i++) {
    const mt_Field *f = &p->type.fields[i];
    Place inner = {*f->type, p->offset + f->offset};
    bool found = f->name[0] ? strlen(f->name) == length &&
                                  memcmp(f->name, name, length) == 0
                            : by_name(&inner, name, length);
    if (!found) continue;
    *p = inner;
    return true;
  }
  return false;
}

/* Element, column or component 'i'. */
static bool by_index(Place *p, size_t i) {
  mt_Type *t = &p->type;
  bool vector = t->kind == MT_TYPE_VECTOR || t->kind == MT_TYPE_PACKED;
  size_t count = t->kind == MT_TYPE_ARRAY    ? t->count
                 : t->kind == MT_TYPE_MATRIX ? t->columns
                 : vector                    ? t->rows
                                             : 0;
  if (i >= count) return false;
  if (t->kind == MT_TYPE_ARRAY) *t = *t->element;
  else if (vector) *t = *mt_type_named(mt_scalar_name(t->scalar));
  else
    *t = (mt_Type){.kind = MT_TYPE_VECTOR, .name = "column",
                   .size = t->size / t->columns, .align = t->align,
                   .scalar = t->scalar, .rows = t->rows, .columns = 1};
  p->offset += i * t->size;
  return true;
}

/* ------------------------------------------------------------- the path */

/* Follow 'path'; NULL, or where it cannot go on. */
static const char *follow(Place *p, const char *path) {
  const char *at = path;
  while (*at) {
    const char *from = at;
    if (*at == '[') {
      char *end;
      unsigned long long i = strtoull(at + 1, &end, 10);
      if (!isdigit((unsigned char)at[1]) || *end != ']' || !by_index(p, i))
        return from;
      at = end + 1;
      continue;
    }
    if (at != path && *at++ != '.') return from;
    size_t n = strcspn(at, ".[");
    if (!n || !by_name(p, at, n)) return from;
    at += n;
  }
  return NULL;
}

static bool start(const mettle_Kernel *k, unsigned param, Place *out) {
  const mt_KernelInfo *info = mt_kernel_info(k->kernel);
  if (param >= k->param_count) return false;
  const mt_Type *t = info->params[k->params[param]].type;
  if (t) *out = (Place){*t, 0};
  return t != NULL;
}

mettle_Status mettle_kernel_field(const mettle_Kernel *k, unsigned param,
                                  const char *path, mettle_Field *out,
                                  mettle_Error *err) {
  Place p;
  *out = (mettle_Field){0};
  MT_NEED(k && path, "kernel or path");
  const char *name = mt_kernel_info(k->kernel)->name;
  if (!start(k, param, &p))
    return mt_embed_refuse(err, "%s has no parameter %u of a known type", name,
                           param);
  const char *type = p.type.name, *rest = follow(&p, path);
  if (rest)
    return mt_embed_refuse(err, "%s: %s has no '%s': nothing is at '%s'", name,
                           type, path, rest);
  out->type = p.type.name;
  out->offset = p.offset;
  out->size = p.type.size;
  if (p.type.kind <= MT_TYPE_ATOMIC) {
    out->scalar = mt_scalar_name(p.type.scalar);
    out->components = p.type.rows ? p.type.rows : 1;
    out->columns = p.type.columns ? p.type.columns : 1;
  }
  out->count = p.type.kind == MT_TYPE_ARRAY ? p.type.count : 0;
  out->has_fields = has_fields(&p.type);
  return METTLE_OK;
}

/* The name of field '*number' of 't'; counts it down past others. */
static const char *name_at(const mt_Type *t, unsigned *number) {
  for (unsigned i = 0; has_fields(t) && i < t->field_count; i++) {
    const mt_Field *f = &t->fields[i];
    if (f->name[0] && (*number)-- == 0) return f->name;
    const char *inner = f->name[0] ? NULL : name_at(f->type, number);
    if (inner) return inner;
  }
  return NULL;
}

const char *mettle_kernel_field_name(const mettle_Kernel *k, unsigned param,
                                     const char *path, unsigned number) {
  Place p;
  if (!k || !path || !start(k, param, &p) || follow(&p, path)) return NULL;
  return name_at(&p.type, &number);
}
