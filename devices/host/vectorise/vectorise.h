/*
** vectorise.h - the interface of the vectoriser.
**
** mt_vectorise turns a prepared kernel (prepare/prepare.h) into a function that
** runs one threadgroup, a SIMD-group of 32 threads at a time as vectors of 32
** lanes.
*/
#ifndef MT_HOST_VECTORISE_VECTORISE_H
#define MT_HOST_VECTORISE_VECTORISE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/str.h"
#include "devices/compiler/target/target.h"
#include "devices/host/abi/abi.h"
#include "msl/msl.h"

/* How calls of probes are lowered in an instrumented kernel
** (vector/vector.h). */
typedef struct mt_ProbeLowering mt_ProbeLowering;

/* What a load or store of all lanes became (access/strategy.c), the costlier
** ones last; docs/engine.md explains each. */
typedef enum mt_AccessStrategy {
  MT_ACCESS_NONE, /* not emitted */
  MT_ACCESS_UNIFORM,
  MT_ACCESS_CONTIGUOUS,
  MT_ACCESS_PIECES, /* a few contiguous runs of lanes */
  MT_ACCESS_STRIDED,
  MT_ACCESS_INTERLEAVED,
  MT_ACCESS_MATRIX,       /* the rows of a simdgroup matrix */
  MT_ACCESS_SHORT_VECTOR, /* sixteen bytes of each lane at once */
  MT_ACCESS_TRANSPOSED,
  MT_ACCESS_PRIVATE, /* the same element in all lanes */
  MT_ACCESS_TESTED,  /* contiguous, if a run-time test says so */
  MT_ACCESS_ROW_BUFFER,
  MT_ACCESS_PAIR,   /* a gather that brings another load's word along */
  MT_ACCESS_GATHER, /* or scatter */
  MT_ACCESS_INNER_LOOP, /* one lane after the other along rows */
  MT_ACCESS_ATOMIC,
  MT_ACCESS_STRATEGIES
} mt_AccessStrategy;
const char *mt_access_strategy_name(mt_AccessStrategy how, bool store);

/* A tile that threadgroups keep for each other. */
typedef struct mt_KeptTile {
  unsigned line; /* of its first store; 0: not known */
  unsigned key;  /* a bit for each coordinate in which they must agree */
} mt_KeptTile;

/* What mt_vectorise made. */
typedef struct mt_VectorFacts {
  size_t spill_bytes; /* that mt_Group.spill has to hold, aligned to 128 */
  /* the same of mt_Group.threadgroup, threadgroup parameters not counted */
  size_t threadgroup_bytes;
  int lanes;          /* of a vector */
  /* a group is MT_ROW_THREADS threads of a row of the grid, whatever the
  ** geometry says (grid_rows.c) */
  bool by_rows;
  bool any_rows; /* whatever mt_Geometry.rows is, the code is the same */
  /* keep_tiles.c: tiles that are kept, and the bytes that one of those takes
  ** in an iteration that depend on the group's x; 0: none does */
  mt_KeptTile tile[MT_TILES];
  int kept;
  uint64_t kept_bytes;
  /* split_sums.c: a loop became so many, each with a few of its sums; 0: none
  ** did */
  int split;
  unsigned split_line; /* of its first product; 0: not known */
  mt_Str *list; /* set before: gets a comment line for each access; or NULL */
  /* with 'list': how many loads and stores have which strategy */
  unsigned accesses[MT_ACCESS_STRATEGIES][2];
} mt_VectorFacts;

/*
** Add to 'module' (prepared; 'kernel->function' names the kernel in it) a
** function of type mt_GroupCode with external linkage and any name. The caller
** optimises and compiles it. MT_UNSUPPORTED: 'err' says in a few words what is
** not supported; 'module' is then to be discarded.
**
** Generated code need not poll mt_Group.stop: a run that has to end (Ctrl-C,
** time limit, a fault on another core) is ended by a signal. Inactive lanes
** must have no effect: they must not access memory or divide by zero (x86
** traps; give inactive lanes a divisor of 1).
**
** A barrier in control flow that is not known to be uniform over the group is
** MT_UNSUPPORTED: run thread by thread, a group whose threads do not all reach
** a barrier is reported.
*/
mt_Status mt_vectorise(mt_Target *target, LLVMModuleRef module,
                       const mt_MslKernel *kernel, const mt_Geometry *geometry,
                       const mt_ProbeLowering *probes,
                       LLVMValueRef *group_function, mt_VectorFacts *facts,
                       mt_Error *err);

/*
** Do the threads of the prepared kernel that diverge before a barrier
** reconverge at it, except for those that return? Then a group goes on without
** threads that have returned; otherwise, or if that cannot be proved, a barrier
** that not all threads reach is an error. Changes nothing.
*/
bool mt_barriers_reconverge(mt_Target *target, LLVMModuleRef module,
                            const mt_MslKernel *kernel,
                            const mt_ProbeLowering *probes);

/* hoist_barriers.c: move barriers out of divergent ifs. False: there are none.
** mt_canonicalise_loops must follow. */
bool mt_hoist_barriers(LLVMValueRef function, const mt_MslKernel *kernel);

/* How deep the logic of a condition is looked into, by branch_uniformity.c and
** sink_guards.c. */
#define MT_CONDITION_DEPTH 4

/* sink_guards.c: compute comparisons of positions beside their branches. */
void mt_sink_guards(LLVMValueRef function);

#endif
