/*
** mandelbrot.c - how many steps until z = z² + c leaves the circle of radius 2.
**
** POINTS pixels go side by side through the same steps, as threads of a
** SIMD-group do. At the border of the set the last digit of one step decides a
** count, so each operation is rounded on its own: the Makefile compiles this
** file with -ffp-contract=off, and all compilers and CPUs give the same counts.
*/
#include <string.h>

#include "cpu/inside.h"

typedef struct Plane {
  uint32_t *counts;
  size_t n, m;
  float x, y, pixel; /* of the first pixel's centre; side of a pixel */
  uint32_t steps;
} Plane;

enum { ROWS_OPTION, COLUMNS_OPTION, X, Y, WIDTH, STEPS };

mt_Status mt_cpu_derive_mandelbrot(mt_CpuCall *call, mt_Error *err) {
  const mt_CpuArray *given = &call->array[0];
  bool fixed = given->type != MT_VOID && given->dims == 2;
  for (int i = 0; i < 2; i++) {
    size_t asked = (size_t)call->option[i];
    if (fixed && call->chosen[i] && given->shape[i] != asked)
      return mt_cpu_error(call, err, MT_BADARG,
                          "counts has %zu %s, but the option says %zu",
                          given->shape[i], i ? "columns" : "rows", asked);
    call->dim[(i ? 'm' : 'n') - 'a'] = fixed ? given->shape[i] : asked;
  }
  if (call->option[STEPS] > UINT32_MAX)
    return mt_cpu_error(call, err, MT_BADARG, "steps must fit a uint");
  return MT_OK;
}

#define POINTS 32 /* each step waits for the last; two vectors hide that */

/* Points on their way. */
typedef struct Points {
  float cx[POINTS], zx[POINTS], zy[POINTS];
  uint32_t count[POINTS];
} Points;

#define UNROLL 8

/* 'steps' steps, a constant; are any of them still inside after that? */
MT_INLINE bool step_points(Points *p, float cy, int steps) {
  uint32_t going = 0;
  for (int j = 0; j < POINTS; j++) {
    float x = p->zx[j], y = p->zy[j];
    uint32_t in = 0, count = 0;
#pragma GCC unroll 8
    for (int s = 0; s < steps; s++) {
      float xx = x * x, yy = y * y, xy = x * y;
      in = xx + yy <= 4.0f; /* false for ever once false */
      count += in;
      x = (xx - yy) + p->cx[j];
      y = (xy + xy) + cy;
    }
    p->zx[j] = x;
    p->zy[j] = y;
    p->count[j] += count;
    going |= in;
  }
  return going != 0;
}

/* Counts of POINTS pixels from column c of row r on. */
MT_INLINE void mandelbrot_lanes(const Plane *p, size_t r, size_t c,
                                Points *points) {
  float cy = p->y + (float)r * p->pixel;
  uint32_t left = p->steps, rounds = 0;
  memset(points, 0, sizeof *points);
  for (int j = 0; j < POINTS; j++)
    points->cx[j] = p->x + (float)(uint32_t)(c + (size_t)j) * p->pixel;
  for (; left >= UNROLL; left -= UNROLL) {
    if (!step_points(points, cy, UNROLL)) return;
    if (++rounds % 8192 == 0 && mt_cancelled()) return;
  }
  while (left-- > 0 && step_points(points, cy, 1)) continue;
}

MT_HOT static void mandelbrot_rows(void *context, size_t first, size_t last,
                                   unsigned worker) {
  const Plane *p = context;
  (void)worker;
  for (size_t r = first; r < last; r++)
    for (size_t c = 0; c < p->m && !mt_cancelled(); c += POINTS) {
      Points points;
      mandelbrot_lanes(p, r, c, &points);
      for (size_t j = 0; j < POINTS && c + j < p->m; j++)
        p->counts[r * p->m + c + j] = points.count[j];
    }
}

mt_Status mt_cpu_run_mandelbrot(mt_CpuCall *call, mt_Error *err) {
  Plane p = {.counts = MT_UINTS(call, 0),
             .n = MT_DIM(call, 'n'),
             .m = MT_DIM(call, 'm'),
             .steps = (uint32_t)call->option[STEPS]};
  (void)err;
  if (p.n == 0 || p.m == 0) return MT_OK;
  double pixel = call->option[WIDTH] / (double)p.m;
  p.pixel = (float)pixel;
  p.x = (float)(call->option[X] - pixel * ((double)p.m - 1) / 2);
  p.y = (float)(call->option[Y] - pixel * ((double)p.n - 1) / 2);
  mt_cpu_loop(call, p.n, 1, mandelbrot_rows, &p);
  return MT_OK;
}
