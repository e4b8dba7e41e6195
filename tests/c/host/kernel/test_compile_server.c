/*
** test_compile_server.c - LLVM crashes, never ends, or is told to stop while it
** makes code: the program lives on, and the kernel runs thread by thread
** (devices/host/kernel/compile_server.c).
**
** Code is emitted by a function of this suite that stands before LLVM's and
** does as it is told. Every test is run with a copy of this process and with
** this program started again. "# SKIP" where LLVM has no process of its own:
** copies, elsewhere than on Linux.
**
** Guards: devices/host/kernel/compile_server.c: LLVM crashes, gives up, never
** ends, is stopped or takes longer than a check's limit over a kernel,
** launched, checked and listed, in a copy and in the program started again;
** devices/compiler/service/compile_job.c and devices/host/kernel/warm_up.c;
** large instrumented kernels are compiled without optimisation;
** devices/compiler/service/{source_library, source_module}.c,
** devices/host/kernel/{compile, compile_result}.c
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <llvm-c/TargetMachine.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process/worker_process.h"
#include "devices/check.h"
#include "devices/compiler/target/target.h"
#include "devices/host/kernel/compile.h"
#include "devices/host/native/native.h"
#include "devices/profile.h"
#include "tests/c/both_ways.h"
#include "tests/c/cancel_after.h"
#include "tests/c/host_case.h"
#include "tests/c/skip.h"

/* What the next times of emitting code shall be, seen by all processes. */
typedef enum Mood { WELL, CRASH, GIVE_UP, HANG } Mood;
static struct {
  Mood mood[8];
  int emitted; /* how often it was asked, */
  pid_t by;    /* by which process, the last time, */
  bool quick;  /* and how */
} *llvm;

typedef LLVMBool Emit(LLVMTargetMachineRef, LLVMModuleRef, LLVMCodeGenFileType,
                      char **, LLVMMemoryBufferRef *);

LLVMBool LLVMTargetMachineEmitToMemoryBuffer(LLVMTargetMachineRef machine,
                                             LLVMModuleRef module,
                                             LLVMCodeGenFileType type,
                                             char **message,
                                             LLVMMemoryBufferRef *out) {
  static volatile uintptr_t nowhere = 8;
  bool warming = LLVMGetNamedFunction(module, MT_WARM_SYMBOL) != NULL;
  Mood mood = !warming && llvm->emitted < 8 ? llvm->mood[llvm->emitted] : WELL;
  llvm->emitted += !warming;
  llvm->by = getpid();
  mt_Error ignored;
  llvm->quick = machine == mt_target_quick_machine(mt_target_host(&ignored));
  if (mood == CRASH) *(volatile char *)nowhere = 1;
  if (mood == GIVE_UP) {
    fputs("LLVM ERROR: Cannot select: v32i1 of nothing\n", stderr);
    abort();
  }
  volatile bool hangs = mood == HANG;
  while (hangs) pause();
  Emit *real = (Emit *)dlsym(RTLD_NEXT, "LLVMTargetMachineEmitToMemoryBuffer");
  return real(machine, module, type, message, out);
}

static void set_moods(Mood first, Mood second) {
  memset(llvm, 0, sizeof *llvm);
  llvm->mood[0] = first, llvm->mood[1] = second;
}

static void nothing(void *context, const void *question, size_t size,
                    mt_Str *answer) {
  (void)context, (void)question, (void)size, (void)answer;
}

/* Its sockets are closed by then. It may be a child of this process or not. */
static void wait_for_end_of(pid_t pid) {
  for (int i = 0; i < 12000; i++) {
    siginfo_t ended = {0};
    int how = WEXITED | WNOHANG | WNOWAIT;
    if (waitid(P_PID, (id_t)pid, &ended, how) == 0 ? ended.si_pid == pid
                                                   : kill(pid, 0) != 0)
      return;
    usleep(5000);
  }
}

