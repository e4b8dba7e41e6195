/*
** test_vectorise.c - the vectoriser: every shape of control flow and of memory
** access, at group sizes around and far from 32, against answers worked out
** in C.
**
** Guards: devices/host/, the vectoriser: control flow, scalar tails of loops,
** memory, positions, barriers, atomics at many group sizes;
** devices/compiler/ir/{call, divergence, loop_nest, pointer,
** threadgroup_variables}.c, devices/compiler/prepare/{constant_memory,
** end_at_unreachable, expand_memcpy, inspect, prepare, safe_integers}.c,
** devices/host/analyse/{address_space, affine, cfg, induction_steps,
** uniformity}.c, devices/host/vector/{mask, runtime_call, shape, shuffle,
** thread_position, values}.c, devices/host/plan/{branch_uniformity,
** control_flow_plan, scalar_tail}.c, devices/host/region/{frame,
** group_function, region_end}.c, devices/host/emit/{atomics, instructions,
** intrinsics, scalar_tail_code, x86_instructions}.c,
** devices/host/strategy/{memory, plan}.c, devices/host/access/{access,
** availability, gather_scatter, private_memory}.c,
** devices/host/vectorise/{barrier_regions, report}.c
*/
#include "tests/c/vectorise_case.h"

#include <math.h>

#define MAX 4096

static const uint32_t SIZES[] = {1, 2, 31, 32, 33, 64, 100, 256, 1000, 1024};
#define SIZE_COUNT (sizeof SIZES / sizeof *SIZES)

/* Run a kernel over (in, out, n) at every size of group and compare with
** 'expect', which says what thread i of n gives for its input. */
typedef int32_t (*Expect)(const int32_t *in, uint32_t i, uint32_t n);

static const int32_t UNTOUCHED = -77777;

static void fill(int32_t *in, int32_t *out) {
  for (int i = 0; i < MAX; i++) {
    in[i] = (i * 7919 + 13) % 101 - 20;
    out[i] = UNTOUCHED;
  }
}

static void sweep(const char *source, uint32_t n, Expect expect) {
  static int32_t in[MAX], out[MAX];
  for (size_t s = 0; s < SIZE_COUNT; s++) {
    fill(in, out);
    Launch l = {.source = source, .args = {ARG(in), ARG(out), ARG(&n)},
                .grid = {n, 1, 1}, .group = {SIZES[s], 1, 1}};
    test_run(&l);
    for (uint32_t i = 0; i < n; i++) {
      int32_t want = expect(in, i, n);
      if (out[i] != want)
        fail_msg("group of %u, thread %u: %d instead of %d", SIZES[s], i,
                 out[i], want);
    }
    for (uint32_t i = n; i < MAX; i++) assert_int_equal(out[i], UNTOUCHED);
  }
}

#define HEAD                                                                  \
  "#include <metal_stdlib>\nusing namespace metal;\n"                         \
  "kernel void k(device const int *in [[buffer(0)]],"                         \
  " device int *out [[buffer(1)]], constant uint &n [[buffer(2)]],"           \
  " uint i [[thread_position_in_grid]]) {\n"

/* ------------------------------------------------------------ control flow */

static int32_t straight(const int32_t *in, uint32_t i, uint32_t n) {
  (void)n;
  return in[i] * 3 + (int32_t)i;
}
static void test_straight(void **state) {
  (void)state;
  sweep(HEAD "out[i] = in[i] * 3 + int(i); }", 1000, straight);
}

/* Neighbours in the other direction, all of them and some. */
static int32_t mirrored(const int32_t *in, uint32_t i, uint32_t n) {
  (void)n;
  return in[999 - i] * 2 + in[999 - i + 1];
}
static int32_t mirrored_some(const int32_t *in, uint32_t i, uint32_t n) {
  (void)n;
  int32_t x = in[999 - i] > 7 ? (int8_t)in[i + 3] : 0;
  return in[999 - i] > 7 ? in[999 - i] + x : UNTOUCHED;
}
static void test_mirror(void **state) {
  (void)state;
  sweep(HEAD "out[999 - i] = in[i] * 2 + in[i + 1]; }", 1000, mirrored);
  sweep(HEAD "out[i] = in[999 - i] * 2 + in[1000 - i]; }", 1000, mirrored);
  sweep(HEAD "if (in[i] > 7) out[999 - i] = "
             "in[i] + int(((device const char *)in)[4 * (1002 - i)]); }",
        1000, mirrored_some);
}

static int32_t guarded(const int32_t *in, uint32_t i, uint32_t n) {
  (void)n;
  return i < 777 ? in[i] + 1 : UNTOUCHED;
}
static void test_guard(void **state) {
  (void)state;
  sweep(HEAD "if (i >= 777) return; out[i] = in[i] + 1; }", 1000, guarded);
}

static int32_t branches(const int32_t *in, uint32_t i, uint32_t n) {
  int32_t x = in[i], r;
  (void)n;
  if (x > 10) {
    r = x * 2;
    if (x > 50) r += in[(i + 1) % 100];
    else if (x & 1) r -= in[i / 2];
  } else if (x < 0 && in[(uint32_t)(-x)] > 3) {
    r = in[(uint32_t)(-x)];
  } else {
    r = 1;
  }
  return r;
}
static void test_branches(void **state) {
  (void)state;
  sweep(HEAD
        "int x = in[i], r;"
        "if (x > 10) { r = x * 2; if (x > 50) r += in[(i + 1) % 100];"
        " else if (x & 1) r -= in[i / 2]; }"
        "else if (x < 0 && in[-x] > 3) r = in[-x]; else r = 1;"
        "out[i] = r; }", 1000, branches);
}

