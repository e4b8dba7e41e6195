/*
** comparisons.c - what comparing two vectors gives.
**
** Clang's comparison is a vector of integers, 0 and -1; here it is 0 and 1. In
** MSL it is a bool vector, which does not become one of integers by itself. The
** one idea: the person's own code may hand it to our headers (any, select, the
** conversion to bool4) and to another operator of masks, and to nothing else.
** msl/reader/comparisons.c rewrote the places where the type decides; what it
** missed would use the wrong overload or size, and is refused here.
*/
#include <llvm-c/DebugInfo.h>

#include "msl/passes/passes.h"

#define EACH_USE(u, value) \
  for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u))
#define DEEPEST 32

static bool is_vector_of_i1(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return false;
  LLVMTypeRef element = LLVMGetElementType(type);
  return LLVMGetTypeKind(element) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(element) == 1;
}

static bool is_comparison(LLVMValueRef v) {
  return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMSExt &&
         is_vector_of_i1(LLVMTypeOf(LLVMGetOperand(v, 0)));
}

/* Of our headers, which have no debug information. */
static bool is_ours(LLVMValueRef call) {
  LLVMValueRef f = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  return f && LLVMIsAFunction(f) && LLVMGetSubprogram(f) == NULL;
}

/* A bool that became a vector, 0 and 1 alone: (a > b) & flag */
static bool is_truth_value(LLVMValueRef v) {
  while (LLVMIsAShuffleVectorInst(v) || LLVMIsAInsertElementInst(v))
    v = LLVMGetOperand(v, LLVMIsAInsertElementInst(v) ? 1 : 0);
  if (LLVMIsAZExtInst(v)) {
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(v, 0));
    return LLVMGetTypeKind(from) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(from) == 1;
  }
  return LLVMIsAConstant(v) && !LLVMIsAGlobalValue(v);
}

static bool is_mask(LLVMValueRef v, unsigned depth) {
  if (depth > DEEPEST || is_comparison(v)) return true;
  if (!LLVMIsAInstruction(v)) return is_truth_value(v);
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
      return is_mask(LLVMGetOperand(v, 0), depth + 1) &&
             is_mask(LLVMGetOperand(v, 1), depth + 1);
    case LLVMSelect: return is_mask(LLVMGetOperand(v, 1), depth + 1);
    case LLVMPHI:
    case LLVMShuffleVector:
      return is_truth_value(v) ||
             is_mask(LLVMIsAPHINode(v) ? LLVMGetIncomingValue(v, 0)
                                       : LLVMGetOperand(v, 0),
                     depth + 1);
    default: return is_truth_value(v);
  }
}

/* Is the memory that it is stored to only what our functions take by
** reference? */
static bool is_passed_to_ours(LLVMValueRef store) {
  LLVMValueRef to = LLVMGetOperand(store, 1);
  if (!LLVMIsAAllocaInst(to)) return false;
  bool passed = false;
  EACH_USE(u, to) {
    LLVMValueRef user = LLVMGetUser(u);
    if (user == store) continue;
    if (!is_ours(user)) return false;
    passed = true;
  }
  return passed;
}

static bool is_all_ones(LLVMValueRef v) {
  return LLVMIsAConstant(v) &&
         LLVMGetValueKind(v) != LLVMPoisonValueValueKind &&
         v == LLVMConstAllOnes(LLVMTypeOf(v));
}

/* The first use of 'mask' that takes it for integers; or NULL. */
static LLVMValueRef wrong_use(LLVMValueRef mask, unsigned depth) {
  if (depth > DEEPEST) return NULL;
  EACH_USE(u, mask) {
    LLVMValueRef user = LLVMGetUser(u), deeper = NULL;
    if (!LLVMIsAInstruction(user)) continue;
    switch (LLVMGetInstructionOpcode(user)) {
      case LLVMAnd:
      case LLVMOr:
      case LLVMXor: {
        LLVMValueRef a = LLVMGetOperand(user, 0), b = LLVMGetOperand(user, 1);
        bool inverted = LLVMGetInstructionOpcode(user) == LLVMXor &&
                        (is_all_ones(a) || is_all_ones(b));
        if (inverted || !is_mask(a == mask ? b : a, 0)) return user;
        deeper = user;
        break;
      }
      case LLVMSelect:
      case LLVMPHI:
      case LLVMShuffleVector: deeper = user; break;
      case LLVMICmp:
      case LLVMExtractElement: break;
      case LLVMStore:
        if (!is_passed_to_ours(user)) return user;
        break;
      case LLVMCall:
        if (!is_ours(user)) return user;
        break;
      default: return user;
    }
    LLVMValueRef found = deeper ? wrong_use(deeper, depth + 1) : NULL;
    if (found) return found;
  }
  return NULL;
}

