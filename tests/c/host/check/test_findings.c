/*
** test_findings.c - what becomes of findings between the access and the report:
** which are one, in which order they come, which threads they name, and which
** are told by another one.
**
** Guards: devices/host/check/{findings, unchecked}.c: equal and different
** findings, both sides of races, more of them than there is room for, the
** report's order, sentences about what was not checked;
** devices/host/sites/unchecked.c
*/
#include "devices/host/check/check.h"
#include "tests/c/check_case.h"

static CheckCase k;
static mt_CheckReport report;

static void begin(void) {
  begin_check(&k, 256, 64);
  map_check(&k);
  start_group(&k, 128);
}

static void end(void) {
  mt_check_free(&report);
  end_check(&k);
}

static mt_Finding bounds(unsigned line, unsigned column) {
  return (mt_Finding){.kind = MT_FIND_OUT_OF_BOUNDS, .name = "out",
                      .place = {.line = line, .column = column},
                      .space = MT_SPACE_DEVICE, .how = MT_HOW_READ};
}

static mt_Finding race(unsigned line, unsigned other) {
  mt_Finding f = bounds(line, 3);
  f.kind = MT_FIND_RACE;
  f.other = (mt_SourcePlace){.line = other, .column = 3};
  f.other_how = MT_HOW_WRITE;
  f.apart = MT_APART_LANES;
  return f;
}

static mt_ThreadAt thread(uint32_t n) { return mt_thread_at(k.c, 0, n); }

static bool is_thread(const mt_ThreadAt *at, uint32_t n) {
  mt_ThreadAt wanted = thread(n);
  return memcmp(at, &wanted, sizeof wanted) == 0;
}

static void test_equal(void **state) {
  (void)state;
  begin();
  mt_Finding f = bounds(7, 3);
  assert_false(mt_findings_any(k.c));
  for (uint32_t n = 0; n < 9; n++) mt_finding_add(k.c, &f, 5 * n, NULL);
  assert_true(mt_findings_any(k.c));
  report_check(&k, &report);
  assert_int_equal(report.count, 1);
  assert_int_equal(report.dropped, 0);
  const mt_Finding *r = &report.findings[0];
  assert_int_equal(r->count, 9);
  assert_int_equal(r->thread_count, MT_FINDING_THREADS);
  for (uint32_t n = 0; n < MT_FINDING_THREADS; n++)
    assert_true(is_thread(&r->threads[n], 5 * n));
  end();
}

/* The same finding but for one thing; the 0th is the same. */
static mt_Finding changed(mt_Finding f, int n) {
  if (n == 1) f.kind = MT_FIND_MISALIGNED;
  if (n == 2) f.space = MT_SPACE_CONSTANT;
  if (n == 3) f.name = "in";
  if (n == 4) f.name = NULL;
  if (n == 5) f.place.line++;
  if (n == 6) f.place.column++;
  if (n == 7) f.other_how = MT_HOW_ATOMIC;
  if (n == 8) f.how = MT_HOW_WRITE;
  if (n == 9) f.other.line++;
  if (n == 10) f.other.column++;
  if (n == 11) f.level = true;
  if (n == 12) strcpy(f.detail, "[3]");
  return f;
}

static void test_different(void **state) {
  (void)state;
  for (int n = 0; n <= 12; n++) {
    begin();
    mt_Finding a = bounds(7, 3), b = changed(a, n);
    mt_finding_add(k.c, &a, 0, NULL), mt_finding_add(k.c, &b, 1, NULL);
    mt_finding_add(k.c, &a, 2, NULL), mt_finding_add(k.c, &b, 3, NULL);
    report_check(&k, &report);
    assert_int_equal(report.count, n ? 2 : 1);
    assert_int_equal(report.findings[0].count, n ? 2 : 4);
    end();
  }
  for (int named = 0; named < 2; named++) { /* the detail says nothing */
    begin();
    mt_Finding a = bounds(7, 3), b;
    a.kind = MT_FIND_SCHEDULE, a.name = named ? "out" : NULL;
    b = a, strcpy(b.detail, "1 at first");
    mt_finding_add_global(k.c, &a), mt_finding_add_global(k.c, &b);
    report_check(&k, &report);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.findings[0].count, 2);
    end();
  }
}

/* What counts itself, as elements that differ, is added up. */
static void test_counts(void **state) {
  (void)state;
  begin();
  mt_Finding f = bounds(7, 3);
  f.count = 10;
  mt_finding_add_global(k.c, &f);
  f.count = 0;
  mt_finding_add_global(k.c, &f);
  f.count = 5;
  mt_finding_add_global(k.c, &f);
  report_check(&k, &report);
  assert_int_equal(report.findings[0].count, 16);
  end();
}

