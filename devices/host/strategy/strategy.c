/*
** strategy.c - which strategy each load and store got.
**
** The one idea: the plan of each access (plan.c) is noted at the instruction of
** the kernel when it is emitted, once for the code in which all lanes are
** active and once for the code under a mask, with the reason why it is nothing
** cheaper. vectorise/report.c shows the notes.
*/
#include "devices/host/strategy/strategy.h"

/* Of several regions the costliest strategy counts. */
void mt_access_note(mt_Spmd *s, LLVMValueRef instr, mt_AccessStrategy how,
                    mt_PlanReason why) {
  mt_AccessNote *n = &mt_strategy_state(s)->note[mt_value(s, instr) - s->value];
  if (mt_access_cost(n->how[s->full]) >= mt_access_cost(how)) return;
  n->how[s->full] = how, n->why[s->full] = why;
}