/* Loops that few lanes stay in, which then run one after the other
** (plan/scalar_tail.c): with several ways out, arrays of the thread's
** own, stores. */
static int32_t divisors(const int32_t *in, uint32_t i, uint32_t n) {
  int32_t r = 1, last = 0;
  (void)n;
  for (uint32_t d = 3; d * d <= i; d += 2) {
    if (i % d == 0) {
      r = -(int32_t)d;
      break;
    }
    if (d % 7 == (uint32_t)in[d] % 7u) continue;
    if (in[d + i % d] == 80) return 99 + last;
    last = (int32_t)(i % d);
  }
  return r + last;
}

static int32_t towers(const int32_t *in, uint32_t i, uint32_t n) {
  int32_t stack[12] = {0}, top = 1, sum = 0;
  uint8_t seen[16] = {0};
  (void)n;
  stack[0] = in[i];
  while (top > 0) {
    int32_t x = stack[--top];
    sum += x * (1 + seen[x & 15]);
    if (seen[x & 15]++ > 2) continue;
    if (x > 3 && top < 10) {
      stack[top++] = x / 2;
      if (x & 1) stack[top++] = x / 3;
    }
  }
  return sum;
}

static void test_alone(void **state) {
  (void)state;
  sweep(HEAD
        "int r = 1, last = 0;"
        "for (uint d = 3; d * d <= i; d += 2) {"
        " if (i % d == 0) { r = -int(d); break; }"
        " if (d % 7 == uint(in[d]) % 7u) continue;"
        " if (in[d + i % d] == 80) { out[i] = 99 + last; return; }"
        " last = int(i % d); }"
        "out[i] = r + last; }", 3000, divisors);
  sweep(HEAD
        "int stack[12] = {0}, top = 1, sum = 0; uchar seen[16] = {0};"
        "stack[0] = in[i];"
        "while (top > 0) { int x = stack[--top]; sum += x * (1 + seen[x & 15]);"
        " if (seen[x & 15]++ > 2) continue;"
        " if (x > 3 && top < 10) { stack[top++] = x / 2;"
        "  if (x & 1) stack[top++] = x / 3; } }"
        "out[i] = sum; }", 1000, towers);
}

static int32_t loops(const int32_t *in, uint32_t i, uint32_t n) {
  int32_t sum = 0;
  (void)n;
  for (int32_t j = 0; j < in[i]; j++) {
    if (j % 3 == 1) continue;
    sum += in[j] ^ j;
    if (sum > 900) break;
    for (int32_t k = j; k < 6; k++) {
      if (in[k] == in[i]) return -5;
      sum += k & in[i];
    }
  }
  return sum;
}
static void test_loops(void **state) {
  (void)state;
  sweep(HEAD
        "int sum = 0; int x = in[i];"
        "for (int j = 0; j < x; j++) { if (j % 3 == 1) continue;"
        " sum += in[j] ^ j; if (sum > 900) break;"
        " for (int k = j; k < 6; k++) {"
        "  if (in[k] == x) { out[i] = -5; return; } sum += k & x; } }"
        "out[i] = sum; }", 1000, loops);
}

static int32_t collatz(const int32_t *in, uint32_t i, uint32_t n) {
  uint32_t x = (uint32_t)(in[i] + 21), steps = 0;
  (void)n;
  while (x != 1) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    steps++;
  }
  return (int32_t)(steps * 1000 + i);
}
static void test_collatz(void **state) {
  (void)state;
  sweep(HEAD
        "uint x = uint(in[i] + 21), steps = 0;"
        "while (x != 1) { x = x % 2 ? 3 * x + 1 : x / 2; steps++; }"
        "out[i] = int(steps * 1000 + i); }", 1000, collatz);
}

static int32_t switches(const int32_t *in, uint32_t i, uint32_t n) {
  int32_t r = 0;
  (void)n;
  for (int32_t j = 0; j < 4; j++) switch ((in[i] + j) & 7) {
      case 0: r += 5; break;
      case 1: r *= 3; /* fall through */
      case 2: r -= j; break;
      case 5: return r;
      default: r ^= in[j];
    }
  return r + 1;
}
static void test_switches(void **state) {
  (void)state;
  sweep(HEAD
        "int r = 0; for (int j = 0; j < 4; j++) switch ((in[i] + j) & 7) {"
        "case 0: r += 5; break; case 1: r *= 3; case 2: r -= j; break;"
        "case 5: out[i] = r; return; default: r ^= in[j]; }"
        "out[i] = r + 1; }", 1000, switches);
}

static int32_t stencil(const int32_t *in, uint32_t i, uint32_t n) {
  int32_t r = in[i];
  if (i > 0) r += 10 * in[i - 1];
  if (i + 2 < n) r += 100 * in[i + 2];
  return r;
}
static void test_wrap(void **state) { /* i - 1 wraps in lane 0 */
  (void)state;
  sweep(HEAD "int r = in[i]; if (i > 0) r += 10 * in[i - 1];"
             "if (i + 2 < n) r += 100 * in[i + 2]; out[i] = r; }",
        1000, stencil);
}

/* The same with several rows in a vector, each with an index of its own: in the
** first row, or its first lane, it wraps, and in its neighbours it does not.
** One sum wraps twice on its way to an index that is none too large. */
static void test_wrap_rows(void **state) {
  (void)state;
  enum { WIDE = 48, HIGH = 20 };
  static const uint32_t SHAPES[][2] = {{16, 16}, {8, 8}, {4, 8}, {32, 4},
                                       {16, 2}, {12, 5}};
  static int32_t in[MAX], out[MAX];
  uint32_t n = WIDE;
  for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
    fill(in, out);
    Launch l = {.source =
                    "#include <metal_stdlib>\nusing namespace metal;\n"
                    "kernel void k(device const int *in [[buffer(0)]],"
                    " device int *out [[buffer(1)]],"
                    " constant uint &n [[buffer(2)]],"
                    " uint2 g [[thread_position_in_grid]]) {\n"
                    "uint at = g.y * n + g.x;"
                    "int r = in[(g.y - 3) * n + (g.x + 3 * n)];"
                    "if (g.y > 0) r += 10 * in[(g.y - 1) * n + g.x];"
                    "if (at > 0) r += 100 * in[at - 1]; out[at] = r; }",
                .args = {ARG(in), ARG(out), ARG(&n)},
                .grid = {WIDE, HIGH, 1},
                .group = {SHAPES[s][0], SHAPES[s][1], 1}};
    test_run(&l);
    for (int i = 0; i < WIDE * HIGH; i++) {
      int32_t want = in[i];
      if (i >= WIDE) want += 10 * in[i - WIDE];
      if (i > 0) want += 100 * in[i - 1];
      if (out[i] != want)
        fail_msg("group of %ux%u, thread %d: %d instead of %d", SHAPES[s][0],
                 SHAPES[s][1], i, out[i], want);
    }
  }
}

