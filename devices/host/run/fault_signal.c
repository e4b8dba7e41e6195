/*
** fault_signal.c - classifies the signal that a kernel raised, see
** fault_signal.h.
**
** The one idea: trust the processor's information where there is any, since
** systems differ. On Apple silicon XNU reports an access to a protected page,
** such as the guard pages around buffers, as SIGBUS for a misaligned address;
** the syndrome has the reason. On x86 a misaligned vector and a non-canonical
** address are exception 13, whatever the signal says.
*/
#include "devices/host/run/fault_signal.h"

#include "devices/host/host.h"

#define X86_PROTECTION 13u    /* general protection */
#define ARM_REASON 0x3fu      /* fault status code of a data abort */
#define ARM_MISALIGNED 0x21u
#define LINUX_BY_KERNEL 0x80  /* SI_KERNEL: no address is known */
#define BY_ALIGNMENT 1        /* BUS_ADRALN, on both systems */

static bool is_misaligned(const mt_Signal *s) {
  if (s->machine == MT_ON_X86)
    return (s->has_syndrome && s->trap == X86_PROTECTION) ||
           (s->system == MT_ON_LINUX && s->name == MT_SIGNAL_SEGV &&
            s->code == LINUX_BY_KERNEL);
  if (s->name != MT_SIGNAL_BUS) return false;
  if (s->has_syndrome && s->machine == MT_ON_ARM)
    return (s->syndrome & ARM_REASON) == ARM_MISALIGNED;
  return s->system == MT_ON_LINUX && s->code == BY_ALIGNMENT;
}

/* __builtin_trap or unreachable code; else an instruction the CPU lacks. */
static bool is_trap(const mt_Signal *s) {
  if (s->name == MT_SIGNAL_TRAP) return true;
  return s->machine == MT_ON_X86 && s->at[0] == 0x0f && s->at[1] == 0x0b;
}

/* In the range or its guard pages, where nothing else is mapped. */
static bool is_around(uintptr_t address, const mt_KnownRange *r) {
  return r->size && address >= r->start - MT_HOST_MOAT &&
         address < r->start + r->size + MT_HOST_MOAT;
}

mt_FaultKind mt_fault_kind(const mt_Signal *s, const mt_KnownRange *known,
                           size_t count) {
  if (s->name == MT_SIGNAL_FPE) return MT_FAULT_DIVIDE;
  if (s->name == MT_SIGNAL_ILL || s->name == MT_SIGNAL_TRAP)
    return is_trap(s) ? MT_FAULT_TRAP : MT_FAULT_CODE;
  if (is_misaligned(s)) return MT_FAULT_ALIGN;
  for (size_t i = 0; i < count; i++)
    if (is_around(s->address, &known[i])) return known[i].outside;
  return MT_FAULT_ACCESS;
}

int mt_fault_is_write(const mt_Signal *s) {
  if (!s->has_syndrome ||
      (s->name != MT_SIGNAL_SEGV && s->name != MT_SIGNAL_BUS))
    return -1;
  switch (s->machine) {
    case MT_ON_X86:
      return s->trap == X86_PROTECTION ? -1 : (int)(s->syndrome >> 1 & 1);
    case MT_ON_ARM: return (int)(s->syndrome >> 6 & 1);
    default: return -1;
  }
}
