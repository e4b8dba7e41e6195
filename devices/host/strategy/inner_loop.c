/*
** inner_loop.c - loops along a row of each lane's own: which run one lane after
** the other.
**
** The one idea: a sum over a[i * n + j] is contiguous in the direction of the
** loop, not across the lanes. Such a loop is kept as scalar code, run once for
** each lane (emit/inner_loop_code.c), and LLVM's loop vectoriser vectorises its
** iterations (native/jit.c). That is possible where iterations are independent
** except for reductions; and it pays where the lanes of a vector would read 32
** rows at once.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/strategy/strategies.h"

/* of an iteration: LLVM copies it for each vector */
#define MAX_INSTRUCTIONS 80
#define MAX_REDUCTION_DEPTH 8 /* steps of a reduction's chain */

/* ----------------------------------------------------------- instructions */

/* Calls that give the same result in any width and cost an instruction or
** two. */
static bool is_plain_call(LLVMValueRef i) {
  static const char *const PLAIN[] = {
      "llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax.", "llvm.abs.",
      "llvm.ctpop.", "llvm.fshl.", "llvm.fshr.", "llvm.bswap.", "llvm.fabs.",
      "llvm.fma.", "llvm.fmuladd.", "llvm.sqrt.", "llvm.minnum.",
      "llvm.maxnum.", "llvm.floor.", "llvm.ceil.", "llvm.rint.",
      "llvm.trunc.", "llvm.copysign.", "llvm.usub.sat.", "llvm.uadd.sat.",
      NULL};
  return mt_calls_one_of(i, PLAIN);
}

static bool can_step(LLVMValueRef i) {
  LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(i));
  if (k != LLVMVoidTypeKind && !mt_is_scalar(LLVMTypeOf(i))) return false;
  if (LLVMIsACallInst(i)) return is_plain_call(i);
  for (int n = 0; n < LLVMGetNumOperands(i); n++) {
    LLVMValueRef x = LLVMGetOperand(i, (unsigned)n);
    if (!LLVMValueIsBasicBlock(x) && !mt_is_scalar(LLVMTypeOf(x))) return false;
  }
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
      return LLVMIsConstant(LLVMGetOperand(i, 1));
    case LLVMLoad: case LLVMStore:
      return !LLVMGetVolatile(i) &&
             LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    default: break;
  }
  return LLVMIsAPHINode(i) || LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) ||
         LLVMIsACmpInst(i) || LLVMIsASelectInst(i) || LLVMIsAFreezeInst(i) ||
         LLVMIsAGetElementPtrInst(i) || LLVMIsABranchInst(i) ||
         LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
}

/* ------------------------------------------------------------------- sums */

static bool in_block(mt_Spmd *s, LLVMValueRef v, int block) {
  const mt_Value *x = mt_value(s, v);
  return x && x->block == block;
}

static int uses_in(mt_Spmd *s, LLVMValueRef v, int block) {
  int n = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
    n += in_block(s, LLVMGetUser(u), block);
  return n;
}

/* a > b ? a : b and its kin, of floats: 1 maximum, -1 minimum, 0 neither.
** Without signed zeros this is fast math, where a maximum with a NaN operand is
** unspecified. */
static int extreme(LLVMValueRef i) {
  LLVMValueRef c = LLVMGetOperand(i, 0), a = LLVMGetOperand(i, 1);
  if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMFloatTypeKind ||
      !(LLVMGetFastMathFlags(i) & LLVMFastMathNoSignedZeros) ||
      !LLVMIsAFCmpInst(c) || !LLVMGetFirstUse(c) ||
      LLVMGetNextUse(LLVMGetFirstUse(c)))
    return 0;
  bool same = LLVMGetOperand(c, 0) == a &&
              LLVMGetOperand(c, 1) == LLVMGetOperand(i, 2);
  bool other = LLVMGetOperand(c, 1) == a &&
               LLVMGetOperand(c, 0) == LLVMGetOperand(i, 2);
  if (!same && !other) return 0;
  switch (LLVMGetFCmpPredicate(c)) {
    case LLVMRealOGT: case LLVMRealOGE: case LLVMRealUGT: case LLVMRealUGE:
      return same ? 1 : -1;
    case LLVMRealOLT: case LLVMRealOLE: case LLVMRealULT: case LLVMRealULE:
      return same ? -1 : 1;
    default: return 0;
  }
}

