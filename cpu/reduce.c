/*
** reduce.c - sum, mean, max, dot: many elements to one.
**
** Each piece of the array is reduced by itself (cpu/lanes.h), then the pieces'
** results in their order. Sums of floats run in double.
*/
#include <limits.h>
#include <stdlib.h>

#include "cpu/inside.h"
#include "cpu/lanes.h"

#define GRAIN 32768

typedef union Value {
  double real;
  float f;
  int32_t i;
  uint32_t u;
  int64_t wide; /* sums of int; of uint with the same bits */
} Value;

typedef struct Reduction {
  const mt_CpuCall *call;
  Value *piece; /* one for each */
} Reduction;

static mt_Status reduce(mt_CpuCall *call, mt_CpuBody body, Value **out,
                        size_t *pieces, mt_Error *err) {
  Reduction r = {call, NULL};
  *pieces = call->count / GRAIN + (call->count % GRAIN != 0);
  r.piece = mt_cpu_scratch(call, *pieces, sizeof(Value), err);
  if (r.piece == NULL) return MT_FAIL;
  mt_cpu_loop(call, call->count, GRAIN, body, &r);
  *out = r.piece;
  return MT_OK;
}

/* -------------------------------------------------------------------- sums */

MT_HOT static void sum_floats(void *context, size_t first, size_t last,
                              unsigned worker) {
  Reduction *r = context;
  const float *x = MT_FLOATS(r->call, 0) + first;
  (void)worker;
  r->piece[first / GRAIN].real = mt_sum(MT_TERM_X, x, NULL, 0, last - first);
}

MT_HOT static void dot_floats(void *context, size_t first, size_t last,
                              unsigned worker) {
  Reduction *r = context;
  const float *x = MT_FLOATS(r->call, 0) + first;
  const float *y = MT_FLOATS(r->call, 1) + first;
  (void)worker;
  r->piece[first / GRAIN].real = mt_sum(MT_TERM_XY, x, y, 0, last - first);
}

/* Whole numbers of 32 bits, in 64. */
#define SUM(name, Type) \
  MT_HOT static void name(void *context, size_t first, size_t last, \
                          unsigned worker) { \
    Reduction *r = context; \
    const Type *x = r->call->array[0].data; \
    int64_t sum = 0; \
    (void)worker; \
    for (size_t i = first; i < last; i++) sum += x[i]; \
    r->piece[first / GRAIN].wide = sum; \
  }

SUM(sum_ints, int32_t)
SUM(sum_uints, uint32_t)

static mt_Status sum_real(mt_CpuCall *call, mt_CpuBody body, double *out,
                          mt_Error *err) {
  Value *piece;
  size_t pieces;
  mt_Status status = reduce(call, body, &piece, &pieces, err);
  if (status != MT_OK) return status;
  *out = 0;
  for (size_t i = 0; i < pieces; i++) *out += piece[i].real;
  free(piece);
  return MT_OK;
}

static mt_Status sum_whole(mt_CpuCall *call, mt_Error *err) {
  Value *piece;
  size_t pieces;
  mt_Status status = reduce(
      call, call->type == MT_INT ? sum_ints : sum_uints, &piece, &pieces, err);
  if (status != MT_OK) return status;
  int64_t total = 0;
  for (size_t i = 0; i < pieces; i++) total += piece[i].wide;
  free(piece);
  mt_CpuArray *out = &call->array[1];
  if (mt_scalar_size(out->type) == 8)
    *(int64_t *)out->data = total;
  else
    *(uint32_t *)out->data = (uint32_t)total;
  return MT_OK;
}

mt_Status mt_cpu_run_sum(mt_CpuCall *call, mt_Error *err) {
  double total;
  if (call->type != MT_FLOAT) return sum_whole(call, err);
  mt_Status status = sum_real(call, sum_floats, &total, err);
  if (status == MT_OK) MT_FLOATS(call, 1)[0] = (float)total;
  return status;
}

