/*
** aos_vectors.c - arrays of short vectors: each lane's float4 as one access.
**
** The one idea: four adjacent elements need not be four gathers. Where the
** vectors of adjacent lanes are contiguous too (an array of structures), a run
** of lanes is one wide access, and shuffles de-interleave the parts. Elsewhere
** each lane's vector of 16 bytes is one short load, and four of them are
** transposed in registers (tile_transpose.c); vectors of four or eight bytes
** are one element of a gather.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/strategy/strategies.h"

#define WORD 4 /* bytes */
#define FOUR 16 /* bytes of a vector that is transposed */
#define MAX_PARTS 4 /* of a short vector */
#define MIN_RUN 4 /* lanes that one wide access has */
#define MAX_BASES 8 /* addresses of an affine pointer that are computed */

typedef struct Piece {
  LLVMValueRef instr, pointer;
  LLVMTypeRef part;  /* element type: float of a float4 */
  int parts;
  int64_t size;      /* bytes */
  unsigned align;
} Piece;

static bool is_piece(mt_Spmd *s, LLVMValueRef i, Piece *p) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  LLVMTypeRef t = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
  if (LLVMGetTypeKind(t) != LLVMVectorTypeKind || LLVMGetVolatile(i))
    return false;
  *p = (Piece){.instr = i, .part = LLVMGetElementType(t)};
  p->pointer = LLVMGetOperand(i, store);
  p->parts = (int)LLVMGetVectorSize(t);
  p->align = LLVMGetAlignment(i);
  mt_PointerSpace space = mt_address_space(s, p->pointer);
  if ((p->parts != 2 && p->parts != 4) ||
      LLVMGetTypeKind(p->part) == LLVMPointerTypeKind ||
      LLVMSizeOfTypeInBits(s->layout, p->part) % 8 ||
      space == MT_POINTER_PRIVATE || space == MT_POINTER_UNKNOWN)
    return false;
  p->size = p->parts * (int64_t)mt_type_size(s, p->part);
  return true;
}

/* Lanes of each run whose vectors are contiguous; 0: too few. */
static int run_of(mt_Spmd *s, const Piece *p) {
  if (mt_part_kind(s, p->pointer, 0) != MT_SHAPE_AFFINE) return 0;
  const mt_Shape *h = mt_part_shape(s, p->pointer, 0);
  for (int run = s->lanes; run >= MIN_RUN; run /= 2) {
    bool even = true;
    for (int l = 0; l < s->lanes && even; l++)
      even = l % run == 0 || (mt_same_class(h, l, l - 1) &&
                              h->offset[l] - h->offset[l - 1] == p->size);
    if (even) return run;
  }
  return 0;
}

/* ------------------------------------------------------------- interleaving */

/* De-interleave: from all lanes' vectors in memory order to a vector for each
** part. And the inverse. */
static void unweave(mt_Spmd *s, const Piece *p, LLVMValueRef all,
                    LLVMValueRef *part) {
  int from[MT_MAX_LANES];
  for (int n = 0; n < p->parts; n++) {
    for (int l = 0; l < s->lanes; l++) from[l] = l * p->parts + n;
    part[n] = mt_shuffle_two(s, all, NULL, from, s->lanes);
  }
}

static LLVMValueRef weave(mt_Spmd *s, const Piece *p, LLVMValueRef *part) {
  int from[MT_MAX_LANES * MAX_PARTS];
  LLVMValueRef a = mt_concat(s, part[0], part[1]), b = NULL;
  if (p->parts == 4) b = mt_concat(s, part[2], part[3]);
  for (int l = 0; l < s->lanes * p->parts; l++)
    from[l] = l % p->parts * s->lanes + l / p->parts;
  return mt_shuffle_two(s, a, b, from, s->lanes * p->parts);
}

/* Concatenates 'n' vectors of one length; 'n' is a power of two. */
static LLVMValueRef joined(mt_Spmd *s, LLVMValueRef *x, int n) {
  for (; n > 1; n /= 2)
    for (int i = 0; i < n / 2; i++) x[i] = mt_concat(s, x[2 * i], x[2 * i + 1]);
  return x[0];
}

/* ---------------------------------------------------------- contiguous runs */

static void load_runs(mt_Spmd *s, const Piece *p, const LLVMValueRef *at,
                      int run, LLVMValueRef *part) {
  LLVMValueRef x[MT_MAX_LANES / MIN_RUN];
  LLVMTypeRef t = LLVMVectorType(p->part, (unsigned)(run * p->parts));
  for (int i = 0; i < s->lanes / run; i++) {
    x[i] = LLVMBuildLoad2(s->b, t, at[i], "");
    LLVMSetAlignment(x[i], p->align);
  }
  unweave(s, p, joined(s, x, s->lanes / run), part);
}

