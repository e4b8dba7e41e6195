/*
** matrix_sums.c - sums that a loop leaves to the tensor cores for a while.
**
** The one idea: a tensor core truncates what it adds up, so that the error of a
** long sum of one sign is larger than a float's rounding; but to add each
** product in the kernel costs four additions for one instruction of the tensor
** core, and waiting. So a loop that only adds products to its matrices leaves
** them to the tensor core until some number of products has been added (FIRST,
** then LATER); then they are added to totals in the thread's own memory, which
** is slow and seldom, and begin with 0 again. After the loop what is left is
** added to the totals:
**
**   body:   matrices += products              fold:  no totals yet? put : add
**           more ? again : leave              put:   totals = matrices
**   again:  so many?  fold : on               add:   totals += matrices
**   on:     matrices, or 0; go to body        leave: any totals? join : out
**                                             join:  matrices += totals
**
** It is a step of matrix.c, for loops of one block; products are pairs still.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

/* Products of 16-bit numbers that a tensor core adds up, before the first fold
** and between later ones. A sum of n of one sign is off by 6.4e-9 n in it; of
** sums of n_i that are added up, by the mean of that, each weighted by n_i.
** lua/workload/tolerance.lua allows 3.4e-7 sqrt(n) for n products: 0.83 of that
** is used at 2048, 0.78 at 6144, less at any other length. */
#define FIRST 2048
#define LATER (2 * FIRST)
#define DEEP 8   /* products of a pair for each element */
#define MOST 256 /* matrices of a loop */

/* A matrix that a loop adds to. */
typedef struct Sum {
  LLVMValueRef phi, last; /* before a round, and after it */
  LLVMValueRef on, out;   /* for the next round, and for uses after the loop */
  unsigned pairs;         /* that are added to it in a round */
} Sum;

typedef struct Loop {
  mt_PtxWork *w;
  LLVMBasicBlockRef body, exit;
  Sum sum[MOST];
  unsigned count;
  LLVMValueRef totals;         /* an array of matrices */
  LLVMValueRef rounds, folded; /* since the last fold; are there totals? */
  LLVMBasicBlockRef again, fold, put, add, on, leave, join, out;
} Loop;

/* ------------------------------------------------------------- is it a sum? */

static bool is_in(const Loop *l, LLVMValueRef v) {
  return LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == l->body;
}

/* The one user in the loop; NULL: none, or several. */
static LLVMValueRef user_inside(const Loop *l, LLVMValueRef v, bool *outside) {
  LLVMValueRef one = NULL;
  *outside = false;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!is_in(l, user))
      *outside = true;
    else if (one)
      return NULL;
    else
      one = user;
  }
  return one;
}

/* The half of a pair's results that belongs to operand 3 or 4. */
static LLVMValueRef half_of(LLVMValueRef pair, unsigned operand) {
  for (LLVMUseRef u = LLVMGetFirstUse(pair); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef half = LLVMGetUser(u);
    if (LLVMIsAShuffleVectorInst(half) &&
        (LLVMGetMaskValue(half, 0) != 0) == (operand == 4))
      return half;
  }
  return NULL;
}

static bool is_pair_of_halves(LLVMValueRef v) {
  return mt_starts(mt_callee(v), MT_PAIR) &&
         strcmp(mt_callee(v) + strlen(MT_PAIR), "f32") != 0;
}

/* From product to product around the loop. */
static bool follow(const Loop *l, LLVMValueRef phi, Sum *s) {
  LLVMValueRef v = phi;
  bool outside;
  *s = (Sum){.phi = phi};
  for (;;) {
    LLVMValueRef user = user_inside(l, v, &outside);
    if (user == phi && v != phi) break;
    if (!user || outside || !is_pair_of_halves(user)) return false;
    unsigned operand = LLVMGetOperand(user, 3) == v ? 3 : 4;
    if (LLVMGetOperand(user, operand) != v) return false;
    v = half_of(user, operand);
    if (!v) return false;
    s->pairs++;
  }
  s->last = v;
  return true;
}

static bool is_sum(const Loop *l, LLVMValueRef v) {
  for (unsigned i = 0; i < l->count; i++) {
    LLVMValueRef at = l->sum[i].phi;
    for (unsigned n = 0; n < l->sum[i].pairs; n++) {
      if (at == v) return true;
      bool outside;
      LLVMValueRef pair = user_inside(l, at, &outside);
      at = half_of(pair, LLVMGetOperand(pair, 3) == at ? 3 : 4);
    }
  }
  return false;
}

