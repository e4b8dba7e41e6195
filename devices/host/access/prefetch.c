/*
** prefetch.c - prefetches for the next iterations of a loop.
**
** The one idea: a kernel that goes over a matrix tile by tile loads a tile,
** waits at a barrier, computes, and only then loads the next; the rows of a
** tile are pages apart, a pattern that hardware prefetchers do not follow. The
** same holds for a grid-stride loop over an array: if it does much work per
** element, its loads are issued too late. The step of a pointer per iteration
** follows from its arithmetic, so the address of the next iteration is known
** now, and a prefetch of it overlaps with the computation. A prefetch is only a
** hint, so an address that is wrong does no harm.
**
** A core waits for few cache lines at a time, and the loads of this tile need
** those places too. So where the loop has several barriers, the address goes to
** the frame, and the region after the next barrier, which computes on what was
** loaded, starts with the prefetches. A loop that only fills tiles
** (tile_slots.c) prefetches at once: the second-level cache waits for more
** lines than the first.
*/
#include <stdlib.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/access/access.h"
#include "devices/host/transform/transform.h"

/* instructions from an address back to the induction variable */
#define MAX_ADDRESS_DEPTH 12
/* that a load is prefetched in a loop without barriers: a page or more each */
#define ITERATIONS_AHEAD 8
/* iterations, in a loop that does nothing but fill slots */
#define FILLED_AHEAD 2

typedef struct Steps {
  mt_Spmd *s;
  int loop, block; /* the loop, and the block being generated */
  bool failed;
} Steps;

int mt_barriers_in(const mt_Spmd *s, int loop) {
  int n = 0;
  for (int i = 0; i < s->blocks; i++)
    n += s->block[i].barrier && mt_cfg_in_loop(s, i, loop);
  return n;
}

/* The innermost loop around a block that has barriers; -1: none. */
static int barrier_loop(const mt_Spmd *s, int block) {
  int loop = s->block[block].loop;
  while (loop >= 0 && !mt_barriers_in(s, loop)) loop = s->loop[loop].parent;
  return loop;
}

static LLVMValueRef fail(Steps *w) {
  w->failed = true;
  return NULL;
}

/* A uniform factor as an i64, if it is available in this block. */
static LLVMValueRef factor(Steps *w, LLVMValueRef v) {
  mt_Spmd *s = w->s;
  mt_Value *x = mt_value(s, v);
  if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind ||
      mt_part_kind(s, v, 0) != MT_SHAPE_UNIFORM)
    return fail(w);
  /* Neither emitted in this block nor in a slot: it is defined further down. */
  if (x && x->block >= 0 && x->part[0].made != s->making &&
      !x->part[0].slot_base)
    return fail(w);
  LLVMValueRef by = mt_uniform(s, v, 0);
  if (LLVMTypeOf(by) == s->i64) return by;
  /* Frozen, since LLVM 22's CodeGenPrepare puts the extension of a loaded
  ** number after the load and then replaces its uses, one in each round over
  ** the function: with rows of a tile that are so many numbers of elements
  ** apart, twenty rounds. */
  if (!LLVMIsConstant(by)) by = LLVMBuildFreeze(s->b, by, "");
  return LLVMBuildIntCast2(s->b, by, s->i64, 1, "");
}

static LLVMValueRef sum(Steps *w, LLVMValueRef a, LLVMValueRef b) {
  return a && b ? LLVMBuildAdd(w->s->b, a, b, "") : a ? a : b;
}

static LLVMValueRef step(Steps *w, LLVMValueRef v, int depth);

/* The step of a phi of the loop's header per iteration. */
static LLVMValueRef step_of_counter(Steps *w, LLVMValueRef phi) {
  mt_Induction v;
  if (!mt_induction_find(phi, &v)) return fail(w);
  LLVMValueRef by = factor(w, v.by);
  if (by && v.unit)
    by = LLVMBuildMul(w->s->b, by,
                      mt_const_i64(w->s, (int64_t)mt_type_size(w->s, v.unit)),
                      "");
  return by;
}

/* A phi of an inner loop's header starts again in each iteration of this one:
** the step of its initial value. */
static LLVMValueRef step_of_phi(Steps *w, LLVMValueRef phi, int depth) {
  mt_Spmd *s = w->s;
  int block = mt_value(s, phi)->block, inner = s->block[block].loop;
  if (block == s->loop[w->loop].header) return step_of_counter(w, phi);
  if (inner == w->loop || mt_cfg_header_of(s, block) < 0) return fail(w);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef n = LLVMGetIncomingValue(phi, i);
    if (!mt_cfg_computes(s, inner, mt_value(s, n)))
      return step(w, n, depth + 1);
  }
  return fail(w);
}

