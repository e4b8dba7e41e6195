/*
** test_aos_vectors.c - short vectors of each thread (strategy/aos_vectors.c):
** side by side, apart, at the edges of what may be touched, from anywhere and
** to anywhere, of every size.
**
** What a kernel makes of its vectors is worked out here number by number. The
** buffers end, or begin, where memory does; lanes that are off have addresses
** that may not be touched.
**
** Guards: devices/host/strategy/aos_vectors.c: short vectors of each thread,
** contiguous, strided, clamped, gathered and scattered, of every size;
** devices/host/strategy/coalesce_loads.c: fields of a struct that are loaded
** one by one
*/
#include <sys/mman.h>
#include <unistd.h>

#include "tests/c/all_tests.h"
#include "tests/c/vectorise_case.h"

#define THREADS 300
#define NOWHERE 0x20000000u    /* an index far beyond it */

static const uint32_t GROUPS[][2] = {{32, 1}, {64, 1}, {16, 16}, {8, 4},
                                     {40, 1}, {4, 8},  {20, 2},  {1, 1}};
#define GROUP_COUNT (sizeof GROUPS / sizeof *GROUPS)

typedef struct Type {
  const char *name, *ones, *reversed; /* in MSL: T(1, 2, …), the parts back */
  unsigned parts, size;               /* of a part, in bytes */
} Type;

static const Type TYPES[] = {
    {"uint4", "1, 2, 3, 4", "wzyx", 4, 4},   {"uint2", "1, 2", "yx", 2, 4},
    {"ushort4", "1, 2, 3, 4", "wzyx", 4, 2},
    {"uchar4", "1, 2, 3, 4", "wzyx", 4, 1},
    {"ushort2", "1, 2", "yx", 2, 2},         {"ulong2", "1, 2", "yx", 2, 8},
    {"uchar2", "1, 2", "yx", 2, 1}, {"ulong4", "1, 2, 3, 4", "wzyx", 4, 8}};
#define TYPE_COUNT (sizeof TYPES / sizeof *TYPES)

static uint32_t place[THREADS], other[THREADS]; /* indices, see set_places */
static uint32_t n[2]; /* threads, and those in a row */
static char *x, *y, *want;

/* ------------------------------------------------------------------ kernels */

static uint64_t get(const Type *t, const char *from, uint32_t i,
                    unsigned part) {
  uint64_t v = 0;
  memcpy(&v, from + ((size_t)i * t->parts + part) * t->size, t->size);
  return v;
}

/* to[i] = f(from[j]), as the kernels below have f */
static void f(const Type *t, char *to, uint32_t i, const char *from,
              uint32_t j) {
  uint64_t v[4];
  for (unsigned p = 0; p < t->parts; p++)
    v[t->parts - 1 - p] = get(t, from, j, p) * 3 + p + 1;
  for (unsigned p = 0; p < t->parts; p++)
    memcpy(to + ((size_t)i * t->parts + p) * t->size, &v[p], t->size);
}

static uint32_t clamped(uint32_t i, int by) {
  int at = (int)i + by, last = (int)n[0] - 1;
  return (uint32_t)(at < 0 ? 0 : at > last ? last : at);
}

static void near(const Type *t, uint32_t i) { f(t, want, i, x, i); }
static void from_anywhere(const Type *t, uint32_t i) {
  f(t, want, i, x, place[i]);
}
static void to_anywhere(const Type *t, uint32_t i) {
  f(t, want, place[i], x, i);
}
static void some(const Type *t, uint32_t i) {
  if (other[i] != NOWHERE) f(t, want, other[i], x, other[i]);
}
static void apart(const Type *t, uint32_t i) {
  f(t, want, 3 * i + 1, x, 3 * i + 2);
}
static void at_edges(const Type *t, uint32_t i) {
  f(t, want, i, x, clamped(i, i % 2 ? 3 : -2));
}
static void pairs(const Type *t, uint32_t i) {
  f(t, want, 2 * i, y, 2 * i + 1);
  f(t, want, 2 * i + 1, y, 2 * i);
}
static void every_third(const Type *t, uint32_t i) {
  if (i % 3 == 1) f(t, want, i, x, i);
}
static void in_columns(const Type *t, uint32_t i) {
  f(t, want, i, x, i % n[1] * 2);
}