/* Of the other way, from the tests before: the next one is of this. */
static void end_other(void) {
  static char way[16];
  const char *now = getenv("METTLE_WORKER");
  if (strcmp(way, now) != 0 && llvm->by > 0 && llvm->by != getpid()) {
    kill(llvm->by, SIGKILL);
    wait_for_end_of(llvm->by);
  }
  snprintf(way, sizeof way, "%s", now);
}

static void need_process(void) {
  end_other();
  mt_WorkerProcess *a = mt_worker_process_new(NULL, nothing, NULL, "nothing");
  if (!a) skip_because("LLVM has no process of its own here");
  mt_worker_process_free(a);
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

static const mt_Size GRID = {100, 1, 1}, GROUP = {64, 1, 1};

static mt_Status run(mt_Kernel *k, mt_Buffer *b) {
  memset(b->contents, 0, b->size);
  return host_run(k, GRID, GROUP, 0, &b);
}

static void expect_answer(const mt_Buffer *b) {
  for (uint32_t i = 0; i < 100; i++)
    assert_int_equal(((uint32_t *)b->contents)[i], i * 3);
}

/* Lost over vectors, it runs thread by thread; and the next launch needs no
** LLVM. */
static void runs_after(Mood mood) {
  need_process();
  mt_Kernel *k = fresh();
  mt_Buffer *b = host_buffer(400);
  set_moods(mood, WELL);
  if (run(k, b) != MT_OK) fail_msg("%s", error.text);
  assert_int_equal(llvm->emitted, 2);
  expect_answer(b);
  assert_int_equal(run(k, b), MT_OK);
  expect_answer(b);
  assert_int_equal(llvm->emitted, 2);
  mt_buffer_free(b);
  mt_kernel_free(k);
}

static void test_crash(void **state) {
  (void)state;
  runs_after(CRASH);
}

static void test_gives_up(void **state) {
  (void)state;
  runs_after(GIVE_UP);
}

static void test_hangs(void **state) {
  (void)state;
  setenv("METTLE_LLVM_SECONDS", getenv("TEST_EMULATED") ? "20" : "0.3", 1);
  runs_after(HANG);
  unsetenv("METTLE_LLVM_SECONDS");
}

/* Both ways lost: one sentence, and other kernels go on working. */
static void test_lost_altogether(void **state) {
  (void)state;
  need_process();
  mt_Kernel *k = fresh(), *other = fresh();
  mt_Buffer *b = host_buffer(400);
  set_moods(GIVE_UP, CRASH);
  assert_int_equal(run(k, b), MT_FAIL);
  assert_non_null(strstr(error.text, "'fresh'"));
  assert_non_null(strstr(error.text, "Cannot select"));
  assert_int_equal(run(other, b), MT_OK);
  expect_answer(b);
  assert_int_equal(run(k, b), MT_OK); /* LLVM is well again */
  expect_answer(b);
  mt_buffer_free(b);
  mt_kernel_free(k);
  mt_kernel_free(other);
}

/* Not the kernel's fault: it is made as any other. */
static void test_ended_unasked(void **state) {
  (void)state;
  need_process();
  mt_Kernel *k = fresh(), *other = fresh();
  mt_Buffer *b = host_buffer(400);
  set_moods(WELL, WELL);
  assert_int_equal(run(k, b), MT_OK);
  kill(llvm->by, SIGKILL);
  wait_for_end_of(llvm->by);
  set_moods(WELL, WELL);
  if (run(other, b) != MT_OK) fail_msg("%s", error.text);
  expect_answer(b);
  assert_int_equal(llvm->emitted, 1);
  mt_buffer_free(b);
  mt_kernel_free(k);
  mt_kernel_free(other);
}

static void test_stopped(void **state) {
  (void)state;
  need_process();
  mt_Kernel *k = fresh();
  mt_Buffer *b = host_buffer(400);
  set_moods(HANG, WELL);
  uint64_t start = mt_now_ns();
  pthread_t thread = cancel_after(200);
  assert_int_equal(run(k, b), MT_CANCELLED);
  cancel_over(thread);
  assert_true(mt_now_ns() - start < 5000000000u);
  assert_int_equal(llvm->emitted, 1); /* not tried another way */
  assert_int_equal(run(k, b), MT_OK);
  expect_answer(b);
  mt_buffer_free(b);
  mt_kernel_free(k);
}

/* The checker's code, and its tables, come the same way. */
static void test_check(void **state) {
  (void)state;
  need_process();
  mt_Kernel *k = fresh();
  mt_Buffer *b = host_buffer(396); /* one too small */
  mt_Arg args[2] = {{.kind = MT_ARG_BUFFER, .buffer = b, .size = b->size}};
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 2, .grid = GRID,
                 .group = GROUP, .repeats = 1};
  for (int lost = 0; lost < 2; lost++) {
    mt_CheckReport report;
    set_moods(lost ? CRASH : WELL, WELL);
    if (mt_check(&l, NULL, &report, &error) != MT_OK)
      fail_msg("%s", error.text);
    assert_int_equal(llvm->emitted, 1 + lost);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.findings[0].kind, MT_FIND_OUT_OF_BOUNDS);
    assert_int_equal(report.findings[0].index, 99);
    assert_int_equal(report.findings[0].place.line, 3);
    mt_check_free(&report);
    mt_kernel_free(k);
    l.kernel = k = fresh();
  }
  mt_buffer_free(b);
  mt_kernel_free(k);
}

