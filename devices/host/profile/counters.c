/*
** counters.c - what profiled code calls: blocks, branches, accesses.
**
** The one idea: an access of a SIMD-group is a set of addresses, whose cost
** devices/access_cost.h knows: cache lines, passes over banks, a queue of
** atomics.
*/
#include <string.h>

#include "devices/access_cost.h"
#include "devices/host/profile/profile.h"

void mt_count_block(mt_Counting *all, uint32_t sg, uint32_t mask,
                    uint32_t block) {
  if (!mask) return;
  mt_BlockCount *b = &all->block[block];
  mt_Busiest *thread = all->thread + sg * MT_LANES;
  b->issued++;
  b->lanes += (unsigned)__builtin_popcount(mask);
  for (uint32_t left = mask; left; left &= left - 1)
    thread[__builtin_ctz(left)].instructions += all->weight[block];
}

void mt_count_split(mt_Counting *all, uint32_t sg, uint32_t mask, uint32_t site,
                    uint32_t bits) {
  (void)sg;
  if (!mask) return;
  mt_Counts *c = &all->site[site];
  c->branches++;
  bits &= mask;
  c->divergent += bits != 0 && bits != mask;
}

/* ---------------------------------------------------------------- counting */

typedef struct Places {
  const mt_CountSite *site;
  uint32_t sg;
  mt_LaneAddresses lanes;
} Places;

static void touch(mt_Counting *all, const Places *p) {
  for (size_t b = 0; b < all->buffers; b++) {
    mt_Touched *t = &all->buffer[b];
    uintptr_t start = (uintptr_t)t->start;
    for (uint32_t left = p->lanes.mask; left; left &= left - 1) {
      uintptr_t at = p->lanes.at[__builtin_ctz(left)] - start;
      if (at >= t->size) continue;
      uintptr_t last = at + (p->site->size ? p->site->size - 1 : 0);
      if (last >= t->size) last = t->size - 1;
      for (uintptr_t w = at / MT_COST_WORD; w <= last / MT_COST_WORD; w++)
        t->words[w / 64] |= 1ull << w % 64;
    }
  }
}

static void set_bits(uint64_t *set, uintptr_t first, uintptr_t last) {
  for (uintptr_t i = first; i <= last; i++) set[i / 64] |= 1ull << i % 64;
}

/* Into the map of accesses: each lane's bytes. */
static void map_access(mt_Counting *all, const Places *p) {
  static const mt_TouchSet sets[] = {[MT_HOW_READ] = MT_TOUCH_READ,
                                      [MT_HOW_WRITE] = MT_TOUCH_WRITTEN,
                                      [MT_HOW_ATOMIC] = MT_TOUCH_ATOMIC};
  const mt_AccessMap *m = all->map;
  mt_TouchSet which = sets[p->site->how];
  for (size_t b = 0; b < m->count; b++) {
    const mt_AccessedBuffer *to = &m->buffers[b];
    for (uint32_t left = p->lanes.mask; left; left &= left - 1) {
      uintptr_t at = p->lanes.at[__builtin_ctz(left)] - (uintptr_t)to->contents;
      if (at >= to->size) continue;
      uintptr_t last = at + (p->site->size ? p->site->size - 1 : 0);
      set_bits(to->set[which], at, last < to->size ? last : to->size - 1);
    }
  }
}

static void count_device(mt_Counting *all, mt_Counts *c, const Places *p,
                         uint64_t lanes) {
  uint64_t bytes = lanes * p->site->size;
  bool reads = p->site->how != MT_HOW_WRITE;
  bool writes = p->site->how != MT_HOW_READ;
  for (uint32_t left = p->lanes.mask; left; left &= left - 1) {
    mt_Busiest *b = &all->thread[p->sg * MT_LANES +
                                         (unsigned)__builtin_ctz(left)];
    b->device_reads += reads;
    b->device_writes += writes;
  }
  c->device_reads += reads ? lanes : 0;
  c->device_writes += writes ? lanes : 0;
  c->device_read_bytes += reads ? bytes : 0;
  c->device_write_bytes += writes ? bytes : 0;
  if (p->site->how == MT_HOW_ATOMIC) c->device_atomics += lanes;
  uint64_t ideal;
  c->lines += mt_cost_lines(&p->lanes, &ideal);
  c->lines_ideal += ideal;
  touch(all, p);
}

static void count_group(mt_Counts *c, const Places *p, uint64_t lanes) {
  uint64_t ideal;
  c->group_reads += p->site->how != MT_HOW_WRITE ? lanes : 0;
  c->group_writes += p->site->how != MT_HOW_READ ? lanes : 0;
  c->banks += mt_cost_banks(&p->lanes, &ideal);
  c->banks_ideal += ideal;
}

static mt_CountSpace space_of(const mt_Counting *all, const Places *p) {
  if (p->site->space != MT_COUNT_FIND) return p->site->space;
  uintptr_t at = p->lanes.at[__builtin_ctz(p->lanes.mask)];
  bool inside = at - (uintptr_t)all->group_memory <
                all->group_size;
  return inside ? MT_COUNT_GROUP : MT_COUNT_DEVICE;
}

static void count(mt_Counting *all, uint32_t site, const Places *p) {
  mt_Counts *c = &all->site[site];
  uint64_t lanes = (unsigned)__builtin_popcount(p->lanes.mask);
  if (all->map) map_access(all, p);
  switch (space_of(all, p)) {
    case MT_COUNT_DEVICE: count_device(all, c, p, lanes); break;
    case MT_COUNT_GROUP: count_group(c, p, lanes); break;
    default: c->constant_reads += lanes; break;
  }
  if (p->site->how != MT_HOW_ATOMIC) return;
  c->atomics += lanes;
  c->atomics_worst += mt_cost_queue(&p->lanes);
}

static Places places_of(const mt_Counting *all, uint32_t sg, uint32_t mask,
                        uint32_t site) {
  const mt_CountSite *s = &all->table->site[site];
  return (Places){.site = s, .sg = sg,
                  .lanes = {.mask = mask, .size = s->size}};
}

void mt_count_row(mt_Counting *all, uint32_t sg, uint32_t mask, uint32_t site,
                  char *first, int64_t step) {
  if (!mask) return;
  Places p = places_of(all, sg, mask, site);
  for (int l = 0; l < MT_LANES; l++)
    p.lanes.at[l] = (uintptr_t)first + (uintptr_t)(step * l);
  count(all, site, &p);
}

void mt_count_one(mt_Counting *all, uint32_t sg, uint32_t mask, uint32_t site,
                  char *at) {
  mt_count_row(all, sg, mask, site, at, 0);
}

void mt_count_lanes(mt_Counting *all, uint32_t sg, uint32_t mask, uint32_t site,
                    char *const *at) {
  if (!mask) return;
  Places p = places_of(all, sg, mask, site);
  for (int l = 0; l < MT_LANES; l++) p.lanes.at[l] = (uintptr_t)at[l];
  count(all, site, &p);
}
