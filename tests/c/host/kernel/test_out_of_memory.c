/*
** test_out_of_memory.c - a compile in which the n-th allocation fails ends with
** one sentence, for every n: no crash and no leak.
**
** Of the n, those are tried that no n before had: the first allocation of each
** chain of calls, then ever fewer of the others; with METTLE_TESTS=all many of
** the others, too.
**
** The program defines malloc, calloc, realloc and strdup itself; they fail and
** are counted where the caller is Mettle's own code (parts.so), never in LLVM
** or the C library. A block that is not freed is counted here: sanitizers have
** their own malloc, which a program cannot replace, so the suite is skipped in
** their builds.
**
** Guards: base/arena.c, devices/compiler/prepare, devices/host/vectorise,
** devices/host/scalar, devices/host/kernel: a compile, also from a job to the
** bytes of its result, code, instrumented code or listing, whose n-th
** allocation fails says so in a sentence and frees everything
*/
#define _GNU_SOURCE
#include "tests/c/all_tests.h"
#include "tests/c/vectorise_case.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include "devices/compiler/prepare/inactive_lanes.h"
#include "devices/host/instrument/instrument.h"
#include "devices/host/lower/lower.h"
#include "devices/host/kernel/compile.h"
#include "devices/host/scalar/scalar.h"

#if defined __has_feature
#define HAS(feature) __has_feature(feature)
#else
#define HAS(feature) 0
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || \
    HAS(address_sanitizer) || HAS(thread_sanitizer)

int main(void) {
  (void)test_run;
  puts("ok 1 - # SKIP sanitizers have a malloc of their own\n1..1");
  return 0;
}

#else

/* ------------------------------------------------------------- allocation */

static uintptr_t ours[8][2]; /* code of Mettle */
static int ranges;
static long left; /* allocations until one fails; 0: none does */
static bool failed, counting;

/* Blocks that Mettle's code allocated while 'counting', by address. */
enum { SLOTS = 1 << 18 };
static const void *block[SLOTS];
static long live;

static size_t slot_of(const void *p, const void *or_free) {
  size_t i = ((uintptr_t)p >> 4) * 0x9E3779B97F4A7C15ull >> 40;
  for (i &= SLOTS - 1; block[i] && block[i] != p; i = (i + 1) & (SLOTS - 1))
    if (block[i] == or_free) break;
  return i;
}

static bool is_ours(const void *caller) {
  for (int i = 0; i < ranges; i++)
    if ((uintptr_t)caller >= ours[i][0] && (uintptr_t)caller < ours[i][1])
      return true;
  return false;
}

/* While 'noting', the calls that lead to each allocation, as a number. */
enum { MOST_NOTED = 1 << 16, CALLS = 6 };
static uint64_t noted[MOST_NOTED];
static long noted_count;
static bool noting;

static void note(void) {
  void *calls[CALLS + 4];
  int n = backtrace(calls, CALLS + 4), i = 0;
  uint64_t hash = 1;
  while (i < n && !is_ours(calls[i])) i++; /* malloc's own */
  if (n > i + CALLS) n = i + CALLS;
  for (; i < n && is_ours(calls[i]); i++)
    hash = (hash ^ (uintptr_t)calls[i]) * 0x100000001B3ull;
  if (noted_count < MOST_NOTED) noted[noted_count++] = hash;
}

static bool fails(const void *caller) {
  if (noting && is_ours(caller)) note();
  if (!left || !is_ours(caller) || --left) return false;
  return failed = true;
}

static char gone; /* marks a slot that was in use */

static void *add(void *p, const void *caller) {
  if (!p || !counting || !is_ours(caller)) return p;
  block[slot_of(p, &gone)] = p;
  live++;
  return p;
}

static void take(const void *p) {
  size_t i = p && live ? slot_of(p, NULL) : 0;
  if (!p || !live || block[i] != p) return;
  block[i] = &gone;
  live--;
}

