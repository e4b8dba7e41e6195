/*
** mathf.h - the functions of math.h that the references need in their inner
** loops, written so that the compiler can do several at a time.
**
** No branch and no table: what differs by value is a select. Errors are given
** against the exact value; tests/c/cpu/test_cpu_math.c measures them.
*/
#ifndef MT_CPU_MATHF_H
#define MT_CPU_MATHF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cpu/inside.h"

MT_INLINE float mt_from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

MT_INLINE uint32_t mt_to_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* NaN stays NaN, which 'x > 0 ? x : 0' would lose. */
MT_INLINE float mt_relu(float x) { return x < 0 ? 0 : x; }

/* The larger, or NaN if either is. */
MT_INLINE float mt_larger(float a, float b) {
  return ((a > b) | (a != a)) ? a : b;
}

/*
** e to the x, within 1 ulp; NaN gives NaN, large x infinity, and small x
** denormals, then 0. e^x = 2^n · e^r with n whole and |r| <= ln(2)/2.
*/
MT_INLINE float mt_exp(float x) {
  const float magic = 0x1.8p23f; /* adding it rounds to a whole number */
  x = x > 89.0f ? 89.0f : x;     /* infinite above 88.7 */
  x = x < -104.0f ? -104.0f : x; /* 0 below -103.97 */
  float shifted = x * 0x1.715476p0f + magic;
  float n = shifted - magic;
  float r = (x - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
  float p = 0x1.61c5fep-10f; /* (e^r - 1 - r) / r², fitted: 8e-9 */
  p = p * r + 0x1.1255acp-7f;
  p = p * r + 0x1.5566a8p-5f;
  p = p * r + 0x1.555466p-3f;
  p = p * r + 0x1.ffffe6p-2f;
  p = p * r * r + r + 1.0f;
  /* 2^n in two factors, since n may be outside a float's exponents */
  int32_t whole = (int32_t)(mt_to_bits(shifted) - mt_to_bits(magic));
  int32_t half = whole >> 1;
  float f = mt_from_bits((uint32_t)(half + 127) << 23);
  float g = mt_from_bits((uint32_t)(whole - half + 127) << 23);
  return p * f * g;
}

/*
** The natural logarithm, within 2 ulp; of 0 -infinity, of less NaN.
** x = 2^n · m with m in [sqrt(1/2), sqrt(2)); log m by s = (m - 1) / (m + 1).
*/
MT_INLINE float mt_log(float x) {
  float tiny = x < 0x1p-126f ? 0x1p24f : 1.0f; /* denormals made normal */
  uint32_t bits = mt_to_bits(x * tiny) - 0x3f3504f3u;
  int32_t n = (int32_t)bits >> 23;
  float m = mt_from_bits((bits & 0x7fffffu) + 0x3f3504f3u);
  float s = (m - 1.0f) / (m + 1.0f), z = s * s;
  float p = 0x1.e30526p-3f; /* (log m - 2 s) / s³, fitted: 5e-12 */
  p = p * z + 0x1.24387ap-2f;
  p = p * z + 0x1.999a7cp-2f;
  p = p * z + 0x1.555554p-1f;
  float e = (float)n - (tiny > 1.0f ? 24.0f : 0.0f);
  float y = s * z * p + e * 0x1.7f7d1cp-20f;
  y = (y + 2.0f * s) + e * 0x1.62e4p-1f;
  y = x == INFINITY ? x : y;
  y = x == 0 ? -INFINITY : y;
  return x < 0 || x != x ? NAN : y;
}

/*
** The hyperbolic tangent, within 4 ulp.
*/
MT_INLINE float mt_tanh(float x) {
  float z = x < 0 ? -x : x, t = mt_exp(-2 * z), s = x * x;
  float far = (1 - t) / (1 + t);
  float near =
      z +
      z * s *
          (-0x1.555556p-2f +
           s * (0x1.111112p-3f + s * (-0x1.ba1ba2p-5f + s * 0x1.664f48p-6f)));
  float y = z < 0.25f ? near : far;
  return x < 0 ? -y : y;
}

/*
** Sine and cosine of a part of a whole turn, 0 <= f <= 1, within 1e-7: the
** nearest quarter is taken off, which leaves an angle of 45 degrees at most.
*/
MT_INLINE void mt_turn(float f, float *sine, float *cosine) {
  const float magic = 0x1.8p23f; /* adding it rounds to a whole number */
  float quarter = (4 * f + magic) - magic;
  float x = (f - 0.25f * quarter) * 0x1.921fb6p2f, z = x * x;
  float s =
      x +
      x * z *
          (-0x1.555556p-3f +
           z * (0x1.111112p-7f + z * (-0x1.a01a02p-13f + z * 0x1.71de3ap-19f)));
  float c = 1 + z * (-0.5f +
                     z * (0x1.555556p-5f +
                          z * (-0x1.6c16c2p-10f +
                               z * (0x1.a01a02p-16f + z * -0x1.27e4fcp-22f))));
  int32_t q = (int32_t)quarter;
  float along = q & 1 ? s : c, across = q & 1 ? c : s;
  *sine = q & 2 ? -across : across;
  *cosine = (q + 1) & 2 ? -along : along;
}

/*
** The normal distribution: the share that lies below x, within 3e-7 (Abramowitz
** and Stegun 26.2.17).
*/
MT_INLINE float mt_normal_below(float x) {
  float z = x < 0 ? -x : x;
  float t = 1.0f / (1.0f + 0.2316419f * z);
  float p = 1.330274429f;
  p = p * t - 1.821255978f;
  p = p * t + 1.781477937f;
  p = p * t - 0.356563782f;
  p = p * t + 0.319381530f;
  float above = 0.39894228f * mt_exp(-0.5f * z * z) * p * t;
  return x < 0 ? above : 1.0f - above;
}

#endif
