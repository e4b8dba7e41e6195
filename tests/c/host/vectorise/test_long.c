/*
** test_long.c - long kernels: their code grows as they do, and no faster, and
** has the stack that it needs; functions are simplified before they are
** inlined.
**
** The kernels are sums of many sines and roots, straight on or in a loop: each
** precise::sin has a branch that lanes may take apart. LLVM works in this
** process here (METTLE_WORKER), to be asked about what it made.
**
** Guards: devices/host/emit/control_flow.c, devices/host/vectorise/passes.c:
** long kernels with many branches; their code grows as they do, and no faster;
** devices/host/run/fault_guard.c, devices/host/native/jit.c: the stack fits the
** code; the functions of a large kernel are simplified before they are inlined;
** devices/compiler/prepare/callees_first.c, devices/compiler/target/passes.c
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/native/native.h"
#include "devices/host/run/fault_guard.h"
#include "devices/host/vectorise/vectorise.h"
#include "msl/msl.h"
#include "tests/c/all_tests.h"
#include "tests/c/host_case.h"

#define THREADS 256
#define FRAME (24u << 20)

/* A kernel of 'terms' terms, in a loop of 'rounds' rounds; 1: no loop. With
** 'some', threads may return before. */
static mt_MslModule *sum_of(int terms, int rounds, bool some) {
  mt_MslModule *m = NULL;
  mt_Str s = MT_STR_INIT;
  mt_str_addf(&s, "#include <metal_stdlib>\nusing namespace metal;\n"
                  "kernel void sum(device float *out, device const float *x,\n"
                  "                uint i [[thread_position_in_grid]]) {\n"
                  "  float sum = 0;\n%s  for (uint r = 0; r < %d; r++) {\n"
                  "    uint at = (i * %d + r) * %d;\n    sum = sum",
              some ? "  if (x[i] > 0.99f) return;\n" : "", rounds, rounds,
              terms * 2);
  for (int n = 0; n < terms; n++)
    mt_str_addf(&s, "\n      + precise::sin(1.57f + x[at + %d] * -6.28f)"
                    " * sqrt(log2(1.0f - x[at + %d]) * -1.386f)",
                2 * n, 2 * n + 1);
  mt_str_addf(&s, ";\n  }\n  out[i] = sum;\n}\n");
  if (mt_msl_compile(s.text, s.length, NULL, &m, &error) != MT_OK)
    fail_msg("%s", error.text);
  mt_str_free(&s);
  return m;
}

static unsigned count(const char *text, const char *word) {
  unsigned n = 0;
  for (const char *p = text; (p = strstr(p, word)) != NULL; p++) n++;
  return n;
}

/* Of the code for groups of 32, before LLVM selects instructions: that takes
** most of the time, and grows with it. */
static void count_lines(const mt_MslModule *m, bool ragged, unsigned *phis,
                        unsigned *all) {
  static const mt_ArgumentFacts any;
  const mt_MslKernel *k;
  mt_Prepared p;
  mt_VectorFacts facts = {0};
  mt_Geometry g = {.size = {32, 1, 1}, .ragged = {ragged}};
  LLVMValueRef fn;
  mt_msl_kernels(m, &k);
  mt_PrepareInput in = {.target = mt_target_host(&error), .kernel = k,
                        .formats = &any};
  in.bitcode = mt_msl_bitcode(m, &in.size);
  if (mt_prepare(&in, &p, &error) != MT_OK) fail_msg("%s", error.text);
  if (mt_vectorise(p.target, p.module, k, &g, NULL, &fn, &facts, &error) !=
          MT_OK ||
      mt_optimise(p.target, p.module, false, &error) != MT_OK)
    fail_msg("%s", error.text);
  char *text = LLVMPrintModuleToString(p.module);
  *phis = count(text, " phi "), *all = count(text, "\n");
  LLVMDisposeMessage(text);
  mt_prepared_free(&p);
}

/* Four times the terms are four times the code, not sixteen times: what the
** branch of one term leaves is not carried through those of all others. */
static void expect_growth(int rounds, bool some, bool ragged) {
  mt_MslModule *few = sum_of(3, rounds, some), *many = sum_of(12, rounds, some);
  unsigned phis[2], all[2];
  count_lines(few, ragged, &phis[0], &all[0]);
  count_lines(many, ragged, &phis[1], &all[1]);
  if (phis[1] > 5 * phis[0] || all[1] > 5 * all[0])
    fail_msg("%d rounds%s: %u and %u phis in %u and %u lines", rounds,
             ragged ? ", ragged" : "", phis[0], phis[1], all[0], all[1]);
  mt_msl_free(few), mt_msl_free(many);
}

