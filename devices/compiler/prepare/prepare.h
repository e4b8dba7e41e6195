/*
** prepare.h - from the front end's bitcode to one flat function.
**
** docs/ir.md says what comes in. What goes out is mt_Prepared, the form that
** every code generator starts from. Console thread, or a compile server's.
*/
#ifndef MT_COMPILER_PREPARE_PREPARE_H
#define MT_COMPILER_PREPARE_PREPARE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "devices/compiler/target/target.h"
#include "devices/device.h"
#include "msl/msl.h"

/* Private memory of one thread (arrays, spilled structs) may take so much;
** more is refused before anything runs. */
#define MT_PRIVATE_MAX (128u * 1024)

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

/*
** Calls that somebody puts into a kernel while it is prepared (names begin with
** MT_PROBE). A checker gives all but 'counters', a profiler that alone; what is
** NULL is not done. 'context' is the instrumenter's own.
*/
typedef struct mt_Instrumentation {
  void *context;
  /* Before the Metal library's functions are inlined. */
  void (*library)(LLVMModuleRef module);
  /* While local variables are in memory. */
  mt_Status (*variables)(void *context, LLVMModuleRef module,
                         LLVMValueRef function, mt_Error *err);
  /* With those in registers; every access of the source is still there. */
  mt_Status (*accesses)(void *context, mt_Target *target, LLVMModuleRef module,
                        LLVMValueRef function, const mt_MslKernel *kernel,
                        mt_Error *err);
  /* Take calls out that can find nothing, as simplification has shown. */
  void (*sweep)(LLVMModuleRef module);
  /* Last: what a compiler would have left is counted. */
  mt_Status (*counters)(void *context, LLVMModuleRef module,
                        LLVMValueRef function, const mt_MslKernel *kernel,
                        mt_Error *err);
} mt_Instrumentation;

typedef struct mt_PrepareInput {
  mt_Target *target;
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
  const mt_Instrumentation *instrument; /* or NULL */
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
  mt_Target *target;      /* that it is for */
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


/* Bring the loops of a changed module back into the form of mt_Prepared. */
mt_Status mt_canonicalise_loops(mt_Target *t, LLVMModuleRef module,
                                mt_Error *err);

/* expand_memcpy.c: what a copy promises of the pointer in one of its
** operands. */
unsigned mt_memcpy_align(LLVMValueRef call, unsigned operand);

/* An attribute of a kernel whose launch has no two buffers that overlap, of
** which one is written (noalias_scopes.c). */
#define MT_NOALIAS "mt-noalias"

#endif
