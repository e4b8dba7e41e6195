/*
** access.h - one vector access to one scalar part of a value, and the
** strategies for such accesses; for the files of this folder and
** vectorise/atomics.c.
*/
#ifndef MT_HOST_VECTORISE_ACCESS_ACCESS_H
#define MT_HOST_VECTORISE_ACCESS_ACCESS_H

#include "devices/host/vector/vector.h"
#include "devices/host/vectorise/vectorise.h"

typedef struct mt_LaneAccess {
  LLVMValueRef instr;   /* the load or store; NULL: part of a memcpy */
  LLVMValueRef pointer; /* the kernel's own, not translated */
  int64_t offset;       /* in bytes from 'pointer' */
  LLVMTypeRef type;     /* scalar */
  unsigned align;
  mt_PointerSpace space;
  bool is_volatile;
  LLVMValueRef ahead;   /* prefetch distance in bytes; NULL: no prefetch */
} mt_LaneAccess;

typedef struct mt_LaneValue {
  LLVMValueRef value; /* a scalar if 'uniform', else a vector */
  bool uniform;
} mt_LaneValue;

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

/* prefetch.c: bytes from 'pointer' to its value in the next iteration of the
** enclosing loop with barriers, or some iterations ahead in a long loop
** without; NULL: not known, or no gain. And a prefetch at that distance. */
LLVMValueRef mt_prefetch_distance(mt_Spmd *s, LLVMValueRef pointer, int block);
void mt_prefetch(mt_Spmd *s, LLVMValueRef at, LLVMValueRef by, size_t bytes);

/* contiguity_guarded.c: if the address of 'instr' is contiguous in runs of so
** many lanes unless something is clamped or wraps, returns the lanes of a run
** (else 0). '*ok' is an i1 that tells at run time; 'at' has the address of each
** run. */
#define MT_CONTIGUOUS_RUNS 8
int mt_contiguity_guarded(mt_Spmd *s, LLVMValueRef instr, LLVMValueRef pointer,
                          int64_t size, LLVMValueRef *at, LLVMValueRef *ok);

/* contiguity_tested.c: the same for an address that is computed by other
** arithmetic; '*ok' compares the addresses of all lanes. */
int mt_contiguity_tested(mt_Spmd *s, LLVMValueRef pointer, int64_t size,
                         LLVMValueRef *at, LLVMValueRef *ok);

/* Is 'v' computed from thread positions and uniform values by integer
** arithmetic, without loads or phis? */
bool mt_is_computed(mt_Spmd *s, LLVMValueRef v);

bool mt_or_is_add(LLVMValueRef or); /* an 'or' of disjoint bits */

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

/* aos_vectors.c: each lane's short vector (float4) as one access. False: access
** it part by part. The first handles only contiguous runs of lanes. */
bool mt_aos_contiguous_load(mt_Spmd *s, LLVMValueRef load);
bool mt_aos_load(mt_Spmd *s, LLVMValueRef load);
bool mt_aos_store(mt_Spmd *s, LLVMValueRef store);

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
** all lanes active: four vectors of i32. */
void mt_aos_words_load(mt_Spmd *s, LLVMValueRef load, int64_t offset,
                       unsigned align, LLVMValueRef *word);
/* Store four vectors of words, 'offset' bytes from each lane's 'pointer', with
** all lanes active. */
void mt_aos_words_store(mt_Spmd *s, LLVMValueRef pointer, int64_t offset,
                        unsigned align, LLVMValueRef *word);

/* coalesce_loads.c: is this load one of several that together cover 16 bytes of
** each lane? Then the first of them loads for all, and true is returned. */
bool mt_coalesced_load(mt_Spmd *s, LLVMValueRef load);

/* interleaved_stores.c: an address as root + sum of terms times constants +
** constant offset. Two addresses of the same form differ only in the offset. */
#define MT_ADDRESS_TERMS 8
typedef struct mt_AddressForm {
  LLVMValueRef root;
  int terms;
  struct { LLVMValueRef of; int64_t by; } term[MT_ADDRESS_TERMS];
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

/* strategy.c: 'instr' (NULL: nothing is noted) gets this strategy in the
** version that is generated; and a report of all notes. */
void mt_access_note(mt_Spmd *s, LLVMValueRef instr, mt_AccessStrategy how);
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
