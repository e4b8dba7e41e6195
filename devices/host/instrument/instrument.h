/*
** instrument.h - calls that are put into a kernel, for the checker and the
** profiler, and how they become code.
**
** While a kernel is prepared, calls of __mt_probe… are put before all that can
** go wrong, or is to be counted. Each has a site: what it is about and where
** that stands in the source. The code generators turn the calls into calls of C
** functions (check/check.h, profile/profile.h), vectors with the 32 lanes of a
** SIMD-group at once.
**
**   check.c                the checker's calls, and the table of sites
**   sites.c                the places that are watched, the memory of each
**   uninitialised.c        values that were never given: flags beside variables
**   variables.c            which variables have such flags
**   definite_assignment.c  reads that surely find a value
**   subobject_bounds.c     an index past one dimension of a variable
**   private_variables.c    a thread's own variables
**   alignment.c            vectors in the middle of arrays of numbers
**   pointer_choices.c      pointers that lead to one of several variables
**   lanes.c                what threads of a SIMD-group do together
**   matrix.c               loads and stores of simdgroup matrices
**   texels.c               reads and writes beside a texture
**   unwatched.c            what was not watched
**   profile.c              the profiler's calls and tables
**   lower.c                the calls as vectors, and thread by thread
**   lower_access.c         accesses as vectors, with what needs no call
**   lower_threadgroup.c    the same for reads of threadgroup memory
*/
#ifndef MT_HOST_INSTRUMENT_INSTRUMENT_H
#define MT_HOST_INSTRUMENT_INSTRUMENT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/check.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/host/abi/group.h"
#include "devices/profile.h"

/* ------------------------------------------------------------------- sites */

typedef enum mt_SiteKind {
  MT_SITE_READ,
  MT_SITE_WRITE,
  MT_SITE_ATOMIC_READ,
  MT_SITE_ATOMIC_WRITE,
  MT_SITE_ATOMIC,       /* read and write in one */
  MT_SITE_DIVIDE,       /* by zero, or the least number by -1 */
  MT_SITE_SHIFT,
  MT_SITE_ALIGN,        /* of a variable whose place is known, by its offset */
  MT_SITE_INDEX,        /* past one dimension of a variable */
  MT_SITE_UNSET,        /* a private variable is used before it has a value */
  MT_SITE_BARRIER,
  MT_SITE_SIMD_BARRIER,
  MT_SITE_FENCE,
  MT_SITE_TEXEL,        /* beside a texture */
  MT_SITE_LANES,        /* a value taken from another lane */
  MT_SITE_TOGETHER,     /* what all lanes have to do: matrices */
  MT_SITE_ASSERT        /* an assertion that does not hold */
} mt_SiteKind;

#define MT_SITES_MAX 8191 /* what a shadow cell can name */
#define MT_ROOT_UNKNOWN (-1)

typedef struct mt_Site {
  mt_SiteKind kind;
  mt_SourcePlace place;
  int root;          /* whose memory, if known now; else MT_ROOT_UNKNOWN */
  uint32_t size;     /* bytes of the access */
  uint32_t align;    /* that it needs */
  uint32_t parts;    /* of the value that is written; 0 = value not given */
  uint32_t part_size;
  bool exchange;     /* atomic: a compare-and-exchange */
  bool constant;     /* it writes the same whenever it does */
  bool after;        /* atomic: the site before this one, where its group wrote
                     ** plainly before */
  uint32_t width;    /* shift: bits; barrier: its mem_flags; index, align: how
                     ** many elements there are, of 'part_size' bytes */
  int lane_op;       /* lanes: mt_LaneFrom */
  mt_Space space;    /* index: of the variable */
  bool write;        /* index, texel: it is written there */
  const char *name;  /* unset, index, align: the variable; together: the function;
                     ** assert: the condition;
                     ** owned */
  const char *path;  /* index: what the index stands behind; owned, or NULL */
} mt_Site;

typedef struct mt_SiteTable mt_SiteTable;

/* Memory that pointers are derived from. Roots 0 … are the kernel's params. */
typedef enum mt_RootKind {
  MT_ROOT_PARAM,
  MT_ROOT_VARIABLE, /* threadgroup */
  MT_ROOT_GLOBAL,   /* a constant of the program */
  MT_ROOT_PRIVATE
} mt_RootKind;

typedef struct mt_Root {
  mt_RootKind kind;
  char name[64];
  size_t size;      /* bytes; params: at launch */
  size_t element;   /* bytes of one */
  uint32_t rows[2]; /* of tile[9][8][7]: 8, 7; of tile[9][8]: 8, 0 */
  const mt_Type *type;
  LLVMValueRef of;  /* while instrumenting */
} mt_Root;

