/*
** test_signatures_only.c - what Clang generates for a large library: for its
** list of kernels nothing but their signatures, for a kernel that is taken what
** it uses. Seen in the modules that are kept on disk (msl/module_cache.c).
**
** Guards: msl/signatures_only.c, msl/reader/strip_kernels.c: of a large library
** Clang generates what is used, and nothing else
*/
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/files/folders.h"
#include "msl/msl.h"

#define KERNELS 60

/* Kernels whose code is in a member and in functions; none
** calls 'no_one_asks'. */
static void write_source(mt_Str *s) {
  mt_str_add(s, "#include <metal_stdlib>\nusing namespace metal;\n"
                "float no_one_asks(float x) { return x + 1; }\n"
                "template <class T> T generic(T x) { return x * 2; }\n");
  for (int k = 0; k < KERNELS; k++) {
    mt_str_addf(s,
                "struct Work_%d_ { float a; float run(float x) const; };\n"
                "float function_%d_(float x);\n"
                "static float behind_%d_(float x) { return x - 1; }\n"
                "kernel void kernel_%d(device float *x, constant Work_%d_ &w,\n"
                "  uint i [[thread_position_in_grid]]) {\n"
                "  x[i] = w.run(x[i]) + function_%d_(x[i]); }\n"
                "float function_%d_(float x) { return generic(x + %d); }\n"
                "float Work_%d_::run(float x) const {\n",
                k, k, k, k, k, k, k, k, k);
    for (int n = 0; n < 80; n++)
      mt_str_addf(s, "  x = x * %d.5f + sin(x) * a; /* once more */\n", n);
    mt_str_addf(s, "  return behind_%d_(x);\n}\n", k);
  }
}

static bool has(const mt_Str *s, const char *word) {
  size_t n = strlen(word);
  for (size_t i = 0; i + n <= s->length; i++)
    if (memcmp(s->text + i, word, n) == 0) return true;
  return false;
}

/* All that is kept, one after the other; returns of how many compilations. */
static unsigned read_kept(mt_Str *out) {
  unsigned count = 0;
  DIR *d = opendir(mt_dir_cache());
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    char path[4096], bytes[4096];
    if (strncmp(e->d_name, "made-", 5) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", mt_dir_cache(), e->d_name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
      mt_str_add_bytes(out, bytes, n);
    fclose(f);
    count++;
  }
  closedir(d);
  return count;
}

static void test_only_what_is_used(void **state) {
  (void)state;
  mt_Str source = MT_STR_INIT, made = MT_STR_INIT;
  mt_MslModule *library = NULL, *one = NULL;
  mt_MslOptions o = {.signatures_only = true};
  mt_Error err = {""};
  const mt_MslKernel *k;
  write_source(&source);
  unsigned before = read_kept(&made);
  mt_str_clear(&made);
  if (mt_msl_compile(source.text, source.length, &o, &library, &err) != MT_OK)
    fail_msg("%s", err.text);
  assert_true(mt_msl_is_signatures_only(library));
  assert_int_equal(mt_msl_kernels(library, &k), KERNELS);
  assert_string_equal(k[3].name, "kernel_3");
  assert_string_equal(k[3].params[1].type->name, "Work_3_");
  /* one Clang, which generated signatures */
  assert_int_equal(read_kept(&made), before + 1);
  assert_true(has(&made, "kernel_3"));
  assert_false(has(&made, "no_one_asks"));
  assert_false(has(&made, "function_3_"));
  assert_false(has(&made, "behind_3_"));
  const char *names[] = {"kernel_3"};
  if (mt_msl_take(library, names, 1, &one, &err) != MT_OK)
    fail_msg("%s", err.text);
  mt_str_clear(&made);
  assert_int_equal(read_kept(&made), before + 2);
  assert_true(has(&made, "function_3_"));
  assert_true(has(&made, "behind_3_"));
  assert_false(has(&made, "function_4_"));
  assert_false(has(&made, "behind_4_"));
  assert_false(has(&made, "no_one_asks"));
  mt_msl_free(one);
  mt_msl_free(library);
  mt_str_free(&source);
  mt_str_free(&made);
}

/* A library of templates, each instantiated for uint, uchar and float. Those
** for uchar are wrong; 'only' is a line of one template. */
static void write_templates(mt_Str *s, const char *only) {
  mt_str_add(s, "#include <metal_stdlib>\nusing namespace metal;\n");
  for (int k = 0; k < KERNELS; k++) {
    mt_str_addf(s,
                "template <class T> kernel void each_%d(device T *x,\n"
                "  uint i [[thread_position_in_grid]]) {\n"
                "  static_assert(sizeof(T) > 1, \"too small for it\");\n",
                k);
    for (int n = 0; n < 60; n++)
      mt_str_addf(s, "  x[i] = x[i] * T(%d) + x[i + %d]; /* again */\n", n, n);
    mt_str_addf(s, "  %s\n}\n", k == 7 ? only : "");
    for (int t = 0; t < 3; t++) {
      static const char *const types[] = {"uint", "uchar", "float"};
      mt_str_addf(s,
                  "template [[host_name(\"each_%d_%s\")]] kernel void "
                  "each_%d<%s>(device %s *, uint);\n",
                  k, types[t], k, types[t], types[t]);
    }
  }
}

static mt_Status take_one(const mt_MslModule *library, const char *name,
                          mt_Error *err) {
  mt_MslModule *one = NULL;
  mt_Status status = mt_msl_take(library, &name, 1, &one, err);
  mt_msl_free(one);
  return status;
}

/* The mistakes of a template are the library's, those of one instance its
** own. */
static void test_instances(void **state) {
  (void)state;
  mt_Str source = MT_STR_INIT;
  mt_MslModule *library = NULL;
  mt_MslOptions o = {.signatures_only = true};
  mt_Error err = {""};
  const mt_MslKernel *k;
  write_templates(&source, "");
  if (mt_msl_compile(source.text, source.length, &o, &library, &err) != MT_OK)
    fail_msg("%s", err.text);
  assert_true(mt_msl_is_signatures_only(library));
  assert_int_equal(mt_msl_kernels(library, &k), 3 * KERNELS);
  assert_string_equal(k[4].name, "each_1_uchar");
  assert_string_equal(k[4].params[0].type->name, "uchar");
  assert_int_equal(take_one(library, "each_1_float", &err), MT_OK);
  assert_int_equal(take_one(library, "each_1_uchar", &err), MT_BADARG);
  assert_non_null(strstr(err.text, "too small for it"));
  assert_int_equal(take_one(library, "each_2_uint", &err), MT_OK);
  mt_msl_free(library);
  mt_str_clear(&source);
  write_templates(&source, "x[i].absent();");
  assert_int_equal(
      mt_msl_compile(source.text, source.length, &o, &library, &err),
      MT_BADARG);
  assert_non_null(strstr(err.text, "uint"));
  mt_msl_free(library);
  mt_str_free(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_only_what_is_used),
                                     cmocka_unit_test(test_instances)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
