/*
** access.h - one access of 32 lanes to one part of a value; for access.c,
** private_memory.c and vectorise/atomics.c.
*/
#ifndef MT_HOST_VECTORISE_ACCESS_ACCESS_H
#define MT_HOST_VECTORISE_ACCESS_ACCESS_H

#include "devices/host/vector/vector.h"

typedef struct mt_LaneAccess {
  LLVMValueRef instr;   /* that it is for; NULL: a part of a copy */
  LLVMValueRef pointer; /* of the kernel */
  int64_t offset;       /* bytes from it */
  LLVMTypeRef type;     /* scalar */
  unsigned align;
  mt_PointerSpace space;
  bool is_volatile;
  LLVMValueRef ahead;   /* bytes to what will be read next; NULL: not known */
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
/* lanes off: to the scratch */
LLVMValueRef mt_redirect_inactive(mt_Spmd *s, LLVMValueRef at);
/* Every 'stride'th of what lies at 'at' on, 'count' of them, an even number. */
LLVMValueRef mt_strided_load(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                             int count, int stride, unsigned align);
/* Neighbours, with a mask as long as the vector; only where the CPU can. */
LLVMValueRef mt_masked_load(mt_Spmd *s, LLVMTypeRef vector, LLVMValueRef at,
                            LLVMValueRef mask, unsigned align);
void mt_masked_store(mt_Spmd *s, LLVMValueRef x, LLVMValueRef at,
                     LLVMValueRef mask, unsigned align);
LLVMValueRef mt_vector_load(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                            unsigned align);
void mt_vector_store(mt_Spmd *s, LLVMValueRef x, LLVMValueRef at,
                     unsigned align, mt_PointerSpace space);

/* prefetch.c: bytes from where 'pointer' is now to where it will be in the next
** round of a loop with barriers; NULL: not known, or nothing to gain. And a
** prefetch that far ahead. */
LLVMValueRef mt_prefetch_distance(mt_Spmd *s, LLVMValueRef pointer, int block);
void mt_prefetch(mt_Spmd *s, LLVMValueRef at, LLVMValueRef by, size_t bytes);

/* contiguity_guarded.c: is the address of 'instr' likely to be one of
** neighbours, in runs of so many lanes (0: no)? '*ok' is then an i1 that
** says whether it is, and 'at' has the address of each run. */
#define MT_CONTIGUOUS_RUNS 8
int mt_contiguity_guarded(mt_Spmd *s, LLVMValueRef instr, LLVMValueRef pointer,
                          int64_t size, LLVMValueRef *at, LLVMValueRef *ok);

/* contiguity_tested.c: the same, of an address that may turn out to be one
** of neighbours. */
int mt_contiguity_tested(mt_Spmd *s, LLVMValueRef pointer, int64_t size,
                         LLVMValueRef *at, LLVMValueRef *ok);

/* Was it made by arithmetic from positions and what is the same for all? */
bool mt_is_computed(mt_Spmd *s, LLVMValueRef v);

bool mt_or_is_add(LLVMValueRef or); /* an 'or' that adds: no bit is in both */

/* access.c: lanes of this address are neighbours, or near enough that no gather
** is needed. */
bool mt_memory_is_runs(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t);

/* tile_transpose.c: the columns of a tile that the lanes of this address
** are, each in a row of memory; 0: they are not. And its accesses, in the
** full version. */
int mt_transposed_columns(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t);
LLVMValueRef mt_transposed_load(mt_Spmd *s, const mt_LaneAccess *a,
                                int columns);
void mt_transposed_store(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef x,
                         int columns);

/* tile_transpose.c, for others: elements 'from' of 'a' and 'b' (NULL: any);
** one behind the other; 'count' of 'x'; and every 4 x 4 words of four
** vectors, turned over. */
LLVMValueRef mt_shuffle_two(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b,
                            const int *from, int count);
LLVMValueRef mt_concat(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef mt_extract_lanes(mt_Spmd *s, LLVMValueRef x, int first, int count);
void mt_transpose_4x4(mt_Spmd *s, LLVMValueRef *x);

/* aos_vectors.c: a load or store of a short vector by each lane, whole.
** False: it has to be done part by part. The first only where all are side
** by side. */
bool mt_aos_contiguous_load(mt_Spmd *s, LLVMValueRef load);
bool mt_aos_load(mt_Spmd *s, LLVMValueRef load);
bool mt_aos_store(mt_Spmd *s, LLVMValueRef store);

/* access.c: what depends on a question at run time. 'yes', the code for one
** answer, comes first, then that for the other; at the end 'no' has the values
** of whichever it was. */
typedef struct mt_RuntimeBranch {
  LLVMBasicBlockRef no, yes_end, done;
} mt_RuntimeBranch;
mt_RuntimeBranch mt_runtime_branch(mt_Spmd *s, LLVMValueRef question);
void mt_runtime_branch_else(mt_Spmd *s, mt_RuntimeBranch *f);
void mt_runtime_branch_end(mt_Spmd *s, mt_RuntimeBranch *f, LLVMValueRef *yes,
                           LLVMValueRef *no, int n);

/* Four words from 'offset' bytes behind where each lane's 'load' reads on,
** in the full version: vectors of i32. */
void mt_aos_words_load(mt_Spmd *s, LLVMValueRef load, int64_t offset,
                       unsigned align, LLVMValueRef *word);
/* Four vectors of words to 'offset' bytes behind each lane's 'pointer' on,
** in the full version. */
void mt_aos_words_store(mt_Spmd *s, LLVMValueRef pointer, int64_t offset,
                        unsigned align, LLVMValueRef *word);

/* coalesce_loads.c: is this load one of several whose numbers make a piece?
** Then it is done, by the first of them for all. */
bool mt_coalesced_load(mt_Spmd *s, LLVMValueRef load);

/* interleaved_stores.c: an address taken apart: a root, some values times
** known numbers, and a known number of bytes. Those with the same place
** differ by the bytes only. */
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

/* interleaved_stores.c: does a store write one of several numbers that lie
** side by side? Then the last of them writes all (mt_interleaved_store), the
** others nothing. */
typedef enum mt_InterleavedRole {
  MT_INTERLEAVED_NOT,
  MT_INTERLEAVED_EARLIER,
  MT_INTERLEAVED_LAST
} mt_InterleavedRole;
mt_InterleavedRole mt_interleaved_role(mt_Spmd *s, LLVMValueRef store);
void mt_interleaved_store(mt_Spmd *s, LLVMValueRef store);

/* gather_scatter.c: call mt_transpose_in or mt_transpose_out
** (run/transpose.h). */
void mt_transpose_call(mt_Spmd *s, const char *name, LLVMValueRef at, int count,
                       int words, LLVMValueRef memory);

/* private_memory.c */
LLVMValueRef mt_private_address(mt_Spmd *s, LLVMValueRef at, bool maybe);
LLVMValueRef mt_private_read(mt_Spmd *s, const mt_LaneAccess *a);
void mt_private_write(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef x);

#endif
