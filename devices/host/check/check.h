/*
** check.h - the parts of the checker (devices/check.h) and what they share.
**
** A checked kernel is the kernel with calls of __mt_probe… put before all that
** can go wrong. Each call has a site: what it guards and where that stands in
** the source (instrument/instrument.h). The code generators turn them into
** calls of the functions below, the first with the 32 lanes of a SIMD-group at
** once.
**
**   matrix_access.c   loads and stores of simdgroup matrices
**   texture_bounds.c  reads and writes beside a texture
**   bounds.c          bounds: what memory there is, and who may
**                                     touch what
**   shadow_pages.c      memory for the shadow
**   shadow_partition.c  how much of it there may be
**   epochs.c            when each group ran
**   fast_path.c         accesses in which nothing is wrong
**   fast_path_rows.c    the same for rows of lanes, eight cells
**                                     at a time
**   threadgroup_reads.c               reads of threadgroup memory, quicker
**                                     still
**   race.c      races and reads of what nobody wrote
**   barriers.c  barriers and lanes
**   findings.c  the findings: the same mistake is one
**                                     finding
**   coverage.c   whether outputs were written all over
**   schedules.c  other orders
**   check.c      mt_check: the whole
**
** One checked launch runs at a time, on one OS thread, so that what is found
** does not depend on the machine's mood: 'mt_check_now' is that launch.
*/
#ifndef MT_HOST_CHECK_CHECK_H
#define MT_HOST_CHECK_CHECK_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/check.h"
#include "devices/host/abi/group.h"
#include "devices/host/instrument/instrument.h"
#include "devices/host/kernel/kernel.h"

/* ------------------------------------------- helpers of the generated code */

/* fast_path.c: for each site how many places, counted in its alignment from
** the base of its memory, need no helper; and where that is for those whose
** memory is not known. */
extern uint64_t mt_check_limit[MT_SITES_MAX + 1];
extern uint64_t mt_check_start[MT_SITES_MAX + 1];

/* threadgroup_reads.c: threadgroup memory. A bit for each word that anybody
** may read, and the reads that nobody has asked for yet. */
extern uint8_t mt_check_clean[MT_TILE_BYTES / 32 + 64];
extern mt_TileRead mt_check_list[MT_TILE_READS];
extern uint32_t mt_check_listed;

/* Threads sg * 32 + lane for each lane in 'mask'. 'values' has the parts that
** are to be written, 'stride' lanes of each. */
void *mt_check_one(uint32_t sg, uint32_t mask, uint32_t site, char *base,
                   char *p, const void *values, uint32_t stride);
/* Addresses first, first + step, …; gives what to use for the first. */
char *mt_check_row(uint32_t sg, uint32_t mask, uint32_t site, char *base,
                   char *first, int64_t step, const void *values);
/* A list of addresses. NULL: go on; else the stage, and each lane is to go to
** its place there. 'plan' has 32 such places, how many rows the lanes are, and
** for each row its first lane, how many, and the bytes from one to the next. */
char *mt_check_spread(uint32_t sg, uint32_t mask, uint32_t site, char *base,
                      char *const *at, const void *values, const int32_t *plan);
/* The same; puts other addresses into the list for lanes that are bad. */
void mt_check_lanes(uint32_t sg, uint32_t mask, uint32_t site, char *base,
                    char **at, const void *values);
/* matrix_access.c: a simdgroup matrix; where it is to go instead, with a stride
** of 8, if an element is bad. The second, where lanes do not agree on where it
** is, puts that into the list; it gives the lanes that are bad. */
char *mt_check_matrix(uint32_t sg, uint32_t mask, uint32_t site, char *base,
                      char *p, int64_t stride, uint8_t turned);
uint32_t mt_check_matrix_lanes(uint32_t sg, uint32_t mask, uint32_t site,
                               char *base, char **p, const int64_t *stride,
                               const uint8_t *turned);
