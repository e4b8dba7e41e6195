/*
** test_random.c - random kernels give the same answer thread by thread and as
** vectors, each with a geometry of its own and two inputs.
**
**   test_random                      some seconds of it, as a suite
**   test_random FIRST COUNT          kernels of these seeds, on all cores
**   test_random FIRST show           the kernel of a seed, to read
**   test_random FIRST FILE.metal     the seed's geometries for a changed kernel
**
** METTLE_RANDOM=n: the suite tries so many kernels, however long it takes.
** METTLE_RANDOM_FULL: compile all as kernels are for use, not most quickly,
** and for two geometries.
** METTLE_RANDOM_PREPARED: thread by thread as prepared, not as Clang left it.
** METTLE_RANDOM_CHECK: each is checked and profiled, too, and nothing may be
** found; else one in 32.
** METTLE_CPU=haswell: for that CPU (devices/host/native/native.h).
**
** Guards: random kernels (tests/random/: expressions, control flow, the shapes
** that people write: rows, pictures, tiles, strides; buffers bound twice or by
** pointers in structs; kernels of few lines): thread by thread as Clang left
** them and as vectors, on 1, 2, 3 and 8 threads, the same answer. On all cores,
** before the other suites; one that ends the process or never ends is told by
** its seed, too. METTLE_RANDOM=5000 tries so many, else it stops at 2,400 or
** after 45 seconds; CI runs 18,000 more, other ones each time
*/
#include <limits.h>

#include "base/files/folders.h"
#include "base/pool.h"
#include "devices/check.h"
#include "devices/host/kernel/kernel.h"
#include "devices/host/native/native.h"
#include "devices/profile.h"
#include "tests/c/host_case.h"
#include "tests/random/launch.h"

#define MANY 2400    /* that the suite tries, or as many as it can in */
#define LONG 4       /* seconds */

/* True if both ways agree for this shape and input, with whatever number of
** threads. */
static bool agree(mt_Kernel *k, uint64_t seed, const Shape *s, unsigned input) {
  static const unsigned threads[] = {1, 2, 3, 8};
  for (int way = 0; host_way(way); way++) {
    mt_pool_resize(threads[way ? (seed + input) % 4 : 0]);
    fill_buffers(input);
    fill_textures(input);
    if (launch(k, s) != MT_OK) {
      char what[sizeof error.text + 32];
      snprintf(what, sizeof what, "%s: %s",
               way ? "vectors" : "thread by thread", error.text);
      return complain(seed, s, what);
    }
    if (way == 0) keep_answers();
  }
  return compare(seed, s, input, "as vectors");
}

/* Counting changes no answer, and counts the threads that there are. */
static bool is_counted(mt_Kernel *k, uint64_t seed, const Shape *s) {
  mt_Profile profile;
  mt_Launch l = launch_of(k, s);
  fill_buffers(0);
  fill_textures(0);
  error.text[0] = 0;
  bool ok = mt_profile(&l, &profile, &error) == MT_OK;
  uint64_t threads = ok ? profile.threads : 0;
  mt_profile_free(&profile);
  if (!ok) return complain(seed, s, error.text);
  if (threads != (uint64_t)s->grid.x * s->grid.y * s->grid.z)
    return complain(seed, s, "the profile has another number of threads");
  return compare(seed, s, 0, "counted");
}

/* Under watch the answer is the same, and nothing is found: but divisors of
** nought and lanes asked that are off, which the kernels have on purpose. */
static bool is_clean(mt_Kernel *k, uint64_t seed, const Shape *s) {
  mt_CheckReport report;
  mt_Launch l = launch_of(k, s);
  mt_CheckOptions options = {0};
  char what[256];
  bool ok = true;
  fill_buffers(0);
  fill_textures(0);
  error.text[0] = 0;
  if (mt_check(&l, &options, &report, &error) != MT_OK) {
    snprintf(what, sizeof what, "checked: %.200s", error.text);
    ok = complain(seed, s, what);
  }
  for (size_t i = 0; i < report.count && ok; i++) {
    const mt_Finding *f = &report.findings[i];
    if (f->kind == MT_FIND_DIVISION_BY_ZERO || f->kind == MT_FIND_INACTIVE_LANE)
      continue;
    snprintf(what, sizeof what, "line %u: %s of %s, %llu times", f->place.line,
             mt_finding_name(f->kind), f->name ? f->name : "?",
             (unsigned long long)f->count);
    ok = complain(seed, s, what);
  }
  mt_check_free(&report);
  return ok && compare(seed, s, 0, "checked") && is_counted(k, seed, s);
}

/* Else both ways were the same one. */
static bool as_vectors(const mt_HostKernel *k) {
  for (const mt_Specialisation *s = k->specials; s; s = s->next)
    if (!s->kind.scalar && !s->simd) return false;
  return true;
}

