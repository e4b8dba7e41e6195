/*
** geometry.h - the properties of a launch that generated code depends on.
*/
#ifndef MT_HOST_ABI_GEOMETRY_H
#define MT_HOST_ABI_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/*
** A geometry class: what is known of a launch at compile time. Code is compiled
** once for each class that occurs, and cached.
**
** Threads of a group are numbered in x, then y, then z over mt_Group.actual
** (which equals 'size' except in groups at a ragged edge of the grid):
** thread_index_in_threadgroup. SIMD-groups are runs of 32 of these numbers,
** quads runs of 4.
*/
typedef enum mt_GridRows {
  MT_ROWS_SHORT, /* or there is only one */
  MT_ROWS_LONG,  /* long enough to be run as rows (plan/grid_rows.c) */
  MT_ROWS_WHOLE  /* and a multiple of 32 threads */
} mt_GridRows;

typedef struct mt_Geometry {
  uint32_t size[3]; /* threads of a full threadgroup; mt_Group.size */
  bool ragged[3];   /* actual[d] may be less than size[d] in some groups */
  mt_GridRows rows; /* of the grid */
  bool whole;       /* every group has a multiple of 32 threads */
  /* there are so many groups that tiles kept from one to the next are worth it
  ** (transform/keep_tiles.c), and a longer compile too */
  bool many;
  /* of a piece of a row: its vectors may start before its first thread
  ** (plan/row_alignment.c) */
  bool shifted;
} mt_Geometry;

/* The vectoriser does not support this kernel: run it thread by thread. */
#define MT_UNSUPPORTED ((mt_Status)100)

#endif
