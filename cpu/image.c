/*
** image.c - blur, sobel, life: each element from those around it.
**
** Row by row. Inside a row the neighbours are at fixed distances, which is what
** vectors want; only the elements at its two ends need care.
*/
#include <stdlib.h>
#include <string.h>

#include "cpu/inside.h"

#define GRAIN 65536 /* elements a piece, about */

static size_t rows_of(size_t columns) { return GRAIN / (columns + 1) + 1; }

MT_INLINE size_t clamped(ptrdiff_t at, size_t n) {
  return at < 0 ? 0 : (size_t)at >= n ? n - 1 : (size_t)at;
}

/* -------------------------------------------------------------------- blur */

typedef struct Blur {
  const float *x;
  /* 'line': a row for each worker, with two pixels more at either end */
  float *y, *line;
  size_t n, m, c;
} Blur;

/* 1 4 6 4 1 down into a line, its ends repeated, then across. */
MT_HOT static void blur_row(const Blur *b, size_t row, float *line) {
  size_t width = b->m * b->c, c = b->c;
  const float *p[5];
  float *middle = line + 2 * c, *y = b->y + row * width;
  for (int i = 0; i < 5; i++)
    p[i] = b->x + clamped((ptrdiff_t)row + i - 2, b->n) * width;
  for (size_t i = 0; i < width; i++)
    middle[i] = (p[0][i] + p[4][i]) + 4 * (p[1][i] + p[3][i]) + 6 * p[2][i];
  for (size_t i = 0; i < c; i++) {
    line[i] = line[c + i] = middle[i];
    middle[width + i] = middle[width + c + i] = middle[width - c + i];
  }
  for (size_t i = 0; i < width; i++) {
    const float *q = line + i;
    y[i] = ((q[0] + q[4 * c]) + 4 * (q[c] + q[3 * c]) + 6 * q[2 * c]) *
           (1.0f / 256);
  }
}

static void blur_rows(void *context, size_t first, size_t last,
                      unsigned worker) {
  const Blur *b = context;
  float *line = b->line + worker * (b->m + 4) * b->c;
  for (size_t r = first; r < last; r++) blur_row(b, r, line);
}

mt_Status mt_cpu_run_blur(mt_CpuCall *call, mt_Error *err) {
  Blur b = {MT_FLOATS(call, 0), MT_FLOATS(call, 1), NULL,
            MT_DIM(call, 'n'),  MT_DIM(call, 'm'),  MT_DIM(call, 'c')};
  if (b.n * b.m * b.c == 0) return MT_OK;
  b.line = mt_cpu_scratch(call, mt_cpu_workers(call) * (b.m + 4) * b.c,
                          sizeof *b.line, err);
  if (b.line == NULL) return MT_FAIL;
  mt_cpu_loop(call, b.n, rows_of(b.m * b.c), blur_rows, &b);
  free(b.line);
  return MT_OK;
}

/* ------------------------------------------------------------------- sobel */

/* Column 'at' of a row, with 'left' and 'right' beside it. */
MT_INLINE float steepness(const float *up, const float *row, const float *down,
                          size_t left, size_t at, size_t right) {
  float across = (up[right] + 2 * row[right] + down[right]) -
                 (up[left] + 2 * row[left] + down[left]);
  float along = (down[left] + 2 * down[at] + down[right]) -
                (up[left] + 2 * up[at] + up[right]);
  return __builtin_sqrtf(across * across + along * along);
}

MT_HOT static void sobel_rows(void *context, size_t first, size_t last,
                              unsigned worker) {
  const mt_CpuCall *call = context;
  size_t n = MT_DIM(call, 'n'), m = MT_DIM(call, 'm');
  (void)worker;
  for (size_t r = first; r < last; r++) {
    const float *x = MT_FLOATS(call, 0), *row = x + r * m;
    const float *up = x + clamped((ptrdiff_t)r - 1, n) * m,
                *down = x + clamped((ptrdiff_t)r + 1, n) * m;
    float *y = MT_FLOATS(call, 1) + r * m;
    y[0] = steepness(up, row, down, 0, 0, clamped(1, m));
    for (size_t i = 1; i + 1 < m; i++)
      y[i] = steepness(up, row, down, i - 1, i, i + 1);
    if (m > 1) y[m - 1] = steepness(up, row, down, m - 2, m - 1, m - 1);
  }
}

mt_Status mt_cpu_run_sobel(mt_CpuCall *call, mt_Error *err) {
  (void)err;
  if (MT_DIM(call, 'm'))
    mt_cpu_loop(call, MT_DIM(call, 'n'), rows_of(MT_DIM(call, 'm')), sobel_rows,
                call);
  return MT_OK;
}

/* -------------------------------------------------------------------- life */

MT_INLINE uint8_t next_cell(const uint8_t *up, const uint8_t *row,
                            const uint8_t *down, size_t left, size_t at,
                            size_t right) {
  unsigned count = (unsigned)up[left] + up[at] + up[right] + row[left] +
                   row[right] + down[left] + down[at] + down[right];
  return count == 3 || (row[at] != 0 && count == 2);
}

MT_HOT static void life_rows(void *context, size_t first, size_t last,
                             unsigned worker) {
  const mt_CpuCall *call = context;
  size_t n = MT_DIM(call, 'n'), m = MT_DIM(call, 'm');
  (void)worker;
  for (size_t r = first; r < last; r++) {
    const uint8_t *cells = call->array[0].data, *row = cells + r * m;
    const uint8_t *up = cells + (r ? r - 1 : n - 1) * m,
                  *down = cells + (r + 1 == n ? 0 : r + 1) * m;
    uint8_t *next = (uint8_t *)call->array[1].data + r * m;
    next[0] = next_cell(up, row, down, m - 1, 0, m > 1 ? 1 : 0);
    for (size_t i = 1; i + 1 < m; i++)
      next[i] = next_cell(up, row, down, i - 1, i, i + 1);
    if (m > 1) next[m - 1] = next_cell(up, row, down, m - 2, m - 1, 0);
  }
}

mt_Status mt_cpu_run_life(mt_CpuCall *call, mt_Error *err) {
  (void)err;
  if (MT_DIM(call, 'm'))
    mt_cpu_loop(call, MT_DIM(call, 'n'), rows_of(MT_DIM(call, 'm')), life_rows,
                call);
  return MT_OK;
}
