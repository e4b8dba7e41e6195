/*
** equal_phis.c - phis whose values are equal on all ways, see steps.h.
**
** The one idea: in
**
**   for (uint i = t; i < n; i += 256) s += x[i];
**   part[t] = s;
**
** t is widened to an index before the loop, if it is entered, and again after
** it. LLVM's partial redundancy elimination computes it once on each way, and
** joins the two in a phi. For one thread that saves an instruction; for vectors
** the index is a value that may differ by the way that a lane came, so that
** part[t] is a scatter. Where the values of a phi are the same expression of
** the same values, it is that expression, computed again at the phi: what it is
** made of is available on each way, and so dominates the phi.
*/
#include <llvm-c/DebugInfo.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

#define MAX_DEPTH 4 /* instructions of an expression, one upon the other */
#define MAX_WAYS 8  /* into a block */

/* ----------------------------------------------------------- one expression */

/* Arithmetic of addresses and indices: cheap enough to be done twice. */
static bool is_cheap(LLVMValueRef v) {
  if (!LLVMIsAInstruction(v)) return false;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt: case LLVMSExt: case LLVMTrunc: case LLVMBitCast:
    case LLVMPtrToInt: case LLVMIntToPtr: case LLVMGetElementPtr:
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMShl: case LLVMLShr:
    case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor: case LLVMICmp:
    case LLVMSelect: case LLVMExtractElement:
      return true;
    case LLVMCall: {
      const char *name = mt_callee(v);
      return mt_starts(name, "llvm.umin.") || mt_starts(name, "llvm.umax.") ||
             mt_starts(name, "llvm.smin.") || mt_starts(name, "llvm.smax.");
    }
    default: return false;
  }
}

static bool same_kind(LLVMValueRef a, LLVMValueRef b) {
  LLVMOpcode op = LLVMGetInstructionOpcode(a);
  if (op != LLVMGetInstructionOpcode(b) || LLVMTypeOf(a) != LLVMTypeOf(b) ||
      LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
    return false;
  if (op == LLVMICmp)
    return LLVMGetICmpPredicate(a) == LLVMGetICmpPredicate(b);
  return op != LLVMGetElementPtr || LLVMGetGEPSourceElementType(a) ==
                                        LLVMGetGEPSourceElementType(b);
}

/* Are both the same expression of the same values? */
static bool are_equal(LLVMValueRef a, LLVMValueRef b, int depth) {
  if (a == b) return true;
  if (depth == MAX_DEPTH || !is_cheap(a) || !is_cheap(b) || !same_kind(a, b))
    return false;
  for (int n = 0; n < LLVMGetNumOperands(a); n++)
    if (!are_equal(LLVMGetOperand(a, (unsigned)n),
                   LLVMGetOperand(b, (unsigned)n), depth + 1))
      return false;
  return true;
}

/* ------------------------------------------------------------- in its place */

/* What 'of' does not promise, that nothing wraps say, 'v' must not. */
static void keep_common_promises(LLVMValueRef v, LLVMValueRef of) {
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMShl: case LLVMTrunc:
      if (!LLVMGetNUW(of)) LLVMSetNUW(v, 0);
      if (!LLVMGetNSW(of)) LLVMSetNSW(v, 0);
      break;
    case LLVMLShr: case LLVMAShr:
      if (!LLVMGetExact(of)) LLVMSetExact(v, 0);
      break;
    case LLVMZExt:
      if (!LLVMGetNNeg(of)) LLVMSetNNeg(v, 0);
      break;
    case LLVMOr:
      if (!LLVMGetIsDisjoint(of)) LLVMSetIsDisjoint(v, 0);
      break;
    case LLVMICmp:
      if (!LLVMGetICmpSameSign(of)) LLVMSetICmpSameSign(v, 0);
      break;
    case LLVMGetElementPtr:
      LLVMGEPSetNoWrapFlags(
          v, LLVMGEPGetNoWrapFlags(v) & LLVMGEPGetNoWrapFlags(of));
      break;
    default: break;
  }
}

static bool all_one(const LLVMValueRef *x, unsigned count) {
  for (unsigned k = 1; k < count; k++)
    if (x[k] != x[0]) return false;
  return true;
}

/* The fast-math flags that all have. */
static LLVMFastMathFlags common_flags(const LLVMValueRef *x, unsigned count) {
  LLVMFastMathFlags flags = LLVMGetFastMathFlags(x[0]);
  for (unsigned k = 1; k < count; k++) flags &= LLVMGetFastMathFlags(x[k]);
  return flags;
}

/* A selection of floats with these flags: LLVM adds flags to an instruction,
** and takes none away. */
static LLVMValueRef select_again(LLVMBuilderRef b, LLVMValueRef v,
                                 LLVMFastMathFlags flags) {
  LLVMValueRef made = LLVMBuildSelect(b, LLVMGetOperand(v, 0),
                                      LLVMGetOperand(v, 1),
                                      LLVMGetOperand(v, 2), "");
  if (LLVMIsASelectInst(made)) {
    LLVMSetFastMathFlags(made, flags);
    LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(v));
  }
  LLVMInstructionEraseFromParent(v); /* which nothing uses yet */
  return made;
}

/* The expression that 'x' are, at the builder's position. */
static LLVMValueRef computed(LLVMBuilderRef b, const LLVMValueRef *x,
                             unsigned count) {
  LLVMValueRef operand[MAX_WAYS];
  if (all_one(x, count)) return x[0];
  LLVMValueRef v = LLVMInstructionClone(x[0]);
  for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(v); n++) {
    for (unsigned k = 0; k < count; k++) operand[k] = LLVMGetOperand(x[k], n);
    LLVMSetOperand(v, n, computed(b, operand, count));
  }
  for (unsigned k = 1; k < count; k++) keep_common_promises(v, x[k]);
  LLVMInsertIntoBuilder(b, v);
  if (!LLVMCanValueUseFastMathFlags(v)) return v;
  LLVMFastMathFlags flags = common_flags(x, count);
  return flags == LLVMGetFastMathFlags(v) ? v : select_again(b, v, flags);
}

static LLVMValueRef after_phis(LLVMValueRef i) {
  while (LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
  return i;
}

/* What 'phi' is on all ways; NULL: it depends on the way. */
static LLVMValueRef same_on_all_ways(LLVMBuilderRef b, LLVMValueRef phi) {
  LLVMValueRef x[MAX_WAYS];
  unsigned count = LLVMCountIncoming(phi);
  if (count > MAX_WAYS) return NULL;
  for (unsigned k = 0; k < count; k++) {
    x[k] = LLVMGetIncomingValue(phi, k);
    if (!are_equal(x[0], x[k], 0)) return NULL;
  }
  if (all_one(x, count)) return NULL;
  LLVMPositionBuilderBefore(b, after_phis(phi));
  return computed(b, x, count);
}

static bool replace_some(LLVMBuilderRef b, LLVMValueRef function) {
  bool any = false;
  for (LLVMValueRef i = mt_first_from(LLVMGetFirstBasicBlock(function)), next;
       i; i = next) {
    next = mt_next_instruction(i);
    LLVMValueRef x = LLVMIsAPHINode(i) ? same_on_all_ways(b, i) : NULL;
    if (!x) continue;
    LLVMReplaceAllUsesWith(i, x);
    LLVMInstructionEraseFromParent(i);
    any = true;
  }
  return any;
}

void mt_replace_equal_phis(LLVMValueRef function) {
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
  while (replace_some(b, function)) /* others are made of those */
    ;
  LLVMDisposeBuilder(b);
}
