/*
** test_messages.c - msl/words*.c, msl/diagnostics/diagnose.c: messages name
** what the person wrote, and nothing of our headers.
**
** Kernels of tests/msl and kernels/ are spoilt by chance, the same way in every
** run: tokens are left out, doubled, exchanged, replaced by other types,
** functions and numbers. Whatever the compiler says then may contain a name
** with two underscores only if it stands in the source, and no path of a
** header. METTLE_SPOILT=20000 tries so many; METTLE_SEED chooses others.
**
** Guards: msl/diagnostics: likely slips get one message and the help that fits;
** no versions of C++ in messages; kernels that are spoilt by chance, the same
** in every run, and no name of our headers in what is said. METTLE_SPOILT=20000
** tries so many, METTLE_SEED others; msl/diagnostics/{diagnose, hints,
** hints_calls, hints_slips, internal_names, rewrite_bools, rewrite_message}.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "msl/clang/clang.h"
#include "msl/msl.h"
#include "tests/c/find_module.h"
#include "tests/spoilt/source.h"

#define QUICK 200       /* sources in make test */
#define QUICK_SECONDS 20

static unsigned look(const char *what, const char *message, const mt_Str *text,
                     const char *file, unsigned number) {
  const char *inner = message ? inner_name(message, mt_str_text(text)) : NULL;
  if (inner == NULL) return 0;
  print_message("# source %u of %s: '%s' in the %s: %s\n", number, file, inner,
                what, message);
  if (getenv("METTLE_SHOW")) print_message("%s\n", mt_str_text(text));
  return 1;
}

static unsigned try_one(uint64_t seed, unsigned number) {
  mt_Str text = MT_STR_INIT;
  mt_Error err = {""};
  mt_MslModule *m = NULL;
  const char *file = spoilt_source(seed, number, &text);
  if (file == NULL) return 1;
  mt_Status status = mt_msl_compile(text.text, text.length, NULL, &m, &err);
  const mt_Diagnostic *d = NULL;
  size_t n = m ? mt_msl_diagnostics(m, &d) : 0;
  unsigned bad =
      status == MT_OK ? 0 : look("summary", err.text, &text, file, number);
  for (size_t i = 0; i < n; i++)
    bad += look("message", d[i].message, &text, file, number) +
           look("help", d[i].help, &text, file, number) +
           look("place", d[i].file, &text, file, number);
  mt_msl_free(m);
  mt_str_free(&text);
  mt_clang_stay();
  return bad;
}

static void no_inner_names(void **unused) {
  (void)unused;
  const char *many = getenv("METTLE_SPOILT"), *seed = getenv("METTLE_SEED");
  unsigned count = many ? (unsigned)atoi(many) : QUICK, bad = 0, i;
  uint64_t chosen = seed ? strtoull(seed, NULL, 10) : 0;
  time_t begin = time(NULL);
  for (i = 0; i < count && (many || time(NULL) - begin < QUICK_SECONDS); i++)
    bad += try_one(chosen, i);
  print_message("# %u spoilt sources\n", i);
  assert_int_equal(bad, 0);
}

/* The messages that once told of our headers. */
static void known(void **unused) {
  (void)unused;
  assert_string_equal(inner_name("no type named '__color' here", "x"),
                      "__color");
  assert_non_null(inner_name("in metal::__mt::meet<int>", ""));
  assert_non_null(inner_name("undefined _ZZ1kvE1x", ""));
  assert_null(inner_name("unknown type name '__global'", "__global float *x"));
}