/* The kind of a reduction's step: its opcode, or a number of its own for
** minimum and maximum; 0: it is none, or its order matters. */
static int sum_kind(LLVMValueRef i) {
  static const char *const CALLS[] = {"llvm.umin.", "llvm.umax.", "llvm.smin.",
                                      "llvm.smax.", "llvm.minnum.",
                                      "llvm.maxnum.", NULL};
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd: case LLVMMul: case LLVMAnd: case LLVMOr: case LLVMXor:
      return (int)LLVMGetInstructionOpcode(i);
    case LLVMFAdd: case LLVMFMul:
      return LLVMGetFastMathFlags(i) & LLVMFastMathAllowReassoc
                 ? (int)LLVMGetInstructionOpcode(i) : 0;
    case LLVMCall:
      for (int k = 0; CALLS[k]; k++)
        if (!strncmp(mt_callee(i), CALLS[k], strlen(CALLS[k])) &&
            (k < 4 || LLVMGetFastMathFlags(i) & LLVMFastMathNoNaNs))
          return 1000 + k;
      return 0;
    case LLVMSelect: return extreme(i) ? 2000 + extreme(i) : 0;
    default: return 0;
  }
}

/* Is there a chain of steps of one kind from the phi to 'v', whose results have
** no other use in the loop? */
static bool leads_to(mt_Spmd *s, LLVMValueRef v, LLVMValueRef phi, int kind,
                     int block, int depth) {
  if (v == phi) return true;
  unsigned first = LLVMIsASelectInst(v) != NULL;
  if (depth > MAX_REDUCTION_DEPTH || !in_block(s, v, block) ||
      LLVMIsAPHINode(v) || sum_kind(v) != kind ||
      uses_in(s, v, block) > 1 + (int)first)
    return false;
  return leads_to(s, LLVMGetOperand(v, first), phi, kind, block, depth + 1) !=
         leads_to(s, LLVMGetOperand(v, first + 1), phi, kind, block, depth + 1);
}

static LLVMValueRef from_block(mt_Spmd *s, LLVMValueRef phi, int block) {
  return mt_incoming(phi, s->block[block].of);
}

static bool is_sum(mt_Spmd *s, LLVMValueRef phi, int block) {
  LLVMValueRef next = from_block(s, phi, block);
  int kind = in_block(s, next, block) ? sum_kind(next) : 0;
  int uses = kind && LLVMIsASelectInst(next) ? 2 : 1;
  return kind && uses_in(s, phi, block) == uses &&
         leads_to(s, next, phi, kind, block, 0);
}

/* ------------------------------------------------------------------ which */

typedef struct Look {
  mt_Spmd *s;
  int loop, block;
  int rows;   /* accesses along a row of each lane's own */
  int sums, stores;
} Look;

/* An access suits if it is contiguous or invariant in the loop, or if it is
** scattered in both directions. */
static bool suits(Look *k, LLVMValueRef i) {
  mt_Spmd *s = k->s;
  bool store = LLVMIsAStoreInst(i) != NULL, known;
  LLVMValueRef p = LLVMGetOperand(i, store);
  LLVMTypeRef t = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
  mt_PointerSpace space = mt_address_space(s, p);
  if (mt_is_private(s, p) || space == MT_POINTER_UNKNOWN ||
      t == s->i1 || LLVMGetTypeKind(t) == LLVMPointerTypeKind)
    return false;
  int64_t by = mt_induction_step(s, k->loop, p, &known);
  bool next = known && by == (int64_t)mt_type_size(s, t);
  if (store && !next) return false;
  if (mt_part_kind(s, p, 0) == MT_SHAPE_UNIFORM) return known && (next || !by);
  if (!known) return mt_part_kind(s, p, 0) == MT_SHAPE_VARYING;
  if (!by) return true;
  if (!next || mt_memory_is_runs(s, p, t)) return false;
  k->rows += mt_distinct_addresses(s, p) == s->lanes;
  return mt_distinct_addresses(s, p) == s->lanes;
}

