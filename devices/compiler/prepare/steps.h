/*
** steps.h - the steps of mt_prepare that LLVM has no pass for.
**
** Each changes the module in place; passes.c has the order in which they run.
*/
#ifndef MT_COMPILER_PREPARE_STEPS_H
#define MT_COMPILER_PREPARE_STEPS_H

#include <llvm-c/TargetMachine.h>

#include "devices/compiler/prepare/prepare.h"

/* read_module.c: the kernel's bitcode as a module, in a context of its own. */
mt_Status mt_prepare_read(const mt_PrepareInput *in, mt_Prepared *out,
                          mt_Error *err);

/* constant_memory.c: buffers in constant memory are read only. */
void mt_mark_constant_memory(const mt_PrepareInput *in, LLVMValueRef function);

/* inspect.c: fill in what the kernel needs; refuse what cannot run. */
mt_Status mt_prepared_inspect(const mt_PrepareInput *in, mt_Prepared *out,
                              mt_Error *err);

/* retarget.c: the module is for this machine from now on; llvm.used and similar
** lists are gone; all but the kernel is internal and shall be inlined. */
void mt_retarget(LLVMModuleRef m, LLVMTargetMachineRef machine);
void mt_drop_lists(LLVMModuleRef m);
void mt_internalise(LLVMModuleRef m, LLVMValueRef kernel);
/* The same file: no pass may assume that a loop of 'f' ends; remove an
** attribute of LLVM's. */
void mt_keep_endless_loops(LLVMValueRef f);
void mt_drop_enum(LLVMValueRef f, const char *name);

/* bit_vectors.c: no load or store of packed bits. */
void mt_access_words(LLVMValueRef function);

/* function_constants.c: set the values of function constants, before anything
** is simplified; afterwards fail if one without a value is still read. */
mt_Status mt_function_constants_set(LLVMModuleRef m, const mt_PrepareInput *in,
                                    mt_Error *err);
mt_Status mt_function_constants_check(LLVMModuleRef m,
                                      const mt_PrepareInput *in, mt_Error *err);

/* callees_first.c: inline the functions of a large kernel from the leaves of
** the call graph upwards, each simplified by 'how' before. Does nothing for
** other kernels. */
typedef mt_Status mt_SimplifyFunction(const mt_PrepareInput *in,
                                      LLVMValueRef function, mt_Error *err);
mt_Status mt_callees_first(const mt_PrepareInput *in, LLVMModuleRef m,
                           LLVMValueRef kernel, mt_SimplifyFunction *how,
                           mt_Error *err);

/* How many instructions will the flat kernel have before it is simplified? A
** number above MT_FLAT_HOPELESS is not exact. '*recursive': a function calls
** itself. */
uint64_t mt_flat_size(LLVMModuleRef m, LLVMValueRef kernel, bool *recursive);
/* Below that, the passes over the flat kernel take less than half a second. */
#define MT_FLAT_LARGE 20000
/* Above that they take longer than a person waits: ten seconds and more. */
#define MT_FLAT_ENORMOUS 200000
/* And above that longer than LLVM is given. */
#define MT_FLAT_HOPELESS 1000000

/* keep_calls.c: can the functions of a module in which all variables are in
** registers stay functions? 'always': in all code that is made of it. Then
** choose which do, for a kernel in 'file' if its library has several files. */
bool mt_calls_can_stay(LLVMModuleRef m, bool always);
void mt_calls_keep(LLVMModuleRef m, LLVMValueRef kernel, const char *file,
                   bool always);
/* The same file, for functions that always stay: no message names lines of
** another file than 'file', and where code is unreachable a function returns
** zero. */
void mt_calls_finish(LLVMModuleRef m, LLVMValueRef kernel, const char *file);

/* end_at_unreachable.c: on undefined behaviour a function returns, with zero if
** it gives a value, instead of running into the code that follows. */
void mt_end_at_unreachable(LLVMValueRef f);

/* safe_integers.c: no integer division by zero, nor of INT_MIN by -1, and no
** shift by as many bits as there are. */
void mt_guard_integers(LLVMValueRef function);
void mt_guard_all_integers(LLVMModuleRef m);

/* expand_ldexp.c: llvm.ldexp as two products; whether the machine has an
** instruction for it. */
bool mt_ldexp_is_native(mt_Target *t);
void mt_expand_ldexp(LLVMModuleRef m);

/* keep_quotients.c: no float division is merged with a product of it; before
** anything is simplified. */
void mt_keep_quotients(LLVMModuleRef m);
/* The same file: no estimate of a square root beside the root itself. */
void mt_keep_roots(LLVMValueRef function);

/* distribute_factors.c: factors from before a loop are distributed over sums of
** products in it, where that saves operations; loops are canonical. */
mt_Status mt_distribute_factors(LLVMValueRef function, mt_Error *err);

/* flip_signs.c: x negated where a bit is set, by XOR. */
void mt_flip_signs(LLVMValueRef function);

/* equal_phis.c: a phi whose values are the same expression on all ways becomes
** that expression. */
void mt_replace_equal_phis(LLVMValueRef function);

/* debug_lines.c: instructions inlined from other files get the line of the call
** in 'file'. */
void mt_debug_lines_of_file(LLVMValueRef function, const char *file);

/* noalias_scopes.c: declare that no written buffer overlaps another, as
** metadata and by the attribute MT_NOALIAS. */
void mt_add_noalias_scopes(LLVMValueRef function, const mt_MslKernel *kernel);

/* expand_memcpy.c: copies and fills of more than MT_SHORT_COPY bytes, or of
** unknown length, become calls of alwaysinline functions. false: there are
** none. */
bool mt_expand_memcpy(LLVMModuleRef module, LLVMValueRef function);

/* split_structs.c: variables of struct type with an array that is indexed
** become one variable for each member; before anything is simplified. */
void mt_split_structs(LLVMModuleRef module, LLVMValueRef function);

/* texture_formats.c: replace loads of known texture formats by constants;
** variables must be in registers. false: there are no such loads. */
bool mt_fold_texture_formats(LLVMValueRef function,
                             const mt_ArgumentFacts *formats);

/* split_vector_access.c: a component of a vector in shared memory is stored
** alone. Local variables must be in registers. mt_has_vector_access: may there
** be such a store? */
bool mt_has_vector_access(LLVMValueRef function);
void mt_split_vector_stores(LLVMModuleRef module, LLVMValueRef function);
/* Likewise load only the components that are used. */
void mt_split_vector_loads(LLVMModuleRef module, LLVMValueRef function);

#endif
