/*
** answers.c - is the answer of a run in another order the same?
**
** Floats may differ by rounding, and so may integers that are the bits of
** floats; a hash table may have its elements in other slots.
*/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_types/scalar.h"
#include "base/permutation.h"
#include "devices/host/check/check.h"

static uint64_t mix(uint64_t x) { return mt_mix(x + 0x9e3779b97f4a7c15ull); }

/* ----------------------------------------------------------- bits of floats */

#define INTEGERS 255 /* in Pair.floats */

/* An element of the first answer, and the same one of this run. */
typedef struct Pair {
  const char *a, *b;
  size_t size;
  uint8_t *floats; /* by byte: a write puts the bits of such floats there;
                   ** MT_VOID or INTEGERS: none does. NULL: nowhere */
  double tolerance;
} Pair;

static bool is_write(const mt_Site *s) {
  return s->kind == MT_SITE_WRITE || s->kind == MT_SITE_ATOMIC_WRITE ||
         s->kind == MT_SITE_ATOMIC;
}

static bool may_write(mt_Check *c, const mt_Site *s, const mt_Region *r) {
  return is_write(s) && (s->root == MT_ROOT_UNKNOWN || s->root == r->root ||
                         mt_check_region(c, s->root) == r);
}

/* Where a site that may write the region writes. */
static void mark(Pair *p, const mt_Region *r, const mt_Site *s, uint8_t what) {
  bool known = s->root == r->root && s->member != MT_PLACE_UNKNOWN;
  size_t n = known && s->size < p->size ? s->size : p->size;
  for (size_t i = 0; i < n; i++) {
    uint8_t *at = &p->floats[((known ? s->member : 0) + i) % p->size];
    *at = *at == MT_VOID || *at == what ? what : INTEGERS;
  }
}

static void find_floats(mt_Check *c, const mt_Region *r, Pair *p) {
  p->floats = calloc(p->size, 1);
  for (size_t i = 1; p->floats && i < c->sites->count; i++) {
    const mt_Site *s = &c->sites->site[i];
    if (!may_write(c, s, r)) continue;
    if (s->integers) mark(p, r, s, INTEGERS);
    else if (s->floats != MT_VOID) mark(p, r, s, (uint8_t)s->floats);
  }
}

/* The floats that 'size' bytes from 'at' are, and where they begin; MT_VOID:
** none. */
static mt_Scalar floats_at(const Pair *p, size_t *at, size_t size) {
  uint8_t is = p->floats ? p->floats[*at] : MT_VOID;
  if (is == MT_VOID || is == INTEGERS) return MT_VOID;
  size_t one = mt_scalar_size((mt_Scalar)is);
  if (one > size) *at -= *at % one; /* a byte of as_type<uchar4>(x) */
  for (size_t i = 0; i < (one > size ? one : size); i++)
    if (*at + i >= p->size || p->floats[*at + i] != is) return MT_VOID;
  return (mt_Scalar)is;
}

/* --------------------------------------------------------------- comparison */

static double number_at(const char *p, mt_Scalar s) {
  double d;
  char aligned[8];
  memcpy(aligned, p, mt_scalar_size(s));
  mt_scalars_unpack(s, aligned, 1, &d);
  return d;
}

static bool alike_floats(const Pair *p, size_t at, mt_Scalar s) {
  double x = number_at(p->a + at, s), y = number_at(p->b + at, s);
  if (x == y || (isnan(x) && isnan(y))) return true;
  double big = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
  return fabs(x - y) <= p->tolerance * (big > 1 ? big : 1);
}

static bool alike_scalar(const Pair *p, size_t at, mt_Scalar s) {
  size_t size = mt_scalar_size(s), from = at;
  if (memcmp(p->a + at, p->b + at, size) == 0) return true;
  if (mt_scalar_is_float(s)) return alike_floats(p, at, s);
  mt_Scalar bits = floats_at(p, &from, size);
  if (bits == MT_VOID) return false;
  for (; from < at + size; from += mt_scalar_size(bits))
    if (!alike_floats(p, from, bits)) return false;
  return true;
}

