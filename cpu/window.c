/*
** window.c - conv1d, conv2d, maxpool: what slides over its input.
**
** Padding is made real first: a copy of x with zeros around it. Then every
** window lies inside. Outputs are computed side by side, tap by tap; taps are
** added in blocks of 256, as in matrix.c.
*/
#include <stdlib.h>
#include <string.h>

#include "cpu/inside.h"
#include "cpu/lanes.h"

#define CHUNK 512 /* outputs of a row that one worker takes at a time */
#define SETS 4    /* vectors of outputs side by side */
#define BLOCK 256

typedef struct Window {
  const float *x, *w;
  float *y;
  size_t n, m;    /* rows and columns of x, padding included */
  size_t k, l;    /* of the window */
  size_t p, q;    /* of y */
  size_t stride;
} Window;

/* ------------------------------------------------------------------ shapes */

/* How many windows of 'size' fit along 'n' with 'pad' at both ends. */
static mt_Status fit(mt_CpuCall *call, size_t n, size_t size, size_t pad,
                     size_t stride, const char *what, size_t *out,
                     mt_Error *err) {
  size_t all = n + 2 * pad;
  if (size == 0)
    return mt_cpu_error(call, err, MT_BADARG, "w has no elements");
  if (all < size)
    return mt_cpu_error(call, err, MT_BADARG,
                        "the window has %zu %s, x with its padding only %zu",
                        size, what, all);
  *out = (all - size) / stride + 1;
  return MT_OK;
}

mt_Status mt_cpu_derive_conv1d(mt_CpuCall *call, mt_Error *err) {
  return fit(call, MT_DIM(call, 'n'), MT_DIM(call, 'k'),
             (size_t)call->option[0], (size_t)call->option[1], "elements",
             &MT_DIM(call, 'p'), err);
}

mt_Status mt_cpu_derive_conv2d(mt_CpuCall *call, mt_Error *err) {
  size_t pad = (size_t)call->option[0], stride = (size_t)call->option[1];
  mt_Status status = fit(call, MT_DIM(call, 'n'), MT_DIM(call, 'k'), pad,
                         stride, "rows", &MT_DIM(call, 'p'), err);
  if (status == MT_OK)
    status = fit(call, MT_DIM(call, 'm'), MT_DIM(call, 'l'), pad, stride,
                 "columns", &MT_DIM(call, 'q'), err);
  return status;
}

static size_t pool_stride(const mt_CpuCall *call) {
  return (size_t)(call->option[1] > 0 ? call->option[1] : call->option[0]);
}

mt_Status mt_cpu_derive_maxpool(mt_CpuCall *call, mt_Error *err) {
  size_t size = (size_t)call->option[0], stride = pool_stride(call);
  mt_Status status = fit(call, MT_DIM(call, 'n'), size, 0, stride, "rows",
                         &MT_DIM(call, 'p'), err);
  if (status == MT_OK)
    status = fit(call, MT_DIM(call, 'm'), size, 0, stride, "columns",
                 &MT_DIM(call, 'q'), err);
  return status;
}

/* ------------------------------------------------------------ convolutions */

/* mt_cancelled without the call, which would empty the registers. */
MT_INLINE bool asked_to_stop(void) {
  return atomic_load_explicit(&mt_cancel_flag, memory_order_relaxed) != 0;
}

/* Output (r, c). */
MT_INLINE float conv_one(const Window *v, size_t r, size_t c) {
  float sum = 0, part = 0;
  size_t room = BLOCK; /* taps until 'part' is added to 'sum' */
  for (size_t i = 0; i < v->k; i++) {
    const float *x = v->x + (r * v->stride + i) * v->m + c * v->stride;
    const float *w = v->w + i * v->l;
    for (size_t j = 0; j < v->l; j++) {
      part += w[j] * x[j];
      if (--room) continue;
      if (asked_to_stop()) return 0;
      sum += part;
      part = 0;
      room = BLOCK;
    }
  }
  return sum + part;
}

