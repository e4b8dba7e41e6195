/*
** test_cuda_standin.c - the stand-in for NVIDIA's driver (tests/cuda): that it
** sees every mistake of a caller, and plays what it is asked to. A mistake is
** seeded in a process of its own, whose stderr is read.
**
** Guards: tests/cuda/, the stand-in for NVIDIA's driver,
** `build/tests/cuda/libcuda.so.1`: it sees some sixty seeded mistakes of a
** caller or of code; what it can play (no GPU, an old driver, little memory, a
** lost GPU, …) is in tests/cuda/driver.h
*/
#include "base/files/folders.h"
#include "tests/c/cuda/cuda_case.h"

#ifdef __linux__

/* ------------------------------------------------------------------- warps */

/* Sums of a block through shared memory, a barrier and shuffles, with a ragged
** end: LLVM's own form of such code. */
static const char *const block_sum = HEAD75
    ".extern .shared .align 16 .b8 dyn[];\n"
    ".visible .entry sum(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
    ".reg .pred %p<8>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<16>;\n"
    ".shared .align 4 .b8 part[128];\n"
    "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
    "ld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"
    "mad.lo.s32 %r5, %r3, %r4, %r2;\nmov.b32 %r6, 0f00000000;\n"
    "setp.ge.u32 %p1, %r5, %r1;\n@%p1 bra $L1;\n"
    "mul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "ld.global.nc.b32 %r6, [%rd4];\n"
    "$L1:\n"
    "shfl.sync.bfly.b32 %r7|%p2, %r6, 16, 31, -1;\nadd.rn.f32 %r6, %r6, %r7;\n"
    "shfl.sync.bfly.b32 %r7|%p2, %r6, 8, 31, -1;\nadd.rn.f32 %r6, %r6, %r7;\n"
    "shfl.sync.bfly.b32 %r7|%p2, %r6, 4, 31, -1;\nadd.rn.f32 %r6, %r6, %r7;\n"
    "shfl.sync.bfly.b32 %r7|%p2, %r6, 2, 31, -1;\nadd.rn.f32 %r6, %r6, %r7;\n"
    "shfl.sync.bfly.b32 %r7|%p2, %r6, 1, 31, -1;\nadd.rn.f32 %r6, %r6, %r7;\n"
    "and.b32 %r8, %r2, 31;\nsetp.ne.s32 %p3, %r8, 0;\n@%p3 bra $L2;\n"
    "shr.u32 %r9, %r2, 5;\nshl.b32 %r10, %r9, 2;\nmov.b32 %r11, part;\n"
    "add.s32 %r12, %r11, %r10;\nst.shared.b32 [%r12], %r6;\n"
    "$L2:\nbar.sync 0;\n"
    "setp.ne.s32 %p4, %r2, 0;\n@%p4 bra $L4;\n"
    "mov.b32 %r13, 0f00000000;\nmov.b32 %r14, 0;\nshr.u32 %r15, %r4, 5;\n"
    "$L3:\nshl.b32 %r16, %r14, 2;\nadd.s32 %r17, %r11, %r16;\n"
    "ld.shared.b32 %r18, [%r17];\nadd.rn.f32 %r13, %r13, %r18;\n"
    "add.s32 %r14, %r14, 1;\nsetp.lt.u32 %p5, %r14, %r15;\n@%p5 bra $L3;\n"
    "mul.wide.u32 %rd5, %r3, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
    "st.global.b32 [%rd6], %r13;\n"
    "$L4:\nret;\n}\n";

