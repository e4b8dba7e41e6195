/*
** dispatch.h - runs the threadgroups of a launch on all cores: the state of one
** worker thread, and the faults that can end a launch.
*/
#ifndef MT_HOST_RUN_DISPATCH_H
#define MT_HOST_RUN_DISPATCH_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "devices/device.h"
#include "devices/host/abi/abi.h"
#include "devices/host/native/native.h"
#include "devices/host/run/fiber.h"
#include "devices/host/run/kept_tiles.h"

/* Threadgroup variables and arguments are aligned to 16 bytes. */
static inline size_t mt_align16(size_t n) { return (n + 15) / 16 * 16; }

/* An address below this comes from a null pointer: no system maps memory
** there. */
#define MT_NEAR_NULL ((uintptr_t)64 << 10)

typedef enum mt_FaultKind {
  MT_FAULT_NONE,
  MT_FAULT_ACCESS,   /* unmapped memory, at 'address' */
  MT_FAULT_ALIGN,    /* misaligned for the instruction */
  MT_FAULT_DIVIDE,   /* integer division by zero, or INT_MIN / -1 */
  MT_FAULT_PRIVATE,  /* outside private memory, or it ran out */
  MT_FAULT_THREADGROUP, /* outside threadgroup memory */
  MT_FAULT_CODE,     /* an instruction this CPU does not have */
  MT_FAULT_TRAP,     /* __builtin_trap, or unreachable code */
  MT_FAULT_BARRIER,  /* 'reached' of 'expected' threads are at 'line' */
  MT_FAULT_ASSERT,   /* assert('text') failed for the thread 'at' */
  MT_FAULT_MEMORY,   /* no memory for stacks */
  MT_FAULT_STOPPED   /* by mt_guard_stop */
} mt_FaultKind;

typedef struct mt_Fault {
  mt_FaultKind kind;
  uintptr_t address;
  uintptr_t instruction;  /* that faulted; 0: none */
  int write;              /* 1 write, 0 read, -1 not known */
  uint32_t position[3];   /* of the threadgroup */
  bool near;              /* or of one of its neighbours along x */
  unsigned line;          /* 0: not known */
  uint64_t params;        /* access: see params_at of mt_Runnable */
  unsigned reached, expected; /* barrier */
  bool elsewhere;         /* the other threads wait at another barrier */
  uint32_t at[3];         /* assert: the thread's position in the grid */
  bool unplaced;          /* which is not known before the thread ends */
  char text[120];
} mt_Fault;

/* One for each thread of the pool; used by the running launch. */
typedef struct mt_Worker {
  mt_Group group;
  const struct mt_Runnable *what; /* the code it runs */
  mt_Fault fault;
  mt_Fibers *fibers;      /* created when first needed */
  char *threadgroup;      /* memory for threadgroup variables and arguments */
  size_t threadgroup_size;
  char *spill;
  size_t spill_size;
  size_t stack_bytes;     /* of large frames in its code */
  mt_KeptTiles kept;
  uint64_t *args;         /* this worker's copy: threadgroup arguments differ */
  size_t arg_count;
} mt_Worker;

#define MT_ALL_RUN UINT64_MAX

/* Compiled code for one geometry class. */
typedef struct mt_Runnable {
  mt_GroupCode *code;
  const struct mt_Code *loaded; /* where 'code' was loaded; for line numbers */
  size_t threadgroup_bytes; /* of the kernel's threadgroup variables */
  size_t spill_bytes;
  size_t stack_bytes; /* of large frames in the code */
  bool by_rows; /* it runs MT_ROW_THREADS threads of a row of the grid, and not
                ** a threadgroup of the launch */
  /* Kept tiles that depend on a group's x (run/kept_tiles.h): bytes of an
  ** iteration, 0 if there are none, and how many iterations the last launch
  ** had, 0 if that is not known; updated by mt_dispatch. */
  uint64_t kept_bytes, *iterations;
  /* Nanoseconds per threadgroup, measured by the last launch; 0: not known.
  ** Updated by mt_dispatch. NULL: not measured. */
  double *group_ns;
  /* Instrumented code: mt_Group.observer. Groups run one after the other on the
  ** calling thread, in the order that 'order' gives (NULL: by number), and
  ** 'before' is called ahead of each. */
  void *observer;
  void (*before)(const mt_Group *group, uint64_t number);
  uint64_t (*order)(void *observer, uint64_t turn);
  /* The same in fibers: 'turn' gives which of n SIMD-groups or lanes runs at
  ** step i (NULL: i); 'active' is told which lanes of 'sg' execute an operation
  ** together; a barrier that not all threads reach is passed and no error. */
  uint32_t (*turn)(void *observer, uint32_t i, uint32_t n);
  void (*active)(void *observer, uint32_t sg, uint32_t lanes);
  bool passes_barriers;
  bool quiet; /* an earlier run has logged the kernel's messages */
  /* After a stray access on 'line': a bit for each parameter whose memory such
  ** an access there may mean ('write' as in mt_Fault); 0: not known. NULL:
  ** never known. */
  uint64_t (*params_at)(const struct mt_Runnable *what, const mt_Launch *launch,
                        unsigned line, int write);
  /* A launch may change to better code on the way. 'first': number of the
  ** first threadgroup to run; 'used': seconds of the launch's time limit that
  ** are spent. 'superseded' (or NULL) is asked by the calling thread now and
  ** then: is there better code? If so, no further threadgroup is started, and
  ** '*next' is the first that was not run; else MT_ALL_RUN. Not for launches
  ** that repeat. */
  uint64_t first, *next;
  double used;
  bool (*superseded)(void *context);
  void *context;
} mt_Runnable;

/* Run 'launch' (validated by devices/launch.c) with this code, on all cores. */
mt_Status mt_dispatch(const mt_Launch *launch, const mt_Runnable *what,
                      mt_Timing *out, mt_Error *err);

/* The same for instrumented code, on the calling thread alone. Meanwhile other
** threads may have their turn (mt_device_take_turns). */
mt_Status mt_dispatch_observed(const mt_Launch *launch, const mt_Runnable *what,
                               mt_Error *err);

#endif
