/*
** geometry.h - what code for a kind of launch is made for.
*/
#ifndef MT_HOST_VECTOR_GEOMETRY_H
#define MT_HOST_VECTOR_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/*
** What is known of a launch when code is made for it: a geometry class. Code is
** made once for each class that occurs and kept.
**
** Threads of a group are numbered in x, then y, then z over mt_Group.actual
** (which is 'size' but in groups at a ragged edge):
** thread_index_in_threadgroup. SIMD-groups are runs of 32 of these numbers,
** quads runs of 4.
*/
typedef struct mt_Geometry {
  uint32_t size[3]; /* threads of a full threadgroup; mt_Group.size */
  bool ragged[3];   /* actual[d] may be less than size[d] in some groups */
} mt_Geometry;

/* The vectoriser cannot do this kernel: run it thread by thread. */
#define MT_UNSUPPORTED ((mt_Status)100)

#endif
