/*
** vector.h - what the files of the vectoriser share.
**
** A kernel is written for one thread; the code made from it runs a SIMD-group
** of 32. Every SSA value of the kernel is taken apart into its parts (a float4
** has four), and every part gets a shape, which says how it differs from lane
** to lane and so how it is kept:
**
**   uniform   the same in all lanes: one scalar
**   linear    base + offset[lane] + factor[0][lane] * term[0] + …, where base
**     and
**             terms are scalars and the offsets and factors are known now
**   varying   anything: a vector of 32
**
** Linear covers a thread's position (base + lane), what it is in a group 16
** wide (base + lane % 16, base + lane / 16), and addresses made from them
** (… + (lane / 16) * K). access/access.c turns linear addresses into plain
** vector loads, one for each run of lanes that is contiguous.
**
**   analyse/cfg.c                   blocks, loops, dominators, the order they
**                                   are laid out in
**   analyse/uniformity.c            which part has which shape; which branches
**                                   diverge
**   values.c                        the parts of a value in generated code, and
**                                   their slots
**   thread_position.c         thread positions and their kin
**   vectorise/control_flow.c  masks and branches
**   vectorise/scalar_tail.c   the last lanes of a loop, one after the
**                                   other
**   vectorise/inner_loop.c         loops along rows, one lane after the other
**   vectorise/branch_uniformity.c  whether all lanes go one way, asked of
**                                   scalars
**   vectorise/instructions.c     arithmetic, one instruction after the other
**   vectorise/intrinsics.c       LLVM's intrinsics
**   analyse/affine.c             arithmetic on linear parts
**   access/access.c              loads and stores
**   access/gather_scatter.c      a vector from memory and back
**   access/aos_vectors.c         short vectors of each lane
**   access/coalesce_loads.c      loads of several numbers that make one
**   access/contiguity_guarded.c  addresses that are neighbours except at the
**                                   edges
**   access/contiguity_tested.c  addresses that turn out to be neighbours
**   access/prefetch.c           prefetches of what a loop reads next
**   access/row_buffer.c         lanes that walk along rows of their own;
**                                   access/row_buffer_load.c
**   access/interleaved_stores.c     stores of several numbers that lie side by
**                                   side
**   access/private_memory.c  arrays of a thread's own
**   access/tile_transpose.c  tiles of lanes whose columns are rows in
**                                   memory
**   vectorise/atomics.c             atomics
**   vectorise/crosslane.c           SIMD- and quad-group operations
**   vectorise/simdgroup_matrix.c    simdgroup matrices
**   vectorise/simdgroup_multiply.c  their products
**   analyse/matrix_layout.c         which of them are kept row by row
**   vectorise/barrier_regions.c     barriers: the group function and what lives
**                                   across
**   vectorise/vector_width.c  how many SIMD-groups run side by side
**   vectorise/vectorise.c     the entry, mt_vectorise
**
** docs/engine.md explains the whole.
*/
#ifndef MT_HOST_VECTOR_VECTOR_H
#define MT_HOST_VECTOR_VECTOR_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/compiler/ir/call.h"
#include "devices/host/abi/group.h"
#include "devices/host/vector/geometry.h"
#include "msl/msl.h"

#define LANES MT_LANES
#define MAX_LANES 128 /* SIMD-groups that run side by side, see vectorise/vector_width.c */
#define MAX_TERMS 32 /* of a linear part; with more it is varying, and in */
#define FEW_TERMS 8  /* one SIMD-group with more than these: a vector is less */

/* ------------------------------------------------------------------ shapes */

typedef enum mt_ShapeKind {
  MT_SHAPE_TOP,
  MT_SHAPE_UNIFORM,
  MT_SHAPE_AFFINE,
  MT_SHAPE_VARYING
} mt_ShapeKind;