static LLVMValueRef step_of_product(Steps *w, LLVMValueRef v, int depth) {
  LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
  LLVMValueRef x = step(w, a, depth + 1), y = step(w, b, depth + 1);
  if (w->failed || (!x && !y)) return NULL;
  if (x && y) return fail(w);
  LLVMValueRef by = factor(w, x ? b : a);
  return by ? LLVMBuildMul(w->s->b, x ? x : y, by, "") : NULL;
}

static LLVMValueRef step_of_pointer(Steps *w, LLVMValueRef v, int depth) {
  LLVMValueRef x = step(w, LLVMGetOperand(v, 0), depth + 1);
  LLVMValueRef i = step(w, LLVMGetOperand(v, 1), depth + 1);
  if (LLVMGetNumOperands(v) > 2 &&
      !LLVMIsConstant(LLVMGetOperand(v, 2))) return fail(w);
  size_t size = mt_type_size(w->s, LLVMGetGEPSourceElementType(v));
  if (i) i = LLVMBuildMul(w->s->b, i, mt_const_i64(w->s, (int64_t)size), "");
  return sum(w, x, i);
}

/* The step of 'v' per iteration, as an i64; NULL: invariant, or failed. */
static LLVMValueRef step(Steps *w, LLVMValueRef v, int depth) {
  mt_Spmd *s = w->s;
  if (w->failed || !mt_cfg_computes(s, w->loop, mt_value(s, v))) return NULL;
  if (depth > MAX_ADDRESS_DEPTH) return fail(w);
  LLVMValueRef a = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPHI: return step_of_phi(w, v, depth);
    case LLVMAdd:
    case LLVMOr:
      return sum(w, step(w, a, depth + 1),
                 step(w, LLVMGetOperand(v, 1), depth + 1));
    case LLVMMul: return step_of_product(w, v, depth);
    case LLVMShl: {
      LLVMValueRef y = step(w, a, depth + 1), by = LLVMGetOperand(v, 1);
      if (!y || !LLVMIsAConstantInt(by)) return y ? fail(w) : NULL;
      int64_t k = (int64_t)1 << (LLVMConstIntGetZExtValue(by) & 63);
      return LLVMBuildMul(s->b, y, mt_const_i64(s, k), "");
    }
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMFreeze: return step(w, a, depth + 1);
    case LLVMGetElementPtr: return step_of_pointer(w, v, depth);
    default: /* any other instruction: known only if it is invariant */
      for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (step(w, LLVMGetOperand(v, (unsigned)i), depth + 1)) return fail(w);
      return NULL;
  }
}

/* Is an iteration so long that out-of-order execution, a few hundred
** instructions deep, does not reach the loads of the iterations to come? */
static bool is_long(const mt_Spmd *s, int loop) {
  int steps = 0;
  for (int i = 0; i < s->values; i++) {
    const mt_Value *v = &s->value[i];
    if (!mt_cfg_computes(s, loop, v)) continue;
    LLVMOpcode op = LLVMGetInstructionOpcode(v->of);
    bool each = op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg;
    steps += each ? 4 * s->lanes : s->lanes / 16;
  }
  return steps > s->cost->window;
}

/* The step of a pointer per iteration of 'loop', in bytes; NULL: not known. */
static LLVMValueRef moves(mt_Spmd *s, LLVMValueRef pointer, int block,
                          int loop) {
  Steps w = {s, loop, block, false};
  LLVMValueRef by = step(&w, pointer, 0);
  return w.failed ? NULL : by;
}

