/*
** test_runtime_calls.c - native/compiler_runtime.c, native/atomic_runtime.c:
** whatever LLVM calls by itself is there, with the right answer.
**
** Every function of the library's headers is called with every type that takes
** it, and made into code of each kind (plain, quick, checked, profiled and
** recorded) for CPUs with few instructions and with many. What the object file
** calls must be offered, or be in the C library. The functions are all words of
** the headers; C++ itself says which of them are functions, of which arguments.
**
** make test takes a choice of kinds, CPUs and types; METTLE_TESTS=all, all.
**
**   test_runtime_calls names    lists what is offered
**
** Guards: devices/host/native/compiler_runtime.c,
** devices/host/native/atomic_runtime.c: what LLVM calls by itself gives the
** right answer; every function of the library with half, plain, checked and
** recorded, for a CPU of each processor with few instructions, calls nothing
** else (METTLE_TESTS=all: of every type, as code of every kind, for six CPUs; a
** quarter of an hour); devices/host/native/runtime_symbols.c,
** devices/compiler/prepare/expand_ldexp.c, devices/host/{run, check, profile,
** record}/runtime_symbols.c
*/
#include <ctype.h>
#include <dlfcn.h>
#include <math.h>

#include "base/files/file.h"
#include "devices/host/kernel/compile.h"
#include "devices/host/native/runtime_symbols.h"
#include "msl/include/metal/__scalar_types"
#include "tests/c/all_tests.h"
#include "tests/c/host_case.h"
#include "tests/c/skip.h"

static const char *const scalars[] = {
#define NAME(with, id, name, ...) #name,
    __MT_SCALARS(NAME, _)
#undef NAME
};
#define SCALARS (sizeof scalars / sizeof *scalars)

static void *offered(const char *name) {
  const mt_RuntimeSymbols *all;
  size_t n = mt_runtime_symbols(&all);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < all[i].count; j++)
      if (strcmp(all[i].symbol[j].name, name) == 0)
        return all[i].symbol[j].address;
  return NULL;
}

/* ------------------------------------------------ what an object file calls */

static uint64_t number(const char *at, size_t bytes) {
  uint64_t n = 0;
  for (size_t i = bytes; i-- > 0;) n = n << 8 | (unsigned char)at[i];
  return n;
}

/* Of an ELF file with 64-bit addresses: names without a section. */
static void each_undefined(const char *file, void (*found)(const char *)) {
  const char *sections = file + number(file + 40, 8);
  size_t count = number(file + 60, 2), size = number(file + 58, 2);
  for (size_t i = 0; i < count; i++) {
    const char *s = sections + i * size;
    if (number(s + 4, 4) != 2) continue; /* SHT_SYMTAB */
    const char *symbols = file + number(s + 24, 8);
    const char *names = file + number(sections + number(s + 40, 4) * size + 24,
                                      8);
    for (size_t j = 1; j < number(s + 32, 8) / 24; j++)
      if (number(symbols + j * 24 + 6, 2) == 0)
        found(names + number(symbols + j * 24, 4));
  }
}

static struct {
  const char *kernel, *kind, *machine;
  int missing, seen;
  bool truncdfhf; /* the test can fail: some code calls this one */
} calls;

static void must_be_there(const char *name) {
  calls.seen++;
  if (strcmp(name, "__truncdfhf2") == 0) calls.truncdfhf = true;
  if (!*name || offered(name) || dlsym(RTLD_DEFAULT, name)) return;
  print_error("%s, %s, for %s: '%s' is not offered\n", calls.kernel, calls.kind,
              calls.machine, name);
  calls.missing++;
}

/* ------------------------------------------------------------ the functions */

static const char *const headers[] = {
    "metal_math",       "metal_common",    "metal_geometric", "metal_integer",
    "metal_relational", "metal_pack",      "metal_matrix",    "metal_simdgroup",
    "metal_quadgroup",  "metal/__crosslane"};

/* Words that cannot begin a call with arguments of a template. */
static const char not_functions[] =
    " all and any auto bool break case char class conditional_t const "
    "const_cast constexpr continue default define delete device do else "
    "enable_if_t endif enum error explicit extern false fast float for friend "
    "if ifdef ifndef include inline int is_same_v long matrix metal namespace "
    "not operator or pragma precise private public requires return short "
    "signed simd sizeof static static_assert static_cast struct template "
    "this thread threadgroup true typedef typename undef union unsigned using "
    "vec void volatile while xor ";

