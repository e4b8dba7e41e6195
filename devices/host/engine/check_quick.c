/*
** check_quick.c - the accesses in which nothing is wrong, quickly.
**
** The one idea: nearly every access is inside of its memory, and nearly every cell
** of the shadow says "ordered by a barrier" or "never touched", which are two
** comparisons of the whole word: cells start with their time. Lanes for which
** that is enough are done here; all others are left to check_memory.c and
** check_shadow.c, which know the rules.
*/
#include "devices/host/engine/checker.h"

uint64_t mt_watch_limit[MT_SITES_MAX + 1], mt_watch_start[MT_SITES_MAX + 1];

/* ------------------------------------------------------------------ limits */

#define ANYWHERE (1ull << 40) /* memory whose size is not known */

/* Is the shadow of no interest? */
static bool is_plain(const mt_Check *c, const mt_Region *r) {
  return !r->tracked || c->schedule;
}

/* Places for 's' in memory of 'size' bytes at 'start'. */
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
  if (tile ? !mt_tile_fits(c) : !is_plain(c, r)) return 0;
  bool param = (unsigned)s->root < c->launch->arg_count;
  const mt_Arg *a = &c->launch->args[param ? s->root : 0];
  uintptr_t start = 0;
  if (param && a->kind == MT_ARG_BUFFER)
    start = (uintptr_t)a->buffer->contents + a->offset;
  return places(s, start, c->root_size[s->root]);
}

void mt_quick_limits(mt_Check *c) {
  for (size_t i = 1; i < c->sites->count; i++) {
    mt_watch_limit[i] = limit_of(c, &c->sites->site[i]);
    mt_watch_start[i] = 0;
  }
}

void mt_quick_seen(mt_Check *c, const mt_Touch *t, const mt_Region *r) {
  if (!is_plain(c, r)) return;
  mt_watch_start[t->site] = (uintptr_t)r->start;
  mt_watch_limit[t->site] = places(t->s, (uintptr_t)r->start, r->size);
}

/* ------------------------------------------------------------------- cells */

typedef struct Quick {
  mt_Region *r;
  uint64_t low, high;  /* cells from 'low' to below 'high' are ordered */
  uint64_t mine;       /* the cell of lane 0 */
  size_t cells;        /* of one access */
  bool shared;         /* threadgroup memory: cells below 'low' are stale */
  bool blank;          /* what was never written must not be read */
} Quick;

#define NEXT_LANE (1ull << MT_CELL_THREAD)
#define THREAD_BITS (1023ull << MT_CELL_THREAD)

/* Everything about the access that is the same for all lanes; false: slowly. */
static bool prepare(const mt_Check *c, const mt_Touch *t, mt_Region *r,
                    Quick *q) {
  uint32_t cell = 1u << r->shift;
  if (t->s->kind > MT_SITE_WRITE || c->simd_barriers || t->s->size % cell)
    return false;
  int order = r->space == MT_SPACE_THREADGROUP ? MT_ORDER_GROUP
              : r->space == MT_SPACE_TEXTURE   ? MT_ORDER_TEXTURE
                                               : MT_ORDER_DEVICE;
  *q = (Quick){.r = r, .low = c->group_start << MT_CELL_TIME,
               .high = c->since[order] << MT_CELL_TIME,
               .mine = c->now << MT_CELL_TIME |
                       (uint64_t)t->sg * MT_LANES << MT_CELL_THREAD |
                       (uint64_t)t->site << 1,
               .cells = t->s->size / cell,
               .shared = order == MT_ORDER_GROUP, .blank = r->blank};
  return true;
}

/* Before now by a barrier, or this thread's own and no other's. */
static inline bool is_past(const Quick *q, uint64_t cell, uint64_t mine) {
  if (cell - q->low < q->high - q->low) return true;
  return cell >= q->high && ((cell ^ mine) & (THREAD_BITS | 1)) == 0;
}