static int32_t summed(const int32_t *in, uint32_t i, uint32_t n) {
  uint32_t w = 7, sum = 0;
  for (uint32_t k = 1; k <= 3; k++) {
    w += (i * n + 1) * 7;
    sum += (uint32_t)in[(w - i) & 3] * k;
  }
  return (int32_t)sum;
}
static void test_terms(void **state) { /* the same term again and again */
  (void)state;
  sweep(HEAD "uint w = 7, sum = 0, b = (i * n + 1) * 7;"
             "w += b; sum += uint(in[(w - i) & 3]);"
             "w += b; sum += uint(in[(w - i) & 3]) * 2;"
             "w += b; sum += uint(in[(w - i) & 3]) * 3; out[i] = int(sum); }",
        1000, summed);
}

static int32_t divided(const int32_t *in, uint32_t i, uint32_t n) {
  (void)n;
  int32_t d = in[i], u = (int32_t)(i + 1);
  int32_t r = d != 0 ? (1000003 * (i & 1 ? 1 : -1)) / d + 7919 % d : 4;
  return r + (int32_t)(4000000000u / (uint32_t)u % 1000u) + 32100 / u % 77;
}
static void test_division(void **state) {
  (void)state;
  sweep(HEAD "int d = in[i], u = int(i + 1), r = 4;"
             "if (d != 0) r = (1000003 * (i & 1 ? 1 : -1)) / d + 7919 % d;"
             "out[i] = r + int(4000000000u / uint(u) % 1000u) + 32100 / u % "
             "77; }",
        1000, divided);
}

static int32_t shared_divisor(const int32_t *in, uint32_t i, uint32_t n) {
  uint32_t a = i * 4294967u + 0x7FFFFFF0u, r = 0;
  (void)in;
  for (uint32_t k = 0; k < 24; k++) {
    uint32_t d = (n + k * 97u) * (k * k * 7321u + 1u) >> (k & 15);
    int32_t e = k & 1 ? -(int32_t)(d >> 1) - 1 : (int32_t)(d >> 1) + 1;
    if (d == 0) d = 1;
    r = r * 31u + a / d + a % d * 3u;
    r = r * 17u + (uint32_t)((int32_t)a / e) + (uint32_t)((int32_t)a % e);
    r += (a - a % d) / d + 0xFFFFFFFFu / (d + i) + (d * (a / d) + d - 1) / d;
  }
  return (int32_t)r;
}
static void test_shared_divisor(void **state) { /* the same in all lanes */
  (void)state;
  sweep(HEAD
        "uint a = i * 4294967u + 0x7FFFFFF0u, r = 0;"
        "for (uint k = 0; k < 24; k++) {"
        "  uint d = (n + k * 97u) * (k * k * 7321u + 1u) >> (k & 15);"
        "  int e = k & 1 ? -int(d >> 1) - 1 : int(d >> 1) + 1;"
        "  if (d == 0) d = 1;"
        "  r = r * 31u + a / d + a % d * 3u;"
        "  r = r * 17u + uint(int(a) / e) + uint(int(a) % e);"
        "  r += (a - a % d) / d + 0xFFFFFFFFu / (d + i) + (d * (a / d) + d "
        "- 1) / d;"
        "} out[i] = int(r); }",
        1000, shared_divisor);
}

/* ------------------------------------- neighbours, except at the edges */

static int32_t at_edges(const int32_t *in, uint32_t i, uint32_t n) {
  uint32_t sum = 0, bit = n >> 5, j = (i + n - 5) % n; /* it wrote out[i] */
  i = j;
  for (int k = -3; k <= 3; k++) {
    int c = (int)i + k<0 ? 0 : (int)i + k>(int) n - 1 ? (int)n - 1 : (int)i + k;
    sum = sum * 3 + (uint32_t)in[c];
  }
  sum = sum * 5 + (uint32_t)in[i + 9 < n ? i + 9 : n - 1];
  sum = sum * 5 + (uint32_t)in[i > 0 ? i - 1 : i];
  sum = sum * 5 + (uint32_t)in[(i + n - 7) % n];
  sum = sum * 5 + (uint32_t)in[(2 * i - (i & (bit - 1))) & 2047];
  sum = sum * 5 + (uint32_t)in[(uint8_t)(i + 200)];
  sum = sum * 5 + (uint32_t)in[(uint8_t)(8 * i) + (uint16_t)(i * 3000) % 999];
  return (int32_t)sum;
}
/* What leaves on one side comes back on the other, by a choice. */
static int32_t on_a_ring(const int32_t *in, uint32_t i, uint32_t n) {
  uint32_t sum = (uint32_t)in[(i == 0 ? n : i) - 1];
  sum = sum * 5 + (uint32_t)in[i + 1 == n ? 0 : i + 1];
  sum = sum * 5 + (uint32_t)in[i + 3 != n ? i + 3 : 1];
  sum = sum * 5 + (uint32_t)in[i >= n - 5 ? 7 : i + 5];
  sum = sum * 5 + (uint32_t)in[i < 70 ? i + 1 : 2];
  sum = sum * 5 + (uint32_t)in[2 * i == 100 ? 3 : 2 * i];
  return (int32_t)(sum * 5 +
                   (uint32_t)in[(uint8_t)(i + 9) == 4 ? 0 : (uint8_t)(i + 9)]);
}
static void test_ring(void **state) {
  (void)state;
  sweep(HEAD "uint sum = uint(in[(i == 0 ? n : i) - 1]);"
             "sum = sum * 5 + uint(in[i + 1 == n ? 0 : i + 1]);"
             "sum = sum * 5 + uint(in[i + 3 != n ? i + 3 : 1]);"
             "sum = sum * 5 + uint(in[i >= n - 5 ? 7 : i + 5]);"
             "sum = sum * 5 + uint(in[i < 70 ? i + 1 : 2]);"
             "sum = sum * 5 + uint(in[2 * i == 100 ? 3 : 2 * i]);"
             "out[i] = int(sum * 5 + uint(in[uchar(i + 9) == "
             "4 ? uchar(0) : uchar(i + 9)])); }",
        800, on_a_ring);
}

