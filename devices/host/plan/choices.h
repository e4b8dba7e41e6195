/*
** choices.h - the choices for a branch or a loop; for the files of this folder.
*/
#ifndef MT_HOST_PLAN_CHOICES_H
#define MT_HOST_PLAN_CHOICES_H

#include "devices/host/plan/plan.h"

/* branch_uniformity.c: would mt_branch_uniform_test emit a test? */
bool mt_branch_has_test(mt_Spmd *s, int block, bool want);

/* scalar_tail.c: the number of active lanes up to which a loop is faster one
** lane at a time; 0: never. */
int mt_scalar_tail_lanes(mt_Spmd *s, int loop);

#endif
