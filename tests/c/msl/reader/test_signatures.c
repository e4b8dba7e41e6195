/*
** test_signatures.c - msl/reader/macros.h and msl/reader/signatures.h: macros,
** conditions and kernels' headers without a compiler. What Clang makes of the
** same is compared in tests/metal/signatures.lua; here is what the standard's
** own examples and hostile texts give.
**
** Guards: msl/reader/macros*.c, msl/reader/signatures.c: the standard's
** examples of macros, conditions that only a compiler can decide, hostile
** texts; msl/reader/name_closure.c: which kernels may log
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "msl/reader/macros.h"
#include "msl/reader/signatures.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* Without what separates tokens. */
static char *squeezed(const char *s) {
  char *out = malloc(strlen(s) + 1), *to = out;
  for (; *s; s++)
    if (*s != ' ' && *s != '\n') *to++ = *s;
  *to = '\0';
  return out;
}

static void expect(const char *text, const char *wanted) {
  mt_Str out = MT_STR_INIT;
  mt_MslDefine given[] = {{"GIVEN", "3"}, {"EMPTY", ""}};
  mt_Status status = mt_macros_expand(text, strlen(text), given, 2, &out);
  char *a = squeezed(mt_str_text(&out)), *b = squeezed(wanted ? wanted : "");
  if (wanted == NULL) assert_int_equal(status, MT_FAIL);
  else {
    assert_int_equal(status, MT_OK);
    assert_string_equal(a, b);
  }
  free(a), free(b);
  mt_str_free(&out);
}

static void test_macros(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"#define A 1\nA A", "1 1"},
      {"#define A B\n#define B C\nA", "C"},
      {"#define A A + B\n#define B A\nA", "A + A"},
      /* a ( may follow a directive */
      {"#define F(x) x x\nF(a) F (b) F", "a a b b F " MT_DOUBT},
      {"#define F(x, y) y x\nF((a, b), c)", "c (a, b)"},
      {"#define F() z\nF() F( )", "z z"},
      {"#define F(x) #x\nF(a + \"b\\n\")", "\"a + \\\"b\\\\n\\\"\""},
      {"#define CAT(a, b) a ## b\nCAT(x, 1) CAT(, y) CAT(z, )", "x1 y z"},
      {"#define G(a, ...) a(__VA_ARGS__)\nG(f, 1, 2) G(f)", "f(1, 2) f()"},
      {"#define G(a, ...) f(a, ##__VA_ARGS__)\nG(1) G(1, 2)", "f(1) f(1, 2)"},
      {"#define A(x) B(x)\n#define B(x) x\nA(A(1))", "1"},
      {"#define A F\n#define F(x) <x>\nA(1)", "<1>"},
      {"#define A 1\n#undef A\nA", "A"},
      {"#define LONG a, \\\n  b\nf(LONG)", "f(a, b)"},
      {"#define X (4)\nX", "(4)"},
      {"GIVEN EMPTY .", "3 ."},
      /* from the C standard, 6.10.3.5 */
      {"#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n"
       "#define g f\n#define z z[0]\n#define h g(~\n"
       "#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n"
       "#define q(x) x\n#define r(x,y) x ## y\n"
       "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1); "
       "g(x+(3,4)-w) | h 5) & m (f)^m(m); p() i[q()] = { "
       "q(1), r(2,3), r(4,), r(,5), r(,) };",
       "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); "
       "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);"
       " int i[] = { 1, 23, 4, 5, };"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) expect(cases[i][0], cases[i][1]);
}

static void test_conditions(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"1", "yes"}, {"0", "no"}, {"GIVEN == 3", "yes"},
      {"defined GIVEN && !defined(OTHER)", "yes"}, {"OTHER", "no"},
      {"1 + 2 * 3 == 7", "yes"}, {"(1 << 4) >> 2 == 4", "yes"},
      {"GIVEN >= 4 || GIVEN <= 2", "no"}, {"1 ? 0 : 1", "no"},
      {"0x10 == 16u", "yes"}, {"-1 < 0", "yes"}, {"~0 == -1", "yes"},
      {"7 % 4 == 3", "yes"}, {"true", "yes"},
      {"0 && __METAL_VERSION__ > 300", "no"},
      {"1 || __has_include(<x>)", "yes"}, {"defined __METAL_VERSION__", "yes"},
      {"__METAL_VERSION__ >= 300", "yes no"}, {"__has_include(<x>)", "yes no"},
      {"1 / 0", "yes no"}, {"defined(__clang__)", "yes no"},
      /* what is not known matters no more */
      {"defined(__clang__) && 0", "no"}, {"0 && defined __clang__", "no"},
      {"defined __clang__ || 1", "yes"}, {"!defined(__clang__) || 1", "yes"},
      {"defined(__clang__) || 0", "yes no"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    mt_Str text = MT_STR_INIT;
    mt_str_addf(&text, "#if %s\nyes\n#else\nno\n#endif\n", cases[i][0]);
    expect(mt_str_text(&text), cases[i][1]);
    mt_str_free(&text);
  }
  expect("#if 0\na\n#elif GIVEN\nb\n#elif 1\nc\n#else\nd\n#endif", "b");
  expect("#if 0\n#if 1\na\n#else\nb\n#endif\n#endif\nc", "c");
  expect("#ifndef __X_H__\n#define __X_H__\na\n#endif\n#ifndef __X_H__\nb\n"
         "#endif",
         "a");
  expect("f(\n#if __METAL_VERSION__ > 1\na\n#endif\n)",
         "f( " MT_DOUBT " a " MT_DOUBT ")");
  expect("#if __METAL_VERSION__ > 1\n#define A 1\n#endif\nA", MT_DOUBT " 1");
}