/* A part's own shape has the two arrays only if it is linear: they are large,
** and few parts are. */
typedef struct mt_Shape {
  mt_ShapeKind kind; /* TOP: not reached by the analysis yet */
  /* A linear integer that came from a narrower one is right as an address
  ** only (analyse/affine.c says why): its vector is kept beside it. */
  bool address_only;
  bool constant;  /* linear, base 0, no terms: all of it is known */
  unsigned terms;
  uint64_t align; /* the base is a multiple of this power of two */
  int64_t offset[MAX_LANES];
  int64_t factor[MAX_TERMS][MAX_LANES];
} mt_Shape;
#define MT_SHAPE_HEAD offsetof(mt_Shape, offset) /* bytes without the arrays */

/* One part of a value, in the analysis and in generated code. */
typedef struct mt_Part {
  mt_Shape *shape;
  LLVMTypeRef type;       /* scalar */
  /* In the block being generated, if 'made' is the block's number: */
  unsigned made;
  LLVMValueRef base; /* uniform: the scalar; linear: the base */
  LLVMValueRef term[MAX_TERMS];
  LLVMValueRef vector; /* varying, address_only, or made on demand */
  /* Where it waits for other blocks; promoted to SSA by LLVM afterwards. */
  LLVMValueRef slot_base, slot_term[MAX_TERMS], slot_vector;
} mt_Part;

typedef struct mt_Value {
  LLVMValueRef of;   /* instruction or argument of the kernel */
  int block;         /* that defines it; -1: argument */
  bool crosses;      /* used in another block */
  /* a simdgroup matrix that is kept row by row (analyse/matrix_layout.c) */
  bool rows;
  /* cheap, from arguments alone: made again, not spilled */
  bool rematerialise;
  unsigned parts;
  mt_Part *part;
  int space;         /* of a pointer, once known (access/access.c); else -1 */
  size_t place;      /* of an alloca in a thread's private memory */
  size_t spill;      /* bytes from the start of a SIMD-group's spill */
  bool spilled;
} mt_Value;

/* ------------------------------------------------------------------ blocks */

/* A basic block, or a piece of one up to a barrier. */
typedef struct mt_CfgBlock {
  LLVMBasicBlockRef of;
  LLVMValueRef first, end;  /* instructions; 'end' is not part of it, or NULL */
  bool barrier;             /* ends with a threadgroup barrier */
  bool trivial;             /* nothing but the way to the end */
  int succ[2], succs;
  int *pred, preds;
  LLVMValueRef condition;   /* of two successors */
  int loop;                 /* innermost, or -1 */
  int dominator, postdominator; /* -1: none; blocks: the function's end */
  int entered, dominates;   /* its number among all, and how many from there on
                            ** it dominates, itself included */
  int fresh;                /* where its phis have no value yet; -1: nowhere */
  int place;                /* in the order of generated code */
  bool divergent;           /* its branch can split the lanes */
  /* lanes that a branch split are together here */
  bool reconverges;
  /* divergent: blocks of each way before they rejoin */
  uint64_t *side[2];
  uint64_t *split;          /* blocks where other lanes may wait meanwhile */
  uint64_t *live;           /* values that are needed at its start */
} mt_CfgBlock;

typedef struct mt_CfgLoop {
  int header, parent; /* parent: -1 for none */
  int last;           /* place of its last block; the first is its header's */
  bool divergent;     /* lanes may leave at different times */
  /* vectorise/inner_loop.c: 1 it is, -1 it is not, 0 not asked */
  int along;
} mt_CfgLoop;

/* A masked version of the code (vectorise/control_flow.c). By block: */
typedef struct mt_MaskedCode {
  bool *partial; /* it is in this version: it may run with some lanes off */
  bool *passed;  /* it is not, but lanes that are split may pass it by */
  LLVMBasicBlockRef *guard_at, *at; /* where to ask for lanes; its code */
  LLVMValueRef *slot;               /* lanes that are to run it */
  /* By loop: its end, and where few lanes are told from many, or NULL. */
  LLVMBasicBlockRef *end_at, *few_at;
} mt_MaskedCode;

