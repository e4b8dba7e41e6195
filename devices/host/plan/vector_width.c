/*
** vector_width.c - how many SIMD-groups share a vector.
**
** The one idea: the inner loop of a matrix product does one multiply-add for
** two loads, and each sum waits for the one before. Where the threads of a
** group read the same data (rows of a tile read the same columns), vectors of
** 64 to 256 lanes, two to eight SIMD-groups at once, load it once for all and
** have several sums in flight. That pays for kernels with inner loops that
** small, and is possible where no operation distinguishes SIMD-groups.
** Conversely, a kernel with more live vectors than the CPU has registers runs
** half a SIMD-group at a time. All others run one.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/plan/plan.h"
#include "devices/host/strategy/strategy.h"

#define MAX_SUM_VALUES 12 /* varying values in one iteration of a small sum */
/* the same of one sum: it, two loads, their product, the next */
#define SINGLE_SUM_VALUES 5
#define MAX_MOVE_VALUES 64 /* values of a kernel that only moves or counts */
#define MAX_WALK_VALUES 256 /* of a kernel that walks through an array */
#define MAX_WALK_LIVE 6     /* live vectors in such a loop */
/* live vectors, where LLVM has unrolled the loop of a small sum */
#define MAX_SUM_LIVE 6

/* Does it use cross-lane operations, or builtins of the SIMD-group? */
static bool observes_simdgroups(mt_Spmd *s) {
  for (unsigned i = 0; i < s->kernel->param_count; i++) {
    const mt_Param *p = &s->kernel->params[i];
    if (p->kind == MT_PARAM_BUILTIN && strstr(p->builtin, "simdgroup") &&
        LLVMGetFirstUse(LLVMGetParam(s->old, i)))
      return true;
  }
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    if (s->value[i].block < 0 || !LLVMIsACallInst(v)) continue;
    const char *name = mt_callee(v);
    if (!strncmp(name, "__mt_", 5) && strncmp(name, "__mt_barrier_", 13))
      return true;
  }
  return false;
}

/* Lanes that leave a loop in different iterations make all others wait. */
static bool splits_loops(const mt_Spmd *s) {
  for (int l = 0; l < s->loops; l++)
    if (s->loop[l].divergent) return true;
  return false;
}

static bool is_innermost(const mt_Spmd *s, int loop) {
  for (int l = 0; l < s->loops; l++)
    if (s->loop[l].parent == loop) return false;
  return true;
}

/* A loop that sums products of loaded values, with at most so many sums and
** varying values in all. */
static bool is_small_sum(mt_Spmd *s, int loop, int most_sums,
                         int most_vectors) {
  int vectors = 0, phis = 0, products = 0, loads = 0;
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->block < 0 || s->block[v->block].loop != loop) continue;
    LLVMOpcode op = LLVMGetInstructionOpcode(v->of);
    if (op == LLVMStore || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg)
      return false;
    loads += op == LLVMLoad;
    for (unsigned p = 0; p < v->parts; p++) {
      if (v->part[p].shape->kind != MT_SHAPE_VARYING) continue;
      vectors++;
      phis += op == LLVMPHI;
      products += op == LLVMFMul || op == LLVMCall;
    }
  }
  return phis >= 1 && phis <= most_sums && products && loads &&
         vectors <= most_vectors;
}

static int small_sums(mt_Spmd *s, int most_sums, int most_vectors) {
  int n = 0;
  for (int l = 0; l < s->loops; l++)
    n += is_innermost(s, l) && is_small_sum(s, l, most_sums, most_vectors);
  return n;
}

/* Eight SIMD-groups: the rows of a group, two registers each, that share the
** row of the other factor. Sixteen registers are sums. */
static bool shares_rows(mt_Spmd *s) {
  const uint32_t *n = s->geometry->size;
  return s->cost->sum_lanes == MT_MAX_LANES && n[0] % MT_LANES == 0 &&
         n[0] < MT_MAX_LANES &&
         n[0] * n[1] * n[2] % MT_MAX_LANES == 0 &&
         small_sums(s, 1, SINGLE_SUM_VALUES) ==
             small_sums(s, 2, MAX_SUM_VALUES);
}