static void test_edges(void **state) {
  (void)state;
  static const uint32_t counts[] = {1000, 1024, 40};
  for (int c = 0; c < 3; c++)
    sweep(HEAD
          "uint sum = 0, bit = n >> 5;"
          "for (int k = -3; k <= 3; k++)"
          "  sum = sum * 3 + uint(in[clamp(int(i) + k, 0, int(n) - 1)]);"
          "sum = sum * 5 + uint(in[min(i + 9, n - 1)]);"
          "sum = sum * 5 + uint(in[i > 0 ? i - 1 : i]);"
          "sum = sum * 5 + uint(in[(i + n - 7) % n]);"
          "sum = sum * 5 + uint(in[(2 * i - (i & (bit - 1))) & 2047]);"
          "sum = sum * 5 + uint(in[uchar(i + 200)]);"
          "sum = sum * 5 + uint(in[uchar(8 * i) + ushort(i * 3000) % 999]);"
          "out[(i + 5) % n] = int(sum); }", counts[c], at_edges);
}

/* Two to nine elements apart, and numbers smaller than a word. */
static int32_t apart(const int32_t *in, uint32_t i, uint32_t n) {
  const uint8_t *bytes = (const uint8_t *)in;
  const int16_t *shorts = (const int16_t *)in;
  uint32_t sum = (uint32_t)in[2 * i] * 3 + (uint32_t)in[3 * i + 1] * 5;
  sum += (uint32_t)in[4 * i + 3] * 7 + (uint32_t)in[i * 8 % n];
  for (uint32_t k = 2; k < 10; k++)
    sum = sum * 3 + bytes[k * i + k - 1] + (uint32_t)shorts[k * i + 1];
  sum = sum * 3 + bytes[i * 37 & 4095];
  return (int32_t)(sum * 3 + (uint32_t)shorts[(i * i) & 2047]);
}
static void test_apart(void **state) {
  (void)state;
  sweep(HEAD
        "device const uchar *bytes = (device const uchar *)in;"
        "device const short *shorts = (device const short *)in;"
        "uint sum = uint(in[2 * i]) * 3 + uint(in[3 * i + 1]) * 5;"
        "sum += uint(in[4 * i + 3]) * 7 + uint(in[i * 8 % n]);"
        "for (uint k = 2; k < 10; k++)"
        "  sum = sum * 3 + bytes[k * i + k - 1] + uint(shorts[k * i + 1]);"
        "sum = sum * 3 + bytes[i * 37 & 4095];"
        "out[i] = int(sum * 3 + uint(shorts[(i * i) & 2047])); }", 800, apart);
}

/* vectors at one time: half a SIMD-group runs (plan/vector_width.c) */
#define BUSY 24

static int32_t busy(const int32_t *in, uint32_t i, uint32_t n) {
  uint32_t v[BUSY], sum = 0;
  (void)n;
  for (uint32_t j = 0; j < BUSY; j++) v[j] = (uint32_t)in[(i + j) & 1023];
  for (int32_t k = 0; k < in[i]; k++) {
    if (in[k] == in[i]) continue;
    for (uint32_t j = 0; j < BUSY; j++) v[j] = v[j] * 3 + v[(j + 1) % BUSY];
  }
  for (uint32_t j = 0; j < BUSY; j++) sum ^= v[j] + j;
  return (int32_t)sum;
}
static void test_busy(void **state) {
  (void)state;
  sweep(HEAD "uint v[24], sum = 0; int x = in[i];"
             "for (uint j = 0; j < 24; j++) v[j] = in[(i + j) & 1023];"
             "for (int k = 0; k < x; k++) { if (in[k] == x) continue;"
             " for (int j = 0; j < 24; j++) "
             "v[j] = v[j] * 3 + v[(j + 1) % 24]; }"
             "for (int j = 0; j < 24; j++) sum ^= v[j] + j;"
             "out[i] = sum; }",
        1000, busy);
}

/* ------------------------------------------------------------------ memory */

static int32_t private_array(const int32_t *in, uint32_t i, uint32_t n) {
  int32_t a[16], sum = 0;
  int8_t c[8];
  (void)n;
  for (int j = 0; j < 16; j++) a[j] = in[i] * j;
  for (int j = 0; j < 8; j++) c[j] = (int8_t)(in[i] + j);
  a[in[i] & 15] = 1000;
  c[i & 7] = 5;
  for (int j = 0; j < 16; j++) sum += a[(j * 5 + (int)i) & 15] * (j + 1);
  return sum + c[in[i] & 7] + 3 * c[2];
}
static void test_private(void **state) {
  (void)state;
  sweep(HEAD "int a[16], sum = 0; char c[8];"
             "for (int j = 0; j < 16; j++) a[j] = in[i] * j;"
             "for (int j = 0; j < 8; j++) c[j] = char(in[i] + j);"
             "a[in[i] & 15] = 1000; c[i & 7] = 5;"
             "for (int j = 0; j < 16; j++) "
             "sum += a[(j * 5 + int(i)) & 15] * (j + 1);"
             "out[i] = sum + c[in[i] & 7] + 3 * c[2]; }",
        1000, private_array);
}

