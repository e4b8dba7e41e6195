/*
** cpu_case.h - one call of a CPU reference, tried in every way.
**
** A case sets inputs, computes what each output must be in double (and how far
** a float computation may be from it), and calls case_verify: that runs one
** core, all cores with several numbers of threads, and the vendor's, each into
** outputs filled with garbage, compares with the expected, and demands the
** same bits from all but the vendor's. Memory is allocated to the byte, so
** that the address sanitizer sees a step outside.
*/
#ifndef CPU_CASE_H
#define CPU_CASE_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "base/pool.h"
#include "cpu/cpu.h"
#include "tests/c/find_module.h"

#define U (FLT_EPSILON / 2) /* relative error of one rounding */

typedef struct Expected {
  double *value; /* NULL: not an output */
  double *slack; /* how far off an element may be */
} Expected;

typedef struct Case {
  mt_CpuCall call;
  Expected expected[MT_CPU_ARGS];
} Case;

/* ------------------------------------------------------------------ inputs */

typedef enum Fill {
  ZEROS,
  UNIT,     /* -1 … 1 */
  POSITIVE, /* 0.1 … 1 */
  HUGE_ONES, /* about 1e18, both signs: products do not overflow */
  SPECIAL,  /* UNIT with a few NaN and infinities */
  FILLS
} Fill;

static uint64_t case_seed = 1;

static inline double case_random(void) { /* 0 … 1 */
  case_seed = case_seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(case_seed >> 33) / 0x1p31;
}

static inline float fill_value(Fill fill) {
  double r = case_random();
  switch (fill) {
    case ZEROS: return r < 0.5 ? 0.0f : -0.0f;
    case POSITIVE: return (float)(0.1 + 0.9 * r);
    case HUGE_ONES: return (float)(1e18 * (2 * r - 1));
    case SPECIAL:
      if (r < 0.02) return NAN;
      if (r < 0.04) return INFINITY;
      if (r < 0.06) return -INFINITY;
      return (float)(2 * r - 1);
    default: return (float)(2 * r - 1);
  }
}

static inline void case_open(Case *c, const char *name) {
  memset(c, 0, sizeof *c);
  const mt_CpuRef *ref = mt_cpu_find(name);
  assert_non_null(ref);
  mt_cpu_call_init(&c->call, ref);
}

static inline void case_shape(Case *c, int i, mt_Scalar type, unsigned dims,
                       const size_t *shape) {
  mt_CpuArray *a = &c->call.array[i];
  a->type = type;
  a->dims = dims;
  for (unsigned d = 0; d < dims; d++) a->shape[d] = shape[d];
  size_t bytes = mt_cpu_count(a) * mt_scalar_size(type);
  a->data = malloc(bytes ? bytes : 1);
}

static inline float *case_vector(Case *c, int i, size_t n, Fill fill) {
  case_shape(c, i, MT_FLOAT, 1, &n);
  float *x = c->call.array[i].data;
  for (size_t k = 0; k < n; k++) x[k] = fill_value(fill);
  return x;
}

static inline float *case_matrix(Case *c, int i, size_t rows, size_t columns,
                          Fill fill) {
  size_t shape[2] = {rows, columns};
  case_shape(c, i, MT_FLOAT, 2, shape);
  float *x = c->call.array[i].data;
  for (size_t k = 0; k < rows * columns; k++) x[k] = fill_value(fill);
  return x;
}

static inline uint32_t *case_words(Case *c, int i, mt_Scalar type, size_t n,
                            uint32_t below) {
  case_shape(c, i, type, 1, &n);
  uint32_t *x = c->call.array[i].data;
  for (size_t k = 0; k < n; k++)
    x[k] = (uint32_t)(case_random() * ((double)below + 0.999));
  return x;
}

/* Outputs are planned by the check; call this when the inputs are set. */
static inline void case_plan(Case *c) {
  mt_Error err;
  if (mt_cpu_check(&c->call, &err) != MT_OK) fail_msg("%s", err.text);
  const mt_CpuArg *args = mt_cpu_args(c->call.ref);
  for (int i = 0; args[i].role; i++) {
    if (args[i].role != MT_CPU_OUT) continue;
    mt_CpuArray *a = &c->call.array[i];
    size_t n = mt_cpu_count(a);
    if (a->data == NULL) {
      size_t bytes = n * mt_scalar_size(a->type);
      a->data = malloc(bytes ? bytes : 1);
    }
    c->expected[i].value = calloc(n + 1, sizeof(double));
    c->expected[i].slack = calloc(n + 1, sizeof(double));
  }
}

static inline void case_close(Case *c) {
  for (int i = 0; i < MT_CPU_ARGS; i++) {
    free(c->call.array[i].data);
    free(c->expected[i].value);
    free(c->expected[i].slack);
  }
}

/* --------------------------------------------------------------- comparing */

