/*
** access.c - loads and stores of 32 lanes, one scalar part at a time.
**
** The one idea: an affine address tells at compile time which lanes are
** contiguous in memory. The lanes are cut into runs, each contiguous or all
** with one address, and a run is one plain vector (or scalar) access; an
** address with too many runs, or a varying one, is a gather or scatter. A
** uniform address is one scalar access. Where lanes store to the same address,
** the highest one wins, in every form.
**
** The choice (mt_access_choose_part) is made before code is emitted.
** gather_scatter.c has the accesses themselves, private_memory.c a thread's own
** arrays.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/access/access.h"

/* runs of lanes that are accessed one by one: with more, a gather is less
** code */
#define MAX_RUNS 8
/* elements; what lies between is loaded, too, and dropped */
#define MAX_STRIDE 8
/* scattered accesses of a kernel, from which on none is tested for
** contiguity: each test doubles the code */
#define MAX_SCATTERED_TESTED 64

/* ------------------------------------------------------------------ offsets */

LLVMValueRef mt_byte_offset(mt_Spmd *s, LLVMValueRef p, int64_t offset) {
  LLVMValueRef at = mt_const_i64(s, offset);
  return offset ? LLVMBuildGEP2(s->b, s->i8, p, &at, 1, "") : p;
}

/* --------------------------------------------------------------------- runs */

typedef struct Run {
  int first, count;
  bool same;  /* all lanes have one address */
  int stride; /* 2 and more: elements from lane to lane; loads only */
  bool back;  /* contiguous, in descending order */
} Run;

/* The longest run from 'first' on with 'step' bytes from lane to lane. */
static int run_length(const mt_Spmd *s, const mt_Shape *h, int first,
                      int64_t step) {
  int n = 1;
  while (first + n < s->lanes && mt_same_class(h, first, first + n) &&
         h->offset[first + n] - h->offset[first] == n * step)
    n++;
  return n;
}

/* A strided run: the elements in between are loaded too and dropped. */
static Run strided_run(const mt_Spmd *s, const mt_Shape *h, int first,
                       int64_t size) {
  Run r = {first, 0, false, 0, false};
  if (first + 1 >= s->lanes) return r;
  int64_t step = h->offset[first + 1] - h->offset[first];
  if (step % size || step < 2 * size || step > MAX_STRIDE * size) return r;
  r.count = run_length(s, h, first, step) / 2 * 2;
  r.stride = (int)(step / size);
  return r;
}

/* Returns the number of runs; 0: more than MAX_RUNS. */
static int cut_runs(const mt_Spmd *s, const mt_Shape *h, int64_t size,
                    bool strides, Run *run) {
  int n = 0;
  for (int l = 0; l < s->lanes; l += run[n - 1].count) {
    if (n == MAX_RUNS) return 0;
    int near = run_length(s, h, l, size), same = run_length(s, h, l, 0);
    int back = run_length(s, h, l, -size);
    run[n] = (Run){l, near >= same ? near : same, near < same, 0, false};
    if (back >= 4 && back > run[n].count)
      run[n] = (Run){l, back, false, 0, true};
    Run strided = {0};
    if (strides) strided = strided_run(s, h, l, size);
    if (strided.count >= 4 && strided.count > run[n].count) run[n] = strided;
    n++;
  }
  return n;
}

bool mt_memory_is_runs(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t) {
  Run run[MAX_RUNS];
  const mt_Shape *h = mt_part_shape(s, pointer, 0);
  if (h->kind != MT_SHAPE_AFFINE) return h->kind == MT_SHAPE_UNIFORM;
  int64_t part = (int64_t)mt_type_size(s, mt_type_part(t, 0));
  return run_length(s, h, 0, (int64_t)mt_type_size(s, t)) == s->lanes ||
         cut_runs(s, h, part, true, run) > 0;
}

bool mt_memory_is_scattered(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t) {
  Run run[MAX_RUNS];
  const mt_Shape *h = mt_part_shape(s, pointer, 0);
  return h->kind == MT_SHAPE_VARYING ||
         (h->kind == MT_SHAPE_AFFINE &&
          !cut_runs(s, h, (int64_t)mt_type_size(s, mt_type_part(t, 0)), false,
                    run));
}

