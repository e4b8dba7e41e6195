/*
** threadgroup_reads.c - reads of threadgroup memory between two barriers, most
** of the accesses of a tiled kernel.
**
** The one idea: words that were written before a barrier and not since are
** clean: any thread may read them, so one bit per word decides. Readers matter
** only to a write before the next barrier. So reads are appended to a list,
** which a write flushes into the shadow and a barrier discards. Generated code
** tests the bits and appends inline (lower/threadgroup_reads.c).
*/
#include <string.h>

#include "devices/host/check/check.h"

/* -------------------------------------------------------------------- bits */

static uint64_t bits_at(const uint8_t *map, size_t i) {
  uint64_t x;
  memcpy(&x, map + i / 8, sizeof x);
  return x >> i % 8;
}

/* 'n' bits from 'i' on. */
static void set_bits(uint8_t *map, size_t i, size_t n, bool on) {
  while (n) {
    size_t few = n < 56 ? n : 56;
    uint64_t x, m = (((uint64_t)1 << few) - 1) << i % 8;
    memcpy(&x, map + i / 8, sizeof x);
    x = on ? x | m : x & ~m;
    memcpy(map + i / 8, &x, sizeof x);
    i += few, n -= few;
  }
}

static bool all_set(const uint8_t *map, size_t i, size_t n) {
  for (; n > 56; i += 56, n -= 56)
    if (~bits_at(map, i) & (((uint64_t)1 << 56) - 1)) return false;
  return !(~bits_at(map, i) & (((uint64_t)1 << n) - 1));
}

/* ------------------------------------------------------------------- reads */

bool mt_tile_fits(const mt_Check *c) {
  return c->group_memory.size <= MT_TILE_BYTES;
}

static inline bool lane_is_clean(const mt_Check *c, size_t at, size_t size) {
  if (size == 4 && at % 4 == 0)
    return c->tables.clean[at / 32] >> at / 4 % 8 & 1;
  return all_set(c->tables.clean, at / 4, (at + size - 1) / 4 - at / 4 + 1);
}

/* Strided lanes, or one address for all; they are in bounds. */
static bool is_clean(const mt_Check *c, const mt_Touch *t, size_t at) {
  size_t size = t->s->size;
  if (t->step == 0)
    return lane_is_clean(c, at, size);
  if (t->mask == ~0u && t->step == (int64_t)size)
    return lane_is_clean(c, at, size * MT_LANES);
  for (uint32_t left = t->mask; left; left &= left - 1) {
    int64_t lane = __builtin_ctz(left);
    if (!lane_is_clean(c, at + (size_t)(lane * t->step), size)) return false;
  }
  return true;
}

bool mt_tile_read(mt_Check *c, const mt_Touch *t) {
  size_t at = (size_t)(t->first - c->group_memory.start);
  if (t->at || t->s->kind != MT_SITE_READ || !mt_tile_fits(c)) return false;
  if (!is_clean(c, t, at)) return false;
  if (c->tables.listed == MT_TILE_READS) mt_tile_flush(c);
  c->tables.list[c->tables.listed++] =
      (mt_TileRead){(int32_t)at, (int32_t)t->step, t->mask, (uint16_t)t->site,
                    (uint16_t)t->sg};
  return true;
}

/* 'at' may be anywhere: the caller checks the bounds of the variable, too. */
uint32_t mt_check_tile(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                       int64_t at, const int32_t *plan) {
  size_t size = c->sites->site[site].size;
  int32_t rows = *plan++;
  uint32_t n = c->tables.listed;
  if (n + (uint32_t)rows > MT_TILE_READS) return 0;
  for (; rows; rows--, plan += 4) {
    int64_t first = at + plan[3], step = plan[2], span = step * (plan[1] - 1);
    int64_t low = span < 0 ? first + span : first;
    size_t bytes = (size_t)(span < 0 ? -span : span) + size;
    if (low < 0 || low + (int64_t)bytes > MT_TILE_BYTES ||
        !lane_is_clean(c, (size_t)low, bytes))
      return 0;
    uint32_t lanes = plan[1] == 32 ? ~0u : ((1u << plan[1]) - 1) << plan[0];
    c->tables.list[n++] =
        (mt_TileRead){(int32_t)(first - plan[0] * step), (int32_t)step,
                      mask & lanes, (uint16_t)site, (uint16_t)sg};
  }
  c->tables.listed = n;
  return 1;
}