static int32_t wide(const int32_t *in, uint32_t i, uint32_t n) {
  (void)n;
  int64_t x = (int64_t)in[i] * 5000000000ll + i;
  uint64_t y = (uint64_t)(uint32_t)(i - 1);
  return (int32_t)(x >> 20) ^ (int32_t)(y >> 30) ^
         (int32_t)(uint16_t)(in[i] * 77);
}
static void test_long_copies(void **state) {
  (void)state; /* a fill, a copy of words, of bytes, and moves both ways */
  const char *source =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "struct Table { int n[300]; };\n"
      "struct Bytes { uchar b[301]; };\n"
      "kernel void k(device int *out [[buffer(0)]], device const Table *in "
      "[[buffer(1)]],"
      " device const Bytes *raw [[buffer(2)]], constant uint &n [[buffer(3)]],"
      " uint i [[thread_position_in_grid]]) {"
      " int count[700] = {0};"
      " Table t = in[i & 1]; Bytes b = raw[i & 1];"
      " if (i & 4) t = in[2];" /* by some lanes alone */
      " for (uint k = 0; k < n; k++) count[(t.n[k] + i) % 700] += b.b[k];"
      " __builtin_memmove(count + 1, count, 600 * sizeof(int));"
      " __builtin_memmove(count + 2, count + 5, 600 * sizeof(int));"
      " int sum = 0;"
      " for (uint k = 0; k < 700; k++) sum = sum * 31 + count[k];"
      " out[i] = sum; }";
  static int32_t out[MAX];
  static struct { int32_t n[300]; } in[3];
  static struct { uint8_t b[301]; } raw[2];
  uint32_t n = 300;
  for (int t = 0; t < 3; t++)
    for (int k = 0; k < 300; k++) in[t].n[k] = (k * (7 + t) + t) % 700;
  for (int t = 0; t < 2; t++)
    for (int k = 0; k < 301; k++) raw[t].b[k] = (uint8_t)(k * 3 + t);
  Launch l = {.source = source, .args = {ARG(out), ARG(in), ARG(raw), ARG(&n)},
              .grid = {50, 1, 1}, .group = {50, 1, 1}};
  test_run(&l);
  for (int i = 0; i < 50; i++) {
    int32_t count[700] = {0};
    uint32_t sum = 0;
    for (int k = 0; k < 300; k++)
      count[(in[i & 4 ? 2 : i & 1].n[k] + i) % 700] += raw[i & 1].b[k];
    memmove(count + 1, count, 600 * sizeof *count);
    memmove(count + 2, count + 5, 600 * sizeof *count);
    for (int k = 0; k < 700; k++) sum = sum * 31 + (uint32_t)count[k];
    assert_int_equal((uint32_t)out[i], sum);
  }
}

static void test_wide(void **state) {
  (void)state;
  sweep(HEAD "long x = long(in[i]) * 5000000000l + i; ulong y = ulong(i - 1);"
             "out[i] = int(x >> 20) ^ int(y >> 30) ^ int(ushort(in[i] * "
             "77)); }",
        1000, wide);
}

static void test_float4(void **state) {
  (void)state;
  const char *source =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void k(device const float4 *a [[buffer(0)]],"
      " device float4 *b [[buffer(1)]], device float *c [[buffer(2)]],"
      " uint i [[thread_position_in_grid]]) {"
      " float4 x = a[i]; if (i % 3 == 1) x.xz = x.wy;"
      " b[i] = x.wzyx * 2.0f; c[i] = dot(x, float4(1, 2, 3, 4)) + a[3].y; }";
  static float a[4 * MAX], b[4 * MAX], c[MAX];
  for (size_t s = 0; s < SIZE_COUNT; s++) {
    for (int i = 0; i < 4 * MAX; i++) a[i] = (float)(i * 31 % 97), b[i] = -1;
    Launch l = {.source = source, .args = {ARG(a), ARG(b), ARG(c)},
                .grid = {999, 1, 1}, .group = {SIZES[s], 1, 1}};
    test_run(&l);
    for (int i = 0; i < 999; i++) {
      float x[4];
      memcpy(x, a + 4 * i, sizeof x);
      if (i % 3 == 1) x[0] = a[4 * i + 3], x[2] = a[4 * i + 1];
      for (int j = 0; j < 4; j++) assert_true(b[4 * i + j] == 2 * x[3 - j]);
      assert_true(c[i] == x[0] + 2 * x[1] + 3 * x[2] + 4 * x[3] + a[13]);
    }
    assert_true(b[4 * 999] == -1);
  }
}

/* --------------------------------------------------------------- positions */

static void test_positions(void **state) {
  (void)state;
  const char *source =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void k(device uint *out [[buffer(0)]],"
      " uint3 g [[thread_position_in_grid]], uint3 n [[threads_per_grid]],"
      " uint3 t [[thread_position_in_threadgroup]],"
      " uint3 p [[threadgroup_position_in_grid]],"
      " uint3 size [[threads_per_threadgroup]],"
      " ushort l [[thread_index_in_threadgroup]]) {"
      " uint at = (g.z * n.y + g.y) * n.x + g.x;"
      " out[at] = t.x + 100 * t.y + 10000 * t.z + 1000000 * (p.x + 7 * p.y "
      "+ 49 * p.z)"
      "   + l * 3 + size.x * 5 + size.y * 11; }";
  static const uint32_t SHAPES[][6] = {
      {64, 8, 1, 16, 4, 1}, {60, 9, 1, 16, 16, 1}, {33, 17, 3, 8, 4, 2},
      {100, 7, 2, 10, 3, 2}, {64, 64, 1, 32, 8, 1}, {70, 3, 1, 64, 1, 1},
      {5, 5, 5, 3, 3, 3}, {40, 6, 6, 4, 2, 4}, {31, 31, 1, 32, 32, 1}};
  static uint32_t out[1 << 16];
  for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
    const uint32_t *n = SHAPES[s], *z = n + 3;
    memset(out, 0xFF, sizeof out);
    Launch l = {.source = source, .args = {ARG(out)},
                .grid = {n[0], n[1], n[2]}, .group = {z[0], z[1], z[2]}};
    test_run(&l);
    for (uint32_t i = 0; i < n[0] * n[1] * n[2]; i++) {
      uint32_t g[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]}, t[3], p[3],
               a[3];
      for (int d = 0; d < 3; d++) {
        t[d] = g[d] % z[d], p[d] = g[d] / z[d];
        a[d] = n[d] - p[d] * z[d] < z[d] ? n[d] - p[d] * z[d] : z[d];
      }
      uint32_t want = t[0] + 100 * t[1] + 10000 * t[2] +
                      1000000 * (p[0] + 7 * p[1] + 49 * p[2]) +
                      3 * ((t[2] * a[1] + t[1]) * a[0] + t[0]) + a[0] * 5 +
                      a[1] * 11;
      if (out[i] != want)
        fail_msg("shape %zu, thread %u: %u instead of %u", s, i, out[i], want);
    }
  }
}

