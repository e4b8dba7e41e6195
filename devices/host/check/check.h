/*
** check.h - the run-time half of the checker (devices/check.h).
**
** A checked kernel is instrumented: probes (calls of __mt_probe…) stand before
** each operation that can go wrong. Each has a site: the kind of operation and
** its place in the source (instrument/instrument.h). The code generators lower
** probes to calls of the functions below; vectorised code makes one call for
** the 32 lanes of a SIMD-group.
**
**   bounds.c             which memory there is; out-of-bounds accesses
**   race.c               shadow memory: races and uninitialised reads
**   epochs.c             the epochs of each threadgroup, and its fences
**   fast_path.c          accesses that are correct at a glance
**   fast_path_rows.c     the same for strided lanes, eight cells at once
**   threadgroup_reads.c  reads of threadgroup memory between barriers
**   shadow_pages.c       memory for the shadow
**   shadow_partition.c   a limit for that memory: several partial runs
**   barriers.c           divergent barriers, inactive lanes, conditions
**   matrix_access.c      loads and stores of simdgroup matrices
**   texture_bounds.c     texels outside a texture
**   coverage.c           outputs that were not fully written
**   schedules.c          runs in other orders,
**   answers.c            and whether their answers are the same
**   findings.c           findings, one per mistake
**   unchecked.c          sentences about what was not checked
**   runtime_symbols.c    the symbols that instrumented code links to
**   check.c              mt_check_run: the order of the steps
**
** A checked launch runs on one OS thread, so that findings are deterministic.
** All of its state is in its mt_Check, which the helpers get as their first
** argument: several launches may be checked at once, each on its own thread.
*/
#ifndef MT_HOST_CHECK_CHECK_H
#define MT_HOST_CHECK_CHECK_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/permutation.h"
#include "devices/check.h"
#include "devices/host/abi/abi.h"
#include "devices/host/sites/sites.h"
#include "devices/host/kernel/kernel.h"
#include "devices/host/run/run.h"

/* ------------------------------------------- helpers of the generated code */

typedef struct mt_Check mt_Check;

/* Threads sg * 32 + lane for each lane in 'mask', all at address p. 'values'
** holds the elements to be written, 'stride' lanes of each. */
void *mt_check_one(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                   char *base, char *p, const void *values, uint32_t stride);
/* Addresses first, first + step, …; gives the address to use for 'first'. */
char *mt_check_row(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                   char *base, char *first, int64_t step, const void *values);
/* A list of addresses. NULL: go on; else the stage, where each lane accesses
** its own slot. 'plan' holds 32 such slots (byte offsets), the number of runs
** of lanes, and for each run its first lane, lane count and stride in bytes. */
char *mt_check_spread(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                      char *base, char *const *at, const void *values,
                      const int32_t *plan);
/* The same; replaces the addresses of bad lanes in the list. */
void mt_check_lanes(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                    char *base, char **at, const void *values);
/* matrix_access.c: a simdgroup matrix; gives the address to use, other memory
** with a stride of 8 if an element is bad. The second is for lanes that
** disagree on the address: it replaces the pointers and gives the bad lanes. */
char *mt_check_matrix(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                      char *base, char *p, int64_t stride, uint8_t turned);
uint32_t mt_check_matrix_lanes(mt_Check *c, uint32_t sg, uint32_t mask,
                               uint32_t site, char *base, char **p,
                               const int64_t *stride, const uint8_t *turned);
/* threadgroup_reads.c: a read of threadgroup memory in runs, lane 0 'at' bytes
** from its start. True: it is good and on the list. 'plan' holds the number of
** runs, and for each its first lane, lane count, stride in bytes, and the bytes
** from lane 0 to its first. */
uint32_t mt_check_tile(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                       int64_t at, const int32_t *plan);
/* The SIMD-group, or lane, that runs as number i of n. */
uint32_t mt_check_order(const mt_Check *c, uint32_t i, uint32_t n);
void mt_check_if(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                 const uint64_t *values);
void mt_check_wait(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site);
void mt_check_go(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site);
/* Each lane reads the value of lane 'from'. Its shadow flag (instrument.h) is
** in 'flags', and becomes that of what is read. */
void mt_check_lane(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                   const uint32_t *from, uint32_t *flags);
/* Only the lanes in 'mask' execute an operation that needs all 32. */
void mt_check_convergent(mt_Check *c, uint32_t sg, uint32_t mask,
                         uint32_t site);