static void a_block_sums(void **state) {
  (void)state;
  enum { N = 1000, GROUP = 128, BLOCKS = 8 };
  float in[N], out[BLOCKS];
  for (int k = 0; k < N; k++) in[k] = (float)(k % 37);
  void *m, *f = load_ptx(block_sum, "sum", &m);
  Ptr i, o;
  uint32_t n = N;
  FINE(cuMemAlloc_v2(&i, sizeof in));
  FINE(cuMemAlloc_v2(&o, sizeof out));
  FINE(cuMemcpyHtoD_v2(i, in, sizeof in));
  void *params[] = {&i, &o, &n};
  FINE(cuLaunchKernel(f, BLOCKS, 1, 1, GROUP, 1, 1, 0, NULL, params, NULL));
  FINE(cuMemcpyDtoH_v2(out, o, sizeof out));
  for (int b = 0; b < BLOCKS; b++) {
    float want = 0;
    for (int k = b * GROUP; k < (b + 1) * GROUP && k < N; k++) want += in[k];
    assert_true(out[b] == want);
  }
  FINE(cuMemFree_v2(i));
  FINE(cuMemFree_v2(o));
  FINE(cuModuleUnload(m));
}

/* ---------------------------------------------------------------- mistakes */

/* A context that each mistake starts from, and a small module. */
static void *context, *module, *kernel;
static Ptr memory;

/* k(ptr, n): thread t adds n to word t */
static const char *const adder = HEAD75
    ".visible .entry k(.param .u64 at, .param .u32 n)\n{\n"
    ".reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd1, [at];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.u32 %r3, [%rd3];\nadd.s32 %r4, %r3, %r1;\n"
    "st.global.u32 [%rd3], %r4;\nret;\n}\n";

static R launch(void *f, unsigned blocks, unsigned threads, unsigned shared,
                Ptr at, uint32_t n) {
  void *params[] = {&at, &n};
  return cuLaunchKernel(f, blocks, 1, 1, threads, 1, 1, shared, NULL, params,
                        NULL);
}

static R run_code(const char *body, unsigned threads) {
  char ptx[4096];
  void *m, *f;
  snprintf(ptx, sizeof ptx,
           HEAD90 ".visible .entry k(.param .u64 at, .param .u32 n)\n{\n"
           ".reg .pred %%p<4>;\n.reg .b32 %%r<8>;\n.reg .b64 %%rd<8>;\n"
           ".shared .align 16 .b8 tile[256];\n"
           "ld.param.u64 %%rd1, [at];\nmov.u32 %%r1, %%tid.x;\n%s\nret;\n}\n",
           body);
  R r = cuModuleLoadData(&m, ptx);
  if (r == 0) r = cuModuleGetFunction(&f, m, "k");
  if (r == 0) r = launch(f, 1, threads, 0, memory, 0);
  return r != 0 ? r : cuCtxSynchronize();
}

