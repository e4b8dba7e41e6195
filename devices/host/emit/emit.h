/*
** emit.h - the code of one region of a kernel: its blocks, masks and branches,
** and every instruction but loads and stores.
**
** Everything is emitted at the position of mt_Spmd.b, for the active lanes
** (mt_Spmd.full, mt_Spmd.mask). A function that cannot emit something records
** why (mt_unsupported); generation goes on, and its code is discarded.
*/
#ifndef MT_HOST_EMIT_EMIT_H
#define MT_HOST_EMIT_EMIT_H

#include "devices/host/region/region.h"

/* Code of a masked version, by block. */
typedef struct mt_MaskedCode {
  const bool *partial, *passed; /* mt_MaskedBlocks */
  LLVMBasicBlockRef *guard_at, *at; /* the test for waiting lanes; its code */
  LLVMValueRef *slot;               /* mask of the lanes that wait to run it */
  /* By loop: its exit, and the test for few active lanes, or NULL. */
  LLVMBasicBlockRef *end_at, *few_at;
} mt_MaskedCode;

/* The rows of two matrices concatenated; a cache of simdgroup_multiply.c. */
typedef struct mt_MatrixPair {
  LLVMValueRef of[2], row[8];
  unsigned made; /* in this block; see mt_Part.made */
} mt_MatrixPair;

/* What this room adds to a kernel, the last one: all of it is allocated so. */
typedef struct mt_EmitState {
  mt_RegionState below;
  LLVMBasicBlockRef *full_at; /* code of the full version, by block */
  mt_MaskedCode masked[2];    /* those of mt_Spmd.masked */
  mt_MaskedCode *m;           /* the version being generated */
  LLVMBasicBlockRef leave;    /* exit of the region: all lanes are done */
  mt_MatrixPair pair[16]; /* a ring */
  unsigned pairs;
  /* short_products: memory for a product's operands, and the entry block that
  ** it was made in */
  LLVMValueRef product[3];
  LLVMBasicBlockRef product_entry[3];
} mt_EmitState;
static inline mt_EmitState *mt_emit_state(const mt_Spmd *s) {
  return (mt_EmitState *)s;
}
/* control_flow.c: make room for the code of blocks. To be called before the
** first region. */
void mt_emit_start(mt_Spmd *s);

/* control_flow.c */
void mt_control_flow_emit(mt_Spmd *s);      /* all blocks of the region */
/* branch from the region's entry to its first block */
void mt_control_flow_enter(mt_Spmd *s, int block, LLVMValueRef mask);
/* let one more lane wait at 'block' */
void mt_mask_add(mt_Spmd *s, int block, LLVMValueRef lane);

/* scalar_tail_code.c: the code for the lanes of s->mask, one at a time, from
** the loop's header to its end. */
void mt_scalar_tail_emit(mt_Spmd *s, int loop);

/* inner_loop_code.c: a loop that runs one lane after the other
** (mt_is_inner_loop), emitted as a whole, for the lanes of s->mask; returns its
** exit block. */
int mt_inner_loop_emit(mt_Spmd *s, int loop);
/* In front of the loop: an i1, whether the trip count is large enough for that;
** NULL: it always pays. */
LLVMValueRef mt_inner_loop_pays(mt_Spmd *s, int loop);

/* instructions.c */
void mt_instr_emit(mt_Spmd *s, LLVMValueRef instr);

/* intrinsics.c */
void mt_call_emit(mt_Spmd *s, LLVMValueRef call);

/* wide_division.c: a division of integers of 64 bits ('op': LLVMUDiv and so
** on); 'same' is the divisor as a scalar if it is uniform, else NULL. NULL: no
** gain on this CPU. A divisor of zero gives some number. */
LLVMValueRef mt_divide_wide(mt_Spmd *s, LLVMOpcode op, LLVMValueRef x,
                            LLVMValueRef d, LLVMValueRef same);

/* x86_instructions.c: a vector of floats as 32-bit integers, with
** saturation; p * 2^n, where 'n' is the second operand of the kernel's 'call'.
** NULL: this machine, or this operand, is left to LLVM. */
LLVMValueRef mt_x86_to_integer(mt_Spmd *s, LLVMValueRef x, bool sign);
LLVMValueRef mt_x86_scale(mt_Spmd *s, LLVMValueRef call, LLVMValueRef p);

/* atomics.c: a loop over the active lanes; 'body' emits the code for
** one of them, given its number as an i32. */
typedef void (*mt_LaneBody)(mt_Spmd *s, void *context, LLVMValueRef lane);
void mt_lane_loop(mt_Spmd *s, mt_LaneBody body, void *context);
/* Arrays in memory of which an mt_LaneBody reads or writes one element. */
/* from a vector */
LLVMValueRef mt_lanes_to_memory(mt_Spmd *s, LLVMValueRef vector);
/* zeroed */
LLVMValueRef mt_lanes_memory(mt_Spmd *s, LLVMTypeRef scalar);
LLVMValueRef mt_lane_load(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef m,
                          LLVMValueRef lane);
void mt_lane_store(mt_Spmd *s, LLVMValueRef x, LLVMValueRef m,
                   LLVMValueRef lane);
LLVMValueRef mt_lanes_from_memory(mt_Spmd *s, LLVMTypeRef scalar,
                                  LLVMValueRef m);
void mt_atomic_emit(mt_Spmd *s, LLVMValueRef instr);

/* crosslane.c, kernel_log.c (os_log and asserts) and simdgroup_matrix.c emit
** calls of builtins; false: 'call' is none of theirs. */
/* Cells for the values of inactive lanes, in a new region. */
void mt_inactive_cells_make(mt_Spmd *s);
bool mt_crosslane_emit(mt_Spmd *s, LLVMValueRef call, const char *name);
bool mt_log_emit(mt_Spmd *s, LLVMValueRef call, const char *name);
bool mt_matrix_emit(mt_Spmd *s, LLVMValueRef call, const char *name);
LLVMValueRef mt_lane_shuffle(mt_Spmd *s, LLVMValueRef v, const int *from);

#endif
