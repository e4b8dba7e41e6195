/*
** emit.h - what the files of this room and of access/ offer to each other, to
** generate code for one kernel.
**
** Everything is emitted at the position of mt_Spmd.b, for the active lanes
** (mt_Spmd.full, mt_Spmd.mask). A function that cannot emit something records
** why (mt_unsupported); generation goes on, and its code is discarded.
*/
#ifndef MT_HOST_VECTORISE_EMIT_H
#define MT_HOST_VECTORISE_EMIT_H

#include "devices/host/analyse/analyse.h"
#include "devices/host/vector/vector.h"

/* control_flow.c */
void mt_control_flow_emit(mt_Spmd *s);      /* all blocks of the region */
/* branch from the region's entry to its first block */
void mt_control_flow_enter(mt_Spmd *s, int block, LLVMValueRef mask);
/* let one more lane wait at 'block' */
void mt_mask_add(mt_Spmd *s, int block, LLVMValueRef lane);

/* scalar_tail.c: the number of active lanes up to which a loop is
** faster one lane at a time (0: never), and the code for the lanes of s->mask,
** from the loop's header to its end. */
int mt_scalar_tail_lanes(mt_Spmd *s, int loop);
void mt_scalar_tail_emit(mt_Spmd *s, int loop);

/* inner_loop.c: is this loop run one lane after the other, from its
** start to its end, for LLVM to vectorise along each lane's row? Then it is
** emitted as a whole, for the lanes of s->mask; returns its exit block. */
bool mt_is_inner_loop(mt_Spmd *s, int loop);
int mt_inner_loop_emit(mt_Spmd *s, int loop);
/* In front of the loop: an i1, whether the trip count is large enough for that;
** NULL: it always pays. */
LLVMValueRef mt_inner_loop_pays(mt_Spmd *s, int loop);

/* branch_uniformity.c: an i1 that is true only if the condition of
** the block's branch is 'want' in all lanes; NULL: there is none. False does
** not mean the opposite. And whether there is one; nothing is emitted. */
LLVMValueRef mt_branch_uniform_test(mt_Spmd *s, int block, bool want);
bool mt_branch_has_test(mt_Spmd *s, int block, bool want);

/* instructions.c */
void mt_instr_emit(mt_Spmd *s, LLVMValueRef instr);
bool mt_instr_rematerialises(mt_Spmd *s, LLVMValueRef instr);

/* intrinsics.c */
void mt_call_emit(mt_Spmd *s, LLVMValueRef call);

/* vector_width.c: the number of lanes that may suit the kernel, and
** whether the analysis of the wide version confirms it. */
int mt_vector_width(mt_Spmd *s);
bool mt_vector_width_pays(mt_Spmd *wide);

/* grid_rows.c: may threads run in other groups than the launch asked
** for, and is a group that is a piece of a row of the grid better? */
bool mt_grid_rows_possible(mt_Spmd *s);
bool mt_grid_rows_pay(mt_Spmd *groups, mt_Spmd *rows);

/* x86_instructions.c: a vector of floats as 32-bit integers, with
** saturation; p * 2^n, where 'n' is the second operand of the kernel's 'call'.
** NULL: this machine, or this operand, is left to LLVM. */
LLVMValueRef mt_x86_to_integer(mt_Spmd *s, LLVMValueRef x, bool sign);
LLVMValueRef mt_x86_scale(mt_Spmd *s, LLVMValueRef call, LLVMValueRef p);

/* row_alignment.c: the store whose cache lines the vectors of a row
** start at (NULL: none, or it does not pay), and how many threads before the
** first of the row that is. */
LLVMValueRef mt_row_alignment(mt_Spmd *s);
LLVMValueRef mt_row_shift(mt_Spmd *s, LLVMValueRef threads);

/* access/plan.c: decide what is done with branches and loops; and
** with each load and store of the region that is about to be generated */
void mt_plan_control_flow(mt_Spmd *s);
void mt_plan_region(mt_Spmd *s);

/* access/access.c */
/* loads and stores that need gathers or scatters */
int mt_memory_gathers(mt_Spmd *s);
void mt_memory_alloca(mt_Spmd *s, LLVMValueRef instr);
void mt_memory_load(mt_Spmd *s, LLVMValueRef instr);
void mt_memory_store(mt_Spmd *s, LLVMValueRef instr);
bool mt_memory_intrinsic(mt_Spmd *s, LLVMValueRef call, const char *name);

/* access/access.c: the real address of each lane, private memory
** translated. */
LLVMValueRef mt_memory_lanes(mt_Spmd *s, LLVMValueRef pointer,
                             mt_PointerSpace space);

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
/* access/gather_scatter.c: load from the addresses of all lanes,
** inactive ones included: all must be valid. */
LLVMValueRef mt_gather_all(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at);

/* barrier_regions.c */
mt_Status mt_regions_build(mt_Spmd *s, LLVMValueRef *out, size_t *spill_bytes);
void mt_region_wait(mt_Spmd *s, int block); /* at a barrier: leave the region */
/* Is 'v', an operand of some value used in 'block', available there itself?
** After a barrier only the values that code there uses directly are kept. */
bool mt_is_available(mt_Spmd *s, LLVMValueRef v, int block);

/* keep_tiles.c: fill the tiles of all iterations of a loop at once, unless they
** are kept from the last threadgroup. True: the kernel was changed, and has to
** be analysed again; 'facts' has the tiles. */
struct mt_VectorFacts;
bool mt_keep_tiles(mt_Spmd *s, struct mt_VectorFacts *facts);

/* split_sums.c: the same for loops that add up more matrices than there are
** registers. */
bool mt_split_all_sums(mt_Spmd *s, struct mt_VectorFacts *facts);

/* scalar_tail.c: for code that runs one lane at a time. Does the name
** of the called function begin with one of 'names', which end with NULL? Is 't'
** a single number or pointer? */
bool mt_calls_one_of(LLVMValueRef call, const char *const *names);
bool mt_is_scalar(LLVMTypeRef t);

#endif
