/*
** simdgroup_matrix.c - 8 x 8 matrices of a SIMD-group.
**
** The one idea: a matrix is two vectors of 32. As MSL defines it, lane l holds
** two neighbours of a row (row_of, column_of), and the vectors are the even and
** the odd columns. Where that cannot be observed (analyse/matrix_layout.c),
** they are the upper and the lower four rows: the layout of memory, which
** products need.
*/
#include "devices/host/emit/simdgroup_matrix.h"
#include "devices/host/strategy/strategy.h"

#include <string.h>

static int row_of(int l) { return (l / 4 & 4) + l / 2 % 4; }
static int column_of(int l) { return (l / 4 & 2) * 2 + l % 2 * 2; }

/* The element, counted row by row, in a lane of a part. */
static int element_of(int l, int part, bool rows) {
  return rows ? part * MT_LANES + l : row_of(l) * 8 + column_of(l) + part;
}

/* The inverse: lanes of the second part are 32 and up. */
static int place_of(int element, bool rows) {
  for (int i = 0; i < 2 * MT_LANES; i++)
    if (element_of(i % MT_LANES, i / MT_LANES, rows) == element) return i;
  return 0;
}

static bool is_in_rows(mt_Spmd *s, LLVMValueRef matrix) {
  mt_Value *v = mt_value(s, matrix);
  return v && v->rows;
}

/* -------------------------------------------------------------------- pairs */

/* Vectors of two rows of both matrices each. */
static void pair_vectors(mt_Spmd *s, const mt_Value *first, LLVMValueRef *two) {
  for (unsigned i = 0; i < 4; i++)
    two[i] = mt_vector(s, i < 2 ? first->of : first->partner->of, i % 2);
}

void mt_matrix_pair_rows(mt_Spmd *s, const mt_Value *first, LLVMValueRef *row) {
  LLVMValueRef two[4];
  int from[16];
  pair_vectors(s, first, two);
  for (int r = 0; r < 8; r++) {
    for (int i = 0; i < 16; i++) from[i] = r % 2 * 16 + i;
    row[r] = mt_shuffle_two(s, two[r / 2], NULL, from, 16);
  }
}

void mt_matrix_set_pair(mt_Spmd *s, const mt_Value *first, LLVMValueRef *row,
                        mt_Rows rows) {
  int from[MT_LANES];
  for (int i = 0; i < MT_LANES; i++) from[i] = i;
  for (int i = rows.from / 2; i < rows.to / 2; i++)
    mt_set_vector(s, i < 2 ? first->of : first->partner->of, (unsigned)i % 2,
                  mt_shuffle_two(s, row[2 * i], row[2 * i + 1], from,
                                 MT_LANES));
}

/* The halves of one matrix of a pair. */
static void take_out(mt_Spmd *s, const mt_Value *v, LLVMValueRef *half) {
  LLVMValueRef two[4];
  int from[MT_LANES];
  pair_vectors(s, v->second ? v->partner : v, two);
  for (int i = 0; i < MT_LANES; i++)
    from[i] = i / 8 * 16 + v->second * 8 + i % 8;
  for (int p = 0; p < 2; p++)
    half[p] = mt_shuffle_two(s, two[2 * p], two[2 * p + 1], from, MT_LANES);
}

/* ---------------------------------------------------------------- all forms */

void mt_matrix_rows(mt_Spmd *s, LLVMValueRef matrix, LLVMValueRef *half) {
  if (mt_value(s, matrix) && mt_value(s, matrix)->partner) {
    take_out(s, mt_value(s, matrix), half);
    return;
  }
  for (unsigned p = 0; p < 2; p++) half[p] = mt_vector(s, matrix, p);
  if (!mt_value(s, matrix) || is_in_rows(s, matrix)) return;
  LLVMValueRef part[2] = {half[0], half[1]};
  int from[MT_LANES];
  for (int p = 0; p < 2; p++) {
    for (int l = 0; l < MT_LANES; l++)
      from[l] = place_of(p * MT_LANES + l, false);
    half[p] = mt_shuffle_two(s, part[0], part[1], from, MT_LANES);
  }
}

void mt_matrix_set(mt_Spmd *s, LLVMValueRef matrix, LLVMValueRef *half) {
  int from[MT_LANES];
  bool rows = is_in_rows(s, matrix);
  for (int p = 0; p < 2; p++) {
    for (int l = 0; l < MT_LANES; l++) from[l] = element_of(l, p, false);
    mt_set_vector(
        s, matrix, (unsigned)p,
        rows ? half[p] : mt_shuffle_two(s, half[0], half[1], from, MT_LANES));
  }
}

/* ------------------------------------------------------- loads and stores */

mt_MatrixAccess mt_matrix_operands(mt_Spmd *s, LLVMValueRef call,
                                   const char *name, unsigned first) {
  mt_MatrixAccess m = {LLVMGetOperand(call, first),
                       LLVMGetOperand(call, first + 1),
                       LLVMGetOperand(call, first + 2), s->f32, false};
  m.turned = !LLVMIsAConstantInt(m.transpose) ||
             LLVMConstIntGetZExtValue(m.transpose);
  const char *type = strrchr(name, '_') + 1;
  if (!strcmp(type, "f16")) m.type = LLVMHalfTypeInContext(s->context);
  if (!strcmp(type, "bf16")) m.type = LLVMBFloatTypeInContext(s->context);
  return m;
}