/* Lanes first … first + count - 1 of 'x', as a shorter vector. */
static LLVMValueRef slice(mt_Spmd *s, LLVMValueRef x, Run r) {
  LLVMValueRef m[MT_MAX_LANES];
  if (r.count == s->lanes) return x;
  for (int i = 0; i < r.count; i++) m[i] = mt_const_i32(s, r.first + i);
  return LLVMBuildShuffleVector(s->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                LLVMConstVector(m, (unsigned)r.count), "");
}

/* Put the run's lanes, given as a shorter vector, into 'all'. */
static LLVMValueRef join(mt_Spmd *s, LLVMValueRef all, LLVMValueRef x, Run r) {
  LLVMValueRef wide[MT_MAX_LANES], pick[MT_MAX_LANES];
  if (r.count == s->lanes) return x;
  for (int l = 0; l < s->lanes; l++) {
    bool in = l >= r.first && l < r.first + r.count;
    wide[l] = in ? mt_const_i32(s, l - r.first) : LLVMGetPoison(s->i32);
    pick[l] = mt_const_i32(s, in ? s->lanes + l : l);
  }
  x = LLVMBuildShuffleVector(s->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                             LLVMConstVector(wide, (unsigned)s->lanes), "");
  return LLVMBuildShuffleVector(s->b, all, x,
                                LLVMConstVector(pick, (unsigned)s->lanes), "");
}

static LLVMValueRef reversed(mt_Spmd *s, LLVMValueRef x) {
  LLVMValueRef m[MT_MAX_LANES];
  int n = (int)LLVMGetVectorSize(LLVMTypeOf(x));
  for (int i = 0; i < n; i++) m[i] = mt_const_i32(s, n - 1 - i);
  return LLVMBuildShuffleVector(s->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                LLVMConstVector(m, (unsigned)n), "");
}

/* The mask of a run, in memory order. */
static LLVMValueRef mask_of(mt_Spmd *s, Run r) {
  LLVMValueRef m = slice(s, s->mask, r);
  return r.back ? reversed(s, m) : m;
}

/* The lane with the lowest address. */
static unsigned lowest(Run r) {
  return (unsigned)(r.back ? r.first + r.count - 1 : r.first);
}

static LLVMValueRef splat_to(mt_Spmd *s, LLVMValueRef x, int count) {
  LLVMTypeRef t = LLVMVectorType(LLVMTypeOf(x), (unsigned)count);
  LLVMValueRef m = LLVMConstNull(LLVMVectorType(s->i32, (unsigned)count));
  LLVMValueRef one = LLVMBuildInsertElement(s->b, LLVMGetPoison(t), x,
                                            mt_const_i64(s, 0), "");
  return LLVMBuildShuffleVector(s->b, one, LLVMGetPoison(t), m, "");
}

/* Concatenates runs of one length; their number is a power of two. */
static LLVMValueRef join_even(mt_Spmd *s, LLVMValueRef *x, int n) {
  for (; n > 1; n /= 2)
    for (int i = 0; i < n / 2; i++) {
      LLVMValueRef m[MT_MAX_LANES];
      unsigned all = 2 * LLVMGetVectorSize(LLVMTypeOf(x[2 * i]));
      for (unsigned l = 0; l < all; l++) m[l] = mt_const_i32(s, l);
      x[i] = LLVMBuildShuffleVector(s->b, x[2 * i], x[2 * i + 1],
                                    LLVMConstVector(m, all), "");
    }
  return x[0];
}

static LLVMValueRef join_runs(mt_Spmd *s, LLVMValueRef *x, Run *run, int n) {
  bool even = (n & (n - 1)) == 0;
  for (int i = 1; i < n; i++) even &= run[i].count == run[0].count;
  if (even) return join_even(s, x, n);
  LLVMTypeRef t = LLVMGetElementType(LLVMTypeOf(x[0]));
  LLVMValueRef all = LLVMGetPoison(mt_vector_of(s, t));
  for (int i = 0; i < n; i++) all = join(s, all, x[i], run[i]);
  return all;
}

