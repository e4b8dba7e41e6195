/*
** definedness.h - which values of a thread's own variables are defined.
**
** Memory that a kernel shares has its shadow in the program; a private variable
** may live in a register. So the kernel itself carries flags for its bytes, in
** variables beside it, and those reads that are proved to find a value need
** none.
**
**   definite_assignment.c  reads that always find a value
**   variables.c            the variables that need flags
**   uninitialised.c        the flags, and the probes of values that are used
*/
#ifndef MT_HOST_DEFINEDNESS_DEFINEDNESS_H
#define MT_HOST_DEFINEDNESS_DEFINEDNESS_H

#include "devices/host/probe/probe.h"

/* uninitialised.c: probes of uses of uninitialised private variables, and of
** what inactive lanes gave, before SROA. 'all' are the function's 'n'
** instructions. */
void mt_instrument_uninitialised(mt_Instrumenter *w, LLVMValueRef *all,
                                 size_t n);

#endif
