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
  mt_Check *c;
  mt_Region *r;
  uint64_t low, high;  /* cells from 'low' to below 'high' are ordered */
  uint64_t mine;       /* the cell of lane 0 */
  size_t cells;        /* of one access */
  uint32_t size;       /* bytes of it */
  bool shared;         /* threadgroup memory: cells below 'low' are stale */
  bool blank;          /* what was never written must not be read */
} Quick;

#define THREAD_BITS (1023ull << MT_CELL_THREAD)

/* Everything about the access that is the same for all lanes; false: slowly. */
static bool prepare(mt_Check *c, const mt_Touch *t, mt_Region *r, Quick *q) {
  uint32_t cell = 1u << r->shift;
  if (t->s->kind > MT_SITE_WRITE || c->simd_barriers || t->s->size % cell)
    return false;
  int order = r->space == MT_SPACE_THREADGROUP ? MT_ORDER_GROUP
              : r->space == MT_SPACE_TEXTURE   ? MT_ORDER_TEXTURE
                                               : MT_ORDER_DEVICE;
  *q = (Quick){.c = c, .r = r, .low = c->group_start << MT_CELL_TIME,
               .high = c->since[order] << MT_CELL_TIME,
               .mine = c->now << MT_CELL_TIME |
                       (uint64_t)t->sg * MT_LANES << MT_CELL_THREAD |
                       (uint64_t)t->site << 1,
               .cells = t->s->size / cell, .size = t->s->size,
               .shared = order == MT_ORDER_GROUP, .blank = r->blank};
  return true;
}

/* Before now by a barrier, or this thread's own and no other's. */
static inline bool is_past(const Quick *q, uint64_t cell, uint64_t mine) {
  if (cell - q->low < q->high - q->low) return true;
  return cell >= q->high && ((cell ^ mine) & (THREAD_BITS | 1)) == 0;
}

static inline bool read_cell(const Quick *q, size_t i, uint64_t mine) {
  uint64_t w = mt_cell_written(q->c, q->r, i);
  uint64_t rd = mt_cell_was_read(q->c, q->r, i);
  if (!is_past(q, w, mine) && (w != 0 || q->blank)) return false;
  if (rd == 0 || is_past(q, rd, mine) || (q->shared && rd < q->low))
    *mt_cell_read(q->c, q->r, i) = mine;
  else if (rd >= q->high)
    *mt_cell_read(q->c, q->r, i) = mine | MT_CELL_SEVERAL;
  return true; /* else another group's: it stays */
}

static inline bool can_write(const Quick *q, uint64_t cell, uint64_t mine) {
  return cell == 0 || is_past(q, cell, mine) || (q->shared && cell < q->low);
}

static inline bool write_cells(const Quick *q, size_t i, uint64_t mine) {
  for (size_t k = i; k < i + q->cells; k++)
    if (!can_write(q, mt_cell_written(q->c, q->r, k), mine) ||
        !can_write(q, mt_cell_was_read(q->c, q->r, k), mine))
      return false;
  for (size_t k = i; k < i + q->cells; k++) {
    *mt_cell_write(q->c, q->r, k) = mine;
    if (mt_cell_was_read(q->c, q->r, k)) *mt_cell_read(q->c, q->r, k) = 0;
  }
  return true;
}

static inline bool touch(const Quick *q, bool write, const char *p,
                         uint64_t mine) {
  size_t at = (size_t)(p - q->r->start);
  if (at & (((size_t)1 << q->r->shift) - 1)) return false;
  size_t i = at >> q->r->shift;
  q->r->touched = true;
  if (write) return write_cells(q, i, mine);
  for (size_t k = 0; k < q->cells; k++)
    if (!read_cell(q, i + k, mine)) return false;
  return true;
}

/* ------------------------------------------------------------------- lines */

/* Before now, or by the same threads each in its place. */
static inline bool line_is_past(const Quick *q, uint64_t word, uint64_t mine) {
  if (word - q->low < q->high - q->low) return true;
  return word >= q->high && ((word ^ mine) & (THREAD_BITS | 1)) == 0 &&
         q->c->sites->site[word >> 1 & MT_SITES_MAX].size == q->size;
}

