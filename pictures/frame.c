/*
** frame.c - rows of numbers to bytes, a loop for each type of the table
** (msl/include/metal/__scalar_types).
**
** The loops do the same to every number of a block, so that compilers make
** vectors of them (restrict: bytes may not lie among the numbers); channels are
** put in their places afterwards. Floats of 16 bits are looked up in a table of
** all of them.
*/
#include "pictures/frame.h"

#include <pthread.h>
#include <string.h>

#include "base/kernel_types/half.h"
#include "base/kernel_types/scalar.h"

enum { BLOCK = 4096 }; /* numbers at a time: fits the first cache */

void mt_frame_range(mt_Scalar scalar, double *low, double *high) {
  *low = 0;
  *high = mt_scalar_is_float(scalar) || scalar == MT_BOOL
              ? 1
              : mt_scalar_highest(scalar);
}

/* Twice the numbers at a time where the processor has AVX2. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDER __attribute__((target_clones("avx2", "default")))
#else
#define WIDER
#endif

/* v is a byte and a half; the half rounds. */
static inline uint8_t to_byte(float v) {
  v = v > 0 ? v : 0; /* a nan, too */
  v = v < 255.5f ? v : 255.5f;
  return (uint8_t)(int)v;
}

#define QUANTIZE(name, type)                                               \
  WIDER static void quantize_##name(const type *restrict from, size_t n,   \
                                    float scale, float bias,               \
                                    uint8_t *restrict out) {               \
    for (size_t i = 0; i < n; i++)                                         \
      out[i] = to_byte((float)from[i] * scale + bias);                     \
  }
/* By the column 'converts' of the table of scalars. */
#define QUANTIZE_plain(name, type) QUANTIZE(name, type)
#define QUANTIZE_truth(name, type) QUANTIZE(name, type)
#define QUANTIZE_half(name, type)
#define QUANTIZE_bfloat(name, type)
#define X(with, id, name, clang, declared, storage, class, highest, converts, \
          ...)                                                                \
  QUANTIZE_##converts(name, storage)
__MT_SCALARS(X, )
#undef X

/* All 65536 floats of 16 bits; made again when type or range change. */
static void quantize_bits(float to_float(uint16_t bits), const uint16_t *from,
                          size_t n, float scale, float bias, uint8_t *out) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static uint8_t table[65536];
  static struct { float scale, bias; float (*to_float)(uint16_t bits); } of;
  pthread_mutex_lock(&lock);
  if (of.to_float != to_float || of.scale != scale || of.bias != bias) {
    for (uint32_t i = 0; i < 65536; i++)
      table[i] = to_byte(to_float((uint16_t)i) * scale + bias);
    of.scale = scale, of.bias = bias, of.to_float = to_float;
  }
  for (size_t i = 0; i < n; i++) out[i] = table[from[i]];
  pthread_mutex_unlock(&lock);
}

#define BYTES_plain(name) quantize_##name(
#define BYTES_truth(name) quantize_##name(
#define BYTES_half(name) quantize_bits(mt_half_to_float,
#define BYTES_bfloat(name) quantize_bits(mt_bfloat_to_float,

static void quantize(mt_Scalar s, const void *from, size_t n, float scale,
                     float bias, uint8_t *out) {
#define X(with, id, name, clang, declared, storage, class, highest, converts, \
          ...)                                                                \
  case MT_##id:                                                               \
    BYTES_##converts(name) from, n, scale, bias, out);                        \
    break;
  switch (s) {
    __MT_SCALARS(X, )
    case MT_VOID: memset(out, 0, n); break;
  }
#undef X
}

static uint32_t pixel(uint8_t r, uint8_t g, uint8_t b) {
  uint8_t bytes[4] = {r, g, b, 255};
  uint32_t p;
  memcpy(&p, bytes, 4);
  return p;
}

/* By a table of whole pixels, made once a frame. */
static void place_mapped(const uint8_t *restrict from, size_t n,
                         unsigned stride, const uint32_t pixels[256],
                         uint8_t *restrict rgba) {
  for (size_t i = 0; i < n; i++)
    memcpy(rgba + 4 * i, &pixels[from[i * stride]], 4);
}

/* The usual order: only alpha is to be set. */
static void place_rgba(const uint8_t *restrict from, size_t n,
                       uint8_t *restrict rgba) {
  uint32_t opaque = pixel(0, 0, 0);
  for (size_t i = 0; i < n; i++) {
    uint32_t p;
    memcpy(&p, from + 4 * i, 4);
    p |= opaque;
    memcpy(rgba + 4 * i, &p, 4);
  }
}

static void place_colours(const mt_Texels *t, const uint8_t *restrict from,
                          size_t n, uint8_t *restrict rgba) {
  if (t->stride == 4 && t->channels > 2 && !t->bgra) {
    place_rgba(from, n, rgba);
    return;
  }
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
  float bias = (float)(0.5 - low * (double)scale);
  bool as_is = t->scalar == MT_UCHAR && low == 0 && high == 255;
  uint32_t pixels[256];
  for (unsigned i = 0; i < 256 && t->channels == 1; i++)
    pixels[i] = map ? pixel(map[i][0], map[i][1], map[i][2])
                    : pixel((uint8_t)i, (uint8_t)i, (uint8_t)i);
  size_t most = BLOCK / t->stride, size = mt_scalar_size(t->scalar) * t->stride;
  for (size_t first = 0; first < t->count; first += most) {
    size_t n = t->count - first < most ? t->count - first : most;
    const uint8_t *from = (const uint8_t *)t->numbers + first * size;
    if (!as_is) quantize(t->scalar, from, n * t->stride, scale, bias, bytes);
    const uint8_t *ready = as_is ? from : bytes;
    if (t->channels == 1)
      place_mapped(ready, n, t->stride, pixels, rgba + first * 4);
    else place_colours(t, ready, n, rgba + first * 4);
  }
}
