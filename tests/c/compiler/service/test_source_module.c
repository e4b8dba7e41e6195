/*
** test_source_module.c - compiled sources that are kept, by what they were
** compiled with, and the kernels of a large library, each with its code.
**
** Guards: devices/compiler/service/source_module.c: what makes a source another
** one, warnings with and without a log, kernels that are taken one by one
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "devices/compiler/service/source_module.h"

#define SMALL                                                         \
  "kernel void k(device uint *o) { uint never_read = 3; o[0] = N; }\n"

static mt_Error error;

static mt_SourceModule *module_of(const char *source,
                                  const mt_CompileOptions *o, mt_Str *log) {
  mt_SourceModule *m = NULL;
  if (mt_module_new(source, strlen(source), o, NULL, &m, log, &error) != MT_OK)
    fail_msg("%s", error.text);
  return m;
}

/* -------------------------------------------------------------------- kept */

static void test_defines(void **state) {
  (void)state;
  mt_Define one = {"N", "1"}, two = {"N", "2"},
            both[] = {{"N", "1"}, {"M", "1"}};
  mt_CompileOptions with_one = {.defines = &one, .define_count = 1},
                    with_two = {.defines = &two, .define_count = 1},
                    with_both = {.defines = both, .define_count = 2};
  mt_SourceModule *a = module_of(SMALL, &with_one, NULL),
                  *again = module_of(SMALL, &with_one, NULL),
                  *b = module_of(SMALL, &with_two, NULL),
                  *c = module_of(SMALL, &with_both, NULL);
  assert_ptr_equal(a, again);
  assert_ptr_not_equal(a, b);
  assert_ptr_not_equal(a, c);
  mt_module_release(a);
  mt_module_release(again);
  mt_module_release(b);
  mt_module_release(c);
}

/* What includes a file may be another one the next time. */
static void test_includes(void **state) {
  (void)state;
  mt_CompileOptions o = {.std = "metal3.1"};
  const char *source = "#define N 4\n#include \"metal_stdlib\"\n" SMALL;
  mt_SourceModule *a = module_of(source, &o, NULL),
                  *b = module_of(source, &o, NULL);
  assert_ptr_not_equal(a, b);
  mt_module_release(a);
  mt_module_release(b);
}

/* A warning is in the log, of a source that is compiled again too, if there is
** a log. */
static void test_warnings(void **state) {
  (void)state;
  mt_CompileOptions o = {.std = "metal3.0"};
  const char *source = "#define N 7\n" SMALL;
  mt_SourceModule *m[3];
  mt_Str log = MT_STR_INIT;
  m[0] = module_of(source, &o, NULL);
  m[1] = module_of(source, &o, NULL);
  m[2] = module_of(source, &o, &log);
  assert_ptr_equal(m[0], m[2]);
  assert_non_null(strstr(mt_str_text(&log), "never_read"));
  for (int i = 0; i < 3; i++) mt_module_release(m[i]);
  mt_str_free(&log);
}

static void test_wrong(void **state) {
  (void)state;
  mt_CompileOptions o = {.std = "metal3.0"};
  mt_SourceModule *m = (mt_SourceModule *)&o;
  mt_Str log = MT_STR_INIT;
  assert_int_not_equal(
      mt_module_new(SMALL, strlen(SMALL), &o, NULL, &m, &log, &error), MT_OK);
  assert_null(m);
  mt_str_free(&log);
}

/* ---------------------------------------------------------- large libraries */

#define KERNELS 60

static void write_library(mt_Str *s) {
  mt_str_add(s, "#include <metal_stdlib>\nusing namespace metal;\n");
  for (int k = 0; k < KERNELS; k++) {
    mt_str_addf(s,
                "kernel void kernel_%d(device float *o,\n"
                "  uint i [[thread_position_in_grid]]) {\n"
                "  float x = o[i];\n",
                k);
    for (int n = 0; n < 90; n++)
      mt_str_addf(s, "  x = x * %d.5f + sin(x); /* once more */\n", n);
    mt_str_add(s, "  o[i] = x;\n}\n");
  }
}

static void test_taken(void **state) {
  (void)state;
  mt_CompileOptions o = {.std = NULL};
  mt_Str source = MT_STR_INIT;
  mt_SourceModule *m[4];
  write_library(&source);
  mt_SourceModule *library = module_of(mt_str_text(&source), &o, NULL);
  assert_true(mt_msl_is_signatures_only(library->msl));
  const char *names[] = {"kernel_7", "kernel_9", "kernel_7"};
  for (int i = 0; i < 3; i++) {
    if (mt_module_of(library, names[i], &m[i], &error) != MT_OK)
      fail_msg("%s", error.text);
    assert_non_null(mt_module_kernel(m[i], names[i]));
  }
  assert_ptr_equal(m[0], m[2]);
  assert_ptr_not_equal(m[0], m[1]);
  assert_null(mt_module_kernel(m[0], "kernel_9"));
  assert_int_equal(library->compiles, 2);
  assert_null(library->all);
  /* one that is not there is looked for in all of them, once */
  if (mt_module_of(library, "kernel_99", &m[3], &error) != MT_OK)
    fail_msg("%s", error.text);
  assert_null(mt_module_kernel(m[3], "kernel_99"));
  assert_non_null(mt_module_kernel(m[3], "kernel_9"));
  assert_ptr_equal(m[3], library->all);
  for (int i = 0; i < 4; i++) mt_module_release(m[i]);
  mt_module_release(library);
  mt_str_free(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defines), cmocka_unit_test(test_includes),
      cmocka_unit_test(test_warnings), cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