/* The rows of two matrices side by side, as vectorise/simdgroup_multiply.c
** made them last. */
typedef struct mt_MatrixPair {
  LLVMValueRef of[2], row[8];
  unsigned made; /* in this block; see Part.made */
} mt_MatrixPair;

/* ------------------------------------------------------------- the context */

typedef enum mt_GridMode {
  MT_GRID_FULL,   /* every group has the launched shape */
  /* the last dimension may be cut: fewer threads, same places */
  MT_GRID_COUNT,
  MT_GRID_MASKED, /* any dimension may be cut: places as launched, lanes off */
  MT_GRID_SHAPED  /* any may be cut and numbers matter: places worked out */
} mt_GridMode;

typedef struct mt_ProbeLowering mt_ProbeLowering;

typedef struct mt_Spmd {
  mt_Error *err;
  mt_Status status; /* first failure; code goes on and is thrown away */
  const mt_MslKernel *kernel;
  const mt_Geometry *geometry;
  struct mt_Target *target;
  const mt_ProbeLowering *probes; /* NULL: the kernel is not instrumented */
  mt_GridMode mode;
  int lanes;         /* of a vector: 32, or of several SIMD-groups */
  bool native_masks; /* the CPU has mask registers */
  bool native_gather;
  bool apart;        /* no two buffers overlap of which one is written */
  bool analysed;     /* shapes and which branches diverge are known */

  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef b;
  LLVMTargetDataRef layout;
  LLVMValueRef old; /* the kernel */
  LLVMTypeRef i1, i8, i16, i32, i64, f32, ptr, v_i1, v_i32, v_i64;
  LLVMTypeRef bits; /* a mask as an integer */
  LLVMValueRef all_on, all_off; /* masks */
  LLVMValueRef lane;            /* <0, 1, 2, …> of i32 */

  mt_CfgBlock *block;
  int blocks;
  mt_CfgLoop *loop;
  int loops;
  mt_Shape constants[8]; /* shapes of constant operands, in turn */
  unsigned next_constant;
  int *order;   /* blocks by place */
  size_t words; /* of a set of blocks */
  bool barriers;

  mt_Value *value;
  int values;
  void *map; /* LLVMValueRef to Value */
  size_t private_bytes; /* of one thread's allocas */
  /* for what lanes that are off hold (prepare/inactive_lanes.h): */
  unsigned cells;
  LLVMTypeRef *held_type; /* their vectors, */
  LLVMValueRef *held;     /* where they are in this region, */
  size_t held_at;         /* and in the frame */
  bool needs_masks, needs_full;
  /* lanes along rows of their own (access/row_buffer.h), once asked for */
  struct mt_RowBuffer *walk;
  int walks;
  int scattered; /* 1 + loads and stores that are not runs; 0: not counted */

  /* The region being generated (vectorise/barrier_regions.c). */
  LLVMValueRef fn, group, sg;
  LLVMBasicBlockRef entry; /* allocas, and what is the same throughout */
  LLVMValueRef arena;      /* private memory of the 32 threads */
  LLVMValueRef scratch;    /* where lanes that are off may store */
  LLVMValueRef spill;      /* of this SIMD-group */
  LLVMBasicBlockRef *full_at; /* by block */
  /* Where lanes that are off come back, and where they do not; one for both,
  ** unless that is too tangled (vectorise/vectorise.c). */
  mt_MaskedCode masked[2];
  bool twofold;
  mt_MaskedCode *m;               /* the one that code is made of */
  LLVMBasicBlockRef leave; /* all lanes are done */
  int start;               /* block that it begins with */
  bool *inside;            /* block belongs to the region */

  /* The block being generated. */
  unsigned making; /* number; see Part.made */
  bool full;       /* all 32 lanes are on */
  LLVMValueRef mask; /* <32 x i1> */

  size_t spill_bytes; /* of one SIMD-group */
  mt_MatrixPair pair[16]; /* used in turn */
  unsigned pairs;
  LLVMValueRef product[3]; /* under watch: memory for a product's operands, */
  LLVMBasicBlockRef product_entry[3]; /* and where that was made */
} mt_Spmd;

