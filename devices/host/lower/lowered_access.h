/*
** lowered_access.h - shared by the files that lower the checker's probes:
** lower.c, over access.c, over threadgroup_reads.c, over lanes.c.
*/
#ifndef MT_HOST_LOWER_LOWERED_ACCESS_H
#define MT_HOST_LOWER_LOWERED_ACCESS_H

#include "devices/host/analyse/analyse.h"
#include "devices/host/lower/lower.h"
#include "devices/host/probe/probe.h"

/* lanes.c: do the lanes have one stride? Then its bytes in '*step'. */
bool mt_lower_row(const mt_Spmd *s, const mt_Shape *h, int64_t *step);

#define MT_HELPER_ARGUMENTS 8 /* of a helper at most, after the first */

/* lanes.c: what the launch reports to: mt_Group.observer. */
LLVMValueRef mt_lower_observer(mt_Spmd *s);
/* Of a checked one: what is at this offset of its mt_CheckTables. */
LLVMValueRef mt_lower_table(mt_Spmd *s, size_t offset);
/* A call of a helper, whose first argument that is. */
LLVMValueRef mt_lower_call(mt_Spmd *s, const char *name, LLVMTypeRef result,
                           const LLVMValueRef *args, unsigned n);

/* lanes.c: an array of numbers in memory, for a helper to read. */
LLVMValueRef mt_lower_list(mt_Spmd *s, LLVMValueRef *n, unsigned count);

/* An access that is being lowered. */
typedef struct mt_LoweredAccess {
  mt_Spmd *s;
  LLVMValueRef call, site, p;
  LLVMValueRef base;  /* the underlying object of p; or NULL */
  LLVMValueRef limit; /* aligned places in it that need no call */
  LLVMValueRef start; /* the address that they are counted from */
  uint64_t size;
  unsigned align;     /* log2 */
  mt_SiteKind kind;
  bool tile;          /* threadgroup memory */
} mt_LoweredAccess;

#define MT_MAX_RUNS 4 /* runs of lanes with one stride each */

typedef struct mt_LaneRun {
  int first, count;
  int64_t step;
} mt_LaneRun;

/* lanes.c: splits the lanes into such runs; 0: they would be too
** many. */
int mt_lower_runs(const mt_Spmd *s, const mt_Shape *h, mt_LaneRun *run);

/* A read that is appended to the list of check/threadgroup_reads.c. */
typedef struct mt_ListedRead {
  int runs;
  mt_LaneRun run[MT_MAX_RUNS];
  LLVMValueRef at[MT_MAX_RUNS]; /* of the run's lane 0, extrapolated if it has
                             ** none */
  LLVMValueRef listed;
} mt_ListedRead;

/* threadgroup_reads.c: emits the test that the words are clean and the list has
** room; NULL: call the helper. 'inside': the access is in bounds. The second
** function emits the append. */
LLVMValueRef mt_lower_tile(const mt_LoweredAccess *a, mt_ShapeKind kind,
                           LLVMValueRef inside, mt_ListedRead *t);
void mt_lower_tile_list(const mt_LoweredAccess *a, const mt_ListedRead *t);

/* access.c: the pointer that an access uses. */
void mt_lower_access_shape(mt_Spmd *s, LLVMValueRef call, mt_Shape *out);
void mt_lower_access(mt_Spmd *s, LLVMValueRef call);

#endif
