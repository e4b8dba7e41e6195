/*
** parts.c - a load or store that has nothing better, each scalar part by itself
** (access/access.c).
*/
#include "devices/host/strategy/strategies.h"

static bool choose_parts(mt_Spmd *s, LLVMValueRef i, mt_AccessPlan *plan) {
  plan->how = MT_ACCESS_NONE;
  for (unsigned p = 0; p < plan->parts; p++) {
    mt_LaneAccess a = mt_access_of(s, i, p);
    plan->part[p] = mt_access_choose_part(s, &a, LLVMIsAStoreInst(i) != NULL);
    if (mt_access_cost(plan->part[p].how) <= mt_access_cost(plan->how))
      continue;
    plan->how = plan->part[p].how, plan->why = plan->part[p].why;
  }
  return true;
}

static void load_parts(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(i)); p++) {
    mt_LaneAccess a = mt_access_of(s, i, p);
    a.plan = &plan->part[p];
    if (p == 0 && a.space == MT_POINTER_DEVICE &&
        mt_part_kind(s, a.pointer, 0) == MT_SHAPE_AFFINE)
      a.ahead = mt_prefetch_distance(s, a.pointer, mt_value(s, i)->block);
    mt_LaneValue g = mt_access_read(s, &a);
    if (g.uniform)
      mt_set_uniform(s, i, p, g.value);
    else
      mt_set_vector(s, i, p, g.value);
  }
}

mt_LaneValue mt_operand_part(mt_Spmd *s, LLVMValueRef x, unsigned part) {
  if (mt_part_kind(s, x, part) == MT_SHAPE_UNIFORM)
    return (mt_LaneValue){mt_uniform(s, x, part), true};
  return (mt_LaneValue){mt_vector(s, x, part), false};
}

static void store_parts(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  LLVMValueRef x = LLVMGetOperand(i, 0);
  for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(x)); p++) {
    mt_LaneAccess a = mt_access_of(s, i, p);
    a.plan = &plan->part[p];
    mt_access_write(s, &a, mt_operand_part(s, x, p));
  }
}

const mt_Strategy mt_strategy_parts = {choose_parts, load_parts, store_parts};