static void store_runs(mt_Spmd *s, const Piece *p, const LLVMValueRef *at,
                       int run, LLVMValueRef *part) {
  LLVMValueRef all = weave(s, p, part);
  int n = run * p->parts;
  LLVMGetOrInsertNamedMetadata(s->module, MT_INTERLEAVED,
                               strlen(MT_INTERLEAVED));
  for (int i = 0; i < s->lanes / run; i++) {
    LLVMValueRef x = run == s->lanes ? all : mt_extract_lanes(s, all, i * n, n);
    LLVMSetAlignment(LLVMBuildStore(s->b, x, at[i]), p->align);
  }
}

static void addresses_of_runs(mt_Spmd *s, const Piece *p, int run,
                              LLVMValueRef *at) {
  const mt_Part *x = mt_affine(s, p->pointer, 0);
  for (int i = 0; i < s->lanes / run; i++)
    at[i] = mt_affine_lane(s, x, (unsigned)(i * run));
}

/* ------------------------------------------------- lane by lane, transposed */

/* Lanes that are transposed together: as many as fit a register. */
static int block_of(const mt_Spmd *s) {
  int n = s->cost->register_bytes / WORD;
  return n < s->lanes ? n : s->lanes;
}

static void load_each(mt_Spmd *s, LLVMTypeRef word, unsigned align,
                      const LLVMValueRef *at, LLVMValueRef *part) {
  LLVMValueRef x[4], piece[4][MT_MAX_LANES];
  LLVMTypeRef t = LLVMVectorType(word, 4);
  int block = block_of(s), blocks = s->lanes / block, fours = block / 4;
  for (int b = 0; b < blocks; b++) {
    for (int i = 0; i < 4; i++) {
      LLVMValueRef four[MT_MAX_LANES / 4];
      for (int k = 0; k < fours; k++) {
        four[k] = LLVMBuildLoad2(s->b, t, at[b * block + 4 * k + i], "");
        LLVMSetAlignment(four[k], align);
      }
      x[i] = joined(s, four, fours);
    }
    mt_transpose_4x4(s, x);
    for (int i = 0; i < 4; i++) piece[i][b] = x[i];
  }
  for (int i = 0; i < 4; i++) part[i] = joined(s, piece[i], blocks);
}

static void store_each(mt_Spmd *s, const Piece *p, const LLVMValueRef *at,
                       LLVMValueRef *part) {
  int block = block_of(s);
  for (int b = 0; b < s->lanes; b += block) {
    LLVMValueRef x[4];
    for (int i = 0; i < 4; i++)
      x[i] =
          block == s->lanes ? part[i] : mt_extract_lanes(s, part[i], b, block);
    mt_transpose_4x4(s, x);
    for (int l = 0; l < block; l++) { /* in order: the highest lane wins */
      LLVMValueRef y =
          block == 4 ? x[l] : mt_extract_lanes(s, x[l % 4], l / 4 * 4, 4);
      LLVMSetAlignment(LLVMBuildStore(s->b, y, at[b + l]), p->align);
    }
  }
}

/* --------------------------------------------- lane by lane, not transposed */

/* instructions between a load and the store of what it loaded */
#define MAX_DATAFLOW_DEPTH 6

/* Element-wise: the same operation on all parts. */
static bool is_alike(LLVMValueRef i) {
  return LLVMIsABinaryOperator(i) || LLVMIsAUnaryOperator(i) ||
         (LLVMIsACastInst(i) && !LLVMIsABitCastInst(i));
}

/* Uniform in all parts. */
static bool is_same(mt_Spmd *s, LLVMValueRef v) {
  const mt_Value *x = mt_value(s, v);
  for (unsigned n = 0; x && n < x->parts; n++)
    if (x->part[n].shape->kind != MT_SHAPE_UNIFORM) return false;
  return true;
}

/* All operands of 'i' but 'v' are uniform: varying ones would have to be
** interleaved. */
static bool others_same(mt_Spmd *s, LLVMValueRef i, LLVMValueRef v) {
  for (int n = 0; n < LLVMGetNumOperands(i); n++) {
    LLVMValueRef x = LLVMGetOperand(i, (unsigned)n);
    if (x != v && !is_same(s, x)) return false;
  }
  return true;
}

