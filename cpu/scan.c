/*
** scan.c - scan and histogram: loops whose steps depend on each other.
**
** A scan is cut into blocks, and goes over each twice: for its sum, and, when
** what came before it is known, for the running sums. On all cores the first
** pass is over all blocks before the second begins; on one core the block is
** still in the cache for it. The same arithmetic, so the same bits.
*/
#include <stdlib.h>
#include <string.h>

#include "cpu/inside.h"
#include "cpu/lanes.h"

#define BLOCK 16384

typedef union Sum {
  double real;
  uint32_t whole; /* int and uint: wraps */
} Sum;

typedef struct Scan {
  const mt_CpuCall *call;
  bool exclusive;
  Sum *block; /* of each: its sum, then what came before it */
} Scan;

/* ------------------------------------------------------------- one block */

MT_HOT static void block_sum(const Scan *s, size_t first, size_t n, Sum *sum) {
  if (s->call->type == MT_FLOAT) {
    sum->real = mt_sum(MT_TERM_X, MT_FLOATS(s->call, 0) + first, NULL, 0, n);
    return;
  }
  const uint32_t *x = MT_UINTS(s->call, 0) + first;
  uint32_t total = 0;
  for (size_t i = 0; i < n; i++) total += x[i];
  sum->whole = total;
}

/* Four at a time: each waits for one addition to the running sum, not four. */
MT_HOT static void run_floats(const float *x, float *y, size_t n,
                              double before, bool exclusive) {
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    double a = x[i], b = a + x[i + 1], c = b + x[i + 2], d = c + x[i + 3];
    if (exclusive) {
      y[i] = (float)before;
      y[i + 1] = (float)(before + a);
      y[i + 2] = (float)(before + b);
      y[i + 3] = (float)(before + c);
    } else {
      y[i] = (float)(before + a);
      y[i + 1] = (float)(before + b);
      y[i + 2] = (float)(before + c);
      y[i + 3] = (float)(before + d);
    }
    before += d;
  }
  for (; i < n; i++) {
    double next = before + x[i];
    y[i] = (float)(exclusive ? before : next);
    before = next;
  }
}

static void run_ints(const uint32_t *x, uint32_t *y, size_t n, uint32_t before,
                     bool exclusive) {
  for (size_t i = 0; i < n; i++) {
    uint32_t next = before + x[i];
    y[i] = exclusive ? before : next;
    before = next;
  }
}

static void block_run(const Scan *s, size_t first, size_t n, Sum before) {
  if (s->call->type == MT_FLOAT)
    run_floats(MT_FLOATS(s->call, 0) + first, MT_FLOATS(s->call, 1) + first, n,
               before.real, s->exclusive);
  else
    run_ints(MT_UINTS(s->call, 0) + first, MT_UINTS(s->call, 1) + first, n,
             before.whole, s->exclusive);
}

/* Add the sum of a block to what came before it. */
static void advance(const Scan *s, Sum *before, Sum sum) {
  if (s->call->type == MT_FLOAT) before->real += sum.real;
  else before->whole += sum.whole;
}

/* ------------------------------------------------------------- all of them */

static void first_pass(void *context, size_t first, size_t last,
                       unsigned worker) {
  Scan *s = context;
  (void)worker;
  block_sum(s, first, last - first, &s->block[first / BLOCK]);
}

static void second_pass(void *context, size_t first, size_t last,
                        unsigned worker) {
  Scan *s = context;
  (void)worker;
  block_run(s, first, last - first, s->block[first / BLOCK]);
}

static void both_passes(const Scan *s) {
  size_t n = s->call->count;
  Sum before = {0}, sum;
  for (size_t at = 0; at < n && !mt_cancelled(); at += BLOCK) {
    size_t size = n - at < BLOCK ? n - at : BLOCK;
    block_sum(s, at, size, &sum); /* first: y may be x */
    block_run(s, at, size, before);
    advance(s, &before, sum);
  }
}

mt_Status mt_cpu_run_scan(mt_CpuCall *call, mt_Error *err) {
  Scan s = {.call = call, .exclusive = call->option[0] != 0};
  size_t blocks = call->count / BLOCK + 1;
  if (mt_cpu_workers(call) == 1) {
    both_passes(&s);
    return MT_OK;
  }
  s.block = mt_cpu_scratch(call, blocks, sizeof *s.block, err);
  if (s.block == NULL) return MT_FAIL;
  mt_cpu_loop(call, call->count, BLOCK, first_pass, &s);
  Sum before = {0};
  for (size_t i = 0; i < blocks; i++) {
    Sum sum = s.block[i];
    s.block[i] = before;
    advance(&s, &before, sum);
  }
  mt_cpu_loop(call, call->count, BLOCK, second_pass, &s);
  free(s.block);
  return MT_OK;
}

/* --------------------------------------------------------------- histogram */

#define GRAIN 65536

typedef struct Histogram {
  const mt_CpuCall *call;
  size_t bins, apart;
  uint32_t *counts; /* each worker's, 'apart' elements apart */
} Histogram;

static void count_piece(void *context, size_t first, size_t last,
                        unsigned worker) {
  const Histogram *h = context;
  uint32_t *counts = h->counts + worker * h->apart;
  size_t bins = h->bins;
  if (h->call->type == MT_UCHAR) {
    const uint8_t *x = h->call->array[0].data;
    for (size_t i = first; i < last; i++)
      if (x[i] < bins) counts[x[i]]++;
  } else {
    const uint32_t *x = MT_UINTS(h->call, 0);
    for (size_t i = first; i < last; i++)
      if (x[i] < bins) counts[x[i]]++;
  }
}

/* As many bins as were given, or asked for. */
mt_Status mt_cpu_derive_histogram(mt_CpuCall *call, mt_Error *err) {
  const mt_CpuArray *bins = &call->array[1];
  bool given = bins->type != MT_VOID;
  if (given && call->chosen[0] && (double)mt_cpu_count(bins) != call->option[0])
    return mt_cpu_error(call, err, MT_BADARG,
                        "bins has %zu elements, but the option bins says %.0f",
                        mt_cpu_count(bins), call->option[0]);
  MT_DIM(call, 'b') = given ? mt_cpu_count(bins) : (size_t)call->option[0];
  return MT_OK;
}

mt_Status mt_cpu_run_histogram(mt_CpuCall *call, mt_Error *err) {
  Histogram h = {.call = call, .bins = MT_DIM(call, 'b')};
  uint32_t *out = MT_UINTS(call, 1);
  size_t workers = mt_cpu_workers(call);
  h.apart = h.bins + 64; /* no two workers write to the same cache line */
  h.counts = mt_cpu_scratch(call, workers * h.apart, sizeof *h.counts, err);
  if (h.counts == NULL) return MT_FAIL;
  mt_cpu_loop(call, call->count, GRAIN, count_piece, &h);
  for (size_t b = 0; b < h.bins; b++) {
    out[b] = 0;
    for (size_t w = 0; w < workers; w++) out[b] += h.counts[w * h.apart + b];
  }
  free(h.counts);
  return MT_OK;
}
