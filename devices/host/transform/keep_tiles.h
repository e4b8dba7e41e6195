/*
** keep_tiles.h - a loop with barriers that fills tiles in threadgroup memory
** and then reads them: what other files find out about it, and keep_tiles.c
** changes.
*/
#ifndef MT_HOST_TRANSFORM_KEEP_TILES_H
#define MT_HOST_TRANSFORM_KEEP_TILES_H

#include "devices/host/analyse/analyse.h"
#include "devices/host/transform/copy_blocks.h"
#include "devices/host/transform/transform.h"

/* The coordinates of a threadgroup that something depends on: bits 0 to 2 for
** x, y and z. It may depend on a thread's place in the group, too; or on more
** than all of these. */
#define MT_KEY_GROUP 7u
#define MT_KEY_PLACE 8u
#define MT_KEY_ANY 16u

typedef struct mt_TileLoop {
  mt_Spmd *s;
  int loop;
  int wait; /* the block that ends with the first barrier of an iteration */
  const bool *written; /* by parameter: the kernel may write to it */
  uint8_t *key; /* by value: 2 + its key; 1: being computed; 0: not known */
} mt_TileLoop;

/* tile_effects.c: what an instruction does to memory that threads share; 'at':
** the operand that is the address. And the parameters that are written to. */
typedef enum mt_Effect {
  MT_DOES_NOTHING,
  MT_READS,
  MT_WRITES,
  MT_DOES_ANYTHING
} mt_Effect;
mt_Effect mt_tile_effect(LLVMValueRef v, unsigned *at);
bool *mt_tile_written(mt_Spmd *s);

/* tile_keys.c. The key of a value: if it is the same for two threadgroups, the
** thread that has the same place in both has the same value in the same
** iteration. */
unsigned mt_tile_key(mt_TileLoop *w, LLVMValueRef v);

/* Is 'v' the same in all iterations? In the n-th one of an inner loop it need
** only be the same as in the n-th one of the last time. */
bool mt_tile_invariant(const mt_TileLoop *w, LLVMValueRef v, int depth);

/* Is the code of 'block' in each iteration run by the same threads? */
bool mt_tile_always_by_the_same(const mt_TileLoop *w, int block);

/* Does control flow lead from one block to the other, in one iteration? */
bool mt_tile_leads(const mt_TileLoop *w, int from, int to);

/* tile_range.c: the bytes of a variable, of 'size' bytes, that a load or store
** may touch; 'at': the operand that is its address. */
typedef struct mt_TileRange {
  uint64_t from, to;
} mt_TileRange;
mt_TileRange mt_tile_range(const mt_TileLoop *w, LLVMValueRef access,
                           unsigned at, uint64_t size);

/* Is 'block' in the loop, and before the first barrier? */
static inline bool mt_tile_is_before(const mt_TileLoop *w, int block) {
  return mt_cfg_in_loop(w->s, block, w->loop) &&
         (block == w->wait || !mt_cfg_dominates(w->s, w->wait, block));
}
/* Or after it? */
static inline bool mt_tile_is_after(const mt_TileLoop *w, int block) {
  return block != w->wait && mt_cfg_in_loop(w->s, block, w->loop) &&
         mt_cfg_dominates(w->s, w->wait, block);
}

#define MT_MAX_PHIS 64
#define MT_MAX_UNROLLED 128 /* instructions */

/* A tile that gets slots. */
typedef struct mt_SlotTile {
  LLVMValueRef variable, slots;
  mt_TileRange range; /* of the variable: it may be several tiles */
  uint64_t base;      /* where a slot starts in it */
  int64_t size;       /* from slot to slot */
  unsigned key;
  bool read_later;    /* after the loop */
  LLVMValueRef start; /* an i64: from 'slots' to the slot of iteration 0 */
} mt_SlotTile;


/* The loop, while it is changed. */
typedef struct mt_KeptLoop {
  mt_TileLoop w;
  mt_SlotTile tile[MT_TILES];
  int tiles;
  LLVMBasicBlockRef preheader, header, latch, exit;
  LLVMBasicBlockRef turn; /* after the change: the header is entered from it */
  bool matrices; /* some of its phis are; and its barriers stay, therefore */
  bool waits;
  LLVMValueRef condition; /* of the latch's branch */
  bool stays;             /* where that is true */
  /* of the header; and at the start of a piece */
  LLVMValueRef phi[MT_MAX_PHIS], piece[MT_MAX_PHIS];
  int phis;
  mt_Copies c;
  LLVMValueRef barrier; /* to be copied; in no block */
} mt_KeptLoop;


/* keep_tiles.c: the tile that an access of the loop is to, before the loop is
** changed; NULL: none. Does 'pointer' lead into a variable that has tiles? */
mt_SlotTile *mt_slot_tile(mt_KeptLoop *k, LLVMValueRef access, unsigned at);
bool mt_is_slot_tile(const mt_KeptLoop *k, LLVMValueRef pointer);
/* A phi of the header that is known without the rest of the loop. */
bool mt_is_stepped(mt_KeptLoop *k, LLVMValueRef phi, mt_Induction *out);

/* tile_slots.c: change the loop. */
void mt_use_slots(mt_KeptLoop *k);
/* A block with the builder at its end. */
LLVMBasicBlockRef mt_append_block(mt_KeptLoop *k, const char *name);

/* unroll_steps.c: after that, unroll its inner loops. */
void mt_unroll_inner(mt_KeptLoop *k);

/* split_sums.c. Can the matrices that the loop adds up be divided among copies
** of it, each with its sums in registers? Do it: the loop has no effects, and
** is entered from the block 'from'. 'parks': while another copy runs, and at
** the barrier before all of them, sums are in the frame. */
bool mt_can_split_sums(mt_Spmd *s, LLVMBasicBlockRef header);
void mt_split_sums(mt_Spmd *s, LLVMBasicBlockRef header,
                   LLVMBasicBlockRef from, bool parks,
                   mt_TransformFacts *facts);

/* drop_code.c: instructions of a block without a use; the same in several
** blocks, and branches around what is empty then, where blocks that are not
** reached any more become NULL. */
void mt_drop_dead(LLVMBasicBlockRef b);
void mt_drop_detours(mt_Spmd *s, LLVMBasicBlockRef *block, int n);
/* End 'b' with a branch to 'to', in place of what it ends with. */
void mt_branch_to(mt_Spmd *s, LLVMBasicBlockRef b, LLVMBasicBlockRef to);
/* Does 'b' write, or is something of it used outside these blocks? Delete
** them all; 'other': any block that is not among them, without phis. */
bool mt_is_used_outside(LLVMBasicBlockRef b, LLVMBasicBlockRef *block, int n);
void mt_drop_blocks(LLVMBasicBlockRef *block, int n, LLVMBasicBlockRef other);

#endif
