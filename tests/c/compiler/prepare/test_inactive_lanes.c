/*
** test_inactive_lanes.c - what a shuffle reads from a lane that is off: what
** that lane holds, as on a GPU. Each kernel has its answer worked out here,
** lane by lane in step; thread by thread, as vectors and under watch it has to
** be the same.
**
** Guards: devices/compiler/prepare/inactive_lanes.c: shuffles from inactive
** lanes give those lanes' values, in loops, branches, after returns and
** barriers, of all types, in both engines and instrumented
*/
#include "devices/check.h"
#include "tests/c/host_case.h"

static const char *source = MSL(
template <class T> static T scan(T x, uint l) {
  for (uint d = 1; d < 32; d *= 2) if (l >= d) x += simd_shuffle_up(x, d);
  return x;
}
static float sum4(float4 x) { return x.x + x.y + x.z + x.w; }
) "\n"
"#define KERNEL(name) kernel void name(device float *a [[buffer(0)]], "
"uint i [[thread_position_in_grid]], uint l [[thread_index_in_simdgroup]])\n";

/* The lanes of one SIMD-group: how many, and what its buffer has at the
** start. */
typedef struct Lanes {
  unsigned n;
  const float *a;
} Lanes;

static float at(const Lanes *s, unsigned l) { return l < s->n ? s->a[l] : 0; }

typedef struct Row {
  const char *name, *body;
  double (*want)(const Lanes *, unsigned l);
} Row;

static double prefix(const Lanes *s, unsigned l) {
  double sum = 0;
  for (unsigned k = 0; k <= l; k++) sum += s->a[k];
  return sum;
}
static double prefix4(const Lanes *s, unsigned l) {
  return 6 * prefix(s, l) + (l + 1);
}
static double pairs(const Lanes *s, unsigned l) {
  return l & 1 ? (double)s->a[l] + s->a[l - 1] : (double)s->a[l];
}
static double is_five(const Lanes *s, unsigned l) {
  return s->a[l & 1 ? l - 1 : l] > 5;
}
static double below(const Lanes *s, unsigned l) {
  return l ? s->a[l - 1] : s->a[l];
}
static double returned(const Lanes *s, unsigned l) {
  if (l >= 5) return s->a[l];
  return l == 31 ? 2 * s->a[l] : 2 * at(s, l + 1);
}
static double deeper(const Lanes *s, unsigned l) {
  return l > 7 ? 2 * s->a[l - 2] : s->a[l];
}
static double left(const Lanes *s, unsigned l) {
  unsigned x[32], sum[32] = {0}, on = 1;
  for (unsigned k = 0; k < 32; k++) x[k] = k < s->n ? k : 0;
  while (on) {
    unsigned before[32];
    memcpy(before, x, sizeof x);
    on = 0;
    for (unsigned k = 0; k < s->n; k++)
      if (before[k] < 40) {
        sum[k] = (sum[k] * 3 + before[k ^ 3]) & 0xffff, x[k] += 1 + (k & 3);
        on = 1;
      }
  }
  return sum[l];
}
static double rounds(const Lanes *s, unsigned l) {
  unsigned x[32], sum = 0;
  (void)s;
  for (unsigned k = 0; k < 32; k++) x[k] = k;
  for (unsigned k = 0; k < 5; k++) {
    for (unsigned n = 0; n < 32; n++) x[n] = x[n] * 7 + k;
    if (l >= 4) sum = (sum * 3 + x[l - 4]) & 0xffff;
  }
  return sum;
}
/* The last round is not for all: those outside have their number of before. */
static double last_round(const Lanes *s, unsigned l) {
  double sum = 0;
  for (unsigned k = l; k < s->n + s->n / 2; k += s->n) {
    unsigned from = l == 31 ? l : l + 1, of = from + (k - l);
    if (from >= s->n) continue;
    sum += of < s->n + s->n / 2 ? 3.0 * of : 3.0 * from;
  }
  return sum;
}
static double across(const Lanes *s, unsigned l) {
  return l >= 4 ? 3 * s->a[l - 4] : s->a[l];
}
static double filled(const Lanes *s, unsigned l) {
  if (!(l & 1)) return s->a[l];
  if (l % 8 >= 3) return s->a[l - 3];
  return l + 5 < s->n ? 100 + l + 5 : 0;
}
static double in_quads(const Lanes *s, unsigned l) {
  if (!(l & 1)) return s->a[l];
  return (double)s->a[l - 1] + s->a[l - 1] + 1000;
}
static double broadcasted(const Lanes *s, unsigned l) {
  return l % 3 ? s->a[l] : at(s, l / 4 * 4 + 2) + at(s, 5);
}
static double rotated(const Lanes *s, unsigned l) {
  return l % 3 ? s->a[l] : at(s, (2 * l) % 32);
}
static double numbers(const Lanes *s, unsigned l) {
  if (l % 3) return s->a[l];
  return 7.0 + (l ? s->a[l - 1] : s->a[l]);
}
static double never(const Lanes *s, unsigned l) {
  return l % 2 ? 0 : s->a[l];
}
static double in_else(const Lanes *s, unsigned l) {
  return l < 8 ? 2 * at(s, l + 8) : 5 * at(s, l - 8);
}

