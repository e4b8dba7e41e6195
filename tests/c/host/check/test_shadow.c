/*
** test_shadow.c - random accesses of random threadgroups, through the helpers
** of a checked launch and one lane after the other beside it: the same shadow
** cells, findings, values and lanes that are let through; and beside a plain
** list of all accesses, which says which of them are races.
**
** The fast path (fast_path.c, fast_path_rows.c, threadgroup_reads.c) may take
** any access or none; what it takes, race.c would have recorded in the same
** way.
**
** Guards: devices/host/check/{fast_path, fast_path_rows, race, bounds,
** threadgroup_reads, shadow_pages}.c: accesses at random, all at once and lane
** by lane, beside a plain list of what happened; devices/host/check/check.h
*/
#include "devices/host/check/check.h"
#include "tests/c/check_case.h"

#define OUT_BYTES 2048
#define GROUP 128 /* threads */
#define SGS 4
#define GROUPS 6
#define STEPS 60 /* calls in a group */
#define MOST_READS 800 /* of a cell, without a write */

static uint32_t drawn, seed;
static uint32_t draw(uint32_t below) {
  drawn = drawn * 1664525u + 1013904223u;
  return (drawn >> 8) % below;
}

/* ---------------------------------------------------------- the two checks */

/* The same launch twice: through the helpers, and lane by lane. */
static CheckCase fast, slow;
static uint32_t first_site, site_count, barrier[4];
static bool is_plain; /* neither atomics nor threadgroup memory */
static bool is_mixed; /* atomics and others */

/* What a round tries: which sizes, memory and kinds of access. */
typedef struct Round {
  uint32_t sizes[5]; /* 0: no more */
  int root;
  bool atomics, blank, part;
  bool calm; /* one group, with a barrier after every call: no races */
} Round;

static const Round rounds[] = {
    {.sizes = {4, 8, 16, 12}, .root = OUT},
    {.sizes = {4, 8, 16, 32}, .root = OUT, .blank = true},
    {.sizes = {1, 2, 4, 8}, .root = OUT},
    {.sizes = {2, 4, 6, 8}, .root = OUT, .blank = true},
    {.sizes = {4, 8, 16, 12}, .root = OUT, .blank = true, .calm = true},
    {.sizes = {1, 2, 4}, .root = OUT, .blank = true, .calm = true},
    {.sizes = {4, 8, 16}, .root = OUT, .atomics = true},
    {.sizes = {4, 8}, .root = OUT, .atomics = true, .blank = true},
    {.sizes = {4, 8, 16}, .root = OUT, .part = true},
    {.sizes = {1, 4}, .root = OUT, .atomics = true, .part = true},
    {.sizes = {4, 8, 16}, .root = SHARED},
    {.sizes = {4, 16}, .root = SHARED, .atomics = true},
    {.sizes = {1, 2, 4}, .root = SHARED},
};

static void add_sites(CheckCase *k, const Round *r) {
  first_site = (uint32_t)k->sites.count;
  for (int i = 0; i < 5 && r->sizes[i]; i++)
    for (int kind = 0; kind <= (r->atomics ? MT_SITE_ATOMIC : MT_SITE_WRITE);
         kind++)
      for (int constant = 0; constant < (kind == MT_SITE_WRITE ? 2 : 1);
           constant++) {
        bool atomic = kind > MT_SITE_WRITE;
        if (atomic && r->sizes[i] != 4) continue;
        mt_Site s = {.kind = (mt_SiteKind)kind, .root = r->root,
                     .size = r->sizes[i], .parts = 1, .constant = constant,
                     .part_size = r->sizes[i]};
        if (atomic || kind == MT_SITE_READ) s.parts = 0;
        add_site(k, s);
        s.after = true;
        if (kind > MT_SITE_ATOMIC_READ) add_site(k, s);
      }
  add_access(k, MT_SITE_WRITE, r->root, 4); /* of matrices: without values */
  site_count = (uint32_t)k->sites.count - first_site;
  for (uint32_t i = 0; i < 4; i++)
    barrier[i] = add_site(k, (mt_Site){.kind = MT_SITE_BARRIER, .width = i});
}