/* Is the loaded vector used element-wise only, and stored as a whole? */
static bool stays_whole(mt_Spmd *s, LLVMValueRef v, int depth) {
  if (depth > MAX_DATAFLOW_DEPTH || !LLVMGetFirstUse(v)) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef i = LLVMGetUser(u);
    if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 0) == v) continue;
    if (!is_alike(i) || !others_same(s, i, v) || !stays_whole(s, i, depth + 1))
      return false;
  }
  return true;
}

/* Was the vector computed element-wise from contiguous vectors? */
static bool was_whole(mt_Spmd *s, LLVMValueRef v, int depth) {
  Piece p;
  if (LLVMIsALoadInst(v)) return is_piece(s, v, &p) && run_of(s, &p);
  if (depth > MAX_DATAFLOW_DEPTH || !LLVMIsAInstruction(v) || !is_alike(v))
    return false;
  for (int n = 0; n < LLVMGetNumOperands(v); n++) {
    LLVMValueRef x = LLVMGetOperand(v, (unsigned)n);
    if (!is_same(s, x))
      return others_same(s, v, x) && was_whole(s, x, depth + 1);
  }
  return false;
}

/* As load_each and store_each, but interleaved in memory order: if the other
** end is interleaved too, the shuffles cancel out. */
static void load_row(mt_Spmd *s, const Piece *p, const LLVMValueRef *at,
                     LLVMValueRef *part) {
  LLVMValueRef x[MT_MAX_LANES];
  LLVMTypeRef t = LLVMVectorType(p->part, (unsigned)p->parts);
  for (int l = 0; l < s->lanes; l++) {
    x[l] = LLVMBuildLoad2(s->b, t, at[l], "");
    LLVMSetAlignment(x[l], p->align);
  }
  unweave(s, p, joined(s, x, s->lanes), part);
}

static void store_row(mt_Spmd *s, const Piece *p, const LLVMValueRef *at,
                      LLVMValueRef *part) {
  LLVMValueRef all = weave(s, p, part);
  LLVMGetOrInsertNamedMetadata(s->module, MT_INTERLEAVED,
                               strlen(MT_INTERLEAVED));
  for (int l = 0; l < s->lanes; l++) /* in order: the highest lane wins */
    LLVMSetAlignment(
        LLVMBuildStore(s->b, mt_extract_lanes(s, all, l * p->parts, p->parts),
                       at[l]),
        p->align);
}

/* Each lane's address, as a scalar: a few that are computed, and the others at
** constant offsets from them. False: too many, extract from the vector. */
static bool few_addresses(mt_Spmd *s, LLVMValueRef pointer, LLVMValueRef *at) {
  const mt_Shape *h = mt_part_shape(s, pointer, 0);
  int base[MAX_BASES], bases = 0, of[MT_MAX_LANES];
  if (!s->full || h->kind != MT_SHAPE_AFFINE) return false;
  for (int l = 0; l < s->lanes; l++) {
    int n = 0;
    while (n < bases && !mt_same_class(h, base[n], l)) n++;
    if (n == MAX_BASES) return false;
    if (n == bases) base[bases++] = l;
    of[l] = base[n];
  }
  const mt_Part *x = mt_affine(s, pointer, 0);
  for (int l = 0; l < s->lanes; l++)
    at[l] = of[l] == l ? mt_affine_lane(s, x, (unsigned)l)
                       : mt_byte_offset(s, at[of[l]],
                                        h->offset[l] - h->offset[of[l]]);
  return true;
}

static void addresses(mt_Spmd *s, LLVMValueRef pointer, LLVMValueRef *at) {
  if (few_addresses(s, pointer, at)) return;
  LLVMValueRef all = mt_vector(s, pointer, 0);
  if (!s->full) all = mt_redirect_inactive(s, all);
  for (int l = 0; l < s->lanes; l++)
    at[l] = LLVMBuildExtractElement(s->b, all, mt_const_i64(s, l), "");
}

/* ------------------------------------ as one element of a gather or scatter */

static LLVMTypeRef whole_type(mt_Spmd *s, const Piece *p) {
  return LLVMIntTypeInContext(s->context, (unsigned)(8 * p->size));
}

static void load_whole(mt_Spmd *s, const Piece *p, int64_t offset,
                       LLVMValueRef *part) {
  LLVMValueRef at = mt_byte_offset(s, mt_vector(s, p->pointer, 0), offset);
  LLVMValueRef x = mt_gather(s, whole_type(s, p), at, p->align);
  LLVMTypeRef t = LLVMVectorType(p->part, (unsigned)(s->lanes * p->parts));
  unweave(s, p, LLVMBuildBitCast(s->b, x, t, ""), part);
}

