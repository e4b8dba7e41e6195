/*
** vector.h - values of 32 lanes, and the state of the vectoriser.
**
** A kernel is written for one thread; the code made from it runs a SIMD-group
** of 32. Every SSA value of the kernel is split into its parts (a float4 has
** four), and every part has a shape, which says how it differs from lane to
** lane and so how it is represented:
**
**   uniform   the same in all lanes: one scalar
**   affine    base + offset[lane] + factor[0][lane] * term[0] + …, where base
**             and terms are scalars; offsets and factors are compile-time
**             constants
**   varying   anything: a vector with one element a lane
**
** Affine covers a thread's position (base + lane), the positions in a group 16
** wide (base + lane % 16, base + lane / 16), and addresses made from them
** (… + (lane / 16) * K). Affine addresses become plain vector loads
** and stores, one for each run of lanes that is contiguous.
**
** mt_Spmd is the state of one kernel on its way: analyse/ fills in the facts
** about it, the rooms above decide and emit. This room has the values
** themselves: shapes, parts, masks, shuffles, positions.
*/
#ifndef MT_HOST_VECTOR_VECTOR_H
#define MT_HOST_VECTOR_VECTOR_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/target/target.h"
#include "devices/host/abi/abi.h"
#include "msl/msl.h"

/* of a vector that several SIMD-groups share */
#define MT_MAX_LANES 256
/* most of an affine part; a part that needs more is varying */
#define MT_MAX_TERMS 32
/* the same where a vector is one SIMD-group: beyond, a vector is cheaper */
#define MT_FEW_TERMS 8

/* ------------------------------------------------------------------ shapes */

typedef enum mt_ShapeKind {
  MT_SHAPE_TOP,
  MT_SHAPE_UNIFORM,
  MT_SHAPE_AFFINE,
  MT_SHAPE_VARYING
} mt_ShapeKind;

/* Only an affine part's shape is allocated with the two arrays: they are large,
** and few parts are affine. */
typedef struct mt_Shape {
  mt_ShapeKind kind; /* TOP: not reached by the analysis yet */
  /* An affine integer that was widened is valid as an address only
  ** (analyse/affine.c says why): its exact vector is kept with it. */
  bool address_only;
  bool constant;  /* affine, base 0, no terms: known in every lane */
  unsigned terms;
  uint64_t align; /* the base is a multiple of this power of two */
  int64_t offset[MT_MAX_LANES];
  int64_t factor[MT_MAX_TERMS][MT_MAX_LANES];
} mt_Shape;
#define MT_ALIGN_BITS 32 /* largest exponent of 'align' */
#define MT_SHAPE_HEAD offsetof(mt_Shape, offset) /* bytes without the arrays */

/* Are lanes a and b of one class: is the distance between their values known at
** compile time (that of their offsets), whatever the terms are? */
static inline bool mt_same_class(const mt_Shape *h, int a, int b) {
  for (unsigned t = 0; t < h->terms; t++)
    if (h->factor[t][a] != h->factor[t][b]) return false;
  return true;
}

/* One part of a value, in the analysis and in generated code. */
typedef struct mt_Part {
  mt_Shape *shape;
  LLVMTypeRef type;       /* scalar */
  /* In the block being generated; valid if 'made' is the block's number: */
  unsigned made;
  LLVMValueRef base; /* uniform: the scalar; affine: the base */
  LLVMValueRef term[MT_MAX_TERMS];
  LLVMValueRef vector; /* varying, address_only, or made on demand */
  /* Stack slots that carry it to other blocks; LLVM promotes them to SSA. */
  LLVMValueRef slot_base, slot_term[MT_MAX_TERMS], slot_vector;
  /* the slot is its place in the frame: it is read where it is used, and
  ** written where it is known */
  bool in_frame;
} mt_Part;

typedef struct mt_Value {
  LLVMValueRef of;   /* instruction or argument of the kernel */
  int block;         /* that defines it; -1: argument */
  bool crosses;      /* used in another block */
  /* a simdgroup matrix kept row by row (analyse/matrix_layout.c) */
  bool rows;
  /* such a matrix, a sum of products, whose rows are kept beside those of
  ** another one (analyse/matrix_pairs.c): the vectors of the first of the two
  ** are rows 0 to 3 of both, those of the second rows 4 to 7 */
  struct mt_Value *partner;
  bool second;
  /* cheap and made of arguments only: recomputed, not spilled */
  bool rematerialise;
  unsigned parts;
  mt_Part *part;
  /* address space of a pointer (analyse/address_space.c); -1: not known yet,
  ** -2: being traced */
  int space;
  size_t place;      /* of an alloca: offset in a thread's private memory */
  /* of an alloca: all lanes share one copy (analyse/uniform_memory.c); it is
  ** at 'place' of the shared bytes, and here in the region being generated */
  bool shared;
  LLVMValueRef memory;
  size_t spill;      /* offset in a SIMD-group's spill area */
  bool spilled;
} mt_Value;

