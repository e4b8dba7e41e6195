/*
** active_lanes.h - the lanes that run a block together, as a mask.
**
** For the kernel's body, after it has got its parameters (lower.c). First ask
** about every block whose mask is wanted, then have masks built: that changes
** no block but by instructions in front of branches and phis.
*/
#ifndef MT_CUDA_PTX_ACTIVE_LANES_H
#define MT_CUDA_PTX_ACTIVE_LANES_H

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/work.h"

typedef struct mt_ActiveLanes mt_ActiveLanes;

/* 'g' is of the body and must outlive it; mt_active_lanes_free in any case. */
mt_Status mt_active_lanes_new(mt_PtxWork *w, const mt_Divergence *g,
                              mt_ActiveLanes **out, mt_Error *err);
void mt_active_lanes_free(mt_ActiveLanes *a); /* NULL ok */

/* Can the mask be computed? Always, once control flow is structured. */
bool mt_active_lanes_known(mt_ActiveLanes *a, LLVMBasicBlockRef block);
/* An i32 that may be used in 'block', of which mt_active_lanes_known was said.
** Moves the builder. */
LLVMValueRef mt_active_lanes_mask(mt_ActiveLanes *a, LLVMBasicBlockRef block);

#endif
