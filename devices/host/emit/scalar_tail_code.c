/*
** scalar_tail_code.c - the last active lanes of a divergent loop, one at a
** time, as scalar code from its header to its end (plan/scalar_tail.c).
*/
#include "devices/host/emit/emit.h"

typedef struct ScalarTail {
  int loop;
  LLVMValueRef lane;
  LLVMValueRef *now;    /* of each value: the scalar in the code for one lane */
  LLVMValueRef *memory; /* all lanes of a value from outside, or NULL */
  LLVMBasicBlockRef *at, next, entry;
} ScalarTail;

static bool is_inside(const mt_Spmd *s, const mt_Value *x, int loop) {
  return x->block >= 0 && s->block[x->block].loop == loop;
}

/* Store all lanes to memory, where one of them can be read. */
static LLVMValueRef spread(mt_Spmd *s, LLVMValueRef v) {
  LLVMValueRef x = mt_vector(s, v, 0);
  if (LLVMTypeOf(v) == s->i1)
    x = LLVMBuildZExt(s->b, x, mt_vector_of(s, s->i8), "");
  return mt_lanes_to_memory(s, x);
}

static LLVMValueRef lane_of(mt_Spmd *s, const ScalarTail *a, int n) {
  LLVMTypeRef t = LLVMTypeOf(s->value[n].of);
  if (t != s->i1) return mt_lane_load(s, t, a->memory[n], a->lane);
  LLVMValueRef x = mt_lane_load(s, s->i8, a->memory[n], a->lane);
  return LLVMBuildTrunc(s->b, x, s->i1, "");
}

/* Values from outside: operands, and the current values of the header's
** phis. */
static void bring(mt_Spmd *s, ScalarTail *a, LLVMValueRef v) {
  mt_Value *x = mt_value(s, v);
  if (!x || a->now[x - s->value] || a->memory[x - s->value]) return;
  bool phi = x->block == s->loop[a->loop].header && LLVMIsAPHINode(v);
  if (is_inside(s, x, a->loop) && !phi) return;
  if (mt_part_kind(s, v, 0) == MT_SHAPE_UNIFORM && !phi)
    a->now[x - s->value] = mt_uniform(s, v, 0);
  else
    a->memory[x - s->value] = spread(s, v);
}

static void bring_operands(mt_Spmd *s, ScalarTail *a, LLVMValueRef i) {
  for (int n = 0; n < LLVMGetNumOperands(i); n++)
    if (!LLVMValueIsBasicBlock(LLVMGetOperand(i, (unsigned)n)))
      bring(s, a, LLVMGetOperand(i, (unsigned)n));
}

static LLVMValueRef given(mt_Spmd *s, int from, LLVMValueRef phi) {
  for (unsigned n = 0; n < LLVMCountIncoming(phi); n++)
    if (LLVMGetIncomingBlock(phi, n) == s->block[from].of)
      return LLVMGetIncomingValue(phi, n);
  return NULL;
}

static void bring_all(mt_Spmd *s, ScalarTail *a) {
  for (int b = 0; b < s->blocks; b++) {
    const mt_CfgBlock *k = &s->block[b];
    if (k->loop != a->loop) continue;
    for (LLVMValueRef i = k->first; i != k->end;
         i = LLVMGetNextInstruction(i)) {
      bring(s, a, i);
      bool header = b == s->loop[a->loop].header;
      if (!header || !LLVMIsAPHINode(i)) bring_operands(s, a, i);
      else
        for (unsigned n = 0; n < LLVMCountIncoming(i); n++) {
          mt_Value *x = mt_value(s, LLVMGetIncomingValue(i, n));
          for (int p = 0; p < k->preds; p++)
            if (s->block[k->pred[p]].of == LLVMGetIncomingBlock(i, n) &&
                s->block[k->pred[p]].loop == a->loop && x)
              bring(s, a, x->of);
        }
    }
    for (int n = 0; n < k->succs; n++) {
      const mt_CfgBlock *to = &s->block[k->succ[n]];
      if (to->loop == a->loop) continue;
      for (LLVMValueRef i = to->first; i != to->end && LLVMIsAPHINode(i);
           i = LLVMGetNextInstruction(i))
        bring(s, a, given(s, b, i));
    }
  }
}

static LLVMValueRef now(mt_Spmd *s, const ScalarTail *a, LLVMValueRef v) {
  mt_Value *x = mt_value(s, v);
  return x ? a->now[x - s->value] : mt_uniform(s, v, 0);
}

/* The address of byte o of this lane's private memory
** (access/private_memory.c). */
static LLVMValueRef own_address(mt_Spmd *s, const ScalarTail *a,
                                LLVMValueRef p) {
  LLVMBuilderRef b = s->b;
  LLVMValueRef start = LLVMBuildPtrToInt(b, s->arena, s->i64, "");
  LLVMValueRef o =
      LLVMBuildSub(b, LLVMBuildPtrToInt(b, p, s->i64, ""), start, "");
  LLVMValueRef x = LLVMBuildAnd(b, o, mt_const_i64(s, -4), "");
  x = LLVMBuildMul(b, x, mt_const_i64(s, s->lanes), "");
  x = LLVMBuildAdd(b, x, LLVMBuildAnd(b, o, mt_const_i64(s, 3), ""), "");
  LLVMValueRef l = LLVMBuildZExt(b, a->lane, s->i64, "");
  x = LLVMBuildAdd(b, x, LLVMBuildMul(b, l, mt_const_i64(s, 4), ""), "");
  return LLVMBuildGEP2(b, s->i8, s->arena, &x, 1, "");
}