static double two_bools(const Lanes *s, unsigned l) {
  double x = s->a[l & 1 ? l - 1 : l];
  return (x > 5) + 2 * (x > 7);
}
static double four_bools(const Lanes *s, unsigned l) {
  double x = l < 4 ? s->a[l] : s->a[l - 4];
  return (x > 2) + 2 * (x > 5) + 4 * (x > 7) + 8 * (x > 9);
}
static double filled_bools(const Lanes *s, unsigned l) {
  if (!(l & 1)) return (s->a[l] > 5) + 2 * (s->a[l] > 7) + 4;
  if (l % 8 >= 3) return (s->a[l - 3] > 5) + 2 * (s->a[l - 3] > 7) + 4;
  return l + 5 < s->n ? (s->a[l + 5] > 2) : 0;
}
/* Lanes below 4 stay outside with their own, those below 8 have its double. */
static double outer(const Lanes *s, unsigned l) {
  double x = l > 3 ? 2 * s->a[l] : s->a[l];
  if (l > 7) x += l - 5 > 3 ? 2 * s->a[l - 5] : s->a[l - 5];
  return x;
}
/* The same, of a variable that is not read afterwards. */
static double unread(const Lanes *s, unsigned l) {
  return l > 7 ? s->a[l] + (l - 5 > 3 ? 2 * s->a[l - 5] : s->a[l - 5])
               : s->a[l];
}
static double unread_in_loop(const Lanes *s, unsigned l) {
  double sum = s->a[l];
  for (unsigned k = 0; k < 3; k++)
    if (l > 7) sum += l - 5 > 3 ? 2 * s->a[l - 5] : s->a[l - 5] + k;
  return sum;
}
static double unread_part(const Lanes *s, unsigned l) {
  return l > 7 ? s->a[l] + (l - 5 > 3 ? 4 * s->a[l - 5] : 3) : s->a[l];
}
static double outer_number(const Lanes *s, unsigned l) {
  double x = l > 3 ? s->a[l] : 100;
  if (l > 7) x += l - 5 > 3 ? s->a[l - 5] : 100;
  return x;
}
static double outer_twice(const Lanes *s, unsigned l) {
  double x[32];
  for (unsigned k = 0; k < s->n; k++)
    x[k] = k > 11 ? 4 * s->a[k] : k > 5 ? 2 * s->a[k] : s->a[k];
  return l > 11 ? x[l] + x[l - 10] : x[l];
}
static double outer_loop(const Lanes *s, unsigned l) {
  double x[32], sum = 0;
  for (unsigned k = 0; k < s->n; k++) x[k] = s->a[k];
  for (unsigned k = 0; k < 3; k++) {
    for (unsigned n = 0; n < s->n; n++)
      if (n > 3) x[n] = 2 * x[n] + k;
    if (l > 7) sum += x[l - 6];
  }
  return x[l] + sum;
}
/* The sum of those that come in, by halves; those outside have their 3. */
static double reduced(const Lanes *s, unsigned l) {
  double x[32];
  for (unsigned k = 0; k < 32; k++)
    x[k] = k >= s->n ? 0 : k < 11 ? s->a[k] : 3;
  for (unsigned d = 16; d; d /= 2)
    for (unsigned k = 0; k < 11; k++) x[k] += x[k + d < 32 ? k + d : k];
  return x[l];
}
/* The number of before is the lane's own still, though another came after
** it. */
static double of_before(const Lanes *s, unsigned l) {
  double sum = 0;
  for (unsigned k = 0; k < 3; k++)
    if (l > 3) sum += s->a[l - 4] + k;
  return s->a[l] + 3 + sum;
}

