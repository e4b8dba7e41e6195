/*
** access.h - one vector access to one scalar part of a value: what it can be,
** the choice among these, and the code for it.
**
** Everything is chosen for the version of the code that is planned or generated
** (mt_Spmd.full) and emitted at the position of mt_Spmd.b, for the active lanes
** (mt_Spmd.mask). strategy/ has what is done with a load or store as a whole.
*/
#ifndef MT_HOST_ACCESS_ACCESS_H
#define MT_HOST_ACCESS_ACCESS_H

#include "devices/host/analyse/analyse.h"
#include "devices/host/vector/vector.h"

/* --------------------------------------------------------------- the state */

/* A load that is prefetched after a barrier (prefetch.c): where its next
** address is kept in the frame, 0 if it is not; its runs of lanes, 0 as long as
** they are not known, and the bytes of each. */
typedef struct mt_LoadAhead {
  size_t at;
  int runs;
  size_t bytes;
} mt_LoadAhead;

/* What this room adds to a kernel. */
typedef struct mt_AccessState {
  mt_Spmd head;
  int scattered; /* loads and stores that are no contiguous runs */
  mt_LoadAhead *ahead; /* by value */
} mt_AccessState;
static inline mt_AccessState *mt_access_state(const mt_Spmd *s) {
  return (mt_AccessState *)s;
}
static inline mt_LoadAhead *mt_load_ahead(const mt_Spmd *s, const mt_Value *v) {
  return &mt_access_state(s)->ahead[v - s->value];
}

/* ---------------------------------------------------------------- the plan */

/* What a load or store of all lanes became, for a reader: its words as a load
** and as a store, and what it costs; docs/engine.md explains each. Of several
** parts, and of several regions, the costliest counts: only the order of these
** numbers matters, and between any two is room for another. */
#define MT_ACCESS_TABLE(ROW) \
  ROW(UNIFORM, "uniform", "uniform", 10) \
  ROW(CONTIGUOUS, "contiguous", "contiguous", 20) \
  /* a few contiguous runs of lanes */ \
  ROW(PIECES, "contiguous in pieces", "contiguous in pieces", 30) \
  ROW(STRIDED, "strided", "strided", 40) \
  ROW(INTERLEAVED, "interleaved", "interleaved", 50) \
  /* loads only: a permutation of registers */ \
  ROW(TABLE_LOOKUP, "table in registers", "", 55) \
  ROW(MATRIX, "rows of a simdgroup matrix", "rows of a simdgroup matrix", 60) \
  /* sixteen bytes of each lane at once */ \
  ROW(SHORT_VECTOR, "short vector of each lane", "short vector of each lane", \
      70) \
  ROW(TRANSPOSED, "tile transpose", "tile transpose", 80) \
  ROW(PRIVATE, "private array", "private array", 90) /* one element in all */ \
  ROW(TESTED, "contiguous if a run-time test says so", \
      "contiguous if a run-time test says so", 100) \
  ROW(ROW_BUFFER, "row buffer", "row buffer", 110) \
  /* a gather that brings another load's word along */ \
  ROW(PAIR, "gather of adjacent words", "gather of adjacent words", 120) \
  ROW(GATHER, "gather", "scatter", 130) \
  ROW(INNER_LOOP, "lane by lane in an inner loop", \
      "lane by lane in an inner loop", 140) \
  ROW(ATOMIC, "atomic", "atomic", 150)

typedef enum mt_AccessStrategy {
  MT_ACCESS_NONE, /* not emitted */
#define MT_ACCESS_NUMBER(name, load, store, cost) MT_ACCESS_##name,
  MT_ACCESS_TABLE(MT_ACCESS_NUMBER)
#undef MT_ACCESS_NUMBER
  MT_ACCESS_STRATEGIES
} mt_AccessStrategy;
const char *mt_access_strategy_name(mt_AccessStrategy how, bool store);
int mt_access_cost(mt_AccessStrategy how); /* 0: MT_ACCESS_NONE */

/* Lanes that are contiguous if a test at run time says so: the lanes of a run
** (0: no such test), and whether scalars are tested (contiguity_guarded.c) or
** the addresses of all lanes (contiguity_tested.c). */
typedef struct mt_RunTest {
  int run;
  bool guarded;
} mt_RunTest;

/* Why nothing cheaper was chosen. */
typedef enum mt_PlanReason {
  MT_REASON_NONE,     /* the strategy says it */
  MT_REASON_LOADED,   /* the address depends on something that was loaded */
  MT_REASON_COMPUTED, /* it follows no pattern that is known */
  MT_REASON_APART,    /* the lanes are in too many runs */
  MT_REASON_MASK,     /* under a mask this CPU has nothing better */
  MT_REASONS
} mt_PlanReason;

