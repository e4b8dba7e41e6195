/*
** plan.h - decisions about a kernel as a whole, and about its branches and
** loops, before code is emitted.
**
** A decision asks the facts (analyse/analyse.h) and what strategy/ would do
** with the kernel's loads and stores. Two of them emit the test or number that
** they are made of, where it is needed: mt_branch_uniform_test and
** mt_row_shift.
*/
#ifndef MT_HOST_PLAN_PLAN_H
#define MT_HOST_PLAN_PLAN_H

#include "devices/host/analyse/analyse.h"

/* vector_width.c: the number of lanes that may suit the kernel, and whether the
** analysis of the wide version confirms it. */
int mt_vector_width(mt_Spmd *s);
bool mt_vector_width_pays(mt_Spmd *wide);

/* grid_rows.c: may threads run in other groups than the launch asked for, and
** is a group that is a piece of a row of the grid better? */
bool mt_grid_rows_possible(mt_Spmd *s);
bool mt_grid_rows_pay(mt_Spmd *groups, mt_Spmd *rows);

/* row_alignment.c: the store whose cache lines the vectors of a row start at
** (NULL: none, or it does not pay), and how many threads before the first of
** the row that is. */
LLVMValueRef mt_row_alignment(mt_Spmd *s);
LLVMValueRef mt_row_shift(mt_Spmd *s, LLVMValueRef threads);

/* stream_width.c: does the kernel only move memory, on a CPU that does so
** faster with shorter registers? */
bool mt_streams(mt_Spmd *s);

/* branch_uniformity.c: an i1 that is true only if the condition of the block's
** branch is 'want' in all lanes; NULL: there is none. False does not mean the
** opposite. */
LLVMValueRef mt_branch_uniform_test(mt_Spmd *s, int block, bool want);

/* control_flow_plan.c: decide what is done with branches (mt_CfgBlock.tested)
** and loops (mt_CfgLoop.tail). */
void mt_plan_control_flow(mt_Spmd *s);

#endif