/* The same for 'sets' vectors of outputs side by side; stride 1. 'sets' is a
** constant. */
MT_INLINE void conv_lanes(const Window *v, size_t r, size_t c, size_t sets) {
  mt_Floats sum[SETS] = {{0}}, part[SETS] = {{0}};
  size_t room = BLOCK;
  for (size_t i = 0; i < v->k; i++) {
    const float *x = v->x + (r + i) * v->m + c, *w = v->w + i * v->l;
    for (size_t j = 0; j < v->l;) {
      size_t end = v->l - j < room ? v->l : j + room;
      room -= end - j;
      for (; j < end; j++)
        for (size_t s = 0; s < sets; s++)
          part[s] += w[j] * *(const mt_Floats *)(x + j + s * MT_CPU_LANES);
      if (room) continue;
      if (asked_to_stop()) return;
      for (size_t s = 0; s < sets; s++) {
        sum[s] += part[s];
        part[s] = (mt_Floats){0};
      }
      room = BLOCK;
    }
  }
  for (size_t s = 0; s < sets; s++)
    *(mt_Floats *)(v->y + r * v->q + c + s * MT_CPU_LANES) = sum[s] + part[s];
}

/* As many of outputs [c, end) as fill 'sets' vectors; what is left at the end
** is done by a step back, over outputs that are done already. Returns the
** first that is not done. */
MT_INLINE size_t conv_run(const Window *v, size_t r, size_t c, size_t end,
                          size_t sets) {
  size_t each = sets * MT_CPU_LANES;
  if (end - c < each) return c;
  for (; c + each <= end && !mt_cancelled(); c += each)
    conv_lanes(v, r, c, sets);
  if (c < end && !mt_cancelled()) conv_lanes(v, r, end - each, sets);
  return end;
}

/* Outputs [c, end) of row r of y. */
MT_HOT static void conv_chunk(const Window *v, size_t r, size_t c,
                              size_t end) {
  if (v->stride == 1) {
    c = conv_run(v, r, c, end, SETS);
    c = conv_run(v, r, c, end, 1);
  }
  for (; c < end && !mt_cancelled(); c++)
    v->y[r * v->q + c] = conv_one(v, r, c);
}

/* A piece is a number of chunks: p rows of ceil(q / CHUNK) each. */
static void conv_piece(void *context, size_t first, size_t last,
                       unsigned worker) {
  const Window *v = context;
  size_t across = v->q / CHUNK + (v->q % CHUNK != 0);
  (void)worker;
  for (size_t t = first; t < last; t++) {
    size_t c = t % across * CHUNK;
    conv_chunk(v, t / across, c, v->q - c < CHUNK ? v->q : c + CHUNK);
  }
}

/* x with 'pad' zeros on each side; rows too if there are several. */
static float *padded(mt_CpuCall *call, Window *v, size_t pad, bool rows,
                     mt_Error *err) {
  size_t down = rows ? pad : 0, n = v->n + 2 * down, m = v->m + 2 * pad, count;
  if (__builtin_mul_overflow(n, m, &count)) count = SIZE_MAX;
  float *copy = mt_cpu_scratch(call, count, sizeof *copy, err);
  if (copy == NULL) return NULL;
  for (size_t i = 0; i < v->n && v->m; i++)
    memcpy(copy + (i + down) * m + pad, v->x + i * v->m, v->m * sizeof *copy);
  v->x = copy;
  v->n = n;
  v->m = m;
  return copy;
}

static mt_Status convolve(mt_CpuCall *call, Window *v, bool rows,
                          mt_Error *err) {
  size_t pad = (size_t)call->option[0];
  float *copy = NULL;
  v->stride = (size_t)call->option[1];
  if (pad && (copy = padded(call, v, pad, rows, err)) == NULL) return MT_FAIL;
  size_t across = v->q / CHUNK + (v->q % CHUNK != 0);
  size_t work = v->k * v->l * (v->q < CHUNK ? v->q : CHUNK) + 1;
  size_t grain = (size_t)200000 / work + 1;
  mt_cpu_loop(call, v->p * across, grain, conv_piece, v);
  free(copy);
  return MT_OK;
}