/* ------------------------------------------------------------------ blocks */

/* A basic block, or the part of one up to a barrier. */
typedef struct mt_CfgBlock {
  LLVMBasicBlockRef of;
  /* instructions; 'end' is one past the last, or NULL */
  LLVMValueRef first, end;
  bool barrier;             /* ends with a threadgroup barrier */
  bool trivial;             /* empty: returns, or jumps on */
  int succ[2], succs;
  int *pred, preds;
  LLVMValueRef condition;   /* of the branch, if there are two successors */
  int loop;                 /* innermost, or -1 */
  int dominator, postdominator; /* -1: none; 'blocks': the function's exit */
  /* preorder number in the dominator tree, and the size of its subtree */
  int entered, dominates;
  /* the block where its phis are reset as not computed yet; -1: none */
  int fresh;
  int place;                /* position in the order of generated code */
  bool divergent;           /* its branch can split the lanes */
  /* then: scalars can tell that none, or that all lanes take its first side */
  bool tested[2];
  /* lanes that a divergent branch split are together again here */
  bool reconverges;
  /* divergent: blocks of each side, up to the reconvergence point */
  uint64_t *side[2];
  /* blocks where other lanes may be waiting meanwhile */
  uint64_t *split;
  uint64_t *live;           /* values that are live at its start */
} mt_CfgBlock;

typedef struct mt_CfgLoop {
  int header, parent; /* parent: -1 for none */
  int last;           /* place of its last block; its header has the first */
  bool divergent;     /* lanes may leave at different times */
  /* decided later: does it run one lane after the other, along each lane's
  ** row? 1 it does, -1 it does not, 0 not decided yet */
  int inner;
  /* decided later: so many lanes or fewer finish one at a time; 0: all stay a
  ** vector */
  int tail;
} mt_CfgLoop;

/* A masked version of the code. By block: */
typedef struct mt_MaskedBlocks {
  bool *partial; /* in this version: may run with some lanes inactive */
  bool *passed;  /* not in it, but lanes that are split may bypass it */
} mt_MaskedBlocks;

/* ------------------------------------------------------------- the context */

typedef enum mt_GridMode {
  MT_GRID_FULL,   /* every group has the launched size */
  /* the highest dimension may be cut: fewer threads, same positions */
  MT_GRID_COUNT,
  /* any dimension may be cut: positions as launched, missing threads
  ** inactive */
  MT_GRID_MASKED,
  /* any may be cut and thread numbers matter: positions computed at run time */
  MT_GRID_SHAPED
} mt_GridMode;

typedef struct mt_ProbeLowering mt_ProbeLowering;

