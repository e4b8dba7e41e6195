/*
** test_fast_path.c - which accesses of a checked launch need no helper, reads
** of threadgroup memory that are put on a list, and the memory of the shadow.
**
** Guards: devices/host/check/{fast_path, fast_path_rows, threadgroup_reads,
** shadow_pages}.c: limits of sites, atomic accesses at a glance, lists of
** addresses, words that are clean, pages that are zero
*/
#include "devices/host/check/check.h"
#include "devices/host/check/shadow_cell.h"
#include "tests/c/check_case.h"

#define OUT_BYTES 256
#define IN_BYTES 64

static CheckCase k;
static mt_CheckReport report;

static void begin(void) { begin_check(&k, OUT_BYTES, IN_BYTES); }

static void map_and_start(void) {
  map_check(&k);
  start_group(&k, 128);
}

static void nothing(void) {
  report_check(&k, &report);
  assert_int_equal(report.count, 0);
}

static void end(void) {
  mt_check_free(&report);
  end_check(&k);
}

/* ---------------------------------------------------------- without helper */

static uint64_t limit_of(mt_SiteKind kind, int root, uint32_t size,
                         uint32_t align) {
  begin();
  uint32_t s = add_site(&k, (mt_Site){.kind = kind, .root = root, .size = size,
                                      .align = align});
  map_and_start();
  k.c->tables.start[s] = 1;
  mt_fast_path_limits(k.c);
  assert_int_equal(k.c->tables.start[s], 0);
  uint64_t n = k.c->tables.limit[s];
  nothing();
  end();
  return n;
}

static void test_limits(void **state) {
  (void)state;
  assert_int_equal(limit_of(MT_SITE_READ, OUT, 4, 4), 64);
  assert_int_equal(limit_of(MT_SITE_READ, OUT, 4, 1), 253);
  assert_int_equal(limit_of(MT_SITE_READ, OUT, 16, 4), 61);
  assert_int_equal(limit_of(MT_SITE_READ, OUT, 256, 4), 1);
  assert_int_equal(limit_of(MT_SITE_READ, OUT, 257, 1), 0);
  assert_int_equal(limit_of(MT_SITE_ATOMIC_READ, OUT, 4, 4), 64);
  assert_int_equal(limit_of(MT_SITE_WRITE, OUT, 4, 4), 0);
  assert_int_equal(limit_of(MT_SITE_ATOMIC, OUT, 4, 4), 0);
  assert_int_equal(limit_of(MT_SITE_WRITE, IN, 4, 4), 16); /* no shadow */
  assert_int_equal(limit_of(MT_SITE_READ, SHARED, 4, 4), SHARED_BYTES / 4);
  assert_int_equal(limit_of(MT_SITE_READ, TILE, 4, 4), TILE_BYTES / 4);
  assert_int_equal(limit_of(MT_SITE_WRITE, SHARED, 4, 4), 0);
  assert_int_equal(limit_of(MT_SITE_ATOMIC_READ, SHARED, 4, 4), 0);
  assert_int_equal(limit_of(MT_SITE_READ, OWN, 4, 4), 0);
  assert_int_equal(limit_of(MT_SITE_READ, MT_ROOT_UNKNOWN, 4, 4), 0);
  assert_int_equal(limit_of(MT_SITE_DIVIDE, OUT, 4, 4), 0);
}

static void test_limits_of_all(void **state) {
  (void)state;
  begin();
  for (uint32_t size = 4; size <= 32; size *= 2)
    add_access(&k, MT_SITE_READ, OUT, size);
  map_and_start();
  mt_fast_path_limits(k.c);
  for (uint32_t s = 1; s <= 4; s++)
    assert_int_equal(k.c->tables.limit[s], (OUT_BYTES - (2 << s)) / 4 + 1);
  nothing();
  end();
}

