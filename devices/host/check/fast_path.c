/*
** fast_path.c - the fast path: accesses that are correct at a glance.
**
** The one idea: nearly every access is in bounds, and nearly every shadow cell
** says "ordered by a barrier" or "never accessed", which is two comparisons of
** the whole word, since the epoch is in its top bits. Lanes that pass are done
** here; all others are left to bounds.c and race.c, which know all the rules.
*/
#include "devices/host/check/shadow_cell.h"

/* ------------------------------------------------------------------ limits */

#define ANYWHERE (1ull << 40) /* memory of unknown size */

/* The number of aligned places for 's' in 'size' bytes at 'start'. */
static uint64_t places(const mt_Site *s, uintptr_t start, size_t size) {
  size_t align = s->align > 1 ? s->align : 1;
  if (start % align) return 0;
  if (size == SIZE_MAX) return ANYWHERE;
  return size < s->size ? 0 : (size - s->size) / align + 1;
}

static uint64_t limit_of(mt_Check *c, const mt_Site *s) {
  if (s->kind > MT_SITE_ATOMIC || s->root == MT_ROOT_UNKNOWN) return 0;
  if (c->sites->root[s->root].kind == MT_ROOT_PRIVATE) return 0;
  const mt_Region *r = mt_check_region(c, s->root);
  bool tile = r == &c->group_memory && s->kind == MT_SITE_READ;
  if (tile ? !mt_tile_fits(c) : mt_is_shadowed(c, r)) return 0;
  bool param = (unsigned)s->root < c->launch->arg_count;
  const mt_Arg *a = &c->launch->args[param ? s->root : 0];
  uintptr_t start = 0;
  if (param && a->kind == MT_ARG_BUFFER)
    start = (uintptr_t)a->buffer->contents + a->offset;
  return places(s, start, c->root_size[s->root]);
}

void mt_fast_path_limits(mt_Check *c) {
  for (size_t i = 1; i < c->sites->count; i++) {
    c->tables.limit[i] = limit_of(c, &c->sites->site[i]);
    c->tables.start[i] = 0;
  }
}

void mt_fast_path_seen(mt_Check *c, const mt_Touch *t, const mt_Region *r) {
  if (mt_is_shadowed(c, r)) return;
  c->tables.start[t->site] = (uintptr_t)r->start;
  c->tables.limit[t->site] = places(t->s, (uintptr_t)r->start, r->size);
}

/* ------------------------------------------------------------------- cells */

/* Facts of the access that hold for all lanes; false: take the slow path. */
static bool prepare(mt_Check *c, const mt_Touch *t, mt_Region *r,
                    mt_FastPath *q) {
  uint32_t cell = 1u << r->shift;
  if (c->simd_barriers || t->s->size % cell) return false;
  int order = r->space == MT_SPACE_THREADGROUP ? MT_ORDER_GROUP
              : r->space == MT_SPACE_TEXTURE   ? MT_ORDER_TEXTURE
                                               : MT_ORDER_DEVICE;
  *q = (mt_FastPath){.c = c,
                     .r = r,
                     .low = c->group_start << MT_CELL_TIME,
                     .high = c->since[order] << MT_CELL_TIME,
                     .mine = c->now << MT_CELL_TIME |
                             (uint64_t)t->sg * MT_LANES << MT_CELL_THREAD |
                             (uint64_t)t->site << 1,
                     .cells = t->s->size / cell,
                     .size = t->s->size,
                     .shared = order == MT_ORDER_GROUP,
                     .blank = r->blank};
  return true;
}

/* Cell 'i', or NULL if its line was never accessed. */
static inline uint64_t *look(const mt_FastPath *q, uint64_t *line,
                             uint64_t *cells, size_t i) {
  if (!line || line[i >> MT_LINE] == MT_LINE_OPEN) return &cells[i];
  return line[i >> MT_LINE] ? mt_cell(q->c, q->r, line, cells, i) : NULL;
}

