/*
** fast_path_rows.c - the fast path for strided lanes, the most common access.
**
** The one idea: SIMD over the shadow, eight cells at once, the cells of a line.
** If consecutive lanes access all eight, the line's word stands for them; else
** the cells are compared and written as a vector. If any of the eight fails the
** quick comparison, none is changed, and the slow path takes them.
*/
#include <string.h>

#include "devices/host/check/shadow_cell.h"

#define EIGHT (1 << MT_LINE)

/* Cloned for longer vectors where the dynamic linker can select a clone
** (ifunc). */
#if defined(__x86_64__) && defined(__GLIBC__) &&                              \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LONG_VECTORS                                                          \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LONG_VECTORS
#endif

/* Inlined into each clone, or it would be compiled for the default vectors. */
#define INSIDE static inline __attribute__((always_inline))

typedef uint64_t Vector __attribute__((vector_size(8 * EIGHT)));

/* -------------------------------------------------------------------- lines */

/* Happens before: ordered by a barrier, or the same threads in the same
** places. */
INSIDE bool line_is_past(const mt_FastPath *q, uint64_t word, uint64_t mine) {
  if (word - q->low < q->high - q->low) return true;
  return word >= q->high && ((word ^ mine) & (MT_THREAD_BITS | 1)) == 0 &&
         q->c->sites->site[word >> 1 & MT_SITES_MAX].size == q->size;
}

INSIDE bool line_write(const mt_FastPath *q, size_t line, uint64_t mine) {
  uint64_t *w = &q->r->line_writes[line], *rd = &q->r->line_reads[line];
  if ((*w && !line_is_past(q, *w, mine)) ||
      (*rd && !line_is_past(q, *rd, mine)))
    return false;
  *w = mine;
  if (*rd) *rd = 0;
  return true;
}

/* Other threads replace the readers of a line: keep those. */
INSIDE void line_reader_left(const mt_FastPath *q, size_t line, uint64_t before,
                             uint64_t mine) {
  static const Vector count = {0, 1, 2, 3, 4, 5, 6, 7};
  if (!((before ^ mine) & MT_THREAD_BITS)) return;
  mt_Readers *e = mt_readers_of(q->c, q->r, line);
  unsigned each = q->cells ? (unsigned)__builtin_ctzll(q->cells) : 0;
  Vector all = before + (count >> each) * MT_CELL_NEXT;
  e->line = q->r->reads + (line << MT_LINE);
  memcpy(e->cell, &all, sizeof all);
}

INSIDE bool line_read(const mt_FastPath *q, size_t line, uint64_t mine) {
  uint64_t w = q->r->line_writes[line], *rd = &q->r->line_reads[line];
  if (w ? !line_is_past(q, w, mine) : q->blank) return false;
  if (*rd == MT_LINE_OPEN) return false;
  if (*rd == 0 || line_is_past(q, *rd, mine))
    *rd = mine;
  else if (*rd >= q->high) {
    if (q->c->sites->site[*rd >> 1 & MT_SITES_MAX].size != q->size)
      return false;
    line_reader_left(q, line, *rd, mine);
    *rd = mine | MT_CELL_SEVERAL;
  }
  return true;
}

/* -------------------------------------------------------------- eight cells */

/* Eight cells, accessed by lanes whose cells begin at lane << each. */
typedef struct Eight {
  const uint64_t *w, *rd; /* the last write and read of each, to compare */
  uint64_t *to_w, *to_rd; /* where to record the access; NULL: nothing to
                          ** clear */
  uint64_t mine; /* new cell of the first lane */
  uint64_t next; /* MT_CELL_NEXT, or its negative for descending addresses */
  uint32_t on;   /* active lanes, bit 0 is the first cell's */
  unsigned each; /* log2 of the cells from lane to lane */
  uint32_t part; /* the cells, by bit, that lanes access if active */
} Eight;

/* Cells below this were never accessed: in threadgroup memory, by this
** group. */
INSIDE uint64_t nobody_below(const mt_FastPath *q) {
  return q->shared ? q->low : 1;
}

/* By cell: the new cell, and all ones where the lane is active. */
INSIDE void spread(const Eight *e, Vector *mine, Vector *on) {
  static const Vector count = {0, 1, 2, 3, 4, 5, 6, 7};
  Vector lane = count >> e->each;
  Vector bit = (e->on >> lane) & (e->part >> count) & 1;
  *mine = e->mine + lane * e->next;
  *on = -bit;
}

/* The cells of 'x' that are neither ordered, nor below 'nobody' (never
** accessed), nor the thread's own. */
INSIDE void not_past(const mt_FastPath *q, const Vector *x, uint64_t nobody,
                     const Vector *mine, Vector *out) {
  uint64_t own = MT_THREAD_BITS | 1;
  *out = (Vector)(*x - q->low >= q->high - q->low) & (Vector)(*x >= nobody) &
         ((Vector)(*x < q->high) | (Vector)(((*x ^ *mine) & own) != 0));
}