/* c ? a : b by component; Clang looks at the sign of each, which 1 has not. */
static void refuse_choice(mt_MslModule *m, LLVMValueRef i) {
  if (LLVMGetInstructionOpcode(i) != LLVMSelect ||
      !is_vector_of_i1(LLVMTypeOf(LLVMGetOperand(i, 0))))
    return;
  mt_diagnose(m, MT_ERROR_SEVERITY, mt_pass_place(m, i),
              "the condition of ?: is a vector, and must be a single bool",
              "Write select(b, a, c): it takes a where c is true and b "
              "elsewhere, component by component.");
}

/* 0 and -1 alone, as a comparison of constants is? */
static bool is_constant_mask(LLVMValueRef v) {
  unsigned n = LLVMGetVectorSize(LLVMTypeOf(v));
  for (unsigned k = 0; k < n; k++) {
    LLVMValueRef e = LLVMGetAggregateElement(v, k);
    if (!e || (!LLVMIsNull(e) && !is_all_ones(e))) return false;
  }
  return true;
}

/* any(v), all(v): our headers take any vector there, since Clang's comparison
** is none of bools. Only a mask may be one. */
static void refuse_truth_of(mt_MslModule *m, LLVMValueRef call) {
  if (!is_ours(call) || LLVMGetNumArgOperands(call) != 1) return;
  size_t n;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &n);
  bool any = mt_starts(name, "_ZN5metal3anyI"),
       all = mt_starts(name, "_ZN5metal3allI");
  LLVMValueRef v = LLVMGetOperand(call, 0);
  if ((!any && !all) ||
      LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVectorTypeKind ||
      (LLVMIsAConstant(v) ? is_constant_mask(v) : is_mask(v, 0)))
    return;
  const char *word = any ? "any" : "all";
  mt_diagnose(m, MT_ERROR_SEVERITY, mt_pass_place(m, call),
              mt_scrap_text(m, "%s takes a vector of bools, and this is one of "
                            "numbers", word),
              mt_scrap_text(m, "Compare it: %s(v != 0).", word));
}

static void refuse(mt_MslModule *m, LLVMValueRef comparison, LLVMValueRef use) {
  unsigned n = LLVMGetVectorSize(LLVMTypeOf(comparison));
  mt_diagnose(m, MT_ERROR_SEVERITY,
              mt_pass_place(m, LLVMGetDebugLocLine(use) ? use : comparison),
              mt_scrap_text(m,
                            "comparing vectors gives a bool%u, which does not "
                            "become a vector of integers by itself",
                            n),
              mt_scrap_text(m,
                            "Write bool%u(…) around the comparison, or "
                            "int%u(…) if integers are wanted.",
                            n, n));
}

void mt_pass_comparisons(mt_MslModule *m, LLVMModuleRef module) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  MT_EACH_FUNCTION(f, module) {
    if (LLVMGetSubprogram(f) == NULL) continue;
    MT_EACH_BLOCK(b, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMValueRef use = is_comparison(i) ? wrong_use(i, 0) : NULL;
      if (use) refuse(m, i, use);
      refuse_choice(m, i);
      refuse_truth_of(m, i);
    }
  }
  MT_EACH_FUNCTION(f, module) MT_EACH_BLOCK(b, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (!is_comparison(i)) continue;
      LLVMPositionBuilderBefore(builder, i);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
      LLVMReplaceAllUsesWith(
          i, LLVMBuildZExt(builder, LLVMGetOperand(i, 0), LLVMTypeOf(i), ""));
      LLVMInstructionEraseFromParent(i);
    }
  LLVMDisposeBuilder(builder);
}
