/*
** test_keep_tiles.c - products by tiles, which are filled for all iterations at
** once and kept for the next threadgroups (transform/keep_tiles.c,
** run/kept_tiles.c), and kernels that look like them and must not be treated
** so, or not always. Thread by thread and as vectors the answer is the same;
** numbers are small integers and halves of them, so sums are exact. Each way
** has several runs, with other numbers in each. Each kernel has a third of the
** sizes, by turns, and the last; with METTLE_TESTS=all all.
**
** Guards: devices/host/transform/{keep_tiles, tile_effects, tile_keys,
** tile_range, tile_slots, copy_blocks, drop_code, hoist_barriers}.c,
** devices/host/run/kept_tiles.c: products by tiles, which are filled for all
** iterations at once and kept for the next threadgroups, and kernels that look
** like them; METTLE_TESTS=all: at all sizes
*/
#include "tests/c/all_tests.h"
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
    "              uint2 s [[threads_per_threadgroup]],\n"
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
  bool ragged; /* the last groups have fewer threads */
} Row;

static const Row rows[] = {
    {"guarded", "EACH { LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"without guards",
     "EACH { ta[l.y][l.x] = a[row * k + f + l.x];"
     " tb[l.y][l.x] = b[(f + l.y) * n + col]; WAIT MULTIPLY WAIT }"
     " c[row * n + col] = sum;", 0, 1, 0, 0},
    {"every other tile",
     "for (uint f = 0; f < k; f += 64) { LOAD(f) WAIT MULTIPLY WAIT } FINISH",
     0, 0, 0, 0},
    {"backwards",
     "for (int i = (int)((k + 31) / 32) - 1; i >= 0; i--) { uint f = 32 * i;"
     " LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"tiles in no order",
     "EACH { uint at = f * 5 % (k & ~31u | 32); LOAD(at) WAIT MULTIPLY WAIT }"
     " FINISH", 0, 0, 0, 0},
    {"steps that differ",
     "for (uint f = 0, s = 32; f < k; f += s, s = 96 - s) {"
     " LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"tiles that come twice",
     "EACH { uint at = f | 32; LOAD(at) WAIT MULTIPLY WAIT } FINISH",
     0, 0, 0, 0},
    {"steps that grow",
     "for (uint s = 1; (s * s - 1) * 32 < k; s++) { uint f = (s * s - 1) * 32;"
     " LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"the loop entered again, with other values",
     "for (uint r = 0; r < 3; r++) { EACH {"
     " ta[l.y][l.x] = d[row * k + f + l.x];"
     " tb[l.y][l.x] = b[(f + l.y) * n + col]; WAIT MULTIPLY WAIT } WAIT_DEVICE"
     " d[row * k + l.x] = fmod(sum, 8); d[row * k + l.x + 32] = fmod(sum, 4);"
     " WAIT_DEVICE } c[row * n + col] = sum;", 0, 1, 1, 0},
    {"the loop entered again where it ended, with other values",
     "for (uint r = 0; r < k; r += 64) {"
     " for (uint f = r; f < r + 64; f += 32) {"
     " ta[l.y][l.x] = d[row * k + f + l.x];"
     " tb[l.y][l.x] = b[(f + l.y) * n + col]; WAIT MULTIPLY WAIT } WAIT_DEVICE"
     " if (r + 64 < k) d[row * k + r + 64 + l.x] = fmod(sum, 8);"
     " WAIT_DEVICE } c[row * n + col] = sum;", 0, 1, 1, 0},
    {"the loop entered again at once",
     "for (uint r = 0; r < 3; r++) { EACH { LOAD(f) WAIT MULTIPLY WAIT } }"
     " FINISH", 0, 0, 0, 0},
    {"another variable, which needs the second barrier",
     "threadgroup float end[32]; float more = 0;"
     " EACH { LOAD(f) if (f > 0) more += end[31 - l.y]; WAIT MULTIPLY"
     " if (l.x == 31) end[l.y] = sum; WAIT }"
     " sum += more; FINISH", 0, 0, 0, 0},
    {"what is loaded next is stored now",
     "EACH { ta[l.y][l.x] = d[row * k + f + l.x];"
     " tb[l.y][l.x] = b[(f + l.y) * n + col]; WAIT MULTIPLY WAIT"
     " if (f + 32 < k) d[row * k + f + 32 + l.x] = fmod(sum, 8); WAIT }"
     " c[row * n + col] = sum;", 0, 1, 1, 0},
    {"stored in some iterations",
     "EACH { if (f % 96 == 0) ta[l.y][l.x] = LEFT(f);"
     " tb[l.y][l.x] = RIGHT(f); WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"stored by some threads",
     "EACH { if (l.x < 20 || f == 0) ta[l.y][l.x] = LEFT(f);"
     " tb[l.y][l.x] = RIGHT(f); WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"stored elsewhere each time",
     "EACH { ta[(l.y + f / 32) & 31][l.x] = LEFT(f);"
     " tb[l.y][l.x] = RIGHT(f); WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"read after the loop",
     "EACH { LOAD(f) WAIT MULTIPLY WAIT }"
     " sum += ta[l.x][l.y]; FINISH", 0, 0, 0, 0},
    {"read after a loop that runs at least once",
     "uint f = 0; do { LOAD(f) WAIT MULTIPLY WAIT f += 32; } while (f < k);"
     " sum += ta[l.x][l.y]; FINISH", 0, 0, 0, 0},
    {"two tiles by turns, of which the earlier is read too",
     "threadgroup float two[2][32][32]; EACH { uint p = f / 32 & 1;"
     " two[p][l.y][l.x] = LEFT(f); tb[l.y][l.x] = RIGHT(f); WAIT"
     " for (uint t = 0; t < 32; t++) sum += two[p][l.y][t] * tb[t][l.x];"
     " if (f > 0) sum += two[1 - p][l.x][l.y]; WAIT } FINISH", 0, 0, 0, 0},
    {"read before it is stored",
     "EACH { if (f > 0) sum += ta[l.x][l.y] - tb[l.x][l.y]; WAIT LOAD(f) WAIT"
     " MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"used before the loop",
     "ta[l.y][l.x] = 5; tb[l.y][l.x] = 6; WAIT MULTIPLY WAIT"
     " EACH { LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"two inner loops",
     "EACH { LOAD(f) WAIT MULTIPLY WAIT"
     " for (uint t = 0; t < 32; t++) sum += ta[t][l.x]; WAIT } FINISH",
     0, 0, 0, 0},
    {"multiplied twice",
     "EACH { LOAD(f) WAIT for (uint q = 0; q < 2; q++) { MULTIPLY } WAIT }"
     " FINISH", 0, 0, 0, 0},
    {"an inner loop of 24 steps",
     "EACH { LOAD(f) WAIT"
     " for (uint t = 0; t < 24; t++) sum += ta[l.y][t] * tb[t][l.x]; WAIT }"
     " FINISH", 0, 0, 0, 0},
    {"a break in the middle",
     "EACH { LOAD(f) WAIT MULTIPLY WAIT if (f >= m) break; } FINISH",
     0, 0, 0, 0},
    {"groups that return", "if (g.x == 1) return; EACH { LOAD(f) WAIT MULTIPLY"
     " WAIT } FINISH", 0, 0, 0, 0},
    {"padded rows", "EACH { LOAD(f) WAIT MULTIPLY WAIT } FINISH", 33, 0, 0, 0},
    {"one of two tiles is read where it is",
     "EACH { ta[l.y][l.x] = LEFT(f); WAIT"
     " for (uint t = 0; t < 32; t++)"
     "  sum += ta[l.y][t] * (f + t < k && col < n ? b[(f + t) * n + col] : 0);"
     " WAIT } FINISH", 0, 0, 0, 0},
    {"a tile that depends on all coordinates",
     "EACH { ta[l.y][l.x] = LEFT(f) + g.x; tb[l.y][l.x] = RIGHT(f) + g.y;"
     " WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"a tile that depends on none",
     "EACH { ta[l.y][l.x] = a[(l.y * 32 + f + l.x) % (m * k)];"
     " tb[l.y][l.x] = RIGHT(f); WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"a guard that depends on the other coordinate",
     "EACH { ta[l.y][l.x] = g.x > 1 ? 3 : LEFT(f); tb[l.y][l.x] = RIGHT(f);"
     " WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"a trip count that depends on a coordinate",
     "for (uint f = 0; f < k && f <= 64 * g.y; f += 32) {"
     " LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"a start that depends on a coordinate",
     "uint f = 32 * (g.y & 1); do { LOAD(f) WAIT MULTIPLY WAIT f += 32; }"
     " while (f < k + 32); FINISH", 0, 0, 0, 0},
    {"filled with what was summed up",
     "EACH { ta[l.y][l.x] = LEFT(f) + fmod(sum, 4); tb[l.y][l.x] = RIGHT(f);"
     " WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"filled with what a lane has, and the other way round",
     "EACH { ta[l.x][l.y] = LEFT(f); tb[31 - l.y][l.x] = RIGHT(f);"
     " WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"filled in an inner loop, in parts of one variable",
     "threadgroup float both[2048]; threadgroup float *right = both + 1024;"
     " EACH { for (uint e = l.y * 32 + l.x; e < 1024; e += 512) {"
     " uint y = e / 32, x = e % 32, r = g.y * 32 + y, q = g.x * 32 + x;"
     " both[e] = r < m && f + x < k ? a[r * k + f + x] : 7;"
     " right[e] = f + y < k && q < n ? b[(f + y) * n + q] : 9; } WAIT"
     " for (uint t = 0; t < 32; t++)"
     " sum += both[l.y * 32 + t] * right[t * 32 + l.x]; WAIT }"
     " both[l.y * 32 + l.x] = sum; WAIT sum += both[l.x * 32 + l.y]; FINISH",
     0, 0, 0, 0},
    {"parts of one variable that overlap",
     "threadgroup float both[2048]; threadgroup float *right = both + 1000;"
     " EACH { both[l.y * 32 + l.x] = LEFT(f); WAIT"
     " right[l.y * 32 + l.x] = RIGHT(f); WAIT"
     " for (uint t = 0; t < 32; t++)"
     " sum += both[l.y * 32 + t] * right[t * 32 + l.x]; WAIT } FINISH",
     0, 0, 0, 0},
    {"a border that is set before the loop",
     "threadgroup float edge[33][33];"
     " if (l.x == 0) edge[l.y][32] = 3; if (l.y == 0) edge[32][l.x] = 4; WAIT"
     " EACH { LOAD(f) edge[l.y][l.x] = LEFT(f); WAIT MULTIPLY"
     " sum += edge[l.y][l.x + 1] + edge[l.y + 1][l.x]; WAIT } FINISH",
     0, 0, 0, 0},
    {"set before the loop, and written in part",
     "ta[l.y][l.x] = 5; WAIT EACH { if (l.x < 20) ta[l.y][l.x] = LEFT(f);"
     " tb[l.y][l.x] = RIGHT(f); WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"memory of its own that is written before the barrier",
     "float own[4] = {0, 0, 0, 0}; EACH { own[(f / 32 + l.x) & 3] += 1; LOAD(f)"
     " WAIT MULTIPLY WAIT } sum += own[l.y & 3]; FINISH", 0, 0, 0, 0},
    {"memory of its own that is written on the way to the barrier",
     "float own[4] = {0, 0, 0, 0}; EACH { LOAD(f) if (f % 96 == l.y % 3 * 32)"
     " own[(f / 32 + l.x) & 3] += 1; WAIT MULTIPLY WAIT }"
     " sum += own[l.y & 3]; FINISH", 0, 0, 0, 0},
    {"a trip count that depends on a thread's place, but is the same",
     "for (uint f = 0; f < k + (l.y >> 5); f += 32) {"
     " LOAD(f) WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"a buffer that is not declared const",
     "EACH { ta[l.y][l.x] = d[row % m * k + min(f + l.x, k - 1)];"
     " tb[l.y][l.x] = RIGHT(f); WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"a buffer that is written after the loop",
     "EACH { ta[l.y][l.x] = d[row * k + f + l.x];"
     " tb[l.y][l.x] = b[(f + l.y) * n + col]; WAIT MULTIPLY WAIT }"
     " WAIT_DEVICE d[row * k + l.x] = fmod(sum, 8); c[row * n + col] = sum;",
     0, 1, 1, 0},
    {"two loops, one after the other",
     "EACH { LOAD(f) WAIT MULTIPLY WAIT }"
     " EACH { ta[l.y][l.x] = RIGHT(f); tb[l.y][l.x] = LEFT(f);"
     " WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, 0},
    {"a whole number that is summed up too",
     "uint all = 0; EACH { LOAD(f) WAIT MULTIPLY all += uint(ta[l.x][l.y]) ^ f;"
     " WAIT } sum += float(all % 64); FINISH", 0, 0, 0, 0},
    {"a loop without an inner one",
     "EACH { LOAD(f) WAIT sum += ta[l.x][l.y] - tb[31 - l.y][l.x]; WAIT }"
     " FINISH", 0, 0, 0, 0},
    {"halves and whole numbers in a tile",
     "threadgroup half th[32][32]; threadgroup short ts[32][32];"
     " EACH { th[l.y][l.x] = half(LEFT(f)); ts[l.y][l.x] = short(RIGHT(f));"
     " WAIT for (uint t = 0; t < 32; t++) sum += th[l.y][t] * ts[t][l.x];"
     " WAIT } FINISH", 0, 0, 0, 0},
    {"ragged groups, which fill all of a tile",
     "EACH { for (uint e = l.y * s.x + l.x; e < 1024; e += s.x * s.y) {"
     " uint y = e / 32, x = e % 32, r = g.y * 32 + y, q = g.x * 32 + x;"
     " ta[y][x] = r < m && f + x < k ? a[r * k + f + x] : 7;"
     " tb[y][x] = f + y < k && q < n ? b[(f + y) * n + q] : 9; }"
     " WAIT MULTIPLY WAIT } FINISH", 0, 0, 0, true},
    {"ragged groups, which fill what they have",
     "EACH { ta[l.y][l.x] = row < m ? a[row * k + (f + l.x) % k] : 7;"
     " tb[l.y][l.x] = col < n ? b[(f + l.y) % k * n + col] : 9; WAIT"
     " for (uint t = 0; t < s.x; t++) sum += ta[l.y][t];"
     " for (uint t = 0; t < s.y; t++) sum += tb[t][l.x]; WAIT } FINISH",
     0, 0, 0, true},
};
#define ROWS (sizeof rows / sizeof *rows)

typedef struct Sizes {
  uint32_t m, n, k;
} Sizes;

/* One has more columns of groups than there are panels. A launch divides its
** memory by what the one before it needed: the last one has more iterations
** than slots. */
static const Sizes sizes[] = {{64, 64, 64},  {64, 64, 33},  {65, 40, 100},
                              {96, 96, 320}, {33, 33, 1},   {31, 100, 129},
                              {96, 640, 40}, {96, 96, 31},  {64, 32, 1100}};
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

static void launch(const Row *r, mt_Kernel *k, mt_Buffer **b, const Sizes *s) {
  mt_Arg args[10];
  memset(args, 0, sizeof args);
  for (int i = 0; i < 4; i++)
    args[i] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = b[i],
                       .size = b[i]->size};
  const uint32_t *size[] = {&s->m, &s->n, &s->k};
  for (int i = 0; i < 3; i++)
    args[4 + i] = (mt_Arg){.kind = MT_ARG_BYTES, .bytes = size[i], .size = 4};
  mt_Launch l = {.kernel = k, .args = args, .repeats = 1, .time_limit = 60,
                 .arg_count = mt_kernel_info(k)->param_count,
                 .grid = {r->ragged ? s->n : whole(s->n),
                          r->ragged ? s->m : whole(s->m), 1},
                 .group = {32, 32, 1}};
  mt_Timing t;
  if (mt_launch(&l, &t, &error) != MT_OK) fail_msg("%s", error.text);
}

