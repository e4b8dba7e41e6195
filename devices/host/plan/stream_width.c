/*
** stream_width.c - kernels that only move memory, in shorter registers.
**
** The one idea: some CPUs run slower while they use registers of 64 bytes, by
** a sixth to a fifth (Intel's from Skylake to Cooper Lake). What is computed
** gains more by the width than that; a sum of two arrays waits for memory,
** gains nothing and loses the clock. So a kernel without loops, whose accesses
** are contiguous or atomic and more than its operations, has registers of 32
** bytes there: code generation divides its vectors, everything else stays.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/access/access.h"
#include "devices/host/plan/plan.h"

/* Operations for so many accesses at most: two for three, as in a * x + y. */
#define MOST_OPERATIONS 2
#define ACCESSES 3

typedef struct Work {
  int accesses, operations;
} Work;

/* False: an access that is not contiguous. */
static bool add_access(mt_Spmd *s, LLVMValueRef i, Work *w) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  LLVMValueRef p = LLVMGetOperand(i, store);
  LLVMTypeRef t = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
  if (mt_part_kind(s, p, 0) == MT_SHAPE_UNIFORM) return !store;
  w->accesses++;
  return mt_memory_is_runs(s, p, t) && !mt_is_private(s, p);
}

/* An atomic operation is one access of each lane. False: it is one for all. */
static bool add_atomic(mt_Spmd *s, LLVMValueRef i, Work *w) {
  w->accesses += s->lanes;
  return mt_part_kind(s, LLVMGetOperand(i, 0), 0) == MT_SHAPE_VARYING;
}

/* False: neither arithmetic nor a contiguous access. */
static bool add_step(mt_Spmd *s, const mt_Value *v, Work *w) {
  if (LLVMIsALoadInst(v->of) || LLVMIsAStoreInst(v->of))
    return add_access(s, v->of, w);
  if (LLVMIsAAtomicRMWInst(v->of)) return add_atomic(s, v->of, w);
  if (LLVMIsAPHINode(v->of)) return false;
  if (LLVMIsACallInst(v->of) && !mt_is_pure_intrinsic(mt_callee(v->of)))
    return false;
  for (unsigned p = 0; p < v->parts; p++)
    w->operations += v->part[p].shape->kind == MT_SHAPE_VARYING;
  return true;
}

bool mt_streams(mt_Spmd *s) {
  Work w = {0};
  if (s->cost->stream_bytes >= s->cost->register_bytes || s->loops ||
      s->barriers || s->lanes != MT_LANES)
    return false;
  for (int i = 0; i < s->values; i++)
    if (s->value[i].block >= 0 && !add_step(s, &s->value[i], &w)) return false;
  return w.accesses && w.operations * ACCESSES <= w.accesses * MOST_OPERATIONS;
}
