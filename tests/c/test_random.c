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
*/
#include <limits.h>

#include "base/file.h"
#include "base/pool.h"
#include "devices/check.h"
#include "devices/host/kernel/kernel.h"
#include "devices/host/native/native.h"
#include "devices/profile.h"
#include "tests/c/host_case.h"
#include "tests/random/workers.h"

#define INPUTS 2     /* for each geometry of a kernel */
#define MANY 2400    /* that the suite tries, or as many as it can in */
#define LONG 15      /* seconds */

static const unsigned groups[][3] = {
    {1, 1, 1},   {2, 1, 1},    {31, 1, 1},   {32, 1, 1},  {33, 1, 1},
    {64, 1, 1},  {100, 1, 1},  {256, 1, 1},  {1000, 1, 1}, {1024, 1, 1},
    {8, 8, 1},   {16, 16, 1},  {31, 3, 1},   {5, 7, 1},   {2, 2, 1},
    {32, 4, 1},  {64, 2, 1},   {4, 4, 4},    {8, 4, 2},   {3, 5, 7},
    {100, 5, 1}, {40, 3, 1},   {248, 4, 1},  {72, 3, 2},
    {1, 32, 1},  {1, 1, 40},   {16, 4, 2},   {20, 3, 1},  {32, 32, 1},
};
#define GROUPS (sizeof groups / sizeof *groups)
#define LINES 10 /* of them, of one dimension */

typedef struct Shape {
  mt_Size grid, group;
  bool by_groups; /* launched as so many groups, not threads */
  bool twins;     /* one buffer is given as two parameters */
} Shape;

static mt_Buffer *buffers[BUFFERS];
static uint32_t *contents[INPUTS][BUFFERS]; /* before a launch */
static uint32_t *plain[BUFFERS]; /* what came out thread by thread */
static mt_Texture *textures[TEXTURE_COUNT];
static char *plain_pixels[TEXTURE_COUNT], *pixels; /* the same, and now */
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
  /* vectorise/vector_width.c */
  bool wide = !instead && is_simple(seed) && chance(&g, 60);
  do {
    group = groups[pick(&g, line ? LINES : GROUPS)];
  } while (group[0] * group[1] * group[2] % (wide ? 128 : full ? 32 : 1) != 0);
  do
    for (int d = 0; d < 3; d++) {
      bool more = d == 0 || (!line && (group[d] > 1 || chance(&g, 30)));
      unsigned n = more ? 1 + pick(&g, 3) : 1;
      grid[d] = n * group[d];
      if (!full && chance(&g, 40)) grid[d] -= pick(&g, group[d]);
    }
  while (grid[0] * grid[1] * grid[2] > GRID);
  Shape s = {.grid = {grid[0], grid[1], grid[2]},
             .group = {group[0], group[1], group[2]}};
  s.by_groups = chance(&g, 50);
  for (int d = 0; d < 3; d++) s.by_groups &= grid[d] % group[d] == 0;
  s.twins = chance(&g, 70);
  return s;
}

/* ----------------------------------------------------------------- running */

static void make_contents(unsigned input) {
  static const uint32_t numbers[] = {0, 0x3f800000, 0x40000000, 0x40400000,
                                     0x40800000, 0x40a00000, 0x3f800000, 0};
  uint32_t x = 12345 + input * 999;
  for (int b = 0; b < BUFFERS; b++) {
    uint32_t *w = contents[input][b];
    for (unsigned i = 0; i < words[b]; i++) {
      x = x * 1664525u + 1013904223u;
      w[i] = b == IN || b == PAR || b == RIN ? x >> (i + input) % 3 * 8
             : b == UNI || b == MORE ? x >> i % 5 * 6
             : b == SMALL        ? numbers[x >> 29]
             /* min, and */
             : b == ACC && (i / 8 == 3 || i / 8 == 5) ? UINT32_MAX
             : b == EXT || b >= ROWS ? i : 0;
    }
  }
}

static void fill_buffers(unsigned input) {
  for (int b = 0; b < BUFFERS; b++)
    memcpy(mt_buffer_contents(buffers[b]), contents[input][b], words[b] * 4);
}

static size_t texture_bytes(int t) {
  const mt_TextureDesc *d = &texture_of[t];
  return mt_pixel_size(d->format) * d->width * d->height * d->depth * d->layers;
}

/* Whole numbers that a half has room for, or bytes; what is written,
** cleared. */
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

static mt_Arg buffer_arg(int b, size_t offset) {
  return (mt_Arg){.kind = MT_ARG_BUFFER, .buffer = buffers[b],
                  .offset = offset, .size = words[b] * 4 - offset};
}

