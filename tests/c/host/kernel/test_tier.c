/*
** test_tier.c - quick code first, optimised code from the background
** (devices/host/kernel/tier.h): the same bits, whether a launch waits or not,
** and what becomes of background compiles that crash, hang, are stopped or
** outlived.
**
** METTLE_TIER=both gives every kernel two tiers, and as in
** test_compile_server.c code is emitted by a function of this suite that stands
** before LLVM's. Nothing here depends on how long anything takes, but gives up
** after a while.
**
** Guards: devices/host/kernel/tier.c, devices/host/kernel/settle_rounding.c:
** quick code first, as vectors or thread by thread, then optimised code from
** the background, also in the middle of a launch; the same bits; measuring
** launches wait; background compiles that crash, hang, are stopped or outlived;
** a time limit without LLVM's time
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <llvm-c/TargetMachine.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files/folders.h"
#include "base/process/worker_process.h"
#include "devices/compiler/ir/instructions.h"
#include "devices/host/kernel/tier.h"
#include "tests/c/both_ways.h"
#include "tests/c/cancel_after.h"
#include "tests/c/host_case.h"
#include "tests/c/skip.h"

#define PATIENCE 60000000000u /* nanoseconds until a test gives up */

/* What the next times of emitting code shall be, seen by all processes. */
typedef enum Mood { WELL, CRASH, HANG, DAWDLE } Mood;
static struct {
  Mood mood[4];
  int emitted; /* how often it was asked, */
  pid_t by;    /* by which process, the last time; */
  int functions, instructions; /* of what it was asked for, first */
} *llvm;

typedef LLVMBool Emit(LLVMTargetMachineRef, LLVMModuleRef, LLVMCodeGenFileType,
                      char **, LLVMMemoryBufferRef *);

static void count_code(LLVMModuleRef m) {
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
       f = LLVMGetNextFunction(f)) {
    llvm->functions += !LLVMIsDeclaration(f);
    MT_EACH_INSTRUCTION(i, f) llvm->instructions++;
  }
}

LLVMBool LLVMTargetMachineEmitToMemoryBuffer(LLVMTargetMachineRef machine,
                                             LLVMModuleRef module,
                                             LLVMCodeGenFileType type,
                                             char **message,
                                             LLVMMemoryBufferRef *out) {
  static volatile uintptr_t nowhere = 8;
  Mood mood = llvm->emitted < 4 ? llvm->mood[llvm->emitted] : WELL;
  llvm->by = getpid();
  if (llvm->emitted == 0) count_code(module);
  llvm->emitted++;
  if (mood == CRASH) *(volatile char *)nowhere = 1;
  if (mood == DAWDLE) usleep(400 * 1000);
  while (mood == HANG) usleep(10 * 1000);
  Emit *real = (Emit *)dlsym(RTLD_NEXT, "LLVMTargetMachineEmitToMemoryBuffer");
  return real(machine, module, type, message, out);
}

static void set_moods(Mood first, Mood second, Mood third) {
  memset(llvm, 0, sizeof *llvm);
  llvm->mood[0] = first, llvm->mood[1] = second, llvm->mood[2] = third;
}

static void nothing(void *context, const void *question, size_t size,
                    mt_Str *answer) {
  (void)context, (void)question, (void)size, (void)answer;
}

/* All kernels have two tiers, LLVM has processes of its own, and none of them
** still works for an earlier test: it would be counted in this one. */
static void need_tiers(void) {
  mt_WorkerProcess *a = mt_worker_process_new(NULL, nothing, NULL, "nothing");
  if (!a) skip_because("LLVM has no process of its own here");
  mt_worker_process_free(a);
  uint64_t start = mt_now_ns();
  while (mt_tier_unfinished()) {
    if (mt_now_ns() - start > PATIENCE) fail_msg("the background never ends");
    usleep(5000);
  }
  setenv("METTLE_TIER", "both", 1);
}

/* A kernel that no cache knows. */
static mt_Kernel *fresh(void) {
  static unsigned number;
  char source[600];
  unsigned own = ++number + (unsigned)mt_now_ns();
  snprintf(source, sizeof source,
           MSL(kernel void fresh(device uint *out [[buffer(0)]],
                                 uint i [[thread_position_in_grid]]) {
                 out[i] = i * %uu + %uu - %uu; }),
           3u, own, own);
  return host_kernel(source, "fresh");
}

