/*
** test_module_cache.c - what the front end made of a source is read from disk
** as long as nothing that it was made of has changed, and Clang is not started.
** Clang is a script here that counts its starts.
**
** Guards: msl/module_cache.c, msl/pack.c, msl/clang/source_key.c,
** msl/clang/named_files.c, base/files/cache_entry.c: modules kept on disk, when
** they hold, and the same answers from them
*/
#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "base/files/folders.h"
#include "msl/clang/clang.h"
#include "msl/clang/source_key.h"
#include "msl/msl.h"

#define HEAD "#include <metal_stdlib>\nusing namespace metal;\n"
#define PARTS "struct Parts { float4 a; array<float, 3> b; device int *c; };\n"

static char folder[] = "/tmp/mettle-module-XXXXXX";
static char kept_path[PATH_MAX]; /* the one that a spoilt_ function changes */

static void put(const char *name, const char *text) {
  char path[PATH_MAX];
  mt_Error err = {""};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (mt_file_write(path, text, strlen(text), 0600, &err) != MT_OK)
    fail_msg("%s", err.text);
}

/* How often Clang was started. */
static size_t starts(void) {
  char path[PATH_MAX];
  mt_Str text = MT_STR_INIT;
  size_t n = 0;
  snprintf(path, sizeof path, "%s/starts", folder);
  mt_file_read(path, 0, &text, NULL);
  for (size_t i = 0; i < text.length; i++) n += text.text[i] == '\n';
  mt_str_free(&text);
  return n;
}

static int set_up(void **state) {
  (void)state;
  char script[PATH_MAX + 100], path[PATH_MAX];
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/cache", folder);
  setenv("XDG_CACHE_HOME", path, 1);
  if (mkdir(path, 0700) != 0) return -1;
  snprintf(script, sizeof script,
           "#!/bin/sh\necho >>'%s/starts'\nexec '%s' \"$@\"\n", folder,
           mt_clang_path());
  put("clang", script);
  snprintf(path, sizeof path, "%s/clang", folder);
  setenv("METTLE_CLANG", path, 1);
  return chmod(path, 0700);
}

static int tear_down(void **state) {
  (void)state;
  char command[sizeof folder + 16];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return system(command);
}

/* ------------------------------------------------------------------ helpers */

static mt_MslModule *compile(const char *source, const mt_MslOptions *o) {
  mt_MslModule *m = NULL;
  mt_Error err = {""};
  mt_Status status = mt_msl_compile(source, strlen(source), o, &m, &err);
  if (status != MT_OK) fail_msg("%s", err.text);
  return m;
}

/* Does this compile need Clang? */
static bool needs(const char *source, const mt_MslOptions *o) {
  size_t before = starts();
  mt_msl_free(compile(source, o));
  return starts() > before;
}

static void assert_same_type(const mt_Type *a, const mt_Type *b) {
  assert_string_equal(a->name, b->name);
  assert_int_equal(a->size, b->size);
  assert_int_equal(a->field_count, b->field_count);
  for (unsigned i = 0; i < a->field_count; i++) {
    assert_string_equal(a->fields[i].name, b->fields[i].name);
    assert_int_equal(a->fields[i].offset, b->fields[i].offset);
    assert_same_type(a->fields[i].type, b->fields[i].type);
  }
}

static void assert_same(const mt_MslModule *a, const mt_MslModule *b) {
  const mt_MslKernel *x, *y;
  const mt_Constant *c, *d;
  size_t n = mt_msl_kernels(a, &x), na, nb;
  const void *p = mt_msl_bitcode(a, &na), *q = mt_msl_bitcode(b, &nb);
  assert_int_equal(mt_msl_kernels(b, &y), n);
  for (size_t k = 0; k < n; k++) {
    assert_string_equal(x[k].name, y[k].name);
    assert_string_equal(x[k].function, y[k].function);
    assert_int_equal(x[k].line, y[k].line);
    assert_int_equal(x[k].param_count, y[k].param_count);
    for (unsigned i = 0; i < x[k].param_count; i++) {
      assert_string_equal(x[k].params[i].name, y[k].params[i].name);
      assert_int_equal(x[k].params[i].index, y[k].params[i].index);
      assert_same_type(x[k].params[i].type, y[k].params[i].type);
    }
  }
  n = mt_msl_constants(a, &c);
  assert_int_equal(mt_msl_constants(b, &d), n);
  for (size_t i = 0; i < n; i++) assert_string_equal(c[i].name, d[i].name);
  assert_int_equal(na, nb);
  if (na) assert_memory_equal(p, q, na);
  assert_string_equal(mt_msl_log(a), mt_msl_log(b));
  assert_int_equal(mt_msl_is_signatures_only(a), mt_msl_is_signatures_only(b));
}

