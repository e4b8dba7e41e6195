/*
** test_row_buffer.c - threads that go along rows of their own
** (strategy/row_buffer.c): what is read or written some rounds at once is what
** one round after the other would be. Sums along a row that each lane makes by
** itself (strategy/inner_loop.c). Several numbers of each lane, side by side
** (strategy/interleaved_stores.c). And groups that turn rows to columns
** (access/tile_transpose.c).
**
** Guards: devices/host/strategy/row_buffer*.c, devices/host/run/transpose.c:
** threads that go along rows of their own, read and written some iterations at
** once; devices/host/strategy/inner_loop.c: reductions along a lane's row;
** devices/host/strategy/interleaved_stores.c;
** devices/host/access/tile_transpose.c: rows to columns;
** devices/host/strategy/{row_buffer, row_buffer_load, row_buffer_store}.c,
** devices/host/emit/inner_loop_code.c
*/
#include <sys/mman.h>
#include <unistd.h>

#include "tests/c/vectorise_case.h"

#define WORDS 65536 /* of the buffers */
#define THREADS 300

static uint32_t *x, *y, *n;

static const uint32_t GROUPS[][2] = {{32, 1}, {64, 1}, {16, 2},  {8, 8},
                                     {40, 1}, {1, 1},  {16, 16}, {256, 1}};
#define GROUP_COUNT (sizeof GROUPS / sizeof *GROUPS)

/* Memory whose last byte is the last that can be touched. */
static void *at_an_end(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t room = (size + page - 1) / page * page;
  char *p = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(p != MAP_FAILED && !mprotect(p + room, page, PROT_NONE));
  return p + room - size;
}

static int set_up(void **state) {
  (void)state;
  x = at_an_end(4 * WORDS), y = at_an_end(4 * WORDS), n = at_an_end(64);
  return 0;
}

static void fill(void) {
  for (uint32_t i = 0; i < WORDS; i++) x[i] = i * 2654435761u, y[i] = i * 7;
}

#define HEAD                                                                  \
  "#include <metal_stdlib>\nusing namespace metal;\n"                         \
  "static uint all(uchar v) { return v; "                                     \
  "} static uint all(ushort v) { return v; }"                                 \
  "static uint all(uint v) { return v; }"                                     \
  "static uint all(ulong v) { return uint(v) ^ uint(v >> 32) * 5u; }"         \
  "static uint all(uint2 v) { return v.x ^ v.y * 5u; }"                       \
  "static uint all(uint4 v) { return v.x ^ v.y * 5u ^ v.z * 7u ^ v.w * 9u; }" \
  "kernel void k(device const uint *x [[buffer(0)]], device uint *y "         \
  "[[buffer(1)]],"                                                            \
  " constant uint *n [[buffer(2)]], uint2 p [[thread_position_in_grid]]) {\n" \
  "uint i = p.x, e = n[0], w = n[1];\n"

/* One launch; 'noalias': the buffers do not overlap, and the launch knows
** it. */
static void run(const char *source, const uint32_t *group, uint32_t *to,
                bool noalias) {
  Launch l = {.source = source, .args = {ARG(x), ARG(to), ARG(n)},
              .noalias = noalias,
              .grid = {THREADS / group[0] * group[0], group[1], 1},
              .group = {group[0], group[1], 1}};
  test_run(&l);
}

/* ------------------------------------------------------------------- sums */

static uint32_t element(const char *type, uint64_t at) {
  const char *b = (const char *)x;
  uint64_t l;
  if (!strcmp(type, "uchar")) return ((const uint8_t *)b)[at];
  if (!strcmp(type, "ushort")) return ((const uint16_t *)b)[at];
  if (!strcmp(type, "uint")) return x[at];
  memcpy(&l, b + 8 * at, 8);
  if (strcmp(type, "uint4")) return (uint32_t)l ^ (uint32_t)(l >> 32) * 5;
  const uint32_t *v = x + 4 * at;
  return v[0] ^ v[1] * 5 ^ v[2] * 7 ^ v[3] * 9;
}

