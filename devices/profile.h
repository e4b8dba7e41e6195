/*
** profile.h - what a launch costs, counted as a GPU would see it.
**
** The host engine runs the kernel with counters at every instruction and
** access. The numbers are a model: a SIMD-group of 32 threads that runs one
** instruction at a time, memory read in lines of 128 bytes and sectors of
** 32, threadgroup memory of 32 banks of 4 bytes. They do not depend on the
** machine or its load.
*/
#ifndef MT_PROFILE_H
#define MT_PROFILE_H

#include "devices/check.h"

typedef enum mt_CountKind {
  MT_COUNT_FLOAT,   /* floating-point arithmetic; fma is one instruction */
  MT_COUNT_SPECIAL, /* sqrt, division and other slow arithmetic */
  MT_COUNT_INTEGER,
  MT_COUNT_CONVERT,
  MT_COUNT_COMPARE, /* comparisons and selections */
  MT_COUNT_BRANCH,
  MT_COUNT_MEMORY,  /* device, constant, threadgroup, private */
  MT_COUNT_TEXTURE,
  MT_COUNT_ATOMIC,
  MT_COUNT_SIMD,    /* simd_ and quad_ operations, simdgroup_matrix */
  MT_COUNT_BARRIER,
  MT_COUNT_OTHER,
  MT_COUNT_KINDS
} mt_CountKind;

const char *mt_count_name(mt_CountKind kind); /* "float", "special", … */

/* Counters of one line, or of all. "Issued" counts SIMD-groups that ran an
** instruction, "lanes" the threads that were active in it. */
typedef struct mt_Counts {
  uint64_t issued[MT_COUNT_KINDS];
  uint64_t lanes[MT_COUNT_KINDS];
  uint64_t operations;      /* floating-point operations; fma is two */
  uint64_t device_reads, device_writes; /* accesses by threads */
  uint64_t device_read_bytes, device_write_bytes; /* asked for by threads */
  uint64_t lines, lines_ideal;   /* lines of 128 bytes moved; if packed tight */
  uint64_t group_reads, group_writes;   /* threadgroup memory, by threads */
  uint64_t banks, banks_ideal;   /* passes over the banks; without conflicts */
  uint64_t constant_reads;       /* by threads */
  uint64_t private_reads, private_writes; /* arrays that are not registers */
  uint64_t atomics, device_atomics; /* by threads, in all; in device memory */
  uint64_t atomics_worst; /* turns: the longest queue of lanes at one place */
  uint64_t branches, divergent;  /* by SIMD-groups; that split the lanes */
} mt_Counts;

/* The most that a single thread did, each figure by itself: a mean hides one
** thread that does the work of all. */
typedef struct mt_Busiest {
  uint64_t instructions, device_reads, device_writes;
} mt_Busiest;

typedef struct mt_ProfileLine {
  unsigned line;
  mt_Counts counts;
} mt_ProfileLine;

typedef struct mt_Profile {
  mt_Counts total;
  mt_ProfileLine *lines; /* in order; only lines that cost something */
  size_t line_count;
  const char *file; /* that the lines are of, if the source includes it; NULL: */
  const char *text; /* the source itself. Its text, or NULL if it cannot be */
  size_t text_length; /* read. They belong to the kernel */
  uint64_t threads, groups, simdgroups;
  mt_Busiest busiest;
  uint64_t unique_bytes; /* of buffers touched at least once */
  char **unknown;        /* sentences: what the model leaves out here */
  size_t unknown_count;
} mt_Profile;

/* As mt_check. 'out' is freed by mt_profile_free in any case. */
mt_Status mt_profile(const mt_Launch *launch, mt_Profile *out, mt_Error *err);
void mt_profile_free(mt_Profile *profile);

#endif
