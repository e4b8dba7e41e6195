/*
** matrix.c - 8 x 8 matrices of a SIMD-group.
**
** The one idea: lane l holds two neighbours of a row (row_of, column_of), so a
** matrix is two vectors of 32: its even and its odd columns. A product is eight
** steps of one multiplication and addition each for the two: column k of the
** left matrix and row k of the right one, spread over the lanes by constant
** shuffles, which LLVM shares between products that have a matrix in common.
*/
#include <string.h>

#include "devices/host/engine/memory.h"

static int row_of(int l) { return (l / 4 & 4) + l / 2 % 4; }
static int column_of(int l) { return (l / 4 & 2) * 2 + l % 2 * 2; }

/* The lane that holds an element; its part is column % 2. */
static int lane_of(int row, int column) {
  int even = column & ~1;
  for (int l = 0; l < LANES; l++)
    if (row_of(l) == row && column_of(l) == even) return l;
  return 0;
}

static LLVMValueRef fma_vector(Spmd *s, LLVMValueRef a, LLVMValueRef b,
                               LLVMValueRef c) {
  LLVMTypeRef t = LLVMTypeOf(a);
  LLVMValueRef args[3] = {a, b, c};
  return mt_intrinsic(s, "llvm.fma", &t, 1, args, 3);
}

static void multiply(Spmd *s, LLVMValueRef call) {
  LLVMValueRef x[2], a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
  for (unsigned p = 0; p < 2; p++)
    x[p] = mt_vector(s, LLVMGetOperand(call, 2), p);
  for (int k = 0; k < 8; k++) {
    int left[LANES], right[LANES];
    for (int l = 0; l < LANES; l++) {
      left[l] = lane_of(row_of(l), k);
      right[l] = lane_of(k, column_of(l));
    }
    LLVMValueRef column = mt_shuffle(s, mt_vector(s, a, (unsigned)k % 2), left);
    for (unsigned p = 0; p < 2; p++)
      x[p] =
          fma_vector(s, column, mt_shuffle(s, mt_vector(s, b, p), right), x[p]);
  }
  for (unsigned p = 0; p < 2; p++) mt_set_vector(s, call, p, x[p]);
}

/* ------------------------------------------------------- loads and stores */

typedef struct Matrix {
  LLVMValueRef pointer, stride, transpose;
  LLVMTypeRef type; /* in memory */
} Matrix;

static Matrix operands(Spmd *s, LLVMValueRef call, const char *name,
                       unsigned first) {
  Matrix m = {LLVMGetOperand(call, first), LLVMGetOperand(call, first + 1),
              LLVMGetOperand(call, first + 2), s->f32};
  const char *type = strrchr(name, '_') + 1;
  if (!strcmp(type, "f16")) m.type = LLVMHalfTypeInContext(s->context);
  if (!strcmp(type, "bf16")) m.type = LLVMBFloatTypeInContext(s->context);
  return m;
}

/* Rows of eight, one behind the other at a uniform distance? */
static bool in_rows(Spmd *s, const Matrix *m) {
  Space space = mt_memory_space(s, m->pointer);
  return s->full && mt_part_kind(s, m->pointer, 0) == KIND_UNIFORM &&
         mt_part_kind(s, m->stride, 0) == KIND_UNIFORM &&
         LLVMIsAConstantInt(m->transpose) &&
         LLVMConstIntGetZExtValue(m->transpose) == 0 &&
         space != SPACE_PRIVATE && space != SPACE_UNKNOWN;
}

static LLVMValueRef row_at(Spmd *s, const Matrix *m, int row) {
  LLVMValueRef at = LLVMBuildMul(s->b, mt_uniform(s, m->stride, 0),
                                 mt_const_i64(s, row), "");
  return LLVMBuildGEP2(s->b, m->type, mt_uniform(s, m->pointer, 0), &at, 1, "");
}

/* All 64 elements, row by row, as one vector. */
static LLVMValueRef load_rows(Spmd *s, const Matrix *m) {
  LLVMValueRef part[8], index[64];
  LLVMTypeRef t = LLVMVectorType(m->type, 8);
  for (int r = 0; r < 8; r++) {
    part[r] = LLVMBuildLoad2(s->b, t, row_at(s, m, r), "");
    LLVMSetAlignment(part[r], (unsigned)mt_type_size(s, m->type));
  }
  for (int n = 8; n < 64; n *= 2) {
    for (int i = 0; i < 2 * n; i++) index[i] = mt_const_i32(s, i);
    for (int k = 0; k < 32 / n; k++)
      part[k] =
          LLVMBuildShuffleVector(s->b, part[2 * k], part[2 * k + 1],
                                 LLVMConstVector(index, (unsigned)(2 * n)), "");
  }
  return part[0];
}