/* texture_bounds.c: 'places' holds 32 each of x, y, z, the number of slices,
** and the level. */
void mt_check_texel(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                    const uint32_t *places, const void *const *views);
/* The same for one thread. */
void mt_check_thread_texel(mt_Check *c, uint32_t sg, uint32_t mask,
                           uint32_t site, const uint32_t *place,
                           const void *view);
void mt_check_thread_if(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                        const uint64_t *value);
void mt_check_thread_lane(mt_Check *c, uint32_t sg, uint32_t mask,
                          uint32_t site, uint32_t from, uint32_t flag);
uint32_t mt_check_thread_asked(mt_Check *c, uint32_t sg, uint32_t mask);
/* Fibers: these lanes execute a cross-lane operation together. */
void mt_check_active(mt_Check *c, uint32_t sg, uint32_t active);

/* ------------------------------------------------------------- at run time */

/* Memory, with a shadow if it is tracked. A shadow cell is a word: epoch (40
** bits), thread (10), site (13), several (1); 0 = never accessed. Eight cells
** are a line. A line whose cells were accessed by consecutive lanes at once has
** one word, that of its first cell: the cells themselves, and the pages they
** would be on, stay untouched. */
typedef struct mt_Region {
  char *start;
  size_t size;
  mt_Space space;
  int root;          /* a parameter that points here, or -1 */
  const mt_Link *link; /* the member of that argument buffer, if it is one */
  bool open;         /* a texture that the kernel may write */
  bool looked_at;    /* read through a pointer of unknown root */
  bool tracked;      /* threadgroup memory, written, or blank: has a shadow */
  bool blank;        /* unwritten memory must not be read */
  unsigned shift;    /* log2 of the bytes of a cell */
  uint64_t *writes, *reads;
  uint64_t *line_writes, *line_reads; /* NULL: no lines, only cells */
  size_t cells;
  size_t low, high;  /* the cells that this run tracks: all, or one part */
  size_t first;      /* cells of the first part, if there were parts */
  uint8_t *opened;   /* by page of cells, of writes and of reads: it is in use;
                     ** NULL: pages are not counted */
  uint8_t *set;      /* a bit per cell: written, in any part; */
  bool gathered;     /* valid: all parts have run */
  bool touched;      /* some cells are not zero */
  uint64_t again[2]; /* writes of the value that another thread wrote; [1]: in
                     ** cells that may move to a later run */
  int64_t again_first[2];
  /* initial contents, the caller's; or NULL, and then */
  const char *kept;
  char *before;      /* a copy of them, if the launch is run again */
  char *answer[2];   /* of the first run: vectorised, and thread by thread */
} mt_Region;

#define MT_CELL_TIME 24
#define MT_CELL_THREAD 14
#define MT_CELL_SEVERAL 1u
#define MT_CELL_NEXT (1ull << MT_CELL_THREAD) /* one thread further */
#define MT_LINE 3                 /* log2 of the cells of a line */
#define MT_LINE_OPEN 1u           /* a line's word: see the cells */

/* Accesses of unknown root that went to private or threadgroup memory. */
enum { MT_STRAY_OWN = 1, MT_STRAY_TILE = 2 };

/* Kinds of memory that barriers order; bits of mem_flags. */
enum { MT_ORDER_DEVICE, MT_ORDER_GROUP, MT_ORDER_TEXTURE, MT_ORDERS };

/* What the readers of a line were before its last one (shadow_cell.h). */
typedef struct mt_Readers {
  const uint64_t *line;                  /* the tag: first cell of the line */
  uint64_t cell[(size_t)1 << MT_LINE];
} mt_Readers;
#define MT_READERS 4096 /* entries; a power of two */

#define MT_AWAY 65536 /* bytes */

struct mt_Check {
  mt_CheckTables tables; /* first: generated code uses it by offset */
  const mt_Launch *launch;
  const mt_CheckOptions *options;
  const mt_SiteTable *sites;
  double seconds;       /* processor time of the first run */
  uint64_t started;     /* when it started, in nanoseconds; 0: not yet */
  mt_Region *region;
  size_t regions;
  int *root_region;     /* by root; -1: no shadow */
  size_t *root_size;    /* by root: bytes at launch; SIZE_MAX: not known */
  mt_Region group_memory;
  mt_Region plain;      /* stands for memory without a shadow */

