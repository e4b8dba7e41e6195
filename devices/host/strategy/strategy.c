/*
** strategy.c - which strategy each load and store got, by name.
**
** The one idea: the plan of each access (plan.c) is noted at the instruction of
** the kernel when it is emitted, once for the code in which all lanes are active
** and once for the code under a mask, with the reason why it is nothing cheaper.
** vectorise/report.c shows the notes.
*/
#include "devices/host/strategy/strategy.h"

/* By mt_AccessStrategy; a scatter is a gather that stores. */
static const char *const name[MT_ACCESS_STRATEGIES] = {
    "", "uniform", "contiguous", "contiguous in pieces", "strided",
    "interleaved", "rows of a simdgroup matrix", "short vector of each lane",
    "tile transpose", "private array", "contiguous if a run-time test says so",
    "row buffer", "gather of adjacent words", "gather",
    "lane by lane in an inner loop", "atomic"};

const char *mt_access_strategy_name(mt_AccessStrategy how, bool store) {
  return how == MT_ACCESS_GATHER && store ? "scatter" : name[how];
}

/* Of several regions the costliest strategy counts: it has the higher
** number. */
void mt_access_note(mt_Spmd *s, LLVMValueRef instr, mt_AccessStrategy how,
                    mt_PlanReason why) {
  mt_Value *v = mt_value(s, instr);
  if (v->strategy[s->full] >= how) return;
  v->strategy[s->full] = (uint8_t)how, v->why[s->full] = (uint8_t)why;
}
