/*
** mend.h - changes to the generated module, and what only it can show to be
** wrong; for msl/ alone.
*/
#ifndef MT_MEND_H
#define MT_MEND_H

#include <llvm-c/Core.h>

#include "msl/module.h"
#include "msl/types.h"

/* A set of functions, in the order they came. All zeros: empty. */
typedef struct mt_Functions {
  LLVMValueRef *items;
  size_t count, room;
  size_t *slots; /* a hash table of indices + 1 */
  size_t slot_count;
} mt_Functions;

bool mt_functions_add(mt_Functions *f, LLVMValueRef function); /* false: had */
bool mt_functions_has(const mt_Functions *f, LLVMValueRef function);
size_t mt_functions_index(const mt_Functions *f, LLVMValueRef function);
void mt_functions_free(mt_Functions *f);
/* 'root' and all that it calls, appended to 'out'. */
void mt_functions_reach(LLVMValueRef root, mt_Functions *out);

/* Where an instruction was written, in the code that all else was inlined into. */
mt_Place mt_mend_place(mt_MslModule *m, LLVMValueRef instruction);

/* Variables with an address space to where they belong (mend_storage.c); what cannot be
** placed, and what outlives a thread without being constant, is diagnosed on 'm'. First of all. */
void mt_mend_storage(mt_MslModule *m, mt_TypeReader *types, LLVMModuleRef module);

/* The module's threadgroup variables, appended to 'out'; and how many bytes
** those take that these functions use. */
void mt_mend_threadgroup_variables(LLVMModuleRef module, mt_Functions *out);
size_t mt_mend_threadgroup_size(LLVMModuleRef module, const mt_Functions *variables,
                                const mt_Functions *reached);

/* What these functions ask for and the headers cannot do: "ray tracing"; or NULL. */
const char *mt_mend_missing(mt_MslModule *m, const mt_Functions *reached);

/* Comparisons of vectors give 0 and 1 (Clang's: 0 and -1). */
void mt_mend_comparisons(LLVMModuleRef module);

/* A kernel whose textures and samplers are plain arguments (docs/ir.md). It
** takes over the name of 'kernel', which it calls; or 'kernel' as it is. */
LLVMValueRef mt_mend_signature(LLVMModuleRef module, LLVMValueRef kernel);

/* Every __mt_space answered, every __mt_device_only checked; 'm' has its kernels. */
void mt_mend_spaces(mt_MslModule *m, LLVMModuleRef module, const mt_Functions *kernels);

/* Each kernel its own copy of the program's [[thread_position_in_grid]] variables. */
void mt_mend_builtins(mt_MslModule *m, LLVMModuleRef module, const mt_Functions *kernels);

/* Annotations away, everything but kernels internal, what is unused gone. */
void mt_mend_tidy(LLVMModuleRef module, const mt_Functions *kernels);

/* What may not be reassociated, by #pragma METAL fp math_mode(safe), may not ignore
** the sign of nought or approximate either: Clang's pragma cannot say that. */
void mt_mend_safe(LLVMModuleRef module);

/* Program-scope constants that can be computed now are; those that never can be
** are diagnosed on 'm'. After mt_mend_tidy. */
void mt_mend_initialisers(mt_MslModule *m, LLVMModuleRef module);

/* Recursion, calls of what is not defined, vectors reinterpreted: diagnosed on 'm'. */
void mt_mend_check(mt_MslModule *m, LLVMModuleRef module, const mt_Functions *kernels);

#endif