#define MISTAKE(name) static R name(void)
MISTAKE(no_init) { return cuDeviceGetCount(&(int){0}); }
MISTAKE(no_context) {
  cuCtxSetCurrent(NULL);
  return cuMemAlloc_v2(&memory, 16);
}
MISTAKE(ended_context) {
  cuMemFree_v2(memory), cuModuleUnload(module);
  cuCtxDestroy_v2(context);
  return cuCtxSetCurrent(context);
}
MISTAKE(freed_twice) {
  cuMemFree_v2(memory);
  return cuMemFree_v2(memory);
}
MISTAKE(freed_inside) { return cuMemFree_v2(memory + 256); }
MISTAKE(copied_too_much) {
  static char bytes[4096];
  return cuMemcpyHtoD_v2(memory + 16, bytes, 1024);
}
MISTAKE(copied_after_free) {
  char b[4];
  cuMemFree_v2(memory);
  return cuMemcpyDtoH_v2(b, memory, 4);
}
MISTAKE(set_too_much) { return cuMemsetD8_v2(memory, 1, 1025); }
MISTAKE(host_as_device) {
  static char a[64], b[64];
  return cuMemcpyHtoD_v2((Ptr)(uintptr_t)a, b, 64);
}
MISTAKE(device_as_host) {
  return cuMemcpyDtoH_v2((void *)(uintptr_t)memory, memory, 4);
}
MISTAKE(leaks_memory) {
  cuModuleUnload(module);
  return cuCtxDestroy_v2(context);
}
MISTAKE(leaks_module) {
  cuMemFree_v2(memory);
  return cuCtxDestroy_v2(context);
}
MISTAKE(leaks_stream) {
  void *s;
  cuStreamCreate(&s, 1);
  cuMemFree_v2(memory), cuModuleUnload(module);
  return cuCtxDestroy_v2(context);
}
MISTAKE(unloaded_function) {
  cuModuleUnload(module);
  return launch(kernel, 1, 32, 0, memory, 1);
}
MISTAKE(unloaded_twice) {
  cuModuleUnload(module);
  return cuModuleUnload(module);
}
MISTAKE(no_such_entry) {
  void *f;
  return cuModuleGetFunction(&f, module, "q");
}
MISTAKE(empty_grid) { return launch(kernel, 0, 32, 0, memory, 1); }
MISTAKE(large_block) { return launch(kernel, 1, 1025, 0, memory, 1); }
MISTAKE(large_grid) {
  void *params[] = {&memory, &(int){1}};
  return cuLaunchKernel(kernel, 1, 65536, 1, 32, 1, 1, 0, NULL, params, NULL);
}
MISTAKE(much_shared) { return launch(kernel, 1, 32, 49153, memory, 1); }
MISTAKE(much_shared_attribute) {
  return cuFuncSetAttribute(kernel, 8, 240 * 1024);
}
MISTAKE(missing_parameter) {
  void *params[] = {&memory, NULL};
  return cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL);
}
MISTAKE(many_parameter_bytes) {
  char bytes[16] = {0};
  size_t size = 16;
  void *extra[] = {(void *)1, bytes, (void *)2, &size, NULL};
  return cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra);
}
MISTAKE(unrecorded_event) {
  void *e;
  cuEventCreate(&e, 0);
  return cuEventSynchronize(e);
}
MISTAKE(elapsed_too_early) {
  void *a, *b;
  float ms;
  cuEventCreate(&a, 0), cuEventCreate(&b, 0);
  cuEventRecord(a, NULL), cuEventRecord(b, NULL);
  return cuEventElapsedTime(&ms, a, b);
}
MISTAKE(elapsed_untimed) {
  void *a, *b;
  float ms;
  cuEventCreate(&a, 2), cuEventCreate(&b, 0);
  cuEventRecord(a, NULL), cuEventRecord(b, NULL);
  cuCtxSynchronize();
  return cuEventElapsedTime(&ms, a, b);
}
MISTAKE(destroyed_stream) {
  void *s;
  cuStreamCreate(&s, 1);
  cuStreamDestroy_v2(s);
  return cuStreamSynchronize(s);
}
MISTAKE(event_for_stream) {
  void *e;
  cuEventCreate(&e, 0);
  return cuStreamSynchronize(e);
}
MISTAKE(registered_twice) {
  static char page[4096];
  cuMemHostRegister_v2(page, 4096, 0);
  return cuMemHostRegister_v2(page + 8, 16, 0);
}
MISTAKE(not_registered) {
  static char page[4096];
  return cuMemHostUnregister(page);
}
MISTAKE(not_host_memory) { return cuMemFreeHost(malloc(16)); }
MISTAKE(other_context) {
  void *other;
  cuCtxCreate_v2(&other, 0, 0);
  return cuModuleUnload(module);
}
MISTAKE(unknown_attribute) { return cuDeviceGetAttribute(&(int){0}, 4711, 0); }
MISTAKE(no_such_device) { return cuDeviceGet(&(int){0}, 1); }

