/*
** plan.c - what will be done with each load and store, decided before code is
** emitted.
**
** The one idea: strategies are tried in the order of README.md, the first that
** applies is kept at the instruction, once for the version of the code in which
** all lanes are active and once for the one under a mask, and emission switches
** on it. A plan is for one region (barrier_regions.c): which values are still
** available depends on the barrier that the region begins at.
*/
#include "devices/host/strategy/row_buffer.h"

static void keep(mt_AccessPlan *plan, mt_AccessForm form,
                 mt_AccessStrategy how) {
  plan->form = form, plan->how = how;
}

/* A row buffer serves loads in both versions, unless a test of scalars shows at
** run time that the lanes are contiguous. */
static bool has_row_buffer(mt_Spmd *s, LLVMValueRef i) {
  if (!mt_row_buffer(s, i)) return false;
  if (LLVMIsAStoreInst(i)) return s->full;
  mt_LaneAccess first = mt_access_of(s, i, 0);
  return !mt_access_choose_test(s, &first, false).run;
}

static void choose_parts(mt_Spmd *s, LLVMValueRef i, unsigned parts,
                         mt_AccessPlan *plan) {
  keep(plan, MT_FORM_PARTS, MT_ACCESS_NONE);
  for (unsigned p = 0; p < parts; p++) {
    mt_LaneAccess a = mt_access_of(s, i, p);
    plan->part[p] = mt_access_choose_part(s, &a, LLVMIsAStoreInst(i) != NULL);
    if (plan->part[p].how <= plan->how) continue;
    plan->how = plan->part[p].how, plan->why = plan->part[p].why;
  }
}

static void choose(mt_Spmd *s, LLVMValueRef i, unsigned parts,
                   mt_AccessPlan *plan) {
  bool load = LLVMIsALoadInst(i) != NULL;
  plan->run = load ? mt_aos_contiguous_run(s, i) : 0;
  if (plan->run)
    keep(plan, MT_FORM_AOS_RUNS, MT_ACCESS_INTERLEAVED);
  else if (has_row_buffer(s, i))
    keep(plan, MT_FORM_ROW_BUFFER, MT_ACCESS_ROW_BUFFER);
  else if (!load && (plan->run = mt_aos_contiguous_run(s, i)))
    keep(plan, MT_FORM_AOS_RUNS, MT_ACCESS_INTERLEAVED);
  else if (mt_aos_choose(s, i, plan))
    return;
  else if (load && mt_coalesced_choose(s, i, plan))
    return;
  else if (!load && mt_interleaved_role(s, i) != MT_INTERLEAVED_NOT)
    keep(plan, MT_FORM_INTERLEAVED, MT_ACCESS_INTERLEAVED);
  else
    choose_parts(s, i, parts, plan);
}

static void plan_access(mt_Spmd *s, mt_Value *v, bool full) {
  bool store = LLVMIsAStoreInst(v->of) != NULL;
  unsigned parts =
      mt_type_parts(LLVMTypeOf(store ? LLVMGetOperand(v->of, 0) : v->of));
  mt_AccessPlan *plan =
      mt_new(s, 1, sizeof *plan + parts * sizeof *plan->part);
  bool before = s->full;
  s->full = full;
  choose(s, v->of, parts, plan);
  s->full = before;
  mt_drop(s, v->plan[full]);
  v->plan[full] = plan;
}

void mt_plan_region(mt_Spmd *s) {
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->block < 0 || !s->inside[v->block] ||
        (!LLVMIsALoadInst(v->of) && !LLVMIsAStoreInst(v->of)))
      continue;
    if (s->needs_full) plan_access(s, v, true);
    if (s->masked[0].partial[v->block] ||
        (s->twofold && s->masked[1].partial[v->block]))
      plan_access(s, v, false);
  }
}

const mt_AccessPlan *mt_access_plan(mt_Spmd *s, LLVMValueRef instr) {
  mt_Value *v = mt_value(s, instr);
  if (!v->plan[s->full]) plan_access(s, v, s->full);
  return v->plan[s->full];
}
