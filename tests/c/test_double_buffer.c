/*
** test_double_buffer.c - products by tiles, of which the next is copied while
** this one is used (vectorise/double_buffer.c, access/tile_fill.c), and kernels
** that look like them and must not be treated so, or not always. Thread by
** thread and as vectors the answer is the same; numbers are small integers and
** halves of them, so sums are exact.
*/
#include "tests/c/host_case.h"

static const char *const head =
    "#include <metal_stdlib>\n"
    "using namespace metal;\n"
    "#define WAIT threadgroup_barrier(mem_flags::mem_threadgroup);\n"
    "#define WAIT_DEVICE threadgroup_barrier(mem_flags::mem_device);\n"
    "#define LEFT(f) (row < m && (f) + l.x < k ? a[row * k + (f) + l.x] : 7)\n"
    "#define RIGHT(f) \\\n"
    "  ((f) + l.y < k && col < n ? b[((f) + l.y) * n + col] : 9)\n"
    "#define LOAD(f) ta[l.y][l.x] = LEFT(f); tb[l.y][l.x] = RIGHT(f);\n"
    "#define MULTIPLY \\\n"
    "  for (uint t = 0; t < 32; t++) sum += ta[l.y][t] * tb[t][l.x];\n"
    "#define EACH for (uint f = 0; f < k; f += 32)\n"
    "#define FINISH if (row < m && col < n) c[row * n + col] = sum;\n"
    "kernel void k(device const float *a [[buffer(0)]],\n"
    "              device const float *b [[buffer(1)]],\n"
    "              device float *c [[buffer(2)]],\n"
    "              device float *d [[buffer(3)]],\n"
    "              constant uint &m [[buffer(4)]],\n"
    "              constant uint &n [[buffer(5)]],\n"
    "              constant uint &k [[buffer(6)]],\n"
    "              uint2 l [[thread_position_in_threadgroup]],\n"
    "              uint2 g [[threadgroup_position_in_grid]]) {\n"
    "  threadgroup float ta[32][PITCH], tb[32][PITCH];\n"
    "  uint row = g.y * 32 + l.y, col = g.x * 32 + l.x;\n"
    "  float sum = 0;\n";

typedef struct Row {
  const char *name, *body;
  unsigned pitch; /* of a tile's row; 0: 32 */
  /* without guards: sizes are multiples of 32; and one column of groups, since
  ** d is written */
  bool whole, writes;
} Row;