#define RUNS 2
static void compare(const Row *r, mt_Kernel *k, Sizes s) {
  mt_Buffer *b[] = {numbers(s.m * s.k), numbers(s.k * s.n), numbers(s.m * s.n),
                    numbers(s.m * s.k)};
  float *plain[RUNS][2] = {{NULL}};
  for (int way = 0; host_way(way); way++)
    for (uint32_t run = 0; run < RUNS; run++) {
      for (uint32_t i = 0; i < 4; i++) fill(b[i], 17 + i + 7 * run, 9);
      launch(r, k, b, &s);
      for (int i = 0; i < 2; i++) {
        const mt_Buffer *out = b[2 + i];
        if (way == 0) plain[run][i] = malloc(out->size);
        if (way == 0) memcpy(plain[run][i], out->contents, out->size);
        if (memcmp(plain[run][i], out->contents, out->size))
          fail_msg("%s, %u x %u x %u, run %u: as vectors another answer than "
                   "thread by thread", r->name, s.m, s.n, s.k, run);
      }
    }
  for (int run = 0; run < RUNS; run++)
    for (int i = 0; i < 2; i++) free(plain[run][i]);
  for (int i = 0; i < 4; i++) mt_buffer_free(b[i]);
}

static void test_row(void **state) {
  const Row *r = *state;
  mt_Kernel *k = kernel_of(r);
  bool all = all_tests();
  for (size_t i = 0; i < SIZES; i++)
    if (all || i == SIZES - 1 || (i + (size_t)(r - rows)) % 3 == 0)
      compare(r, k, sizes_for(r, sizes[i]));
  mt_kernel_free(k);
}

int main(void) {
  struct CMUnitTest tests[ROWS];
  for (size_t i = 0; i < ROWS; i++)
    tests[i] = (struct CMUnitTest){rows[i].name, test_row, NULL, NULL,
                                   (void *)&rows[i]};
  return cmocka_run_group_tests(tests, open_host, close_host);
}
