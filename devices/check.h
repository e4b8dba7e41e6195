/*
** check.h - a launch run under watch: what is wrong with a kernel.
**
** The host engine runs the kernel with instrumentation and notes what no
** correct kernel does. It works on the buffers it is given: callers who want
** to keep theirs give copies. An access that is found wrong is not carried
** out (a read gives 0, a write is dropped), so the kernel goes on and the next
** mistake is found too.
**
** The same mistake by many threads is one finding with a count. Findings come
** in the order of the source's lines, the gravest of a line first.
*/
#ifndef MT_CHECK_H
#define MT_CHECK_H

#include "devices/device.h"

typedef enum mt_FindingKind {
  MT_FIND_OUT_OF_BOUNDS,
  MT_FIND_RACE,
  MT_FIND_DIVERGENT_BARRIER,
  MT_FIND_UNINITIALISED,
  MT_FIND_MISALIGNED,
  MT_FIND_DIVISION_BY_ZERO,
  MT_FIND_SHIFT,
  MT_FIND_THREADGROUP_MEMORY,
  MT_FIND_COVERAGE,
  MT_FIND_INACTIVE_LANE,
  MT_FIND_SCHEDULE,
  MT_FIND_ASSERT,
  MT_FINDING_KINDS
} mt_FindingKind;

/* "out-of-bounds", "race", …: the word of the JSON. */
const char *mt_finding_name(mt_FindingKind kind);

/* Whose memory an access went to. */
typedef enum mt_Space {
  MT_SPACE_NONE,        /* not about memory */
  MT_SPACE_DEVICE,      /* a buffer, or what an argument buffer leads to */
  MT_SPACE_CONSTANT,
  MT_SPACE_THREADGROUP, /* a variable or a parameter */
  MT_SPACE_PRIVATE,     /* a variable of one thread */
  MT_SPACE_TEXTURE,
  MT_SPACE_WILD         /* no memory of this launch */
} mt_Space;

/* A place in the source as the person typed it; column 0 = not known. */
typedef struct mt_SourcePlace {
  unsigned line, column;
  const char *file;   /* that the source includes; NULL: the source itself */
  /* of that file, the line; NULL: it cannot be read. These */
  const char *text;
  size_t text_length; /* belong to the kernel */
} mt_SourcePlace;

typedef struct mt_ThreadAt {
  uint32_t grid[3];  /* thread_position_in_grid */
  uint32_t group[3]; /* threadgroup_position_in_grid */
  uint32_t local[3]; /* thread_position_in_threadgroup */
  uint32_t simdgroup, lane;
} mt_ThreadAt;

typedef enum mt_AccessHow {
  MT_HOW_NONE,
  MT_HOW_READ,
  MT_HOW_WRITE,
  MT_HOW_ATOMIC
} mt_AccessHow;

/* How far the two threads of a race are from each other. */
typedef enum mt_Apart {
  MT_APART_NONE,
  MT_APART_LANES,      /* of one SIMD-group */
  MT_APART_SIMDGROUPS, /* of one threadgroup */
  MT_APART_GROUPS      /* of the grid */
} mt_Apart;

#define MT_FINDING_THREADS 4 /* first threads that are named */

typedef struct mt_Finding {
  mt_FindingKind kind;
  mt_SourcePlace place;       /* where; of a race, the access further down */
  mt_AccessHow how;
  /* race: the other side; barrier: where others wait */
  mt_SourcePlace other;
  mt_AccessHow other_how;
  mt_Apart apart;
  bool flags;           /* race: there is a barrier between, but its mem_flags
                        ** do not order this memory */
  bool other_only;      /* race: the one thread that is known is of 'other';
                        ** barrier: the threads named wait at another one */
  bool inner;           /* out of bounds: past one dimension of it, or past an
                        ** array inside of it, whose 'index' and 'length' these
                        ** are; 'detail' has what the index stands behind */
  mt_Space space;
  const char *name;     /* the parameter or variable; NULL if not known */
  const mt_Type *type;  /* of its elements; NULL if not known */
  int64_t index;        /* element, negative before the start */
  uint64_t length;      /* elements there are */
  uint32_t rows[2];     /* lengths of the inner dimensions of an array of arrays,
                        ** through all of which 'index' counts; else 0 */
  bool level;           /* of a texture: a level that it has not; 'index' and
                        ** 'length' are of levels */
  uint32_t texel[3];    /* beside a texture: where */
  uint32_t extent[3];   /* and how large it is, 0 for sides that it has not;
                        ** 'index' and 'length' are of the side that is left */
  uint64_t bytes;       /* size of the access; alignment wanted if misaligned */
  uint64_t value;       /* shift: by how much; barrier: threads that came;
                        ** schedule: the seed */
  uint64_t expected;    /* barrier: threads of the group; shift: the width */
  uint64_t count;       /* how often it happened */
  unsigned thread_count;
  mt_ThreadAt threads[MT_FINDING_THREADS]; /* a race: of 'place', of 'other',
                        ** of 'place', …; a barrier: threads that did not
                        ** come */
  char detail[160];     /* what the fields above do not say; else empty */
} mt_Finding;

/* What a buffer of the launch holds at the start, elsewhere too. */
typedef struct mt_Kept {
  const mt_Buffer *buffer;
  const void *contents; /* as many bytes; they stay while the check runs */
} mt_Kept;

typedef struct mt_CheckOptions {
  uint64_t seed;        /* of the schedules' orders */
  unsigned schedules;   /* runs in other orders behind the first; 0 = none */
  double tolerance;     /* relative difference between schedules' answers that
                        ** is rounding, for float elements; 0 = none */
  unsigned limit;       /* most findings kept; 0 = 64 */
  const bool *outputs;  /* per parameter: this buffer should be written all
                        ** over (coverage); NULL = no such check */
  bool guess;           /* outputs NULL: buffers that are written and never
                        ** read are outputs, if that looks right */
  const bool *written;  /* per parameter: the buffer's contents mean something
                        ** at the start; NULL = all do */
  const char *const *unwritten; /* the same for members of argument buffers, by
                        ** their names, "job.sums", up to a NULL; NULL = none */
  const mt_Kept *kept;  /* spares copies of these buffers; may be NULL */
  size_t kept_count;
} mt_CheckOptions;

typedef struct mt_CheckReport {
  mt_Finding *findings;
  size_t count;
  uint64_t dropped;       /* findings over the limit */
  char **unchecked;       /* sentences: what could not be checked here */
  size_t unchecked_count;
  unsigned schedules;     /* that were run */
  uint64_t outputs;       /* parameters, by bit, that coverage was asked of */
  uint64_t seed;
} mt_CheckReport;

/*
** Check 'launch', whose kernel must be the host device's. MT_OK: it ran, the
** report says what was found, perhaps nothing. MT_BADARG as mt_launch;
** MT_CANCELLED, MT_TIMEOUT: the report has what was found until then. A launch
** that asks for too much threadgroup memory is a finding, not an error. The
** report is freed by mt_check_free in any case.
*/
mt_Status mt_check(const mt_Launch *launch, const mt_CheckOptions *options,
                   mt_CheckReport *out, mt_Error *err);
void mt_check_free(mt_CheckReport *report);

#endif
