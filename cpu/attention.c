/*
** attention.c - softmax(q · kᵀ · scale) · v, for a block of rows of q at a
** time.
**
** k is transposed once, so that both products are plain ones. A block's scores
** lie in scratch memory of the worker; a block has fewer rows where k has many.
*/
#include <stdlib.h>

#include "cpu/inside.h"
#include "cpu/mathf.h"

#define BLOCK_ROWS 96
#define SCORES ((size_t)1 << 20) /* about, in one block */

typedef struct Attention {
  const float *q, *kt, *v; /* kt: k transposed, d×m; or k for the vendor */
  float *out, *scores;     /* scores: 'rows' × m for each worker */
  size_t n, d, m, e, rows;
  size_t base; /* the row of q that scores start with */
  float scale;
  bool causal;
} Attention;

/* Row i of q, its scores in s: scaled, masked, softmax. */
MT_HOT static void scale_row(float *s, size_t seen, size_t m, float scale) {
  for (size_t j = 0; j < seen; j++) s[j] *= scale;
  for (size_t j = seen; j < m; j++) s[j] = -INFINITY;
}

static void weigh_row(const Attention *t, size_t i, float *s) {
  size_t seen = t->causal && i + 1 < t->m ? i + 1 : t->m;
  scale_row(s, seen, t->m, t->scale);
  mt_cpu_softmax_row(s, s, t->m);
}

static void attend_block(void *context, size_t first, size_t last,
                         unsigned worker) {
  const Attention *t = context;
  float *scores = t->scores + (size_t)worker * t->rows * t->m;
  size_t n = last - first;
  mt_cpu_gemm(t->q + first * t->d, t->d, t->kt, t->m, scores, t->m, n, t->d,
              t->m);
  for (size_t i = 0; i < n && !mt_cancelled(); i++)
    weigh_row(t, first + i, scores + i * t->m);
  mt_cpu_gemm(scores, t->m, t->v, t->e, t->out + first * t->e, t->e, n, t->m,
              t->e);
}

static Attention prepare(mt_CpuCall *call) {
  Attention t = {.q = MT_FLOATS(call, 0),
                 .kt = MT_FLOATS(call, 1),
                 .v = MT_FLOATS(call, 2),
                 .out = MT_FLOATS(call, 3),
                 .n = MT_DIM(call, 'n'),
                 .d = MT_DIM(call, 'd'),
                 .m = MT_DIM(call, 'm'),
                 .e = MT_DIM(call, 'e'),
                 .causal = call->option[0] != 0,
                 .scale = (float)call->option[1]};
  if (t.scale == 0) t.scale = (float)(1 / sqrt((double)t.d));
  size_t rows = SCORES / (t.m + 1) + 1;
  t.rows = rows < BLOCK_ROWS ? rows : BLOCK_ROWS;
  return t;
}

mt_Status mt_cpu_run_attention(mt_CpuCall *call, mt_Error *err) {
  Attention t = prepare(call);
  mt_Status status = MT_FAIL;
  float *kt = mt_cpu_scratch(call, t.d * t.m, sizeof *kt, err);
  if (kt == NULL) goto done;
  t.scores = mt_cpu_scratch(call, mt_cpu_workers(call) * t.rows * t.m,
                            sizeof *t.scores, err);
  if (t.scores == NULL) goto done;
  mt_cpu_transpose(call, MT_UINTS(call, 1), (uint32_t *)kt, t.m, t.d);
  t.kt = kt;
  mt_cpu_loop(call, t.n, t.rows, attend_block, &t);
  status = MT_OK;
done:
  free(t.scores);
  free(kt);
  return status;
}

/* ---------------------------------------------------------------- vendor's */

static void weigh_rows(void *context, size_t first, size_t last,
                       unsigned worker) {
  const Attention *t = context;
  (void)worker;
  for (size_t i = first; i < last; i++)
    weigh_row(t, t->base + i, t->scores + i * t->m);
}

/* The products by the library, the softmax between them on all cores. */
mt_Status mt_cpu_vendor_attention(mt_CpuCall *call, const mt_CpuVendor *v,
                                  mt_Error *err) {
  Attention t = prepare(call);
  t.rows *= mt_cpu_workers(call); /* room for all of them to work */
  t.scores = mt_cpu_scratch(call, t.rows * t.m, sizeof *t.scores, err);
  if (t.scores == NULL) return MT_FAIL;
  for (; t.base < t.n && !mt_cancelled(); t.base += t.rows) {
    size_t n = t.n - t.base < t.rows ? t.n - t.base : t.rows;
    v->matmul(1, t.q + t.base * t.d, t.kt, t.scores, n, t.d, t.m, 1);
    mt_cpu_loop(call, n, 8, weigh_rows, &t);
    v->matmul(1, t.scores, t.v, t.out + t.base * t.e, n, t.m, t.e, 0);
  }
  free(t.scores);
  return MT_OK;
}