static void step(mt_Spmd *s, ScalarTail *a, LLVMValueRef i) {
  int operands = LLVMIsACallInst(i) ? (int)LLVMGetNumArgOperands(i)
                                    : LLVMGetNumOperands(i);
  LLVMValueRef copy = LLVMInstructionClone(i), x[16];
  for (int n = 0; n < operands && n < 16; n++)
    x[n] = now(s, a, LLVMGetOperand(i, (unsigned)n));
  bool store = LLVMIsAStoreInst(i) != NULL;
  if ((store || LLVMIsALoadInst(i)) &&
      mt_address_space(s, LLVMGetOperand(i, store)) == MT_POINTER_PRIVATE)
    x[store] = own_address(s, a, x[store]);
  for (int n = 0; n < operands && n < 16; n++)
    LLVMSetOperand(copy, (unsigned)n, x[n]);
  LLVMInsertIntoBuilder(s->b, copy);
  a->now[mt_value(s, i) - s->value] = copy;
}

/* The lane leaves the loop by this edge and waits at its target. */
static LLVMBasicBlockRef leave(mt_Spmd *s, ScalarTail *a, int from, int to) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->b),
                    at = mt_new_block(s, "out");
  const mt_CfgBlock *k = &s->block[to];
  LLVMPositionBuilderAtEnd(s->b, at);
  for (LLVMValueRef i = k->first; i != k->end && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    mt_Part *p = &mt_value(s, i)->part[0];
    LLVMTypeRef t = mt_vector_of(s, p->type);
    LLVMValueRef all = LLVMBuildLoad2(s->b, t, p->slot_vector, "");
    LLVMValueRef x = now(s, a, given(s, from, i));
    all = LLVMBuildInsertElement(s->b, all, x, a->lane, "");
    LLVMBuildStore(s->b, all, p->slot_vector);
  }
  mt_mask_add(s, to, a->lane);
  LLVMBuildBr(s->b, a->next);
  LLVMPositionBuilderAtEnd(s->b, here);
  return at;
}

static void branch(mt_Spmd *s, ScalarTail *a, int block) {
  const mt_CfgBlock *k = &s->block[block];
  LLVMBasicBlockRef way[2] = {NULL, NULL};
  for (int n = 0; n < k->succs; n++)
    way[n] = s->block[k->succ[n]].loop == a->loop
                 ? a->at[k->succ[n]] : leave(s, a, block, k->succ[n]);
  if (k->succs == 1) {
    LLVMBuildBr(s->b, way[0]);
    return;
  }
  LLVMValueRef c = LLVMBuildFreeze(s->b, now(s, a, k->condition), "");
  LLVMBuildCondBr(s->b, c, way[0], way[1]);
}

static void scalar_block(mt_Spmd *s, ScalarTail *a, int block) {
  const mt_CfgBlock *k = &s->block[block];
  LLVMPositionBuilderAtEnd(s->b, a->at[block]);
  for (LLVMValueRef i = k->first; i != k->end && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i))
    a->now[mt_value(s, i) - s->value] =
        LLVMBuildPhi(s->b, LLVMTypeOf(i), "");
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i))
    if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i)) step(s, a, i);
  branch(s, a, block);
}

/* Add the incoming values, which are all known now. 'first' has the initial
** values of the header's phis. */
static void finish_phis(mt_Spmd *s, ScalarTail *a, int block,
                        LLVMValueRef *first) {
  const mt_CfgBlock *k = &s->block[block];
  for (LLVMValueRef i = k->first; i != k->end && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    int n = (int)(mt_value(s, i) - s->value);
    if (block == s->loop[a->loop].header)
      LLVMAddIncoming(a->now[n], &first[n], &a->entry, 1);
    for (int p = 0; p < k->preds; p++) {
      if (s->block[k->pred[p]].loop != a->loop) continue;
      LLVMValueRef x = now(s, a, given(s, k->pred[p], i));
      LLVMAddIncoming(a->now[n], &x, &a->at[k->pred[p]], 1);
    }
  }
}

static void one_lane(mt_Spmd *s, void *context, LLVMValueRef lane) {
  ScalarTail *a = context;
  LLVMValueRef *first = mt_new(s, (size_t)s->values + 1, sizeof *first);
  int header = s->loop[a->loop].header;
  a->lane = lane, a->entry = LLVMGetInsertBlock(s->b);
  a->next = mt_new_block(s, "");
  for (int n = 0; n < s->values; n++) {
    if (!a->memory[n]) continue;
    bool phi = s->value[n].block == header && LLVMIsAPHINode(s->value[n].of);
    (phi ? first : a->now)[n] = lane_of(s, a, n);
  }
  for (int b = 0; b < s->blocks; b++)
    if (s->block[b].loop == a->loop) a->at[b] = mt_new_block(s, "tail");
  LLVMBuildBr(s->b, a->at[header]);
  for (int p = 0; p < s->blocks; p++)
    if (s->block[s->order[p]].loop == a->loop) scalar_block(s, a, s->order[p]);
  for (int b = 0; b < s->blocks; b++)
    if (s->block[b].loop == a->loop) finish_phis(s, a, b, first);
  LLVMPositionBuilderAtEnd(s->b, a->next);
  mt_drop(s, first);
}

void mt_scalar_tail_emit(mt_Spmd *s, int loop) {
  size_t n = (size_t)s->values + 1;
  ScalarTail a = {.loop = loop, .now = mt_new(s, n, sizeof *a.now),
             .memory = mt_new(s, n, sizeof *a.memory),
             .at = mt_new(s, (size_t)s->blocks + 1, sizeof *a.at)};
  s->making++;
  bring_all(s, &a);
  mt_lane_loop(s, one_lane, &a);
  mt_drop(s, a.now), mt_drop(s, a.memory), mt_drop(s, a.at);
}