/* threadgroup_reads.c: a read of threadgroup memory in rows, lane 0 'at'
** bytes from its start. True: it is good and on the list. 'plan' has the
** number of rows, and for each its first lane, how many, the bytes from one
** to the next, and those from lane 0 to its first. */
uint32_t mt_check_tile(uint32_t sg, uint32_t mask, uint32_t site, int64_t at,
                       const int32_t *plan);
/* The SIMD-group, or lane, whose turn is number i of n. */
uint32_t mt_check_order(uint32_t i, uint32_t n);
void mt_check_if(uint32_t sg, uint32_t mask, uint32_t site,
                 const uint64_t *values);
void mt_check_wait(uint32_t sg, uint32_t mask, uint32_t site);
void mt_check_go(uint32_t sg, uint32_t mask, uint32_t site);
void mt_check_lane(uint32_t sg, uint32_t mask, uint32_t site,
                   const uint32_t *from);
/* The lanes in 'mask' do what all 32 have to do. */
void mt_check_convergent(uint32_t sg, uint32_t mask, uint32_t site);
/* texture_bounds.c: 'places' has 32 each of x, y, z, how many slices there are,
** and the level. */
void mt_check_texel(uint32_t sg, uint32_t mask, uint32_t site,
                    const uint32_t *places, const void *const *views);
/* The same for one thread alone. */
void mt_check_thread_texel(uint32_t sg, uint32_t mask, uint32_t site,
                           const uint32_t *place, const void *view);
void mt_check_thread_if(uint32_t sg, uint32_t mask, uint32_t site,
                        const uint64_t *value);
void mt_check_thread_lane(uint32_t sg, uint32_t mask, uint32_t site,
                          uint32_t from);
/* Fibers: these lanes do an operation together. */
void mt_check_active(uint32_t sg, uint32_t active);

/* ------------------------------------------------------------- at run time */

/* Memory with a shadow. Cells are words of: when (40 bits), thread (10), site
** (13), several (1); 0 = never. Eight cells are a line, and a line whose cells
** were touched by neighbours at once has one word, that of its first cell: the
** cells themselves stay untouched, and so do the pages they would be on. */
typedef struct mt_Region {
  char *start;
  size_t size;
  mt_Space space;
  int root;          /* a parameter that leads here, or -1 */
  const mt_Link *link; /* of that parameter, if it is an argument buffer */
  bool open;         /* a texture that the kernel may write */
  bool looked_at;    /* somebody read it whose memory was not known before */
  bool tracked;      /* somebody writes it: races are possible */
  bool blank;        /* what nobody wrote has no meaning */
  unsigned shift;    /* bytes of a cell: 1 << shift */
  uint64_t *writes, *reads;
  uint64_t *line_writes, *line_reads; /* NULL: there are only cells */
  size_t cells;
  size_t low, high;  /* the cells that this run watches; all, or a part */
  size_t first;      /* as many would be the first part */
  uint8_t *opened;   /* by page of cells, of writes and of reads: it is there;
                     ** NULL: no need to know */
  uint8_t *set;      /* a bit by cell: it was written, as all parts tell; */
  bool gathered;     /* they have */
  bool touched;      /* some cells are not zero */
  uint64_t again[2]; /* writes of what another thread wrote already; 1: in
                     ** memory that may become another run's to watch */
  int64_t again_first[2];
  /* contents at the start, the caller's; or NULL, and then */
  const char *kept;
  char *before;      /* a copy of them, where the launch is run again */
  char *answer[2];   /* of the first run as vectors, and of single threads */
} mt_Region;

#define MT_CELL_TIME 24
#define MT_CELL_THREAD 14
#define MT_CELL_SEVERAL 1u
#define MT_CELL_NEXT (1ull << MT_CELL_THREAD) /* the next thread's */
#define MT_LINE 3                 /* cells of a line, as a shift */
#define MT_LINE_OPEN 1u           /* a line's word: look at the cells */

