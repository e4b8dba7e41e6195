/*
** runs.c - accesses of lanes whose addresses are contiguous in runs.
**
** The one idea: an affine address tells at compile time which lanes are
** contiguous in memory. The lanes are cut into runs, each contiguous or all
** with one address, and a run is one plain vector (or scalar) access; an
** address with too many runs, or a varying one, is left to other strategies.
*/
#include "devices/host/access/parts.h"

/* elements; what lies between is loaded, too, and dropped */
#define MAX_STRIDE 8

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
static mt_Run strided_run(const mt_Spmd *s, const mt_Shape *h, int first,
                       int64_t size) {
  mt_Run r = {first, 0, false, 0, false};
  if (first + 1 >= s->lanes) return r;
  int64_t step = h->offset[first + 1] - h->offset[first];
  if (step % size || step < 2 * size || step > MAX_STRIDE * size) return r;
  r.count = run_length(s, h, first, step) / 2 * 2;
  r.stride = (int)(step / size);
  return r;
}

/* Returns the number of runs; 0: more than MT_MAX_LANE_RUNS. */
static int cut_runs(const mt_Spmd *s, const mt_Shape *h, int64_t size,
                    bool strides, mt_Run *run) {
  int n = 0;
  for (int l = 0; l < s->lanes; l += run[n - 1].count) {
    if (n == MT_MAX_LANE_RUNS) return 0;
    int near = run_length(s, h, l, size), same = run_length(s, h, l, 0);
    int back = run_length(s, h, l, -size);
    run[n] = (mt_Run){l, near >= same ? near : same, near < same, 0, false};
    if (back >= 4 && back > run[n].count)
      run[n] = (mt_Run){l, back, false, 0, true};
    mt_Run strided = {0};
    if (strides) strided = strided_run(s, h, l, size);
    if (strided.count >= 4 && strided.count > run[n].count) run[n] = strided;
    n++;
  }
  return n;
}

bool mt_memory_is_runs(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t) {
  mt_Run run[MT_MAX_LANE_RUNS];
  const mt_Shape *h = mt_part_shape(s, pointer, 0);
  if (h->kind != MT_SHAPE_AFFINE) return h->kind == MT_SHAPE_UNIFORM;
  int64_t part = (int64_t)mt_type_size(s, mt_type_part(t, 0));
  return run_length(s, h, 0, (int64_t)mt_type_size(s, t)) == s->lanes ||
         cut_runs(s, h, part, true, run) > 0;
}

bool mt_memory_is_scattered(mt_Spmd *s, LLVMValueRef pointer, LLVMTypeRef t) {
  mt_Run run[MT_MAX_LANE_RUNS];
  const mt_Shape *h = mt_part_shape(s, pointer, 0);
  return h->kind == MT_SHAPE_VARYING ||
         (h->kind == MT_SHAPE_AFFINE &&
          !cut_runs(s, h, (int64_t)mt_type_size(s, mt_type_part(t, 0)), false,
                    run));
}

/* Lanes first … first + count - 1 of 'x', as a shorter vector. */
static LLVMValueRef slice(mt_Spmd *s, LLVMValueRef x, mt_Run r) {
  LLVMValueRef m[MT_MAX_LANES];
  if (r.count == s->lanes) return x;
  for (int i = 0; i < r.count; i++) m[i] = mt_const_i32(s, r.first + i);
  return LLVMBuildShuffleVector(s->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                LLVMConstVector(m, (unsigned)r.count), "");
}

