/*
** test_msl.c - msl/: sources through the whole front end, and what is known of
** them afterwards.
**
** Guards: msl/: reflection of kernels and their order under a qsort that is not
** stable, templates, constants, textures; places of diagnostics; large sources:
** kernels taken one by one, in batches, from the cache; msl/{compile, kernels,
** memory, plain}.c, msl/clang/header.c, msl/reader/{address_space_overloads,
** functions, parameters}.c, msl/passes/{functions, global_initialisers,
** undefined}.c
*/
#include <dirent.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/files/folders.h"
#include "base/str.h"
#include "devices/compiler/service/source_module.h"
#include "msl/clang/clang.h"
#include "msl/module.h"

#define HEAD "#include <metal_stdlib>\nusing namespace metal;\n"

static mt_MslModule *compile(const char *source) {
  mt_MslModule *m = NULL;
  mt_Error err = {""};
  mt_Status status = mt_msl_compile(source, strlen(source), NULL, &m, &err);
  if (status != MT_OK)
    print_message("# %s\n%s\n", err.text, m ? mt_msl_log(m) : "");
  assert_int_equal(status, MT_OK);
  return m;
}

static const mt_MslKernel *kernel(const mt_MslModule *m, const char *name) {
  const mt_MslKernel *k;
  size_t n = mt_msl_kernels(m, &k);
  for (size_t i = 0; i < n; i++)
    if (strcmp(k[i].name, name) == 0) return &k[i];
  fail_msg("no kernel %s", name);
  return NULL;
}

static void test_parameters(void **state) {
  (void)state;
  mt_MslModule *m = compile(
      HEAD "struct Params { float4 a; uint n; packed_float3 p; half h[2]; "
           "float3x3 m; bool2 b; };\n"
           "kernel void k(device const float *a [[buffer(3)]], "
           "constant Params &p, device uint &n,\n"
           "  threadgroup half4 *t [[threadgroup(1)]], "
           "device atomic_int *c [[buffer(1)]],\n"
           "  uint2 gid [[thread_position_in_grid]], "
           "ushort lane [[thread_index_in_simdgroup]]) {\n"
           "  threadgroup float tile[16][17]; "
           "tile[lane][0] = a[gid.x] + p.n + t[0].x;\n"
           "  n = tile[0][0]; atomic_fetch_add_explicit(c, 1, "
           "memory_order_relaxed); }\n");
  const mt_MslKernel *k = kernel(m, "k");
  assert_int_equal(k->param_count, 7);
  assert_int_equal(k->line, 4);
  assert_int_equal(k->threadgroup_static, 16 * 17 * 4);
  const mt_Param *p = k->params;
  assert_string_equal(p[0].name, "a");
  assert_int_equal(p[0].kind, MT_PARAM_BUFFER);
  assert_int_equal(p[0].index, 3);
  assert_int_equal(p[0].access, MT_READ);
  assert_string_equal(p[0].type->name, "float");
  assert_int_equal(p[1].index, 0); /* implicit: the first that is free */
  assert_true(p[1].constant && p[1].reference);
  assert_int_equal(p[1].type->kind, MT_TYPE_STRUCT);
  assert_int_equal(p[1].type->size, 112);
  assert_int_equal(p[1].type->field_count, 6);
  assert_string_equal(p[1].type->fields[2].name, "p");
  assert_int_equal(p[1].type->fields[2].offset, 20);
  assert_string_equal(p[1].type->fields[2].type->name, "packed_float3");
  assert_int_equal(p[1].type->fields[3].type->kind, MT_TYPE_ARRAY);
  assert_int_equal(p[1].type->fields[3].type->count, 2);
  assert_string_equal(p[1].type->fields[4].type->name, "float3x3");
  assert_string_equal(p[1].type->fields[5].type->name, "bool2");
  assert_int_equal(p[2].index, 2);
  assert_int_equal(p[2].access, MT_READ_WRITE);
  assert_int_equal(p[3].kind, MT_PARAM_THREADGROUP);
  assert_int_equal(p[3].index, 1);
  assert_string_equal(p[3].type->name, "half4");
  assert_int_equal(p[4].type->kind, MT_TYPE_ATOMIC);
  assert_int_equal(p[4].type->scalar, MT_INT);
  assert_int_equal(p[5].kind, MT_PARAM_BUILTIN);
  assert_string_equal(p[5].builtin, "thread_position_in_grid");
  assert_string_equal(p[5].type->name, "uint2");
  assert_string_equal(p[6].type->name, "ushort");
  size_t size;
  assert_non_null(mt_msl_bitcode(m, &size));
  assert_true(size > 100);
  mt_msl_free(m);
}