static const struct {
  const char *text;
  void (*thread)(const Type *t, uint32_t i);
} KERNELS[] = {
    {"y[i] = F(x[i]);", near},
    {"y[i] = F(x[a[i]]);", from_anywhere},
    {"y[a[i]] = F(x[i]);", to_anywhere},
    {"uint k = b[i]; if (k != 0x20000000u) y[k] = F(x[k]);", some},
    {"y[3 * i + 1] = F(x[3 * i + 2]);", apart},
    {"int k = clamp(int(i) - 2, 0, int(n[0]) - 1);"
     "T v = x[k], w = x[min(i + 3, n[0] - 1)]; y[i] = i % 2 ? F(w) : F(v);",
     at_edges},
    {"T v = y[2 * i], w = y[2 * i + 1]; y[2 * i] = F(w); y[2 * i + 1] = F(v);",
     pairs},
    {"if (i % 3 == 1) y[i] = F(x[i]);", every_third},
    {"y[i] = F(x[p.x * 2]);", in_columns},
};
#define KERNEL_COUNT (sizeof KERNELS / sizeof *KERNELS)

/* -------------------------------------------------------------------- runs */

/* Bytes of which the last one, or the first, is the last that can be
** touched. */
static char *at_an_end(size_t size, bool last) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t room = (size + page - 1) / page * page;
  char *p = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
  assert_true(p != MAP_FAILED);
  assert_int_equal(mprotect(p + page, room, PROT_READ | PROT_WRITE), 0);
  return last ? p + page + room - size : p + page;
}

static void release(char *p, size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *from = p - (uintptr_t)p % page - page;
  munmap(from, (size + page - 1) / page * page + 2 * page);
}

/* Where groups are one row, threads come in order, and the last of those that
** write to one place wins. */
static void set_places(bool in_order) {
  for (uint32_t i = 0; i < n[0]; i++) {
    place[i] = i * 7919 % n[0] / (i % 5 || !in_order ? 1 : 2);
    other[i] = i % 4 == 2 || i / 32 == 3 ? NOWHERE : n[0] - 1 - i;
  }
}

static void check(const Type *t, size_t k, const char *source,
                  const uint32_t *group, bool last) {
  size_t piece = (size_t)t->parts * t->size;
  n[0] = THREADS / group[1] * group[1], n[1] = n[0] / group[1];
  size_t size = piece * (k == 4 ? 3 * n[0] : k == 6 ? 2 * n[0] : n[0]);
  if (k == 8) size = piece * 2 * n[0];
  set_places(group[1] == 1);
  x = at_an_end(size, last), y = at_an_end(size, last), want = malloc(size);
  assert_non_null(want);
  for (size_t i = 0; i < size; i++) {
    x[i] = (char)(i * 167 + i / 256 * 13);
    y[i] = want[i] = (char)(i * 59 + 1);
  }
  for (uint32_t i = 0; i < n[0]; i++) KERNELS[k].thread(t, i);
  Launch l = {.args = {ARG(x), ARG(y), ARG(place), ARG(other), ARG(n)},
              .source = source, .noalias = true, .grid = {n[1], group[1], 1},
              .group = {group[0], group[1], 1}};
  test_run(&l);
  for (size_t i = 0; i < size; i++)
    if (y[i] != want[i])
      fail_msg("%s, %s in groups of %u x %u: byte %zu, of vector %zu",
               KERNELS[k].text, t->name, group[0], group[1], i, i / piece);
  release(x, size), release(y, size), free(want);
}

static void test_kernels(void **state) {
  (void)state;
  /* test_run knows them by place */
  static char text[TYPE_COUNT][KERNEL_COUNT][1500];
  for (size_t t = 0; t < TYPE_COUNT; t++)
    for (size_t k = 0; k < KERNEL_COUNT; k++) {
      char *source = text[t][k];
      snprintf(source, sizeof text[t][k],
               "#include <metal_stdlib>\nusing namespace metal;\n"
               "typedef %s T;\n"
               "static T F(T v) { return (v * T(3) + T(%s)).%s; }\n"
               "kernel void k(device const T *x [[buffer(0)]], device T *y "
               "[[buffer(1)]],"
               " device const uint *a [[buffer(2)]], device const uint *b "
               "[[buffer(3)]],"
               " constant uint *n [[buffer(4)]], "
               "uint2 p [[thread_position_in_grid]]) {\n"
               "uint i = p.y * n[1] + p.x;\n%s }",
               TYPES[t].name, TYPES[t].ones, TYPES[t].reversed,
               KERNELS[k].text);
      for (size_t g = 0; g < GROUP_COUNT; g++)
        if (all_tests() || (t + k + g) % (t == 0 ? 2 : 5) == 0)
          check(&TYPES[t], k, source, GROUPS[g], (g + k) % 2);
    }
}

/* ------------------------------------------------------------------ fields */

/* Numbers that each thread loads one by one (strategy/coalesce_loads.c), of
** structs or rows. The buffers are uints here; 'W' words of each for a
** thread, but for the last. */
static uint32_t *from, *to;