static const Row rows[] = {
    {"scan_float", "a[i] = scan(a[i], l);", prefix},
    {"scan_int", "a[i] = scan(int(a[i]), l);", prefix},
    {"scan_ulong", "a[i] = float(scan(ulong(a[i]) << 33, l) >> 33);", prefix},
    {"scan_float4",
     "a[i] = sum4(scan(float4(a[i], 2 * a[i], 3 * a[i], 1), l));", prefix4},
    {"scan_uint3", "uint3 x = scan(uint3(a[i]), l); a[i] = x.z;", prefix},
    {"pair_half",
     "half x = a[i]; if (l & 1) x += simd_shuffle_xor(x, 1);"
     "a[i] = x;",
     pairs},
    {"pair_short2",
     "short2 x = short2(0, a[i]);"
     "if (l & 1) x += simd_shuffle_xor(x, 1); a[i] = x.y;",
     pairs},
    {"pair_uchar",
     "uchar x = a[i]; if (l & 1) x += simd_shuffle_xor(x, 1);"
     "a[i] = x;",
     pairs},
    {"pair_bool",
     "bool x = a[i] > 5; if (l & 1) x = simd_shuffle_xor(x, 1);"
     "a[i] = x;",
     is_five},
    /* the number is used in the branch alone, and would be read there */
    {"only_there", "float x = a[i]; if (l >= 1) a[i] = simd_shuffle_up(x, 1);",
     below},
    {"known",
     "uint l2 = uint(a[i]); if (l >= 1) a[i] = simd_shuffle(l2, l - 1);",
     below},
    {"returned",
     "float x = a[i] * 2; if (l >= 5) return;"
     "a[i] = simd_shuffle_down(x, 1);",
     returned},
    {"deeper",
     "float x = a[i]; if (l > 3) { x *= 2;"
     "if (l > 7) a[i] = simd_shuffle_up(x, 2); }",
     deeper},
    {"left",
     "uint x = l, s = 0; while (x < 40) {"
     "s = (s * 3 + simd_shuffle_xor(x, 3)) & 0xffff; x += 1 + (l & 3); }"
     "a[i] = s;",
     left},
    {"rounds",
     "uint x = l, s = 0; for (uint k = 0; k < 5; k++) { x = x * 7 + k;"
     "if (l >= 4) s = (s * 3 + simd_shuffle_up(x, 4)) & 0xffff; }"
     "a[i] = s;",
     rounds},
    {"last_round",
     "uint n = simd_sum(1u); float s = 0;"
     "for (uint k = l; k < n + n / 2; k += n) {"
     "float v = 3 * k; s += simd_shuffle_down(v, 1); } a[i] = s;",
     last_round},
    {"across",
     "float x = a[i] * 3;"
     "threadgroup_barrier(mem_flags::mem_threadgroup);"
     "if (l >= 4) a[i] = simd_shuffle_up(x, 4);",
     across},
    {"filled",
     "float x = a[i], y = 100 + l;"
     "if (l & 1) a[i] = simd_shuffle_and_fill_up(x, y, 3, 8);",
     filled},
    {"in_quads",
     "float2 x = float2(a[i], a[i] + 1000); if (l & 1) {"
     "float2 y = quad_shuffle_up(x, 1); a[i] = y.x + y.y; }",
     in_quads},
    {"broadcasted",
     "float x = a[i]; if (l % 3 == 0)"
     "a[i] = quad_broadcast(x, 2) + simd_broadcast(x, 5);",
     broadcasted},
    {"rotated",
     "float x = a[i]; if (l % 3 == 0)"
     "a[i] = simd_shuffle_rotate_down(x, l);",
     rotated},
    {"numbers",
     "float x = a[i]; if (l % 3 == 0)"
     "a[i] = simd_shuffle_up(7.0f, 1) + simd_shuffle_up(x, 1);",
     numbers},
    {"never",
     "if (l & 1) { float x = a[i] + 1; a[i] = simd_shuffle_xor(x, 1); }",
     never},
    {"in_else",
     "float x = a[i], y = 2 * x; if (l < 8)"
     "a[i] = simd_shuffle_down(y, 8);"
     "else a[i] = 5 * simd_shuffle_up(x, 8);",
     in_else},
    {"two_bools",
     "bool2 x = bool2(a[i] > 5, a[i] > 7);"
     "if (l & 1) x = simd_shuffle_xor(x, 1);"
     "a[i] = x.x + 2 * x.y;",
     two_bools},
    {"four_bools",
     "bool4 x = a[i] > float4(2, 5, 7, 9);"
     "if (l >= 4) x = simd_shuffle_up(x, 4);"
     "a[i] = x.x + 2 * x.y + 4 * x.z + 8 * x.w;",
     four_bools},
    {"filled_bools",
     "bool3 x = bool3(a[i] > 5, a[i] > 7, true);"
     "bool3 y = bool3(a[i] > 2, false, false);"
     "if (l & 1) x = simd_shuffle_and_fill_up(x, y, 3, 8);"
     "a[i] = x.x + 2 * x.y + 4 * x.z;",
     filled_bools},
    {"outer",
     "float x = a[i]; if (l > 3) { x *= 2;"
     "if (l > 7) x += simd_shuffle_up(x, 5); } a[i] = x;",
     outer},
    {"unread",
     "float x = a[i], y = x; if (l > 3) { x *= 2;"
     "if (l > 7) y += simd_shuffle_up(x, 5); } a[i] = y;",
     unread},
    {"unread_in_loop",
     "float y = a[i]; for (uint k = 0; k < 3; k++) {"
     "float x = a[i] + k; if (l > 3) { x = 2 * a[i];"
     "if (l > 7) y += simd_shuffle_up(x, 5); } } a[i] = y;",
     unread_in_loop},
    {"unread_part",
     "float y = a[i]; float3 x = float3(1, 3, 5);"
     "if (l > 3) { x = y * 4; if (l > 7)"
     "y += simd_shuffle_up(x.y, 5); } a[i] = y;",
     unread_part},
    {"outer_number",
     "float x = 100; if (l > 3) { x = a[i];"
     "if (l > 7) x += simd_shuffle_up(x, 5); } a[i] = x;",
     outer_number},
    {"outer_twice",
     "float2 x = a[i]; if (l > 5) { x *= 2; if (l > 11) {"
     "x *= 2; x += simd_shuffle_up(x, 10); } } a[i] = x.y;",
     outer_twice},
    {"outer_loop",
     "float x = a[i], s = 0; for (uint k = 0; k < 3; k++)"
     "if (l > 3) { x = 2 * x + k;"
     "if (l > 7) s += simd_shuffle_up(x, 6); } a[i] = x + s;",
     outer_loop},
    {"reduced",
     "float x = 3; if (l < 11) { x = a[i];"
     "x += simd_shuffle_down(x, 16); x += simd_shuffle_down(x, 8);"
     "x += simd_shuffle_down(x, 4); x += simd_shuffle_down(x, 2);"
     "x += simd_shuffle_down(x, 1); } a[i] = x;",
     reduced},
    {"of_before",
     "float x = a[i], s = 0; for (uint k = 0; k < 3; k++) {"
     "float old = x; x += 1; if (l > 3)"
     "s += simd_shuffle_up(old, 4); } a[i] = x + s;",
     of_before},
};

