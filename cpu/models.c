/*
** models.c - nbody, blackscholes: arithmetic more than memory.
**
** LANES bodies go side by side through the same steps, as threads of a
** SIMD-group do; each lane is a plain loop variable's worth of C.
*/

#include "cpu/inside.h"
#include "cpu/mathf.h"

#define LANES 16
#define BLOCK 256 /* bodies whose forces are added in float, then in double */

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