/* A part of a buffer that does not begin at a multiple of the alignment. */
static void test_limit_of_a_part(void **state) {
  (void)state;
  for (size_t offset = 0; offset < 16; offset += 4) {
    begin();
    uint32_t s = add_site(&k, (mt_Site){.root = OUT, .size = 4, .align = 8});
    k.args[OUT].offset = offset, k.args[OUT].size = 64;
    map_and_start();
    mt_fast_path_limits(k.c);
    assert_int_equal(k.c->tables.limit[s], offset % 8 ? 0 : 8);
    nothing();
    end();
  }
}

/* The memory that a pointer led to needs no helper any more, if it has no
** shadow. */
static void test_seen(void **state) {
  (void)state;
  for (int tracked = 0; tracked < 2; tracked++) {
    begin();
    if (tracked) add_access(&k, MT_SITE_WRITE, OUT, 4);
    uint32_t s = add_access(&k, MT_SITE_READ, MT_ROOT_UNKNOWN, 4);
    map_and_start();
    mt_fast_path_limits(k.c);
    char *p = start_of(&k, OUT) + 8;
    assert_ptr_equal(mt_check_one(k.c, 0, 1, s, NULL, p, p, 1), p);
    assert_int_equal(k.c->tables.limit[s], tracked ? 0 : 64);
    assert_int_equal(k.c->tables.start[s],
                     tracked ? 0 : (uintptr_t)start_of(&k, OUT));
    nothing();
    end();
  }
}

/* ----------------------------------------------------------------- atomics */

static uint32_t glance(uint32_t site, uint32_t sg) {
  mt_Region *r = &k.c->region[0];
  mt_Touch t = {.s = &k.site[site], .site = site, .sg = sg, .mask = ~0u,
                .first = r->start, .step = 4};
  return mt_fast_path(k.c, &t, r->start, r, r->size);
}

/* Atomic accesses of any SIMD-groups are correct at a glance, but not beside
** others. */
static void test_atomics(void **state) {
  (void)state;
  for (int kind = MT_SITE_ATOMIC_READ; kind <= MT_SITE_ATOMIC; kind++)
    for (int plain = 0; plain < 2; plain++) {
      begin();
      uint32_t w = add_access(&k, MT_SITE_WRITE, OUT, 4);
      uint32_t a = add_access(&k, (mt_SiteKind)kind, OUT, 4);
      uint32_t b = add_access(&k, MT_SITE_ATOMIC, OUT, 4);
      map_and_start();
      if (plain) assert_int_equal(glance(w, 0), ~0u);
      assert_int_equal(glance(a, 1), plain ? 0 : ~0u);
      assert_int_equal(glance(b, 2), plain ? 0 : ~0u);
      assert_int_equal(glance(a, 3), plain ? 0 : ~0u);
      nothing();
      end();
    }
}

/* ------------------------------------------------------------------- rows */

/* In either direction every lane of a row is done at once, alone or with
** others. */
static void test_rows(void **state) {
  (void)state;
  for (int64_t step = -8; step <= 8; step += 4) {
    if (step == 0) continue;
    begin();
    uint32_t w = add_access(&k, MT_SITE_WRITE, OUT, 4);
    map_and_start();
    mt_Region *r = &k.c->region[0];
    char *first = r->start + (step < 0 ? -31 * step : 0);
    for (unsigned n = 0; n <= MT_LANES; n++) {
      uint32_t mask = n < MT_LANES ? 1u << n : ~0u;
      mt_Touch t = {.s = &k.site[w], .site = w, .mask = mask, .first = first,
                    .step = step};
      assert_int_equal(mt_fast_path(k.c, &t, r->start, r, r->size), mask);
    }
    nothing();
    end();
  }
}

/* ------------------------------------------------------ lists of addresses */

static uint32_t drawn = 1;
static uint32_t draw(uint32_t below) {
  drawn = drawn * 1664525u + 1013904223u;
  return (drawn >> 8) % below;
}

#define SHADOW ((char *)0x10000)

