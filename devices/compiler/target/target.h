/*
** target.h - the machine that code is made for, and LLVM's passes for it.
**
** A target is a value that is passed on: code for several machines can be made
** side by side in one process. Targets are made when first asked for and live
** as long as the program.
*/
#ifndef MT_COMPILER_TARGET_TARGET_H
#define MT_COMPILER_TARGET_TARGET_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "base/status.h"

typedef struct mt_Target mt_Target; /* opaque */

/* This machine's CPU, or for tests of what other CPUs have or lack
** METTLE_CPU=haswell or METTLE_CPU=haswell,-fma (LLVM's names). NULL and 'err':
** LLVM has no target for it. */
mt_Target *mt_target_host(mt_Error *err);

/*
** For tests of a machine that is emulated here: code of all kernels that run is
** also made for METTLE_ALSO=triple,cpu,+feature,… and kept in the cache folder,
** where a Mettle of that machine finds it if METTLE_BUILD, which then stands
** for the build in the keys, is the same for both.
*/
bool mt_target_is_also_asked(void);
mt_Target *mt_target_also(mt_Error *err);

/* LLVM's machine, and one for code that is made sooner and runs slower. */
LLVMTargetMachineRef mt_target_machine(mt_Target *t);
LLVMTargetMachineRef mt_target_quick_machine(mt_Target *t);

const char *mt_target_cpu(const mt_Target *t);      /* "sapphirerapids" */
const char *mt_target_features(const mt_Target *t); /* "+avx512f,…", listed */
/* cpu_features.c: has it "avx2", listed or by its CPU's name? x86-64's features
** only. */
bool mt_target_has(mt_Target *t, const char *feature);

/* Run a pipeline in the textual form of 'opt -passes='. */
mt_Status mt_run_passes(mt_Target *t, LLVMModuleRef module, const char *passes,
                        mt_Error *err);

/* MT_FAIL with LLVM's words if 'module' is not well formed. 'stage' says what
** made it. */
mt_Status mt_verify(LLVMModuleRef module, const char *stage, mt_Error *err);

#endif
