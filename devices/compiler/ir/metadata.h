/*
** metadata.h - metadata and attributes that tell later passes about a module, a
** loop or a function.
*/
#ifndef MT_COMPILER_IR_METADATA_H
#define MT_COMPILER_IR_METADATA_H

#include <llvm-c/Core.h>
#include <stdint.h>

/* The module has loops for LLVM's own vectoriser (strategy/inner_loop.c). */
#define MT_INNER_LOOP "mt.inner_loop"

/* The module interleaves lanes' short vectors into wide accesses
** (access/aos_vectors.c). */
#define MT_INTERLEAVED "mt.interleaved"

/* The module's vectors are divided into registers of 32 bytes
** (plan/stream_width.c). */
#define MT_SHORT_REGISTERS "mt.short_registers"

/* Ask LLVM for something about the loop that 'branch' closes:
** "llvm.loop.unroll.count", 4 in 32 bits; 0 bits: a word without a number. */
#define MT_LOOP_HINTS 4 /* most for one loop */
LLVMMetadataRef mt_loop_hint(LLVMContextRef c, const char *name, int64_t x,
                             unsigned bits);
void mt_set_loop_hints(LLVMContextRef c, LLVMValueRef branch,
                       const LLVMMetadataRef *hint, unsigned n);

/* A number, not 0, that one transformation leaves with an instruction for
** others; 0: there is none. */
void mt_mark(LLVMValueRef v, const char *kind, int n);
int mt_marked(LLVMValueRef v, const char *kind);

/* Add an attribute of LLVM's to a function: "noinline", 0. */
void mt_add_attribute(LLVMValueRef f, const char *name, uint64_t value);

#endif
