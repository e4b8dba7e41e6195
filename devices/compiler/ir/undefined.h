/*
** undefined.h - contains the undefined behaviour of a kernel's C++.
*/
#ifndef MT_COMPILER_IR_UNDEFINED_H
#define MT_COMPILER_IR_UNDEFINED_H

#include <llvm-c/Core.h>

/* mt_null_is_valid: in all defined functions null is an ordinary address, and
** switches become no jump tables. mt_drop_reference_facts: references may be
** null or dangling. mt_trap_unreachable: unreachable code traps; to be called
** after LLVM's passes. */
void mt_null_is_valid(LLVMModuleRef m);
void mt_drop_reference_facts(LLVMValueRef function);
void mt_trap_unreachable(LLVMModuleRef m);

#endif
