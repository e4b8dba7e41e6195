/*
** fault_guard.c - abandons kernels that fault or do not end, see fault_guard.h.
**
** The one idea: generated code owns nothing, so a signal handler may jump out
** of it to where the run began. Each thread that runs kernels has a record with
** the jump target; only while 'inside' is set does a signal belong to a kernel.
** Faults arrive as SIGSEGV and the like, a request to stop as SIGURG, which is
** ignored by default and so harmless if it arrives too late.
*/
#undef _FORTIFY_SOURCE /* its longjmp refuses to leave a fiber's stack */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef __APPLE__
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE
#endif
#include "devices/host/run/fault_guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "devices/host/host.h"
#include "devices/host/run/fault_signal.h"

#define MAX_THREADS 512
#define STACK_BYTES (256u * 1024)  /* for signal handlers */
/* for kernels, besides large frames; committed when touched */
#define KERNEL_BYTES (8u << 20)
/* ThreadSanitizer delays signals until the next call into it, except those that
** a fault may raise: their handlers run at once. */
#ifdef __SANITIZE_THREAD__
#define STOP_SIGNAL SIGSYS
#else
#define STOP_SIGNAL SIGURG
#endif

/* Saving the signal mask costs a system call. It is not needed, since the
** handlers block nothing and return; but ThreadSanitizer's handlers around them
** do block. With AddressSanitizer on a Mac a handler is left by a jump, and
** restoring the mask tells the system that it has ended. */
#if defined(__SANITIZE_THREAD__) || \
    (defined(__APPLE__) && defined(__SANITIZE_ADDRESS__))
#define SAVE_MASK 1
#else
#define SAVE_MASK 0
#endif

#if defined(__x86_64__) || defined(__aarch64__)
#define OWN_STACK
#endif

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

typedef struct Thread {
  pthread_t id;
  atomic_int inside;              /* a guarded run is in progress */
  volatile sig_atomic_t shielded; /* it must not be abandoned now */
  sigjmp_buf out;
  mt_Worker *worker;
  char *stack; /* for kernels; NULL: they run on the OS thread's */
  size_t stack_size;
#ifdef __SANITIZE_ADDRESS__
  void *fake;         /* AddressSanitizer's fake stack of the OS thread */
  const void *bottom; /* of the OS thread's stack */
  size_t size;
#endif
  atomic_int gone;    /* its thread has ended; the record is free */
  void *signal_stack; /* allocated by us, or NULL */
} Thread;

static Thread *threads[MAX_THREADS];
static atomic_uint thread_count;
static _Thread_local Thread *self; /* not for handlers: find_self */
/* Held while a thread is registered or ends, and while signals are sent: none
** goes to a thread that has ended. */
static pthread_mutex_t roll = PTHREAD_MUTEX_INITIALIZER;

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#define FAULTS (sizeof faults / sizeof *faults)
static struct sigaction before[FAULTS], before_stop;

/* --------------------------------------------------------------- the signal */

#if defined(__linux__)
#define SYSTEM MT_ON_LINUX
#else
#define SYSTEM MT_ON_XNU
#endif
#if defined(__x86_64__)
#define MACHINE MT_ON_X86
#elif defined(__aarch64__)
#define MACHINE MT_ON_ARM
#else
#define MACHINE MT_ON_OTHER
#endif

/* The processor's fault information, as far as the system passes it on. */
static void read_syndrome(const ucontext_t *u, mt_Signal *s) {
#if defined(__linux__) && defined(__x86_64__)
  s->has_syndrome = true;
  s->syndrome = (uint64_t)u->uc_mcontext.gregs[REG_ERR];
  s->trap = (unsigned)u->uc_mcontext.gregs[REG_TRAPNO];
#elif defined(__linux__) && defined(__aarch64__)
  /* A list of records after the registers; "ESR\1" is the one wanted. */
  const unsigned char *p = (const unsigned char *)&u->uc_mcontext.__reserved;
  const unsigned char *end = p + sizeof u->uc_mcontext.__reserved;
  while (p + 16 <= end) {
    uint32_t head[2];
    memcpy(head, p, sizeof head);
    memcpy(&s->syndrome, p + 8, sizeof s->syndrome);
    if (head[0] == 0x45535201) s->has_syndrome = true;
    if (head[0] == 0x45535201 || head[0] == 0 || head[1] < 8) return;
    p += head[1];
  }
#elif defined(__APPLE__) && defined(__x86_64__)
  s->has_syndrome = true;
  s->syndrome = u->uc_mcontext->__es.__err;
  s->trap = u->uc_mcontext->__es.__trapno;
#elif defined(__APPLE__) && defined(__aarch64__)
  s->has_syndrome = true;
  s->syndrome = u->uc_mcontext->__es.__esr;
#else
  (void)u, (void)s;
#endif
}