static bool try_kernel(mt_Library *lib, uint64_t seed, unsigned number,
                       bool hasty) {
  uint32_t fc0 = (uint32_t)(seed % 7);
  bool fc1 = seed % 3 == 0, ok = true;
  mt_ConstantValue values[] = {{0, &fc0, sizeof fc0}, {1, &fc1, sizeof fc1}};
  char name[16];
  mt_Kernel *k = NULL;
  snprintf(name, sizeof name, "k%u", number);
  size_t given = lib->constant_count ? 2 : 0; /* kept kernels have none */
  if (mt_kernel_new(lib, name, values, given, &k, &error) != MT_OK) {
    print_error("seed %llu: %s\n", (unsigned long long)seed, error.text);
    return false;
  }
  ((mt_HostKernel *)k)->hasty = hasty;
  ((mt_HostKernel *)k)->plain_scalar = !getenv("METTLE_RANDOM_PREPARED");
  /* each is new code */
  unsigned geometries = getenv("METTLE_RANDOM_FULL") ? 2 : 1;
  for (unsigned n = 0; n < geometries * INPUTS && ok; n++) {
    Shape s = shape_of(seed, n / INPUTS);
    ok = agree(k, seed, &s, n % INPUTS);
    if (ok && n == 0 && (seed % 32 == 7 || getenv("METTLE_RANDOM_CHECK")))
      ok = is_clean(k, seed, &s);
  }
  if (ok && !as_vectors((mt_HostKernel *)k)) {
    fprintf(stderr, "seed %llu: not as vectors\n", (unsigned long long)seed);
    work->alone++;
  }
  mt_kernel_free(k);
  return ok;
}

/* One batch in twelve is compiled as kernels are for use; the others sooner,
** with less of LLVM's work. */
static void try_kernels(uint64_t first, unsigned n) {
  mt_Str source = MT_STR_INIT, log = MT_STR_INIT;
  mt_Library *lib = NULL;
  mt_CompileOptions how = {.math = MT_MATH_SAFE};
  bool hasty = first / TOGETHER % 12 != 0 && !getenv("METTLE_RANDOM_FULL");
  source_for(first, n, &source);
  if (strstr(mt_str_text(&source), FAST)) how.math = MT_MATH_FAST;
  if (mt_library_new(host, source.text, source.length, &how, &lib, &log,
                     &error) != MT_OK) {
    print_error("seeds from %llu: %s\n%.2000s\n", (unsigned long long)first,
                error.text, mt_str_text(&log));
    work->skipped += n;
    work->wrong++;
    n = 0;
  }
  for (unsigned i = 0; i < n; i++) {
    begin_kernel(first + i);
    work->wrong += !try_kernel(lib, first + i, i, hasty);
    work->done++;
  }
  mt_library_free(lib);
  mt_str_free(&source);
  mt_str_free(&log);
}

/* ------------------------------------------------------------------- suite */

static int make(void **state) {
  static Stage stage;
  /* what LLVM does not survive is to be seen */
  setenv("METTLE_WORKER", "0", 1);
  if (open_host(state) != 0) return -1;
  return open_contents() && open_stage(&stage, host) ? 0 : -1;
}

static int unmake(void **state) {
  close_stage(on);
  close_contents();
  return close_host(state);
}

/* Kernels that showed a mistake once, since fixed; a seed's own kernel is
** another one whenever the generator changes, but its geometry stays. */
static void test_once_wrong(void **state) {
  (void)state;
  static const uint64_t seeds[] = {710180, 4000330, 60000114, 500002987,
                                   500003029};
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    snprintf(path, sizeof path, "%s/tests/random/once/%llu.metal",
             mt_dir_data(), (unsigned long long)seeds[i]);
    instead = path;
    try_kernels(seeds[i], 1);
    assert_int_equal(work->wrong, 0);
  }
  instead = NULL;
}

static void test_some(void **state) {
  (void)state;
  const char *asked = getenv("METTLE_RANDOM");
  unsigned count = asked ? (unsigned)strtoul(asked, NULL, 10) : MANY;
  uint64_t start = mt_now_ns(), end = start + LONG * 1000000000ull;
  try_seeds(1, count, asked ? UINT64_MAX : end);
  printf("# %u random kernels, %u inputs of each, %u wrong, %u not as vectors, "
         "%.0f s\n", work->done, INPUTS, work->wrong, work->alone,
         (double)(mt_now_ns() - start) * 1e-9);
  assert_int_equal(work->wrong, 0);
  assert_true(work->done >= TOGETHER || asked);
}

static int show(uint64_t seed) {
  mt_Str s = MT_STR_INIT;
  source_for(seed, 1, &s);
  puts(mt_str_text(&s));
  mt_str_free(&s);
  return 0;
}

/* As asked for on the command line. A cache of its own: nothing comes again. */
static int try_asked(uint64_t first, const char *what) {
  char folder[] = "/tmp/mettle-random-XXXXXX", command[64];
  if (strstr(what, ".metal")) instead = what;
  else if (!mkdtemp(folder)) return 1;
  else setenv("XDG_CACHE_HOME", folder, 1);
  uint64_t start = mt_now_ns();
  try_seeds(first, instead ? 1 : strtoull(what, NULL, 10), UINT64_MAX);
  printf("%u kernels, %u wrong, %u not compiled, %u not as vectors, %.0f s\n",
         work->done, work->wrong, work->skipped, work->alone,
         (double)(mt_now_ns() - start) * 1e-9);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return (!instead && system(command) != 0) || work->wrong != 0;
}

int main(int argc, char **argv) {
  uint64_t first = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
  if (argc == 3 && strcmp(argv[2], "show") == 0) return show(first);
  if (argc == 3) return try_asked(first, argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_some), /* first: before there are threads */
      cmocka_unit_test_setup_teardown(test_once_wrong, make, unmake)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
