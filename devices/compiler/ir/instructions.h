/*
** instructions.h - all instructions of a function, in order; their types; a
** value in all elements of a vector.
*/
#ifndef MT_COMPILER_IR_INSTRUCTIONS_H
#define MT_COMPILER_IR_INSTRUCTIONS_H

#include <llvm-c/Core.h>
#include <stddef.h>

/* The first instruction of 'b' or of a block after it; NULL: none. */
static inline LLVMValueRef mt_first_from(LLVMBasicBlockRef b) {
  while (b && !LLVMGetFirstInstruction(b)) b = LLVMGetNextBasicBlock(b);
  return b ? LLVMGetFirstInstruction(b) : NULL;
}

/* The instruction after 'i', in its block or in the next one. */
static inline LLVMValueRef mt_next_instruction(LLVMValueRef i) {
  LLVMValueRef next = LLVMGetNextInstruction(i);
  return next ? next
              : mt_first_from(
                    LLVMGetNextBasicBlock(LLVMGetInstructionParent(i)));
}

/* The value that a phi has from a block; NULL: it is not entered from there. */
static inline LLVMValueRef mt_incoming(LLVMValueRef phi,
                                       LLVMBasicBlockRef from) {
  for (unsigned n = 0; n < LLVMCountIncoming(phi); n++)
    if (LLVMGetIncomingBlock(phi, n) == from)
      return LLVMGetIncomingValue(phi, n);
  return NULL;
}

/* The type of a vector's components; that of a scalar is its own. */
static inline LLVMTypeRef mt_element_type(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}

/* 'x' in each of so many elements. */
static inline LLVMValueRef mt_splat_to(LLVMBuilderRef b, LLVMValueRef x,
                                       unsigned count) {
  LLVMTypeRef t = LLVMVectorType(LLVMTypeOf(x), count);
  LLVMContextRef c = LLVMGetTypeContext(t);
  LLVMValueRef at = LLVMConstNull(LLVMInt64TypeInContext(c));
  LLVMValueRef lanes =
      LLVMConstNull(LLVMVectorType(LLVMInt32TypeInContext(c), count));
  LLVMValueRef one = LLVMBuildInsertElement(b, LLVMGetPoison(t), x, at, "");
  return LLVMBuildShuffleVector(b, one, LLVMGetPoison(t), lanes, "");
}

/* Every instruction of the function 'f', in order. The body must not remove
** 'i'. */
#define MT_EACH_INSTRUCTION(i, f)                                          \
  for (LLVMValueRef i = mt_first_from(LLVMGetFirstBasicBlock(f)); i;       \
       i = mt_next_instruction(i))

#endif