/* Texts about which Clang speaks of its languages and their versions. */
static void no_standards(void **unused) {
  static const char head[] =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "#define F(x, ...) int x(__VA_ARGS__)\n"
      "#pragma clang diagnostic warning \"-Weverything\"\n";
  static const char *const texts[] = {
      "F(g) { return 1; }", "struct S { int a; }; S s() { return {.a = 1}; }",
      "int f() { int q[] = {[0] = 1}; return q[0]; }", "struct S { int f[]; };",
      "int f() { return ({ 3; }); }", "int f(int a) { return a ?: 3; }",
      "int f(int n) { switch (n) { case 1 ... 3: return 1; } return 0; }",
      "int f(auto x) { return 1; }", "consteval int f() { return 1; }",
      "int f() { auto l = []<typename T>(T x) { return x; }; return l(1); }",
      "void f() { [[nodiscard]] int z; }", "void f() { __auto_type d = 4; }",
      "template <typename T> requires true void r();", "int f(){return 1i;}",
      "void f() { int q[2]; for (int x; auto y : q) {} }", "enum E : int;",
      "template <typename T> concept C = true;", "int f() { return 0b1'01; }",
      "struct S { int x : 3 = 1; };", "void f() { if consteval {} }",
      "namespace a::inline b {}", "void f() { int a[0]; (void)a; }",
      "int f() { static_assert(true); return 08; }", "#embed \"x\"",
      "using enum X;", "[[likely]] int f();", "[[clang::annotate(1)]] int x;",
      "__declspec(align(3)) int f();", "void f() { co_return; }",
      "#elifdef X\n#endif", "#warning here", "char8_t c = u8'x';",
      "struct S { virtual void f(); };", "void f() { throw 1; }"};
  (void)unused;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    mt_Str text = MT_STR_INIT;
    mt_Error err = {""};
    mt_MslModule *m = NULL;
    const mt_Diagnostic *d = NULL;
    mt_str_addf(&text, "%s%s\nkernel void k() {}\n", head, texts[i]);
    mt_msl_compile(text.text, text.length, NULL, &m, &err);
    size_t n = m ? mt_msl_diagnostics(m, &d) : 0;
    unsigned bad = 0;
    for (size_t k = 0; k < n; k++)
      bad += look("message", d[k].message, &text, texts[i], (unsigned)i);
    mt_msl_free(m);
    mt_str_free(&text);
    assert_int_equal(bad, 0);
    /* what Metal takes */
    if (i == 0) assert_null(strstr(err.text, "error"));
  }
}

/* Headers that are not precompiled are a part of the text that Clang reads:
** what is in them has no place that is told. */
static void no_places_in_headers(void **unused) {
  static const char *const texts[] = {
      "#include <MetalPerformanceShaders/MetalPerformanceShaders.h>\n"
      "int f() { return MPSRayOriginDirection; }\n",
      "#include <MetalPerformanceShaders/MetalPerformanceShaders.h>\n"
      "struct MPSRayOriginDirection { int a; };\n",
      "#include <MetalPerformanceShaders/MetalPerformanceShaders.h>\n"
      "int f(MPSRayOriginDirection r) { return r + r.orign; }\n",
      "#include <MetalPerformanceShaders/MetalPerformanceShaders.h>\n"
      "MPSPackedFloat3 f() { return MPSPackedFloat3(\"a\", 1); }\n"};
  (void)unused;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    mt_Error err = {""};
    mt_MslModule *m = NULL;
    assert_int_equal(
        mt_msl_compile(texts[i], strlen(texts[i]), NULL, &m, &err), MT_BADARG);
    assert_non_null(m);
    if (inner_name(mt_msl_log(m), texts[i])) fail_msg("%s", mt_msl_log(m));
    mt_msl_free(m);
  }
}

