/*
** region.h - a kernel that is cut at its barriers: the values that live across
** a barrier, the frame that has them, and the function that runs a threadgroup,
** one region (the code between two barriers) after the other.
*/
#ifndef MT_HOST_REGION_REGION_H
#define MT_HOST_REGION_REGION_H

#include "devices/host/strategy/strategy.h"

/* A value that lives across a barrier, as matrix_frame.c has it: its rows take
** turns there with another matrix'; the block in which it was written there
** early (see mt_Part.made). */
typedef struct mt_FramedMatrix {
  bool paired;
  unsigned framed;
} mt_FramedMatrix;

/* What this room adds to a kernel: the frame of a SIMD-group. */
typedef struct mt_RegionState {
  mt_StrategyState below;
  size_t spill_bytes; /* its size */
  size_t held_at;     /* offset of the cells of inactive lanes */
  mt_FramedMatrix *matrix; /* by value */
} mt_RegionState;
static inline mt_RegionState *mt_region_state(const mt_Spmd *s) {
  return (mt_RegionState *)s;
}
static inline mt_FramedMatrix *mt_framed(const mt_Spmd *s, const mt_Value *v) {
  return &mt_region_state(s)->matrix[v - s->value];
}

#define MT_REGION_DONE (-1) /* instead of a next region: the kernel has ended */

typedef struct mt_Regions {
  LLVMTypeRef type;     /* i32 (group, SIMD-group, frame, all lanes are on) */
  LLVMValueRef *region; /* its functions; the first is the kernel's start */
  int count;
  size_t frame;         /* bytes of a SIMD-group's frame; 0: none is needed */
} mt_Regions;

/* Make room for what is known of values. To be called before the first
** region. */
void mt_region_start(mt_Spmd *s);

/* Find what is live across barriers, and give it a place in the frame. */
void mt_frame_lay_out(mt_Spmd *s);
/* Values whose slots are in the frame, in a new region. */
void mt_frame_slots(mt_Spmd *s);
/* Write the pieces of a value from their slots to the frame at 'at' ('move' >
** 0), or read them back ('move' < 0); the end of its place. */
size_t mt_frame_value(mt_Spmd *s, mt_Value *v, size_t at, int move);
/* The same for the cells of inactive lanes. */
size_t mt_frame_held(mt_Spmd *s, size_t at, int move);
LLVMValueRef mt_frame_field(mt_Spmd *s, size_t at); /* its address */

/* region_end.c: at a barrier: leave the region. */
void mt_region_wait(mt_Spmd *s, int block);
/* Does the region that is generated start with the value in the frame, and not
** compute it again? */
bool mt_is_passed_on(const mt_Spmd *s, const mt_Value *v);
/* And of one of a pair: does no sum that the region parks (mt_Part.in_frame),
** other than 'but', take its place? */
bool mt_is_undisturbed(const mt_Spmd *s, const mt_Value *v,
                       const mt_Value *but);

/* The function that runs all SIMD-groups of a threadgroup through the regions,
** or along a row of the grid. */
LLVMValueRef mt_group_function(mt_Spmd *s, const mt_Regions *regions);

/* matrix_frame.c. Give the sums of products that live across a barrier places
** in the frame from 'at' on, and those that 'share' finds the same; the end.
** mt_FramedMatrix.paired: it has such a place. */
size_t mt_matrix_frame_place(mt_Spmd *s, size_t at,
                             void (*share)(mt_Spmd *, mt_Value *));
/* Between its place and its slots. */
void mt_matrix_frame_read(mt_Spmd *s, const mt_Value *v);
void mt_matrix_frame_write(mt_Spmd *s, const mt_Value *v);
/* The rows of a pair (mt_Value.partner) from the frame, read here and not at
** the region's start; false: it is not there, or not any more. */
bool mt_matrix_frame_pair(mt_Spmd *s, const mt_Value *first, LLVMValueRef *row);
/* The rows of two sums, side by side, from the frame; false: they are not
** there. And the results to it, if they belong there. */
bool mt_matrix_frame_take(mt_Spmd *s, LLVMValueRef *sum, LLVMValueRef *row);
void mt_matrix_frame_give(mt_Spmd *s, LLVMValueRef *product,
                          LLVMValueRef *row);

#endif
