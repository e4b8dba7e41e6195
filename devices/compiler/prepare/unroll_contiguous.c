/*
** unroll_contiguous.c - short loops over a few contiguous elements of each
** thread.
**
** The one idea: for (j = 0; j < 8; j++) s += x[8 * i + j] reads eight
** contiguous elements, but one in each iteration, in which the lanes' addresses
** are strided. Unrolled, the eight loads are in one block, and
** strategy/coalesce_loads.c fetches them with wide loads; stores likewise, and
** of bytes and halves too (strategy/interleaved_stores.c). Such a loop is
** recognised here, before uniformity is known: a constant trip count, and an
** address that advances by one element in each iteration from a base in which
** the thread's position is scaled.
*/
#include <llvm-c/Target.h>
#include <stdbool.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/unroll.h"

#define WORD 4
#define MIN_ROUNDS 3 /* of a loop that loads */
#define MIN_STORING 2 /* of one that stores */
#define MAX_ROUNDS 16
#define MAX_STORING 12 /* longer rows are better written one by one */
#define MAX_BYTES 64   /* that one thread stores */
#define MOST 320      /* instructions after unrolling */
#define FAR 4 /* elements between the bases of adjacent threads that load */
#define APART 2       /* and that store */
#define DEPTH 8       /* of index arithmetic that is followed */

typedef struct CountedLoop {
  const mt_MslKernel *kernel;
  LLVMValueRef function;
  LLVMBasicBlockRef block; /* the loop's only block */
  LLVMValueRef counter;    /* the induction variable that ends it */
  int64_t far; /* elements between threads, of an access of each one's own */
} CountedLoop;

/* ------------------------------------------------------ induction variable */

/* The one that 'condition' compares, if it is counted by ones. */
static bool find_counter(CountedLoop *k, LLVMValueRef condition) {
  mt_Induction v;
  int64_t step;
  LLVMValueRef x = LLVMGetOperand(condition, 0);
  k->counter = LLVMIsABinaryOperator(x) ? LLVMGetOperand(x, 0) : x;
  return mt_induction_find(k->counter, &v) && mt_const_number(v.by, &step) &&
         (step == 1 || step == -1);
}

/* --------------------------------------------------------------- addresses */

/* A value that differs between adjacent threads along x. */
static bool is_position(const CountedLoop *k, LLVMValueRef v) {
  int64_t at;
  if (LLVMIsAExtractElementInst(v)) {
    if (!mt_const_number(LLVMGetOperand(v, 1), &at) || at) return false;
    v = LLVMGetOperand(v, 0);
  }
  const mt_Param *p = mt_parameter(k->kernel, k->function, v);
  return p && p->kind == MT_PARAM_BUILTIN &&
         (mt_starts(p->builtin, "thread_position_in_") ||
          mt_starts(p->builtin, "thread_index_in_"));
}

static bool is_far(const CountedLoop *k, LLVMValueRef v, int64_t by, int depth);

/* A product by a constant, or by an unknown factor. */
static bool is_far_product(const CountedLoop *k, LLVMValueRef v, int64_t by,
                           int depth) {
  LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
  int64_t n;
  if (mt_const_number(b, &n)) {
    bool shift = LLVMGetInstructionOpcode(v) == LLVMShl;
    if (n < 0 || n > (shift ? 16 : 1 << 16)) return false;
    return is_far(k, a, by * (shift ? 1 << n : n), depth + 1);
  }
  return is_far(k, a, by * FAR, depth + 1) || is_far(k, b, by * FAR, depth + 1);
}

/* Does 'v', scaled by 'by' elements, depend on the thread's position, or on a
** value loaded from such an index, so that adjacent threads are far apart? */
static bool is_far(const CountedLoop *k, LLVMValueRef v, int64_t by,
                   int depth) {
  if (is_position(k, v)) return by >= k->far;
  if (depth > DEPTH || by > 1 << 20 || !LLVMIsAInstruction(v)) return false;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd: case LLVMOr:
      return is_far(k, LLVMGetOperand(v, 0), by, depth + 1) ||
             is_far(k, LLVMGetOperand(v, 1), by, depth + 1);
    case LLVMZExt: case LLVMSExt: case LLVMTrunc: case LLVMFreeze:
    case LLVMSub:
      return is_far(k, LLVMGetOperand(v, 0), by, depth + 1);
    case LLVMShl: case LLVMMul: return is_far_product(k, v, by, depth);
    case LLVMLoad: /* an index that was loaded for this thread */
      v = LLVMGetOperand(v, 0);
      if (!LLVMIsAGetElementPtrInst(v)) return false;
      v = LLVMGetOperand(v, (unsigned)LLVMGetNumIndices(v));
      return by >= FAR && is_far(k, v, FAR, depth + 1);
    default: return false;
  }
}

