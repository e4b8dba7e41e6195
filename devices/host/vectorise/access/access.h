/*
** access.h - one vector access to one scalar part of a value, and the
** strategies for such accesses; for the files of this folder and
** vectorise/atomics.c.
*/
#ifndef MT_HOST_VECTORISE_ACCESS_ACCESS_H
#define MT_HOST_VECTORISE_ACCESS_ACCESS_H

#include "devices/host/vectorise/emit.h"
#include "devices/host/vectorise/vectorise.h"

/* ---------------------------------------------------------------- the plan */

/* Lanes that are contiguous if a test at run time says so: the lanes of a run
** (0: no such test), and whether scalars are tested (contiguity_guarded.c) or
** the addresses of all lanes (contiguity_tested.c). */
typedef struct mt_RunTest {
  int run;
  bool guarded;
} mt_RunTest;

/* How one scalar part of a load or store is emitted (access.c). */
typedef enum mt_PartForm {
  MT_PART_UNIFORM,    /* a scalar access */
  MT_PART_PRIVATE,    /* private_memory.c */
  MT_PART_CONTIGUOUS, /* one run of lanes, under a mask */
  MT_PART_RUNS,       /* an access for each run of lanes */
  MT_PART_TILE,       /* tile_transpose.c */
  MT_PART_TESTED,     /* contiguous if 'test' holds, else a gather or scatter */
  MT_PART_GATHER      /* or scatter */
} mt_PartForm;

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
  mt_PartForm form;
  mt_AccessStrategy how; /* the same, for a reader */
  mt_PlanReason why;
  mt_RunTest test;
  int columns; /* of a tile */
} mt_PartPlan;

/* How a load or store as a whole is emitted. */
typedef enum mt_AccessForm {
  MT_FORM_PARTS,      /* part by part */
  MT_FORM_AOS_RUNS,   /* short vectors, contiguous in runs of 'run' lanes */
  MT_FORM_AOS_LANES,  /* a short vector of each lane, or contiguous if 'test' */
  MT_FORM_COALESCED,  /* loaded together with others (coalesce_loads.c) */
  MT_FORM_INTERLEAVED, /* stored together with others */
  MT_FORM_ROW_BUFFER
} mt_AccessForm;

/* What was decided for a load or store in one version of the code, before any
** is emitted (plan.c); emission switches on it. */
typedef struct mt_AccessPlan {
  mt_AccessForm form;
  mt_AccessStrategy how; /* of its parts the costliest */
  mt_PlanReason why;
  int run;
  mt_RunTest test;
  mt_PartPlan part[]; /* MT_FORM_PARTS: as many as the value has parts */
} mt_AccessPlan;

/* plan.c: the plan of 'instr' in the version that is generated. */
const mt_AccessPlan *mt_access_plan(mt_Spmd *s, LLVMValueRef instr);

/* The choices, each in the file of its strategy; false or 0: it does not apply.
** They ask for s->full and emit nothing. */
int mt_aos_contiguous_run(mt_Spmd *s, LLVMValueRef instr);
bool mt_aos_choose(mt_Spmd *s, LLVMValueRef instr, mt_AccessPlan *plan);
bool mt_coalesced_choose(mt_Spmd *s, LLVMValueRef load, mt_AccessPlan *plan);

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

/* access.c: part 'part' of a load or store, and its plan. */
mt_LaneAccess mt_access_of(mt_Spmd *s, LLVMValueRef instr, unsigned part);
mt_PartPlan mt_access_choose_part(mt_Spmd *s, const mt_LaneAccess *a,
                                  bool write);
/* contiguity_guarded.c applies to it ('addresses': or contiguity_tested.c). */
mt_RunTest mt_access_choose_test(mt_Spmd *s, const mt_LaneAccess *a,
                                 bool addresses);

mt_LaneValue mt_access_read(mt_Spmd *s, const mt_LaneAccess *a);
void mt_access_write(mt_Spmd *s, const mt_LaneAccess *a, mt_LaneValue g);

LLVMValueRef mt_byte_offset(mt_Spmd *s, LLVMValueRef p, int64_t offset);
LLVMValueRef mt_gather(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                       unsigned align);
void mt_scatter(mt_Spmd *s, LLVMValueRef x, LLVMValueRef at, unsigned align);
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

/* Marks a phi of the header of a loop that fills the slots of a tile; and a
** load from slots that are in no near cache, with the bytes from what it reads
** to what it reads later. */
#define MT_FILLS "mt.fills"
#define MT_READS_SLOTS "mt.reads_slots"

/* prefetch.c: bytes from 'pointer' to its value in the next iteration of the
** enclosing loop with barriers, or some iterations ahead in a long loop
** without; NULL: not known, or no gain. And a prefetch at that distance. */
LLVMValueRef mt_prefetch_distance(mt_Spmd *s, LLVMValueRef pointer, int block);
void mt_prefetch(mt_Spmd *s, LLVMValueRef at, LLVMValueRef by, size_t bytes);
/* What a load that is marked so will read, near 'at'. */
void mt_prefetch_slot(mt_Spmd *s, LLVMValueRef at, LLVMValueRef load);
/* The same after the next barrier. Which loads: they get a place in the frame
** (mt_Value.ahead) from 'at' on; returns the end. Keep the addresses of a
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

/* access.c: the lanes of this address are uniform, contiguous or strided in few
** runs: no gather is needed. */
bool mt_memory_is_runs(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t);