  /* The running group. */
  const mt_Group *group;
  uint32_t threads;     /* of it */
  uint64_t number;      /* in the order of running */
  uint64_t now;         /* the epoch: counts barriers, fences and groups */
  uint64_t group_start;
  uint64_t since[MT_ORDERS]; /* earlier epochs of the group are ordered by a
                             ** barrier */
  uint64_t any_barrier; /* the last barrier, with any flags */
  uint64_t simd_since[MT_LANES][MT_ORDERS];
  uint32_t came, came_site; /* threads at this barrier, and the first site that
                            ** one of them reached */
  /* of these, the threads at other sites; the first such site */
  uint32_t came_elsewhere, came_other;
  uint32_t came_lanes[MT_LANES], gone_lanes[MT_LANES]; /* of this barrier */
  uint32_t came_here[MT_LANES]; /* the lanes at 'came_site' */
  uint32_t simd_came[MT_LANES], simd_gone[MT_LANES];   /* of
                                                       ** simdgroup_barrier */
  bool fenced;          /* the group has used a fence */
  bool simd_barriers;   /* the group has used simdgroup_barrier */
  /* fibers: what each lane asks for; by thread: the flag of its value, then of
  ** what it got */
  uint32_t lane_site[MT_LANES], lane_from[MT_LANES];
  uint32_t flag[MT_LANES * MT_LANES];

  /* All groups, in the order of running. */
  uint64_t group_count, group_total;
  struct mt_Run *runs;  /* epochs.c: when groups started */
  size_t run_count;
  uint32_t *fences;     /* by group: epochs from its start to its last fence; 0
                        ** = none */
  uint64_t outputs;     /* parameters, by bit, whose coverage is checked */
  bool schedule;        /* this run is one in another order */
  uint32_t turn;        /* not 0: permutes SIMD-groups and lanes */

  /* shadow_partition.c: the first run starts with one part, everything. */
  unsigned part, parts, parts_most;
  bool counting;        /* count pages of cells, up to 'room' */
  size_t pages, room;
  bool later;           /* the finding may belong to a later run */

  uint8_t strayed[MT_SITES_MAX + 1]; /* by site: MT_STRAY_… */
  struct mt_Found *found[2]; /* findings.c; [1]: 'later' */
  char unordered[sizeof((mt_CheckReport *)0)->unordered];
  char *unchecked[32];
  size_t unchecked_count;

  /* threadgroup_reads.c: words that the group has written, clean after the next
  ** barrier; 'fresh': some are not clean yet; those it had written by the last
  ** barrier. */
  uint8_t written[sizeof((mt_CheckTables *)0)->clean];
  bool fresh;
  uint8_t settled[sizeof((mt_CheckTables *)0)->clean];

  mt_Readers readers[MT_READERS];
  mt_Permutation drawn; /* schedules.c: of groups */
  mt_Progress progress;

  /* bounds.c: what bad lanes read, where their writes are lost, and where all
  ** lanes go if one of them is bad */
  char zeros[MT_AWAY] __attribute__((aligned(128)));
  char sink[MT_AWAY] __attribute__((aligned(128)));
  char stage[MT_STAGE] __attribute__((aligned(128)));
  /* matrix_access.c: where a matrix with a bad element is redirected */
  char matrix[256] __attribute__((aligned(64)));
};

/* One call of a helper: the lanes of a SIMD-group at one site. */
typedef struct mt_Touch {
  const mt_Site *s;
  uint32_t site, sg, mask;
  char *const *at;      /* by lane; NULL: first + lane * step */
  char *first;
  int64_t step;
  const char *values;
  uint32_t stride;      /* lanes in 'values' */
} mt_Touch;

/* Does this run look for races in this memory? */
static inline bool mt_is_shadowed(const mt_Check *c, const mt_Region *r) {
  return r->tracked && !c->schedule && !(c->part && r == &c->group_memory);
}

/* Is the cell in a part that another run tracks? */
static inline bool mt_is_elsewhere(const mt_Region *r, size_t i) {
  return i - r->low >= r->high - r->low;
}

/* Most often all lanes. */
static inline unsigned mt_lane_count(uint32_t mask) {
  return mask == ~0u ? 32 : (unsigned)__builtin_popcount(mask);
}

static inline char *mt_touch_at(const mt_Touch *t, unsigned lane) {
  return t->at ? t->at[lane] : t->first + t->step * (int64_t)lane;
}

/* unchecked.c: sentences about what was not instrumented. */
void mt_unchecked_report(mt_Check *c);

/* bounds.c */
mt_Status mt_check_map(mt_Check *c, mt_Error *err);
void mt_check_unmap(mt_Check *c);
/* The memory of the access; NULL: out of bounds, and a finding. */
mt_Region *mt_check_where(mt_Check *c, const mt_Site *s, uint32_t thread,
                          char *base, char *p);