static const Row rows[] = {
    {"guarded", "EACH { LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0},
    {"without guards",
     "EACH { ta[l.y][l.x] = a[row * k + f + l.x];"
     " tb[l.y][l.x] = b[(f + l.y) * n + col]; WAIT MULTIPLY WAIT }"
     " c[row * n + col] = sum;", 0, true, false},
    {"every other tile",
     "for (uint f = 0; f < k; f += 64) { LOAD(f) WAIT MULTIPLY WAIT } FINISH",
     0, 0, 0},
    {"backwards",
     "for (int i = (int)((k + 31) / 32) - 1; i >= 0; i--) { uint f = 32 * i;"
     " LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0},
    {"tiles in no order",
     "EACH { uint at = f * 5 % (k & ~31u | 32); LOAD(at) WAIT MULTIPLY WAIT }"
     " FINISH", 0, 0, 0},
    {"steps that differ",
     "for (uint f = 0, s = 32; f < k; f += s, s = 96 - s) {"
     " LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0},
    {"tiles that come twice",
     "EACH { uint at = f | 32; LOAD(at) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0},
    {"steps that grow",
     "for (uint s = 1; (s * s - 1) * 32 < k; s++) { uint f = (s * s - 1) * 32;"
     " LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0},
    {"the loop entered again, with other values",
     "for (uint r = 0; r < 3; r++) { EACH {"
     " ta[l.y][l.x] = d[row * k + f + l.x];"
     " tb[l.y][l.x] = b[(f + l.y) * n + col]; WAIT MULTIPLY WAIT } WAIT_DEVICE"
     " d[row * k + l.x] = fmod(sum, 8); d[row * k + l.x + 32] = fmod(sum, 4);"
     " WAIT_DEVICE } c[row * n + col] = sum;", 0, true, true},
    {"the loop entered again where it ended, with other values",
     "for (uint r = 0; r < k; r += 64) {"
     " for (uint f = r; f < r + 64; f += 32) {"
     " ta[l.y][l.x] = d[row * k + f + l.x];"
     " tb[l.y][l.x] = b[(f + l.y) * n + col]; WAIT MULTIPLY WAIT } WAIT_DEVICE"
     " if (r + 64 < k) d[row * k + r + 64 + l.x] = fmod(sum, 8);"
     " WAIT_DEVICE } c[row * n + col] = sum;", 0, true, true},
    {"the loop entered again at once",
     "for (uint r = 0; r < 3; r++) { EACH { LOAD(f) WAIT MULTIPLY WAIT } }"
     " FINISH", 0, 0, 0},
    {"another variable, which needs the second barrier",
     "threadgroup float end[32]; float more = 0;"
     " EACH { LOAD(f) if (f > 0) more += end[31 - l.y]; WAIT MULTIPLY"
     " if (l.x == 31) end[l.y] = sum; WAIT }"
     " sum += more; FINISH", 0, 0, 0},
    {"what is loaded next is stored now",
     "EACH { ta[l.y][l.x] = d[row * k + f + l.x];"
     " tb[l.y][l.x] = b[(f + l.y) * n + col]; WAIT MULTIPLY WAIT"
     " if (f + 32 < k) d[row * k + f + 32 + l.x] = fmod(sum, 8); WAIT }"
     " c[row * n + col] = sum;", 0, true, true},
    {"stored in some iterations",
     "EACH { if (f % 96 == 0) ta[l.y][l.x] = LEFT(f);"
     " tb[l.y][l.x] = RIGHT(f); WAIT MULTIPLY WAIT } FINISH", 0, 0, 0},
    {"stored by some threads",
     "EACH { if (l.x < 20 || f == 0) ta[l.y][l.x] = LEFT(f);"
     " tb[l.y][l.x] = RIGHT(f); WAIT MULTIPLY WAIT } FINISH", 0, 0, 0},
    {"stored elsewhere each time",
     "EACH { ta[(l.y + f / 32) & 31][l.x] = LEFT(f);"
     " tb[l.y][l.x] = RIGHT(f); WAIT MULTIPLY WAIT } FINISH", 0, 0, 0},
    {"read after the loop",
     "EACH { LOAD(f) WAIT MULTIPLY WAIT }"
     " sum += ta[l.x][l.y]; FINISH", 0, 0, 0},
    {"read after a loop that runs at least once",
     "uint f = 0; do { LOAD(f) WAIT MULTIPLY WAIT f += 32; } while (f < k);"
     " sum += ta[l.x][l.y]; FINISH", 0, 0, 0},
    {"two tiles by turns, of which the earlier is read too",
     "threadgroup float two[2][32][32]; EACH { uint p = f / 32 & 1;"
     " two[p][l.y][l.x] = LEFT(f); tb[l.y][l.x] = RIGHT(f); WAIT"
     " for (uint t = 0; t < 32; t++) sum += two[p][l.y][t] * tb[t][l.x];"
     " if (f > 0) sum += two[1 - p][l.x][l.y]; WAIT } FINISH", 0, 0, 0},
    {"read before it is stored",
     "EACH { if (f > 0) sum += ta[l.x][l.y] - tb[l.x][l.y]; WAIT LOAD(f) WAIT"
     " MULTIPLY WAIT } FINISH", 0, 0, 0},
    {"used before the loop",
     "ta[l.y][l.x] = 5; tb[l.y][l.x] = 6; WAIT MULTIPLY WAIT"
     " EACH { LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0},
    {"two inner loops",
     "EACH { LOAD(f) WAIT MULTIPLY WAIT"
     " for (uint t = 0; t < 32; t++) sum += ta[t][l.x]; WAIT } FINISH",
     0, 0, 0},
    {"multiplied twice",
     "EACH { LOAD(f) WAIT for (uint q = 0; q < 2; q++) { MULTIPLY } WAIT }"
     " FINISH", 0, 0, 0},
    {"an inner loop of 24 steps",
     "EACH { LOAD(f) WAIT"
     " for (uint t = 0; t < 24; t++) sum += ta[l.y][t] * tb[t][l.x]; WAIT }"
     " FINISH", 0, 0, 0},
    {"a break in the middle",
     "EACH { LOAD(f) WAIT MULTIPLY WAIT if (f >= m) break; } FINISH", 0, 0, 0},
    {"groups that return", "if (g.x == 1) return; EACH { LOAD(f) WAIT MULTIPLY"
     " WAIT } FINISH", 0, 0, 0},
    {"padded rows", "EACH { LOAD(f) WAIT MULTIPLY WAIT } FINISH", 33, 0, 0},
    {"one of two tiles is read where it is",
     "EACH { ta[l.y][l.x] = LEFT(f); WAIT"
     " for (uint t = 0; t < 32; t++)"
     "  sum += ta[l.y][t] * (f + t < k && col < n ? b[(f + t) * n + col] : 0);"
     " WAIT } FINISH", 0, 0, 0},
};
#define ROWS (sizeof rows / sizeof *rows)

typedef struct Sizes {
  uint32_t m, n, k;
} Sizes;

static const Sizes sizes[] = {{64, 64, 64},   {64, 64, 33},   {65, 40, 100},
                              {96, 96, 320},  {33, 33, 1},    {31, 100, 129},
                              {128, 64, 512}, {256, 256, 31}, {32, 32, 4096}};
#define SIZES (sizeof sizes / sizeof *sizes)

static uint32_t whole(uint32_t x) { return (x + 31) / 32 * 32; }

static Sizes sizes_for(const Row *r, Sizes s) {
  if (r->whole) s = (Sizes){whole(s.m), whole(s.n), whole(s.k + 32)};
  if (r->whole) s.k += s.k % 64;
  if (r->writes) s.n = 32;
  return s;
}

static mt_Buffer *numbers(size_t count) {
  return host_buffer(count * sizeof(float));
}

static void fill(mt_Buffer *b, uint32_t seed, uint32_t below) {
  float *x = mt_buffer_contents(b);
  for (size_t i = 0; i < b->size / sizeof *x; i++) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = (float)((seed >> 16) % below) / 2;
  }
}

static mt_Kernel *kernel_of(const Row *r) {
  mt_Str source = MT_STR_INIT;
  mt_str_addf(&source, "#define PITCH %u\n%s%s }\n", r->pitch ? r->pitch : 32,
              head, r->body);
  mt_Kernel *k = host_kernel(mt_str_text(&source), "k");
  mt_str_free(&source);
  return k;
}

static void launch(mt_Kernel *k, mt_Buffer **b, const Sizes *s) {
  mt_Arg args[9];
  memset(args, 0, sizeof args);
  for (int i = 0; i < 4; i++)
    args[i] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = b[i],
                       .size = b[i]->size};
  const uint32_t *size[] = {&s->m, &s->n, &s->k};
  for (int i = 0; i < 3; i++)
    args[4 + i] = (mt_Arg){.kind = MT_ARG_BYTES, .bytes = size[i], .size = 4};
  mt_Launch l = {.kernel = k, .args = args, .repeats = 1, .time_limit = 60,
                 .arg_count = mt_kernel_info(k)->param_count,
                 .grid = {whole(s->n), whole(s->m), 1}, .group = {32, 32, 1}};
  mt_Timing t;
  if (mt_launch(&l, &t, &error) != MT_OK) fail_msg("%s", error.text);
}

static void compare(const Row *r, mt_Kernel *k, Sizes s) {
  mt_Buffer *b[] = {numbers(s.m * s.k), numbers(s.k * s.n), numbers(s.m * s.n),
                    numbers(s.m * s.k)};
  float *plain[2] = {NULL};
  for (int way = 0; host_way(way); way++) {
    for (uint32_t i = 0; i < 4; i++) fill(b[i], 17 + i, 9);
    launch(k, b, &s);
    for (int i = 0; i < 2; i++) {
      const mt_Buffer *out = b[2 + i];
      if (way == 0) plain[i] = malloc(out->size);
      if (way == 0) memcpy(plain[i], out->contents, out->size);
      if (memcmp(plain[i], out->contents, out->size))
        fail_msg("%s, %u x %u x %u: as vectors another answer than thread by "
                 "thread", r->name, s.m, s.n, s.k);
    }
  }
  for (int i = 0; i < 2; i++) free(plain[i]);
  for (int i = 0; i < 4; i++) mt_buffer_free(b[i]);
}

static void test_row(void **state) {
  const Row *r = *state;
  mt_Kernel *k = kernel_of(r);
  for (size_t i = 0; i < SIZES; i++) compare(r, k, sizes_for(r, sizes[i]));
  mt_kernel_free(k);
}

int main(void) {
  struct CMUnitTest tests[ROWS];
  for (size_t i = 0; i < ROWS; i++)
    tests[i] = (struct CMUnitTest){rows[i].name, test_row, NULL, NULL,
                                   (void *)&rows[i]};
  return cmocka_run_group_tests(tests, open_host, close_host);
}
