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

#include "base/pass.h"
#include "base/status.h"
#include "base/str.h"
#include "devices/compiler/target/target.h"
#include "devices/host/abi/abi.h"
#include "devices/host/strategy/strategy.h"
#include "devices/host/transform/transform.h"
#include "msl/msl.h"

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
  mt_TransformFacts loops; /* what became of them */
  mt_Str *list; /* set before: gets a comment line for each access; or NULL */
  /* set before: barriers leave divergent ifs first. MT_UNSUPPORTED: none can */
  bool hoisting;
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

/* The rows of mt_vectorise: the table of passes.c, and what they work on. */
typedef enum mt_VectoriseMode {
  MT_VECTORISE_INSTRUMENTED = 1, /* 'probes' is not NULL */
  MT_VECTORISE_HOISTING = 2      /* mt_VectorFacts.hoisting */
} mt_VectoriseMode;

typedef enum mt_VectoriseForm {
  MT_FORM_FACTS = 1,
  MT_FORM_WIDTH = 2,
  MT_FORM_GROUPS = 4
} mt_VectoriseForm;

typedef struct mt_VectoriseUnit {
  mt_PassState state;
  mt_Target *target;
  LLVMModuleRef module;
  const mt_MslKernel *kernel;
  const mt_Geometry *geometry;
  const mt_ProbeLowering *probes;
  struct mt_Spmd *s; /* from MT_FORM_FACTS on; mt_vectorise_analyse_free */
  LLVMValueRef group_function; /* after the last row */
  mt_VectorFacts *facts;
} mt_VectoriseUnit;

extern const mt_PassTable mt_vectorise_passes;

/*
** The facts that mt_vectorise has about a kernel before it decides anything
** (analyse/analyse.h), for vectors of a SIMD-group; NULL: out of memory. Its
** status says whether there are vectors. 'geometry' must outlive it.
*/
struct mt_Spmd *mt_vectorise_analyse(mt_Target *target, LLVMModuleRef module,
                                     const mt_MslKernel *kernel,
                                     const mt_Geometry *geometry,
                                     mt_Error *err);
void mt_vectorise_analyse_free(struct mt_Spmd *s); /* NULL ok */

/*
** Do the threads of the prepared kernel that diverge before a barrier
** reconverge at it, except for those that return? Then a group goes on without
** threads that have returned; otherwise, or if that cannot be proved, a barrier
** that not all threads reach is an error. Changes nothing.
*/
bool mt_barriers_reconverge(mt_Target *target, LLVMModuleRef module,
                            const mt_MslKernel *kernel,
                            const mt_ProbeLowering *probes);

#endif