/* The memory of a root. */
mt_Region *mt_check_region(mt_Check *c, int root);
/* Sets name, type, index and length of address 'p' in the finding. */
void mt_check_name(const mt_Check *c, const mt_Site *s, const mt_Region *r,
                   const char *base, const char *p, mt_Finding *f);
/* Copies initial contents that the caller does not keep. */
mt_Status mt_check_snapshot(mt_Check *c, mt_Error *err);
/* Restores the initial contents; or the first run's answers. */
void mt_check_restore(mt_Check *c, bool answers);
void mt_check_drop_shadow(mt_Check *c); /* not needed after coverage */

void *mt_shadow_pages_new(size_t bytes); /* zeroed, allocated on first touch;
                                         ** NULL: no memory */
void mt_shadow_pages_free(void *pages, size_t bytes);
/* The same; 'zero': the pages are still all zero. */
void mt_shadow_pages_return(void *pages, size_t bytes, bool zero);
/* Releases and zeroes bytes 'from' … 'bytes', except those on the page that
** 'from' is in the middle of. */
void mt_shadow_pages_clear(void *pages, size_t from, size_t bytes);
/* No huge pages: each page of cells is allocated on its own. */
void mt_shadow_pages_small(void *pages, size_t bytes);

/* shadow_partition.c: how many parts may be needed. Call it before
** mt_check_snapshot. */
mt_Status mt_partition_new(mt_Check *c, mt_Error *err);
void mt_partition_free(mt_Region *r);
/* The cells of a line are about to be written for the first time. */
void mt_partition_opened(mt_Check *c, mt_Region *r, bool reads, size_t line);

/* epochs.c: groups are numbered in the order of running. */
mt_Status mt_epochs_new(mt_Check *c, mt_Error *err);
void mt_epochs_free(mt_Check *c);
size_t mt_epochs_bytes(const mt_Check *c);  /* that it may need */
void mt_epochs_group(mt_Check *c);          /* the next group starts now */
void mt_epochs_fence(mt_Check *c);          /* the running group executes a
                                            ** fence */
/* the group that ran then */
uint64_t mt_epochs_group_of(const mt_Check *c, uint64_t when);
/* Did that group execute a fence after 'when'? */
bool mt_epochs_fenced(const mt_Check *c, uint64_t when);

/* fast_path.c: fill the tables for the run that starts. */
void mt_fast_path_limits(mt_Check *c);
/* The site, of unknown root, accessed 'r': let its next accesses there skip the
** helper. */
void mt_fast_path_seen(mt_Check *c, const mt_Touch *t, const mt_Region *r);
/* The lanes that are correct, recorded in the shadow. 'size': bytes of the
** underlying object. */
uint32_t mt_fast_path(mt_Check *c, const mt_Touch *t, const char *base,
                      mt_Region *r, size_t size);

/* Records reads that are known to be correct. */
void mt_fast_path_note(mt_Check *c, mt_Region *r, const mt_Touch *t);

/* threadgroup_reads.c: an in-bounds read of threadgroup memory; true: it is
** correct and has been appended to the list. */
bool mt_tile_read(mt_Check *c, const mt_Touch *t);
void mt_tile_flush(mt_Check *c);   /* before a write, and before the epoch
                                   ** grows */
void mt_tile_wrote(mt_Check *c, const mt_Touch *t, uint32_t good);
void mt_tile_barrier(mt_Check *c); /* one that orders threadgroup memory */
void mt_tile_group(mt_Check *c);   /* a group starts */
bool mt_tile_fits(const mt_Check *c);
/* Had the group written there by its last barrier? */
bool mt_tile_settled(const mt_Check *c, size_t cell);

/* race.c: expands the line's word into its cells. */
void mt_line_open(mt_Check *c, mt_Region *r, uint64_t *line, uint64_t *cells,
                  size_t number);

/* Cell 'i' of 'cells', ready to be written. */
static inline uint64_t *mt_cell(mt_Check *c, mt_Region *r, uint64_t *line,
                                uint64_t *cells, size_t i) {
  if (!line || line[i >> MT_LINE] == MT_LINE_OPEN) return &cells[i];
  if (!line[i >> MT_LINE] && !c->counting)
    line[i >> MT_LINE] = MT_LINE_OPEN;
  else
    mt_line_open(c, r, line, cells, i >> MT_LINE);
  return &cells[i];
}

