/*
** abi.h - what compiled code and its callers agree on: the argument of the
** function that runs one threadgroup; geometry.h has the facts about a launch
** that code is compiled for.
**
** Both code generators (thread by thread, or vectors of 32 lanes) end in a
** function of this type. It runs all threads of one threadgroup to completion
** on the calling OS thread. Generated code reads the struct by offset: a change
** here needs one in the code generators.
*/
#ifndef MT_HOST_ABI_ABI_H
#define MT_HOST_ABI_ABI_H

#include <stdatomic.h>
#include <stdint.h>

#include "devices/host/abi/geometry.h"

#define MT_LANES 32 /* threads in a SIMD-group */
#define MT_ROW_THREADS 1024 /* of a group that is a piece of a grid's row */
/* Tiles that groups have in common (transform/keep_tiles.c): bytes that a
** worker has for each, and how many panels they are divided into at most: one
** for each of so many columns, or rows, of groups. */
#define MT_KEPT_BYTES (16 << 20)
#define MT_PANELS 64
#define MT_TILES 8 /* most in one kernel */

typedef struct mt_Group {
  /* One slot for each parameter of the kernel, builtins included (their slots
  ** are unused): the address of a buffer, threadgroup parameter or texture, or
  ** the packed settings of a sampler. */
  const uint64_t *args;
  char *threadgroup;       /* memory of the threadgroup variables */
  char *spill;             /* scratch for values that live across barriers */
  const atomic_int *stop;  /* not 0: return soon, unfinished */
  uint32_t position[3];    /* threadgroup_position_in_grid */
  uint32_t groups[3];      /* threadgroups_per_grid */
  uint32_t grid[3];        /* threads_per_grid */
  uint32_t size[3];        /* dispatch_threads_per_threadgroup */
  uint32_t actual[3];      /* threads_per_threadgroup: less at ragged edges */
  /* Where a group is a piece of a row (plan/grid_rows.c): the number of
  ** the thread at which the vector that runs begins. */
  uint32_t first;
  struct mt_KeptTiles *kept; /* run/kept_tiles.h */
  uintptr_t caller;        /* generated code that a C helper accesses memory
                           ** for; else 0 */
  /* What an instrumented launch reports to (mt_Check, mt_Counting or
  ** mt_Recorder): the first argument of every helper that its probes become.
  ** NULL: the launch is not instrumented */
  void *observer;
  /* private to the runtime (dispatch.h) */
  struct mt_Worker *worker;
} mt_Group;

typedef void mt_GroupCode(mt_Group *group);

#endif