/* All lanes of the run load one address; if all are inactive, the scratch. */
static LLVMValueRef load_same(mt_Spmd *s, const mt_LaneAccess *a,
                              LLVMValueRef at, Run r) {
  if (!s->full) {
    LLVMTypeRef bits = LLVMIntTypeInContext(s->context, (unsigned)r.count);
    LLVMValueRef on = LLVMBuildBitCast(s->b, slice(s, s->mask, r), bits, "");
    on = LLVMBuildICmp(s->b, LLVMIntNE, on, LLVMConstNull(bits), "");
    at = LLVMBuildSelect(s->b, on, at, s->scratch, "");
  }
  LLVMValueRef x = LLVMBuildLoad2(s->b, a->type, at, "");
  LLVMSetAlignment(x, a->align);
  return splat_to(s, x, r.count);
}

static LLVMValueRef load_near(mt_Spmd *s, const mt_LaneAccess *a,
                              LLVMValueRef at, Run r) {
  if (r.stride)
    return mt_strided_load(s, a->type, at, r.count, r.stride, a->align);
  LLVMTypeRef t = LLVMVectorType(a->type, (unsigned)r.count);
  LLVMValueRef x;
  if (s->full) {
    x = LLVMBuildLoad2(s->b, t, at, "");
    LLVMSetAlignment(x, a->align);
  } else {
    x = mt_masked_load(s, t, at, mask_of(s, r), a->align);
  }
  return r.back ? reversed(s, x) : x;
}

static size_t run_bytes(mt_Spmd *s, const mt_LaneAccess *a, Run r) {
  return (size_t)r.count * mt_type_size(s, a->type) *
         (size_t)(r.stride ? r.stride : 1);
}

/* Do all runs have the same length and step? */
static bool are_alike(const Run *run, int n) {
  for (int i = 0; i < n; i++)
    if (run[i].same || run[i].count != run[0].count ||
        run[i].stride != run[0].stride || run[i].back != run[0].back)
      return false;
  return true;
}

static LLVMValueRef load_runs(mt_Spmd *s, const mt_Part *p,
                              const mt_LaneAccess *a, Run *run, int n) {
  LLVMValueRef x[MAX_RUNS] = {NULL}, at[MAX_RUNS];
  for (int i = 0; i < n; i++)
    at[i] = mt_byte_offset(s, mt_affine_lane(s, p, lowest(run[i])), a->offset);
  bool later = a->ahead && are_alike(run, n) &&
               mt_prefetch_later(s, a->instr, at, n, a->ahead,
                                 run_bytes(s, a, run[0]));
  for (int i = 0; i < n; i++) {
    if (a->ahead && !later && !run[i].same)
      mt_prefetch(s, at[i], a->ahead, run_bytes(s, a, run[i]));
    x[i] = run[i].same ? load_same(s, a, at[i], run[i])
                       : load_near(s, a, at[i], run[i]);
  }
  return join_runs(s, x, run, n);
}

static void store_runs(mt_Spmd *s, const mt_Part *p, const mt_LaneAccess *a,
                       Run *run, int n, LLVMValueRef x) {
  for (int i = 0; i < n; i++) {
    LLVMValueRef at = mt_byte_offset(
        s, mt_affine_lane(s, p, lowest(run[i])), a->offset);
    int last = run[i].first + run[i].count - 1;
    LLVMValueRef y = run[i].same ? LLVMBuildExtractElement(
                                       s->b, x, mt_const_i64(s, last), "")
                                 : slice(s, x, run[i]);
    if (run[i].back) y = reversed(s, y);
    if (s->full)
      LLVMSetAlignment(LLVMBuildStore(s->b, y, at), a->align);
    else
      mt_masked_store(s, y, at, mask_of(s, run[i]), a->align);
  }
}

