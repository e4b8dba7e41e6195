/*
** sink_guards.c - comparisons of positions that LLVM has hoisted out of a loop,
** put back beside the branch that needs them.
**
** The one idea: in 'row < m && i < k ? a[row * k + i] : 0' the first comparison
** is the same in every iteration, and LLVM computes it before the loop. That is
** a mask for us, which lives in a frame where the loop has barriers, and the
** branch has to look at vectors. Beside the branch it is a test of two scalars
** (branch_uniformity.c), and its operands, positions and bounds, are scalars
** too.
*/
#include "devices/host/transform/transform.h"

/* instructions from a comparison back to a position */
#define MAX_POSITION_DEPTH 8

/* Positions, and numbers that the launch gives: nothing that differs from lane
** to lane but as a position does. */
static bool is_scalar_for_us(LLVMValueRef v, int depth) {
  if (LLVMIsConstant(v) || LLVMIsAArgument(v)) return true;
  if (depth == MAX_POSITION_DEPTH || !LLVMIsAInstruction(v)) return false;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad: return LLVMIsAArgument(LLVMGetOperand(v, 0)) != NULL;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMExtractElement: break;
    default: return false;
  }
  for (int i = 0; i < LLVMGetNumOperands(v); i++)
    if (!is_scalar_for_us(LLVMGetOperand(v, (unsigned)i), depth + 1))
      return false;
  return true;
}

/* Operations on conditions, which branch_uniformity.c sees through. */
static bool is_logic(LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(t) != 1)
    return false;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect: return true;
    default: return false;
  }
}

static bool is_guard(LLVMValueRef v, int depth) {
  if (LLVMIsConstant(v)) return true;
  if (depth == MT_CONDITION_DEPTH || !LLVMIsAInstruction(v)) return false;
  bool compares = LLVMIsAICmpInst(v) != NULL;
  if (!compares && !is_logic(v)) return false;
  for (int i = 0; i < LLVMGetNumOperands(v); i++) {
    LLVMValueRef x = LLVMGetOperand(v, (unsigned)i);
    if (!(compares ? is_scalar_for_us(x, 0) : is_guard(x, depth + 1)))
      return false;
  }
  return true;
}

/* A copy of a guard and of all that it is made of, before 'user'. */
static LLVMValueRef copy(LLVMBuilderRef b, LLVMValueRef guard,
                         LLVMValueRef user) {
  if (LLVMIsConstant(guard)) return guard;
  LLVMValueRef c = LLVMInstructionClone(guard);
  if (is_logic(guard))
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(guard); i++)
      LLVMSetOperand(c, i, copy(b, LLVMGetOperand(guard, i), user));
  LLVMPositionBuilderBefore(b, user);
  LLVMInsertIntoBuilder(b, c);
  return c;
}

/* The guards from other blocks among the operands of 'user', a branch or the
** logic of one. */
static void sink_to(LLVMBuilderRef b, LLVMValueRef user, int depth) {
  unsigned operands =
      LLVMIsABranchInst(user) ? 1 : (unsigned)LLVMGetNumOperands(user);
  for (unsigned i = 0; i < operands && depth < MT_CONDITION_DEPTH; i++) {
    LLVMValueRef v = LLVMGetOperand(user, i);
    if (!LLVMIsAInstruction(v)) continue;
    if (LLVMGetInstructionParent(v) == LLVMGetInstructionParent(user)) {
      if (is_logic(v)) sink_to(b, v, depth + 1);
    } else if (is_guard(v, depth)) {
      LLVMSetOperand(user, i, copy(b, v, user));
    }
  }
}

void mt_sink_guards(LLVMValueRef function) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(
      LLVMGetModuleContext(LLVMGetGlobalParent(function)));
  for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
       k = LLVMGetNextBasicBlock(k)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(k);
    if (LLVMIsABranchInst(end) && LLVMIsConditional(end)) sink_to(b, end, 0);
  }
  LLVMDisposeBuilder(b);
}
