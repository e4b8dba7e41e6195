/*
** passes.h - passes over the generated module, and the errors that only its IR
** shows; for msl/ alone.
*/
#ifndef MT_PASSES_H
#define MT_PASSES_H

#include <llvm-c/Core.h>

#include "base/pass.h"
#include "msl/module.h"
#include "msl/passes/single.h"
#include "msl/types.h"

#define MT_EACH_FUNCTION(f, module)                      \
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; \
       f = LLVMGetNextFunction(f))
#define MT_EACH_BLOCK(b, f)                                \
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; \
       b = LLVMGetNextBasicBlock(b))
#define MT_EACH_IN_BLOCK(i, b)                         \
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; \
       i = LLVMGetNextInstruction(i))

/* A set of functions, in insertion order. All zeros: empty. */
typedef struct mt_Functions {
  LLVMValueRef *items;
  size_t count, room;
  size_t *slots; /* a hash table of indices + 1 */
  size_t slot_count;
} mt_Functions;

/* false: it was in the set already */
bool mt_functions_add(mt_Functions *f, LLVMValueRef function);
bool mt_functions_has(const mt_Functions *f, LLVMValueRef function);
size_t mt_functions_index(const mt_Functions *f, LLVMValueRef function);
void mt_functions_free(mt_Functions *f);
/* 'root' and all functions reachable from it by calls, appended to 'out'. */
void mt_functions_reach(LLVMValueRef root, mt_Functions *out);

/* What each function calls, found once for all questions; good as long as no
** function changes. All zeros: nothing was asked yet. */
typedef struct mt_Calls {
  mt_Functions functions;
  mt_Functions *called; /* by the function with that index */
  size_t room;
} mt_Calls;
/* What 'f' calls, looked up once; NULL: no memory. */
const mt_Functions *mt_calls_of(mt_Calls *c, LLVMValueRef f);
void mt_calls_reach(mt_Calls *c, LLVMValueRef root, mt_Functions *out);
void mt_calls_free(mt_Calls *c);
/* The function that an instruction calls; NULL: none, or one by address. */
LLVMValueRef mt_pass_called(LLVMValueRef instruction);

/* A module on its way through the passes (table.c). */
typedef struct mt_MslUnit {
  mt_PassState state;
  mt_MslModule *m; /* what is found and diagnosed goes there */
  LLVMModuleRef module;
  mt_TypeReader *types;
  mt_Functions kernels;
  mt_Functions threadgroup; /* the threadgroup variables of all kernels */
} mt_MslUnit;

enum { /* forms */
  MT_MSL_AS_WRITTEN = 1, /* by Clang: annotations, nothing inlined */
  MT_MSL_PLACED = 2,     /* variables are in their storage */
  MT_MSL_KERNELS = 4,    /* the kernels are known */
  MT_MSL_TIDY = 8        /* all but kernels is internal */
};

void mt_msl_unit_open(mt_MslUnit *unit, mt_MslModule *m, LLVMModuleRef module);
void mt_msl_unit_close(mt_MslUnit *unit);

/* Give a function an attribute, or take it away; and have it inlined by
** always-inline, whatever Clang said. */
void mt_pass_mark(LLVMValueRef function, const char *attribute, bool on);
void mt_pass_inline(LLVMValueRef function);

/* Run LLVM's passes; and those that simplify, so that they conclude nothing
** from divisions by zero and shifts too far (undefined.c). */
void mt_pass_run(LLVMModuleRef module, const char *passes);
void mt_pass_simplify(LLVMModuleRef module, const char *passes);

/* The source location of an instruction; of an inlined one, that of the
** outermost call site. */
mt_Place mt_pass_place(mt_MslModule *m, LLVMValueRef instruction);

/* Moves variables with an address space into their storage (storage.c).
** Variables that cannot be placed, and mutable ones that outlive a thread, are
** diagnosed on 'm'. The first pass. */
void mt_pass_storage(mt_MslModule *m, mt_TypeReader *types,
                     LLVMModuleRef module);

/* The module's threadgroup variables, appended to 'out'; and the total size in
** bytes of those that the functions in 'reached' use. */
void mt_pass_threadgroup_variables(LLVMModuleRef module, mt_Functions *out);
size_t mt_pass_threadgroup_size(LLVMModuleRef module,
                                const mt_Functions *variables,
                                const mt_Functions *reached);

/* A feature that these functions use and the headers do not implement ("ray
** tracing"); or NULL. */
const char *mt_pass_missing(mt_MslModule *m, mt_Calls *calls,
                            const mt_Functions *reached);

/* Makes a bool that becomes a vector 0 or 1 (Clang's is 0 or -1). Before
** mt_pass_comparisons. */
void mt_pass_splats(LLVMModuleRef module);

/* Lets matrices and packed vectors be at any byte, where a packed struct has
** some. */
void mt_pass_packed(LLVMModuleRef module);

/* Makes comparisons of vectors yield 0 and 1 (Clang's yield 0 and -1); uses as
** integers are diagnosed on 'm' (comparisons.c). */
void mt_pass_comparisons(mt_MslModule *m, LLVMModuleRef module);

/* A wrapper of 'kernel' whose textures and samplers are scalar arguments
** (docs/ir.md); it takes over the name and calls 'kernel'. Returns 'kernel' if
** no wrapper is needed. */
LLVMValueRef mt_pass_signature(LLVMModuleRef module, LLVMValueRef kernel);

/* Resolves every call of __mt_space and checks every __mt_device_only; 'm' has
** its kernels already. */
void mt_pass_spaces(mt_MslModule *m, LLVMModuleRef module,
                    const mt_Functions *kernels);

/* Gives each kernel its own copy of program-scope variables such as
** [[thread_position_in_grid]]. */
void mt_pass_builtins(mt_MslModule *m, LLVMModuleRef module,
                      const mt_Functions *kernels);

/* kernels.c: reads the kernels, and the reflection of each, from annotations;
** of two with one name the second is diagnosed. */
mt_Status mt_pass_kernels(mt_MslUnit *unit, mt_Error *err);

/* Removes annotations and unused globals; internalises everything but
** kernels. */
void mt_pass_tidy(LLVMModuleRef module, const mt_Functions *kernels);

/* A function that ends without a return gives zero, in every engine. */
void mt_pass_results(LLVMModuleRef module);

/* Operations without 'reassoc' (#pragma METAL fp math_mode(safe)) lose all
** other fast-math flags but 'contract': Clang's pragma does not clear nsz and
** afn. */
void mt_pass_safe(LLVMModuleRef module);

/* Keeps a half or bfloat that is assigned, passed or returned rounded, in fast
** math too (docs/accuracy.md). After mt_pass_safe. */
void mt_pass_rounding(LLVMModuleRef module);

/* Evaluates program-scope constants that do not depend on function constants;
** those that never can be evaluated are diagnosed on 'm'. After
** mt_pass_tidy. */
void mt_pass_initialisers(mt_MslModule *m, LLVMModuleRef module);

/* Diagnoses recursion, calls of undefined functions and reinterpreted vectors
** on 'm'. */
void mt_pass_check(mt_MslModule *m, LLVMModuleRef module,
                   const mt_Functions *kernels);

#endif
