/*
** prepare.h - from the front end's bitcode to one flat function.
**
** docs/ir.md describes the input. The output is mt_Prepared, the form that
** every code generator starts from. Console thread, or a compile server's.
*/
#ifndef MT_COMPILER_PREPARE_PREPARE_H
#define MT_COMPILER_PREPARE_PREPARE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pass.h"
#include "base/status.h"
#include "devices/compiler/prepare/inactive_lanes.h"
#include "devices/compiler/target/target.h"
#include "devices/device.h"
#include "msl/msl.h"

/* Limit for the private memory of one thread (arrays, spilled structs); a
** kernel that needs more is refused before it runs. */
#define MT_PRIVATE_MAX (128u * 1024)

/* Copies and fills of at most so many bytes, of known length, are left to code
** generators; longer ones are loops (expand_memcpy.c). */
#define MT_SHORT_COPY 256

/* Facts about a launch's arguments that code is specialised for: the pixel
** formats of the first parameters, as mt_PixelFormat + 1 (0: no texture, or any
** format; see texture_formats.c), and whether a written buffer overlaps
** another. */
#define MT_FORMAT_PARAMS 32
typedef struct mt_ArgumentFacts {
  uint8_t of[MT_FORMAT_PARAMS];
  uint8_t overlap;
} mt_ArgumentFacts;

void mt_argument_facts(const mt_Launch *launch, mt_ArgumentFacts *out);
/* The likeliest formats, to check a kernel before its first launch. */
void mt_argument_facts_guess(const mt_MslKernel *kernel, mt_ArgumentFacts *out);

/*
** Hooks that insert instrumentation calls (named MT_PROBE…) while a kernel is
** prepared. The checker sets all but 'counters', the profiler only that, the
** recorder only 'accesses'; NULL hooks are skipped. 'context' belongs to the
** instrumenter.
*/
typedef struct mt_Instrumentation {
  void *context;
  /* Before the Metal library's functions are inlined. */
  void (*library)(LLVMModuleRef module);
  /* While local variables are still in memory. */
  mt_Status (*variables)(void *context, LLVMModuleRef module,
                         LLVMValueRef function, mt_Error *err);
  /* After local variables are in registers; every access of the source is still
  ** there. */
  mt_Status (*accesses)(void *context, mt_Target *target, LLVMModuleRef module,
                        LLVMValueRef function, const mt_MslKernel *kernel,
                        mt_Error *err);
  /* Remove calls that simplification has shown to be redundant. */
  void (*sweep)(LLVMModuleRef module);
  /* Last, so that the counts are those of optimised code. */
  mt_Status (*counters)(void *context, LLVMModuleRef module,
                        LLVMValueRef function, const mt_MslKernel *kernel,
                        mt_Error *err);
} mt_Instrumentation;

/* May calls of functions stay calls (keep_calls.c)? Sooner compiled, slower,
** and never as vectors. */
typedef enum mt_CallsKept {
  MT_CALLS_INLINED,  /* unless the flat kernel would be enormous */
  MT_CALLS_NEVER,
  MT_CALLS_IF_LARGE, /* if the flat kernel would be large */
  MT_CALLS_IF_POSSIBLE
} mt_CallsKept;

/* How far the source's unroll hints are followed, if a kernel would have many
** instructions with all of its loops unrolled (unroll_limit.c). */
typedef enum mt_Unrolling {
  MT_UNROLL_AS_ASKED,
  MT_UNROLL_LIMITED, /* for optimised code */
  MT_UNROLL_LITTLE   /* for quick code */
} mt_Unrolling;

/* Which private arrays of a thread shall be in registers, if unrolling loops
** makes all of their indices constant (unroll_arrays.c). */
typedef struct mt_ArrayLimits {
  uint32_t bytes;        /* of all such arrays; 0: none is unrolled for */
  uint32_t instructions; /* of the kernel, unrolled for them */
} mt_ArrayLimits;

