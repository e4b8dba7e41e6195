/*
** inner_loop_code.c - a loop along a row of each lane's own, one lane after the
** other: scalar code that LLVM vectorises along it (strategy/inner_loop.c), or
** has some sums of at once if each element is anywhere.
*/
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/emit/emit.h"
#include "devices/host/strategy/strategy.h"

static bool in_block(mt_Spmd *s, LLVMValueRef v, int block) {
  const mt_Value *x = mt_value(s, v);
  return x && x->block == block;
}

static LLVMValueRef from_block(mt_Spmd *s, LLVMValueRef phi, int block) {
  return mt_incoming(phi, s->block[block].of);
}

/* A value in lane 0. */
static LLVMValueRef first_lane(mt_Spmd *s, LLVMValueRef v) {
  switch (mt_part_kind(s, v, 0)) {
    case MT_SHAPE_UNIFORM: return mt_uniform(s, v, 0);
    case MT_SHAPE_AFFINE: return mt_affine_lane(s, mt_affine(s, v, 0), 0);
    default:
      return LLVMBuildExtractElement(s->b, mt_vector(s, v, 0),
                                     mt_const_i64(s, 0), "");
  }
}

LLVMValueRef mt_inner_loop_pays(mt_Spmd *s, int loop) {
  int block = s->loop[loop].header;
  LLVMValueRef c = s->block[block].condition, at = LLVMGetOperand(c, 0);
  bool known;
  int64_t by = mt_induction_step(s, loop, at, &known);
  if (mt_loop_trip_count(s, loop) || s->loop[loop].divergent) return NULL;
  if (LLVMIsABinaryOperator(at)) at = LLVMGetOperand(at, 0);
  if (!LLVMIsAPHINode(at)) return NULL;
  LLVMValueRef from = first_lane(s, at),
               to = first_lane(s, LLVMGetOperand(c, 1));
  LLVMValueRef far = by > 0 ? LLVMBuildSub(s->b, to, from, "")
                            : LLVMBuildSub(s->b, from, to, "");
  int64_t least = MT_INNER_LOOP_ROUNDS * (by > 0 ? by : -by);
  LLVMValueRef few = LLVMConstInt(LLVMTypeOf(far), (uint64_t)least, 0);
  return LLVMBuildFreeze(
      s->b, LLVMBuildICmp(s->b, LLVMIntUGE, far, few, ""), "");
}

/* ------------------------------------------------------------------- lanes */

typedef struct InnerLoop {
  int block;
  LLVMValueRef *now;    /* of each value: the scalar in the code for one lane */
  LLVMValueRef *memory; /* all lanes of a value from outside, or NULL */
  LLVMValueRef *out;    /* all lanes of a value that leaves, or NULL */
} InnerLoop;

/* Freeze: the value may be undef and may control the loop exit. */
static LLVMValueRef some(mt_Spmd *s, LLVMValueRef x) {
  return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind
             ? LLVMBuildFreeze(s->b, x, "") : x;
}

/* Make a value from outside available: as a scalar, or in memory by lane. */
static void bring(mt_Spmd *s, InnerLoop *a, LLVMValueRef v) {
  mt_Value *x = mt_value(s, v);
  if (!x || a->now[x - s->value] || a->memory[x - s->value]) return;
  if (x->block == a->block && !LLVMIsAPHINode(v)) return;
  LLVMValueRef lanes = NULL;
  if (mt_part_kind(s, v, 0) == MT_SHAPE_UNIFORM) {
    a->now[x - s->value] = some(s, mt_uniform(s, v, 0));
    return;
  }
  lanes = mt_vector(s, v, 0);
  if (LLVMTypeOf(v) == s->i1)
    lanes = LLVMBuildZExt(s->b, lanes, mt_vector_of(s, s->i8), "");
  a->memory[x - s->value] = mt_lanes_to_memory(s, lanes);
}

