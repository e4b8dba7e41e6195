/*
** check.h - the checker: runs a launch instrumented and reports its errors.
**
** The host device runs the kernel with instrumentation and records findings. It
** changes the buffers that it is given: callers that want to keep theirs pass
** copies. An invalid access is not carried out (a read gives 0, a write is
** dropped), so the kernel goes on and later errors are found too.
**
** The same error by many threads is one finding with a count. Findings are in
** the order of the source's lines, the most severe of a line first.
*/
#ifndef MT_CHECK_H
#define MT_CHECK_H

#include "devices/device.h"

/*
** The table of finding kinds; lua/check/describe.lua has the messages. A row:
** the enumerator; the name, which JSON, tests/zoo and the glossary use; whether
** it may make the answer depend on the order of threads (a schedule finding is
** then its consequence); the words in the help; and what a clean kernel has, or
** "".
*/
/* clang-format off */
#define MT_FINDING_TABLE(X)                                                    \
  X(OUT_OF_BOUNDS, "out-of-bounds", true, "accesses outside a buffer or an array", "no access out of bounds") \
  X(RACE, "race", true, "races between threads", "no race")                    \
  X(DIVERGENT_BARRIER, "divergent-barrier", true, "barriers that not all threads reach", "no barrier that some threads miss") \
  X(UNINITIALISED, "uninitialised", true, "memory read before it was written", "nothing read before it was written") \
  X(MISALIGNED, "misaligned", false, "misaligned access", "nothing misaligned") \
  X(DIVISION_BY_ZERO, "division-by-zero", false, "integer division by zero", "no division by zero") \
  X(SHIFT, "shift", false, "shifts too far", "no shift too far")               \
  X(THREADGROUP_MEMORY, "threadgroup-memory", false, "too much threadgroup memory", "") \
  X(COVERAGE, "coverage", false, "outputs that the grid does not cover", "")   \
  X(INACTIVE_LANE, "inactive-lane", true, "values asked from inactive lanes", "no inactive lane asked") \
  X(SCHEDULE, "schedule", false, "answers that change when threads run in another order", "") \
  X(ASSERT, "assert", false, "asserts of the kernel that do not hold", "")
/* clang-format on */

typedef enum mt_FindingKind {
#define X(id, ...) MT_FIND_##id,
  MT_FINDING_TABLE(X)
#undef X
  MT_FINDING_KINDS
} mt_FindingKind;

typedef struct mt_FindingRow {
  const char *name;
  bool upsets;       /* it may make the answer depend on the schedule */
  const char *found; /* "races between threads" */
  const char *clean; /* "no race"; or "" */
} mt_FindingRow;

const mt_FindingRow *mt_finding_row(mt_FindingKind kind);

/* "out-of-bounds", "race", …: its name in JSON. */
const char *mt_finding_name(mt_FindingKind kind);

/* What a finding says of its access, each with the name that JSON and Lua have
** for it; NULL: not known, or it does not apply. */

/* The memory that it went to: DEVICE is a buffer, or one that an argument
** buffer points to; THREADGROUP a variable or a parameter; PRIVATE a variable
** of one thread; WILD is no memory of this launch. */
#define MT_SPACE_TABLE(X)                                     \
  X(NONE, NULL) X(DEVICE, "device") X(CONSTANT, "constant")   \
  X(THREADGROUP, "threadgroup") X(PRIVATE, "private")         \
  X(TEXTURE, "texture") X(WILD, "wild")

#define MT_HOW_TABLE(X) \
  X(NONE, NULL) X(READ, "read") X(WRITE, "write") X(ATOMIC, "atomic")

/* The smallest unit that contains both threads of a race: a SIMD-group, a
** threadgroup, the grid. */
#define MT_APART_TABLE(X)                                      \
  X(NONE, NULL) X(LANES, "lanes") X(SIMDGROUPS, "simdgroups")  \
  X(GROUPS, "groups")

typedef enum mt_Space {
#define X(id, name) MT_SPACE_##id,
  MT_SPACE_TABLE(X)
#undef X
} mt_Space;

typedef enum mt_AccessHow {
#define X(id, name) MT_HOW_##id,
  MT_HOW_TABLE(X)
#undef X
} mt_AccessHow;

typedef enum mt_Apart {
#define X(id, name) MT_APART_##id,
  MT_APART_TABLE(X)
#undef X
} mt_Apart;

const char *mt_space_name(mt_Space space);
const char *mt_how_name(mt_AccessHow how);
const char *mt_apart_name(mt_Apart apart);

/* A place in the user's source; column 0 = unknown. The strings belong to the
** kernel. */
typedef struct mt_SourcePlace {
  unsigned line, column;
  const char *file;   /* an included file; NULL: the source itself */
  const char *text;   /* of that line; NULL: the file cannot be read */
  size_t text_length;
} mt_SourcePlace;

