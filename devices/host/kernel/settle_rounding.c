/*
** settle_rounding.c - fixes every rounding before the tiers differ, see tier.h.
**
** The one idea: fast-math flags are permissions, and the two tiers would use
** them differently. Their most valuable use is made here: a product whose only
** use is an addition becomes a fused multiply-add where the CPU has one. Then
** the flags are removed, and what is left is IEEE arithmetic, whose bits no
** pass changes.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/target/target.h"
#include "devices/host/kernel/tier.h"
#include "devices/host/vectorise/vectorise.h"

typedef struct Settling {
  LLVMModuleRef module;
  LLVMBuilderRef b;
  bool has_fma; /* the CPU has a fused multiply-add */
  bool failed;  /* some flags could not be removed */
} Settling;

static bool has_fma(mt_Target *t, LLVMModuleRef m) {
  return strncmp(LLVMGetTarget(m), "x86_64", 6) != 0 ||
         mt_target_has(t, "fma") || mt_target_has(t, "avx512f");
}

/* float or double, or a vector of them: narrower types are rounded in
** between. */
static bool fuses(const Settling *s, LLVMTypeRef t) {
  if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) t = LLVMGetElementType(t);
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  return s->has_fma &&
         (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind);
}

static bool may_contract(LLVMValueRef v) {
  return LLVMIsAInstruction(v) && LLVMCanValueUseFastMathFlags(v) &&
         LLVMGetFastMathFlags(v) & LLVMFastMathAllowContract;
}

/* A product whose only use is the addition. */
static bool is_product(LLVMValueRef v) {
  LLVMUseRef use = LLVMIsAInstruction(v) ? LLVMGetFirstUse(v) : NULL;
  return use && !LLVMGetNextUse(use) &&
         LLVMGetInstructionOpcode(v) == LLVMFMul && may_contract(v);
}

static LLVMValueRef fused(Settling *s, LLVMValueRef x, LLVMValueRef y,
                          LLVMValueRef z) {
  LLVMTypeRef t = LLVMTypeOf(x);
  unsigned id = LLVMLookupIntrinsicID("llvm.fma", 8);
  LLVMTypeRef type =
      LLVMIntrinsicGetType(LLVMGetModuleContext(s->module), id, &t, 1);
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(s->module, id, &t, 1);
  return LLVMBuildCall2(s->b, type, f, (LLVMValueRef[]){x, y, z}, 3, "");
}

static LLVMValueRef negative(Settling *s, LLVMValueRef v) {
  return LLVMBuildFNeg(s->b, v, "");
}

/* x * y + z in its four forms; NULL: none of them. */
static LLVMValueRef contracted(Settling *s, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if ((op != LLVMFAdd && op != LLVMFSub) || !may_contract(i) ||
      !fuses(s, LLVMTypeOf(i)))
    return NULL;
  LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
  LLVMPositionBuilderBefore(s->b, i);
  if (is_product(a))
    return fused(s, LLVMGetOperand(a, 0), LLVMGetOperand(a, 1),
                 op == LLVMFSub ? negative(s, b) : b);
  if (!is_product(b)) return NULL;
  LLVMValueRef x = LLVMGetOperand(b, 0);
  return fused(s, op == LLVMFSub ? negative(s, x) : x, LLVMGetOperand(b, 1), a);
}

/* llvm.fmuladd, which LLVM fuses or not, by target: decide it here. */
static LLVMValueRef decided(Settling *s, LLVMValueRef i) {
  if (!mt_starts(mt_callee(i), "llvm.fmuladd.")) return NULL;
  LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1),
               z = LLVMGetOperand(i, 2);
  LLVMPositionBuilderBefore(s->b, i);
  if (fuses(s, LLVMTypeOf(i))) return fused(s, x, y, z);
  return LLVMBuildFAdd(s->b, LLVMBuildFMul(s->b, x, y, ""), z, "");
}

static void replace(LLVMValueRef i, LLVMValueRef by) {
  LLVMReplaceAllUsesWith(i, by);
  LLVMInstructionEraseFromParent(i);
}

static void contract(Settling *s, LLVMValueRef i) {
  LLVMValueRef v = contracted(s, i);
  if (!v) return;
  LLVMValueRef operands[2] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)};
  replace(i, v);
  for (unsigned k = 0; k < 2; k++)
    if (LLVMIsAInstruction(operands[k]) && !LLVMGetFirstUse(operands[k]) &&
        LLVMGetInstructionOpcode(operands[k]) == LLVMFMul)
      LLVMInstructionEraseFromParent(operands[k]);
}