static void test_hostile(void **state) {
  (void)state;
  expect("#define F(x) x\nF(1", NULL);
  expect("#if __METAL_VERSION__ > 1\nf() {\n#else\ng() {\n#endif\n}", NULL);
  expect("#define A B B\n#define B C C\n#define C D D D D\nA",
         "D D D D D D D D D D D D D D D D");
  mt_Str text = MT_STR_INIT; /* doubles forty times */
  for (int i = 0; i < 40; i++)
    mt_str_addf(&text, "#define A%d A%d A%d\n", i, i + 1, i + 1);
  mt_str_add(&text, "A0\n");
  expect(mt_str_text(&text), NULL);
  mt_str_clear(&text);
  mt_str_add(&text, "#if ");
  for (int i = 0; i < 100000; i++) mt_str_add(&text, "1?");
  mt_str_add(&text, "\na\n#endif\n");
  expect(mt_str_text(&text), "a");
  mt_str_free(&text);
}

/* "name:form" of each parameter, or "?" */
static void expect_kernel(const char *source, const char *name,
                          const char *wanted) {
  mt_Signatures *s = mt_signatures_read(source, strlen(source), NULL, 0);
  const mt_ReadKernel *k = mt_signatures_find(s, name);
  mt_Str said = MT_STR_INIT;
  if (k == NULL) mt_str_add(&said, "?");
  for (uint32_t i = 0; k && i < k->count; i++)
    mt_str_addf(&said, "%s%s:%s", i ? " " : "", k->params[i].name,
                k->params[i].form);
  assert_string_equal(mt_str_text(&said), wanted);
  mt_str_free(&said);
  mt_signatures_free(s);
}

static void test_kernels(void **state) {
  (void)state;
  expect_kernel("kernel void k(device float *a, constant int &n) {}", "k",
                "a:pointer n:reference");
  expect_kernel("kernel void k(device float *a, constant int &n) {}", "j", "?");
  expect_kernel("kernel void k(device float *, constant int &n) {}", "k",
                "argument0:pointer n:reference");
  expect_kernel("namespace a { kernel void k(device int *x) {} }", "a::k",
                "x:pointer");
  expect_kernel("[[host_name(\"h\")]] kernel void k(device int *x) {} "
                "kernel void h2(device int *y) {}",
                "h", "x:pointer");
  expect_kernel("template<class T> kernel void k(device T *x) {} "
                "template [[host_name(\"f\")]] kernel void k<float>(device "
                "float *);",
                "f", "x:pointer");
  expect_kernel("namespace n { template<class T> kernel void k(device T *x) "
                "{} }\n"
                "template [[host_name(\"f\")]] kernel decltype(n::k<int>) "
                "n::k<int>;",
                "f", "x:pointer");
  expect_kernel("template<class T> kernel void k(device T *x) {} "
                "template kernel void k<int>(device int *);",
                "k<int>", "x:pointer");
  expect_kernel("#define K k\nkernel void K(texture2d<float> t, sampler s) {}",
                "k", "t:value s:value");
  /* two that differ: which one is meant? */
  expect_kernel("#if __METAL_VERSION__ > 300\n"
                "kernel void k(device int *x, device int *y) {}\n#else\n"
                "kernel void k(device int *y, device int *x) {}\n#endif",
                "k", "?");
  expect_kernel("#if __METAL_VERSION__ > 300\n"
                "#define HEAD kernel void k(device int *x)\n#else\n"
                "#define HEAD kernel void k()\n#endif\nHEAD {}",
                "k", "?");
}