/* tile_transpose.c: the number of columns if the lanes are a tile each column
** of which is contiguous in memory; else 0. Its load and store need all lanes
** active. */
int mt_transposed_columns(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t);
LLVMValueRef mt_transposed_load(mt_Spmd *s, const mt_LaneAccess *a,
                                int columns);
void mt_transposed_store(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef x,
                         int columns);

/* tile_transpose.c, for others: concatenation; 'count' lanes of 'x' from
** 'first' on; and the transpose of every 4 x 4 block of words in four
** vectors. */
LLVMValueRef mt_concat(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef mt_extract_lanes(mt_Spmd *s, LLVMValueRef x, int first, int count);
void mt_transpose_4x4(mt_Spmd *s, LLVMValueRef *x);

/* aos_vectors.c: each lane's short vector (float4) as one access, as planned:
** contiguous in runs of lanes, or any. */
void mt_aos_contiguous_load(mt_Spmd *s, LLVMValueRef load, int run);
void mt_aos_contiguous_store(mt_Spmd *s, LLVMValueRef store, int run);
void mt_aos_load(mt_Spmd *s, LLVMValueRef load, mt_RunTest test);
void mt_aos_store(mt_Spmd *s, LLVMValueRef store, mt_RunTest test);

/* access.c: a branch on a run-time test. Emit the code for 'true' first, then
** mt_runtime_branch_else and the code for 'false'; at the end 'no' has the phis
** of both. */
typedef struct mt_RuntimeBranch {
  LLVMBasicBlockRef no, yes_end, done;
} mt_RuntimeBranch;
mt_RuntimeBranch mt_runtime_branch(mt_Spmd *s, LLVMValueRef question);
void mt_runtime_branch_else(mt_Spmd *s, mt_RuntimeBranch *f);
void mt_runtime_branch_end(mt_Spmd *s, mt_RuntimeBranch *f, LLVMValueRef *yes,
                           LLVMValueRef *no, int n);

/* Load four words of each lane, 'offset' bytes from the address of 'load', with
** all lanes active: four vectors of i32. The test that suits such a load. */
void mt_aos_words_load(mt_Spmd *s, LLVMValueRef load, int64_t offset,
                       unsigned align, mt_RunTest test, LLVMValueRef *word);
mt_RunTest mt_aos_words_test(mt_Spmd *s, LLVMValueRef load);
/* Gather two words of each lane, 'offset' bytes from the address of 'load': two
** vectors of i32. */
void mt_aos_pair_load(mt_Spmd *s, LLVMValueRef load, int64_t offset,
                      LLVMValueRef *word);
/* Store four vectors of words, 'offset' bytes from each lane's 'pointer', with
** all lanes active. */
void mt_aos_words_store(mt_Spmd *s, LLVMValueRef pointer, int64_t offset,
                        unsigned align, LLVMValueRef *word);

/* coalesce_loads.c: a load that is one of several which together cover 16 bytes
** of each lane, or one of two gathered words: the first of them loads for
** all. */
void mt_coalesced_load(mt_Spmd *s, LLVMValueRef load, mt_RunTest test);

/* interleaved_stores.c: an address as root + sum of terms times constants +
** constant offset. Two addresses of the same form differ only in the offset. */
#define MT_FORM_TERMS 8
typedef struct mt_AddressForm {
  LLVMValueRef root;
  int terms;
  struct { LLVMValueRef of; int64_t by; } term[MT_FORM_TERMS];
  int64_t offset;
  bool failed;
} mt_AddressForm;
mt_AddressForm mt_address_form(mt_Spmd *s, LLVMValueRef pointer);
bool mt_same_address_form(const mt_AddressForm *a, const mt_AddressForm *b);

/* interleaved_stores.c: is a store one of a group of interleaved stores that
** together leave no gap? Then the last one in the block writes for all
** (mt_interleaved_store), the earlier ones emit nothing. */
typedef enum mt_InterleavedRole {
  MT_INTERLEAVED_NOT,
  MT_INTERLEAVED_EARLIER,
  MT_INTERLEAVED_LAST
} mt_InterleavedRole;
mt_InterleavedRole mt_interleaved_role(mt_Spmd *s, LLVMValueRef store);
void mt_interleaved_store(mt_Spmd *s, LLVMValueRef store);

/* strategy.c: 'instr' has this strategy in the version that is generated; and a
** report of all. */
void mt_access_note(mt_Spmd *s, LLVMValueRef instr, mt_AccessStrategy how,
                    mt_PlanReason why);
void mt_access_report(mt_Spmd *s, mt_VectorFacts *out);

/* gather_scatter.c: call mt_transpose_in or mt_transpose_out
** (run/transpose.h). */
void mt_transpose_call(mt_Spmd *s, const char *name, LLVMValueRef at, int count,
                       int words, LLVMValueRef memory);

/* private_memory.c: the real address of each lane's private pointer ('maybe':
** other pointers are left alone), and accesses to private memory. */
LLVMValueRef mt_private_address(mt_Spmd *s, LLVMValueRef at, bool maybe);
LLVMValueRef mt_private_read(mt_Spmd *s, const mt_LaneAccess *a);
void mt_private_write(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef x);

#endif
