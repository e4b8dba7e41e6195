/*
** matrix.c - matmul, linear, transpose.
**
** The product is computed in tiles of c. A tile takes 16 columns of b at a
** time, copied so that they lie together, and 6 rows of a: 6 × 16 sums that
** fit the registers. k is cut into blocks of 256 whose sums are added, which
** keeps the copy in the cache and the rounding errors small.
*/
#include <string.h>

#include "cpu/inside.h"
#include "cpu/lanes.h"

#define ROWS 6
#define COLUMNS MT_CPU_LANES /* 16 */
#define BLOCK 256
#define TILE_ROWS 96
#define TILE_COLUMNS 128

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static size_t parts(size_t n, size_t size) { return n / size + (n % size > 0); }

/* 'rows' rows of c, up to 16 columns; 'rows' is a constant after inlining. */
MT_INLINE void rows_by_panel(const float *a, size_t lda, const float *panel,
                             float *c, size_t ldc, size_t k, size_t columns,
                             bool first, int rows) {
  mt_Floats sum[ROWS] = {0};
  for (size_t p = 0; p < k; p++) {
    mt_Floats b = *(const mt_Floats *)(panel + p * COLUMNS);
    for (int r = 0; r < rows; r++) sum[r] += a[(size_t)r * lda + p] * b;
  }
  for (int r = 0; r < rows; r++) {
    float *to = c + (size_t)r * ldc;
    if (columns == COLUMNS) {
      if (!first) sum[r] += *(const mt_Floats *)to;
      *(mt_Floats *)to = sum[r];
    } else {
      for (size_t j = 0; j < columns; j++)
        to[j] = first ? sum[r][j] : to[j] + sum[r][j];
    }
  }
}

MT_HOT static void panel_product(const float *a, size_t lda,
                                 const float *panel, float *c, size_t ldc,
                                 size_t n, size_t k, size_t columns,
                                 bool first) {
  size_t i = 0;
  for (; i + ROWS <= n; i += ROWS)
    rows_by_panel(a + i * lda, lda, panel, c + i * ldc, ldc, k, columns, first,
                  ROWS);
  for (; i < n; i++)
    rows_by_panel(a + i * lda, lda, panel, c + i * ldc, ldc, k, columns, first,
                  1);
}

/* 'columns' columns of b, filled up with zeros to 16. */
static void copy_panel(const float *b, size_t ldb, float *panel, size_t k,
                       size_t columns) {
  if (columns == COLUMNS) {
    for (size_t p = 0; p < k; p++)
      memcpy(panel + p * COLUMNS, b + p * ldb, COLUMNS * sizeof *b);
    return;
  }
  memset(panel, 0, k * COLUMNS * sizeof *panel);
  for (size_t p = 0; p < k; p++)
    for (size_t j = 0; j < columns; j++)
      panel[p * COLUMNS + j] = b[p * ldb + j];
}

void mt_cpu_gemm(const float *a, size_t lda, const float *b, size_t ldb,
                 float *c, size_t ldc, size_t n, size_t k, size_t m) {
  float panel[BLOCK * COLUMNS];
  for (size_t i = 0; k == 0 && i < n; i++)
    memset(c + i * ldc, 0, m * sizeof *c);
  for (size_t p = 0; p < k; p += BLOCK)
    for (size_t j = 0; j < m && !mt_cancelled(); j += COLUMNS) {
      size_t depth = smaller(k - p, BLOCK), columns = smaller(m - j, COLUMNS);
      copy_panel(b + p * ldb + j, ldb, panel, depth, columns);
      panel_product(a + p, lda, panel, c + j, ldc, n, depth, columns, p == 0);
    }
}

/* ---------------------------------------------------------- matmul, linear */

typedef struct Product {
  const float *a, *b, *bias; /* bias: NULL for a plain product */
  float *c;
  size_t n, k, m;
} Product;

MT_HOT static void bias_relu(float *c, size_t ldc, const float *bias, size_t n,
                             size_t m) {
  for (size_t i = 0; i < n; i++)
    MT_EACH for (size_t j = 0; j < m; j++)
      c[i * ldc + j] = mt_relu(c[i * ldc + j] + bias[j]);
}

static void product_tiles(void *context, size_t first, size_t last,
                          unsigned worker) {
  const Product *q = context;
  size_t across = parts(q->m, TILE_COLUMNS);
  (void)worker;
  for (size_t t = first; t < last; t++) {
    size_t i = t / across * TILE_ROWS, j = t % across * TILE_COLUMNS;
    size_t n = smaller(q->n - i, TILE_ROWS),
           m = smaller(q->m - j, TILE_COLUMNS);
    float *c = q->c + i * q->m + j;
    mt_cpu_gemm(q->a + i * q->k, q->k, q->b + j, q->m, c, q->m, n, q->k, m);
    if (q->bias) bias_relu(c, q->m, q->bias + j, n, m);
  }
}