/* Remember the first failure and go on. Returns 'status'. */
mt_Status mt_unsupported(mt_Spmd *s, const char *what, ...) MT_PRINTF(2, 3);

/* analyse/cfg.c */
mt_Status mt_cfg_build(mt_Spmd *s);
void mt_cfg_free(mt_Spmd *s);
bool mt_cfg_dominates(const mt_Spmd *s, int a, int b);
bool mt_cfg_in_loop(const mt_Spmd *s, int block, int loop);
void mt_cfg_diverges(mt_Spmd *s, int block); /* fill in 'side' */
void mt_cfg_finish(mt_Spmd *s);              /* 'split', after the analysis */
/* Do lanes that its branch splits come together again, with more to do? */
bool mt_cfg_reconverges(const mt_Spmd *s, const mt_CfgBlock *k);
/* Fill in 'partial' and 'passed' by the branches that split the lanes: those
** whose ways meet again, those that do not, or all. */
void mt_cfg_partial(const mt_Spmd *s, mt_MaskedCode *m, bool meeting,
                    bool parting);
/* Lanes at 'a' may go to 'b' by a jump: nobody waits in between. */
bool mt_cfg_can_jump(const mt_Spmd *s, int a, int b);
/* Of a barrier: those who do not come to it have returned. And vectors can do
** it: they had nothing to do before. */
bool mt_cfg_may_miss(const mt_Spmd *s, int block);
bool mt_cfg_can_wait(const mt_Spmd *s, int block);

static inline bool mt_set_has(const uint64_t *set, int i) {
  return set[i / 64] >> (i % 64) & 1;
}
static inline void mt_set_add(uint64_t *set, int i) {
  set[i / 64] |= 1ull << (i % 64);
}

/* shape.c */
/* 'to' has the arrays */
void mt_shape_copy(mt_Shape *to, const mt_Shape *from);
mt_Shape *mt_shape_new(void);                        /* TOP, without arrays */
/* No more is known than the kind; 'h' has the arrays. */
void mt_shape_reset(mt_Shape *h, mt_ShapeKind kind);

/* analyse/uniformity.c */
mt_Status mt_shape_analyse(mt_Spmd *s);
mt_ShapeKind mt_part_kind(mt_Spmd *s, LLVMValueRef v, unsigned part);
const mt_Shape *mt_part_shape(mt_Spmd *s, LLVMValueRef v, unsigned part);
bool mt_branch_divergent(mt_Spmd *s, int block);

/* The result is a copy of another value's part, which is stored. */
bool mt_part_copied(mt_Spmd *s, LLVMValueRef instr, unsigned part,
                    LLVMValueRef *from, unsigned *from_part);

/* analyse/affine.c: arithmetic on linear parts. False: the result is not
** linear. */
bool mt_affine_shape(mt_Spmd *s, LLVMValueRef instr, unsigned part,
                     mt_Shape *out);
/* Make base and terms; 'vector' is the exact one where that is needed. */
void mt_affine_emit(mt_Spmd *s, LLVMValueRef instr, unsigned part,
                    LLVMValueRef vector);

/* thread_position.c */
mt_GridMode mt_geometry_mode(mt_Spmd *s);
bool mt_geometry_shape(mt_Spmd *s, LLVMValueRef arg, unsigned part,
                       mt_Shape *out);
LLVMValueRef mt_geometry_base(mt_Spmd *s, LLVMValueRef arg, unsigned part);
LLVMValueRef mt_geometry_vector(mt_Spmd *s, LLVMValueRef arg, unsigned part);
LLVMValueRef mt_geometry_simdgroups(mt_Spmd *s, LLVMValueRef group);
/* Lanes of this SIMD-group that are threads at all; all_on if known. */
LLVMValueRef mt_geometry_mask(mt_Spmd *s);
bool mt_geometry_partial(const mt_Spmd *s); /* may be fewer than 32 */
LLVMValueRef mt_group_field(mt_Spmd *s, size_t offset, LLVMTypeRef type);