static void store_whole(mt_Spmd *s, const Piece *p, LLVMValueRef *part) {
  LLVMValueRef at = mt_vector(s, p->pointer, 0);
  LLVMTypeRef t = mt_vector_of(s, whole_type(s, p));
  LLVMValueRef x = LLVMBuildBitCast(s->b, weave(s, p, part), t, "");
  mt_scatter(s, x, at, p->align);
}

/* ----------------------------------------------------------------- choosing */

/* Under a mask, mostly at a ragged edge, native gathers and scatters are less
** code. */
static bool has_masks(const mt_Spmd *s, const Piece *p) {
  return LLVMIsAStoreInst(p->instr) ? s->cost->masks : s->cost->gather;
}

/* Neither contiguous nor one address, and not too many such accesses. */
static bool is_scattered(mt_Spmd *s, const Piece *p) {
  const mt_Shape *h = mt_part_shape(s, p->pointer, 0);
  if (h->kind == MT_SHAPE_UNIFORM) return false;
  if (mt_access_state(s)->scattered >= MT_MAX_SCATTERED_INLINE) return false;
  if (p->size == FOUR && p->parts == 4 && s->lanes >= 4)
    return (s->full || !has_masks(s, p)) &&
           (h->kind == MT_SHAPE_VARYING || !mt_same_class(h, 0, 1) ||
            h->offset[0] != h->offset[1]);
  return h->kind == MT_SHAPE_VARYING && (p->size == 4 || p->size == 8) &&
         p->align >= 4;
}

static void load(mt_Spmd *s, const Piece *p, LLVMValueRef *part) {
  LLVMValueRef at[MT_MAX_LANES];
  if (p->size < FOUR) {
    load_whole(s, p, 0, part);
    return;
  }
  addresses(s, p->pointer, at);
  if (stays_whole(s, p->instr, 0))
    load_row(s, p, at, part);
  else
    load_each(s, p->part, p->align, at, part);
}

static void store(mt_Spmd *s, const Piece *p, LLVMValueRef *part) {
  LLVMValueRef at[MT_MAX_LANES];
  if (p->size < FOUR) {
    store_whole(s, p, part);
    return;
  }
  addresses(s, p->pointer, at);
  if (was_whole(s, LLVMGetOperand(p->instr, 0), 0))
    store_row(s, p, at, part);
  else
    store_each(s, p, at, part);
}

static void set_all(mt_Spmd *s, const Piece *p, LLVMValueRef *part) {
  for (int n = 0; n < p->parts; n++)
    mt_set_vector(s, p->instr, (unsigned)n, part[n]);
}

static bool choose_wide(mt_Spmd *s, LLVMValueRef i, mt_AccessPlan *plan) {
  Piece p;
  plan->how = MT_ACCESS_INTERLEAVED;
  plan->run = s->full && is_piece(s, i, &p) ? run_of(s, &p) : 0;
  return plan->run != 0;
}

/* Is it contiguous if a run-time test holds (contiguity_guarded.c,
** contiguity_tested.c)? */
static mt_RunTest nearly(mt_Spmd *s, const Piece *p) {
  if (!s->full || mt_part_kind(s, p->pointer, 0) != MT_SHAPE_VARYING)
    return (mt_RunTest){0, false};
  int run = mt_guarded_run(s, p->instr, p->pointer, p->size);
  if (run) return (mt_RunTest){run, true};
  return (mt_RunTest){mt_tested_run(s, p->pointer), false};
}

static bool choose(mt_Spmd *s, LLVMValueRef i, mt_AccessPlan *plan) {
  Piece p;
  if (!is_piece(s, i, &p) || !is_scattered(s, &p)) return false;
  plan->test = nearly(s, &p);
  plan->how = plan->test.run  ? MT_ACCESS_TESTED
              : p.size < FOUR ? MT_ACCESS_GATHER
                              : MT_ACCESS_SHORT_VECTOR;
  return true;
}

mt_RunTest mt_aos_words_test(mt_Spmd *s, LLVMValueRef load) {
  Piece p = {.instr = load, .pointer = LLVMGetOperand(load, 0), .size = FOUR};
  return nearly(s, &p);
}

/* ----------------------------------------------------------------- emission */

static void load_wide(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  Piece p;
  LLVMValueRef at[MT_MAX_LANES / MIN_RUN], part[MAX_PARTS];
  if (!is_piece(s, i, &p)) return;
  addresses_of_runs(s, &p, plan->run, at);
  load_runs(s, &p, at, plan->run, part);
  set_all(s, &p, part);
}

