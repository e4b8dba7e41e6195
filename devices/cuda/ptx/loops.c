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

#include "devices/compiler/ir/ir.h"
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

void mt_ptx_keep_rolled(mt_PtxWork *w, LLVMValueRef latch) {
  LLVMMetadataRef rolled =
      mt_loop_hint(w->context, "llvm.loop.unroll.disable", 0, 0);
  mt_set_loop_hints(w->context, latch, &rolled, 1);
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