/* Can the runs be accessed one by one? Under a mask this takes masked
** instructions and, for stores, no run with one address. */
static bool by_runs(const mt_Spmd *s, const Run *run, int n, bool write) {
  if (s->full || !n) return n > 0;
  for (int i = 0; i < n; i++)
    if (run[i].same && write) return false;
  return s->cost->masks;
}

static mt_AccessStrategy strategy_of(const Run *run, int n) {
  mt_AccessStrategy how = n > 1         ? MT_ACCESS_PIECES
                          : run[0].same ? MT_ACCESS_UNIFORM
                                        : MT_ACCESS_CONTIGUOUS;
  for (int i = 0; i < n; i++)
    if (run[i].stride) how = MT_ACCESS_STRIDED;
  return how;
}

/* -------------------------------------------- device and threadgroup memory */

LLVMValueRef mt_memory_lanes(mt_Spmd *s, LLVMValueRef pointer,
                             mt_PointerSpace space) {
  LLVMValueRef at = mt_vector(s, pointer, 0);
  if (space == MT_POINTER_PRIVATE || space == MT_POINTER_UNKNOWN)
    return mt_private_address(s, at, space == MT_POINTER_UNKNOWN);
  return at;
}

static LLVMValueRef offset_lanes(mt_Spmd *s, LLVMValueRef at, int64_t offset) {
  return mt_byte_offset(s, at, offset);
}

mt_RuntimeBranch mt_runtime_branch(mt_Spmd *s, LLVMValueRef question) {
  mt_RuntimeBranch f = {mt_new_block(s, "scattered"), NULL,
                        mt_new_block(s, "")};
  LLVMBasicBlockRef yes = mt_new_block(s, "near");
  LLVMBuildCondBr(s->b, question, yes, f.no);
  LLVMPositionBuilderAtEnd(s->b, yes);
  return f;
}

void mt_runtime_branch_else(mt_Spmd *s, mt_RuntimeBranch *f) {
  f->yes_end = LLVMGetInsertBlock(s->b);
  LLVMBuildBr(s->b, f->done);
  LLVMPositionBuilderAtEnd(s->b, f->no);
}

void mt_runtime_branch_end(mt_Spmd *s, mt_RuntimeBranch *f, LLVMValueRef *yes,
                           LLVMValueRef *no, int n) {
  LLVMBasicBlockRef from[2] = {f->yes_end, LLVMGetInsertBlock(s->b)};
  LLVMBuildBr(s->b, f->done);
  LLVMPositionBuilderAtEnd(s->b, f->done);
  for (int i = 0; i < n; i++) {
    LLVMValueRef in[2] = {yes[i], no[i]};
    no[i] = LLVMBuildPhi(s->b, LLVMTypeOf(yes[i]), "");
    LLVMAddIncoming(no[i], in, from, 2);
  }
}

LLVMValueRef mt_run_test(mt_Spmd *s, LLVMValueRef instr, LLVMValueRef pointer,
                         int64_t size, mt_RunTest test, LLVMValueRef *at) {
  return test.guarded ? mt_guarded_test(s, instr, pointer, size, test.run, at)
                      : mt_tested_test(s, pointer, size, test.run, at);
}

/* Lanes that are contiguous if a run-time test holds (contiguity_guarded.c,
** contiguity_tested.c): accessed in runs then, else gathered or scattered. */
typedef struct Nearly {
  int runs;
  Run run[MT_CONTIGUOUS_RUNS];
  LLVMValueRef at[MT_CONTIGUOUS_RUNS], ok;
} Nearly;

static Nearly test_runs(mt_Spmd *s, const mt_LaneAccess *a, mt_RunTest test) {
  Nearly n = {.runs = s->lanes / test.run};
  n.ok = mt_run_test(s, a->instr, a->pointer,
                     (int64_t)mt_type_size(s, a->type), test, n.at);
  for (int i = 0; i < n.runs; i++) {
    n.run[i] = (Run){i * test.run, test.run, false, 0, false};
    n.at[i] = mt_byte_offset(s, n.at[i], a->offset);
  }
  return n;
}