/* ------------------------------------------------------------------ answers */

static const char SOURCE[] =
    HEAD PARTS "constant int count [[function_constant(3)]];\n"
    "kernel void one(device Parts *x, constant float3 &y, texture2d<half> t,\n"
    "                uint i [[thread_position_in_grid]]) {\n"
    "  int unused;\n"
    "  x[i].a = count * y.x;\n"
    "}\n"
    "kernel void two(device int *x) { x[0] = 1 / x[1]; }\n";

static void test_same_answers(void **state) {
  (void)state;
  size_t size;
  mt_MslModule *first = compile(SOURCE, NULL);
  size_t before = starts();
  mt_MslModule *again = compile(SOURCE, NULL);
  assert_int_equal(starts(), before);
  assert_same(first, again);
  assert_non_null(strstr(mt_msl_log(again), "unused"));
  const mt_Diagnostic *d;
  assert_int_equal(mt_msl_diagnostics(again, &d), 1);
  assert_int_equal(d[0].line, 7);
  assert_non_null(mt_msl_bitcode(again, &size));
  mt_msl_free(first);
  mt_msl_free(again);
}

/* Places in the source are found without Clang, too. */
static void test_places(void **state) {
  (void)state;
  static const char source[] =
      HEAD "#define TWICE(x) ((x) + (x))\n"
      "kernel void k(device float *x) { x[0] = TWICE(x[1]) * x[2]; }\n";
  mt_MslModule *a = compile(source, NULL), *b = compile(source, NULL);
  for (unsigned column = 1; column < 70; column++) {
    const char *x = NULL, *y = NULL;
    unsigned p = column, q = column;
    size_t length;
    mt_msl_typed(a, &x, 4, &p, &length);
    mt_msl_typed(b, &y, 4, &q, &length);
    assert_int_equal(p, q);
    assert_null(y);
  }
  const mt_Diagnostic *d;
  assert_int_equal(mt_msl_diagnostics(b, &d), 0);
  mt_msl_free(a);
  mt_msl_free(b);
}

static void write_library(mt_Str *s) {
  mt_str_add(s, HEAD "#define TWICE(x) ((x) + (x))\n");
  for (int k = 0; k < 80; k++) {
    mt_str_addf(s, "kernel void k_%d(device float *x) {\n", k);
    for (int n = 0; n < 60; n++)
      mt_str_addf(s, "  x[%d] = TWICE(x[%d]) + %d; /* and again */\n", n, k, n);
    mt_str_add(s, "}\n");
  }
}

static void test_taken(void **state) {
  (void)state;
  mt_Str source = MT_STR_INIT;
  mt_MslOptions o = {.signatures_only = true};
  mt_MslModule *one[2] = {NULL, NULL}, *other = NULL;
  const char *name[] = {"k_7", "k_8"};
  mt_Error err = {""};
  size_t before = 0;
  write_library(&source);
  for (int i = 0; i < 2; i++) {
    before = starts();
    mt_MslModule *library = compile(source.text, &o);
    assert_true(mt_msl_is_signatures_only(library));
    assert_int_equal(mt_msl_take(library, name, 1, &one[i], &err), MT_OK);
    if (i) assert_int_equal(starts(), before);
    if (i) /* another one, of a library that came from disk */
      assert_int_equal(mt_msl_take(library, name + 1, 1, &other, &err), MT_OK);
    mt_msl_free(library);
  }
  assert_true(starts() > before);
  assert_same(one[0], one[1]);
  unsigned column[] = {18, 18};
  for (int i = 0; i < 2; i++) {
    const char *file = NULL;
    size_t length;
    mt_msl_typed(one[i], &file, 500, &column[i], &length);
  }
  assert_int_equal(column[0], column[1]);
  for (int i = 0; i < 2; i++) mt_msl_free(one[i]);
  mt_msl_free(other);
  mt_str_free(&source);
}