/* Why something of a kernel is not watched (instrument/unwatched.c). */
typedef enum mt_UnwatchedWhy {
  MT_UNWATCHED_FULL,    /* there are more sites than a cell can name */
  MT_UNWATCHED_COPY,    /* a copy of a size that is not known */
  MT_UNWATCHED_CALL,    /* a call that is given a pointer and is not known */
  MT_UNWATCHED_MATRIX,  /* a matrix in private memory */
  MT_UNWATCHED_CHOICES,    /* a pointer that may lead to very many variables */
  MT_UNWATCHED_LARGE,   /* a variable without flags: it is too large, */
  MT_UNWATCHED_ESCAPES,    /* or its address goes where flags do not follow, */
  MT_UNWATCHED_CROWDED, /* or there are too many */
  MT_UNWATCHED_PRIVATE,     /* at run time: it went to private memory */
  MT_UNWATCHED_THREADGROUP     /* the same, to threadgroup memory */
} mt_UnwatchedWhy;

typedef struct mt_Unwatched {
  mt_UnwatchedWhy why;
  mt_SourcePlace place;
  char name[48]; /* of the variable; "" if it is not about one */
} mt_Unwatched;

struct mt_SiteTable {
  mt_Site *site;
  size_t count, room;
  mt_Root *root;
  size_t roots, root_room;
  bool pixels;       /* asked for: also watch reads of textures that the kernel
                     ** does not write under the same name */
  bool full;         /* more sites than a cell can name: not all are watched */
  mt_Unwatched *missed;
  size_t missed_count;
};
/* 'place' is not watched; said once for a line and a name, which may be
** NULL. */
void mt_unwatched_add(mt_SiteTable *t, mt_UnwatchedWhy why,
                      mt_SourcePlace place, const char *name);
void mt_sites_free(mt_SiteTable *t);
/* The name of a file as sites have it: kept for good, and one pointer for
** each. */
const char *mt_site_file(const char *name, unsigned length);
/* What fills 'table' while a kernel is prepared. */
mt_Instrumentation mt_check_instrumentation(mt_SiteTable *table);
/* A new site, or the last one if there are too many; its number. */
uint32_t mt_site_add(mt_SiteTable *t, mt_Site site);

/* ------------------------------------------------------------------ counts */

/* So many instructions of one kind on one line. */
typedef struct mt_Tally {
  unsigned line;
  mt_CountKind kind;
  uint32_t count;
  uint32_t operations;                    /* floating point, of one thread */
  uint32_t private_reads, private_writes; /* of one thread */
} mt_Tally;

/* A run of tallies; the same number of a block's counters. */
typedef struct mt_TallyRun {
  uint32_t first, count;
} mt_TallyRun;

typedef enum mt_CountSpace {
  MT_COUNT_DEVICE,
  MT_COUNT_CONSTANT,
  MT_COUNT_GROUP,
  MT_COUNT_FIND /* by its address, at run time */
} mt_CountSpace;

/* An access, or a branch. */
typedef struct mt_CountSite {
  unsigned line;
  mt_CountSpace space;
  mt_AccessHow how;
  uint32_t size;
} mt_CountSite;

typedef struct mt_CountTable {
  mt_Tally *tally;
  size_t tallies, tally_room;
  mt_TallyRun *block;
  size_t blocks, block_room;
  mt_CountSite *site;
  size_t sites, site_room;
  bool textures;  /* it uses some */
} mt_CountTable;

void mt_counts_free(mt_CountTable *t);

/* What fills 'table' while a kernel is prepared. */
mt_Instrumentation mt_profile_instrumentation(mt_CountTable *table);

/* ---------------------------------------------------------------- lowering */

/* Of a checked kernel's calls, and of a profiled one's (vector/vector.h). */
typedef struct mt_ProbeLowering mt_ProbeLowering;
extern const mt_ProbeLowering mt_check_lowering, mt_profile_lowering;

/* Replace such a call in a kernel that runs thread by thread; 'index' is the
** thread's. Gives the value that stands for it. */
LLVMValueRef mt_probe_scalar(LLVMModuleRef module, LLVMBuilderRef b,
                             LLVMValueRef call, const char *name,
                             LLVMValueRef index);

/* -------------------------------------- what code and C functions agree on */

#define MT_TILE_BYTES 65536 /* most of it; a power of two */
#define MT_TILE_READS 8192
typedef struct mt_TileRead {
  int32_t at, step; /* bytes: of lane 0, and from lane to lane */
  uint32_t mask;
  uint16_t site, sg;
} mt_TileRead;

#define MT_TEXEL 5 /* numbers that say where a texel is */
#define MT_STAGE 65536 /* bytes */

#endif
