/*
** sites.h - the tables of an instrumented kernel: which operations of the
** source it reports, and on what memory.
**
** The rooms that instrument a kernel (instrument/instrument.h) fill a table;
** the rooms that run it (check/check.h, profile/profile.h, record/record.h)
** read there what the number in a report means. A table crosses from LLVM's
** process to the program with the code (kernel/compile_result.c). At the end
** stands what generated code and the C functions that it calls agree on.
*/
#ifndef MT_HOST_SITES_SITES_H
#define MT_HOST_SITES_SITES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/check.h"
#include "devices/profile.h"

/* ------------------------------------------------------------------- sites */

typedef enum mt_SiteKind {
  MT_SITE_READ,
  MT_SITE_WRITE,
  MT_SITE_ATOMIC_READ,
  MT_SITE_ATOMIC_WRITE,
  MT_SITE_ATOMIC,       /* read and write in one */
  MT_SITE_DIVIDE,       /* by zero, or INT_MIN by -1 */
  MT_SITE_SHIFT,
  MT_SITE_ALIGN,        /* of a variable, by the offset from its start */
  MT_SITE_INDEX,        /* past one dimension of a variable */
  MT_SITE_UNSET,        /* an uninitialised private variable is used */
  MT_SITE_BARRIER,
  MT_SITE_SIMD_BARRIER,
  MT_SITE_FENCE,
  MT_SITE_TEXEL,        /* outside a texture */
  MT_SITE_LANES,        /* a value read from another lane */
  MT_SITE_TOGETHER,     /* all lanes must be active: matrices */
  MT_SITE_ASSERT,       /* a failed assertion */
  MT_SITE_LINE,         /* recorded: a thread comes to a line */
  MT_SITE_VALUE         /* recorded: a variable gets a value */
} mt_SiteKind;

#define MT_SITES_MAX 8191 /* the 13 bits of a site in a shadow cell */
#define MT_ROOT_UNKNOWN (-1)
#define MT_PLACE_UNKNOWN UINT32_MAX

typedef struct mt_Site {
  mt_SiteKind kind;
  mt_SourcePlace place;
  int root;          /* the memory, if known statically; else MT_ROOT_UNKNOWN.
                     ** A recorded value: the number of its variable */
  uint32_t size;     /* bytes of the access */
  uint32_t align;    /* that the access needs */
  uint32_t parts;    /* elements of the value that is written; 0 = value not
                     ** passed */
  uint32_t part_size;
  bool exchange;     /* atomic: a compare-and-exchange */
  bool drawn;        /* a write to a place that an atomic counter gave out */
  mt_Scalar floats;  /* a write of integers that are the bits of such floats;
                     ** else MT_VOID */
  bool integers;     /* a write of integers that are not: neither constants nor
                     ** what was read from memory */
  uint32_t member;   /* a write: where in an element of the root, in bytes, or
                     ** MT_PLACE_UNKNOWN */
  bool constant;     /* the stored value is a constant */
  bool after;        /* atomic: a twin of the site before, used once the same
                     ** group has also written there non-atomically */
  uint32_t width;    /* shift: bits; barrier: its mem_flags; index, align: how
                     ** many elements there are, of 'part_size' bytes */
  mt_Space space;    /* index, align: address space of the variable */
  bool write;        /* index, align, texel: the access is a write */
  uint32_t frame;    /* recorded: number of its mt_Frame */
  const char *name;  /* unset, index, align: the variable; together: the
                     ** function; assert: the condition; recorded: the
                     ** operation, or the private variable that the value
                     ** points to; owned */
  const char *path;  /* index: the path before the index; recorded: the type
                     ** of the value; owned, or NULL */
} mt_Site;

typedef struct mt_SiteTable mt_SiteTable;

/* Underlying objects of pointers. Roots 0 … are the kernel's parameters. */
typedef enum mt_RootKind {
  MT_ROOT_PARAM,
  MT_ROOT_VARIABLE, /* threadgroup */
  MT_ROOT_GLOBAL,   /* a constant at program scope */
  MT_ROOT_PRIVATE
} mt_RootKind;

typedef struct mt_Root {
  mt_RootKind kind;
  char name[64];
  size_t size;      /* bytes; parameters: known at launch */
  size_t element;   /* bytes of one element */
  uint32_t rows[2]; /* of tile[9][8][7]: 8, 7; of tile[9][8]: 8, 0 */
  const mt_Type *type;
  char *type_text;  /* of recorded variables (base/kernel_types/type_text.h);
                    ** owned, or NULL */
  LLVMValueRef of;  /* while instrumenting */
} mt_Root;

/* A function of the source in one place where it is called; 0 is the kernel. */
typedef struct mt_Frame {
  char name[64];
  uint32_t parent;   /* the frame that calls it, */
  uint32_t line;     /* on this line */
  const void *at;    /* while instrumenting */
} mt_Frame;

/* A variable of the source in one frame. */
typedef struct mt_Variable {
  char name[48];
  char *type;        /* base/kernel_types/type_text.h; owned. NULL: unknown */
  uint32_t size;     /* bytes */
  uint32_t frame;
  uint32_t line;     /* of its declaration, */
  uint32_t last;     /* and of its scope's end; 0: the function's */
  LLVMValueRef of;   /* while instrumenting */
  const void *scope; /* while instrumenting */
} mt_Variable;