static LLVMValueRef lane_of(mt_Spmd *s, const InnerLoop *a, int n,
                            LLVMValueRef lane) {
  LLVMTypeRef t = LLVMTypeOf(s->value[n].of);
  if (t != s->i1) return some(s, mt_lane_load(s, t, a->memory[n], lane));
  LLVMValueRef x = mt_lane_load(s, s->i8, a->memory[n], lane);
  return LLVMBuildTrunc(s->b, some(s, x), s->i1, "");
}

static LLVMValueRef now(mt_Spmd *s, LLVMValueRef *all, LLVMValueRef v) {
  mt_Value *x = mt_value(s, v);
  return x ? all[x - s->value] : mt_uniform(s, v, 0);
}

static void step(mt_Spmd *s, LLVMValueRef *all, LLVMValueRef i) {
  int operands = LLVMIsACallInst(i) ? (int)LLVMGetNumArgOperands(i)
                                    : LLVMGetNumOperands(i);
  LLVMValueRef copy = LLVMInstructionClone(i);
  for (int n = 0; n < operands; n++)
    LLVMSetOperand(copy, (unsigned)n,
                   now(s, all, LLVMGetOperand(i, (unsigned)n)));
  LLVMInsertIntoBuilder(s->b, copy);
  all[mt_value(s, i) - s->value] = copy;
}

/* Does it load from places that were loaded themselves? */
static bool has_gather(mt_Spmd *s, int loop) {
  const mt_CfgBlock *k = &s->block[s->loop[loop].header];
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i)) {
    bool known = true;
    if (LLVMIsALoadInst(i) &&
        mt_part_kind(s, LLVMGetOperand(i, 0), 0) == MT_SHAPE_VARYING)
      mt_induction_step(s, loop, LLVMGetOperand(i, 0), &known);
    if (!known) return true;
  }
  return false;
}

/* A few sums side by side, of scalars: a gather takes as long as the loads that
** it is made of, and on some CPUs twice as long. */
static void wish_scalars(mt_Spmd *s, LLVMValueRef branch) {
  LLVMMetadataRef list[] = {
      mt_loop_hint(s->context, "llvm.loop.vectorize.enable", 1, 1),
      mt_loop_hint(s->context, "llvm.loop.vectorize.width", 1, 32),
      mt_loop_hint(s->context, "llvm.loop.interleave.count", 4, 32)};
  mt_set_loop_hints(s->context, branch, list, 3);
}

/* Ask LLVM to vectorise this loop. If trip counts differ between lanes they are
** often small, so the tail should be vectorised with a mask. */
static void wish(mt_Spmd *s, int loop, LLVMValueRef branch) {
  LLVMContextRef c = s->context;
  if (has_gather(s, loop)) {
    wish_scalars(s, branch);
    return;
  }
  LLVMMetadataRef list[] = {
      mt_loop_hint(c, "llvm.loop.vectorize.enable", 1, 1),
      mt_loop_hint(c, "llvm.loop.vectorize.predicate.enable", 1, 1),
      mt_loop_hint(c, "llvm.loop.vectorize.width", 8, 32),
      mt_loop_hint(c, "llvm.loop.interleave.count", 1, 32)};
  bool few = s->loop[loop].divergent && s->cost->masks;
  mt_set_loop_hints(c, branch, list, few ? 4 : 1);
}

/* Minimum and maximum may be reassociated if there are no NaNs. */
static void any_order(mt_Spmd *s, LLVMValueRef *all, LLVMValueRef v,
                      LLVMValueRef phi, int block) {
  while (v != phi && in_block(s, v, block) && LLVMIsASelectInst(v)) {
    LLVMValueRef copy = all[mt_value(s, v) - s->value];
    LLVMValueRef both[2] = {copy, LLVMGetOperand(copy, 0)};
    for (int n = 0; n < 2; n++)
      LLVMSetFastMathFlags(both[n], LLVMGetFastMathFlags(both[n]) |
                                        LLVMFastMathNoNaNs |
                                        LLVMFastMathNoSignedZeros);
    v = mt_inner_loop_previous(s, v, phi, block);
  }
}