static void begin(CheckCase *k, const Round *r) {
  static const bool nothing[3];
  begin_check(k, OUT_BYTES, 256);
  add_sites(k, r);
  if (r->blank) k->options.written = nothing;
  map_check(k);
  for (size_t i = 0; r->part && i < k->c->regions; i++) {
    mt_Region *of = &k->c->region[i];
    k->c->parts = 2;
    of->low = of->cells / 4 / 8 * 8, of->high = of->cells / 2 / 8 * 8;
  }
}

/* --------------------------------------------------------------- the calls */

typedef struct Call {
  uint32_t site, sg, mask;
  bool list, one, spread, matrix, turned;
  int64_t at[MT_LANES], step; /* in bytes from the memory's start */
  unsigned char values[16 * MT_LANES * 2];
} Call;

static uint32_t draw_mask(void) {
  uint32_t n = 1 + draw(32), most = n == 32 ? ~0u : (1u << n) - 1;
  switch (draw(5)) {
    case 0: return most << draw(33 - n) | 1u << draw(32);
    case 1: return draw(1u << 24) << 8 | draw(256);
    case 2: return 1u << draw(32);
    default: return ~0u;
  }
}

/* Rows of each direction and distance, at any place, sometimes past the end. */
static void draw_row(Call *t, uint32_t size, size_t bytes) {
  static const int64_t far[] = {1, 1, 1, -1, 2, -2, 3, 4, 0, 8};
  t->step = far[draw(10)] * size;
  if (t->one) t->step = 0;
  int64_t span = t->step * 31, least = span < 0 ? -span : 0;
  int64_t room = (int64_t)bytes - size - (span < 0 ? -span : span);
  int64_t from = room > 0 ? draw((uint32_t)room) : 0;
  /* No two lanes are in one cell. What is misaligned is not carried out, and
  ** does not count as a write of threadgroup memory (threadgroup_reads.c). */
  if (draw(4) || bytes == SHARED_BYTES || (span < 0 ? -span : span) < 62 * size)
    from = from / size * size;
  if (draw(12) == 0) from += room > 0 ? room - from + (int64_t)size : 0;
  if (draw(12) == 0) from = -(int64_t)size * (1 + draw(3));
  for (int l = 0; l < MT_LANES; l++) t->at[l] = least + from + l * t->step;
}

/* A list: runs of lanes beside each other, or each lane at a place of its own;
** no two lanes at one place. */
static void draw_list(Call *t, uint32_t size, size_t bytes) {
  uint32_t places = (uint32_t)bytes / size, shift = draw(places);
  uint32_t step = 1 + 2 * draw(8);
  while (places % step == 0 && step > 1) step--;
  bool runs = draw(2);
  for (uint32_t l = 0; l < MT_LANES; l++) {
    uint32_t n = runs ? l % 8 + l / 8 * 19 : l * step;
    t->at[l] = (int64_t)((n + shift) % places) * size;
    if (!runs && draw(40) == 0) t->at[l] = -(int64_t)size * (1 + l);
  }
}

/* Where lane 'lane' has an element of a matrix, in elements: of one half of its
** rows (matrix_access.c). */
static int64_t element(unsigned lane, unsigned half, int64_t stride,
                       bool turned) {
  static const int64_t row_of[4] = {2, 3, 0, 1};
  int64_t row = row_of[lane / 8] + 4 * half, column = lane % 8;
  return turned ? column * stride + row : row * stride + column;
}