/* Accesses whose memory was only found by the address: what cannot be told. */
enum { MT_STRAY_OWN = 1, MT_STRAY_TILE = 2 };

/* Orders of memory: device, threadgroup, texture; bits of mem_flags. */
enum { MT_ORDER_DEVICE, MT_ORDER_GROUP, MT_ORDER_TEXTURE, MT_ORDERS };

typedef struct mt_Check {
  const mt_Launch *launch;
  const mt_CheckOptions *options;
  const mt_SiteTable *sites;
  double seconds;       /* of processor time that the first run took */
  uint64_t started;     /* when it did, in nanoseconds; 0: not yet */
  mt_Region *region;
  size_t regions;
  int *root_region;     /* by root; -1: memory without a shadow */
  size_t *root_size;    /* by root: bytes at launch; SIZE_MAX: not known */
  mt_Region group_memory;
  mt_Region plain;      /* stands for memory without a shadow */

  /* The group that runs. */
  const mt_Group *group;
  uint32_t threads;     /* of it */
  uint64_t number;      /* in the order of running */
  uint64_t now;         /* when: counts barriers of any kind, and groups */
  uint64_t group_start;
  uint64_t since[MT_ORDERS]; /* what was before it is ordered by barriers */
  uint64_t any_barrier; /* last one of any flags */
  uint64_t simd_since[MT_LANES][MT_ORDERS];
  uint32_t came, came_site; /* to this barrier, and to which first */
  /* of these, to others; the first of them */
  uint32_t came_elsewhere, came_other;
  uint32_t came_lanes[MT_LANES], gone_lanes[MT_LANES]; /* of this barrier */
  uint32_t came_here[MT_LANES]; /* of those, to 'came_site' */
  uint32_t simd_came[MT_LANES], simd_gone[MT_LANES];   /* of a SIMD-group's */
  bool fenced;          /* the group has used a fence */
  bool simd_barriers;   /* the group has used simdgroup_barrier */
  /* fibers: what each asks */
  uint32_t lane_site[MT_LANES], lane_from[MT_LANES];

  /* All groups, in the order of running. */
  uint64_t group_count, group_total;
  struct mt_Run *runs;  /* epochs.c: when they started */
  size_t run_count;
  uint32_t *fences;     /* of each group: time from its start to its last fence;
                        ** 0 = none */
  uint64_t outputs;     /* parameters, by bit, that coverage is asked of */
  bool schedule;        /* this run is one in another order */
  uint32_t turn;        /* not 0: order of SIMD-groups and lanes */

  /* shadow_partition.c: the first run starts with one part, all. */
  unsigned part, parts, parts_most;
  bool counting;        /* pages of cells, up to 'room' */
  size_t pages, room;
  bool later;           /* what is found may become another run's to find */

  uint8_t strayed[MT_SITES_MAX + 1]; /* by site: MT_STRAY_… */
  struct mt_Found *found[2]; /* findings.c; 1: 'later' */
  char *unchecked[32];
  size_t unchecked_count;
} mt_Check;

extern mt_Check *mt_check_now; /* NULL: no check runs */

/* One call of a helper: the lanes of a SIMD-group at one site. */
typedef struct mt_Touch {
  const mt_Site *s;
  uint32_t site, sg, mask;
  char *const *at;      /* by lane; NULL: first + lane * step */
  char *first;
  int64_t step;
  const char *values;
  uint32_t stride;      /* lanes that 'values' has */
} mt_Touch;

/* Are races of this memory looked for in this run? */
static inline bool mt_is_watched(const mt_Check *c, const mt_Region *r) {
  return r->tracked && !c->schedule && !(c->part && r == &c->group_memory);
}

/* Cells that another run watches. */
static inline bool mt_is_elsewhere(const mt_Region *r, size_t i) {
  return i - r->low >= r->high - r->low;
}

/* How many lanes: most often all. */
static inline unsigned mt_lane_count(uint32_t mask) {
  return mask == ~0u ? 32 : (unsigned)__builtin_popcount(mask);
}

