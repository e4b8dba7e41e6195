/*
** test_messages.c - msl/words*.c, msl/diagnostics/diagnose.c: messages name
** what the person wrote, and nothing of our headers.
**
** Kernels of tests/msl and kernels/ are spoilt by chance, the same way in every
** run: tokens are left out, doubled, exchanged, replaced by other types,
** functions and numbers. Whatever the compiler says then may contain a name
** with two underscores only if it stands in the source, and no path of a
** header. METTLE_MUTANTS=20000 tries so many; METTLE_SEED chooses others.
*/
#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/file.h"
#include "msl/msl.h"

#define QUICK 400       /* mutants in make test */
#define QUICK_SECONDS 20
#define WOUNDS 5        /* mutations of one source */
#define MOST_TOKENS 4000
#define MOST_FILES 2000

static const char *const folders[] = {"tests/msl/run", "tests/msl/refuse",
                                      "kernels"};
static const char *const words[] = {
    "float", "float2", "float4", "half3", "bfloat", "bool4", "bool2", "int",
    "uint3", "ulong", "char4", "packed_float3", "packed_half4", "packed_uint2",
    "float4x4", "half2x3", "atomic_uint", "atomic_float", "simdgroup_float8x8",
    "texture2d<float>", "texture2d_array<half, access::write>",
    "depth2d<float>", "sampler", "array<int, 3>", "vec<float, 3>",
    "vec<bool, 2>", "void", "thread float *", "device int *", "threadgroup",
    "constant", "max", "clamp", "dot", "cross", "select", "mix", "pow", "any",
    "simd_sum", "simd_shuffle_down", "simd_vote", "quad_broadcast",
    "atomic_fetch_add_explicit", "atomic_load_explicit", "as_type<float4>",
    "as_type", "float3(1, 2)", "bool3(true)", "float4(p)", "{1, 2}",
    "{1, 2, 3}", "1.5", "-1", "nullptr", "true", "\"text\"", "0x7fULL", "&",
    "*", ".xyzw", ".xx", ".z", "[0]", "[9]", "()", "(1)", "(1, 2, 3, 4, 5)",
    "+", "% 3", "<< 2", "== 1", "= 2", "+= 1", "++", "!", "~", "->x",
    "static_cast<int3>", "threadgroup_barrier", "mem_flags",
    "memory_order_relaxed", "transpose", "determinant", "make_filter",
    "filter::linear", "coord::pixel", "level(1)", "fract", "frexp", "modf",
    "sincos", "ldexp", "popcount", "absdiff", "pack_float_to_unorm4x8",
    "unpack_unorm4x8_to_float", "simdgroup_load", "simdgroup_multiply",
    "make_uniform", "uniform<int>", "const", "return", "auto", "template",
    "numeric_limits<float3>", "is_same_v", "enable_if_t", "decltype", "sizeof",
    "matrix<float, 2, 5>", "get_width()", "read(0)", "write(1)", "sample()"};

static char *files[MOST_FILES];
static size_t file_count;
static uint64_t state;

static uint32_t chance(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)((state >> 11) % below);
}

/* ------------------------------------------------------------------ mutants */

typedef struct Token {
  const char *at;
  size_t length;
} Token;

