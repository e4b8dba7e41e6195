/*
** walk.h - over all instructions of a function, and from a pointer to its object.
*/
#ifndef MT_COMPILER_IR_WALK_H
#define MT_COMPILER_IR_WALK_H

#include <llvm-c/Core.h>
#include <stddef.h>

/* The first instruction of 'b' or of a block behind it; NULL: none. */
static inline LLVMValueRef mt_first_from(LLVMBasicBlockRef b) {
  while (b && !LLVMGetFirstInstruction(b)) b = LLVMGetNextBasicBlock(b);
  return b ? LLVMGetFirstInstruction(b) : NULL;
}

/* The instruction behind 'i', in its block or in the next one. */
static inline LLVMValueRef mt_next_instruction(LLVMValueRef i) {
  LLVMValueRef next = LLVMGetNextInstruction(i);
  return next ? next
              : mt_first_from(LLVMGetNextBasicBlock(LLVMGetInstructionParent(i)));
}

/* Every instruction of the function 'f', in order. The body must not remove
** 'i'. */
#define MT_EACH_INSTRUCTION(i, f)                                          \
  for (LLVMValueRef i = mt_first_from(LLVMGetFirstBasicBlock(f)); i;       \
       i = mt_next_instruction(i))

/* The value that address arithmetic starts from: an alloca, an argument, a
** global variable; a phi, select, load or call where the object is not one. */
static inline LLVMValueRef mt_underlying_object(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p) ||
         LLVMIsAFreezeInst(p) ||
         (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr))
    p = LLVMGetOperand(p, 0);
  return p;
}

#endif
