/*
** order_products.c - products of simdgroup matrices, those with the same sums
** one after the other.
**
** The one idea: a kernel keeps a block of matrices as its sums, say 2 x 4, and
** for each step along the depth multiplies all rows of the block. Its loop is
** unrolled, so the rows take turns, and together the sums need more registers
** than there are: each turn would spill some and reload others. A row alone
** fits (simdgroup_multiply.c), so here all steps of one row are put before
** those of the next. Products only move down, to just before something that
** writes memory or uses a sum: the factors are loads, and remain memory
** operands.
*/
#include "devices/host/transform/transform.h"

#include <string.h>

#include "devices/compiler/ir/ir.h"

#define MAX_PRODUCTS 512 /* at a time */

typedef struct Product {
  LLVMValueRef call;
  int row; /* of the block of sums, in the order in which they come */
} Product;

typedef struct Row { /* sums that are kept at once */
  LLVMValueRef left; /* the factor that their first products share */
  int sums, steps;
} Row;

typedef struct Window { /* instructions that write no memory */
  Product product[MAX_PRODUCTS];
  Row row[MAX_PRODUCTS];
  int products, rows;
} Window;

bool mt_may_write(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMCall)
    return strncmp(mt_callee(i), "__mt_matrix_load_", 17) &&
           !mt_is_product(i) &&
           strncmp(mt_callee(i), "llvm.fma", 8) &&
           strncmp(mt_callee(i), "llvm.dbg", 8);
  return op == LLVMStore || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg ||
         op == LLVMFence;
}

static int find(const Window *w, LLVMValueRef call) {
  for (int i = w->products - 1; i >= 0; i--)
    if (w->product[i].call == call) return i;
  return -1;
}

/* The row of a product whose sum comes from before the window. */
static int row_from(Window *w, LLVMValueRef left) {
  for (int i = 0; i < w->rows; i++)
    if (w->row[i].left == left && w->row[i].sums < MT_PRODUCTS) {
      w->row[i].sums++;
      return i;
    }
  w->row[w->rows] = (Row){.left = left, .sums = 1};
  return w->rows++;
}

/* Is it something else than a next step that uses a product of the window? */
static bool uses_a_sum(const Window *w, LLVMValueRef i) {
  int operands = LLVMGetNumOperands(i);
  for (int n = 0; n < operands; n++) {
    if (n == MT_PRODUCT_SUM && mt_is_product(i)) continue;
    if (find(w, LLVMGetOperand(i, (unsigned)n)) >= 0) return true;
  }
  return false;
}

static void add(Window *w, LLVMValueRef call) {
  int before = find(w, LLVMGetOperand(call, MT_PRODUCT_SUM));
  int row = before >= 0 ? w->product[before].row
                        : row_from(w, LLVMGetOperand(call, 0));
  w->row[row].steps += before >= 0;
  w->product[w->products++] = (Product){call, row};
}

/* Put the rows but for the first before 'end', one after the other. */
static void close(Window *w, LLVMBuilderRef b, LLVMValueRef end) {
  bool pays = false;
  for (int i = 0; i < w->rows; i++) pays |= w->rows > 1 && w->row[i].steps > 0;
  for (int row = 1; pays && row < w->rows; row++)
    for (int i = 0; i < w->products; i++) {
      if (w->product[i].row != row) continue;
      LLVMInstructionRemoveFromParent(w->product[i].call);
      LLVMPositionBuilderBefore(b, end);
      LLVMInsertIntoBuilder(b, w->product[i].call);
    }
  w->products = w->rows = 0;
}

void mt_order_products(LLVMValueRef function) {
  LLVMContextRef context =
      LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  Window w = {.products = 0};
  for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
       k = LLVMGetNextBasicBlock(k))
    for (LLVMValueRef i = LLVMGetFirstInstruction(k); i;
         i = LLVMGetNextInstruction(i)) {
      if (w.products && (mt_may_write(i) || LLVMIsATerminatorInst(i) ||
                         w.products == MAX_PRODUCTS || uses_a_sum(&w, i)))
        close(&w, b, i);
      if (mt_is_product(i)) add(&w, i);
    }
  LLVMDisposeBuilder(b);
}
