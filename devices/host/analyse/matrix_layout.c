/*
** matrix_layout.c - which simdgroup matrices are kept row by row.
**
** The one idea: MSL defines which two elements of an 8 x 8 matrix each thread
** holds, but only a kernel that uses thread_elements() can observe it. A matrix
** that is loaded, multiplied, scaled, carried by a loop and stored may have the
** layout that suits the CPU: row by row, where products need no shuffles. The
** analysis is optimistic: it assumes rows for all candidates and removes those
** with other operands or users until nothing changes.
*/
#include <string.h>

#include "devices/host/analyse/analyse.h"

static bool is_pair(LLVMTypeRef t) {
  if (LLVMGetTypeKind(t) != LLVMVectorTypeKind || LLVMGetVectorSize(t) != 2)
    return false;
  LLVMTypeKind k = LLVMGetTypeKind(LLVMGetElementType(t));
  return k == LLVMFloatTypeKind || k == LLVMHalfTypeKind ||
         k == LLVMBFloatTypeKind;
}

/* Element-wise operations, which do not depend on the layout. */
static bool is_element_wise(mt_Spmd *s, LLVMValueRef v) {
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPHI:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMFreeze: return true;
    case LLVMSelect:
      return mt_part_kind(s, LLVMGetOperand(v, 0), 0) == MT_SHAPE_UNIFORM;
    default: return false;
  }
}

static bool makes_matrix(LLVMValueRef v) {
  return !strncmp(mt_callee(v), "__mt_matrix_load_", 17) ||
         mt_is_product(v);
}

/* The same uniform number in both parts. */
static bool is_even(mt_Spmd *s, LLVMValueRef v) {
  LLVMValueRef from[2];
  unsigned at[2];
  if (!mt_value(s, v)) return mt_constant_part(v, 0) == mt_constant_part(v, 1);
  if (LLVMGetInstructionOpcode(v) != LLVMShuffleVector) return false;
  for (unsigned p = 0; p < 2; p++)
    if (mt_part_kind(s, v, p) != MT_SHAPE_UNIFORM ||
        !mt_part_copied(s, v, p, &from[p], &at[p]))
      return false;
  return from[0] == from[1] && at[0] == at[1];
}

static bool operands_fit(mt_Spmd *s, LLVMValueRef v) {
  unsigned first = LLVMGetInstructionOpcode(v) == LLVMSelect;
  for (unsigned i = first; i < (unsigned)LLVMGetNumOperands(v); i++) {
    LLVMValueRef x = LLVMGetOperand(v, i);
    mt_Value *of = LLVMIsAInstruction(x) ? mt_value(s, x) : NULL;
    if (!(of && of->rows) && !((of || LLVMIsConstant(x)) && is_even(s, x)))
      return false;
  }
  return true;
}

static bool users_fit(mt_Spmd *s, LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    mt_Value *of = LLVMIsAInstruction(user) ? mt_value(s, user) : NULL;
    if (of && !of->rows && strncmp(mt_callee(user), "__mt_matrix_", 12))
      return false;
    if (!of) return false;
  }
  return true;
}

void mt_matrix_layout_choose(mt_Spmd *s) {
  bool any = false;
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->block < 0 || !is_pair(LLVMTypeOf(v->of))) continue;
    bool made = makes_matrix(v->of);
    v->rows = made || is_element_wise(s, v->of);
    any |= made;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < s->values; i++) {
      mt_Value *v = &s->value[i];
      if (!v->rows) continue;
      if (any && users_fit(s, v->of) &&
          (makes_matrix(v->of) || operands_fit(s, v->of)))
        continue;
      v->rows = false, changed = true;
    }
  }
}
