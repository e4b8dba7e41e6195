/*
** test_msl_math.c - the accuracy of MSL's math functions.
**
** The headers are compiled for this machine (msl_math.cpp) in fast math, the
** default, and in safe math; each function is then measured against double over
** floats of all exponents, around where it is used most, and on special values,
** in units of the last place. Bounds are those of the MSL specification's
** tables; where that table gives a formula instead of a number, the bound is
** what we promise. half is tried on all its 65536 values.
**
** One sample in five is taken; METTLE_TESTS=all takes all of them, and so does
** METTLE_ACCURACY=1, which prints the measured table of docs/accuracy.md.
**
** Guards: msl/include: accuracy of every math function, fast, precise and half,
** against double
*/
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/kernel_types/half.h"
#include "tests/c/all_tests.h"

#define N (1 << 20)         /* samples over all exponents */
#define AROUND (1 << 18)    /* and in each interval of common use */
#define TOTAL (N + 4 * AROUND + 64)
static unsigned step = 5; /* one sample of so many is taken; all: 1 */

/* --------------------------------------------------------------- references */

static double ref_exp10(double x) { return pow(10.0, x); }
static double ref_rsqrt(double x) { return 1.0 / sqrt(x); }
static double ref_fract(double x) {
  double r = x - floor(x);
  return r > 0x1.fffffep-1 ? 0x1.fffffep-1 : r; /* the largest float below 1 */
}
static double ref_sinpi(double x) {
  double r = fmod(x, 2.0); /* exact */
  if (fabs(r) > 1) r -= copysign(2.0, r);
  if (fabs(r) > 0.5) r = copysign(1.0, r) - r;
  return r == 0 ? copysign(0.0, x) : sin(M_PI * r);
}
static double ref_cospi(double x) {
  double r = fabs(fmod(x, 2.0));
  if (r > 1) r = 2 - r;
  return r == 0.5 ? 0.0 : r < 0.25 ? cos(M_PI * r) : sin(M_PI * (0.5 - r));
}
static double ref_tanpi(double x) {
  double c = ref_cospi(x), n = floor(x);
  if (c == 0) return fmod(n, 2.0) == 0 ? INFINITY : -INFINITY;
  return ref_sinpi(x) / c;
}
static double ref_round(double x) { return round(x); }
static double ref_powr(double x, double y) {
  if (x < 0 || isnan(x) || isnan(y)) return NAN;
  if ((x == 0 || isinf(x)) && y == 0) return NAN;
  if (x == 1 && isinf(y)) return NAN;
  return pow(fabs(x), y);
}
static double ref_divide(double x, double y) { return x / y; }
static double ref_nextafter(double x, double y) {
  return (double)nextafterf((float)x, (float)y);
}
static double ref_ldexp(double x, double y) {
  return ldexp(x, isnan(y) || y < -1000 ? -1000 : y > 1000 ? 1000 : (int)y);
}
static double ref_frexp_m(double x) { int e; return frexp(x, &e); }
static double ref_frexp_e(double x) {
  int e;
  frexp(x, &e);
  return isfinite(x) ? e : 0;
}
static double ref_modf_f(double x) { double w; return modf(x, &w); }
static double ref_modf_w(double x) { double w; modf(x, &w); return w; }
static double ref_ilogb(double x) {
  return x == 0 ? -2147483648.0 : !isfinite(x) ? 2147483648.0 : ilogb(x);
}

typedef struct One {
  const char *name;
  double (*ref)(double);
  double precise; /* ulp that the specification allows */
  double fast;    /* the same in fast math; 0: absolute, see below */
} One;

