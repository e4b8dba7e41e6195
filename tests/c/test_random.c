/*
** test_random.c - random kernels give the same answer thread by thread and as
** vectors, each with one geometry or two and two inputs.
**
**   test_random                      a minute or two of it, as a suite
**   test_random FIRST COUNT          kernels of these seeds
**   test_random FIRST show           the kernel of a seed, to read
**   test_random FIRST FILE.metal     the seed's geometries for a changed kernel
**
** METTLE_RANDOM=n: the suite tries so many kernels, however long it takes.
** METTLE_RANDOM_FULL: compile all as kernels are for use, not most quickly.
** METTLE_RANDOM_PREPARED: thread by thread as prepared, not as Clang left it.
** METTLE_RANDOM_CHECK: each is checked and profiled, too, and nothing may be
** found; else one in sixteen.
** METTLE_CPU=x86-64-v3,+avx2: for that CPU (devices/host/engine/engine.h).
*/
#include <limits.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/pool.h"
#include "devices/check.h"
#include "devices/profile.h"
#include "devices/host/engine/engine.h"
#include "tests/c/host_case.h"
#include "tests/random/kernel.h"

#define INPUTS 2     /* for each geometry of a kernel */
#define MANY 1000    /* that the suite tries, or as many as it can in */
#define LONG 100     /* seconds */

static const unsigned groups[][3] = {
    {1, 1, 1},   {2, 1, 1},    {31, 1, 1},   {32, 1, 1},  {33, 1, 1},
    {64, 1, 1},  {100, 1, 1},  {256, 1, 1},  {1000, 1, 1}, {1024, 1, 1},
    {8, 8, 1},   {16, 16, 1},  {31, 3, 1},   {5, 7, 1},   {2, 2, 1},
    {32, 4, 1},  {64, 2, 1},   {4, 4, 4},    {8, 4, 2},   {3, 5, 7},
    {1, 32, 1},  {1, 1, 40},   {16, 4, 2},   {20, 3, 1},  {32, 32, 1},
};
#define GROUPS (sizeof groups / sizeof *groups)
#define LINES 10 /* of them, of one dimension */

typedef struct Shape {
  mt_Size grid, group;
} Shape;

static mt_Buffer *buffers[BUFFERS];
static uint32_t *plain[BUFFERS]; /* what came out thread by thread */
static mt_Texture *textures[TEXTURE_COUNT];
static char *plain_pixels[TEXTURE_COUNT], *pixels; /* the same, and now */
static unsigned done, skipped;
static const char *instead; /* a file to take the kernel from */
static bool instead_line;   /* it is one of a line */

/* ---------------------------------------------------------------- geometry */

/* Few groups in each direction, the last ones often cut. */
static Shape shape_of(uint64_t seed, unsigned number) {
  Generator g = {.random = seed * 77 + number};
  bool full = needs_full_groups(seed);
  bool line = instead ? instead_line : needs_line(seed);
  unsigned grid[3];
  const unsigned *group;
  do {
    group = groups[pick(&g, line ? LINES : GROUPS)];
  } while (full && group[0] * group[1] * group[2] % 32 != 0);
  do
    for (int d = 0; d < 3; d++) {
      bool more = d == 0 || (!line && (group[d] > 1 || chance(&g, 30)));
      unsigned n = more ? 1 + pick(&g, 3) : 1;
      grid[d] = n * group[d];
      if (!full && chance(&g, 40)) grid[d] -= pick(&g, group[d]);
    }
  while (grid[0] * grid[1] * grid[2] > GRID);
  return (Shape){{grid[0], grid[1], grid[2]}, {group[0], group[1], group[2]}};
}

/* ----------------------------------------------------------------- running */

static void fill_buffers(unsigned input) {
  static const uint32_t numbers[] = {0, 0x3f800000, 0x40000000, 0x40400000,
                                     0x40800000, 0x40a00000, 0x3f800000, 0};
  uint32_t x = 12345 + input * 999;
  for (int b = 0; b < BUFFERS; b++) {
    uint32_t *w = mt_buffer_contents(buffers[b]);
    for (unsigned i = 0; i < words[b]; i++) {
      x = x * 1664525u + 1013904223u;
      w[i] = b == IN || b == PAR || b == RIN ? x >> (i + input) % 3 * 8
             : b == UNI || b == MORE ? x >> i % 5 * 6
             : b == SMALL        ? numbers[x >> 29]
             : b == ACC && (i / 8 == 3 || i / 8 == 5) ? UINT32_MAX /* min, and */
             : b == EXT || b >= ROWS ? i : 0;
    }
  }
}

static size_t texture_bytes(int t) {
  const mt_TextureDesc *d = &texture_of[t];
  return mt_pixel_size(d->format) * d->width * d->height * d->depth * d->layers;
}

/* Whole numbers that a half has room for, or bytes; what is written, cleared. */
static void fill_textures(unsigned input) {
  uint32_t x = 777 + input;
  for (int t = 0; t < TEXTURE_COUNT; t++) {
    size_t size = texture_bytes(t);
    for (size_t i = 0; i < size; i++) {
      x = x * 1664525u + 1013904223u;
      pixels[i] = (char)(t >= TW ? 0 : t == TH && i % 2 ? 0x40 + (x >> 29) : x >> 24);
    }
    mt_texture_write(textures[t], pixels, size, &error);
  }
}