typedef struct mt_ThreadAt {
  uint32_t grid[3];  /* thread_position_in_grid */
  uint32_t group[3]; /* threadgroup_position_in_grid */
  uint32_t local[3]; /* thread_position_in_threadgroup */
  uint32_t simdgroup, lane;
} mt_ThreadAt;

/* Thread number 'thread' of group number 'group' in a grid of 'groups' of
** 'size' threads; groups at ragged edges have fewer. */
mt_ThreadAt mt_thread_locate(const uint32_t grid[3], const uint32_t groups[3],
                             const uint32_t size[3], uint64_t group,
                             uint32_t thread);

#define MT_FINDING_THREADS 4 /* threads that a finding names, at most */

typedef struct mt_Finding {
  mt_FindingKind kind;
  mt_SourcePlace place;       /* where; of a race, the later line */
  mt_AccessHow how;
  /* race: the other side; barrier: where others wait */
  mt_SourcePlace other;
  mt_AccessHow other_how;
  mt_Apart apart;
  bool flags;           /* race: a barrier is in between, but its mem_flags do
                        ** not order this memory */
  bool other_only;      /* race: the only known thread is that of 'other';
                        ** barrier: the threads named wait at another one */
  bool inner;           /* out of bounds: past one dimension of the array, or
                        ** past an array inside it, to which 'index' and
                        ** 'length' belong; 'detail' has the indexed part */
  mt_Space space;
  const char *name;     /* the parameter or variable; NULL if unknown */
  const mt_Type *type;  /* of its elements; NULL if unknown */
  int64_t index;        /* element; negative before the start */
  uint64_t length;      /* number of elements */
  uint32_t rows[2];     /* inner dimensions of an array of arrays, in which
                        ** 'index' is flattened; else 0 */
  bool level;           /* texture: the mip level does not exist; 'index' and
                        ** 'length' count levels */
  uint32_t texel[3];    /* texture: coordinates of the access */
  uint32_t extent[3];   /* and the size of the texture, 0 for sides that it
                        ** lacks; 'index', 'length': of the exceeded side */
  uint64_t bytes;       /* size of the access; misaligned: the alignment */
  uint64_t value;       /* shift: the amount; barrier: threads that arrived;
                        ** schedule: the seed */
  uint64_t expected;    /* barrier: threads of the group; shift: the width */
  uint64_t count;       /* how often it happened */
  unsigned thread_count;
  mt_ThreadAt threads[MT_FINDING_THREADS]; /* race: of 'place', of 'other',
                        ** of 'place', …; barrier: threads that did not
                        ** arrive */
  char detail[160];     /* anything that the fields above lack; else empty */
} mt_Finding;

/* A second copy of a buffer's contents before the launch. */
typedef struct mt_Kept {
  const mt_Buffer *buffer;
  const void *contents; /* of the same size; unchanged while the check runs */
} mt_Kept;

typedef struct mt_CheckOptions {
  uint64_t seed;        /* for the orders of the schedules */
  unsigned schedules;   /* runs in other orders after the first; 0 = none */
  double tolerance;     /* relative difference between the results of schedules
                        ** that counts as rounding, for floats; 0 = none */
  unsigned limit;       /* maximum number of findings; 0 = 64 */
  const bool *outputs;  /* per parameter: every element of this buffer should
                        ** be written (coverage); NULL = not checked */
  bool guess;           /* if outputs is NULL: infer outputs from buffers that
                        ** are written and never read */
  const bool *written;  /* per parameter: the buffer is initialised at the
                        ** start; NULL = all are */
  const char *const *unwritten; /* the same for members of argument buffers, by
                        ** their names, "job.sums", up to a NULL; NULL = none */
  const mt_Kept *kept;  /* these buffers need no further copy; may be NULL */
  size_t kept_count;
} mt_CheckOptions;

typedef struct mt_CheckReport {
  mt_Finding *findings;
  size_t count;
  uint64_t dropped;       /* findings over the limit */
  char **unchecked;       /* sentences: what could not be checked */
  size_t unchecked_count;
  unsigned schedules;     /* number of schedules run */
  char unordered[160];    /* "hits, ids": lists to which threads append by an
                          ** atomic counter: another schedule gave the same
                          ** elements in another order; "": none */
  uint64_t outputs;       /* bit per parameter: coverage was checked */
  uint64_t seed;
} mt_CheckReport;

/*
** Check 'launch', whose kernel must belong to the host device. MT_OK: it ran,
** and the report has the findings, if any. MT_BADARG as mt_launch;
** MT_CANCELLED, MT_TIMEOUT: the report has the findings until then. Too much
** threadgroup memory is a finding, not an error. Free the report with
** mt_check_free in any case.
*/
mt_Status mt_check(const mt_Launch *launch, const mt_CheckOptions *options,
                   mt_CheckReport *out, mt_Error *err);
void mt_check_free(mt_CheckReport *report);

#endif
