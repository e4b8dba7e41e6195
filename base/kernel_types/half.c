/*
** half.c - half and bfloat by their bits.
*/
#include "base/kernel_types/half.h"

#include <stdbool.h>
#include <string.h>

static uint32_t bits_of(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

static float float_of(uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

float mt_half_to_float(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
  uint32_t exponent = (h >> 10) & 31u, fraction = h & 0x3ffu;
  if (exponent == 31) return float_of(sign | 0x7f800000u | fraction << 13);
  if (exponent) return float_of(sign | (exponent + 112) << 23 | fraction << 13);
  /* zero or denormal: the fraction counts units of 2^-24 */
  float magnitude = (float)fraction * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

uint16_t mt_half_from_float(float f) {
  uint32_t u = bits_of(f), sign = (u >> 16) & 0x8000u,
           magnitude = u & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return (uint16_t)(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return (uint16_t)(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    /* adding 0.5 lets the float unit round to a multiple of 2^-24 */
    uint32_t rounded = bits_of(float_of(magnitude) + 0.5f);
    return (uint16_t)(sign | (rounded - 0x3f000000u));
  }
  uint32_t odd = (magnitude >> 13) & 1u;
  return (uint16_t)(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

float mt_bfloat_to_float(uint16_t b) { return float_of((uint32_t)b << 16); }

uint16_t mt_bfloat_from_float(float f) {
  uint32_t u = bits_of(f);
  if ((u & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(u >> 16 | 0x40u);
  return (uint16_t)((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
}

/* The float next to 'd', its last bit odd if 'd' is not a float: so that
** rounding it once more gives what rounding 'd' would give. */
static float float_to_odd(double d) {
  float f = (float)d;
  uint32_t u = bits_of(f);
  if ((double)f == d || d != d || u & 1u) return f;
  if ((u & 0x7fffffffu) == 0x7f800000u) return float_of(u - 1);
  bool is_larger = (f < 0 ? -(double)f : (double)f) > (d < 0 ? -d : d);
  return float_of(is_larger ? u - 1 : u + 1);
}

uint16_t mt_half_from_double(double d) {
  return mt_half_from_float(float_to_odd(d));
}

uint16_t mt_bfloat_from_double(double d) {
  return mt_bfloat_from_float(float_to_odd(d));
}