/* The matrix begins 'from' bytes after the memory's start. */
static void draw_matrix(Call *t, uint32_t size, size_t bytes) {
  t->step = 8 + draw(3);
  t->turned = draw(2);
  t->values[0] = 0;
  int64_t span = (7 * t->step + 8) * size;
  t->at[0] = draw((uint32_t)(bytes - (size_t)span + 1) / size + 1) * size;
  if (draw(4) == 0) t->at[0] = (int64_t)bytes - span + (draw(2) ? size : 0);
  if (draw(12) == 0) t->at[0] = -(int64_t)size;
  t->mask = draw(4) ? ~0u : 1u << draw(32);
}

static bool is_write(const mt_Site *s) {
  return s->kind == MT_SITE_WRITE || s->kind >= MT_SITE_ATOMIC_WRITE;
}

static void draw_call(Call *t, const Round *r) {
  memset(t, 0, sizeof *t);
  do t->site = first_site + draw(site_count);
  while (fast.site[t->site].after);
  const mt_Site *s = &fast.site[t->site];
  size_t bytes = r->root == OUT ? OUT_BYTES : SHARED_BYTES;
  t->sg = draw(SGS);
  t->mask = draw_mask();
  t->one = draw(8) == 0, t->list = !t->one && draw(3) == 0;
  t->spread = t->list && draw(2);
  t->matrix = s->kind <= MT_SITE_WRITE && !s->parts && s->size == 4 &&
              (s->kind == MT_SITE_WRITE || draw(6) == 0);
  if (t->matrix) {
    t->list = t->one = t->spread = false;
    draw_matrix(t, s->size, bytes);
    return;
  }
  if (t->list && bytes / s->size >= 160) draw_list(t, s->size, bytes);
  else t->list = t->spread = false, draw_row(t, s->size, bytes);
  if (s->kind > MT_SITE_WRITE)
    for (int l = 0; l < MT_LANES; l++) t->at[l] &= ~3ll;
  if (t->step == 0 && !t->list && is_write(s)) /* test_one_place has more */
    t->mask &= -t->mask;
  memset(t->values, (int)draw(2), sizeof t->values);
  if (draw(4) == 0)
    for (size_t i = 0; i < sizeof t->values; i++)
      t->values[i] = (unsigned char)draw(3);
}

static const void *value_of(const Call *t, const mt_Site *s, unsigned lane) {
  return t->values + lane * s->part_size;
}

static void store(CheckCase *k, const Call *t, unsigned lane) {
  const mt_Site *s = &k->site[t->site];
  if (is_write(s) && s->parts)
    memcpy(start_of(k, s->root) + t->at[lane], value_of(t, s, lane), s->size);
}

/* -------------------------------------------------------- a list of it all */

typedef struct Access {
  uint64_t group, epoch;
  uint32_t thread;
} Access;

typedef struct Cell {
  bool written;
  Access write, read[MOST_READS];
  uint32_t writer; /* the site */
  unsigned char value[4];
  size_t reads;
} Cell;

static Cell cells[OUT_BYTES];
static uint64_t races, unset; /* that there have to be */

static bool is_ordered(const Access *before, const Access *now,
                       uint64_t since) {
  if (before->group != now->group) return false;
  return before->epoch < since || before->thread == now->thread;
}

static void list_read(Cell *e, const Access *now, uint64_t since, bool blank) {
  if (!e->written) unset += blank;
  else races += !is_ordered(&e->write, now, since);
  assert_true(e->reads < MOST_READS);
  e->read[e->reads++] = *now;
}

static void list_write(Cell *e, const Access *now, uint64_t since, bool same) {
  bool told = false, open = false;
  if (e->written && !is_ordered(&e->write, now, since)) told = !same;
  for (size_t i = 0; i < e->reads; i++)
    open |= !is_ordered(&e->read[i], now, since);
  races += told || open;
  e->written = true, e->write = *now, e->reads = 0;
}

