/*
** matrix_rows.c - matrices of 16-bit elements, loaded together.
**
** The one idea: an instruction loads up to four of them from threadgroup
** memory, into registers that lie side by side, as a product wants its
** operands. So the loads of the four left matrices of a product become one
** call, and those of the right matrices of two products. Matrices then never
** are pairs of floats.
**
** It comes after matrix.c, when calls have the names of builtins.c.
*/
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

#define LOAD MT_TENSOR "load_"
#define RIGHT MT_TENSOR "load_right_"
#define PRODUCTS MT_TENSOR "products_"
#define MOST 2048 /* products of a block, and loads */

/* Operands of a call of 'products': left matrices and right ones. */
static const unsigned LEFT[4] = {0, 1, 3, 4}, RIGHT_ONES[2] = {2, 5};

/* Matrices that one call loads, which is 'made' of them: a vector of integers
** with two elements each. */
typedef struct Group {
  LLVMValueRef load[4], made;
  unsigned count;
} Group;

typedef struct Rows {
  mt_PtxWork *w;
  LLVMValueRef product[MOST];
  unsigned products;
  Group group[MOST];
  unsigned groups;
} Rows;

/* ----------------------------------------------------- may they be joined? */

/* The load of 'elements' ("f16", "bf16") that 'v' is, or is converted from;
** else 'v'. Kernels keep what they load as halves. */
static LLVMValueRef load_of(LLVMValueRef v) {
  while (LLVMIsAFPExtInst(v) || LLVMIsAFPTruncInst(v)) v = LLVMGetOperand(v, 0);
  return v;
}

static bool is_load_of(LLVMValueRef v, const char *elements) {
  const char *name = LLVMIsACallInst(v) ? mt_callee(v) : "";
  size_t before = mt_starts(name, RIGHT)  ? strlen(RIGHT)
                  : mt_starts(name, LOAD) ? strlen(LOAD)
                                          : 0;
  return before && strcmp(name + before, elements) == 0;
}

static bool is_product(LLVMValueRef v) {
  return LLVMIsACallInst(v) && mt_starts(mt_callee(v), PRODUCTS);
}
static const char *elements_of(LLVMValueRef product) {
  const char *name = mt_callee(product);
  return mt_starts(name, PRODUCTS) ? name + strlen(PRODUCTS) : "";
}

static bool is_one_of(const Group *g, LLVMValueRef v) {
  for (unsigned i = 0; i < g->count; i++)
    if (g->load[i] == v) return true;
  return false;
}

static bool multiplies_one_of(const Group *g, LLVMValueRef v) {
  for (unsigned i = 0; is_product(v) && i < 6; i++)
    if (is_one_of(g, load_of(LLVMGetOperand(v, i)))) return true;
  return false;
}

/* May it change memory, or wait for others who do? */
static bool may_write(LLVMValueRef v) {
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      return true;
    case LLVMCall:
      return !mt_starts(mt_callee(v), MT_TENSOR) ||
             mt_starts(mt_callee(v), MT_TENSOR "store_");
    default:
      return false;
  }
}

/* Are all of them loads of one kind, in one block? */
static bool are_alike(const Group *g, const char *elements) {
  LLVMValueRef first = g->load[0];
  for (unsigned i = 0; i < g->count; i++) {
    LLVMValueRef v = g->load[i];
    if (!is_load_of(v, elements) ||
        LLVMGetCalledValue(v) != LLVMGetCalledValue(first) ||
        LLVMGetInstructionParent(v) != LLVMGetInstructionParent(first) ||
        LLVMGetOperand(v, 1) != LLVMGetOperand(first, 1) ||
        LLVMGetOperand(v, 2) != LLVMGetOperand(first, 2))
      return false;
    for (unsigned k = 0; k < i; k++)
      if (g->load[k] == v) return false;
  }
  return true;
}

/* The last of the loads, if all of them might as well be there; else NULL. */
static LLVMValueRef last_place(const Group *g, const char *elements) {
  unsigned seen = 0;
  if (!are_alike(g, elements)) return NULL;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(g->load[0]);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i)) {
    if (is_one_of(g, i)) {
      if (++seen == g->count) return i;
    } else if (seen && (may_write(i) || multiplies_one_of(g, i))) {
      return NULL;
    }
  }
  return NULL;
}

/* ------------------------------------------------------------------ joining */

static Group *find(Rows *r, LLVMValueRef load) {
  for (unsigned i = 0; i < r->groups; i++)
    if (is_one_of(&r->group[i], load)) return &r->group[i];
  return NULL;
}