static uintptr_t instruction(const ucontext_t *u) {
#if defined(__linux__) && defined(__x86_64__)
  return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined(__linux__) && defined(__aarch64__)
  return (uintptr_t)u->uc_mcontext.pc;
#elif defined(__APPLE__) && defined(__x86_64__)
  return (uintptr_t)u->uc_mcontext->__ss.__rip;
#elif defined(__APPLE__) && defined(__aarch64__)
  return (uintptr_t)u->uc_mcontext->__ss.__pc;
#else
  (void)u;
  return 0;
#endif
}

static mt_Signal signal_of(int signal, const siginfo_t *info,
                           const ucontext_t *u) {
  mt_Signal s = {.system = SYSTEM, .machine = MACHINE, .code = info->si_code,
                 .address = (uintptr_t)info->si_addr};
  s.name = signal == SIGSEGV   ? MT_SIGNAL_SEGV
           : signal == SIGBUS  ? MT_SIGNAL_BUS
           : signal == SIGFPE  ? MT_SIGNAL_FPE
           : signal == SIGILL  ? MT_SIGNAL_ILL
                               : MT_SIGNAL_TRAP;
  read_syndrome(u, &s);
  /* The instruction was fetched, so two bytes are readable; maybe no more. */
  if (s.name == MT_SIGNAL_ILL) memcpy(s.at, (const void *)instruction(u), 2);
  return s;
}

static mt_FaultKind kind_of(const Thread *t, const mt_Signal *s) {
  const mt_Worker *w = t->worker;
  mt_KnownRange known[] = {
      {(uintptr_t)t->stack, t->stack ? t->stack_size : 0, MT_FAULT_PRIVATE},
      {(uintptr_t)w->spill, w->spill ? w->spill_size : 0, MT_FAULT_PRIVATE},
      {(uintptr_t)w->threadgroup, w->threadgroup ? w->threadgroup_size : 0,
       MT_FAULT_THREADGROUP}};
  bool is_memory = s->name == MT_SIGNAL_SEGV || s->name == MT_SIGNAL_BUS;
  mt_FaultKind kind = mt_fault_kind(s, known, 3);
  if (kind == MT_FAULT_ACCESS && is_memory && w->fibers &&
      mt_fibers_around(w->fibers, s->address))
    return MT_FAULT_PRIVATE;
  return kind;
}

/* ---------------------------------------------------------- leaving the run */

/*
** If a handler is left by a jump, the system does not know that it has ended:
** XNU considers the signal stack still in use, and the next stack overflow
** finds none. So the handler returns, to 'leave' on the abandoned kernel's
** stack, and that jumps. The sanitizers require the jump in the handler.
*/
#if defined(OWN_STACK) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define LEAVE_BY_RETURN
#endif

#ifdef LEAVE_BY_RETURN
static void leave(Thread *t) { siglongjmp(t->out, 1); }

static void return_to_leave(Thread *t, ucontext_t *u) {
  uintptr_t top = (uintptr_t)(t->stack + KERNEL_BYTES - 256) & ~(uintptr_t)15;
  uintptr_t code = (uintptr_t)leave, first = (uintptr_t)t;
#if defined(__linux__) && defined(__x86_64__)
  u->uc_mcontext.gregs[REG_RSP] = (greg_t)(top - 8); /* as after a call */
  u->uc_mcontext.gregs[REG_RIP] = (greg_t)code;
  u->uc_mcontext.gregs[REG_RDI] = (greg_t)first;
#elif defined(__linux__) && defined(__aarch64__)
  u->uc_mcontext.sp = top;
  u->uc_mcontext.pc = code;
  u->uc_mcontext.regs[0] = first;
#elif defined(__APPLE__) && defined(__x86_64__)
  u->uc_mcontext->__ss.__rsp = top - 8;
  u->uc_mcontext->__ss.__rip = code;
  u->uc_mcontext->__ss.__rdi = first;
#elif defined(__APPLE__) && defined(__aarch64__)
  u->uc_mcontext->__ss.__sp = top;
  u->uc_mcontext->__ss.__pc = code;
  u->uc_mcontext->__ss.__x[0] = first;
#endif
}
#endif

