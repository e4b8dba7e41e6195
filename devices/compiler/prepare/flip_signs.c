/*
** flip_signs.c - a sign that a bit decides about, see steps.h.
**
** The one idea: h & 4 ? -x : x, as in gradient noise and butterflies, is a
** test, a negation and a selection. But a negation flips the sign bit alone:
** moving the bit of h to the sign's place and XOR do the same, to the bit, in
** one operation less and without a mask.
*/
#include <llvm-c/DebugInfo.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

#define SIGN 31 /* the bit of a float */

static bool is_op(LLVMValueRef v, LLVMOpcode op) {
  return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

static bool is_zero(LLVMValueRef v) {
  return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 0;
}

static bool is_word(LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(t) == SIGN + 1;
}

/* (h & 2^n) == 0, or != 0: h and n. */
static bool tests_bit(LLVMValueRef c, LLVMValueRef *of, unsigned *bit,
                      bool *when_set) {
  if (!is_op(c, LLVMICmp)) return false;
  LLVMIntPredicate p = LLVMGetICmpPredicate(c);
  LLVMValueRef x = LLVMGetOperand(c, 0);
  if ((p != LLVMIntEQ && p != LLVMIntNE) || !is_op(x, LLVMAnd) ||
      !is_word(x) || !is_zero(LLVMGetOperand(c, 1)))
    return false;
  LLVMValueRef mask = LLVMGetOperand(x, 1);
  if (!LLVMIsAConstantInt(mask)) return false;
  uint64_t n = LLVMConstIntGetZExtValue(mask);
  if (!n || n & (n - 1)) return false;
  *of = x;
  *bit = (unsigned)__builtin_ctzll(n);
  *when_set = p == LLVMIntNE;
  return true;
}

static bool negates(LLVMValueRef v, LLVMValueRef of) {
  return is_op(v, LLVMFNeg) && LLVMGetOperand(v, 0) == of;
}

/* x if the bit is not set, else -x. */
static LLVMValueRef flipped(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef bit,
                            unsigned number) {
  LLVMTypeRef word = LLVMTypeOf(bit), real = LLVMTypeOf(x);
  LLVMValueRef sign =
      LLVMBuildShl(b, bit, LLVMConstInt(word, SIGN - number, 0), "");
  x = LLVMBuildXor(b, LLVMBuildBitCast(b, x, word, ""), sign, "");
  return LLVMBuildBitCast(b, x, real, "");
}

static LLVMValueRef flip(LLVMBuilderRef b, LLVMValueRef select) {
  LLVMValueRef bit, yes = LLVMGetOperand(select, 1),
                    no = LLVMGetOperand(select, 2);
  unsigned number;
  bool set;
  if (LLVMGetTypeKind(LLVMTypeOf(select)) != LLVMFloatTypeKind ||
      !tests_bit(LLVMGetOperand(select, 0), &bit, &number, &set))
    return NULL;
  LLVMValueRef plain = set ? no : yes, minus = set ? yes : no;
  if (!negates(minus, plain)) return NULL;
  LLVMPositionBuilderBefore(b, select);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(select));
  return flipped(b, plain, bit, number);
}

void mt_flip_signs(LLVMValueRef function) {
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
  for (LLVMValueRef i = mt_first_from(LLVMGetFirstBasicBlock(function)), next;
       i; i = next) {
    next = mt_next_instruction(i);
    LLVMValueRef x = is_op(i, LLVMSelect) ? flip(b, i) : NULL;
    if (!x) continue;
    LLVMReplaceAllUsesWith(i, x);
    LLVMInstructionEraseFromParent(i);
  }
  LLVMDisposeBuilder(b);
}
