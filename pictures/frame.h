/*
** frame.h - what a kernel wrote, as pixels that can be shown: the quick way,
** for many pictures a second.
**
** Colours are taken from 'low' (black) to 'high' (full); single numbers go
** through a map of 256 colours. Frames are opaque: what a kernel leaves in
** alpha is not looked at. Nothing is allocated. Any thread.
*/
#ifndef MT_FRAME_H
#define MT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/kernel_types/reflect.h"

typedef struct mt_Texels {
  const void *numbers;
  mt_Scalar scalar;
  unsigned channels; /* that are shown: 1 by the map, 2 to 4 as colours */
  unsigned stride;   /* numbers from one pixel to the next: 4 for a float3 */
  bool bgra;         /* blue comes first */
  size_t count;      /* pixels */
} mt_Texels;

/* 'count' pixels to RGBA with 8 bits. 'map' is 256 colours, red green blue;
** NULL is grey. A nan counts as 'low'. */
void mt_frame_fill(const mt_Texels *t, double low, double high,
                   const uint8_t (*map)[3], uint8_t *rgba);

/* The usual range of such numbers: 0 to 1 for floats, else the type's. */
void mt_frame_range(mt_Scalar scalar, double *low, double *high);

#endif
