/*
** test_piece.c - short vectors of each thread (piece.c): side by side, apart, at
** the edges of what may be touched, from anywhere and to anywhere, of every size.
**
** What a kernel makes of its vectors is worked out here number by number. The
** buffers end, or begin, where memory does; lanes that are off have addresses
** that nobody may touch.
*/
#include <sys/mman.h>
#include <unistd.h>

#include "tests/c/spmd.h"

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
    {"ushort4", "1, 2, 3, 4", "wzyx", 4, 2}, {"uchar4", "1, 2, 3, 4", "wzyx", 4, 1},
    {"ushort2", "1, 2", "yx", 2, 2},         {"ulong2", "1, 2", "yx", 2, 8},
    {"uchar2", "1, 2", "yx", 2, 1},          {"ulong4", "1, 2, 3, 4", "wzyx", 4, 8}};
#define TYPE_COUNT (sizeof TYPES / sizeof *TYPES)

static uint32_t place[THREADS], other[THREADS]; /* indices, see set_places */
static uint32_t n[2]; /* threads, and those in a row */
static char *x, *y, *want;

/* ------------------------------------------------------------------ kernels */

static uint64_t get(const Type *t, const char *from, uint32_t i, unsigned part) {
  uint64_t v = 0;
  memcpy(&v, from + ((size_t)i * t->parts + part) * t->size, t->size);
  return v;
}

/* to[i] = f(from[j]), as the kernels below have f */
static void f(const Type *t, char *to, uint32_t i, const char *from, uint32_t j) {
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
static void to_anywhere(const Type *t, uint32_t i) { f(t, want, place[i], x, i); }
static void some(const Type *t, uint32_t i) {
  if (other[i] != NOWHERE) f(t, want, other[i], x, other[i]);
}
static void apart(const Type *t, uint32_t i) { f(t, want, 3 * i + 1, x, 3 * i + 2); }
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
     "T v = x[k], w = x[min(i + 3, n[0] - 1)]; y[i] = i % 2 ? F(w) : F(v);", at_edges},
    {"T v = y[2 * i], w = y[2 * i + 1]; y[2 * i] = F(w); y[2 * i + 1] = F(v);", pairs},
    {"if (i % 3 == 1) y[i] = F(x[i]);", every_third},
    {"y[i] = F(x[p.x * 2]);", in_columns},
};
#define KERNEL_COUNT (sizeof KERNELS / sizeof *KERNELS)

/* -------------------------------------------------------------------- runs */

/* Bytes of which the last one, or the first, is the last that can be touched. */
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
              .source = source, .apart = true, .grid = {n[1], group[1], 1},
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
  static char text[TYPE_COUNT][KERNEL_COUNT][1500]; /* test_run knows them by place */
  for (size_t t = 0; t < TYPE_COUNT; t++)
    for (size_t k = 0; k < KERNEL_COUNT; k++) {
      char *source = text[t][k];
      snprintf(source, sizeof text[t][k],
               "#include <metal_stdlib>\nusing namespace metal;\n"
               "typedef %s T;\n"
               "static T F(T v) { return (v * T(3) + T(%s)).%s; }\n"
               "kernel void k(device const T *x [[buffer(0)]], device T *y [[buffer(1)]],"
               " device const uint *a [[buffer(2)]], device const uint *b [[buffer(3)]],"
               " constant uint *n [[buffer(4)]], uint2 p [[thread_position_in_grid]]) {\n"
               "uint i = p.y * n[1] + p.x;\n%s }",
               TYPES[t].name, TYPES[t].ones, TYPES[t].reversed, KERNELS[k].text);
      for (size_t g = 0; g < GROUP_COUNT; g++)
        if (t == 0 || (t + k + g) % 5 == 0)
          check(&TYPES[t], k, source, GROUPS[g], (g + k) % 2);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
