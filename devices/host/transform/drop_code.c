/*
** drop_code.c - code that a change of the kernel has left without a use.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/transform/keep_tiles.h"

static bool is_dead(LLVMValueRef v) {
  unsigned at;
  return !LLVMGetFirstUse(v) && mt_tile_effect(v, &at) < MT_WRITES &&
         LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVoidTypeKind;
}

void mt_drop_dead(LLVMBasicBlockRef b) {
  LLVMValueRef before;
  for (LLVMValueRef v = LLVMGetLastInstruction(b); v; v = before) {
    before = LLVMGetPreviousInstruction(v);
    if (is_dead(v)) LLVMInstructionEraseFromParent(v);
  }
}

/* The new branch comes after the old one: LLVM moves debug records from an
** instruction that is erased to the next, and must find one. */
void mt_branch_to(mt_Spmd *s, LLVMBasicBlockRef b, LLVMBasicBlockRef to) {
  LLVMValueRef old = LLVMGetBasicBlockTerminator(b);
  LLVMPositionBuilderAtEnd(s->b, b);
  LLVMBuildBr(s->b, to);
  LLVMInstructionEraseFromParent(old);
}

/* A branch around a block that is empty now is none. */
static void drop_detour(mt_Spmd *s, LLVMBasicBlockRef b) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return;
  for (unsigned i = 0; i < 2; i++) {
    LLVMBasicBlockRef side = LLVMGetSuccessor(end, i);
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, !i);
    LLVMValueRef first = LLVMGetFirstInstruction(side);
    if (!LLVMIsABranchInst(first) || LLVMIsConditional(first) ||
        LLVMGetSuccessor(first, 0) != to || side == to ||
        LLVMIsAPHINode(LLVMGetFirstInstruction(to)))
      continue;
    mt_branch_to(s, b, to);
    return;
  }
}

static void drop_unreached(LLVMBasicBlockRef *block) {
  if (LLVMGetFirstUse(LLVMBasicBlockAsValue(*block))) return;
  LLVMDeleteBasicBlock(*block);
  *block = NULL;
}

/* Twice: a branch around a branch. */
void mt_drop_detours(mt_Spmd *s, LLVMBasicBlockRef *block, int n) {
  for (int again = 0; again < 2; again++) {
    for (int i = n; i-- > 0;)
      if (block[i]) mt_drop_dead(block[i]);
    for (int i = n; i-- > 0;)
      if (block[i]) drop_detour(s, block[i]);
    for (int i = n; i-- > 0;)
      if (block[i]) drop_unreached(&block[i]);
  }
  for (int i = n; i-- > 0;)
    if (block[i]) mt_drop_dead(block[i]);
}

static bool is_one_of(LLVMBasicBlockRef b, LLVMBasicBlockRef *block, int n) {
  bool is = false;
  for (int i = 0; i < n; i++) is |= block[i] == b;
  return is;
}

bool mt_is_used_outside(LLVMBasicBlockRef b, LLVMBasicBlockRef *block,
                            int n) {
  unsigned at;
  for (LLVMValueRef v = LLVMGetFirstInstruction(b); v;
       v = LLVMGetNextInstruction(v)) {
    if (mt_tile_effect(v, &at) >= MT_WRITES) return true;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
      if (!is_one_of(LLVMGetInstructionParent(LLVMGetUser(u)), block, n))
        return true;
  }
  return false;
}

/* Whole, with their debug records, and only after none uses another. */
void mt_drop_blocks(LLVMBasicBlockRef *block, int n, LLVMBasicBlockRef other) {
  for (int i = 0; i < n; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block[i]);
    for (LLVMValueRef v = LLVMGetFirstInstruction(block[i]); v;
         v = LLVMGetNextInstruction(v))
      if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(v, LLVMGetPoison(LLVMTypeOf(v)));
    for (unsigned to = 0; to < LLVMGetNumSuccessors(end); to++)
      LLVMSetSuccessor(end, to, other);
    /* a phi names blocks too */
    for (LLVMValueRef v; LLVMIsAPHINode(v = LLVMGetFirstInstruction(block[i]));)
      LLVMInstructionEraseFromParent(v);
  }
  for (int i = 0; i < n; i++) LLVMDeleteBasicBlock(block[i]);
}

/* From the header on, the loop has nothing to do before its barrier but to
** compute what only its stores needed, unless something there is used later. */