/* A vector of 'rows', or a matrix of such columns; skips the padding of
** three. */
static bool alike_columns(const Pair *p, size_t at, const mt_Type *t) {
  size_t step = mt_scalar_size(t->scalar);
  size_t columns = t->columns ? t->columns : 1, rows = t->rows ? t->rows : 1;
  size_t column = t->size / columns;
  for (size_t c = 0; c < columns; c++)
    for (size_t r = 0; r < rows; r++)
      if (!alike_scalar(p, at + c * column + r * step, t->scalar))
        return false;
  return true;
}

static bool alike(const Pair *p, size_t at, const mt_Type *t) {
  switch (t->kind) {
    case MT_TYPE_SCALAR:
    case MT_TYPE_VECTOR:
    case MT_TYPE_PACKED:
    case MT_TYPE_MATRIX:
    case MT_TYPE_ATOMIC:
      return alike_columns(p, at, t);
    case MT_TYPE_ARRAY:
      for (size_t i = 0; i < t->count; i++)
        if (!alike(p, at + i * t->element->size, t->element)) return false;
      return true;
    case MT_TYPE_STRUCT:
      for (unsigned i = 0; i < t->field_count; i++)
        if (!alike(p, at + t->fields[i].offset, t->fields[i].type))
          return false;
      return true;
    default:
      return memcmp(p->a + at, p->b + at, t->size) == 0;
  }
}

/* The sign of a NaN means nothing: "nan", never "-nan". */
static void spell(double x, char *out, size_t size) {
  snprintf(out, size, "%.9g", isnan(x) ? fabs(x) : x);
}

/* "1.5"; of several floats in one integer "(1.5, 2)". */
static const char *spell_all(const char *p, size_t size, mt_Scalar s, char *out,
                             size_t room) {
  size_t one = mt_scalar_size(s), n = size > one ? size / one : 1, used = 0;
  for (size_t i = 0; i < n && used < room; i++) {
    char number[32];
    spell(number_at(p + i * one, s), number, sizeof number);
    used += (size_t)snprintf(out + used, room - used, "%s%s%s",
                             n == 1 ? "" : i ? ", " : "(", number,
                             n > 1 && i + 1 == n ? ")" : "");
  }
  return out;
}

/* The value of a scalar in the first run, and in this order. */
static void say_numbers(mt_Finding *f, const Pair *p, const mt_Type *t) {
  bool plain = t && (t->kind == MT_TYPE_SCALAR || t->kind == MT_TYPE_ATOMIC);
  char first[64], then[64];
  if (!plain) return;
  size_t at = 0;
  mt_Scalar s = mt_scalar_is_float(t->scalar) ? t->scalar
                                              : floats_at(p, &at, t->size);
  if (s != MT_VOID)
    snprintf(f->detail, sizeof f->detail, "%s at first, %s in this order",
             spell_all(p->a, t->size, s, first, sizeof first),
             spell_all(p->b, t->size, s, then, sizeof then));
  else if (t->size == 4)
    snprintf(f->detail, sizeof f->detail, "%d at first, %d in this order",
             *(const int *)(const void *)p->a,
             *(const int *)(const void *)p->b);
}

/* ------------------------------------------------------------------ tables */

/* Is it written by compare-and-exchange alone? Then it is a hash table, in
** which the slot of an element depends on the order. */
static bool is_table(mt_Check *c, const mt_Region *r) {
  bool taken = false;
  for (size_t i = 1; i < c->sites->count; i++) {
    const mt_Site *s = &c->sites->site[i];
    if (!may_write(c, s, r)) continue;
    if (!s->exchange) return false;
    taken = true;
  }
  return taken;
}

/* The elements of a region. */
typedef struct Items {
  const mt_Type *type; /* NULL: bytes */
  size_t first, size, count;
} Items;

static Items items_of(mt_Check *c, const mt_Region *r) {
  const mt_Root *root = r->root >= 0 ? &c->sites->root[r->root] : NULL;
  Items x = {.type = root && r->space == MT_SPACE_DEVICE ? root->type : NULL};
  if (r->link) x.type = r->link->type->element;
  x.size = x.type && x.type->size ? x.type->size : 1;
  if (x.type)
    x.first = r->link ? r->link->arg.offset : c->launch->args[r->root].offset;
  x.count = (r->size - x.first) / x.size;
  return x;
}

