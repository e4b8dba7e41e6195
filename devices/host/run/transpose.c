/*
** transpose.c - transposes words of many rows.
**
** The one idea: a 4 x 4 transpose is eight shuffles, and larger ones only
** choose which address is loaded into which quarter of a register. Four rows at
** a time on any CPU, sixteen with AVX-512.
*/
#include "devices/host/run/transpose.h"

#include <string.h>

#include "devices/compiler/target/target.h"

/* Not instrumented by sanitizers: the caller has checked the addresses, which
** may reach past an object within its page. */
#if defined(__clang__)
#define UNWATCHED __attribute__((no_sanitize("address", "thread", "undefined")))
#else
#define UNWATCHED __attribute__((no_sanitize_address, no_sanitize_thread))
#endif

#define LINE MT_CACHE_LINE
#define AHEAD (2 * LINE) /* prefetch distance in each row */

typedef uint32_t Four __attribute__((vector_size(16)));

static inline Four get(const void *at) {
  Four x;
  memcpy(&x, at, sizeof x);
  return x;
}

static inline void put(void *at, Four x) { memcpy(at, &x, sizeof x); }

/* Four rows of four words to four columns. */
static inline void turn(Four x[4]) {
  Four a = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5);
  Four b = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7);
  Four c = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5);
  Four d = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

UNWATCHED
static void rows_in_from(size_t l, const char *const *at, uint32_t count,
                         uint32_t words, uint32_t *out) {
  for (; l < count; l += 4)
    for (size_t w = 0; w < words; w += 4) {
      Four x[4] = {get(at[l] + 4 * w), get(at[l + 1] + 4 * w),
                   get(at[l + 2] + 4 * w), get(at[l + 3] + 4 * w)};
      turn(x);
      uint32_t *to = out + w * count + l;
      put(to, x[0]), put(to + count, x[1]);
      put(to + 2 * (size_t)count, x[2]), put(to + 3 * (size_t)count, x[3]);
    }
}

