/*
** bit_vectors.c - loads and stores of vectors of bits, as whole words.
*/
#include <llvm-c/DebugInfo.h>

#include "devices/compiler/prepare/steps.h"

/* LLVM reads a bit of a vector as an element of <64 x i1>, packed eight to a
** byte. Returns the type of the same size in whole words; NULL: 't' is no such
** vector. */
static LLVMTypeRef whole_words(LLVMTypeRef t) {
  if (LLVMGetTypeKind(t) != LLVMVectorTypeKind) return NULL;
  LLVMTypeRef e = LLVMGetElementType(t);
  if (LLVMGetTypeKind(e) != LLVMIntegerTypeKind) return NULL;
  unsigned each = LLVMGetIntTypeWidth(e), bits = each * LLVMGetVectorSize(t);
  if (each % 8 == 0 || bits % 8 != 0) return NULL;
  unsigned word = bits % 32 == 0 ? 32 : bits % 16 == 0 ? 16 : 8;
  LLVMTypeRef i = LLVMIntTypeInContext(LLVMGetTypeContext(t), word);
  return bits == word ? i : LLVMVectorType(i, bits / word);
}

static void load_words(LLVMBuilderRef b, LLVMValueRef i, LLVMTypeRef words) {
  LLVMPositionBuilderBefore(b, i);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
  LLVMValueRef all = LLVMBuildLoad2(b, words, LLVMGetOperand(i, 0), "");
  LLVMSetAlignment(all, LLVMGetAlignment(i));
  LLVMReplaceAllUsesWith(i, LLVMBuildBitCast(b, all, LLVMTypeOf(i), ""));
}

static void store_words(LLVMBuilderRef b, LLVMValueRef i, LLVMTypeRef words) {
  LLVMPositionBuilderBefore(b, i);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
  LLVMValueRef all = LLVMBuildBitCast(b, LLVMGetOperand(i, 0), words, "");
  LLVMSetAlignment(LLVMBuildStore(b, all, LLVMGetOperand(i, 1)),
                   LLVMGetAlignment(i));
}

void mt_access_words(LLVMValueRef function) {
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
  for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
       k = LLVMGetNextBasicBlock(k))
    for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMOpcode op = LLVMGetInstructionOpcode(i);
      if (op != LLVMLoad && op != LLVMStore) continue;
      LLVMTypeRef words = whole_words(
          LLVMTypeOf(op == LLVMLoad ? i : LLVMGetOperand(i, 0)));
      if (!words) continue;
      (op == LLVMLoad ? load_words : store_words)(b, i, words);
      LLVMInstructionEraseFromParent(i);
    }
  LLVMDisposeBuilder(b);
}
