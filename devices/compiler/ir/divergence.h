/*
** divergence.h - where the lanes of a SIMD-group diverge.
**
** For questions about control flow before code is generated, on any form of the
** function. A value varies unless it is known to be the same in all lanes that
** compute it together. The vectoriser has a finer analysis of its own
** (host/analyse/uniformity.c).
*/
#ifndef MT_COMPILER_IR_DIVERGENCE_H
#define MT_COMPILER_IR_DIVERGENCE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "msl/msl.h"

#define MT_DIVERGENCE_BLOCKS 2000u /* larger functions are not analysed */

typedef struct mt_Numbered {
  const void *of;
  unsigned number;
} mt_Numbered;

typedef struct mt_Divergence {
  LLVMValueRef function;
  const mt_MslKernel *kernel; /* of which 'function' is the body */
  unsigned blocks, instructions;
  LLVMBasicBlockRef *block;
  unsigned *join; /* by block: where the lanes of its branch have reconverged;
                  ** 'blocks': at the end */
  LLVMValueRef *instruction;
  mt_Numbered *block_number, *number; /* sorted by address */
  bool *varies;                       /* by instruction */
  bool *parts;                        /* by block: its terminator diverges */
  bool *first, *second;               /* scratch sets of blocks */
} mt_Divergence;

/* 'function' and 'kernel' are set, everything else is zero. False: out of
** memory. mt_divergence_close in any case. */
bool mt_divergence_open(mt_Divergence *g);
void mt_divergence_close(mt_Divergence *g);

unsigned mt_divergence_number(const mt_Divergence *g, LLVMBasicBlockRef b);
/* The number of an instruction's block. */
unsigned mt_divergence_block(const mt_Divergence *g, LLVMValueRef i);
LLVMValueRef mt_divergence_end(const mt_Divergence *g, unsigned b);

/* Add to 'out' the blocks that are reachable from 'b', itself included, without
** passing 'wall' (g->blocks: none). */
void mt_divergence_reach(const mt_Divergence *g, unsigned b, unsigned wall,
                         bool *out);
/* Add to 'out' the blocks with divergent branches that 'b' is control-dependent
** on, transitively. */
void mt_divergence_parting(const mt_Divergence *g, unsigned b, bool *out);

/* Do all lanes that have not left the function run 'b' together? */
bool mt_divergence_converged(const mt_Divergence *g, unsigned b);

#endif