static char *words[600];
static size_t word_count;

static bool is_type(const char *word) {
  for (size_t i = 0; i < SCALARS; i++) {
    size_t n = strlen(scalars[i]);
    if (strncmp(word, scalars[i], n) == 0 &&
        strspn(word + n, "234") == strlen(word + n))
      return true;
  }
  return false;
}

static void add_word(const char *prefix, const char *at, size_t n) {
  char word[80], spaced[90];
  snprintf(word, sizeof word, "%s%.*s", prefix, (int)n, at);
  snprintf(spaced, sizeof spaced, " %s ", word);
  if (strstr(not_functions, spaced) || is_type(word)) return;
  for (size_t i = 0; i < word_count; i++)
    if (strcmp(words[i], word) == 0) return;
  assert_true(word_count < sizeof words / sizeof *words);
  words[word_count++] = strdup(word);
}

static bool is_in_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static void add_words(const char *text, bool across_lanes) {
  for (const char *p = text; *p;) {
    size_t n = 0;
    while (is_in_word(p[n])) n++;
    if (n && islower((unsigned char)*p) && across_lanes) {
      add_word("simd_", p, n);
      add_word("quad_", p, n);
    } else if (n && islower((unsigned char)*p)) {
      add_word("", p, n);
    }
    if (!n && p[0] == '/' && p[1] == '/') n = strcspn(p, "\n");
    p += n ? n : 1;
  }
}

static int read_headers(void **state) {
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    char path[80];
    mt_Str text = MT_STR_INIT;
    snprintf(path, sizeof path, "msl/include/%s", headers[i]);
    if (mt_file_read(path, 0, &text, &error) != MT_OK) return -1;
    add_words(mt_str_text(&text), strstr(path, "__crosslane") != NULL);
    mt_str_free(&text);
  }
  return open_host(state);
}

/* Calls that the template's arguments do not fit fall away. */
static const char beginning[] =
    "#include <metal_stdlib>\n"
    "using namespace metal;\n"
    "struct Out {\n"
    "  device char *at;\n"
    "  template <class R> void put(R r) { *(device R *)at = r; at += 16; }\n"
    "};\n"
    "#define ACCEPT(f, with) -> decltype(o.put(f with)) { o.put(f with); }\n"
    "#define TRY(f) \\\n"
    "  template <class T> auto f##_1(thread Out &o, T a, int) \\\n"
    "    ACCEPT(f, (a)) \\\n"
    "  template <class T> void f##_1(thread Out &, T, long) {} \\\n"
    "  template <class T, class U> \\\n"
    "  auto f##_2(thread Out &o, T a, U b, int) ACCEPT(f, (a, b)) \\\n"
    "  template <class T, class U> \\\n"
    "  void f##_2(thread Out &, T, U, long) {} \\\n"
    "  template <class T, class U, class V> \\\n"
    "  auto f##_3(thread Out &o, T a, U b, V c, int) ACCEPT(f, (a, b, c)) \\\n"
    "  template <class T, class U, class V> \\\n"
    "  void f##_3(thread Out &, T, U, V, long) {} \\\n"
    "  template <class T> auto f##_r(thread Out &o, T a, thread T &b, int) \\\n"
    "      -> decltype(o.put(f(a, b))) { o.put(f(a, b)); o.put(b); } \\\n"
    "  template <class T> void f##_r(thread Out &, T, T, long) {} \\\n"
    "  template <class T> \\\n"
    "  void f##_all(thread Out &o, T a, T b, T c, uint n) { \\\n"
    "    f##_1(o, a, 0); f##_2(o, a, b, 0); f##_2(o, a, (ushort)n, 0); \\\n"
    "    f##_r(o, a, b, 0); f##_3(o, a, b, c, 0); f##_3(o, a, n, n, 0); }\n";

static void add_casts(mt_Str *s, const char *width) {
  for (size_t i = 0; i < SCALARS; i++) {
    mt_str_addf(s, "void casts(thread Out &o, %s%s a) {", scalars[i], width);
    for (size_t j = 0; j < SCALARS; j++)
      mt_str_addf(s, " o.put(%s%s(a));", scalars[j], width);
    mt_str_add(s, "}\n");
  }
}

/* Some functions and the conversions in a kernel, so that none is large. */
#define A_KERNEL 40