typedef struct mt_PartPlan {
  const struct mt_PartStrategy *by;
  mt_AccessStrategy how; /* the same, for a reader */
  mt_PlanReason why;
  mt_RunTest test;
  int columns; /* of a tile */
} mt_PartPlan;

/* --------------------------------------------------------------- emission */

typedef struct mt_LaneAccess {
  LLVMValueRef instr;   /* the load or store; NULL: part of a memcpy */
  LLVMValueRef pointer; /* the kernel's own, not translated */
  int64_t offset;       /* in bytes from 'pointer' */
  LLVMTypeRef type;     /* scalar */
  unsigned align;
  mt_PointerSpace space;
  bool is_volatile;
  LLVMValueRef ahead;   /* prefetch distance in bytes; NULL: no prefetch */
  /* NULL, part of a memcpy: chosen where it is emitted */
  const mt_PartPlan *plan;
} mt_LaneAccess;

typedef struct mt_LaneValue {
  LLVMValueRef value; /* a scalar if 'uniform', else a vector */
  bool uniform;
} mt_LaneValue;

/* A way to access one scalar part: a row of the ordered table in access.c, and
** a file. */
typedef struct mt_PartStrategy {
  /* Does it apply? Then set plan->how, and what the other two need. Emits
  ** nothing, and asks for s->full. */
  bool (*choose)(mt_Spmd *s, const mt_LaneAccess *a, bool write,
                 mt_PartPlan *plan);
  mt_LaneValue (*read)(mt_Spmd *s, const mt_LaneAccess *a,
                       const mt_PartPlan *plan);
  void (*write)(mt_Spmd *s, const mt_LaneAccess *a, const mt_PartPlan *plan,
                mt_LaneValue g);
} mt_PartStrategy;
/* gather_scatter.c: the last row, which always applies. */
extern const mt_PartStrategy mt_part_gather;

/* access.c: part 'part' of a load or store, and its plan. */
mt_LaneAccess mt_access_of(mt_Spmd *s, LLVMValueRef instr, unsigned part);
mt_PartPlan mt_access_choose_part(mt_Spmd *s, const mt_LaneAccess *a,
                                  bool write);
/* contiguity_guarded.c applies to it ('addresses': or contiguity_tested.c). */
mt_RunTest mt_access_choose_test(mt_Spmd *s, const mt_LaneAccess *a,
                                 bool addresses);

mt_LaneValue mt_access_read(mt_Spmd *s, const mt_LaneAccess *a);
void mt_access_write(mt_Spmd *s, const mt_LaneAccess *a, mt_LaneValue g);

/* Scattered accesses of a kernel (mt_AccessState), from which on they are
** calls: inlined, they would take seconds to compile. */
#define MT_MAX_SCATTERED_INLINE 16

LLVMValueRef mt_byte_offset(mt_Spmd *s, LLVMValueRef p, int64_t offset);
LLVMValueRef mt_gather(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                       unsigned align);
void mt_scatter(mt_Spmd *s, LLVMValueRef x, LLVMValueRef at, unsigned align);
/* Load from the addresses of all lanes, inactive ones included: all must be
** valid. */
LLVMValueRef mt_gather_all(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at);
/* The addresses, with inactive lanes redirected to the scratch address. */
LLVMValueRef mt_redirect_inactive(mt_Spmd *s, LLVMValueRef at);
/* Load 'count' (even) elements that are 'stride' elements apart, from 'at'
** on. */
LLVMValueRef mt_strided_load(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                             int count, int stride, unsigned align);
/* Contiguous, with a mask as long as the vector; only where the CPU has masked
** accesses. */
LLVMValueRef mt_masked_load(mt_Spmd *s, LLVMTypeRef vector, LLVMValueRef at,
                            LLVMValueRef mask, unsigned align);
void mt_masked_store(mt_Spmd *s, LLVMValueRef x, LLVMValueRef at,
                     LLVMValueRef mask, unsigned align);
LLVMValueRef mt_vector_load(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                            unsigned align);
void mt_vector_store(mt_Spmd *s, LLVMValueRef x, LLVMValueRef at,
                     unsigned align, mt_PointerSpace space);

/* prefetch.c: bytes from 'pointer' to its value in the next iteration of the
** enclosing loop with barriers, or some iterations ahead in a long loop
** without; NULL: not known, or no gain. And a prefetch at that distance. */
LLVMValueRef mt_prefetch_distance(mt_Spmd *s, LLVMValueRef pointer, int block);
void mt_prefetch(mt_Spmd *s, LLVMValueRef at, LLVMValueRef by, size_t bytes);
/* What a load that is marked so will read, near 'at'. */
void mt_prefetch_slot(mt_Spmd *s, LLVMValueRef at, LLVMValueRef load);
/* The same after the next barrier. Which loads: they get a place in the frame
** (mt_LoadAhead) from 'at' on; returns the end. Keep the addresses of a
** load's runs of lanes, which are taken to be equally far apart; false: this
** cannot be done. And prefetch what other regions kept. */
size_t mt_prefetch_places(mt_Spmd *s, size_t at);
bool mt_prefetch_later(mt_Spmd *s, LLVMValueRef load, LLVMValueRef *at,
                       int runs, LLVMValueRef by, size_t bytes);
