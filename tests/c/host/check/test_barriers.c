/*
** test_barriers.c - barriers and who misses them, conditions that fail, and
** lanes that ask each other: the helpers of a checked launch, called as
** generated code calls them.
**
** Guards: devices/host/check/barriers.c: each condition of a helper on both of
** its sides; devices/host/check/{race, epochs}.c: what a barrier orders
*/
#include "devices/host/check/check.h"
#include "tests/c/check_case.h"

#define OUT_BYTES 256
#define THREADS 128

static CheckCase k;
static mt_CheckReport report;

static void begin(void) { begin_check(&k, OUT_BYTES, 64); }

static void map_and_start(void) {
  map_check(&k);
  start_group(&k, THREADS);
}

/* The only finding. */
static const mt_Finding *only(mt_FindingKind kind) {
  report_check(&k, &report);
  assert_int_equal(report.count, 1);
  assert_int_equal(report.findings[0].kind, kind);
  return &report.findings[0];
}

static void nothing(void) {
  report_check(&k, &report);
  assert_int_equal(report.count, 0);
}

static void end(void) {
  mt_check_free(&report);
  end_check(&k);
}

/* ---------------------------------------------------------------- barriers */

static uint32_t add_barrier(mt_SiteKind kind, uint32_t flags) {
  return add_site(&k, (mt_Site){.kind = kind, .width = flags});
}

static void test_barrier_flags(void **state) {
  (void)state;
  for (uint32_t flags = 0; flags < 8; flags++) {
    begin();
    uint32_t b = add_barrier(MT_SITE_BARRIER, flags);
    map_and_start();
    uint64_t before = k.c->now;
    all_wait(&k, b, THREADS);
    assert_int_equal(k.c->now, before + 1);
    assert_int_equal(k.c->any_barrier, before + 1);
    assert_int_equal(k.c->group_start, before);
    for (unsigned i = 0; i < MT_ORDERS; i++)
      assert_int_equal(k.c->since[i], before + (flags >> i & 1));
    all_wait(&k, b, THREADS);
    assert_int_equal(k.c->now, before + 2);
    start_group(&k, THREADS);
    assert_int_equal(k.c->now, before + 3);
    for (unsigned i = 0; i < MT_ORDERS; i++)
      assert_int_equal(k.c->since[i], before + 3);
    nothing();
    end();
  }
}

/* The first thread that does not come is named, and how many do. */
static void test_missed(void **state) {
  (void)state;
  static const struct { uint32_t threads, sg, missing, first; } cases[] = {
      {128, 0, 1u << 0, 0},    {128, 0, 3u << 4, 4},    {128, 3, 1u << 31, 127},
      {128, 2, 0xffffffff, 64}, {40, 1, 1u << 7, 39},    {40, 0, 1u << 31, 31},
      {32, 0, 0x80, 7},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    begin();
    uint32_t b = add_barrier(MT_SITE_BARRIER, 1);
    map_check(&k);
    start_group(&k, cases[i].threads);
    uint32_t reached = 0;
    for (int turn = 0; turn < 2; turn++)
      for (uint32_t sg = 0; sg * 32 < cases[i].threads; sg++) {
        uint32_t left = cases[i].threads - sg * 32;
        uint32_t mask = left >= 32 ? ~0u : (1u << left) - 1;
        if (sg == cases[i].sg) mask &= ~cases[i].missing;
        if (!turn) reached += (uint32_t)__builtin_popcount(mask);
        (turn ? mt_check_go : mt_check_wait)(k.c, sg, mask, b);
      }
    const mt_Finding *f = only(MT_FIND_DIVERGENT_BARRIER);
    assert_int_equal(f->value, reached);
    assert_int_equal(f->expected, cases[i].threads);
    assert_int_equal(f->place.line, b);
    assert_int_equal(f->other.line, 0);
    assert_false(f->other_only);
    assert_string_equal(f->detail, "");
    assert_int_equal(f->count, 1);
    assert_int_equal(f->thread_count, 1);
    assert_int_equal(f->threads[0].local[0], cases[i].first);
    end();
  }
}

/* Two barriers in two branches; a barrier in a function that is called twice is
** one place in the source. */
static void wait_apart(bool same_line, uint32_t here) {
  begin();
  uint32_t a = add_barrier(MT_SITE_BARRIER, 1);
  uint32_t b = add_barrier(MT_SITE_BARRIER, 1);
  if (same_line) k.site[b].place = k.site[a].place;
  map_and_start();
  for (uint32_t sg = 0; sg < 4; sg++) {
    mt_check_wait(k.c, sg, here, a);
    mt_check_wait(k.c, sg, ~here, b);
  }
  for (uint32_t sg = 0; sg < 4; sg++) {
    mt_check_go(k.c, sg, here, a);
    mt_check_go(k.c, sg, ~here, b);
  }
}