/* The types of the kernel's parameters, and after a '/' those of elements. */
static void expect_types(const char *source, const char *name,
                         const char *wanted) {
  mt_Signatures *s = mt_signatures_read(source, strlen(source), NULL, 0);
  const mt_ReadKernel *k = mt_signatures_find(s, name);
  mt_Str said = MT_STR_INIT;
  assert_non_null(k);
  for (uint32_t i = 0; i < k->count; i++) {
    mt_Str type = MT_STR_INIT, element = MT_STR_INIT;
    bool known = mt_signatures_type(s, name, i, false, &type);
    assert_true(mt_signatures_type(s, name, i, true, &element) == known);
    mt_str_addf(&said, "%s%s", i ? "; " : "",
                known ? mt_str_text(&type) : "?");
    if (strcmp(mt_str_text(&type), mt_str_text(&element)))
      mt_str_addf(&said, "/%s", mt_str_text(&element));
    mt_str_free(&type), mt_str_free(&element);
  }
  assert_string_equal(mt_str_text(&said), wanted);
  mt_str_free(&said);
  mt_signatures_free(s);
}

/* Arguments of a template are put in the place of its parameters, whatever the
** letters of these are; members keep their names. */
static void test_types(void **state) {
  (void)state;
  expect_types("template <class T, int N> kernel void k(device T *x, "
               "constant array<T, N> &y, device N::T *z, "
               "device vec< T,N > *v, unsigned  int w) {} "
               "template [[host_name(\"f\")]] kernel void k<float, 4>("
               "device float *, constant array<float, 4> &, device N::T *, "
               "device vec<float, 4> *, unsigned int);",
               "f",
               "float; array<float, 4>/float; T; vec<float, 4>; unsigned int");
  expect_types("template <class A, class Z, class a, class z, class _, "
               "class A0Z9_az> kernel void k(device A *x, device Z *y, "
               "device a *b, device z *c, device _ *d, device A0Z9_az *e, "
               "device A0 *g, device AZ *h, device aA *i) {} "
               "template [[host_name(\"f\")]] kernel void k<int, uint, half, "
               "char, bool, float>(device int *);",
               "f", "int; uint; half; char; bool; float; A0; AZ; aA");
  expect_types("template <class T, class U = T, int N = 3> kernel void k("
               "device U *x, constant array<metal::atomic<U>, N> &y) {} "
               "template [[host_name(\"f\")]] kernel void k<int, short>("
               "device short *); "
               "template [[host_name(\"g\")]] kernel void k<int>();",
               "f",
               "short; array<metal::atomic<short>, 3>/atomic<short>");
  expect_types("template <class T, int N> kernel void k(device T *x, "
               "constant array<int, N> &y, device int *z) {} "
               "template [[host_name(\"f\")]] kernel void k<float>();",
               "f", "float; ?; int");
  expect_types("kernel void k(device N::A *x, constant ::B &y, T z) {}", "k",
               "A; B; T");
}

/* A kernel that stands there twice is known if nothing of its parameters
** differs. */
static void test_twice(void **state) {
  (void)state;
  static const char first[] = "device int *x [[buffer(0)]], uint i "
                              "[[thread_position_in_grid]]";
  static const char *const others[] = {
      first,
      "device int *y [[buffer(0)]], uint i [[thread_position_in_grid]]",
      "device int &x [[buffer(0)]], uint i [[thread_position_in_grid]]",
      "constant int *x [[buffer(0)]], uint i [[thread_position_in_grid]]",
      "device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]",
      "device int *x [[id(0)]], uint i [[thread_position_in_grid]]",
      "device int *x [[buffer(1)]], uint i [[thread_position_in_grid]]",
      "device int *x, uint i [[thread_position_in_grid]]",
      "device const int *x [[buffer(0)]], uint i [[thread_position_in_grid]]",
      "device int *x [[buffer(0)]], uint i [[thread_index_in_simdgroup]]",
      "device int *x [[buffer(0)]]"};
  for (size_t i = 0; i < COUNT(others); i++) {
    char text[600];
    snprintf(text, sizeof text, "kernel void k(%s) {} kernel void k(%s) {}",
             first, others[i]);
    expect_kernel(text, "k", i ? "?" : "x:pointer i:value");
  }
}

/* Which kernels may log; 'f' is the one that is asked for. */
static bool logs(const char *text) {
  mt_Signatures *s = mt_signatures_read(text, strlen(text), NULL, 0);
  bool yes = mt_signatures_logs(s, "f");
  mt_signatures_free(s);
  return yes;
}

#define SAY "metal::os_log_default.log_info(\"%d\", 1);"
#define OTHER " kernel void g(device int *a) { " SAY " }"

