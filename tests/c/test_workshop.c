/*
** test_workshop.c - LLVM crashes, never ends, or is told to stop while it makes
** code: the program lives on, and the kernel runs thread by thread
** (devices/host/engine/workshop.c).
**
** Code is emitted by a function of this suite that stands before LLVM's and does as
** it is told. "# SKIP" where LLVM has no process of its own: another system
** than Linux.
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <llvm-c/TargetMachine.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/aside.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "devices/check.h"
#include "tests/c/host_case.h"

/* What the next times of emitting code shall be, seen by all processes. */
typedef enum Mood { WELL, CRASH, GIVE_UP, HANG } Mood;
static struct {
  Mood mood[8];
  int emitted; /* how often it was asked */
} *llvm;

typedef LLVMBool Emit(LLVMTargetMachineRef, LLVMModuleRef, LLVMCodeGenFileType,
                      char **, LLVMMemoryBufferRef *);

LLVMBool LLVMTargetMachineEmitToMemoryBuffer(LLVMTargetMachineRef machine,
                                             LLVMModuleRef module,
                                             LLVMCodeGenFileType type,
                                             char **message,
                                             LLVMMemoryBufferRef *out) {
  static volatile uintptr_t nowhere = 8;
  Mood mood = llvm->emitted < 8 ? llvm->mood[llvm->emitted] : WELL;
  llvm->emitted++;
  if (mood == CRASH) *(volatile char *)nowhere = 1;
  if (mood == GIVE_UP) {
    fputs("LLVM ERROR: Cannot select: v32i1 of nothing\n", stderr);
    abort();
  }
  if (mood == HANG)
    for (volatile unsigned long n = 0;; n++) continue;
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

static void need_process(void) {
  mt_Aside *a = mt_aside_new(nothing, NULL);
  if (!a) skip();
  mt_aside_free(a);
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
  setenv("METTLE_LLVM_SECONDS", "0.3", 1);
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

static void *cancel_soon(void *unused) {
  usleep(200 * 1000);
  mt_cancel_request();
  return unused;
}

static void test_stopped(void **state) {
  (void)state;
  need_process();
  mt_Kernel *k = fresh();
  mt_Buffer *b = host_buffer(400);
  pthread_t thread;
  set_moods(HANG, WELL);
  uint64_t start = mt_now_ns();
  pthread_create(&thread, NULL, cancel_soon, NULL);
  assert_int_equal(run(k, b), MT_CANCELLED);
  pthread_join(thread, NULL);
  mt_cancel_clear();
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

static void test_listing(void **state) {
  (void)state;
  need_process();
  mt_Kernel *k = fresh();
  mt_Str text = MT_STR_INIT;
  set_moods(CRASH, WELL);
  assert_int_equal(mt_kernel_listing(k, MT_LISTING_ASM, &text, &error), MT_OK);
  assert_non_null(strstr(text.text, "thread by thread"));
  mt_str_free(&text);
  mt_kernel_free(k);
}

/* More kernels than processes are kept, each asked in turns. */
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

int main(void) {
  llvm = mmap(NULL, sizeof *llvm, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_crash),   cmocka_unit_test(test_gives_up),
      cmocka_unit_test(test_hangs),   cmocka_unit_test(test_lost_altogether),
      cmocka_unit_test(test_stopped), cmocka_unit_test(test_check),
      cmocka_unit_test(test_listing), cmocka_unit_test(test_many),
  };
  cmocka_set_message_output(CM_OUTPUT_TAP);
  return cmocka_run_group_tests(tests, open_host, close_host);
}
