/*
** frame.c - rows of numbers to bytes, a loop for each type.
**
** The loops do the same to every number of a block, so that compilers make
** vectors of them; channels are put in their places afterwards. Floats of 16
** bits are looked up in a table of all of them.
*/
#include "pictures/frame.h"

#include <pthread.h>
#include <string.h>

#include "base/half.h"
#include "base/scalar.h"

enum { BLOCK = 4096 }; /* numbers at a time: fits the first cache */

void mt_frame_range(mt_Scalar scalar, double *low, double *high) {
  *low = 0;
  *high = mt_scalar_is_float(scalar) || scalar == MT_BOOL ? 1 : mt_scalar_highest(scalar);
}

static inline uint8_t to_byte(float v) {
  v = v > 0 ? v : 0; /* a nan, too */
  v = v < 255 ? v : 255;
  return (uint8_t)(int)(v + 0.5f);
}

#define QUANTIZE(name, type)                                                \
  static void name(const type *from, size_t n, float low, float scale,      \
                   uint8_t *out) {                                          \
    for (size_t i = 0; i < n; i++)                                          \
      out[i] = to_byte(((float)from[i] - low) * scale);                     \
  }
QUANTIZE(quantize_char, int8_t)
QUANTIZE(quantize_uchar, uint8_t)
QUANTIZE(quantize_short, int16_t)
QUANTIZE(quantize_ushort, uint16_t)
QUANTIZE(quantize_int, int32_t)
QUANTIZE(quantize_uint, uint32_t)
QUANTIZE(quantize_long, int64_t)
QUANTIZE(quantize_ulong, uint64_t)
QUANTIZE(quantize_float, float)

/* All 65536 floats of 16 bits; made anew when type or range change. */
static void quantize_half(const uint16_t *from, size_t n, bool bfloat,
                          float low, float scale, uint8_t *out) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static uint8_t table[65536];
  static struct { float low, scale; bool bfloat, made; } of;
  pthread_mutex_lock(&lock);
  if (!of.made || of.low != low || of.scale != scale || of.bfloat != bfloat) {
    for (uint32_t i = 0; i < 65536; i++) {
      float v = bfloat ? mt_bfloat_to_float((uint16_t)i) : mt_half_to_float((uint16_t)i);
      table[i] = to_byte((v - low) * scale);
    }
    of.low = low, of.scale = scale, of.bfloat = bfloat, of.made = true;
  }
  for (size_t i = 0; i < n; i++) out[i] = table[from[i]];
  pthread_mutex_unlock(&lock);
}

static void quantize(mt_Scalar s, const void *from, size_t n, float low,
                     float scale, uint8_t *out) {
  switch (s) {
    case MT_CHAR: quantize_char(from, n, low, scale, out); break;
    case MT_BOOL: case MT_UCHAR: quantize_uchar(from, n, low, scale, out); break;
    case MT_SHORT: quantize_short(from, n, low, scale, out); break;
    case MT_USHORT: quantize_ushort(from, n, low, scale, out); break;
    case MT_INT: quantize_int(from, n, low, scale, out); break;
    case MT_UINT: quantize_uint(from, n, low, scale, out); break;
    case MT_LONG: quantize_long(from, n, low, scale, out); break;
    case MT_ULONG: quantize_ulong(from, n, low, scale, out); break;
    case MT_HALF: case MT_BFLOAT: quantize_half(from, n, s == MT_BFLOAT, low, scale, out); break;
    case MT_FLOAT: quantize_float(from, n, low, scale, out); break;
    case MT_VOID: memset(out, 0, n); break;
  }
}

static void place_mapped(const uint8_t *from, size_t n, unsigned stride,
                         const uint8_t (*map)[3], uint8_t *rgba) {
  for (size_t i = 0; i < n; i++, from += stride, rgba += 4) {
    for (int c = 0; c < 3; c++) rgba[c] = map ? map[*from][c] : *from;
    rgba[3] = 255;
  }
}

static void place_colours(const mt_Texels *t, const uint8_t *from, size_t n,
                          uint8_t *rgba) {
  unsigned red = t->bgra ? 2 : 0, blue = t->bgra ? 0 : 2;
  for (size_t i = 0; i < n; i++, from += t->stride, rgba += 4) {
    rgba[0] = from[red];
    rgba[1] = from[1];
    rgba[2] = t->channels > 2 ? from[blue] : 0;
    rgba[3] = 255;
  }
}

void mt_frame_fill(const mt_Texels *t, double low, double high,
                   const uint8_t (*map)[3], uint8_t *rgba) {
  uint8_t bytes[BLOCK];
  float scale = high > low ? (float)(255 / (high - low)) : 0;
  bool as_is = t->scalar == MT_UCHAR && low == 0 && high == 255;
  size_t most = BLOCK / t->stride, size = mt_scalar_size(t->scalar) * t->stride;
  for (size_t first = 0; first < t->count; first += most) {
    size_t n = t->count - first < most ? t->count - first : most;
    const uint8_t *from = (const uint8_t *)t->numbers + first * size;
    if (!as_is) quantize(t->scalar, from, n * t->stride, (float)low, scale, bytes);
    const uint8_t *ready = as_is ? from : bytes;
    if (t->channels == 1) place_mapped(ready, n, t->stride, map, rgba + first * 4);
    else place_colours(t, ready, n, rgba + first * 4);
  }
}