/* A write of the value that is there; in one call that of the other lane. */
static bool is_same(const Call *t, unsigned lane, const Cell *e) {
  const mt_Site *s = &slow.site[t->site];
  if (s->constant && e->writer == t->site) return true;
  if (!s->parts) return false;
  const void *there = start_of(&slow, s->root) + t->at[lane];
  uint32_t other = e->write.thread;
  if (t->step == 0 && !t->list && other / 32 == t->sg && other % 32 < lane &&
      (t->mask >> other % 32 & 1))
    there = value_of(t, s, other % 32);
  return memcmp(value_of(t, s, lane), there, s->size) == 0;
}

static void list_lane(const Call *t, unsigned lane, bool blank) {
  const mt_Site *s = &slow.site[t->site];
  mt_Check *c = slow.c;
  unsigned shift = c->region[0].shift;
  Access now = {c->number, c->now, t->sg * 32 + lane};
  size_t last = ((size_t)t->at[lane] + s->size - 1) >> shift;
  for (size_t i = (size_t)t->at[lane] >> shift; i <= last; i++) {
    Cell *e = &cells[i];
    if (mt_is_elsewhere(&c->region[0], i)) continue;
    if (s->kind == MT_SITE_READ)
      list_read(e, &now, c->since[MT_ORDER_DEVICE], blank);
    else {
      bool same = e->written && is_same(t, lane, e);
      list_write(e, &now, c->since[MT_ORDER_DEVICE], same);
      e->writer = t->site;
    }
  }
}

/* ---------------------------------------------------------------- one call */

static char *address(CheckCase *k, const Call *t, unsigned lane) {
  return start_of(k, k->site[t->site].root) + t->at[lane];
}

/* Lane by lane; gives those that may go on. */
static uint32_t go_slowly(const Call *t, bool blank) {
  mt_Site *s = &slow.site[t->site];
  char *base = start_of(&slow, s->root);
  char *at[MT_LANES];
  uint32_t good = 0;
  for (unsigned l = 0; l < MT_LANES; l++) at[l] = address(&slow, t, l);
  mt_Touch touch = {.s = s, .site = t->site, .sg = t->sg, .mask = t->mask,
                    .at = at, .values = (const char *)t->values,
                    .stride = MT_LANES};
  for (unsigned l = 0; l < MT_LANES; l++) {
    if (!(t->mask >> l & 1)) continue;
    mt_Region *r =
        mt_check_where(slow.c, s, t->sg * 32 + l, base, at[l]);
    if (!r) continue;
    bool straight = (uintptr_t)at[l] % s->align == 0;
    if (!straight) { /* as check_lane says it */
      mt_Finding f = {.kind = MT_FIND_MISALIGNED, .place = s->place,
                      .how = s->kind == MT_SITE_READ ? MT_HOW_READ
                                                     : MT_HOW_WRITE};
      mt_check_name(slow.c, s, r, base, at[l], &f);
      f.bytes = s->align;
      mt_finding_add(slow.c, &f, t->sg * 32 + l, NULL);
    }
    if (is_plain) list_lane(t, l, blank);
    mt_shadow_touch(slow.c, r, &touch, l, base);
    if (straight) good |= 1u << l;
  }
  for (unsigned l = 0; l < MT_LANES; l++)
    if (good >> l & 1) store(&slow, t, l);
  if (is_write(s) && s->root == SHARED) mt_tile_wrote(slow.c, &touch, good);
  return good;
}

/* What the lanes in 'mask' read at 'from' + lane * step, or in the stage. */
static void compare_values(const Call *t, uint32_t good, const char *from) {
  static const char zeros[32];
  const mt_Site *s = &fast.site[t->site];
  for (unsigned l = 0; s->kind == MT_SITE_READ && l < MT_LANES; l++) {
    if (!(t->mask >> l & 1)) continue;
    const char *want = good >> l & 1 ? address(&fast, t, l) : zeros;
    assert_memory_equal(from + (int64_t)l * t->step, want, s->size);
  }
}

