/*
** fiber.h - the threads of a threadgroup as fibers, each with its own stack, on
** one OS thread.
**
** A kernel that runs thread by thread (scalar/scalar.c) and synchronises has to
** suspend each thread in the middle. A thread that arrives at a barrier or a
** cross-lane operation records its position (its key) and its operands and
** switches to the scheduler. When no thread of a SIMD-group can run, those with
** the least key are the active ones, and the operation is executed for them: so
** lanes reconverge as early as they can.
*/
#ifndef MT_HOST_RUN_FIBER_H
#define MT_HOST_RUN_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/host/abi/abi.h"

/* A key is a thread's position: outermost loop in the kernel's block order, its
** iteration, next loop, its iteration, …, and at last the block and the number
** of the call. Keys compare lexicographically; the lesser one has come less
** far. */
#define MT_KEY_MAX 64

typedef enum mt_FiberState {
  MT_FIBER_READY,
  MT_FIBER_WAITS,
  MT_FIBER_AT_BARRIER,
  MT_FIBER_DONE
} mt_FiberState;

typedef struct mt_Fiber {
  /* Accessed by generated code (scalar/scalar.c): keep these first. */
  uint32_t index; /* thread_index_in_threadgroup */
  uint32_t key_length;
  uint32_t key[MT_KEY_MAX];
  /* cells of a shuffle's operands (prepare/inactive_lanes.h); -1: none */
  int32_t cell[2];
  /* For the scheduler: */
  mt_FiberState state;
  uint32_t op;       /* crosslane_reference.h */
  uint32_t line;     /* source line of the call */
  uint64_t arg[4];
  uint64_t result;
  uint64_t *held;    /* values of its cells */
  void *stack_pointer;
  struct mt_Fibers *all;
} mt_Fiber;

/* The code of one thread, which passes 'self' to mt_fiber_wait. */
typedef void mt_ThreadCode(mt_Group *group, mt_Fiber *self, uint32_t x,
                           uint32_t y, uint32_t z);

/* Called by generated code. */
uint64_t mt_fiber_wait(mt_Fiber *self, uint32_t op, uint32_t line, uint64_t a,
                       uint64_t b, uint64_t c, uint64_t d);
/* Called by the recorder, in a thread that runs as a fiber: the other lanes of
** its SIMD-group run first, each until it yields or waits. */
void mt_fiber_yield(const mt_Group *group, uint32_t index);
void mt_fibers_run(mt_Group *group, mt_ThreadCode *code,
                   uint64_t private_bytes, uint64_t without_returned,
                   uint64_t cells);

/* A worker's fibers and their stacks, kept from launch to launch. */
typedef struct mt_Fibers mt_Fibers;
mt_Fibers *mt_fibers_new(void);
void mt_fibers_free(mt_Fibers *f);
/* Is 'address' in the stacks or their guard pages? Safe in a signal handler. */
bool mt_fibers_around(const mt_Fibers *f, uintptr_t address);

#endif
