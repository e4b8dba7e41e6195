/*
** test_reader.c - msl/reader/lex.c, msl/reader*.c: what is rewritten and how,
** places through edits, and that no text whatever breaks it. The texts of
** tests/msl are cut after one token in twelve, with METTLE_TESTS=all in three.
**
** Guards: msl/reader/lex.c, msl/reader/: what is rewritten, broken, big and
** scrambled texts; msl/reader/{bools, comparisons, functions, parameters,
** reader, spaces, splats, step, storage, types}.c
*/
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "msl/reader/reader.h"
#include "tests/c/all_tests.h"

/* The text after the reader; NULL if it cannot be taken apart. */
static char *rewrite(const char *source, size_t length, bool spaces) {
  mt_Lex lex;
  mt_LexError bad;
  mt_Reading reading = {0};
  mt_Str out = MT_STR_INIT;
  char *text = NULL;
  if (mt_lex_read(&lex, source, length, &bad) == MT_OK) {
    assert_int_equal(mt_reader_run(&lex, spaces, &reading), MT_OK);
    mt_lex_write(&lex, &out);
    for (size_t i = 0; i <= out.length; i += 7)
      assert_true(mt_lex_origin(&lex, (uint32_t)i) <= length);
    text = strdup(mt_str_text(&out));
  } else
    assert_non_null(bad.message);
  mt_reading_free(&reading);
  mt_str_free(&out);
  mt_lex_free(&lex);
  return text;
}

/* The same with nothing readable past the text: one byte too far is a
** crash. */
static void rewrite_at_edge(const char *source, size_t length, bool spaces) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE),
         room = (length + page - 1) / page * page;
  char *memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANON, -1, 0);
  assert_true(memory != MAP_FAILED);
  assert_int_equal(mprotect(memory + room, page, PROT_NONE), 0);
  char *text = memory + room - length;
  memcpy(text, source, length);
  free(rewrite(text, length, spaces));
  munmap(memory, room + page);
}

/* Without runs of spaces. */
static char *squeeze(char *s) {
  char *out = s;
  for (char *p = s; *p; p++)
    if (*p != ' ' || (out > s && out[-1] != ' ')) *out++ = *p;
  while (out > s && out[-1] == ' ') out--;
  *out = '\0';
  return s;
}