static void test_two_barriers(void **state) {
  (void)state;
  wait_apart(false, 0xffff);
  const mt_Finding *f = only(MT_FIND_DIVERGENT_BARRIER);
  assert_int_equal(f->place.line, 1);
  assert_int_equal(f->other.line, 2);
  assert_int_equal(f->value, 64);
  assert_int_equal(f->expected, 128);
  assert_true(f->other_only);
  assert_int_equal(f->threads[0].local[0], 16); /* it waits at the other one */
  assert_string_equal(f->detail, "64 threads wait at another barrier");
  end();
  wait_apart(true, 0xff);
  f = only(MT_FIND_DIVERGENT_BARRIER);
  assert_int_equal(f->other.line, 0);
  assert_int_equal(f->value, 32);
  assert_string_equal(f->detail, "96 threads wait at another call of it");
  end();
}

/* A place is a line, a column and a file. */
static void test_other_places(void **state) {
  (void)state;
  for (int what = 0; what < 3; what++) {
    begin();
    uint32_t a = add_barrier(MT_SITE_BARRIER, 1);
    uint32_t b = add_barrier(MT_SITE_BARRIER, 1);
    k.site[b].place = k.site[a].place;
    if (what == 0) k.site[b].place.line++;
    if (what == 1) k.site[b].place.column++;
    if (what == 2) k.site[b].place.file = "other.h";
    map_and_start();
    mt_check_wait(k.c, 0, 1, a);
    mt_check_wait(k.c, 0, 2, b);
    mt_check_go(k.c, 0, 1, a);
    assert_non_null(strstr(only(MT_FIND_DIVERGENT_BARRIER)->detail,
                           "1 threads wait at another barrier"));
    end();
  }
}

static void test_no_thread_waits(void **state) {
  (void)state;
  begin();
  uint32_t b = add_barrier(MT_SITE_BARRIER, 1);
  map_and_start();
  uint64_t now = k.c->now;
  mt_check_wait(k.c, 0, 0, b);
  mt_check_go(k.c, 0, 0, b);
  assert_int_equal(k.c->came, 0);
  assert_int_equal(k.c->now, now);
  nothing();
  end();
}

static void test_simdgroup_barrier(void **state) {
  (void)state;
  static const struct { uint32_t threads, sg, came, first; } cases[] = {
      {128, 1, ~0u, 0}, {128, 1, 0x0000ffff, 48}, {128, 2, 0xfffffffe, 64},
      {40, 1, 0xff, 0}, {40, 1, 0x7f, 39},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t sg = cases[i].sg, came = cases[i].came;
    begin();
    uint32_t b = add_barrier(MT_SITE_SIMD_BARRIER, 5);
    map_check(&k);
    start_group(&k, cases[i].threads);
    uint64_t now = k.c->now;
    assert_false(k.c->simd_barriers);
    mt_check_wait(k.c, sg, came & 0xf, b);
    mt_check_wait(k.c, sg, came & ~0xfu, b);
    mt_check_go(k.c, sg, came, b);
    assert_int_equal(k.c->now, now + 1);
    assert_true(k.c->simd_barriers);
    assert_int_equal(k.c->simd_since[sg][MT_ORDER_DEVICE], now + 1);
    assert_int_equal(k.c->simd_since[sg][MT_ORDER_GROUP], 0);
    assert_int_equal(k.c->simd_since[sg][MT_ORDER_TEXTURE], now + 1);
    assert_int_equal(k.c->simd_since[0][MT_ORDER_DEVICE], 0);
    assert_int_equal(k.c->since[MT_ORDER_DEVICE], now);
    if (!cases[i].first) {
      nothing();
    } else {
      const mt_Finding *f = only(MT_FIND_DIVERGENT_BARRIER);
      assert_string_equal(f->detail, "of the SIMD-group");
      assert_int_equal(f->value, __builtin_popcount(came));
      assert_int_equal(f->expected, cases[i].threads == 40 ? 8 : 32);
      assert_int_equal(f->threads[0].local[0], cases[i].first);
    }
    end();
  }
}