/* What is asked for while dlsym looks for the real functions. */
static char early[1 << 16];
static size_t early_used;

static void *from_early(size_t size) {
  size_t at = early_used;
  early_used += (size + 15) / 16 * 16;
  if (early_used > sizeof early) abort();
  return early + at;
}

static bool is_early(const void *p) {
  return (const char *)p >= early && (const char *)p < early + sizeof early;
}

#define REAL(name, type)                                          \
  static __typeof__(type) real;                                   \
  static bool looking;                                            \
  if (!real && !looking) {                                        \
    looking = true;                                               \
    real = (__typeof__(type))(uintptr_t)dlsym(RTLD_NEXT, name);   \
    looking = false;                                              \
  }

void *malloc(size_t size) {
  REAL("malloc", void *(*)(size_t))
  const void *caller = __builtin_return_address(0);
  if (fails(caller)) return NULL;
  return real ? add(real(size), caller) : from_early(size);
}

void *calloc(size_t n, size_t size) {
  REAL("calloc", void *(*)(size_t, size_t))
  const void *caller = __builtin_return_address(0);
  if (fails(caller)) return NULL;
  return real ? add(real(n, size), caller) : from_early(n * size);
}

void *realloc(void *p, size_t size) {
  REAL("realloc", void *(*)(void *, size_t))
  const void *caller = __builtin_return_address(0);
  if (fails(caller)) return NULL;
  take(p);
  return real ? add(real(p, size), caller) : from_early(size);
}

void free(void *p) {
  REAL("free", void (*)(void *))
  take(p);
  if (real && !is_early(p)) real(p);
}

char *strdup(const char *s) {
  size_t n = strlen(s) + 1;
  if (fails(__builtin_return_address(0))) return NULL;
  char *copy = add(malloc(n), __builtin_return_address(0));
  return copy ? memcpy(copy, s, n) : NULL;
}

static int find_ours(struct dl_phdr_info *info, size_t size, void *none) {
  (void)size, (void)none;
  const char *name = strrchr(info->dlpi_name, '/');
  if (!name || strcmp(name, "/parts.so")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type != PT_LOAD || !(h->p_flags & PF_X) || ranges == 8) continue;
    ours[ranges][0] = info->dlpi_addr + h->p_vaddr;
    ours[ranges][1] = ours[ranges][0] + h->p_memsz;
    ranges++;
  }
  return 0;
}

/* ----------------------------------------------------------------- kernels */

#define HEAD "#include <metal_stdlib>\nusing namespace metal;\n"

