/*
** transform.h - a kernel's IR, rewritten before it becomes vectors.
**
** Input is a prepared function (prepare/prepare.h), for the two large ones,
** mt_keep_tiles and mt_split_all_sums, with its facts (analyse/analyse.h);
** output is the same function, changed. A kernel that was changed has to be
** analysed again. What is to be known of a change later is a mark at the
** instruction (mt_mark), or in mt_TransformFacts.
*/
#ifndef MT_HOST_TRANSFORM_TRANSFORM_H
#define MT_HOST_TRANSFORM_TRANSFORM_H

#include "devices/host/analyse/analyse.h"

/* A tile that threadgroups keep for each other. */
typedef struct mt_KeptTile {
  unsigned line; /* of its first store; 0: not known */
  unsigned key;  /* a bit for each coordinate in which they must agree */
} mt_KeptTile;

/* What became of the kernel's loops. */
typedef struct mt_TransformFacts {
  /* keep_tiles.c: tiles that are kept, and the bytes that one of those takes
  ** in an iteration that depend on the group's x; 0: none does */
  mt_KeptTile tile[MT_TILES];
  int kept;
  uint64_t kept_bytes;
  /* split_sums.c: a loop became so many, each with a few of its sums; 0: none
  ** did */
  int split;
  unsigned split_line; /* of its first product; 0: not known */
} mt_TransformFacts;

/* hoist_barriers.c: move barriers out of divergent ifs. False: there are none.
** mt_canonicalise_loops must follow. */
bool mt_hoist_barriers(LLVMValueRef function, const mt_MslKernel *kernel);

/* order_products.c: products with the same sums one after the other. And may
** an instruction write to memory that matrices are loaded from? */
void mt_order_products(LLVMValueRef function);
bool mt_may_write(LLVMValueRef i);

/* sink_guards.c: compute comparisons of positions beside their branches. */
void mt_sink_guards(LLVMValueRef function);
/* How deep the logic of a condition is looked into, here and where its branch
** is planned. */
#define MT_CONDITION_DEPTH 4

/* keep_tiles.c: fill the tiles of all iterations of a loop at once, unless they
** are kept from the last threadgroup. True: the kernel was changed; 'facts' has
** the tiles. */
bool mt_keep_tiles(mt_Spmd *s, mt_TransformFacts *facts);

/* Marks a phi of the header of a loop that fills the slots of a tile; and a
** load from slots that are in no near cache, with the bytes from what it reads
** to what it reads later. */
#define MT_FILLS "mt.fills"
#define MT_READS_SLOTS "mt.reads_slots"

/* split_sums.c: the same for loops that add up more matrices than there are
** registers. */
bool mt_split_all_sums(mt_Spmd *s, mt_TransformFacts *facts);

/* Products that are computed at a time, two pairs of eight registers. */
#define MT_PRODUCTS 4

/* Rows of a matrix, from an even number to before another. */
typedef struct mt_Rows {
  int from, to;
} mt_Rows;
/* The rows of its result that a product computes: it leaves the others as they
** are in the sum. True: it is in a loop that was split. */
bool mt_product_rows(LLVMValueRef product, mt_Rows *out);
/* The number of a sum of which a part, two rows of a pair, is parked; 0: it is
** not. What a loop does not compute of its sums is, too. Values with the same
** number are the same sum one after the other. */
int mt_parked_sum(const mt_Value *v, unsigned part);

#endif