/* Code that is wrong: the fault is the context's end. */
MISTAKE(illegal_address) {
  if (launch(kernel, 1, 32, 0, memory + 1024 - 64, 1) != 0) return -1;
  R r = cuCtxSynchronize();
  /* sticky */
  if (cuMemFree_v2(memory) != r || cuStreamCreate(&(void *){0}, 0) != r)
    return -2;
  return r;
}
MISTAKE(null_address) {
  launch(kernel, 1, 32, 0, 0, 1);
  return cuCtxSynchronize();
}
MISTAKE(freed_address) {
  Ptr other;
  cuMemAlloc_v2(&other, 128);
  cuMemFree_v2(other);
  launch(kernel, 1, 32, 0, other, 1);
  return cuCtxSynchronize();
}
MISTAKE(host_address) {
  static uint32_t words[32];
  launch(kernel, 1, 32, 0, (Ptr)(uintptr_t)words, 1);
  return cuCtxSynchronize();
}
MISTAKE(misaligned) {
  launch(kernel, 1, 32, 0, memory + 2, 1);
  return cuCtxSynchronize();
}
MISTAKE(shared_beyond) {
  return run_code("mov.b64 %rd2, tile; ld.shared.b32 %r2, [%rd2+256];", 32);
}
MISTAKE(shared_zero) { return run_code("ld.shared.b32 %r2, [0];", 32); }
MISTAKE(trapped) { return run_code("trap;", 32); }
MISTAKE(unknown_instruction) { return run_code("frob.b32 %r2, %r1;", 32); }
MISTAKE(unknown_modifier) { return run_code("add.odd.s32 %r2, %r1, %r1;", 32); }
MISTAKE(wrong_width) { return run_code("add.s64 %rd2, %rd1, %r1;", 32); }
MISTAKE(part_of_float) {
  return run_code("add.f32 %r2, %r1, %r1; st.shared.b16 [tile], %r2;", 32);
}
MISTAKE(half_of_product) {
  return run_code("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16\n"
                  "{%r2, %r3}, {%r1, %r1}, {%r1}, {%r1, %r1};\n"
                  "st.shared.b16 [tile], %r2;", 32);
}
MISTAKE(no_label) { return run_code("bra $L9;", 32); }
MISTAKE(divergent_barrier) {
  return run_code("and.b32 %r2, %r1, 1; setp.eq.s32 %p1, %r2, 0;\n"
                  "@%p1 bra $L1; bar.sync 0; bra $L2;\n$L1: bar.sync 1;\n"
                  "$L2:",
                  32);
}
MISTAKE(missing_lane) {
  return run_code("setp.gt.u32 %p1, %r1, 15;\n@%p1 bra $L1;\n"
                  "shfl.sync.idx.b32 %r2, %r1, 0, 31, -1; bra $L2;\n"
                  "$L1: bar.warp.sync -1;\n$L2:", 32);
}
MISTAKE(not_a_member) {
  return run_code("shfl.sync.idx.b32 %r2, %r1, 0, 31, 65535;", 32);
}
MISTAKE(half_a_matrix) {
  return run_code("movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;", 16);
}
/* activemask is all lanes again only where they meet */
MISTAKE(met) {
  return run_code("and.b32 %r2, %r1, 1; setp.eq.s32 %p1, %r2, 0;\n"
                  "@%p1 bra $L1; add.s32 %r2, %r2, 1;\n"
                  "$L1: activemask.b32 %r3;\n"
                  "setp.ne.s32 %p2, %r3, -1; @%p2 trap;",
                  32);
}
MISTAKE(met_again) {
  return run_code("and.b32 %r2, %r1, 1; setp.eq.s32 %p1, %r2, 0;\n"
                  "@%p1 bra $L1; add.s32 %r2, %r2, 1;\n"
                  "$L1: bar.warp.sync -1; activemask.b32 %r3;\n"
                  "setp.ne.s32 %p2, %r3, -1; @%p2 trap;",
                  32);
}
MISTAKE(endless) { return run_code("$L1: bra $L1;", 32); }