/* Do both sums of each pair go on like this? A pair may have only one. */
static bool pairs_fit(const Loop *l) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(l->body); i;
       i = LLVMGetNextInstruction(i))
    if (is_pair_of_halves(i) && (!is_sum(l, LLVMGetOperand(i, 3)) ||
                                 (!LLVMIsNull(LLVMGetOperand(i, 4)) &&
                                  !is_sum(l, LLVMGetOperand(i, 4)))))
      return false;
  return true;
}

static bool is_matrix(LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  return LLVMGetTypeKind(t) == LLVMVectorTypeKind &&
         LLVMGetVectorSize(t) == 2 &&
         LLVMGetTypeKind(LLVMGetElementType(t)) == LLVMFloatTypeKind;
}

/* The number of the sum whose matrix before a round is 'phi'; count: none. */
static unsigned sum_of(const Loop *l, LLVMValueRef phi) {
  unsigned i = 0;
  while (i < l->count && l->sum[i].phi != phi) i++;
  return i;
}

static void swap(Sum *s, unsigned i, unsigned k) {
  Sum kept = s[i];
  s[i] = s[k], s[k] = kept;
}

/* Sums of a pair side by side, those that have no other last: a pair's four
** numbers are in consecutive registers, and so they are in the totals. In any
** other order each round would move all of them. */
static void order_by_pairs(Loop *l) {
  unsigned done = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(l->body); i;
       i = LLVMGetNextInstruction(i)) {
    if (!is_pair_of_halves(i)) continue;
    unsigned first = sum_of(l, LLVMGetOperand(i, 3)),
             second = sum_of(l, LLVMGetOperand(i, 4));
    if (first == l->count || second == l->count || first < done ||
        second < done)
      continue;
    swap(l->sum, done, first);
    swap(l->sum, done + 1, sum_of(l, LLVMGetOperand(i, 4)));
    done += 2;
  }
}

static bool find_sums(Loop *l) {
  l->count = 0;
  for (LLVMValueRef p = LLVMGetFirstInstruction(l->body); LLVMIsAPHINode(p);
       p = LLVMGetNextInstruction(p))
    if (is_matrix(p) && LLVMCountIncoming(p) == 2) {
      if (l->count == MOST) return false;
      l->count += follow(l, p, &l->sum[l->count]);
    }
  if (l->count == 0 || !pairs_fit(l)) return false;
  order_by_pairs(l);
  return true;
}

static bool find_loop(Loop *l, LLVMBasicBlockRef b) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  if (!LLVMIsABranchInst(end) || LLVMGetNumSuccessors(end) != 2) return false;
  LLVMBasicBlockRef one = LLVMGetSuccessor(end, 0),
                    other = LLVMGetSuccessor(end, 1);
  if ((one == b) == (other == b)) return false;
  l->body = b;
  l->exit = one == b ? other : one;
  return true;
}

/* ------------------------------------------------------------------ totals */

static LLVMTypeRef matrix_type(const Loop *l) {
  return LLVMTypeOf(l->sum[0].phi);
}

/* Memory that LLVM does not take for registers: there are too few. */
static void make_totals(Loop *l) {
  mt_PtxWork *w = l->w;
  LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(w->prepared.function);
  LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(first));
  LLVMValueRef memory =
      LLVMBuildAlloca(w->b, LLVMArrayType2(matrix_type(l), l->count), "totals");
  LLVMSetAlignment(memory, 16);
  LLVMValueRef zero =
      mt_build_call(w->module, w->b, MT_TENSOR "zero", w->i32, NULL, 0);
  l->totals = LLVMBuildGEP2(w->b, LLVMArrayType2(matrix_type(l), 2), memory,
                            &zero, 1, ""); /* a multiple of 16 bytes */
}

static LLVMValueRef total(const Loop *l, unsigned i) {
  LLVMValueRef index = LLVMConstInt(l->w->i32, i, 0);
  return LLVMBuildGEP2(l->w->b, matrix_type(l), l->totals, &index, 1, "");
}

static LLVMValueRef added(const Loop *l, unsigned i) {
  LLVMValueRef before =
      LLVMBuildLoad2(l->w->b, matrix_type(l), total(l, i), "");
  return LLVMBuildFAdd(l->w->b, before, l->sum[i].last, "");
}

/* To the totals of this sum and the next: loads first, then stores, so that
** LLVM makes one access of two. */
static void add_two(const Loop *l, unsigned i) {
  LLVMValueRef sum[2];
  unsigned n = i + 1 < l->count ? 2 : 1;
  for (unsigned k = 0; k < n; k++) sum[k] = added(l, i + k);
  for (unsigned k = 0; k < n; k++)
    LLVMBuildStore(l->w->b, sum[k], total(l, i + k));
}

/* ------------------------------------------------------------------ blocks */