bool mt_matrix_regular(mt_Spmd *s, const mt_MatrixAccess *m) {
  mt_PointerSpace space = mt_address_space(s, m->pointer);
  return s->full && mt_part_kind(s, m->pointer, 0) == MT_SHAPE_UNIFORM &&
         mt_part_kind(s, m->stride, 0) == MT_SHAPE_UNIFORM &&
         LLVMIsAConstantInt(m->transpose) &&
         space != MT_POINTER_PRIVATE && space != MT_POINTER_UNKNOWN;
}

LLVMValueRef mt_matrix_at(mt_Spmd *s, const mt_MatrixAccess *m, int row,
                          int column) {
  LLVMValueRef at = LLVMBuildMul(s->b, mt_uniform(s, m->stride, 0),
                                 mt_const_i64(s, row), "");
  at = LLVMBuildGEP2(s->b, m->type, mt_uniform(s, m->pointer, 0), &at, 1, "");
  return mt_byte_offset(s, at, column * (int64_t)mt_type_size(s, m->type));
}

LLVMValueRef mt_matrix_row(mt_Spmd *s, const mt_MatrixAccess *m, int row) {
  LLVMValueRef x = LLVMBuildLoad2(s->b, LLVMVectorType(m->type, 8),
                                  mt_matrix_at(s, m, row, 0), "");
  LLVMSetAlignment(x, (unsigned)mt_type_size(s, m->type));
  return x;
}

/* Four rows, concatenated. */
static LLVMValueRef load_half(mt_Spmd *s, const mt_MatrixAccess *m, int first) {
  LLVMValueRef x[4];
  int from[MT_LANES];
  for (int i = 0; i < MT_LANES; i++) from[i] = i;
  for (int r = 0; r < 4; r++) x[r] = mt_matrix_row(s, m, first + r);
  LLVMValueRef a = mt_shuffle_two(s, x[0], x[1], from, 16);
  LLVMValueRef b = mt_shuffle_two(s, x[2], x[3], from, 16);
  return LLVMBuildFPCast(s->b, mt_shuffle_two(s, a, b, from, 32),
                         mt_vector_of(s, s->f32), "");
}

static void load_regular(mt_Spmd *s, LLVMValueRef call,
                         const mt_MatrixAccess *m) {
  LLVMValueRef half[2] = {load_half(s, m, 0), load_half(s, m, 4)};
  mt_matrix_set(s, call, half);
}

static void store_regular(mt_Spmd *s, const mt_MatrixAccess *m,
                          LLVMValueRef *half) {
  for (int r = 0; r < 8; r++) {
    int from[8];
    for (int c = 0; c < 8; c++) from[c] = r % 4 * 8 + c;
    LLVMValueRef x = mt_shuffle_two(s, half[r / 4], NULL, from, 8);
    LLVMValueRef st = LLVMBuildStore(s->b, x, mt_matrix_at(s, m, r, 0));
    LLVMSetAlignment(st, (unsigned)mt_type_size(s, m->type));
  }
}

/* The address of each lane's element: any pointer, any stride, transposed or
** not. */
static LLVMValueRef element_at(mt_Spmd *s, const mt_MatrixAccess *m, int part,
                               bool rows) {
  LLVMBuilderRef b = s->b;
  int64_t r[MT_LANES], c[MT_LANES];
  for (int l = 0; l < MT_LANES; l++) {
    r[l] = element_of(l, part, rows) / 8;
    c[l] = element_of(l, part, rows) % 8;
  }
  LLVMValueRef row = mt_const_vector(s, s->i64, r);
  LLVMValueRef column = mt_const_vector(s, s->i64, c);
  LLVMValueRef turn = mt_vector(s, m->transpose, 0);
  if (LLVMTypeOf(turn) != s->v_i1) turn = LLVMBuildTrunc(b, turn, s->v_i1, "");
  LLVMValueRef far = LLVMBuildSelect(b, turn, column, row, "");
  LLVMValueRef near = LLVMBuildSelect(b, turn, row, column, "");
  LLVMValueRef at = LLVMBuildMul(b, far, mt_vector(s, m->stride, 0), "");
  at = LLVMBuildAdd(b, at, near, "");
  return LLVMBuildGEP2(b, m->type, mt_vector(s, m->pointer, 0), &at, 1, "");
}

static LLVMValueRef real_address(mt_Spmd *s, const mt_MatrixAccess *m,
                                 LLVMValueRef at) {
  mt_PointerSpace space = mt_address_space(s, m->pointer);
  if (space == MT_POINTER_PRIVATE || space == MT_POINTER_UNKNOWN)
    return mt_private_address(s, at, space == MT_POINTER_UNKNOWN);
  return at;
}