/* What is played. */
MISTAKE(first_init) { return cuInit(0); }
MISTAKE(small_memory) {
  Ptr p;
  size_t left, all;
  if (cuMemGetInfo_v2(&left, &all) != 0 || all != 1 << 20) return -1;
  if (cuMemAlloc_v2(&p, left) != 0 || cuMemAlloc_v2(&p, 4096) != 2) return -2;
  return cuMemAlloc_v2(&p, (size_t)1 << 40);
}
MISTAKE(lost) {
  if (launch(kernel, 1, 32, 0, memory, 1) || cuCtxSynchronize()) return -1;
  R r = launch(kernel, 1, 32, 0, memory, 1);
  return cuCtxSynchronize() == r ? r : -2;
}
MISTAKE(newer_ptx) {
  void *m;
  return cuModuleLoadData(&m, adder);
}
MISTAKE(older_gpu) {
  void *m;
  return cuModuleLoadData(&m, HEAD90 ".visible .entry k()\n{\nret;\n}\n");
}
MISTAKE(third_call) {
  Ptr p;
  return cuMemAlloc_v2(&p, 16) ? -1 : cuMemAlloc_v2(&p, 16);
}
MISTAKE(two_gpus) {
  int n, d;
  return cuDeviceGetCount(&n) || n != 2 || cuDeviceGet(&d, 1)
             ? -1
             : cuDeviceGet(&d, 2);
}

