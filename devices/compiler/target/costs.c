/*
** costs.c - the rows of costs.h, best first: a target has the first row that
** goes with its triple and features.
**
** Registers, masks and the sizes of caches are what LLVM says of the CPUs of a
** row (tests/c/compiler/target/test_costs.c). A number without another reason
** was chosen where the engine was tuned, on server CPUs with AVX-512, and its
** reason is an estimate that was not verified; rows of other instruction
** sets have the same until someone measures there.
*/
#include "devices/compiler/target/costs.h"

#include <string.h>

#include "devices/compiler/target/target.h"

/* Cycles of 32 lanes and of one. Accesses and arithmetic have LLVM's prices for
** registers of 64 bytes: for those of 32 or 16 it says two or four times as
** much, which the rows do not have yet, since only scalar_tail.c asks and its
** limits were tuned by these. LLVM's prices of a gather (40 of AVX-512, 109 of
** AVX2, 98 of SSE, 224 of NEON) and a division (640, or 328) are those of code
** that takes each lane out and puts it back; the ones here are estimates that
** were not verified: a gather is one access for each lane, with its address
** taken out of a vector; a wide division is one for each lane, or some products
** of doubles; a branch of vectors is a mask that is tested. Scalar arithmetic
** of integers runs three at a time, that of floats one after the other in a
** chain. */
#define VECTOR_CYCLES(dividing) \
  {.access = 2, .gather = 24, .scatter = 45, .atomic = 30, .branch = 4, \
   .integer = 2, .wide = 4, .real = 2, .divide = 70, .divide_wide = dividing}
#define LANE_BY_LANE 400
#define BY_DOUBLES 80 /* emit/wide_division.c */
#define SCALAR_CYCLES \
  {.access = 1, .gather = 1, .scatter = 1, .atomic = 10, .branch = 1, \
   .integer = 0.4, .wide = 0.4, .real = 2, .divide = 6, .divide_wide = 12}

/* 2048 bytes are half a page: hardware prefetchers stop at a page's end (from
** their manuals, not measured). A window is a few hundred instructions, of
** which an estimate counts every third (not verified). */
#define MEMORY \
  .cache_line = MT_CACHE_LINE, .cache_first = MT_CACHE_FIRST, \
  .prefetcher_stride = 2048, .window = 100

#define AVX512 \
  .arch = "x86_64", .register_bytes = 64, .live_registers = 32, \
  .sum_registers = 24, /* eight are left for two rows of factors */ \
  .masks = true, .gather = true, \
  .sum_lanes = 256, /* sixteen registers of sums, as many of factors */ \
  .move_lanes = 128, /* eight registers */ \
  MEMORY, .vector = VECTOR_CYCLES(BY_DOUBLES), .scalar = SCALAR_CYCLES

static const mt_TargetCosts rows[] = {
    /* From Ice Lake and Zen 4 on. */
    {.name = "AVX-512 VBMI", .stream_bytes = 64,
     .features = {"avx512vl", "avx512bw", "avx512vbmi"}, AVX512},
    /* Before, long registers cost a sixth to a fifth of the clock: with short
    ** ones a Cascade Lake takes 0.65 to 0.9 of the time for sums, products and
    ** copies of arrays, and a step of Floyd's. */
    {.name = "AVX-512", .stream_bytes = 32,
     .features = {"avx512vl", "avx512bw"}, AVX512},
    {.name = "AVX2", .arch = "x86_64", .features = {"avx2"},
     .register_bytes = 32, .stream_bytes = 32, .live_registers = 16,
     /* LLVM gathers only for some of them (skylake, not haswell, znver3 or
     ** x86-64-v3) and branches around each lane for the others. That pays: it
     ** is level with plain loads from redirected addresses where all lanes or
     ** half of them are active, and takes three quarters of their time where an
     ** eighth is (65,536 threads, 16 loads each, a server CPU as x86-64-v3). */
     .masks = false, .gather = true,
     .sum_lanes = 64, .move_lanes = 64, /* eight registers */
     MEMORY, .vector = VECTOR_CYCLES(LANE_BY_LANE), .scalar = SCALAR_CYCLES},
    {.name = "SSE", .arch = "x86_64", .register_bytes = 16, .stream_bytes = 16,
     /* Not its 16 registers: a vector of 32 words takes eight of them, so
     ** nearly every kernel would run by halves. With 16, the 39 kernels of the
     ** library take 1.01 times as long in the mean (bench_builds, a server CPU
     ** as x86-64-v2): life 0.63, matmul_tiled 1.37, matmul_naive 1.77. */
     .live_registers = 32, .masks = false, .gather = false,
     .sum_lanes = 64, .move_lanes = 64,
     MEMORY, .vector = VECTOR_CYCLES(LANE_BY_LANE), .scalar = SCALAR_CYCLES},
    {.name = "NEON", .arch = "", .register_bytes = 16, .stream_bytes = 16,
     .live_registers = 32,
     .masks = false, .gather = false,
     .sum_lanes = 64, .move_lanes = 64, /* sixteen registers */
     MEMORY, .vector = VECTOR_CYCLES(LANE_BY_LANE), .scalar = SCALAR_CYCLES}};
#define ROWS (sizeof rows / sizeof *rows)

static bool has_all(mt_Target *t, const char *const *feature) {
  for (; *feature; feature++)
    if (!mt_target_has(t, *feature)) return false;
  return true;
}

const mt_TargetCosts *mt_costs_of(mt_Target *t) {
  const char *triple = mt_target_triple(t);
  for (size_t i = 0; i + 1 < ROWS; i++)
    if (strncmp(triple, rows[i].arch, strlen(rows[i].arch)) == 0 &&
        has_all(t, rows[i].features))
      return &rows[i];
  return &rows[ROWS - 1];
}
