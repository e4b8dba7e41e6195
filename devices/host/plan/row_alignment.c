/*
** row_alignment.c - vectors of a row of the grid that start at cache lines.
**
** The one idea: a kernel over the inside of an array (a stencil, which leaves
** out a border) has rows that start in the middle of a cache line, and then
** every one of its vectors touches two lines where one would do. So the row is
** run from a little before its first thread, at the start of the line that this
** thread stores to; the lanes before it are inactive. Neighbours in other rows
** are mostly aligned with it. How far the row is shifted is computed for each
** row, from the address that its first thread stores to: what is wrong there
** costs time and nothing else.
**
** It pays for kernels with several accesses, where the code for vectors that
** are not full is needed anyway and the processor has mask registers.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/plan/plan.h"

/* contiguous ones, which pay for a vector under a mask */
#define MIN_ACCESSES 8
#define MAX_ADDRESS_VALUES 64 /* that the address is computed from */
#define MAX_PARTS 4 /* of one of these */
/* A row of so many threads may take one vector more than without a shift. */
#define LONG_ROW 512

/* ------------------------------------------------------- which store it is */

static LLVMTypeRef accessed(LLVMValueRef v) {
  return LLVMTypeOf(LLVMIsAStoreInst(v) ? LLVMGetOperand(v, 0) : v);
}

static LLVMValueRef address(LLVMValueRef v) {
  return LLVMGetOperand(v, LLVMIsAStoreInst(v) != NULL);
}

/* One element after the other, in a vector of at least a line. */
static bool is_contiguous(mt_Spmd *s, LLVMValueRef v) {
  int64_t size = (int64_t)mt_type_size(s, accessed(v));
  const mt_Shape *h = mt_part_shape(s, address(v), 0);
  if (mt_type_parts(accessed(v)) != 1 ||
      size * s->lanes < s->cost->cache_line ||
      h->kind != MT_SHAPE_AFFINE || h->terms)
    return false;
  for (int l = 1; l < s->lanes; l++)
    if (h->offset[l] - h->offset[l - 1] != size) return false;
  return true;
}

/* Can it be computed for the first thread before any thread runs? */
static bool is_known(mt_Spmd *s, LLVMValueRef v, int *left) {
  const mt_Value *x = mt_value(s, v);
  if (!x) return true;
  if (x->parts > MAX_PARTS || --*left < 0) return false;
  if (x->block < 0) return true;
  if (LLVMIsALoadInst(v)) {
    if (LLVMGetVolatile(v) || !LLVMIsAArgument(address(v)) || x->block != 0)
      return false;
  } else if (!LLVMIsAGetElementPtrInst(v) && !LLVMIsACastInst(v) &&
             !LLVMIsAExtractElementInst(v)) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMShl &&
        op != LLVMOr)
      return false;
  }
  for (int i = 0; i < LLVMGetNumOperands(v); i++)
    if (!is_known(s, LLVMGetOperand(v, (unsigned)i), left)) return false;
  return true;
}

LLVMValueRef mt_row_alignment(mt_Spmd *s) {
  LLVMValueRef store = NULL;
  int count = 0;
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    if (s->value[i].block < 0 || (!LLVMIsALoadInst(v) && !LLVMIsAStoreInst(v)))
      continue;
    if (!is_contiguous(s, v)) continue;
    int left = MAX_ADDRESS_VALUES;
    count++;
    if (!store && LLVMIsAStoreInst(v) && is_known(s, address(v), &left))
      store = v;
  }
  return count >= MIN_ACCESSES ? store : NULL;
}

/* ------------------------------------------------------- the first thread's */

typedef struct Known { /* a value of the kernel, and the first thread's */
  LLVMValueRef of, is;
} Known;

typedef struct First {
  mt_Spmd *s;
  Known known[MAX_ADDRESS_VALUES];
  int count;
} First;

static LLVMValueRef of_first(First *f, LLVMValueRef v);

static LLVMValueRef argument(mt_Spmd *s, LLVMValueRef v) {
  unsigned parts = mt_type_parts(LLVMTypeOf(v));
  LLVMValueRef all = LLVMGetPoison(LLVMTypeOf(v));
  if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVectorTypeKind)
    return mt_geometry_base(s, v, 0);
  for (unsigned i = 0; i < parts; i++)
    all = LLVMBuildInsertElement(s->b, all, mt_geometry_base(s, v, i),
                                 mt_const_i32(s, i), "");
  return all;
}

static LLVMValueRef copied(First *f, LLVMValueRef v) {
  LLVMValueRef operand[8], copy = LLVMInstructionClone(v);
  int n = LLVMGetNumOperands(v);
  for (int i = 0; i < n && i < 8; i++)
    operand[i] = of_first(f, LLVMGetOperand(v, (unsigned)i));
  for (int i = 0; i < n && i < 8; i++)
    LLVMSetOperand(copy, (unsigned)i, operand[i]);
  LLVMInsertIntoBuilder(f->s->b, copy);
  return copy;
}

static LLVMValueRef of_first(First *f, LLVMValueRef v) {
  const mt_Value *x = mt_value(f->s, v);
  if (!x) return v;
  for (int i = 0; i < f->count; i++)
    if (f->known[i].of == v) return f->known[i].is;
  LLVMValueRef is = x->block < 0 ? argument(f->s, v) : copied(f, v);
  if (f->count < MAX_ADDRESS_VALUES) f->known[f->count++] = (Known){v, is};
  return is;
}

/* The shift is given up where it makes a short row longer by a vector. */
static LLVMValueRef worth(mt_Spmd *s, LLVMValueRef shift,
                          LLVMValueRef threads) {
  LLVMValueRef lanes = mt_const_i32(s, s->lanes);
  LLVMValueRef below = mt_const_i32(s, s->lanes - 1);
  LLVMValueRef n = LLVMBuildAdd(s->b, threads, below, "");
  LLVMValueRef m = LLVMBuildAdd(s->b, n, shift, "");
  n = LLVMBuildUDiv(s->b, n, lanes, ""), m = LLVMBuildUDiv(s->b, m, lanes, "");
  LLVMValueRef good = LLVMBuildOr(
      s->b, LLVMBuildICmp(s->b, LLVMIntEQ, n, m, ""),
      LLVMBuildICmp(s->b, LLVMIntUGE, threads, mt_const_i32(s, LONG_ROW), ""),
      "");
  return LLVMBuildSelect(s->b, good, shift, mt_const_i32(s, 0), "");
}

LLVMValueRef mt_row_shift(mt_Spmd *s, LLVMValueRef threads) {
  First f = {.s = s};
  LLVMValueRef store = mt_row_alignment(s);
  if (!store) return mt_const_i32(s, 0);
  int64_t size = (int64_t)mt_type_size(s, accessed(store));
  LLVMValueRef at = of_first(&f, address(store));
  at = LLVMBuildPtrToInt(s->b, at, s->i64, "");
  at = LLVMBuildAnd(s->b, at, mt_const_i64(s, s->cost->cache_line - 1), "");
  at = LLVMBuildUDiv(s->b, at, mt_const_i64(s, size), "");
  return worth(s, LLVMBuildTrunc(s->b, at, s->i32, ""), threads);
}