static inline bool read_cell(const mt_FastPath *q, size_t i, uint64_t mine) {
  mt_Region *r = q->r;
  const uint64_t *w = look(q, r->line_writes, r->writes, i);
  if (w && *w ? !mt_is_past(q, *w, mine) : q->blank) return false;
  uint64_t *rd = mt_cell(q->c, r, r->line_reads, r->reads, i);
  if (*rd == 0 || mt_is_past(q, *rd, mine) || (q->shared && *rd < q->low))
    *rd = mine;
  else if (*rd >= q->high) {
    mt_reader_left(q->c, r, i, *rd, mine);
    *rd = mine | MT_CELL_SEVERAL;
  }
  return true; /* else another group's read, which stays */
}

static inline bool can_write(const mt_FastPath *q, uint64_t cell,
                             uint64_t mine) {
  return cell == 0 || mt_is_past(q, cell, mine) || (q->shared && cell < q->low);
}

static inline bool write_cell(const mt_FastPath *q, size_t i, uint64_t mine) {
  mt_Region *r = q->r;
  uint64_t *w = look(q, r->line_writes, r->writes, i);
  uint64_t *rd = look(q, r->line_reads, r->reads, i);
  if ((w && !can_write(q, *w, mine)) || (rd && !can_write(q, *rd, mine)))
    return false;
  if (!w) w = mt_cell(q->c, r, r->line_writes, r->writes, i);
  *w = mine;
  if (rd) *rd = 0;
  return true;
}

/* All cells of the access, or none. */
static bool write_cells(const mt_FastPath *q, size_t i, uint64_t mine) {
  for (size_t k = i; k < i + q->cells; k++)
    if (!can_write(q, mt_cell_written(q->c, q->r, k), mine) ||
        !can_write(q, mt_cell_was_read(q->c, q->r, k), mine))
      return false;
  for (size_t k = i; k < i + q->cells; k++) write_cell(q, k, mine);
  return true;
}

static inline bool touch(const mt_FastPath *q, bool write, const char *p,
                         uint64_t mine) {
  size_t at = (size_t)(p - q->r->start);
  if (at & (((size_t)1 << q->r->shift) - 1)) return false;
  size_t i = at >> q->r->shift;
  if (mt_is_elsewhere(q->r, i))
    return q->cells == 1 || mt_is_elsewhere(q->r, i + q->cells - 1);
  if (q->cells > 1 && mt_is_elsewhere(q->r, i + q->cells - 1)) return false;
  q->r->touched = true;
  if (write)
    return q->cells == 1 ? write_cell(q, i, mine) : write_cells(q, i, mine);
  for (size_t k = 0; k < q->cells; k++)
    if (!read_cell(q, i + k, mine)) return false;
  return true;
}

/* ------------------------------------------------------------------ atomics */

/* Is it atomic, with no earlier non-atomic write by its group? In threadgroup
** memory an unordered atomic store takes the slow path: it may be an
** initialisation that comes too late. */
static inline bool is_pure(const mt_FastPath *q, uint64_t cell) {
  const mt_Site *s = &q->c->sites->site[cell >> 1 & MT_SITES_MAX];
  return s->kind > MT_SITE_WRITE && !s->after &&
         !(q->shared && cell >= q->high && s->kind == MT_SITE_ATOMIC_WRITE);
}

/* One cell of an atomic access; earlier accesses must be atomic, too. */
static bool atomic_cell(const mt_FastPath *q, size_t i, mt_SiteKind kind,
                        uint64_t mine) {
  mt_Region *r = q->r;
  uint64_t *w = look(q, r->line_writes, r->writes, i);
  uint64_t *rd = look(q, r->line_reads, r->reads, i);
  uint64_t was = w ? *w : 0, seen = rd ? *rd : 0;
  if (q->shared && was < q->low) was = 0;
  if (q->shared && seen < q->low) seen = 0;
  if (was < q->low && q->blank && kind != MT_SITE_ATOMIC_WRITE) return false;
  if ((was && !is_pure(q, was)) || (seen && !is_pure(q, seen))) return false;
  if (kind == MT_SITE_ATOMIC_READ) {
    if (seen && seen < q->low) return true; /* another group's read stays */
    if (seen && !mt_is_past(q, seen, mine)) {
      mt_reader_left(q->c, r, i, seen, mine);
      mine |= MT_CELL_SEVERAL;
    }
    *mt_cell_read(q->c, r, i) = mine;
    return true;
  }
  if (was && !mt_is_past(q, was, mine)) mine |= MT_CELL_SEVERAL;
  *(w ? w : mt_cell_write(q->c, r, i)) = mine;
  if (seen) *rd = 0;
  return true;
}