static void four(uint32_t i) {
  const uint32_t *q = from + 4 * place[i];
  to[4 * i] = q[0] * 3 + q[1] * 5 + q[2] * 7 + q[3] * 11;
}
static void five(uint32_t i) {
  to[5 * i + 2] = from[5 * i] * 3 + from[5 * i + 1] * 5 + from[5 * i + 3] * 7 +
                  from[5 * i + 4];
}
static void eight(uint32_t i) {
  to[8 * i] = 0;
  for (uint32_t k = 0; k < 8; k++) to[8 * i] += from[8 * i + k] * (k + 1);
}
static void in_place(uint32_t i) {
  to[6 * i] += to[6 * i + 2], to[6 * i + 1] += to[6 * i + 3];
  to[6 * i + 5] = to[6 * i] + to[6 * i + 1] + to[6 * i + 3];
}
static void own(uint32_t i) { /* 'from' is 'to' */
  uint32_t p = to[4 * i] + to[4 * i + 1];
  to[4 * i + 2] = p;
  to[4 * i + 3] += p + to[4 * i + 2];
}
static void three(uint32_t i) {
  to[4 * i] = from[4 * i] + from[4 * i + 1] * 3 + from[4 * i + 2] * 5;
}
static void on(uint32_t i) {
  if (other[i] == NOWHERE) return;
  const uint32_t *q = from + 4 * other[i];
  to[4 * i] = q[0] * 3 + q[1] * 5 + q[2] * 7 + q[3] * 11;
}
static void down(uint32_t i) {
  const uint32_t *q = from + 4 * (n[0] - 1 - i);
  to[4 * i + 1] = (q[0] ^ q[1] * 5) + (q[2] ^ q[3] * 11);
}

/* The same in loops, written out by prepare/unroll_contiguous.c. */
static void mixed(uint32_t i) {
  uint32_t h = 0;
  for (int k = 4; k >= 0; k--) h = h * 31 + from[5 * i + (uint32_t)k];
  to[5 * i + 2] = h;
}
static void placed(uint32_t i) {
  uint32_t h = 7;
  for (uint32_t k = 0; k < 6; k++) h = h * 31 + from[6 * place[i] + k];
  to[6 * i] = h;
}
static void running(uint32_t i) { /* 'from' is 'to' */
  uint32_t sum = 0;
  for (uint32_t k = 0; k < 7; k++) {
    sum = sum * 3 + to[8 * i + k];
    to[8 * i + k + 1] ^= sum;
  }
}
static void copied(uint32_t i) {
  for (uint32_t k = 0; k < 8; k++) to[8 * i + k] = from[8 * i + k] * 5 + k;
}
static void nested(uint32_t i) {
  uint32_t h = 0;
  for (uint32_t r = 0; r < 3 + n[1] % 5; r++)
    for (uint32_t k = 0; k < 12; k++)
      h = h * 3 + (from[12 * i + k] ^ from[r + k]);
  to[12 * i + 11] = h;
}
static void but_one(uint32_t i) {
  uint32_t h = 0;
  for (uint32_t k = 0; k < 8; k++) h = h * 3 + from[9 * i + k];
  to[9 * i] = h;
}
static void member(uint32_t i) {
  uint32_t h = 0;
  for (uint32_t k = 0; k < 4; k++) h = h * 3 + from[6 * i + 1 + k];
  to[6 * i] = h + from[6 * i] + from[6 * i + 5];
}

