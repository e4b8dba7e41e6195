/*
** helpers.c - what generated code may call besides the C library.
**
** The scheduler of threads that wait (fiber.c), and conversions of half and
** bfloat that the CPU has no instruction for: LLVM calls them by these names,
** and not every system's compiler runtime has them all. They take and give half
** in the register of a float, as LLVM does.
*/
#include "devices/host/engine/helpers.h"

#include <string.h>

#include "devices/host/engine/fiber.h"

#ifdef __FLT16_MAX__
typedef _Float16 Half; /* travels in a floating-point register */
#else
typedef uint16_t Half;
#endif

static uint32_t float_bits(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

static float bits_float(uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

static Half as_half(uint16_t bits) {
  Half h;
  memcpy(&h, &bits, sizeof h);
  return h;
}

static uint16_t half_bits(Half h) {
  uint16_t bits;
  memcpy(&bits, &h, sizeof bits);
  return bits;
}

/* 'u' shifted right by n, to nearest, ties to even. */
static uint32_t shift_round(uint32_t u, unsigned n) {
  if (n > 31) return 0;
  uint32_t kept = u >> n, lost = u & ((1u << n) - 1), half = 1u << (n - 1);
  return kept + (lost > half || (lost == half && (kept & 1)));
}

uint16_t mt_float_half(float f) {
  uint32_t u = float_bits(f), sign = u >> 16 & 0x8000, m = u & 0x7fffffff;
  if (m > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (m >> 13 & 0x1ff));
  if (m >= 0x47800000) return (uint16_t)(sign | 0x7c00);
  if (m >= 0x38800000)
    return (uint16_t)(sign | shift_round(m - 0x38000000, 13));
  uint32_t fraction = (m & 0x7fffff) | 0x800000;
  return (uint16_t)(sign | shift_round(fraction, 126 - (m >> 23)));
}

float mt_half_float(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000) << 16, m = h & 0x7fff;
  if (m >= 0x7c00) return bits_float(sign | 0x7f800000 | (m & 0x3ff) << 13);
  if (m >= 0x400) return bits_float(sign | ((m << 13) + 0x38000000));
  return bits_float(sign | float_bits((float)m * 0x1p-24f));
}

static Half float_to_half(float f) { return as_half(mt_float_half(f)); }
static float half_to_float(Half h) { return mt_half_float(half_bits(h)); }

uint16_t mt_float_bfloat(float f) {
  uint32_t u = float_bits(f);
  if ((u & 0x7fffffff) > 0x7f800000) return (uint16_t)(u >> 16 | 0x40);
  return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

static Half float_to_bfloat(float f) { return as_half(mt_float_bfloat(f)); }

#define HELPER(name, f) {name, (void *)(uintptr_t)(f)}

static const mt_Helper table[] = {
    HELPER("mt_fiber_wait", mt_fiber_wait),
    HELPER("mt_fibers_run", mt_fibers_run),
    HELPER("__truncsfhf2", float_to_half),
    HELPER("__gnu_f2h_ieee", float_to_half),
    HELPER("__extendhfsf2", half_to_float),
    HELPER("__gnu_h2f_ieee", half_to_float),
    HELPER("__truncsfbf2", float_to_bfloat),
};

size_t mt_helpers(const mt_Helper **out) {
  *out = table;
  return sizeof table / sizeof *table;
}
