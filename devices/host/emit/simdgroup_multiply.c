/*
** simdgroup_multiply.c - products of simdgroup matrices.
**
** The one idea: row r of the result is the sum of the right matrix' rows, each
** times one element of the left matrix' row r: a multiply-add of a whole row,
** without shuffles. Products with the same left matrix are computed together:
** each of its elements, broadcast to a register, serves all of them, and with
** AVX-512 rows of two right matrices, concatenated, fill a register. Where both
** factors were loaded just before, their elements and rows are memory operands,
** which cost no more than registers.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/access/access.h"
#include "devices/host/emit/simdgroup_matrix.h"

/* products that are computed together, in a loop that was split */
#define MAX_TOGETHER (2 * MT_PRODUCTS)
#define MAX_ROWS 4 /* of these that are computed together */

typedef struct Factor {
  mt_MatrixAccess memory;
  bool direct; /* still in memory: may be a memory operand */
  LLVMValueRef half[2];
} Factor;

/* ------------------------------------------------------------- the factors */

/* Is the value that 'load' read still in memory when 'here' runs? */
static bool unchanged(LLVMValueRef load, LLVMValueRef here) {
  for (LLVMValueRef i = load; i != here; i = LLVMGetNextInstruction(i))
    if (!i || mt_may_write(i)) return false;
  return true;
}

/* Can a product take its factor from where it was loaded? */
static bool is_direct(mt_Spmd *s, LLVMValueRef matrix, LLVMValueRef product,
                      mt_MatrixAccess *memory) {
  if (strcmp(mt_callee(matrix), "__mt_matrix_load_f32") ||
      mt_value(s, matrix)->block != mt_value(s, product)->block ||
      !unchanged(matrix, product))
    return false;
  *memory = mt_matrix_operands(s, matrix, "load_f32", 0);
  return mt_matrix_regular(s, memory);
}

bool mt_matrix_only_direct(mt_Spmd *s, LLVMValueRef load) {
  mt_MatrixAccess memory;
  if (s->probes) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!mt_is_product(user) || LLVMGetOperand(user, MT_PRODUCT_SUM) == load ||
        !is_direct(s, load, user, &memory) || memory.turned)
      return false;
  }
  return true;
}

static Factor factor_of(mt_Spmd *s, LLVMValueRef matrix, LLVMValueRef here) {
  Factor f = {.direct = false};
  f.direct = is_direct(s, matrix, here, &f.memory);
  if (!f.direct || f.memory.turned) mt_matrix_rows(s, matrix, f.half);
  return f;
}

/* Broadcast element (row, column) to 'count' lanes. */
static LLVMValueRef spread(mt_Spmd *s, const Factor *f, int row, int column,
                           int count) {
  int from[2 * MT_LANES] = {0};
  if (!f->direct) {
    for (int i = 0; i < count; i++) from[i] = row % 4 * 8 + column;
    return mt_shuffle_two(s, f->half[row / 4], NULL, from, count);
  }
  LLVMValueRef at = f->memory.turned ? mt_matrix_at(s, &f->memory, column, row)
                                     : mt_matrix_at(s, &f->memory, row, column);
  LLVMValueRef x = LLVMBuildLoad2(s->b, s->f32, at, "");
  LLVMTypeRef t = LLVMVectorType(s->f32, (unsigned)count);
  x = LLVMBuildInsertElement(s->b, LLVMGetPoison(t), x, mt_const_i64(s, 0), "");
  return mt_shuffle_two(s, x, NULL, from, count);
}

static LLVMValueRef row_of(mt_Spmd *s, LLVMValueRef *half, int row) {
  int from[8];
  for (int c = 0; c < 8; c++) from[c] = row % 4 * 8 + c;
  return mt_shuffle_two(s, half[row / 4], NULL, from, 8);
}

