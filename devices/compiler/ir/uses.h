/*
** uses.h - what a kernel's code reads and writes, by parameter.
*/
#ifndef MT_COMPILER_IR_USES_H
#define MT_COMPILER_IR_USES_H

#include <llvm-c/Core.h>

#include "base/kernel_types/uses.h"
#include "msl/msl.h"

/*
** Follow every pointer of 'function', which was prepared from 'kernel', and all
** pointers that are loaded through them, to the instructions that use them. A
** pointer that goes where it cannot be followed (into memory, into a number)
** counts by its declaration. Local variables should be in registers.
**
** 'out->known' is false if nothing can be said: the kernel makes pointers of
** numbers, or memory is short.
*/
void mt_uses_find(const mt_MslKernel *kernel, LLVMValueRef function,
                  mt_Uses *out);

#endif
