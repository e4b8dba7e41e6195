/*
** strategy.h - what is done with each load and store of a kernel.
**
** mt_plan_region chooses a strategy for each load and store of a region before
** any code of it is emitted; mt_memory_load and mt_memory_store emit what was
** chosen. mt_memory_gathers and mt_is_inner_loop tell others, before there is
** code, what a choice will come to.
*/
#ifndef MT_HOST_STRATEGY_STRATEGY_H
#define MT_HOST_STRATEGY_STRATEGY_H

#include "devices/host/access/access.h"

/* What a load or store became in the code of all regions: under a mask, and
** without one. For the report. */
typedef struct mt_AccessNote {
  mt_AccessStrategy how[2];
  mt_PlanReason why[2];
} mt_AccessNote;

/* What this room adds to a kernel. */
typedef struct mt_StrategyState {
  mt_AccessState below;
  /* row_buffer.c: the row buffers, once searched for */
  struct mt_RowBuffer *row_buffer;
  int row_buffers;
  /* by value, under a mask and without: what is done with it in this region */
  struct mt_AccessPlan *(*plan)[2];
  mt_AccessNote *note; /* by value */
} mt_StrategyState;
static inline mt_StrategyState *mt_strategy_state(const mt_Spmd *s) {
  return (mt_StrategyState *)s;
}

/* plan.c: count what is scattered, and make room for plans and notes. To be
** called before the first region. */
void mt_plan_start(mt_Spmd *s);

/* plan.c: decide what is done with each load and store of the region that is
** about to be generated. */
void mt_plan_region(mt_Spmd *s);

/* memory.c: loads and stores that need gathers or scatters. */
int mt_memory_gathers(mt_Spmd *s);
void mt_memory_load(mt_Spmd *s, LLVMValueRef instr);
void mt_memory_store(mt_Spmd *s, LLVMValueRef instr);
/* memcpy, memmove and memset; false: 'call' is none of them. */
bool mt_memory_intrinsic(mt_Spmd *s, LLVMValueRef call, const char *name);

/* row_buffer.c: the most rows that one row buffer of the kernel has; 0: there
** are no row buffers. */
int mt_row_buffer_rows(mt_Spmd *s);
/* row_buffer_load.c: allocate the buffers of a region; reset those of a loop
** that is about to be entered. */
void mt_row_buffers_make(mt_Spmd *s);
void mt_row_buffers_enter(mt_Spmd *s, int loop);

/* inner_loop.c: is this loop run one lane after the other, from its start to
** its end, for LLVM to vectorise along each lane's row? */
bool mt_is_inner_loop(mt_Spmd *s, int loop);
/* Of such a loop, which is one block: the block after it; the operand through
** which a minimum or maximum 'v', in the chain of such steps from 'phi', leads
** back to it. */
int mt_inner_loop_exit(const mt_Spmd *s, int block);
LLVMValueRef mt_inner_loop_previous(mt_Spmd *s, LLVMValueRef v,
                                    LLVMValueRef phi, int block);
/* With a smaller trip count, vectors across lanes are faster. */
#define MT_INNER_LOOP_ROUNDS 8

/* strategy.c: 'instr' has this strategy in the version that is generated. */
void mt_access_note(mt_Spmd *s, LLVMValueRef instr, mt_AccessStrategy how,
                    mt_PlanReason why);

#endif