static LLVMValueRef read_nearly(mt_Spmd *s, const mt_LaneAccess *a, Nearly *n,
                                LLVMValueRef at) {
  mt_RuntimeBranch f = mt_runtime_branch(s, n->ok);
  LLVMValueRef x[MAX_RUNS];
  for (int i = 0; i < n->runs; i++)
    x[i] = load_near(s, a, n->at[i], n->run[i]);
  LLVMValueRef yes = join_runs(s, x, n->run, n->runs);
  mt_runtime_branch_else(s, &f);
  LLVMValueRef no = mt_gather(s, a->type, at, a->align);
  mt_runtime_branch_end(s, &f, &yes, &no, 1);
  return no;
}

static void store_near(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef at,
                       Run r, LLVMValueRef x) {
  x = slice(s, x, r);
  if (s->full)
    LLVMSetAlignment(LLVMBuildStore(s->b, x, at), a->align);
  else
    mt_masked_store(s, x, at, slice(s, s->mask, r), a->align);
}

static void write_nearly(mt_Spmd *s, const mt_LaneAccess *a, Nearly *n,
                         LLVMValueRef at, LLVMValueRef x) {
  mt_RuntimeBranch f = mt_runtime_branch(s, n->ok);
  for (int i = 0; i < n->runs; i++) store_near(s, a, n->at[i], n->run[i], x);
  mt_runtime_branch_else(s, &f);
  mt_scatter(s, x, at, a->align);
  mt_runtime_branch_end(s, &f, NULL, NULL, 0);
}

static LLVMValueRef read_vector(mt_Spmd *s, const mt_LaneAccess *a,
                                const mt_PartPlan *plan) {
  Run run[MAX_RUNS];
  if (plan->form == MT_PART_CONTIGUOUS) {
    mt_Part *p = mt_affine(s, a->pointer, 0);
    return mt_vector_load(
        s, a->type, mt_byte_offset(s, mt_affine_lane(s, p, 0), a->offset),
        a->align);
  }
  if (plan->form == MT_PART_RUNS) {
    mt_Part *p = mt_affine(s, a->pointer, 0);
    int n = cut_runs(s, p->shape, (int64_t)mt_type_size(s, a->type), s->full,
                     run);
    return load_runs(s, p, a, run, n);
  }
  if (plan->form == MT_PART_TILE)
    return mt_transposed_load(s, a, plan->columns);
  LLVMValueRef at = offset_lanes(s, mt_vector(s, a->pointer, 0), a->offset);
  if (plan->form == MT_PART_GATHER) return mt_gather(s, a->type, at, a->align);
  Nearly n = test_runs(s, a, plan->test);
  return read_nearly(s, a, &n, at);
}

static void write_vector(mt_Spmd *s, const mt_LaneAccess *a,
                         const mt_PartPlan *plan, LLVMValueRef x) {
  if (plan->form == MT_PART_CONTIGUOUS) {
    mt_Part *p = mt_affine(s, a->pointer, 0);
    LLVMValueRef at = mt_byte_offset(s, mt_affine_lane(s, p, 0), a->offset);
    mt_vector_store(s, x, at, a->align, a->space);
    return;
  }
  if (plan->form == MT_PART_RUNS) {
    Run run[MAX_RUNS];
    mt_Part *p = mt_affine(s, a->pointer, 0);
    int n = cut_runs(s, p->shape, (int64_t)mt_type_size(s, a->type), false,
                     run);
    store_runs(s, p, a, run, n, x);
    return;
  }
  if (plan->form == MT_PART_TILE) {
    mt_transposed_store(s, a, x, plan->columns);
    return;
  }
  LLVMValueRef at = offset_lanes(s, mt_vector(s, a->pointer, 0), a->offset);
  if (plan->form == MT_PART_GATHER) {
    mt_scatter(s, x, at, a->align);
    return;
  }
  Nearly n = test_runs(s, a, plan->test);
  write_nearly(s, a, &n, at, x);
}