static void add_kernel(mt_Str *s, const char *type, size_t from) {
  mt_str_addf(s,
              "kernel void k%zu(device char *out, device %s *in,\n"
              "                 uint i [[thread_position_in_grid]]) {\n"
              "  Out o = {out + 30000 * i};\n"
              "  %s a = in[i], b = in[i + 1], c = in[i + 2];\n",
              from / A_KERNEL, type, type);
  if (!from) mt_str_add(s, "  casts(o, a);\n");
  for (size_t i = from; i < from + A_KERNEL && i < word_count; i++)
    mt_str_addf(s, "  %s_all(o, a, b, c, i & 7);\n", words[i]);
  mt_str_add(s, "}\n");
}

static mt_MslModule *functions_of(const char *type) {
  static const char *const widths[] = {"", "2", "3", "4"};
  mt_Str s = MT_STR_INIT;
  mt_MslModule *m = NULL;
  mt_str_add(&s, beginning);
  for (size_t i = 0; i < word_count; i++)
    mt_str_addf(&s, "TRY(%s)\n", words[i]);
  for (size_t i = 0; i < 4; i++) add_casts(&s, widths[i]);
  for (size_t i = 0; i < word_count; i += A_KERNEL) add_kernel(&s, type, i);
  if (mt_msl_compile(mt_str_text(&s), s.length, NULL, &m, &error) != MT_OK)
    fail_msg("%s: %s\n%s", type, error.text, m ? mt_msl_log(m) : "");
  mt_str_free(&s);
  return m;
}

/* ----------------------------------------------------------------- the code */

static const struct Kind {
  const char *name;
  mt_CompileRequest order;
} kinds[] = {
    {"checked, thread by thread",
     {.task = MT_TASK_CHECKED, .kind.scalar = true, .hasty = true}},
    {"recorded",
     {.task = MT_TASK_RECORDED, .kind.scalar = true, .kind.values = true,
      .hasty = true}},
    {"as vectors", {.task = MT_TASK_CODE}},
    {"thread by thread", {.task = MT_TASK_CODE, .kind.scalar = true}},
    {"quick", {.task = MT_TASK_CODE, .tier = MT_TIER_QUICK, .large = true}},
    {"checked", {.task = MT_TASK_CHECKED}},
    {"profiled", {.task = MT_TASK_PROFILED}}};
#define KINDS (sizeof kinds / sizeof *kinds)
#define FEW_KINDS 2

static const char *const machines[] = {
    "x86_64-linux-gnu,x86-64-v2",      "aarch64-linux-gnu,cortex-a53",
    "x86_64-linux-gnu,x86-64-v3",      "x86_64-linux-gnu,x86-64-v4",
    "x86_64-linux-gnu,sapphirerapids", "aarch64-linux-gnu,apple-m1"};
#define MACHINES (sizeof machines / sizeof *machines)
#define FEW_MACHINES 2

static void check_code(const mt_MslModule *m, const mt_MslKernel *k,
                       const struct Kind *kind, const char *machine) {
  mt_PreparedJob w = {.target = mt_target_named(machine, &error),
                      .job = {.msl = k, .source = ""}};
  mt_CompileResult out = {0};
  mt_CompileRequest order = kind->order;
  if (!w.target) fail_msg("%s", error.text);
  w.job.bitcode = mt_msl_bitcode(m, &w.job.size);
  w.job.constant_count = mt_msl_constants(m, &w.job.constants);
  order.kind.geometry = (mt_Geometry){.size = {64, 1, 1}, .many = true};
  strcpy(order.symbol, "code");
  strcpy(order.quick_symbol, "quick");
  calls.kernel = k->name, calls.kind = kind->name, calls.machine = machine;
  if (mt_compile_request(&w, &order, &out, &error) != MT_OK)
    fail_msg("%s, %s, for %s: %s", k->name, kind->name, machine, error.text);
  each_undefined(mt_str_text(&out.bytes), must_be_there);
  mt_compile_result_free(&out);
  mt_prepared_job_free(&w);
}

/* For some kinds of code and of CPUs, or for all. */
static void check_type(const char *type, bool all) {
  mt_MslModule *m = functions_of(type);
  const mt_MslKernel *k;
  size_t count = mt_msl_kernels(m, &k);
  for (size_t i = 0; i < count; i++)
    for (size_t kind = 0; kind < (all ? KINDS : FEW_KINDS); kind++)
      for (size_t j = 0; j < (all ? MACHINES : FEW_MACHINES); j++)
        check_code(m, &k[i], &kinds[kind], machines[j]);
  mt_msl_free(m);
}