/* The launch of a kernel; its arguments are there until the next. */
static mt_Launch launch_of(mt_Kernel *k, const Shape *shape) {
  const mt_KernelInfo *info = mt_kernel_info(k);
  static mt_Arg args[40];
  memset(args, 0, sizeof args);
  int b = 0, t = 0;
  for (unsigned i = 0; i < info->param_count; i++)
    if (info->params[i].kind == MT_PARAM_THREADGROUP) {
      args[i] = (mt_Arg){.kind = MT_ARG_THREADGROUP, .size = 4096};
    } else if (info->params[i].kind == MT_PARAM_BUFFER) {
      args[i] = (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = buffers[b],
                         .size = words[b] * 4};
      b++;
    } else if (info->params[i].kind == MT_PARAM_TEXTURE) {
      args[i] = (mt_Arg){.kind = MT_ARG_TEXTURE, .texture = textures[t++]};
    }
  return (mt_Launch){.kernel = k, .args = args, .arg_count = info->param_count,
                     .grid = shape->grid, .group = shape->group, .repeats = 1,
                     .time_limit = 60};
}

static mt_Status launch(mt_Kernel *k, const Shape *shape) {
  mt_Launch l = launch_of(k, shape);
  mt_Timing timing;
  error.text[0] = 0;
  return mt_launch(&l, &timing, &error);
}

static bool complain(uint64_t seed, const Shape *s, const char *what) {
  print_error("seed %llu, grid %ux%ux%u, group %ux%ux%u: %s\n",
              (unsigned long long)seed, (unsigned)s->grid.x, (unsigned)s->grid.y,
              (unsigned)s->grid.z, (unsigned)s->group.x, (unsigned)s->group.y,
              (unsigned)s->group.z, what);
  return false;
}

static bool compare(uint64_t seed, const Shape *s, unsigned input) {
  static const char *const names[] = {"in", "out", "acc", "own", "ext",
                                      "par", "small", "facc", "uni", "more",
                                      "rin", "rows", "flat", "plane", "swap"};
  for (int b = 0; b < BUFFERS; b++) {
    const uint32_t *w = mt_buffer_contents(buffers[b]);
    if (memcmp(w, plain[b], words[b] * 4) == 0) continue;
    unsigned i = 0;
    while (w[i] == plain[b][i]) i++;
    char what[128];
    snprintf(what, sizeof what, "%s[%u] is %u thread by thread, %u as vectors "
             "(input %u)", names[b], i, plain[b][i], w[i], input);
    return complain(seed, s, what);
  }
  for (int t = TW; t < TEXTURE_COUNT; t++) {
    mt_texture_read(textures[t], pixels, texture_bytes(t), &error);
    if (memcmp(pixels, plain_pixels[t], texture_bytes(t)) != 0)
      return complain(seed, s, t == TW ? "other pixels in tw" : "other pixels in tr");
  }
  return true;
}

static void keep_answers(void) {
  for (int b = 0; b < BUFFERS; b++)
    memcpy(plain[b], mt_buffer_contents(buffers[b]), words[b] * 4);
  for (int t = TW; t < TEXTURE_COUNT; t++)
    mt_texture_read(textures[t], plain_pixels[t], texture_bytes(t), &error);
}

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
      snprintf(what, sizeof what, "%s: %s", way ? "vectors" : "thread by thread",
               error.text);
      return complain(seed, s, what);
    }
    if (way == 0) keep_answers();
  }
  return compare(seed, s, input);
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
  return compare(seed, s, 0);
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
  return ok && compare(seed, s, 0) && is_counted(k, seed, s);
}

static bool try_kernel(mt_Library *lib, uint64_t seed, unsigned number) {
  uint32_t fc0 = (uint32_t)(seed % 7);
  bool fc1 = seed % 3 == 0, ok = true;
  mt_ConstantValue values[] = {{0, &fc0, sizeof fc0}, {1, &fc1, sizeof fc1}};
  char name[16];
  mt_Kernel *k = NULL;
  snprintf(name, sizeof name, "k%u", number);
  if (mt_kernel_new(lib, name, values, 2, &k, &error) != MT_OK) {
    print_error("seed %llu: %s\n", (unsigned long long)seed, error.text);
    return false;
  }
  unsigned geometries = mt_emit_quick ? 1 : 2; /* each is new code */
  for (unsigned n = 0; n < geometries * INPUTS && ok; n++) {
    Shape s = shape_of(seed, n / INPUTS);
    ok = agree(k, seed, &s, n % INPUTS);
    if (ok && n == 0 && (seed % 16 == 7 || getenv("METTLE_RANDOM_CHECK")))
      ok = is_clean(k, seed, &s);
  }
  mt_kernel_free(k);
  done++;
  return ok;
}

#define FAST "// with fast math\n"