static inline char *mt_touch_at(const mt_Touch *t, unsigned lane) {
  return t->at ? t->at[lane] : t->first + t->step * (int64_t)lane;
}

/* instrument/unwatched.c: the sentences of what was not watched. */
void mt_unwatched_report(mt_Check *c);

/* bounds.c */
mt_Status mt_check_map(mt_Check *c, mt_Error *err);
void mt_check_unmap(mt_Check *c);
/* Which memory the access goes to; NULL: it is out of bounds and a finding. */
mt_Region *mt_check_where(mt_Check *c, const mt_Site *s, uint32_t thread,
                          char *base, char *p);
/* The memory of a root. */
mt_Region *mt_check_region(mt_Check *c, int root);
/* Name, type, index and length of the place 'p'. */
void mt_check_name(const mt_Check *c, const mt_Site *s, const mt_Region *r,
                   const char *base, const char *p, mt_Finding *f);
/* Keep the caller's contents at the start in mind, or a copy of them. */
mt_Status mt_check_snapshot(mt_Check *c, mt_Error *err);
/* What was at the start is there again; or the first run's answer. */
void mt_check_restore(mt_Check *c, bool answers);
void mt_check_drop_shadow(mt_Check *c); /* nobody will ask for it any more */

void *mt_shadow_pages_new(size_t bytes); /* zeroed, taken when touched; NULL */
void mt_shadow_pages_free(void *pages, size_t bytes);
/* The same; 'zero': nobody has written there. */
void mt_shadow_pages_return(void *pages, size_t bytes, bool zero);
/* Bytes 'from' … 'bytes' are given back and zero, but for those on the page
** that 'from' is in the middle of. */
void mt_shadow_pages_clear(void *pages, size_t from, size_t bytes);
/* One page is taken at a time, never many for one. */
void mt_shadow_pages_small(void *pages, size_t bytes);

/* shadow_partition.c: how many parts there would have to be. Called before the
** contents are kept. */
mt_Status mt_partition_new(mt_Check *c, mt_Error *err);
void mt_partition_free(mt_Region *r);
/* The cells of a line are about to be used for the first time. */
void mt_partition_opened(mt_Check *c, mt_Region *r, bool reads, size_t line);

/* epochs.c: groups are numbered in the order of running. */
mt_Status mt_epochs_new(mt_Check *c, mt_Error *err);
void mt_epochs_free(mt_Check *c);
size_t mt_epochs_bytes(const mt_Check *c);  /* that it may take */
void mt_epochs_group(mt_Check *c);          /* the next one starts now */
void mt_epochs_fence(mt_Check *c);          /* the group that runs fences */
/* whose time it was */
uint64_t mt_epochs_group_of(const mt_Check *c, uint64_t when);
/* Did that group fence behind 'when'? */
bool mt_epochs_fenced(const mt_Check *c, uint64_t when);

/* fast_path.c: fill in the tables for the run that starts. */
void mt_fast_path_limits(mt_Check *c);
/* The site, whose memory is not known, went to 'r': it is likely to again. */
void mt_fast_path_seen(mt_Check *c, const mt_Touch *t, const mt_Region *r);
/* The lanes in which all is well, noted in the shadow. 'size':
** bytes of what the pointer was derived from. */
uint32_t mt_fast_path(mt_Check *c, const mt_Touch *t, const char *base,
                      mt_Region *r, size_t size);

/* The lanes' reads, which are known to be good, as notes in the shadow. */
void mt_fast_path_note(mt_Check *c, mt_Region *r, const mt_Touch *t);

/* threadgroup_reads.c: a read of threadgroup memory, inside of it, that is
** good and has been put on the list. */
bool mt_tile_read(mt_Check *c, const mt_Touch *t);
void mt_tile_flush(mt_Check *c);   /* before a write, and if time moves on */
void mt_tile_wrote(mt_Check *c, const mt_Touch *t, uint32_t good);
void mt_tile_barrier(mt_Check *c); /* orders threadgroup memory */
void mt_tile_group(mt_Check *c);   /* a group starts */
bool mt_tile_fits(const mt_Check *c);
/* Had the group written there at its last barrier? */
bool mt_tile_settled(const mt_Check *c, size_t cell);