static void product(const mt_CpuCall *call, Product *q) {
  q->n = MT_DIM(call, 'n');
  q->k = MT_DIM(call, 'k');
  q->m = MT_DIM(call, 'm');
  size_t tiles = parts(q->n, TILE_ROWS) * parts(q->m, TILE_COLUMNS);
  mt_cpu_loop(call, tiles, 1, product_tiles, q);
}

mt_Status mt_cpu_run_matmul(mt_CpuCall *call, mt_Error *err) {
  Product q = {.a = MT_FLOATS(call, 0),
               .b = MT_FLOATS(call, 1),
               .c = MT_FLOATS(call, 2)};
  (void)err;
  product(call, &q);
  return MT_OK;
}

mt_Status mt_cpu_run_linear(mt_CpuCall *call, mt_Error *err) {
  Product q = {.a = MT_FLOATS(call, 0),
               .b = MT_FLOATS(call, 1),
               .bias = MT_FLOATS(call, 2),
               .c = MT_FLOATS(call, 3)};
  (void)err;
  product(call, &q);
  return MT_OK;
}

/* --------------------------------------------------------------- transpose */

#define SIDE 64  /* of a tile */
#define TILES 8  /* a piece */

typedef struct Transpose {
  const uint32_t *a;
  uint32_t *b;
  size_t n, m; /* of a */
} Transpose;

MT_HOT static void transpose_tile(const Transpose *t, size_t i0, size_t j0) {
  size_t i1 = smaller(i0 + SIDE, t->n), j1 = smaller(j0 + SIDE, t->m);
  for (size_t j = j0; j < j1; j++)
    for (size_t i = i0; i < i1; i++) t->b[j * t->n + i] = t->a[i * t->m + j];
}

static void transpose_tiles(void *context, size_t first, size_t last,
                            unsigned worker) {
  const Transpose *t = context;
  size_t across = parts(t->m, SIDE);
  (void)worker;
  for (size_t tile = first; tile < last; tile++)
    transpose_tile(t, tile / across * SIDE, tile % across * SIDE);
}

void mt_cpu_transpose(const mt_CpuCall *call, const uint32_t *a, uint32_t *b,
                      size_t n, size_t m) {
  Transpose t = {a, b, n, m};
  mt_cpu_loop(call, parts(n, SIDE) * parts(m, SIDE), TILES, transpose_tiles,
              &t);
}

mt_Status mt_cpu_run_transpose(mt_CpuCall *call, mt_Error *err) {
  (void)err;
  mt_cpu_transpose(call, MT_UINTS(call, 0), MT_UINTS(call, 1),
                   MT_DIM(call, 'n'), MT_DIM(call, 'm'));
  return MT_OK;
}

/* ---------------------------------------------------------------- vendor's */

#define PART 6e8 /* multiplications between looks at the cancel flag */

/* Rows of one part: all parts alike, so that none is too small to be fast. */
static size_t rows_a_part(size_t n, size_t k, size_t m) {
  double work = (double)n * (double)k * (double)m;
  double rows = ceil((double)n / ceil(work / PART + 1e-9));
  return rows < 1 ? 1 : (size_t)rows;
}

static void vendor_product(const mt_CpuCall *call, const mt_CpuVendor *v,
                           float *c) {
  size_t n = MT_DIM(call, 'n'), k = MT_DIM(call, 'k'), m = MT_DIM(call, 'm');
  size_t rows = rows_a_part(n, k, m);
  for (size_t i = 0; i < n && !mt_cancelled(); i += rows)
    v->matmul(1, MT_FLOATS(call, 0) + i * k, MT_FLOATS(call, 1), c + i * m,
              smaller(rows, n - i), k, m, 0);
}

mt_Status mt_cpu_vendor_matmul(mt_CpuCall *call, const mt_CpuVendor *v,
                               mt_Error *err) {
  (void)err;
  vendor_product(call, v, MT_FLOATS(call, 2));
  return MT_OK;
}

static void bias_relu_rows(void *context, size_t first, size_t last,
                           unsigned worker) {
  const mt_CpuCall *call = context;
  size_t m = MT_DIM(call, 'm');
  (void)worker;
  bias_relu(MT_FLOATS(call, 3) + first * m, m, MT_FLOATS(call, 2),
            last - first, m);
}

mt_Status mt_cpu_vendor_linear(mt_CpuCall *call, const mt_CpuVendor *v,
                               mt_Error *err) {
  (void)err;
  vendor_product(call, v, MT_FLOATS(call, 3));
  mt_cpu_loop(call, MT_DIM(call, 'n'), 32, bias_relu_rows, call);
  return MT_OK;
}

mt_Status mt_cpu_vendor_transpose(mt_CpuCall *call, const mt_CpuVendor *v,
                                  mt_Error *err) {
  (void)err;
  v->transpose(MT_FLOATS(call, 0), MT_FLOATS(call, 1), MT_DIM(call, 'n'),
               MT_DIM(call, 'm'));
  return MT_OK;
}