mt_Status mt_cpu_run_mean(mt_CpuCall *call, mt_Error *err) {
  double total;
  mt_Status status = sum_real(call, sum_floats, &total, err);
  if (status == MT_OK)
    MT_FLOATS(call, 1)[0] =
        call->count ? (float)(total / (double)call->count) : NAN;
  return status;
}

mt_Status mt_cpu_run_dot(mt_CpuCall *call, mt_Error *err) {
  double total;
  mt_Status status = sum_real(call, dot_floats, &total, err);
  if (status == MT_OK) MT_FLOATS(call, 2)[0] = (float)total;
  return status;
}

/* --------------------------------------------------------------------- max */

MT_HOT static void max_floats(void *context, size_t first, size_t last,
                              unsigned worker) {
  Reduction *r = context;
  (void)worker;
  r->piece[first / GRAIN].f =
      mt_largest(MT_FLOATS(r->call, 0) + first, last - first);
}

#define MAX(name, Type, member, least) \
  MT_HOT static void name(void *context, size_t first, size_t last, \
                          unsigned worker) { \
    Reduction *r = context; \
    const Type *x = r->call->array[0].data; \
    Type largest = least; \
    (void)worker; \
    for (size_t i = first; i < last; i++) \
      largest = x[i] > largest ? x[i] : largest; \
    r->piece[first / GRAIN].member = largest; \
  }

MAX(max_ints, int32_t, i, INT_MIN)
MAX(max_uints, uint32_t, u, 0)

/* What 'largest' is before anything was seen. */
static Value least(mt_Scalar type) {
  Value v = {0};
  if (type == MT_FLOAT) v.f = -INFINITY;
  if (type == MT_INT) v.i = INT_MIN;
  return v;
}

mt_Status mt_cpu_run_max(mt_CpuCall *call, mt_Error *err) {
  mt_CpuBody body = call->type == MT_FLOAT ? max_floats
                    : call->type == MT_INT ? max_ints
                                           : max_uints;
  Value *piece, v = least(call->type);
  size_t pieces;
  mt_Status status = reduce(call, body, &piece, &pieces, err);
  if (status != MT_OK) return status;
  for (size_t i = 0; i < pieces; i++) {
    if (call->type == MT_FLOAT) v.f = mt_larger(piece[i].f, v.f);
    if (call->type == MT_INT && piece[i].i > v.i) v.i = piece[i].i;
    if (call->type == MT_UINT && piece[i].u > v.u) v.u = piece[i].u;
  }
  free(piece);
  memcpy(call->array[1].data, &v, 4); /* all members start at its start */
  return MT_OK;
}

/* ---------------------------------------------------------------- vendor's */

static double vendor_sum(const mt_CpuCall *call, const mt_CpuVendor *v) {
  double total = 0;
  MT_PARTS(at, n, call->count) total += v->sum(MT_FLOATS(call, 0) + at, n);
  return total;
}

mt_Status mt_cpu_vendor_sum(mt_CpuCall *call, const mt_CpuVendor *v,
                            mt_Error *err) {
  (void)err;
  MT_FLOATS(call, 1)[0] = (float)vendor_sum(call, v);
  return MT_OK;
}

mt_Status mt_cpu_vendor_mean(mt_CpuCall *call, const mt_CpuVendor *v,
                             mt_Error *err) {
  (void)err;
  double n = (double)call->count;
  MT_FLOATS(call, 1)[0] = call->count ? (float)(vendor_sum(call, v) / n) : NAN;
  return MT_OK;
}

mt_Status mt_cpu_vendor_dot(mt_CpuCall *call, const mt_CpuVendor *v,
                            mt_Error *err) {
  double total = 0;
  (void)err;
  MT_PARTS(at, n, call->count)
  total += v->dot(MT_FLOATS(call, 0) + at, MT_FLOATS(call, 1) + at, n);
  MT_FLOATS(call, 2)[0] = (float)total;
  return MT_OK;
}
