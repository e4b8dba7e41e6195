/*
** test_coverage.c - which buffers and textures are outputs, and which of their
** elements were not written: gaps that look like a mistake, and others.
**
** Guards: devices/host/check/coverage.c: gaps of every shape, buffers that are
** read, the words for one element and for many, texels by their places;
** devices/host/check/{check, race}.c
*/
#include "devices/host/check/check.h"
#include "tests/c/check_case.h"

#define ELEMENTS 256

static CheckCase k;
static mt_CheckReport report;

/* A launch that writes the elements of 'out' for which 'is_there' says so. */
static void write_some(size_t elements, bool (*is_there)(unsigned i)) {
  begin_check(&k, 4 * elements, 64);
  uint32_t s = add_access(&k, MT_SITE_WRITE, OUT, 4);
  map_check(&k);
  start_group(&k, 128);
  for (unsigned i = 0; i < elements; i++)
    if (is_there(i)) touch_one(&k, s, i % 128, 4 * i);
}

static void end(void) {
  mt_check_free(&report);
  end_check(&k);
}

/* -------------------------------------------------------------------- gaps */

static bool all(unsigned i) { return i < ELEMENTS; }
static bool some(unsigned i) {
  return i != 3 && i != 4 && i != 9 && (i < 20 || i > 23);
}
static bool none(unsigned i) { return i > ELEMENTS; }
static bool all_but_the_end(unsigned i) { return i < 250; }
static bool all_but_the_beginning(unsigned i) { return i >= 64; }
static bool most_at_the_end(unsigned i) { return i >= 128; }
static bool few_at_the_end(unsigned i) { return i >= 129; }
static bool rows(unsigned i) { return i % 8 < 7; }
static bool rows_and_less(unsigned i) { return i % 8 < 7 && i < 240; }
static bool rows_and_more(unsigned i) { return i % 8 < 7 || i > 200; }
static bool slices(unsigned i) { return i % 8 < 7 && i % 64 < 48; }
static bool first(unsigned i) { return i < 1; }

static const struct {
  bool (*is_there)(unsigned i);
  bool output;
  const char *said; /* where the first gap is; NULL: nothing is said */
} gaps[] = {
    {all, true, NULL},
    {some, false, "out[3]"},
    {all_but_the_end, true, NULL},
    {all_but_the_beginning, true, NULL},
    {most_at_the_end, true, NULL},
    {few_at_the_end, false, "out[0]"},
    {rows, true, NULL},
    {rows_and_less, true, NULL},
    {rows_and_more, false, "out[7]"},
    {slices, true, NULL},
};

static void test_gaps(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
    write_some(ELEMENTS, gaps[i].is_there);
    uint64_t outputs = mt_check_outputs(k.c);
    if (outputs != gaps[i].output) fail_msg("row %zu", i);
    report_check(&k, &report);
    assert_int_equal(report.unchecked_count, gaps[i].said != NULL);
    if (gaps[i].said)
      assert_non_null(strstr(report.unchecked[0], gaps[i].said));
    end();
  }
}

/* What is read, too, is no output; nor what is only read. */
static void test_read(void **state) {
  (void)state;
  for (int kind = MT_SITE_READ; kind <= MT_SITE_ATOMIC; kind++) {
    begin_check(&k, 4 * ELEMENTS, 64);
    uint32_t s = add_access(&k, MT_SITE_WRITE, OUT, 4);
    add_access(&k, (mt_SiteKind)kind, OUT, 4);
    map_check(&k);
    start_group(&k, 128);
    for (unsigned i = 0; i < ELEMENTS - 1; i++)
      touch_one(&k, s, i % 128, 4 * i);
    bool reads = kind != MT_SITE_WRITE && kind != MT_SITE_ATOMIC_WRITE;
    assert_int_equal(mt_check_outputs(k.c), !reads);
    static const bool named[3] = {true};
    k.options.outputs = named;
    mt_check_coverage(k.c);
    report_check(&k, &report);
    assert_int_equal(found(&report, MT_FIND_COVERAGE, 0), !reads);
    end();
  }
}

static void test_words(void **state) {
  (void)state;
  static const bool named[3] = {true};
  static const struct {
    size_t elements;
    bool (*is_there)(unsigned i);
    const char *detail;
  } rows_of[] = {
      {1, none, "1 of 1 element is never written"},
      {2, first, "1 of 2 elements is never written"},
      {2, none, "2 of 2 elements are never written"},
      {ELEMENTS, all_but_the_end, "6 of 256 elements are never written"},
  };
  for (size_t i = 0; i < sizeof rows_of / sizeof *rows_of; i++) {
    write_some(rows_of[i].elements, rows_of[i].is_there);
    k.options.outputs = named;
    mt_check_coverage(k.c);
    report_check(&k, &report);
    assert_int_equal(report.count, 1);
    assert_string_equal(report.findings[0].detail, rows_of[i].detail);
    assert_int_equal(report.findings[0].kind, MT_FIND_COVERAGE);
    end();
  }
}

/* A whole line of cells, one that is open, and the one after them. */
static void test_covers(void **state) {
  (void)state;
  begin_check(&k, 4 * ELEMENTS, 64);
  uint32_t s = add_access(&k, MT_SITE_WRITE, OUT, 4);
  map_check(&k);
  start_group(&k, 128);
  char *p = start_of(&k, OUT);
  mt_check_row(k.c, 0, ~0u, s, p, p, 4, p); /* four lines */
  for (unsigned i = 32; i < 44; i++) touch_one(&k, s, 40, 4 * i);
  const mt_Region *r = &k.c->region[0];
  assert_true(mt_shadow_covers(r, 0, 128));
  assert_true(mt_shadow_covers(r, 0, 4 * 44));
  assert_true(mt_shadow_covers(r, 4 * 40, 16));
  assert_false(mt_shadow_covers(r, 0, 4 * 44 + 1));
  assert_false(mt_shadow_covers(r, 4 * 43, 8));
  assert_false(mt_shadow_covers(r, 4 * 44, 4));
  assert_false(mt_shadow_covers(r, 0, 0));
  assert_false(mt_shadow_covers(&k.c->region[1], 0, 4)); /* not tracked */
  end();
}