/* By line, kind, column, the other line, what it does and its name. */
static void test_order(void **state) {
  (void)state;
  mt_Finding all[14];
  for (int n = 0; n < 14; n++) all[n] = bounds(7, 3);
  all[0].place.line = 6, all[0].place.column = 99;
  all[1].place.column = 2;
  all[2].name = NULL;
  all[3].name = "b";
  all[4].name = "c";
  all[5].how = MT_HOW_WRITE, all[5].name = "a";
  all[6].other.line = 1;
  all[7].other.line = 2, all[7].how = MT_HOW_NONE;
  all[8].place.column = 4;
  all[9].place.column = 5, all[9].other.line = 1;
  all[10].kind = MT_FIND_MISALIGNED, all[10].place.column = 1;
  all[11].kind = MT_FIND_MISALIGNED;
  all[12].place.line = 8, all[12].place.column = 1;
  all[13].place.line = 10;
  bool after = MT_FIND_MISALIGNED > MT_FIND_OUT_OF_BOUNDS;
  for (int start = 0; start < 14; start++) {
    begin();
    for (int n = 0; n < 14; n++) {
      mt_Finding f = all[(start + n * 5) % 14];
      f.index = (start + n * 5) % 14;
      mt_finding_add_global(k.c, &f);
    }
    report_check(&k, &report);
    assert_int_equal(report.count, 14);
    assert_true(after);
    for (int n = 0; n < 14; n++)
      assert_int_equal(report.findings[n].index, n);
    end();
  }
}

/* Of a race the later line is the place, whichever side ran first. */
static void test_sides(void **state) {
  (void)state;
  for (int turn = 0; turn < 2; turn++)
    for (int one = 0; one < 2; one++) {
      begin();
      mt_Finding f = turn ? race(4, 9) : race(9, 4);
      mt_ThreadAt other = thread(70);
      if (turn) f.how = MT_HOW_WRITE, f.other_how = MT_HOW_READ;
      mt_finding_add(k.c, &f, 3, NULL);
      if (!one) mt_finding_add(k.c, &f, 5, &other);
      report_check(&k, &report);
      assert_int_equal(report.count, 1);
      const mt_Finding *r = &report.findings[0];
      assert_int_equal(r->place.line, 9);
      assert_int_equal(r->other.line, 4);
      assert_int_equal(r->how, MT_HOW_READ);
      assert_int_equal(r->other_how, MT_HOW_WRITE);
      assert_int_equal(r->thread_count, one ? 1 : 2);
      assert_int_equal(r->other_only, one && turn);
      if (one) assert_true(is_thread(&r->threads[0], 3));
      else {
        assert_true(is_thread(&r->threads[turn], 5));
        assert_true(is_thread(&r->threads[!turn], 70));
      }
      end();
    }
}

static void test_sides_of_a_line(void **state) {
  (void)state;
  for (int turn = 0; turn < 2; turn++)
    for (int how = 0; how < 2; how++) {
      begin();
      mt_Finding f = race(2, 2);
      f.place.column = how || turn ? 3 : 8;
      f.other.column = how || !turn ? 3 : 8;
      f.how = how && !turn ? MT_HOW_WRITE : MT_HOW_READ;
      f.other_how = how && turn ? MT_HOW_WRITE : MT_HOW_READ;
      mt_finding_add(k.c, &f, 3, NULL);
      report_check(&k, &report);
      const mt_Finding *r = &report.findings[0];
      assert_int_equal(r->place.column, how ? 3 : 8);
      assert_int_equal(r->how, how ? MT_HOW_WRITE : MT_HOW_READ);
      assert_int_equal(r->other_only, turn);
      end();
    }
}

/* Pairs are named rather than single threads, and those that are farther apart
** rather than others. */
static void test_pairs(void **state) {
  (void)state;
  begin();
  mt_Finding f = race(9, 4);
  mt_ThreadAt a = thread(60), b = thread(61), c = thread(62), d = thread(63);
  f.index = 1;
  mt_finding_add(k.c, &f, 1, NULL), mt_finding_add(k.c, &f, 2, NULL);
  mt_finding_add(k.c, &f, 3, &a), mt_finding_add(k.c, &f, 4, &b);
  mt_finding_add(k.c, &f, 5, &c);
  f.apart = MT_APART_GROUPS, f.index = 2, f.flags = true;
  mt_finding_add(k.c, &f, 6, &d);
  f.apart = MT_APART_SIMDGROUPS, f.index = 3, f.flags = false;
  mt_finding_add(k.c, &f, 7, &a), mt_finding_add(k.c, &f, 8, NULL);
  report_check(&k, &report);
  assert_int_equal(report.count, 1);
  const mt_Finding *r = &report.findings[0];
  assert_int_equal(r->count, 8);
  assert_int_equal(r->apart, MT_APART_GROUPS);
  assert_int_equal(r->index, 2);
  assert_true(r->flags);
  assert_int_equal(r->thread_count, 4);
  assert_true(is_thread(&r->threads[0], 6) && is_thread(&r->threads[1], 63));
  assert_true(is_thread(&r->threads[2], 7) && is_thread(&r->threads[3], 60));
  end();
}