static void test_code(void **state) {
  (void)state;
  memset(&calls, 0, sizeof calls);
  if (!all_tests()) check_type("half", false);
  for (size_t i = 0; i < SCALARS && all_tests(); i++) {
    char vector[20];
    snprintf(vector, sizeof vector, "%s4", scalars[i]);
    check_type(scalars[i], true);
    check_type(vector, false);
  }
  assert_int_equal(calls.missing, 0);
  assert_true(calls.seen > 0);
  assert_true(calls.truncdfhf);
}

/* ------------------------------------------------------------------ answers */

#define CALL(type, name) ((type)(uintptr_t)function(name))

static void *function(const char *name) {
  void *f = offered(name);
  if (!f) fail_msg("%s is not offered", name);
  return f;
}

static uint64_t at_random(void) {
  static uint64_t x = 88172645463325252u;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return x;
}

/* A number whose size differs from call to call. */
static uint64_t of_some_bits(void) { return at_random() >> at_random() % 64; }

#if defined __FLT16_MAX__ && !(defined __APPLE__ && defined __x86_64__)

typedef _Float16 Half;

static bool is_same(Half a, Half b) {
  return a != a ? b != b : memcmp(&a, &b, sizeof a) == 0;
}

/* Around the range of half, with ties and their neighbours among them. */
static double some_double(void) {
  double d = ldexp((double)(int64_t)at_random(), (int)(at_random() % 60) - 100);
  if (at_random() % 2) {
    uint16_t bits = (uint16_t)at_random();
    Half h, next;
    memcpy(&h, &bits, sizeof h);
    bits++;
    memcpy(&next, &bits, sizeof h);
    d = ((double)h + (double)next) / 2;
    if (at_random() % 3)
      d = nextafter(d, at_random() % 2 ? INFINITY : -INFINITY);
  }
  return d;
}

static void test_half(void **state) {
  (void)state;
  Half (*from_double)(double) = CALL(Half(*)(double), "__truncdfhf2");
  Half (*from_float)(float) = CALL(Half(*)(float), "__truncsfhf2");
  float (*to_float)(Half) = CALL(float (*)(Half), "__extendhfsf2");
  double (*to_double)(Half) = CALL(double (*)(Half), "__extendhfdf2");
  for (int i = 0; i < 50000; i++) {
    double d = some_double();
    if (!is_same(from_double(d), (Half)d)) fail_msg("%a to half", d);
    if (!is_same(from_float((float)d), (Half)(float)d))
      fail_msg("%a to half, as a float", d);
  }
  for (unsigned i = 0; i < 65536; i++) {
    uint16_t bits = (uint16_t)i;
    Half h;
    memcpy(&h, &bits, sizeof h);
    float f = to_float(h);
    double d = to_double(h);
    assert_true(h == h ? f == (float)h && d == (double)h : f != f && d != d);
  }
}

static void test_half_integers(void **state) {
  (void)state;
  for (int i = 0; i < 30000; i++) {
    int64_t n = (int64_t)of_some_bits() * (at_random() % 2 ? 1 : -1);
    Half h = (Half)(double)(int16_t)n;
    assert_true(is_same(CALL(Half(*)(int64_t), "__floatdihf")(n), (Half)n));
    assert_true(is_same(CALL(Half(*)(__int128), "__floattihf")(n), (Half)n));
    assert_true(is_same(CALL(Half(*)(uint64_t), "__floatundihf")((uint64_t)n),
                        (Half)(uint64_t)n));
    assert_true(is_same(CALL(Half(*)(int32_t), "__floatsihf")((int32_t)n),
                        (Half)(int32_t)n));
    assert_true(is_same(CALL(Half(*)(uint32_t), "__floatunsihf")((uint32_t)n),
                        (Half)(uint32_t)n));
    assert_int_equal(CALL(int64_t(*)(Half), "__fixhfdi")(h), (int64_t)h);
    assert_int_equal(CALL(int32_t(*)(Half), "__fixhfsi")(h), (int32_t)h);
    assert_true(CALL(__int128(*)(Half), "__fixhfti")(h) == (__int128)h);
    if (h < 0) h = -h;
    assert_int_equal(CALL(uint64_t(*)(Half), "__fixunshfdi")(h), (uint64_t)h);
    assert_int_equal(CALL(uint32_t(*)(Half), "__fixunshfsi")(h), (uint32_t)h);
  }
}
#else
#define NO_HALF "this compiler has no half numbers"
static void test_half(void **state) { (void)state, skip_because(NO_HALF); }
static void test_half_integers(void **state) {
  (void)state, skip_because(NO_HALF);
}
#endif

