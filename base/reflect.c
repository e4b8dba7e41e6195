/*
** reflect.c - the scalar and vector types of MSL by name.
**
** One table of scalars; the vector types are made from it once.
*/
#include "base/reflect.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  size_t size;
} scalars[] = {
    [MT_VOID] = {"void", 0},     [MT_BOOL] = {"bool", 1},
    [MT_CHAR] = {"char", 1},     [MT_UCHAR] = {"uchar", 1},
    [MT_SHORT] = {"short", 2},   [MT_USHORT] = {"ushort", 2},
    [MT_INT] = {"int", 4},       [MT_UINT] = {"uint", 4},
    [MT_LONG] = {"long", 8},     [MT_ULONG] = {"ulong", 8},
    [MT_HALF] = {"half", 2},     [MT_BFLOAT] = {"bfloat", 2},
    [MT_FLOAT] = {"float", 4},
};

static const struct {
  const char *name, *same;
} aliases[] = {
    {"int8_t", "char"},    {"uint8_t", "uchar"},   {"int16_t", "short"},
    {"uint16_t", "ushort"}, {"int32_t", "int"},    {"uint32_t", "uint"},
    {"int64_t", "long"},   {"uint64_t", "ulong"},  {"size_t", "ulong"},
    {"ptrdiff_t", "long"}, {"signed char", "char"}, {"unsigned char", "uchar"},
    {"unsigned short", "ushort"}, {"unsigned int", "uint"},
    {"unsigned", "uint"},  {"unsigned long", "ulong"},
};

#define SCALARS (MT_FLOAT + 1)
static mt_Type types[SCALARS * 7]; /* scalar, 2, 3, 4, packed 2, 3, 4 */
static char names[SCALARS * 7][20];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_type(unsigned slot, mt_Scalar s, mt_TypeKind kind, unsigned n) {
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
  for (unsigned s = MT_BOOL; s < SCALARS; s++) {
    make_type(s * 7, (mt_Scalar)s, MT_TYPE_SCALAR, 1);
    for (unsigned n = 2; n <= 4; n++) {
      make_type(s * 7 + n - 1, (mt_Scalar)s, MT_TYPE_VECTOR, n);
      make_type(s * 7 + n + 2, (mt_Scalar)s, MT_TYPE_PACKED, n);
    }
  }
}

const char *mt_scalar_name(mt_Scalar s) { return scalars[s].name; }
size_t mt_scalar_size(mt_Scalar s) { return scalars[s].size; }

const mt_Type *mt_type_named(const char *name) {
  pthread_once(&made, make_types);
  for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
    if (strcmp(name, aliases[i].name) == 0) name = aliases[i].same;
  for (size_t i = MT_BOOL * 7; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(name, types[i].name) == 0) return &types[i];
  return NULL;
}
