/*
** access.h - one access of 32 lanes to one part of a value; for access.c,
** private_memory.c and vectorise/atomics.c.
*/
#ifndef MT_HOST_VECTORISE_ACCESS_ACCESS_H
#define MT_HOST_VECTORISE_ACCESS_ACCESS_H

#include "devices/host/vector/vector.h"

typedef struct Access {
  LLVMValueRef instr;   /* that it is for; NULL: a part of a copy */
  LLVMValueRef pointer; /* of the kernel */
  int64_t offset;       /* bytes from it */
  LLVMTypeRef type;     /* scalar */
  unsigned align;
  Space space;
  bool is_volatile;
  LLVMValueRef ahead;   /* bytes to what will be read next; NULL: not known */
} Access;

typedef struct Got {
  LLVMValueRef value; /* a scalar if 'uniform', else a vector */
  bool uniform;
} Got;

Got mt_access_read(Spmd *s, const Access *a);
void mt_access_write(Spmd *s, const Access *a, Got g);

LLVMValueRef mt_byte_offset(Spmd *s, LLVMValueRef p, int64_t offset);
LLVMValueRef mt_gather(Spmd *s, LLVMTypeRef t, LLVMValueRef at, unsigned align);
void mt_scatter(Spmd *s, LLVMValueRef x, LLVMValueRef at, unsigned align);
LLVMValueRef mt_away(Spmd *s, LLVMValueRef at); /* lanes off: to the scratch */
/* Every 'stride'th of what lies at 'at' on, 'count' of them, an even number. */
LLVMValueRef mt_strided_load(Spmd *s, LLVMTypeRef t, LLVMValueRef at, int count,
                             int stride, unsigned align);
/* Neighbours, with a mask as long as the vector; only where the CPU can. */
LLVMValueRef mt_masked_load(Spmd *s, LLVMTypeRef vector, LLVMValueRef at,
                            LLVMValueRef mask, unsigned align);
void mt_masked_store(Spmd *s, LLVMValueRef x, LLVMValueRef at,
                     LLVMValueRef mask, unsigned align);
LLVMValueRef mt_vector_load(Spmd *s, LLVMTypeRef t, LLVMValueRef at,
                            unsigned align);
void mt_vector_store(Spmd *s, LLVMValueRef x, LLVMValueRef at, unsigned align,
                     Space space);

/* prefetch.c: bytes from where 'pointer' is now to where it will be in the next
** round of a loop with barriers; NULL: not known, or nothing to gain. And a
** prefetch that far ahead. */
LLVMValueRef mt_ahead(Spmd *s, LLVMValueRef pointer, int block);
void mt_prefetch(Spmd *s, LLVMValueRef at, LLVMValueRef by, size_t bytes);

/* contiguity_guarded.c: is the address of 'instr' likely to be one of
** neighbours, in runs of so many lanes (0: no)? '*ok' is then an i1 that
** says whether it is, and 'at' has the address of each run. */
#define MT_NEARLY_RUNS 8
int mt_nearly(Spmd *s, LLVMValueRef instr, LLVMValueRef pointer, int64_t size,
              LLVMValueRef *at, LLVMValueRef *ok);

/* contiguity_tested.c: the same, of an address that may turn out to be one
** of neighbours. */
int mt_find_runs(Spmd *s, LLVMValueRef pointer, int64_t size, LLVMValueRef *at,
             LLVMValueRef *ok);

/* Was it made by arithmetic from positions and what is the same for all? */
bool mt_is_worked_out(Spmd *s, LLVMValueRef v);

bool mt_is_sum(LLVMValueRef or); /* an 'or' that adds: no bit is in both */

/* access.c: lanes of this address are neighbours, or near enough that no gather
** is needed. */
bool mt_memory_is_runs(Spmd *s, LLVMValueRef pointer, LLVMTypeRef t);

