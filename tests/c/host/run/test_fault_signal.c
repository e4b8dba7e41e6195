/*
** test_fault_signal.c - what the systems report of a kernel's mistake, on both
** processors, and what is made of it (devices/host/run/fault_signal.c); a
** thread whose stack ran out, again and again (run/fault_guard.c).
**
** Rows for XNU are what its sources do (bsd/uxkern/ux_exception.c,
** bsd/dev/arm/unix_signal.c, bsd/dev/i386/unix_signal.c).
**
** Guards: devices/host/run/fault_signal.c: what Linux and XNU report of faults
** on both processors, as a table; devices/host/run/fault_guard.c: a run that is
** left leaves nothing of the signal; handlers that are there stay
*/
#include <signal.h>

#include "devices/host/run/fault_guard.h"
#include "devices/host/run/fault_signal.h"
#include "tests/c/host_case.h"

#define PRIVATE 0x700000000000u
#define TILE 0x710000000000u
#define MOAT_BEFORE (PRIVATE - 64)
#define ELSEWHERE 0x500000000000u

static const mt_KnownRange known[] = {
    {PRIVATE, 4096, MT_FAULT_PRIVATE},
    {TILE, 1024, MT_FAULT_THREADGROUP},
    {0, 0, MT_FAULT_PRIVATE}, /* none: it is around nothing */
};

typedef struct Row {
  const char *what;
  mt_Signal signal;
  mt_FaultKind kind;
  int write;
} Row;

#define LINUX_X86 \
  .system = MT_ON_LINUX, .machine = MT_ON_X86, .has_syndrome = true
#define LINUX_ARM \
  .system = MT_ON_LINUX, .machine = MT_ON_ARM, .has_syndrome = true
#define XNU_X86 .system = MT_ON_XNU, .machine = MT_ON_X86, .has_syndrome = true
#define XNU_ARM .system = MT_ON_XNU, .machine = MT_ON_ARM, .has_syndrome = true
#define SEGV .name = MT_SIGNAL_SEGV
#define BUS .name = MT_SIGNAL_BUS
#define ARM_READ(reason) .syndrome = 0x92000000u | (reason)
#define ARM_WRITE(reason) .syndrome = 0x92000040u | (reason)
enum { MAPERR = 1, ACCERR = 2, ADRALN = 1, ADRERR = 2, KERNEL = 0x80 };