static const struct {
  const char *text;
  void (*thread)(uint32_t i);
  unsigned words;  /* of a thread */
  unsigned missing; /* of the last thread's */
  bool same;       /* one buffer, under two names */
} FIELDS[] = {
    {"struct { float a; uint b; int c; ushort2 d; } q; "
     "device const decltype(q) *s ="
     " (device const decltype(q) *)x; q = s[a[i]]; "
     "y[4 * i] = as_type<uint>(q.a) * 3u"
     " + q.b * 5u + uint(q.c) * 7u + as_type<uint>(q.d) * 11u;", four, 4, 0,
     false},
    {"device const uint *q = x + 4 * a[i];"
     "y[4 * i] = q[0] * 3 + q[1] * 5 + q[2] * 7 + q[3] * 11;", four, 4, 0,
     false},
    {"device const uint *q = x + 5 * i;"
     "y[5 * i + 2] = q[0] * 3 + q[1] * 5 + q[3] * 7 + q[4];", five, 5, 0,
     false},
    {"device const uint *q = x + 8 * i; "
     "y[8 * i] = q[0] + q[1] * 2 + q[2] * 3 + q[3] * 4"
     " + q[4] * 5 + q[5] * 6 + q[6] * 7 + q[7] * 8;", eight, 8, 0, false},
    {"device uint *q = y + 6 * i; q[0] += q[2]; q[1] += q[3]; "
     "q[5] = q[0] + q[1] + q[3];", in_place, 6, 0, false},
    {"uint v = x[4 * i] + x[4 * i + 1]; y[4 * i + 2] = v;"
     "y[4 * i + 3] = x[4 * i + 3] + v + x[4 * i + 2];", own, 4, 0, true},
    {"y[4 * i] = x[4 * i] + x[4 * i + 1] * 3 + x[4 * i + 2] * 5;", three, 4, 1,
     false},
    {"if (b[i] != 0x20000000u) { device const uint *q = x + 4 * b[i];"
     "y[4 * i] = q[0] * 3 + q[1] * 5 + q[2] * 7 + q[3] * 11; }", on, 4, 0,
     false},
    {"device const uint *q = x + 4 * (n[0] - 1 - i);"
     "y[4 * i + 1] = (q[0] ^ q[1] * 5) + (q[2] ^ q[3] * 11);", down, 4, 0,
     false},
    {"uint h = 0; for (int k = 0; k < 8; k++) h += x[8 * i + k] * (k + 1); "
     "y[8 * i] = h;", eight, 8, 0, false},
    {"uint h = 0; for (int k = 4; k >= 0; k--) h = h * 31 + x[5 * i + k]; "
     "y[5 * i + 2] = h;", mixed, 5, 0, false},
    {"uint h = 7; for (ushort k = 0; k != 6; ++k) "
     "h = h * 31 + x[6 * a[i] + k]; y[6 * i] = h;", placed, 6, 0, false},
    {"uint h = 0; for (int k = 0; k < 7; k++) { h = h * 3 + x[8 * i + k]; "
     "y[8 * i + k + 1] ^= h; }", running, 8, 0, true},
    {"for (uint k = 0; k < 8; k++) y[8 * i + k] = x[8 * i + k] * 5 + k;",
     copied, 8, 0, false},
    {"uint h = 0; for (uint r = 0; r < 3 + n[1] % 5; r++) "
     "for (uint k = 0; k < 12; k++)"
     " h = h * 3 + (x[12 * i + k] ^ x[r + k]); y[12 * i + 11] = h;", nested, 12,
     0, false},
    {"uint h = 0; for (uint k = 0; k < 8; k++) h = h * 3 + x[9 * i + k]; "
     "y[9 * i] = h;", but_one, 9, 1, false},
    {"struct S { uint a, r[4], b; }; device const S *s = "
     "(device const S *)x + i; uint h = 0;"
     "for (int k = 0; k < 4; k++) h = h * 3 + s->r[k]; "
     "y[6 * i] = h + s->a + s->b;", member, 6, 0, false},
};
#define FIELD_COUNT (sizeof FIELDS / sizeof *FIELDS)

static void check_fields(size_t k, const char *source, const uint32_t *group) {
  n[0] = THREADS / group[1] * group[1], n[1] = n[0] / group[1];
  size_t size = 4 * (size_t)(FIELDS[k].words * n[0] - FIELDS[k].missing);
  set_places(group[1] == 1);
  x = at_an_end(size, true), y = at_an_end(size, true), want = malloc(size);
  assert_non_null(want);
  for (size_t i = 0; i < size; i++) {
    x[i] = (char)(i * 167 + i / 256 * 13);
    y[i] = want[i] = (char)(i * 59 + 1);
  }
  from = (uint32_t *)(void *)x, to = (uint32_t *)(void *)want;
  for (uint32_t i = 0; i < n[0]; i++) FIELDS[k].thread(i);
  Launch l = {.args = {ARG(FIELDS[k].same ? y : x), ARG(y), ARG(place),
                       ARG(other), ARG(n)},
              .source = source,
              .noalias = !FIELDS[k].same,
              .grid = {n[1], group[1], 1},
              .group = {group[0], group[1], 1}};
  test_run(&l);
  for (size_t i = 0; i < size; i++)
    if (y[i] != want[i])
      fail_msg("%s, groups of %u x %u: word %zu", FIELDS[k].text, group[0],
               group[1], i / 4);
  release(x, size), release(y, size), free(want);
}

static void test_fields(void **state) {
  (void)state;
  static char text[FIELD_COUNT][1500];
  for (size_t k = 0; k < FIELD_COUNT; k++) {
    snprintf(text[k], sizeof text[k],
             "#include <metal_stdlib>\nusing namespace metal;\n"
             "kernel void k(device const uint *x [[buffer(0)]], device uint "
             "*y [[buffer(1)]],"
             " device const uint *a [[buffer(2)]], device const uint *b "
             "[[buffer(3)]],"
             " constant uint *n [[buffer(4)]], "
             "uint2 p [[thread_position_in_grid]]) {\n"
             "uint i = p.y * n[1] + p.x;\n%s }",
             FIELDS[k].text);
    for (size_t g = 0; g < GROUP_COUNT; g++)
      check_fields(k, text[k], GROUPS[g]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels),
                                     cmocka_unit_test(test_fields)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