#define COUNT (sizeof rows / sizeof *rows)
#define THREADS 128

static mt_Library *library;
static mt_Buffer *buffer;

static int make(void **state) {
  mt_Str s = MT_STR_INIT;
  if (open_host(state) != 0) return -1;
  mt_str_add(&s, source);
  for (size_t i = 0; i < COUNT; i++)
    mt_str_addf(&s, "KERNEL(%s) { %s }\n", rows[i].name, rows[i].body);
  library = host_library(mt_str_text(&s));
  buffer = host_buffer(THREADS * sizeof(float));
  mt_str_free(&s);
  return 0;
}

static int unmake(void **state) {
  mt_buffer_free(buffer);
  mt_library_free(library);
  return close_host(state);
}

static float number(unsigned i) { return (float)(i * 7 % 13 + 1); }

static void prepare(void) {
  float *a = mt_buffer_contents(buffer);
  for (unsigned i = 0; i < THREADS; i++) a[i] = number(i);
}

static void compare(const Row *r, unsigned group, const char *how) {
  const float *got = mt_buffer_contents(buffer);
  float start[32];
  for (unsigned i = 0; i < THREADS; i++) {
    unsigned in_group = i % group, first = i - in_group % 32;
    unsigned end = i - in_group + group;
    if (end > THREADS) end = THREADS;
    Lanes s = {end - first < 32 ? end - first : 32, start};
    for (unsigned k = 0; k < s.n; k++) start[k] = number(first + k);
    double want = r->want(&s, in_group % 32);
    if ((double)got[i] != want)
      fail_msg("%s, %s, groups of %u: thread %u has %g, not %g", r->name, how,
               group, i, (double)got[i], want);
  }
}