static inline bool line_write(const Quick *q, size_t line, uint64_t mine) {
  uint64_t *w = &q->r->line_writes[line], *rd = &q->r->line_reads[line];
  if ((*w && !line_is_past(q, *w, mine)) ||
      (*rd && !line_is_past(q, *rd, mine)))
    return false;
  *w = mine;
  if (*rd) *rd = 0;
  return true;
}

static inline bool line_read(const Quick *q, size_t line, uint64_t mine) {
  uint64_t w = q->r->line_writes[line], *rd = &q->r->line_reads[line];
  if (w ? !line_is_past(q, w, mine) : q->blank) return false;
  if (*rd == MT_LINE_OPEN) return false;
  if (*rd == 0 || line_is_past(q, *rd, mine))
    *rd = mine;
  else if (*rd >= q->high) {
    if (q->c->sites->site[*rd >> 1 & MT_SITES_MAX].size != q->size)
      return false;
    *rd = mine | MT_CELL_SEVERAL;
  }
  return true;
}

/* The lines that a row of neighbours fills; gives the lanes that are done. The
** row may begin before the memory, with lanes that are off. */
static uint32_t touch_lines(const mt_Touch *t, const Quick *q, bool write) {
  int64_t at = t->first - q->r->start, n = 1 << MT_LINE;
  int64_t each = (int64_t)q->cells, cell = at >> q->r->shift;
  if (!q->r->line_writes || t->at || t->step != (int64_t)q->size || each > n ||
      n % each || at % t->step)
    return 0;
  int64_t lanes = n / each, lane = (-cell & (n - 1)) / each;
  uint32_t done = 0, few = (1u << lanes) - 1;
  for (; lane + lanes <= MT_LANES; lane += lanes) {
    uint32_t these = few << lane;
    if ((t->mask & these) != these) continue;
    size_t line = (size_t)(cell + lane * each) >> MT_LINE;
    uint64_t mine = q->mine + (uint64_t)lane * MT_CELL_NEXT;
    if (write ? line_write(q, line, mine) : line_read(q, line, mine))
      done |= these;
  }
  return done;
}

/* -------------------------------------------------------------- SIMD-groups */

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

/* The same for a list. */
static bool list_is_good(const mt_Touch *t, const char *base, size_t room) {
  uintptr_t from = (uintptr_t)base, bad = 0, odd = 0;
  for (unsigned l = 0; l < MT_LANES; l++) {
    uintptr_t at = (uintptr_t)t->at[l], on = -(uintptr_t)(t->mask >> l & 1);
    bad |= (at - from > room) & on;
    odd |= at & on;
  }
  return !bad && (t->s->align <= 1 || !(odd & (t->s->align - 1)));
}

/* Lanes of one cell each, side by side, in memory without lines; false: nothing
** was done. Two passes without branches: the compiler makes vectors of them. */
static bool dense_write(const Quick *q, size_t i, unsigned n, uint64_t mine) {
  uint64_t *w = q->r->writes + i, *rd = q->r->reads + i;
  uint64_t low = q->low, span = q->high - q->low, floor = q->shared ? low : 1;
  uint64_t bad = 0;
  for (unsigned l = 0; l < n; l++)
    bad |= (uint64_t)((w[l] - low >= span) & (w[l] >= floor)) |
           (uint64_t)((rd[l] - low >= span) & (rd[l] >= floor));
  if (bad) return false;
  for (unsigned l = 0; l < n; l++) {
    w[l] = mine + l * MT_CELL_NEXT;
    rd[l] = 0;
  }
  return true;
}

static bool dense_read(const Quick *q, size_t i, unsigned n, uint64_t mine) {
  uint64_t *w = q->r->writes + i, *rd = q->r->reads + i;
  uint64_t low = q->low, span = q->high - q->low, bad = 0;
  uint64_t floor = q->shared ? low : 1, least = q->blank ? 0 : 1;
  for (unsigned l = 0; l < n; l++)
    bad |= (uint64_t)((w[l] - low >= span) & (w[l] >= least)) |
           (uint64_t)((rd[l] - low >= span) & (rd[l] >= floor));
  if (bad) return false;
  for (unsigned l = 0; l < n; l++) rd[l] = mine + l * MT_CELL_NEXT;
  return true;
}