/* Why something of a kernel is not instrumented (sites/unchecked.c). */
typedef enum mt_UncheckedWhy {
  MT_UNCHECKED_FULL,    /* more sites than a shadow cell can name */
  MT_UNCHECKED_COPY,    /* a copy of a size that is not a small constant */
  MT_UNCHECKED_CALL,    /* an unknown call takes a pointer */
  MT_UNCHECKED_MATRIX,  /* a matrix in private memory */
  MT_UNCHECKED_CHOICES,    /* a pointer to one of too many variables */
  MT_UNCHECKED_LARGE,   /* a variable without shadow flags: too large, */
  MT_UNCHECKED_ESCAPES,    /* or its address escapes, */
  MT_UNCHECKED_CROWDED, /* or there are too many variables */
  MT_UNCHECKED_STORE,   /* recorded: through a pointer to one of many private
                        ** variables */
  MT_UNCHECKED_PRIVATE,     /* at run time: the address was in private memory */
  MT_UNCHECKED_THREADGROUP     /* at run time: in threadgroup memory */
} mt_UncheckedWhy;

typedef struct mt_Unchecked {
  mt_UncheckedWhy why;
  mt_SourcePlace place;
  char name[48]; /* of the variable, or "" */
} mt_Unchecked;

struct mt_SiteTable {
  mt_Site *site;
  size_t count, room;
  mt_Root *root;
  size_t roots, root_room;
  mt_Frame *frame;   /* recorded, */
  size_t frames, frame_room;
  mt_Variable *variable; /* with values */
  size_t variables, variable_room;
  bool values;       /* record lines and variables, too */
  bool pixels;       /* also instrument reads of textures that the kernel does
                     ** not write by the same name */
  bool full;         /* more sites than a shadow cell can name: some accesses
                     ** are not instrumented */
  mt_Unchecked *missed;
  size_t missed_count;
};
/* Record that 'place' is not instrumented, once for a line and a name. 'name'
** may be NULL. */
void mt_unchecked_add(mt_SiteTable *t, mt_UncheckedWhy why,
                      mt_SourcePlace place, const char *name);
void mt_sites_free(mt_SiteTable *t);
/* A bit for each parameter whose memory is accessed on 'line'; 'write' is 1 for
** writes, 0 for reads, -1 for both. 0: it cannot be told. */
uint64_t mt_sites_params_at(const mt_SiteTable *t, unsigned line, int write);
/* Interns the name of a file: the same pointer each time, never freed. */
const char *mt_site_file(const char *name, unsigned length);
/* Room for one item more in a list of the table; false: no memory. */
bool mt_sites_grow(void *list, size_t count, size_t *room, size_t item);
/* Adds a site; gives its number, or 0 if the table is full. */
uint32_t mt_site_add(mt_SiteTable *t, mt_Site site);

/* ------------------------------------------------------------------ counts */

/* Instructions of one kind on one line of a basic block. */
typedef struct mt_Tally {
  unsigned line;
  mt_CountKind kind;
  uint32_t count;
  uint32_t operations;                    /* floating point, of one thread */
  uint32_t private_reads, private_writes; /* of one thread */
} mt_Tally;

/* The tallies of one basic block. */
typedef struct mt_TallyRun {
  uint32_t first, count;
} mt_TallyRun;

typedef enum mt_CountSpace {
  MT_COUNT_DEVICE,
  MT_COUNT_CONSTANT,
  MT_COUNT_GROUP,
  MT_COUNT_FIND /* decided at run time, by the address */
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
  bool textures;  /* the kernel uses textures */
  uint32_t registers; /* of 32 bits that a thread needs, an estimate; 0: not
                      ** known */
} mt_CountTable;

void mt_counts_free(mt_CountTable *t);

/* -------------------------------------- what code and C functions agree on */

#define MT_TILE_BYTES 65536 /* at most; a power of two */
#define MT_TILE_READS 8192
typedef struct mt_TileRead {
  int32_t at, step; /* bytes: of lane 0, and the stride between lanes */
  uint32_t mask;
  uint16_t site, sg;
} mt_TileRead;

/* What inline code of a checked launch reads and writes by offset: the start of
** its mt_Check (check/check.h), which mt_Group.observer points to. */
typedef struct mt_CheckTables {
  /* check/fast_path.c: for each site the number of places, in units of its
  ** alignment from the base of its memory, that need no helper; and that base
  ** where it is not known statically. */
  uint64_t limit[MT_SITES_MAX + 1], start[MT_SITES_MAX + 1];
  /* check/threadgroup_reads.c: a bit per word of threadgroup memory that any
  ** thread may read, and the reads that are not in the shadow yet. */
  uint8_t clean[MT_TILE_BYTES / 32 + 64];
  uint32_t listed; /* before the list: LLVM sees that no entry overlaps it */
  mt_TileRead list[MT_TILE_READS];
} mt_CheckTables;

/* A shadow flag (uninitialised.c) says why a value must not be used. 0: it may
** be; else its site in the low 13 bits, or MT_FLAG_UNSET where that is not
** known yet. MT_FLAG_LANES: it comes from an inactive lane, MT_FLAG_FROM, which
** lane MT_FLAG_LANE asked. */
#define MT_FLAG_UNSET 0xffffffffu
#define MT_FLAG_LANES 2u /* the top two bits */
#define MT_FLAG_KIND(f) ((uint32_t)(f) >> 30)
#define MT_FLAG_SITE(f) ((f) & MT_SITES_MAX)
#define MT_FLAG_LANE(f) ((f) >> 13 & 31)
#define MT_FLAG_FROM(f) ((int32_t)((f) << 2) >> 20) /* -2048 to 2047 */
static inline uint32_t mt_flag_lanes(uint32_t site, uint32_t lane,
                                     uint32_t from) {
  return MT_FLAG_LANES << 30 | (from & 4095) << 18 | lane << 13 | site;
}

#define MT_TEXEL 5 /* coordinates, slices and level of a texel */
#define MT_STAGE 65536 /* bytes */

#endif