/* Every type, with rows that begin at lines and such that do not, from the
** buffer's start and up to its very end. */
static void test_sums(void **state) {
  (void)state;
  static const char *const TYPES[] = {"uchar", "ushort", "uint",
                                      "ulong", "uint2", "uint4"};
  static const uint32_t SIZES[] = {1, 2, 4, 8, 8, 16};
  fill();
  for (size_t t = 0; t < 6; t++) {
    char source[2000];
    snprintf(source, sizeof source,
             HEAD "uint s = 0; device const %s *r = "
                  "(device const %s *)x + n[3];"
                  "for (uint j = n[2]; j < n[0]; j++) "
                  "s = s * 3u + all(r[i * n[1] + j]);"
                  "y[p.y * 1000u + i] = s; }",
             TYPES[t], TYPES[t]);
    mt_MslModule *m = test_compile(source);
    for (size_t c = 0; c < 3 * GROUP_COUNT; c++) {
      const uint32_t *g = GROUPS[c / 3];
      uint32_t rows = THREADS / g[0] * g[0];
      uint32_t wide = c % 3 == 0 ? 16 : c % 3 == 1 ? 23 : 64;
      if (rows * wide * SIZES[t] > 4 * WORDS)
        wide = 4 * WORDS / SIZES[t] / rows;
      n[0] = wide, n[1] = wide, n[2] = c % 2;
      n[3] = 4 * WORDS / SIZES[t] - rows * wide; /* the end is the end */
      Launch l = {.args = {ARG(x), ARG(y), ARG(n)}, .noalias = true,
                  .grid = {rows, g[1], 1}, .group = {g[0], g[1], 1}};
      test_launch(m, &l);
      for (uint32_t i = 0; i < rows; i++) {
        uint32_t want = 0;
        for (uint32_t j = n[2]; j < n[0]; j++)
          want = want * 3 + element(TYPES[t], n[3] + i * n[1] + j);
        if (y[i] != want || y[(g[1] - 1) * 1000 + i] != want)
          fail_msg("%s, group %ux%u, rows of %u: row %u", TYPES[t], g[0], g[1],
                   wide, i);
      }
    }
    mt_msl_free(m);
  }
}

/* Rows of different lengths, some of none, as sparse matrices have them. */
static void test_lengths(void **state) {
  (void)state;
  static const char source[] =
      HEAD "uint s = 0; uint from = i * 31u, to = from + x[i] % 41u;"
           "for (uint j = from; j < to; j++) { uint v = x[j]; "
           "if (v % 97u == 0) break;"
           " s = s * 3u + v; }"
           "if (p.y == 0) y[i] = s; }";
  for (size_t g = 0; g < GROUP_COUNT; g++) {
    fill();
    run(source, GROUPS[g], y, true);
    for (uint32_t i = 0; i < THREADS / GROUPS[g][0] * GROUPS[g][0]; i++) {
      uint32_t want = 0;
      for (uint32_t j = i * 31; j < i * 31 + x[i] % 41 && x[j] % 97; j++)
        want = want * 3 + x[j];
      if (y[i] != want) fail_msg("group %u: row %u", GROUPS[g][0], i);
    }
  }
}

/* Sums whose order does not matter, which each lane may make by itself. */
typedef uint32_t (*Sum)(uint32_t s, uint32_t v, uint32_t j);

static uint32_t plus(uint32_t s, uint32_t v, uint32_t j) { return s + v * j; }
static uint32_t either(uint32_t s, uint32_t v, uint32_t j) {
  return s ^ (v + j);
}
static uint32_t larger(uint32_t s, uint32_t v, uint32_t j) {
  return v > s ? v : s + 0 * j;
}
static uint32_t smaller(uint32_t s, uint32_t v, uint32_t j) {
  v ^= j;
  return (int32_t)v < (int32_t)s ? v : s;
}
static uint32_t many(uint32_t s, uint32_t v, uint32_t j) {
  return s + (v > (j << 24));
}
static uint32_t reals(uint32_t s, uint32_t v, uint32_t j) {
  return s + (v & 255) + 0 * j;
}
static uint32_t largest(uint32_t s, uint32_t v, uint32_t j) {
  v = (v >> 8 & 0xffff) + 0 * j;
  return v > s ? v : s;
}
static uint32_t bytes(uint32_t s, uint32_t v, uint32_t j) {
  return s + (uint32_t)((int8_t)v * (int8_t)(v >> 8)) + 0 * j;
}
static uint32_t halves(uint32_t s, uint32_t v, uint32_t j) {
  return (uint16_t)(s + v + 0 * j);
}