INSIDE bool is_any(const Vector *x) {
  uint64_t any = 0;
  for (unsigned k = 0; k < EIGHT; k++) any |= (*x)[k];
  return any != 0;
}

INSIDE void take(const uint64_t *cells, Vector *out) {
  memcpy(out, cells, sizeof *out);
}

INSIDE bool eight_write(const mt_FastPath *q, const Eight *e) {
  Vector w, rd, mine, on, bad, bad_read;
  take(e->w, &w), take(e->rd, &rd);
  spread(e, &mine, &on);
  not_past(q, &w, nobody_below(q), &mine, &bad);
  not_past(q, &rd, nobody_below(q), &mine, &bad_read);
  bad = (bad | bad_read) & on;
  if (is_any(&bad)) return false;
  *(Vector *)e->to_w = (mine & on) | (w & ~on);
  if (e->to_rd) *(Vector *)e->to_rd = rd & ~on;
  return true;
}

/* Other threads replace the readers 'left' of the cells: keep those. */
INSIDE void readers_left(const mt_FastPath *q, const uint64_t *cells,
                         const Vector *left) {
  Vector is, was;
  mt_Readers *e =
      mt_readers_of(q->c, q->r, (size_t)(cells - q->r->reads) >> MT_LINE);
  if (e->line != cells) *e = (mt_Readers){.line = cells};
  memcpy(&was, e->cell, sizeof was);
  memcpy(&is, cells, sizeof is);
  was = (is & *left) | (was & ~*left);
  memcpy(e->cell, &was, sizeof was);
}

/* A read that is ordered, or the first one, becomes this thread's; with an
** unordered read of this group it becomes one of several; a read of another
** group stays. */
INSIDE bool eight_read(const mt_FastPath *q, const Eight *e) {
  Vector w, rd, mine, on, bad;
  take(e->w, &w), take(e->rd, &rd);
  spread(e, &mine, &on);
  not_past(q, &w, q->blank ? 0 : 1, &mine, &bad);
  bad &= on;
  if (is_any(&bad)) return false;
  not_past(q, &rd, nobody_below(q), &mine, &bad);
  Vector fresh = (Vector)(rd >= q->high), own = on & (~bad | fresh);
  Vector left = on & bad & fresh &
                (Vector)(((rd ^ mine) & MT_THREAD_BITS) != 0);
  if (is_any(&left)) readers_left(q, e->to_rd, &left);
  *(Vector *)e->to_rd = ((mine | (bad & fresh & 1)) & own) | (rd & ~own);
  return true;
}

/* ------------------------------------------------------- memory with lines */

static const Vector untouched;

/* The cells of a line for reading: zeros if its word is 0. */
INSIDE uint64_t *look(const mt_FastPath *q, uint64_t *line, uint64_t *cells,
                      size_t n) {
  if (!line[n]) return (uint64_t *)&untouched;
  if (line[n] != MT_LINE_OPEN) mt_line_open(q->c, q->r, line, cells, n);
  return cells + (n << MT_LINE);
}

/* The same for writing. Untouched cells are not read first: that would fault
** their page in twice, for reading and for writing. */
INSIDE uint64_t *open_up(const mt_FastPath *q, uint64_t *line, uint64_t *cells,
                         size_t n) {
  if (line[n] != MT_LINE_OPEN) mt_line_open(q->c, q->r, line, cells, n);
  return cells + (n << MT_LINE);
}

INSIDE bool eight_of_line(const mt_FastPath *q, Eight *e, size_t n,
                          bool write) {
  mt_Region *r = q->r;
  r->touched = true;
  e->w = look(q, r->line_writes, r->writes, n);
  e->rd = look(q, r->line_reads, r->reads, n);
  if (write) {
    e->to_w = open_up(q, r->line_writes, r->writes, n);
    e->to_rd = r->line_reads[n] ? r->reads + (n << MT_LINE) : NULL;
    return eight_write(q, e);
  }
  e->to_rd = open_up(q, r->line_reads, r->reads, n);
  return eight_read(q, e);
}

/* ---------------------------------------------------------------- the whole */

INSIDE bool eight_of(const mt_FastPath *q, Eight *e, size_t n, bool all,
                     bool write) {
  mt_Region *r = q->r;
  if (r->line_writes) {
    if (all && (write ? line_write(q, n, e->mine) : line_read(q, n, e->mine)))
      return true;
    return eight_of_line(q, e, n, write);
  }
  r->touched = true;
  e->w = e->to_w = r->writes + (n << MT_LINE);
  e->rd = e->to_rd = r->reads + (n << MT_LINE);
  return write ? eight_write(q, e) : eight_read(q, e);
}

/* A strided access. */
typedef struct Row {
  uint32_t mask;
  int64_t cell;  /* of lane 0; it may lie before the memory if that lane is
                 ** inactive */
  unsigned each; /* log2 of the cells from lane to lane, at most a line */
  bool back;     /* descending: lanes, and 'mask', are reversed */
} Row;

/* The cells of a line, by bit, that lanes access whose accesses begin 'from'
** cells after a multiple of their distance. */
static uint32_t part_of(unsigned each, size_t from, size_t cells) {
  uint32_t one = ((1u << cells) - 1) << from, part = one;
  for (unsigned k = 1u << each; k < EIGHT; k += 1u << each) part |= one << k;
  return part;
}