/* 0.5 is "correctly rounded"; a hair more, for the reference's own error. */
#define EXACT 0.5001
static const One ONES[] = {
  {"acos", acos, 4, 5},       {"acosh", acosh, 4, 5},
  {"asin", asin, 4, 5},       {"asinh", asinh, 4, 5},
  {"atan", atan, 5, 5},       {"atanh", atanh, 5, 5},
  {"ceil", ceil, EXACT, EXACT}, {"cos", cos, 4, 0},
  {"cosh", cosh, 4, 5},       {"cospi", ref_cospi, 4, 4},
  {"exp", exp, 4, 3},         {"exp2", exp2, 4, 3},
  {"exp10", ref_exp10, 4, 4}, {"fabs", fabs, 0, 0.0001},
  {"floor", floor, EXACT, EXACT}, {"fract", ref_fract, EXACT, EXACT},
  {"log", log, 4, 3},         {"log2", log2, 4, 2},
  {"log10", log10, 4, 4},     {"rint", rint, EXACT, EXACT},
  {"round", ref_round, EXACT, EXACT}, {"rsqrt", ref_rsqrt, EXACT, 2},
  {"sin", sin, 4, 0},         {"sinh", sinh, 4, 5},
  {"sinpi", ref_sinpi, 4, 4}, {"sqrt", sqrt, EXACT, EXACT},
  {"tan", tan, 6, 0},         {"tanh", tanh, 5, 5},
  {"tanpi", ref_tanpi, 6, 6}, {"trunc", trunc, EXACT, EXACT},
};
#define ONE_COUNT (sizeof ONES / sizeof ONES[0])
static const One OTHERS[] = {
  {"sincos_sin", sin, 4, 0},         {"sincos_cos", cos, 4, 0},
  {"frexp_m", ref_frexp_m, 0.0001, 0}, {"frexp_e", ref_frexp_e, 0.0001, 0},
  {"modf_f", ref_modf_f, 0.0001, 0}, {"modf_w", ref_modf_w, 0.0001, 0},
  {"ilogb", ref_ilogb, 0.0001, 0},
};

typedef struct Two {
  const char *name;
  double (*ref)(double, double);
  double precise, fast; /* fast < 0: -fast, plus 4 ulp for each |y log2 x| */
} Two;
static const Two TWOS[] = {
  {"atan2", atan2, 6, 6},          {"copysign", copysign, 0.0001, 0.0001},
  {"divide", ref_divide, EXACT, 2.5}, {"fdim", fdim, EXACT, EXACT},
  {"fmax", fmax, 0.0001, 0},       {"fmin", fmin, 0.0001, 0},
  {"fmod", fmod, 0.0001, 0},       {"nextafter", ref_nextafter, 0.0001, 0.0001},
  {"pow", pow, 16, -4},            {"powr", ref_powr, 16, -4},
};
#define TWO_COUNT (sizeof TWOS / sizeof TWOS[0])

/* ------------------------------------------------------------------- inputs */

static float *in, *in2, *out, *out2;

static const float SPECIAL[] = {
  0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1.0f, -1.0f, 0.5f, -0.5f, 2.0f, -2.0f,
  3.0f, -3.0f, 1e-45f, -1e-45f, 0x1p-126f, -0x1p-126f, 0x1.fffffcp-127f,
  3.4028235e38f, -3.4028235e38f, 16777216.0f, 16777215.0f, -8388607.0f,
  1.0000001f, 0.99999994f, 88.72284f, -87.33655f, -103.97208f, 1.5707964f,
  3.1415927f, 0x1p28f, 0x1.5d5e2ap-127f};
#define SPECIALS (sizeof SPECIAL / sizeof SPECIAL[0])

/* A NaN is a quiet one: Metal has no others. */
static float from_bits(uint32_t u) {
  float x;
  if ((u & 0x7fffffff) > 0x7f800000) u |= 0x400000;
  memcpy(&x, &u, 4);
  return x;
}

