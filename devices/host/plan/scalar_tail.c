/*
** scalar_tail.c - the last active lanes of a divergent loop, one at a time.
**
** The one idea: where lanes leave a loop in different iterations, vectors cost
** the same until the last lane has left. If an iteration contains operations
** that vectors do badly (a division, a gather, an element of a private array),
** the last few lanes are faster without vectors: each runs the loop to its end
** as scalar code. How few is estimated from the instructions in the loop; loops
** of plain arithmetic stay vectors to the end. Lanes of a SIMD-group need not
** stay in step where they neither wait for each other nor exchange values.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/plan/choices.h"
#include "devices/host/strategy/strategy.h"

#define MAX_BLOCKS 16 /* of the loop: their scalar code is compiled, too */
#define MAX_INSTRUCTIONS 96
/* Lanes: with more, vectors are never the slower way; with fewer, the loop over
** lanes costs more than it saves. */
#define MAX_LANES (MT_LANES / 2)
#define MIN_LANES 3
#define UNIFORM 0.3 /* cycles of an operation that is scalar either way */
/* Of the lanes that would break even, so many: an estimate is not exact. */
#define SHARE 0.75
#define MIN_CYCLES 4 /* of a lane's iteration: its branches are mispredicted */

/* Calls that cost an instruction or two and give the same result in any
** width. */
static bool is_plain_call(LLVMValueRef i) {
  static const char *const PLAIN[] = {
      "llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax.", "llvm.abs.",
      "llvm.ctpop.", "llvm.ctlz.", "llvm.cttz.", "llvm.fshl.", "llvm.fshr.",
      "llvm.bswap.", "llvm.fabs.", "llvm.usub.sat.", "llvm.uadd.sat.", NULL};
  return mt_calls_one_of(i, PLAIN);
}

/* Can one lane's load or store be scalar? */
static bool can_access(mt_Spmd *s, LLVMValueRef i) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  LLVMTypeRef t = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
  mt_PointerSpace space = mt_address_space(s, LLVMGetOperand(i, store));
  if (LLVMGetVolatile(i) || t == s->i1 || !mt_is_scalar(t) ||
      space == MT_POINTER_UNKNOWN || (store && space == MT_POINTER_SHARED) ||
      LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
    return false;
  return space != MT_POINTER_PRIVATE || mt_type_size(s, t) <= 4;
}

/* Can one lane's atomic be kept as it is? */
static bool can_change(mt_Spmd *s, LLVMValueRef i) {
  mt_PointerSpace space = mt_address_space(s, LLVMGetOperand(i, 0));
  return !LLVMGetVolatile(i) &&
         (space == MT_POINTER_DEVICE || space == MT_POINTER_THREADGROUP);
}

static bool can_step(mt_Spmd *s, LLVMValueRef i) {
  LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(i));
  if (k != LLVMVoidTypeKind && !mt_is_scalar(LLVMTypeOf(i))) return false;
  if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) return can_access(s, i);
  if (LLVMIsACallInst(i)) return is_plain_call(i);
  if (LLVMIsAAtomicRMWInst(i)) return can_change(s, i);
  for (int n = 0; n < LLVMGetNumOperands(i); n++) {
    LLVMValueRef x = LLVMGetOperand(i, (unsigned)n);
    if (!LLVMValueIsBasicBlock(x) && !mt_is_scalar(LLVMTypeOf(x))) return false;
  }
  return LLVMIsAPHINode(i) || LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) ||
         LLVMIsACmpInst(i) || LLVMIsASelectInst(i) || LLVMIsAFreezeInst(i) ||
         LLVMIsAGetElementPtrInst(i) || LLVMIsABranchInst(i);
}

/* Estimated cycles of an instruction: for all lanes, and for one. */
typedef struct Cost {
  double vector, scalar;
  bool dear; /* some operation is expensive for vectors */
} Cost;