/* The test, and the branch to what is emitted where it holds. */
static mt_RuntimeBranch begin(mt_Spmd *s, const Piece *p, mt_RunTest test,
                              LLVMValueRef *at) {
  /* emitted before the branch, to dominate all later uses */
  mt_vector(s, p->pointer, 0);
  return mt_runtime_branch(
      s, mt_run_test(s, p->instr, p->pointer, p->size, test, at));
}

void mt_aos_words_load(mt_Spmd *s, LLVMValueRef load, int64_t offset,
                       unsigned align, mt_RunTest test, LLVMValueRef *word) {
  Piece p = {.instr = load, .pointer = LLVMGetOperand(load, 0),
             .part = s->i32, .parts = 4, .size = FOUR, .align = align};
  LLVMValueRef run_at[MT_CONTIGUOUS_RUNS], near[4], at[MT_MAX_LANES];
  mt_RuntimeBranch f = {0};
  if (test.run) {
    f = begin(s, &p, test, run_at);
    for (int i = 0; i < s->lanes / test.run; i++)
      run_at[i] = mt_byte_offset(s, run_at[i], offset);
    load_runs(s, &p, run_at, test.run, near);
    mt_runtime_branch_else(s, &f);
  }
  addresses(s, p.pointer, at);
  for (int l = 0; l < s->lanes; l++) at[l] = mt_byte_offset(s, at[l], offset);
  load_each(s, s->i32, align, at, word);
  if (test.run) mt_runtime_branch_end(s, &f, near, word, 4);
}

void mt_aos_pair_load(mt_Spmd *s, LLVMValueRef load, int64_t offset,
                      LLVMValueRef *word) {
  Piece p = {.instr = load, .pointer = LLVMGetOperand(load, 0),
             .part = s->i32, .parts = 2, .size = 2 * WORD, .align = WORD};
  load_whole(s, &p, offset, word);
}

void mt_aos_words_store(mt_Spmd *s, LLVMValueRef pointer, int64_t offset,
                        unsigned align, LLVMValueRef *word) {
  Piece p = {.align = align};
  LLVMValueRef at[MT_MAX_LANES];
  addresses(s, pointer, at);
  for (int l = 0; l < s->lanes; l++) at[l] = mt_byte_offset(s, at[l], offset);
  store_each(s, &p, at, word);
}

static void load_short(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  mt_RunTest test = plan->test;
  Piece p;
  LLVMValueRef at[MT_CONTIGUOUS_RUNS], part[MAX_PARTS], other[MAX_PARTS];
  if (!is_piece(s, i, &p)) return;
  mt_RuntimeBranch f = {0};
  if (test.run) {
    f = begin(s, &p, test, at);
    load_runs(s, &p, at, test.run, part);
    mt_runtime_branch_else(s, &f);
  }
  load(s, &p, other);
  if (test.run) mt_runtime_branch_end(s, &f, part, other, p.parts);
  set_all(s, &p, other);
}

static bool stored_parts(mt_Spmd *s, LLVMValueRef i, Piece *p,
                         LLVMValueRef *part) {
  if (!is_piece(s, i, p)) return false;
  for (int n = 0; n < p->parts; n++)
    part[n] = mt_vector(s, LLVMGetOperand(i, 0), (unsigned)n);
  return true;
}

static void store_wide(mt_Spmd *s, LLVMValueRef i, const mt_AccessPlan *plan) {
  Piece p;
  LLVMValueRef at[MT_MAX_LANES / MIN_RUN], part[MAX_PARTS];
  if (!stored_parts(s, i, &p, part)) return;
  addresses_of_runs(s, &p, plan->run, at);
  store_runs(s, &p, at, plan->run, part);
}

static void store_short(mt_Spmd *s, LLVMValueRef i,
                        const mt_AccessPlan *plan) {
  mt_RunTest test = plan->test;
  Piece p;
  LLVMValueRef at[MT_CONTIGUOUS_RUNS], part[MAX_PARTS];
  if (!stored_parts(s, i, &p, part)) return;
  mt_RuntimeBranch f = {0};
  if (test.run) {
    f = begin(s, &p, test, at);
    store_runs(s, &p, at, test.run, part);
    mt_runtime_branch_else(s, &f);
  }
  store(s, &p, part);
  if (test.run) mt_runtime_branch_end(s, &f, NULL, NULL, 0);
}

const mt_Strategy mt_strategy_wide_loads = {choose_wide, load_wide, NULL};
const mt_Strategy mt_strategy_wide_stores = {choose_wide, NULL, store_wide};
const mt_Strategy mt_strategy_short_vectors = {choose, load_short, store_short};