static int64_t bytes_of(const CountedLoop *k, LLVMTypeRef t) {
  LLVMTargetDataRef layout =
      LLVMGetModuleDataLayout(LLVMGetGlobalParent(k->function));
  return (int64_t)LLVMABISizeOfType(layout, t);
}

/* Is the induction variable a summand of 'v', unscaled? */
static bool counts(const CountedLoop *k, LLVMValueRef v, int depth) {
  if (v == k->counter) return true;
  if (depth > DEPTH || !LLVMIsAInstruction(v)) return false;
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd: case LLVMOr:
      return counts(k, LLVMGetOperand(v, 0), depth + 1) ||
             counts(k, LLVMGetOperand(v, 1), depth + 1);
    case LLVMZExt: case LLVMSExt: case LLVMTrunc:
      return counts(k, LLVMGetOperand(v, 0), depth + 1);
    default: return false;
  }
}

static bool is_number(LLVMTypeRef t) {
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  return kind == LLVMFloatTypeKind || kind == LLVMIntegerTypeKind ||
         kind == LLVMHalfTypeKind;
}

/* Does the address advance by one element of type 't' in each iteration, and by
** more between threads? */
static bool is_own(const CountedLoop *k, LLVMValueRef p, LLVMTypeRef t) {
  int64_t size = bytes_of(k, t);
  if (!is_number(t) || !LLVMIsAGetElementPtrInst(p) ||
      LLVMGetNumIndices(p) != 1 ||
      bytes_of(k, LLVMGetGEPSourceElementType(p)) != size ||
      !counts(k, LLVMGetOperand(p, 1), 0))
    return false;
  if (is_far(k, LLVMGetOperand(p, 1), 1, 0)) return true;
  p = LLVMGetOperand(p, 0);
  for (int depth = 0; depth < DEPTH && LLVMIsAGetElementPtrInst(p); depth++) {
    int64_t by = bytes_of(k, LLVMGetGEPSourceElementType(p)) / size;
    if (is_far(k, LLVMGetOperand(p, 1), by, 0)) return true;
    p = LLVMGetOperand(p, 0);
  }
  return false;
}

static bool loads_own(CountedLoop *k, LLVMValueRef i) {
  k->far = FAR;
  return LLVMIsALoadInst(i) && !LLVMGetVolatile(i) &&
         bytes_of(k, LLVMTypeOf(i)) == WORD &&
         is_own(k, LLVMGetOperand(i, 0), LLVMTypeOf(i));
}

static bool stores_own(CountedLoop *k, LLVMValueRef i, int64_t rounds) {
  if (!LLVMIsAStoreInst(i) || LLVMGetVolatile(i)) return false;
  LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, 0));
  k->far = APART;
  return rounds <= MAX_STORING && rounds * bytes_of(k, t) <= MAX_BYTES &&
         is_own(k, LLVMGetOperand(i, 1), t);
}

bool mt_is_contiguous_loop(LLVMValueRef function, const mt_MslKernel *kernel,
                           LLVMBasicBlockRef header, LLVMValueRef branch) {
  CountedLoop k = {.kernel = kernel, .function = function, .block = header};
  int size = 0;
  bool own = false;
  if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) ||
      LLVMGetInstructionParent(branch) != header)
    return false;
  LLVMValueRef c = LLVMGetCondition(branch);
  int64_t rounds = mt_trip_count(header, c,
                                 LLVMGetSuccessor(branch, 0) == header,
                                 MAX_ROUNDS);
  if (rounds < MIN_STORING || rounds > MAX_ROUNDS || !find_counter(&k, c))
    return false;
  for (LLVMValueRef i = LLVMGetFirstInstruction(header); i;
       i = LLVMGetNextInstruction(i)) {
    if (++size * rounds > MOST) return false;
    own |= stores_own(&k, i, rounds) ||
           (rounds >= MIN_ROUNDS && loads_own(&k, i));
  }
  return own;
}