/* race.c: give the line's cells what its word says. */
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
/* The same to look at only: what nobody touched stays untouched. */
static inline uint64_t mt_cell_written(mt_Check *c, mt_Region *r, size_t i) {
  if (r->line_writes && !r->line_writes[i >> MT_LINE]) return 0;
  return *mt_cell_write(c, r, i);
}
static inline uint64_t mt_cell_was_read(mt_Check *c, mt_Region *r, size_t i) {
  if (r->line_reads && !r->line_reads[i >> MT_LINE]) return 0;
  return *mt_cell_read(c, r, i);
}
/* Has anybody written the cell? And all cells of these bytes, if that can be
** said quickly. */
static inline bool mt_cell_is_set(const mt_Region *r, size_t i) {
  if (r->gathered) return r->set[i / 8] >> i % 8 & 1;
  uint64_t w = r->line_writes ? r->line_writes[i >> MT_LINE] : MT_LINE_OPEN;
  return w == MT_LINE_OPEN ? r->writes[i] != 0 : w != 0;
}
bool mt_shadow_covers(const mt_Region *r, size_t at, size_t size);

/* A read that is known to be good. */
void mt_shadow_note(mt_Check *c, mt_Region *r, const mt_Touch *t,
                    unsigned lane);
void mt_shadow_touch(mt_Check *c, mt_Region *r, const mt_Touch *t,
                     unsigned lane, char *base);

/* barriers.c */
void mt_check_group(const mt_Group *g, uint64_t number); /* a group starts */

/* findings.c */
mt_Status mt_findings_new(mt_Check *c, bool later, mt_Error *err);
void mt_findings_free(mt_Check *c);
/* A finding by 'thread' of the group that runs. Those of equal kind, place,
** other place and memory are one. 'other': the thread of a race, or NULL. */
void mt_finding_add(mt_Check *c, const mt_Finding *what, uint32_t thread,
                    const mt_ThreadAt *other);
/* by no thread */
void mt_finding_add_global(mt_Check *c, const mt_Finding *what);
bool mt_findings_any(const mt_Check *c);
/* What may become another run's to find has become so, or never will. */
void mt_findings_later(mt_Check *c, bool count);
mt_Status mt_findings_report(mt_Check *c, mt_CheckReport *out, mt_Error *err);
/* Thread 'thread' of the group that ran as number 'group'. */
mt_ThreadAt mt_thread_at(const mt_Check *c, uint64_t group, uint32_t thread);
void mt_findings_unchecked(mt_Check *c, const char *sentence, ...)
    MT_PRINTF(2, 3);

/* ------------------------------------------------------------- the whole */

mt_Status mt_check_once(mt_Check *c, const mt_InstrumentedCode *w,
                        uint64_t (*order)(uint64_t turn), mt_Error *err);
/* shadow_partition.c: behind the first run, those of the other parts, if
** any. */
mt_Status mt_partition_run_rest(mt_Check *c, const mt_InstrumentedCode *w,
                                mt_Error *err);
/* coverage.c: parameters, by bit, that look like outputs. */
uint64_t mt_check_outputs(mt_Check *c);
/* The first line that writes to the parameter. */
mt_SourcePlace mt_check_first_write(const mt_Check *c, int root);
/* Those that options->outputs names, or was made to. */
void mt_check_coverage(mt_Check *c);
/* schedules.c */
mt_Status mt_check_schedules(mt_Check *c, const mt_InstrumentedCode *w,
                             unsigned *done, mt_Error *err);

mt_Status mt_check_run(const mt_Launch *launch, const mt_CheckOptions *options,
                       mt_CheckReport *out, mt_Error *err);

#endif
