/*
** regions.h - what is shared by the files that cut a kernel at its barriers:
** regions (barrier_regions.c), the values that live across a barrier (frame.c),
** the function that runs a threadgroup (group_function.c).
*/
#ifndef MT_HOST_VECTORISE_REGIONS_H
#define MT_HOST_VECTORISE_REGIONS_H

#include "devices/host/vectorise/emit.h"

#define MT_REGION_DONE (-1) /* instead of a next region: the kernel has ended */

typedef struct mt_Regions {
  LLVMTypeRef type;     /* i32 (group, SIMD-group, frame, all lanes are on) */
  LLVMValueRef *region; /* its functions; the first is the kernel's start */
  int count;
  size_t frame;         /* bytes of a SIMD-group's frame; 0: none is needed */
} mt_Regions;

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

#endif
