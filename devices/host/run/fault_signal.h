/*
** fault_signal.h - classifies the signal that a kernel raised.
**
** The result depends on the arguments alone, so the reports of other systems
** and processors can be tested on this one (test_fault_signal.c).
*/
#ifndef MT_HOST_RUN_FAULT_SIGNAL_H
#define MT_HOST_RUN_FAULT_SIGNAL_H

#include <stddef.h>
#include <stdint.h>

#include "devices/host/run/dispatch.h"

typedef enum mt_SignalSystem { MT_ON_LINUX, MT_ON_XNU } mt_SignalSystem;
typedef enum mt_SignalMachine {
  MT_ON_X86,
  MT_ON_ARM,
  MT_ON_OTHER
} mt_SignalMachine;

/* Signal numbers differ between systems. */
typedef enum mt_SignalName {
  MT_SIGNAL_SEGV, MT_SIGNAL_BUS, MT_SIGNAL_FPE, MT_SIGNAL_ILL, MT_SIGNAL_TRAP
} mt_SignalName;

typedef struct mt_Signal {
  mt_SignalSystem system;
  mt_SignalMachine machine;
  mt_SignalName name;
  int code;             /* si_code */
  uintptr_t address;    /* si_addr */
  bool has_syndrome;    /* 'syndrome' and 'trap' are known */
  uint64_t syndrome;    /* x86: the error code; ARM: the exception syndrome */
  unsigned trap;        /* x86: the exception number */
  unsigned char at[4];  /* code bytes at the instruction that faulted */
} mt_Signal;

/* Memory of the kernel with guard pages around it. */
typedef struct mt_KnownRange {
  uintptr_t start;
  size_t size;          /* 0: none */
  mt_FaultKind outside; /* the fault of an access past its bounds */
} mt_KnownRange;

mt_FaultKind mt_fault_kind(const mt_Signal *s, const mt_KnownRange *known,
                           size_t count);

/* 1: write, 0: read, -1: the processor does not tell. */
int mt_fault_is_write(const mt_Signal *s);

#endif