/* The last call of a handler; may or may not return. */
static void leave_run(Thread *t, ucontext_t *u) {
#ifdef LEAVE_BY_RETURN
  if (t->stack) {
    return_to_leave(t, u);
    return;
  }
#endif
  (void)u;
  siglongjmp(t->out, 1);
}

/* ------------------------------------------------------------- the handlers */

/* The record of this thread, for handlers. They run on any thread of the
** program; 'self' would be allocated there by its first use, in a signal. */
static Thread *find_self(void) {
  pthread_t me = pthread_self();
  unsigned n = atomic_load(&thread_count);
  for (unsigned i = 0; i < n && i < MAX_THREADS; i++) {
    Thread *t = __atomic_load_n(&threads[i], __ATOMIC_ACQUIRE);
    if (t && !atomic_load(&t->gone) && pthread_equal(t->id, me)) return t;
  }
  return NULL;
}

/* True for the first signal that ends a run: later ones, while its handler is
** running, neither nest nor change the reported fault. */
static bool end_run(Thread *t) {
  return t && atomic_exchange_explicit(&t->inside, 0, memory_order_relaxed);
}

/* A signal that is not about a kernel goes to the handler that was there
** before: a program around this library may have one for faults of its own that
** it survives, or use SIGURG. False: there was none. */
static bool hand_on(const struct sigaction *was, int signal, siginfo_t *info,
                    void *context) {
  if (was->sa_flags & SA_SIGINFO) was->sa_sigaction(signal, info, context);
  else if (was->sa_handler == SIG_DFL || was->sa_handler == SIG_IGN)
    return false;
  else was->sa_handler(signal);
  return true;
}

/* That handler may raise the signal again for the one before it, which is this
** one, if it was installed in between: then the frame here is below the first
** one's, and the program ends as it would without handlers. (A handler that was
** left by a jump leaves a frame that is not above.) */
static void hand_on_fault(int signal, siginfo_t *info, void *context) {
  static atomic_uintptr_t handing_on; /* the frame; 0: none */
  struct sigaction plain = {.sa_handler = SIG_DFL};
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  size_t i = 0;
  while (i + 1 < FAULTS && faults[i] != signal) i++;
  uintptr_t first = atomic_exchange(&handing_on, frame);
  bool again = frame < first && first - frame < STACK_BYTES;
  if (again || !hand_on(&before[i], signal, info, context))
    sigaction(signal, &plain, NULL); /* it faults again, and ends it */
  atomic_store(&handing_on, 0);
}

static void on_fault(int signal, siginfo_t *info, void *context) {
  Thread *t = find_self();
  if (!end_run(t)) {
    hand_on_fault(signal, info, context);
    return;
  }
  mt_Fault *f = &t->worker->fault;
  mt_Signal s = signal_of(signal, info, context);
  f->kind = kind_of(t, &s);
  f->address = s.address;
  /* in a C function that a kernel called */
  uintptr_t caller = t->worker->group.caller;
  f->instruction = caller ? caller - 1 : instruction(context);
  f->write = mt_fault_is_write(&s);
  leave_run(t, context);
}

/* Has the run that is in progress to end? Else the signal was for a launch that
** has ended meanwhile. */
static bool is_to_stop(const Thread *t) {
  if (!atomic_load_explicit(&t->inside, memory_order_relaxed)) return false;
  const atomic_int *stop = t->worker->group.stop;
  return stop && atomic_load(stop) != MT_STOP_NO;
}

static void on_stop(int signal, siginfo_t *info, void *context) {
  Thread *t = find_self();
  if (!t || !atomic_load_explicit(&t->inside, memory_order_relaxed))
    hand_on(&before_stop, signal, info, context);
  if (!t || t->shielded || !is_to_stop(t) || !end_run(t)) return;
  t->worker->fault.kind = MT_FAULT_STOPPED;
  leave_run(t, context);
}

/* Where it is ours already (another library replaced some of them), what was
** there before it stays known. */
static void replace(int signal, const struct sigaction *ours,
                    struct sigaction *was) {
  struct sigaction old;
  if (sigaction(signal, ours, &old) != 0) return;
  if (!(old.sa_flags & SA_SIGINFO) || old.sa_sigaction != ours->sa_sigaction)
    *was = old;
}

static void install(void) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  sigemptyset(&a.sa_mask);
  /* Not blocked within itself: a jump out does not restore the mask. */
  a.sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER;
  a.sa_sigaction = on_fault;
  for (size_t i = 0; i < FAULTS; i++) replace(faults[i], &a, &before[i]);
  a.sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER | SA_RESTART;
  a.sa_sigaction = on_stop;
  replace(STOP_SIGNAL, &a, &before_stop);
}