static LLVMBasicBlockRef new_block(Loop *l, const char *name) {
  LLVMValueRef f = l->w->prepared.function;
  return LLVMAppendBasicBlockInContext(l->w->context, f, name);
}

static void branch(const Loop *l, LLVMValueRef test, LLVMBasicBlockRef yes,
                   LLVMBasicBlockRef no) {
  LLVMBuildCondBr(l->w->b, test, yes, no);
}

static LLVMValueRef phi_of(const Loop *l, LLVMTypeRef t, unsigned n,
                           LLVMValueRef const *values,
                           LLVMBasicBlockRef const *blocks) {
  LLVMValueRef p = LLVMBuildPhi(l->w->b, t, "");
  LLVMAddIncoming(p, (LLVMValueRef *)values, (LLVMBasicBlockRef *)blocks, n);
  return p;
}

/* The blocks on the way to the next round, which adds 'deep' products. */
static void build_again(Loop *l, unsigned deep) {
  mt_PtxWork *w = l->w;
  LLVMTypeRef bit = LLVMInt1TypeInContext(w->context);
  LLVMPositionBuilderAtEnd(w->b, l->again);
  LLVMValueRef next =
      LLVMBuildAdd(w->b, l->rounds, LLVMConstInt(w->i32, 1, 0), "");
  LLVMValueRef limit = LLVMBuildSelect(
      w->b, l->folded, LLVMConstInt(w->i32, LATER / deep, 0),
      LLVMConstInt(w->i32, FIRST / deep, 0), "");
  branch(l, LLVMBuildICmp(w->b, LLVMIntEQ, next, limit, ""), l->fold, l->on);
  LLVMPositionBuilderAtEnd(w->b, l->fold);
  branch(l, l->folded, l->add, l->put);
  LLVMPositionBuilderAtEnd(w->b, l->put);
  for (unsigned i = 0; i < l->count; i++)
    LLVMBuildStore(w->b, l->sum[i].last, total(l, i));
  LLVMBuildBr(w->b, l->on);
  LLVMPositionBuilderAtEnd(w->b, l->add);
  for (unsigned i = 0; i < l->count; i += 2) add_two(l, i);
  LLVMBuildBr(w->b, l->on);
  LLVMPositionBuilderAtEnd(w->b, l->on);
  LLVMBasicBlockRef from[3] = {l->again, l->put, l->add};
  LLVMValueRef none = LLVMConstNull(matrix_type(l)),
               zero = LLVMConstInt(w->i32, 0, 0), yes = LLVMConstInt(bit, 1, 0);
  for (unsigned i = 0; i < l->count; i++)
    l->sum[i].on = phi_of(l, matrix_type(l), 3,
                          (LLVMValueRef[]){l->sum[i].last, none, none}, from);
  next = phi_of(l, w->i32, 3, (LLVMValueRef[]){next, zero, zero}, from);
  yes = phi_of(l, bit, 3, (LLVMValueRef[]){l->folded, yes, yes}, from);
  mt_ptx_keep_rolled(w, LLVMBuildBr(w->b, l->body));
  LLVMAddIncoming(l->rounds, &next, &l->on, 1);
  LLVMAddIncoming(l->folded, &yes, &l->on, 1);
}

/* And on the way out. */
static void build_leave(Loop *l) {
  mt_PtxWork *w = l->w;
  LLVMValueRef joined[MOST];
  LLVMPositionBuilderAtEnd(w->b, l->leave);
  branch(l, l->folded, l->join, l->out);
  LLVMPositionBuilderAtEnd(w->b, l->join);
  for (unsigned i = 0; i < l->count; i++) joined[i] = added(l, i);
  LLVMBuildBr(w->b, l->out);
  LLVMPositionBuilderAtEnd(w->b, l->out);
  for (unsigned i = 0; i < l->count; i++)
    l->sum[i].out = phi_of(l, matrix_type(l), 2,
                           (LLVMValueRef[]){l->sum[i].last, joined[i]},
                           (LLVMBasicBlockRef[]){l->leave, l->join});
  LLVMBuildBr(w->b, l->exit);
}

/* ------------------------------------------------------------------- edges */

/* The phi once more, with what came from the body coming from 'block'. */
static void move_phi(const Loop *l, LLVMValueRef phi, LLVMBasicBlockRef block,
                     bool out) {
  LLVMPositionBuilderBefore(l->w->b, phi);
  LLVMValueRef made = LLVMBuildPhi(l->w->b, LLVMTypeOf(phi), "");
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMValueRef v = LLVMGetIncomingValue(phi, k);
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
    for (unsigned i = 0; from == l->body && i < l->count; i++)
      if (v == l->sum[i].last) {
        v = out ? l->sum[i].out : l->sum[i].on;
        break;
      }
    if (from == l->body) from = block;
    LLVMAddIncoming(made, &v, &from, 1);
  }
  LLVMReplaceAllUsesWith(phi, made);
  LLVMInstructionEraseFromParent(phi);
}