static uint32_t by_list(const Call *t, char *base) {
  char *at[MT_LANES], *was[MT_LANES];
  uint32_t good = 0;
  for (unsigned l = 0; l < MT_LANES; l++) was[l] = at[l] = address(&fast, t, l);
  mt_check_lanes(fast.c, t->sg, t->mask, t->site, base, at, t->values);
  for (unsigned l = 0; l < MT_LANES; l++) {
    bool stays = at[l] == was[l];
    if (stays && t->mask >> l & 1) good |= 1u << l, store(&fast, t, l);
    if (!stays) /* reads find zeros, writes are lost */
      assert_ptr_equal(at[l], is_write(&fast.site[t->site]) ? fast.c->sink
                                                            : fast.c->zeros);
    assert_true(stays || t->mask >> l & 1);
  }
  return good;
}

static uint32_t by_spread(const Call *t, char *base, uint32_t want) {
  int32_t plan[MT_LANES + 2 + 3 * 4] = {0};
  char *at[MT_LANES];
  uint32_t size = fast.site[t->site].size;
  for (int l = 0; l < MT_LANES; l++) {
    at[l] = address(&fast, t, (unsigned)l);
    plan[l] = (int32_t)(l * size);
  }
  if (t->at[1] - t->at[0] == size) { /* four runs of eight lanes, perhaps */
    bool runs = true;
    for (int l = 0; l < MT_LANES; l++)
      runs &= t->at[l] - t->at[l / 8 * 8] == l % 8 * (int64_t)size;
    plan[MT_LANES] = runs ? 4 : 0;
    for (int i = 0; i < 4; i++) {
      int32_t *run = plan + MT_LANES + 1 + 3 * i;
      run[0] = 8 * i, run[1] = 8, run[2] = (int32_t)size;
    }
  }
  const char *stage = mt_check_spread(fast.c, t->sg, t->mask, t->site, base, at,
                                      t->values, plan);
  if (stage) assert_ptr_equal(stage, fast.c->stage);
  for (unsigned l = 0; !stage && l < MT_LANES; l++)
    if (t->mask >> l & 1) store(&fast, t, l);
  if (!stage) return t->mask;
  Call staged = *t;
  staged.step = size;
  compare_values(&staged, want, stage);
  return want; /* memory says whether writes were done */
}

/* A read of threadgroup memory in one run, or in four; false: not this way. */
static bool by_tile(const Call *t) {
  int32_t plan[1 + 4 * 4] = {draw(2) ? 4 : 1};
  int32_t rows = plan[0], lanes = 32 / rows;
  const mt_Site *s = &fast.site[t->site];
  for (int32_t i = 0; i < rows; i++) {
    int32_t *row = plan + 1 + 4 * i;
    row[0] = lanes * i, row[1] = lanes, row[2] = (int32_t)t->step;
    row[3] = (int32_t)(lanes * i * t->step);
  }
  for (int l = 0; l < MT_LANES; l++) /* the caller knows the bounds */
    if (t->at[l] < 0 || t->at[l] + s->size > SHARED_BYTES) return false;
  return s->root == SHARED && s->kind == MT_SITE_READ &&
         mt_check_tile(fast.c, t->sg, t->mask, t->site, t->at[0], plan);
}

static uint32_t by_row(const Call *t, char *base, uint32_t want) {
  char *first = address(&fast, t, 0);
  if (draw(2) && by_tile(t)) return t->mask;
  char *to = mt_check_row(fast.c, t->sg, t->mask, t->site, base, first, t->step,
                          t->values);
  if (to != first) {
    compare_values(t, want, to);
    return want;
  }
  for (unsigned l = 0; l < MT_LANES; l++)
    if (t->mask >> l & 1) store(&fast, t, l);
  return t->mask;
}

