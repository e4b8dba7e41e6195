/*
** tile_range.c - which bytes of a threadgroup variable an access may touch.
**
** The one idea: an interval for every number that an address is made of. Places
** in the group are below its size, an induction variable is below what it is
** compared with; sums, products and shifts of intervals are intervals as long
** as nothing wraps. Whatever else there is has none, and the access may touch
** all of the variable.
*/
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/transform/keep_tiles.h"

#define MAX_ADDRESS_DEPTH 24 /* instructions of an address */
/* bytes: sums of such numbers do not overflow */
#define MAX_OFFSET (UINT64_C(1) << 40)

typedef struct Interval {
  uint64_t least, most; /* least > most: not known */
} Interval;

static const Interval UNKNOWN = {1, 0};

static bool is_known(Interval x) { return x.least <= x.most; }

static Interval interval(const mt_TileLoop *w, LLVMValueRef v, int depth);

/* Up to what a value of this type can have without wrapping. */
static Interval fitting(LLVMValueRef v, uint64_t least, uint64_t most) {
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
  bool wraps = most > MAX_OFFSET || (bits < 40 && most >> bits);
  return wraps || least > most ? UNKNOWN : (Interval){least, most};
}

static Interval below(uint64_t n) { return (Interval){0, n ? n - 1 : 0}; }

static Interval argument(const mt_TileLoop *w, LLVMValueRef v, int component) {
  const mt_Param *p = mt_parameter(w->s->kernel, w->s->old, v);
  const uint32_t *n = w->s->geometry->size;
  uint32_t threads = n[0] * n[1] * n[2];
  if (!p || p->kind != MT_PARAM_BUILTIN) return UNKNOWN;
  if (!strcmp(p->builtin, "thread_position_in_threadgroup"))
    return below(n[component]);
  if (!strcmp(p->builtin, "thread_index_in_threadgroup"))
    return below(threads);
  if (!strcmp(p->builtin, "simdgroup_index_in_threadgroup"))
    return below((threads + MT_LANES - 1) / MT_LANES);
  if (!strcmp(p->builtin, "thread_index_in_simdgroup")) return below(MT_LANES);
  return UNKNOWN;
}

/* All bits below the highest one of 'x'. */
static uint64_t bits_of(uint64_t x) {
  uint64_t all = 0;
  while (all < x) all = 2 * all + 1;
  return all;
}

static Interval binary(const mt_TileLoop *w, LLVMValueRef v, int depth) {
  Interval a = interval(w, LLVMGetOperand(v, 0), depth + 1);
  Interval b = interval(w, LLVMGetOperand(v, 1), depth + 1);
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  if (op == LLVMAnd && (is_known(a) || is_known(b))) {
    if (!is_known(a)) a = b;
    if (!is_known(b)) b = a;
    uint64_t both = bits_of(a.most) & bits_of(b.most);
    if (b.least == b.most) both &= b.most;
    uint64_t less = a.most < b.most ? a.most : b.most;
    return (Interval){0, both < less ? both : less};
  }
  bool fixed = is_known(b) && b.least == b.most;
  if (op == LLVMURem && fixed && b.most)
    return below(is_known(a) && a.most < b.most ? a.most + 1 : b.most);
  if (!is_known(a) || !is_known(b)) return UNKNOWN;
  switch (op) {
    case LLVMAdd: return fitting(v, a.least + b.least, a.most + b.most);
    case LLVMMul: return fitting(v, a.least * b.least, a.most * b.most);
    case LLVMOr:
      if (LLVMGetIsDisjoint(v))
        return fitting(v, a.least + b.least, a.most + b.most);
      return fitting(v, a.least > b.least ? a.least : b.least,
                     bits_of(a.most | b.most));
    case LLVMShl:
      return fixed && b.most < 32
                 ? fitting(v, a.least << b.most, a.most << b.most) : UNKNOWN;
    case LLVMLShr:
      return fixed && b.most < 64
                 ? (Interval){a.least >> b.most, a.most >> b.most} : UNKNOWN;
    case LLVMUDiv:
      return fixed && b.most ? (Interval){a.least / b.most, a.most / b.most}
                             : UNKNOWN;
    default: return UNKNOWN;
  }
}