static const unsigned sizes[] = {32, 64, 20, 7, 40};

static mt_Kernel *take(const Row *r) {
  mt_Kernel *k = NULL;
  if (mt_kernel_new(library, r->name, NULL, 0, &k, &error) != MT_OK)
    fail_msg("%s: %s", r->name, error.text);
  return k;
}

static void test_run(void **state) {
  (void)state;
  for (int way = 0; host_way(way); way++)
    for (size_t i = 0; i < COUNT; i++) {
      mt_Kernel *k = take(&rows[i]);
      for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        prepare();
        host_must_run(k, (mt_Size){THREADS, 1, 1}, (mt_Size){sizes[n], 1, 1},
                      &buffer);
        compare(&rows[i], sizes[n], way ? "as vectors" : "thread by thread");
      }
      mt_kernel_free(k);
    }
}

/* The read is told, and gives the same. */
static void test_checked(void **state) {
  (void)state;
  for (int way = 0; host_way(way); way++)
    for (size_t i = 0; i < COUNT; i++) {
      mt_Kernel *k = take(&rows[i]);
      mt_Arg args[3] = {{.kind = MT_ARG_BUFFER, .buffer = buffer,
                         .size = buffer->size}};
      mt_Launch l = {.kernel = k, .args = args, .arg_count = 3, .repeats = 1,
                     .grid = {THREADS, 1, 1}, .group = {32, 1, 1},
                     .time_limit = 20};
      mt_CheckOptions options = {0};
      mt_CheckReport report;
      bool told = false;
      prepare();
      if (mt_check(&l, &options, &report, &error) != MT_OK)
        fail_msg("%s: %s", rows[i].name, error.text);
      for (size_t n = 0; n < report.count; n++)
        told |= report.findings[n].kind == MT_FIND_INACTIVE_LANE;
      mt_check_free(&report);
      mt_kernel_free(k);
      compare(&rows[i], 32, "under watch");
      if (!told && strncmp(rows[i].name, "filled", 6))
        fail_msg("check did not tell of %s", rows[i].name);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_run),
      cmocka_unit_test(test_checked),
  };
  return cmocka_run_group_tests(tests, make, unmake);
}
