/*
** distribute_factors.c - a factor that a loop does not change is distributed
** over a sum of products, see steps.h.
**
** The one idea: in a loop, (p * a + q * b) * s with p, q and s from before the
** loop takes one operation more than (p * s) * a + (q * s) * b, whose factors
** are computed before the loop. LLVM goes the other way: it counts operations
** wherever they stand, and makes a + p * (b - a) of a mix. So the sum is
** written as terms, each a value of the loop times factors from before it, and
** built again if that saves operations. The factors lose the permission to be
** reassociated: LLVM would take the common one out again.
*/
#include <llvm-c/DebugInfo.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/steps.h"

#define MOST 4  /* terms: each has a factor that lives through the loop */
#define DEPTH 8

typedef struct Term {
  LLVMValueRef of; /* a value of the loop */
  LLVMValueRef by; /* its factor */
} Term;

typedef struct Work {
  mt_LoopNest nest;
  LLVMBuilderRef b;    /* builds factors; NULL: only look */
  LLVMValueRef root;
  int loop;            /* that nothing of the factors is computed in */
  Term term[MOST];
  int terms, cost;     /* operations now, with fused multiply-adds */
  bool failed;
} Work;

/* ---------------------------------------------------------------- questions */

static bool is_before(const Work *w, LLVMValueRef v, int loop) {
  if (!LLVMIsAInstruction(v)) return true;
  int block = mt_loop_nest_number(&w->nest, LLVMGetInstructionParent(v));
  return block >= 0 && !mt_loop_nest_contains(&w->nest, block, loop);
}

static LLVMOpcode real_op(LLVMValueRef v, LLVMFastMathFlags need) {
  LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : 0;
  if (op != LLVMFAdd && op != LLVMFSub && op != LLVMFMul && op != LLVMFDiv &&
      op != LLVMFNeg)
    return 0;
  return (LLVMGetFastMathFlags(v) & need) == need ? op : 0;
}

static bool is_sum(LLVMValueRef v) {
  LLVMOpcode op = real_op(v, LLVMFastMathAllowContract);
  return op == LLVMFAdd || op == LLVMFSub;
}

/* The operand of a product that comes from before the loop; -1: none. */
static int factor_of(const Work *w, LLVMValueRef v) {
  for (unsigned i = 0; i < 2; i++)
    if (is_before(w, LLVMGetOperand(v, i), w->loop) &&
        !is_before(w, LLVMGetOperand(v, 1 - i), w->loop))
      return (int)i;
  return -1;
}

/* 1 / y, from before the loop: what LLVM makes of divisors. */
static bool is_reciprocal(LLVMValueRef v) {
  LLVMBool exact;
  if (real_op(v, LLVMFastMathAllowReciprocal) != LLVMFDiv) return false;
  LLVMValueRef one = LLVMGetOperand(v, 0);
  return LLVMIsAConstantFP(one) && LLVMConstRealGetDouble(one, &exact) == 1.0;
}

/* ------------------------------------------------------------------ factors */

static LLVMValueRef flagged(const Work *w, LLVMValueRef v) {
  LLVMFastMathFlags all = LLVMGetFastMathFlags(w->root);
  if (LLVMIsAInstruction(v))
    LLVMSetFastMathFlags(v, all & ~(unsigned)LLVMFastMathAllowReassoc);
  return v;
}

static LLVMValueRef times(Work *w, LLVMValueRef by, LLVMValueRef v) {
  return w->b ? flagged(w, LLVMBuildFMul(w->b, by, v, "")) : by;
}

static LLVMValueRef negated(Work *w, LLVMValueRef by) {
  return w->b ? flagged(w, LLVMBuildFNeg(w->b, by, "")) : by;
}

/* -------------------------------------------------------------------- terms */

static void add_term(Work *w, LLVMValueRef of, LLVMValueRef by) {
  for (int i = 0; i < w->terms; i++) {
    if (w->term[i].of != of) continue;
    if (w->b)
      w->term[i].by = flagged(w, LLVMBuildFAdd(w->b, w->term[i].by, by, ""));
    return;
  }
  if ((w->failed |= w->terms == MOST)) return;
  w->term[w->terms++] = (Term){of, by};
}

/* Products that are operands of a sum: one of them is fused with it. */
static int products(const Work *w, LLVMValueRef sum) {
  int count = 0;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef v = LLVMGetOperand(sum, i);
    count += real_op(v, LLVMFastMathAllowReassoc) == LLVMFMul &&
             mt_only_user(v) && factor_of(w, v) >= 0;
  }
  return count;
}

static void add(Work *w, LLVMValueRef v, LLVMValueRef by, bool in_sum,
                int depth) {
  LLVMOpcode op =
      depth < DEPTH ? real_op(v, LLVMFastMathAllowReassoc) : 0;
  if (is_before(w, v, w->loop)) {
    w->failed = true;
  } else if (!mt_only_user(v)) {
    add_term(w, v, by);
  } else if (op == LLVMFAdd || op == LLVMFSub) {
    LLVMValueRef second = op == LLVMFSub ? negated(w, by) : by;
    w->cost += products(w, v) == 2 ? 2 : 1;
    add(w, LLVMGetOperand(v, 0), by, true, depth + 1);
    add(w, LLVMGetOperand(v, 1), second, true, depth + 1);
  } else if (op == LLVMFMul && factor_of(w, v) >= 0) {
    unsigned i = (unsigned)factor_of(w, v);
    w->cost += !in_sum;
    add(w, LLVMGetOperand(v, 1 - i), times(w, by, LLVMGetOperand(v, i)), false,
        depth + 1);
  } else {
    add_term(w, v, by);
  }
}

