/*
** plan.c - what will be done with each load and store, decided before code is
** emitted.
**
** The one idea: strategies are an ordered table; the first that applies is kept
** at the instruction, once for the version of the code in which all lanes are
** active and once for the one under a mask, and emits it later. A plan is for
** one region (vectorise/barrier_regions.c): which values are still available
** depends on the barrier that the region begins at.
*/
#include "devices/host/strategy/strategies.h"

/* The first that applies is taken. A row buffer saves more than wide stores do,
** and less than wide loads. */
static const mt_Strategy *const strategies[] = {
    &mt_strategy_wide_loads,    &mt_strategy_row_buffer,
    &mt_strategy_wide_stores,   &mt_strategy_short_vectors,
    &mt_strategy_coalesced,     &mt_strategy_interleaved,
    &mt_strategy_parts};

static void choose(mt_Spmd *s, LLVMValueRef i, mt_AccessPlan *plan) {
  bool load = LLVMIsALoadInst(i) != NULL;
  for (size_t n = 0;; n++) {
    plan->by = strategies[n];
    if ((load ? plan->by->load : plan->by->store) &&
        plan->by->choose(s, i, plan))
      return;
  }
}

static void plan_access(mt_Spmd *s, const mt_Value *v, bool full) {
  bool store = LLVMIsAStoreInst(v->of) != NULL;
  unsigned parts =
      mt_type_parts(LLVMTypeOf(store ? LLVMGetOperand(v->of, 0) : v->of));
  mt_AccessPlan *plan =
      mt_new(s, 1, sizeof *plan + parts * sizeof *plan->part);
  plan->parts = parts;
  bool before = s->full;
  s->full = full;
  choose(s, v->of, plan);
  s->full = before;
  mt_AccessPlan **kept = mt_strategy_state(s)->plan[v - s->value];
  mt_drop(s, kept[full]);
  kept[full] = plan;
}

void mt_plan_start(mt_Spmd *s) {
  size_t n = (size_t)s->values + 1;
  mt_StrategyState *own = mt_strategy_state(s);
  own->below.scattered = mt_memory_gathers(s);
  own->below.ahead = mt_new(s, n, sizeof *own->below.ahead);
  own->plan = mt_new(s, n, sizeof *own->plan);
  own->note = mt_new(s, n, sizeof *own->note);
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
  const mt_Value *v = mt_value(s, instr);
  mt_AccessPlan **kept = mt_strategy_state(s)->plan[v - s->value];
  if (!kept[s->full]) plan_access(s, v, s->full);
  return kept[s->full];
}