/* Strided runs, single lanes, one in a thousand anywhere. */
static void draw_addresses(char **at) {
  int64_t step = 0;
  for (unsigned l = 0; l < MT_LANES; l++) {
    if (l == 0 || draw(5) == 0) {
      step = (int64_t)draw(5) * 4 - 8;
      at[l] = SHADOW + draw(300) - 20;
      if (draw(30) == 0) at[l] = (char *)((uintptr_t)drawn << 20);
    } else
      at[l] = at[l - 1] + step;
  }
}

static void test_addresses(void **state) {
  (void)state;
  char *at[MT_LANES];
  for (int round = 0; round < 3000; round++) {
    draw_addresses(at);
    uint32_t mask = draw(4) ? drawn ^ draw(1u << 20) << 12 : ~0u, meets = 0,
             strided = 0, size = 1u << draw(5), align = 1u << draw(4);
    size_t room = draw(300);
    bool good = true;
    for (unsigned l = 0; l < MT_LANES; l++) {
      uint64_t p = (uintptr_t)at[l], from = (uintptr_t)SHADOW;
      bool on = mask >> l & 1;
      if (on && (p < from || p - from > room || p % align)) good = false;
      if (on && p + size > from && p < from + room) meets |= 1u << l;
      if (l > 1 && at[l] - at[l - 1] == at[l - 1] - at[l - 2])
        strided |= 1u << l;
    }
    assert_int_equal(mt_addresses_in_bounds(at, mask, SHADOW, room, align),
                     good);
    assert_int_equal(mt_addresses_overlap(at, mask, SHADOW, room, size), meets);
    assert_int_equal(mt_addresses_strided(at) & ~3u, strided);
  }
  for (uintptr_t l = 0; l < MT_LANES; l++) at[l] = SHADOW;
  for (unsigned l = 0; l < MT_LANES; l++) { /* each lane by itself */
    at[l] = SHADOW + 12;
    for (unsigned i = 0; i < MT_LANES; i++) {
      bool in = mt_addresses_in_bounds(at, 1u << i, SHADOW, 11, 1);
      assert_int_equal(in, i != l);
      in = mt_addresses_overlap(at, 1u << i, SHADOW, 12, 4) != 0;
      assert_int_equal(in, i != l);
    }
    at[l] = SHADOW;
  }
}

/* ------------------------------------------------------- reads on the list */

static uint32_t row_of(uint32_t site, int64_t at, int64_t step, int32_t lanes,
                       int32_t first) {
  int32_t plan[] = {1, first, lanes, (int32_t)step, (int32_t)(first * step)};
  return mt_check_tile(k.c, 0, ~0u, site, at, plan);
}

static void set_clean(size_t from, size_t to) {
  memset(k.c->tables.clean, 0, sizeof k.c->tables.clean);
  for (size_t b = from; b < to; b += 4)
    k.c->tables.clean[b / 32] |= (uint8_t)(1 << b / 4 % 8);
}

/* All words from the first to the last lane have to be clean. */
static void test_tile_rows(void **state) {
  (void)state;
  begin();
  uint32_t s = add_access(&k, MT_SITE_READ, SHARED, 4);
  map_and_start();
  set_clean(32, 160);
  assert_int_equal(row_of(s, 32, 4, 32, 0), 1);
  assert_int_equal(row_of(s, 28, 4, 32, 0), 0);
  assert_int_equal(row_of(s, 36, 4, 32, 0), 0);
  assert_int_equal(row_of(s, 156, -4, 32, 0), 1);
  assert_int_equal(row_of(s, 160, -4, 32, 0), 0);
  assert_int_equal(row_of(s, 152, -4, 32, 0), 0);
  assert_int_equal(row_of(s, 16, 4, 8, 4), 1);  /* lanes 4 to 11 */
  assert_int_equal(row_of(s, 12, 4, 8, 4), 0);
  assert_int_equal(row_of(s, 40, 0, 32, 0), 1);
  assert_int_equal(row_of(s, -4, 4, 1, 0), 0);
  for (int64_t at = 157; at < 160; at++) /* a part of the next word */
    assert_int_equal(row_of(s, at, 0, 1, 0), 0);
  assert_int_equal(k.c->tables.listed, 4);
  const mt_TileRead *e = k.c->tables.list;
  assert_int_equal(e[0].at, 32);
  assert_int_equal(e[0].step, 4);
  assert_int_equal(e[0].mask, ~0u);
  assert_int_equal(e[0].site, s);
  assert_int_equal(e[2].at, 16);
  assert_int_equal(e[2].mask, 0xff0);
  set_clean(0, MT_TILE_BYTES);
  assert_int_equal(row_of(s, MT_TILE_BYTES - 128, 4, 32, 0), 1);
  assert_int_equal(row_of(s, MT_TILE_BYTES - 124, 4, 32, 0), 0);
  k.c->tables.listed = MT_TILE_READS - 1;
  assert_int_equal(row_of(s, 32, 4, 32, 0), 1);
  assert_int_equal(row_of(s, 32, 4, 32, 0), 0); /* it is full */
  assert_int_equal(k.c->tables.listed, MT_TILE_READS);
  k.c->tables.listed = 0;
  nothing();
  end();
}

