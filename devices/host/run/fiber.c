/*
** fiber.c - threads of a group that wait for each other, see fiber.h.
**
** The one idea: a switch is a function that saves the callee-saved registers on
** one stack and restores them from another: a dozen instructions, written here
** for x86-64 and aarch64. The rest is the scheduler: run all threads that can
** run, then execute the operation with the least key, until all threads are
** done or at a barrier.
*/
#include "devices/host/run/fiber.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/host/host.h"
#include "devices/host/run/crosslane_reference.h"
#include "devices/host/run/dispatch.h"
#include "devices/host/run/fault_guard.h"

#define SLACK (48u * 1024) /* stack besides the kernel's own arrays */

/* The sanitizers cannot follow a stack switch. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define PLAIN __attribute__((no_sanitize("address", "thread"), noinline))
#else
#define PLAIN __attribute__((noinline))
#endif

struct mt_Fibers {
  mt_Fiber *fiber;      /* as many as the largest group so far */
  size_t count;
  char *stacks;
  size_t stack_size;    /* of one fiber */
  size_t mapped;        /* bytes at 'stacks', between guard pages */
  uint64_t *held; /* values of the threads' cells (prepare/inactive_lanes.h) */
  size_t held_room;
  void *scheduler;      /* stack pointer of the caller of mt_fibers_run */
  mt_Group *group;
  mt_ThreadCode *code;
  /* barriers do not wait for threads that have returned */
  bool without_returned;
};

/* ---------------------------------------------------------------- switching */

/* Save this stack in '*save', resume the one that was saved as 'to'. */
void mt_fiber_switch(void **save, void *to);
void mt_fiber_start(void);
void mt_fiber_main(mt_Fiber *self);

#ifdef __APPLE__
#define NAME(x) "_" #x
#else
#define NAME(x) #x
#endif

#if defined(__x86_64__)
__asm__(
    ".text\n"
    ".globl " NAME(mt_fiber_switch) "\n"
    NAME(mt_fiber_switch) ":\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n"
    "  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n"
    "  popq %r12\n  popq %rbx\n  popq %rbp\n"
    "  ret\n"
    ".globl " NAME(mt_fiber_start) "\n"
    NAME(mt_fiber_start) ":\n"
    "  movq %r12, %rdi\n"
    "  call " NAME(mt_fiber_main) "\n"
    "  ud2\n");

static void *fresh_stack(char *top, mt_Fiber *f) {
  void **sp = (void **)top - 7; /* r15 r14 r13 r12 rbx rbp, return */
  memset(sp, 0, 7 * sizeof *sp);
  sp[3] = f;
  sp[6] = (void *)(uintptr_t)mt_fiber_start;
  return sp;
}
#elif defined(__aarch64__)
__asm__(
    ".text\n"
    ".p2align 2\n"
    ".globl " NAME(mt_fiber_switch) "\n"
    NAME(mt_fiber_switch) ":\n"
    "  stp x29, x30, [sp, #-160]!\n"
    "  stp x19, x20, [sp, #16]\n  stp x21, x22, [sp, #32]\n"
    "  stp x23, x24, [sp, #48]\n  stp x25, x26, [sp, #64]\n"
    "  stp x27, x28, [sp, #80]\n  stp d8, d9, [sp, #96]\n"
    "  stp d10, d11, [sp, #112]\n  stp d12, d13, [sp, #128]\n"
    "  stp d14, d15, [sp, #144]\n"
    "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
    "  ldp x19, x20, [sp, #16]\n  ldp x21, x22, [sp, #32]\n"
    "  ldp x23, x24, [sp, #48]\n  ldp x25, x26, [sp, #64]\n"
    "  ldp x27, x28, [sp, #80]\n  ldp d8, d9, [sp, #96]\n"
    "  ldp d10, d11, [sp, #112]\n  ldp d12, d13, [sp, #128]\n"
    "  ldp d14, d15, [sp, #144]\n"
    "  ldp x29, x30, [sp], #160\n"
    "  ret\n"
    ".globl " NAME(mt_fiber_start) "\n"
    NAME(mt_fiber_start) ":\n"
    "  mov x0, x19\n"
    "  bl " NAME(mt_fiber_main) "\n"
    "  brk #0\n");

static void *fresh_stack(char *top, mt_Fiber *f) {
  void **sp = (void **)top - 20; /* x29 x30, x19 … x28, d8 … d15 */
  memset(sp, 0, 20 * sizeof *sp);
  sp[1] = (void *)(uintptr_t)mt_fiber_start;
  sp[2] = f;
  return sp;
}
#else
#error "fiber.c: write the switch for this CPU (see the two that are there)"
#endif

/* ------------------------------------------------------- on a fiber's stack */