typedef struct mt_PrepareInput {
  mt_Target *target;
  const void *bitcode;
  size_t size;
  const mt_MslKernel *kernel;
  const mt_ConstantValue *values; /* of function constants */
  size_t value_count;
  const mt_Constant *constants;   /* all of the library, for messages */
  size_t constant_count;
  /* the kernel's source file, if the library has several; else NULL */
  const char *file;
  const mt_ArgumentFacts *formats;      /* NULL: nothing is known */
  bool plain; /* as Clang emitted it: no code motion, no unrolling */
  bool rolled; /* unroll no loops: the caller's own pipeline does */
  /* and short loops over the depth of a product of simdgroup matrices, too: the
  ** caller's products are better many at once */
  bool unroll_products;
  mt_Unrolling unrolling;
  mt_ArrayLimits arrays;
  /* Called before such loops are unrolled, so that rounding is the same however
  ** far they are; false: they are unrolled as asked. NULL: it may differ. */
  bool (*settle)(mt_Target *target, LLVMModuleRef module);
  /* Called before calls are inlined: functions of the Metal library that the
  ** caller has builtins for become declarations of these. NULL: none. */
  void (*own_functions)(LLVMModuleRef module);
  mt_CallsKept calls;
  const mt_Instrumentation *instrument; /* or NULL */
} mt_PrepareInput;

/*
** A kernel as every code generator receives it: a module for this target in
** which 'function' is the only defined function, unless 'has_calls'. All calls
** are inlined except those of builtins (__mt_…, docs/ir.md) and LLVM
** intrinsics. SSA; no switch;
** reducible loops in loop-simplify form and LCSSA (one preheader, one latch,
** dedicated exits); function constants have their values. Threadgroup variables
** are still globals in their section, used directly by instructions, never
** through constant expressions; mt_threadgroup_bind gives them an address.
*/
typedef struct mt_Prepared {
  mt_Target *target;        /* that it was prepared for */
  LLVMContextRef context;   /* owned, unless is_copy */
  bool is_copy;
  LLVMModuleRef module;     /* owned */
  LLVMValueRef function;
  size_t threadgroup_bytes; /* of all threadgroup variables */
  size_t private_bytes;     /* of the allocas of one thread */
  bool waits;               /* has barriers or cross-lane operations */
  bool has_calls;           /* of functions, which are in the module */
  bool enormous;            /* it has them in all code that is made of it */
  bool settled;             /* mt_PrepareInput.settle was called, and did it */
  bool limited;             /* loops are unrolled less than the source asks */
} mt_Prepared;

/*
** The passes that mt_prepare runs, in order (passes.c); their unit. A unit for
** single passes is made of any input and a module with its function: forms are
** then for the caller to know.
*/
enum { /* modes */
  MT_PREPARE_CHECKED = 1, /* accesses are instrumented */
  MT_PREPARE_COUNTED = 2, /* operations are counted */
  MT_PREPARE_PLAIN = 4,
  MT_PREPARE_ROLLED = 8,
  MT_PREPARE_CALLS = 16 /* functions stay functions */
};

enum { /* forms */
  MT_FORM_AS_WRITTEN = 1, /* nothing is simplified yet */
  MT_FORM_VALUES = 2,     /* function constants have values */
  MT_FORM_FLAT = 4,       /* no calls of functions, but those that stay */
  MT_FORM_REGISTERS = 8,  /* local variables are in SSA */
  MT_FORM_NO_SWITCH = 16,
  MT_FORM_LOOPS = 32 /* canonical, see mt_Prepared */
};

typedef struct mt_PrepareUnit {
  mt_PassState state;
  const mt_PrepareInput *in;
  mt_Prepared *out;
  bool nested; /* unrolled loops are in others */
} mt_PrepareUnit;

extern const mt_PassTable mt_prepare_passes;
void mt_prepare_unit(mt_PrepareUnit *u, const mt_PrepareInput *in,
                     mt_Prepared *out);

/* On failure '*out' is empty. mt_prepared_free in any case. */
mt_Status mt_prepare(const mt_PrepareInput *in, mt_Prepared *out,
                     mt_Error *err);
/* A copy that a code generator may change; 'p' must outlive it. */
void mt_prepared_copy(const mt_Prepared *p, mt_Prepared *out);
void mt_prepared_free(mt_Prepared *p);

/* Restore the loop form of mt_Prepared after a change. */
mt_Status mt_canonicalise_loops(mt_Target *t, LLVMModuleRef module,
                                mt_Error *err);

/* expand_memcpy.c: the alignment that a memcpy, memmove or memset declares for
** a pointer operand. */
unsigned mt_memcpy_align(LLVMValueRef call, unsigned operand);

/* unroll_limit.c: instructions that this one is for LLVM once the loop around
** it is unrolled; 0: next to nothing. */
uint64_t mt_unrolled_weight(LLVMValueRef i);

/* Function attribute: in this launch no written buffer overlaps another
** (noalias_scopes.c). */
#define MT_NOALIAS "mt-noalias"

#endif