/* The bits of a bfloat are the low 16 of a float's register. */
static double bfloat_of(float in_register) {
  uint32_t bits;
  memcpy(&bits, &in_register, sizeof bits);
  bits <<= 16;
  memcpy(&in_register, &bits, sizeof bits);
  return in_register;
}

/* What has eight bits of 'd', to nearest, ties to even. */
static double to_eight_bits(long double d) {
  int exponent;
  if (d == 0) return 0;
  frexpl(d, &exponent);
  if (exponent < -125) exponent = -125; /* denormal */
  return (double)ldexpl(nearbyintl(ldexpl(d, 8 - exponent)), exponent - 8);
}

static void test_bfloat(void **state) {
  (void)state;
  for (int i = 0; i < 50000; i++) {
    uint64_t bits = at_random();
    double d = ldexp((double)(int64_t)(bits & ~(bits >> 60 & 1 ? 0xffffffffffffu
                                                           : 0u)),
                     (int)(at_random() % 150) - 180);
    double b = bfloat_of(CALL(float (*)(double), "__truncdfbf2")(d));
    if (b != to_eight_bits(d)) fail_msg("%a to bfloat is %a", d, b);
    float f = (float)d;
    b = bfloat_of(CALL(float (*)(float), "__truncsfbf2")(f));
    if (b != to_eight_bits(f)) fail_msg("%a to bfloat is %a", (double)f, b);
    int64_t n = (int64_t)of_some_bits();
    b = bfloat_of(CALL(float (*)(int64_t), "__floatdibf")(n));
    if (b != to_eight_bits(n))
      fail_msg("%lld to bfloat is %a", (long long)n, b);
    b = bfloat_of(CALL(float (*)(uint64_t), "__floatundibf")((uint64_t)n));
    if (b != to_eight_bits((uint64_t)n))
      fail_msg("%llu to bfloat is %a", (unsigned long long)n, b);
  }
}

typedef __int128 Wide;
typedef unsigned __int128 UWide;

static void test_wide(void **state) {
  (void)state;
  typedef Wide Two(Wide, Wide);
  typedef Wide Shift(Wide, int);
  for (int i = 0; i < 30000; i++) {
    Wide a = (Wide)((UWide)of_some_bits() << 64 | at_random()), b;
    do b = (Wide)((UWide)of_some_bits() << at_random() % 64 ^ of_some_bits());
    while (b == 0);
    int n = (int)(at_random() % 128), over;
    assert_true(CALL(Two *, "__divti3")(a, b) == a / b);
    assert_true(CALL(Two *, "__modti3")(a, b) == a % b);
    assert_true(CALL(Two *, "__multi3")(a, b) == (Wide)((UWide)a * (UWide)b));
    assert_true((UWide)CALL(Two *, "__udivti3")(a, b) == (UWide)a / (UWide)b);
    assert_true((UWide)CALL(Two *, "__umodti3")(a, b) == (UWide)a % (UWide)b);
    assert_true(CALL(Shift *, "__ashlti3")(a, n) == (Wide)((UWide)a << n));
    assert_true(CALL(Shift *, "__ashrti3")(a, n) == a >> n);
    assert_true((UWide)CALL(Shift *, "__lshrti3")(a, n) == (UWide)a >> n);
    assert_true(CALL(float (*)(Wide), "__floattisf")(a) == (float)a);
    assert_true(CALL(double (*)(UWide), "__floatuntidf")((UWide)a) ==
                (double)(UWide)a);
    Wide product, want;
    product = CALL(Wide(*)(Wide, Wide, int *), "__muloti4")(a, b, &over);
    assert_int_equal(over, __builtin_mul_overflow(a, b, &want));
    assert_true(product == want);
  }
  assert_int_equal(CALL(int (*)(Wide), "__clzti2")(1), 127);
  assert_int_equal(CALL(int (*)(Wide), "__clzti2")((Wide)1 << 100), 27);
  assert_int_equal(CALL(int (*)(Wide), "__popcountti2")(-1), 128);
}