LONG_VECTORS
static uint32_t touch_eights(const mt_FastPath *q, const Row *row, bool write) {
  int first = __builtin_ctz(row->mask), last = 31 - __builtin_clz(row->mask);
  unsigned each = row->each;
  int64_t apart = (int64_t)1 << each, from = row->cell & (apart - 1);
  int64_t cell = row->cell - from;
  int64_t at = (cell + first * apart) >> MT_LINE;
  int64_t end = (cell + last * apart) >> MT_LINE;
  uint32_t done = 0, few = (1u << (EIGHT >> each)) - 1;
  Eight e = {.next = row->back ? -MT_CELL_NEXT : MT_CELL_NEXT, .each = each,
             .part = part_of(each, (size_t)from, q->cells)};
  bool lines = !row->back && e.part == (1u << EIGHT) - 1;
  uint64_t mine = q->mine + (row->back ? (MT_LANES - 1) * MT_CELL_NEXT : 0);
  for (; at <= end; at++) {
    int lane = (int)(((at << MT_LINE) - cell) >> each); /* of the first cell */
    e.on = (lane < 0 ? row->mask << -lane : row->mask >> lane) & few;
    e.mine = mine + (uint64_t)(int64_t)lane * e.next;
    if (e.on && (mt_is_elsewhere(q->r, (size_t)at << MT_LINE) ||
                 eight_of(q, &e, (size_t)at, e.on == few && lines, write)))
      done |= lane < 0 ? e.on >> -lane : e.on << lane;
  }
  return done;
}

static uint32_t turned(uint32_t x) {
  x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
  x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
  x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
  return __builtin_bswap32(x);
}

uint32_t mt_fast_path_row(const mt_FastPath *q, const mt_Touch *t, bool write) {
  unsigned shift = q->r->shift;
  int64_t at = t->first - q->r->start, step = t->step < 0 ? -t->step : t->step;
  size_t apart = (size_t)step >> shift;
  if (t->at || !apart || apart > EIGHT || apart & (apart - 1) ||
      (at | step) & ((1 << shift) - 1))
    return 0;
  Row row = {.mask = t->mask, .cell = at >> shift, .back = t->step < 0,
             .each = (unsigned)__builtin_ctzll(apart)};
  if ((row.cell & (int64_t)(apart - 1)) + (int64_t)q->cells > (int64_t)apart)
    return 0;
  if (!row.back) return touch_eights(q, &row, write);
  row.mask = turned(t->mask);
  row.cell -= (MT_LANES - 1) * (int64_t)apart;
  return turned(touch_eights(q, &row, write));
}

/* -------------------------------------------------------------------- lists */

LONG_VECTORS
bool mt_addresses_in_bounds(char *const *at, uint32_t mask, const char *base,
                            size_t room, uint32_t align) {
  static const Vector count = {0, 1, 2, 3, 4, 5, 6, 7};
  Vector bad = {0};
  uint64_t below = align > 1 ? align - 1 : 0;
  for (unsigned l = 0; l < MT_LANES; l += EIGHT) {
    Vector p, on = -((mask >> l >> count) & 1);
    memcpy(&p, at + l, sizeof p);
    bad |= ((Vector)(p - (uintptr_t)base > room) | (p & below)) & on;
  }
  return !is_any(&bad);
}

LONG_VECTORS
uint32_t mt_addresses_overlap(char *const *at, uint32_t mask, const char *start,
                              size_t bytes, size_t size) {
  static const Vector bit = {1, 2, 4, 8, 16, 32, 64, 128};
  uint64_t from = (uintptr_t)start - (size - 1), room = bytes + size - 1;
  uint32_t meets = 0;
  for (unsigned l = 0; l < MT_LANES; l += EIGHT) {
    Vector p;
    uint64_t all = 0;
    memcpy(&p, at + l, sizeof p);
    p = (Vector)(p - from < room) & bit;
    for (unsigned k = 0; k < EIGHT; k++) all |= p[k];
    meets |= (uint32_t)all << l;
  }
  return meets & mask;
}

LONG_VECTORS
uint32_t mt_addresses_strided(char *const *at) {
  static const Vector bit = {1, 2, 4, 8, 16, 32, 64, 128};
  uint64_t x[2 + MT_LANES] = {0};
  uint32_t steady = 0;
  memcpy(x + 2, at, MT_LANES * sizeof *x);
  for (unsigned l = 0; l < MT_LANES; l += EIGHT) {
    Vector p[3]; /* two lanes before, one before, the lane itself */
    for (unsigned k = 0; k < 3; k++) memcpy(&p[k], x + l + k, sizeof p[k]);
    p[0] = (Vector)(p[2] - p[1] == p[1] - p[0]) & bit;
    uint64_t all = 0;
    for (unsigned k = 0; k < EIGHT; k++) all |= p[0][k];
    steady |= (uint32_t)all << l;
  }
  return steady;
}
