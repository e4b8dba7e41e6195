/*
** compile_job.c - a compile job as bytes, see compile_job.h.
**
** The one idea: types point to each other, in cycles too, so they are sent as
** numbers. Everything else is serialised in the order of the struct
** (base/serialise.h). Unpacked strings and bitcode point into the bytes.
*/
#include "devices/compiler/service/compile_job.h"

#include <stdlib.h>
#include <string.h>

#include "base/serialise.h"

/* ------------------------------------------------------------------ packing */

typedef struct Types {
  const mt_Type **list;
  size_t count, room, fields; /* of all types */
  bool failed;
} Types;

/* The number of 'type', from 1; NULL is 0. */
static size_t number_of(Types *t, const mt_Type *type) {
  if (!type) return 0;
  for (size_t i = 0; i < t->count; i++)
    if (t->list[i] == type) return i + 1;
  if (t->count == t->room) {
    size_t more = t->room ? 2 * t->room : 16;
    const mt_Type **grown = realloc(t->list, more * sizeof *grown);
    if (!grown) return t->failed = true, 0;
    t->list = grown, t->room = more;
  }
  t->list[t->count++] = type;
  t->fields += type->field_count;
  return t->count;
}

/* Number the types transitively: those that a type refers to are appended to
** the list and visited in turn. */
static void number_all(Types *t, const mt_CompileJob *p) {
  for (unsigned i = 0; i < p->msl->param_count; i++)
    number_of(t, p->msl->params[i].type);
  for (size_t i = 0; i < p->constant_count; i++)
    number_of(t, p->constants[i].type);
  for (size_t i = 0; i < t->count; i++) {
    const mt_Type *type = t->list[i];
    number_of(t, type->element);
    for (unsigned f = 0; f < type->field_count; f++)
      number_of(t, type->fields[f].type);
  }
}

static void put_number(mt_Str *out, Types *t, const mt_Type *type) {
  size_t n = number_of(t, type);
  mt_pack_bytes(out, &n, sizeof n);
}

static void put_types(mt_Str *out, Types *t) {
  mt_pack_bytes(out, &t->fields, sizeof t->fields);
  mt_pack_bytes(out, &t->count, sizeof t->count);
  for (size_t i = 0; i < t->count; i++) {
    const mt_Type *type = t->list[i];
    mt_pack_bytes(out, type, sizeof *type);
    mt_pack_text(out, type->name);
    put_number(out, t, type->element);
    for (unsigned f = 0; f < type->field_count; f++) {
      mt_pack_bytes(out, &type->fields[f], sizeof type->fields[f]);
      mt_pack_text(out, type->fields[f].name);
      put_number(out, t, type->fields[f].type);
    }
  }
}

static void put_kernel(mt_Str *out, Types *t, const mt_MslKernel *k) {
  mt_pack_bytes(out, k, sizeof *k);
  mt_pack_text(out, k->name);
  mt_pack_text(out, k->function);
  mt_pack_text(out, k->file);
  mt_pack_text(out, k->missing);
  mt_pack_list(out, k->params, k->param_count, sizeof *k->params);
  for (unsigned i = 0; i < k->param_count; i++) {
    mt_pack_text(out, k->params[i].name);
    mt_pack_text(out, k->params[i].builtin);
    put_number(out, t, k->params[i].type);
  }
}

static void put_constants(mt_Str *out, Types *t, const mt_CompileJob *p) {
  mt_pack_list(out, p->constants, p->constant_count, sizeof *p->constants);
  for (size_t i = 0; i < p->constant_count; i++) {
    mt_pack_text(out, p->constants[i].name);
    put_number(out, t, p->constants[i].type);
  }
  mt_pack_list(out, p->values, p->value_count, sizeof *p->values);
  for (size_t i = 0; i < p->value_count; i++)
    mt_pack_list(out, p->values[i].bytes, p->values[i].size, 1);
}

void mt_compile_job_pack(const mt_CompileJob *p, mt_Str *out) {
  Types types = {0};
  number_all(&types, p);
  put_types(out, &types);
  put_kernel(out, &types, p->msl);
  put_constants(out, &types, p);
  mt_pack_list(out, p->bitcode, p->size, 1);
  mt_pack_text(out, p->source);
  mt_pack_text(out, p->file);
  out->failed |= types.failed;
  free(types.list);
}