/* Entered by mt_fiber_start on the thread's own stack; never returns. */
PLAIN void mt_fiber_main(mt_Fiber *self) {
  mt_Fibers *all = self->all;
  const uint32_t *size = all->group->actual;
  uint32_t i = self->index;
  all->code(all->group, self, i % size[0], i / size[0] % size[1],
            i / size[0] / size[1]);
  self->state = MT_FIBER_DONE;
  mt_fiber_switch(&self->stack_pointer, all->scheduler);
  abort(); /* a thread that is done is not resumed */
}

PLAIN uint64_t mt_fiber_wait(mt_Fiber *self, uint32_t op, uint32_t line,
                             uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  self->arg[0] = a;
  self->arg[1] = b;
  self->arg[2] = c;
  self->arg[3] = d;
  if (mt_lane_is_local(op))
    return mt_lane_local(op, self->index % MT_LANES, self->arg);
  self->op = op;
  self->line = line;
  self->state = op == MT_OP_BARRIER ? MT_FIBER_AT_BARRIER : MT_FIBER_WAITS;
  mt_fiber_switch(&self->stack_pointer, self->all->scheduler);
  return self->result;
}

PLAIN void mt_fiber_yield(const mt_Group *group, uint32_t index) {
  mt_Fibers *all = group->worker->fibers;
  mt_fiber_switch(&all->fiber[index].stack_pointer, all->scheduler);
}

/* ------------------------------------------------------------- a SIMD-group */

/* Less than 0: 'a' has come less far than 'b'. */
static int compare_keys(const mt_Fiber *a, const mt_Fiber *b) {
  uint32_t n = a->key_length < b->key_length ? a->key_length : b->key_length;
  for (uint32_t i = 0; i < n; i++)
    if (a->key[i] != b->key[i]) return a->key[i] < b->key[i] ? -1 : 1;
  return (a->key_length > b->key_length) - (a->key_length < b->key_length);
}

/* The lane, or SIMD-group, that runs at step i of n. */
static uint32_t turn(const mt_Fibers *f, uint32_t i, uint32_t n) {
  const mt_Runnable *what = f->group->worker->what;
  return what->turn ? what->turn(what->observer, i, n) : i;
}

PLAIN static void run_ready(mt_Fibers *f, mt_Fiber *lane, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    unsigned l = turn(f, i, n);
    if (lane[l].state == MT_FIBER_READY)
      mt_fiber_switch(&f->scheduler, lane[l].stack_pointer);
  }
}

/* The value that an inactive lane gives to lanes that read from it. */
static void bring_held(const mt_Fiber *lane, const int32_t cell[2],
                       uint64_t arg[4]) {
  for (int k = 0; k < 2; k++)
    if (cell[k] >= 0) arg[k] = lane->held[cell[k]];
}

/* Execute the operation with the least key. False: no lane waits. */
static bool do_next(mt_Fibers *f, mt_Fiber *lane, unsigned n) {
  const mt_Runnable *what = f->group->worker->what;
  mt_Fiber *least = NULL;
  for (unsigned l = 0; l < n; l++)
    if (lane[l].state == MT_FIBER_WAITS &&
        (!least || compare_keys(&lane[l], least) < 0))
      least = &lane[l];
  if (!least) return false;
  uint64_t arg[MT_LANES][4] = {{0}}, result[MT_LANES] = {0};
  uint32_t active = 0;
  for (unsigned l = 0; l < n; l++) {
    if (lane[l].state != MT_FIBER_WAITS ||
        compare_keys(&lane[l], least) != 0) {
      bring_held(&lane[l], least->cell, arg[l]);
      continue;
    }
    active |= 1u << l;
    memcpy(arg[l], lane[l].arg, sizeof arg[l]);
    if (mt_lane_is_hold(least->op)) lane[l].held[arg[l][0]] = arg[l][1];
  }
  if (what->active)
    what->active(what->observer, least->index / MT_LANES, active);
  mt_crosslane_apply(least->op, active, arg, result);
  for (unsigned l = 0; l < n; l++)
    if (active >> l & 1) {
      lane[l].result = result[l];
      lane[l].state = MT_FIBER_READY;
    }
  return true;
}

/* Has a lane yielded? */
static bool is_ready(const mt_Fiber *lane, unsigned n) {
  for (unsigned l = 0; l < n; l++)
    if (lane[l].state == MT_FIBER_READY) return true;
  return false;
}

/* Run a SIMD-group until each thread is done or at a barrier. */
static void run_simdgroup(mt_Fibers *f, mt_Fiber *lane, unsigned n) {
  do run_ready(f, lane, n);
  while (is_ready(lane, n) || do_next(f, lane, n));
}

