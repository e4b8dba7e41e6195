/*
** type_text.c - types as text, see type_text.h.
**
** A letter says the kind, words end with a semicolon:
**
**   n float4;                        a scalar or vector of MSL, by its name
**   A uint;                          an atomic one
**   m float4x3; float; 4; 3; 64; 16; a matrix: scalar, columns, rows, size,
**                                    alignment
**   a 8; TYPE                        an array of 8
**   s P; 32; 16; 2; at; 0; TYPE …    a struct: size, align, fields
**   p float *;  t texture2d<float>; 8;  S; 8;  o name; 4;   pointer, texture,
**                                    sampler, anything else with its size
*/
#include "base/kernel_types/type_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 32 };

/* ------------------------------------------------------------------ writing */

static void put(mt_Str *out, const mt_Type *t, unsigned depth);

static void put_struct(mt_Str *out, const mt_Type *t, unsigned depth) {
  mt_str_addf(out, "%c%s;%zu;%zu;%u;", t->kind == MT_TYPE_UNION ? 'u' : 's',
              t->name, t->size, t->align, t->field_count);
  for (unsigned i = 0; i < t->field_count; i++) {
    mt_str_addf(out, "%s;%zu;", t->fields[i].name, t->fields[i].offset);
    put(out, t->fields[i].type, depth + 1);
  }
}

static void put(mt_Str *out, const mt_Type *t, unsigned depth) {
  if (depth > DEPTH) {
    mt_str_addf(out, "o%s;%zu;", t->name, t->size);
    return;
  }
  switch (t->kind) {
    case MT_TYPE_SCALAR:
    case MT_TYPE_VECTOR:
    case MT_TYPE_PACKED: mt_str_addf(out, "n%s;", t->name); break;
    case MT_TYPE_ATOMIC:
      mt_str_addf(out, "A%s;", mt_scalar_name(t->scalar));
      break;
    case MT_TYPE_MATRIX:
      mt_str_addf(out, "m%s;%s;%u;%u;%zu;%zu;", t->name,
                  mt_scalar_name(t->scalar), t->columns, t->rows, t->size,
                  t->align);
      break;
    case MT_TYPE_ARRAY:
      mt_str_addf(out, "a%zu;", t->count);
      put(out, t->element, depth + 1);
      break;
    case MT_TYPE_STRUCT:
    case MT_TYPE_UNION: put_struct(out, t, depth); break;
    case MT_TYPE_POINTER: mt_str_addf(out, "p%s;", t->name); break;
    case MT_TYPE_TEXTURE:
      mt_str_addf(out, "t%s;%zu;", t->name, t->size);
      break;
    case MT_TYPE_SAMPLER: mt_str_addf(out, "S%zu;", t->size); break;
    case MT_TYPE_OTHER:
      mt_str_addf(out, "o%s;%zu;", t->name, t->size);
      break;
  }
}

void mt_type_write(mt_Str *out, const mt_Type *type) { put(out, type, 0); }

/* ------------------------------------------------------------------ reading */

typedef struct mt_TypePiece {
  struct mt_TypePiece *next;
  _Alignas(16) char bytes[];
} Piece;

typedef struct Reader {
  mt_TypeStore *store;
  const char *at;
  bool failed;
} Reader;

static void *room(Reader *r, size_t size) {
  Piece *p = calloc(1, sizeof *p + size + 1);
  if (!p) {
    r->failed = true;
    return NULL;
  }
  p->next = r->store->first;
  r->store->first = p;
  return p->bytes;
}

static const char *word(Reader *r) {
  size_t n = strcspn(r->at, ";");
  if (r->at[n] != ';') r->failed = true;
  char *text = r->failed ? NULL : room(r, n);
  if (!text) return "";
  memcpy(text, r->at, n);
  r->at += n + 1;
  return text;
}

static size_t number(Reader *r) {
  char *end;
  size_t n = strtoul(r->at, &end, 10);
  if (*end != ';' || end == r->at) r->failed = true;
  else r->at = end + 1;
  return n;
}