enum { BARE = 1 /* without context */ };
static const struct Mistake {
  const char *name;
  R (*run)(void);
  R want;
  const char *words; /* on stderr; NULL: nothing is said */
  const char *played;
  int flags;
} mistakes[] = {
#define M(name, want, words) {#name, name, want, words, "", 0}
    {"no_init", no_init, 3, "PROBLEM: cuDeviceGetCount: cuInit was not called",
     "", BARE},
    M(no_context, 201, "PROBLEM: cuMemAlloc_v2: no context is current"),
    M(ended_context, 201, "PROBLEM: cuCtxSetCurrent"),
    M(freed_twice, 1, "PROBLEM: cuMemFree_v2"),
    M(freed_inside, 1, "PROBLEM: cuMemFree_v2"),
    M(copied_too_much, 1, "where the allocation has 1008 more"),
    M(copied_after_free, 1, "PROBLEM: cuMemcpyDtoH_v2"),
    M(set_too_much, 1, "PROBLEM: cuMemsetD8_v2"),
    M(host_as_device, 1, "is no device memory"),
    M(device_as_host, 1, "is no memory of the host"),
    M(leaks_memory, 0, "PROBLEM: cuCtxDestroy_v2: 1024 bytes"),
    M(leaks_module, 0, "a module was not destroyed"),
    M(leaks_stream, 0, "a stream was not destroyed"),
    M(unloaded_function, 400, "is no function any more"),
    M(unloaded_twice, 400, "is no module any more"),
    M(no_such_entry, 500, "no entry 'q'"),
    M(empty_grid, 1, "empty in x"),
    M(large_block, 1, "PROBLEM: cuLaunchKernel: 1025 threads in x"),
    M(large_grid, 1, "65536 blocks in y"),
    M(much_shared, 1, "without the attribute"),
    M(much_shared_attribute, 1, "are the most"),
    M(missing_parameter, 1, "parameter 1 of 'k' is missing"),
    M(many_parameter_bytes, 1, "16 bytes of parameters, 'k' has 12"),
    M(unrecorded_event, 400, "was not recorded"),
    M(elapsed_too_early, 600, "nobody waited"),
    M(elapsed_untimed, 400, "without times"),
    M(destroyed_stream, 400, "is no stream any more"),
    M(event_for_stream, 400, "is no stream"),
    M(registered_twice, 712, "is registered already"),
    M(not_registered, 713, "is not registered"),
    M(not_host_memory, 1, "is not from cuMemHostAlloc"),
    M(other_context, 400, "of another context"),
    M(unknown_attribute, 1, "attribute 4711"),
    M(no_such_device, 101, "no device 1"),
    M(illegal_address, 700,
      "fault 700: k: block 0,0,0, thread 16,0,0: read of 4 bytes"),
    M(null_address, 700, "at address 0x0"),
    M(freed_address, 700, "fault 700"),
    M(host_address, 700, "fault 700"),
    M(misaligned, 716, "no multiple of 4"),
    M(shared_beyond, 700, "not in shared memory"),
    M(shared_zero, 700, "not in shared memory"),
    M(trapped, 719, "trap"),
    M(unknown_instruction, 218, "unknown instruction: frob.b32 %r2, %r1;"),
    M(unknown_modifier, 218, "unknown modifier '.odd'"),
    M(wrong_width, 218, "a register of 32 bits where .s64 is wanted"),
    M(part_of_float, 218, "a part of a float is stored"),
    {"half_of_product", half_of_product, 0, NULL, "", 0},
    M(no_label, 218, "no label '$L9'"),
    M(divergent_barrier, 719, "deadlock"),
    M(missing_lane, 719, "deadlock"),
    M(not_a_member, 719, "lane 16 is not in its own membermask"),
    M(half_a_matrix, 719, "the instruction is of all"),
    {"met", met, 0, NULL, "", 0},
    {"apart", met, 719, "trap", "apart", 0},
    {"met_again", met_again, 0, NULL, "apart", 0},
    {"endless", endless, 702, "more than 100000 steps", "steps=100000", 0},
    {"none", first_init, 100, NULL, "none", BARE},
    {"init", first_init, 999, NULL, "init=999", BARE},
    {"small_memory", small_memory, 2, NULL, "memory=1M", 0},
    {"lost", lost, 999, NULL, "lost=2", 0},
    {"newer_ptx", newer_ptx, 222, NULL, "ptx=70", 0},
    {"older_gpu", older_gpu, 209, NULL, "sm=75", 0},
    {"third_call", third_call, 2, NULL, "fail=cuMemAlloc_v2:3:2", 0},
    {"two_gpus", two_gpus, 101, "no device 2", "gpus=2", 0},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

/* This program again, for one mistake: prints its result. */
static int make_mistake(const char *name) {
  for (int k = 0; k < MISTAKES; k++) {
    const struct Mistake *m = &mistakes[k];
    if (strcmp(m->name, name) != 0) continue;
    if (!load_library()) return 1;
    if (!(m->flags & BARE)) {
      if (cuInit(0) || cuCtxCreate_v2(&context, 0, 0) ||
          cuMemAlloc_v2(&memory, 1024) || cuMemsetD8_v2(memory, 0, 1024))
        return 1;
      /* older drivers refuse it, which may be the point */
      if (cuModuleLoadData(&module, adder) == 0 &&
          cuModuleGetFunction(&kernel, module, "k") != 0)
        return 1;
    }
    printf("result %d\n", m->run());
    return 0;
  }
  return 2;
}

static void is_seen(void **state) {
  const struct Mistake *m = *state;
  char command[4400], said[8192];
  setenv("CUDA_STANDIN", m->played, 1);
  snprintf(command, sizeof command, "'%s' %s 2>&1", mt_program_path(), m->name);
  FILE *f = popen(command, "r");
  unsetenv("CUDA_STANDIN");
  assert_non_null(f);
  size_t n = fread(said, 1, sizeof said - 1, f);
  said[n] = '\0';
  int status = pclose(f);
  if (status != 0) fail_msg("status %d: %s", status, said);
  char result[40];
  snprintf(result, sizeof result, "result %d\n", m->want);
  if (strstr(said, result) == NULL ||
      (m->words != NULL && strstr(said, m->words) == NULL) ||
      (m->words == NULL && strstr(said, "cuda stand-in") != NULL))
    fail_msg("wanted %d and '%s', said: %s", m->want,
             m->words ? m->words : "nothing", said);
}

int main(int argc, char **argv) {
  if (argc > 1) return make_mistake(argv[1]);
  const struct CMUnitTest runs[] = {
      cmocka_unit_test(a_block_sums),
  };
  struct CMUnitTest seen[MISTAKES];
  for (int k = 0; k < MISTAKES; k++)
    seen[k] = (struct CMUnitTest){mistakes[k].name, is_seen, NULL, NULL,
                                  (void *)(uintptr_t)&mistakes[k]};
  int failed =
      cmocka_run_group_tests_name("runs", runs, open_context, close_context);
  failed += cmocka_run_group_tests_name("mistakes", seen, NULL, NULL);
  return failed;
}
#else
NO_CUDA_TESTS
#endif
