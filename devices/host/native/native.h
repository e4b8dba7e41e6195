/*
** native.h - from a module that runs a threadgroup to machine code in memory.
**
** Code always goes through an object file, so that what comes from the disk and
** what was just compiled take the same way. Console thread, or a compile
** server's; what is loaded runs anywhere.
*/
#ifndef MT_HOST_NATIVE_NATIVE_H
#define MT_HOST_NATIVE_NATIVE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/str.h"
#include "devices/compiler/target/target.h"
#include "devices/host/abi/group.h"

/* Optimise a finished module. Quick code is made sooner and runs slower. */
mt_Status mt_optimise(mt_Target *t, LLVMModuleRef module, bool quick,
                      mt_Error *err);

/* Machine code of 'module' as an object file, or as assembly text. */
mt_Status mt_emit(mt_Target *t, LLVMModuleRef module, bool quick, bool assembly,
                  mt_Str *out, mt_Error *err);

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

#endif