/* ------------------------------------------------------------ a threadgroup */

/* No thread can run. False: all are done, or not all are at one barrier. */
static bool release_barrier(mt_Fibers *f, uint32_t threads) {
  mt_Fiber *first = NULL;
  unsigned reached = 0, together = 0;
  for (uint32_t i = 0; i < threads; i++) {
    if (f->fiber[i].state != MT_FIBER_AT_BARRIER) continue;
    if (!first) first = &f->fiber[i];
    reached++;
    together += compare_keys(first, &f->fiber[i]) == 0;
  }
  if (!first) return false;
  unsigned awaited = f->without_returned ? reached : threads;
  /* reported by the checker */
  bool torn = together != threads &&
              f->group->worker->what->passes_barriers;
  if (together != awaited && !torn) {
    mt_Fault *fault = &f->group->worker->fault;
    fault->kind = MT_FAULT_BARRIER;
    fault->line = first->line;
    fault->reached = together;
    fault->expected = threads;
    fault->elsewhere = reached != together;
    return false;
  }
  for (uint32_t i = 0; i < threads; i++)
    if (f->fiber[i].state == MT_FIBER_AT_BARRIER)
      f->fiber[i].state = MT_FIBER_READY;
  return true;
}

static void start_all(mt_Fibers *f, uint32_t threads, size_t cells) {
  memset(f->held, 0, threads * cells * sizeof *f->held);
  for (uint32_t i = 0; i < threads; i++) {
    mt_Fiber *t = &f->fiber[i];
    t->held = f->held + i * cells;
    t->cell[0] = t->cell[1] = -1;
    t->index = i;
    t->key_length = 0;
    t->state = MT_FIBER_READY;
    t->all = f;
    t->stack_pointer =
        fresh_stack(f->stacks + (i + 1) * f->stack_size, t);
  }
}

static size_t page_round(size_t n) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (n + page - 1) / page * page;
}

/* Allocate 'threads' stacks of 'size' bytes. */
static bool make_room(mt_Fibers *f, size_t threads, size_t size) {
  if (threads <= f->count && size <= f->stack_size) return true;
  if (threads < f->count) threads = f->count;
  if (size < f->stack_size) size = f->stack_size;
  mt_host_memory_free(f->stacks, f->mapped);
  free(f->fiber);
  f->count = 0;
  f->fiber = calloc(threads, sizeof *f->fiber);
  f->mapped = threads * size;
  f->stacks = mt_host_memory_new(f->mapped);
  if (!f->fiber || !f->stacks) return false;
  f->stack_size = size;
  f->count = threads;
  return true;
}

static bool make_cells(mt_Fibers *f, size_t count) {
  if (f->held && count <= f->held_room) return true;
  free(f->held);
  f->held = malloc((count + 1) * sizeof *f->held);
  f->held_room = f->held ? count : 0;
  return f->held != NULL;
}

void mt_fibers_run(mt_Group *group, mt_ThreadCode *code,
                   uint64_t private_bytes, uint64_t without_returned,
                   uint64_t cells) {
  mt_Worker *worker = group->worker;
  uint32_t threads = group->actual[0] * group->actual[1] * group->actual[2];
  mt_guard_shield(); /* allocates from here on */
  if (!worker->fibers) worker->fibers = mt_fibers_new();
  mt_Fibers *f = worker->fibers;
  bool room =
      f &&
      make_room(f, threads, page_round(private_bytes * 2 + SLACK +
                                       worker->stack_bytes)) &&
      make_cells(f, threads * cells);
  mt_guard_unshield();
  if (!room) {
    worker->fault.kind = MT_FAULT_MEMORY;
    return;
  }
  f->group = group;
  f->code = code;
  f->without_returned = without_returned != 0;
  start_all(f, threads, cells);
  uint32_t all = (threads + MT_LANES - 1) / MT_LANES;
  do {
    for (uint32_t i = 0; i < all; i++) {
      uint32_t at = turn(f, i, all) * MT_LANES;
      run_simdgroup(f, f->fiber + at,
                    threads - at < MT_LANES ? threads - at : MT_LANES);
    }
  } while (release_barrier(f, threads));
}

mt_Fibers *mt_fibers_new(void) { return calloc(1, sizeof(mt_Fibers)); }

void mt_fibers_free(mt_Fibers *f) {
  if (!f) return;
  mt_host_memory_free(f->stacks, f->mapped);
  free(f->fiber);
  free(f->held);
  free(f);
}

bool mt_fibers_around(const mt_Fibers *f, uintptr_t address) {
  uintptr_t start = (uintptr_t)f->stacks;
  return f->stacks && address >= start - MT_HOST_MOAT &&
         address < start + f->mapped + MT_HOST_MOAT;
}
