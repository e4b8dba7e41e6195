/*
** target.h - the machine that code is made for, and LLVM's passes for it.
**
** A target is a value that callers pass on, so one process can make code for
** several machines. Targets are created on first use and live as long as the
** program.
*/
#ifndef MT_COMPILER_TARGET_TARGET_H
#define MT_COMPILER_TARGET_TARGET_H

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "base/status.h"
#include "devices/compiler/target/costs.h"

typedef struct mt_Target mt_Target; /* opaque */

/* This machine's CPU, or, to test other CPUs, METTLE_CPU=haswell or
** METTLE_CPU=haswell,-fma (LLVM's names). NULL and 'err' if LLVM has no target
** for it. */
mt_Target *mt_target_host(mt_Error *err);

/* Any machine, by LLVM's names: triple,cpu,+feature,… NULL and 'err' as above.
** The same names give the same target. */
mt_Target *mt_target_named(const char *names, mt_Error *err);

/*
** To test an emulated machine: the code of every kernel that runs is also made
** for METTLE_ALSO=triple,cpu,+feature,… and written to the cache folder. A
** Mettle on that machine finds it if METTLE_BUILD, which replaces the build's
** identity in the keys, is the same for both.
*/
bool mt_target_is_also_asked(void);
mt_Target *mt_target_also(mt_Error *err);

/* An NVIDIA GPU of compute capability 'capability' (90 for 9.0), or of the
** highest one below that LLVM knows. */
mt_Target *mt_target_nvptx(unsigned capability, mt_Error *err);

/* cpu_features.c: MT_FAIL if LLVM does not know the CPU's name, for which it
** would make code for no CPU at all. Only names that were asked for are tried,
** of x86-64 and aarch64. */
mt_Status mt_target_check(mt_Target *t, mt_Error *err);

/* LLVM's target machine, and one that emits code sooner which runs slower. */
LLVMTargetMachineRef mt_target_machine(mt_Target *t);
LLVMTargetMachineRef mt_target_quick_machine(mt_Target *t);

const char *mt_target_cpu(const mt_Target *t);      /* "sapphirerapids" */
const char *mt_target_triple(const mt_Target *t);
/* The variable of the environment that the CPU's name is from; NULL: none, it
** is this machine's own. */
const char *mt_target_asked_by(const mt_Target *t);
const char *mt_target_features(const mt_Target *t); /* "+avx512f,…", listed */
/* cpu_features.c: has the CPU "avx2", by its feature list or by its name?
** Always false for other targets than x86-64. */
bool mt_target_has(mt_Target *t, const char *feature);

/* What instructions and memory cost there; found on first use, by mt_costs_of
** (costs.c). */
const mt_TargetCosts *mt_target_costs(mt_Target *t);
const mt_TargetCosts *mt_costs_of(mt_Target *t);

/* MT_FAIL with "doing: LLVM's message" in 'err'; takes 'e'. */
mt_Status mt_llvm_error(mt_Error *err, const char *doing, LLVMErrorRef e);

/* Run a pipeline in the syntax of 'opt -passes='. */
mt_Status mt_run_passes(mt_Target *t, LLVMModuleRef module, const char *passes,
                        mt_Error *err);

/* The same over one function. */
mt_Status mt_run_function_passes(mt_Target *t, LLVMValueRef function,
                                 const char *passes, mt_Error *err);

/* MT_FAIL with LLVM's message if 'module' is invalid. 'stage' names the step
** that produced it. */
mt_Status mt_verify(LLVMModuleRef module, const char *stage, mt_Error *err);

#endif
