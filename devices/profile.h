/*
** profile.h - the profiler: counts the costs of a launch on a model GPU.
**
** The host device runs the kernel with counters at every instruction and
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
  uint64_t device_read_bytes, device_write_bytes; /* requested by threads */
  uint64_t lines, lines_ideal;   /* 128-byte lines moved; if contiguous */
  uint64_t group_reads, group_writes;   /* threadgroup memory, by threads */
  uint64_t banks, banks_ideal;   /* passes over the banks; without conflicts */
  uint64_t constant_reads;       /* by threads */
  uint64_t private_reads, private_writes; /* arrays not in registers */
  uint64_t atomics, device_atomics; /* by threads: all; in device memory */
  uint64_t atomics_worst; /* sum of the most lanes at one address, per access */
  uint64_t branches, divergent;  /* by SIMD-groups: all; divergent ones */
} mt_Counts;

/* The maximum over all threads, for each count by itself: a mean hides a single
** thread that does all the work. */
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
  /* of the lines; both strings belong to the kernel */
  const char *file; /* an included file; NULL: the source itself */
  const char *text; /* the text of that file; NULL: it cannot be read */
  size_t text_length;
  uint64_t threads, groups, simdgroups;
  mt_Busiest busiest;
  uint64_t unique_bytes; /* of buffers accessed at least once */
  uint64_t unique_lines; /* the same in lines of 128 bytes */
  uint32_t registers;    /* of 32 bits for a thread, about; 0: not known */
  size_t threadgroup_bytes; /* of a threadgroup: variables and parameters */
  char **unknown;        /* sentences: what the model does not count */
  size_t unknown_count;
} mt_Profile;

/* As mt_check. Free 'out' with mt_profile_free in any case. */
mt_Status mt_profile(const mt_Launch *launch, mt_Profile *out, mt_Error *err);
void mt_profile_free(mt_Profile *profile);

/* Which bytes of a buffer a launch has accessed, and how: a bit per byte. */
typedef enum mt_TouchSet {
  MT_TOUCH_READ,
  MT_TOUCH_WRITTEN,
  MT_TOUCH_ATOMIC,
  MT_TOUCH_SETS
} mt_TouchSet;

typedef struct mt_AccessedBuffer {
  const void *contents; /* mt_buffer_contents */
  size_t size;
  uint64_t *set[MT_TOUCH_SETS]; /* size / 64 + 1 words each */
} mt_AccessedBuffer;

typedef struct mt_AccessMap {
  mt_AccessedBuffer *buffers; /* each once, however often it is bound */
  size_t count;
} mt_AccessMap;

/* The same, and a map of all accesses to buffers; textures are not in it. Free
** it with mt_access_map_free in any case. */
mt_Status mt_profile_map(const mt_Launch *launch, mt_Profile *out,
                         mt_AccessMap *map, mt_Error *err);
void mt_access_map_free(mt_AccessMap *map);

#endif