/* -------------------------------------------------------------- the threads */

/* Handlers need their own stack for when the thread's has overflowed. */
static void give_signal_stack(Thread *t) {
  stack_t old;
  t->signal_stack = NULL;
  if (sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE) &&
      old.ss_size >= 64 * 1024)
    return;
  void *memory = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t fresh = {.ss_sp = memory, .ss_size = STACK_BYTES};
  sigaltstack(&fresh, NULL);
  t->signal_stack = memory;
}

/* Other libraries (a debugger's, a test framework) replace handlers. */
void mt_guard_ready(void) {
  struct sigaction now;
  if (sigaction(SIGSEGV, NULL, &now) != 0 || !(now.sa_flags & SA_SIGINFO) ||
      now.sa_sigaction != on_fault)
    install();
}

/* Called on a thread that ends: its record becomes free. */
static void on_thread_end(void *record) {
  Thread *t = record;
  stack_t none = {.ss_flags = SS_DISABLE};
  if (t->signal_stack) {
    sigaltstack(&none, NULL);
    munmap(t->signal_stack, STACK_BYTES);
  }
  mt_host_memory_free(t->stack, t->stack_size);
  t->stack = NULL;
  pthread_mutex_lock(&roll);
  atomic_store(&t->gone, 1);
  pthread_mutex_unlock(&roll);
}

static pthread_key_t thread_end;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;
static void make_thread_end(void) {
  pthread_key_create(&thread_end, on_thread_end);
}

/* A free record, or a new one; NULL: out of memory, or too many threads. */
static Thread *take_record(void) {
  unsigned n = atomic_load(&thread_count);
  for (unsigned i = 0; i < n && i < MAX_THREADS; i++) {
    Thread *t = __atomic_load_n(&threads[i], __ATOMIC_ACQUIRE);
    int gone = 1;
    if (t && atomic_compare_exchange_strong(&t->gone, &gone, 0)) return t;
  }
  Thread *t = calloc(1, sizeof *t);
  unsigned at = t ? atomic_fetch_add(&thread_count, 1) : MAX_THREADS;
  if (at >= MAX_THREADS) {
    free(t);
    return NULL;
  }
  __atomic_store_n(&threads[at], t, __ATOMIC_RELEASE);
  return t;
}

static Thread *register_thread(void) {
  pthread_mutex_lock(&roll);
  Thread *t = take_record();
  if (t) t->id = pthread_self();
  pthread_mutex_unlock(&roll);
  if (t == NULL) return NULL;
#ifdef OWN_STACK
  t->stack_size = KERNEL_BYTES;
  t->stack = mt_host_memory_new(t->stack_size);
#endif
  give_signal_stack(t);
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, STOP_SIGNAL);
  pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
  pthread_once(&thread_end_once, make_thread_end);
  pthread_setspecific(thread_end, t);
  return t;
}

/*
** A kernel that writes past the end of its own arrays must not hit the
** program's stack: it has its own, between guard pages.
*/
#ifdef OWN_STACK
void mt_guard_call(void (*body)(void *), void *context, void *top);
#ifdef __APPLE__
#define CALL "_mt_guard_call"
#else
#define CALL "mt_guard_call"
#endif
#if defined(__x86_64__)
__asm__(".text\n.globl " CALL "\n" CALL ":\n"
        "  .cfi_startproc\n"
        "  pushq %rbp\n  .cfi_def_cfa_offset 16\n  .cfi_offset %rbp, -16\n"
        "  movq %rsp, %rbp\n  .cfi_def_cfa_register %rbp\n"
        "  movq %rdx, %rsp\n  movq %rdi, %rax\n  movq %rsi, %rdi\n"
        "  call *%rax\n"
        "  movq %rbp, %rsp\n  popq %rbp\n  .cfi_def_cfa %rsp, 8\n  ret\n"
        "  .cfi_endproc\n");
#else
__asm__(
    ".text\n.p2align 2\n.globl " CALL "\n" CALL
    ":\n"
    "  .cfi_startproc\n"
    "  stp x29, x30, [sp, #-16]!\n  .cfi_def_cfa_offset 16\n"
    "  .cfi_offset x29, -16\n  .cfi_offset x30, -8\n"
    "  mov x29, sp\n  .cfi_def_cfa_register x29\n"
    "  mov sp, x2\n  mov x9, x0\n  mov x0, x1\n  blr x9\n"
    "  mov sp, x29\n  ldp x29, x30, [sp], #16\n  .cfi_def_cfa sp, 0\n  ret\n"
    "  .cfi_endproc\n");
