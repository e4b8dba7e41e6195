/*
** crosslane_reference.h - the cross-lane builtins of MSL in plain C.
**
** These are the semantics that the vectoriser has to match, bit for bit:
**   - reductions of a SIMD-group combine lanes l and l + 16, then l + 8, 4, 2,
**     1; of a quad l and l + 2, then l + 1. Inactive lanes contribute the
**     operation's neutral value.
**   - inclusive scans add lane l - 1 to l, then l - 2, 4, 8, 16 (1, 2 in a
**     quad), neutral values as above; an exclusive scan is the inclusive one of
**     the lane below.
**   - a shuffle from an inactive lane gives the value which that lane holds
**     (prepare/inactive_lanes.h), from a lane out of range 0.
**   - matrices: acc = c, then acc = fma(a[k], b[k], acc) for k = 0 … 7.
*/
#ifndef MT_HOST_RUN_CROSSLANE_REFERENCE_H
#define MT_HOST_RUN_CROSSLANE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/host/abi/abi.h"

#define MT_OP_NONE 0u
#define MT_OP_BARRIER 1u /* threadgroup_barrier */

/* The operation of a builtin by its name ("__mt_simd_sum_f32"), or
** MT_OP_NONE. */
uint32_t mt_lane_op(const char *name);

/* Is it the call that stores a value in a cell (prepare/inactive_lanes.h)? */
bool mt_lane_is_hold(uint32_t op);

/* Does it involve its own thread only? Then mt_lane_local executes it. */
bool mt_lane_is_local(uint32_t op);
uint64_t mt_lane_local(uint32_t op, unsigned lane, const uint64_t arg[4]);

/* A simdgroup matrix: the row and the first of the two columns of the elements
** that a lane holds. */
unsigned mt_lane_row(unsigned lane);
unsigned mt_lane_column(unsigned lane);

/*
** Execute 'op' for the lanes in 'active'. Values are in the low bits. Only
** shuffles read 'arg' of an inactive lane: the value it holds, or 0.
*/
void mt_crosslane_apply(uint32_t op, uint32_t active, uint64_t (*arg)[4],
                        uint64_t *result);

#endif