static long fill_one(void) {
  long n = 0;
  /* one in each of N pieces of all floats */
  for (uint32_t i = 0; i < N; i += step)
    in[n++] = from_bits(i * 4096u + (i * 2654435761u >> 20));
  for (int i = 0; i < AROUND; i += step) {
    float t = (float)i / AROUND;
    in[n++] = -4 + 8 * t;
    in[n++] = 100 * (t - 0.5f);
    in[n++] = 1 + (float)(i - AROUND / 2) * 0x1p-24f;
    in[n++] = (float)(i - AROUND / 2) * 0.5f; /* multiples of a half */
  }
  for (size_t i = 0; i < SPECIALS; i++) in[n++] = SPECIAL[i];
  return n & ~3L; /* whole float4 */
}

static uint64_t seed = 1;
static uint32_t random_bits(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 32);
}
static long fill_two(void) {
  long n = 0;
  for (size_t i = 0; i < SPECIALS; i++)
    for (size_t j = 0; j < SPECIALS; j++, n++)
      in[n] = SPECIAL[i], in2[n] = SPECIAL[j];
  for (int i = 0; i < N / 2; i += step, n += 2) {
    in[n] = from_bits(random_bits());
    in2[n] = from_bits(random_bits());
    in[n + 1] = ldexpf((float)random_bits(), -28 - i % 8);
    in2[n + 1] = ldexpf((float)(int32_t)random_bits(), -26 - i % 3);
    if (i % 3 == 0) in2[n + 1] = truncf(in2[n + 1]);
    if (i % 7 == 0) in[n + 1] = -in[n + 1];
  }
  return n & ~3L;
}

/* ------------------------------------------------------------- measurements */

/* Fast math ignores the sign of zero, in our functions too; safe math keeps
** it. */
static bool signed_zero;

/* How far 'got' is from 'ref' in units of the last place of a format with
** 'bits' of precision, whose least number is 2^least and greatest is 'most'. */
static double ulps(double got, double ref, int bits, int least, double most) {
  int e;
  if (isnan(got) || isnan(ref)) return isnan(got) && isnan(ref) ? 0 : INFINITY;
  if (got == ref)
    return signed_zero && signbit(got) != signbit(ref) ? INFINITY : 0;
  if (isinf(got)) /* rounded up to infinity: as near as the greatest number */
    return fabs(ref) >= most && signbit(got) == signbit(ref) ? 0 : INFINITY;
  if (isinf(ref)) return INFINITY;
  frexp(ref, &e);
  e = ref == 0 || e - bits < least ? least : e - bits;
  return fabs(got - ref) / ldexp(1.0, e);
}
static double ulps32(float got, double ref) {
  return ulps(got, ref, 24, -149, 0x1.fffffep127);
}

typedef struct Worst {
  double ulp;
  float x, y, got;
  double ref;
} Worst;

static void worse(Worst *w, double u, float x, float y, float got, double ref) {
  if (u > w->ulp) *w = (Worst){u, x, y, got, ref};
}
static void verdict(const char *what, const char *name, Worst w, double bound) {
  if (w.ulp > bound)
    fail_msg("%s::%s is off by %g ulp at (%a, %a): got %a, should be %a; "
             "allowed are %g",
             what, name, w.ulp, w.x, w.y, w.got, w.ref, bound);
}

typedef void (*Fn1)(const float *, float *, long);
typedef void (*Fn2)(const float *, const float *, float *, long);
typedef void (*FnH)(const uint16_t *, uint16_t *, long);

static void *fast_code, *safe_code; /* msl_math.cpp in either math mode */

static void *symbol(void *code, const char *prefix, const char *name) {
  char s[64];
  snprintf(s, sizeof s, "%s_%s", prefix, name);
  void *p = dlsym(code, s);
  if (!p) fail_msg("msl_math.cpp has no %s", s);
  return p;
}
static Fn1 fn1(void *code, const char *prefix, const char *name) {
  Fn1 f;
  void *p = symbol(code, prefix, name);
  memcpy(&f, &p, sizeof f);
  return f;
}
static Fn2 fn2(void *code, const char *prefix, const char *name) {
  Fn2 f;
  void *p = symbol(code, prefix, name);
  memcpy(&f, &p, sizeof f);
  return f;
}