typedef struct Case {
  mt_Kernel *kernel;
  mt_Buffer *buffer;
} Case;

static Case fresh_case(void) { return (Case){fresh(), host_buffer(400)}; }

static void end_case(Case c) {
  mt_buffer_free(c.buffer);
  mt_kernel_free(c.kernel);
}

static mt_Status launch(Case c, bool measured, double limit, bool *quick) {
  mt_Arg args[2] = {{.kind = MT_ARG_BUFFER, .buffer = c.buffer,
                     .size = c.buffer->size}};
  mt_Launch l = {.kernel = c.kernel, .args = args, .arg_count = 2,
                 .grid = {100, 1, 1}, .group = {64, 1, 1}, .repeats = 1,
                 .measured = measured, .time_limit = limit};
  mt_Timing timing;
  memset(c.buffer->contents, 0, c.buffer->size);
  mt_Status status = mt_launch(&l, &timing, &error);
  *quick = timing.quick;
  return status;
}

static void expect(Case c, bool measured, bool quick) {
  bool was;
  if (launch(c, measured, 0, &was) != MT_OK) fail_msg("%s", error.text);
  assert_int_equal(was, quick);
  for (uint32_t i = 0; i < 100; i++)
    assert_int_equal(((uint32_t *)c.buffer->contents)[i], i * 3);
}

/* Launches until the optimised code is there, or a background compile is
** lost. */
static bool optimised_in_time(Case c) {
  unsigned lost = mt_tier_counts()->lost;
  for (uint64_t start = mt_now_ns(); mt_now_ns() - start < PATIENCE;) {
    bool quick;
    assert_int_equal(launch(c, false, 0, &quick), MT_OK);
    if (!quick) return true;
    if (mt_tier_counts()->lost > lost) return false;
    usleep(5000);
  }
  fail_msg("nothing came");
  return false;
}

static void await_emission(int number) {
  uint64_t start = mt_now_ns();
  while (*(volatile int *)&llvm->emitted < number) {
    if (mt_now_ns() - start > PATIENCE) fail_msg("nothing was emitted");
    usleep(5000);
  }
}

static void test_quick_then_optimised(void **state) {
  (void)state;
  need_tiers();
  Case c = fresh_case();
  mt_TierCounts before = *mt_tier_counts();
  set_moods(WELL, WELL, WELL);
  expect(c, false, true);
  assert_true(optimised_in_time(c));
  expect(c, false, false);
  assert_int_equal(llvm->emitted, 2);
  assert_int_equal(mt_tier_counts()->quick, before.quick + 1);
  assert_int_equal(mt_tier_counts()->begun, before.begun + 1);
  assert_int_equal(mt_tier_counts()->arrived, before.arrived + 1);
  end_case(c);
}

/* A measurement gets the optimised code: at once, or when it arrives. */
static void test_measured(void **state) {
  (void)state;
  need_tiers();
  Case c = fresh_case(), d = fresh_case();
  set_moods(WELL, WELL, DAWDLE);
  expect(c, true, false);
  assert_int_equal(llvm->emitted, 1);
  expect(d, false, true);
  expect(d, true, false);
  assert_int_equal(llvm->emitted, 3);
  end_case(c), end_case(d);
}

/* The quick code stays in use, for a measurement too. */
static void test_crash(void **state) {
  (void)state;
  need_tiers();
  Case c = fresh_case(), d = fresh_case();
  mt_TierCounts before = *mt_tier_counts();
  set_moods(WELL, CRASH, WELL);
  expect(c, false, true);
  assert_false(optimised_in_time(c));
  assert_int_equal(mt_tier_counts()->lost, before.lost + 1);
  expect(c, false, true);
  expect(c, true, true);
  assert_int_equal(llvm->emitted, 2); /* not tried again */
  expect(d, true, false);             /* and others are made */
  end_case(c), end_case(d);
}

/* No job waits after it; Ctrl-C ends the wait of a measurement, and leaves the
** compile for later. */
static void test_hang(void **state) {
  (void)state;
  need_tiers();
  Case c = fresh_case(), d = fresh_case();
  set_moods(WELL, HANG, WELL);
  expect(c, false, true);
  await_emission(2);
  expect(c, false, true);
  expect(d, false, true);
  bool quick;
  pthread_t thread = cancel_after(100);
  assert_int_equal(launch(c, true, 0, &quick), MT_CANCELLED);
  cancel_over(thread);
  expect(c, false, true);
  assert_true(optimised_in_time(c));
  assert_true(optimised_in_time(d));
  end_case(c), end_case(d);
}