/* C's qsort need not be stable, and glibc's was for long. This one, which the
** code under test gets, is not: heapsort. */
static void sift(char *a, size_t root, size_t n, size_t size,
                 int (*order)(const void *, const void *)) {
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && order(a + child * size, a + (child + 1) * size) < 0)
      child++;
    if (order(a + root * size, a + child * size) >= 0) return;
    for (size_t k = 0; k < size; k++) {
      char c = a[root * size + k];
      a[root * size + k] = a[child * size + k];
      a[child * size + k] = c;
    }
  }
}

void qsort(void *base, size_t n, size_t size,
           int (*order)(const void *, const void *)) {
  char *a = base;
  for (size_t i = n / 2; i-- > 0;) sift(a, i, n, size, order);
  for (size_t end = n; end-- > 1;) {
    for (size_t k = 0; k < size; k++) {
      char c = a[k];
      a[k] = a[end * size + k];
      a[end * size + k] = c;
    }
    sift(a, 0, end, size, order);
  }
}

/* Instances without a name of their own have one place, the template's. */
static void test_instances_in_order(void **state) {
  (void)state;
  static const char *const types[] = {
      "float", "int", "short", "char", "long", "half", "bfloat", "ulong",
      "float4", "packed_half3", "half2x3"};
  enum { TYPES = sizeof types / sizeof types[0] };
  mt_Str source = MT_STR_INIT;
  mt_str_add(&source,
             HEAD "template <typename T> kernel void twice(device T *x "
                  "[[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
                  "  x[i] += x[i]; }\n");
  for (int i = 0; i < TYPES; i++)
    mt_str_addf(&source,
                "template kernel void twice<%s>(device %s *x, uint i);\n",
                types[i], types[i]);
  mt_MslModule *m = compile(mt_str_text(&source));
  const mt_MslKernel *k;
  assert_int_equal(mt_msl_kernels(m, &k), TYPES);
  for (int i = 0; i < TYPES; i++) {
    char name[40];
    snprintf(name, sizeof name, "twice<%s>", types[i]);
    assert_string_equal(k[i].name, name);
    assert_string_equal(k[i].params[0].type->name, types[i]);
  }
  mt_msl_free(m);
  mt_str_free(&source);
}

static void test_templates(void **state) {
  (void)state;
  mt_MslModule *m = compile(
      HEAD
      "template <typename T> [[kernel]] void scale(device T *x [[buffer(0)]],\n"
      "    uint i [[thread_position_in_grid]]) { x[i] = x[i] * T(2); }\n"
      "template [[host_name(\"scale_f\")]] [[kernel]] void "
      "scale<float>(device float *, uint);\n"
      "template [[host_name(\"scale_h4\")]] [[kernel]] "
      "decltype(scale<half4>) scale<half4>;\n"
      "#define MAKE(N, T) template [[host_name(\"scale_\" #N)]] kernel void "
      "scale<T>(device T *x, uint i);\n"
      "MAKE(int, int)\n"
      "[[max_total_threads_per_threadgroup(64)]] kernel void plain(device "
      "int *x) { x[0] = 1; }\n");
  const mt_MslKernel *all;
  assert_int_equal(mt_msl_kernels(m, &all), 4);
  assert_string_equal(kernel(m, "scale_f")->params[0].type->name, "float");
  assert_string_equal(kernel(m, "scale_h4")->params[0].type->name, "half4");
  assert_string_equal(kernel(m, "scale_int")->params[0].type->name, "int");
  assert_int_equal(kernel(m, "plain")->max_threads, 64);
  mt_msl_free(m);
}