/* ---------------------------------------------------------------- barriers */

static void test_tree(void **state) {
  (void)state;
  const char *source =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void k(device const int *in [[buffer(0)]], device int *out "
      "[[buffer(1)]],"
      " constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]],"
      " uint l [[thread_position_in_threadgroup]],"
      " uint g [[threadgroup_position_in_grid]], "
      "uint size [[threads_per_threadgroup]]) {"
      " threadgroup int sum[1024]; sum[l] = in[i];"
      " threadgroup_barrier(mem_flags::mem_threadgroup);"
      " for (uint s = 512; s > 0; s >>= 1) {"
      "  if (l < s && l + s < size) sum[l] += sum[l + s];"
      "  threadgroup_barrier(mem_flags::mem_threadgroup); }"
      " if (l == 0) out[g] = sum[0]; }";
  static int32_t in[MAX], out[MAX];
  for (size_t s = 0; s < SIZE_COUNT; s++) {
    uint32_t n = 2000, size = SIZES[s];
    fill(in, out);
    Launch l = {.source = source, .args = {ARG(in), ARG(out), ARG(&n)},
                .grid = {n, 1, 1}, .group = {size, 1, 1}};
    test_run(&l);
    for (uint32_t g = 0; g * size < n; g++) {
      int32_t want = 0;
      for (uint32_t i = g * size; i < n && i < (g + 1) * size; i++)
        want += in[i];
      assert_int_equal(out[g], want);
    }
  }
}

static void test_tiled(void **state) {
  (void)state;
  const char *source =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "constant uint T = 8;"
      "kernel void k(device const float *a [[buffer(0)]],"
      " device const float *b [[buffer(1)]], device float *c [[buffer(2)]],"
      " constant uint &n [[buffer(3)]], uint2 g [[thread_position_in_grid]],"
      " uint2 l [[thread_position_in_threadgroup]]) {"
      " threadgroup float x[8][8], y[8][8]; float acc = 0;"
      " for (uint t = 0; t < (n + T - 1) / T; t++) {"
      "  x[l.y][l.x] = g.y < n && t * T + l.x < n "
      "? a[g.y * n + t * T + l.x] : 0;"
      "  y[l.y][l.x] = g.x < n && t * T + l.y < n "
      "? b[(t * T + l.y) * n + g.x] : 0;"
      "  threadgroup_barrier(mem_flags::mem_threadgroup);"
      "  for (uint k = 0; k < T; k++) acc += x[l.y][k] * y[k][l.x];"
      "  threadgroup_barrier(mem_flags::mem_threadgroup); }"
      " if (g.x < n && g.y < n) c[g.y * n + g.x] = acc; }";
  static float a[64 * 64], b[64 * 64], c[64 * 64];
  static const uint32_t NS[] = {8, 16, 20, 37, 64};
  for (int i = 0; i < 64 * 64; i++)
    a[i] = (float)(i % 7), b[i] = (float)(i % 5);
  for (size_t s = 0; s < 5; s++) {
    uint32_t n = NS[s], up = (n + 7) / 8 * 8;
    Launch l = {.source = source, .args = {ARG(a), ARG(b), ARG(c), ARG(&n)},
                .grid = {up, up, 1}, .group = {8, 8, 1}};
    test_run(&l);
    for (uint32_t i = 0; i < n * n; i++) {
      float want = 0;
      for (uint32_t k = 0; k < n; k++)
        want += a[i / n * n + k] * b[k * n + i % n];
      assert_true(c[i] == want);
    }
  }
}

static void test_early_return_barrier(void **state) {
  (void)state; /* threads that have returned are not waited for */
  const char *source =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void k(device int *out [[buffer(0)]], constant uint &n "
      "[[buffer(1)]],"
      " threadgroup int *m [[threadgroup(0)]],"
      " uint i [[thread_position_in_grid]],"
      " uint l [[thread_position_in_threadgroup]]) {"
      " if (i >= n) return; m[l] = int(i) * 2;"
      " threadgroup_barrier(mem_flags::mem_threadgroup);"
      " out[i] = m[l ^ 1]; }";
  static int32_t out[MAX];
  uint32_t n = 150;
  memset(out, 0xFF, sizeof out);
  Launch l = {.source = source,
              .args = {ARG(out), ARG(&n)},
              .threadgroup = {0, 0, 1024},
              .grid = {256, 1, 1},
              .group = {128, 1, 1}};
  test_run(&l);
  for (int i = 0; i < 150; i++) assert_int_equal(out[i], (i ^ 1) * 2);
  for (int i = 150; i < 256; i++) assert_int_equal(out[i], -1);
}

static void test_continue_and_break_before_barrier(void **state) {
  (void)state; /* Clang leaves a loop by a switch then, whose default is idle */
  const char *source =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void k(device int *out [[buffer(0)]], device const int *in "
      "[[buffer(1)]],"
      " threadgroup int *m [[threadgroup(0)]],"
      " uint i [[thread_position_in_grid]],"
      " uint l [[thread_position_in_threadgroup]]) {"
      " int sum = 0;"
      " for (int q = int(l); q >= 0; q--) { int w = in[(q + int(i)) & 255];"
      "   if ((w & 3) == 0) continue;"
      "   sum += w; if ((w & 3) == 2) break; }"
      " m[l] = sum; threadgroup_barrier(mem_flags::mem_threadgroup);"
      " out[i] = m[l ^ 1]; }";
  static int32_t out[MAX], in[256], want[256];
  for (int i = 0; i < 256; i++) in[i] = i * 37 % 101;
  Launch l = {.source = source,
              .args = {ARG(out), ARG(in)},
              .threadgroup = {0, 0, 1024},
              .grid = {256, 1, 1},
              .group = {128, 1, 1}};
  test_run(&l);
  for (int i = 0; i < 256; i++) {
    want[i] = 0;
    for (int q = i % 128; q >= 0; q--) {
      int w = in[(q + i) & 255];
      if ((w & 3) != 0) want[i] += w;
      if ((w & 3) == 2) break;
    }
  }
  for (int i = 0; i < 256; i++) assert_int_equal(out[i], want[i ^ 1]);
}

/* An index after a barrier is kept, but not all that it was made of. */
static void test_index_across_barrier(void **state) {
  (void)state;
  static const char *const types[] = {"int2", "int4", "float4", "long2"};
  static int32_t out[MAX];
  for (unsigned t = 0; t < 4; t++)
    for (size_t s = 3; s < SIZE_COUNT - 1; s++) {
      char source[1200];
      int n = (int)SIZES[s];
      snprintf(source, sizeof source,
               "#include <metal_stdlib>\nusing namespace metal;\n"
               "kernel void k(device int *out [[buffer(0)]], uint3 at "
               "[[thread_position_in_grid]],"
               " uint l [[thread_index_in_threadgroup]], "
               "uint3 per [[threads_per_threadgroup]]) {"
               " threadgroup %s m[1024]; m[l] = %s(l); const uint n = per.x;"
               " threadgroup_barrier(mem_flags::mem_threadgroup);"
               " uint near = (l + 3) %% n, end = min(l + 5, n - 1); "
               "int sum = int(m[near].x + m[end].y);"
               " threadgroup_barrier(mem_flags::mem_threadgroup);"
               " out[at.x] = sum * 3000 + int(m[near].y + m[end].x); }",
               types[t], types[t]);
      Launch l = {.source = source, .args = {ARG(out)},
                  .grid = {SIZES[s] * 2, 1, 1}, .group = {SIZES[s], 1, 1}};
      test_run(&l);
      for (int i = 0; i < 2 * n; i++) {
        int at = i % n, sum = (at + 3) % n + (at + 5 < n ? at + 5 : n - 1);
        assert_int_equal(out[i], sum * 3001);
      }
    }
}

/* ----------------------------------------------------------------- atomics */

static void test_atomics(void **state) {
  (void)state;
  const char *source =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void k(device const uint *in [[buffer(0)]],"
      " device atomic_uint *hist [[buffer(1)]], device atomic_int *most "
      "[[buffer(2)]],"
      " device uint *seen [[buffer(3)]],"
      " uint i [[thread_position_in_grid]], uint l "
      "[[thread_position_in_threadgroup]],"
      " uint size [[threads_per_threadgroup]]) {"
      " threadgroup atomic_uint h[16];"
      " for (uint j = l; j < 16; j += size) "
      "atomic_store_explicit(&h[j], 0, memory_order_relaxed);"
      " threadgroup_barrier(mem_flags::mem_threadgroup);"
      " atomic_fetch_add_explicit(&h[in[i] & 15], 1, memory_order_relaxed);"
      " atomic_fetch_max_explicit(most, int(in[i]), memory_order_relaxed);"
      " uint t = atomic_fetch_add_explicit(&hist[16], 1, memory_order_relaxed);"
      " seen[t] += 1;"
      " threadgroup_barrier(mem_flags::mem_threadgroup);"
      " for (uint j = l; j < 16; j += size)"
      "  atomic_fetch_add_explicit(&hist[j],"
      "    atomic_load_explicit(&h[j], memory_order_relaxed), "
      "memory_order_relaxed); }";
  static uint32_t in[MAX], hist[17], seen[MAX];
  for (int i = 0; i < MAX; i++) in[i] = (uint32_t)(i * 7919 % 1009);
  for (size_t s = 0; s < SIZE_COUNT; s++) {
    uint32_t want[16] = {0};
    int32_t most = -1;
    memset(hist, 0, sizeof hist);
    memset(seen, 0, sizeof seen);
    Launch l = {.source = source,
                .args = {ARG(in), ARG(hist), ARG(&most), ARG(seen)},
                .grid = {1500, 1, 1},
                .group = {SIZES[s], 1, 1}};
    test_run(&l);
    for (int i = 0; i < 1500; i++) want[in[i] & 15]++;
    for (int i = 0; i < 16; i++) assert_int_equal(hist[i], want[i]);
    assert_int_equal(hist[16], 1500);
    assert_int_equal(most, 1008);
    for (int i = 0; i < 1500; i++) assert_int_equal(seen[i], 1);
  }
}

/* ---------------------------------------------------------------- matrices */

static float half_of(int i) { return (float)(i * 37 % 19 - 9) / 4; }

static void test_matrices(void **state) {
  (void)state;
  const char *source =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void k(device const float *a [[buffer(0)]],"
      " device const float *b [[buffer(1)]], device float *c [[buffer(2)]],"
      " device float *t [[buffer(3)]], device half *h [[buffer(4)]],"
      " uint g [[threadgroup_position_in_grid]],"
      " uint s [[simdgroup_index_in_threadgroup]]) {"
      " threadgroup float m[4][64];"
      " simdgroup_float8x8 x, y, z; simdgroup_half8x8 w;"
      " simdgroup_load(x, a + 8 * s, 40); "
      "simdgroup_load(y, b, 8, ulong2(0, 0), true);"
      " simdgroup_multiply(z, x, y);"
      " simdgroup_multiply_accumulate(z, x, x, z);"
      " simdgroup_store(z, c + 64 * s, 8); simdgroup_store(z, &m[s][0], 8);"
      " simdgroup_barrier(mem_flags::mem_threadgroup);"
      " simdgroup_load(x, &m[s][0], 8); "
      "simdgroup_store(x, t + 64 * s, 8, ulong2(0, 0), true);"
      " simdgroup_load(w, h, 8); simdgroup_store(w, h + 64 + 64 * s, 8); }";
  static float a[8 * 40], b[64], c[256], t[256];
  static _Float16 h[64 * 5];
  for (int i = 0; i < 320; i++) a[i] = half_of(i);
  for (int i = 0; i < 64; i++) b[i] = half_of(i * 3 + 1), h[i] = (_Float16)i;
  Launch l = {.source = source,
              .args = {ARG(a), ARG(b), ARG(c), ARG(t), ARG(h)},
              .grid = {128, 1, 1},
              .group = {128, 1, 1}};
  test_run(&l);
  for (int s = 0; s < 4; s++)
    for (int i = 0; i < 64; i++) {
      float want = 0;
      for (int k = 0; k < 8; k++)
        want += a[i / 8 * 40 + 8 * s + k] *
                (b[i % 8 * 8 + k] + a[k * 40 + 8 * s + i % 8]);
      assert_true(fabsf(c[64 * s + i] - want) < 1e-4f);
      assert_true(t[64 * s + i % 8 * 8 + i / 8] == c[64 * s + i]);
      assert_true(h[64 + 64 * s + i] == (_Float16)i);
    }
}

/* Two SIMD-groups and more side by side (plan/vector_width.c) give what
** one gives. */
static void test_width(void **state) {
  (void)state;
  const char *source =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void k(device const float *a [[buffer(0)]],"
      " device const float *b [[buffer(1)]], device float *c [[buffer(2)]],"
      " constant uint &n [[buffer(3)]], uint2 g [[thread_position_in_grid]]) {"
      " if (g.x >= n || g.y >= n) return; float sum = 0;"
      " for (uint k = 0; k < n; k++) sum += a[g.y * n + k] * b[k * n + g.x];"
      " c[g.y * n + g.x] = sum; }";
  static const uint32_t SHAPES[][2] = {{32, 8}, {16, 16}, {64, 2}, {32, 4},
                                       {128, 1}, {8, 8}, {16, 4}, {32, 32}};
  static const uint32_t NS[] = {32, 64, 37, 70};
  static float a[70 * 70], b[70 * 70], c[70 * 70];
  for (int i = 0; i < 70 * 70; i++)
    a[i] = half_of(i), b[i] = half_of(i * 5 + 2);
  for (size_t s = 0; s < 8; s++)
    for (size_t k = 0; k < 4; k++) {
      uint32_t n = NS[k], *z = (uint32_t *)SHAPES[s];
      memset(c, 0, sizeof c);
      Launch l = {.source = source,
                  .args = {ARG(a), ARG(b), ARG(c), ARG(&n)},
                  .grid = {(n + z[0] - 1) / z[0] * z[0],
                           (n + z[1] - 1) / z[1] * z[1], 1},
                  .group = {z[0], z[1], 1}};
      test_run(&l);
      for (uint32_t i = 0; i < n * n; i++) {
        float want = 0;
        for (uint32_t j = 0; j < n; j++)
          want += a[i / n * n + j] * b[j * n + i % n];
        if (fabsf(c[i] - want) > 1e-3f)
          fail_msg("group %ux%u, n %u, element %u: %g instead of %g", z[0],
                   z[1], n, i, (double)c[i], (double)want);
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_straight),
      cmocka_unit_test(test_mirror),
      cmocka_unit_test(test_guard),
      cmocka_unit_test(test_branches),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_alone),
      cmocka_unit_test(test_collatz),
      cmocka_unit_test(test_switches),
      cmocka_unit_test(test_wrap),
      cmocka_unit_test(test_wrap_rows),
      cmocka_unit_test(test_terms),
      cmocka_unit_test(test_division),
      cmocka_unit_test(test_shared_divisor),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_ring),
      cmocka_unit_test(test_apart),
      cmocka_unit_test(test_busy),
      cmocka_unit_test(test_private),
      cmocka_unit_test(test_long_copies),
      cmocka_unit_test(test_wide),
      cmocka_unit_test(test_float4),
      cmocka_unit_test(test_positions),
      cmocka_unit_test(test_tree),
      cmocka_unit_test(test_tiled),
      cmocka_unit_test(test_early_return_barrier),
      cmocka_unit_test(test_index_across_barrier),
      cmocka_unit_test(test_continue_and_break_before_barrier),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_matrices),
      cmocka_unit_test(test_width)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