/* The loop from its header on, for one lane. */
static void one_lane(mt_Spmd *s, void *context, LLVMValueRef lane) {
  InnerLoop *a = context;
  const mt_CfgBlock *k = &s->block[a->block];
  size_t count = (size_t)s->values + 1;
  LLVMValueRef *all = mt_new(s, count, sizeof *all);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(s->b),
                    loop = mt_new_block(s, "inner"), done = mt_new_block(s, "");
  for (int n = 0; n < s->values; n++)
    all[n] = a->memory[n] ? lane_of(s, a, n, lane) : a->now[n];
  LLVMBuildBr(s->b, loop);
  LLVMPositionBuilderAtEnd(s->b, loop);
  for (LLVMValueRef i = k->first; LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    LLVMValueRef *x = &all[mt_value(s, i) - s->value], first = *x;
    *x = LLVMBuildPhi(s->b, LLVMTypeOf(i), "");
    LLVMAddIncoming(*x, &first, &before, 1);
  }
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i))
    if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i)) step(s, all, i);
  LLVMValueRef c = now(s, all, k->condition);
  bool first = k->succ[0] == a->block;
  wish(s, k->loop,
       LLVMBuildCondBr(s->b, c, first ? loop : done, first ? done : loop));
  for (LLVMValueRef i = k->first; LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    LLVMValueRef next = from_block(s, i, a->block), x = now(s, all, next);
    if (LLVMIsASelectInst(next)) any_order(s, all, next, i, a->block);
    LLVMAddIncoming(all[mt_value(s, i) - s->value], &x, &loop, 1);
  }
  LLVMPositionBuilderAtEnd(s->b, done);
  for (int n = 0; n < s->values; n++)
    if (a->out[n]) mt_lane_store(s, all[n], a->out[n], lane);
  mt_drop(s, all);
}

/* Operands from outside, initial values of the phis, and values that leave. */
static void bring_all(mt_Spmd *s, InnerLoop *a, int to) {
  const mt_CfgBlock *k = &s->block[a->block], *out = &s->block[to];
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsAPHINode(i)) bring(s, a, i);
    int n = LLVMIsACallInst(i) ? (int)LLVMGetNumArgOperands(i)
                               : LLVMGetNumOperands(i);
    for (int o = 0; o < n && !LLVMIsAPHINode(i); o++)
      if (!LLVMValueIsBasicBlock(LLVMGetOperand(i, (unsigned)o)))
        bring(s, a, LLVMGetOperand(i, (unsigned)o));
    LLVMValueRef x = LLVMIsAPHINode(i) ? from_block(s, i, a->block) : NULL;
    if (x) bring(s, a, x);
  }
  for (LLVMValueRef i = out->first; i != out->end && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    LLVMValueRef x = from_block(s, i, a->block);
    if (in_block(s, x, a->block))
      a->out[mt_value(s, x) - s->value] = mt_lanes_memory(s, LLVMTypeOf(x));
  }
}

int mt_inner_loop_emit(mt_Spmd *s, int loop) {
  size_t n = (size_t)s->values + 1;
  InnerLoop a = {.block = s->loop[loop].header,
                 .now = mt_new(s, n, sizeof *a.now),
                 .memory = mt_new(s, n, sizeof *a.memory),
                 .out = mt_new(s, n, sizeof *a.out)};
  int to = mt_inner_loop_exit(s, a.block);
  bring_all(s, &a, to);
  mt_lane_loop(s, one_lane, &a);
  for (int v = 0; v < s->values; v++)
    if (a.out[v])
      mt_set_vector(
          s, s->value[v].of, 0,
          mt_lanes_from_memory(s, LLVMTypeOf(s->value[v].of), a.out[v]));
  mt_drop(s, a.now), mt_drop(s, a.memory), mt_drop(s, a.out);
  LLVMGetOrInsertNamedMetadata(s->module, MT_INNER_LOOP, strlen(MT_INNER_LOOP));
  return to;
}