static void load(mt_Spmd *s, LLVMValueRef call, const char *name) {
  mt_MatrixAccess m = mt_matrix_operands(s, call, name, 0);
  if (mt_matrix_regular(s, &m) && !m.turned) {
    if (!mt_matrix_only_direct(s, call)) load_regular(s, call, &m);
    mt_access_note(s, call, MT_ACCESS_MATRIX, MT_REASON_NONE);
    return;
  }
  bool rows = is_in_rows(s, call);
  mt_access_note(s, call, MT_ACCESS_GATHER, MT_REASON_APART);
  for (unsigned p = 0; p < 2; p++) {
    LLVMValueRef at = real_address(s, &m, element_at(s, &m, (int)p, rows));
    LLVMValueRef x =
        mt_gather(s, m.type, at, (unsigned)mt_type_size(s, m.type));
    mt_set_vector(s, call, p,
                  LLVMBuildFPCast(s->b, x, mt_vector_of(s, s->f32), ""));
  }
}

/* ------------------------------------------------------- stores of a pair */

static bool may_access(LLVMValueRef i) {
  return mt_may_write(i) || LLVMGetInstructionOpcode(i) == LLVMLoad ||
         !strncmp(mt_callee(i), "__mt_matrix_load_", 17);
}

/* The next access to memory, or the one before; NULL: none. A barrier, which
** ends a part of a basic block, counts as one. */
static LLVMValueRef next_access(LLVMValueRef call, bool back) {
  LLVMValueRef i = call;
  do {
    i = back ? LLVMGetPreviousInstruction(i) : LLVMGetNextInstruction(i);
  } while (i && !may_access(i));
  return i;
}

/* Do both calls store one matrix of a pair each, side by side as they are kept?
** Then it is done with the second call, row by row of both. */
static bool store_a_pair(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b,
                         mt_MatrixAccess *left) {
  const char *name = "__mt_matrix_store_f32";
  if (!a || !b || s->probes || strcmp(mt_callee(a), name) ||
      strcmp(mt_callee(b), name))
    return false;
  const mt_Value *x = mt_value(s, LLVMGetOperand(a, 0));
  const mt_Value *y = mt_value(s, LLVMGetOperand(b, 0));
  if (!x || !y || !x->partner || x->partner != y) return false;
  mt_MatrixAccess right = mt_matrix_operands(s, x->second ? a : b, name, 1);
  *left = mt_matrix_operands(s, x->second ? b : a, name, 1);
  return mt_matrix_regular(s, left) && mt_matrix_regular(s, &right) &&
         mt_matrix_beside(s, left, &right);
}

static void store_rows(mt_Spmd *s, const mt_MatrixAccess *left,
                       const mt_Value *v) {
  const mt_Value *first = v->second ? v->partner : v;
  LLVMValueRef row[8];
  if (!mt_matrix_frame_pair(s, first, row)) mt_matrix_pair_rows(s, first, row);
  for (int r = 0; r < 8; r++)
    LLVMSetAlignment(LLVMBuildStore(s->b, row[r], mt_matrix_at(s, left, r, 0)),
                     4);
}

static void store(mt_Spmd *s, LLVMValueRef call, const char *name) {
  mt_MatrixAccess m = mt_matrix_operands(s, call, name, 1), left;
  bool both = store_a_pair(s, next_access(call, true), call, &left);
  if (both) store_rows(s, &left, mt_value(s, LLVMGetOperand(call, 0)));
  if (both || store_a_pair(s, call, next_access(call, false), &left)) {
    mt_access_note(s, call, MT_ACCESS_MATRIX, MT_REASON_NONE);
    return;
  }
  LLVMValueRef matrix = LLVMGetOperand(call, 0), part[2];
  bool rows = is_in_rows(s, matrix), regular = mt_matrix_regular(s, &m);
  if (rows || (regular && !m.turned))
    mt_matrix_rows(s, matrix, part);
  else
    for (unsigned p = 0; p < 2; p++) part[p] = mt_vector(s, matrix, p);
  for (unsigned p = 0; p < 2; p++)
    part[p] = LLVMBuildFPCast(s->b, part[p], mt_vector_of(s, m.type), "");
  if (regular && !m.turned) {
    store_regular(s, &m, part);
    mt_access_note(s, call, MT_ACCESS_MATRIX, MT_REASON_NONE);
    return;
  }
  mt_access_note(s, call, MT_ACCESS_GATHER, MT_REASON_APART);
  for (int p = 0; p < 2; p++)
    mt_scatter(s, part[p], real_address(s, &m, element_at(s, &m, p, rows)),
               (unsigned)mt_type_size(s, m.type));
}

bool mt_matrix_emit(mt_Spmd *s, LLVMValueRef call, const char *name) {
  if (strncmp(name, "__mt_matrix_", 12)) return false;
  name += 12;
  if (!strncmp(name, "load_", 5))
    load(s, call, name);
  else if (!strncmp(name, "store_", 6))
    store(s, call, name);
  else if (!strcmp(name, "multiply_add"))
    mt_matrix_multiply(s, call);
  else
    return false;
  return true;
}