/* values.c */
mt_Status mt_values_build(mt_Spmd *s);
void mt_values_free(mt_Spmd *s);
mt_Value *mt_value(mt_Spmd *s, LLVMValueRef v); /* NULL: a constant */
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
/* base and terms */
mt_Part *mt_affine(mt_Spmd *s, LLVMValueRef v, unsigned part);
/* The lane 'l' of a linear part, as a scalar. */
LLVMValueRef mt_affine_lane(mt_Spmd *s, const mt_Part *p, unsigned l);
/* The result of an instruction. */
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
LLVMValueRef mt_active_mask(mt_Spmd *s); /* lanes that are on, as an i32 */

/* runtime_call.c: call the C function 'name', which the code's loader knows;
** and a vector in memory, for such a function to read. */
LLVMValueRef mt_call_runtime(mt_Spmd *s, const char *name, LLVMTypeRef result,
                             LLVMValueRef *args, unsigned n);
LLVMValueRef mt_vector_to_memory(mt_Spmd *s, LLVMValueRef vector);

/* vectorise/control_flow.c */
void mt_control_flow_emit(mt_Spmd *s);      /* all blocks of the region */
/* jump into it */
void mt_control_flow_enter(mt_Spmd *s, int block, LLVMValueRef mask);
/* to those that wait */
void mt_mask_add(mt_Spmd *s, int block, LLVMValueRef lane);

/* vectorise/scalar_tail.c: the number of lanes of a loop that are better off
** one after the other (0: none), and the code for those of s->mask, from the
** header to the end. */
int mt_scalar_tail_lanes(mt_Spmd *s, int loop);
void mt_scalar_tail_emit(mt_Spmd *s, int loop);

/* vectorise/inner_loop.c: do the lanes go through this loop one after the
** other, from its start to its end? Then it is emitted as a whole, for the
** lanes of s->mask; the block that it leads to is returned. */
bool mt_is_inner_loop(mt_Spmd *s, int loop);
int mt_inner_loop_emit(mt_Spmd *s, int loop);
/* At the loop's start: an i1 that says whether there are enough rounds for
** that; NULL: it always pays. */
LLVMValueRef mt_inner_loop_pays(mt_Spmd *s, int loop);

/* vectorise/branch_uniformity.c: a scalar that is true only if the condition
** of the block's branch is 'want' in all lanes; NULL: there is none. False
** says nothing. */
LLVMValueRef mt_branch_uniform_test(mt_Spmd *s, int block, bool want);

/* vectorise/instructions.c */
void mt_instr_emit(mt_Spmd *s, LLVMValueRef instr);
bool mt_instr_rematerialises(mt_Spmd *s, LLVMValueRef instr);

/* vectorise/intrinsics.c */
void mt_call_emit(mt_Spmd *s, LLVMValueRef call);

/* vectorise/vector_width.c: lanes that would suit the kernel; whether they
** turned out well. */
int mt_vector_width(mt_Spmd *s);
bool mt_vector_width_pays(mt_Spmd *wide);

/* access/access.c */
int mt_memory_gathers(mt_Spmd *s); /* loads and stores of scattered lanes */
void mt_memory_alloca(mt_Spmd *s, LLVMValueRef instr);
void mt_memory_load(mt_Spmd *s, LLVMValueRef instr);
void mt_memory_store(mt_Spmd *s, LLVMValueRef instr);
bool mt_memory_intrinsic(mt_Spmd *s, LLVMValueRef call, const char *name);
typedef enum mt_PointerSpace {
  MT_POINTER_DEVICE,
  MT_POINTER_CONSTANT,
  MT_POINTER_THREADGROUP,
  MT_POINTER_PRIVATE,
  MT_POINTER_UNKNOWN
} mt_PointerSpace;
mt_PointerSpace mt_address_space(mt_Spmd *s, LLVMValueRef pointer);
/* Each lane's real address, private memory translated. */
LLVMValueRef mt_memory_lanes(mt_Spmd *s, LLVMValueRef pointer,
                             mt_PointerSpace space);
