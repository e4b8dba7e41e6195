/*
** float_bits.c - integers in memory that are the bits of floats.
**
** MSL has few atomics of floats, so kernels keep a float in an atomic_uint and
** write as_type<uint>(x). Such memory is compared as floats: with a tolerance,
** and shown as numbers. The one idea: follow the written value back to the
** as_type that made it.
*/
#include "base/kernel_types/scalar.h"
#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/checker.h"

/* values that are followed; deeper ones are integers */
#define MAX_DATAFLOW_DEPTH 12

/* What a value is made of. Constants fit both; what was read from memory is
** what the memory has, which its other writes tell. */
typedef enum Made { OF_CONSTANTS, OF_MEMORY, OF_FLOATS, OF_INTEGERS } Made;

typedef struct Trace {
  Made made;
  mt_Scalar scalar; /* OF_FLOATS: their type */
} Trace;

/* The values that are being followed, the last first. */
typedef struct Path {
  LLVMValueRef value;
  const struct Path *before;
  unsigned depth;
} Path;

static const Trace integers = {OF_INTEGERS, MT_VOID};

static mt_Scalar float_type(LLVMTypeRef t) {
  switch (LLVMGetTypeKind(mt_element_type(t))) {
    case LLVMFloatTypeKind: return MT_FLOAT;
    case LLVMHalfTypeKind: return MT_HALF;
    case LLVMBFloatTypeKind: return MT_BFLOAT;
    default: return MT_VOID;
  }
}

/* One of the two. */
static Trace either(Trace a, Trace b) {
  if (a.made < OF_FLOATS) return b.made > a.made ? b : a;
  if (b.made < OF_FLOATS) return a;
  return a.made == b.made && a.scalar == b.scalar ? a : integers;
}

/* Parts of one value: none of them may be anything else, such as the number
** below a float in a ulong. */
static Trace together(Trace a, Trace b) {
  if (a.made == OF_MEMORY || b.made == OF_MEMORY) return integers;
  return either(a, b);
}

static Trace trace(LLVMValueRef v, const Path *way);

static Trace trace_operand(LLVMValueRef v, unsigned i, const Path *way) {
  return trace(LLVMGetOperand(v, i), way);
}

/* as_type of as_type gives the first value back. */
static Trace trace_bitcast(LLVMValueRef v, const Path *way) {
  LLVMValueRef from = LLVMGetOperand(v, 0);
  mt_Scalar s = float_type(LLVMTypeOf(from));
  if (s == MT_VOID || LLVMIsABitCastInst(from)) return trace(from, way);
  return (Trace){OF_FLOATS, s};
}

static Trace trace_phi(LLVMValueRef v, const Path *way) {
  Trace all = {OF_CONSTANTS, MT_VOID};
  for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
    all = either(all, trace(LLVMGetIncomingValue(v, i), way));
  return all;
}

static bool is_whole(LLVMTypeRef t, Trace of) {
  unsigned bits = LLVMGetIntTypeWidth(mt_element_type(t));
  return of.made != OF_FLOATS || bits % (8 * mt_scalar_size(of.scalar)) == 0;
}

/* Floats moved up by the bits of others, as in uint(as_type<ushort>(h)) << 16;
** other shifts take them apart. */
static Trace trace_shift(LLVMValueRef v, const Path *way) {
  LLVMValueRef by = LLVMGetOperand(v, 1);
  Trace t = trace_operand(v, 0, way);
  if (t.made != OF_FLOATS || !LLVMIsAConstantInt(by)) return integers;
  unsigned bits = (unsigned)(8 * mt_scalar_size(t.scalar));
  return LLVMConstIntGetZExtValue(by) % bits == 0 ? t : integers;
}

static Trace trace_part(LLVMValueRef v, const Path *way) {
  Trace t = trace_operand(v, 0, way);
  return t.made != OF_MEMORY && is_whole(LLVMTypeOf(v), t) ? t : integers;
}

static bool is_on(const Path *way, LLVMValueRef v) {
  for (; way; way = way->before)
    if (way->value == v) return true;
  return false;
}

/* A value of a loop that is made from itself adds nothing. */
static Trace trace(LLVMValueRef v, const Path *before) {
  Path here = {v, before, before ? before->depth + 1 : 0}, *way = &here;
  if (LLVMIsConstant(v) || is_on(before, v))
    return (Trace){OF_CONSTANTS, MT_VOID};
  if (here.depth == MAX_DATAFLOW_DEPTH || !LLVMIsAInstruction(v))
    return integers;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMExtractValue: return (Trace){OF_MEMORY, MT_VOID};
    case LLVMBitCast: return trace_bitcast(v, way);
    case LLVMPHI: return trace_phi(v, way);
    case LLVMFreeze: return trace_operand(v, 0, way);
    case LLVMShl: return trace_shift(v, way);
    case LLVMZExt:
    case LLVMExtractElement: return trace_part(v, way);
    case LLVMSelect:
      return either(trace_operand(v, 1, way), trace_operand(v, 2, way));
    case LLVMOr:
    case LLVMInsertElement:
      return together(trace_operand(v, 0, way), trace_operand(v, 1, way));
    default: return integers;
  }
}

/* Does the write leave its operand, or what was there? */
static bool puts_operand(LLVMValueRef i) {
  if (!LLVMIsAAtomicRMWInst(i)) return true;
  switch (LLVMGetAtomicRMWBinOp(i)) {
    case LLVMAtomicRMWBinOpXchg:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin: return true;
    default: return false;
  }
}

void mt_instrument_float_bits(LLVMValueRef write, LLVMValueRef value,
                              mt_Site *site) {
  if (LLVMGetTypeKind(mt_element_type(LLVMTypeOf(value))) !=
      LLVMIntegerTypeKind)
    return;
  Trace t = puts_operand(write) ? trace(value, NULL) : integers;
  site->floats = t.scalar;
  site->integers = t.made == OF_INTEGERS;
}

/* ---------------------------------------------------------------- the place */

/* Bytes that an index adds to a place in elements of 'size' bytes; false: it
** depends on the index. */
static bool index_bytes(const mt_GepIndex *x, uint64_t size, uint64_t *bytes) {
  if (x->in == LLVMStructTypeKind) {
    *bytes += x->bytes;
    return true;
  }
  bool known = LLVMIsAConstantInt(x->index);
  if (known)
    *bytes += x->bytes * (uint64_t)LLVMConstIntGetSExtValue(x->index);
  return known || x->bytes % size == 0;
}

uint32_t mt_instrument_member_place(mt_Instrumenter *w, LLVMValueRef p,
                                    LLVMValueRef base, uint64_t size) {
  uint64_t bytes = 0;
  if (!size) return MT_PLACE_UNKNOWN;
  for (; p != base; p = LLVMGetOperand(p, 0)) {
    if (LLVMIsABitCastInst(p) || LLVMIsAFreezeInst(p)) continue;
    if (!LLVMIsAGetElementPtrInst(p)) return MT_PLACE_UNKNOWN;
    mt_GepIndex x;
    for (mt_GepWalk g = mt_gep_walk(w->layout, p); mt_gep_next(&g, &x);)
      if (!index_bytes(&x, size, &bytes)) return MT_PLACE_UNKNOWN;
  }
  return (uint32_t)(bytes % size);
}