/* Of many lanes that read one address, the first and the last are recorded. */
static uint32_t ends(uint32_t mask) {
  return 1u << __builtin_ctz(mask) | 1u << (31 - __builtin_clz(mask));
}

void mt_tile_flush(mt_Check *c) {
  uint32_t n = c->tables.listed;
  c->tables.listed = 0;
  if (!mt_is_shadowed(c, &c->group_memory)) return;
  for (uint32_t i = 0; i < n; i++) {
    const mt_TileRead *e = &c->tables.list[i];
    mt_Touch t = {.s = &c->sites->site[e->site], .site = e->site, .sg = e->sg,
                  .mask = e->mask, .first = c->group_memory.start + e->at,
                  .step = e->step};
    if (!t.mask) continue;
    if (t.step == 0) t.mask = ends(t.mask);
    mt_fast_path_note(c, &c->group_memory, &t);
  }
}

/* ------------------------------------------------------------------ writes */

/* Has this group written all of the word? */
static bool is_whole(const mt_Check *c, const mt_Region *r, size_t word) {
  size_t first = word * 4 >> r->shift, n = (size_t)4 >> r->shift;
  for (size_t i = first; i < first + n && i < r->cells; i++)
    if (r->writes[i] >> MT_CELL_TIME < c->group_start) return false;
  return true;
}

static inline void wrote(mt_Check *c, const mt_Region *r, size_t at,
                         size_t size) {
  size_t first = at / 4, last = (at + size - 1) / 4;
  if (first == last && r->shift == 2) {
    uint8_t bit = (uint8_t)(1 << first % 8);
    c->tables.clean[first / 8] &= (uint8_t)~bit;
    c->written[first / 8] |= bit;
    return;
  }
  set_bits(c->tables.clean, first, last - first + 1, false);
  if (r->shift == 2) {
    set_bits(c->written, first, last - first + 1, true);
    return;
  }
  for (size_t w = first; w <= last; w++)
    if (is_whole(c, r, w)) set_bits(c->written, w, 1, true);
}

void mt_tile_wrote(mt_Check *c, const mt_Touch *t, uint32_t good) {
  const mt_Region *r = &c->group_memory;
  size_t size = t->s->size;
  if (!mt_is_shadowed(c, r) || !mt_tile_fits(c)) return;
  c->fresh = true;
  unsigned lane = good ? (unsigned)__builtin_ctz(good) : 0;
  uint32_t side_by_side = good >> lane;
  if (good && !t->at && t->step == (int64_t)size &&
      !(side_by_side & (side_by_side + 1)) && t->s->root != MT_ROOT_UNKNOWN) {
    size_t n = mt_lane_count(good);
    wrote(c, r, (size_t)(mt_touch_at(t, lane) - r->start), n * size);
    return;
  }
  for (; good; good &= good - 1) {
    const char *p = mt_touch_at(t, (unsigned)__builtin_ctz(good));
    if (p >= r->start && p + size <= r->start + r->size)
      wrote(c, r, (size_t)(p - r->start), size);
  }
}

/* --------------------------------------------------------- barriers, groups */

void mt_tile_barrier(mt_Check *c) {
  c->tables.listed = 0;
  if (!c->fresh || !mt_tile_fits(c)) return;
  memcpy(c->tables.clean, c->written, c->group_memory.size / 32 + 1);
  memcpy(c->settled, c->written, c->group_memory.size / 32 + 1);
  c->fresh = false;
}

bool mt_tile_settled(const mt_Check *c, size_t cell) {
  size_t word = cell << c->group_memory.shift >> 2;
  return !mt_tile_fits(c) || all_set(c->settled, word, 1);
}

void mt_tile_group(mt_Check *c) {
  size_t bytes = mt_tile_fits(c) ? c->group_memory.size / 32 + 1 : 0;
  c->tables.listed = 0;
  c->fresh = false;
  memset(c->written, 0, bytes);
  memset(c->settled, 0, bytes);
  memset(c->tables.clean, mt_is_shadowed(c, &c->group_memory) ? 0 : 255, bytes);
}
