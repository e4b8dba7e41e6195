/*
** speculate.c - branches around a few operations become selections.
**
** The one idea: on a GPU a branch costs the lanes' reconvergence, some five
** instructions that wait for each other; what it guards mostly neither leaves a
** loop nor is shared. So a few operations that may be done anyway (no access,
** no division) are moved in front of the branch that decides whether their
** result is wanted, and that becomes a selection. Inner branches are first, so
** that a chain of conditions is one row of selections.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

#define FEW 8    /* operations of a side */
#define ROUNDS 3 /* of conditions in each other */

static bool is_plain_call(LLVMValueRef i) {
  static const char *const PLAIN[] = {
      "llvm.fabs.",   "llvm.fma.",  "llvm.fmuladd.", "llvm.floor.",
      "llvm.minnum.", "llvm.smin.", "llvm.umin.",    "llvm.copysign.",
      "llvm.maxnum.", "llvm.smax.", "llvm.umax.",    "llvm.abs."};
  for (size_t k = 0; k < sizeof PLAIN / sizeof *PLAIN; k++)
    if (mt_starts(mt_callee(i), PLAIN[k])) return true;
  return false;
}

/* May it be done where its result is not wanted, at little cost? */
static bool is_cheap(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd: case LLVMFSub: case LLVMFMul: case LLVMFNeg: case LLVMFCmp:
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMICmp: case LLVMAnd:
    case LLVMOr: case LLVMXor: case LLVMShl: case LLVMLShr: case LLVMAShr:
    case LLVMSelect: case LLVMZExt: case LLVMSExt: case LLVMTrunc:
    case LLVMSIToFP: case LLVMUIToFP: case LLVMBitCast:
      return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVectorTypeKind;
    case LLVMCall: return is_plain_call(i);
    default: return false;
  }
}

/* The block that 'side', which only 'head' leads to, goes on to after a few
** cheap operations; NULL: it is something else. */
static LLVMBasicBlockRef after(LLVMBasicBlockRef side, LLVMBasicBlockRef head) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(side);
  unsigned count = 0;
  if (!LLVMIsABranchInst(last) || LLVMIsConditional(last)) return NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(side)); u;
       u = LLVMGetNextUse(u))
    if (LLVMGetInstructionParent(LLVMGetUser(u)) != head) return NULL;
  for (LLVMValueRef i = LLVMGetFirstInstruction(side); i != last;
       i = LLVMGetNextInstruction(i))
    if (!is_cheap(i) || ++count > FEW) return NULL;
  return LLVMGetSuccessor(last, 0);
}

static void move_up(mt_PtxWork *w, LLVMBasicBlockRef side, LLVMValueRef to) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(side);
  LLVMPositionBuilderBefore(w->b, to);
  for (LLVMValueRef i; (i = LLVMGetFirstInstruction(side)) != last;) {
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(w->b, i);
  }
}

static LLVMValueRef value_from(LLVMValueRef phi, LLVMBasicBlockRef block) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == block)
      return LLVMGetIncomingValue(phi, k);
  return NULL;
}

/* 'phi' once more, with a selection from 'head' in the place of what came from
** 'a' and 'b'; where one of them is 'head' itself, the branch led to it. */
static void select_in(mt_PtxWork *w, LLVMValueRef phi, LLVMValueRef branch,
                      LLVMBasicBlockRef a, LLVMBasicBlockRef b) {
  LLVMBasicBlockRef head = LLVMGetInstructionParent(branch);
  LLVMPositionBuilderBefore(w->b, branch);
  LLVMValueRef x = value_from(phi, a), y = value_from(phi, b);
  LLVMValueRef chosen =
      x == y ? x
             : LLVMBuildSelect(w->b, LLVMGetCondition(branch), x, y, "");
  if (chosen != x && LLVMCanValueUseFastMathFlags(chosen) &&
      LLVMCanValueUseFastMathFlags(phi))
    LLVMSetFastMathFlags(chosen, LLVMGetFastMathFlags(phi));
  LLVMPositionBuilderBefore(w->b, phi);
  LLVMValueRef made = LLVMBuildPhi(w->b, LLVMTypeOf(phi), "");
  if (LLVMCanValueUseFastMathFlags(phi))
    LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(phi));
  LLVMAddIncoming(made, &chosen, &head, 1);
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
    LLVMValueRef v = LLVMGetIncomingValue(phi, k);
    if (from != a && from != b) LLVMAddIncoming(made, &v, &from, 1);
  }
  LLVMReplaceAllUsesWith(phi, made);
  LLVMInstructionEraseFromParent(phi);
}

/* Both ways of the branch lead to 'join', by 'a' and by 'b', of which one may
** be the branch's own block: go there. */
static void merge(mt_PtxWork *w, LLVMValueRef branch, LLVMBasicBlockRef a,
                  LLVMBasicBlockRef b, LLVMBasicBlockRef join) {
  LLVMBasicBlockRef head = LLVMGetInstructionParent(branch);
  if (a != head) move_up(w, a, branch);
  if (b != head) move_up(w, b, branch);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(join), next;
       LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    select_in(w, phi, branch, a, b);
  }
  LLVMPositionBuilderBefore(w->b, branch);
  LLVMBuildBr(w->b, join);
  LLVMInstructionEraseFromParent(branch);
  if (a != head) LLVMDeleteBasicBlock(a);
  if (b != head) LLVMDeleteBasicBlock(b);
}

/* A branch around one side or between two. */
static bool speculate(mt_PtxWork *w, LLVMBasicBlockRef head) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(head);
  if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) return false;
  LLVMBasicBlockRef a = LLVMGetSuccessor(branch, 0),
                    b = LLVMGetSuccessor(branch, 1);
  LLVMBasicBlockRef after_a = after(a, head), after_b = after(b, head);
  if (a == b || head == a || head == b) return false;
  if (after_a && after_a == b)
    merge(w, branch, a, head, b);
  else if (after_b && after_b == a)
    merge(w, branch, head, b, a);
  else if (after_a && after_a == after_b && after_a != head)
    merge(w, branch, a, b, after_a);
  else
    return false;
  return true;
}

static mt_Status speculate_in(mt_PtxWork *w, LLVMValueRef f, mt_Error *err) {
  mt_Status status = MT_OK;
  bool any = true;
  for (int round = 0; round < ROUNDS && any && status == MT_OK; round++) {
    any = false;
    for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(f); b;
         b = LLVMGetPreviousBasicBlock(b))
      any |= speculate(w, b);
    if (any)
      status = mt_run_function_passes(w->prepared.target, f, "simplifycfg",
                                      err);
  }
  return status;
}

mt_Status mt_ptx_speculate(mt_PtxWork *w, mt_Error *err) {
  mt_Status status = MT_OK;
  for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f && status == MT_OK;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) status = speculate_in(w, f, err);
  return status;
}
