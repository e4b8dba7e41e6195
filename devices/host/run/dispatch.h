/*
** dispatch.h - what one OS thread needs to run threadgroups, and what can go
** wrong on it.
*/
#ifndef MT_HOST_RUN_DISPATCH_H
#define MT_HOST_RUN_DISPATCH_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "devices/device.h"
#include "devices/host/abi/group.h"
#include "devices/host/native/native.h"
#include "devices/host/run/fiber.h"

/* What lies in threadgroup memory starts at a multiple of 16 bytes. */
static inline size_t mt_align16(size_t n) { return (n + 15) / 16 * 16; }

/* An address below this is a null pointer's: no system has memory there. */
#define MT_NEAR_NULL ((uintptr_t)64 << 10)

typedef enum mt_FaultKind {
  MT_FAULT_NONE,
  MT_FAULT_ACCESS,   /* memory that is not there: 'address' */
  MT_FAULT_ALIGN,    /* misaligned for the instruction */
  MT_FAULT_DIVIDE,   /* integer division by zero, or INT_MIN / -1 */
  MT_FAULT_PRIVATE,  /* outside of private memory, or it ran out */
  MT_FAULT_THREADGROUP, /* outside of threadgroup memory */
  MT_FAULT_CODE,     /* an instruction this CPU does not have */
  MT_FAULT_TRAP,     /* __builtin_trap, or where nobody can come */
  MT_FAULT_BARRIER,  /* 'reached' of 'expected' threads came to 'line' */
  MT_FAULT_ASSERT,   /* assert('text') did not hold for 'at' */
  MT_FAULT_MEMORY,   /* no memory for stacks */
  MT_FAULT_STOPPED   /* by mt_guard_stop */
} mt_FaultKind;

typedef struct mt_Fault {
  mt_FaultKind kind;
  uintptr_t address;
  uintptr_t instruction;  /* that did it; 0: none */
  int write;              /* 1 write, 0 read, -1 not known */
  uint32_t position[3];   /* the threadgroup */
  unsigned line;          /* 0: not known */
  unsigned reached, expected; /* barrier */
  bool elsewhere;         /* the others wait at another barrier */
  uint32_t at[3];         /* assert: the thread's position in the grid */
  char text[120];
} mt_Fault;

/* One for each thread of the pool; belongs to the launch that runs. */
typedef struct mt_Worker {
  mt_Group group;
  const struct mt_Runnable *what; /* it runs */
  mt_Fault fault;
  mt_Fibers *fibers;      /* made when first needed */
  char *threadgroup;      /* memory for threadgroup variables and arguments */
  size_t threadgroup_size;
  char *spill;
  size_t spill_size;
  size_t stack_bytes;     /* of large frames in its code */
  uint64_t *args;         /* this worker's copy: threadgroup arguments differ */
  size_t arg_count;
} mt_Worker;

/* Compiled code for one geometry class. */
typedef struct mt_Runnable {
  mt_GroupCode *code;
  const struct mt_Code *loaded; /* it is from here; for reports */
  size_t threadgroup_bytes; /* of the kernel's threadgroup variables */
  size_t spill_bytes;
  size_t stack_bytes; /* of large frames in the code */
  /* Nanoseconds of one threadgroup, as the last launch had it; 0: not known.
  ** Kept up to date by mt_dispatch. NULL: nobody asks. */
  double *group_ns;
  /* For the checker: groups one after the other on one core, in the order that
  ** 'order' gives (NULL: by number), each announced to 'before'. */
  void (*before)(const mt_Group *group, uint64_t number);
  uint64_t (*order)(uint64_t turn);
  /* And of threads that wait for each other: whose turn it is, number i of n,
  ** among SIMD-groups or lanes (NULL: i); these lanes of 'sg' do an operation
  ** together; a barrier that not all reach is passed, not an error. */
  uint32_t (*turn)(uint32_t i, uint32_t n);
  void (*active)(uint32_t sg, uint32_t lanes);
  bool passes_barriers;
  bool quiet; /* what the kernel logs was told by an earlier run */
} mt_Runnable;

/* Run 'launch' (checked, by devices/launch.c) with this code, on all cores. */
mt_Status mt_dispatch(const mt_Launch *launch, const mt_Runnable *what,
                      mt_Timing *out, mt_Error *err);

#endif