/* Many kernels in one file: each has its own threadgroup memory, and they
** stand in the order of the source, not of their names. */
static void test_many_kernels(void **state) {
  (void)state;
  enum { KERNELS = 300 };
  mt_Str source = MT_STR_INIT;
  mt_str_add(&source, HEAD);
  for (int i = 0; i < KERNELS; i++)
    mt_str_addf(&source,
                "kernel void k%d(device float *a [[buffer(0)]], "
                "uint i [[thread_position_in_grid]]) {\n"
                "  threadgroup float s[%d]; s[i] = a[i]; "
                "a[i] = s[i + 1]; }\n",
                (i * 7) % KERNELS, i + 1);
  mt_MslModule *m = compile(mt_str_text(&source));
  const mt_MslKernel *k;
  assert_int_equal(mt_msl_kernels(m, &k), KERNELS);
  for (int i = 0; i < KERNELS; i++) {
    char name[16];
    snprintf(name, sizeof name, "k%d", (i * 7) % KERNELS);
    assert_string_equal(k[i].name, name);
    assert_int_equal(k[i].threadgroup_static, 4 * (i + 1));
  }
  mt_msl_free(m);
  mt_str_free(&source);
}

static void test_constants(void **state) {
  (void)state;
  mt_MslModule *m = compile(HEAD
      "enum { FLAG = 7 };\n"
      "constant bool flag [[function_constant(FLAG)]];\n"
      "constant float scale [[function_constant(2)]];\n"
      "constant float s = is_function_constant_defined(scale) ? scale : 1.5;\n"
      "kernel void k(device float *x) { if (flag) x[0] = s; }\n");
  const mt_Constant *c;
  assert_int_equal(mt_msl_constants(m, &c), 2);
  assert_string_equal(c[0].name, "flag");
  assert_int_equal(c[0].index, 7);
  assert_string_equal(c[0].type->name, "bool");
  assert_int_equal(c[1].index, 2);
  mt_msl_free(m);
}

static void test_textures(void **state) {
  (void)state;
  mt_MslModule *m = compile(
      HEAD "kernel void k(texture2d<float, access::read> a [[texture(0)]],\n"
           "  texture2d<half, access::write> b [[texture(2)]], texture2d<uint, "
           "access::read_write> c,\n"
           "  sampler s [[sampler(1)]], array<texture2d<float>, "
           "3> many [[texture(4)]],\n"
           "  uint2 g [[thread_position_in_grid]]) { "
           "b.write(half4(a.read(g)), g); }\n");
  const mt_Param *p = kernel(m, "k")->params;
  assert_int_equal(p[0].kind, MT_PARAM_TEXTURE);
  assert_int_equal(p[0].access, MT_READ);
  assert_int_equal(p[1].index, 2);
  assert_int_equal(p[1].access, MT_WRITE);
  assert_int_equal(p[2].access, MT_READ_WRITE);
  assert_int_equal(p[2].index, 1);
  assert_int_equal(p[3].kind, MT_PARAM_SAMPLER);
  assert_int_equal(p[3].index, 1);
  assert_int_equal(p[4].array_count, 3);
  mt_msl_free(m);
}