/* A loop over the active lanes: 'body' makes what one does, given its number
** as an i32. */
typedef void (*mt_LaneBody)(mt_Spmd *s, void *context, LLVMValueRef lane);
void mt_lane_loop(mt_Spmd *s, mt_LaneBody body, void *context);
/* Vectors that a LaneBody reads and writes one lane of. */
/* memory, filled */
LLVMValueRef mt_lanes_to_memory(mt_Spmd *s, LLVMValueRef vector);
/* memory, zeroed */
LLVMValueRef mt_lanes_memory(mt_Spmd *s, LLVMTypeRef scalar);
LLVMValueRef mt_lane_load(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef m,
                          LLVMValueRef lane);
void mt_lane_store(mt_Spmd *s, LLVMValueRef x, LLVMValueRef m,
                   LLVMValueRef lane);
LLVMValueRef mt_lanes_from_memory(mt_Spmd *s, LLVMTypeRef scalar,
                                  LLVMValueRef m);

/* vectorise/atomics.c */
void mt_atomic_emit(mt_Spmd *s, LLVMValueRef instr);

/* vectorise/crosslane.c, vectorise/simdgroup_matrix.c: builtins; false if it
** is not one of theirs. */
/* Places for what lanes that are off hold, in a fresh region. */
void mt_inactive_cells_make(mt_Spmd *s);
bool mt_crosslane_emit(mt_Spmd *s, LLVMValueRef call, const char *name);
mt_ShapeKind mt_crosslane_kind(mt_Spmd *s, LLVMValueRef call, const char *name);
/* vectorise/kernel_log.c: os_log and asserts; false: 'call' is none. */
bool mt_log_emit(mt_Spmd *s, LLVMValueRef call, const char *name);
bool mt_matrix_emit(mt_Spmd *s, LLVMValueRef call, const char *name);
void mt_matrix_layout_choose(mt_Spmd *s);
LLVMValueRef mt_lane_shuffle(mt_Spmd *s, LLVMValueRef v, const int *from);
/* Read all 32 lanes' addresses, which are known to be good. */
LLVMValueRef mt_gather_all(mt_Spmd *s, LLVMTypeRef t, LLVMValueRef at);

/* How calls that instrumentation has put into a kernel (MT_PROBE…) become code.
** Their shape is VARYING unless 'shape' says otherwise. */
struct mt_ProbeLowering {
  void (*shape)(mt_Spmd *s, LLVMValueRef call, const char *name, mt_Shape *out);
  void (*emit)(mt_Spmd *s, LLVMValueRef call, const char *name);
  /* The C function that says whose turn it is among a group's SIMD-groups;
  ** NULL: they run by number. */
  const char *order;
  bool short_products; /* of matrices: code that is soon made, not fast */
};

/* vectorise/barrier_regions.c */
mt_Status mt_regions_build(mt_Spmd *s, LLVMValueRef *out, size_t *spill_bytes);
void mt_region_wait(mt_Spmd *s, int block); /* a barrier: leave the region */
/* Can 'v', of which something in 'block' was made, be had there itself?
** Behind a barrier only what code there uses by name is kept. */
bool mt_is_available(mt_Spmd *s, LLVMValueRef v, int block);

/* vectorise/scalar_tail.c: what one lane's code asks of an instruction. Does
** a call's name begin with one of 'names', which end with NULL? Is it one
** number or address? */
bool mt_calls_one_of(LLVMValueRef call, const char *const *names);
bool mt_is_scalar(LLVMTypeRef t);

#endif
