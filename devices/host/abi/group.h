/*
** group.h - what compiled code is given to run one threadgroup.
**
** Every way of compiling a kernel for the host (one thread at a time, or a
** vector of 32) ends in a function of this one type. It runs all threads of one
** threadgroup, from start to end, on the calling OS thread. Generated code
** reads the struct by offset: change it and change the code generators.
*/
#ifndef MT_HOST_ABI_GROUP_H
#define MT_HOST_ABI_GROUP_H

#include <stdatomic.h>
#include <stdint.h>

#define MT_LANES 32 /* threads of a SIMD-group */

typedef struct mt_Group {
  /* One slot for each parameter of the kernel, builtins included (theirs are
  ** unused): the address for buffers, threadgroup parameters and textures, the
  ** packed settings for samplers. */
  const uint64_t *args;
  char *threadgroup;       /* memory of the threadgroup variables */
  char *spill;             /* scratch for values that live across barriers */
  const atomic_int *stop;  /* not 0: leave soon, whatever is left undone */
  uint32_t position[3];    /* threadgroup_position_in_grid */
  uint32_t groups[3];      /* threadgroups_per_grid */
  uint32_t grid[3];        /* threads_per_grid */
  uint32_t size[3];        /* dispatch_threads_per_threadgroup */
  uint32_t actual[3];      /* threads_per_threadgroup: cut at a ragged edge */
  uintptr_t caller;        /* code that has C read or write for it now; or 0 */
  /* the runtime's own (dispatch.h); code hands it on */
  struct mt_Worker *worker;
} mt_Group;

typedef void mt_GroupCode(mt_Group *group);

#endif
