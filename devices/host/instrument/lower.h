/*
** lower.h - what the files that lower a watched kernel's calls share:
** lower.c, lower_access.c, lower_threadgroup.c.
*/
#ifndef MT_HOST_INSTRUMENT_LOWER_H
#define MT_HOST_INSTRUMENT_LOWER_H

#include "devices/host/instrument/probes.h"
#include "devices/host/vector/vector.h"

/* Are the lanes one row? Then by how many bytes a lane. */
bool mt_lower_row(const mt_Spmd *s, const mt_Shape *h, int64_t *step);

/* Numbers in memory, for a helper to read. */
LLVMValueRef mt_lower_list(mt_Spmd *s, LLVMValueRef *n, unsigned count);

/* An access. */
typedef struct mt_LoweredAccess {
  mt_Spmd *s;
  LLVMValueRef call, site, p;
  LLVMValueRef base;  /* of the memory that p was derived from; or NULL */
  LLVMValueRef limit; /* places in it */
  LLVMValueRef start; /* what they are counted from */
  uint64_t size;
  unsigned align;     /* as a shift */
  mt_SiteKind kind;
  bool tile;          /* threadgroup memory */
} mt_LoweredAccess;

#define MAX_RUNS 4 /* of lanes at equal distances */

typedef struct mt_LaneRun {
  int first, count;
  int64_t step;
} mt_LaneRun;

/* The lanes as runs; 0: too many. */
int mt_lower_runs(const mt_Spmd *s, const mt_Shape *h, mt_LaneRun *run);
/* Do two lanes differ by what is known now? */
bool mt_lower_same_class(const mt_Shape *h, int a, int b);

/* A read that check/threadgroup_reads.c's list will have. */
typedef struct mt_ListedRead {
  int runs;
  mt_LaneRun run[MAX_RUNS];
  LLVMValueRef at[MAX_RUNS]; /* of the run's lane 0, if it had one */
  LLVMValueRef listed;
} mt_ListedRead;

/* lower_threadgroup.c: may everybody read there, and is there room on the list?
** NULL: ask the helper. 'inside': that it is in bounds. Then put it there. */
LLVMValueRef mt_lower_tile(const mt_LoweredAccess *a, mt_ShapeKind kind,
                           LLVMValueRef inside, mt_ListedRead *t);
void mt_lower_tile_list(const mt_LoweredAccess *a, const mt_ListedRead *t);

/* lower_access.c: the pointer that an access is to use. */
void mt_lower_access_shape(mt_Spmd *s, LLVMValueRef call, mt_Shape *out);
void mt_lower_access(mt_Spmd *s, LLVMValueRef call);

#endif