/* Words become clean by a barrier that orders them, after their write. */
static bool is_clean(size_t word) {
  return k.c->tables.clean[word / 8] >> word % 8 & 1;
}

static void test_clean_words(void **state) {
  (void)state;
  for (uint32_t size = 4; size <= 16; size *= 4)
    for (int64_t first = 0; first < 512; first += 20) {
      if (first % size) continue;
      begin();
      uint32_t w = add_access(&k, MT_SITE_WRITE, SHARED, size);
      uint32_t b = add_site(&k, (mt_Site){.kind = MT_SITE_BARRIER, .width = 2});
      uint32_t d = add_site(&k, (mt_Site){.kind = MT_SITE_BARRIER, .width = 1});
      map_and_start();
      char *p = k.tile + first;
      mt_check_row(k.c, 0, ~0u, w, k.tile, p, size, NULL);
      all_wait(&k, d, 128);
      for (size_t i = 0; i < SHARED_BYTES / 4; i++) assert_false(is_clean(i));
      all_wait(&k, b, 128);
      size_t from = (size_t)first / 4, to = from + 32 * size / 4;
      for (size_t i = 0; i < SHARED_BYTES / 4; i++) {
        assert_int_equal(is_clean(i), i >= from && i < to);
        assert_int_equal(mt_tile_settled(k.c, i), i >= from && i < to);
      }
      mt_check_row(k.c, 0, 1, w, k.tile, p, size, NULL);
      for (size_t i = from; i < to; i++)
        assert_int_equal(is_clean(i), i >= from + size / 4);
      start_group(&k, 128);
      for (size_t i = 0; i < SHARED_BYTES / 4; i++) assert_false(is_clean(i));
      nothing();
      end();
    }
}

/* Of memory with cells of a byte, those words all of whose bytes were
** written. */
static void test_words_of_bytes(void **state) {
  (void)state;
  begin();
  uint32_t w = add_access(&k, MT_SITE_WRITE, SHARED, 4);
  uint32_t one = add_access(&k, MT_SITE_WRITE, SHARED, 1);
  uint32_t b = add_site(&k, (mt_Site){.kind = MT_SITE_BARRIER, .width = 2});
  map_and_start();
  mt_check_row(k.c, 0, 0xff, w, k.tile, k.tile + 8, 4, NULL);
  for (int64_t byte = 80; byte < 91; byte++) touch_one(&k, one, 3, byte);
  all_wait(&k, b, 128);
  for (size_t i = 0; i < 40; i++)
    assert_int_equal(is_clean(i), (i >= 2 && i < 10) || i == 20 || i == 21);
  nothing();
  end();
}