static const char *const kernels[] = {
    /* a barrier, a loop that lanes leave at different times */
    HEAD "kernel void k(device float *a, device const float *b, uint i "
    "[[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {\n"
    "  threadgroup float tile[64];\n"
    "  tile[t] = b[i];\n"
    "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
    "  float s = tile[63 - t];\n"
    "  for (uint k = 0; k < (i & 7); k++) s = s / (b[i * 3 + k] + 2.0f);\n"
    "  a[i] = s;\n}\n",
    /* private arrays, a row of each lane, cross-lane operations */
    HEAD "kernel void k(device float *a, device const float *b, uint i "
    "[[thread_position_in_grid]], uint n [[threads_per_grid]]) {\n"
    "  int todo[8]; int top = 0; float s = 0;\n"
    "  for (int k = 0; k < 8; k++) todo[k] = (i >> k) & 3;\n"
    "  while (top < 8 && todo[top] != 3) s += b[todo[top++] + i];\n"
    "  for (uint j = 0; j < 40; j++) s += b[i * 40 + j];\n"
    "  if (i & 1) s += simd_shuffle_up(s, 1);\n"
    "  a[i] = simd_sum(s) + n;\n}\n",
    /* structs side by side, atomics, a barrier in an if */
    HEAD "struct P { float x, y, z, w; };\n"
    "kernel void k(device P *p, device atomic_uint *c, uint i "
    "[[thread_position_in_grid]], uint t [[thread_index_in_simdgroup]]) {\n"
    "  P q = p[i]; q.x += q.w; q.y *= q.z;\n"
    "  if (q.x > 0) atomic_fetch_add_explicit(c, 1u, memory_order_relaxed);\n"
    "  if (t == 0) { threadgroup_barrier(mem_flags::mem_device); }\n"
    "  p[i] = q;\n}\n",
    /* simdgroup matrices across barriers, a copy of a struct */
    HEAD "#include <metal_simdgroup_matrix>\n"
    "struct Row { float x[20]; };\n"
    "kernel void k(device float *a, device const Row *r, device Row *o, "
    "uint t [[thread_index_in_threadgroup]], "
    "uint i [[thread_position_in_grid]]) {\n"
    "  threadgroup float tile[128];\n"
    "  simdgroup_float8x8 x, y, sum(0);\n"
    "  for (uint k = 0; k < 3; k++) {\n"
    "    tile[t] = a[i + k];\n"
    "    tile[t + 64] = a[i * k];\n"
    "    threadgroup_barrier(mem_flags::mem_threadgroup);\n"
    "    simdgroup_load(x, tile, 8);\n"
    "    simdgroup_load(y, tile + 64, 8, ulong2(0, 0), true);\n"
    "    simdgroup_multiply_accumulate(sum, x, y, sum);\n"
    "    threadgroup_barrier(mem_flags::mem_threadgroup);\n"
    "  }\n"
    "  o[i] = r[i & 15];\n"
    "  if (t < 32) simdgroup_store(sum, a, 8);\n}\n",
    /* tiles that are kept from threadgroup to threadgroup, of 32 x 32 */
    HEAD "kernel void k(device const float *in, device float *out, constant "
    "uint &n, uint2 at [[thread_position_in_grid]], "
    "uint2 l [[thread_position_in_threadgroup]]) {\n"
    "  threadgroup float a[32][32], b[32][32]; float sum = 0;\n"
    "  for (uint k = 0; k < n; k += 32) {\n"
    "    a[l.y][l.x] = k + l.x < n ? in[at.y * n + k + l.x] : 0;\n"
    "    b[l.y][l.x] = in[(k + l.y) * n + at.x];\n"
    "    threadgroup_barrier(mem_flags::mem_threadgroup);\n"
    "    for (uint t = 0; t < 32; t++) sum += a[l.y][t] * b[t][l.x];\n"
    "    threadgroup_barrier(mem_flags::mem_threadgroup);\n"
    "  }\n"
    "  out[at.y * n + at.x] = sum;\n}\n",
    /* textures */
    HEAD "kernel void k(texture2d<float> in, device float *a, sampler how, "
    "uint i [[thread_position_in_grid]]) {\n"
    "  float s = 0;\n"
    "  for (uint k = 0; k < 3; k++) s += in.read(uint2(i, k)).x;\n"
    "  a[i] = s + in.sample(how, float2(i, s) / 64).y;\n}\n"};
enum { COUNT = sizeof kernels / sizeof *kernels, KEPT = 4, TEXTURES = 5 };
static const mt_Geometry sizes[] = {{.size = {64, 1, 1}, .ragged = {true}},
                                    {.size = {32, 32, 1}, .many = true}};

static unsigned cells_wanted; /* as a compile with enough memory has them */

/* Tiles may be kept for vectors of one width and not for others. */
static void check_kept(const mt_VectorFacts *facts, bool wanted) {
  static int lanes;
  if (!counting) lanes = facts->lanes;
  if (wanted && facts->lanes == lanes && !facts->loops.kept)
    fail_msg("no tile is kept, allocation %ld", left);
}

typedef enum Way { VECTORS, SCALAR, CHECKED } Way;