/* ---------------------------------------------------------------- unpacking */

struct mt_CompileJobCopy {
  mt_MslKernel kernel;
  mt_Type *types;
  size_t type_count;
  mt_Field *fields;
  mt_Param *params;
  mt_Constant *constants;
  mt_ConstantValue *values;
};

static const mt_Type *get_type(mt_Unpacker *p, const mt_CompileJobCopy *c) {
  size_t n = 0;
  mt_unpack_into(p, &n, sizeof n);
  if (n > c->type_count) p->failed = true;
  return n && !p->failed ? &c->types[n - 1] : NULL;
}

static void get_types(mt_Unpacker *p, mt_CompileJobCopy *c) {
  size_t fields = mt_unpack_count(p, sizeof *c->fields), used = 0;
  c->type_count = mt_unpack_count(p, sizeof *c->types);
  c->types = calloc(c->type_count + 1, sizeof *c->types);
  c->fields = calloc(fields + 1, sizeof *c->fields);
  p->failed |= !c->types || !c->fields;
  for (size_t i = 0; i < c->type_count && !p->failed; i++) {
    mt_Type *t = &c->types[i];
    mt_unpack_into(p, t, sizeof *t);
    t->name = mt_unpack_text(p);
    t->element = get_type(p, c);
    t->fields = t->field_count ? c->fields + used : NULL;
    for (unsigned f = 0; f < t->field_count && !p->failed; f++, used++) {
      mt_Field *field = &c->fields[used < fields ? used : fields];
      p->failed |= used >= fields;
      mt_unpack_into(p, field, sizeof *field);
      field->name = mt_unpack_text(p);
      field->type = get_type(p, c);
    }
  }
}

static void get_kernel(mt_Unpacker *p, mt_CompileJobCopy *c) {
  mt_MslKernel *k = &c->kernel;
  size_t n;
  mt_unpack_into(p, k, sizeof *k);
  k->name = mt_unpack_text(p);
  k->function = mt_unpack_text(p);
  k->file = mt_unpack_text(p);
  k->missing = mt_unpack_text(p);
  k->params = c->params = mt_unpack_list(p, &n, sizeof *c->params);
  p->failed |= n != k->param_count;
  for (size_t i = 0; i < n; i++) {
    c->params[i].name = mt_unpack_text(p);
    c->params[i].builtin = mt_unpack_text(p);
    c->params[i].type = get_type(p, c);
  }
}

static void get_constants(mt_Unpacker *p, mt_CompileJobCopy *c,
                          mt_CompileJob *out) {
  out->constants = c->constants =
      mt_unpack_list(p, &out->constant_count, sizeof *c->constants);
  for (size_t i = 0; i < out->constant_count; i++) {
    c->constants[i].name = mt_unpack_text(p);
    c->constants[i].type = get_type(p, c);
  }
  out->values = c->values =
      mt_unpack_list(p, &out->value_count, sizeof *c->values);
  for (size_t i = 0; i < out->value_count; i++) {
    c->values[i].size = mt_unpack_count(p, 1);
    c->values[i].bytes = mt_unpack_bytes(p, c->values[i].size);
  }
}

mt_CompileJobCopy *mt_compile_job_unpack(const char *bytes, size_t size,
                                         mt_CompileJob *out) {
  mt_Unpacker p = {bytes, bytes + size, false};
  mt_CompileJobCopy *c = calloc(1, sizeof *c);
  memset(out, 0, sizeof *out);
  if (!c) return NULL;
  get_types(&p, c);
  get_kernel(&p, c);
  get_constants(&p, c, out);
  out->size = mt_unpack_count(&p, 1);
  out->bitcode = mt_unpack_bytes(&p, out->size);
  out->source = mt_unpack_text(&p);
  out->file = mt_unpack_text(&p);
  out->msl = &c->kernel;
  if (!p.failed && p.at == p.end) return c;
  mt_compile_job_free(c);
  return NULL;
}

void mt_compile_job_free(mt_CompileJobCopy *c) {
  if (!c) return;
  free(c->types);
  free(c->fields);
  free(c->params);
  free(c->constants);
  free(c->values);
  free(c);
}
