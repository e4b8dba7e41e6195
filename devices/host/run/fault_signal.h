/*
** fault_signal.h - what a signal says about the kernel that raised it.
**
** The answer depends on nothing but what is handed in, so that what another
** system and processor report can be tried on this one
** (tests/c/test_fault_signal.c).
*/
#ifndef MT_HOST_RUN_FAULT_SIGNAL_H
#define MT_HOST_RUN_FAULT_SIGNAL_H

#include <stddef.h>
#include <stdint.h>

#include "devices/host/run/dispatch.h"

typedef enum mt_SignalSystem { MT_ON_LINUX, MT_ON_XNU } mt_SignalSystem;
typedef enum mt_SignalMachine { MT_ON_X86, MT_ON_ARM, MT_ON_OTHER } mt_SignalMachine;

/* Their numbers differ between systems. */
typedef enum mt_SignalName {
  MT_SIGNAL_SEGV, MT_SIGNAL_BUS, MT_SIGNAL_FPE, MT_SIGNAL_ILL, MT_SIGNAL_TRAP
} mt_SignalName;

typedef struct mt_Signal {
  mt_SignalSystem system;
  mt_SignalMachine machine;
  mt_SignalName name;
  int code;             /* siginfo's */
  uintptr_t address;    /* siginfo's */
  bool has_syndrome;    /* the next two are known */
  uint64_t syndrome;    /* x86: the error code; ARM: the exception syndrome */
  unsigned trap;        /* x86: the number of the exception */
  unsigned char at[4];  /* of the code, where it stopped */
} mt_Signal;

/* Memory that the kernel has, whose surroundings lead nowhere. */
typedef struct mt_KnownRange {
  uintptr_t start;
  size_t size;          /* 0: there is none */
  mt_FaultKind outside; /* what it is to leave it */
} mt_KnownRange;

mt_FaultKind mt_fault_kind(const mt_Signal *s, const mt_KnownRange *known,
                           size_t count);

/* 1 a write, 0 a read, -1 the machine does not say. */
int mt_fault_is_write(const mt_Signal *s);

#endif