static inline double element(const mt_CpuArray *a, size_t i) {
  switch (a->type) {
    case MT_FLOAT: return ((const float *)a->data)[i];
    case MT_INT: return ((const int32_t *)a->data)[i];
    case MT_UCHAR: return ((const uint8_t *)a->data)[i];
    case MT_UINT: return ((const uint32_t *)a->data)[i];
    case MT_LONG: return (double)((const int64_t *)a->data)[i];
    case MT_ULONG: return (double)((const uint64_t *)a->data)[i];
    default: fail_msg("type"); return 0;
  }
}

static inline bool close_enough(double got, double want, double slack,
                                bool real) {
  if (real && fabs(want) > FLT_MAX && !isinf(want))
    want = want > 0 ? INFINITY : -INFINITY;
  if (isnan(want)) return isnan(got);
  if (isinf(want)) return got == want;
  return fabs(got - want) <= slack;
}

static inline void compare(Case *c, const char *how) {
  for (int i = 0; i < MT_CPU_ARGS; i++) {
    const mt_CpuArray *a = &c->call.array[i];
    if (c->expected[i].value == NULL) continue;
    for (size_t k = 0; k < mt_cpu_count(a); k++) {
      double got = element(a, k), want = c->expected[i].value[k];
      if (close_enough(got, want, c->expected[i].slack[k],
                       a->type == MT_FLOAT))
        continue;
      fail_msg("cpu.%s (%s), shape %zu×%zu: element %zu of %s is %.9g, "
               "expected %.9g within %.3g",
               mt_cpu_name(c->call.ref), how, a->shape[0],
               a->dims > 1 ? a->shape[1] : 1, k,
               mt_cpu_args(c->call.ref)[i].name, got, want,
               c->expected[i].slack[k]);
    }
  }
}

static inline size_t out_bytes(const mt_CpuArray *a) {
  return mt_cpu_count(a) * mt_scalar_size(a->type);
}

static inline void run_way(Case *c, mt_CpuWay way, const char *how) {
  mt_Error err;
  double seconds = -1;
  c->call.way = way;
  for (int i = 0; i < MT_CPU_ARGS; i++)
    if (c->expected[i].value)
      memset(c->call.array[i].data, 0xab, out_bytes(&c->call.array[i]));
  if (mt_cpu_check(&c->call, &err) != MT_OK) fail_msg("%s", err.text);
  if (mt_cpu_run(&c->call, &seconds, &err) != MT_OK) fail_msg("%s", err.text);
  assert_true(seconds >= 0);
  compare(c, how);
}

/* A NaN is a NaN: which of two an addition passes on is the compiler's. */
static inline void plain_nans(char *bytes, size_t size) {
  for (size_t i = 0; i < size; i += sizeof(float)) {
    float x, nan = NAN;
    memcpy(&x, bytes + i, sizeof x);
    if (isnan(x)) memcpy(bytes + i, &nan, sizeof nan);
  }
}

/* All outputs one after the other; the caller frees. */
static inline char *outputs(const Case *c, size_t *size) {
  char *all = NULL;
  *size = 0;
  for (int i = 0; i < MT_CPU_ARGS; i++) {
    if (c->expected[i].value == NULL) continue;
    size_t n = out_bytes(&c->call.array[i]);
    all = realloc(all, *size + n + 1);
    memcpy(all + *size, c->call.array[i].data, n);
    if (c->call.array[i].type == MT_FLOAT) plain_nans(all + *size, n);
    *size += n;
  }
  return all;
}

/* 'looser': how much more the vendor's float sums may be off. */
static inline void case_verify(Case *c, double looser) {
  static const unsigned threads[] = {1, 2, 3, 8};
  size_t size, again;
  run_way(c, MT_CPU_ONE_CORE, "one core");
  char *first = outputs(c, &size);
  for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
    mt_pool_resize(threads[t]);
    run_way(c, MT_CPU_ALL_CORES, "all cores");
    char *other = outputs(c, &again);
    if (size && memcmp(first, other, size) != 0)
      fail_msg("cpu.%s: other bits with %u threads", mt_cpu_name(c->call.ref),
               threads[t]);
    free(other);
  }
  mt_pool_resize(0);
  free(first);
  if (looser > 0 && mt_cpu_can(c->call.ref, MT_CPU_VENDOR, NULL) == MT_OK) {
    for (int i = 0; i < MT_CPU_ARGS; i++)
      for (size_t k = 0; c->expected[i].value &&
                         k < mt_cpu_count(&c->call.array[i]); k++)
        c->expected[i].slack[k] *= looser;
    run_way(c, MT_CPU_VENDOR, "vendor");
  }
  case_close(c);
}

/* Sizes that find edges: nothing, one, vectors' widths ± 1, primes, pieces'
** sizes ± 1. */
static const size_t lengths[] = {0,  1,  2,   3,   7,    15,   16,    17,
                                 31, 97, 127, 129, 1009, 4095, 32767, 32769,
                                 65537, 100003};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

#endif