/* The rows of two matrices concatenated, or the row of one. */
static LLVMValueRef beside(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b) {
  int from[16];
  for (int i = 0; i < 16; i++) from[i] = i;
  return b ? mt_shuffle_two(s, a, b, from, 16) : a;
}

static LLVMValueRef factor_row(mt_Spmd *s, const Factor *f, int row) {
  if (f->direct && !f->memory.turned) return mt_matrix_row(s, &f->memory, row);
  LLVMValueRef half[2] = {f->half[0], f->half[1]};
  return row_of(s, half, row);
}

/* Row 'row' of two matrices, concatenated. */
static LLVMValueRef factor_rows(mt_Spmd *s, const Factor *two, int row) {
  if (!two[0].direct || !two[1].direct ||
      !mt_matrix_beside(s, &two[0].memory, &two[1].memory))
    return beside(s, factor_row(s, &two[0], row), factor_row(s, &two[1], row));
  LLVMValueRef x =
      LLVMBuildLoad2(s->b, LLVMVectorType(s->f32, 16),
                     mt_matrix_at(s, &two[0].memory, row, 0), "");
  LLVMSetAlignment(x, 4);
  return x;
}

/* ----------------------------------------------------------------- the sums */

static bool are_partners(const mt_Value *a, const mt_Value *b) {
  return a && a->partner && a->partner == b && b->second;
}

/* The eight rows that two products, or one, are added to. */
static void take_sums(mt_Spmd *s, LLVMValueRef *call, int width,
                      LLVMValueRef *row) {
  LLVMValueRef c[2], half[2][2];
  for (int i = 0; i < width; i++)
    c[i] = LLVMGetOperand(call[i], MT_PRODUCT_SUM);
  const mt_Value *first = mt_value(s, c[0]);
  if (width == 2 && are_partners(first, mt_value(s, c[1]))) {
    mt_matrix_pair_rows(s, first, row);
    return;
  }
  for (unsigned i = 0; width == 2 && i < 16; i++) {
    const mt_MatrixPair *p = &mt_emit_state(s)->pair[i];
    if (p->made != s->making || p->of[0] != c[0] || p->of[1] != c[1]) continue;
    memcpy(row, p->row, sizeof p->row);
    return;
  }
  if (width == 2 && mt_matrix_frame_take(s, c, row)) return;
  for (int i = 0; i < width; i++) mt_matrix_rows(s, c[i], half[i]);
  for (int r = 0; r < 8; r++)
    row[r] = beside(s, row_of(s, half[0], r),
                    width == 2 ? row_of(s, half[1], r) : NULL);
}

static void give_sum(mt_Spmd *s, LLVMValueRef call, LLVMValueRef *row, int from,
                     int width) {
  LLVMValueRef half[2];
  int near[16], far[MT_LANES];
  for (int i = 0; i < MT_LANES; i++) far[i] = i;
  for (int i = 0; i < 16; i++) near[i] = i / 8 * 8 * width + from * 8 + i % 8;
  for (int p = 0; p < 2; p++) {
    LLVMValueRef *x = row + 4 * p;
    half[p] = mt_shuffle_two(s, mt_shuffle_two(s, x[0], x[1], near, 16),
                      mt_shuffle_two(s, x[2], x[3], near, 16), far, MT_LANES);
  }
  mt_matrix_set(s, call, half);
}

/* The rows of a pair that products do not compute, two by two (matrix_pairs.c):
** if they are parked, they stay where they are. */
static void pass_on(mt_Spmd *s, LLVMValueRef *call, mt_Rows computed) {
  for (int r = 0; r < 8; r += 2) {
    LLVMValueRef c = call[r / 4];
    unsigned p = (unsigned)r / 2 % 2;
    if ((r >= computed.from && r < computed.to) ||
        mt_value(s, c)->part[p].in_frame)
      continue;
    LLVMValueRef sum = LLVMGetOperand(c, MT_PRODUCT_SUM);
    mt_set_vector(s, c, p, mt_vector(s, sum, p));
  }
}