/* Names, numbers and single signs; comments and directives stay out of it. */
static size_t tokens_of(const char *s, Token *out) {
  size_t n = 0;
  while (*s && n < MOST_TOKENS) {
    if (*s == '#' || strncmp(s, "//", 2) == 0) {
      s += strcspn(s, "\n");
      continue;
    }
    size_t k = strspn(
        s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (k == 0 && isspace((unsigned char)*s)) {
      s++;
      continue;
    }
    out[n++] = (Token){s, k ? k : 1};
    s += k ? k : 1;
  }
  return n;
}

static void mutate(mt_Str *text) {
  static Token t[MOST_TOKENS];
  mt_Str out = MT_STR_INIT;
  size_t n = tokens_of(mt_str_text(text), t);
  if (n < 2) return;
  size_t i = chance((uint32_t)n - 1), kind = chance(8);
  const char *end = t[i].at + t[i].length,
             *next = t[i + 1].at + t[i + 1].length;
  mt_str_add_bytes(&out, text->text, (size_t)(t[i].at - text->text));
  if (kind == 1 || kind == 2) mt_str_add_bytes(&out, t[i].at, t[i].length);
  if (kind == 1) mt_str_addf(&out, " %.*s", (int)t[i].length, t[i].at);
  if (kind == 2)
    mt_str_addf(&out, " %s ", words[chance(sizeof words / sizeof words[0])]);
  if (kind == 3)
    mt_str_addf(&out, "%.*s %.*s", (int)t[i + 1].length, t[i + 1].at,
                (int)t[i].length, t[i].at);
  if (kind >= 4)
    mt_str_addf(&out, " %s ", words[chance(sizeof words / sizeof words[0])]);
  mt_str_add(&out, kind == 3 ? next : end);
  mt_str_free(text);
  *text = out;
}

/* ----------------------------------------------------------------- messages */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* A name of the compiler's or of our headers', which 'source' has not; or a
** path. */
static const char *inner_name(const char *message, const char *source) {
  static const char *const never[] = {
      "__mt", "__msl", "msl/include", "<stdin>", "_Float16", "ext_vector",
      "nvptx", "(aka ", "C++", "MSL1", "MSL2", "MSL9", "OpenCL", "Objective-C",
      "CUDA", "clang::", "gnu::", "annotate", " C11 ", " C23 ", " C99 ", NULL};
  static char name[128];
  for (size_t k = 0; never[k]; k++)
    if (strstr(message, never[k]) && !strstr(source, never[k])) return never[k];
  for (const char *s = message; *s; s++) {
    if ((s > message && is_name(s[-1])) ||
        !(strncmp(s, "__", 2) == 0 || strncmp(s, "_Z", 2) == 0))
      continue;
    size_t n = 0;
    while (is_name(s[n])) n++;
    snprintf(name, sizeof name, "%.*s", (int)n, s);
    if (!strstr(source, name)) return name;
  }
  return NULL;
}

static unsigned look(const char *what, const char *message, const mt_Str *text,
                     const char *file, unsigned number) {
  const char *inner = message ? inner_name(message, mt_str_text(text)) : NULL;
  if (inner == NULL) return 0;
  print_message("# mutant %u of %s: '%s' in the %s: %s\n", number, file, inner,
                what, message);
  if (getenv("METTLE_SHOW")) print_message("%s\n", mt_str_text(text));
  return 1;
}

static unsigned try_one(unsigned number) {
  const char *file = files[chance((uint32_t)file_count)];
  mt_Str text = MT_STR_INIT;
  mt_Error err = {""};
  mt_MslModule *m = NULL;
  if (mt_file_read(file, 0, &text, &err) != MT_OK) return 1;
  for (uint32_t k = 1 + chance(WOUNDS); k > 0; k--) mutate(&text);
  mt_Status status = mt_msl_compile(text.text, text.length, NULL, &m, &err);
  const mt_Diagnostic *d = NULL;
  size_t n = m ? mt_msl_diagnostics(m, &d) : 0;
  unsigned bad =
      status == MT_OK ? 0 : look("summary", err.text, &text, file, number);
  for (size_t i = 0; i < n; i++)
    bad += look("message", d[i].message, &text, file, number) +
           look("place", d[i].file, &text, file, number);
  mt_msl_free(m);
  mt_str_free(&text);
  return bad;
}

static void no_inner_names(void **unused) {
  (void)unused;
  const char *many = getenv("METTLE_MUTANTS"), *seed = getenv("METTLE_SEED");
  unsigned count = many ? (unsigned)atoi(many) : QUICK, bad = 0, i;
  time_t begin = time(NULL);
  state = 0x9e3779b97f4a7c15u ^ (seed ? strtoull(seed, NULL, 10) << 20 : 0);
  for (i = 0; i < count && (many || time(NULL) - begin < QUICK_SECONDS); i++)
    bad += try_one(i);
  print_message("# %u mutants\n", i);
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

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int find_files(void **unused) {
  (void)unused;
  for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++) {
    DIR *d = opendir(folders[f]);
    for (struct dirent *e; d && (e = readdir(d));) {
      const char *dot = strrchr(e->d_name, '.');
      if (!dot || strcmp(dot, ".metal") != 0 || file_count == MOST_FILES)
        continue;
      size_t length = strlen(folders[f]) + strlen(e->d_name) + 2;
      files[file_count] = malloc(length);
      snprintf(files[file_count++], length, "%s/%s", folders[f], e->d_name);
    }
    if (d) closedir(d);
  }
  qsort(files, file_count, sizeof *files, by_name);
  return file_count < 500;
}

static int free_files(void **unused) {
  (void)unused;
  while (file_count) free(files[--file_count]);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known),
                                     cmocka_unit_test(no_standards),
                                     cmocka_unit_test(known_slips),
                                     cmocka_unit_test(no_inner_names)};
  return cmocka_run_group_tests(tests, find_files, free_files);
}
