/*
** loops.c - loops that the driver's compiler shall not unroll again.
**
** A loop whose length is known only when it runs has been unrolled by LLVM by
** then: its long body is four rounds, and another loop does what is left over.
** The driver's compiler would take four of that, with code for what is left
** over again, which a short loop runs through each time. Where the length is
** known, nothing is left over, and it may.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/cuda/ptx/work.h"

#define LONG 24 /* instructions of a body */

/* A loop of one block that counts to a number that is not known. */
static bool is_loop(LLVMBasicBlockRef b, LLVMValueRef end) {
  if (!LLVMIsABranchInst(end) || LLVMGetNumSuccessors(end) != 2 ||
      (LLVMGetSuccessor(end, 0) != b && LLVMGetSuccessor(end, 1) != b))
    return false;
  LLVMValueRef test = LLVMGetCondition(end);
  if (!LLVMIsAICmpInst(test) || LLVMGetICmpPredicate(test) > LLVMIntNE)
    return false;
  return !LLVMIsConstant(LLVMGetOperand(test, 0)) &&
         !LLVMIsConstant(LLVMGetOperand(test, 1));
}

static bool is_long(LLVMBasicBlockRef b) {
  unsigned n = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
       i = LLVMGetNextInstruction(i))
    n++;
  return n > LONG;
}

/* !0 = distinct !{!0, !{!"llvm.loop.unroll.disable"}} */
static LLVMMetadataRef keep_rolled(LLVMContextRef c) {
  static const char word[] = "llvm.loop.unroll.disable";
  LLVMMetadataRef text = LLVMMDStringInContext2(c, word, strlen(word));
  LLVMMetadataRef part[2] = {LLVMTemporaryMDNode(c, NULL, 0),
                             LLVMMDNodeInContext2(c, &text, 1)};
  LLVMMetadataRef loop = LLVMMDNodeInContext2(c, part, 2);
  LLVMMetadataReplaceAllUsesWith(part[0], loop);
  return loop;
}

void mt_ptx_keep_rolled(mt_PtxWork *w, LLVMValueRef latch) {
  unsigned kind = LLVMGetMDKindIDInContext(w->context, "llvm.loop", 9);
  LLVMSetMetadata(latch, kind,
                  LLVMMetadataAsValue(w->context, keep_rolled(w->context)));
}

void mt_ptx_keep_loops(mt_PtxWork *w) {
  unsigned kind = LLVMGetMDKindIDInContext(w->context, "llvm.loop", 9);
  LLVMValueRef f = w->prepared.function;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    if (is_loop(b, end) && is_long(b) && !LLVMGetMetadata(end, kind))
      mt_ptx_keep_rolled(w, end);
  }
}