static void test_rewriting(void **state) {
  (void)state;
  static const struct {
    const char *from, *to;
  } cases[] = {
      {"void f() { float4 v = float4(a.xy, 0, 1.0); }",
       "void f() { float4 v = __msl_mk<float4>(a.xy, 0, 1.0f); }"},
      {"void f() { float2 v(1, 2); }",
       "void f() { float2 v = __msl_mk<float2>(1, 2); }"},
      {"void f() { x = (half3)y * 2; }",
       "void f() { x = __msl_cast<half3>{}->*y * 2; }"},
      {"void f() { x = static_cast<uint2>(y); }",
       "void f() { x = __msl_mk<uint2>(y); }"},
      {"void f() { x = static_cast<device uint *>(y); }",
       "void f() { x = static_cast< uint *>(y); }"},
      {"void f() { x = 1e-3 + 2.h + 3h + 0x1f + 0x1.8p1 + .5 + 1u; }",
       "void f() { x = 1e-3f + 2.f16 + 3.0f16 + 0x1f + 0x1.8p1f + .5f + 1u; }"},
      {"void f(device const float *a, constant int &n) {}",
       "void f( const float *a, const int &n) {}"},
      {"void f() { threadgroup float t[4][5]; }",
       "void f() { static __attribute__((section(\".msl.threadgroup\"))) "
       "float t[4][5]; }"},
      {"void f() { threadgroup float *p = q; }", "void f() { float *p = q; }"},
      {"constant float w[2] = {1.0, 2};", "const float w[2] = {1.0f, 2};"},
      {"void f() { constant float w = 2; }",
       "void f() { const static float w = 2; }"},
      {"template <typename T> T f(T a) { return T(2) * vec<T, 2>(a).x; }",
       "template <typename T> T f(T a) { "
       "return __msl_mk<T>(2) * __msl_mk<__msl_vec_of<T, 2>>(a).x; }"},
      {"void f() { \"float4(1.0)\"; /* float4(1.0) */ } // 1.0",
       "void f() { \"float4(1.0)\"; /* float4(1.0) */ } // 1.0"},
      {"void f() { R\"x(float4(1.0) )\" )x\"; }",
       "void f() { R\"x(float4(1.0) )\" )x\"; }"},
      /* at the very end of a text */
      {"R\"(a)\"", "R\"(a)\""},
      {"R\"xy(a)x\")xy\"", "R\"xy(a)x\")xy\""},
      {"void f(thread int &a) {}\nvoid f(device int &a) {}",
       "void f( int &a) {}\n"},
      {"struct S { float4 operator()(float4 a) const thread { return a; } };",
       "struct S { float4 operator()(float4 a) const { return a; } };"},
      /* a parameter's type, also one without a name, is no bool */
      {"float f(const float4 c[2], float);\n"
       "void g() { const float v = 1; f(c, v); }",
       "float f(const float4 c[2], float);\n"
       "void g() { const float v = 1; f(c, v); }"},
      {"void g() { const float u = 1, v = 2; f(u, v); }",
       "void g() { const float u = 1, v = 2; f(u, v); }"},
      {"void g() { const bool u = 1, v = a; f(1, v); }",
       "void g() { const bool u = 1, v = a; f(1, __msl_same( v)); }"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *got = rewrite(cases[i].from, strlen(cases[i].from), false);
    assert_non_null(got);
    assert_string_equal(squeeze(got), cases[i].to);
    free(got);
  }
}

static void test_broken_texts(void **state) {
  (void)state;
  static const char *const texts[] = {
      "/* never", "\"never", "'a", "R\"(never",
      "R\"aaaaaaaaaaaaaaaaaaaaaaaaaaaa(", "void f() { \"a\nb\" }",
      "#define X \"", "kernel", "kernel void", "kernel void k(",
      "kernel void k(device", "kernel void k(device float *x [[", "[[", "[[]]",
      "template <", "template <typename", "template", "vec<", "vec<bool,",
      "float4(", "(float4)", "static_cast<", "threadgroup", "constant",
      "constant int x [[function_constant(", "}}}}", "((((", "{{{{", "]]",
      ">>>>", "\\", "#", "# ", "is_function_constant_defined(", "operator",
      "using x =", "typedef", "device", "::", "coherent(", "x[[buffer(0)]]"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    free(rewrite(texts[i], strlen(texts[i]), false));
    free(rewrite(texts[i], strlen(texts[i]), true));
  }
  free(rewrite("a\0b", 3, false));
  free(rewrite("", 0, false));
}

static void test_big_texts(void **state) {
  (void)state;
  size_t n = 10u << 20;
  char *s = malloc(n);
  static const char part[] = "kernel void k(device float *x [[buffer(0)]]) { "
                             "x[0] = float2(1.0, x[1]).x; }\n";
  for (size_t i = 0; i < n; i++) s[i] = part[i % (sizeof part - 1)];
  free(rewrite(s, n, false));
  static const char open[] = "([{<";
  for (size_t k = 0; k < 4; k++) { /* deep nesting */
    memset(s, open[k], 100000);
    free(rewrite(s, 100000, false));
  }
  free(s);
}

/* Every source of the tests, ending after one of its tokens after the other
** (each third, to be quick). */
static void test_cut_texts(void **state) {
  (void)state;
  glob_t sources;
  assert_int_equal(glob("tests/msl/*/*.metal", 0, NULL, &sources), 0);
  uint32_t step = all_tests() ? 3 : 12;
  size_t cuts = 0;
  for (size_t s = 0; s < sources.gl_pathc; s++) {
    mt_Str text = MT_STR_INIT;
    mt_Lex lex;
    mt_LexError bad;
    mt_Error err;
    assert_int_equal(mt_file_read(sources.gl_pathv[s], 1u << 20, &text, &err),
                     MT_OK);
    if (mt_lex_read(&lex, mt_str_text(&text), text.length, &bad) == MT_OK)
      for (uint32_t i = s % step; i < lex.count; i += step, cuts++)
        rewrite_at_edge(mt_str_text(&text),
                        lex.tokens[i].at + lex.tokens[i].length, cuts % 2);
    mt_lex_free(&lex);
    mt_str_free(&text);
  }
  globfree(&sources);
  assert_true(cuts > 30000 / step);
  rewrite_at_edge("void f() { __asm(\"a", 19, false);
  rewrite_at_edge("void f() { __asm(", 17, false);
  rewrite_at_edge("v.rgbar", 7, true);
}

/* Cut, doubled and scrambled pieces of a kernel; the same ones every time. */
static void test_scrambled_texts(void **state) {
  (void)state;
  static const char seed[] =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "constant int N [[function_constant(1)]];\n"
      "template <typename T, int M> struct S { T v[M]; "
      "T get(uint i) const device { return v[i]; } };\n"
      "template <typename T> [[kernel, "
      "max_total_threads_per_threadgroup(64)]] void k(device T *x "
      "[[buffer(0)]],\n"
      "  constant S<T, 4> &s [[buffer(1)]], "
      "uint2 g [[thread_position_in_grid]]) {\n"
      "  threadgroup T t[4][5]; vec<T, 2> a = {x[0], T(1.0h)}; "
      "auto f = [&](T y) -> T { return (T)y; };\n"
      "  for (int i = 0; i < N; ++i) { "
      "t[i][0] = f(static_cast<T>(x[i] * 0.5)) + h({1, 2}); }\n"
      "  if (is_function_constant_defined(N)) "
      "x[g.x] = as_type<float>(1u) > 2.0 ? T(a.x) : t[0][0];\n}\n"
      "template [[host_name(\"k_f\")]] [[kernel]] void k<float>(device "
      "float *, constant S<float, 4> &, uint2);\n";
  char text[2 * sizeof seed];
  uint32_t random = 12345;
  for (int round = 0; round < 4000; round++) {
    size_t n = sizeof seed - 1;
    memcpy(text, seed, n);
    for (int edit = 0; edit < 1 + round % 5; edit++) {
      random = random * 1664525u + 1013904223u;
      size_t at = (random >> 8) % n, length = 1 + (random >> 4) % 20;
      if (at + length > n) length = n - at;
      switch (random % 4) {
        case 0:
          memmove(text + at, text + at + length, n - at - length), n -= length;
          break;
        case 1: text[at] = (char)(random >> 16); break;
        case 2: text[at] = "(){}[]<>;,\"'*&#\\"[(random >> 20) % 16]; break;
        default:
          if (n + length > sizeof text) break;
          memmove(text + at + length, text + at, n - at), n += length;
      }
      if (n == 0) break;
    }
    rewrite_at_edge(text, n, round % 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rewriting), cmocka_unit_test(test_broken_texts),
      cmocka_unit_test(test_big_texts), cmocka_unit_test(test_cut_texts),
      cmocka_unit_test(test_scrambled_texts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