static void load_in_rows(Spmd *s, LLVMValueRef call, const Matrix *m) {
  LLVMValueRef all = load_rows(s, m), index[LANES];
  for (unsigned p = 0; p < 2; p++) {
    for (int l = 0; l < LANES; l++)
      index[l] = mt_const_i32(s, row_of(l) * 8 + column_of(l) + (int)p);
    LLVMValueRef x =
        LLVMBuildShuffleVector(s->b, all, LLVMGetPoison(LLVMTypeOf(all)),
                               LLVMConstVector(index, LANES), "");
    mt_set_vector(s, call, p,
                  LLVMBuildFPCast(s->b, x, mt_vector_of(s, s->f32), ""));
  }
}

static void store_in_rows(Spmd *s, const Matrix *m, LLVMValueRef *part) {
  for (int r = 0; r < 8; r++) {
    LLVMValueRef index[8];
    for (int c = 0; c < 8; c++)
      index[c] = mt_const_i32(s, lane_of(r, c) + c % 2 * LANES);
    LLVMValueRef x = LLVMBuildShuffleVector(s->b, part[0], part[1],
                                            LLVMConstVector(index, 8), "");
    LLVMValueRef st = LLVMBuildStore(s->b, x, row_at(s, m, r));
    LLVMSetAlignment(st, (unsigned)mt_type_size(s, m->type));
  }
}

static LLVMValueRef lane_numbers(Spmd *s, int (*of)(int), int more) {
  int64_t x[LANES];
  for (int l = 0; l < LANES; l++) x[l] = of(l) + more;
  return mt_const_vector(s, s->i64, x);
}

/* Where each lane's element is: any pointer, any stride, either way round. */
static LLVMValueRef element_at(Spmd *s, const Matrix *m, int part) {
  LLVMBuilderRef b = s->b;
  LLVMValueRef row = lane_numbers(s, row_of, 0);
  LLVMValueRef column = lane_numbers(s, column_of, part);
  LLVMValueRef turn = mt_vector(s, m->transpose, 0);
  if (LLVMTypeOf(turn) != s->v_i1) turn = LLVMBuildTrunc(b, turn, s->v_i1, "");
  LLVMValueRef far = LLVMBuildSelect(b, turn, column, row, "");
  LLVMValueRef near = LLVMBuildSelect(b, turn, row, column, "");
  LLVMValueRef at = LLVMBuildMul(b, far, mt_vector(s, m->stride, 0), "");
  at = LLVMBuildAdd(b, at, near, "");
  return LLVMBuildGEP2(b, m->type, mt_vector(s, m->pointer, 0), &at, 1, "");
}

static LLVMValueRef real_address(Spmd *s, const Matrix *m, LLVMValueRef at) {
  Space space = mt_memory_space(s, m->pointer);
  if (space == SPACE_PRIVATE || space == SPACE_UNKNOWN)
    return mt_private_address(s, at, space == SPACE_UNKNOWN);
  return at;
}

static void load(Spmd *s, LLVMValueRef call, const char *name) {
  Matrix m = operands(s, call, name, 0);
  if (in_rows(s, &m)) {
    load_in_rows(s, call, &m);
    return;
  }
  for (unsigned p = 0; p < 2; p++) {
    LLVMValueRef at = real_address(s, &m, element_at(s, &m, (int)p));
    LLVMValueRef x =
        mt_gather(s, m.type, at, (unsigned)mt_type_size(s, m.type));
    mt_set_vector(s, call, p,
                  LLVMBuildFPCast(s->b, x, mt_vector_of(s, s->f32), ""));
  }
}

static void store(Spmd *s, LLVMValueRef call, const char *name) {
  Matrix m = operands(s, call, name, 1);
  LLVMValueRef part[2];
  for (unsigned p = 0; p < 2; p++)
    part[p] = LLVMBuildFPCast(s->b, mt_vector(s, LLVMGetOperand(call, 0), p),
                              mt_vector_of(s, m.type), "");
  if (in_rows(s, &m)) {
    store_in_rows(s, &m, part);
    return;
  }
  for (int p = 0; p < 2; p++)
    mt_scatter(s, part[p], real_address(s, &m, element_at(s, &m, p)),
               (unsigned)mt_type_size(s, m.type));
}

bool mt_matrix_emit(Spmd *s, LLVMValueRef call, const char *name) {
  if (strncmp(name, "__mt_matrix_", 12)) return false;
  name += 12;
  if (!strncmp(name, "load_", 5))
    load(s, call, name);
  else if (!strncmp(name, "store_", 6))
    store(s, call, name);
  else if (!strcmp(name, "multiply_add"))
    multiply(s, call);
  else
    return false;
  return true;
}
