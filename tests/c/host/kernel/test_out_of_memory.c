/*
** test_out_of_memory.c - a compile in which the n-th allocation fails ends with
** one sentence, for every n: no crash and no leak.
**
** Of the n, those are tried that no n before had: the first allocation of each
** chain of calls, then ever fewer of the others; with METTLE_TESTS=all many of
** the others, too.
**
** Sanitizers have their own malloc, which a program cannot replace
** (allocations.h), so the suite is skipped in their builds.
**
** Guards: base/arena.c, devices/compiler/{ir, prepare}, devices/host/vectorise,
** devices/host/scalar, devices/host/kernel: a compile, also from a job to the
** bytes of its result, code, instrumented code or listing, whose n-th
** allocation fails says so in a sentence and frees everything
*/
#define _GNU_SOURCE
#include "tests/c/all_tests.h"
#include "tests/c/allocations.h"
#include "tests/c/vectorise_case.h"

#include "devices/compiler/prepare/inactive_lanes.h"
#include "devices/host/instrument/instrument.h"
#include "devices/host/lower/lower.h"
#include "devices/host/kernel/compile.h"
#include "devices/host/scalar/scalar.h"

#if !ALLOCATIONS_SEEN

int main(void) {
  (void)test_run;
  puts("ok 1 - # SKIP sanitizers have a malloc of their own\n1..1");
  return 0;
}

#else

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
  if (!alloc_counting) lanes = facts->lanes;
  if (wanted && facts->lanes == lanes && !facts->loops.kept)
    fail_msg("no tile is kept, allocation %ld", alloc_left);
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
  if (!alloc_counting) cells_wanted = cells;
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
  alloc_begin(n);
  mt_Status status = compile(m, way, which, &err);
  alloc_end();
  if (alloc_live)
    fail_msg("kernel %d, allocation %ld: %ld blocks are not freed", which, n,
             alloc_live);
  if (status != MT_OK && (!err.text[0] || strchr(err.text, '\n')))
    fail_msg("kernel %d, allocation %ld: no sentence: '%s'", which, n,
             err.text);
  if (status != MT_OK && !strstr(err.text, "memory"))
    fail_msg("kernel %d, allocation %ld: '%s' does not speak of memory", which,
             n, err.text);
  return alloc_failed;
}

/* ------------------------------------------------- which allocations fail */

static void start_noting(void) { alloc_noted_count = 0, alloc_noting = true; }

static uint64_t seen[ALLOC_NOTED];
static long seen_count;

static bool is_new(uint64_t calls) {
  for (long i = 0; i < seen_count; i++)
    if (seen[i] == calls) return false;
  if (seen_count < ALLOC_NOTED) seen[seen_count++] = calls;
  return true;
}

/* The next one after the n-th: of a new chain of calls, or 'sample', which
** moves on, ever farther: to twice, with METTLE_TESTS=all by the n-th part
** that 'dense' is. 0: there is no other. */
static long next_after(long n, long *sample, long dense) {
  long apart = all_tests() ? dense : 1;
  for (n++; n <= alloc_noted_count; n++) {
    bool sampled = n == *sample;
    if (sampled) *sample += 1 + n / apart;
    if (is_new(alloc_noted[n - 1]) || sampled) return n;
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
    alloc_noting = false;
    long n = 0, sample = 1, tried = 0;
    while ((n = next_after(n, &sample, i == TEXTURES ? 24 : 400)))
      tried += fail_at(m, way, n, i);
    if (alloc_noted_count < 10 || !tried)
      fail_msg("kernel %d: %ld of %ld allocations", i, tried,
               alloc_noted_count);
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
  alloc_begin(n);
  mt_Status status = request(m, task, &err);
  alloc_end();
  if (alloc_live)
    fail_msg("task %d, allocation %ld: %ld are left", task, n, alloc_live);
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
    alloc_noting = false;
    for (long n = 0, sample = 1; (n = next_after(n, &sample, 5));)
      request_at(m, task, n);
  }
  mt_msl_free(m);
}

static int start(void **state) {
  (void)state;
  (void)test_run; /* vectorise_case.h: nothing is launched here */
  alloc_open();
  return 0;
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