static void move_phis(const Loop *l, LLVMBasicBlockRef at,
                      LLVMBasicBlockRef block, bool out) {
  for (LLVMValueRef p = LLVMGetFirstInstruction(at), next; LLVMIsAPHINode(p);
       p = next) {
    next = LLVMGetNextInstruction(p);
    if (p != l->rounds && p != l->folded) move_phi(l, p, block, out);
  }
}

static bool is_new(const Loop *l, LLVMBasicBlockRef b) {
  LLVMBasicBlockRef const made[] = {l->again, l->fold,  l->put,  l->add,
                                    l->on,    l->leave, l->join, l->out};
  for (unsigned i = 0; i < sizeof made / sizeof *made; i++)
    if (made[i] == b) return true;
  return false;
}

/* After the loop, all uses are of what 'out' has. */
static void use_out(const Loop *l, const Sum *s) {
  for (LLVMUseRef u = LLVMGetFirstUse(s->last), next; u; u = next) {
    LLVMValueRef user = LLVMGetUser(u);
    LLVMBasicBlockRef b = LLVMGetInstructionParent(user);
    next = LLVMGetNextUse(u);
    if (b == l->body || is_new(l, b)) continue;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
      if (LLVMGetOperand(user, k) == s->last) LLVMSetOperand(user, k, s->out);
    next = LLVMGetFirstUse(s->last); /* the list has changed */
  }
}

static void turn_edges(Loop *l) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(l->body);
  for (unsigned k = 0; k < 2; k++)
    LLVMSetSuccessor(end, k,
                     LLVMGetSuccessor(end, k) == l->body ? l->again : l->leave);
  move_phis(l, l->exit, l->out, true);
  for (unsigned i = 0; i < l->count; i++) use_out(l, &l->sum[i]);
  move_phis(l, l->body, l->on, false);
}

/* --------------------------------------------------------------------- all */

static LLVMValueRef state(Loop *l, LLVMTypeRef t) {
  LLVMValueRef zero = LLVMConstNull(t), outer = l->sum[0].phi;
  LLVMBasicBlockRef before = LLVMGetIncomingBlock(outer, 0);
  if (before == l->body) before = LLVMGetIncomingBlock(outer, 1);
  LLVMPositionBuilderBefore(l->w->b, LLVMGetFirstInstruction(l->body));
  return phi_of(l, t, 1, &zero, &before);
}

static void mark_pairs(const Loop *l) {
  mt_PtxWork *w = l->w;
  unsigned kind =
      LLVMGetMDKindIDInContext(w->context, MT_LONG_SUM, strlen(MT_LONG_SUM));
  LLVMValueRef none = LLVMMetadataAsValue(
      w->context, LLVMMDNodeInContext2(w->context, NULL, 0));
  for (LLVMValueRef i = LLVMGetFirstInstruction(l->body); i;
       i = LLVMGetNextInstruction(i))
    if (is_pair_of_halves(i)) LLVMSetMetadata(i, kind, none);
}

static void keep(Loop *l) {
  unsigned most = 1;
  for (unsigned i = 0; i < l->count; i++)
    if (l->sum[i].pairs > most) most = l->sum[i].pairs;
  if (most * DEEP > FIRST) return;
  mark_pairs(l);
  make_totals(l);
  l->rounds = state(l, l->w->i32);
  l->folded = state(l, LLVMInt1TypeInContext(l->w->context));
  l->again = new_block(l, "again"), l->fold = new_block(l, "fold");
  l->put = new_block(l, "put"), l->add = new_block(l, "add");
  l->on = new_block(l, "on"), l->leave = new_block(l, "leave");
  l->join = new_block(l, "join"), l->out = new_block(l, "out");
  build_again(l, most * DEEP);
  build_leave(l);
  turn_edges(l);
}

mt_Status mt_ptx_keep_sums(mt_PtxWork *w, mt_Error *err) {
  LLVMValueRef f = w->prepared.function;
  LLVMBasicBlockRef last = LLVMGetLastBasicBlock(f);
  Loop *l = malloc(sizeof *l);
  if (!l) return mt_error(err, MT_FAIL, "out of memory");
  l->w = w;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
       b = b == last ? NULL : LLVMGetNextBasicBlock(b))
    if (find_loop(l, b) && find_sums(l)) keep(l);
  free(l);
  return MT_OK;
}
