/*
** analyse.h - facts about a kernel that code generation needs.
**
** Input is an mt_Spmd with the kernel's function. Output, kept in it: basic
** blocks and loops in the order of generated code (mt_cfg_build), the shape of
** every part and the divergent branches (mt_shape_analyse), the memory that a
** pointer leads to, the layout of simdgroup matrices. mt_vectorise calls these
** steps in the order of this header. Nothing here changes the kernel, and only
** mt_affine_emit emits code: its rules are those of mt_affine_shape.
**
** A step that fails records why (mt_unsupported) and returns MT_UNSUPPORTED;
** one that runs out of memory does not return (mt_new).
*/
#ifndef MT_HOST_ANALYSE_ANALYSE_H
#define MT_HOST_ANALYSE_ANALYSE_H

#include "devices/compiler/ir/ir.h"
#include "devices/host/vector/vector.h"

/* cfg.c: blocks, dominators, loops, divergent regions */
mt_Status mt_cfg_build(mt_Spmd *s);
bool mt_cfg_dominates(const mt_Spmd *s, int a, int b);
bool mt_cfg_in_loop(const mt_Spmd *s, int block, int loop);
int mt_cfg_header_of(const mt_Spmd *s, int block); /* a loop; -1: of none */
/* Is 'x', or NULL for a constant, computed in the loop? */
bool mt_cfg_computes(const mt_Spmd *s, int loop, const mt_Value *x);
void mt_cfg_diverges(mt_Spmd *s, int block); /* fill in 'side' */
void mt_cfg_finish(mt_Spmd *s);              /* 'split', after the analysis */
/* Do the lanes that its branch splits reconverge before more code runs? */
bool mt_cfg_reconverges(const mt_Spmd *s, const mt_CfgBlock *k);
/* Fill in 'partial' and 'passed' for the divergent branches whose sides
** reconverge ('meeting'), for those whose sides do not ('parting'), or both. */
void mt_cfg_partial(const mt_Spmd *s, mt_MaskedBlocks *m, bool meeting,
                    bool parting);
/* May lanes jump from 'a' to 'b'? Only if no other lanes wait in between. */
bool mt_cfg_can_jump(const mt_Spmd *s, int a, int b);
/* Of a barrier. may_miss: the threads that do not reach it have returned.
** can_wait: and they had nothing to do on their way, so vectors can do it. */
bool mt_cfg_may_miss(const mt_Spmd *s, int block);
bool mt_cfg_can_wait(const mt_Spmd *s, int block);

/* uniformity.c: the shape of every part, and which branches are divergent. Any
** operand has a shape, constants too. */
mt_Status mt_shape_analyse(mt_Spmd *s);
mt_ShapeKind mt_part_kind(mt_Spmd *s, LLVMValueRef v, unsigned part);
const mt_Shape *mt_part_shape(mt_Spmd *s, LLVMValueRef v, unsigned part);

/* uniform_memory.c: does 'pointer' lead into a private array of which all lanes
** share one copy? */
bool mt_is_shared(mt_Spmd *s, LLVMValueRef pointer);

/* Is the result a copy of a part of another value? Then say which. */
bool mt_part_copied(mt_Spmd *s, LLVMValueRef instr, unsigned part,
                    LLVMValueRef *from, unsigned *from_part);

/* affine.c: arithmetic on affine parts. False: the result is not affine. */
bool mt_affine_shape(mt_Spmd *s, LLVMValueRef instr, unsigned part,
                     mt_Shape *out);
/* Emit base and terms; 'vector' is the exact value of an address_only part,
** else NULL. */
void mt_affine_emit(mt_Spmd *s, LLVMValueRef instr, unsigned part,
                    LLVMValueRef vector);

/* fold_number.c: an operation on numbers of 'bits'; for comparisons 'keep' has
** their bits. False: it has no result. And y OP x for x OP y. */
bool mt_fold_number(LLVMOpcode op, unsigned bits, int64_t a, int64_t b,
                    int64_t *out);
bool mt_fold_compare(LLVMIntPredicate p, int64_t a, int64_t b, uint64_t keep);
LLVMIntPredicate mt_swapped_comparison(LLVMIntPredicate p);

/* address_space.c: which memory a pointer leads to */
typedef enum mt_PointerSpace {
  MT_POINTER_DEVICE,
  MT_POINTER_CONSTANT,
  MT_POINTER_THREADGROUP,
  MT_POINTER_PRIVATE,
  MT_POINTER_SHARED, /* private, and all lanes share one copy */
  MT_POINTER_UNKNOWN
} mt_PointerSpace;
mt_PointerSpace mt_address_space(mt_Spmd *s, LLVMValueRef pointer);
/* Does it point to a thread's own memory, shared by the lanes or not? */
bool mt_is_private(mt_Spmd *s, LLVMValueRef pointer);
/* The kernel's argument that it is derived from, or NULL. */
LLVMValueRef mt_root_argument(LLVMValueRef pointer);
/* Are they derived from two objects that do not overlap in this launch:
** variables, or arguments? */
bool mt_no_alias(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b);

/* induction_steps.c: the constant that is added to 'v' per iteration, in bytes
** for a pointer; 0: invariant, or not known. 'known', which says which, may be
** NULL. */
int64_t mt_induction_step(mt_Spmd *s, int loop, LLVMValueRef v, bool *known);
/* mt_trip_count (ir/induction.h) of a loop; 0: not known. */
int64_t mt_loop_trip_count(mt_Spmd *s, int loop);

/* crosslane_call.c: the cross-lane operation that a call is. compiler/ir has
** the table of them, run/crosslane_reference.h defines what each does. */
typedef struct mt_CrosslaneCall {
  mt_CrosslaneOp op;
  const mt_CrosslaneRow *row;
  int width; /* 32, or 4 in a quad */
  mt_CrosslaneType type;
  LLVMValueRef call;
} mt_CrosslaneCall;

/* False: 'name', the function that 'call' calls, is no operation between the
** lanes of a SIMD-group or quad. */
bool mt_crosslane_call(LLVMValueRef call, const char *name,
                       mt_CrosslaneCall *out);
/* The shape of its result. */
mt_ShapeKind mt_crosslane_kind(mt_Spmd *s, LLVMValueRef call, const char *name);

/* matrix_layout.c: which simdgroup matrices are kept row by row
** (mt_Value.rows). */
void mt_matrix_layout_choose(mt_Spmd *s);

/* matrix_pairs.c: and which of these as pairs (mt_Value.partner), if a register
** has room for two rows. Is it a
** product? Can one be computed where another product is, at 'at': is what it
** needs computed before? */
void mt_matrix_pairs_choose(mt_Spmd *s);
static inline bool mt_has_pairs(const mt_Spmd *s) {
  return s->cost->register_bytes >= 64; /* two rows of eight floats */
}
bool mt_is_product(LLVMValueRef v);
bool mt_product_fits(mt_Spmd *s, LLVMValueRef product, LLVMValueRef at);
/* The operand of __mt_matrix_multiply_add that the product is added to. */
#define MT_PRODUCT_SUM 2

#endif