/* Put the run's lanes, given as a shorter vector, into 'all'. */
static LLVMValueRef join(mt_Spmd *s, LLVMValueRef all, LLVMValueRef x,
                         mt_Run r) {
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
static LLVMValueRef mask_of(mt_Spmd *s, mt_Run r) {
  LLVMValueRef m = slice(s, s->mask, r);
  return r.back ? reversed(s, m) : m;
}

/* The lane with the lowest address. */
static unsigned lowest(mt_Run r) {
  return (unsigned)(r.back ? r.first + r.count - 1 : r.first);
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

LLVMValueRef mt_join_runs(mt_Spmd *s, LLVMValueRef *x, mt_Run *run, int n) {
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
                              LLVMValueRef at, mt_Run r) {
  if (!s->full) {
    LLVMTypeRef bits = LLVMIntTypeInContext(s->context, (unsigned)r.count);
    LLVMValueRef on = LLVMBuildBitCast(s->b, slice(s, s->mask, r), bits, "");
    on = LLVMBuildICmp(s->b, LLVMIntNE, on, LLVMConstNull(bits), "");
    at = LLVMBuildSelect(s->b, on, at, s->scratch, "");
  }
  LLVMValueRef x = LLVMBuildLoad2(s->b, a->type, at, "");
  LLVMSetAlignment(x, a->align);
  return mt_splat_to(s->b, x, (unsigned)r.count);
}

LLVMValueRef mt_run_load(mt_Spmd *s, const mt_LaneAccess *a,
                              LLVMValueRef at, mt_Run r) {
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

static size_t run_bytes(mt_Spmd *s, const mt_LaneAccess *a, mt_Run r) {
  return (size_t)r.count * mt_type_size(s, a->type) *
         (size_t)(r.stride ? r.stride : 1);
}

/* Do all runs have the same length and step? */
static bool are_alike(const mt_Run *run, int n) {
  for (int i = 0; i < n; i++)
    if (run[i].same || run[i].count != run[0].count ||
        run[i].stride != run[0].stride || run[i].back != run[0].back)
      return false;
  return true;
}

static LLVMValueRef load_runs(mt_Spmd *s, const mt_Part *p,
                              const mt_LaneAccess *a, mt_Run *run, int n) {
  LLVMValueRef x[MT_MAX_LANE_RUNS] = {NULL}, at[MT_MAX_LANE_RUNS];
  for (int i = 0; i < n; i++)
    at[i] = mt_byte_offset(s, mt_affine_lane(s, p, lowest(run[i])), a->offset);
  bool later = a->ahead && are_alike(run, n) &&
               mt_prefetch_later(s, a->instr, at, n, a->ahead,
                                 run_bytes(s, a, run[0]));
  for (int i = 0; i < n; i++) {
    if (a->ahead && !later && !run[i].same)
      mt_prefetch(s, at[i], a->ahead, run_bytes(s, a, run[i]));
    x[i] = run[i].same ? load_same(s, a, at[i], run[i])
                       : mt_run_load(s, a, at[i], run[i]);
  }
  return mt_join_runs(s, x, run, n);
}

static void store_runs(mt_Spmd *s, const mt_Part *p, const mt_LaneAccess *a,
                       mt_Run *run, int n, LLVMValueRef x) {
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
static bool by_runs(const mt_Spmd *s, const mt_Run *run, int n, bool write) {
  if (s->full || !n) return n > 0;
  for (int i = 0; i < n; i++)
    if (run[i].same && write) return false;
  return s->cost->masks;
}

static mt_AccessStrategy strategy_of(const mt_Run *run, int n) {
  mt_AccessStrategy how = n > 1         ? MT_ACCESS_PIECES
                          : run[0].same ? MT_ACCESS_UNIFORM
                                        : MT_ACCESS_CONTIGUOUS;
  for (int i = 0; i < n; i++)
    if (run[i].stride) how = MT_ACCESS_STRIDED;
  return how;
}

mt_PlanReason mt_access_reason(mt_Spmd *s, const mt_LaneAccess *a) {
  const mt_Shape *h = mt_part_shape(s, a->pointer, 0);
  mt_Run run[MT_MAX_LANE_RUNS];
  if (h->kind == MT_SHAPE_VARYING)
    return mt_is_from_memory(s, a->pointer) ? MT_REASON_LOADED
                                            : MT_REASON_COMPUTED;
  return cut_runs(s, h, (int64_t)mt_type_size(s, a->type), false, run)
             ? MT_REASON_MASK : MT_REASON_APART;
}

void mt_run_store(mt_Spmd *s, const mt_LaneAccess *a, LLVMValueRef at,
                       mt_Run r, LLVMValueRef x) {
  x = slice(s, x, r);
  if (s->full)
    LLVMSetAlignment(LLVMBuildStore(s->b, x, at), a->align);
  else
    mt_masked_store(s, x, at, slice(s, s->mask, r), a->align);
}

/* ---------------------------------------------------------------- the rows */

static int runs_of(mt_Spmd *s, const mt_LaneAccess *a, bool strides,
                   mt_Run *run) {
  return cut_runs(s, mt_part_shape(s, a->pointer, 0),
                  (int64_t)mt_type_size(s, a->type), strides, run);
}

static bool is_affine(mt_Spmd *s, const mt_LaneAccess *a) {
  return mt_part_kind(s, a->pointer, 0) == MT_SHAPE_AFFINE;
}

/* One run of lanes, of which some are active. */
static bool masked_run_choose(mt_Spmd *s, const mt_LaneAccess *a, bool write,
                              mt_PartPlan *plan) {
  (void)write;
  mt_Run run[MT_MAX_LANE_RUNS];
  plan->how = MT_ACCESS_CONTIGUOUS;
  return is_affine(s, a) && !s->full && runs_of(s, a, false, run) == 1 &&
         !run[0].same && !run[0].back;
}

static LLVMValueRef first_address(mt_Spmd *s, const mt_LaneAccess *a) {
  const mt_Part *p = mt_affine(s, a->pointer, 0);
  return mt_byte_offset(s, mt_affine_lane(s, p, 0), a->offset);
}

static mt_LaneValue masked_run_read(mt_Spmd *s, const mt_LaneAccess *a,
                                    const mt_PartPlan *plan) {
  (void)plan;
  return mt_lanes(mt_vector_load(s, a->type, first_address(s, a), a->align));
}

static void masked_run_write(mt_Spmd *s, const mt_LaneAccess *a,
                             const mt_PartPlan *plan, mt_LaneValue g) {
  (void)plan;
  LLVMValueRef x = mt_lane_vector(s, g);
  mt_vector_store(s, x, first_address(s, a), a->align, a->space);
}

const mt_PartStrategy mt_part_masked_run = {masked_run_choose, masked_run_read,
                                            masked_run_write};

static bool runs_choose(mt_Spmd *s, const mt_LaneAccess *a, bool write,
                        mt_PartPlan *plan) {
  mt_Run run[MT_MAX_LANE_RUNS];
  int n = is_affine(s, a) ? runs_of(s, a, s->full && !write, run) : 0;
  if (!by_runs(s, run, n, write)) return false;
  plan->how = strategy_of(run, n);
  return true;
}

static mt_LaneValue runs_read(mt_Spmd *s, const mt_LaneAccess *a,
                              const mt_PartPlan *plan) {
  (void)plan;
  mt_Run run[MT_MAX_LANE_RUNS];
  const mt_Part *p = mt_affine(s, a->pointer, 0);
  int n = runs_of(s, a, s->full, run);
  return mt_lanes(load_runs(s, p, a, run, n));
}

static void runs_write(mt_Spmd *s, const mt_LaneAccess *a,
                       const mt_PartPlan *plan, mt_LaneValue g) {
  (void)plan;
  mt_Run run[MT_MAX_LANE_RUNS];
  LLVMValueRef x = mt_lane_vector(s, g);
  const mt_Part *p = mt_affine(s, a->pointer, 0);
  store_runs(s, p, a, run, runs_of(s, a, false, run), x);
}

const mt_PartStrategy mt_part_runs = {runs_choose, runs_read, runs_write};