/* A limit is one for LLVM's work as well, over vectors and over threads:
** then no other way is tried. */
static void expect_too_long(mt_Status status, int emitted) {
  assert_int_equal(status, MT_TIMEOUT);
  assert_int_equal(llvm->emitted, emitted);
  assert_non_null(strstr(error.text, "'fresh' was stopped before it ran"));
  assert_non_null(strstr(error.text, "within the time limit"));
}

static void test_limit(void **state) {
  (void)state;
  need_process();
  mt_Kernel *k = fresh();
  mt_Buffer *b = host_buffer(400);
  mt_Arg args[2] = {{.kind = MT_ARG_BUFFER, .buffer = b, .size = b->size}};
  mt_Launch l = {.kernel = k, .args = args, .arg_count = 2, .grid = GRID,
                 .group = GROUP, .repeats = 1, .time_limit = 0.1};
  mt_CheckReport report;
  mt_Profile profile;
  set_moods(HANG, HANG);
  expect_too_long(mt_check(&l, NULL, &report, &error), 1);
  mt_check_free(&report);
  setenv("METTLE_LLVM_SECONDS", "0.2", 1);
  set_moods(HANG, HANG);
  expect_too_long(mt_profile(&l, &profile, &error), 2);
  mt_profile_free(&profile);
  unsetenv("METTLE_LLVM_SECONDS");
  l.time_limit = 60;
  set_moods(WELL, WELL);
  assert_int_equal(mt_check(&l, NULL, &report, &error), MT_OK);
  assert_int_equal(report.count, 0);
  mt_check_free(&report);
  mt_buffer_free(b);
  mt_kernel_free(k);
}

/* Sums that are all written out: over so many values, all of them live, LLVM's
** choice of registers takes seconds. */
static mt_Kernel *written_out(unsigned rounds, unsigned sums) {
  mt_Str s = MT_STR_INIT;
  mt_str_add(&s, "#include <metal_stdlib>\nusing namespace metal;\n"
                 "kernel void sums(device float *out [[buffer(0)]],"
                 " uint i [[thread_position_in_grid]]) {\n");
  for (unsigned j = 0; j < sums; j++)
    mt_str_addf(&s, "float s%u = %u;\n", j, j);
  for (unsigned r = 0; r < rounds; r++) {
    mt_str_addf(&s, "float v%u = out[(i + %u) %% 100];\n", r, r);
    for (unsigned j = 0; j < sums; j++)
      mt_str_addf(&s, "s%u = max(s%u * v%u, %u.5f);\n", j, j, r, r);
  }
  mt_str_add(&s, "float x = 0;\n");
  for (unsigned j = 0; j < sums; j++) mt_str_addf(&s, "x += s%u;\n", j);
  mt_str_add(&s, "if (x == 0.125f) out[i] = x; }\n");
  mt_Kernel *k = host_kernel(mt_str_text(&s), "sums");
  mt_str_free(&s);
  return k;
}

