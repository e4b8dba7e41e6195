/*
** rows.c - softmax and layernorm: each row of the last dimension by itself.
**
** A row of ordinary length is done by one worker from start to end. A long one
** is cut into segments that all workers share, phase by phase (its largest
** element, its sum, its outputs), so that one huge row uses all cores too.
** Sums run in double.
*/
#include <stdlib.h>

#include "cpu/inside.h"
#include "cpu/lanes.h"

#define LONG 65536 /* from here on a row is shared */
#define SEGMENT 16384

typedef struct Rows {
  const float *x, *gamma, *beta;
  float *y;
  size_t n;       /* elements of a row */
  double epsilon;
  /* a row in work */
  float largest;
  double total, mean, scale;
  double *part;   /* one result a segment, of a long row */
} Rows;

/* --------------------------------------------------------- pieces of a row */

MT_HOT static float largest_of(const float *x, size_t n) {
  return mt_largest(x, n);
}

MT_HOT static double sum_of(const float *x, size_t n) {
  return mt_sum(MT_TERM_X, x, NULL, 0, n);
}

MT_HOT static double squares_of(const float *x, size_t n, double mean) {
  return mt_sum(MT_TERM_SQUARE, x, NULL, mean, n);
}

/* y = exp(x - largest); the sum of y. */
MT_HOT static double exp_of(const float *x, float *y, size_t n,
                            float largest) {
  MT_EACH for (size_t i = 0; i < n; i++) y[i] = mt_exp(x[i] - largest);
  return mt_sum(MT_TERM_X, y, NULL, 0, n);
}

MT_HOT static void scale_by(float *y, size_t n, float factor) {
  for (size_t i = 0; i < n; i++) y[i] *= factor;
}

MT_HOT static void normalise(const Rows *r, const float *x, float *y,
                             size_t first, size_t last) {
  double mean = r->mean, scale = r->scale;
  const float *gamma = r->gamma, *beta = r->beta;
  MT_EACH for (size_t i = first; i < last; i++)
    y[i] = (float)((x[i] - mean) * scale * gamma[i] + beta[i]);
}

/* -------------------------------------------------------------- short rows */

void mt_cpu_softmax_row(const float *x, float *y, size_t n) {
  double total = exp_of(x, y, n, largest_of(x, n));
  scale_by(y, n, (float)(1 / total));
}

static void softmax_rows(void *context, size_t first, size_t last,
                         unsigned worker) {
  const Rows *r = context;
  (void)worker;
  for (size_t i = first; i < last; i++)
    mt_cpu_softmax_row(r->x + i * r->n, r->y + i * r->n, r->n);
}

static void layernorm_rows(void *context, size_t first, size_t last,
                           unsigned worker) {
  Rows r = *(const Rows *)context; /* each worker its own row in work */
  (void)worker;
  for (size_t i = first; i < last; i++) {
    const float *x = r.x + i * r.n;
    r.mean = sum_of(x, r.n) / (double)r.n;
    double variance = squares_of(x, r.n, r.mean) / (double)r.n;
    r.scale = 1 / sqrt(variance + r.epsilon);
    normalise(&r, x, r.y + i * r.n, 0, r.n);
  }
}

/* --------------------------------------------------------------- long rows */

static void largest_segment(void *context, size_t first, size_t last,
                            unsigned worker) {
  Rows *r = context;
  (void)worker;
  r->part[first / SEGMENT] = largest_of(r->x + first, last - first);
}

static void exp_segment(void *context, size_t first, size_t last,
                        unsigned worker) {
  Rows *r = context;
  (void)worker;
  r->part[first / SEGMENT] =
      exp_of(r->x + first, r->y + first, last - first, r->largest);
}

static void scale_segment(void *context, size_t first, size_t last,
                          unsigned worker) {
  Rows *r = context;
  (void)worker;
  scale_by(r->y + first, last - first, (float)(1 / r->total));
}

static void sum_segment(void *context, size_t first, size_t last,
                        unsigned worker) {
  Rows *r = context;
  (void)worker;
  r->part[first / SEGMENT] = sum_of(r->x + first, last - first);
}

static void square_segment(void *context, size_t first, size_t last,
                           unsigned worker) {
  Rows *r = context;
  (void)worker;
  r->part[first / SEGMENT] = squares_of(r->x + first, last - first, r->mean);
}

static void normalise_segment(void *context, size_t first, size_t last,
                              unsigned worker) {
  (void)worker;
  const Rows *r = context;
  normalise(r, r->x, r->y, first, last);
}

/* 'body' over the row; the sum of what it left for each segment. */
static double phase(const mt_CpuCall *call, Rows *r, mt_CpuBody body) {
  double total = 0;
  mt_cpu_loop(call, r->n, SEGMENT, body, r);
  for (size_t i = 0; i * SEGMENT < r->n; i++) total += r->part[i];
  return total;
}

static void softmax_long(const mt_CpuCall *call, Rows *r) {
  phase(call, r, largest_segment);
  r->largest = -INFINITY;
  for (size_t i = 0; i * SEGMENT < r->n; i++)
    r->largest = mt_larger((float)r->part[i], r->largest);
  r->total = phase(call, r, exp_segment);
  mt_cpu_loop(call, r->n, SEGMENT, scale_segment, r);
}

static void layernorm_long(const mt_CpuCall *call, Rows *r) {
  r->mean = phase(call, r, sum_segment) / (double)r->n;
  double variance = phase(call, r, square_segment) / (double)r->n;
  r->scale = 1 / sqrt(variance + r->epsilon);
  mt_cpu_loop(call, r->n, SEGMENT, normalise_segment, r);
}

/* -------------------------------------------------------------- references */

typedef void (*LongRow)(const mt_CpuCall *call, Rows *r);

static mt_Status each_row(mt_CpuCall *call, Rows *r, mt_CpuBody rows,
                          LongRow long_row, mt_Error *err) {
  r->n = MT_DIM(call, 'n');
  if (r->n == 0) return MT_OK;
  if (r->n < LONG) {
    mt_cpu_loop(call, call->count, SEGMENT / r->n + 1, rows, r);
    return MT_OK;
  }
  r->part = mt_cpu_scratch(call, r->n / SEGMENT + 1, sizeof *r->part, err);
  if (r->part == NULL) return MT_FAIL;
  for (size_t i = 0; i < call->count && !mt_cancelled(); i++) {
    long_row(call, r);
    r->x += r->n;
    r->y += r->n;
  }
  free(r->part);
  return MT_OK;
}

mt_Status mt_cpu_run_softmax(mt_CpuCall *call, mt_Error *err) {
  Rows r = {.x = MT_FLOATS(call, 0), .y = MT_FLOATS(call, 1)};
  return each_row(call, &r, softmax_rows, softmax_long, err);
}

mt_Status mt_cpu_run_layernorm(mt_CpuCall *call, mt_Error *err) {
  Rows r = {.x = MT_FLOATS(call, 0),
            .gamma = MT_FLOATS(call, 1),
            .beta = MT_FLOATS(call, 2),
            .y = MT_FLOATS(call, 3),
            .epsilon = call->option[0]};
  return each_row(call, &r, layernorm_rows, layernorm_long, err);
}