/* The factor of the root, and what it is a factor of. */
static bool split(const Work *w, LLVMValueRef *factor, LLVMValueRef *sum) {
  if (real_op(w->root, 0) != LLVMFMul) return false;
  int i = factor_of(w, w->root);
  if (i < 0) return false;
  *factor = LLVMGetOperand(w->root, (unsigned)i);
  *sum = LLVMGetOperand(w->root, (unsigned)(1 - i));
  return is_sum(*sum) && mt_only_user(*sum) &&
         (real_op(w->root, LLVMFastMathAllowReassoc) ||
          (real_op(w->root, LLVMFastMathAllowReciprocal) &&
           is_reciprocal(*factor)));
}

static void collect(Work *w, LLVMBuilderRef b) {
  LLVMValueRef factor, sum;
  w->b = b;
  w->terms = w->cost = 0;
  w->failed = !split(w, &factor, &sum);
  if (!w->failed) add(w, sum, factor, false, 0);
}

/* ----------------------------------------------------------------- the loop */

/* The block before loop 'loop'; NULL: several. */
static LLVMBasicBlockRef preheader(const Work *w, int loop) {
  LLVMBasicBlockRef found = NULL;
  for (int k = 0; k < w->nest.blocks && w->nest.block[k]; k++) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(w->nest.block[k]);
    if (mt_loop_nest_contains(&w->nest, k, loop)) continue;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
      int to = mt_loop_nest_number(&w->nest, LLVMGetSuccessor(last, i));
      if (to != w->nest.loops[loop].header) continue;
      if (found || LLVMGetNumSuccessors(last) != 1) return NULL;
      found = w->nest.block[k];
    }
  }
  return found;
}

/* The outermost loop around with the same terms. */
static LLVMBasicBlockRef widen(Work *w) {
  int terms = w->terms, cost = w->cost, inner = w->loop;
  for (int up; (up = w->nest.loops[w->loop].parent) >= 0; inner = w->loop) {
    w->loop = up;
    collect(w, NULL);
    if (w->failed || w->terms != terms || w->cost != cost || !preheader(w, up))
      break;
  }
  w->loop = inner;
  return preheader(w, inner);
}

/* Operands that nothing uses any more. */
static void drop(LLVMValueRef v, int depth) {
  LLVMValueRef operand[2] = {NULL, NULL};
  if (!real_op(v, 0) || LLVMGetFirstUse(v) || depth > DEPTH + 2) return;
  for (unsigned i = 0; i < 2 && (int)i < LLVMGetNumOperands(v); i++)
    operand[i] = LLVMGetOperand(v, i);
  LLVMInstructionEraseFromParent(v);
  if (operand[0]) drop(operand[0], depth + 1);
  if (operand[1] && operand[1] != operand[0]) drop(operand[1], depth + 1);
}

static void rebuild(Work *w, LLVMBuilderRef b, LLVMBasicBlockRef before) {
  LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(before));
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(w->root));
  collect(w, b);
  LLVMPositionBuilderBefore(b, w->root);
  LLVMValueRef sum = NULL;
  for (int i = 0; i < w->terms; i++) {
    LLVMValueRef x =
        flagged(w, LLVMBuildFMul(b, w->term[i].of, w->term[i].by, ""));
    sum = sum ? flagged(w, LLVMBuildFAdd(b, sum, x, "")) : x;
  }
  LLVMReplaceAllUsesWith(w->root, sum);
  drop(w->root, 0);
}

/* A product that is added to something is fused with that already. */
static bool is_fused(LLVMValueRef v) {
  LLVMValueRef user = mt_only_user(v);
  return user && is_sum(user);
}

static void distribute(Work *w, LLVMBuilderRef b, LLVMValueRef v) {
  int block = mt_loop_nest_number(&w->nest, LLVMGetInstructionParent(v));
  w->root = v;
  w->loop = block < 0 ? -1 : w->nest.loop[block];
  if (w->loop < 0 || is_fused(v)) return;
  collect(w, NULL);
  if (w->failed || w->terms > w->cost) return;
  LLVMBasicBlockRef before = widen(w);
  if (before) rebuild(w, b, before);
}

mt_Status mt_distribute_factors(LLVMValueRef function, mt_Error *err) {
  Work w;
  mt_Status status = mt_loop_nest_make(function, &w.nest, err);
  LLVMBuilderRef b =
      LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
  for (LLVMValueRef i = mt_first_from(LLVMGetFirstBasicBlock(function)), next;
       i && status == MT_OK && w.nest.loop_count; i = next) {
    next = mt_next_instruction(i);
    if (LLVMGetInstructionOpcode(i) == LLVMFMul) distribute(&w, b, i);
  }
  LLVMDisposeBuilder(b);
  mt_loop_nest_free(&w.nest);
  return status;
}