static void give_sums(mt_Spmd *s, LLVMValueRef *call, int width,
                      LLVMValueRef *row, mt_Rows computed) {
  if (mt_value(s, call[0])->partner) {
    mt_matrix_set_pair(s, mt_value(s, call[0]), row, computed);
    pass_on(s, call, computed);
    return;
  }
  for (int i = 0; i < width; i++) give_sum(s, call[i], row, i, width);
  if (width < 2) return;
  mt_MatrixPair *p = &mt_emit_state(s)->pair[mt_emit_state(s)->pairs++ % 16];
  p->made = s->making;
  memcpy(p->row, row, sizeof p->row);
  for (int i = 0; i < 2; i++) p->of[i] = call[i];
  mt_matrix_frame_give(s, call, row);
}

/* ------------------------------------------------------------- the products */

static LLVMValueRef fma_vector(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b,
                               LLVMValueRef c) {
  LLVMTypeRef t = LLVMTypeOf(a);
  LLVMValueRef args[3] = {a, b, c};
  return mt_intrinsic(s, "llvm.fma", &t, 1, args, 3);
}

static bool is_made(const mt_Spmd *s, const mt_Value *v) {
  return v->part[0].made == s->making || v->part[1].made == s->making;
}

/* What is parked of it is not made. */
static bool is_computed(mt_Spmd *s, LLVMValueRef product) {
  const mt_Value *v = mt_value(s, product);
  return is_made(s, v) || (v->partner && is_made(s, v->partner));
}

/* Can the product be computed at 'call', and was it not? */
static bool is_ready(mt_Spmd *s, LLVMValueRef product, LLVMValueRef call) {
  return mt_is_product(product) && mt_product_fits(s, product, call) &&
         !is_computed(s, product);
}

/* Products that are computed together, with the same left factor. */
typedef struct Row {
  LLVMValueRef product[MAX_TOGETHER], sum[MAX_TOGETHER][8];
  Factor left;
  mt_Rows rows; /* of their sums */
} Row;

/* The products of the block with the left factor of 'first' that can be
** computed at 'call'; two that are kept as a pair one after the other. */
static int collect(mt_Spmd *s, LLVMValueRef first, LLVMValueRef call,
                   Row *row) {
  int n = 0, block = mt_value(s, call)->block;
  int most = mt_product_rows(first, &row->rows) ? MAX_TOGETHER : MT_PRODUCTS;
  for (LLVMValueRef i = first; i != s->block[block].end && n < most;
       i = LLVMGetNextInstruction(i)) {
    if (!is_ready(s, i, call) ||
        LLVMGetOperand(i, 0) != LLVMGetOperand(first, 0))
      continue;
    const mt_Value *v = mt_value(s, i), *other = v->partner;
    if (other && (v->second || n + 2 > most || !is_ready(s, other->of, call)))
      continue;
    row->product[n++] = i;
    if (other) row->product[n++] = other->of;
  }
  return n;
}

/* How many of the products from the first one on are computed as one. */
static int width_of(mt_Spmd *s, LLVMValueRef *product, int n) {
  if (!mt_has_pairs(s) || n < 2) return 1;
  return !mt_value(s, product[0])->partner ==
                 !mt_value(s, product[1])->partner ? 2 : 1;
}

/* --------------------------------------------------------- compact products */

/* 'count' floats of a matrix in memory. */
static LLVMValueRef floats_at(mt_Spmd *s, LLVMValueRef matrix, int first,
                              unsigned count) {
  LLVMTypeRef t = count > 1 ? LLVMVectorType(s->f32, count) : s->f32;
  LLVMValueRef at = mt_byte_offset(s, matrix, 4 * (int64_t)first);
  LLVMValueRef x = LLVMBuildLoad2(s->b, t, at, "");
  LLVMSetAlignment(x, 4);
  return x;
}

