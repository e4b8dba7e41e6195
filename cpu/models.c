/*
** models.c - mandelbrot, nbody, blackscholes: arithmetic more than memory.
**
** LANES pixels or bodies go side by side through the same steps, as threads of
** a SIMD-group do; each lane is a plain loop variable's worth of C.
*/
#include <stdlib.h>
#include <string.h>

#include "cpu/inside.h"
#include "cpu/mathf.h"

#define LANES 16
#define BLOCK 256 /* bodies whose forces are added in float, then in double */

/* -------------------------------------------------------------- mandelbrot */

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

/* ------------------------------------------------------------------- nbody */

typedef struct Bodies {
  const float *at, *speed; /* x y z mass, x y z and one that is kept */
  float *at2, *speed2;
  size_t n;
  float dt, soft; /* soft: softening squared */
} Bodies;

typedef struct Lane3 {
  float x[LANES], y[LANES], z[LANES];
} Lane3;

/* Pull of bodies [first, last) on LANES bodies at 'p', per unit of mass. */
MT_INLINE void pull_block(const Bodies *b, const Lane3 *p, size_t first,
                          size_t last, Lane3 *sum) {
  for (int l = 0; l < LANES; l++) sum->x[l] = sum->y[l] = sum->z[l] = 0;
  for (size_t j = first; j < last; j++) {
    const float *q = b->at + 4 * j;
    for (int l = 0; l < LANES; l++) {
      float dx = q[0] - p->x[l], dy = q[1] - p->y[l], dz = q[2] - p->z[l];
      float d2 = dx * dx + dy * dy + dz * dz + b->soft;
      float near = 1.0f / sqrtf(d2);
      float pull = q[3] * near * near * near;
      pull = d2 == 0 ? 0 : pull; /* a body does not pull itself */
      sum->x[l] += dx * pull;
      sum->y[l] += dy * pull;
      sum->z[l] += dz * pull;
    }
  }
}

MT_HOT static void pull_lanes(const Bodies *b, const Lane3 *p,
                              double pull[3][LANES]) {
  for (size_t j = 0; j < b->n && !mt_cancelled(); j += BLOCK) {
    Lane3 sum;
    pull_block(b, p, j, b->n - j < BLOCK ? b->n : j + BLOCK, &sum);
    for (int l = 0; l < LANES; l++) {
      pull[0][l] += sum.x[l];
      pull[1][l] += sum.y[l];
      pull[2][l] += sum.z[l];
    }
  }
}

static void move_body(const Bodies *b, size_t i, const float pull[3]) {
  const float *at = b->at + 4 * i, *speed = b->speed + 4 * i;
  float *at2 = b->at2 + 4 * i, *speed2 = b->speed2 + 4 * i;
  for (int k = 0; k < 3; k++) {
    speed2[k] = speed[k] + b->dt * pull[k];
    at2[k] = at[k] + b->dt * speed2[k];
  }
  speed2[3] = speed[3];
  at2[3] = at[3];
}

/* [first, last) is at most LANES bodies. */
static void nbody_lanes(void *context, size_t first, size_t last,
                        unsigned worker) {
  const Bodies *b = context;
  double pull[3][LANES] = {{0}};
  Lane3 p;
  (void)worker;
  for (size_t l = 0; l < LANES; l++) { /* idle lanes repeat the last body */
    const float *at = b->at + 4 * (first + l < last ? first + l : last - 1);
    p.x[l] = at[0];
    p.y[l] = at[1];
    p.z[l] = at[2];
  }
  pull_lanes(b, &p, pull);
  for (size_t i = first; i < last; i++) {
    size_t l = i - first;
    float mine[3] = {(float)pull[0][l], (float)pull[1][l], (float)pull[2][l]};
    move_body(b, i, mine);
  }
}

mt_Status mt_cpu_run_nbody(mt_CpuCall *call, mt_Error *err) {
  float softening = (float)call->option[1];
  Bodies b = {.at = MT_FLOATS(call, 0),
              .speed = MT_FLOATS(call, 1),
              .at2 = MT_FLOATS(call, 2),
              .speed2 = MT_FLOATS(call, 3),
              .n = MT_DIM(call, 'n'),
              .dt = (float)call->option[0],
              .soft = softening * softening};
  (void)err;
  mt_cpu_loop(call, b.n, LANES, nbody_lanes, &b);
  return MT_OK;
}

/* ------------------------------------------------------------ blackscholes */

MT_HOT static void price_piece(void *context, size_t first, size_t last,
                               unsigned worker) {
  const mt_CpuCall *t = context;
  const float *price = MT_FLOATS(t, 0), *strike = MT_FLOATS(t, 1);
  const float *years = MT_FLOATS(t, 2);
  float *call = MT_FLOATS(t, 3), *put = MT_FLOATS(t, 4);
  float rate = (float)t->option[0], v = (float)t->option[1];
  (void)worker;
  MT_EACH for (size_t i = first; i < last; i++) {
    float s = price[i], k = strike[i], y = years[i], spread = v * sqrtf(y);
    float d1 = (mt_log(s / k) + (rate + 0.5f * v * v) * y) / spread;
    float d2 = d1 - spread;
    float later = k * mt_exp(-rate * y); /* the strike, worth today */
    call[i] = s * mt_normal_below(d1) - later * mt_normal_below(d2);
    put[i] = later * mt_normal_below(-d2) - s * mt_normal_below(-d1);
  }
}

mt_Status mt_cpu_run_blackscholes(mt_CpuCall *call, mt_Error *err) {
  (void)err;
  mt_cpu_loop(call, call->count, 8192, price_piece, call);
  return MT_OK;
}