/* Induction variables: the loop goes on where 'x' is below a constant, or as
** long as it has not reached it. */
static Interval counter(const mt_TileLoop *w, LLVMValueRef phi, int depth) {
  mt_Induction i;
  int64_t by, end;
  if (!mt_induction_find(phi, &i) || i.unit ||
      !mt_const_number(i.by, &by) || by <= 0)
    return UNKNOWN;
  Interval start = interval(w, i.start, depth + 1);
  LLVMBasicBlockRef header = LLVMGetInstructionParent(phi);
  LLVMBasicBlockRef latch = LLVMGetIncomingBlock(
      phi, LLVMGetIncomingValue(phi, 0) == i.next ? 0 : 1);
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(latch);
  if (!is_known(start) || !LLVMIsABranchInst(branch) ||
      !LLVMIsConditional(branch))
    return UNKNOWN;
  bool stays = LLVMGetSuccessor(branch, 0) == header;
  LLVMValueRef c = LLVMGetCondition(branch);
  if (!LLVMIsAICmpInst(c) ||
      !mt_const_number(LLVMGetOperand(c, 1), &end) || end <= 0)
    return UNKNOWN;
  LLVMIntPredicate is = LLVMGetICmpPredicate(c);
  LLVMValueRef x = LLVMGetOperand(c, 0);
  uint64_t most;
  if (stays && is == LLVMIntULT && (x == phi || x == i.next))
    most = (uint64_t)end - 1 + (x == phi ? (uint64_t)by : 0);
  else if (is == (stays ? LLVMIntNE : LLVMIntEQ) && x == i.next &&
           start.least == start.most && (uint64_t)end > start.least &&
           ((uint64_t)end - start.least) % (uint64_t)by == 0)
    most = (uint64_t)(end - by);
  else
    return UNKNOWN;
  /* from a known start, in whole steps */
  if (start.least == start.most && most > start.least)
    most -= (most - start.least) % (uint64_t)by;
  return fitting(phi, start.least, most > start.most ? most : start.most);
}

static Interval interval(const mt_TileLoop *w, LLVMValueRef v, int depth) {
  if (LLVMIsAConstantInt(v))
    return fitting(v, LLVMConstIntGetZExtValue(v), LLVMConstIntGetZExtValue(v));
  if (depth == MAX_ADDRESS_DEPTH ||
      LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
    return UNKNOWN;
  if (LLVMIsAArgument(v)) return argument(w, v, 0);
  if (!LLVMIsAInstruction(v)) return UNKNOWN;
  if (LLVMIsAPHINode(v)) return counter(w, v, depth);
  if (LLVMIsABinaryOperator(v)) return binary(w, v, depth);
  LLVMValueRef x = LLVMGetOperand(v, 0);
  if (LLVMIsAExtractElementInst(v)) {
    LLVMValueRef i = LLVMGetOperand(v, 1);
    return LLVMIsAArgument(x) && LLVMIsAConstantInt(i) &&
                   LLVMConstIntGetZExtValue(i) < 3
               ? argument(w, x, (int)LLVMConstIntGetZExtValue(i)) : UNKNOWN;
  }
  if (!LLVMIsAZExtInst(v) && !LLVMIsATruncInst(v) && !LLVMIsAFreezeInst(v))
    return UNKNOWN;
  Interval of = interval(w, x, depth + 1);
  return is_known(of) ? fitting(v, of.least, of.most) : of;
}

/* ---------------------------------------------------------------- addresses */

static Interval plus(Interval a, Interval b, uint64_t scale) {
  if (!is_known(a) || !is_known(b) || b.most > MAX_OFFSET) return UNKNOWN;
  a.least += b.least * scale, a.most += b.most * scale;
  return a.most > MAX_OFFSET ? UNKNOWN : a;
}

/* From the start of the variable, in bytes. */
static Interval offset(const mt_TileLoop *w, LLVMValueRef pointer) {
  if (LLVMIsAGlobalVariable(pointer)) return (Interval){0, 0};
  if (!LLVMIsAGetElementPtrInst(pointer)) return UNKNOWN;
  Interval at = offset(w, LLVMGetOperand(pointer, 0));
  mt_GepWalk g = mt_gep_walk(w->s->layout, pointer);
  for (mt_GepIndex x; mt_gep_next(&g, &x);) {
    if (x.in != LLVMPointerTypeKind && x.in != LLVMArrayTypeKind)
      return UNKNOWN;
    at = plus(at, interval(w, x.index, 0), x.bytes);
  }
  return at;
}

/* Bytes of a matrix of 8 x 8 in memory; 0: not known. */
static uint64_t matrix_bytes(LLVMValueRef call, unsigned at) {
  LLVMValueRef row = LLVMGetOperand(call, at + 1);
  uint64_t element = strstr(mt_callee(call), "_f32") ? 4 : 2;
  if (!LLVMIsAConstantInt(row) || LLVMConstIntGetZExtValue(row) > MAX_OFFSET)
    return 0;
  return (7 * LLVMConstIntGetZExtValue(row) + 8) * element;
}

mt_TileRange mt_tile_range(const mt_TileLoop *w, LLVMValueRef access,
                           unsigned at, uint64_t size) {
  LLVMValueRef pointer = LLVMGetOperand(access, at);
  uint64_t bytes =
      LLVMIsALoadInst(access)
          ? mt_type_size(w->s, LLVMTypeOf(access))
      : LLVMIsAStoreInst(access)
          ? mt_type_size(w->s, LLVMTypeOf(LLVMGetOperand(access, 0)))
          : matrix_bytes(access, at);
  Interval x = offset(w, pointer);
  if (!bytes || !is_known(x) || x.most + bytes > size)
    return (mt_TileRange){0, size};
  return (mt_TileRange){x.least, x.most + bytes};
}