void mt_prefetch_now(mt_Spmd *s);

/* How many barriers a loop has. */
int mt_barriers_in(const mt_Spmd *s, int loop);

/* contiguity_guarded.c: the address of 'instr' is contiguous in runs of so many
** lanes, unless something is clamped or wraps; 0: it is not. And an i1 that
** tells at run time; 'at' gets the address of each run. */
#define MT_CONTIGUOUS_RUNS 8
int mt_guarded_run(mt_Spmd *s, LLVMValueRef instr, LLVMValueRef pointer,
                   int64_t size);
LLVMValueRef mt_guarded_test(mt_Spmd *s, LLVMValueRef instr,
                             LLVMValueRef pointer, int64_t size, int run,
                             LLVMValueRef *at);

/* contiguity_tested.c: the same for an address that is computed by other
** arithmetic; the test compares the addresses of all lanes. */
int mt_tested_run(mt_Spmd *s, LLVMValueRef pointer);
LLVMValueRef mt_tested_test(mt_Spmd *s, LLVMValueRef pointer, int64_t size,
                            int run, LLVMValueRef *at);
/* Whichever of them 'test' is. */
LLVMValueRef mt_run_test(mt_Spmd *s, LLVMValueRef instr, LLVMValueRef pointer,
                         int64_t size, mt_RunTest test, LLVMValueRef *at);

/* Is 'v' computed from thread positions and uniform values by integer
** arithmetic, without loads or phis? */
bool mt_is_computed(mt_Spmd *s, LLVMValueRef v);
/* Does it depend, within a few steps, on something varying that was loaded? */
bool mt_is_from_memory(mt_Spmd *s, LLVMValueRef v);

/* availability.c: is 'v', an operand of some value used in 'block', available
** there itself? After a barrier only the values that code there uses directly
** are kept. */
bool mt_is_available(mt_Spmd *s, LLVMValueRef v, int block);

/* runs.c: the lanes of this address are uniform, contiguous or strided in few
** runs: no gather is needed. */
bool mt_memory_is_runs(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t);
/* Or they are in more runs than are accessed one by one, without what lies
** between the elements. */
bool mt_memory_is_scattered(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t);

/* tile_transpose.c: the number of columns if the lanes are a tile each column
** of which is contiguous in memory; else 0. */
int mt_transposed_columns(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t);

/* tile_transpose.c, for others: concatenation; 'count' lanes of 'x' from
** 'first' on; and the transpose of every 4 x 4 block of words in four
** vectors. */
LLVMValueRef mt_concat(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef mt_extract_lanes(mt_Spmd *s, LLVMValueRef x, int first, int count);
void mt_transpose_4x4(mt_Spmd *s, LLVMValueRef *x);

/* run_test.c: a branch on a run-time test. Emit the code for 'true' first, then
** mt_runtime_branch_else and the code for 'false'; at the end 'no' has the phis
** of both. */
typedef struct mt_RuntimeBranch {
  LLVMBasicBlockRef no, yes_end, done;
} mt_RuntimeBranch;
mt_RuntimeBranch mt_runtime_branch(mt_Spmd *s, LLVMValueRef question);
void mt_runtime_branch_else(mt_Spmd *s, mt_RuntimeBranch *f);
void mt_runtime_branch_end(mt_Spmd *s, mt_RuntimeBranch *f, LLVMValueRef *yes,
                           LLVMValueRef *no, int n);

/* gather_scatter.c: call mt_transpose_in or mt_transpose_out
** (run/transpose.h). */
void mt_transpose_call(mt_Spmd *s, const char *name, LLVMValueRef at, int count,
                       LLVMValueRef words, LLVMValueRef memory);

/* private_memory.c: its place in private memory. */
void mt_memory_alloca(mt_Spmd *s, LLVMValueRef instr);
/* access.c: the real address of each lane, private memory translated. */
LLVMValueRef mt_memory_lanes(mt_Spmd *s, LLVMValueRef pointer,
                             mt_PointerSpace space);
/* private_memory.c: the real address of each lane's private pointer ('maybe':
** other pointers are left alone). */
LLVMValueRef mt_private_address(mt_Spmd *s, LLVMValueRef at, bool maybe);

#endif