static int vectors_of(const mt_Value *v) {
  int n = 0;
  for (unsigned p = 0; v && v->block >= 0 && p < v->parts; p++)
    n += v->part[p].shape->kind == MT_SHAPE_VARYING;
  return n;
}

/* The most vectors that are live at one point of a block: going back from its
** end, a value is live from its last use to its definition. */
static int most_live(mt_Spmd *s, const mt_CfgBlock *k, bool *live) {
  int now = 0, most = 0;
  memset(live, 0, (size_t)s->values);
  for (int i = s->values - 1; i >= 0; i--) {
    mt_Value *v = &s->value[i];
    if (v->block != k - s->block) continue;
    if (live[i]) live[i] = false, now -= vectors_of(v);
    for (int n = 0; n < LLVMGetNumOperands(v->of); n++) {
      mt_Value *x = mt_value(s, LLVMGetOperand(v->of, (unsigned)n));
      if (!vectors_of(x) || live[x - s->value]) continue;
      live[x - s->value] = true;
      now += vectors_of(x);
      if (now > most) most = now;
    }
  }
  return most;
}

/* The same sum, its loop unrolled by LLVM. */
static bool is_long_sum(mt_Spmd *s, const mt_CfgBlock *k) {
  int products = 0, loads = 0;
  for (LLVMValueRef i = k->first; i != k->end; i = LLVMGetNextInstruction(i)) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    loads += op == LLVMLoad;
    products += op == LLVMFMul && vectors_of(mt_value(s, i)) == 1;
  }
  if (products < 8 || loads < products) return false;
  bool *live = mt_new(s, (size_t)s->values + 1, sizeof *live);
  bool few = live && most_live(s, k, live) <= MAX_SUM_LIVE;
  mt_drop(s, live);
  return few;
}

/* Do the live vectors of a whole SIMD-group exceed the CPU's registers? */
static bool overflows(mt_Spmd *s) {
  int each = MT_LANES * 4 / s->cost->register_bytes, most = 0;
  bool *live = mt_new(s, (size_t)s->values + 1, sizeof *live);
  for (int i = 0; live && i < s->blocks; i++) {
    int n = most_live(s, &s->block[i], live);
    if (n > most) most = n;
  }
  mt_drop(s, live);
  return most * each > s->cost->live_registers;
}

/* Is it a small kernel that only moves data, with accesses that are not
** contiguous, such as a transpose? */
static bool is_turn(mt_Spmd *s) {
  int scattered = 0;
  const uint32_t *n = s->geometry->size;
  if (s->loops || s->barriers || s->values > MAX_MOVE_VALUES ||
      n[0] * n[1] * n[2] == n[0])
    return false;
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    if (s->value[i].block < 0) continue;
    bool store = LLVMIsAStoreInst(v) != NULL;
    if (!store && !LLVMIsALoadInst(v)) continue;
    LLVMValueRef p = LLVMGetOperand(v, store);
    LLVMTypeRef t = LLVMTypeOf(store ? LLVMGetOperand(v, 0) : v);
    scattered += !mt_memory_is_runs(s, p, t);
  }
  return scattered > 0;
}

/* Do all threads add to one address, and do little else? Then one addition
** serves several SIMD-groups. */
static bool is_count(mt_Spmd *s) {
  int counts = 0;
  if (s->loops || s->barriers || s->values > MAX_MOVE_VALUES) return false;
  for (int i = 0; i < s->values; i++) {
    LLVMValueRef v = s->value[i].of;
    if (s->value[i].block < 0) continue;
    if (LLVMIsAAtomicCmpXchgInst(v)) return false;
    if (!LLVMIsAAtomicRMWInst(v)) continue;
    LLVMValueRef p = LLVMGetOperand(v, 0);
    if (LLVMGetFirstUse(v) || mt_part_kind(s, p, 0) != MT_SHAPE_UNIFORM ||
        mt_address_space(s, p) != MT_POINTER_DEVICE)
      return false;
    counts++;
  }
  return counts > 0;
}