static void test_large_is_quick(void **state) {
  (void)state;
  mt_Buffer *b = host_buffer(4 * 8256);
  mt_Arg args[2] = {{.kind = MT_ARG_BUFFER, .buffer = b, .size = b->size}};
  /* over few threads every kernel is quick */
  for (int large = 0; large < 2; large++) {
    mt_Kernel *k = written_out(large ? 40 : 4, 64);
    mt_Launch l = {.kernel = k,
                   .args = args,
                   .arg_count = 2,
                   .grid = large ? GRID : (mt_Size){8256, 1, 1},
                   .group = GROUP,
                   .repeats = 1};
    mt_CheckReport report;
    set_moods(WELL, WELL);
    if (mt_check(&l, NULL, &report, &error) != MT_OK)
      fail_msg("%s", error.text);
    assert_int_equal(llvm->quick, large);
    mt_check_free(&report);
    mt_kernel_free(k);
  }
  mt_buffer_free(b);
}

static void test_listing(void **state) {
  (void)state;
  need_process();
  mt_Kernel *k = fresh();
  mt_Str text = MT_STR_INIT;
  set_moods(GIVE_UP, WELL);
  assert_int_equal(mt_kernel_listing(k, MT_LISTING_ASM, &text, &error), MT_OK);
  assert_non_null(strstr(text.text, "thread by thread: LLVM failed over its "
                                    "vectors: Cannot select"));
  mt_str_free(&text);
  mt_kernel_free(k);
}

/* More kernels than are kept in the process, each asked in turns. */
static void test_many(void **state) {
  (void)state;
  mt_Kernel *k[7];
  mt_Buffer *b = host_buffer(400);
  set_moods(WELL, WELL);
  for (int i = 0; i < 7; i++) k[i] = fresh();
  for (uint32_t size = 32; size <= 96; size += 32)
    for (int i = 0; i < 7; i++) {
      memset(b->contents, 0, b->size);
      mt_Size group = {size, 1, 1};
      assert_int_equal(host_run(k[i], GRID, group, 0, &b), MT_OK);
      expect_answer(b);
    }
  for (int i = 0; i < 7; i++) mt_kernel_free(k[i]);
  mt_buffer_free(b);
}

static void test_warm(void **state) {
  (void)state;
  if (mt_llvm_warm_up(&error) != MT_OK) fail_msg("%s", error.text);
}

/* ------------------------------------------------------------------- plans */

/* A list whose parts lead to the next one, and a constant: all there is to
** send. */
static mt_CompileJob example(void) {
  static const mt_Type number = {.kind = MT_TYPE_SCALAR, .name = "uint",
                                 .size = 4, .align = 4, .scalar = MT_UINT,
                                 .rows = 1, .columns = 1};
  static mt_Type node = {.kind = MT_TYPE_STRUCT, .name = "Node", .size = 16,
                         .align = 8, .field_count = 2};
  static const mt_Type next = {.kind = MT_TYPE_POINTER, .name = "Node *",
                               .size = 8, .align = 8, .element = &node};
  static const mt_Field fields[] = {{"value", 0, &number}, {"next", 8, &next}};
  static const mt_Param params[] = {
      {.name = "list", .kind = MT_PARAM_BUFFER, .type = &node, .used = true},
      {.name = "i", .kind = MT_PARAM_BUILTIN, .type = &number,
       .builtin = "thread_position_in_grid"},
      {.name = NULL, .kind = MT_PARAM_THREADGROUP, .index = 2}};
  static const mt_MslKernel kernel = {.name = "walk", .function = "_Z4walk",
                                      .params = params, .param_count = 3,
                                      .max_threads = 64, .line = 7};
  static const mt_Constant constants[] = {{"N", 4, &number, true}};
  static const unsigned char eight[] = {8, 0, 0, 0};
  static const mt_ConstantValue values[] = {{4, eight, 4}};
  node.fields = fields;
  return (mt_CompileJob){.msl = &kernel,
                         .bitcode = "BC\0\1",
                         .size = 4,
                         .source = "kernel void walk();",
                         .file = NULL,
                         .constants = constants,
                         .constant_count = 1,
                         .values = values,
                         .value_count = 1};
}

