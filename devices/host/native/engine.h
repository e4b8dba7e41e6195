/*
** engine.h - the parts of the host engine and how they hand a kernel on.
**
**   kernel/library.c     libraries: MSL to bitcode
**   kernel/kernel.c      one kernel of it
**   kernel/specialise.c  its code for one kind of launch
**   kernel/tier.h        quick code first, optimised code from the background
**   kernel/compile.h     that code is made, in a process of its own
**   prepare/prepare.c    bitcode to one flat function for this CPU
**                          (mt_prepare)
**   vectorise/vectorise.h  that function to a group function, 32 threads as a
**                          vector
**   scalar/scalar.c        that function to a group function, thread after
**                          thread
**   run/fiber.c            threads of one group that wait for each other, for
**                          scalar/scalar.c
**   jit.c                 a module to machine code in memory (mt_jit_load)
**   service/disk_cache.c  machine code kept for next time
**   run/dispatch.c        a launch: all threadgroups of a grid over all cores
**   run/fault_guard.c     what a kernel does wrong becomes an error
**   profile/profile.h     what a launch costs, counted
**
** Everything here is called on the console thread, except what run/dispatch.c,
** run/fiber.c and run/fault_guard.c say runs on workers. LLVM's failures are
** turned into mt_Error where they happen; nothing here prints.
*/
#ifndef MT_HOST_NATIVE_ENGINE_H
#define MT_HOST_NATIVE_ENGINE_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/str.h"
#include "devices/device.h"
#include "devices/host/run/group_abi.h"
#include "msl/msl.h"

/* ---------------------------------------------------------------- prepare */

/* Private memory of one thread (arrays, spilled structs) may take so much;
** more is refused before anything runs. */
#define MT_PRIVATE_MAX (128u * 1024)

/* Names of the sections that docs/ir.md gives meaning to. */
#define MT_SECTION_THREADGROUP ".msl.threadgroup"
#define MT_SECTION_CONSTANT ".msl.constant."
#define MT_SECTION_DEFINED ".msl.defined."

/* What code may know of a launch's arguments: the pixel formats of a kernel's
** first parameters, one more than their number in mt_PixelFormat; 0: no
** texture, or any format (prepare/texture_formats.c). And whether a buffer
** that is written shares bytes with another. */
#define MT_FORMAT_PARAMS 32
typedef struct mt_ArgumentFacts {
  uint8_t of[MT_FORMAT_PARAMS];
  uint8_t overlap;
} mt_ArgumentFacts;

void mt_argument_facts(const mt_Launch *launch, mt_ArgumentFacts *out);
/* What they are most often, to check a kernel before its first launch. */
void mt_argument_facts_guess(const mt_MslKernel *kernel, mt_ArgumentFacts *out);

typedef struct mt_PrepareInput {
  const void *bitcode;
  size_t size;
  const mt_MslKernel *kernel;
  const mt_ConstantValue *values; /* of function constants */
  size_t value_count;
  const mt_Constant *constants;   /* all there are, for messages */
  size_t constant_count;
  /* of the kernel, if there are several; NULL: there are not */
  const char *file;
  const mt_ArgumentFacts *formats;      /* or NULL: nothing is known */
  bool plain; /* as Clang left it: nothing is moved or written out */
  struct mt_SiteTable *sites; /* not NULL: put under watch (check/check.h) */
  bool pixels;                /* with 'sites': see mt_instrument_check */
  /* not NULL: count what it does (profile/profile.h) */
  struct mt_CountTable *counts;
} mt_PrepareInput;

/*
** A kernel as every code generator receives it: a module for this CPU in which
** 'function' is the only defined function. All calls are inlined but those to
** builtins (__mt_…, docs/ir.md) and LLVM intrinsics; SSA; no switch; reducible
** loops in simplified and closed form (one preheader, one latch, dedicated
** exits, LCSSA); function constants have their values. Threadgroup variables
** are still globals in their section, used directly by instructions, never
** through constant expressions; mt_threadgroup_bind gives them an address.
*/
typedef struct mt_Prepared {
  LLVMContextRef context; /* owned, but by a copy */
  bool is_copy;
  LLVMModuleRef module;   /* owned */
  LLVMValueRef function;
  size_t threadgroup_bytes; /* of all threadgroup variables it uses */
  size_t private_bytes;     /* of its allocas, one thread */
  bool waits; /* it calls a barrier or a cross-lane operation */
} mt_Prepared;