/* Places are those of the text as typed, also after macros and includes. */
static void test_places(void **state) {
  (void)state;
  static const struct {
    const char *source;
    unsigned line, column;
    const char *words;
    bool warns; /* and compiles */
  } cases[] = {
      {HEAD "kernel void k(device float *x) {\n  x[0] = 1.0 + nothing;\n}\n", 4,
       16, "nothing", false},
      {HEAD "#define ONE 1.0 + 2.0 * 3.0\nkernel void k(device float *x) {\n"
            "  x[0] = ONE + /* c */ nothing;\n}\n", 5, 24, "nothing", false},
      {HEAD
       "kernel void k(device float *x) {\n"
       "  float4 v = float4(x[0], 1, 2, 3, 4); x[0] = v.x;\n}\n", 4, 14,
       "too many elements", false},
      {HEAD "kernel void k(device float *x [[bufer(0)]]) { x[0] = 1; }\n", 3,
       33, "unknown attribute 'bufer'", true},
      {HEAD "kernel void k(float *x) { x[0] = 1; }\n", 3, 21, "address space",
       false},
      {"kernel void k() { /* never ends\n", 1, 19, "unterminated", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    mt_MslModule *m = NULL;
    mt_Error err;
    const mt_Diagnostic *d = NULL;
    assert_int_equal(mt_msl_compile(cases[i].source, strlen(cases[i].source),
                                    NULL, &m, &err),
                     cases[i].warns ? MT_OK : MT_BADARG);
    assert_non_null(m);
    assert_true(mt_msl_diagnostics(m, &d) > 0);
    if (d[0].line != cases[i].line || d[0].column != cases[i].column ||
        !strstr(d[0].message, cases[i].words))
      print_message("# case %zu: %s\n", i, mt_msl_log(m));
    assert_int_equal(d[0].line, cases[i].line);
    assert_int_equal(d[0].column, cases[i].column);
    assert_non_null(strstr(d[0].message, cases[i].words));
    mt_msl_free(m);
  }
}

/* ------------------------------------------- a Clang that was started ahead */

static bool has_children(void) {
  siginfo_t info;
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

#define SMALL                            \
  HEAD "kernel void k(device float *x, " \
       "uint i [[thread_position_in_grid]]) { x[i] = 1; }\n"

/* ---------------------------------------------------------- large libraries */

/* A template with a long body and its instances, then kernels of several
** kinds. */
static void write_large(mt_Str *s, int instances, const char *last) {
  mt_str_add(
      s, HEAD
      "struct Args { int a; float b[3]; packed_float3 c; };\n"
      "constant int STEP [[function_constant(9)]];\n"
      "constant bool FLIP [[function_constant(2)]];\n"
      "template "
      "<typename T, int N> [[max_total_threads_per_threadgroup(N)]] kernel "
      "void grow(device T *x [[buffer(1)]],\n"
      "  constant Args &args [[buffer(4)]], texture2d<half, "
      "access::write> t, threadgroup T *room,\n"
      "  uint i [[thread_position_in_grid]]) {\n"
      "  threadgroup T shelf[N];\n");
  for (int i = 0; i < 30; i++)
    mt_str_addf(s,
                "#pragma unroll\n"
                "  for (int j = 0; j < N; j++) "
                "shelf[j %% N] = x[i + j * %d] * T(args.b[j %% 3]) + "
                "room[j];\n",
                i);
  mt_str_add(s, "  x[i] = shelf[0];\n}\n");
  for (int i = 1; i <= instances; i++)
    mt_str_addf(s,
                "template [[host_name(\"grow_%d\")]] kernel void "
                "grow<float, %d>(device float *, constant Args &,\n"
                "  texture2d<half, access::write>, threadgroup float *, "
                "uint);\n",
                i, i);
  mt_str_addf(s,
              "kernel void %s(device int *x, device int *unused, "
              "uint2 p [[thread_position_in_grid]]) {\n"
              "  threadgroup int both[8]; both[p.x] = STEP; "
              "x[p.x] = FLIP ? -both[p.y] : both[p.y]; }\n",
              last);
}

static void assert_same_kernel(const mt_MslKernel *a, const mt_MslKernel *b) {
  assert_string_equal(a->name, b->name);
  assert_int_equal(a->line, b->line);
  assert_int_equal(a->max_threads, b->max_threads);
  assert_int_equal(a->param_count, b->param_count);
  for (unsigned i = 0; i < a->param_count; i++) {
    const mt_Param *p = &a->params[i], *q = &b->params[i];
    assert_string_equal(p->name, q->name);
    assert_string_equal(p->type->name, q->type->name);
    assert_int_equal(p->type->size, q->type->size);
    assert_int_equal(p->type->field_count, q->type->field_count);
    assert_true(p->kind == q->kind && p->index == q->index &&
                p->access == q->access);
    assert_true(p->constant == q->constant && p->reference == q->reference);
  }
}

static mt_MslModule *survey(const char *source) {
  mt_MslModule *m = NULL;
  mt_Error err = {""};
  mt_MslOptions o = {.signatures_only = true};
  assert_int_equal(mt_msl_compile(source, strlen(source), &o, &m, &err), MT_OK);
  return m;
}

static void assert_taken(const mt_MslModule *from, const mt_MslModule *all,
                         const char *name) {
  mt_MslModule *one = NULL;
  mt_Error err = {""};
  size_t size, most;
  assert_int_equal(mt_msl_take(from, &name, 1, &one, &err), MT_OK);
  const mt_MslKernel *a = kernel(one, name), *b = kernel(all, name);
  assert_same_kernel(a, b);
  assert_int_equal(a->threadgroup_static, b->threadgroup_static);
  for (unsigned i = 0; i < a->param_count; i++)
    assert_int_equal(a->params[i].used, b->params[i].used);
  mt_msl_bitcode(one, &size);
  mt_msl_bitcode(all, &most);
  assert_true(size > 0 && size < most / 4);
  mt_msl_free(one);
}

/* Clang is given the bodies of the kernel that is taken and of those that
** another function names, and no others: it would instantiate what they
** name. */
static void test_bodies_taken(void **state) {
  (void)state;
  mt_Str source = MT_STR_INIT;
  mt_MslModule *one = NULL;
  mt_Error err = {""};
  write_large(&source, 60, "step");
  mt_str_add(&source, "namespace inner { kernel void hidden(device int *x) "
                      "{ x[0] = 501; } }\n"
                      "kernel void named(device int *x) { x[0] = 502; }\n"
                      "kernel void other(device int *x) {\n#pragma unroll\n"
                      "  for (int i = 0; i < 4; i++) x[i] = 503; }\n"
                      "kernel void naming(device int *x) { x[0] = 504; "
                      "named(x); }\n");
  mt_MslModule *m = survey(source.text);
  const char *name = "naming";
  assert_true(mt_msl_is_signatures_only(m));
  if (mt_msl_take(m, &name, 1, &one, &err) != MT_OK) fail_msg("%s", err.text);
  mt_module_wake(one);
  assert_non_null(strstr(one->text.text, "504"));
  assert_non_null(strstr(one->text.text, "502"));
  assert_null(strstr(one->text.text, "503"));
  assert_non_null(kernel(one, name));
  mt_msl_free(one);
  name = "other";
  if (mt_msl_take(m, &name, 1, &one, &err) != MT_OK) fail_msg("%s", err.text);
  mt_module_wake(one);
  assert_non_null(strstr(one->text.text, "503"));
  assert_null(strstr(one->text.text, "504"));
  mt_msl_free(one);
  mt_msl_free(m);
  mt_str_free(&source);
}

static size_t warnings_of_calls(const char *head, const char *calls) {
  mt_Str source = MT_STR_INIT;
  const mt_Diagnostic *d;
  mt_str_addf(&source,
              "%s\nkernel void one(device int *x) { x[0] = 1; }\n"
              "template <typename T> kernel void any(device T *x) { x[0] = 2; }"
              "\ntemplate [[host_name(\"any_int\")]] kernel void "
              "any<int>(device int *);\n"
              "static void both(device int *x) { x[0] = 3; %s }\n"
              "kernel void two(device int *x) { both(x); }\n",
              head, calls);
  mt_MslModule *m = compile(source.text);
  size_t n = mt_msl_diagnostics(m, &d), found = 0;
  for (size_t i = 0; i < n; i++)
    found += d[i].severity == MT_WARNING && strstr(d[i].message, "is a kernel");
  mt_msl_free(m);
  mt_str_free(&source);
  return found;
}

/* The specification does not let functions call kernels. */
static void test_kernels_called(void **state) {
  (void)state;
  static const char *const heads[] = {
      "", "uint gid [[thread_position_in_grid]];",
      ("uint gid [[thread_position_in_grid]]; uint n [[threads_per_grid]]; "
       "kernel void one(device int *x);")};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
    assert_int_equal(warnings_of_calls(heads[i], ""), 0);
    assert_int_equal(warnings_of_calls(heads[i], "one(x);"), 1);
    assert_int_equal(warnings_of_calls(heads[i], "any<int>(x);"), 1);
    assert_int_equal(warnings_of_calls(heads[i], "one(x); any(x);"), 2);
  }
}

static void test_survey(void **state) {
  (void)state;
  mt_Str source = MT_STR_INIT;
  const mt_MslKernel *k, *j;
  const mt_Constant *c, *d;
  size_t size;
  mt_Error err;
  write_large(&source, 60, "step");
  mt_MslModule *all = compile(source.text), *m = survey(source.text),
               *again = NULL;
  assert_false(mt_msl_is_signatures_only(all));
  assert_true(mt_msl_is_signatures_only(m));
  assert_null(mt_msl_bitcode(m, &size));
  size_t n = mt_msl_kernels(m, &k);
  assert_int_equal(n, 61);
  assert_int_equal(mt_msl_kernels(all, &j), n);
  for (size_t i = 0; i < n; i++) assert_same_kernel(&k[i], &j[i]);
  assert_int_equal(mt_msl_constants(m, &c), 2);
  mt_msl_constants(all, &d);
  for (int i = 0; i < 2; i++)
    assert_true(c[i].index == d[i].index && strcmp(c[i].name, d[i].name) == 0);
  assert_taken(m, all, "grow_17");
  assert_taken(m, all, "step");
  const char *absent[] = {"grow_17", "grow_61"};
  assert_int_equal(mt_msl_take(m, absent, 2, &again, &err), MT_FAIL);
  assert_null(again);
  mt_msl_free(m);
  mt_msl_free(all);
  mt_str_free(&source);
}

#define MOST_KEPT 4096

/* The files of modules, as the system knows them: one that is written is
** another. 'spoil': the last byte of each, a nought, is changed. Those that are
** spoilt already are in '*spoilt'. */
static unsigned list_kept(ino_t *files, bool spoil, unsigned *spoilt) {
  char path[4096];
  unsigned n = 0;
  struct dirent *e;
  DIR *d = opendir(mt_dir_cache());
  assert_non_null(d);
  while ((e = readdir(d)) != NULL && n < MOST_KEPT) {
    struct stat s;
    if (strncmp(e->d_name, "made-", 5) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", mt_dir_cache(), e->d_name);
    assert_int_equal(stat(path, &s), 0);
    files[n++] = s.st_ino;
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    assert_int_equal(fseek(f, -1, SEEK_END), 0);
    *spoilt += fgetc(f) == 'x';
    assert_int_equal(fseek(f, -1, SEEK_END), 0);
    if (spoil) fputc('x', f);
    fclose(f);
  }
  closedir(d);
  return n;
}

static unsigned same_files(const ino_t *a, const ino_t *b, unsigned n) {
  unsigned same = 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < n; k++) same += a[i] == b[k];
  return same;
}

static void survey_and_take(const char *source) {
  mt_MslModule *m = survey(source), *one = NULL;
  mt_Error err = {""};
  const mt_MslKernel *k;
  assert_true(mt_msl_is_signatures_only(m));
  assert_int_equal(mt_msl_kernels(m, &k), 201);
  const char *name = "grow_17";
  assert_int_equal(mt_msl_take(m, &name, 1, &one, &err), MT_OK);
  assert_string_equal(kernel(one, "grow_17")->params[1].type->name, "Args");
  mt_msl_free(one);
  mt_msl_free(m);
}

/* The module of 'name'; the caller releases it. */
static mt_SourceModule *module_of(mt_SourceModule *library, const char *name) {
  mt_SourceModule *m = NULL;
  mt_Error err = {""};
  if (mt_module_of(library, name, &m, &err) != MT_OK)
    fail_msg("%s: %s", name, err.text);
  assert_non_null(mt_module_kernel(m, name));
  return m;
}

/* Kernels are taken one by one at first, then with those that follow, then with
** all; one that is wrong stands in no other's way. */
static void test_batches(void **state) {
  (void)state;
  mt_Str source = MT_STR_INIT, log = MT_STR_INIT;
  mt_SourceModule *library = NULL, *wrong = NULL;
  mt_CompileOptions o = {0};
  mt_Error err = {""};
  char name[32];
  const mt_MslKernel *k;
  snprintf(name, sizeof name, "last_%ld", (long)getpid()); /* not kept yet */
  write_large(&source, 120, name);
  mt_str_add(&source, "int endless(int x) { return x < 0 ? 1 "
                      ": endless(x + 1) + endless(x + 2); }\n"
                      "kernel void wrong(device int *x) { "
                      "x[0] = endless(x[0]); }\n");
  assert_int_equal(
      mt_module_new(source.text, source.length, &o, NULL, &library, &log, &err),
      MT_OK);
  assert_true(mt_msl_is_signatures_only(library->msl));
  for (int i = 1; i <= 8; i++) {
    snprintf(name, sizeof name, "grow_%d", i * 2);
    mt_SourceModule *one = module_of(library, name);
    assert_int_equal(mt_msl_kernels(one->msl, &k), 1);
    mt_module_release(one);
  }
  mt_SourceModule *batch = module_of(library, "grow_3"),
                  *same = module_of(library, "grow_21");
  assert_int_equal(mt_msl_kernels(batch->msl, &k), 32);
  assert_ptr_equal(same, batch);
  mt_module_release(batch), mt_module_release(same);
  /* the wrong one is among those after it: Clang makes these once, and one
  ** alone, whose text is not worth keeping */
  ino_t files[MOST_KEPT];
  unsigned spoilt = 0, before = list_kept(files, false, &spoilt);
  batch = module_of(library, "grow_110");
  assert_int_equal(list_kept(files, false, &spoilt), before + 1);
  assert_null(library->all);
  mt_module_release(batch);
  assert_int_not_equal(mt_module_of(library, "wrong", &wrong, &err), MT_OK);
  mt_module_release(module_of(library, "grow_80"));
  mt_module_release(library);
  mt_str_free(&source), mt_str_free(&log);
}

static void test_what_clang_made_is_kept(void **state) {
  (void)state;
  ino_t first[MOST_KEPT], second[MOST_KEPT];
  unsigned spoilt = 0;
  char name[32];
  mt_Str source = MT_STR_INIT;
  snprintf(name, sizeof name, "kept_%ld", (long)getpid());
  write_large(&source, 200, name);
  unsigned before = list_kept(first, false, &spoilt);
  survey_and_take(source.text);
  unsigned n = list_kept(first, false, &spoilt);
  assert_int_equal(n, before + 2); /* the library, and the kernel */
  survey_and_take(source.text);
  assert_int_equal(list_kept(second, true, &spoilt), n);
  assert_int_equal(same_files(first, second, n), n);
  spoilt = 0;
  survey_and_take(source.text); /* damaged ones are made again */
  assert_int_equal(list_kept(second, false, &spoilt), n);
  assert_int_equal(spoilt, before);
  mt_str_free(&source);
}

/* The instructions of a kernel, as the front end leaves them. */
static unsigned count_instructions(const mt_MslModule *m, const char *name) {
  size_t size;
  const char *bitcode = mt_msl_bitcode(m, &size);
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, size, name);
  LLVMModuleRef module = NULL;
  unsigned n = 0;
  assert_int_equal(LLVMParseBitcodeInContext2(context, buffer, &module), 0);
  LLVMDisposeMemoryBuffer(buffer);
  LLVMValueRef f = LLVMGetNamedFunction(module, kernel(m, name)->function);
  assert_non_null(f);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      n++;
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return n;
}

