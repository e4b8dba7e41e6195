/*
** undefined.h - what C++ leaves undefined stays within the kernel.
*/
#ifndef MT_COMPILER_IR_UNDEFINED_H
#define MT_COMPILER_IR_UNDEFINED_H

#include <llvm-c/Core.h>

/* To LLVM null is an address like any other (for
** functions that have a body); no reference is known to lead anywhere; and
** where nobody can come is a trap, once LLVM's passes are done. */
void mt_null_is_valid(LLVMModuleRef m);
void mt_drop_reference_facts(LLVMValueRef function);
void mt_trap_unreachable(LLVMModuleRef m);

#endif