/* On failure '*out' is empty. mt_prepared_free in any case. */
mt_Status mt_prepare(const mt_PrepareInput *in, mt_Prepared *out,
                     mt_Error *err);
/* A copy to make code from; 'p' has to live longer. */
void mt_prepared_copy(const mt_Prepared *p, mt_Prepared *out);
void mt_prepared_free(mt_Prepared *p);

/* prepare/split_vector_access.c: parts of vectors in shared memory are
** written alone. To be called when local variables are in registers; 'any':
** is there something to do, perhaps? */
bool mt_has_vector_access(LLVMValueRef function);
void mt_split_vector_stores(LLVMModuleRef module, LLVMValueRef function);
/* And only what is used of them is read. */
void mt_split_vector_loads(LLVMModuleRef module, LLVMValueRef function);

/*
** Replace every use of a threadgroup variable inside 'function' by its place
** in the memory at 'base' (a pointer that dominates them all), with address
** computations built before 'before'. The places are the same in any
** function of the module.
*/
void mt_threadgroup_bind(LLVMValueRef function, LLVMValueRef base,
                         LLVMValueRef before);

/* Run a pipeline in the textual form of 'opt -passes='. */
mt_Status mt_run_passes(LLVMModuleRef module, const char *passes,
                        mt_Error *err);

/* MT_FAIL with LLVM's words if 'module' is not well formed. 'stage' says what
** made it. */
mt_Status mt_verify(LLVMModuleRef module, const char *stage, mt_Error *err);

/* -------------------------------------------------------------------- jit */

/* The machine that code is made for: this CPU, or for tests of what other CPUs
** have or lack METTLE_CPU=haswell or METTLE_CPU=haswell,-fma (LLVM's names).
** NULL and 'err' if LLVM has no target for it. Made once, never freed. */
LLVMTargetMachineRef mt_target_machine(mt_Error *err);
/* "sapphirerapids"; after mt_target_machine */
const char *mt_target_cpu(void);
const char *mt_target_features(void); /* "+avx512f,…", as far as listed */
/* target/cpu_features.c: has it "avx2", listed or by its CPU's name?
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

/* Optimise a finished module. */
mt_Status mt_optimise(LLVMModuleRef module, mt_Error *err);

/* Code is made sooner and runs slower: for suites that run much code, each
** piece of it once. It does not change a cache's keys. */
extern bool mt_emit_quick;

/* Thread by thread, kernels run as Clang left them, so that a suite also sees
** what mt_prepare does wrong. It does not change a cache's keys. */
extern bool mt_scalar_plain;

/* Machine code of 'module' as an object file, or as assembly text. */
mt_Status mt_emit(LLVMModuleRef module, bool assembly, mt_Str *out,
                  mt_Error *err);

/* Bytes of stack that the large frames of the last emitted code take. */
size_t mt_emitted_stack(void);

/* Start LLVM's JIT, which takes some milliseconds, before it is needed. The
** one function here that may run on another thread, while no other does. */
void mt_jit_warm(void);

typedef struct mt_Code mt_Code; /* machine code in memory; opaque */

/*
** Load an object file and find the group function 'symbol' in it. The name
** must not be in use by code that is loaded. '*out' is freed by mt_code_free.
*/
mt_Status mt_jit_load(const void *object, size_t size, const char *symbol,
                      mt_Code **out, mt_Error *err);
mt_GroupCode *mt_code_entry(const mt_Code *code);
/* The source line that the instruction at 'address' was made for; 0: not
** known, or not in this code. */
unsigned mt_code_line(const mt_Code *code, uintptr_t address);
void mt_code_free(mt_Code *code);

/* Helpers in C that generated code calls by name. */
typedef struct mt_RuntimeSymbol {
  const char *name;
  void *address;
} mt_RuntimeSymbol;

#endif
