/*
** target.h - the machine that code is made for, and LLVM's passes for it.
*/
#ifndef MT_COMPILER_TARGET_TARGET_H
#define MT_COMPILER_TARGET_TARGET_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "base/status.h"

/* The machine that code is made for: this CPU, or for tests of what other CPUs
** have or lack METTLE_CPU=haswell or METTLE_CPU=haswell,-fma (LLVM's names).
** NULL and 'err' if LLVM has no target for it. Made once, never freed. */
LLVMTargetMachineRef mt_target_machine(mt_Error *err);
/* The same, for code that is made sooner and runs slower. */
LLVMTargetMachineRef mt_target_quick_machine(mt_Error *err);
/* "sapphirerapids"; after mt_target_machine */
const char *mt_target_cpu(void);
const char *mt_target_features(void); /* "+avx512f,…", as far as listed */
/* cpu_features.c: has it "avx2", listed or by its CPU's name?
** x86-64's features only. */
bool mt_target_has(const char *feature);

/*
** For tests of a machine that is emulated here: code of all kernels that run is
** also made for METTLE_ALSO=triple,cpu,+feature,… and kept in the cache folder,
** where a Mettle of that machine finds it if METTLE_BUILD, which then stands
** for the build in the keys, is the same for both. mt_target_select(true): the
** functions above are about that machine; false: about this one again. Returns
** false if there is no other.
*/
bool mt_target_select(bool other);

/* Run a pipeline in the textual form of 'opt -passes='. */
mt_Status mt_run_passes(LLVMModuleRef module, const char *passes,
                        mt_Error *err);

/* MT_FAIL with LLVM's words if 'module' is not well formed. 'stage' says what
** made it. */
mt_Status mt_verify(LLVMModuleRef module, const char *stage, mt_Error *err);

#endif
