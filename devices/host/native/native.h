/*
** native.h - from a module that runs a threadgroup to machine code in memory.
**
** Code always goes through an object file, so that cached and newly compiled
** code are loaded in the same way. Console thread, or a compile server's;
** loaded code runs on any thread.
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
#include "devices/host/abi/abi.h"

/* Optimise a finished module. Quick: fewer passes, slower code. */
mt_Status mt_optimise(mt_Target *t, LLVMModuleRef module, bool quick,
                      mt_Error *err);

/* Emit 'module' as an object file, or as assembly text. '*stack' (or NULL) gets
** the stack bytes of the large frames in that code. */
mt_Status mt_emit(mt_Target *t, LLVMModuleRef module, bool quick, bool assembly,
                  mt_Str *out, uint64_t *stack, mt_Error *err);

/* Start LLVM's JIT ahead, which takes some milliseconds. The one function here
** that may run on another thread, while no other one of these runs. */
void mt_jit_warm(void);

typedef struct mt_Code mt_Code; /* machine code in memory; opaque */

/*
** Load an object file and find the group function 'symbol' in it. No loaded
** code may have the same symbol. '*out' is freed by mt_code_free.
*/
mt_Status mt_jit_load(const void *object, size_t size, const char *symbol,
                      mt_Code **out, mt_Error *err);
mt_GroupCode *mt_code_entry(const mt_Code *code);
/* The source line of the instruction at 'address'; 0: not known, or not in this
** code. */
unsigned mt_code_line(const mt_Code *code, uintptr_t address);
void mt_code_free(mt_Code *code);

/* The rest of what the room offers: loaded code that kernels share, listings,
** and the C functions that generated code calls. */
#include "devices/host/native/code_cache.h"
#include "devices/host/native/listing.h"
#include "devices/host/native/runtime_symbols.h"

#endif
