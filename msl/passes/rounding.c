/*
** rounding.c - half and bfloat keep no more precision than they have.
**
** In fast math LLVM may regroup operations and leave out roundings in between,
** also across the person's variables: of half s = x + y; s = s - x; it makes y.
** A float loses nothing by that; a half that is assigned, passed or returned is
** one, with its 11 bits. The one idea: where the IR, as Clang wrote it, rounds
** to half or bfloat, it stays rounded. So operations on half lose the flags
** that regroup and fuse, and conversions to and from narrow floats all flags; a
** product that is added in the same expression is fused at once. Clang computes
** an expression of bfloats in float, and rounds where it is assigned.
*/
#include "msl/passes/passes.h"

static LLVMTypeKind element_kind(LLVMTypeRef t) {
  if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) t = LLVMGetElementType(t);
  return LLVMGetTypeKind(t);
}

static bool is_half(LLVMValueRef v) {
  return element_kind(LLVMTypeOf(v)) == LLVMHalfTypeKind;
}

static bool is_narrow(LLVMValueRef v) {
  return is_half(v) || element_kind(LLVMTypeOf(v)) == LLVMBFloatTypeKind;
}

static bool may_fuse(LLVMValueRef i) {
  return LLVMCanValueUseFastMathFlags(i) &&
         (LLVMGetFastMathFlags(i) & LLVMFastMathAllowContract);
}

/* A product that only 'user' has: as Clang writes it, of the same
** expression. */
static bool is_own_product(LLVMValueRef v, LLVMValueRef user) {
  if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMFMul)
    return false;
  LLVMUseRef use = LLVMGetFirstUse(v);
  return may_fuse(v) && use && LLVMGetUser(use) == user &&
         LLVMGetNextUse(use) == NULL;
}

static LLVMValueRef fused(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y,
                          LLVMValueRef z) {
  LLVMTypeRef t = LLVMTypeOf(x);
  LLVMModuleRef module = LLVMGetGlobalParent(
      LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
  static const char name[] = "llvm.fmuladd";
  unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(module, id, &t, 1),
               all[] = {x, y, z};
  return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, all, 3, "");
}

/* a * b + c, a * b - c, c - a * b; NULL: 'i' is none of them. */
static LLVMValueRef fuse(LLVMBuilderRef b, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if ((op != LLVMFAdd && op != LLVMFSub) || !is_half(i) || !may_fuse(i))
    return NULL;
  LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
  bool minus = op == LLVMFSub;
  if (is_own_product(x, i))
    return fused(b, LLVMGetOperand(x, 0), LLVMGetOperand(x, 1),
                 minus ? LLVMBuildFNeg(b, y, "") : y);
  if (!is_own_product(y, i)) return NULL;
  LLVMValueRef first = LLVMGetOperand(y, 0);
  return fused(b, minus ? LLVMBuildFNeg(b, first, "") : first,
               LLVMGetOperand(y, 1), x);
}

static bool was_narrow(LLVMValueRef v) {
  return LLVMIsAConstant(v) ||
         (LLVMIsAFPExtInst(v) && is_narrow(LLVMGetOperand(v, 0)));
}

/* (float)x + (float)y: if the sum is rounded to the type of both, LLVM makes
** x + y of it, with the same flags. */
static bool may_be_narrowed(LLVMValueRef i) {
  return was_narrow(LLVMGetOperand(i, 0)) && was_narrow(LLVMGetOperand(i, 1));
}

/* What is to stand for 'i'; NULL: it may stay. */
static LLVMValueRef rounded(LLVMBuilderRef b, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  LLVMValueRef x = LLVMGetNumOperands(i) > 0 ? LLVMGetOperand(i, 0) : NULL;
  switch (op) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
      return is_half(i) || may_be_narrowed(i)
                 ? LLVMBuildBinOp(b, op, x, LLVMGetOperand(i, 1), "")
                 : NULL;
    case LLVMFCmp:
      return is_half(x) ? LLVMBuildFCmp(b, LLVMGetFCmpPredicate(i), x,
                                        LLVMGetOperand(i, 1), "")
                        : NULL;
    case LLVMFPTrunc:
      return is_narrow(i) ? LLVMBuildFPTrunc(b, x, LLVMTypeOf(i), "") : NULL;
    case LLVMFPExt:
      return is_narrow(x) ? LLVMBuildFPExt(b, x, LLVMTypeOf(i), "") : NULL;
    default: return NULL;
  }
}

/* Without those that regroup and fuse. A product in float may still be fused
** with a sum in float: a sum of what was narrow is fused with nothing. */
static LLVMFastMathFlags flags_of(LLVMValueRef i) {
  LLVMFastMathFlags flags = LLVMGetFastMathFlags(i);
  bool product = !is_half(i) && LLVMGetInstructionOpcode(i) == LLVMFMul;
  if (!product) flags &= ~(unsigned)LLVMFastMathAllowContract;
  return flags & ~(unsigned)LLVMFastMathAllowReassoc;
}

/* Puts what 'make' says in the place of each instruction. */
static void replace(LLVMModuleRef module,
                    LLVMValueRef make(LLVMBuilderRef, LLVMValueRef)) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  MT_EACH_FUNCTION(f, module) MT_EACH_BLOCK(block, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMPositionBuilderBefore(b, i);
      LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
      LLVMValueRef made = make(b, i);
      if (made == NULL) continue;
      if (LLVMIsABinaryOperator(made))
        LLVMSetFastMathFlags(made, flags_of(i));
      LLVMReplaceAllUsesWith(i, made);
      LLVMInstructionEraseFromParent(i);
    }
  LLVMDisposeBuilder(b);
}

void mt_pass_rounding(LLVMModuleRef module) {
  replace(module, fuse);
  replace(module, rounded);
}