/* ---------------------------------------------------------- what is its own */

static void test_options(void **state) {
  (void)state;
  static const char source[] =
      HEAD "#ifndef N\n#define N 1\n#endif\n"
      "kernel void k(device float *x) { x[0] += N; }\n";
  mt_MslDefine define = {"N", "2"}, third = {"N", "3"};
  mt_MslOptions o[] = {
      {.safe_math = true}, {.defines = &define, .define_count = 1},
      {.defines = &third, .define_count = 1}, {.file = "k.metal"},
      {.version = 310}};
  assert_true(needs(source, NULL));
  for (size_t i = 0; i < sizeof o / sizeof *o; i++) {
    assert_true(needs(source, &o[i]));
    assert_false(needs(source, &o[i]));
  }
  assert_false(needs(source, NULL));
}

static void test_included_files(void **state) {
  (void)state;
  char file[PATH_MAX], later[PATH_MAX];
  static const char source[] =
      HEAD "#include \"a.h\"\n"
      "#if __has_include(\"absent.h\")\n#define M 1\n#else\n#define M 2\n"
      "#endif\nkernel void k(device float *x) { x[M] += from_b(); }\n";
  const char *dirs[] = {later};
  snprintf(file, sizeof file, "%s/k.metal", folder);
  snprintf(later, sizeof later, "%s/later", folder);
  assert_int_equal(mkdir(later, 0700), 0);
  mt_MslOptions o = {.file = file, .include_dirs = dirs,
                     .include_dir_count = 1};
  put("a.h", "#include \"b.h\"\n");
  put("later/b.h", "inline float from_b() { return 1; }\n");
  assert_true(needs(source, &o));
  assert_false(needs(source, &o));
  put("later/b.h", "inline float from_b() { return 3; }\n"); /* same length */
  assert_true(needs(source, &o));
  assert_false(needs(source, &o));
  put("b.h", "inline float from_b() { return 5; }\n"); /* found before it */
  assert_true(needs(source, &o));
  put("absent.h", "");
  assert_true(needs(source, &o));
  assert_false(needs(source, &o));
  put("unrelated.h", "");
  assert_false(needs(source, &o));
}

/* Names that only Clang knows, and texts that the time is in. */
static void test_not_kept(void **state) {
  (void)state;
  static const char *const sources[] = {
      "#define NAME <metal_math>\n#include NAME\n"
      "kernel void k(device float *x) { x[0] = 1; }\n",
      "#define S(x) #x\n#if __has_include(S(x.h))\n#endif\n"
      "kernel void k(device float *x) { x[0] = 2; }\n",
      "#define AT __TIME__\n"
      "kernel void k(device float *x) { x[0] = sizeof(AT); }\n"};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    assert_true(needs(sources[i], NULL));
    assert_true(needs(sources[i], NULL));
  }
}

/* ---------------------------------------------------------- what is on disk */

static const char DISK[] = "kernel void disk(device int *x) { x[0] = 7; }\n";

static void find_kept(void) {
  mt_Key key;
  assert_true(mt_source_key(DISK, strlen(DISK), &(mt_MslOptions){.version = 0},
                            NULL, &key));
  assert_true(mt_source_key_path(&key, kept_path, sizeof kept_path));
}

static void test_damaged(void **state) {
  (void)state;
  mt_Str file = MT_STR_INIT;
  mt_Error err = {""};
  assert_true(needs(DISK, NULL));
  find_kept();
  assert_int_equal(mt_file_read(kept_path, 0, &file, &err), MT_OK);
  for (size_t at = 0; at < file.length; at += file.length / 9 + 1) {
    file.text[at] ^= 0x40;
    mt_file_write(kept_path, file.text, file.length, 0600, &err);
    file.text[at] ^= 0x40;
    assert_true(needs(DISK, NULL));
    assert_false(needs(DISK, NULL)); /* it was replaced */
  }
  for (size_t n = 0; n < file.length; n += file.length / 3 + 1) {
    mt_file_write(kept_path, file.text, n, 0600, &err);
    assert_true(needs(DISK, NULL));
    assert_false(needs(DISK, NULL));
  }
  mt_str_free(&file);
}

