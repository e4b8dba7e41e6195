/*
** schedules.c - answers that differ if threads run in another order.
**
** The one idea: a correct kernel does not depend on the order in which its
** threadgroups, SIMD-groups and threads run. So it is run again, from the same
** contents, in orders drawn from a seed, and the answers are compared.
*/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/permutation.h"
#include "base/scalar.h"
#include "devices/host/check/check.h"
#include "devices/host/run/run.h"

#define SMALL 65536   /* threads of a launch that may also run thread by
                      ** thread, */
#define SHORT 0.02    /* if vectorised it took no longer (seconds): thread by
                      ** thread takes up to a hundred times as long */

/* ------------------------------------------------------------------ orders */

static uint64_t mix(uint64_t x) { return mt_mix(x + 0x9e3779b97f4a7c15ull); }

static mt_Permutation groups_drawn;

static uint64_t shuffled(uint64_t turn) {
  return mt_permuted(&groups_drawn, turn);
}

static void draw(mt_Check *c, uint64_t seed) {
  uint64_t n = c->group_total ? c->group_total : 1;
  groups_drawn = mt_permutation(n, mix(seed + 1), mix(seed));
  c->turn = (uint32_t)mix(seed + 2) | 1;
}

/* ---------------------------------------------------------------- contents */

static bool is_answer(const mt_Region *r) {
  return r->tracked && r->space != MT_SPACE_CONSTANT;
}

mt_Status mt_check_snapshot(mt_Check *c, mt_Error *err) {
  bool again = c->options->schedules || c->parts_most > 1;
  for (size_t i = 0; again && i < c->regions; i++) {
    mt_Region *r = &c->region[i];
    if (!is_answer(r) || r->kept) continue;
    r->before = mt_shadow_pages_new(r->size);
    if (!r->before)
      return mt_error(err, MT_FAIL, "no memory for a copy of %zu MB",
                      r->size >> 20);
    if (!mt_copy(r->before, r->start, r->size))
      return mt_check_interrupted(c, err);
  }
  return MT_OK;
}

/* Keeps the current contents as the answer of vectorised code (0) or of code
** that runs thread by thread (1): these may round differently. */
static mt_Status keep_answers(mt_Check *c, int of, mt_Error *err) {
  for (size_t i = 0; i < c->regions; i++) {
    mt_Region *r = &c->region[i];
    if (!is_answer(r)) continue;
    r->answer[of] = mt_shadow_pages_new(r->size);
    if (!r->answer[of])
      return mt_error(err, MT_FAIL, "no memory for a copy of %zu MB",
                      r->size >> 20);
    if (!mt_copy(r->answer[of], r->start, r->size))
      return mt_check_interrupted(c, err);
  }
  return MT_OK;
}

void mt_check_restore(mt_Check *c, bool answers) {
  for (size_t i = 0; i < c->regions; i++) {
    mt_Region *r = &c->region[i];
    const char *before = r->kept ? r->kept : r->before;
    if (is_answer(r))
      mt_copy(r->start, answers ? r->answer[0] : before, r->size);
  }
}

/* -------------------------------------------------------------- comparison */

static double number_at(const char *p, mt_Scalar s) {
  double d;
  char aligned[8];
  memcpy(aligned, p, mt_scalar_size(s));
  mt_scalars_unpack(s, aligned, 1, &d);
  return d;
}

static bool alike_scalar(const char *a, const char *b, mt_Scalar s,
                         double tolerance) {
  if (memcmp(a, b, mt_scalar_size(s)) == 0) return true;
  if (!mt_scalar_is_float(s)) return false;
  double x = number_at(a, s), y = number_at(b, s);
  if (x == y || (isnan(x) && isnan(y))) return true;
  double big = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
  return fabs(x - y) <= tolerance * (big > 1 ? big : 1);
}

