/*
** test_partition.c - a shadow that would outgrow its buffers: how much there is
** to take, what is dropped when it is too much, the parts after the first; and
** the runs in other orders, as far as their progress.
**
** Guards: devices/host/check/shadow_partition.c: limits, pages that are counted
** and dropped, coverage over all parts; devices/host/check/{schedules,
** shadow_pages}.c
*/
#include "devices/host/check/check.h"
#include "tests/c/check_case.h"

#define BYTES ((size_t)1 << 20)

static CheckCase k;
static mt_CheckReport report;
static uint32_t byte_site;

/* A launch with a cell for each byte of a large buffer. */
static void begin(void) {
  begin_check(&k, BYTES, 64);
  byte_site = add_access(&k, MT_SITE_WRITE, OUT, 1);
  map_check(&k);
  assert_int_equal(mt_partition_new(k.c, &error), MT_OK);
}

static void end(void) {
  report_check(&k, &report);
  mt_check_free(&report);
  end_check(&k);
}

/* What lines and pages may take, with the copies and the cells that are there,
** is six times the buffers. */
static void test_limit(void **state) {
  (void)state;
  begin();
  const mt_Region *r = &k.c->region[0];
  size_t lines = 2 * (r->cells >> MT_LINE) * sizeof *r->line_writes;
  size_t given = BYTES + 64, copies = BYTES + mt_epochs_bytes(k.c);
  size_t most = 6 * given, taken = lines + copies + k.c->room * 4096;
  assert_true(taken <= most && taken + 4096 > most);
  assert_true(k.c->counting);
  assert_true(k.c->parts_most > 1 && k.c->parts_most <= 16);
  assert_int_equal(r->first % 8, 0);
  assert_int_equal(r->first, r->cells / 8 / k.c->parts_most * 8);
  assert_null(k.c->region[1].opened); /* it is not tracked */
  end();
}

/* What is given back is found by its size (shadow_pages.c). */
static void test_given_back(void **state) {
  (void)state;
  begin();
  mt_Region *r = &k.c->region[0];
  void *opened = r->opened, *set = r->set;
  size_t pages = 2 * (r->cells / 512 + 1), bits = r->cells / 8 + 1;
  mt_partition_free(r);
  assert_null(r->opened);
  assert_null(r->set);
  void *a = mt_shadow_pages_new(pages), *b = mt_shadow_pages_new(bits);
  assert_ptr_equal(a, opened);
  assert_ptr_equal(b, set);
  mt_shadow_pages_free(a, pages);
  mt_shadow_pages_free(b, bits);
  end();
}

/* The page too many: this run goes on with the first part, and what is known of
** the others is dropped, lines and cells. */
static void test_split(void **state) {
  (void)state;
  begin();
  start_group(&k, 128);
  mt_Region *r = &k.c->region[0];
  char *p = start_of(&k, OUT);
  size_t last = r->cells - 64;
  mt_check_row(k.c, 0, ~0u, byte_site, p, p, 1, p);
  mt_check_row(k.c, 1, ~0u, byte_site, p, p + BYTES - 64, 1, p);
  touch_one(&k, byte_site, 5, (int64_t)BYTES - 5);
  assert_true(r->line_writes[(BYTES - 64) >> MT_LINE] > MT_LINE_OPEN);
  assert_int_equal(r->line_writes[(BYTES - 5) >> MT_LINE], MT_LINE_OPEN);
  assert_int_equal(k.c->parts, 1);
  k.c->room = k.c->pages + 1;
  touch_one(&k, byte_site, 5, 100);
  assert_int_equal(k.c->parts, k.c->parts_most);
  assert_false(k.c->counting);
  assert_int_equal(r->low, 0);
  assert_true(r->high > 0 && r->high <= r->cells / k.c->parts);
  for (size_t i = last; i < r->cells; i++) {
    assert_int_equal(r->writes[i], 0);
    assert_int_equal(r->line_writes[i >> MT_LINE], 0);
    assert_int_equal(r->line_reads[i >> MT_LINE], 0);
  }
  for (size_t i = 0; i < 32; i++) assert_true(mt_cell_is_set(r, i));
  assert_true(mt_cell_is_set(r, 100));
  end();
}

/* --------------------------------------------------------------- real runs */