/* LLVM's time is not the kernel's. */
static void test_limit(void **state) {
  (void)state;
  need_tiers();
  Case c = fresh_case();
  bool quick;
  set_moods(DAWDLE, WELL, WELL);
  assert_int_equal(launch(c, true, 0.2, &quick), MT_OK);
  assert_false(quick);
  end_case(c);
}

static void test_listing(void **state) {
  (void)state;
  static const char *const TIERS[][2] = {{"quick", ", quick code\n"},
                                         {"both", ", optimised code\n"},
                                         {"optimised", "as a vector\n"}};
  need_tiers();
  set_moods(WELL, WELL, WELL);
  for (int i = 0; i < 3; i++) {
    mt_Kernel *k = fresh();
    mt_Str text = MT_STR_INIT;
    setenv("METTLE_TIER", TIERS[i][0], 1);
    assert_int_equal(mt_kernel_listing(k, MT_LISTING_ASM, &text, &error),
                     MT_OK);
    if (!strstr(text.text, TIERS[i][1])) fail_msg("%.100s", text.text);
    mt_str_free(&text);
    mt_kernel_free(k);
  }
}

/* --------------------------------------------------------------------- bits */

/* Each gives LLVM a choice in fast math, or rounds between. 'x' has numbers of
** all sizes. */
static const char *const BODIES[] = {
    "y[i] = x[i] * x[i + 1] + x[i + 2];",
    "y[i] = x[i] - x[i + 1] * x[i + 2] + x[i + 3] * x[i + 4];",
    "float s = 0; for (int k = 0; k < 9; k++) s += x[i + k] * x[k]; y[i] = s;",
    "y[i] = x[i] / x[i + 1] + x[i + 2] / x[i + 1];",
    "y[i] = (x[i] + x[i + 1]) + (x[i + 2] + x[i + 3]) + x[i + 4];",
    "y[i] = x[i] * 3.3f * x[i + 1] * 0.7f / 1.7f;",
    "y[i] = sqrt(abs(x[i])) * rsqrt(abs(x[i + 1]) + 1.0f);",
    "y[i] = sin(x[i]) + exp(-abs(x[i + 1])) * log2(abs(x[i]) + 1.0f);",
    "y[i] = precise::sin(1.57f + x[i] * -6.28f) * x[i + 1] + pow(abs(x[i]), "
    "0.3f);",
    "y[i] = min(x[i], x[i + 1]) * max(x[i + 2], 0.5f) - clamp(x[i], -1.f, "
    "1.f);",
    "half a = half(x[i]), b = half(x[i + 1]); y[i] = a * b + a / (b + 3.0h);",
    "float4 v = float4(x[i], x[i + 1], x[i + 2], 1); "
    "y[i] = dot(v, v.wzyx) + length(v);",
    "float z = x[i]; for (int k = 0; k < int(i % 7); k++) "
    "z = z * z * 0.25f + x[k]; y[i] = z;",
    "y[i] = simd_sum(x[i] * 0.1f) + x[i] * simd_prefix_inclusive_sum(x[i + "
    "1]);",
    "y[i] = fma(x[i], x[i + 1], -x[i] * x[i + 1]) + mix(x[i], x[i + 1], 0.3f);",
    "if (x[i] > 0) y[i] = x[i] * x[i] + 1; "
    "else y[i] = 1 / x[i] - x[i + 1] * 5;",
};
#define BODY_COUNT (sizeof BODIES / sizeof *BODIES)
#define BITS_THREADS 100u

static mt_Kernel *kernel_of_all(void) {
  mt_Str source = MT_STR_INIT;
  char name[40]; /* that no cache knows */
  snprintf(name, sizeof name, "all_%llu", (unsigned long long)mt_now_ns());
  mt_str_addf(&source, "#include <metal_stdlib>\nusing namespace metal;\n"
                       "kernel void %s(device const float *x [[buffer(0)]],\n"
                       "device float *out [[buffer(1)]],\n"
                       "uint i [[thread_position_in_grid]]) {\n", name);
  for (size_t n = 0; n < BODY_COUNT; n++)
    mt_str_addf(&source, "{ device float *y = out + %zu; %s }\n",
                n * BITS_THREADS, BODIES[n]);
  mt_str_add(&source, "}\n");
  mt_Kernel *k = host_kernel(source.text, name);
  mt_str_free(&source);
  return k;
}

