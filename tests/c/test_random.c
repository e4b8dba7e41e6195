/*
** test_random.c - random kernels give the same answer thread by thread and as
** vectors.
**
**   test_random                      some seconds of it, as a suite
**   test_random FIRST COUNT          kernels of these seeds
**   test_random FIRST show           the kernel of a seed, to read
**
** METTLE_RANDOM=n: how many kernels the suite tries.
*/
#include "base/clock.h"
#include "tests/c/host_case.h"
#include "tests/random/generate.h"

#define TOGETHER 8 /* kernels of one source: Clang is started once for them */
#define MAX_THREADS_IN_GRID 3000
#define COUNTERS 48

static const mt_Size shapes[][2] = { /* grid, group */
    {{1000, 1, 1}, {64, 1, 1}},  {{256, 1, 1}, {256, 1, 1}},
    {{100, 1, 1}, {33, 1, 1}},   {{70, 1, 1}, {1, 1, 1}},
    {{1500, 1, 1}, {1000, 1, 1}}, {{33, 20, 1}, {8, 8, 1}},
    {{48, 32, 1}, {16, 16, 1}},  {{50, 7, 1}, {31, 3, 1}},
    {{2048, 1, 1}, {1024, 1, 1}}, {{96, 1, 1}, {32, 1, 1}},
    {{40, 40, 1}, {5, 7, 1}},    {{64, 6, 1}, {2, 2, 1}},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

static mt_Buffer *in, *out, *acc;
static unsigned done, skipped;

static void source_for(uint64_t first, unsigned n, mt_Str *s) {
  mt_str_add(s, "#include <metal_stdlib>\nusing namespace metal;\n");
  for (unsigned i = 0; i < n; i++) generate(s, first + i, i);
}

static mt_Status run_as(mt_Kernel *k, int way, const mt_Size *shape,
                        uint32_t *result) {
  mt_Buffer *b[] = {in, out, acc};
  uint32_t *counters = mt_buffer_contents(acc);
  host_way(way);
  memset(mt_buffer_contents(out), 0, MAX_THREADS_IN_GRID * 4);
  for (unsigned i = 0; i < COUNTERS; i++)
    counters[i] = i / 8 == 3 || i / 8 == 5 ? UINT32_MAX : 0; /* min, and */
  mt_Status status = host_run(k, shape[0], shape[1], 20, b);
  memcpy(result, mt_buffer_contents(out), MAX_THREADS_IN_GRID * 4);
  memcpy(result + MAX_THREADS_IN_GRID, counters, COUNTERS * 4);
  return status;
}

/* True if both ways agree for this shape. */
static bool agree(mt_Kernel *k, uint64_t seed, const mt_Size *shape) {
  static uint32_t plain[MAX_THREADS_IN_GRID + COUNTERS];
  static uint32_t vectors[MAX_THREADS_IN_GRID + COUNTERS];
  const char *where = "seed %llu, grid %ux%u, group %ux%u: %s%s\n";
  for (int way = 0; way < 2; way++)
    if (run_as(k, way, shape, way ? vectors : plain) != MT_OK) {
      print_error(where, (unsigned long long)seed, (unsigned)shape[0].x,
                  (unsigned)shape[0].y, (unsigned)shape[1].x,
                  (unsigned)shape[1].y, way ? "vectors: " : "thread by thread: ",
                  error.text);
      return false;
    }
  for (unsigned i = 0; i < MAX_THREADS_IN_GRID + COUNTERS; i++)
    if (plain[i] != vectors[i]) {
      char what[128];
      snprintf(what, sizeof what, "%s %u is %u thread by thread, %u as vectors",
               i < MAX_THREADS_IN_GRID ? "thread" : "counter",
               i < MAX_THREADS_IN_GRID ? i : i - MAX_THREADS_IN_GRID, plain[i],
               vectors[i]);
      print_error(where, (unsigned long long)seed, (unsigned)shape[0].x,
                  (unsigned)shape[0].y, (unsigned)shape[1].x,
                  (unsigned)shape[1].y, "", what);
      return false;
    }
  return true;
}

static bool try_kernel(mt_Library *lib, uint64_t seed, unsigned number) {
  char name[16];
  mt_Kernel *k = NULL;
  snprintf(name, sizeof name, "k%u", number);
  if (mt_kernel_new(lib, name, NULL, 0, &k, &error) != MT_OK) {
    print_error("seed %llu: %s\n", (unsigned long long)seed, error.text);
    return false;
  }
  bool ok = agree(k, seed, shapes[seed % SHAPES]) &&
            agree(k, seed, shapes[(seed / SHAPES + seed + 5) % SHAPES]);
  mt_kernel_free(k);
  done++;
  return ok;
}

/* How many of these kernels are wrong. */
static unsigned try_kernels(uint64_t first, unsigned n) {
  mt_Str source = MT_STR_INIT, log = MT_STR_INIT;
  mt_Library *lib = NULL;
  mt_CompileOptions safe = {.math = MT_MATH_SAFE};
  unsigned wrong = 0;
  source_for(first, n, &source);
  if (mt_library_new(host, source.text, source.length, &safe, &lib, &log,
                     &error) != MT_OK) {
    print_error("seeds from %llu: %s\n%.2000s\n", (unsigned long long)first,
                error.text, mt_str_text(&log));
    skipped += n;
    wrong = 1;
  } else {
    for (unsigned i = 0; i < n; i++) wrong += !try_kernel(lib, first + i, i);
    mt_library_free(lib);
  }
  mt_str_free(&source);
  mt_str_free(&log);
  return wrong;
}

/* 'report' so often, for runs of hours. */
static unsigned try_seeds(uint64_t first, unsigned count, unsigned report) {
  unsigned wrong = 0;
  for (unsigned at = 0; at < count; at += TOGETHER) {
    unsigned n = count - at < TOGETHER ? count - at : TOGETHER;
    wrong += try_kernels(first + at, n);
    if (report && done / report != (done - n) / report) {
      printf("%u kernels, %u wrong\n", done, wrong);
      fflush(stdout);
    }
  }
  return wrong;
}

static int make(void **state) {
  if (open_host(state) != 0) return -1;
  in = host_buffer(4096);
  out = host_buffer(MAX_THREADS_IN_GRID * 4);
  acc = host_buffer(COUNTERS * 4);
  uint32_t *words = mt_buffer_contents(in), x = 12345;
  for (int i = 0; i < 1024; i++) words[i] = (x = x * 1664525u + 1013904223u) >> (i % 3 * 8);
  return 0;
}

static int unmake(void **state) {
  mt_buffer_free(in);
  mt_buffer_free(out);
  mt_buffer_free(acc);
  return close_host(state);
}

static void test_some(void **state) {
  (void)state;
  const char *asked = getenv("METTLE_RANDOM");
  unsigned count = asked ? (unsigned)strtoul(asked, NULL, 10) : 32;
  assert_int_equal(try_seeds(1, count, 0), 0);
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[2], "show") == 0) {
    mt_Str s = MT_STR_INIT;
    source_for(strtoull(argv[1], NULL, 10), 1, &s);
    puts(mt_str_text(&s));
    mt_str_free(&s);
    return 0;
  }
  if (argc == 3) {
    char folder[] = "/tmp/mettle-random-XXXXXX", command[64];
    if (!mkdtemp(folder)) return 1;
    setenv("XDG_CACHE_HOME", folder, 1); /* nothing here comes again */
    if (make(NULL) != 0) return 1;
    uint64_t start = mt_now_ns();
    unsigned wrong = try_seeds(strtoull(argv[1], NULL, 10),
                               (unsigned)strtoul(argv[2], NULL, 10), 200);
    printf("%u kernels, %u wrong, %u not compiled, %.0f s\n", done, wrong,
           skipped, (double)(mt_now_ns() - start) * 1e-9);
    unmake(NULL);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || wrong != 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_some)};
  return cmocka_run_group_tests(tests, make, unmake);
}
