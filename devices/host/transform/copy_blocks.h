/*
** copy_blocks.h - copies of some blocks of a kernel: of a loop, say.
**
** First their phis (mt_copy_phis), then what else is in them (mt_copy_bodies),
** last what comes into a block's phis (mt_copy_incoming). The blocks are given
** with dominators first. What is not among them stays as it is in the copies.
*/
#ifndef MT_HOST_TRANSFORM_COPY_BLOCKS_H
#define MT_HOST_TRANSFORM_COPY_BLOCKS_H

#include <llvm-c/Core.h>

typedef struct mt_Copy { LLVMValueRef from, to; } mt_Copy;

typedef struct mt_Copies {
  LLVMBuilderRef b;
  LLVMValueRef function;
  LLVMBasicBlockRef *old, *copy; /* blocks */
  int copies;
  mt_Copy *pair; /* instructions; there is room for all of the blocks */
  int pairs;
} mt_Copies;

void mt_copy_phis(mt_Copies *c, const char *name);
/* Up to 'stop', and with branches to 'then' where they lead out. */
void mt_copy_bodies(mt_Copies *c, LLVMValueRef stop, LLVMBasicBlockRef then);
/* What is not from a copy comes from 'from'. */
void mt_copy_incoming(mt_Copies *c, LLVMBasicBlockRef b,
                      LLVMBasicBlockRef from);

/* The copy of a value or a block; NULL: none. */
LLVMValueRef mt_copy_of(const mt_Copies *c, LLVMValueRef v);
LLVMBasicBlockRef mt_block_copy(const mt_Copies *c, LLVMBasicBlockRef b);
/* A copy of one instruction at the builder's position; and note one. */
LLVMValueRef mt_clone_here(mt_Copies *c, LLVMValueRef v);
void mt_copy_pair(mt_Copies *c, LLVMValueRef from, LLVMValueRef to);

/* Replace 'phi' by one with 'to' in place of the block 'from', and the value
** 'x' from there unless it is NULL. */
LLVMValueRef mt_change_phi(LLVMBuilderRef b, LLVMValueRef phi,
                           LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                           LLVMValueRef x);

#endif