static void run_all(mt_Kernel *k, mt_Buffer *x, mt_Buffer *y, uint32_t group,
                    bool measured) {
  mt_Arg args[3] = {{.kind = MT_ARG_BUFFER, .buffer = x, .size = x->size},
                    {.kind = MT_ARG_BUFFER, .buffer = y, .size = y->size}};
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 3, .repeats = 1,
                 .grid = {BITS_THREADS, 1, 1}, .group = {group, 1, 1},
                 .measured = measured};
  mt_Timing timing;
  if (mt_launch(&l, &timing, &error) != MT_OK) fail_msg("%s", error.text);
  assert_int_equal(timing.quick, !measured);
}

/* As vectors or thread by thread, as 'word' has it. */
static void expect_same_bits(const char *word) {
  need_tiers();
  setenv("METTLE_TIER", word, 1);
  set_moods(WELL, WELL, WELL);
  mt_Kernel *k = kernel_of_all();
  mt_Buffer *x = host_buffer((BITS_THREADS + 16) * 4);
  mt_Buffer *y[2] = {host_buffer(BODY_COUNT * BITS_THREADS * 4),
                     host_buffer(BODY_COUNT * BITS_THREADS * 4)};
  for (uint32_t i = 0, r = 1; i < BITS_THREADS + 16; i++) {
    r = r * 1664525u + 1013904223u;
    ((float *)x->contents)[i] = ((float)(r >> 8) / (1 << 23) - 1) *
                                (i % 5 ? 3.0f : i % 3 ? 1e-3f : 1e4f);
  }
  for (uint32_t group = 25; group <= 64; group += 39) {
    for (int tier = 0; tier < 2; tier++) run_all(k, x, y[tier], group, tier);
    const uint32_t *a = y[0]->contents, *b = y[1]->contents;
    for (size_t i = 0; i < BODY_COUNT * BITS_THREADS; i++)
      if (a[i] != b[i])
        fail_msg("%s: %a quick, %a optimised", BODIES[i / BITS_THREADS],
                 (double)((float *)y[0]->contents)[i],
                 (double)((float *)y[1]->contents)[i]);
  }
  mt_buffer_free(x), mt_buffer_free(y[0]), mt_buffer_free(y[1]);
  mt_kernel_free(k);
}

static void test_same_bits(void **state) {
  (void)state;
  expect_same_bits("both");
  expect_same_bits("threads");
}

/* ------------------------------------------------------------- kept calls */

/* Functions that stay functions, and some that must not: what only the kernel
** may have (threadgroup variables, an end of the thread), what is copied, what
** is divided by zero. */
static const char FUNCTIONS[] = MSL(
    struct Wide { uint limb[24]; uint2 two; uchar small; };
    constant uint TABLE[5] = {3, 1, 4, 1, 5};
    Wide add(Wide a, Wide b, uint carry) {
      for (int k = 0; k < 24; k++) {
        ulong s = ulong(a.limb[k]) + b.limb[k] + carry;
        a.limb[k] = uint(s);
        carry = uint(s >> 32);
      }
      a.two = a.two.yx + b.two;
      a.small += b.small;
      return a;
    }
    Wide twice(Wide a) { return add(a, a, 1); }
    uint quotient(uint a, uint b) { return a / b + a % b; }
    uint choose(uint k, thread uint *at) {
      switch (k % 5) {
        case 0: at[1] += 7; return 11;
        case 1: return at[0];
        case 2: at[0] = TABLE[at[1] % 5]; return 5;
        case 3: return popcount(at[0]);
        default: return ~0u;
      }
    }
    void put(device uint4 *v, uint i, uint x) { v[i].z = x; v[i].x += x; }
    void keep(threadgroup uint *t, uint i, uint x) { t[i] = x; });
static const char KERNEL[] = MSL(
    (device uint *out [[buffer(0)]], device uint4 *v [[buffer(1)]],
     uint i [[thread_position_in_grid]],
     uint local [[thread_index_in_threadgroup]]) {
      threadgroup uint shared[64];
      Wide a = {};
      for (int k = 0; k < 24; k++) a.limb[k] = i * 2654435761u + k;
      a.two = uint2(i, 3);
      Wide b = twice(add(a, twice(a), i));
      uint pair[2] = {i, i + 1}, s = 0;
      for (uint k = 0; k < 12; k++) s = s * 31 + choose(k + i, pair);
      keep(shared, local, s);
      put(v, i, quotient(s, i % 3));
      uint all = b.two.x * 5 + b.small;
      for (int k = 0; k < 24; k++) all = all * 33 + b.limb[k];
      out[i] = all + shared[local] + pair[0];
    });

