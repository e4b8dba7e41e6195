/*
** parts.h - the rows of the table of mt_PartStrategy, and what they have in
** common; for the files of this folder.
*/
#ifndef MT_HOST_ACCESS_PARTS_H
#define MT_HOST_ACCESS_PARTS_H

#include "devices/host/access/access.h"

extern const mt_PartStrategy mt_part_private; /* private_memory.c */
extern const mt_PartStrategy mt_part_uniform; /* access.c: a scalar access */
/* runs.c: one run of lanes, under a mask; an access for each run of lanes */
extern const mt_PartStrategy mt_part_masked_run, mt_part_runs;
extern const mt_PartStrategy mt_part_table; /* table_lookup.c: loads */
extern const mt_PartStrategy mt_part_tile; /* tile_transpose.c */
/* run_test.c: contiguous if a test holds, else a gather or scatter */
extern const mt_PartStrategy mt_part_tested;

/* Its lanes, as a vector. */
static inline LLVMValueRef mt_lane_vector(mt_Spmd *s, mt_LaneValue g) {
  return g.uniform ? mt_splat(s, g.value) : g.value;
}
/* A vector. */
static inline mt_LaneValue mt_lanes(LLVMValueRef x) {
  return (mt_LaneValue){x, false};
}
/* The addresses of all lanes. */
static inline LLVMValueRef mt_lane_addresses(mt_Spmd *s,
                                             const mt_LaneAccess *a) {
  return mt_byte_offset(s, mt_vector(s, a->pointer, 0), a->offset);
}

/* runs.c: why the lanes are gathered or scattered. */
mt_PlanReason mt_access_reason(mt_Spmd *s, const mt_LaneAccess *a);

/* runs.c: lanes next to each other whose addresses are, too */
typedef struct mt_Run {
  int first, count;
  bool same;  /* all lanes have one address */
  int stride; /* 2 and more: elements from lane to lane; loads only */
  bool back;  /* contiguous, in descending order */
} mt_Run;
/* Runs of lanes that are accessed one by one: with more, a gather is less
** code. */
#define MT_MAX_LANE_RUNS 8
/* Load a run that does not have one address, from the lowest address 'at' on;
** store the run's lanes of 'x', contiguous and in ascending order. */
LLVMValueRef mt_run_load(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef at,
                         mt_Run r);
void mt_run_store(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef at, mt_Run r,
                  LLVMValueRef x);
LLVMValueRef mt_join_runs(mt_Spmd *s, LLVMValueRef *x, mt_Run *run, int n);

#endif