UNWATCHED
static void rows_out_from(size_t l, char *const *at, uint32_t count,
                          uint32_t words, const uint32_t *in) {
  for (; l < count; l += 4)
    for (size_t w = 0; w < words; w += 4) {
      const uint32_t *from = in + w * count + l;
      Four x[4] = {get(from), get(from + count), get(from + 2 * (size_t)count),
                   get(from + 3 * (size_t)count)};
      turn(x);
      put(at[l] + 4 * w, x[0]), put(at[l + 1] + 4 * w, x[1]);
      put(at[l + 2] + 4 * w, x[2]), put(at[l + 3] + 4 * w, x[3]);
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define LONG __attribute__((target("avx512f")))

/* The same in each quarter of a 512-bit register. */
LONG static inline void turn_long(__m512i x[4]) {
  __m512i a = _mm512_unpacklo_epi32(x[0], x[1]);
  __m512i b = _mm512_unpackhi_epi32(x[0], x[1]);
  __m512i c = _mm512_unpacklo_epi32(x[2], x[3]);
  __m512i d = _mm512_unpackhi_epi32(x[2], x[3]);
  x[0] = _mm512_unpacklo_epi64(a, c), x[1] = _mm512_unpackhi_epi64(a, c);
  x[2] = _mm512_unpacklo_epi64(b, d), x[3] = _mm512_unpackhi_epi64(b, d);
}

LONG static inline __m512i with(__m512i x, __mmask16 where, const char *at) {
  __m128i quarter = _mm_loadu_si128((const __m128i *)(const void *)at);
  return _mm512_mask_broadcast_i32x4(x, where, quarter);
}

/* 16 bytes of each of rows 0, 4, 8 and 12. */
LONG static inline __m512i quarters(const char *const *row, size_t byte) {
  __m512i x = with(_mm512_setzero_si512(), 0x000f, row[0] + byte);
  x = with(x, 0x00f0, row[4] + byte);
  x = with(x, 0x0f00, row[8] + byte);
  return with(x, 0xf000, row[12] + byte);
}

LONG static inline void put_quarters(char *const *row, size_t byte, __m512i x) {
  __m128i *to[4] = {(__m128i *)(void *)(row[0] + byte),
                    (__m128i *)(void *)(row[4] + byte),
                    (__m128i *)(void *)(row[8] + byte),
                    (__m128i *)(void *)(row[12] + byte)};
  _mm_storeu_si128(to[0], _mm512_castsi512_si128(x));
  _mm_storeu_si128(to[1], _mm512_extracti32x4_epi32(x, 1));
  _mm_storeu_si128(to[2], _mm512_extracti32x4_epi32(x, 2));
  _mm_storeu_si128(to[3], _mm512_extracti32x4_epi32(x, 3));
}

LONG static inline void sixteen_in(const char *const *row, uint32_t count,
                                   uint32_t words, uint32_t *out) {
  for (size_t w = 0; w < words; w += 4) {
    uint32_t *to = out + w * count;
    __m512i x[4] = {quarters(row, 4 * w), quarters(row + 1, 4 * w),
                    quarters(row + 2, 4 * w), quarters(row + 3, 4 * w)};
    turn_long(x);
    _mm512_storeu_si512(to, x[0]);
    _mm512_storeu_si512(to + count, x[1]);
    _mm512_storeu_si512(to + 2 * (size_t)count, x[2]);
    _mm512_storeu_si512(to + 3 * (size_t)count, x[3]);
  }
}

LONG static inline void sixteen_out(char *const *row, uint32_t count,
                                    uint32_t words, const uint32_t *in) {
  for (size_t w = 0; w < words; w += 4) {
    const uint32_t *from = in + w * count;
    __m512i x[4] = {_mm512_loadu_si512(from), _mm512_loadu_si512(from + count),
                    _mm512_loadu_si512(from + 2 * (size_t)count),
                    _mm512_loadu_si512(from + 3 * (size_t)count)};
    turn_long(x);
    put_quarters(row, 4 * w, x[0]);
    put_quarters(row + 1, 4 * w, x[1]);
    put_quarters(row + 2, 4 * w, x[2]);
    put_quarters(row + 3, 4 * w, x[3]);
  }
}

/* Whole cache lines are copied first, each once: rows that are pages apart map
** to one cache set, which has no room for sixteen. */
typedef struct Lines {
  char *at[16];
  char line[16][LINE] __attribute__((aligned(LINE)));
} Lines;

LONG UNWATCHED static void long_rows_in(const char *const *at, uint32_t count,
                                        uint32_t words, uint32_t *out) {
  Lines near;
  size_t l = 0;
  for (size_t k = 0; k < 16; k++) near.at[k] = near.line[k];
  for (; l + 16 <= count; l += 16) {
    if (words < 16) {
      sixteen_in(at + l, count, words, out + l);
      continue;
    }
    for (size_t w = 0; w < words; w += 16) {
      for (size_t k = 0; k < 16; k++) {
        const char *line = at[l + k] + 4 * w;
        _mm512_store_si512(near.line[k], _mm512_loadu_si512(line));
        __builtin_prefetch(line + AHEAD, 0, 2);
      }
      sixteen_in((const char *const *)near.at, count, 16, out + w * count + l);
    }
  }
  rows_in_from(l, at, count, words, out);
}

LONG UNWATCHED static void long_rows_out(char *const *at, uint32_t count,
                                         uint32_t words, const uint32_t *in) {
  Lines near;
  size_t l = 0;
  for (size_t k = 0; k < 16; k++) near.at[k] = near.line[k];
  for (; l + 16 <= count; l += 16) {
    if (words < 16) {
      sixteen_out(at + l, count, words, in + l);
      continue;
    }
    for (size_t w = 0; w < words; w += 16) {
      sixteen_out(near.at, count, 16, in + w * count + l);
      for (size_t k = 0; k < 16; k++) {
        char *line = at[l + k] + 4 * w;
        _mm512_storeu_si512(line, _mm512_load_si512(near.line[k]));
        __builtin_prefetch(line + AHEAD, 1, 2);
      }
    }
  }
  rows_out_from(l, at, count, words, in);
}

static int is_long(void) { return __builtin_cpu_supports("avx512f"); }
#endif

/* ---------------------------------------------------------- dispatch by CPU */

static void rows_in(const char *const *at, uint32_t count, uint32_t words,
                    uint32_t *out) {
#if defined(__x86_64__)
  if (is_long()) {
    long_rows_in(at, count, words, out);
    return;
  }
#endif
  rows_in_from(0, at, count, words, out);
}

static void rows_out(char *const *at, uint32_t count, uint32_t words,
                     const uint32_t *in) {
#if defined(__x86_64__)
  if (is_long()) {
    long_rows_out(at, count, words, in);
    return;
  }
#endif
  rows_out_from(0, at, count, words, in);
}

__attribute__((noinline)) void mt_transpose_in(mt_Group *group,
                                               const char *const *at,
                                               uint32_t count, uint32_t words,
                                               uint32_t *out) {
  group->caller = (uintptr_t)__builtin_return_address(0);
  atomic_signal_fence(memory_order_seq_cst);
  rows_in(at, count, words, out);
  atomic_signal_fence(memory_order_seq_cst);
  group->caller = 0;
}

__attribute__((noinline)) void mt_transpose_out(mt_Group *group,
                                                char *const *at, uint32_t count,
                                                uint32_t words,
                                                const uint32_t *in) {
  group->caller = (uintptr_t)__builtin_return_address(0);
  atomic_signal_fence(memory_order_seq_cst);
  rows_out(at, count, words, in);
  atomic_signal_fence(memory_order_seq_cst);
  group->caller = 0;
}
