/*
** access_cost.h - what one access of a SIMD-group costs on the model GPU: lines
** of 128 bytes in device memory, passes over 32 banks of 4 bytes in threadgroup
** memory, a queue for atomics on one address. For the profiler and for
** recordings. One caller at a time.
*/
#ifndef MT_ACCESS_COST_H
#define MT_ACCESS_COST_H

#include <stdint.h>

#define MT_COST_LINE 128u
#define MT_COST_WORD 4u
#define MT_COST_BANKS 32u

/* The addresses of the active lanes, and the bytes that each accesses. */
typedef struct mt_LaneAddresses {
  uint32_t mask;
  uint32_t size;
  uintptr_t at[32];
} mt_LaneAddresses;

/* Distinct lines; '*ideal': if the bytes were contiguous. */
uint64_t mt_cost_lines(const mt_LaneAddresses *p, uint64_t *ideal);
/* The most distinct words in one bank; '*ideal': without conflicts. */
uint64_t mt_cost_banks(const mt_LaneAddresses *p, uint64_t *ideal);
/* The most lanes at one address. */
uint64_t mt_cost_queue(const mt_LaneAddresses *p);

#endif