/* The answers of one tier: 'out', then 'v'. */
static void run_calls(mt_Kernel *k, mt_Buffer *out, mt_Buffer *v,
                      bool measured) {
  mt_Arg args[4] = {{.kind = MT_ARG_BUFFER, .buffer = out, .size = out->size},
                    {.kind = MT_ARG_BUFFER, .buffer = v, .size = v->size}};
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 4, .repeats = 1,
                 .grid = {100, 1, 1}, .group = {64, 1, 1},
                 .measured = measured};
  mt_Timing timing;
  memset(v->contents, 5, v->size);
  if (mt_launch(&l, &timing, &error) != MT_OK) fail_msg("%s", error.text);
  assert_int_equal(timing.quick, !measured);
}

static void test_kept_calls(void **state) {
  (void)state;
  need_tiers();
  setenv("METTLE_TIER", "calls", 1);
  set_moods(WELL, WELL, WELL);
  char source[4000], name[40];
  snprintf(name, sizeof name, "calls_%llu", (unsigned long long)mt_now_ns());
  snprintf(source, sizeof source, "%s kernel void %s%s", FUNCTIONS, name,
           strchr(KERNEL, '('));
  mt_Kernel *k = host_kernel(source, name);
  mt_Buffer *out[2], *v[2];
  for (int tier = 0; tier < 2; tier++) {
    out[tier] = host_buffer(400), v[tier] = host_buffer(1600);
    run_calls(k, out[tier], v[tier], tier);
  }
  assert_memory_equal(out[0]->contents, out[1]->contents, 400);
  assert_memory_equal(v[0]->contents, v[1]->contents, 1600);
  assert_true(llvm->functions > 3); /* of the quick code */
  for (int tier = 0; tier < 2; tier++)
    mt_buffer_free(out[tier]), mt_buffer_free(v[tier]);
  mt_kernel_free(k);
}

/* Each function calls the one before it four times: LLVM has little to do, and
** not four thousand times the innermost. */
static void test_tree_of_calls(void **state) {
  (void)state;
  need_tiers();
  setenv("METTLE_TIER", "quick", 1);
  set_moods(WELL, WELL, WELL);
  mt_Str source = MT_STR_INIT;
  mt_str_addf(&source, "uint f0(uint x, uint k) "
                       "{ return (x ^ k) * %uu + (x >> k %% 31); }\n",
              (unsigned)mt_now_ns() | 1);
  for (int n = 1; n <= 6; n++)
    mt_str_addf(&source, "uint f%d(uint x, uint k) { return f%d(x, k + 1) ^ "
                "f%d(k, x) ^ f%d(x + k, 3) ^ f%d(x, x * k); }\n",
                n, n - 1, n - 1, n - 1, n - 1);
  mt_str_add(&source, "kernel void tree(device uint *out [[buffer(0)]],\n"
                      "uint i [[thread_position_in_grid]]) "
                      "{ out[i] = f6(i, 9); }\n");
  Case c = {host_kernel(source.text, "tree"), host_buffer(400)};
  bool quick;
  if (launch(c, false, 0, &quick) != MT_OK) fail_msg("%s", error.text);
  assert_true(quick);
  assert_true(llvm->instructions > 20);
  assert_true(llvm->instructions < 2000);
  end_case(c);
  mt_str_free(&source);
}

/* -------------------------------------------------------------- on the way */

#define STEPS 1000u

/* A kernel that no cache knows, with some work for each thread: i *
** factor(). */
static mt_Kernel *slow(void) {
  char source[600], name[40];
  snprintf(name, sizeof name, "slow_%llu", (unsigned long long)mt_now_ns());
  snprintf(source, sizeof source,
           MSL(kernel void %s(device uint *out [[buffer(0)]],
                              uint i [[thread_position_in_grid]]) {
                 uint s = 0;
                 for (uint k = 0; k < %uu; k++) s = s * 1664525u + i;
                 out[i] = s; }),
           name, STEPS);
  return host_kernel(source, name);
}

static uint32_t factor(void) {
  uint32_t s = 0;
  for (uint32_t k = 0; k < STEPS; k++) s = s * 1664525u + 1;
  return s;
}