static void test_each_alone(void **state) {
  (void)state;
  static const struct { const char *start, *step; Sum sum; } SUMS[] = {
      {"uint s = 0;", "s += v * j;", plus},
      {"uint s = 0;", "s ^= v + j;", either},
      {"uint s = 0;", "s = max(s, v);", larger},
      {"int s = 0;", "s = min(s, int(v ^ j));", smaller},
      {"uint s = 0;", "if (v > j << 24) s++;", many},
      {"float s = 0;", "s += float(v & 255u);", reals},
      {"float s = 0;", "s = max(s, float(v >> 8 & 0xffffu));", largest},
      {"float s = 0;", "s = fmax(float(v >> 8 & 0xffffu), s);", largest},
      {"int s = 0;", "s += char(v) * char(v >> 8);", bytes},
      {"ushort s = 0;", "s += ushort(v);", halves}};
  static const char *const ON[] = {"", "if (i % 3u == 1u) return;"};
  fill();
  for (size_t k = 0; k < 2 * sizeof SUMS / sizeof *SUMS; k++) {
    Sum sum = SUMS[k / 2].sum;
    char source[2000];
    snprintf(source, sizeof source,
             HEAD "%s %s uint to = e - (n[2] ? i %% n[2] : 0u);"
             "for (uint j = 0; j < to; j++) { uint v = x[i * w + j]; %s }"
             "y[p.y * 1000u + i] = uint(s); }",
             ON[k % 2], SUMS[k / 2].start, SUMS[k / 2].step);
    mt_MslModule *m = test_compile(source);
    for (size_t c = k % 3; c < GROUP_COUNT; c += 3) {
      const uint32_t *g = GROUPS[c];
      uint32_t rows = THREADS / g[0] * g[0], less = c % 2 ? 0 : 11;
      n[1] = WORDS / rows < 217 ? WORDS / rows : 217;
      n[0] = c % 3 ? n[1] : 37, n[2] = less;
      memset(y, 0, 4000);
      Launch l = {.args = {ARG(x), ARG(y), ARG(n)}, .noalias = true,
                  .grid = {rows, g[1], 1}, .group = {g[0], g[1], 1}};
      test_launch(m, &l);
      for (uint32_t i = 0; i < rows; i++) {
        uint32_t want = 0;
        for (uint32_t j = 0; j < n[0] - (less ? i % less : 0); j++)
          want = sum(want, x[i * n[1] + j], j);
        if (k % 2 && i % 3 == 1) want = 0;
        if (y[i] != want)
          fail_msg("%s group %ux%u, rows of %u: row %u is %u instead of %u",
                   SUMS[k / 2].step, g[0], g[1], n[0], i, y[i], want);
      }
    }
    mt_msl_free(m);
  }
}

/* ----------------------------------------------------------------- writing */

/* What a row becomes, told one number after the other. */
typedef void (*Row)(const uint32_t *from, uint32_t *to, uint32_t length);

static void sweep(const char *source, Row row, bool same) {
  static const uint32_t LENGTHS[] = {3, 16, 21, 64, 200};
  static uint32_t want[WORDS], old[WORDS];
  for (size_t g = 0; g < GROUP_COUNT; g++)
    for (size_t c = 0; c < 5; c++) {
      if (GROUPS[g][1] > 1) continue; /* rows of one thread each */
      uint32_t *to = same ? x : y;
      n[0] = n[1] = LENGTHS[c];
      fill();
      memcpy(want, to, sizeof want);
      memcpy(old, x, sizeof old);
      for (uint32_t i = 0; i < THREADS / GROUPS[g][0] * GROUPS[g][0]; i++)
        row(same ? want + i * n[1] : old + i * n[1], want + i * n[1], n[0]);
      run(source, GROUPS[g], to, !same);
      for (uint32_t i = 0; i < WORDS; i++)
        if (to[i] != want[i])
          fail_msg("group %u, rows of %u: [%u] is %u instead of %u",
                   GROUPS[g][0], n[1], i, to[i], want[i]);
    }
}