static const mt_Type *get(Reader *r, unsigned depth);

static void get_struct(Reader *r, mt_Type *t, unsigned depth) {
  t->name = word(r);
  t->size = number(r), t->align = number(r);
  t->field_count = (unsigned)number(r);
  if (r->failed || t->field_count > 4096) {
    r->failed = true;
    return;
  }
  mt_Field *fields = room(r, t->field_count * sizeof *fields);
  for (unsigned i = 0; fields && i < t->field_count && !r->failed; i++) {
    fields[i].name = word(r);
    fields[i].offset = number(r);
    fields[i].type = get(r, depth + 1);
  }
  t->fields = fields;
}

static void get_matrix(Reader *r, mt_Type *t) {
  t->kind = MT_TYPE_MATRIX;
  t->name = word(r);
  const char *scalar = word(r);
  t->scalar = mt_scalar_named(scalar, strlen(scalar));
  t->columns = (unsigned)number(r), t->rows = (unsigned)number(r);
  t->size = number(r), t->align = number(r);
}

static void get_array(Reader *r, mt_Type *t, unsigned depth) {
  t->kind = MT_TYPE_ARRAY;
  t->count = number(r);
  t->element = get(r, depth + 1);
  if (!t->element) return;
  t->size = t->count * t->element->size;
  t->align = t->element->align;
  t->scalar = t->element->scalar;
  size_t length = strlen(t->element->name) + 24;
  char *name = room(r, length);
  if (!name) return;
  snprintf(name, length, "%s[%zu]", t->element->name, t->count);
  t->name = name;
}

static const mt_Type *get_named(Reader *r, bool atomic) {
  const char *name = word(r);
  const mt_Type *known = mt_type_named(name);
  if (!known) r->failed = true;
  if (!known || !atomic) return known;
  mt_Type *t = room(r, sizeof *t);
  size_t length = strlen(name) + sizeof "atomic_";
  char *text = room(r, length);
  if (!t || !text) return NULL;
  *t = *known;
  t->kind = MT_TYPE_ATOMIC;
  snprintf(text, length, "atomic_%s", name);
  t->name = text;
  return t;
}

static const mt_Type *get(Reader *r, unsigned depth) {
  char kind = *r->at;
  if (depth > DEPTH + 1 || !kind) r->failed = true;
  if (r->failed) return NULL;
  r->at++;
  if (kind == 'n' || kind == 'A') return get_named(r, kind == 'A');
  mt_Type *t = room(r, sizeof *t);
  if (!t) return NULL;
  t->rows = t->columns = 1;
  switch (kind) {
    case 'm': get_matrix(r, t); break;
    case 'a': get_array(r, t, depth); break;
    case 's':
    case 'u':
      t->kind = kind == 'u' ? MT_TYPE_UNION : MT_TYPE_STRUCT;
      get_struct(r, t, depth);
      break;
    case 'p':
      t->kind = MT_TYPE_POINTER, t->name = word(r), t->size = t->align = 8;
      break;
    case 't':
      t->kind = MT_TYPE_TEXTURE, t->name = word(r), t->size = number(r);
      break;
    case 'S':
      t->kind = MT_TYPE_SAMPLER, t->name = "sampler", t->size = number(r);
      break;
    case 'o':
      t->kind = MT_TYPE_OTHER, t->name = word(r), t->size = number(r);
      break;
    default: r->failed = true;
  }
  return r->failed ? NULL : t;
}

const mt_Type *mt_type_read(mt_TypeStore *store, const char *text) {
  Reader r = {store, text, false};
  const mt_Type *t = get(&r, 0);
  return r.failed || *r.at ? NULL : t;
}

void mt_type_store_free(mt_TypeStore *store) {
  while (store->first) {
    Piece *next = store->first->next;
    free(store->first);
    store->first = next;
  }
}
