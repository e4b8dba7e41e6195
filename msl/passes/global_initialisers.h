/*
** global_initialisers.h - program-scope constants with a dynamic initialiser.
**
** Where a constant's value is not a constant expression of C++ (it depends on a
** function constant, or comes from a function that is not constexpr), Clang
** emits a function that computes it and lists it in llvm.global_ctors. These
** functions are never run: LLVM's optimiser evaluates them.
*/
#ifndef MT_GLOBAL_INITIALISERS_H
#define MT_GLOBAL_INITIALISERS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Is there anything to evaluate? */
bool mt_global_initialisers_any(LLVMModuleRef module);

/*
** Before function constants have values: evaluate the initialisers that do not
** depend on them; the rest stays in llvm.global_ctors. 'refuse' is called for
** each function that depends on none and still could not be evaluated.
** Everything but kernels must be internal.
*/
void mt_global_initialisers_early(
    LLVMModuleRef module,
    void (*refuse)(LLVMValueRef function, void *context), void *context);

/*
** After function constants have values: evaluate the rest and drop the list. A
** variable that needs a constant without a value becomes external, in the
** section of that constant.
*/
void mt_global_initialisers_late(LLVMModuleRef module);

#endif