/* tile_transpose.c: the columns of a tile that the lanes of this address
** are, each in a row of memory; 0: they are not. And its accesses, in the
** full version. */
int mt_turn_columns(Spmd *s, LLVMValueRef pointer, LLVMTypeRef t);
LLVMValueRef mt_turn_load(Spmd *s, const Access *a, int columns);
void mt_turn_store(Spmd *s, const Access *a, LLVMValueRef x, int columns);

/* tile_transpose.c, for others: elements 'from' of 'a' and 'b' (NULL: any);
** one behind the other; 'count' of 'x'; and every 4 x 4 words of four
** vectors, turned over. */
LLVMValueRef mt_shuffled(Spmd *s, LLVMValueRef a, LLVMValueRef b,
                         const int *from, int count);
LLVMValueRef mt_joined(Spmd *s, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef mt_cut(Spmd *s, LLVMValueRef x, int first, int count);
void mt_turn(Spmd *s, LLVMValueRef *x);

/* aos_vectors.c: a load or store of a short vector by each lane, whole.
** False: it has to be done part by part. The first only where all are side
** by side. */
bool mt_piece_near_load(Spmd *s, LLVMValueRef load);
bool mt_piece_load(Spmd *s, LLVMValueRef load);
bool mt_piece_store(Spmd *s, LLVMValueRef store);

/* access.c: what depends on a question at run time. 'yes', the code for one
** answer, comes first, then that for the other; at the end 'no' has the values
** of whichever it was. */
typedef struct Fork {
  LLVMBasicBlockRef no, yes_end, done;
} Fork;
Fork mt_fork(Spmd *s, LLVMValueRef question);
void mt_fork_other(Spmd *s, Fork *f);
void mt_fork_end(Spmd *s, Fork *f, LLVMValueRef *yes, LLVMValueRef *no, int n);

/* Four words from 'offset' bytes behind where each lane's 'load' reads on,
** in the full version: vectors of i32. */
void mt_words_load(Spmd *s, LLVMValueRef load, int64_t offset, unsigned align,
                   LLVMValueRef *word);
/* Four vectors of words to 'offset' bytes behind each lane's 'pointer' on,
** in the full version. */
void mt_words_store(Spmd *s, LLVMValueRef pointer, int64_t offset,
                    unsigned align, LLVMValueRef *word);

/* coalesce_loads.c: is this load one of several whose numbers make a piece?
** Then it is done, by the first of them for all. */
bool mt_fields_load(Spmd *s, LLVMValueRef load);

/* interleaved_stores.c: an address taken apart: a root, some values times
** known numbers, and a known number of bytes. Those with the same place
** differ by the bytes only. */
#define MT_WHERE_TERMS 8
typedef struct Where {
  LLVMValueRef root;
  int terms;
  struct { LLVMValueRef of; int64_t by; } term[MT_WHERE_TERMS];
  int64_t offset;
  bool failed;
} Where;
Where mt_where(Spmd *s, LLVMValueRef pointer);
bool mt_same_place(const Where *a, const Where *b);

/* interleaved_stores.c: does a store write one of several numbers that lie
** side by side? Then the last of them writes all (mt_beside_write), the
** others nothing. */
typedef enum Besides { BESIDE_NONE, BESIDE_EARLIER, BESIDE_LAST } Besides;
Besides mt_beside(Spmd *s, LLVMValueRef store);
void mt_beside_write(Spmd *s, LLVMValueRef store);

/* gather_scatter.c: call mt_rows_in or mt_rows_out (run/transpose.h). */
void mt_rows_call(Spmd *s, const char *name, LLVMValueRef at, int count,
                  int words, LLVMValueRef memory);

/* private_memory.c */
LLVMValueRef mt_private_address(Spmd *s, LLVMValueRef at, bool maybe);
LLVMValueRef mt_private_read(Spmd *s, const Access *a);
void mt_private_write(Spmd *s, const Access *a, LLVMValueRef x);

#endif