/* void (left, right, sum): all three by rows; adds the product to 'sum'. */
static void write_product(mt_Spmd *s, LLVMValueRef f) {
  LLVMValueRef left = LLVMGetParam(f, 0), right = LLVMGetParam(f, 1);
  LLVMValueRef row[8], zero = mt_const_i64(s, 0);
  int none[8] = {0};
  LLVMTypeRef t = LLVMVectorType(s->f32, 8);
  for (int k = 0; k < 8; k++) row[k] = floats_at(s, right, 8 * k, 8);
  for (int r = 0; r < 8; r++) {
    LLVMValueRef sum = floats_at(s, LLVMGetParam(f, 2), 8 * r, 8);
    for (int k = 0; k < 8; k++) {
      LLVMValueRef x = floats_at(s, left, 8 * r + k, 1);
      x = LLVMBuildInsertElement(s->b, LLVMGetPoison(t), x, zero, "");
      sum = fma_vector(s, mt_shuffle_two(s, x, NULL, none, 8), row[k], sum);
    }
    LLVMValueRef to = mt_byte_offset(s, LLVMGetParam(f, 2), 32 * r);
    LLVMSetAlignment(LLVMBuildStore(s->b, sum, to), 4);
  }
  LLVMBuildRetVoid(s->b);
}

static LLVMValueRef product_function(mt_Spmd *s) {
  LLVMValueRef f = LLVMGetNamedFunction(s->module, "mt_product");
  if (f) return f;
  LLVMTypeRef params[] = {s->ptr, s->ptr, s->ptr};
  f = LLVMAddFunction(
      s->module, "mt_product",
      LLVMFunctionType(LLVMVoidTypeInContext(s->context), params, 3, 0));
  LLVMSetLinkage(f, LLVMInternalLinkage);
  unsigned kind = LLVMGetEnumAttributeKindForName("noinline", 8);
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(s->context, kind, 0));
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->b);
  LLVMPositionBuilderAtEnd(s->b,
                           LLVMAppendBasicBlockInContext(s->context, f, ""));
  LLVMSetCurrentDebugLocation2(s->b, NULL);
  write_product(s, f);
  LLVMPositionBuilderAtEnd(s->b, here);
  return f;
}

/* A matrix in memory, by rows: operand 'i' of a product. The memory is reused
** by all products of a region. */
static LLVMValueRef in_memory(mt_Spmd *s, LLVMValueRef matrix, unsigned i) {
  LLVMValueRef half[2], *m = &mt_emit_state(s)->product[i];
  LLVMTypeRef t = LLVMArrayType2(mt_vector_of(s, s->f32), 2);
  if (mt_emit_state(s)->product_entry[i] != s->entry)
    *m = mt_entry_alloca(s, t, 64);
  mt_emit_state(s)->product_entry[i] = s->entry;
  mt_matrix_rows(s, matrix, half);
  for (int p = 0; p < 2; p++)
    LLVMBuildStore(s->b, half[p], mt_byte_offset(s, *m, 4 * MT_LANES * p));
  return *m;
}

/* In instrumented code speed matters less, and inlined products would take
** seconds to compile: all call one function. */
static void multiply_shortly(mt_Spmd *s, LLVMValueRef call) {
  LLVMValueRef f = product_function(s), args[3], half[2];
  for (unsigned i = 0; i < 3; i++)
    args[i] = in_memory(s, LLVMGetOperand(call, i), i);
  LLVMBuildCall2(s->b, LLVMGlobalGetValueType(f), f, args, 3, "");
  for (int p = 0; p < 2; p++)
    half[p] = LLVMBuildLoad2(s->b, mt_vector_of(s, s->f32),
                             mt_byte_offset(s, args[2], 4 * MT_LANES * p), "");
  mt_matrix_set(s, call, half);
}

/* --------------------------------------------------------- inlined products */