static bool touch_atomic(const mt_FastPath *q, mt_SiteKind kind, const char *p,
                         uint64_t mine) {
  size_t at = (size_t)(p - q->r->start), i = at >> q->r->shift;
  if (at & (((size_t)1 << q->r->shift) - 1)) return false;
  for (size_t k = i; k < i + q->cells; k++)
    if (mt_is_elsewhere(q->r, k) || !atomic_cell(q, k, kind, mine))
      return false;
  q->r->touched = true;
  return true;
}

/* -------------------------------------------------------------- SIMD-groups */

static inline bool is_good(const mt_Touch *t, const char *p, const char *base,
                           size_t room) {
  return (uint64_t)(p - base) <= room &&
         (t->s->align <= 1 || !((uintptr_t)p & (t->s->align - 1)));
}

/* With one stride, the first and the last lane decide for all. */
static bool row_is_good(const mt_Touch *t, const char *base, size_t room) {
  unsigned first = (unsigned)__builtin_ctz(t->mask);
  unsigned last = 31 - (unsigned)__builtin_clz(t->mask);
  return is_good(t, mt_touch_at(t, first), base, room) &&
         is_good(t, mt_touch_at(t, last), base, room) &&
         (t->s->align <= 1 || !(t->step & (int64_t)(t->s->align - 1)));
}

/* Of many lanes that read one address, the first and the last are recorded. */
static uint32_t who_notes(const mt_Touch *t, bool write) {
  if (write || t->step || t->at) return t->mask;
  return 1u << __builtin_ctz(t->mask) | 1u << (31 - __builtin_clz(t->mask));
}

/* Scattered lanes: prefetch all lines, then all cells, so that their cache
** misses overlap. */
static void call_for(const mt_Touch *t, const mt_Region *r, bool cells) {
  for (uint32_t left = t->mask; left; left &= left - 1) {
    const char *p = mt_touch_at(t, (unsigned)__builtin_ctz(left));
    size_t i = (size_t)(p - r->start) >> r->shift;
    __builtin_prefetch(cells ? &r->writes[i] : &r->line_writes[i >> MT_LINE]);
    __builtin_prefetch(cells ? &r->reads[i] : &r->line_reads[i >> MT_LINE]);
  }
}

static void call_for_all(const mt_Touch *t, const mt_Region *r) {
  call_for(t, r, false);
  call_for(t, r, true);
}

/* Strided lanes, in bounds; gives the lanes that are done. */
static uint32_t touch_row(const mt_Touch *t, const mt_FastPath *q, bool write) {
  if (q->shared && mt_tile_read(q->c, t)) return t->mask;
  uint32_t done = mt_fast_path_row(q, t, write), notes = who_notes(t, write);
  if (!q->shared && notes & ~done & (notes - 1)) call_for_all(t, q->r);
  for (uint32_t left = notes & ~done; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    const char *p = mt_touch_at(t, lane);
    if (touch(q, write, p, q->mine + lane * MT_CELL_NEXT)) done |= 1u << lane;
  }
  return notes != t->mask && (done & notes) == notes ? t->mask : done;
}

/* Atomic accesses, all in bounds. */
static uint32_t touch_atomics(const mt_Touch *t, const mt_FastPath *q) {
  uint32_t done = 0, notes = who_notes(t, false);
  if (q->c->fenced) return 0;
  for (uint32_t left = notes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    if (touch_atomic(q, t->s->kind, mt_touch_at(t, lane),
                     q->mine + lane * MT_CELL_NEXT))
      done |= 1u << lane;
  }
  return done == notes ? t->mask : notes == t->mask ? done : 0;
}

