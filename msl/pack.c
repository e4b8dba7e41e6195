/*
** pack.c - kernels as bytes, and back, see pack.h.
**
** The one idea: types point to each other, in cycles too, so they are packed as
** numbers. Everything else is serialised in the order of the struct.
*/
#include "msl/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/pointer_map.h"

/* ------------------------------------------------------------------ packing */

typedef struct Types {
  mt_PointerMap numbers; /* from 1 */
  const mt_Type **list;
  size_t count, room, fields; /* of all types */
  bool failed;
} Types;

/* The number of 'type'; NULL is 0. */
static size_t number_of(Types *t, const mt_Type *type) {
  if (!type) return 0;
  uint32_t known = mt_pointer_map_get(&t->numbers, type);
  if (known != MT_POINTER_MAP_NONE) return known;
  if (t->count == t->room) {
    size_t more = t->room ? 2 * t->room : 16;
    const mt_Type **grown = realloc(t->list, more * sizeof *grown);
    if (!grown) return t->failed = true, 0;
    t->list = grown, t->room = more;
  }
  t->list[t->count++] = type;
  t->fields += type->field_count;
  t->failed |= !mt_pointer_map_set(&t->numbers, type, (uint32_t)t->count);
  return t->count;
}

/* Types that a type refers to are appended to the list and visited in turn. */
static void number_parts(Types *t) {
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
  for (unsigned i = 0; i < k->param_count; i++) {
    mt_pack_bytes(out, &k->params[i], sizeof k->params[i]);
    mt_pack_text(out, k->params[i].name);
    mt_pack_text(out, k->params[i].builtin);
    put_number(out, t, k->params[i].type);
  }
}

void mt_msl_pack(mt_Str *out, const mt_MslKernel *kernels, size_t kernel_count,
                 const mt_Constant *constants, size_t constant_count) {
  Types t = {0};
  size_t params = 0;
  for (size_t k = 0; k < kernel_count; k++) {
    params += kernels[k].param_count;
    for (unsigned i = 0; i < kernels[k].param_count; i++)
      number_of(&t, kernels[k].params[i].type);
  }
  for (size_t i = 0; i < constant_count; i++) number_of(&t, constants[i].type);
  number_parts(&t);
  put_types(out, &t);
  mt_pack_bytes(out, &params, sizeof params);
  mt_pack_bytes(out, &kernel_count, sizeof kernel_count);
  for (size_t k = 0; k < kernel_count; k++) put_kernel(out, &t, &kernels[k]);
  mt_pack_list(out, constants, constant_count, sizeof *constants);
  for (size_t i = 0; i < constant_count; i++) {
    mt_pack_text(out, constants[i].name);
    put_number(out, &t, constants[i].type);
  }
  out->failed |= t.failed;
  mt_pointer_map_free(&t.numbers);
  free(t.list);
}

/* ---------------------------------------------------------------- unpacking */

static const mt_Type *get_type(mt_Unpacker *p, const mt_MslUnpacked *u) {
  size_t n = 0;
  mt_unpack_into(p, &n, sizeof n);
  if (n > u->type_count) p->failed = true;
  return n && !p->failed ? &u->types[n - 1] : NULL;
}

static void get_types(mt_Unpacker *p, mt_MslUnpacked *u) {
  size_t fields = mt_unpack_count(p, sizeof *u->fields), used = 0;
  u->type_count = mt_unpack_count(p, sizeof *u->types);
  u->types = calloc(u->type_count + 1, sizeof *u->types);
  u->fields = calloc(fields + 1, sizeof *u->fields);
  p->failed |= !u->types || !u->fields;
  for (size_t i = 0; i < u->type_count && !p->failed; i++) {
    mt_Type *t = &u->types[i];
    mt_unpack_into(p, t, sizeof *t);
    t->name = mt_unpack_text(p);
    t->element = get_type(p, u);
    t->fields = t->field_count ? u->fields + used : NULL;
    for (unsigned f = 0; f < t->field_count && !p->failed; f++, used++) {
      mt_Field *field = &u->fields[used < fields ? used : fields];
      p->failed |= used >= fields;
      mt_unpack_into(p, field, sizeof *field);
      field->name = mt_unpack_text(p);
      field->type = get_type(p, u);
    }
  }
}

static void get_kernel(mt_Unpacker *p, mt_MslUnpacked *u, mt_MslKernel *k,
                       mt_Param *params, size_t room) {
  mt_unpack_into(p, k, sizeof *k);
  k->name = mt_unpack_text(p);
  k->function = mt_unpack_text(p);
  k->file = mt_unpack_text(p);
  k->missing = mt_unpack_text(p);
  k->params = params;
  p->failed |= k->param_count > room;
  for (size_t i = 0; i < k->param_count && !p->failed; i++) {
    mt_unpack_into(p, &params[i], sizeof params[i]);
    params[i].name = mt_unpack_text(p);
    params[i].builtin = mt_unpack_text(p);
    params[i].type = get_type(p, u);
  }
}

static void get_kernels(mt_Unpacker *p, mt_MslUnpacked *u) {
  size_t params = mt_unpack_count(p, sizeof *u->params), used = 0,
         kernels = mt_unpack_count(p, sizeof *u->kernels);
  u->params = calloc(params + 1, sizeof *u->params);
  u->kernels = calloc(kernels + 1, sizeof *u->kernels);
  p->failed |= !u->params || !u->kernels;
  for (; u->kernel_count < kernels && !p->failed; u->kernel_count++) {
    mt_MslKernel *k = &u->kernels[u->kernel_count];
    get_kernel(p, u, k, u->params + used, params - used);
    used += p->failed ? 0 : k->param_count;
  }
}

void mt_msl_unpack(mt_Unpacker *p, mt_MslUnpacked *out) {
  *out = (mt_MslUnpacked){0};
  get_types(p, out);
  get_kernels(p, out);
  out->constants =
      mt_unpack_list(p, &out->constant_count, sizeof *out->constants);
  for (size_t i = 0; i < out->constant_count && !p->failed; i++) {
    out->constants[i].name = mt_unpack_text(p);
    out->constants[i].type = get_type(p, out);
  }
}

void mt_msl_unpacked_free(mt_MslUnpacked *u) {
  free(u->kernels);
  free(u->constants);
  free(u->params);
  free(u->types);
  free(u->fields);
}
