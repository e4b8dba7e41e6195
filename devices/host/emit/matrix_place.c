/*
** matrix_place.c - are two simdgroup matrices side by side in memory?
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/emit/simdgroup_matrix.h"

/* An address: element 'index' (NULL: the first one), and so many bytes. */
typedef struct Place {
  LLVMValueRef base, index;
  int64_t size, bytes; /* of an element; more */
} Place;

/* 'v' without the constant that is added to it. */
static LLVMValueRef without_constant(LLVMValueRef v, int64_t *out) {
  LLVMValueRef x = LLVMIsAZExtInst(v) ? LLVMGetOperand(v, 0) : v;
  bool adds = LLVMIsABinaryOperator(x) &&
              (LLVMGetInstructionOpcode(x) == LLVMOr
                   ? LLVMGetIsDisjoint(x)
                   : LLVMGetInstructionOpcode(x) == LLVMAdd &&
                         (x == v || LLVMGetNUW(x)));
  if (!adds || !mt_const_number(LLVMGetOperand(x, 1), out)) return v;
  return LLVMGetOperand(x, 0);
}

static Place place_of(mt_Spmd *s, LLVMValueRef p) {
  Place at = {.base = p};
  int64_t n;
  while (LLVMIsAGetElementPtrInst(p) && LLVMGetNumOperands(p) == 2) {
    LLVMValueRef i = LLVMGetOperand(p, 1);
    int64_t size =
        (int64_t)mt_type_size(s, LLVMGetGEPSourceElementType(p));
    at.base = LLVMGetOperand(p, 0);
    if (mt_const_number(i, &n)) {
      at.bytes += n * size;
      p = at.base;
      continue;
    }
    n = 0;
    at.index = without_constant(i, &n);
    if (LLVMIsAZExtInst(at.index)) at.index = LLVMGetOperand(at.index, 0);
    at.bytes += n * size, at.size = size;
    break;
  }
  return at;
}

bool mt_matrix_beside(mt_Spmd *s, const mt_MatrixAccess *a,
                      const mt_MatrixAccess *b) {
  if (a->turned || b->turned || a->stride != b->stride || a->type != b->type)
    return false;
  Place from = place_of(s, a->pointer), to = place_of(s, b->pointer);
  return from.base == to.base && from.index == to.index &&
         from.size == to.size &&
         to.bytes - from.bytes == 8 * (int64_t)mt_type_size(s, a->type);
}