/* Do both rows have the same right factors, and are their sums alike? */
static bool are_alike(mt_Spmd *s, const Row *a, const Row *b, int n) {
  for (int i = 0; i < n; i++)
    if (LLVMGetOperand(a->product[i], 1) != LLVMGetOperand(b->product[i], 1) ||
        !mt_value(s, a->product[i])->partner !=
            !mt_value(s, b->product[i])->partner)
      return false;
  return true;
}

/* The rows of a block that are computed with one another: these products, and
** in a loop that was split those with other left factors. */
static int find_rows(mt_Spmd *s, LLVMValueRef call, Row *row, int *n) {
  int rows = 1, block = mt_value(s, call)->block;
  *n = collect(s, call, call, &row[0]);
  if (!mt_product_rows(call, &row[0].rows)) return 1;
  for (LLVMValueRef i = call; i != s->block[block].end && rows < MAX_ROWS;
       i = LLVMGetNextInstruction(i)) {
    bool known = !is_ready(s, i, call);
    for (int r = 0; r < rows && !known; r++)
      known = LLVMGetOperand(i, 0) == LLVMGetOperand(row[r].product[0], 0);
    if (!known && collect(s, i, call, &row[rows]) == *n &&
        are_alike(s, &row[0], &row[rows], *n))
      rows++;
  }
  return rows;
}

/* The rows of the left factor that a later iteration reads: a line each. */
static void prefetch_left(mt_Spmd *s, const Row *a) {
  LLVMValueRef load = LLVMGetOperand(a->product[0], 0);
  for (int r = a->rows.from; a->left.direct && r < a->rows.to; r++)
    mt_prefetch_slot(s, mt_matrix_at(s, &a->left.memory, r, 0), load);
}

static void multiply_row(mt_Spmd *s, Row *a, const LLVMValueRef *right, int k,
                         int n, const int *width) {
  for (int r = a->rows.from; r < a->rows.to; r++)
    for (int i = 0; i < n; i += width[i])
      a->sum[i][r] = fma_vector(s, spread(s, &a->left, r, k, 8 * width[i]),
                                right[i], a->sum[i][r]);
}

void mt_matrix_multiply(mt_Spmd *s, LLVMValueRef call) {
  if (s->probes && s->probes->short_products) {
    multiply_shortly(s, call);
    return;
  }
  Row row[MAX_ROWS];
  Factor right[MAX_TOGETHER];
  /* already computed with another */
  if (is_computed(s, call)) return;
  int n, rows = find_rows(s, call, row, &n), width[MAX_TOGETHER];
  for (int i = 0; i < n; i++)
    right[i] = factor_of(s, LLVMGetOperand(row->product[i], 1), call);
  for (int i = 0; i < n; i += width[i])
    width[i] = width_of(s, row->product + i, n - i);
  for (int a = 0; a < rows; a++) {
    row[a].left = factor_of(s, LLVMGetOperand(row[a].product[0], 0), call);
    for (int i = 0; i < n; i += width[i])
      take_sums(s, row[a].product + i, width[i], row[a].sum[i]);
  }
  for (int a = 0; a < rows; a++) prefetch_left(s, &row[a]);
  for (int k = 0; k < 8; k++) {
    LLVMValueRef x[MAX_TOGETHER];
    for (int i = 0; i < n; i += width[i])
      x[i] = width[i] == 2 ? factor_rows(s, &right[i], k)
                           : factor_row(s, &right[i], k);
    for (int a = 0; a < rows; a++) multiply_row(s, &row[a], x, k, n, width);
  }
  for (int a = 0; a < rows; a++)
    for (int i = 0; i < n; i += width[i])
      give_sums(s, row[a].product + i, width[i], row[a].sum[i], row[a].rows);
  /* Emits no instruction, but keeps LLVM from mixing these loads with those of
  ** the next products: all sums would be live at once. */
  if (row->left.direct)
    LLVMBuildFence(s->b, LLVMAtomicOrderingAcquireRelease, 1, "");
}
