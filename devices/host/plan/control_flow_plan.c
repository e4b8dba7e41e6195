/*
** control_flow_plan.c - what will be done with branches and loops, decided
** before code is emitted.
*/
#include "devices/host/plan/choices.h"

void mt_plan_control_flow(mt_Spmd *s) {
  for (int l = 0; l < s->loops; l++)
    s->loop[l].tail = mt_scalar_tail_lanes(s, l);
  for (int i = 0; i < s->blocks; i++)
    for (int side = 0; side < 2 && s->block[i].divergent; side++)
      s->block[i].tested[side] = mt_branch_has_test(s, i, side);
}