static void prefix(const uint32_t *from, uint32_t *to, uint32_t length) {
  uint32_t s = 0;
  for (uint32_t j = 0; j < length; j++) to[j] = s += from[j];
}
static const char PREFIX[] =
    HEAD "uint s = 0; for (uint j = 0; j < e; j++)"
    " { s += x[i * w + j]; y[i * w + j] = s; } }";

/* Each writes what it reads in the next round. */
static void shift(const uint32_t *from, uint32_t *to, uint32_t length) {
  for (uint32_t j = 1; j < length; j++) to[j] = from[j - 1] + 3;
}
static const char SHIFT[] =
    HEAD "for (uint j = 1; j < e; j++) y[i * w + j] = x[i * w + j - 1] + 3u; }";

static void in_place(const uint32_t *from, uint32_t *to, uint32_t length) {
  (void)from;
  for (uint32_t j = 0; j < length; j++) to[j] = to[j] * 5 + 1;
}
static const char IN_PLACE[] =
    HEAD "for (uint j = 0; j < e; j++) y[i * w + j] = "
         "y[i * w + j] * 5u + 1u; }";

static void backwards(const uint32_t *from, uint32_t *to, uint32_t length) {
  (void)from;
  for (uint32_t j = 1; j < length; j++) to[j] += to[j - 1];
}
static const char BACKWARDS[] =
    HEAD "for (uint j = 1; j < e; j++) y[i * w + j] += y[i * w + j - 1]; }";

static void two(const uint32_t *from, uint32_t *to, uint32_t length) {
  for (uint32_t j = 0; j + 1 < length; j++)
    to[j] = from[j], to[j + 1] = from[j] * 9;
}
static const char TWO[] = HEAD
    "for (uint j = 0; j + 1 < e; j++)"
    " { uint v = x[i * w + j]; y[i * w + j] = v; y[i * w + j + 1] = v * 9u; "
    "} }";

static void sometimes(const uint32_t *from, uint32_t *to, uint32_t length) {
  for (uint32_t j = 0; j < length; j++)
    if (from[j] & 4) to[j] = from[j] / 3;
}
static const char SOMETIMES[] =
    HEAD "for (uint j = 0; j < e; j++)"
    " if (x[i * w + j] & 4u) y[i * w + j] = x[i * w + j] / 3u; }";

static void nested(const uint32_t *from, uint32_t *to, uint32_t length) {
  for (uint32_t j = 0; j < length; j++) {
    uint32_t s = 0;
    for (uint32_t k = 0; k < length; k++) s += from[k] * (k ^ j);
    to[j] = s;
  }
}
static const char NESTED[] =
    HEAD "for (uint j = 0; j < e; j++) { uint s = 0;"
    " for (uint k = 0; k < e; k++) s += x[i * w + k] * (k ^ j);"
    " y[i * w + j] = s; } }";

/* Each row is sorted: it is read, and written where it was read. */
static void sorted(const uint32_t *from, uint32_t *to, uint32_t length) {
  (void)from;
  for (uint32_t j = 1; j < length; j++) {
    uint32_t v = to[j], k = j;
    for (; k > 0 && to[k - 1] > v; k--) to[k] = to[k - 1];
    to[k] = v;
  }
}
static const char SORTED[] =
    HEAD "for (uint j = 1; j < e; j++) { uint v = y[i * w + j], k = j;"
         " for (; k > 0 && y[i * w + k - 1] > v; k--) "
         "y[i * w + k] = y[i * w + k - 1];"
         " y[i * w + k] = v; } }";

/* More is stored than a step: the next round reads what this one wrote. */
static void wider(const uint32_t *from, uint32_t *to, uint32_t length) {
  (void)from;
  for (uint32_t j = 0; j + 1 < length; j++) {
    uint32_t v = to[j] % 1000;
    to[j] = x[v], to[j + 1] = x[v + 1];
  }
}
static const char WIDER[] =
    HEAD "struct Two { uint a, b; }; device uint *r = y + i * w;"
    "for (uint j = 0, last = e - 1u; j < last; j++) { uint v = r[j] % 1000u;"
    " *(device Two *)(r + j) = *(device const Two *)(x + v); } }";

