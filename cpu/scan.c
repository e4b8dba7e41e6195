/*
** scan.c - scan and histogram: loops whose steps depend on each other.
**
** A scan is cut into blocks. On all cores it goes over them twice: first each
** block's sum, then, with what came before known, the running sums. On one
** core once is enough. Either way an output is (what came before) + (the sum
** within the block), so that both give the same bits.
*/
#include <stdlib.h>
#include <string.h>

#include "cpu/inside.h"

#define BLOCK 16384

typedef struct Scan {
  const mt_CpuCall *call;
  bool exclusive;
  bool sums_only;   /* the first pass */
  double *before;   /* of each block: its sum, then what came before it */
  uint32_t *whole;  /* the same for integers */
} Scan;

/* One block behind 'before'; returns its sum. */
static double scan_floats(const Scan *s, size_t first, size_t last,
                          double before) {
  const float *x = MT_FLOATS(s->call, 0);
  float *y = MT_FLOATS(s->call, 1);
  double sum = 0;
  if (s->sums_only) {
    for (size_t i = first; i < last; i++) sum += x[i];
  } else if (s->exclusive) {
    for (size_t i = first; i < last; i++) {
      double next = sum + x[i];
      y[i] = (float)(before + sum);
      sum = next;
    }
  } else {
    for (size_t i = first; i < last; i++) {
      sum += x[i];
      y[i] = (float)(before + sum);
    }
  }
  return sum;
}

static uint32_t scan_ints(const Scan *s, size_t first, size_t last,
                          uint32_t before) {
  const uint32_t *x = MT_UINTS(s->call, 0);
  uint32_t *y = MT_UINTS(s->call, 1), sum = 0;
  for (size_t i = first; i < last; i++) {
    uint32_t next = sum + x[i];
    if (!s->sums_only) y[i] = before + (s->exclusive ? sum : next);
    sum = next;
  }
  return sum;
}

static void scan_blocks(void *context, size_t first, size_t last,
                        unsigned worker) {
  Scan *s = context;
  size_t block = first / BLOCK;
  (void)worker;
  if (s->call->type == MT_FLOAT) {
    double sum = scan_floats(s, first, last, s->before[block]);
    if (s->sums_only) s->before[block] = sum;
  } else {
    uint32_t sum = scan_ints(s, first, last, s->whole[block]);
    if (s->sums_only) s->whole[block] = sum;
  }
}

/* Sums of the blocks become what came before each. */
static void add_up(Scan *s, size_t blocks) {
  double before = 0;
  uint32_t whole = 0;
  for (size_t i = 0; i < blocks; i++) {
    double sum = s->before[i];
    uint32_t count = s->whole[i];
    s->before[i] = before;
    s->whole[i] = whole;
    before += sum;
    whole += count;
  }
}

static void scan_one_core(Scan *s) {
  size_t n = s->call->count;
  double before = 0;
  uint32_t whole = 0;
  for (size_t at = 0; at < n && !mt_cancelled(); at += BLOCK) {
    size_t last = n - at < BLOCK ? n : at + BLOCK;
    if (s->call->type == MT_FLOAT)
      before += scan_floats(s, at, last, before);
    else
      whole += scan_ints(s, at, last, whole);
  }
}

mt_Status mt_cpu_run_scan(mt_CpuCall *call, mt_Error *err) {
  Scan s = {.call = call, .exclusive = call->option[0] != 0};
  size_t blocks = call->count / BLOCK + 1;
  mt_Status status = MT_FAIL;
  if (call->way == MT_CPU_ONE_CORE || mt_cpu_workers(call) == 1) {
    scan_one_core(&s);
    return MT_OK;
  }
  s.before = mt_cpu_scratch(call, blocks, sizeof *s.before, err);
  if (s.before) s.whole = mt_cpu_scratch(call, blocks, sizeof *s.whole, err);
  if (s.whole == NULL) goto done;
  s.sums_only = true;
  mt_cpu_loop(call, call->count, BLOCK, scan_blocks, &s);
  add_up(&s, blocks);
  s.sums_only = false;
  mt_cpu_loop(call, call->count, BLOCK, scan_blocks, &s);
  status = MT_OK;
done:
  free(s.before);
  free(s.whole);
  return status;
}

/* --------------------------------------------------------------- histogram */

#define GRAIN 65536

typedef struct Histogram {
  const mt_CpuCall *call;
  size_t bins;
  uint32_t *counts; /* 'bins' of them for each worker */
} Histogram;

static void count_piece(void *context, size_t first, size_t last,
                        unsigned worker) {
  const Histogram *h = context;
  uint32_t *counts = h->counts + worker * h->bins;
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
  h.counts = mt_cpu_scratch(call, workers * h.bins, sizeof *h.counts, err);
  if (h.counts == NULL) return MT_FAIL;
  mt_cpu_loop(call, call->count, GRAIN, count_piece, &h);
  for (size_t b = 0; b < h.bins; b++) {
    out[b] = 0;
    for (size_t w = 0; w < workers; w++) out[b] += h.counts[w * h.bins + b];
  }
  free(h.counts);
  return MT_OK;
}