/* Launches 'groups' groups. Did optimised code arrive before the launch
** ended? */
static bool changes_over(uint32_t groups) {
  Case c = {slow(), host_buffer((size_t)groups * 64 * 4)};
  mt_Arg args[2] = {{.kind = MT_ARG_BUFFER, .buffer = c.buffer,
                     .size = c.buffer->size}};
  mt_Launch l = {.kernel = c.kernel, .args = args, .arg_count = 2,
                 .grid = {groups * 64, 1, 1}, .group = {64, 1, 1},
                 .repeats = 1};
  mt_Timing timing;
  unsigned arrived = mt_tier_counts()->arrived;
  set_moods(WELL, WELL, WELL);
  if (mt_launch(&l, &timing, &error) != MT_OK) fail_msg("%s", error.text);
  bool seen = mt_tier_counts()->arrived > arrived;
  uint32_t each = factor();
  assert_true(timing.quick);
  for (uint32_t i = 0; i < groups * 64; i++)
    assert_int_equal(((uint32_t *)c.buffer->contents)[i], i * each);
  end_case(c);
  return seen;
}

/* A launch that runs long enough continues with the optimised code. */
static void test_on_the_way(void **state) {
  (void)state;
  need_tiers();
  for (int i = 0; i < 2; i++) {
    setenv("METTLE_TIER", i ? "threads" : "both", 1);
    uint32_t groups = 1024;
    while (!changes_over(groups))
      if ((groups *= 2) > 1u << 19) fail_msg("no launch changed over");
  }
}

/* No launch waits for a background compile, which may have a low priority then;
** but a launch that runs long would leave nothing to it: it is begun again. */
static void test_hurry(void **state) {
  (void)state;
  need_tiers();
  if (strcmp(getenv("METTLE_WORKER"), "copy") != 0) return; /* once will do */
  uint32_t groups = 1u << 12;
  Case c = {slow(), host_buffer(((size_t)groups << 6) * 64 * 4)};
  mt_Arg args[2] = {{.kind = MT_ARG_BUFFER, .buffer = c.buffer,
                     .size = c.buffer->size}};
  mt_Launch l = {.kernel = c.kernel, .args = args, .arg_count = 2,
                 .grid = {64, 1, 1}, .group = {64, 1, 1}, .repeats = 1};
  mt_Timing timing;
  unsigned arrived = mt_tier_counts()->arrived;
  set_moods(WELL, HANG, WELL);
  assert_int_equal(mt_launch(&l, &timing, &error), MT_OK);
  await_emission(2);
  assert_int_equal(getpriority(PRIO_PROCESS, (id_t)llvm->by), 10);
  /* where it came too late for the launch that asked for it, the next one has
  ** optimised code from its first group on */
  for (int times = 0; mt_tier_counts()->arrived == arrived && timing.quick;
       times++) {
    if (times == 6) fail_msg("no launch was long enough for its compile");
    l.grid.x = (groups <<= 1) * 64;
    assert_int_equal(mt_launch(&l, &timing, &error), MT_OK);
  }
  uint32_t each = factor();
  for (uint32_t i = 0; i < groups * 64; i++)
    assert_int_equal(((uint32_t *)c.buffer->contents)[i], i * each);
  assert_int_equal(llvm->emitted, 3);
  end_case(c);
}

/* ----------------------------------------------------------------- for real */

/* Terms by the dozen, that LLVM takes more than a second over. */
static void test_large(void **state) {
  (void)state;
  need_tiers();
  unsetenv("METTLE_TIER");
  if (strcmp(getenv("METTLE_WORKER"), "copy") != 0) return; /* once will do */
  mt_Str source = MT_STR_INIT;
  mt_str_add(&source, "#include <metal_stdlib>\nusing namespace metal;\n"
                      "kernel void large(device float *y [[buffer(0)]],\n"
                      "uint i [[thread_position_in_grid]]) {\n"
                      "float s = 0, x = i * 0.01f;\n");
  for (int n = 0; n < 14; n++)
    mt_str_addf(&source, "s += precise::sin(x * %d.5f + s) * x;\n", n);
  mt_str_add(&source, "y[i] = s; }\n");
  Case c = {host_kernel(source.text, "large"), host_buffer(400)};
  float before[100];
  bool quick;
  set_moods(WELL, WELL, WELL);
  assert_int_equal(launch(c, false, 0, &quick), MT_OK);
  assert_true(quick);
  memcpy(before, c.buffer->contents, sizeof before);
  assert_int_equal(launch(c, true, 0, &quick), MT_OK);
  assert_false(quick);
  assert_memory_equal(before, c.buffer->contents, sizeof before);
  mt_str_free(&source);
  end_case(c);
}