static void test_powers(void **state) {
  (void)state;
  float (*powi)(float, int) = CALL(float (*)(float, int), "__powisf2");
  double (*powid)(double, int) = CALL(double (*)(double, int), "__powidf2");
  assert_true(powi(3, 4) == 81 && powi(2, -3) == 0.125f && powi(0, 0) == 1);
  assert_true(powid(-2, 31) == -2147483648.0 && powid(1.5, 3) == 3.375);
  assert_true(powi(-1, INT32_MIN) == 1);
}

#define ATOMICS(T, N)                                                         \
  do {                                                                        \
    T at = 12, expected = 12;                                                 \
    assert_true(CALL(T(*)(T *, T, int), "__atomic_fetch_add_" #N)(&at, 5,     \
                                                                  5) == 12);  \
    assert_true(CALL(T(*)(T *, T, int), "__atomic_fetch_nand_" #N)(           \
                    &at, 1, 5) == 17 && at == (T)~(T)1);                      \
    CALL(void (*)(T *, T, int), "__atomic_store_" #N)(&at, 6, 5);             \
    assert_true(CALL(T(*)(T *, T, int), "__atomic_fetch_xor_" #N)(            \
                    &at, 3, 5) == 6 && at == 5);                              \
    assert_false(CALL(bool (*)(T *, T *, T, int, int),                        \
                      "__atomic_compare_exchange_" #N)(&at, &expected, 1, 5,  \
                                                       5));                   \
    assert_true(expected == 5);                                               \
    assert_true(CALL(T(*)(T, T, T *), "__aarch64_cas" #N "_acq_rel")(         \
                    5, 9, &at) == 5 && at == 9);                              \
    assert_true(CALL(T(*)(T *, int), "__atomic_load_" #N)(&at, 5) == 9);      \
    assert_true(CALL(T(*)(T *, T, int), "__atomic_exchange_" #N)(             \
                    &at, 1, 5) == 9 && at == 1);                              \
  } while (0)

#define ARM_CALL(T, name, value) \
  CALL(T(*)(T, T *), "__aarch64_" name)(value, &at)
#define ARM(T, N)                                                         \
  do {                                                                    \
    T at = 6;                                                             \
    assert_true(ARM_CALL(T, "ldclr" #N "_rel", 2) == 6 && at == 4);       \
    assert_true(ARM_CALL(T, "ldset" #N "_acq", 3) == 4 && at == 7);       \
    assert_true(ARM_CALL(T, "ldeor" #N "_relax", 1) == 7 && at == 6);     \
    assert_true(ARM_CALL(T, "ldadd" #N "_relax", 3) == 6 && at == 9);     \
    assert_true(ARM_CALL(T, "swp" #N "_acq_rel", 0) == 9 && at == 0);     \
  } while (0)

static void test_atomics(void **state) {
  (void)state;
  ATOMICS(uint8_t, 1);
  ATOMICS(uint16_t, 2);
  ATOMICS(uint32_t, 4);
  ATOMICS(uint64_t, 8);
  ATOMICS(UWide, 16);
  ARM(uint8_t, 1);
  ARM(uint16_t, 2);
  ARM(uint32_t, 4);
  ARM(uint64_t, 8);
  char at[5] = "abcd", old[5] = "", expected[5] = "wxyz";
  CALL(void (*)(size_t, void *, const void *, void *, int),
       "__atomic_exchange")(3, at, "efg", old, 5);
  assert_string_equal(at, "efgd");
  assert_string_equal(old, "abc");
  assert_false(CALL(bool (*)(size_t, void *, void *, const void *, int, int),
                    "__atomic_compare_exchange")(4, at, expected, "1234", 5,
                                                 5));
  assert_string_equal(expected, "efgd");
}

static int names(void) {
  const mt_RuntimeSymbols *all;
  size_t n = mt_runtime_symbols(&all);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < all[i].count; j++) puts(all[i].symbol[j].name);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "names") == 0) return names();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_half),
      cmocka_unit_test(test_half_integers),
      cmocka_unit_test(test_bfloat),
      cmocka_unit_test(test_wide),
      cmocka_unit_test(test_powers),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test_setup_teardown(test_code, read_headers, close_host),
  };
  return cmocka_run_group_tests_name("what LLVM calls by itself", tests, NULL,
                                     NULL);
}