static void test_writes(void **state) {
  (void)state;
  sweep(PREFIX, prefix, false);
  sweep(SHIFT, shift, false);
  sweep(IN_PLACE, in_place, false);
  sweep(BACKWARDS, backwards, false);
  sweep(TWO, two, false);
  sweep(SOMETIMES, sometimes, false);
  sweep(NESTED, nested, false);
  sweep(WIDER, wider, false);
}

/* The same buffer for both: a row changes while it is read. */
static void test_overlap(void **state) {
  (void)state;
  sweep(SORTED, sorted, true);
  sweep(PREFIX, prefix, true);
  sweep(SHIFT, shift, true);
  sweep(SOMETIMES, sometimes, true);
  sweep(NESTED, nested, true);
}

/* ------------------------------------------------------------ side by side */

static void put_number(char *text, size_t room, const char *format, unsigned a,
                       unsigned b, unsigned c) {
  size_t length = strlen(text);
  snprintf(text + length, room - length, format, a, b, c);
}

/* Element c of each lane is made from element k - 1 - c; 'early': all are read
** before the first is written. */
static void write_besides(char *text, size_t room, const char *type, unsigned k,
                          bool early) {
  snprintf(text, room,
           HEAD "(void)e; (void)w; device const %s *r = (device const %s *)x;"
           " device %s *t = (device %s *)y;", type, type, type, type);
  for (unsigned c = 0; early && c < k; c++)
    put_number(text, room, "auto v%u = r[%uu * i + %uu];", c, k, k - 1 - c);
  for (unsigned c = 0; c < k; c++) {
    put_number(text, room, "t[%uu * i + %uu] = ", k, c, 0);
    if (early) put_number(text, room, "v%u", c, 0, 0);
    else put_number(text, room, "r[%uu * i + %uu]", k, k - 1 - c, 0);
    put_number(text, room, " + %u;", c + 1, 0, 0);
  }
  put_number(text, room, "}", 0, 0, 0);
}

static uint64_t load(const void *at, size_t size) {
  uint64_t v = 0;
  memcpy(&v, at, size); /* of the lowest bytes: little-endian */
  return v;
}

static void check_besides(const char *type, size_t size, unsigned k, bool early,
                          bool same) {
  static char source[4000], want[4 * WORDS];
  write_besides(source, sizeof source, type, k, early);
  mt_MslModule *m = test_compile(source);
  for (size_t c = 0; c < GROUP_COUNT; c += 1 + (k + size) % 3) {
    const uint32_t *g = GROUPS[c];
    uint32_t rows = THREADS / g[0] * g[0], *to = same ? x : y;
    if (same && g[1] > 1) continue;
    fill();
    memcpy(want, to, sizeof want);
    const char *from = same ? want : (const char *)x;
    for (uint32_t i = 0; i < rows; i++) {
      uint64_t old[8];
      for (unsigned q = 0; q < k; q++)
        old[q] = load(from + (i * k + k - 1 - q) * size, size);
      for (unsigned q = 0; q < k; q++) {
        uint64_t v = early ? old[q]
                           : load(from + (i * k + k - 1 - q) * size, size);
        v += q + 1;
        memcpy(want + (i * k + q) * size, &v, size);
      }
    }
    Launch l = {.args = {ARG(x), ARG(to), ARG(n)}, .noalias = !same,
                .grid = {rows, g[1], 1}, .group = {g[0], g[1], 1}};
    test_launch(m, &l);
    if (memcmp(to, want, sizeof want))
      fail_msg("%u %s side by side, group %ux%u, %s%s", k, type, g[0], g[1],
               early ? "read first" : "read between", same ? ", in place" : "");
  }
  mt_msl_free(m);
}

