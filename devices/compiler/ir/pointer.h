/*
** pointer.h - the objects that a pointer may point into.
*/
#ifndef MT_COMPILER_IR_POINTER_H
#define MT_COMPILER_IR_POINTER_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value that address arithmetic starts from: an alloca, an argument, a
** global variable; a phi, select, load or call where the object is not one. */
static inline LLVMValueRef mt_underlying_object(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p) ||
         LLVMIsAFreezeInst(p) ||
         (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr))
    p = LLVMGetOperand(p, 0);
  return p;
}

/* Is an index of this address not known before the kernel runs? */
static inline bool mt_has_variable_index(LLVMValueRef gep) {
  for (int i = 1; i < LLVMGetNumOperands(gep); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(gep, (unsigned)i))) return true;
  return false;
}

/* A phi or select is a choice among values: how many, and number 'i'. */
static inline bool mt_is_choice(LLVMValueRef v) {
  return LLVMIsAPHINode(v) || LLVMIsASelectInst(v);
}

static inline unsigned mt_choices(LLVMValueRef v) {
  return LLVMIsAPHINode(v) ? LLVMCountIncoming(v) : 2;
}

static inline LLVMValueRef mt_choice(LLVMValueRef v, unsigned i) {
  return LLVMIsAPHINode(v) ? LLVMGetIncomingValue(v, i)
                           : LLVMGetOperand(v, i + 1);
}

/* Call 'each' for every underlying object of 'p', through phis and selects.
** Undefined ones are passed too. An object may come more than once. False:
** 'each' returned false, or there are too many choices. */
bool mt_each_object(LLVMValueRef p,
                    bool (*each)(void *with, LLVMValueRef object), void *with);

/* The one object that 'p' points into, through phis and selects, undefined ones
** left out; NULL: several, or none is known. */
LLVMValueRef mt_single_object(LLVMValueRef p);

/* One index of a GEP: what it adds to the address. */
typedef struct mt_GepIndex {
  LLVMValueRef index;
  /* what it chooses from: a pointer's elements (the first index), an array's, a
  ** vector's, or a struct's members, by a constant */
  LLVMTypeKind in;
  uint64_t bytes; /* of an element; the offset of the member */
} mt_GepIndex;

/* Walks the indices of a GEP from the first on:
**
**   mt_GepIndex x;
**   for (mt_GepWalk g = mt_gep_walk(layout, gep); mt_gep_next(&g, &x);) … */
typedef struct mt_GepWalk {
  LLVMTargetDataRef layout;
  LLVMValueRef gep;
  LLVMTypeRef type; /* that the next index chooses from */
  unsigned next;
} mt_GepWalk;
mt_GepWalk mt_gep_walk(LLVMTargetDataRef layout, LLVMValueRef gep);
bool mt_gep_next(mt_GepWalk *g, mt_GepIndex *out);

/* The constant byte offset of a GEP; false: it is not constant. */
bool mt_constant_step(LLVMTargetDataRef layout, LLVMValueRef gep,
                      uint64_t *bytes);

#endif
