/*
** profiler.h - shared by the files that insert the profiler's counters.
*/
#ifndef MT_HOST_INSTRUMENT_PROFILER_H
#define MT_HOST_INSTRUMENT_PROFILER_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdint.h>

/* live_registers.c: about how many registers of 32 bits a thread of the
** function needs on a GPU; 0: not known. */
uint32_t mt_live_registers(LLVMValueRef function, LLVMTargetDataRef layout);

#endif
