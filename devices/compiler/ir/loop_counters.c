/*
** loop_counters.c - variables that count the iterations of loops.
**
** The one idea: each edge into a loop's header sets the counter, to 0 from
** outside and to one more from inside. An edge's block may also lead elsewhere:
** then the counter changes when the loop is left, and it is not read there.
*/
#include "devices/compiler/ir/loop_counters.h"

static bool enters(LLVMBasicBlockRef from, LLVMBasicBlockRef header) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(from);
  for (unsigned n = 0; n < LLVMGetNumSuccessors(last); n++)
    if (LLVMGetSuccessor(last, n) == header) return true;
  return false;
}

static void count_edges(const mt_LoopNest *nest, LLVMBuilderRef b,
                        LLVMValueRef counter, int loop) {
  LLVMTypeRef i32 = LLVMGetAllocatedType(counter);
  LLVMBasicBlockRef header = nest->block[nest->loops[loop].header];
  for (int i = 0; i < nest->blocks && nest->block[i]; i++) {
    if (!enters(nest->block[i], header)) continue;
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(nest->block[i]));
    LLVMValueRef count = LLVMConstInt(i32, 0, 0);
    if (mt_loop_nest_contains(nest, i, loop))
      count = LLVMBuildAdd(b, LLVMBuildLoad2(b, i32, counter, ""),
                           LLVMConstInt(i32, 1, 0), "");
    LLVMBuildStore(b, count, counter);
  }
}

void mt_loop_counters_add(const mt_LoopNest *nest, LLVMValueRef function,
                          LLVMBuilderRef b, LLVMValueRef *counter, int loop) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  for (; loop >= 0 && !counter[loop]; loop = nest->loops[loop].parent) {
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    counter[loop] = LLVMBuildAlloca(b, LLVMInt32TypeInContext(c), "iterations");
    count_edges(nest, b, counter[loop], loop);
  }
}