static void test_plan(void **state) {
  (void)state;
  mt_CompileJob from = example(), to;
  mt_Str bytes = MT_STR_INIT;
  mt_compile_job_pack(&from, &bytes);
  mt_CompileJobCopy *copy =
      mt_compile_job_unpack(bytes.text, bytes.length, &to);
  assert_non_null(copy);
  assert_string_equal(to.msl->name, "walk");
  assert_string_equal(to.msl->function, "_Z4walk");
  assert_int_equal(to.msl->max_threads, 64);
  assert_null(to.msl->file);
  assert_null(to.file);
  assert_string_equal(to.source, from.source);
  assert_int_equal(to.size, 4);
  assert_memory_equal(to.bitcode, "BC\0\1", 4);
  const mt_Type *node = to.msl->params[0].type;
  assert_string_equal(node->name, "Node");
  assert_string_equal(node->fields[1].name, "next");
  assert_int_equal(node->fields[1].offset, 8);
  assert_ptr_equal(node->fields[1].type->element, node);
  assert_ptr_equal(node->fields[0].type, to.msl->params[1].type);
  assert_string_equal(to.msl->params[1].builtin, "thread_position_in_grid");
  assert_null(to.msl->params[2].name);
  assert_null(to.msl->params[2].type);
  assert_int_equal(to.msl->params[2].index, 2);
  assert_string_equal(to.constants[0].name, "N");
  assert_ptr_equal(to.constants[0].type, to.msl->params[1].type);
  assert_int_equal(to.values[0].index, 4);
  assert_memory_equal(to.values[0].bytes, "\10\0\0\0", 4);
  mt_compile_job_free(copy);
  for (size_t less = 0; less < bytes.length; less++) { /* a part is none */
    char *cut = malloc(less + 1);
    memcpy(cut, bytes.text, less);
    assert_null(mt_compile_job_unpack(cut, less, &to));
    free(cut);
  }
  mt_str_free(&bytes);
}

int main(int argc, char **argv) {
  const char *word = mt_worker_process_asked(argc, argv);
  llvm = share_with_anew(sizeof *llvm);
  if (llvm == MAP_FAILED) return 1;
  if (word) return mt_compile_server_serve(word);
  mt_worker_process_offer();
  unsetenv("METTLE_ALSO"); /* what is made is counted */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_crash),   cmocka_unit_test(test_gives_up),
      cmocka_unit_test(test_hangs),   cmocka_unit_test(test_lost_altogether),
      cmocka_unit_test(test_stopped), cmocka_unit_test(test_ended_unasked),
      cmocka_unit_test(test_check),   cmocka_unit_test(test_limit),
      cmocka_unit_test(test_large_is_quick),
      cmocka_unit_test(test_listing), cmocka_unit_test(test_many),
      cmocka_unit_test(test_warm),    cmocka_unit_test(test_plan),
  };
  int status = run_both_ways(tests, sizeof tests / sizeof *tests, open_host,
                             close_host);
  unlink(getenv("TEST_MOODS"));
  return status;
}