/* One compile: as vectors, thread by thread, or with the checker's probes. The
** error's text is in 'err'. */
static mt_Status compile(const mt_MslModule *m, Way way, int which,
                         mt_Error *err) {
  const mt_MslKernel *k = test_kernel(m, NULL);
  static const mt_ArgumentFacts apart; /* no buffer overlaps another */
  mt_Prepared p;
  mt_SiteTable sites = {0};
  mt_Instrumentation check = mt_check_instrumentation(&sites);
  mt_PrepareInput in = {.target = mt_target_host(err), .kernel = k,
                        .formats = which == KEPT ? &apart : NULL,
                        .instrument = way == CHECKED ? &check : NULL};
  if (!in.target) return MT_FAIL;
  in.bitcode = mt_msl_bitcode(m, &in.size);
  in.constant_count = mt_msl_constants(m, &in.constants);
  mt_Status status = mt_prepare(&in, &p, err);
  if (status != MT_OK) {
    mt_sites_free(&sites);
    return status;
  }
  unsigned cells = mt_inactive_cell_count(p.function);
  if (cells < cells_wanted)
    fail_msg("a shuffle reads a value that is not kept, and no error says so");
  if (!counting) cells_wanted = cells;
  LLVMValueRef fn;
  mt_Str list = MT_STR_INIT, object = MT_STR_INIT;
  mt_VectorFacts facts = {.list = &list};
  if (way == SCALAR) {
    status = mt_scalar_build(&p, k, false, NULL, &fn, err);
  } else {
    status = mt_vectorise(p.target, p.module, k, &sizes[which == KEPT],
                          way == CHECKED ? &mt_check_lowering : NULL, &fn,
                          &facts, err);
    if (status == MT_OK) check_kept(&facts, which == KEPT && way == VECTORS);
    if (status == MT_UNSUPPORTED) status = MT_OK; /* the way to scalar code */
  }
  if (status == MT_OK && way == SCALAR)
    status = mt_emit(p.target, p.module, true, false, &object, NULL, err);
  if (object.failed && status == MT_OK)
    fail_msg("an object without its end is taken for good");
  mt_str_free(&list), mt_str_free(&object);
  mt_prepared_free(&p);
  mt_sites_free(&sites);
  return status;
}

/* The n-th allocation fails. Returns false if there are fewer. */
static bool fail_at(const mt_MslModule *m, Way way, long n, int which) {
  mt_Error err = {""};
  failed = false, counting = true, left = n;
  mt_Status status = compile(m, way, which, &err);
  counting = false, left = 0;
  if (live)
    fail_msg("kernel %d, allocation %ld: %ld blocks are not freed", which, n,
             live);
  if (status != MT_OK && (!err.text[0] || strchr(err.text, '\n')))
    fail_msg("kernel %d, allocation %ld: no sentence: '%s'", which, n,
             err.text);
  if (status != MT_OK && !strstr(err.text, "memory"))
    fail_msg("kernel %d, allocation %ld: '%s' does not speak of memory", which,
             n, err.text);
  return failed;
}

/* ------------------------------------------------- which allocations fail */

static void start_noting(void) { noted_count = 0, noting = true; }

static uint64_t seen[MOST_NOTED];
static long seen_count;

static bool is_new(uint64_t calls) {
  for (long i = 0; i < seen_count; i++)
    if (seen[i] == calls) return false;
  if (seen_count < MOST_NOTED) seen[seen_count++] = calls;
  return true;
}

/* The next one after the n-th: of a new chain of calls, or 'sample', which
** moves on, ever farther: to twice, with METTLE_TESTS=all by the n-th part
** that 'dense' is. 0: there is no other. */
static long next_after(long n, long *sample, long dense) {
  long apart = all_tests() ? dense : 1;
  for (n++; n <= noted_count; n++) {
    bool sampled = n == *sample;
    if (sampled) *sample += 1 + n / apart;
    if (is_new(noted[n - 1]) || sampled) return n;
  }
  return 0;
}