/* A read of what was not written is no finding of its own beside a race of the
** same memory at the same place. */
static void test_told(void **state) {
  (void)state;
  for (int n = 0; n < 6; n++) {
    begin();
    mt_Finding r = race(9, 4), f = bounds(n == 1 ? 4 : 9, 3);
    f.kind = n == 5 ? MT_FIND_MISALIGNED : MT_FIND_UNINITIALISED;
    if (n == 2) f.place.line = 5;
    if (n == 3) f.name = "in";
    if (n == 4) f.place.column = 4;
    mt_finding_add(k.c, &f, 1, NULL), mt_finding_add(k.c, &r, 2, NULL);
    report_check(&k, &report);
    assert_int_equal(report.count, n < 2 ? 1 : 2);
    assert_int_equal(found(&report, MT_FIND_RACE, 9), 1);
    end();
  }
}

/* Past a dimension of an array, and past its end, is one mistake. */
static void test_inner(void **state) {
  (void)state;
  for (int n = 0; n < 5; n++) {
    begin();
    mt_Finding in = bounds(9, 3), f = in;
    in.inner = true;
    strcpy(in.detail, "[2]");
    if (n == 1) f.place.column = 4;
    if (n == 2) f.name = "in";
    if (n == 3) f.kind = MT_FIND_MISALIGNED;
    if (n == 4) f.inner = true;
    mt_finding_add(k.c, &f, 1, NULL), mt_finding_add(k.c, &in, 2, NULL);
    report_check(&k, &report);
    assert_int_equal(report.count, n ? 2 : 1);
    assert_true(report.findings[0].inner || report.findings[1].inner);
    end();
  }
}

static void test_too_many(void **state) {
  (void)state;
  for (unsigned limit = 0; limit < 90; limit += 30) {
    begin();
    k.options.limit = limit;
    for (unsigned n = 0; n < 1030; n++) {
      mt_Finding f = bounds(1 + n * 37 % 1030, 1);
      mt_finding_add(k.c, &f, 0, NULL);
    }
    mt_Finding again = bounds(1, 1); /* is there still */
    mt_finding_add(k.c, &again, 0, NULL);
    report_check(&k, &report);
    unsigned most = limit ? limit : 64;
    assert_int_equal(report.count, most);
    assert_int_equal(report.dropped, 1030 - most);
    assert_int_equal(report.findings[0].count, 2);
    for (unsigned n = 1; n < most; n++)
      assert_true(report.findings[n].place.line >
                  report.findings[n - 1].place.line);
    end();
  }
}

/* Of a run that may have to be done again: added to the others, or not. */
static void test_later(void **state) {
  (void)state;
  for (int count = 0; count < 2; count++) {
    begin();
    assert_int_equal(mt_findings_new(k.c, true, &error), MT_OK);
    mt_Finding a = bounds(7, 3), r = race(9, 4);
    mt_ThreadAt other = thread(40);
    mt_finding_add(k.c, &a, 1, NULL), mt_finding_add(k.c, &r, 2, NULL);
    k.c->later = true;
    mt_Finding b = bounds(8, 3);
    mt_finding_add(k.c, &a, 3, NULL), mt_finding_add(k.c, &b, 4, NULL);
    r.apart = MT_APART_GROUPS, r.index = 5, r.flags = true;
    mt_finding_add(k.c, &r, 5, &other);
    k.c->later = false;
    mt_findings_later(k.c, count);
    mt_findings_later(k.c, true); /* there is nothing left of them */
    report_check(&k, &report);
    assert_int_equal(report.count, count ? 3 : 2);
    assert_int_equal(found(&report, MT_FIND_OUT_OF_BOUNDS, 7), 1 + count);
    assert_int_equal(found(&report, MT_FIND_OUT_OF_BOUNDS, 8), count);
    const mt_Finding *last = &report.findings[report.count - 1];
    assert_int_equal(last->count, 1 + count);
    assert_int_equal(last->apart, count ? MT_APART_GROUPS : MT_APART_LANES);
    assert_int_equal(last->index, count ? 5 : 0);
    assert_int_equal(last->flags, count);
    assert_int_equal(last->thread_count, 1 + count);
    assert_true(is_thread(&last->threads[0], count ? 5 : 2));
    end();
  }
}