static Worst measure1(Fn1 f, double (*ref)(double), long n) {
  Worst w = {0};
  f(in, out, n);
  for (long i = 0; i < n; i++) {
    double r = ref(in[i]);
    worse(&w, ulps32(out[i], r), in[i], 0, out[i], r);
  }
  return w;
}
static Worst measure2(Fn2 f, const Two *t, bool fast, long n) {
  Worst w = {0};
  f(in, in2, out, n);
  for (long i = 0; i < n; i++) {
    double r = t->ref(in[i], in2[i]), u = ulps32(out[i], r);
    if (fast && t->fast < 0 && u != INFINITY) {
      double steps = fabs(in2[i] * log2(fabs((double)in[i])));
      u = isfinite(steps) ? u / (1 + steps) : u;
    }
    worse(&w, u, in[i], in2[i], out[i], r);
  }
  return w;
}

/* ---------------------------------------------------------------- the tests */

static bool table; /* print what was measured */

static void precise_functions(void **state) {
  (void)state;
  long n = fill_one();
  for (size_t i = 0; i < ONE_COUNT; i++) {
    const One *f = &ONES[i];
    Worst w = measure1(fn1(fast_code, "p", f->name), f->ref, n);
    verdict("precise", f->name, w, f->precise);
    if (table) printf("| %s | %g | %.2f |\n", f->name, f->precise, w.ulp);
  }
}

static void fast_functions(void **state) {
  (void)state;
  long n = fill_one();
  for (size_t i = 0; i < ONE_COUNT; i++) {
    const One *f = &ONES[i];
    if (f->fast == 0) continue;
    Worst w = measure1(fn1(fast_code, "f", f->name), f->ref, n);
    verdict("fast", f->name, w, f->fast);
    if (table) printf("| fast::%s | %g | %.2f |\n", f->name, f->fast, w.ulp);
  }
}

/* sin and cos in fast math: absolute error, and never outside -1 … 1 */
static void fast_trig(void **state) {
  (void)state;
  long n = fill_one();
  for (int c = 0; c < 2; c++) {
    const char *name = c ? "cos" : "sin";
    double near = 0, far = 0, edge = 0;
    fn1(fast_code, "f", name)(in, out, n);
    for (long i = 0; i < n; i++) {
      double x = in[i], e = fabs((c ? cos(x) : sin(x)) - out[i]);
      if (fabs(x) <= M_PI) near = fmax(near, e);
      if (fabs(x) <= 1e5) far = fmax(far, e);
      if (fabs(x) <= 6e6) edge = fmax(edge, e);
      if (!isfinite(x) ? !isnan(out[i]) : !(fabsf(out[i]) <= 1.0f))
        fail_msg("fast::%s(%a) is %a", name, x, out[i]);
    }
    if (near > 0x1p-13 || far > 0x1p-22 || edge > 0x1p-18)
      fail_msg("fast::%s is off by %g, %g, %g", name, near, far, edge);
    if (table) printf("| fast::%s | 2^-13 | 2^%.1f |\n", name, log2(near));
  }
  fn1(fast_code, "f", "tan")(in, out, n);
  Worst w = {0};
  for (long i = 0; i < n; i++)
    if (fabsf(in[i]) < 1000)
      worse(&w, ulps32(out[i], tan(in[i])), in[i], 0, out[i], tan(in[i]));
  verdict("fast", "tan", w, 6);
  if (table) printf("| fast::tan | sin / cos | %.2f |\n", w.ulp);
}