static uint32_t by_one(const Call *t, char *base, uint32_t want) {
  char *p = address(&fast, t, 0);
  const void *to = mt_check_one(fast.c, t->sg, t->mask, t->site, base, p,
                                t->values, MT_LANES);
  if (to != p) {
    assert_ptr_equal(to, is_write(&fast.site[t->site]) ? fast.c->sink
                                                       : fast.c->zeros);
    return want & ~t->mask;
  }
  for (unsigned l = 0; l < MT_LANES; l++)
    if (t->mask >> l & 1) store(&fast, t, l);
  return t->mask;
}

/* Half by half in 'k': the lanes whose element is there. */
static uint32_t slow_matrix(const Call *t, bool blank) {
  uint32_t good = t->mask;
  for (unsigned half = 0; half < 2; half++) {
    Call part = *t;
    part.list = true;
    for (unsigned l = 0; l < MT_LANES; l++)
      part.at[l] = t->at[0] + 4 * element(l, half, t->step, t->turned);
    good &= go_slowly(&part, blank);
  }
  return good;
}

/* It is let through as a whole, or not at all: a lane alone knows, too, whether
** the others' elements are there. */
static void try_matrix(const Call *t, bool blank) {
  const mt_Site *s = &fast.site[t->site];
  char *base = start_of(&fast, s->root), *p = base + t->at[0];
  size_t bytes = s->root == OUT ? OUT_BYTES : SHARED_BYTES;
  bool there = t->at[0] >= 0 &&
               (size_t)t->at[0] + (size_t)(7 * t->step + 8) * 4 <= bytes;
  uint32_t good = slow_matrix(t, blank);
  const char *to = mt_check_matrix(fast.c, t->sg, t->mask, t->site, base, p,
                                   t->step, t->turned);
  assert_int_equal(good == t->mask, t->mask == ~0u ? there : good != 0);
  assert_ptr_equal(to, there ? p : fast.c->matrix);
  memcpy(base, start_of(&slow, s->root), bytes);
}

static uint32_t go_fast(const Call *t, uint32_t want) {
  char *base = start_of(&fast, fast.site[t->site].root);
  if (t->spread) return by_spread(t, base, want);
  if (t->list) return by_list(t, base);
  return t->one ? by_one(t, base, want) : by_row(t, base, want);
}

/* ---------------------------------------------------------- the same state */

/* The cell, whether its line is one word or open. */
static uint64_t peek(const mt_Region *r, const mt_Check *c,
                     const uint64_t *line, const uint64_t *cell, size_t i) {
  uint64_t word = line ? line[i >> MT_LINE] : MT_LINE_OPEN;
  if (word == MT_LINE_OPEN) return cell[i];
  if (!word) return 0;
  size_t each =
      c->sites->site[word >> 1 & MT_SITES_MAX].size >> r->shift;
  return word + (i & 7) / (each ? each : 1) * MT_CELL_NEXT;
}

/* Of reads that are ordered nothing is kept, or the last of them; of several
** any one. */
static uint64_t read_of(const mt_Region *r, const mt_Check *c, size_t i) {
  uint64_t cell = peek(r, c, r->line_reads, r->reads, i);
  bool tile = r->space == MT_SPACE_THREADGROUP;
  uint64_t when = cell >> MT_CELL_TIME;
  if (tile && when < c->since[MT_ORDER_GROUP]) return 0;
  if (tile && is_mixed) return when; /* of both, the plain one stays */
  if (cell & MT_CELL_SEVERAL) return when << MT_CELL_TIME | MT_CELL_SEVERAL;
  return tile ? cell >> MT_CELL_THREAD : cell; /* not which line of it */
}