/* Slips, what is said of them, in the message or the help, and how many errors
** there are. */
static const struct {
  const char *body, *said, *help;
  unsigned errors;
} slips[] = {
    {"if (i >= n) return\n  y[i] = x[i];", "", "A ; is missing after", 1},
    {"y[i] = x[i;", "expected ']'", "An index stands between two", 1},
    {"for (i in range(10)) { y[i] = 1; }", "", "for (int j = 0; j < n", 1},
    {"for i in range(10): y[i] = 1;", "", "for (int j = 0; j < n", 1},
    {"y = 3 * x;", "'int' and 'float *'", "one element of it", 1},
    {"y = x + y;", "", "one element of it", 1},
    {"y[i] = x;", "", "one element of it", 1},
    {"float a = x; y[i] = a;", "", "one element of it", 1},
    {"y[i] = x(i);", "", "in brackets: x[i]", 1},
    {"y[i] = 2(x[i] + 1);", "", "has a * between", 1},
    {"y[thread_position_in_grid] = 1;", "", "attribute of a parameter", 1},
    {"y[i] = thread_index_in_simdgroup;", "", "thread_index_in_simdgroup]]", 1},
    {"if (i => n) return;", "", "written >=", 1},
    {"if (i =< n) return;", "", "written <=", 1},
    {"if (i <> n) return;", "", "!=", 1},
    {"if (i >= n): return;", "", "No colon", 1},
    {"while i < n { }", "", "while (x > 0)", 1},
    {"y[i] = (x[i] if i < 3 else 2);", "", "condition ? a : b", 1},
    {"float4 a = x[i]; uint4 m = a < 0.5f; y[i] = m.x;", "'bool4'", "", 1},
    {"half3 a = 1; a = (a == a);", "'bool3'", "", 1},
    {"float4 a = 1; a = (a < 2) * a;", "('bool4' and 'float4')", "", 1},
    {"float4 a = 1; a = a * (a != 2.0f);", "('float4' and 'bool4')", "", 1},
    {"int4 a = 1; float4 b = a; y[i] = b.x;", "type 'int4'", "", 1},
    {"int2 a = i; float2 b = a << 2; y[i] = b.x;", "type 'int2'", "", 1},
    {"y[i] = simd_lane_id;", "'simd_lane_id'", "thread_index_in_simdgroup", 1},
    {"simd_quatf q(x[i], 0, 0, 1); y[i] = q.vector.x;\n  simd_quatf r = q;",
     "'simd_quatf'", "no quaternions", 2},
    {"y[i] = lenght(float2(1));", "did you mean 'length'", "", 1},
};

static void check_slip(size_t k) {
  static const char head[] =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void k(device float *x [[buffer(0)]],\n"
      "  device float *y [[buffer(1)]], constant uint &n [[buffer(2)]],\n"
      "  uint i [[thread_position_in_grid]]) {\n  ";
  mt_Str text = MT_STR_INIT;
  mt_Error err = {""};
  mt_MslModule *m = NULL;
  const mt_Diagnostic *d = NULL;
  unsigned errors = 0;
  bool said = false, help = slips[k].help[0] == '\0';
  mt_str_addf(&text, "%s%s\n}\n", head, slips[k].body);
  mt_msl_compile(text.text, text.length, NULL, &m, &err);
  size_t n = m ? mt_msl_diagnostics(m, &d) : 0;
  for (size_t i = 0; i < n; i++) {
    if (d[i].severity != MT_ERROR_SEVERITY) continue;
    errors++;
    said = said || strstr(d[i].message, slips[k].said);
    help = help || (d[i].help && strstr(d[i].help, slips[k].help));
  }
  if (errors != slips[k].errors || !said || !help)
    for (size_t i = 0; i < n; i++)
      print_message("# %s: %s; help: %s\n", slips[k].body, d[i].message,
                    d[i].help ? d[i].help : "none");
  mt_msl_free(m);
  mt_str_free(&text);
  assert_true(said && help);
  assert_int_equal(errors, slips[k].errors);
}

static void known_slips(void **unused) {
  (void)unused;
  for (size_t k = 0; k < sizeof slips / sizeof slips[0]; k++) check_slip(k);
}

static int find(void **unused) {
  return find_module(unused) == 0 && find_files() ? 0 : 1;
}

static int forget(void **unused) {
  (void)unused;
  free_files();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known),
                                     cmocka_unit_test(no_standards),
                                     cmocka_unit_test(no_places_in_headers),
                                     cmocka_unit_test(known_slips),
                                     cmocka_unit_test(no_inner_names)};
  return cmocka_run_group_tests(tests, find, forget);
}