/* The value of the highest active lane. */
static LLVMValueRef last_lane(mt_Spmd *s, LLVMValueRef x) {
  if (s->full)
    return LLVMBuildExtractElement(s->b, x, mt_const_i64(s, s->lanes - 1), "");
  LLVMValueRef args[2] = {mt_mask_bits(s, s->mask), LLVMConstInt(s->i1, 0, 0)};
  LLVMValueRef above = mt_intrinsic(s, "llvm.ctlz", &s->bits, 1, args, 2);
  LLVMValueRef top = LLVMConstInt(s->bits, (uint64_t)s->lanes - 1, 0);
  LLVMValueRef l = LLVMBuildSub(s->b, top, above, "");
  l = LLVMBuildTrunc(s->b, l, LLVMIntTypeInContext(s->context, 8), "");
  return LLVMBuildExtractElement(s->b, x, l, "");
}

/* ------------------------------------------------------------- the choice */

mt_RunTest mt_access_choose_test(mt_Spmd *s, const mt_LaneAccess *a,
                                 bool addresses) {
  mt_RunTest test = {0, true};
  if (!a->instr || !(s->full || s->cost->masks)) return test;
  if (s->scattered >= MAX_SCATTERED_TESTED) return test;
  test.run = mt_guarded_run(s, a->instr, a->pointer,
                            (int64_t)mt_type_size(s, a->type));
  if (!test.run && addresses)
    test = (mt_RunTest){mt_tested_run(s, a->pointer), false};
  return test;
}

static mt_PartPlan planned(mt_PartForm form, mt_AccessStrategy how) {
  return (mt_PartPlan){.form = form, .how = how};
}

/* Why the lanes are gathered or scattered. */
static mt_PlanReason reason_of(mt_Spmd *s, const mt_LaneAccess *a) {
  const mt_Shape *h = mt_part_shape(s, a->pointer, 0);
  Run run[MAX_RUNS];
  if (h->kind == MT_SHAPE_VARYING)
    return mt_is_from_memory(s, a->pointer) ? MT_REASON_LOADED
                                            : MT_REASON_COMPUTED;
  return cut_runs(s, h, (int64_t)mt_type_size(s, a->type), false, run)
             ? MT_REASON_MASK : MT_REASON_APART;
}

static mt_PartPlan choose_affine(mt_Spmd *s, const mt_LaneAccess *a,
                                 bool write) {
  Run run[MAX_RUNS];
  int n = cut_runs(s, mt_part_shape(s, a->pointer, 0),
                   (int64_t)mt_type_size(s, a->type), s->full && !write, run);
  if (n == 1 && !run[0].same && !run[0].back && !s->full)
    return planned(MT_PART_CONTIGUOUS, MT_ACCESS_CONTIGUOUS);
  if (by_runs(s, run, n, write))
    return planned(MT_PART_RUNS, strategy_of(run, n));
  return planned(MT_PART_GATHER, MT_ACCESS_GATHER);
}

/* The first that applies, in the order of README.md. */
mt_PartPlan mt_access_choose_part(mt_Spmd *s, const mt_LaneAccess *a,
                                  bool write) {
  mt_ShapeKind kind = mt_part_kind(s, a->pointer, 0);
  mt_PartPlan plan = planned(MT_PART_GATHER, MT_ACCESS_GATHER);
  if (a->space == MT_POINTER_PRIVATE || a->space == MT_POINTER_UNKNOWN) {
    bool row = kind == MT_SHAPE_UNIFORM && a->space == MT_POINTER_PRIVATE;
    plan = planned(MT_PART_PRIVATE, row ? MT_ACCESS_PRIVATE : MT_ACCESS_GATHER);
    if (!row) plan.why = reason_of(s, a);
    return plan;
  }
  if (kind == MT_SHAPE_UNIFORM)
    return planned(MT_PART_UNIFORM, MT_ACCESS_UNIFORM);
  if (kind == MT_SHAPE_AFFINE) plan = choose_affine(s, a, write);
  if (plan.form != MT_PART_GATHER) return plan;
  plan.columns = s->full ? mt_transposed_columns(s, a->pointer, a->type) : 0;
  if (!plan.columns) plan.test = mt_access_choose_test(s, a, true);
  plan.why = reason_of(s, a);
  if (plan.columns)
    plan.form = MT_PART_TILE, plan.how = MT_ACCESS_TRANSPOSED;
  else if (plan.test.run)
    plan.form = MT_PART_TESTED, plan.how = MT_ACCESS_TESTED;
  return plan;
}