/* The lanes go on one after the other: that is one phase. */
static void test_lanes_go_on_apart(void **state) {
  (void)state;
  begin();
  uint32_t b = add_barrier(MT_SITE_BARRIER, 3);
  uint32_t s = add_barrier(MT_SITE_SIMD_BARRIER, 3);
  map_check(&k);
  start_group(&k, 32);
  uint64_t now = k.c->now;
  for (int turn = 1; turn < 3; turn++) {
    for (uint32_t l = 0; l < 32; l++) mt_check_wait(k.c, 0, 1u << l, b);
    for (uint32_t l = 0; l < 32; l++) mt_check_go(k.c, 0, 1u << l, b);
    assert_int_equal(k.c->now, now + (unsigned)turn);
  }
  now = k.c->now;
  for (int turn = 1; turn < 3; turn++) {
    for (uint32_t l = 0; l < 32; l++) mt_check_wait(k.c, 0, 1u << l, s);
    for (uint32_t l = 0; l < 32; l++) mt_check_go(k.c, 0, 1u << l, s);
    assert_int_equal(k.c->now, now + (unsigned)turn);
  }
  nothing();
  end();
}

/* An access is ordered by the barrier of its memory, its group, its
** SIMD-group. */
static uint64_t races_after(mt_SiteKind kind, uint32_t flags, uint32_t first,
                            uint32_t second) {
  begin();
  uint32_t w = add_access(&k, MT_SITE_WRITE, OUT, 4);
  uint32_t r = add_access(&k, MT_SITE_READ, OUT, 4);
  uint32_t b = add_barrier(kind, flags);
  map_and_start();
  touch_one(&k, w, first, 8);
  if (kind == MT_SITE_BARRIER) {
    all_wait(&k, b, THREADS);
  } else if (kind == MT_SITE_SIMD_BARRIER) {
    mt_check_wait(k.c, first / 32, ~0u, b);
    mt_check_go(k.c, first / 32, ~0u, b);
  } else {
    mt_check_go(k.c, 0, ~0u, b);
    start_group(&k, THREADS);
    mt_check_go(k.c, 0, ~0u, b);
  }
  touch_one(&k, r, second, 8);
  report_check(&k, &report);
  uint64_t n = found(&report, MT_FIND_RACE, r);
  assert_int_equal(n, report.count);
  bool flagged = n && report.findings[0].flags;
  end();
  return n + (uint64_t)flagged;
}

static void test_what_orders(void **state) {
  (void)state;
  assert_int_equal(races_after(MT_SITE_BARRIER, 1, 3, 70), 0);
  assert_int_equal(races_after(MT_SITE_BARRIER, 2, 3, 70), 2); /* its flags */
  assert_int_equal(races_after(MT_SITE_BARRIER, 4, 3, 70), 2);
  assert_int_equal(races_after(MT_SITE_BARRIER, 2, 3, 3), 0);
  assert_int_equal(races_after(MT_SITE_SIMD_BARRIER, 1, 33, 34), 0);
  assert_int_equal(races_after(MT_SITE_SIMD_BARRIER, 1, 33, 65), 1);
  assert_int_equal(races_after(MT_SITE_SIMD_BARRIER, 2, 33, 34), 1);
  assert_int_equal(races_after(MT_SITE_FENCE, 1, 33, 33), 0);
}

/* ------------------------------------------------------- failed conditions */

static const mt_Finding *failed(mt_Site s, uint64_t value,
                                mt_FindingKind kind) {
  uint64_t values[MT_LANES] = {0};
  begin();
  uint32_t site = add_site(&k, s);
  map_and_start();
  values[5] = value;
  mt_check_if(k.c, 1, 0, site, values);
  mt_check_thread_if(k.c, 1, 0, site, &value);
  mt_check_if(k.c, 1, 1u << 5, site, values);
  mt_check_thread_if(k.c, 1, 1u << 5, site, &value);
  const mt_Finding *f = only(kind);
  assert_int_equal(f->count, 2);
  assert_int_equal(f->threads[0].local[0], 37);
  assert_int_equal(f->threads[1].local[0], 37);
  return f;
}