/* The memory's last words, whatever its size is. */
static void test_last_words(void **state) {
  (void)state;
  for (size_t less = 0; less < 160; less += 16) {
    begin();
    size_t bytes = TILE_BYTES - less;
    k.args[TILE].size = bytes;
    uint32_t w = add_access(&k, MT_SITE_WRITE, TILE, 4);
    uint32_t b = add_site(&k, (mt_Site){.kind = MT_SITE_BARRIER, .width = 2});
    map_and_start();
    char *tile = start_of(&k, TILE);
    mt_check_row(k.c, 0, ~0u, w, tile, tile + bytes - 128, 4, NULL);
    all_wait(&k, b, 128);
    size_t words = (SHARED_BYTES + bytes) / 4;
    for (size_t i = 0; i < words; i++) {
      assert_int_equal(is_clean(i), i + 32 >= words);
      assert_int_equal(mt_tile_settled(k.c, i), i + 32 >= words);
    }
    nothing();
    end();
  }
}

/* -------------------------------------------------------- shadow and words */

/* Pages that were touched are given back as such: the next check finds
** zeros. */
static void test_pages_are_zero(void **state) {
  (void)state;
  for (int kind = MT_SITE_WRITE; kind <= MT_SITE_ATOMIC; kind++)
    for (int way = 0; way < 3; way++) {
      begin();
      uint32_t s = add_access(&k, (mt_SiteKind)kind, OUT, 4);
      map_and_start();
      mt_Region *r = &k.c->region[0];
      for (size_t i = 0; i < r->cells; i++)
        assert_true(r->writes[i] == 0 && r->reads[i] == 0);
      for (size_t i = 0; i < r->cells / 8; i++)
        assert_true(r->line_writes[i] == 0 && r->line_reads[i] == 0);
      char *p = start_of(&k, OUT);
      if (way == 0) mt_check_one(k.c, 0, 1, s, p, p + 4, p, 1);
      if (way == 1) mt_check_row(k.c, 0, ~0u, s, p, p, 8, p);
      if (way == 2) mt_check_row(k.c, 0, ~0u, s, p, p, 4, p);
      end();
    }
}

static void test_pages(void **state) {
  (void)state;
  size_t bytes = 3 * 65536;
  char *p = mt_shadow_pages_new(bytes);
  memset(p, 1, bytes);
  mt_shadow_pages_clear(p, 65536 + 5, bytes);
  assert_int_equal(p[65536], 1);
  assert_int_equal(p[65536 + 4], 1);
  for (size_t i = 2 * 65536; i < bytes; i++) assert_int_equal(p[i], 0);
  mt_shadow_pages_clear(p, 65536, bytes);
  assert_int_equal(p[65535], 1);
  for (size_t i = 65536; i < bytes; i++) assert_int_equal(p[i], 0);
  mt_shadow_pages_clear(p, bytes, bytes);
  mt_shadow_pages_clear(NULL, 0, bytes);
  memset(p, 1, bytes);
  mt_shadow_pages_free(p, bytes); /* kept for the next one of its size */
  char *q = mt_shadow_pages_new(bytes);
  assert_ptr_equal(q, p);
  for (size_t i = 0; i < bytes; i++) assert_int_equal(q[i], 0);
  mt_shadow_pages_return(q, bytes, true);
  char *other = mt_shadow_pages_new(bytes + 1);
  assert_ptr_not_equal(other, p);
  assert_ptr_equal(mt_shadow_pages_new(bytes), p);
  mt_shadow_pages_free(other, bytes + 1);
  mt_shadow_pages_free(p, bytes);
  mt_shadow_pages_free(NULL, bytes);
  mt_shadow_pages_free(mt_shadow_pages_new(0), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_limits_of_all),
      cmocka_unit_test(test_limit_of_a_part),
      cmocka_unit_test(test_seen),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_addresses),
      cmocka_unit_test(test_tile_rows),
      cmocka_unit_test(test_clean_words),
      cmocka_unit_test(test_words_of_bytes),
      cmocka_unit_test(test_last_words),
      cmocka_unit_test(test_pages_are_zero),
      cmocka_unit_test(test_pages),
  };
  return cmocka_run_group_tests(tests, open_check, close_check);
}