/* The live vectors at one point of a loop's blocks. */
static int most_live_in(mt_Spmd *s, int loop) {
  bool *live = mt_new(s, (size_t)s->values + 1, sizeof *live);
  int most = 0;
  for (int i = 0; live && i < s->blocks; i++) {
    int n = s->block[i].loop == loop ? most_live(s, &s->block[i], live) : 0;
    if (n > most) most = n;
  }
  mt_drop(s, live);
  return most;
}

/* Does a load of device memory leave out what other SIMD-groups load, from one
** iteration to the next? */
static bool steps_over(mt_Spmd *s, const mt_Value *v) {
  bool known = true;
  if (v->block < 0 || !LLVMIsALoadInst(v->of)) return false;
  LLVMValueRef p = LLVMGetOperand(v->of, 0);
  const mt_Shape *h = mt_part_shape(s, p, 0);
  if (h->kind != MT_SHAPE_AFFINE || mt_address_space(s, p) != MT_POINTER_DEVICE)
    return false;
  int64_t own = h->offset[s->lanes - 1] - h->offset[0];
  int64_t by = mt_induction_step(s, s->block[v->block].loop, p, &known);
  return known && own > 0 && by > 2 * own;
}

static bool stores_in(const mt_Spmd *s, int loop) {
  for (int i = 0; i < s->values; i++)
    if (s->value[i].block >= 0 && s->block[s->value[i].block].loop == loop &&
        LLVMIsAStoreInst(s->value[i].of))
      return true;
  return false;
}

/* for (i = t; i < n; i += 256) s += x[i]: each SIMD-group walks through the
** memory of all in steps that no prefetcher follows. Two of them read as much
** again in one step. Where the loop stores too, that gained nothing. */
static bool is_walk(mt_Spmd *s) {
  const uint32_t *n = s->geometry->size;
  bool walks = false;
  if (n[1] * n[2] > 1 || s->values > MAX_WALK_VALUES) return false;
  for (int i = 0; i < s->values && !walks; i++) {
    int loop = s->value[i].block < 0 ? -1 : s->block[s->value[i].block].loop;
    walks = loop >= 0 && is_innermost(s, loop) && !stores_in(s, loop) &&
            steps_over(s, &s->value[i]) &&
            most_live_in(s, loop) <= MAX_WALK_LIVE;
  }
  return walks;
}

int mt_vector_width(mt_Spmd *s) {
  const uint32_t *n = s->geometry->size;
  uint32_t total = n[0] * n[1] * n[2];
  if (observes_simdgroups(s)) return MT_LANES;
  if (total >= MT_LANES && overflows(s)) return MT_LANES / 2;
  if (s->private_bytes || s->shared_bytes || s->mode == MT_GRID_SHAPED ||
      s->mode == MT_GRID_MASKED || splits_loops(s))
    return MT_LANES;
  bool small = small_sums(s, 2, MAX_SUM_VALUES) > 0;
  if (small && shares_rows(s)) return MT_MAX_LANES;
  for (int i = 0; i < s->blocks && !small; i++)
    small = is_long_sum(s, &s->block[i]);
  if (!small && is_walk(s) && total % (2 * MT_LANES) == 0) return 2 * MT_LANES;
  if (!small && !is_turn(s) && !is_count(s)) return MT_LANES;
  int lanes = n[0] % 16 == 0 ? s->cost->move_lanes : MT_LANES;
  while (lanes > MT_LANES && total % (uint32_t)lanes) lanes /= 2;
  return lanes;
}

bool mt_vector_width_pays(mt_Spmd *wide) {
  if (wide->lanes < MT_LANES) return true;
  /* buffering more rows at a time than a SIMD-group has does not pay */
  if (mt_row_buffer_rows(wide) > MT_LANES) return false;
  return !splits_loops(wide) && mt_memory_gathers(wide) == 0;
}
