/*
** profile.h - the run-time half of the profiler (devices/profile.h).
**
** A profiled kernel is instrumented with calls of __mt_probe_count…, which are
** lowered like the checker's probes (lower/lower.c): one call of a helper
** for the 32 lanes of a SIMD-group. Static facts, how many instructions of
** which kind a basic block has on which line, are in a table; the helpers only
** count how often a block ran, with which lanes, and where its accesses went.
**
**   counters.c  the helpers: cache lines, banks, atomics
**   profile.c   mt_profile: the launch, and the sums by source line
**
** A profiled launch runs on one OS thread. What it counts is in its
** mt_Counting, which the helpers get as their first argument.
*/
#ifndef MT_HOST_PROFILE_PROFILE_H
#define MT_HOST_PROFILE_PROFILE_H

#include <llvm-c/Core.h>

#include "devices/host/sites/sites.h"
#include "devices/host/kernel/kernel.h"
#include "devices/host/run/run.h"
#include "devices/profile.h"

/* ------------------------------------------- helpers of the generated code */

typedef struct mt_Counting mt_Counting;

void mt_count_block(mt_Counting *all, uint32_t sg, uint32_t mask,
                    uint32_t block);
/* 'bits': the lanes whose condition is true. */
void mt_count_split(mt_Counting *all, uint32_t sg, uint32_t mask, uint32_t site,
                    uint32_t bits);
void mt_count_one(mt_Counting *all, uint32_t sg, uint32_t mask, uint32_t site,
                  char *p);
void mt_count_row(mt_Counting *all, uint32_t sg, uint32_t mask, uint32_t site,
                  char *first, int64_t step);
void mt_count_lanes(mt_Counting *all, uint32_t sg, uint32_t mask, uint32_t site,
                    char *const *at);

/* -------------------------------------------------------------- at run time */

/* Executions of a block: by SIMD-groups, and by lanes. */
typedef struct mt_BlockCount {
  uint64_t issued, lanes;
} mt_BlockCount;

/* A buffer, and which of its words were accessed. */
typedef struct mt_Touched {
  const char *start;
  size_t size;
  uint64_t *words; /* a bit per 4 bytes */
} mt_Touched;

struct mt_Counting {
  const mt_CountTable *table;
  mt_BlockCount *block;  /* by block */
  uint32_t *weight;      /* by block: its static instructions */
  mt_Busiest *thread;    /* by thread of the running group */
  size_t threads;
  mt_Busiest busiest;    /* the maximum of the groups that have ended */
  mt_Counts *site;       /* by site */
  mt_Touched *buffer;
  size_t buffers;
  mt_AccessMap *map;     /* of the same buffers; or NULL */
  const mt_Group *group; /* the running one */
  const char *group_memory; /* its threadgroup memory */
  size_t group_size;
  mt_Progress progress;
};

mt_Status mt_profile_run(const mt_Launch *launch, mt_Profile *out,
                         mt_AccessMap *map, mt_Error *err);

#endif