static const Row rows[] = {
    /* Linux, x86: page faults are exception 14 */
    {"nothing mapped, read",
     {LINUX_X86, SEGV, .code = MAPERR, .trap = 14, .syndrome = 4,
      .address = ELSEWHERE},
     MT_FAULT_ACCESS,
     0},
    {"PROT_NONE, written",
     {LINUX_X86, SEGV, .code = ACCERR, .trap = 14, .syndrome = 7,
      .address = ELSEWHERE},
     MT_FAULT_ACCESS,
     1},
    {"before a private array",
     {LINUX_X86, SEGV, .code = ACCERR, .trap = 14, .syndrome = 6,
      .address = MOAT_BEFORE},
     MT_FAULT_PRIVATE,
     1},
    {"past a tile",
     {LINUX_X86, SEGV, .code = ACCERR, .trap = 14, .syndrome = 4,
      .address = TILE + 5000},
     MT_FAULT_THREADGROUP,
     0},
    {"misaligned",
     {LINUX_X86, SEGV, .code = KERNEL, .trap = 13},
     MT_FAULT_ALIGN,
     -1},
    {"misaligned, no context",
     {.system = MT_ON_LINUX, .machine = MT_ON_X86, SEGV, .code = KERNEL},
     MT_FAULT_ALIGN,
     -1},
    {"past the end of a file",
     {LINUX_X86, BUS, .code = ADRERR, .trap = 14, .syndrome = 4,
      .address = ELSEWHERE},
     MT_FAULT_ACCESS,
     0},
    {"ud2",
     {LINUX_X86, .name = MT_SIGNAL_ILL, .code = 2, .trap = 6,
      .at = {0x0f, 0x0b}},
     MT_FAULT_TRAP,
     -1},
    {"an instruction of another CPU",
     {LINUX_X86, .name = MT_SIGNAL_ILL, .code = 2, .trap = 6,
      .at = {0x62, 0xf1, 0x7c, 0x48}},
     MT_FAULT_CODE,
     -1},
    {"int3",
     {LINUX_X86, .name = MT_SIGNAL_TRAP, .code = KERNEL, .trap = 3},
     MT_FAULT_TRAP,
     -1},
    {"division",
     {LINUX_X86, .name = MT_SIGNAL_FPE, .code = 1, .trap = 0},
     MT_FAULT_DIVIDE,
     -1},
    /* Linux, ARM */
    {"translation fault, read",
     {LINUX_ARM, SEGV, .code = MAPERR, ARM_READ(0x07), .address = ELSEWHERE},
     MT_FAULT_ACCESS,
     0},
    {"permission fault, written",
     {LINUX_ARM, SEGV, .code = ACCERR, ARM_WRITE(0x0f),
      .address = PRIVATE + 8192},
     MT_FAULT_PRIVATE,
     1},
    {"alignment fault",
     {LINUX_ARM, BUS, .code = ADRALN, ARM_READ(0x21), .address = ELSEWHERE + 1},
     MT_FAULT_ALIGN,
     0},
    {"alignment fault, no record",
     {.system = MT_ON_LINUX,
      .machine = MT_ON_ARM,
      BUS,
      .code = ADRALN,
      .address = ELSEWHERE + 1},
     MT_FAULT_ALIGN,
     -1},
    {"brk", {LINUX_ARM, .name = MT_SIGNAL_TRAP, .code = 1}, MT_FAULT_TRAP, -1},
    {"udf", {LINUX_ARM, .name = MT_SIGNAL_ILL, .code = 1}, MT_FAULT_CODE, -1},
    /* XNU, Apple silicon: a protection failure is SIGBUS with BUS_ADRALN */
    {"PROT_NONE, read",
     {XNU_ARM, BUS, .code = ADRALN, ARM_READ(0x0f), .address = ELSEWHERE},
     MT_FAULT_ACCESS,
     0},
    {"PROT_NONE, written",
     {XNU_ARM, BUS, .code = ADRALN, ARM_WRITE(0x0f), .address = ELSEWHERE},
     MT_FAULT_ACCESS,
     1},
    {"PROT_NONE around a tile",
     {XNU_ARM, BUS, .code = ADRALN, ARM_WRITE(0x0f), .address = TILE - 16},
     MT_FAULT_THREADGROUP,
     1},
    {"stack overflow",
     {XNU_ARM, BUS, .code = ADRALN, ARM_WRITE(0x07), .address = PRIVATE - 4096},
     MT_FAULT_PRIVATE,
     1},
    {"nothing mapped",
     {XNU_ARM, SEGV, .code = ACCERR, ARM_READ(0x06), .address = 16},
     MT_FAULT_ACCESS,
     0},
    {"alignment fault",
     {XNU_ARM, BUS, .code = ADRALN, ARM_WRITE(0x21), .address = ELSEWHERE + 1},
     MT_FAULT_ALIGN,
     1},
    {"brk", {XNU_ARM, .name = MT_SIGNAL_TRAP, .code = 1}, MT_FAULT_TRAP, -1},
    {"illegal", {XNU_ARM, .name = MT_SIGNAL_ILL, .code = 1}, MT_FAULT_CODE, -1},
    /* XNU, Intel */
    {"PROT_NONE, read",
     {XNU_X86, BUS, .code = ADRERR, .trap = 14, .syndrome = 5,
      .address = ELSEWHERE},
     MT_FAULT_ACCESS,
     0},
    {"PROT_NONE around private",
     {XNU_X86, BUS, .code = ADRERR, .trap = 14, .syndrome = 7,
      .address = PRIVATE + 5000},
     MT_FAULT_PRIVATE,
     1},
    {"nothing mapped",
     {XNU_X86, SEGV, .code = MAPERR, .trap = 14, .syndrome = 6, .address = 8},
     MT_FAULT_ACCESS,
     1},
    {"misaligned",
     {XNU_X86, SEGV, .code = 0, .trap = 13, .address = 0},
     MT_FAULT_ALIGN,
     -1},
    {"ud2",
     {XNU_X86, .name = MT_SIGNAL_ILL, .code = 1, .trap = 6, .at = {0x0f, 0x0b}},
     MT_FAULT_TRAP,
     -1},
    {"division",
     {XNU_X86, .name = MT_SIGNAL_FPE, .code = 1},
     MT_FAULT_DIVIDE,
     -1},
};

static void test_table(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Row *r = &rows[i];
    const char *system = r->signal.system == MT_ON_XNU ? "XNU" : "Linux";
    const char *machine = r->signal.machine == MT_ON_X86 ? "x86" : "ARM";
    int kind = (int)mt_fault_kind(&r->signal, known, 3);
    int write = mt_fault_is_write(&r->signal);
    if (kind != (int)r->kind || write != r->write)
      fail_msg("%s, %s, %s: kind %d and write %d, not %d and %d", system,
               machine, r->what, kind, write, (int)r->kind, r->write);
  }
}