static void test_arithmetic(void **state) {
  (void)state;
  const mt_Finding *f =
      failed((mt_Site){.kind = MT_SITE_DIVIDE, .width = 32}, 1,
             MT_FIND_DIVISION_BY_ZERO);
  assert_string_equal(f->detail, "");
  assert_int_equal(f->value, 0);
  end();
  f = failed((mt_Site){.kind = MT_SITE_DIVIDE, .width = 64}, 0,
             MT_FIND_DIVISION_BY_ZERO);
  assert_string_equal(f->detail, "the least number of 64 bits divided by -1");
  end();
  f = failed((mt_Site){.kind = MT_SITE_SHIFT, .width = 32}, 33, MT_FIND_SHIFT);
  assert_int_equal(f->value, 33);
  assert_int_equal(f->expected, 32);
  end();
  f = failed((mt_Site){.kind = MT_SITE_ASSERT, .name = "i < n"}, 1,
             MT_FIND_ASSERT);
  assert_string_equal(f->detail, "i < n");
  end();
  f = failed((mt_Site){.kind = MT_SITE_ASSERT}, 1, MT_FIND_ASSERT);
  assert_string_equal(f->detail, "");
  end();
}

static void test_inner_index(void **state) {
  (void)state;
  mt_Site s = {.kind = MT_SITE_INDEX, .space = MT_SPACE_THREADGROUP,
               .name = "tile", .path = "[2]", .width = 8};
  const mt_Finding *f = failed(s, (uint64_t)-3, MT_FIND_OUT_OF_BOUNDS);
  assert_int_equal(f->how, MT_HOW_READ);
  assert_int_equal(f->space, MT_SPACE_THREADGROUP);
  assert_true(f->inner);
  assert_int_equal(f->index, -3);
  assert_int_equal(f->length, 8);
  assert_int_equal(f->value, 0);
  assert_string_equal(f->name, "tile");
  assert_string_equal(f->detail, "[2]");
  end();
  s.write = true, s.path = NULL;
  f = failed(s, 9, MT_FIND_OUT_OF_BOUNDS);
  assert_int_equal(f->how, MT_HOW_WRITE);
  assert_string_equal(f->detail, "");
  end();
}

static void test_crooked(void **state) {
  (void)state;
  mt_Site s = {.kind = MT_SITE_ALIGN, .space = MT_SPACE_DEVICE, .name = "a",
               .part_size = 4, .align = 16, .width = 10};
  const mt_Finding *f = failed(s, 20, MT_FIND_MISALIGNED);
  assert_int_equal(f->how, MT_HOW_READ);
  assert_int_equal(f->index, 5);
  assert_int_equal(f->length, 10);
  assert_int_equal(f->bytes, 16);
  assert_int_equal(f->value, 0);
  assert_int_equal(f->space, MT_SPACE_DEVICE);
  assert_string_equal(f->name, "a");
  end();
  s.write = true;
  f = failed(s, (uint64_t)-8, MT_FIND_MISALIGNED);
  assert_int_equal(f->how, MT_HOW_WRITE);
  assert_int_equal(f->index, -2);
  end();
}