/* ---------------------------------------------------------------- textures */

static const char *source = MSL(
kernel void some(texture2d<float, access::write> t [[texture(0)]],
                 uint2 i [[thread_position_in_grid]]) {
  if (i.x != 5 || i.y != 2) t.write(float4(1), i);
}
kernel void odd(texture2d<float, access::write> t [[texture(0)]],
                uint2 i [[thread_position_in_grid]]) {
  if ((i.x != 5 || i.y != 2) && (i.x != 1 || i.y != 3)) t.write(float4(1), i);
}
kernel void layers(texture2d_array<float, access::write> t [[texture(0)]],
                   uint3 i [[thread_position_in_grid]]) {
  if (i.x != 1 || i.y != 3 || i.z != 2) t.write(float4(1), i.xy, i.z);
}
kernel void second(device float *a [[buffer(0)]],
                   device float *out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  if (i < 200) out[i] = a[i];
});

static void check_texture(const char *name, const mt_TextureDesc *desc,
                          const mt_CheckOptions *options) {
  mt_Kernel *kernel = host_kernel(source, name);
  mt_Texture *t;
  if (mt_texture_new(host, desc, &t, &error) != MT_OK)
    fail_msg("%s", error.text);
  mt_Arg arg = {.kind = MT_ARG_TEXTURE, .texture = t};
  mt_Arg args[8] = {arg};
  mt_Launch l = {.kernel = kernel, .args = args,
                 .arg_count = mt_kernel_info(kernel)->param_count,
                 .grid = {desc->width, desc->height, desc->layers},
                 .group = {4, 4, 1}, .repeats = 1, .time_limit = 20};
  if (mt_check(&l, options, &report, &error) != MT_OK)
    fail_msg("%s", error.text);
  mt_texture_free(t);
  mt_kernel_free(kernel);
}

static void only_texel(unsigned x, unsigned y, unsigned z,
                       const mt_TextureDesc *d) {
  assert_int_equal(report.count, 1);
  const mt_Finding *f = &report.findings[0];
  assert_int_equal(f->kind, MT_FIND_COVERAGE);
  assert_int_equal(f->space, MT_SPACE_TEXTURE);
  assert_int_equal(f->count, 1);
  assert_int_equal(f->index, x + d->width * (y + d->height * z));
  assert_int_equal(f->texel[0], x);
  assert_int_equal(f->texel[1], y);
  assert_int_equal(f->texel[2], z);
  assert_int_equal(f->extent[0], d->width);
  assert_int_equal(f->extent[1], d->height);
  assert_int_equal(f->extent[2], d->layers);
  mt_check_free(&report);
}

static void test_textures(void **state) {
  (void)state;
  static const bool named[16] = {true};
  static const mt_CheckOptions all_over = {.outputs = named},
                               guess = {.guess = true};
  mt_TextureDesc d = {.kind = MT_TEXTURE_2D, .format = MT_RGBA8UNORM,
                      .width = 7, .height = 5, .depth = 1, .layers = 1};
  check_texture("some", &d, &all_over);
  only_texel(5, 2, 0, &d);
  check_texture("odd", &d, &guess);
  assert_int_equal(report.count, 0);
  assert_int_equal(report.unchecked_count, 1);
  assert_non_null(strstr(report.unchecked[0], "t at (5, 2)"));
  mt_check_free(&report);
  d = (mt_TextureDesc){.kind = MT_TEXTURE_2D_ARRAY, .format = MT_RGBA8UNORM,
                       .width = 6, .height = 4, .depth = 1, .layers = 3};
  check_texture("layers", &d, &all_over);
  only_texel(1, 3, 2, &d);
}

/* The report says which of the parameters are outputs. */
static void test_second(void **state) {
  (void)state;
  static const mt_CheckOptions guess = {.guess = true};
  mt_Kernel *kernel = host_kernel(source, "second");
  mt_Buffer *a = host_buffer(1024), *out = host_buffer(1024);
  mt_Arg args[8] = {
      {.kind = MT_ARG_BUFFER, .buffer = a, .size = 1024},
      {.kind = MT_ARG_BUFFER, .buffer = out, .size = 1024}};
  mt_Launch l = {.kernel = kernel, .args = args,
                 .arg_count = mt_kernel_info(kernel)->param_count,
                 .grid = {256, 1, 1}, .group = {64, 1, 1}, .repeats = 1,
                 .time_limit = 20};
  assert_int_equal(mt_check(&l, &guess, &report, &error), MT_OK);
  assert_int_equal(report.outputs, 2);
  assert_int_equal(found(&report, MT_FIND_COVERAGE, 0), 56);
  mt_check_free(&report);
  mt_kernel_free(kernel);
  mt_buffer_free(a);
  mt_buffer_free(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gaps),     cmocka_unit_test(test_read),
      cmocka_unit_test(test_words),    cmocka_unit_test(test_covers),
      cmocka_unit_test(test_textures), cmocka_unit_test(test_second),
  };
  return cmocka_run_group_tests(tests, open_check, close_check);
}