/* The active lanes, if they are neighbours and so are their cells. */
static bool touch_dense(const mt_Touch *t, const Quick *q, bool write) {
  unsigned lane = (unsigned)__builtin_ctz(t->mask);
  uint32_t lanes = t->mask >> lane;
  const char *p = mt_touch_at(t, lane);
  size_t at = (size_t)(p - q->r->start);
  if (q->r->line_writes || q->cells != 1 || t->step != (int64_t)q->size ||
      lanes & (lanes + 1) || at & (((size_t)1 << q->r->shift) - 1))
    return false;
  unsigned n = (unsigned)__builtin_popcount(lanes);
  uint64_t mine = q->mine + lane * MT_CELL_NEXT;
  return write ? dense_write(q, at >> q->r->shift, n, mine)
               : dense_read(q, at >> q->r->shift, n, mine);
}

/* Of many lanes that read one place, the first and the last make the note. */
static uint32_t who_notes(const mt_Touch *t, bool write) {
  if (write || t->step) return t->mask;
  return 1u << __builtin_ctz(t->mask) | 1u << (31 - __builtin_clz(t->mask));
}

/* A row that is inside of its memory; gives the lanes that are done. */
static uint32_t touch_row(const mt_Touch *t, const Quick *q, bool write) {
  if (q->shared && mt_tile_read(q->c, t)) return t->mask;
  if (touch_dense(t, q, write)) return t->mask;
  uint32_t done = touch_lines(t, q, write), notes = who_notes(t, write);
  for (uint32_t left = notes & ~done; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    const char *p = mt_touch_at(t, lane);
    if (touch(q, write, p, q->mine + lane * MT_CELL_NEXT)) done |= 1u << lane;
  }
  return notes != t->mask && (done & notes) == notes ? t->mask : done;
}

/* The lanes from 'first' on that are a row. */
static uint32_t row_at(const mt_Touch *t, unsigned first, int64_t *step) {
  unsigned l = first + 1;
  *step = 0;
  for (; l < MT_LANES && t->mask >> l & 1; l++) {
    int64_t far = t->at[l] - t->at[l - 1];
    if (l > first + 1 && far != *step) break;
    *step = far;
  }
  return (l - first == 32 ? ~0u : (1u << (l - first)) - 1) << first;
}

/* A list, row by row. */
static uint32_t touch_list(const mt_Touch *t, const Quick *q, bool write) {
  uint32_t done = 0;
  for (uint32_t left = t->mask; left;) {
    unsigned first = (unsigned)__builtin_ctz(left);
    mt_Touch row = *t;
    row.mask = row_at(t, first, &row.step);
    if (__builtin_popcount(row.mask) < 4) row.mask = 1u << first, row.step = 0;
    row.at = NULL;
    row.first = t->at[first] - row.step * (int64_t)first;
    done |= touch_row(&row, q, write);
    left &= ~row.mask;
  }
  return done;
}

uint32_t mt_quick(mt_Check *c, const mt_Touch *t, const char *base,
                  mt_Region *r, size_t size) {
  if (t->s->size > size || size == SIZE_MAX || !t->mask) return 0;
  size_t room = size - t->s->size;
  bool all = t->at ? list_is_good(t, base, room) : row_is_good(t, base, room);
  bool plain = is_plain(c, r), write = t->s->kind == MT_SITE_WRITE;
  Quick q;
  if (plain && all) return t->mask;
  if (all && r == &c->group_memory && !t->at && mt_tile_read(c, t))
    return t->mask;
  if (!plain && !prepare(c, t, r, &q)) return 0;
  if (all) return t->at ? touch_list(t, &q, write) : touch_row(t, &q, write);
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

void mt_quick_note(mt_Check *c, mt_Region *r, const mt_Touch *t) {
  Quick q;
  if (t->mask && prepare(c, t, r, &q) && touch_dense(t, &q, false)) return;
  for (uint32_t left = t->mask; left; left &= left - 1)
    mt_shadow_note(c, r, t, (unsigned)__builtin_ctz(left));
}