static inline bool read_cell(const Quick *q, size_t i, uint64_t mine) {
  uint64_t w = q->r->writes[i], rd = q->r->reads[i];
  if (!is_past(q, w, mine) && (w != 0 || q->blank)) return false;
  if (rd == 0 || is_past(q, rd, mine) || (q->shared && rd < q->low))
    q->r->reads[i] = mine;
  else if (rd >= q->high)
    q->r->reads[i] = mine | MT_CELL_SEVERAL;
  return true; /* else another group's: it stays */
}

static inline bool can_write(const Quick *q, uint64_t cell, uint64_t mine) {
  return cell == 0 || is_past(q, cell, mine) || (q->shared && cell < q->low);
}

static inline bool write_cells(const Quick *q, size_t i, uint64_t mine) {
  for (size_t k = 0; k < q->cells; k++)
    if (!can_write(q, q->r->writes[i + k], mine) ||
        !can_write(q, q->r->reads[i + k], mine))
      return false;
  for (size_t k = 0; k < q->cells; k++)
    q->r->writes[i + k] = mine, q->r->reads[i + k] = 0;
  return true;
}

static inline bool touch(const Quick *q, bool write, const char *p,
                         uint64_t mine) {
  size_t at = (size_t)(p - q->r->start);
  if (at & (((size_t)1 << q->r->shift) - 1)) return false;
  size_t i = at >> q->r->shift;
  if (write) return write_cells(q, i, mine);
  for (size_t k = 0; k < q->cells; k++)
    if (!read_cell(q, i + k, mine)) return false;
  return true;
}

static inline bool is_good(const mt_Touch *t, const char *p, const char *base,
                           size_t room) {
  return (uint64_t)(p - base) <= room &&
         (t->s->align <= 1 || !((uintptr_t)p & (t->s->align - 1)));
}

/* In a row, the ends speak for all. */
static bool row_is_good(const mt_Touch *t, const char *base, size_t room) {
  unsigned first = (unsigned)__builtin_ctz(t->mask);
  unsigned last = 31 - (unsigned)__builtin_clz(t->mask);
  return is_good(t, mt_touch_at(t, first), base, room) &&
         is_good(t, mt_touch_at(t, last), base, room) &&
         (t->s->align <= 1 || !(t->step & (int64_t)(t->s->align - 1)));
}

/* The same for a list of all 32. */
static bool list_is_good(const mt_Touch *t, const char *base, size_t room) {
  if (!t->at || t->mask != ~0u) return false;
  uintptr_t from = (uintptr_t)base, bad = 0, odd = 0;
  for (unsigned l = 0; l < MT_LANES; l++) {
    uintptr_t at = (uintptr_t)t->at[l];
    bad |= at - from > room;
    odd |= at;
  }
  return !bad && (t->s->align <= 1 || !(odd & (t->s->align - 1)));
}

/* Reads of one cell each, wherever they are; gives the lanes that are done. */
static uint32_t scattered_read(const mt_Touch *t, const Quick *q) {
  const uint64_t *writes = q->r->writes;
  uint64_t *reads = q->r->reads, mine = q->mine;
  uint64_t low = q->low, span = q->high - q->low, high = q->high;
  const char *start = q->r->start;
  unsigned shift = q->r->shift;
  size_t inside = ((size_t)1 << shift) - 1;
  uint32_t done = 0;
  for (unsigned l = 0; l < MT_LANES; l++, mine += NEXT_LANE) {
    size_t at = (size_t)(t->at[l] - start), i = at >> shift;
    uint64_t w = writes[i], rd = reads[i];
    bool good = w - low < span || (w == 0 && !q->blank) ||
                (w >= high && ((w ^ mine) & (THREAD_BITS | 1)) == 0);
    if (!good || at & inside) continue;
    done |= 1u << l;
    bool past = rd - low < span || rd == 0 || (q->shared && rd < low) ||
                ((rd ^ mine) & (THREAD_BITS | 1)) == 0;
    if (past && (rd >= low || rd == 0 || q->shared))
      reads[i] = mine;
    else if (rd >= high)
      reads[i] = mine | MT_CELL_SEVERAL;
  }
  return done;
}