static void source_for(uint64_t first, unsigned n, mt_Str *s) {
  if (instead) {
    mt_file_read(instead, 1 << 20, s, &error);
    instead_line = strstr(mt_str_text(s), "gid_ [[") != NULL;
    return;
  }
  if (is_fast(first)) mt_str_add(s, FAST);
  source_prelude(s);
  for (unsigned i = 0; i < n; i++) source_kernel(s, first + i, i);
}

/* How many of these kernels are wrong. One batch in four is compiled as
** kernels are for use; the others sooner, with less of LLVM's work. */
static unsigned try_kernels(uint64_t first, unsigned n) {
  mt_Str source = MT_STR_INIT, log = MT_STR_INIT;
  mt_Library *lib = NULL;
  mt_CompileOptions how = {.math = MT_MATH_SAFE};
  unsigned wrong = 0;
  mt_emit_quick = first / TOGETHER % 4 != 0 && !getenv("METTLE_RANDOM_FULL");
  mt_scalar_plain = !getenv("METTLE_RANDOM_PREPARED");
  source_for(first, n, &source);
  if (strstr(mt_str_text(&source), FAST)) how.math = MT_MATH_FAST;
  if (mt_library_new(host, source.text, source.length, &how, &lib, &log,
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

/* 'report' so often, for runs of hours; not past 'deadline' (mt_now_ns). */
static unsigned try_seeds(uint64_t first, unsigned count, unsigned report,
                          uint64_t deadline) {
  unsigned wrong = 0;
  for (unsigned at = 0; at < count && mt_now_ns() < deadline;) {
    unsigned n = TOGETHER - (unsigned)((first + at) % TOGETHER);
    if (n > count - at) n = count - at;
    wrong += try_kernels(first + at, n);
    at += n;
    if (report && done / report != (done - n) / report) {
      printf("%u kernels, %u wrong\n", done, wrong);
      fflush(stdout);
    }
  }
  return wrong;
}

/* ------------------------------------------------------------------- suite */

static int make(void **state) {
  if (open_host(state) != 0) return -1;
  for (int b = 0; b < BUFFERS; b++) {
    buffers[b] = host_buffer(words[b] * 4);
    plain[b] = malloc(words[b] * 4);
  }
  for (int t = 0; t < TEXTURE_COUNT; t++) {
    if (mt_texture_new(host, &texture_of[t], &textures[t], &error) != MT_OK) return -1;
    plain_pixels[t] = malloc(texture_bytes(t));
  }
  pixels = malloc(texture_bytes(TW)); /* the largest */
  return 0;
}

static int unmake(void **state) {
  for (int b = 0; b < BUFFERS; b++) {
    mt_buffer_free(buffers[b]);
    free(plain[b]);
  }
  for (int t = 0; t < TEXTURE_COUNT; t++) {
    mt_texture_free(textures[t]);
    free(plain_pixels[t]);
  }
  free(pixels);
  return close_host(state);
}

/* Kernels that showed a mistake once, since mended; a seed's own kernel is
** another one whenever the generator changes, but its geometry stays. */
static void test_once_wrong(void **state) {
  (void)state;
  static const uint64_t seeds[] = {4000330, 60000114, 500002987, 500003029};
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    snprintf(path, sizeof path, "%s/tests/random/once/%llu.metal", mt_dir_data(),
             (unsigned long long)seeds[i]);
    instead = path;
    assert_int_equal(try_kernels(seeds[i], 1), 0);
    assert_int_equal(skipped, 0);
  }
  instead = NULL;
  done = 0;
}

static void test_some(void **state) {
  (void)state;
  const char *asked = getenv("METTLE_RANDOM");
  unsigned count = asked ? (unsigned)strtoul(asked, NULL, 10) : MANY;
  uint64_t end = asked ? UINT64_MAX : mt_now_ns() + LONG * 1000000000ull;
  unsigned wrong = try_seeds(1, count, 0, end);
  printf("# %u random kernels, %u inputs of each, %u wrong\n", done, INPUTS,
         wrong);
  assert_int_equal(wrong, 0);
  assert_true(done >= 16 || asked);
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
    char folder[] = "/tmp/mettle-random-XXXXXX", command[64] = "true";
    bool file = strstr(argv[2], ".metal") != NULL;
    if (!file && !mkdtemp(folder)) return 1;
    if (!file) setenv("XDG_CACHE_HOME", folder, 1); /* nothing comes again */
    if (make(NULL) != 0) return 1;
    if (file) instead = argv[2];
    uint64_t start = mt_now_ns();
    unsigned count = file ? 1 : (unsigned)strtoul(argv[2], NULL, 10);
    unsigned wrong = try_seeds(strtoull(argv[1], NULL, 10), count, 200,
                               UINT64_MAX);
    printf("%u kernels, %u wrong, %u not compiled, %.0f s\n", done, wrong,
           skipped, (double)(mt_now_ns() - start) * 1e-9);
    unmake(NULL);
    if (!file) snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || wrong != 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_once_wrong),
                                     cmocka_unit_test(test_some)};
  return cmocka_run_group_tests(tests, make, unmake);
}
