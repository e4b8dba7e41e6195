/*
** lanes.h - sums and maxima of arrays, many at a time.
**
** Float addition is not associative, so a compiler may not turn a running sum
** into vectors; written as sums side by side, it may. The types are the
** compiler's own vectors: they take however many registers the CPU needs.
*/
#ifndef MT_CPU_LANES_H
#define MT_CPU_LANES_H

#include "cpu/inside.h"
#include "cpu/mathf.h"

#define MT_CPU_LANES 16

/* 16 floats anywhere in an array of them; 8 floats; 8 doubles */
typedef float mt_Floats
    __attribute__((vector_size(4 * MT_CPU_LANES), aligned(4), may_alias));
typedef float mt_HalfFloats
    __attribute__((vector_size(2 * MT_CPU_LANES), aligned(4), may_alias));
typedef double mt_Doubles __attribute__((vector_size(4 * MT_CPU_LANES)));

/* What is added up. */
typedef enum mt_Term { MT_TERM_X, MT_TERM_XY, MT_TERM_SQUARE } mt_Term;

MT_INLINE double mt_term(mt_Term term, double x, double y, double mean) {
  if (term == MT_TERM_XY) return x * y;
  if (term == MT_TERM_SQUARE) return (x - mean) * (x - mean);
  return x;
}

/* Sum in double of x[i], x[i]·y[i] or (x[i] - mean)²; 'term' is a constant. */
MT_INLINE double mt_sum(mt_Term term, const float *x, const float *y,
                        double mean, size_t n) {
  enum { SUMS = 4, EACH = MT_CPU_LANES / 2 };
  mt_Doubles sum[SUMS] = {{0}};
  double total = 0;
  size_t i = 0;
  for (; i + SUMS * EACH <= n; i += SUMS * EACH)
    for (int s = 0; s < SUMS; s++) {
      size_t at = i + (size_t)(s * EACH);
      mt_Doubles v = __builtin_convertvector(*(const mt_HalfFloats *)(x + at),
                                             mt_Doubles);
      if (term == MT_TERM_XY)
        v *= __builtin_convertvector(*(const mt_HalfFloats *)(y + at),
                                     mt_Doubles);
      if (term == MT_TERM_SQUARE) v = (v - mean) * (v - mean);
      sum[s] += v;
    }
  sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  for (; i < n; i++)
    total += mt_term(term, x[i], term == MT_TERM_XY ? y[i] : 0, mean);
  for (int j = 0; j < EACH; j++) total += sum[0][j];
  return total;
}

/* The largest, or NaN if there is one; -infinity of nothing. The lanes are
** many, so that the compiler keeps the loop over them and makes it vectors. */
MT_INLINE float mt_largest(const float *x, size_t n) {
  enum { EACH = 64 };
  float top[EACH], largest = -INFINITY;
  size_t i = 0;
  for (int j = 0; j < EACH; j++) top[j] = -INFINITY;
  for (; i + EACH <= n; i += EACH)
    for (int j = 0; j < EACH; j++)
      top[j] = mt_larger(x[i + (size_t)j], top[j]);
  for (; i < n; i++) largest = mt_larger(x[i], largest);
  for (int j = 0; j < EACH; j++) largest = mt_larger(top[j], largest);
  return largest;
}

#endif