static bool join(Rows *r, const char *elements, Group g) {
  mt_PtxWork *w = r->w;
  LLVMValueRef last = r->groups < MOST ? last_place(&g, elements) : NULL;
  LLVMValueRef args[6];
  if (!last) return false;
  LLVMPositionBuilderBefore(w->b, LLVMGetNextInstruction(last));
  for (unsigned i = 0; i < g.count; i++)
    args[i] = LLVMGetOperand(g.load[i], 0);
  args[g.count] = LLVMGetOperand(last, 1);
  LLVMValueRef turned = LLVMGetOperand(last, 2);
  if (mt_starts(mt_callee(last), RIGHT))
    turned = LLVMBuildNot(w->b, turned, "");
  args[g.count + 1] = turned;
  g.made = mt_build_call(w->module, w->b,
                         g.count == 4 ? MT_TENSOR "rows4" : MT_TENSOR "rows2",
                         LLVMVectorType(w->i32, g.count), args, g.count + 2);
  r->group[r->groups++] = g;
  return true;
}

static void join_left(Rows *r, LLVMValueRef product) {
  Group g = {.count = 4};
  for (unsigned i = 0; i < 4; i++)
    g.load[i] = load_of(LLVMGetOperand(product, LEFT[i]));
  if (!find(r, g.load[0])) join(r, elements_of(product), g);
}

/* With those of a later product, if there is one whose are free. */
static void join_right(Rows *r, unsigned number) {
  Group g = {.count = 2};
  const char *elements = elements_of(r->product[number]);
  for (unsigned i = 0; i < 2; i++)
    g.load[i] = load_of(LLVMGetOperand(r->product[number], RIGHT_ONES[i]));
  if (find(r, g.load[0])) return;
  for (unsigned k = number + 1; k < r->products; k++) {
    Group both = g;
    for (unsigned i = 0; i < 2; i++)
      both.load[both.count++] =
          load_of(LLVMGetOperand(r->product[k], RIGHT_ONES[i]));
    if (!find(r, both.load[2]) && !find(r, both.load[3]) &&
        join(r, elements, both))
      return;
  }
  join(r, elements, g);
}

/* ----------------------------------------------------------------- products */

/* The register of a matrix; NULL: it is loaded by itself. */
static LLVMValueRef part_of(Rows *r, LLVMValueRef operand) {
  LLVMValueRef load = load_of(operand);
  Group *g = find(r, load);
  if (!g) return NULL;
  unsigned i = 0;
  while (g->load[i] != load) i++;
  return LLVMBuildExtractElement(r->w->b, g->made,
                                 LLVMConstInt(r->w->i32, i, 0), "");
}

static void rewrite(Rows *r, LLVMValueRef product) {
  mt_PtxWork *w = r->w;
  LLVMValueRef args[7];
  mt_Str name = MT_STR_INIT;
  LLVMPositionBuilderBefore(w->b, product);
  for (unsigned i = 0; i < 4; i++)
    args[i] = part_of(r, LLVMGetOperand(product, LEFT[i]));
  for (unsigned i = 0; i < 2; i++)
    args[4 + i] = part_of(r, LLVMGetOperand(product, RIGHT_ONES[i]));
  args[6] = LLVMGetOperand(product, 6);
  for (unsigned i = 0; i < 6; i++)
    if (!args[i]) return;
  mt_str_addf(&name, MT_TENSOR "packed_%s", elements_of(product));
  LLVMValueRef made = mt_build_call(w->module, w->b, mt_str_text(&name),
                                    LLVMTypeOf(product), args, 7);
  mt_str_free(&name);
  LLVMReplaceAllUsesWith(product, made);
  LLVMInstructionEraseFromParent(product);
}

/* A load, or a conversion of one, that is not used any more. */
static void drop_unused(LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v), next; u; u = next) {
    LLVMValueRef user = LLVMGetUser(u);
    next = LLVMGetNextUse(u);
    if (LLVMIsAFPExtInst(user) || LLVMIsAFPTruncInst(user)) drop_unused(user);
  }
  if (!LLVMGetFirstUse(v)) LLVMInstructionEraseFromParent(v);
}

static void join_block(Rows *r, LLVMBasicBlockRef b) {
  r->products = r->groups = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && r->products < MOST;
       i = LLVMGetNextInstruction(i))
    if (is_product(i)) r->product[r->products++] = i;
  for (unsigned i = 0; i < r->products; i++) {
    join_left(r, r->product[i]);
    join_right(r, i);
  }
  for (unsigned i = 0; i < r->products; i++) rewrite(r, r->product[i]);
  for (unsigned i = 0; i < r->groups; i++)
    for (unsigned k = 0; k < r->group[i].count; k++)
      drop_unused(r->group[i].load[k]);
}

mt_Status mt_ptx_join_loads(mt_PtxWork *w, mt_Error *err) {
  Rows *r = malloc(sizeof *r);
  if (!r) return mt_error(err, MT_FAIL, "out of memory");
  r->w = w;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->prepared.function); b;
       b = LLVMGetNextBasicBlock(b))
    join_block(r, b);
  free(r);
  return MT_OK;
}