/* The active lanes from 'first' on with one stride, at least four, or 'first'
** alone. */
static uint32_t row_at(const mt_Touch *t, unsigned first, uint32_t steady) {
  if (first > MT_LANES - 4) return 1u << first;
  uint32_t more = (steady | 2u << first) & t->mask;
  unsigned n = 1 + (unsigned)__builtin_ctzll(~((uint64_t)more >> (first + 1)));
  return n < 4 ? 1u << first : (n == 32 ? ~0u : (1u << n) - 1) << first;
}

/* A list of addresses, run by run. */
static uint32_t touch_list(const mt_Touch *t, const mt_FastPath *q,
                           bool write) {
  uint32_t done = 0, steady = mt_addresses_strided(t->at);
  if (!q->shared && !(steady & t->mask)) call_for_all(t, q->r);
  for (uint32_t left = t->mask; left;) {
    unsigned first = (unsigned)__builtin_ctz(left);
    mt_Touch row = *t;
    row.mask = row_at(t, first, steady);
    left &= ~row.mask;
    if (row.mask == 1u << first && !q->shared) {
      if (touch(q, write, t->at[first], q->mine + first * MT_CELL_NEXT))
        done |= row.mask;
      continue;
    }
    row.at = NULL;
    row.step = row.mask == 1u << first ? 0 : t->at[first + 1] - t->at[first];
    row.first = t->at[first] - row.step * (int64_t)first;
    done |= touch_row(&row, q, write);
  }
  return done;
}

/* The lanes that access cells of this run's part; all are in bounds. */
static uint32_t here(const mt_Touch *t, const mt_Region *r) {
  size_t bytes = (r->high - r->low) << r->shift;
  const char *start = r->start + (r->low << r->shift);
  if (t->at)
    return mt_addresses_overlap(t->at, t->mask, start, bytes, t->s->size);
  char *at[MT_LANES];
  for (unsigned l = 0; l < MT_LANES; l++) at[l] = mt_touch_at(t, l);
  return mt_addresses_overlap(at, t->mask, start, bytes, t->s->size);
}

/* All lanes are in bounds. Gives those that are done. */
static uint32_t touch_all(mt_Check *c, const mt_Touch *t, mt_Region *r,
                          const mt_FastPath *q, bool write) {
  mt_Touch mine = *t;
  if (c->parts > 1 && r != &c->group_memory) mine.mask = here(t, r);
  if (!mine.mask) return t->mask;
  uint32_t done = t->s->kind > MT_SITE_WRITE ? touch_atomics(&mine, q)
                  : t->at                    ? touch_list(&mine, q, write)
                                             : touch_row(&mine, q, write);
  return done | (t->mask & ~mine.mask);
}

uint32_t mt_fast_path(mt_Check *c, const mt_Touch *t, const char *base,
                      mt_Region *r, size_t size) {
  if (t->s->size > size || size == SIZE_MAX || !t->mask) return 0;
  size_t room = size - t->s->size;
  bool all =
      t->at ? mt_addresses_in_bounds(t->at, t->mask, base, room, t->s->align)
            : row_is_good(t, base, room);
  bool plain = !mt_is_shadowed(c, r), write = t->s->kind == MT_SITE_WRITE;
  mt_FastPath q;
  if (plain && all) return t->mask;
  if (all && r == &c->group_memory && !t->at && mt_tile_read(c, t))
    return t->mask;
  if (!plain && !prepare(c, t, r, &q)) return 0;
  if (all) return touch_all(c, t, r, &q, write);
  if (t->s->kind > MT_SITE_WRITE) return 0;
  uint32_t done = 0;
  for (uint32_t left = t->mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    const char *p = mt_touch_at(t, lane);
    if (is_good(t, p, base, room) &&
        (plain || touch(&q, write, p, q.mine + lane * MT_CELL_NEXT)))
      done |= 1u << lane;
  }
  return done;
}

void mt_fast_path_note(mt_Check *c, mt_Region *r, const mt_Touch *t) {
  mt_FastPath q;
  uint32_t done =
      t->mask && prepare(c, t, r, &q) ? mt_fast_path_row(&q, t, false) : 0;
  for (uint32_t left = t->mask & ~done; left; left &= left - 1)
    mt_shadow_note(c, r, t, (unsigned)__builtin_ctz(left));
}