/* A large kernel with a sum along each thread's row, which LLVM reorders: it
** has one tier, and keeps the vectors along the row. */
static void test_free_sum(void **state) {
  (void)state;
  need_tiers();
  unsetenv("METTLE_TIER");
  if (strcmp(getenv("METTLE_WORKER"), "copy") != 0) return;
  mt_Str source = MT_STR_INIT, text = MT_STR_INIT;
  mt_str_add(&source, "#include <metal_stdlib>\nusing namespace metal;\n"
                      "kernel void rows(device float *y [[buffer(0)]],\n"
                      "device const float *a [[buffer(1)]],\n"
                      "constant uint &n [[buffer(2)]],\n"
                      "uint i [[thread_position_in_grid]]) {\n"
                      "float s = 0, x = 0;\n"
                      "for (uint j = 0; j < n; j++) x += a[i * n + j];\n");
  for (int n = 0; n < 24; n++)
    mt_str_addf(&source, "s += precise::sin(x * %d.5f + s) * x;\n", n);
  mt_str_add(&source, "y[i] = s; }\n");
  mt_Kernel *k = host_kernel(source.text, "rows");
  set_moods(WELL, WELL, WELL);
  assert_int_equal(mt_kernel_listing(k, MT_LISTING_IR, &text, &error), MT_OK);
  if (!strstr(text.text, "as a vector\n")) fail_msg("%.100s", text.text);
  mt_str_free(&source), mt_str_free(&text);
  mt_kernel_free(k);
}

/* --------------------------------------------------------------------- ends */

extern char **environ;

/* 0 if it is gone, or dead and not waited for. */
static bool lives(pid_t pid) {
  char path[40], state = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *f = fopen(path, "r");
  if (!f) return kill(pid, 0) == 0 && access("/proc/self", F_OK) != 0;
  int n = fscanf(f, "%*d (%*[^)]) %c", &state);
  fclose(f);
  return n == 1 && state != 'Z' && state != 'X';
}

/* A program that ends while its background compile goes on. */
static int end_early(void) {
  if (open_host(NULL) != 0) return 1;
  Case c = fresh_case();
  bool quick;
  if (launch(c, false, 0, &quick) != MT_OK || !quick) return 2;
  await_emission(2);
  return 0;
}

static void test_no_orphan(void **state) {
  (void)state;
  need_tiers();
  set_moods(WELL, HANG, WELL);
  const char *path = mt_program_path();
  char *argv[] = {(char *)path, "end-early", NULL};
  pid_t pid;
  int how = -1;
  assert_int_equal(posix_spawn(&pid, path, NULL, NULL, argv, environ), 0);
  waitpid(pid, &how, 0);
  assert_int_equal(how, 0);
  assert_true(llvm->by > 0 && llvm->by != pid);
  uint64_t start = mt_now_ns();
  while (lives(llvm->by) && mt_now_ns() - start < PATIENCE) usleep(5000);
  assert_false(lives(llvm->by));
}

int main(int argc, char **argv) {
  const char *word = mt_worker_process_asked(argc, argv);
  llvm = share_with_anew(sizeof *llvm);
  if (llvm == MAP_FAILED) return 1;
  if (word) return mt_compile_server_serve(word);
  mt_worker_process_offer();
  if (argc > 1 && strcmp(argv[1], "end-early") == 0) return end_early();
  unsetenv("METTLE_ALSO"); /* what is made is counted */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_quick_then_optimised),
      cmocka_unit_test(test_measured),  cmocka_unit_test(test_crash),
      cmocka_unit_test(test_hang),      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_listing),   cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_kept_calls), cmocka_unit_test(test_tree_of_calls),
      cmocka_unit_test(test_on_the_way), cmocka_unit_test(test_hurry),
      cmocka_unit_test(test_large),     cmocka_unit_test(test_free_sum),
      cmocka_unit_test(test_no_orphan),
  };
  int status = run_both_ways(tests, sizeof tests / sizeof *tests, open_host,
                             close_host);
  unlink(getenv("TEST_MOODS"));
  return status;
}