static Window window_1d(mt_CpuCall *call) {
  return (Window){.x = MT_FLOATS(call, 0),
                  .w = MT_FLOATS(call, 1),
                  .y = MT_FLOATS(call, 2),
                  .n = 1,
                  .m = MT_DIM(call, 'n'),
                  .k = 1,
                  .l = MT_DIM(call, 'k'),
                  .p = 1,
                  .q = MT_DIM(call, 'p')};
}

mt_Status mt_cpu_run_conv1d(mt_CpuCall *call, mt_Error *err) {
  Window v = window_1d(call);
  return convolve(call, &v, false, err);
}

mt_Status mt_cpu_run_conv2d(mt_CpuCall *call, mt_Error *err) {
  Window v = {.x = MT_FLOATS(call, 0),
              .w = MT_FLOATS(call, 1),
              .y = MT_FLOATS(call, 2),
              .n = MT_DIM(call, 'n'),
              .m = MT_DIM(call, 'm'),
              .k = MT_DIM(call, 'k'),
              .l = MT_DIM(call, 'l'),
              .p = MT_DIM(call, 'p'),
              .q = MT_DIM(call, 'q')};
  return convolve(call, &v, true, err);
}

/* The library computes every window; a stride picks from them. */
mt_Status mt_cpu_vendor_conv1d(mt_CpuCall *call, const mt_CpuVendor *lib,
                               mt_Error *err) {
  Window v = window_1d(call);
  size_t pad = (size_t)call->option[0], stride = (size_t)call->option[1];
  float *copy = NULL, *all = v.y;
  mt_Status status = MT_FAIL;
  if (pad && (copy = padded(call, &v, pad, false, err)) == NULL) goto done;
  size_t count = v.m - v.l + 1;
  if (stride > 1) all = mt_cpu_scratch(call, count, sizeof *all, err);
  if (all == NULL) goto done;
  size_t part = ((size_t)1 << 28) / v.l + 1;
  for (size_t i = 0; i < count && !mt_cancelled(); i += part)
    lib->correlate(v.x + i, v.w, all + i, count - i < part ? count - i : part,
                   v.l);
  for (size_t i = 0; stride > 1 && i < v.q; i++) v.y[i] = all[i * stride];
  status = MT_OK;
done:
  if (all != v.y) free(all);
  free(copy);
  return status;
}

/* ----------------------------------------------------------------- maxpool */

/* One row of y; 'stride' is a constant where that is worth it. */
MT_INLINE void pool_row(const Window *v, size_t r, size_t stride) {
  float *y = v->y + r * v->q;
  for (size_t c = 0; c < v->q; c++) y[c] = -INFINITY;
  for (size_t i = 0; i < v->k && !mt_cancelled(); i++)
    for (size_t j = 0; j < v->l; j++) {
      const float *x = v->x + (r * stride + i) * v->m + j;
      MT_EACH for (size_t c = 0; c < v->q; c++)
        y[c] = mt_larger(x[c * stride], y[c]);
    }
}

MT_HOT static void pool_rows(void *context, size_t first, size_t last,
                             unsigned worker) {
  const Window *v = context;
  (void)worker;
  for (size_t r = first; r < last; r++) {
    if (v->stride == 1) pool_row(v, r, 1);
    else if (v->stride == 2) pool_row(v, r, 2);
    else pool_row(v, r, v->stride);
  }
}

mt_Status mt_cpu_run_maxpool(mt_CpuCall *call, mt_Error *err) {
  size_t size = (size_t)call->option[0];
  Window v = {.x = MT_FLOATS(call, 0),
              .y = MT_FLOATS(call, 1),
              .m = MT_DIM(call, 'm'),
              .k = size,
              .l = size,
              .p = MT_DIM(call, 'p'),
              .q = MT_DIM(call, 'q'),
              .stride = pool_stride(call)};
  (void)err;
  mt_cpu_loop(call, v.p, 100000 / (size * size * v.q + 1) + 1, pool_rows, &v);
  return MT_OK;
}