/* A handler that is left by a jump, without telling the system, keeps the stack
** for handlers taken on XNU: the next fault of a full stack would find none.
** So a run is left by returning from the handler, to other code; afterwards
** nothing of the signal is left. Linux does the same as XNU with a stack
** that it is to take away while a handler runs. */
#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1u << 31)
#endif
#define HANDLERS (256u << 10)

static bool takes_away; /* the stack is gone until the handler returns */

static void make_stack(void) {
  stack_t stack = {.ss_sp = malloc(HANDLERS), .ss_size = HANDLERS,
                   .ss_flags = (int)SS_AUTODISARM};
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
  takes_away = sigaltstack(&stack, NULL) == 0;
#else
  (void)stack;
#endif
}

static const char *source = MSL(
kernel void deep(device uint *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  uint big[16];
  for (uint k = 0; k < 16; k++) big[k] = out[k];
  for (int k = 0; k > -100000000; k--) big[k + int(out[0])] = i;
  out[i] = big[out[1] & 15];
}
kernel void endless(device uint *out [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) {
  while (out[0] == 0) { }
  out[i] = 1;
});

static void nothing_is_left(const char *after) {
  stack_t stack;
  sigset_t mask;
  assert_int_equal(sigaltstack(NULL, &stack), 0);
  if (stack.ss_flags & SS_ONSTACK)
    fail_msg("%s: still on the handlers' stack", after);
  if (takes_away && (stack.ss_flags & SS_DISABLE || stack.ss_size != HANDLERS))
    fail_msg("%s: handlers have no stack any more", after);
  sigemptyset(&mask);
  assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &mask), 0);
  static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGURG};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (sigismember(&mask, ours[i]))
      fail_msg("%s: signal %d is blocked", after, ours[i]);
}

static void test_again_and_again(void **state) {
  (void)state;
  mt_Buffer *b = host_buffer(4096);
  mt_Kernel *deep = host_kernel(source, "deep");
  mt_Kernel *endless = host_kernel(source, "endless");
  for (int way = 0; host_way(way); way++)
    for (int n = 0; n < 20; n++) {
      memset(mt_buffer_contents(b), 0, 4096);
      assert_int_equal(host_run(deep, (mt_Size){64, 1, 1}, (mt_Size){64, 1, 1},
                                20, &b), MT_FAIL);
      assert_non_null(strstr(error.text, "private memory"));
      nothing_is_left("a fault");
      if (n % 5) continue;
      memset(mt_buffer_contents(b), 0, 4096);
      assert_int_equal(
          host_run(endless, (mt_Size){64, 1, 1}, (mt_Size){64, 1, 1}, 0.02, &b),
          MT_TIMEOUT);
      nothing_is_left("a stop");
    }
  mt_kernel_free(deep);
  mt_kernel_free(endless);
  mt_buffer_free(b);
}

/* Handlers that are there stay as they are: a launch costs no system call for
** each. Other ones are replaced. */
static void somebody_else(int signal) { (void)signal; }

static bool has_handler(int signal, struct sigaction *now) {
  assert_int_equal(sigaction(signal, NULL, now), 0);
  return now->sa_flags & SA_SIGINFO && sigismember(&now->sa_mask, SIGUSR2);
}

static void test_handlers_stay(void **state) {
  (void)state;
  struct sigaction ours, other = {.sa_handler = somebody_else}, now;
  mt_guard_ready();
  assert_false(has_handler(SIGSEGV, &ours));
  assert_true(ours.sa_flags & SA_ONSTACK);
  struct sigaction marked = ours;
  sigaddset(&marked.sa_mask, SIGUSR2);
  sigaction(SIGSEGV, &marked, NULL);
  mt_guard_ready();
  assert_true(has_handler(SIGSEGV, &now));
  assert_true(now.sa_sigaction == ours.sa_sigaction);
  sigemptyset(&other.sa_mask);
  sigaction(SIGSEGV, &other, NULL);
  mt_guard_ready();
  assert_false(has_handler(SIGSEGV, &now));
  assert_true(now.sa_flags & SA_SIGINFO);
  assert_true(now.sa_sigaction == ours.sa_sigaction);
}

int main(void) {
  setenv("METTLE_THREADS", "1", 1); /* all of it on this thread */
  make_stack();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_again_and_again),
      cmocka_unit_test(test_handlers_stay),
  };
  return cmocka_run_group_tests(tests, open_host, close_host);
}