/* LLVM looks for calls that are never reached only where they lead to
** recursion: in a large library nothing else is worth its time. */
static void test_recursion_leaves_others_alone(void **state) {
  (void)state;
#define BESIDE                                                              \
  HEAD "kernel void plain(device int *x, "                                  \
       "uint i [[thread_position_in_grid]]) {\n  int sum = 0;\n"            \
       "  for (int k = 0; k < 9; k++) sum += x[i + k];\n  x[i] = sum; }\n"  \
       "int down(int n, int sum) { return n < 1 ? sum : "
#define LEADING                                                            \
  "int by(int n) { return down(n, 1); }\n"                                 \
  "kernel void tail(device int *x, uint i [[thread_position_in_grid]]) { " \
  "x[i] = by(x[i]); }\n"
  mt_MslModule *none = compile(BESIDE "n; }\n" LEADING),
               *tail = compile(BESIDE "down(n - 1, sum + n); }\n" LEADING);
  assert_int_equal(count_instructions(tail, "plain"),
                   count_instructions(none, "plain"));
  mt_msl_free(none);
  mt_msl_free(tail);
}

/* Their headers are most of the work: it is not done twice. */
static void test_no_survey(void **state) {
  (void)state;
  mt_Str s = MT_STR_INIT;
  mt_str_add(&s, HEAD);
  for (int i = 0; i < 1200; i++)
    mt_str_addf(&s,
                "kernel void a_kernel_with_a_number_%d(device float *x, "
                "uint i [[thread_position_in_grid]]) { x[i] = %d; }\n",
                i, i);
  mt_MslModule *m = survey(SMALL), *many = survey(s.text);
  assert_false(mt_msl_is_signatures_only(m));
  assert_false(mt_msl_is_signatures_only(many));
  mt_msl_free(m);
  mt_msl_free(many);
  mt_str_free(&s);
}

