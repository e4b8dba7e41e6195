/*
** contiguity_tested.c - addresses that are tested for contiguity at run time.
**
** The one idea: an index that is computed from the thread's position by shifts
** and masks (a butterfly's partner) follows no pattern that is known at compile
** time, but at run time it mostly does: sixteen consecutive lanes read sixteen
** consecutive elements. Comparing all addresses with that pattern costs a tenth
** of a gather. Skip indices that are loaded or loop-carried: they are rarely
** contiguous. Floats are allowed as texture coordinates: a position that is
** only shifted and scaled by uniform values often is contiguous. An index into
** a buffer that was a float is a scaled one: it picks elements apart.
*/
#include "devices/compiler/ir/ir.h"
#include "devices/host/access/access.h"

/* instructions from the address back to a position */
#define MAX_ADDRESS_DEPTH 24
/* instructions from an index back to the load that is its reason */
#define MAX_LOAD_DISTANCE 10
#define RUN 16 /* lanes: a register of words */
#define MIN_RUN 8 /* lanes of a run that is worth the test */

static bool is_real(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  if (k == LLVMVectorTypeKind) k = LLVMGetTypeKind(LLVMGetElementType(t));
  return k == LLVMFloatTypeKind || k == LLVMHalfTypeKind ||
         k == LLVMBFloatTypeKind;
}

static bool varies(mt_Spmd *s, LLVMValueRef v) {
  mt_Value *x = mt_value(s, v);
  for (unsigned p = 0; x && p < x->parts; p++)
    if (x->part[p].shape->kind == MT_SHAPE_VARYING) return true;
  return false;
}

/* A float that may step evenly from lane to lane, if its operands do. */
static bool is_even(mt_Spmd *s, LLVMValueRef v) {
  static const char *const EVEN[] = {
      "llvm.floor.", "llvm.ceil.", "llvm.trunc.", "llvm.rint.", "llvm.fabs.",
      "llvm.round", "llvm.minnum.", "llvm.maxnum.", "llvm.nearbyint.", NULL};
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMFMul: case LLVMFDiv: case LLVMFAdd: case LLVMFSub:
      return !varies(s, LLVMGetOperand(v, 0)) ||
             !varies(s, LLVMGetOperand(v, 1));
    case LLVMCall: return mt_calls_one_of(v, EVEN);
    default: return true;
  }
}

static bool is_worked_out(mt_Spmd *s, LLVMValueRef v, int depth, bool reals) {
  mt_Value *x = mt_value(s, v);
  if (!x || x->block < 0) return true;
  if (depth > MAX_ADDRESS_DEPTH) return false;
  if (!varies(s, v)) return true;
  if (LLVMIsALoadInst(v) || LLVMIsAPHINode(v) || LLVMIsAAtomicRMWInst(v) ||
      LLVMIsAAtomicCmpXchgInst(v))
    return false;
  if (is_real(LLVMTypeOf(v)) && !(reals && is_even(s, v))) return false;
  int n = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v)
                             : LLVMGetNumOperands(v);
  for (int i = 0; i < n; i++)
    if (!is_worked_out(s, LLVMGetOperand(v, (unsigned)i), depth + 1, reals))
      return false;
  return true;
}

bool mt_is_computed(mt_Spmd *s, LLVMValueRef v) {
  return is_worked_out(s, v, 0, false);
}

static bool has_load(mt_Spmd *s, LLVMValueRef v, int depth) {
  if (depth == 0 || !varies(s, v) || LLVMIsAArgument(v)) return false;
  if (LLVMIsALoadInst(v) || LLVMIsAAtomicRMWInst(v) ||
      LLVMIsAAtomicCmpXchgInst(v))
    return true;
  int n = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v)
                             : LLVMGetNumOperands(v);
  for (int i = 0; i < n; i++)
    if (has_load(s, LLVMGetOperand(v, (unsigned)i), depth - 1)) return true;
  return false;
}

bool mt_is_from_memory(mt_Spmd *s, LLVMValueRef v) {
  return has_load(s, v, MAX_LOAD_DISTANCE);
}

/* The longest run of lanes within a row of the group that is tested. */
static int run_of(const mt_Spmd *s) {
  const uint32_t *n = s->geometry->size;
  if (n[1] * n[2] == 1 || n[0] % RUN == 0) return RUN;
  return n[0] % MIN_RUN == 0 ? MIN_RUN : 0;
}

/* The addresses if each run were contiguous from its first lane on. */
static LLVMValueRef would_be(mt_Spmd *s, LLVMValueRef at, int run,
                             int64_t size) {
  LLVMValueRef from[MT_MAX_LANES];
  int64_t on[MT_MAX_LANES];
  for (int l = 0; l < s->lanes; l++) {
    from[l] = mt_const_i32(s, l - l % run);
    on[l] = l % run * size;
  }
  LLVMValueRef first = LLVMBuildShuffleVector(
      s->b, at, LLVMGetPoison(LLVMTypeOf(at)),
      LLVMConstVector(from, (unsigned)s->lanes), "");
  return LLVMBuildAdd(s->b, first, mt_const_vector(s, s->i64, on), "");
}

/* Texels are found by a pointer that is loaded from the texture. */
static bool is_in_buffer(LLVMValueRef pointer) {
  LLVMValueRef object = mt_underlying_object(pointer);
  return LLVMIsAArgument(object) || LLVMIsAGlobalVariable(object);
}

static bool finds_runs(mt_Spmd *s, LLVMValueRef pointer) {
  return s->full && s->cost->gather &&
         mt_part_kind(s, pointer, 0) == MT_SHAPE_VARYING && run_of(s) &&
         is_worked_out(s, pointer, 0, !is_in_buffer(pointer));
}

int mt_tested_run(mt_Spmd *s, LLVMValueRef pointer) {
  int run = run_of(s);
  return finds_runs(s, pointer) && s->lanes / run <= MT_CONTIGUOUS_RUNS ? run
                                                                        : 0;
}

LLVMValueRef mt_tested_test(mt_Spmd *s, LLVMValueRef pointer, int64_t size,
                            int run, LLVMValueRef *at) {
  LLVMValueRef p = LLVMBuildFreeze(s->b, mt_vector(s, pointer, 0), "");
  LLVMValueRef n = LLVMBuildPtrToInt(s->b, p, s->v_i64, "");
  LLVMValueRef other =
      LLVMBuildICmp(s->b, LLVMIntNE, n, would_be(s, n, run, size), "");
  LLVMValueRef ok = LLVMBuildNot(s->b, mt_mask_any(s, other), "");
  for (int i = 0; i < s->lanes / run; i++)
    at[i] =
        LLVMBuildExtractElement(s->b, p, mt_const_i64(s, i * run), "");
  return ok;
}