/* Among what is stored are numbers that were not needed as vectors before;
** whether buffers overlap is asked at run time, and each side must have
** them. */
static void check_positions(bool noalias) {
  static uint16_t want[2 * WORDS];
  mt_MslModule *m = test_compile(
      HEAD "(void)e; (void)w; device ushort *t = (device ushort *)y;"
      " t[3u * i + 1u] = ushort(i); t[3u * i] = ushort(x[i]);"
      " t[3u * i + 2u] = ushort(i * 5u); }");
  for (size_t c = 0; c < GROUP_COUNT; c++) {
    const uint32_t *g = GROUPS[c];
    uint32_t rows = THREADS / g[0] * g[0];
    fill();
    memcpy(want, y, sizeof want);
    for (uint32_t i = 0; i < rows; i++) {
      want[3 * i] = (uint16_t)x[i], want[3 * i + 1] = (uint16_t)i;
      want[3 * i + 2] = (uint16_t)(i * 5);
    }
    Launch l = {.args = {ARG(x), ARG(y), ARG(n)}, .noalias = noalias,
                .grid = {rows, g[1], 1}, .group = {g[0], g[1], 1}};
    test_launch(m, &l);
    if (memcmp(y, want, sizeof want))
      fail_msg("positions side by side, group %ux%u", g[0], g[1]);
  }
  mt_msl_free(m);
}

static void test_besides(void **state) {
  (void)state;
  check_positions(true);
  check_positions(false);
  static const char *const TYPES[] = {"uchar", "ushort", "uint", "ulong"};
  static const unsigned COUNTS[] = {2, 3, 4, 5, 8};
  for (size_t t = 0; t < 4; t++)
    for (size_t k = 0; k < 5; k++) {
      if ((t + k) % 2 && t != 2) continue;
      check_besides(TYPES[t], 1u << t, COUNTS[k], k % 2, false);
      check_besides(TYPES[t], 1u << t, COUNTS[k], !(k % 2), true);
    }
}

/* ------------------------------------------------------------------- tiles */

/* Rows to columns: by stores, by loads, with a width that is known and one that
** is not, cut at the edges. */
static void test_turns(void **state) {
  (void)state;
  static const char *const KERNELS[] = {
      "y[p.x * 64 + p.y] = x[p.y * 64 + p.x] + 1u;",
      "if (p.x < w && p.y < w) y[p.x * w + p.y] = x[p.y * w + p.x] + 1u;",
      "if (p.x < w && p.y < w) y[p.y * w + p.x] = x[p.x * w + p.y] + 1u;",
      "y[p.y * 64 + p.x] = x[p.x * 64 + p.y] + 1u;",
      "uint z = x[p.x * w + p.y]; if (z % 3u) y[p.y * w + p.x] = z + 1u;"};
  static const uint32_t SHAPES[][2] = {{16, 16}, {32, 8}, {8, 8},   {4, 16},
                                       {64, 4},  {8, 4},  {32, 32}, {16, 4}};
  for (size_t k = 0; k < 5; k++) {
    char source[2000];
    snprintf(source, sizeof source, HEAD "(void)i; (void)e; (void)w; %s }",
             KERNELS[k]);
    mt_MslModule *m = test_compile(source);
    for (size_t c = 0; c < 16; c++) {
      const uint32_t *g = SHAPES[c / 2];
      uint32_t w = n[1] = c % 2 && k % 3 ? 53 : 64;
      Launch l = {.args = {ARG(x), ARG(y), ARG(n)}, .noalias = true,
                  .grid = {64, 64, 1}, .group = {g[0], g[1], 1}};
      if (k == 4) l.grid[0] = l.grid[1] = w;
      fill();
      test_launch(m, &l);
      for (uint32_t i = 0; i < 64 * 64; i++) {
        uint32_t v = x[i % w * w + i / w];
        bool on = i < w * w && !(k == 4 && v % 3 == 0);
        if (y[i] != (on ? v + 1 : i * 7))
          fail_msg("kernel %zu, group %ux%u, %u wide: [%u] is %u", k, g[0],
                   g[1], w, i, y[i]);
      }
    }
    mt_msl_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sums),       cmocka_unit_test(test_lengths),
      cmocka_unit_test(test_each_alone), cmocka_unit_test(test_writes),
      cmocka_unit_test(test_overlap),    cmocka_unit_test(test_besides),
      cmocka_unit_test(test_turns)};
  return cmocka_run_group_tests(tests, set_up, NULL);
}
