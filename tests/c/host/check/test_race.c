/*
** test_race.c - races of a few accesses each, by hand: which values count as
** the same, which reads are kept beside an atomic access, how far apart the two
** threads are, atomic stores that initialise.
**
** Guards: devices/host/check/race.c: two and three accesses of one element,
** values of lanes of one call
*/
#include "devices/host/check/check.h"
#include "tests/c/check_case.h"

static CheckCase k;
static mt_CheckReport report;

static void begin(void) { begin_check(&k, 256, 64); }

static void map_and_start(void) {
  map_check(&k);
  start_group(&k, 128);
}

static uint64_t races(void) {
  report_check(&k, &report);
  return found(&report, MT_FIND_RACE, 0);
}

static void end(void) {
  mt_check_free(&report);
  end_check(&k);
}

/* Lanes 3 and 7 of SIMD-group 1 write one element in one call: memory still has
** what was there before. */
static void test_same_value(void **state) {
  (void)state;
  static const struct {
    float first, second, there;
    bool race;
  } rows[] = {{5, 5, 0, false}, {5, 6, 0, true}, {5, 6, 6, true},
              {0, 5, 5, true}, {5, 5, 5, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    begin();
    uint32_t s = add_site(&k, (mt_Site){.kind = MT_SITE_WRITE, .root = OUT,
                                        .parts = 1, .part_size = 4});
    map_and_start();
    float values[MT_LANES] = {0};
    char *at[MT_LANES], *base = start_of(&k, OUT);
    for (unsigned l = 0; l < MT_LANES; l++) at[l] = base + 4 * l;
    at[7] = at[3];
    values[3] = rows[i].first, values[7] = rows[i].second;
    memcpy(at[3], &rows[i].there, 4);
    mt_check_lanes(k.c, 1, 1u << 3 | 1u << 7, s, base, at, values);
    assert_int_equal(races(), rows[i].race);
    end();
  }
}

/* A read stays in the cell while others access it atomically in its epoch: each
** of them races with it. */
static void test_read_and_atomics(void **state) {
  (void)state;
  for (int barrier = 0; barrier < 3; barrier++) {
    begin();
    uint32_t r = add_access(&k, MT_SITE_READ, OUT, 4);
    uint32_t a = add_access(&k, MT_SITE_ATOMIC, OUT, 4);
    uint32_t tile = add_site(&k, (mt_Site){.kind = MT_SITE_BARRIER,
                                           .width = 1 << MT_ORDER_GROUP});
    uint32_t device = add_site(&k, (mt_Site){.kind = MT_SITE_BARRIER,
                                             .width = 1 << MT_ORDER_DEVICE});
    map_and_start();
    if (barrier) all_wait(&k, tile, 128);
    touch_one(&k, r, 0, 8);
    if (barrier == 2) all_wait(&k, device, 128);
    touch_one(&k, a, 1, 8);
    touch_one(&k, a, 2, 8);
    assert_int_equal(races(), barrier == 2 ? 0 : 2);
    end();
  }
}

static void test_apart(void **state) {
  (void)state;
  static const struct {
    uint32_t first, second;
    bool next_group;
    mt_Apart apart;
  } rows[] = {{34, 35, false, MT_APART_LANES},
              {35, 34, false, MT_APART_LANES},
              {0, 31, false, MT_APART_LANES},
              {31, 32, false, MT_APART_SIMDGROUPS},
              {70, 34, false, MT_APART_SIMDGROUPS},
              {34, 35, true, MT_APART_GROUPS},
              {34, 34, true, MT_APART_GROUPS}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    begin();
    uint32_t w = add_access(&k, MT_SITE_WRITE, OUT, 4);
    uint32_t r = add_access(&k, MT_SITE_READ, OUT, 4);
    map_and_start();
    touch_one(&k, w, rows[i].first, 12);
    if (rows[i].next_group) start_group(&k, 128);
    touch_one(&k, r, rows[i].second, 12);
    assert_int_equal(races(), 1);
    assert_int_equal(report.findings[0].apart, rows[i].apart);
    end();
  }
}

/* An atomic store that initialises may come after the others' accesses, if
** nothing was there before the last barrier. */
static void test_set_too_late(void **state) {
  (void)state;
  for (int settled = 0; settled < 2; settled++)
    for (int kind = MT_SITE_ATOMIC_READ; kind <= MT_SITE_ATOMIC; kind++) {
      begin();
      uint32_t w = add_access(&k, MT_SITE_WRITE, SHARED, 4);
      uint32_t set = add_access(&k, MT_SITE_ATOMIC_WRITE, SHARED, 4);
      uint32_t a = add_access(&k, (mt_SiteKind)kind, SHARED, 4);
      uint32_t b = add_site(&k, (mt_Site){.kind = MT_SITE_BARRIER,
                                          .width = 1 << MT_ORDER_GROUP});
      map_and_start();
      if (settled) touch_one(&k, w, 5, 40);
      all_wait(&k, b, 128);
      touch_one(&k, set, 0, 40);
      touch_one(&k, a, 40, 40);
      bool late = !settled && kind != MT_SITE_ATOMIC_WRITE;
      assert_int_equal(races(), late);
      end();
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_value),
      cmocka_unit_test(test_read_and_atomics),
      cmocka_unit_test(test_apart),
      cmocka_unit_test(test_set_too_late),
  };
  return cmocka_run_group_tests(tests, open_check, close_check);
}