/* Of a source that nothing is kept of. */
static void compile_new(void) {
  static unsigned number;
  char source[512];
  snprintf(source, sizeof source, "%s// %ld, %lld, %u\n", SMALL,
           (long)getpid(), (long long)time(NULL), number++);
  mt_msl_free(compile(source));
}

static void test_ahead_is_taken(void **state) {
  (void)state;
  /* the precompiled headers are there from here on */
  compile_new();
  assert_false(has_children());
  mt_clang_ahead();
  mt_clang_ahead();
  assert_true(has_children());
  compile_new();
  assert_false(has_children());
}

static void test_ahead_of_other_options_waits_on(void **state) {
  (void)state;
  mt_MslOptions safe = {.safe_math = true};
  mt_MslModule *m = NULL;
  mt_Error err;
  mt_clang_ahead();
  assert_int_equal(mt_msl_compile(SMALL, strlen(SMALL), &safe, &m, &err),
                   MT_OK);
  mt_msl_free(m);
  assert_true(has_children());
  const char *wrong = HEAD "kernel void k(device float *x) { y = 1; }\n";
  assert_int_equal(mt_msl_compile(wrong, strlen(wrong), NULL, &m, &err),
                   MT_BADARG);
  assert_non_null(strstr(err.text, "3:34"));
  mt_msl_free(m);
  assert_false(has_children());
}