static void test_private_index(void **state) {
  (void)state;
  static const struct { int64_t offset, index; } cases[] = {
      {64, 16}, {67, 16}, {-4, -1}, {-1, -1}, {-5, -2}, {-8, -2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mt_Site s = {.kind = i % 2 ? MT_SITE_READ : MT_SITE_WRITE, .root = OWN,
                 .size = 8};
    const mt_Finding *f =
        failed(s, (uint64_t)cases[i].offset, MT_FIND_OUT_OF_BOUNDS);
    assert_int_equal(f->index, cases[i].index);
    assert_int_equal(f->length, 16);
    assert_int_equal(f->how, i % 2 ? MT_HOW_READ : MT_HOW_WRITE);
    assert_int_equal(f->space, MT_SPACE_PRIVATE);
    assert_string_equal(f->name, "own");
    assert_int_equal(f->bytes, 8);
    end();
  }
}

static void test_unset(void **state) {
  (void)state;
  begin();
  uint32_t read = add_site(&k, (mt_Site){.kind = MT_SITE_UNSET, .name = "x"});
  uint32_t use = add_site(&k, (mt_Site){.kind = MT_SITE_UNSET, .name = "y"});
  map_and_start();
  uint64_t flag = read;
  mt_check_thread_if(k.c, 0, 4, use, &flag);
  const mt_Finding *f = only(MT_FIND_UNINITIALISED);
  assert_int_equal(f->place.line, read);
  assert_string_equal(f->name, "x");
  assert_string_equal(f->detail, "its value is used on line 2");
  assert_int_equal(f->how, MT_HOW_READ);
  assert_int_equal(f->space, MT_SPACE_PRIVATE);
  assert_int_equal(f->value, 0);
  end();
  begin();
  read = add_site(&k, (mt_Site){.kind = MT_SITE_UNSET, .name = "x"});
  map_and_start();
  flag = read;
  mt_check_thread_if(k.c, 0, 4, read, &flag);
  assert_string_equal(only(MT_FIND_UNINITIALISED)->detail, "");
  end();
  begin();
  read = add_site(&k, (mt_Site){.kind = MT_SITE_UNSET, .name = "x"});
  map_and_start();
  flag = MT_FLAG_UNSET & ~(MT_FLAG_LANES << 30); /* a place that is not known */
  mt_check_thread_if(k.c, 0, 4, read, &flag);
  f = only(MT_FIND_UNINITIALISED);
  assert_int_equal(f->place.line, read);
  assert_null(f->name);
  end();
}

/* ------------------------------------------------------------------- lanes */

#define ASKED 1 /* the site of a shuffle that names the lane; 2: of another */

static void ask(uint32_t threads, uint32_t mask, uint32_t site, uint32_t lane,
                uint32_t from, uint32_t flags[MT_LANES]) {
  uint32_t asked[MT_LANES] = {0};
  begin();
  add_site(&k, (mt_Site){.kind = MT_SITE_LANES, .width = 1});
  add_site(&k, (mt_Site){.kind = MT_SITE_LANES, .width = 0});
  map_check(&k);
  start_group(&k, threads);
  asked[lane] = from;
  mt_check_lane(k.c, 0, mask, site, asked, flags);
  nothing();
  end();
}

static uint32_t flag_of(uint32_t threads, uint32_t mask, uint32_t site,
                        uint32_t lane, uint32_t from) {
  uint32_t flags[MT_LANES] = {0};
  ask(threads, mask, site, lane, from, flags);
  return flags[lane];
}

static void test_lane_that_is_asked(void **state) {
  (void)state;
  uint32_t bad = mt_flag_lanes(ASKED, 3, 9);
  assert_int_equal(flag_of(32, ~0u, ASKED, 3, 9), 0);
  assert_int_equal(flag_of(32, ~(1u << 9), ASKED, 3, 9), bad);
  assert_int_equal(flag_of(32, ~(1u << 9), 2, 3, 9), mt_flag_lanes(2, 3, 9));
  assert_int_equal(flag_of(32, ~0u, ASKED, 3, 32), mt_flag_lanes(ASKED, 3, 32));
  assert_int_equal(flag_of(32, ~0u, 2, 3, 32), 0); /* past the last lane */
  assert_int_equal(flag_of(8, 0xff, ASKED, 3, 9), bad); /* no thread there */
  assert_int_equal(flag_of(8, 0xff, 2, 3, 9), 0);
  assert_int_equal(flag_of(32, ~0u, 2, 3, 31), 0);
  assert_int_equal(flag_of(32, ~(1u << 31), 2, 3, 31),
                   mt_flag_lanes(2, 3, 31));
}

/* What is read has the flag of where it comes from, as it was before. */
static void test_lanes_flags(void **state) {
  (void)state;
  uint32_t flags[MT_LANES] = {0}, old = mt_flag_lanes(7, 1, 2);
  flags[9] = old, flags[3] = mt_flag_lanes(8, 1, 2);
  flags[0] = MT_FLAG_UNSET & 0x3fffffff;
  ask(32, ~0u, ASKED, 3, 9, flags);
  assert_int_equal(flags[3], old);
  assert_int_equal(flags[9], 0);  /* it asked lane 0, whose flag is another */
  assert_int_equal(flags[12], 0);
}

static void test_converge(void **state) {
  (void)state;
  static const struct { uint32_t threads, mask, value, expected, first; }
  cases[] = {
      {128, 0x0000ffff, 16, 32, 48}, {128, 0xfffffffe, 31, 32, 32},
      {128, 0x7fffffff, 31, 32, 63}, {40, 0x7f, 7, 8, 39},
      {40, 0xff, 8, 8, 32}, /* all that there are: too few for a matrix */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    begin();
    uint32_t s =
        add_site(&k, (mt_Site){.kind = MT_SITE_TOGETHER, .name = "simd_f"});
    map_check(&k);
    start_group(&k, cases[i].threads);
    mt_check_convergent(k.c, 1, ~0u, s);
    mt_check_convergent(k.c, 1, 0, s);
    mt_check_convergent(k.c, 1, cases[i].mask, s);
    const mt_Finding *f = only(MT_FIND_INACTIVE_LANE);
    assert_int_equal(f->value, cases[i].value);
    assert_int_equal(f->expected, cases[i].expected);
    assert_string_equal(f->detail, "simd_f");
    assert_int_equal(f->threads[0].local[0], cases[i].first);
    end();
  }
}

/* Thread by thread lanes ask one after the other, and are looked at when they
** meet. */
static void test_asked_by_threads(void **state) {
  (void)state;
  begin();
  uint32_t s = add_site(&k, (mt_Site){.kind = MT_SITE_LANES, .width = 1});
  uint32_t m = add_site(&k, (mt_Site){.kind = MT_SITE_TOGETHER});
  map_and_start();
  mt_check_active(k.c, 1, 0);
  for (uint32_t l = 0; l < 4; l++)
    mt_check_thread_lane(k.c, 1, 1u << l, s, l + 1, 0);
  mt_check_active(k.c, 1, 0xf);
  assert_int_equal(mt_check_thread_asked(k.c, 1, 1), 0);
  assert_int_equal(mt_check_thread_asked(k.c, 1, 1u << 3),
                   mt_flag_lanes(s, 3, 4));
  assert_int_equal(mt_check_thread_asked(k.c, 0, 1u << 3), 0);
  mt_check_active(k.c, 1, 0xf); /* not asked since */
  nothing();
  mt_check_free(&report);
  for (uint32_t l = 0; l < 4; l++)
    mt_check_thread_lane(k.c, 1, 1u << l, m, 0, 0);
  mt_check_active(k.c, 1, 0xf);
  assert_int_equal(only(MT_FIND_INACTIVE_LANE)->value, 4);
  end();
}

/* The lane with the flag is found, whatever uses the value. */
static void test_inactive_lane(void **state) {
  (void)state;
  begin();
  uint32_t s = add_site(&k, (mt_Site){.kind = MT_SITE_LANES, .width = 1});
  uint32_t use = add_site(&k, (mt_Site){.kind = MT_SITE_UNSET});
  map_and_start();
  uint64_t flag = mt_flag_lanes(s, 6, 30);
  mt_check_thread_if(k.c, 2, 1u << 9, use, &flag);
  const mt_Finding *f = only(MT_FIND_INACTIVE_LANE);
  assert_int_equal(f->place.line, s);
  assert_int_equal(f->value, 30);
  assert_int_equal(f->expected, THREADS);
  assert_int_equal(f->threads[0].local[0], 64 + 6);
  end();
}

static void test_order_of_lanes(void **state) {
  (void)state;
  begin();
  for (uint32_t n = 1; n <= 32; n += 31) {
    k.c->turn = 0;
    for (uint32_t i = 0; i < n; i++)
      assert_int_equal(mt_check_order(k.c, i, n), i);
    for (k.c->turn = 1; k.c->turn < 200; k.c->turn++)
      for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (i + (k.c->turn >> 2)) % n;
        assert_int_equal(mt_check_order(k.c, i, n),
                         k.c->turn & 2 ? n - 1 - at : at);
      }
  }
  nothing();
  end();
}

