/*
** ahead.c - what the next round of a loop will read, asked for in time.
**
** The one idea: a kernel that goes over a matrix tile by tile loads a tile,
** waits at a barrier, computes, and only then loads the next; the rows of a
** tile lie pages apart, where no CPU looks ahead by itself. How far a pointer
** moves with each round of the loop can be read off its arithmetic, so the
** address for the next round is known when this round's is: a prefetch there
** runs while the kernel computes. A prefetch is a hint, so what is not
** understood, or only roughly, does no harm.
*/
#include "devices/host/engine/memory.h"

#define LINE 64
#define DEPTH 12

typedef struct Walk {
  Spmd *s;
  int loop, block; /* the loop, and the block being generated */
  bool failed;
} Walk;

static bool has_barrier(const Spmd *s, int loop) {
  for (int i = 0; i < s->blocks; i++)
    if (s->block[i].barrier && mt_cfg_in_loop(s, i, loop)) return true;
  return false;
}

static LLVMValueRef fail(Walk *w) {
  w->failed = true;
  return NULL;
}

/* A uniform factor as an i64, if it is at hand in this block. */
static LLVMValueRef factor(Walk *w, LLVMValueRef v) {
  Spmd *s = w->s;
  Value *x = mt_value(s, v);
  if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind ||
      mt_part_kind(s, v, 0) != KIND_UNIFORM)
    return fail(w);
  if (x && x->block >= 0 && x->block != w->block && !x->crosses) return fail(w);
  return LLVMBuildIntCast2(s->b, mt_uniform(s, v, 0), s->i64, 1, "");
}

static LLVMValueRef sum(Walk *w, LLVMValueRef a, LLVMValueRef b) {
  return a && b ? LLVMBuildAdd(w->s->b, a, b, "") : a ? a : b;
}

static LLVMValueRef step(Walk *w, LLVMValueRef v, int depth);

/* By how much a phi of the loop's header grows in a round. */
static LLVMValueRef step_of_counter(Walk *w, LLVMValueRef phi) {
  Spmd *s = w->s;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef n = LLVMGetIncomingValue(phi, i);
    Value *x = mt_value(s, n);
    if (!x || x->block < 0 || !mt_cfg_in_loop(s, x->block, w->loop)) continue;
    LLVMOpcode op = LLVMGetInstructionOpcode(n);
    if ((op != LLVMAdd && op != LLVMGetElementPtr) ||
        LLVMGetNumOperands(n) != 2 || LLVMGetOperand(n, 0) != phi)
      return fail(w);
    LLVMValueRef by = factor(w, LLVMGetOperand(n, 1));
    if (by && op == LLVMGetElementPtr)
      by = LLVMBuildMul(s->b, by, mt_const_i64(s, (int64_t)mt_type_size(
                        s, LLVMGetGEPSourceElementType(n))), "");
    return by;
  }
  return fail(w);
}

/* A phi of a loop inside starts anew with each round of this one. */
static LLVMValueRef step_of_phi(Walk *w, LLVMValueRef phi, int depth) {
  Spmd *s = w->s;
  int block = mt_value(s, phi)->block, inner = s->block[block].loop;
  if (block == s->loop[w->loop].header) return step_of_counter(w, phi);
  if (inner == w->loop || s->loop[inner].header != block) return fail(w);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef n = LLVMGetIncomingValue(phi, i);
    Value *x = mt_value(s, n);
    if (!x || x->block < 0 || !mt_cfg_in_loop(s, x->block, inner))
      return step(w, n, depth + 1);
  }
  return fail(w);
}

static LLVMValueRef step_of_product(Walk *w, LLVMValueRef v, int depth) {
  LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
  LLVMValueRef x = step(w, a, depth + 1), y = step(w, b, depth + 1);
  if (w->failed || (!x && !y)) return NULL;
  if (x && y) return fail(w);
  LLVMValueRef by = factor(w, x ? b : a);
  return by ? LLVMBuildMul(w->s->b, x ? x : y, by, "") : NULL;
}

static LLVMValueRef step_of_pointer(Walk *w, LLVMValueRef v, int depth) {
  LLVMValueRef x = step(w, LLVMGetOperand(v, 0), depth + 1);
  LLVMValueRef i = step(w, LLVMGetOperand(v, 1), depth + 1);
  if (LLVMGetNumOperands(v) > 2 &&
      !LLVMIsConstant(LLVMGetOperand(v, 2))) return fail(w);
  size_t size = mt_type_size(w->s, LLVMGetGEPSourceElementType(v));
  if (i) i = LLVMBuildMul(w->s->b, i, mt_const_i64(w->s, (int64_t)size), "");
  return sum(w, x, i);
}

/* By how much 'v' grows in a round, as an i64; NULL: not at all, or failed. */
static LLVMValueRef step(Walk *w, LLVMValueRef v, int depth) {
  Spmd *s = w->s;
  Value *x = mt_value(s, v);
  if (w->failed || !x || x->block < 0 || !mt_cfg_in_loop(s, x->block, w->loop))
    return NULL;
  if (depth > DEPTH) return fail(w);
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
    default: /* anything else is understood only if it does not change */
      for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (step(w, LLVMGetOperand(v, (unsigned)i), depth + 1)) return fail(w);
      return NULL;
  }
}

LLVMValueRef mt_ahead(Spmd *s, LLVMValueRef pointer, int block) {
  int loop = s->full ? s->block[block].loop : -1;
  while (loop >= 0 && !has_barrier(s, loop)) loop = s->loop[loop].parent;
  if (loop < 0) return NULL; /* loads in a row: the CPU looks ahead itself */
  Walk w = {s, loop, block, false};
  LLVMValueRef by = step(&w, pointer, 0);
  return w.failed ? NULL : by;
}

void mt_prefetch(Spmd *s, LLVMValueRef at, LLVMValueRef by, size_t bytes) {
  at = LLVMBuildGEP2(s->b, s->i8, at, &by, 1, "");
  for (size_t i = 0; i < bytes; i += LINE) {
    LLVMValueRef args[4] = {mt_byte_offset(s, at, (int64_t)i),
                            mt_const_i32(s, 0), /* to read */
                            mt_const_i32(s, 2), /* into the second cache */
                            mt_const_i32(s, 1)};
    mt_intrinsic(s, "llvm.prefetch", &s->ptr, 1, args, 4);
  }
}