#ifdef __linux__
/* It has opened its input a second time, by name, and has the precompiled
** headers in memory. */
static void test_ahead_has_loaded_the_headers(void **state) {
  (void)state;
  mt_clang_ahead();
  assert_int_equal(
      system("for child in $(cat /proc/$PPID/task/*/children); do\n"
             "  [ $child = $$ ] && continue\n"
             "  tries=0 input=$(readlink /proc/$child/fd/0)\n"
             "  until ls -l /proc/$child/fd | grep -v ' 0 ->' |\n"
             "      grep -qF \"$input\"; do\n"
             "    tries=$((tries + 1)); [ $tries -lt 600 ] || exit 1\n"
             "    sleep 0.1\n"
             "  done\n"
             "  grep -q '[.]pch$' /proc/$child/maps || exit 2\n"
             "done"),
      0);
  compile_new();
  assert_false(has_children());
}

static void test_ahead_may_have_died(void **state) {
  (void)state;
  mt_clang_ahead();
  assert_int_equal(
      system("for child in $(cat /proc/$PPID/task/*/children); do\n"
             "  [ $child = $$ ] || kill -KILL $child\ndone"),
      0);
  siginfo_t died;
  assert_int_equal(waitid(P_ALL, 0, &died, WEXITED | WNOWAIT), 0);
  compile_new();
  mt_clang_ahead();
  assert_true(has_children());
  compile_new();
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_templates),
      cmocka_unit_test(test_instances_in_order),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_textures),
      cmocka_unit_test(test_many_kernels),
      cmocka_unit_test(test_bodies_taken),
      cmocka_unit_test(test_kernels_called),
      cmocka_unit_test(test_survey),
      cmocka_unit_test(test_batches),
      cmocka_unit_test(test_what_clang_made_is_kept),
      cmocka_unit_test(test_no_survey),
      cmocka_unit_test(test_recursion_leaves_others_alone),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_ahead_is_taken),
      cmocka_unit_test(test_ahead_of_other_options_waits_on),
#ifdef __linux__
      cmocka_unit_test(test_ahead_has_loaded_the_headers),
      cmocka_unit_test(test_ahead_may_have_died),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