static void pairs(void **state) {
  (void)state;
  long n = fill_two();
  for (size_t i = 0; i < TWO_COUNT; i++) {
    const Two *f = &TWOS[i];
    Worst w = measure2(fn2(fast_code, "p", f->name), f, false, n);
    verdict("precise", f->name, w, f->precise);
    if (table) printf("| %s | %g | %.2f |\n", f->name, f->precise, w.ulp);
    if (f->fast == 0) continue;
    w = measure2(fn2(fast_code, "f", f->name), f, true, n);
    verdict("fast", f->name, w, fabs(f->fast));
    if (table) printf("| fast::%s | %g | %.2f |\n", f->name, f->fast, w.ulp);
  }
  Two ldexp_ = {"ldexp", ref_ldexp, EXACT, EXACT};
  verdict("metal", "ldexp",
          measure2(fn2(fast_code, "m", "ldexp"), &ldexp_, false, n), EXACT);
}

/* fast min and max may do as they like with NaN, fmod with huge quotients */
static void fast_pairs(void **state) {
  (void)state;
  long n = fill_two();
  fn2(fast_code, "f", "fmin")(in, in2, out, n);
  fn2(fast_code, "f", "fmax")(in, in2, out2, n);
  for (long i = 0; i < n; i++)
    if (!isnan(in[i]) && !isnan(in2[i])) {
      assert_true(out[i] == fminf(in[i], in2[i]));
      assert_true(out2[i] == fmaxf(in[i], in2[i]));
    }
  fn2(fast_code, "f", "fmod")(in, in2, out, n);
  for (long i = 0; i < n; i++) {
    double q = fabs((double)in[i] / in2[i]),
           d = fabs(fmod(in[i], in2[i]) - out[i]);
    if (isfinite(in[i]) && fabsf(in2[i]) > 0x1p-100f && isfinite(in2[i]) &&
        q < 0x1p20)
      /* a whole divisor off at the edge */
      if (d > fabsf(in2[i]) * (1 + 0x1p-20))
        fail_msg("fast::fmod(%a, %a) is %a", in[i], in2[i], out[i]);
  }
}

static void other_functions(void **state) {
  (void)state;
  long n = fill_one();
  for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++)
    verdict("metal", OTHERS[i].name,
            measure1(fn1(fast_code, "m", OTHERS[i].name), OTHERS[i].ref, n),
            OTHERS[i].precise);
}

/* In safe math, plain metal:: is the precise one, to the bit. */
static void safe_mode(void **state) {
  (void)state;
  long n = fill_one();
  signed_zero = true;
  for (size_t i = 0; i < ONE_COUNT; i++) {
    fn1(safe_code, "m", ONES[i].name)(in, out, n);
    fn1(safe_code, "p", ONES[i].name)(in, out2, n);
    if (memcmp(out, out2, (size_t)n * 4) != 0)
      fail_msg("metal::%s in safe math is not precise::%s", ONES[i].name,
               ONES[i].name);
    verdict("safe", ONES[i].name,
            measure1(fn1(safe_code, "m", ONES[i].name), ONES[i].ref, n),
            ONES[i].precise);
  }
  for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++)
    verdict("safe", OTHERS[i].name,
            measure1(fn1(safe_code, "m", OTHERS[i].name), OTHERS[i].ref, n),
            OTHERS[i].precise);
  n = fill_two();
  for (size_t i = 0; i < TWO_COUNT; i++) {
    signed_zero = TWOS[i].ref != fmin && TWOS[i].ref != fmax; /* either zero */
    verdict("safe", TWOS[i].name,
            measure2(fn2(safe_code, "m", TWOS[i].name), &TWOS[i], false, n),
            TWOS[i].precise);
  }
  signed_zero = false;
}

static void vectors_as_scalars(void **state) {
  (void)state;
  long n = fill_one();
  for (size_t i = 0; i < ONE_COUNT; i++) {
    fn1(fast_code, "m", ONES[i].name)(in, out, n);
    fn1(fast_code, "v", ONES[i].name)(in, out2, n);
    for (long k = 0; k < n; k++)
      if (memcmp(&out[k], &out2[k], 4) != 0 &&
          !(isnan(out[k]) && isnan(out2[k])))
        fail_msg("%s(float4) differs from %s(float) at %a: %a, %a",
                 ONES[i].name, ONES[i].name, in[k], out2[k], out[k]);
  }
}