/* A vector of 'rows', or a matrix of such columns; skips the padding of
** three. */
static bool alike_columns(const char *a, const char *b, const mt_Type *t,
                          double tolerance) {
  size_t step = mt_scalar_size(t->scalar);
  size_t columns = t->columns ? t->columns : 1, rows = t->rows ? t->rows : 1;
  size_t column = t->size / columns;
  for (size_t c = 0; c < columns; c++)
    for (size_t r = 0; r < rows; r++)
      if (!alike_scalar(a + c * column + r * step, b + c * column + r * step,
                        t->scalar, tolerance))
        return false;
  return true;
}

static bool alike(const char *a, const char *b, const mt_Type *t,
                  double tolerance) {
  switch (t->kind) {
    case MT_TYPE_SCALAR:
    case MT_TYPE_VECTOR:
    case MT_TYPE_PACKED:
    case MT_TYPE_MATRIX:
    case MT_TYPE_ATOMIC:
      return alike_columns(a, b, t, tolerance);
    case MT_TYPE_ARRAY:
      for (size_t i = 0; i < t->count; i++)
        if (!alike(a + i * t->element->size, b + i * t->element->size,
                   t->element, tolerance))
          return false;
      return true;
    case MT_TYPE_STRUCT:
      for (unsigned i = 0; i < t->field_count; i++)
        if (!alike(a + t->fields[i].offset, b + t->fields[i].offset,
                   t->fields[i].type, tolerance))
          return false;
      return true;
    default:
      return memcmp(a, b, t->size) == 0;
  }
}

/* The sign of a NaN means nothing: "nan", never "-nan". */
static const char *spell(double x, char *out, size_t size) {
  snprintf(out, size, "%.9g", isnan(x) ? fabs(x) : x);
  return out;
}

/* The value of a scalar in the first run, and in this order. */
static void say_numbers(mt_Finding *f, const char *a, const char *b,
                        const mt_Type *t) {
  bool plain = t && (t->kind == MT_TYPE_SCALAR || t->kind == MT_TYPE_ATOMIC);
  char first[32], then[32];
  if (plain && mt_scalar_is_float(t->scalar))
    snprintf(f->detail, sizeof f->detail,
             "%s at first, %s in this order",
             spell(number_at(a, t->scalar), first, sizeof first),
             spell(number_at(b, t->scalar), then, sizeof then));
  else if (plain && t->size == 4)
    snprintf(f->detail, sizeof f->detail, "%d at first, %d in this order",
             *(const int *)(const void *)a, *(const int *)(const void *)b);
}

