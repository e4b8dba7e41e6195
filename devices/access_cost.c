/*
** access_cost.c - the cost of an access, see access_cost.h.
**
** The one idea: an access of a SIMD-group is a set of addresses, and its cost
** is the number of units of memory that they touch. The ideal is the cost of
** the same bytes if they were contiguous.
*/
#include "devices/access_cost.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define MOST (32 * 64) /* words or lines of one access that are
                       ** distinguished */

/* A small hash set, cleared by a new stamp. */
#define SLOTS (MOST * 2)
static struct {
  uint64_t number[SLOTS];
  uint32_t stamp[SLOTS], now;
} seen;

static void forget(void) {
  if (++seen.now == 0) {
    memset(seen.stamp, 0, sizeof seen.stamp);
    seen.now = 1;
  }
}

/* Adds a number; true if it is new. */
static bool note(uint64_t number) {
  size_t at = (size_t)(number * 0x9E3779B97F4A7C15u >> 40) % SLOTS;
  for (unsigned i = 0; i < SLOTS; i++, at = (at + 1) % SLOTS) {
    if (seen.stamp[at] != seen.now) {
      seen.stamp[at] = seen.now;
      seen.number[at] = number;
      return true;
    }
    if (seen.number[at] == number) return false;
  }
  return true;
}

static uintptr_t last_byte(const mt_LaneAddresses *p, uintptr_t first) {
  return first + (p->size ? p->size - 1 : 0);
}

/* Distinct units of 'unit' bytes that the lanes access. */
static uint64_t units(const mt_LaneAddresses *p, uintptr_t unit) {
  uint64_t n = 0;
  forget();
  for (uint32_t left = p->mask; left; left &= left - 1) {
    uintptr_t first = p->at[__builtin_ctz(left)];
    uintptr_t last = last_byte(p, first) / unit;
    for (uintptr_t u = first / unit; u <= last && n < MOST; u++) n += note(u);
  }
  return n;
}

static uint64_t rounded_up(uint64_t n, uint64_t by) {
  return (n + by - 1) / by;
}

uint64_t mt_cost_lines(const mt_LaneAddresses *p, uint64_t *ideal) {
  uint64_t bytes = p->size % MT_COST_WORD == 0
                       ? units(p, MT_COST_WORD) * MT_COST_WORD
                       : units(p, 1);
  *ideal = rounded_up(bytes, MT_COST_LINE);
  return units(p, MT_COST_LINE);
}

uint64_t mt_cost_banks(const mt_LaneAddresses *p, uint64_t *ideal) {
  uint32_t in[MT_COST_BANKS] = {0}, most = 0;
  uint64_t words = 0;
  forget();
  for (uint32_t left = p->mask; left; left &= left - 1) {
    uintptr_t first = p->at[__builtin_ctz(left)];
    uintptr_t last = last_byte(p, first) / MT_COST_WORD;
    for (uintptr_t w = first / MT_COST_WORD; w <= last && words < MOST; w++) {
      if (!note(w)) continue;
      words++;
      if (++in[w % MT_COST_BANKS] > most) most = in[w % MT_COST_BANKS];
    }
  }
  *ideal = rounded_up(words, MT_COST_BANKS);
  return most;
}

uint64_t mt_cost_queue(const mt_LaneAddresses *p) {
  uint64_t most = 0;
  for (uint32_t left = p->mask; left; left &= left - 1) {
    uintptr_t place = p->at[__builtin_ctz(left)];
    uint64_t n = 0;
    for (uint32_t o = p->mask; o; o &= o - 1)
      n += p->at[__builtin_ctz(o)] == place;
    if (n > most) most = n;
  }
  return most;
}