static const char *source = MSL(
kernel void scatter(device uchar *out [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) {
  out[i * 40503 & 65535] = i;
}
kernel void own(device uint *out [[buffer(0)]], constant uint *in [[buffer(1)]],
                threadgroup uint *tile [[threadgroup(0)]],
                uint i [[thread_position_in_grid]]) {
  if (i < 64) out[i] = in[i & 15];
}
kernel void beside(device uint *out [[buffer(0)]],
                   constant uint *in [[buffer(1)]],
                   threadgroup uint *tile [[threadgroup(0)]],
                   uint i [[thread_position_in_grid]]) {
  uint x = simd_shuffle_xor(in[i & 15], 1);
  if (i < 64) out[i] = x;
});

/* Bytes here and there, all but one: each part has what it has of them, and at
** the end the one is missing. */
static void test_parts(void **state) {
  (void)state;
  static const bool named[8] = {true};
  static const mt_CheckOptions options = {.outputs = named};
  mt_Kernel *kernel = host_kernel(source, "scatter");
  mt_Buffer *b = host_buffer(65536);
  mt_Arg args[8] = {{.kind = MT_ARG_BUFFER, .buffer = b, .size = 65536}};
  mt_Launch l = {.kernel = kernel, .args = args,
                 .arg_count = mt_kernel_info(kernel)->param_count,
                 .grid = {65535, 1, 1}, .group = {256, 1, 1}, .repeats = 1,
                 .time_limit = 60};
  for (int way = 0; host_way(way); way++) {
    if (mt_check(&l, &options, &report, &error) != MT_OK)
      fail_msg("%s", error.text);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.findings[0].kind, MT_FIND_COVERAGE);
    assert_int_equal(report.findings[0].count, 1);
    assert_int_equal(report.findings[0].index, 65535u * 40503 % 65536);
    mt_check_free(&report);
  }
  mt_kernel_free(kernel);
  mt_buffer_free(b);
}

/* A checked launch as far as its runs in other orders, which follow one that
** took so many seconds. */
static void run_schedules(mt_Kernel *kernel, unsigned count, double seconds) {
  const mt_InstrumentedCode *w;
  begin_check(&k, 256, 64);
  if (kernel) k.launch.kernel = kernel;
  k.launch.arg_count = mt_kernel_info(k.launch.kernel)->param_count;
  k.options.schedules = count, k.options.seed = 77;
  assert_int_equal(mt_instrumented_for(&k.launch, false, &w, &error), MT_OK);
  k.c->sites = &w->sites;
  k.c->group_memory.size = mt_align16(w->threadgroup_bytes);
  map_check(&k);
  assert_int_equal(mt_check_snapshot(k.c, &error), MT_OK);
  assert_int_equal(mt_check_once(k.c, w, NULL, &error), MT_OK);
  k.c->seconds = seconds;
  unsigned done = 0;
  assert_int_equal(mt_check_schedules(k.c, w, &done, &error), MT_OK);
  assert_int_equal(done, count);
}

/* Each run in another order is one more, for the progress shown, too. */
static void test_progress(void **state) {
  (void)state;
  run_schedules(NULL, 3, 1);
  assert_int_equal(k.c->progress.run, 4);
  assert_int_equal(k.c->progress.runs, 4);
  assert_int_equal(k.c->progress.total, 64);
  assert_int_equal(k.c->progress.done, 64);
  end();
}

/* Thread by thread, too, what is short: the less so the more lanes meet. */
static void test_short(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double seconds; /* of processor time */
    bool by_thread;
  } rows[] = {{"own", 0, true}, {"own", 0.019, true}, {"own", 0.021, false},
              {"beside", 0, true}, {"beside", 0.0019, true},
              {"beside", 0.0021, false}};
  setenv("METTLE_ENGINE", "simd", 1);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    mt_Kernel *kernel = host_kernel(source, rows[i].name);
    run_schedules(kernel, 8, rows[i].seconds);
    assert_non_null(k.c->region[0].answer[0]);
    assert_int_equal(k.c->region[0].answer[1] != NULL, rows[i].by_thread);
    end();
    mt_kernel_free(kernel);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limit), cmocka_unit_test(test_given_back),
      cmocka_unit_test(test_split), cmocka_unit_test(test_parts),
      cmocka_unit_test(test_progress), cmocka_unit_test(test_short),
  };
  return cmocka_run_group_tests(tests, open_check, close_check);
}