static bool is_bool(LLVMTypeRef t) {
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(t) == 1;
}

/* Constant memory is not written during a launch, as prepare.c says too. */
static bool is_constant(mt_Spmd *s, const mt_LaneAccess *a) {
  const mt_Param *p =
      mt_parameter(s->kernel, s->old, mt_underlying_object(a->pointer));
  return p && p->constant && !a->is_volatile;
}

/* ----------------------------------------------------------------- accesses */

mt_LaneValue mt_access_read(mt_Spmd *s, const mt_LaneAccess *a) {
  if (is_bool(a->type)) { /* a bool takes a byte */
    mt_LaneAccess byte = *a;
    byte.type = s->i8;
    mt_LaneValue g = mt_access_read(s, &byte);
    g.value = LLVMBuildTrunc(s->b, g.value, g.uniform ? s->i1 : s->v_i1, "");
    return g;
  }
  mt_PartPlan plan = a->plan ? *a->plan : mt_access_choose_part(s, a, false);
  if (plan.form == MT_PART_PRIVATE)
    return (mt_LaneValue){mt_private_read(s, a), false};
  if (plan.form != MT_PART_UNIFORM)
    return (mt_LaneValue){read_vector(s, a, &plan), false};
  LLVMValueRef at = mt_byte_offset(s, mt_uniform(s, a->pointer, 0), a->offset);
  LLVMValueRef x = LLVMBuildLoad2(s->b, a->type, at, "");
  LLVMSetAlignment(x, a->align);
  LLVMSetVolatile(x, a->is_volatile);
  if (is_constant(s, a)) mt_mark_invariant(s, x);
  return (mt_LaneValue){x, true};
}

static LLVMValueRef as_vector(mt_Spmd *s, mt_LaneValue g) {
  return g.uniform ? mt_splat(s, g.value) : g.value;
}

void mt_access_write(mt_Spmd *s, const mt_LaneAccess *a, mt_LaneValue g) {
  if (is_bool(a->type)) {
    mt_LaneAccess byte = *a;
    byte.type = s->i8;
    g.value = LLVMBuildZExt(s->b, g.value,
                            g.uniform ? s->i8 : mt_vector_of(s, s->i8), "");
    mt_access_write(s, &byte, g);
    return;
  }
  mt_PartPlan plan = a->plan ? *a->plan : mt_access_choose_part(s, a, true);
  if (plan.form == MT_PART_PRIVATE) {
    mt_private_write(s, a, as_vector(s, g));
  } else if (plan.form != MT_PART_UNIFORM) {
    write_vector(s, a, &plan, as_vector(s, g));
  } else {
    LLVMValueRef at =
        mt_byte_offset(s, mt_uniform(s, a->pointer, 0), a->offset);
    LLVMValueRef x = g.uniform ? g.value : last_lane(s, g.value);
    LLVMValueRef st = LLVMBuildStore(s->b, x, at);
    LLVMSetAlignment(st, a->align);
    LLVMSetVolatile(st, a->is_volatile);
  }
}

static unsigned align_at(unsigned align, int64_t offset) {
  if (align == 0) align = 1;
  while (offset % align) align /= 2;
  return align;
}

mt_LaneAccess mt_access_of(mt_Spmd *s, LLVMValueRef i, unsigned part) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  LLVMTypeRef t = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
  mt_LaneAccess a = {.instr = i, .pointer = LLVMGetOperand(i, store),
                     .type = mt_type_part(t, part)};
  a.offset = (int64_t)mt_type_offset(s, t, part);
  a.align = align_at(LLVMGetAlignment(i), a.offset);
  a.space = mt_address_space(s, a.pointer);
  a.is_volatile = LLVMGetVolatile(i);
  return a;
}