/* Is it written by compare-and-exchange alone? Then it is a hash table, in
** which the slot of an element depends on the order. */
static bool is_table(const mt_Check *c, const mt_Region *r) {
  bool taken = false;
  for (size_t i = 1; i < c->sites->count; i++) {
    const mt_Site *s = &c->sites->site[i];
    bool write = s->kind == MT_SITE_WRITE || s->kind == MT_SITE_ATOMIC_WRITE ||
                 s->kind == MT_SITE_ATOMIC;
    if (!write || (s->root != MT_ROOT_UNKNOWN && s->root != r->root)) continue;
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

static Items items_of(const mt_Check *c, const mt_Region *r) {
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

/* Does the table hold the same elements as in the first run, in other slots? */
static bool is_same_table(const mt_Check *c, const mt_Region *r, int of) {
  Items x = items_of(c, r);
  return is_table(c, r) && sum_of(&x, r->answer[of], NULL, NULL, NULL) ==
                               sum_of(&x, r->start, NULL, NULL, NULL);
}

/* Is it permuted like a table, as values are with their keys? */
static bool goes_with_table(const mt_Check *c, const mt_Region *r, int of) {
  Items y = items_of(c, r);
  for (size_t i = 0; i < c->regions; i++) {
    const mt_Region *t = &c->region[i];
    const char *start = t->kept ? t->kept : t->before;
    Items x = items_of(c, t);
    if (t != r && is_answer(t) && start && x.count == y.count &&
        is_same_table(c, t, of) &&
        sum_of(&x, t->answer[of], start, &y, r->answer[of]) ==
            sum_of(&x, t->start, start, &y, r->start))
      return true;
  }
  return false;
}

/* 'of': which answer to compare with. */
static void compare_region(mt_Check *c, const mt_Region *r, int of,
                           uint64_t seed) {
  const mt_Root *root = r->root >= 0 ? &c->sites->root[r->root] : NULL;
  const char *name = root && root->name[0] ? root->name : NULL;
  const char *answer = r->answer[of];
  Items x = items_of(c, r);
  mt_Finding f = {.kind = MT_FIND_SCHEDULE, .space = r->space,
                  .name = r->link ? r->link->name : name,
                  .type = x.type, .value = seed, .length = x.count,
                  .index = -1};
  if (memcmp(answer, r->start, r->size) == 0 || is_same_table(c, r, of) ||
      goes_with_table(c, r, of))
    return;
  for (size_t k = 0; k < x.count && !mt_check_is_over(k); k++) {
    size_t at = x.first + k * x.size;
    const char *a = answer + at, *b = r->start + at;
    if (x.type ? alike(a, b, x.type, c->options->tolerance) : *a == *b)
      continue;
    if (f.count++) continue;
    f.index = (int64_t)k;
    f.place = r->root >= 0 ? mt_check_first_write(c, r->root) : f.place;
    say_numbers(&f, a, b, x.type);
  }
  if (f.count) mt_finding_add_global(c, &f);
}

/* ------------------------------------------------------------------- runs */

static mt_Status run_from_start(mt_Check *c, const mt_InstrumentedCode *w,
                                uint64_t (*order)(uint64_t turn),
                                mt_Error *err) {
  mt_check_restore(c, false);
  c->schedule = true;
  c->group_count = 0;
  mt_Status status = mt_check_once(c, w, order, err);
  c->schedule = false;
  return status;
}

static mt_Status run_again(mt_Check *c, const mt_InstrumentedCode *w, int of,
                           uint64_t seed, mt_Error *err) {
  mt_progress_run((unsigned)(seed - c->options->seed) + 2,
                  1 + c->options->schedules, c->group_total);
  draw(c, seed);
  mt_Status status = run_from_start(c, w, shuffled, err);
  c->turn = 0;
  if (status != MT_OK) return status;
  for (size_t i = 0; i < c->regions; i++)
    if (is_answer(&c->region[i]))
      compare_region(c, &c->region[i], of, seed);
  return mt_cancelled() ? mt_check_interrupted(c, err) : MT_OK;
}

/* Thread by thread, the order of lanes can vary, too. */
static mt_Status threads_of(mt_Check *c, const mt_InstrumentedCode **how,
                            bool *ready, mt_Error *err) {
  mt_Status status = mt_instrumented_for(c->launch, true, how, err);
  if (status != MT_OK || *ready) return status;
  c->sites = &(*how)->sites;
  status = run_from_start(c, *how, NULL, err);
  if (status == MT_OK) status = keep_answers(c, 1, err);
  *ready = status == MT_OK;
  return status;
}

mt_Status mt_check_schedules(mt_Check *c, const mt_InstrumentedCode *w,
                             unsigned *done, mt_Error *err) {
  const mt_SiteTable *sites = c->sites;
  const mt_Launch *l = c->launch;
  uint64_t all = c->group_total * l->group.x * l->group.y * l->group.z;
  bool ready = false;
  mt_Status status = keep_answers(c, 0, err);
  if (status != MT_OK) return status;
  for (unsigned k = 0; k < c->options->schedules && status == MT_OK; k++) {
    uint64_t seed = c->options->seed + k;
    const mt_InstrumentedCode *how = w;
    int of = w->simd && all <= SMALL && c->seconds <= SHORT &&
             (mix(seed) >> 60 & 1);
    if (of) status = threads_of(c, &how, &ready, err);
    c->sites = &how->sites;
    if (status == MT_OK) status = run_again(c, how, of, seed, err);
    c->sites = sites;
    *done += status == MT_OK;
  }
  mt_check_restore(c, true);
  return status;
}
