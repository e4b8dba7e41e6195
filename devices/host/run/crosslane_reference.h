/*
** crosslane_reference.h - what the cross-lane builtins of MSL do, in plain C.
**
** This is the meaning that the vectoriser has to agree with, bit for bit:
**   - reductions of a SIMD-group add (multiply, …) lane l and l + 16, then l
**     and
**     l + 8, 4, 2, 1; of a quad l and l + 2, then 1. Inactive lanes bring the
**     operation's neutral value.
**   - inclusive scans add lane l - 1 to l, then l - 2, 4, 8, 16 (1, 2 in a
**     quad), neutral values as above; the exclusive one is that of the lane
**     below.
**   - a shuffle from an inactive lane gives what that lane holds
**     (prepare/inactive_lanes.h), from
**     outside 0.
**   - matrices: acc = c, then acc = fma(a[k], b[k], acc) for k = 0 … 7.
*/
#ifndef MT_HOST_RUN_CROSSLANE_REFERENCE_H
#define MT_HOST_RUN_CROSSLANE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/host/abi/group.h"

#define MT_OP_NONE 0u
#define MT_OP_BARRIER 1u /* the threadgroup's */

/* The number of a builtin by its name ("__mt_simd_sum_f32"), or MT_OP_NONE. */
uint32_t mt_lane_op(const char *name);

/* Is it a call that keeps a value (prepare/inactive_lanes.h)? */
bool mt_lane_is_hold(uint32_t op);

/* True if it concerns its own thread alone: mt_lane_alone does it. */
bool mt_lane_is_alone(uint32_t op);
uint64_t mt_lane_alone(uint32_t op, unsigned lane, const uint64_t arg[4]);

/*
** Do 'op' for the lanes in 'active'. Values are in the low bits. What an
** inactive lane has in 'arg' is read by shuffles alone: what it holds, or 0.
*/
void mt_crosslane_apply(uint32_t op, uint32_t active, uint64_t (*arg)[4],
                        uint64_t *result);

#endif
