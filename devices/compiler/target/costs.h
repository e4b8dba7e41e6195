/*
** costs.h - what instructions and memory cost on a target: one row for each
** instruction set.
**
** The one idea: code generation asks a row, and never for the name of an
** instruction set. LLVM says by its features which row a target has; a row says
** what LLVM's C interface does not: how large its registers are, what pays.
** What LLVM knows in C++ (TargetTransformInfo) is compared with each row by
** tests/c/compiler/target/test_costs.c. A new instruction set is a row of
** costs.c and a name in test_costs.c and in
** tests/c/host/vectorise/test_strategy.c.
**
** No LLVM here: code that runs on the host has the sizes of caches from this
** header, too.
*/
#ifndef MT_COMPILER_TARGET_COSTS_H
#define MT_COMPILER_TARGET_COSTS_H

#include <stdbool.h>

/* Bytes. They are the same in all rows: all CPUs of the last ten years have at
** least so much, and Apple's lines of 128 bytes are read in halves. */
#define MT_CACHE_LINE 64
#define MT_CACHE_FIRST (32 << 10)
/* of a second-level cache, what one kind of data may fill */
#define MT_CACHE_SECOND (512 << 10)
#define MT_PAGE 4096 /* the smallest page that any CPU has */

/* Cycles, estimated. */
typedef struct mt_OperationCosts {
  double access;          /* a load or store, of contiguous lanes */
  double gather, scatter; /* or of addresses that are anywhere */
  double atomic;
  double branch;
  double integer, wide, real; /* arithmetic; 'wide': of 64 bits */
  double divide, divide_wide; /* integers, by what is no constant */
} mt_OperationCosts;

typedef struct mt_TargetCosts {
  const char *name;        /* "AVX2" */
  const char *arch;        /* what the target's triple begins with; "": any */
  const char *features[4]; /* LLVM's names: it has all of them */

  int register_bytes; /* of a vector register */
  int stream_bytes;   /* the same, of what pays where only memory is moved */
  /* Registers that the live vectors of a whole SIMD-group may take; a kernel
  ** with more runs half a SIMD-group at a time (plan/vector_width.c). */
  int live_registers;
  /* What sums of matrices may take in one loop, two rows in each; the others
  ** have factors. 0: a loop has one column of sums (transform/split_sums.c). */
  int sum_registers;

  bool masks;  /* mask registers: every access can be masked, stores of bytes
               ** too, and there are scatters */
  bool gather; /* masked loads and stores of words, and gathers, which LLVM
               ** expands for CPUs that are slow at them */

  /* Lanes of the widest vector that pays for a sum whose threads share rows,
  ** and for what only moves or counts (plan/vector_width.c). */
  int sum_lanes, move_lanes;

  int cache_line, cache_first; /* bytes */
  int prefetcher_stride; /* bytes: the CPU's own prefetcher follows loads that
                         ** are nearer to each other */
  int window; /* instructions that are executed out of order, estimated as
              ** access/prefetch.c does: loads beyond are not begun */

  mt_OperationCosts vector; /* of 32 lanes, as vectors */
  mt_OperationCosts scalar; /* of one lane, as scalar code */
} mt_TargetCosts;

#endif