static void test_logs(void **state) {
  (void)state;
  static const char *const talk[] = {
      "kernel void f() { " SAY " }",
      "void say() { " SAY " } kernel void f() { say(); }",
      /* later in the text */
      "kernel void f(); void b(); void a() { b(); } void b() { " SAY
      " } kernel void f() { a(); }",
      "#define SAY() " SAY "\nkernel void f() { SAY() }",
      "#if __METAL_VERSION__ >= 320\n#define SAY(x) os_log_default.log(x)\n"
      "#else\n#define SAY(x)\n#endif\nkernel void f() { SAY(\"a\"); }",
      "constant metal::os_log mine(\"a\", \"b\"); "
      "kernel void f() { mine.log_info(\"x\"); }",
      "typedef metal::os_log L; constant L mine = L(\"a\", \"b\"); "
      "kernel void f() { mine.log(\"x\"); }",
      "using L = metal::os_log; kernel void f() { "
      "L(\"a\", \"b\").log(\"x\"); }",
      "struct D { void note() { " SAY " } }; kernel void f() { D().note(); }",
      "struct D { void note() { " SAY " } } d; kernel void f() { d.note(); }",
      "struct D { void note(); }; void D::note() { " SAY
      " } kernel void f(device int *a) { D d; d.note(); }",
      "namespace n { namespace { template <class T> T say(T x) { " SAY
      " return x; } } } kernel void f() { n::say(1); }",
      "struct A {}; A operator+(A a, A) { " SAY
      " return a; } kernel void f() { A() + A(); }",
      "auto say = [] { " SAY " }; kernel void f() { say(); }",
      "template <class T> void say() { " SAY
      " } template <> void say<int>() {} kernel void f() { "
      "say<int>(); }",
      "template <class T> kernel void k(device T *a) { " SAY
      " } template [[host_name(\"f\")]] kernel void "
      "k<int>(device int *);",
      "[[host_name(\"f\")]] kernel void k(device int *a) { a[0] = 1; " SAY " }",
      "extern \"C\" { void say() { " SAY " } kernel void f() { say(); } }",
      "void say(int a = 0) { " SAY
      " } constant int t[] = {1, 2}; struct B { int x; } b; "
      "kernel void f() { say(); }",
  };
  static const char *const silent[] = {
      "kernel void f() {}",
      "kernel void f(device int *a) { a[0] = 1; }" OTHER,
      OTHER "kernel void f(device int *a) { a[0] = 1; }",
      "kernel void f(device int *a) { a[0] = 1; } // os_log\n",
      "constant char s[] = \"os_log\"; kernel void f() {}" OTHER,
      "int twice(int x) { return 2 * x; } void say() { " SAY
      " } kernel void f() { twice(1); }",
      "template <class T> T twice(T x) { return x; "
      "} kernel void f() { twice(1); }" OTHER,
      "namespace n { void say() { " SAY
      " } } kernel void f(device int *a [[buffer(0)]]) { "
      "a[0] = 1; }",
  };
  for (size_t i = 0; i < COUNT(talk); i++)
    if (!logs(talk[i])) fail_msg("this logs: %s", talk[i]);
  for (size_t i = 0; i < COUNT(silent); i++)
    if (logs(silent[i])) fail_msg("this does not log: %s", silent[i]);
  assert_true(mt_signatures_logs(NULL, "f"));
}

/* A chain of a thousand functions, each before the one that it uses. */
static void test_logs_far(void **state) {
  (void)state;
  mt_Str text = MT_STR_INIT;
  for (int i = 0; i < 1000; i++)
    mt_str_addf(&text, "void s%d() { s%d(); }\n", i, i + 1);
  mt_str_add(&text, "void s1000() { " SAY " } kernel void f() { s0(); }");
  assert_true(logs(mt_str_text(&text)));
  mt_str_free(&text);
}

/* A brace that is never closed, after others and alone: it ends, whatever it
** says. */
static void test_logs_open(void **state) {
  (void)state;
  static const char *const open[] = {
      "kernel void f() { os_log_default.log(\"x\");",
      "int a; kernel void os_log(device int *a) { a[0] = 1;",
      "namespace n { struct os_log { int x; kernel void f() {",
      "kernel void f() { { { os_log",
      "// nothing but a comment, with os_log in it"};
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) logs(open[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_macros),   cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_hostile),  cmocka_unit_test(test_kernels),
      cmocka_unit_test(test_types),    cmocka_unit_test(test_twice),
      cmocka_unit_test(test_logs),     cmocka_unit_test(test_logs_far),
      cmocka_unit_test(test_logs_open)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