static void test_grows(void **state) {
  (void)state;
  for (int rounds = 1; rounds <= 2; rounds++) {
    expect_growth(rounds, false, false);
    expect_growth(rounds, false, true);
    expect_growth(rounds, true, false);
  }
}

/* Code that is made in little time keeps each value of 32 lanes in a place
** of its own, megabytes of them: LLVM says how much, */
static void test_frame(void **state) {
  (void)state;
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef m = LLVMModuleCreateWithNameInContext("m", c);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  LLVMTypeRef i8 = LLVMInt8TypeInContext(c);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(c), NULL, 0, false);
  for (int i = 0; i < 2; i++) {
    LLVMValueRef f = LLVMAddFunction(m, i ? "large" : "small", type);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, f, ""));
    LLVMValueRef a = LLVMBuildAlloca(b, LLVMArrayType2(i8, i ? FRAME : 8), "");
    LLVMSetVolatile(LLVMBuildStore(b, LLVMConstInt(i8, 1, 0), a), true);
    LLVMBuildRetVoid(b);
  }
  mt_Str object = MT_STR_INIT;
  uint64_t stack = 0;
  if (mt_emit(mt_target_host(&error), m, false, false, &object, &stack,
              &error) != MT_OK)
    fail_msg("%s", error.text);
  assert_true(stack >= FRAME - 256);
  assert_true(stack <= FRAME + 4096);
  mt_str_free(&object);
  LLVMDisposeBuilder(b);
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
}

/* and the stack that kernels run on is as large as that. */
static void use_stack(void *context) {
  volatile char frame[FRAME];
  for (size_t at = 0; at < FRAME; at += 4096) frame[FRAME - 1 - at] = 1;
  *(int *)context += frame[4095];
}

static void test_stack(void **state) {
  (void)state;
  mt_Worker worker = {.stack_bytes = FRAME + 100};
  int used = 0;
  mt_guard_ready();
  assert_true(mt_guard_run(&worker, use_stack, &used));
  worker.stack_bytes = 0; /* it stays as it is */
  assert_true(mt_guard_run(&worker, use_stack, &used));
  assert_int_equal(used, 2);
}

/* ------------------------------------------------------------ callees first */

static unsigned largest; /* function that LLVM was given to simplify */

typedef LLVMErrorRef RunPasses(LLVMValueRef, const char *, LLVMTargetMachineRef,
                               LLVMPassBuilderOptionsRef);

LLVMErrorRef LLVMRunPassesOnFunction(LLVMValueRef f, const char *passes,
                                     LLVMTargetMachineRef machine,
                                     LLVMPassBuilderOptionsRef options) {
  unsigned n = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      n++;
  if (n > largest) largest = n;
  RunPasses *real = (RunPasses *)dlsym(RTLD_NEXT, "LLVMRunPassesOnFunction");
  return real(f, passes, machine, options);
}

/* Numbers of eight digits in structs, added and shifted in loops by functions
** that call each other, and what must not be simplified early: a component of
** a vector that another thread shares, threadgroup memory, a shuffle. 'times'
** times one after the other. What comes to nothing makes a kernel of few calls
** large. */
static mt_Kernel *calls(int times) {
  mt_Str s = MT_STR_INIT;
  mt_str_add(
      &s, "#include <metal_stdlib>\nusing namespace metal;\n"
          "#define NOTHING a ^= c; a ^= c;\n"
          "#define MORE NOTHING NOTHING NOTHING NOTHING NOTHING NOTHING\n"
          "struct Big { uint d[8]; };\n"
          "uint carry(uint a, thread uint &c) { a += c; MORE MORE MORE MORE "
          "MORE MORE MORE MORE MORE MORE c = a >> 16; return a & 65535; }\n"
          "Big add(Big a, Big b) { Big r; uint c = 0;\n"
          "  for (uint i = 0; i < 8; i++) r.d[i] = carry(a.d[i] + b.d[i], c);\n"
          "  return r; }\n"
          "Big twice(Big a) { return add(a, a); }\n"
          "Big times(Big a, uint n) { Big r = {{0, 0, 0, 0, 0, 0, 0, 0}};\n"
          "  for (uint i = 0; i < 4; i++) { if (n >> i & 1) r = add(r, a); "
          "a = twice(a); }\n"
          "  return r; }\n"
          "void put(device uint2 *v, uint i, uint x) {\n"
          "  if (i & 1) v[i / 2].y = x; else v[i / 2].x = x; }\n"
          "uint pass(threadgroup uint *t, uint i, uint x) {\n"
          "  t[i] = x; threadgroup_barrier(mem_flags::mem_threadgroup);\n"
          "  x += t[i ^ 33]; threadgroup_barrier(mem_flags::mem_threadgroup);\n"
          "  return x + simd_shuffle_xor(x, 1); }\n"
          "kernel void calls(device uint2 *out, "
          "uint i [[thread_position_in_grid]],\n"
          "                  uint l [[thread_index_in_threadgroup]]) {\n"
          "  threadgroup uint t[64];\n"
          "  Big a; for (uint k = 0; k < 8; k++) "
          "a.d[k] = (i * 40503u + k * 977u) & 65535;\n");
  for (int n = 0; n < times; n++)
    mt_str_addf(&s,
                "  a = times(a, %d + a.d[%d] %% 8); "
                "a.d[%d] = pass(t, l, a.d[%d]) & 65535;\n",
                n % 5 + 1, n % 8, n * 3 % 8, n % 8);
  mt_str_add(&s, "  uint x = 0; for (uint k = 0; k < 8; k++) "
                 "x = x * 31 + a.d[k];\n"
                 "  put(out, i, x);\n}\n");
  mt_Kernel *k = host_kernel(mt_str_text(&s), "calls");
  mt_str_free(&s);
  return k;
}