/* An operation that costs 'vector' for all lanes, and 'scalar' for one. */
static void add(Cost *c, double vector, double scalar) {
  c->vector += vector, c->scalar += scalar;
}

static void add_access(mt_Spmd *s, LLVMValueRef i, Cost *c) {
  const mt_OperationCosts *all = &s->cost->vector, *one = &s->cost->scalar;
  bool store = LLVMIsAStoreInst(i) != NULL;
  LLVMValueRef p = LLVMGetOperand(i, store);
  bool far = mt_part_kind(s, p, 0) == MT_SHAPE_VARYING;
  c->dear |= far;
  add(c, !far ? all->access : store ? all->scatter : all->gather, one->access);
}

static bool is_division(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  return (op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem ||
          op == LLVMSRem) && !LLVMIsConstant(LLVMGetOperand(i, 1));
}

static void add_step(mt_Spmd *s, LLVMValueRef i, Cost *c) {
  const mt_OperationCosts *all = &s->cost->vector, *one = &s->cost->scalar;
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  LLVMTypeRef t = LLVMTypeOf(i);
  bool wide = LLVMGetTypeKind(t) == LLVMIntegerTypeKind &&
              LLVMGetIntTypeWidth(t) == 64;
  bool real = LLVMGetTypeKind(t) == LLVMFloatTypeKind;
  if (op == LLVMLoad || op == LLVMStore) {
    add_access(s, i, c);
  } else if (op == LLVMAtomicRMW) {
    add(c, all->atomic, one->atomic);
    c->dear = true;
  } else if (LLVMIsABranchInst(i)) {
    add(c, all->branch, one->branch);
  } else if (mt_part_kind(s, i, 0) == MT_SHAPE_UNIFORM) {
    add(c, UNIFORM, UNIFORM);
  } else if (is_division(i)) {
    add(c, wide ? all->divide_wide : all->divide,
        wide ? one->divide_wide : one->divide);
    c->dear = true;
  } else {
    add(c, wide ? all->wide : real ? all->real : all->integer,
        real ? one->real : one->integer);
  }
}

/* Are the phis of the exit block kept lane by lane? Then one lane can be
** written. */
static bool can_leave(mt_Spmd *s, int to) {
  const mt_CfgBlock *k = &s->block[to];
  for (LLVMValueRef i = k->first; i != k->end && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    const mt_Value *v = mt_value(s, i);
    if (v->parts != 1 || v->part[0].shape->kind != MT_SHAPE_VARYING ||
        !mt_is_scalar(LLVMTypeOf(i)))
      return false;
  }
  return true;
}

static int few_of(mt_Spmd *s, int loop) {
  Cost c = {0};
  int blocks = 0, steps = 0;
  for (int l = 0; l < s->loops; l++)
    if (s->loop[l].parent == loop) return 0;
  for (int b = 0; b < s->blocks; b++) {
    const mt_CfgBlock *k = &s->block[b];
    if (k->loop != loop) continue;
    if (k->barrier || !k->succs || ++blocks > MAX_BLOCKS) return 0;
    for (int n = 0; n < k->succs; n++)
      if (!mt_cfg_in_loop(s, k->succ[n], loop) && !can_leave(s, k->succ[n]))
        return 0;
    for (LLVMValueRef i = k->first; i != k->end;
         i = LLVMGetNextInstruction(i)) {
      if (++steps > MAX_INSTRUCTIONS || !can_step(s, i)) return 0;
      add_step(s, i, &c);
    }
  }
  if (!c.dear) return 0;
  int few = (int)(SHARE * c.vector /
                  (c.scalar > MIN_CYCLES ? c.scalar : MIN_CYCLES));
  return few < MIN_LANES ? 0 : few < MAX_LANES ? few : MAX_LANES;
}

int mt_scalar_tail_lanes(mt_Spmd *s, int loop) {
  if (!s->loop[loop].divergent || s->lanes > MT_LANES ||
      mt_is_inner_loop(s, loop))
    return 0;
  return few_of(s, loop);
}