/* All 32 lanes, one cell each, side by side; false: nothing was done. Two
** passes without branches, for the compiler to make vectors of. */
static bool dense_write(const Quick *q, size_t i) {
  uint64_t *w = q->r->writes + i, *rd = q->r->reads + i;
  uint64_t low = q->low, span = q->high - q->low, floor = q->shared ? low : 1;
  uint64_t bad = 0;
  for (unsigned l = 0; l < MT_LANES; l++)
    bad |= (uint64_t)((w[l] - low >= span) & (w[l] >= floor)) |
           (uint64_t)((rd[l] - low >= span) & (rd[l] >= floor));
  if (bad) return false;
  for (unsigned l = 0; l < MT_LANES; l++) {
    w[l] = q->mine + l * NEXT_LANE;
    rd[l] = 0;
  }
  return true;
}

static bool dense_read(const Quick *q, size_t i) {
  uint64_t *w = q->r->writes + i, *rd = q->r->reads + i;
  uint64_t low = q->low, span = q->high - q->low, bad = 0;
  uint64_t floor = q->shared ? low : 1, least = q->blank ? 0 : 1;
  for (unsigned l = 0; l < MT_LANES; l++)
    bad |= (uint64_t)((w[l] - low >= span) & (w[l] >= least)) |
           (uint64_t)((rd[l] - low >= span) & (rd[l] >= floor));
  if (bad) return false;
  for (unsigned l = 0; l < MT_LANES; l++) rd[l] = q->mine + l * NEXT_LANE;
  return true;
}

static bool is_dense(const mt_Touch *t, const Quick *q, const char *p) {
  size_t at = (size_t)(p - q->r->start);
  return t->mask == ~0u && q->cells == 1 && t->step == (int64_t)t->s->size &&
         !(at & (((size_t)1 << q->r->shift) - 1));
}

uint32_t mt_quick(mt_Check *c, const mt_Touch *t, const char *base,
                  mt_Region *r, size_t size) {
  if (t->s->size > size || size == SIZE_MAX || !t->mask) return 0;
  size_t room = size - t->s->size;
  bool row = t->at ? list_is_good(t, base, room) : row_is_good(t, base, room);
  bool plain = is_plain(c, r);
  uint32_t done = 0;
  Quick q = {.r = r};
  if (plain && row) return t->mask;
  if (row && r == &c->group_memory && mt_tile_read(c, t)) return t->mask;
  if (!plain && !prepare(c, t, r, &q)) return 0;
  bool write = t->s->kind == MT_SITE_WRITE;
  if (row && t->at && !write && q.cells == 1) return scattered_read(t, &q);
  if (!plain && row && !t->at && is_dense(t, &q, t->first)) {
    size_t i = (size_t)(t->first - r->start) >> r->shift;
    if (write ? dense_write(&q, i) : dense_read(&q, i)) return t->mask;
  }
  for (uint32_t left = t->mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    const char *p = mt_touch_at(t, lane);
    if (!row && !is_good(t, p, base, room)) continue;
    if (plain || touch(&q, write, p, q.mine + lane * NEXT_LANE))
      done |= 1u << lane;
  }
  return done;
}

void mt_quick_note(mt_Check *c, mt_Region *r, const mt_Touch *t) {
  Quick q;
  if (prepare(c, t, r, &q) && is_dense(t, &q, t->first) &&
      dense_read(&q, (size_t)(t->first - r->start) >> r->shift))
    return;
  for (uint32_t left = t->mask; left; left &= left - 1)
    mt_shadow_note(c, r, t, (unsigned)__builtin_ctz(left));
}
