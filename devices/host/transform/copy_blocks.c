/*
** copy_blocks.c - copies of a kernel's blocks, see copy_blocks.h.
*/
#include "devices/host/transform/copy_blocks.h"

#include "devices/compiler/ir/ir.h"

LLVMValueRef mt_copy_of(const mt_Copies *c, LLVMValueRef v) {
  for (int i = 0; i < c->pairs; i++)
    if (c->pair[i].from == v) return c->pair[i].to;
  return NULL;
}

void mt_copy_pair(mt_Copies *c, LLVMValueRef from, LLVMValueRef to) {
  c->pair[c->pairs++] = (mt_Copy){from, to};
}

LLVMBasicBlockRef mt_block_copy(const mt_Copies *c, LLVMBasicBlockRef b) {
  for (int i = 0; i < c->copies; i++)
    if (c->old[i] == b) return c->copy[i];
  return NULL;
}

static LLVMBasicBlockRef copy_or(const mt_Copies *c, LLVMBasicBlockRef b,
                                 LLVMBasicBlockRef other) {
  LLVMBasicBlockRef copy = mt_block_copy(c, b);
  return copy ? copy : other;
}

LLVMValueRef mt_clone_here(mt_Copies *c, LLVMValueRef v) {
  LLVMValueRef copy = LLVMInstructionClone(v);
  LLVMInsertIntoBuilder(c->b, copy);
  for (int n = 0; n < LLVMGetNumOperands(copy); n++) {
    LLVMValueRef to = mt_copy_of(c, LLVMGetOperand(copy, (unsigned)n));
    if (to) LLVMSetOperand(copy, (unsigned)n, to);
  }
  return copy;
}

void mt_copy_phis(mt_Copies *c, const char *name) {
  c->pairs = 0;
  for (int i = 0; i < c->copies; i++) {
    c->copy[i] = LLVMAppendBasicBlockInContext(
        LLVMGetTypeContext(LLVMTypeOf(c->function)), c->function, name);
    LLVMPositionBuilderAtEnd(c->b, c->copy[i]);
    for (LLVMValueRef v = LLVMGetFirstInstruction(c->old[i]);
         v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
      mt_copy_pair(c, v, LLVMBuildPhi(c->b, LLVMTypeOf(v), ""));
  }
}

/* A branch, to copies or to 'then'. */
static void copy_branch(mt_Copies *c, LLVMValueRef v,
                        LLVMBasicBlockRef then) {
  LLVMBasicBlockRef to = copy_or(c, LLVMGetSuccessor(v, 0), then);
  if (!LLVMIsConditional(v)) {
    LLVMBuildBr(c->b, to);
    return;
  }
  LLVMValueRef on = LLVMGetCondition(v), copy = mt_copy_of(c, on);
  LLVMBuildCondBr(c->b, copy ? copy : on, to,
                  copy_or(c, LLVMGetSuccessor(v, 1), then));
}

static void copy_body(mt_Copies *c, LLVMBasicBlockRef b, LLVMBasicBlockRef to,
                      LLVMValueRef stop, LLVMBasicBlockRef then) {
  for (LLVMValueRef v = LLVMGetFirstInstruction(b); v;
       v = LLVMGetNextInstruction(v)) {
    LLVMPositionBuilderAtEnd(c->b, to);
    if (v == stop) {
      LLVMBuildBr(c->b, then);
      return;
    }
    if (LLVMIsAPHINode(v) || mt_starts(mt_callee(v), "llvm.dbg.")) continue;
    if (LLVMIsABranchInst(v))
      copy_branch(c, v, then);
    else
      mt_copy_pair(c, v, mt_clone_here(c, v));
  }
}

void mt_copy_bodies(mt_Copies *c, LLVMValueRef stop, LLVMBasicBlockRef then) {
  for (int i = 0; i < c->copies; i++)
    copy_body(c, c->old[i], c->copy[i], stop, then);
}

void mt_copy_incoming(mt_Copies *c, LLVMBasicBlockRef b,
                      LLVMBasicBlockRef from) {
  for (LLVMValueRef v = LLVMGetFirstInstruction(b); v && LLVMIsAPHINode(v);
       v = LLVMGetNextInstruction(v))
    for (unsigned n = 0; n < LLVMCountIncoming(v); n++) {
      LLVMValueRef x = LLVMGetIncomingValue(v, n), to = mt_copy_of(c, x);
      LLVMBasicBlockRef block = copy_or(c, LLVMGetIncomingBlock(v, n), from);
      LLVMAddIncoming(mt_copy_of(c, v), to ? &to : &x, &block, 1);
    }
}

LLVMValueRef mt_change_phi(LLVMBuilderRef b, LLVMValueRef phi,
                           LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                           LLVMValueRef x) {
  LLVMPositionBuilderBefore(b, phi);
  LLVMValueRef p = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
  for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, n);
    LLVMValueRef v = LLVMGetIncomingValue(phi, n);
    if (block == from && x) v = x;
    if (block == from) block = to;
    LLVMAddIncoming(p, &v, &block, 1);
  }
  LLVMReplaceAllUsesWith(phi, p);
  LLVMInstructionEraseFromParent(phi);
  return p;
}