/* The kernel, its facts, and where code of it is generated. It is the head of a
** larger struct: each room above adds what it alone knows (mt_AccessState,
** mt_StrategyState, mt_RegionState, mt_EmitState), and reaches it from here.
** mt_vectorise allocates the whole. */
typedef struct mt_Spmd {
  mt_Arena working; /* of everything that is allocated for this kernel */
  mt_Error *err;
  /* first failure; generation continues and its code is discarded */
  mt_Status status;

  /* What is compiled, for what: the same from the start to the end. */
  const mt_MslKernel *kernel;
  const mt_Geometry *geometry;
  mt_Target *target;
  const mt_ProbeLowering *probes; /* NULL: the kernel is not instrumented */
  mt_GridMode mode;
  /* of a vector: 32; 16 for half a SIMD-group, 64 to 256 for several */
  int lanes;
  const mt_TargetCosts *cost; /* of the target */
  bool noalias;      /* no written buffer overlaps another one */
  bool analysed;     /* shapes and divergent branches are known */
  bool by_rows;      /* a group is a piece of a row of the grid */

  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef b;
  LLVMTargetDataRef layout;
  LLVMValueRef old; /* the kernel's function, one thread */
  LLVMTypeRef i1, i8, i16, i32, i64, f32, ptr, v_i1, v_i32, v_i64;
  LLVMTypeRef bits; /* a mask as an integer */
  LLVMValueRef all_on, all_off; /* masks */
  LLVMValueRef lane;            /* <0, 1, 2, …> of i32 */

  /* Its facts (analyse/analyse.h). */
  mt_CfgBlock *block;
  int blocks;
  mt_CfgLoop *loop;
  int loops;
  /* shapes of constant operands: by the exponent of 'align', or NULL */
  mt_Shape *constant[MT_ALIGN_BITS + 1];
  int *order;   /* blocks by place */
  size_t words; /* 64-bit words of a set of blocks */
  bool barriers;

  mt_Value *value;
  int values;
  void *map; /* LLVMValueRef to mt_Value */
  size_t private_bytes; /* allocas of one thread */
  size_t shared_bytes;  /* allocas that all lanes share */
  /* Cells for the values of inactive lanes (prepare/inactive_lanes.h): */
  unsigned cells;
  LLVMTypeRef *held_type; /* the type of each cell's vector, */
  LLVMValueRef *held;     /* and its alloca in this region */
  bool needs_masks, needs_full;
  /* The masked versions: one where lanes reconverge and one where lanes stay
  ** inactive; one for both, unless that costs LLVM too much. */
  mt_MaskedBlocks masked[2];
  bool twofold;

  /* The region being generated: the code from a barrier to the next. */
  LLVMValueRef fn, group, sg;
  /* allocas, and values that are invariant in the region */
  LLVMBasicBlockRef entry;
  LLVMValueRef arena;      /* private memory of all threads of the vector */
  LLVMValueRef scratch;    /* where inactive lanes may store */
  LLVMValueRef spill;      /* spill area of this SIMD-group */
  int start;     /* block that the region begins with */
  bool *inside;  /* by block: it belongs to the region */

  /* The block being generated. */
  unsigned making; /* its number; see mt_Part.made */
  bool full;       /* all lanes are active */
  LLVMValueRef mask; /* <lanes x i1>: the active lanes */
} mt_Spmd;

/* 'n' zeroed elements. Does not return if memory runs out: the kernel is given
** up then, and its arena freed. mt_drop: before that. */
static inline void *mt_new(mt_Spmd *s, size_t n, size_t size) {
  return mt_arena_new(&s->working, n, size);
}
static inline void mt_drop(mt_Spmd *s, void *p) {
  mt_arena_drop(&s->working, p);
}

/* Record the first failure; generation goes on. Returns 'status'. */
mt_Status mt_unsupported(mt_Spmd *s, const char *what, ...) MT_PRINTF(2, 3);

static inline bool mt_set_has(const uint64_t *set, int i) {
  return set[i / 64] >> (i % 64) & 1;
}
static inline void mt_set_add(uint64_t *set, int i) {
  set[i / 64] |= 1ull << (i % 64);
}

/* shape.c */
/* 'to' has room for the arrays */
void mt_shape_copy(mt_Shape *to, const mt_Shape *from);
mt_Shape *mt_shape_new(mt_Spmd *s);                  /* TOP, without arrays */
/* Set the kind and forget the rest; 'h' has room for the arrays. */
void mt_shape_reset(mt_Shape *h, mt_ShapeKind kind);

/* thread_position.c */
mt_GridMode mt_geometry_mode(mt_Spmd *s);
bool mt_geometry_shape(mt_Spmd *s, LLVMValueRef arg, unsigned part,
                       mt_Shape *out);
LLVMValueRef mt_geometry_base(mt_Spmd *s, LLVMValueRef arg, unsigned part);
LLVMValueRef mt_geometry_vector(mt_Spmd *s, LLVMValueRef arg, unsigned part);
/* A position that is varying only since rows of the group are no multiple of a
** vector: the step from lane to lane within a row (-1: it is none, or rows are
** too short for runs of 'run' lanes); the value in lane 'first', and an i1
** whether the run that begins there is in one row. */
int mt_geometry_step(mt_Spmd *s, LLVMValueRef arg, unsigned part, int run);
LLVMValueRef mt_geometry_run(mt_Spmd *s, LLVMValueRef arg, unsigned part,
                             int first, int run, LLVMValueRef *ok);
LLVMValueRef mt_geometry_simdgroups(mt_Spmd *s, LLVMValueRef group);
/* Lanes of this SIMD-group that have a thread; all_on if that is known. */
LLVMValueRef mt_geometry_mask(mt_Spmd *s);
/* may have lanes without a thread */
bool mt_geometry_partial(const mt_Spmd *s);
LLVMValueRef mt_group_field(mt_Spmd *s, size_t offset, LLVMTypeRef type);
/* Nothing in the launch writes where 'load' reads. */
void mt_mark_invariant(mt_Spmd *s, LLVMValueRef load);