/* A file that others may write to, or a link, is not believed. */
static void test_not_owned(void **state) {
  (void)state;
  char other[PATH_MAX];
  find_kept();
  assert_false(needs(DISK, NULL));
  assert_int_equal(chmod(kept_path, 0666), 0);
  assert_true(needs(DISK, NULL));
  assert_false(needs(DISK, NULL));
  snprintf(other, sizeof other, "%s/other", folder);
  assert_int_equal(rename(kept_path, other), 0);
  assert_int_equal(symlink(other, kept_path), 0);
  assert_true(needs(DISK, NULL));
}

/* Where nothing can be written, or its place is taken, kernels compile. */
static void test_not_writable(void **state) {
  (void)state;
  find_kept();
  unlink(kept_path);
  assert_int_equal(mkdir(kept_path, 0700), 0);
  assert_true(needs(DISK, NULL));
  assert_true(needs(DISK, NULL));
  assert_int_equal(rmdir(kept_path), 0);
  assert_int_equal(chmod(mt_dir_cache(), 0500), 0);
  assert_true(needs(DISK, NULL));
  bool kept = mt_file_exists(kept_path); /* root may write anywhere */
  assert_int_equal(needs(DISK, NULL), !kept);
  assert_int_equal(chmod(mt_dir_cache(), 0700), 0);
}

static void test_two_at_once(void **state) {
  (void)state;
  pid_t child[4];
  for (int i = 0; i < 4; i++)
    if ((child[i] = fork()) == 0) {
      static const char source[] =
          "kernel void both(device int *x) { x[0] = 8; }\n";
      mt_MslModule *m = NULL;
      mt_Error err;
      _exit(mt_msl_compile(source, strlen(source), NULL, &m, &err) != MT_OK);
    }
  for (int i = 0; i < 4; i++) {
    int status;
    assert_int_equal(waitpid(child[i], &status, 0), child[i]);
    assert_int_equal(status, 0);
  }
  assert_false(needs("kernel void both(device int *x) { x[0] = 8; }\n", NULL));
}

/* The newest stay; half of the limit at least. */
static void test_limit(void **state) {
  (void)state;
  mt_Str source = MT_STR_INIT;
  long long bytes = 0;
  setenv("METTLE_CACHE_MB", "1", 1);
  for (int i = 0; i < 12; i++) {
    mt_str_clear(&source);
    mt_str_addf(&source, "#define UNUSED(x) x\nkernel void k_%d(device int *x)"
                         " { x[0] = %d; }\n", i, i);
    for (int n = 0; n < 3000; n++)
      mt_str_addf(&source, "constant int number_%d_of_%d = %d;\n", n, i, n);
    mt_msl_free(compile(source.text, NULL));
  }
  assert_false(needs(source.text, NULL));
  unsetenv("METTLE_CACHE_MB");
  DIR *d = opendir(mt_dir_cache());
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    char path[PATH_MAX + 300];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s", mt_dir_cache(), e->d_name);
    if (strncmp(e->d_name, "made-", 5) == 0 && stat(path, &s) == 0)
      bytes += s.st_size;
  }
  if (d) closedir(d);
  assert_true(bytes > 1 << 17 && bytes < 3 << 19);
  mt_str_free(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_answers),   cmocka_unit_test(test_places),
      cmocka_unit_test(test_taken),          cmocka_unit_test(test_options),
      cmocka_unit_test(test_included_files), cmocka_unit_test(test_not_kept),
      cmocka_unit_test(test_damaged),        cmocka_unit_test(test_not_owned),
      cmocka_unit_test(test_not_writable),   cmocka_unit_test(test_two_at_once),
      cmocka_unit_test(test_limit)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
