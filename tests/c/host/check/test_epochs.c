/*
** test_epochs.c - host/check/epochs.c beside a plain list of every group's
** epochs: which group ran when, and which of them executed a fence after that.
** Groups execute barriers and fences at random, or all the same number, so that
** many of them are one record.
**
** Guards: devices/host/check/epochs.c: which group ran when, and its fences,
** beside a plain list
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "devices/host/check/check.h"

#define MOST 60
#define ROUNDS 300

static uint32_t drawn = 1;
static uint32_t draw(uint32_t below) {
  drawn = drawn * 1664525u + 1013904223u;
  return (drawn >> 8) % below;
}

typedef struct Plain {
  uint64_t start[MOST + 1], fence[MOST]; /* 0: none */
} Plain;

/* As a checked launch does it: barriers.c. */
static void run_group(mt_Check *c, Plain *p, uint32_t barriers, bool fences) {
  c->now++;
  c->group_start = c->now;
  mt_epochs_group(c);
  p->start[c->number] = c->now;
  p->fence[c->number] = 0;
  for (uint32_t i = 0; i < barriers; i++)
    if (fences && draw(3) == 0) {
      mt_epochs_fence(c);
      p->fence[c->number] = c->now;
    } else
      c->now++;
}

static void compare(const mt_Check *c, const Plain *p, uint64_t groups) {
  for (uint64_t g = 0; g < groups; g++) {
    uint64_t end = g + 1 < groups ? p->start[g + 1] : c->now + 1;
    for (uint64_t when = p->start[g]; when < end; when++) {
      assert_int_equal(mt_epochs_group_of(c, when), g);
      assert_int_equal(mt_epochs_fenced(c, when), p->fence[g] > when);
    }
  }
}

static mt_Check checked(mt_Launch *l, uint32_t groups) {
  mt_Error err = {""};
  *l = (mt_Launch){.grid = {groups * 32 - draw(32), 1, 1},
                   .group = {32, 1, 1}};
  mt_Check c = {.launch = l, .now = draw(5)};
  assert_int_equal(mt_epochs_new(&c, &err), MT_OK);
  assert_int_equal(c.group_total, groups);
  return c;
}

static void test_at_random(void **state) {
  (void)state;
  static Plain p;
  for (int round = 0; round < ROUNDS; round++) {
    mt_Launch l;
    uint32_t groups = 1 + draw(MOST), same = draw(4);
    mt_Check c = checked(&l, groups);
    for (uint32_t g = 0; g < groups; g++) {
      if (draw(4) == 0) same = draw(5);
      run_group(&c, &p, same, round % 2);
      compare(&c, &p, g + 1);
    }
    mt_epochs_free(&c);
  }
}

/* Many groups of one length are one record, and a second run starts again. */
static void test_one_record(void **state) {
  (void)state;
  static Plain p;
  mt_Launch l;
  mt_Check c = checked(&l, MOST);
  for (int run = 0; run < 2; run++) {
    c.group_count = 0;
    for (int g = 0; g < MOST; g++) run_group(&c, &p, 3, false);
    assert_int_equal(c.run_count, 1);
    compare(&c, &p, MOST);
  }
  run_group(&c, &p, 3, false); /* the last group's end does not matter */
  assert_int_equal(c.run_count, 1);
  mt_epochs_free(&c);
}

static void test_fence_at_last(void **state) {
  (void)state;
  static Plain p;
  mt_Launch l;
  mt_Check c = checked(&l, 2);
  run_group(&c, &p, 2, false);
  assert_false(c.fenced);
  mt_epochs_fence(&c);
  assert_true(c.fenced);
  uint64_t fence = c.now;
  assert_true(mt_epochs_fenced(&c, fence - 1));
  assert_false(mt_epochs_fenced(&c, fence)); /* the access came after it */
  c.now++;
  assert_false(mt_epochs_fenced(&c, c.now));
  mt_epochs_free(&c);
}

static void test_too_many_groups(void **state) {
  (void)state;
  mt_Error err = {""};
  mt_Launch l = {.grid = {1u << 31, 4, 1}, .group = {1, 1, 1}};
  mt_Check c = {.launch = &l};
  assert_int_equal(mt_epochs_new(&c, &err), MT_BADARG);
  assert_non_null(strstr(err.text, "2^32 threadgroups"));
  l.grid = (mt_Size){UINT32_MAX, UINT32_MAX, UINT32_MAX};
  assert_int_equal(mt_epochs_new(&c, &err), MT_BADARG);
}

static size_t bytes_with(mt_SiteKind kind) {
  mt_Site two[2] = {{.kind = MT_SITE_FENCE}, {.kind = kind}};
  mt_SiteTable t = {.site = two, .count = 2}; /* the first is no site */
  mt_Check c = {.sites = &t, .group_total = 10};
  return mt_epochs_bytes(&c);
}

static void test_bytes(void **state) {
  (void)state;
  size_t barrier = bytes_with(MT_SITE_BARRIER);
  assert_int_equal(bytes_with(MT_SITE_READ), 0);
  /* half a run for each group */
  assert_true(barrier >= 10 * 4 && barrier <= 10 * 16);
  assert_int_equal(bytes_with(MT_SITE_SIMD_BARRIER), barrier);
  assert_int_equal(bytes_with(MT_SITE_FENCE), barrier + 10 * 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_at_random),
      cmocka_unit_test(test_one_record),
      cmocka_unit_test(test_fence_at_last),
      cmocka_unit_test(test_too_many_groups),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