/* llvm-c can add fast-math flags but not remove them, so each instruction is
** rebuilt without them. */
static LLVMValueRef plain_phi(Settling *s, LLVMValueRef i) {
  LLVMValueRef phi = LLVMBuildPhi(s->b, LLVMTypeOf(i), "");
  for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
    LLVMValueRef value = LLVMGetIncomingValue(i, k);
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(i, k);
    LLVMAddIncoming(phi, &value, &from, 1);
  }
  return phi;
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to, unsigned args) {
  LLVMAttributeRef all[64];
  for (unsigned k = 0; k <= args + 1; k++) {
    LLVMAttributeIndex at =
        k <= args ? k : (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned n = LLVMGetCallSiteAttributeCount(from, at);
    if (n > 64) continue;
    LLVMGetCallSiteAttributes(from, at, all);
    for (unsigned j = 0; j < n; j++) LLVMAddCallSiteAttribute(to, at, all[j]);
  }
}

static LLVMValueRef plain_call(Settling *s, LLVMValueRef i) {
  LLVMValueRef args[16];
  unsigned n = LLVMGetNumArgOperands(i);
  if (n > 16) return NULL; /* no intrinsic has so many */
  for (unsigned k = 0; k < n; k++) args[k] = LLVMGetOperand(i, k);
  LLVMValueRef call = LLVMBuildCall2(s->b, LLVMGetCalledFunctionType(i),
                                     LLVMGetCalledValue(i), args, n, "");
  LLVMSetInstructionCallConv(call, LLVMGetInstructionCallConv(i));
  copy_attributes(i, call, n);
  return call;
}

static LLVMValueRef plain(Settling *s, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  LLVMValueRef x = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
  LLVMPositionBuilderBefore(s->b, i);
  switch (op) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
      return LLVMBuildBinOp(s->b, op, x, LLVMGetOperand(i, 1), "");
    case LLVMFNeg: return LLVMBuildFNeg(s->b, x, "");
    case LLVMFCmp:
      return LLVMBuildFCmp(s->b, LLVMGetFCmpPredicate(i), x,
                           LLVMGetOperand(i, 1), "");
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMSIToFP:
    case LLVMUIToFP: return LLVMBuildCast(s->b, op, x, LLVMTypeOf(i), "");
    case LLVMSelect:
      return LLVMBuildSelect(s->b, x, LLVMGetOperand(i, 1),
                             LLVMGetOperand(i, 2), "");
    case LLVMPHI: return plain_phi(s, i);
    case LLVMCall: return plain_call(s, i);
    default: return NULL;
  }
}

static void forbid(Settling *s, LLVMValueRef i) {
  LLVMValueRef v = decided(s, i);
  if (!v && LLVMCanValueUseFastMathFlags(i) && LLVMGetFastMathFlags(i)) {
    v = plain(s, i);
    s->failed |= !v;
  }
  if (v && v != i) replace(i, v);
}

static void for_each(Settling *s, void (*step)(Settling *, LLVMValueRef)) {
  for (LLVMValueRef f = LLVMGetFirstFunction(s->module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(i));
        step(s, i);
      }
}

/* May LLVM reorder sums? Inner loops (strategy/inner_loop.c) are left to its
** vectoriser, and so is the order of vector reductions. */
static bool is_free(LLVMModuleRef m) {
  if (LLVMGetNamedMetadata(m, MT_INNER_LOOP, strlen(MT_INNER_LOOP)))
    return true;
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
       f = LLVMGetNextFunction(f)) {
    size_t length;
    if (mt_starts(LLVMGetValueName2(f, &length), "llvm.vector.reduce.f"))
      return true;
  }
  return false;
}

bool mt_rounding_settle(mt_Target *t, LLVMModuleRef m) {
  if (is_free(m)) return false;
  Settling s = {m, LLVMCreateBuilderInContext(LLVMGetModuleContext(m)),
                has_fma(t, m), false};
  for_each(&s, contract); /* while products still have their flags */
  for_each(&s, forbid);
  LLVMDisposeBuilder(s.b);
  return !s.failed;
}