/* Findings of accesses are those of the first schedule; of the runs for other
** parts of the shadow only what comes from it. */
static void test_other_runs(void **state) {
  (void)state;
  for (int n = 0; n < 5; n++) {
    begin();
    mt_Finding f = n == 2 ? race(9, 4) : bounds(9, 3);
    if (n > 2) f.kind = MT_FIND_UNINITIALISED;
    if (n == 4) f.space = MT_SPACE_PRIVATE;
    k.c->part = n > 0;
    mt_finding_add(k.c, &f, 1, NULL);
    k.c->schedule = 1;
    mt_finding_add(k.c, &f, 1, NULL);
    report_check(&k, &report);
    assert_int_equal(report.count, n != 1 && n != 4);
    if (report.count) assert_int_equal(report.findings[0].count, 1);
    end();
  }
}

static void test_sentences(void **state) {
  (void)state;
  begin();
  for (int n = 0; n < 40; n++) mt_findings_unchecked(k.c, "sentence %d", n);
  report_check(&k, &report);
  assert_int_equal(report.unchecked_count, 32);
  assert_string_equal(report.unchecked[0], "sentence 0");
  assert_string_equal(report.unchecked[31], "sentence 31");
  assert_int_equal(k.c->unchecked_count, 0);
  end();
}

/* One place is enough. */
static void test_reason(void **state) {
  (void)state;
  begin();
  mt_unchecked_add(&k.sites, MT_UNCHECKED_ESCAPES,
                   (mt_SourcePlace){.line = 9}, "b");
  mt_unchecked_report(k.c);
  report_check(&k, &report);
  assert_int_equal(report.unchecked_count, 1);
  assert_non_null(strstr(report.unchecked[0], " b (line 9)"));
  end();
}

/* A reason is one sentence, with all of its lines: in order, each once, and no
** more than eight. */
static void test_reasons(void **state) {
  (void)state;
  static const struct {
    mt_UncheckedWhy why;
    unsigned line;
    const char *name;
  } missed[] = {
      {MT_UNCHECKED_ESCAPES, 9, "b"}, {MT_UNCHECKED_CALL, 12, NULL},
      {MT_UNCHECKED_COPY, 3, NULL},   {MT_UNCHECKED_CALL, 4, NULL},
      {MT_UNCHECKED_ESCAPES, 9, "a"}, {MT_UNCHECKED_CALL, 12, NULL},
      {MT_UNCHECKED_ESCAPES, 2, "c"}, {MT_UNCHECKED_CALL, 7, NULL},
  };
  begin();
  for (size_t i = 0; i < sizeof missed / sizeof *missed; i++)
    mt_unchecked_add(&k.sites, missed[i].why,
                     (mt_SourcePlace){.line = missed[i].line}, missed[i].name);
  for (unsigned line = 20; line < 29; line++)
    mt_unchecked_add(&k.sites, MT_UNCHECKED_CHOICES,
                     (mt_SourcePlace){.line = line}, NULL);
  uint32_t own = add_access(&k, MT_SITE_READ, MT_ROOT_UNKNOWN, 4),
           tile = add_access(&k, MT_SITE_READ, MT_ROOT_UNKNOWN, 4);
  k.c->strayed[own] = MT_STRAY_OWN, k.c->strayed[tile] = MT_STRAY_TILE;
  mt_unchecked_report(k.c);
  report_check(&k, &report);
  static const char *const said[] = {
      "a copy whose size is not known (line 3)",
      "what a call does with memory (line 4, line 7, line 12)",
      "which of many variables a pointer leads to (line 20, line 21, line 22, "
      "line 23, line 24, line 25, line 26, line 27, …): the access was only "
      "looked up by its address",
      "whether it has values before they are read, since a pointer to it is "
      "chosen, computed or kept: c (line 2), a (line 9), b (line 9)",
      "accesses to a thread's own variables through a pointer that is kept in "
      "memory (line 1)",
      "whether accesses through a pointer that is kept in memory stay inside "
      "their threadgroup array (line 2)",
  };
  assert_int_equal(report.unchecked_count, 6);
  for (int i = 0; i < 6; i++)
    assert_string_equal(report.unchecked[i], said[i]);
  free(k.sites.missed);
  k.sites.missed = NULL, k.sites.missed_count = 0;
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal),    cmocka_unit_test(test_different),
      cmocka_unit_test(test_counts),   cmocka_unit_test(test_order),
      cmocka_unit_test(test_sides),    cmocka_unit_test(test_sides_of_a_line),
      cmocka_unit_test(test_pairs),    cmocka_unit_test(test_told),
      cmocka_unit_test(test_inner),    cmocka_unit_test(test_too_many),
      cmocka_unit_test(test_later),    cmocka_unit_test(test_other_runs),
      cmocka_unit_test(test_sentences), cmocka_unit_test(test_reason),
      cmocka_unit_test(test_reasons),
  };
  return cmocka_run_group_tests(tests, open_check, close_check);
}
