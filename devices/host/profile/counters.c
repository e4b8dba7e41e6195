/*
** counters.c - what profiled code calls: blocks, branches, accesses.
**
** The one idea: an access of a SIMD-group is a set of addresses, and its cost
** is the number of units of memory that they touch: cache lines of 128 bytes in
** device memory, passes over 32 banks in threadgroup memory, one after the
** other for atomics on one address. The ideal is the cost of the same bytes if
** they were contiguous.
*/
#include <string.h>

#include "devices/host/profile/profile.h"

#define LINE 128u
#define WORD 4u
#define BANKS 32u
#define MOST (MT_LANES * 64) /* words or lines of one access that are
                             ** distinguished */

mt_Counting *mt_counting;

void mt_count_block(uint32_t sg, uint32_t mask, uint32_t block) {
  if (!mask) return;
  mt_BlockCount *b = &mt_counting->block[block];
  mt_Busiest *thread = mt_counting->thread + sg * MT_LANES;
  b->issued++;
  b->lanes += (unsigned)__builtin_popcount(mask);
  for (uint32_t left = mask; left; left &= left - 1)
    thread[__builtin_ctz(left)].instructions += mt_counting->weight[block];
}

void mt_count_split(uint32_t sg, uint32_t mask, uint32_t site, uint32_t bits) {
  (void)sg;
  if (!mask) return;
  mt_Counts *c = &mt_counting->site[site];
  c->branches++;
  bits &= mask;
  c->divergent += bits != 0 && bits != mask;
}

/* ---------------------------------------------------------------- addresses */

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

/* The addresses of the active lanes. */
typedef struct Places {
  const mt_CountSite *site;
  uint32_t sg, mask;
  uintptr_t at[MT_LANES];
} Places;

/* Distinct units of 'unit' bytes that the lanes access. */
static uint64_t units(const Places *p, uintptr_t unit) {
  uint64_t n = 0;
  forget();
  for (uint32_t left = p->mask; left; left &= left - 1) {
    uintptr_t first = p->at[__builtin_ctz(left)];
    uintptr_t last = (first + (p->site->size ? p->site->size - 1 : 0)) / unit;
    for (uintptr_t u = first / unit; u <= last && n < MOST; u++) n += note(u);
  }
  return n;
}

/* Distinct bytes that the lanes access. */
static uint64_t different_bytes(const Places *p) {
  return p->site->size % WORD == 0 ? units(p, WORD) * WORD : units(p, 1);
}

static uint64_t rounded_up(uint64_t n, uint64_t by) { return (n + by - 1) / by; }

/* Passes over the banks: the most distinct words in one bank. */
static uint64_t passes(const Places *p, uint64_t *ideal) {
  uint32_t in[BANKS] = {0}, most = 0;
  uint64_t words = 0;
  forget();
  for (uint32_t left = p->mask; left; left &= left - 1) {
    uintptr_t first = p->at[__builtin_ctz(left)];
    uintptr_t last = (first + (p->site->size ? p->site->size - 1 : 0)) / WORD;
    for (uintptr_t w = first / WORD; w <= last && words < MOST; w++) {
      if (!note(w)) continue;
      words++;
      if (++in[w % BANKS] > most) most = in[w % BANKS];
    }
  }
  *ideal = rounded_up(words, BANKS);
  return most;
}

/* The most lanes at one address: atomics there are serialised. */
static uint64_t queue(const Places *p) {
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

/* ---------------------------------------------------------------- counting */

static void touch(const Places *p) {
  for (size_t b = 0; b < mt_counting->buffers; b++) {
    mt_Touched *t = &mt_counting->buffer[b];
    uintptr_t start = (uintptr_t)t->start;
    for (uint32_t left = p->mask; left; left &= left - 1) {
      uintptr_t at = p->at[__builtin_ctz(left)] - start;
      if (at >= t->size) continue;
      uintptr_t last = at + (p->site->size ? p->site->size - 1 : 0);
      if (last >= t->size) last = t->size - 1;
      for (uintptr_t w = at / WORD; w <= last / WORD; w++)
        t->words[w / 64] |= 1ull << w % 64;
    }
  }
}

static void count_device(mt_Counts *c, const Places *p, uint64_t lanes) {
  uint64_t bytes = lanes * p->site->size;
  bool reads = p->site->how != MT_HOW_WRITE, writes = p->site->how != MT_HOW_READ;
  for (uint32_t left = p->mask; left; left &= left - 1) {
    mt_Busiest *b = &mt_counting->thread[p->sg * MT_LANES +
                                         (unsigned)__builtin_ctz(left)];
    b->device_reads += reads;
    b->device_writes += writes;
  }
  c->device_reads += reads ? lanes : 0;
  c->device_writes += writes ? lanes : 0;
  c->device_read_bytes += reads ? bytes : 0;
  c->device_write_bytes += writes ? bytes : 0;
  if (p->site->how == MT_HOW_ATOMIC) c->device_atomics += lanes;
  c->lines += units(p, LINE);
  c->lines_ideal += rounded_up(different_bytes(p), LINE);
  touch(p);
}

static void count_group(mt_Counts *c, const Places *p, uint64_t lanes) {
  uint64_t ideal;
  c->group_reads += p->site->how != MT_HOW_WRITE ? lanes : 0;
  c->group_writes += p->site->how != MT_HOW_READ ? lanes : 0;
  c->banks += passes(p, &ideal);
  c->banks_ideal += ideal;
}

static mt_CountSpace space_of(const Places *p) {
  if (p->site->space != MT_COUNT_FIND) return p->site->space;
  uintptr_t at = p->at[__builtin_ctz(p->mask)];
  bool inside = at - (uintptr_t)mt_counting->group_memory <
                mt_counting->group_size;
  return inside ? MT_COUNT_GROUP : MT_COUNT_DEVICE;
}

static void count(uint32_t site, const Places *p) {
  mt_Counts *c = &mt_counting->site[site];
  uint64_t lanes = (unsigned)__builtin_popcount(p->mask);
  switch (space_of(p)) {
    case MT_COUNT_DEVICE: count_device(c, p, lanes); break;
    case MT_COUNT_GROUP: count_group(c, p, lanes); break;
    default: c->constant_reads += lanes; break;
  }
  if (p->site->how != MT_HOW_ATOMIC) return;
  c->atomics += lanes;
  c->atomics_worst += queue(p);
}

void mt_count_row(uint32_t sg, uint32_t mask, uint32_t site, char *first,
                  int64_t step) {
  if (!mask) return;
  Places p = {.site = &mt_counting->table->site[site], .sg = sg, .mask = mask};
  for (int l = 0; l < MT_LANES; l++)
    p.at[l] = (uintptr_t)first + (uintptr_t)(step * l);
  count(site, &p);
}

void mt_count_one(uint32_t sg, uint32_t mask, uint32_t site, char *at) {
  mt_count_row(sg, mask, site, at, 0);
}

void mt_count_lanes(uint32_t sg, uint32_t mask, uint32_t site,
                    char *const *at) {
  if (!mask) return;
  Places p = {.site = &mt_counting->table->site[site], .sg = sg, .mask = mask};
  for (int l = 0; l < MT_LANES; l++) p.at[l] = (uintptr_t)at[l];
  count(site, &p);
}