/* struct Job of bound.h. */
static mt_Arg job_arg(const mt_Type *job, const Shape *shape) {
  static struct { uint64_t pointers[4]; uint32_t n; float by; } bytes = {
      .n = 6, .by = 1.5f};
  static mt_Link links[4];
  const mt_Type *pointer = job->fields[0].type;
  links[0] = (mt_Link){0, "x", pointer, buffer_arg(IN, 0)};
  links[1] = (mt_Link){8, "own", pointer,
                       buffer_arg(shape->twins ? MORE : OWN8, 0)};
  for (size_t n = 0; n < 2; n++)
    links[2 + n] = (mt_Link){16 + 8 * n, "lists", pointer,
                             buffer_arg(LISTS, n * GRID * 16)};
  return (mt_Arg){.kind = MT_ARG_BYTES, .bytes = &bytes, .size = sizeof bytes,
                  .links = links, .link_count = 4};
}

static mt_Arg argument(const mt_Param *p, const Shape *shape) {
  switch (p->index) {
    case 15: return buffer_arg(shape->twins ? MORE : ALSO, 0);
    case 16: return buffer_arg(shape->twins ? ROWS : ROWS2, 0);
    case 17: return job_arg(p->type, shape);
    default: return buffer_arg((int)p->index, 0);
  }
}

/* The launch of a kernel; its arguments are there until the next. */
static mt_Launch launch_of(mt_Kernel *k, const Shape *shape) {
  const mt_KernelInfo *info = mt_kernel_info(k);
  static mt_Arg args[40];
  memset(args, 0, sizeof args);
  int t = 0;
  for (unsigned i = 0; i < info->param_count; i++)
    if (info->params[i].kind == MT_PARAM_THREADGROUP) {
      args[i] = (mt_Arg){.kind = MT_ARG_THREADGROUP, .size = 4096};
    } else if (info->params[i].kind == MT_PARAM_BUFFER) {
      args[i] = argument(&info->params[i], shape);
    } else if (info->params[i].kind == MT_PARAM_TEXTURE) {
      args[i] = (mt_Arg){.kind = MT_ARG_TEXTURE, .texture = textures[t++]};
    }
  mt_Size grid = shape->grid, group = shape->group;
  if (shape->by_groups)
    grid = (mt_Size){grid.x / group.x, grid.y / group.y, grid.z / group.z};
  return (mt_Launch){.kernel = k, .args = args, .arg_count = info->param_count,
                     .grid = grid, .group = group, .repeats = 1,
                     .by_groups = shape->by_groups, .time_limit = 60};
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
                                      "rin", "rows", "flat", "plane", "swap",
                                      "also", "rows2", "job.own", "job.lists"};
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

/* Else both ways were the same one. */
static bool as_vectors(const mt_HostKernel *k) {
  for (const mt_Specialisation *s = k->specials; s; s = s->next)
    if (!s->kind.scalar && !s->simd) return false;
  return true;
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

/* One batch in twelve is compiled as kernels are for use; the others sooner,
** with less of LLVM's work. */
static void try_kernels(uint64_t first, unsigned n) {
  mt_Str source = MT_STR_INIT, log = MT_STR_INIT;
  mt_Library *lib = NULL;
  mt_CompileOptions how = {.math = MT_MATH_SAFE};
  mt_hasty_code = first / TOGETHER % 12 != 0 && !getenv("METTLE_RANDOM_FULL");
  mt_scalar_plain = !getenv("METTLE_RANDOM_PREPARED");
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
    work->wrong += !try_kernel(lib, first + i, i);
    work->done++;
  }
  mt_library_free(lib);
  mt_str_free(&source);
  mt_str_free(&log);
}

/* ------------------------------------------------------------------- suite */

static int make(void **state) {
  setenv("METTLE_WORKER", "0", 1); /* what LLVM does not survive is to be seen */
  if (open_host(state) != 0) return -1;
  for (int b = 0; b < BUFFERS; b++) {
    buffers[b] = host_buffer(words[b] * 4);
    plain[b] = malloc(words[b] * 4);
    for (int n = 0; n < INPUTS; n++) contents[n][b] = malloc(words[b] * 4);
  }
  for (unsigned n = 0; n < INPUTS; n++) make_contents(n);
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
    for (int n = 0; n < INPUTS; n++) free(contents[n][b]);
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
  static const uint64_t seeds[] = {710180, 4000330, 60000114, 500002987, 500003029};
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    snprintf(path, sizeof path, "%s/tests/random/once/%llu.metal", mt_dir_data(),
             (unsigned long long)seeds[i]);
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