/* Does the load not read what a store of an earlier iteration wrote? */
static bool is_independent(LLVMValueRef load, LLVMValueRef store) {
  LLVMValueRef p = LLVMGetOperand(load, 0), q = LLVMGetOperand(store, 1);
  if (p == q) return true;
  LLVMValueRef a = mt_root_argument(p), b = mt_root_argument(q);
  return a && b && a != b;
}

static bool is_free(Look *k) {
  mt_Spmd *s = k->s;
  const mt_CfgBlock *at = &s->block[k->block];
  for (LLVMValueRef i = at->first; i != at->end;
       i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsAStoreInst(i)) continue;
    k->stores++;
    for (LLVMValueRef n = at->first; n != at->end;
         n = LLVMGetNextInstruction(n))
      if (LLVMIsALoadInst(n) && !is_independent(n, i)) return false;
  }
  return k->stores <= 1;
}

/* Is the induction variable compared with a loop-invariant number? */
static bool counts(Look *k) {
  mt_Spmd *s = k->s;
  LLVMValueRef c = s->block[k->block].condition;
  bool known;
  if (!c || !LLVMIsAICmpInst(c) || !in_block(s, c, k->block)) return false;
  int64_t by = mt_induction_step(s, k->loop, LLVMGetOperand(c, 0), &known);
  return known && by && !in_block(s, LLVMGetOperand(c, 1), k->block);
}

/* Can every value that leaves the loop be written lane by lane? */
static bool can_leave(mt_Spmd *s, int block, int to) {
  const mt_CfgBlock *k = &s->block[to];
  for (LLVMValueRef i = k->first; i != k->end && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    LLVMValueRef x = from_block(s, i, block);
    if (!in_block(s, x, block)) continue;
    if (mt_part_kind(s, x, 0) != MT_SHAPE_VARYING || LLVMTypeOf(x) == s->i1 ||
        LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind)
      return false;
  }
  return true;
}

int mt_inner_loop_exit(const mt_Spmd *s, int block) {
  const mt_CfgBlock *k = &s->block[block];
  if (k->succs != 2 || (k->succ[0] == block) == (k->succ[1] == block))
    return -1;
  return k->succ[0] == block ? k->succ[1] : k->succ[0];
}

static bool phi_suits(Look *k, LLVMValueRef phi) {
  bool known;
  int64_t by = mt_induction_step(k->s, k->loop, phi, &known);
  if (known && by) return true;
  if (!is_sum(k->s, phi, k->block)) return false;
  k->sums++;
  return true;
}

static bool is_inner_loop(mt_Spmd *s, int loop) {
  Look k = {.s = s, .loop = loop, .block = s->loop[loop].header};
  const mt_CfgBlock *at = &s->block[k.block];
  int n = 0, out = mt_inner_loop_exit(s, k.block);
  int64_t rounds = mt_loop_trip_count(s, loop);
  if (s->lanes > MT_LANES || at->barrier || out < 0 ||
      !can_leave(s, k.block, out))
    return false;
  if ((rounds && rounds < MT_INNER_LOOP_ROUNDS) || !counts(&k)) return false;
  for (LLVMValueRef i = at->first; i != at->end;
       i = LLVMGetNextInstruction(i)) {
    if (++n > MAX_INSTRUCTIONS || !can_step(i)) return false;
    if (LLVMIsAPHINode(i) && !phi_suits(&k, i)) return false;
    if ((LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && !suits(&k, i))
      return false;
  }
  return k.rows && is_free(&k) && k.sums + k.stores;
}

bool mt_is_inner_loop(mt_Spmd *s, int loop) {
  mt_CfgLoop *l = &s->loop[loop];
  if (!s->analysed) return false;
  if (!l->inner) l->inner = is_inner_loop(s, loop) ? 1 : -1;
  return l->inner > 0;
}

LLVMValueRef mt_inner_loop_previous(mt_Spmd *s, LLVMValueRef v,
                                    LLVMValueRef phi, int block) {
  LLVMValueRef a = LLVMGetOperand(v, 1);
  bool first = leads_to(s, a, phi, sum_kind(v), block, 0);
  return first ? a : LLVMGetOperand(v, 2);
}
