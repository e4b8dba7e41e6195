/*
** fiber.h - the threads of a threadgroup, each with a stack of its own, on one
** OS thread.
**
** A kernel that is run thread by thread (scalar/scalar.c) and waits for others
** needs each of its threads to stop in the middle. A thread that comes to a
** barrier or a cross-lane operation writes down where it is (its key) and what
** it brings, and switches to the scheduler. When no thread of a SIMD-group can
** go on, those that are furthest behind and at the same place are its active
** threads, and the operation is done for them.
*/
#ifndef MT_HOST_RUN_FIBER_H
#define MT_HOST_RUN_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/host/abi/group.h"

/* A key says where a thread is: place of the outermost loop in the kernel's
** order, iteration, place in that loop, iteration, … and at last the place of
** the call and its line. The lesser key, compared number by number, is
** behind. */
#define MT_KEY_MAX 64

typedef enum mt_FiberState {
  MT_FIBER_READY,
  MT_FIBER_WAITS,
  MT_FIBER_AT_BARRIER,
  MT_FIBER_DONE
} mt_FiberState;

typedef struct mt_Fiber {
  /* Written and read by generated code (scalar/scalar.c): keep these first. */
  uint32_t index; /* thread_index_in_threadgroup */
  uint32_t key_length;
  uint32_t key[MT_KEY_MAX];
  /* of what a shuffle moves (prepare/inactive_lanes.h); -1: none */
  int32_t cell[2];
  /* The scheduler's. */
  mt_FiberState state;
  uint32_t op;       /* crosslane_reference.h */
  uint32_t line;     /* in the source, of the call */
  uint64_t arg[4];
  uint64_t result;
  uint64_t *held;    /* its cells */
  void *stack_pointer;
  struct mt_Fibers *all;
} mt_Fiber;

/* One thread: 'self' is what it hands to mt_fiber_wait. */
typedef void mt_ThreadCode(mt_Group *group, mt_Fiber *self, uint32_t x,
                           uint32_t y, uint32_t z);

/* Helpers that generated code calls. */
uint64_t mt_fiber_wait(mt_Fiber *self, uint32_t op, uint32_t line, uint64_t a,
                       uint64_t b, uint64_t c, uint64_t d);
void mt_fibers_run(mt_Group *group, mt_ThreadCode *code,
                   uint64_t private_bytes, uint64_t without_returned,
                   uint64_t cells);

/* A worker's fibers and their stacks, kept from launch to launch. */
typedef struct mt_Fibers mt_Fibers;
mt_Fibers *mt_fibers_new(void);
void mt_fibers_free(mt_Fibers *f);
/* Is 'address' in the stacks or near them? In a signal handler. */
bool mt_fibers_around(const mt_Fibers *f, uintptr_t address);

#endif