/* Thread by thread each lane keeps what it asked with. */
static void test_asked(void **state) {
  (void)state;
  begin();
  uint32_t s = add_site(&k, (mt_Site){.kind = MT_SITE_LANES});
  map_and_start();
  for (uint32_t n = 0; n < 128; n++)
    mt_check_thread_lane(k.c, n / 32, 1u << n % 32, s, n % 32, n + 1);
  for (uint32_t n = 0; n < 128; n++)
    assert_int_equal(mt_check_thread_asked(k.c, n / 32, 1u << n % 32), n + 1);
  nothing();
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_asked),
      cmocka_unit_test(test_barrier_flags),
      cmocka_unit_test(test_missed),
      cmocka_unit_test(test_two_barriers),
      cmocka_unit_test(test_other_places),
      cmocka_unit_test(test_no_thread_waits),
      cmocka_unit_test(test_simdgroup_barrier),
      cmocka_unit_test(test_lanes_go_on_apart),
      cmocka_unit_test(test_what_orders),
      cmocka_unit_test(test_arithmetic),
      cmocka_unit_test(test_inner_index),
      cmocka_unit_test(test_crooked),
      cmocka_unit_test(test_private_index),
      cmocka_unit_test(test_unset),
      cmocka_unit_test(test_lane_that_is_asked),
      cmocka_unit_test(test_lanes_flags),
      cmocka_unit_test(test_converge),
      cmocka_unit_test(test_asked_by_threads),
      cmocka_unit_test(test_inactive_lane),
      cmocka_unit_test(test_order_of_lanes),
  };
  return cmocka_run_group_tests(tests, open_check, close_check);
}
