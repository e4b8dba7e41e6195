/*
** permutation.h - the numbers below n in an order that looks random.
**
** i -> (factor * i + start) mod n is a permutation where the factor has no
** divisor in common with n: nothing is stored, any place is asked for alone.
*/
#ifndef MT_PERMUTATION_H
#define MT_PERMUTATION_H

#include <stdint.h>

typedef struct mt_Permutation {
  uint64_t factor, start, n;
} mt_Permutation;

/* Bits spread over the whole number: neighbours become unlike each other. */
static inline uint64_t mt_mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static inline uint64_t mt_common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

/* One of 0 … n - 1, chosen by two numbers; n is at least 1. */
static inline mt_Permutation mt_permutation(uint64_t n, uint64_t factor,
                                            uint64_t start) {
  mt_Permutation p = {factor % n, start % n, n};
  if (n > 1)
    while (p.factor == 0 || mt_common_divisor(p.factor, n) != 1)
      p.factor = (p.factor + 1) % n;
  return p;
}

static inline uint64_t mt_permuted(const mt_Permutation *p, uint64_t i) {
  return (uint64_t)(((__uint128_t)p->factor * i + p->start) % p->n);
}

#endif
