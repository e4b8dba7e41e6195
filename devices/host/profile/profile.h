/*
** profile.h - the parts of the profiler (devices/profile.h) and what they
** share.
**
** A profiled kernel is the kernel with calls of __mt_probe_count… in it, which
** the vectoriser lowers as it does the checker's (instrument/lower.c): one call
** of a helper for the 32 lanes of a SIMD-group. What is known beforehand, how
** many instructions of which kind a block has on which line, is in a table; the
** calls only say that a block was run, by which lanes, and where accesses went.
**
**   counters.c  the helpers: lines of memory, banks, queues
**   profile.c   mt_profile: the launch, and the sum by source line
**
** One profiled launch runs at a time, on one OS thread.
*/
#ifndef MT_HOST_PROFILE_PROFILE_H
#define MT_HOST_PROFILE_PROFILE_H

#include <llvm-c/Core.h>

#include "devices/host/instrument/instrument.h"
#include "devices/host/kernel/kernel.h"
#include "devices/profile.h"

/* ------------------------------------------- helpers of the generated code */

void mt_count_block(uint32_t sg, uint32_t mask, uint32_t block);
/* 'bits': the lanes that branch. */
void mt_count_split(uint32_t sg, uint32_t mask, uint32_t site, uint32_t bits);
void mt_count_one(uint32_t sg, uint32_t mask, uint32_t site, char *p);
void mt_count_row(uint32_t sg, uint32_t mask, uint32_t site, char *first,
                  int64_t step);
void mt_count_lanes(uint32_t sg, uint32_t mask, uint32_t site, char *const *at);

/* -------------------------------------------------------------- at run time */

/* How often a block was run. */
typedef struct mt_BlockCount {
  uint64_t issued, lanes;
} mt_BlockCount;

/* A buffer, and which of its words were touched. */
typedef struct mt_Touched {
  const char *start;
  size_t size;
  uint64_t *words; /* a bit for each 4 bytes */
} mt_Touched;

typedef struct mt_Counting {
  const mt_CountTable *table;
  mt_BlockCount *block;  /* by block */
  uint32_t *weight;      /* by block: its instructions */
  mt_Busiest *thread;    /* by thread of the group: what it has done so far */
  size_t threads;
  mt_Busiest busiest;    /* of the groups before */
  mt_Counts *site;       /* by site */
  mt_Touched *buffer;
  size_t buffers;
  const mt_Group *group; /* that runs */
  const char *group_memory; /* its threadgroup memory */
  size_t group_size;
} mt_Counting;

extern mt_Counting *mt_counting; /* NULL: nothing is profiled */

mt_Status mt_profile_run(const mt_Launch *launch, mt_Profile *out,
                         mt_Error *err);

#endif