/* The last write, and the last read, of cell 'i'. */
static inline uint64_t *mt_cell_write(mt_Check *c, mt_Region *r, size_t i) {
  return mt_cell(c, r, r->line_writes, r->writes, i);
}
static inline uint64_t *mt_cell_read(mt_Check *c, mt_Region *r, size_t i) {
  return mt_cell(c, r, r->line_reads, r->reads, i);
}
/* The same for reading only: untouched lines stay untouched. */
static inline uint64_t mt_cell_written(mt_Check *c, mt_Region *r, size_t i) {
  if (r->line_writes && !r->line_writes[i >> MT_LINE]) return 0;
  return *mt_cell_write(c, r, i);
}
static inline uint64_t mt_cell_was_read(mt_Check *c, mt_Region *r, size_t i) {
  if (r->line_reads && !r->line_reads[i >> MT_LINE]) return 0;
  return *mt_cell_read(c, r, i);
}
/* Has the cell been written? And all cells of these bytes; always false for
** memory without lines. */
static inline bool mt_cell_is_set(const mt_Region *r, size_t i) {
  if (r->gathered) return r->set[i / 8] >> i % 8 & 1;
  uint64_t w = r->line_writes ? r->line_writes[i >> MT_LINE] : MT_LINE_OPEN;
  return w == MT_LINE_OPEN ? r->writes[i] != 0 : w != 0;
}
bool mt_shadow_covers(const mt_Region *r, size_t at, size_t size);

/* A read that is known to be correct. */
void mt_shadow_note(mt_Check *c, mt_Region *r, const mt_Touch *t,
                    unsigned lane);
void mt_shadow_touch(mt_Check *c, mt_Region *r, const mt_Touch *t,
                     unsigned lane, char *base);

/* barriers.c */
void mt_check_group(const mt_Group *g, uint64_t number); /* a group starts */

/* findings.c */
mt_Status mt_findings_new(mt_Check *c, bool later, mt_Error *err);
void mt_findings_free(mt_Check *c);
/* A finding by 'thread' of the running group. Findings of equal kind, place,
** other place and memory are merged. 'other': the second thread of a race, or
** NULL. */
void mt_finding_add(mt_Check *c, const mt_Finding *what, uint32_t thread,
                    const mt_ThreadAt *other);
/* not by one thread */
void mt_finding_add_global(mt_Check *c, const mt_Finding *what);
bool mt_findings_any(const mt_Check *c);
/* Merges the 'later' findings ('count'), or drops them. */
void mt_findings_later(mt_Check *c, bool count);
mt_Status mt_findings_report(mt_Check *c, mt_CheckReport *out, mt_Error *err);
/* Thread 'thread' of the group that ran as number 'group'. */
mt_ThreadAt mt_thread_at(const mt_Check *c, uint64_t group, uint32_t thread);
void mt_findings_unchecked(mt_Check *c, const char *sentence, ...)
    MT_PRINTF(2, 3);

/* ------------------------------------------------------------- the whole */

mt_Status mt_check_once(mt_Check *c, const mt_InstrumentedCode *w,
                        uint64_t (*order)(void *check, uint64_t turn),
                        mt_Error *err);
/* shadow_partition.c: after the first run, the runs of the other parts, if
** any. */
mt_Status mt_partition_run_rest(mt_Check *c, const mt_InstrumentedCode *w,
                                mt_Error *err);
/* In loops over the elements of a buffer: has Ctrl-C ended the check? check.c
** asks again after the loop, and reports it. */
static inline bool mt_check_is_over(size_t element) {
  return element % 65536 == 0 && mt_cancelled();
}
mt_Status mt_check_interrupted(const mt_Check *c, mt_Error *err);

/* coverage.c: parameters, by bit, that look like outputs. */
uint64_t mt_check_outputs(mt_Check *c);
/* The first line that writes the parameter. */
mt_SourcePlace mt_check_first_write(const mt_Check *c, int root);
/* Checks the parameters that options->outputs names. */
void mt_check_coverage(mt_Check *c);
/* Is its content part of the answer? */
static inline bool mt_is_answer(const mt_Region *r) {
  return r->tracked && r->space != MT_SPACE_CONSTANT;
}
/* answers.c: hold the memory against answer 'of' of the first runs; what
** differs is a finding. */
void mt_check_compare(mt_Check *c, const mt_Region *r, int of, uint64_t seed);
/* schedules.c */
mt_Status mt_check_schedules(mt_Check *c, const mt_InstrumentedCode *w,
                             unsigned *done, mt_Error *err);

mt_Status mt_check_run(const mt_Launch *launch, const mt_CheckOptions *options,
                       mt_CheckReport *out, mt_Error *err);

#endif