static void compare_cells(const char *after) {
  bool tile = fast.site[first_site].root == SHARED;
  mt_Region *x = tile ? &fast.c->group_memory : &fast.c->region[0];
  mt_Region *y = tile ? &slow.c->group_memory : &slow.c->region[0];
  for (size_t i = 0; i < x->cells; i++) {
    uint64_t w = peek(x, fast.c, x->line_writes, x->writes, i);
    uint64_t v = peek(y, slow.c, y->line_writes, y->writes, i);
    uint64_t rd = read_of(x, fast.c, i), re = read_of(y, slow.c, i);
    if (w != v || rd != re)
      fail_msg("seed %u, %s: cell %zu is %llx and %llx, not %llx and %llx",
               seed, after, i, (unsigned long long)w, (unsigned long long)rd,
               (unsigned long long)v, (unsigned long long)re);
  }
}

static uint64_t total(const mt_CheckReport *r, mt_FindingKind kind) {
  return found(r, kind, 0);
}

static void compare_findings(void) {
  mt_CheckReport x, y;
  fast.options.limit = slow.options.limit = 1000;
  report_check(&fast, &x);
  report_check(&slow, &y);
  for (int kind = 0; kind < MT_FINDING_KINDS; kind++)
    assert_int_equal(total(&x, (mt_FindingKind)kind),
                     total(&y, (mt_FindingKind)kind));
  if (is_plain) {
    assert_int_equal(x.count, y.count);
    for (size_t i = 0; i < x.count; i++) {
      const mt_Finding *f = &x.findings[i], *g = &y.findings[i];
      assert_int_equal(f->place.line, g->place.line);
      assert_int_equal(f->other.line, g->other.line);
      assert_int_equal(f->apart, g->apart);
      assert_int_equal(f->count, g->count);
      assert_int_equal(f->flags, g->flags);
    }
    assert_int_equal(total(&y, MT_FIND_RACE), races);
    /* (beside a race on the same line it is not told) */
    if (!races) assert_int_equal(total(&y, MT_FIND_UNINITIALISED), unset);
  }
  mt_check_free(&x);
  mt_check_free(&y);
}

/* ------------------------------------------------------------------ rounds */

static void step(const Round *r) {
  Call t;
  draw_call(&t, r);
  if (r->calm || draw(8) == 0) {
    uint32_t b = barrier[r->calm ? 3 : draw(4)];
    all_wait(&fast, b, GROUP);
    all_wait(&slow, b, GROUP);
  }
  if (t.matrix) {
    try_matrix(&t, r->blank);
    if (r->root == OUT) compare_cells("a matrix");
    return;
  }
  uint32_t good = go_slowly(&t, r->blank);
  uint32_t done = go_fast(&t, good);
  if (!t.one) assert_int_equal(done, good);
  else assert_int_equal(done == t.mask, good == t.mask);
  if (t.one && good != t.mask) /* all lanes are at one place */
    memcpy(start_of(&fast, r->root), start_of(&slow, r->root),
           r->root == OUT ? OUT_BYTES : SHARED_BYTES);
  assert_memory_equal(start_of(&fast, r->root), start_of(&slow, r->root),
                      r->root == OUT ? OUT_BYTES : SHARED_BYTES);
  if (r->root == SHARED) {
    if (draw(3)) return;
    mt_tile_flush(fast.c);
  }
  compare_cells(t.list ? "a list" : t.one ? "one place" : "a row");
}

static void try_round(const Round *r) {
  drawn = seed;
  races = unset = 0;
  memset(cells, 0, sizeof cells);
  is_plain = r->root == OUT && !r->atomics, is_mixed = r->atomics;
  begin(&fast, r);
  begin(&slow, r);
  for (int g = 0; g < (r->calm ? 1 : GROUPS); g++) {
    start_group(&fast, GROUP);
    start_group(&slow, GROUP);
    for (int i = 0; i < STEPS; i++) step(r);
  }
  mt_tile_flush(fast.c);
  compare_findings();
  if (r->calm) assert_true(unset > 100);
  end_check(&fast);
  end_check(&slow);
}

static void test_at_random(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
    for (seed = 1; seed <= 8; seed++) try_round(&rounds[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_at_random),
  };
  return cmocka_run_group_tests(tests, open_check, close_check);
}