/* The kernel with textures has ten thousand. */
static void run(Way way) {
  for (int i = 0; i < COUNT; i++) {
    mt_MslModule *m = test_compile(kernels[i]);
    mt_Error err = {""};
    cells_wanted = 0;
    start_noting();
    if (compile(m, way, i, &err) != MT_OK) fail_msg("%s", err.text);
    noting = false;
    long n = 0, sample = 1, tried = 0;
    while ((n = next_after(n, &sample, i == TEXTURES ? 24 : 400)))
      tried += fail_at(m, way, n, i);
    if (noted_count < 10 || !tried)
      fail_msg("kernel %d: %ld of %ld allocations", i, tried, noted_count);
    mt_msl_free(m);
  }
}

static void test_vectors(void **state) {
  (void)state;
  run(VECTORS);
}

static void test_scalar(void **state) {
  (void)state;
  run(SCALAR);
}

static void test_checked(void **state) {
  (void)state;
  run(CHECKED);
}

/* -------------------------------------------------------- a whole compile */

/* From a kernel's job to the bytes that the worker process sends, and back. */
static mt_Status request(const mt_MslModule *m, mt_CompileTask task,
                         mt_Error *err) {
  mt_PreparedJob w = {.job = {.msl = test_kernel(m, NULL), .source = ""}};
  w.job.bitcode = mt_msl_bitcode(m, &w.job.size);
  w.job.constant_count = mt_msl_constants(m, &w.job.constants);
  mt_CompileRequest o = {.task = task, .symbol = "code", .quick_symbol = "q"};
  o.kind.geometry = sizes[0];
  o.kind.values = task == MT_TASK_RECORDED;
  mt_CompileResult out = {0}, copy = {0};
  mt_Str bytes = MT_STR_INIT;
  mt_Status status = mt_compile_request(&w, &o, &out, err);
  if (status == MT_OK) {
    if (out.bytes.failed)
      fail_msg("task %d: a result without its end is taken for good", task);
    mt_compile_result_pack(&out, &bytes);
    if (bytes.failed ||
        !mt_compile_result_unpack(mt_str_text(&bytes), bytes.length, w.job.msl,
                                  &copy))
      status = mt_error(err, MT_FAIL, "out of memory: no result");
  }
  mt_str_free(&bytes);
  mt_compile_result_free(&copy);
  mt_compile_result_free(&out);
  mt_prepared_job_free(&w);
  return status;
}

static void request_at(const mt_MslModule *m, mt_CompileTask task, long n) {
  mt_Error err = {""};
  failed = false, counting = true, left = n;
  mt_Status status = request(m, task, &err);
  counting = false, left = 0;
  if (live) fail_msg("task %d, allocation %ld: %ld are left", task, n, live);
  if (status != MT_OK && !strstr(err.text, "memory"))
    fail_msg("task %d, allocation %ld: '%s'", task, n, err.text);
}

/* The last ones are those of a result that has its code. */
static void test_whole(void **state) {
  (void)state;
  mt_MslModule *m = test_compile(kernels[0]);
  for (mt_CompileTask task = MT_TASK_CODE; task <= MT_TASK_WHY; task++) {
    mt_Error err = {""};
    start_noting();
    if (request(m, task, &err) != MT_OK) fail_msg("%d: %s", task, err.text);
    noting = false;
    for (long n = 0, sample = 1; (n = next_after(n, &sample, 5));)
      request_at(m, task, n);
  }
  mt_msl_free(m);
}

static int start(void **state) {
  (void)state;
  (void)test_run; /* vectorise_case.h: nothing is launched here */
  void *calls[1];
  backtrace(calls, 1); /* it allocates the first time */
  dl_iterate_phdr(find_ours, NULL);
  return ranges ? 0 : 1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_scalar),
      cmocka_unit_test(test_checked),
      cmocka_unit_test(test_whole),
  };
  return cmocka_run_group_tests_name("out of memory", tests, start, NULL);
}

#endif