#endif

/* AddressSanitizer has to be told of a stack switch, before and after. */
#ifdef __SANITIZE_ADDRESS__
typedef struct There {
  Thread *thread;
  void (*body)(void *);
  void *context;
} There;

static void go_back(Thread *t) {
  __sanitizer_start_switch_fiber(NULL, t->bottom, t->size);
}

static void call_there(void *context) {
  There *there = context;
  Thread *t = there->thread;
  __sanitizer_finish_switch_fiber(NULL, &t->bottom, &t->size);
  there->body(there->context);
  go_back(t);
}

static void call_on_stack(Thread *t, void (*body)(void *), void *context) {
  There there = {t, body, context};
  __sanitizer_start_switch_fiber(&t->fake, t->stack, t->stack_size);
  mt_guard_call(call_there, &there, t->stack + t->stack_size);
  __sanitizer_finish_switch_fiber(t->fake, NULL, NULL);
}

/* The same after a jump, which leaves poisoned frames. */
static void came_back(Thread *t) {
  if (!t->stack) return;
  __asan_unpoison_memory_region(t->stack, t->stack_size);
  go_back(t);
  __sanitizer_finish_switch_fiber(t->fake, NULL, NULL);
}
#else
static void call_on_stack(Thread *t, void (*body)(void *), void *context) {
  mt_guard_call(body, context, t->stack + t->stack_size);
}
static void came_back(Thread *t) { (void)t; }
#endif

static void call_body(Thread *t, void (*body)(void *), void *context) {
  if (t->stack)
    call_on_stack(t, body, context);
  else
    body(context);
}
#else
static void came_back(Thread *t) { (void)t; }
static void call_body(Thread *t, void (*body)(void *), void *context) {
  (void)t;
  body(context);
}
#endif

/* Not inlined, so that no variable is kept in a register across the jump. */
__attribute__((noinline)) static bool run_inside(Thread *t,
                                                 void (*body)(void *),
                                                 void *context) {
  if (sigsetjmp(t->out, SAVE_MASK)) {
    came_back(t);
    return false;
  }
  atomic_store(&t->inside, 1);
  call_body(t, body, context);
  atomic_store_explicit(&t->inside, 0, memory_order_relaxed);
  return true;
}

/* Quickly compiled code keeps every value in a stack slot, which may take more
** than the usual stack. */
static bool fit_stack(Thread *t, size_t frames) {
  if (!t->stack || t->stack_size - KERNEL_BYTES >= frames) return true;
  frames = (frames + STACK_BYTES - 1) / STACK_BYTES * STACK_BYTES;
  char *more = mt_host_memory_new(KERNEL_BYTES + frames);
  if (!more) return false;
  mt_host_memory_free(t->stack, t->stack_size);
  t->stack = more;
  t->stack_size = KERNEL_BYTES + frames;
  return true;
}

bool mt_guard_run(mt_Worker *worker, void (*body)(void *), void *context) {
  if ((!self && !(self = register_thread())) ||
      !fit_stack(self, worker->stack_bytes)) {
    worker->fault.kind = MT_FAULT_MEMORY;
    return false;
  }
  self->worker = worker;
  self->shielded = 0;
  return run_inside(self, body, context) &&
         worker->fault.kind == MT_FAULT_NONE;
}

mt_Worker *mt_guard_worker(void) { return self->worker; }

void mt_guard_shield(void) {
  if (self) self->shielded = 1;
}

void mt_guard_unshield(void) {
  if (self) self->shielded = 0;
}

/* Is a run of the launch with this 'stop' in progress there? */
static bool runs(Thread *t, const atomic_int *stop) {
  return t && !atomic_load(&t->gone) && atomic_load(&t->inside) &&
         t->worker->group.stop == stop;
}

void mt_guard_stop(const atomic_int *stop) {
  pthread_mutex_lock(&roll);
  unsigned n = atomic_load(&thread_count);
  for (unsigned i = 0; i < n && i < MAX_THREADS; i++) {
    Thread *t = __atomic_load_n(&threads[i], __ATOMIC_ACQUIRE);
    if (runs(t, stop)) pthread_kill(t->id, STOP_SIGNAL);
  }
  pthread_mutex_unlock(&roll);
}