/* The loop around a block that fills the slots of a tile; -1: none. */
static int filling_loop(const mt_Spmd *s, int block) {
  int loop = s->block[block].loop;
  for (; loop >= 0; loop = s->loop[loop].parent)
    for (LLVMValueRef v = s->block[s->loop[loop].header].first;
         v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
      if (mt_marked(v, MT_FILLS)) return loop;
  return -1;
}

LLVMValueRef mt_prefetch_distance(mt_Spmd *s, LLVMValueRef pointer, int block) {
  int fills = s->full ? filling_loop(s, block) : -1;
  if (fills >= 0) {
    LLVMValueRef by = moves(s, pointer, block, fills);
    LLVMValueRef ahead = mt_const_i64(s, FILLED_AHEAD);
    return by ? LLVMBuildMul(s->b, by, ahead, "") : NULL;
  }
  int inner = s->full ? s->block[block].loop : -1;
  int loop = s->full ? barrier_loop(s, block) : -1;
  if (loop >= 0) return moves(s, pointer, block, loop);
  if (inner < 0 || !is_long(s, inner)) return NULL;
  LLVMValueRef by = moves(s, pointer, block, inner);
  if (!by) return NULL;
  if (LLVMIsAConstantInt(by) && llabs(LLVMConstIntGetSExtValue(by)) <
                                   s->cost->prefetcher_stride)
    return NULL; /* small strides: the hardware prefetcher does it */
  return LLVMBuildMul(s->b, by, mt_const_i64(s, ITERATIONS_AHEAD), "");
}

/* Read a line into the first-level cache or only into the second. */
static void prefetch_line(mt_Spmd *s, LLVMValueRef at, bool first) {
  LLVMValueRef args[4] = {at, mt_const_i32(s, 0),
                          mt_const_i32(s, first ? 3 : 2), mt_const_i32(s, 1)};
  mt_intrinsic(s, "llvm.prefetch", &s->ptr, 1, args, 4);
}

static void prefetch(mt_Spmd *s, LLVMValueRef at, size_t bytes) {
  for (size_t i = 0; i < bytes; i += (size_t)s->cost->cache_line)
    prefetch_line(s, mt_byte_offset(s, at, (int64_t)i), false);
}

void mt_prefetch_slot(mt_Spmd *s, LLVMValueRef at, LLVMValueRef load) {
  int ahead = mt_marked(load, MT_READS_SLOTS);
  if (ahead) prefetch_line(s, mt_byte_offset(s, at, ahead), true);
}

void mt_prefetch(mt_Spmd *s, LLVMValueRef at, LLVMValueRef by, size_t bytes) {
  prefetch(s, LLVMBuildGEP2(s->b, s->i8, at, &by, 1, ""), bytes);
}

/* --------------------------------------------------------- after a barrier */

#define PLACE 16 /* bytes: the address of the first run, the step to the next */

size_t mt_prefetch_places(mt_Spmd *s, size_t at) {
  for (int i = 0; i < s->values; i++) {
    const mt_Value *v = &s->value[i];
    int loop = v->block >= 0 ? s->block[v->block].loop : -1;
    /* in an inner loop it has several addresses */
    if (loop < 0 || mt_barriers_in(s, loop) < 2 || !LLVMIsALoadInst(v->of))
      continue;
    mt_load_ahead(s, v)->at = at;
    at += PLACE;
  }
  return at;
}

static LLVMValueRef place(mt_Spmd *s, const mt_Value *v, size_t field) {
  size_t at = mt_load_ahead(s, v)->at + field;
  return mt_byte_offset(s, s->spill, (int64_t)at);
}

static LLVMValueRef address_number(mt_Spmd *s, LLVMValueRef pointer) {
  return LLVMBuildPtrToInt(s->b, pointer, s->i64, "");
}

bool mt_prefetch_later(mt_Spmd *s, LLVMValueRef load, LLVMValueRef *at,
                       int runs, LLVMValueRef by, size_t bytes) {
  mt_Value *v = mt_value(s, load);
  LLVMValueRef step = mt_const_i64(s, 0);
  if (!mt_load_ahead(s, v)->at) return false;
  if (runs > 1)
    step = LLVMBuildSub(s->b, address_number(s, at[1]),
                        address_number(s, at[0]), "");
  LLVMBuildStore(s->b, LLVMBuildGEP2(s->b, s->i8, at[0], &by, 1, ""),
                 place(s, v, 0));
  LLVMBuildStore(s->b, step, place(s, v, 8));
  mt_load_ahead(s, v)->runs = runs, mt_load_ahead(s, v)->bytes = bytes;
  return true;
}

/* Is the load in another region, of a loop that this one is part of too? */
static bool is_due(const mt_Spmd *s, const mt_Value *v) {
  return mt_load_ahead(s, v)->runs && !s->inside[v->block] &&
         mt_cfg_in_loop(s, s->start, barrier_loop(s, v->block));
}

void mt_prefetch_now(mt_Spmd *s) {
  for (int i = 0; i < s->values; i++) {
    const mt_Value *v = &s->value[i];
    if (!is_due(s, v)) continue;
    LLVMValueRef at = LLVMBuildLoad2(s->b, s->ptr, place(s, v, 0), "");
    LLVMValueRef step = LLVMBuildLoad2(s->b, s->i64, place(s, v, 8), "");
    for (int n = 0; n < mt_load_ahead(s, v)->runs; n++) {
      prefetch(s, at, mt_load_ahead(s, v)->bytes);
      at = LLVMBuildGEP2(s->b, s->i8, at, &step, 1, "");
    }
  }
}