/* values.c */
mt_Status mt_values_build(mt_Spmd *s);
mt_Value *mt_value(mt_Spmd *s, LLVMValueRef v); /* NULL: a constant */
bool mt_is_scalar(LLVMTypeRef t); /* a single number or pointer */
unsigned mt_type_parts(LLVMTypeRef t);
LLVMTypeRef mt_type_part(LLVMTypeRef t, unsigned part);
size_t mt_type_offset(mt_Spmd *s, LLVMTypeRef t, unsigned part); /* in memory */
size_t mt_type_size(mt_Spmd *s, LLVMTypeRef t);                  /* stored */
LLVMValueRef mt_constant_part(LLVMValueRef c, unsigned part);
LLVMTypeRef mt_vector_of(const mt_Spmd *s, LLVMTypeRef scalar);
LLVMValueRef mt_splat(mt_Spmd *s, LLVMValueRef scalar);
LLVMValueRef mt_const_vector(mt_Spmd *s, LLVMTypeRef scalar,
                             const int64_t *lanes);
LLVMValueRef mt_const_i32(mt_Spmd *s, int64_t x);
LLVMValueRef mt_const_i64(mt_Spmd *s, int64_t x);
LLVMValueRef mt_entry_alloca(mt_Spmd *s, LLVMTypeRef type, unsigned align);
/* The parts of an operand in the block being generated. */
LLVMValueRef mt_uniform(mt_Spmd *s, LLVMValueRef v, unsigned part);
LLVMValueRef mt_vector(mt_Spmd *s, LLVMValueRef v, unsigned part);
/* its base and terms */
mt_Part *mt_affine(mt_Spmd *s, LLVMValueRef v, unsigned part);
/* Lane 'l' of an affine part, as a scalar. */
LLVMValueRef mt_affine_lane(mt_Spmd *s, const mt_Part *p, unsigned l);
/* Set the result of an instruction. */
void mt_set_uniform(mt_Spmd *s, LLVMValueRef v, unsigned part, LLVMValueRef x);
void mt_set_vector(mt_Spmd *s, LLVMValueRef v, unsigned part, LLVMValueRef x);
void mt_set_affine(mt_Spmd *s, LLVMValueRef v, unsigned part, LLVMValueRef base,
                   LLVMValueRef *terms, LLVMValueRef vector);
void mt_slots_make(mt_Spmd *s);
void mt_store_part(mt_Spmd *s, mt_Part *p);
void mt_fetch_part(mt_Spmd *s, mt_Part *p);
/* Call an LLVM intrinsic, overloaded by 'types'. */
LLVMValueRef mt_intrinsic(mt_Spmd *s, const char *name, LLVMTypeRef *types,
                          unsigned type_count, LLVMValueRef *args,
                          unsigned arg_count);
LLVMBasicBlockRef mt_new_block(mt_Spmd *s, const char *name);

/* mask.c */
LLVMValueRef mt_mask_bits(mt_Spmd *s, LLVMValueRef mask); /* as an integer */
LLVMValueRef mt_mask_any(mt_Spmd *s, LLVMValueRef mask);
LLVMValueRef mt_mask_all(mt_Spmd *s, LLVMValueRef mask);
LLVMValueRef mt_active_mask(mt_Spmd *s); /* the active lanes, as an integer */

/* shuffle.c: elements 'from' of 'a' and 'b' (NULL: poison), 'count' of them. */
LLVMValueRef mt_shuffle_two(mt_Spmd *s, LLVMValueRef a, LLVMValueRef b,
                            const int *from, int count);

/* runtime_call.c: call the C function 'name' of the run-time library; store a
** vector to memory for such a function to read. */
LLVMValueRef mt_call_runtime(mt_Spmd *s, const char *name, LLVMTypeRef result,
                             LLVMValueRef *args, unsigned n);
LLVMValueRef mt_vector_to_memory(mt_Spmd *s, LLVMValueRef vector);

/* How the calls that instrumentation puts into a kernel (MT_PROBE…) become
** code. Their shape is VARYING unless 'shape' says otherwise. */
struct mt_ProbeLowering {
  void (*shape)(mt_Spmd *s, LLVMValueRef call, const char *name, mt_Shape *out);
  void (*emit)(mt_Spmd *s, LLVMValueRef call, const char *name);
  /* The C function that chooses which SIMD-group of a group runs next; NULL:
  ** they run in order. */
  const char *order;
  /* matrix products as compact code: quick to compile, slower to run */
  bool short_products;
};

#endif
