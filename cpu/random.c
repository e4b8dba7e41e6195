/*
** random.c - random_uniform, random_normal: numbers out of a counter and a
** seed.
**
** Philox with two words and ten rounds: each pair of numbers is a function of
** its place alone, so every core, and every device, gives the same ones.
*/
#include "cpu/inside.h"
#include "cpu/mathf.h"

#define GRAIN 16384 /* pairs a piece */
#define ROUNDS 10

enum { N_OPTION, SEED };

mt_Status mt_cpu_derive_random(mt_CpuCall *call, mt_Error *err) {
  mt_Status status = mt_cpu_derive_length(call, err);
  if (status == MT_OK && call->option[SEED] > UINT32_MAX)
    return mt_cpu_error(call, err, MT_BADARG, "seed must fit a uint");
  return status;
}

typedef struct Pair {
  uint32_t x, y;
} Pair;

MT_INLINE Pair philox(uint32_t counter, uint32_t key) {
  Pair v = {counter, 0};
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t product = (uint64_t)v.x * 0xd256d193u;
    v = (Pair){(uint32_t)(product >> 32) ^ key ^ v.y, (uint32_t)product};
    key += 0x9e3779b9u;
  }
  return v;
}

/* The first 24 bits, all that a float holds: 0 <= it < 1. */
MT_INLINE float unit(uint32_t bits) {
  return (float)(int32_t)(bits >> 8) * 0x1p-24f;
}

MT_INLINE void uniform_pair(uint32_t i, uint32_t seed, float *a, float *b) {
  Pair v = philox(i, seed);
  *a = unit(v.x);
  *b = unit(v.y);
}

/* Box and Muller: a radius and an angle from two uniform numbers. */
MT_INLINE void normal_pair(uint32_t i, uint32_t seed, float *a, float *b) {
  Pair v = philox(i, seed);
  /* 0 < u: it has a logarithm */
  float u = (float)(int32_t)((v.x >> 8) + 1) * 0x1p-24f;
  float radius = sqrtf(-2 * mt_log(u)), sine, cosine;
  mt_turn(unit(v.y), &sine, &cosine);
  *a = radius * cosine;
  *b = radius * sine;
}

/* Pairs [first, last) of y; the last one may be a half. */
#define PIECE(name)                                                            \
  MT_HOT static void name##_piece(void *context, size_t first, size_t last,    \
                                  unsigned worker) {                           \
    const mt_CpuCall *call = context;                                          \
    size_t n = MT_DIM(call, 'n'), whole = last <= n / 2 ? last : n / 2;        \
    uint32_t seed = (uint32_t)call->option[SEED];                              \
    float *y = MT_FLOATS(call, 0), half;                                       \
    (void)worker;                                                              \
    for (size_t i = first; i < whole; i++)                                     \
      name##_pair((uint32_t)i, seed, &y[2 * i], &y[2 * i + 1]);                \
    if (whole < last)                                                          \
      name##_pair((uint32_t)whole, seed, &y[2 * whole], &half);                \
  }                                                                            \
  mt_Status mt_cpu_run_random_##name(mt_CpuCall *call, mt_Error *err) {        \
    (void)err;                                                                 \
    mt_cpu_loop(call, (MT_DIM(call, 'n') + 1) / 2, GRAIN, name##_piece, call); \
    return MT_OK;                                                              \
  }

PIECE(uniform)
PIECE(normal)