static void run_calls(int times, const char *engine, uint32_t *out) {
  mt_Buffer *given[] = {host_buffer(THREADS * 4)};
  if (engine) setenv("METTLE_ENGINE", engine, 1);
  mt_Kernel *k = calls(times);
  host_must_run(k, (mt_Size){THREADS, 1, 1}, (mt_Size){64, 1, 1}, given);
  unsetenv("METTLE_ENGINE");
  memcpy(out, given[0]->contents, THREADS * 4);
  mt_kernel_free(k);
  mt_buffer_free(given[0]);
}

/* The same arithmetic in C, for all threads of a group at once. */
static void expect_calls(int times, const uint32_t *got) {
  for (uint32_t g = 0; g < THREADS; g += 64) {
    static uint32_t a[64][8], x[64], y[64];
    for (uint32_t l = 0; l < 64; l++)
      for (uint32_t k = 0; k < 8; k++)
        a[l][k] = ((g + l) * 40503u + k * 977u) & 65535;
    for (int n = 0; n < times; n++) {
      for (uint32_t l = 0; l < 64; l++) {
        uint32_t by = (uint32_t)(n % 5 + 1) + a[l][n % 8] % 8;
        uint64_t c = 0;
        for (int k = 0; k < 8; k++) { /* by < 16 */
          c += (uint64_t)a[l][k] * (by & 15);
          a[l][k] = c & 65535;
          c >>= 16;
        }
        x[l] = a[l][n % 8];
      }
      for (uint32_t l = 0; l < 64; l++) y[l] = x[l] + x[l ^ 33];
      for (uint32_t l = 0; l < 64; l++)
        a[l][n * 3 % 8] = (y[l] + y[l ^ 1]) & 65535;
    }
    for (uint32_t l = 0; l < 64; l++) {
      uint32_t sum = 0;
      for (int k = 0; k < 8; k++) sum = sum * 31 + a[l][k];
      assert_int_equal(got[g + l], sum);
    }
  }
}

static void test_callees_first(void **state) {
  (void)state;
  static uint32_t out[THREADS];
  bool all = all_tests();
  const unsigned few = 3, many = all ? 120 : 24;
  largest = 0;
  run_calls((int)few, NULL, out);
  expect_calls((int)few, out);
  unsigned small = largest;
  largest = 0;
  run_calls((int)many, NULL, out);
  expect_calls((int)many, out);
  /* so many times the calls, and yet a smaller kernel to simplify than so many
  ** small ones: its functions came simplified */
  if (largest >= small * (many / few) * 2 / 3)
    fail_msg("%u instructions for %u calls, %u for %u", small, few, largest,
             many);
  /* prepared alike: the small one shows it */
  int times = (int)(all ? many : few);
  run_calls(times, "scalar", out);
  expect_calls(times, out);
}

int main(void) {
  setenv("METTLE_WORKER", "0", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_grows),
      cmocka_unit_test(test_frame),
      cmocka_unit_test(test_stack),
      cmocka_unit_test(test_callees_first),
  };
  return cmocka_run_group_tests(tests, open_host, close_host);
}
