/*
** sort.c - sort: the elements in rising order.
**
** Floats and ints become whole numbers whose order is theirs. Pieces of them
** are sorted by digits (radix), then runs are merged in pairs, level by level.
** A merge is cut by its output: the elements that belong to one piece of it are
** found by bisection, so all cores work on the last merge too.
*/
#include <stdlib.h>
#include <string.h>

#include "cpu/inside.h"
#include "cpu/mathf.h"

#define RUN 16384 /* elements sorted by digits: keys and counts stay in cache */

typedef struct Sort {
  const uint32_t *x;
  uint32_t *from, *to; /* keys: of the level below, of this one */
  size_t n;
  size_t width;        /* of the sorted runs in 'from' */
  mt_Scalar type;
} Sort;

/* -------------------------------------------------------------------- keys */

/* Bits to a key. NaN, whatever its bits, comes last. */
MT_INLINE uint32_t key_of(uint32_t bits, mt_Scalar type) {
  if (type == MT_UINT) return bits;
  if (type == MT_INT) return bits ^ 0x80000000u;
  uint32_t nan = (bits & 0x7fffffffu) > 0x7f800000u ? 0xffffffffu : 0;
  return (bits ^ ((uint32_t)((int32_t)bits >> 31) | 0x80000000u)) | nan;
}

MT_INLINE uint32_t bits_of(uint32_t key, mt_Scalar type) {
  if (type == MT_UINT) return key;
  if (type == MT_INT) return key ^ 0x80000000u;
  uint32_t bits = key & 0x80000000u ? key ^ 0x80000000u : ~key;
  return key == 0xffffffffu ? 0x7fc00000u : bits;
}

MT_HOT static void unkey_piece(void *context, size_t first, size_t last,
                               unsigned worker) {
  Sort *s = context;
  const uint32_t *restrict from = s->from;
  uint32_t *restrict to = s->to;
  mt_Scalar type = s->type;
  (void)worker;
  for (size_t i = first; i < last; i++) to[i] = bits_of(from[i], type);
}

/* ---------------------------------------------------------------- by digits */

/* By one byte of the key, from 'a' to 'b'. */
static void by_byte(const uint32_t *a, uint32_t *b, size_t n, unsigned shift) {
  size_t start[256] = {0}, sum = 0;
  for (size_t i = 0; i < n; i++) start[a[i] >> shift & 255]++;
  for (int d = 0; d < 256; d++) {
    size_t count = start[d];
    start[d] = sum;
    sum += count;
  }
  for (size_t i = 0; i < n; i++) b[start[a[i] >> shift & 255]++] = a[i];
}

/* One run: its keys, sorted, in 'from'; 'to' is used on the way. */
static void sort_run(void *context, size_t first, size_t last,
                     unsigned worker) {
  Sort *s = context;
  uint32_t *a = s->from + first, *b = s->to + first;
  size_t n = last - first;
  (void)worker;
  for (size_t i = 0; i < n; i++) a[i] = key_of(s->x[first + i], s->type);
  by_byte(a, b, n, 0);
  by_byte(b, a, n, 8);
  by_byte(a, b, n, 16);
  by_byte(b, a, n, 24);
}

/* ------------------------------------------------------------------ merging */

/* How many of the first 'k' elements of the merge come from 'a'. */
static size_t share_of_a(const uint32_t *a, size_t na, const uint32_t *b,
                         size_t nb, size_t k) {
  size_t low = k > nb ? k - nb : 0, high = k < na ? k : na;
  while (low < high) {
    size_t i = low + (high - low) / 2;
    if (a[i] <= b[k - i - 1]) low = i + 1; /* equal ones from 'a' first */
    else high = i;
  }
  return low;
}

/* A piece of a level's output; it lies within one pair of runs. */
static void merge_piece(void *context, size_t first, size_t last,
                        unsigned worker) {
  Sort *s = context;
  size_t pair = first / (2 * s->width) * (2 * s->width);
  size_t middle = pair + s->width < s->n ? pair + s->width : s->n;
  size_t end = middle + s->width < s->n ? middle + s->width : s->n;
  const uint32_t *a = s->from + pair, *b = s->from + middle;
  size_t na = middle - pair, nb = end - middle;
  size_t i = share_of_a(a, na, b, nb, first - pair), j = first - pair - i;
  (void)worker;
  for (size_t at = first; at < last; at++) {
    bool take_a = j >= nb || (i < na && a[i] <= b[j]);
    s->to[at] = take_a ? a[i] : b[j];
    i += take_a;
    j += !take_a;
  }
}

mt_Status mt_cpu_run_sort(mt_CpuCall *call, mt_Error *err) {
  size_t n = MT_DIM(call, 'n');
  uint32_t *y = MT_UINTS(call, 1), *one, *two;
  one = mt_cpu_scratch(call, n, sizeof *one, err);
  two = one ? mt_cpu_scratch(call, n, sizeof *two, err) : NULL;
  if (two == NULL) {
    free(one);
    return MT_FAIL;
  }
  Sort s = {MT_UINTS(call, 0), one, two, n, RUN, call->type};
  mt_cpu_loop(call, n, RUN, sort_run, &s);
  for (; s.width < n && !mt_cancelled(); s.width *= 2) {
    mt_cpu_loop(call, n, RUN, merge_piece, &s);
    uint32_t *done = s.to;
    s.to = s.from;
    s.from = done;
  }
  s.to = y;
  mt_cpu_loop(call, n, RUN, unkey_piece, &s);
  free(one);
  free(two);
  return MT_OK;
}
