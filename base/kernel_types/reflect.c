/*
** reflect.c - the scalar and vector types of MSL by name; what a kernel does
** with the memory of its parameters.
**
** The table of scalars is msl/include/metal/__scalar_types; the vector types
** are made from it once.
*/
#include "base/kernel_types/reflect.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  size_t length, size;
} scalars[MT_SCALARS] = {
    [MT_VOID] = {"void", 4, 0},
#define X(with, id, name, clang, declared, storage, ...) \
  [MT_##id] = {#name, sizeof #name - 1, sizeof(storage)},
    __MT_SCALARS(X, )
#undef X
};

static const struct {
  const char *name, *same;
} aliases[] = {
#define X(name, clang, same) {#name, #same},
    __MT_SCALAR_ALIASES(X)
#undef X
#define X(with, id, name, clang, ...) {#clang, #name},
    __MT_SCALARS(X, )
#undef X
    {"signed char", "char"}, {"unsigned", "uint"},
    {"long long", "long"},   {"unsigned long long", "ulong"},
};

static mt_Type types[MT_SCALARS * 7]; /* scalar, 2, 3, 4, packed 2, 3, 4 */
static char names[MT_SCALARS * 7][20];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_type(unsigned slot, mt_Scalar s, mt_TypeKind kind,
                      unsigned n) {
  size_t unit = scalars[s].size;
  mt_Type *t = &types[slot];
  if (n == 1)
    snprintf(names[slot], sizeof names[slot], "%s", scalars[s].name);
  else
    snprintf(names[slot], sizeof names[slot], "%s%s%u",
             kind == MT_TYPE_PACKED ? "packed_" : "", scalars[s].name, n);
  t->kind = kind;
  t->name = names[slot];
  t->scalar = s;
  t->rows = n;
  t->columns = 1;
  /* a vector of three has the size of four; a packed one does not */
  t->size = unit * (kind == MT_TYPE_VECTOR && n == 3 ? 4 : n);
  t->align = kind == MT_TYPE_VECTOR ? t->size : unit;
}

static void make_types(void) {
  for (unsigned s = MT_VOID + 1; s < MT_SCALARS; s++) {
    make_type(s * 7, (mt_Scalar)s, MT_TYPE_SCALAR, 1);
    for (unsigned n = 2; n <= 4; n++) {
      make_type(s * 7 + n - 1, (mt_Scalar)s, MT_TYPE_VECTOR, n);
      make_type(s * 7 + n + 2, (mt_Scalar)s, MT_TYPE_PACKED, n);
    }
  }
}

const char *mt_scalar_name(mt_Scalar s) { return scalars[s].name; }
size_t mt_scalar_size(mt_Scalar s) { return scalars[s].size; }

static bool is_word(const char *word, const char *name, size_t length) {
  return strlen(word) == length && memcmp(word, name, length) == 0;
}

mt_Scalar mt_scalar_named(const char *name, size_t length) {
  for (int s = MT_VOID + 1; s < MT_SCALARS; s++)
    if (scalars[s].length == length &&
        memcmp(scalars[s].name, name, length) == 0)
      return (mt_Scalar)s;
  return MT_VOID;
}

mt_Scalar mt_scalar_known(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
    if (is_word(aliases[i].name, name, length))
      return mt_scalar_named(aliases[i].same, strlen(aliases[i].same));
  return mt_scalar_named(name, length);
}

const mt_Type *mt_type_named(const char *name) {
  pthread_once(&made, make_types);
  mt_Scalar scalar = mt_scalar_known(name, strlen(name));
  if (scalar) return &types[scalar * 7];
  for (size_t i = 7; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(name, types[i].name) == 0) return &types[i];
  return NULL;
}

/* ------------------------------------------------ what it reads and writes */

unsigned mt_param_uses(const mt_KernelInfo *info, unsigned i) {
  const mt_Param *p = &info->params[i];
  if (p->kind != MT_PARAM_BUFFER && p->kind != MT_PARAM_TEXTURE) return 0;
  if (!info->uses.known || i >= MT_USES_PARAMS) return (unsigned)p->access;
  unsigned found = info->uses.of[i];
  bool bounded = p->constant || p->kind == MT_PARAM_TEXTURE;
  return bounded ? found & (unsigned)p->access : found;
}

unsigned mt_link_uses(const mt_KernelInfo *info, unsigned i, size_t offset) {
  const mt_Uses *u = &info->uses;
  if (!u->known || i >= MT_USES_PARAMS) return MT_READ_WRITE;
  unsigned found = u->inside[i];
  for (unsigned k = 0; k < u->link_count; k++)
    if (u->link[k].param == i && u->link[k].offset == offset)
      found |= u->link[k].access;
  return found;
}