static void halves(void **state) {
  (void)state;
  static uint16_t x[65536], y[65536];
  for (int i = 0; i < 65536; i++) x[i] = (uint16_t)i;
  for (size_t f = 0; f < ONE_COUNT; f++) {
    FnH fn;
    void *p = symbol(fast_code, "h", ONES[f].name);
    memcpy(&fn, &p, sizeof fn);
    fn(x, y, 65536);
    Worst w = {0};
    for (int i = 0; i < 65536; i++) {
      double a = mt_half_to_float(x[i]), g = mt_half_to_float(y[i]),
             r = ONES[f].ref(a);
      if (strcmp(ONES[f].name, "fract") == 0 && g == 1 && r > 0.9995) continue;
      worse(&w, ulps(g, r, 11, -24, 65504.0), (float)a, 0, (float)g, r);
    }
    verdict("half", ONES[f].name, w, 1);
  }
}

/* --------------------------------------------------------------- the set-up */

/* Compile msl_math.cpp as the front end would, but for this machine; where it
** is emulated, Clang is told by TEST_TARGET which one that is. */
static void *build(const char *dir, const char *name, const char *mode) {
  char cmd[4096], lib[512];
#if defined(__x86_64__)
  const char *cpu = "-march=native";
#else
  const char *cpu = "-mcpu=native";
#endif
  if (getenv("TEST_TARGET")) cpu = getenv("TEST_TARGET");
  snprintf(lib, sizeof lib, "%s/%s.so", dir, name);
  snprintf(cmd, sizeof cmd,
           "%s -x c++ -std=c++17 -O2 %s -fPIC -shared -nostdinc -fdeclspec "
           "-fno-exceptions "
           "-fno-rtti -flax-vector-conversions=none -Imsl/include %s -o %s "
           "tests/c/msl/msl_math.cpp -lm 1>&2",
           MT_CLANG, cpu, mode, lib);
  if (system(cmd) != 0) return NULL;
  void *code = dlopen(lib, RTLD_NOW);
  if (!code) fprintf(stderr, "%s\n", dlerror());
  unlink(lib);
  return code;
}

static int set_up(void **state) {
  (void)state;
  char dir[] = "/tmp/mettle-math-XXXXXX";
  table = getenv("METTLE_ACCURACY") != NULL;
  if (table || all_tests()) step = 1;
  in = malloc(TOTAL * sizeof *in + SPECIALS * SPECIALS * 4);
  in2 = malloc(TOTAL * sizeof *in2 + SPECIALS * SPECIALS * 4);
  out = malloc(TOTAL * sizeof *out + SPECIALS * SPECIALS * 4);
  out2 = malloc(TOTAL * sizeof *out2 + SPECIALS * SPECIALS * 4);
  if (!in || !in2 || !out || !out2 || !mkdtemp(dir)) return -1;
  fast_code = build(
      dir, "fast",
      "-D__MT_FAST_MATH__=1 -fassociative-math -freciprocal-math "
      "-fno-signed-zeros "
      "-fapprox-func -fno-trapping-math -fno-math-errno -ffp-contract=fast");
  safe_code = build(dir, "safe", "-D__MT_FAST_MATH__=0 -ffp-contract=off");
  rmdir(dir);
  return fast_code && safe_code ? 0 : -1;
}
static int tear_down(void **state) {
  (void)state;
  free(in), free(in2), free(out), free(out2);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(precise_functions), cmocka_unit_test(fast_functions),
    cmocka_unit_test(fast_trig),         cmocka_unit_test(pairs),
    cmocka_unit_test(fast_pairs),        cmocka_unit_test(other_functions),
    cmocka_unit_test(safe_mode),         cmocka_unit_test(vectors_as_scalars),
    cmocka_unit_test(halves),
  };
  return cmocka_run_group_tests_name("msl math", tests, set_up, tear_down);
}