static uint64_t hash_of(uint64_t hash, const char *p, size_t size) {
  for (size_t k = 0; k < size; k++) hash = mix(hash ^ (unsigned char)p[k]);
  return hash;
}

/* An order-independent hash of the elements: together with the elements of
** 'beside' at the same index, and without those that equal 'start'. */
static uint64_t sum_of(const Items *x, const char *all, const char *start,
                       const Items *y, const char *beside) {
  uint64_t sum = 0;
  for (size_t i = 0; i < x->count && !mt_check_is_over(i); i++) {
    size_t at = x->first + i * x->size;
    if (start && memcmp(all + at, start + at, x->size) == 0) continue;
    uint64_t one = hash_of(0, all + at, x->size);
    sum +=
        beside ? hash_of(one, beside + y->first + i * y->size, y->size) : one;
  }
  return sum;
}

/* The same elements as in the first run, wherever they stand? */
static bool has_same_elements(mt_Check *c, const mt_Region *r, int of) {
  Items x = items_of(c, r);
  return sum_of(&x, r->answer[of], NULL, NULL, NULL) ==
         sum_of(&x, r->start, NULL, NULL, NULL);
}

/* Is it a list: are all places that are written given out by a counter? Those
** that get a constant are not counted. */
static bool is_list(mt_Check *c, const mt_Region *r) {
  bool drawn = false;
  for (size_t i = 1; i < c->sites->count; i++) {
    const mt_Site *s = &c->sites->site[i];
    if (!may_write(c, s, r) || s->constant) continue;
    if (!s->drawn) return false;
    drawn = true;
  }
  return drawn;
}

/* Names it as unordered, once. */
static void note_list(mt_Check *c, const char *name) {
  char *all = c->unordered;
  size_t used = strlen(all), length = strlen(name), room = sizeof c->unordered;
  for (char *at = strstr(all, name); at; at = strstr(at + 1, name))
    if ((at == all || at[-1] == ' ') && strchr(" ,", at[length])) return;
  if (used + length + 3 > room) return;
  snprintf(all + used, room - used, "%s%s", used ? ", " : "", name);
}

/* Is it permuted like a table, as values are with their keys? */
static bool goes_with_table(mt_Check *c, const mt_Region *r, int of) {
  Items y = items_of(c, r);
  for (size_t i = 0; i < c->regions; i++) {
    const mt_Region *t = &c->region[i];
    const char *start = t->kept ? t->kept : t->before;
    Items x = items_of(c, t);
    if (t != r && mt_is_answer(t) && start && x.count == y.count &&
        is_table(c, t) && has_same_elements(c, t, of) &&
        sum_of(&x, t->answer[of], start, &y, r->answer[of]) ==
            sum_of(&x, t->start, start, &y, r->start))
      return true;
  }
  return false;
}

void mt_check_compare(mt_Check *c, const mt_Region *r, int of,
                      uint64_t seed) {
  const mt_Root *root = r->root >= 0 ? &c->sites->root[r->root] : NULL;
  const char *name = root && root->name[0] ? root->name : NULL;
  Items x = items_of(c, r);
  mt_Finding f = {.kind = MT_FIND_SCHEDULE, .space = r->space,
                  .name = r->link ? r->link->name : name,
                  .type = x.type, .value = seed, .length = x.count,
                  .index = -1};
  if (memcmp(r->answer[of], r->start, r->size) == 0 ||
      (is_table(c, r) && has_same_elements(c, r, of)) ||
      goes_with_table(c, r, of))
    return;
  if (f.name && is_list(c, r) && has_same_elements(c, r, of)) {
    note_list(c, f.name);
    return;
  }
  Pair p = {.size = x.size, .tolerance = c->options->tolerance};
  if (x.type) find_floats(c, r, &p);
  for (size_t k = 0; k < x.count && !mt_check_is_over(k); k++) {
    size_t at = x.first + k * x.size;
    p.a = r->answer[of] + at, p.b = r->start + at;
    if (x.type ? alike(&p, 0, x.type) : *p.a == *p.b) continue;
    if (f.count++) continue;
    f.index = (int64_t)k;
    f.place = r->root >= 0 ? mt_check_first_write(c, r->root) : f.place;
    say_numbers(&f, &p, x.type);
  }
  free(p.floats);
  if (f.count) mt_finding_add_global(c, &f);
}
