/*
** copies.c - copies into threadgroup memory that a GPU makes by itself.
**
** The one idea: a thread that loads 16 bytes of device memory and stores them
** in threadgroup memory waits for them, and needs registers for what is on its
** way. GPUs of compute capability 8.0 have an instruction that does both and
** waits for nothing (cp.async). Nobody may look at what it writes before the
** next barrier, in front of which the thread waits for its copies. So a copy
** becomes one only if, between the barriers before and after it,
**
** - the kernel stores nothing else, and loads from threadgroup memory only
**   matrices. Which lane loads which element of a matrix is hidden, so that a
**   kernel without a barrier between a store and the load would have a race;
** - no two copies of a thread go to the same place, since they have no order.
**
** It is a step of matrix.c, for kernels whose matrices are on tensor cores.
*/
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/call.h"
#include "devices/compiler/ir/pointer.h"
#include "devices/compiler/ir/threadgroup_variables.h"
#include "devices/cuda/ptx/work.h"

#define BYTES 16   /* of a copy, which is also its alignment */
#define MOST 256   /* copies of a kernel */
#define BLOCKS 512 /* of a kernel */
#define TERMS 16   /* of an address */
#define STEPS 500  /* to find them: a value may be reached by many ways */
#define DEPTH 16   /* of selects that a pointer is the result of */

typedef struct Copies {
  mt_PtxWork *w;
  LLVMTargetDataRef layout;
  LLVMValueRef store[MOST]; /* of what is loaded right before */
  unsigned count;
  LLVMBasicBlockRef seen[BLOCKS]; /* by one search */
  unsigned blocks;
} Copies;

/* ------------------------------------------------------ where pointers lead */

/* A pointer and something added to it. */
static bool is_offset(LLVMValueRef p) {
  return LLVMIsAGetElementPtrInst(p) ||
         (LLVMIsAConstantExpr(p) &&
          LLVMGetConstOpcode(p) == LLVMGetElementPtr);
}

/* The variable or parameter that 'p' leads to; NULL: several, or unknown. */
static LLVMValueRef object_of(LLVMValueRef p, unsigned depth) {
  if (depth > DEPTH) return NULL;
  p = mt_underlying_object(p);
  if (LLVMIsAGlobalVariable(p) || LLVMIsAArgument(p) || LLVMIsAAllocaInst(p))
    return p;
  if (LLVMIsASelectInst(p)) {
    LLVMValueRef a = object_of(LLVMGetOperand(p, 1), depth + 1);
    return a == object_of(LLVMGetOperand(p, 2), depth + 1) ? a : NULL;
  }
  return NULL;
}

static bool is_variable(LLVMValueRef object) {
  return object && LLVMIsAGlobalVariable(object) && mt_is_threadgroup(object);
}

/* A parameter that is a buffer. */
static bool is_buffer(const mt_PtxWork *w, LLVMValueRef object) {
  if (!object || !LLVMIsAArgument(object)) return false;
  unsigned n = w->job->msl->param_count;
  for (unsigned i = 0; i < n; i++)
    if (LLVMGetParam(w->prepared.function, i) == object)
      return w->job->msl->params[i].kind == MT_PARAM_BUFFER;
  return false;
}

/* ---------------------------------------------------------------- addresses */

/* An address as a sum, modulo 2^32: threadgroup memory is smaller. So casts
** between integers of 32 and of 64 bits change nothing. */
typedef struct Sum {
  struct {
    LLVMValueRef of;
    uint32_t times;
  } term[TERMS];
  unsigned terms, steps;
  uint32_t constant;
  bool failed;
} Sum;

static void add_term(Sum *s, LLVMValueRef v, uint32_t times) {
  unsigned i = 0;
  while (i < s->terms && s->term[i].of != v) i++;
  if (i == TERMS) {
    s->failed = true;
    return;
  }
  if (i == s->terms) s->term[s->terms++].of = v, s->term[i].times = 0;
  s->term[i].times += times;
}

static bool is_wide(LLVMValueRef v) {
  return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(v)) >= 32;
}

static void add_integer(Sum *s, LLVMValueRef v, uint32_t times) {
  if (s->steps++ == STEPS) s->failed = true;
  if (s->failed) return;
  if (LLVMIsAConstantInt(v)) {
    s->constant += times * (uint32_t)LLVMConstIntGetSExtValue(v);
    return;
  }
  LLVMValueRef a = NULL, b = NULL;
  if (LLVMIsAInstruction(v) && LLVMGetNumOperands(v) > 0)
    a = LLVMGetOperand(v, 0);
  if (a && LLVMGetNumOperands(v) == 2) b = LLVMGetOperand(v, 1);
  uint32_t by = b && LLVMIsAConstantInt(b)
                    ? (uint32_t)LLVMConstIntGetZExtValue(b)
                    : 0;
  switch (a ? LLVMGetInstructionOpcode(v) : LLVMUnreachable) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
      if (is_wide(a) && is_wide(v)) return add_integer(s, a, times);
      break;
    case LLVMAdd:
      add_integer(s, a, times);
      return add_integer(s, b, times);
    case LLVMSub:
      add_integer(s, a, times);
      return add_integer(s, b, -times);
    case LLVMMul:
      if (LLVMIsAConstantInt(b)) return add_integer(s, a, times * by);
      break;
    case LLVMShl:
      if (LLVMIsAConstantInt(b) && by < 32)
        return add_integer(s, a, times << by);
      break;
    default:
      break;
  }
  add_term(s, v, times);
}

static void add_indices(const Copies *c, Sum *s, LLVMValueRef p) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++) {
    if (i > 1) {
      LLVMTypeKind kind = LLVMGetTypeKind(t);
      if (kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind) {
        s->failed = true;
        return;
      }
      t = LLVMGetElementType(t);
    }
    add_integer(s, LLVMGetOperand(p, i),
                (uint32_t)LLVMABISizeOfType(c->layout, t));
  }
}

static Sum address_of(const Copies *c, LLVMValueRef p) {
  Sum s = {.terms = 0};
  while (is_offset(p)) {
    add_indices(c, &s, p);
    p = LLVMGetOperand(p, 0);
  }
  if (!LLVMIsAGlobalVariable(p)) add_term(&s, p, 1);
  return s;
}

/* Do two stores of a block never go to the same place? Both are aligned. */
static bool are_apart(const Copies *c, LLVMValueRef one, LLVMValueRef other) {
  LLVMValueRef p = LLVMGetOperand(one, 1), q = LLVMGetOperand(other, 1);
  if (object_of(p, 0) != object_of(q, 0)) return true;
  if (LLVMGetInstructionParent(one) != LLVMGetInstructionParent(other))
    return false; /* values may be those of different rounds */
  Sum a = address_of(c, p), b = address_of(c, q);
  if (a.failed || b.failed) return false;
  for (unsigned i = 0; i < b.terms; i++)
    add_term(&a, b.term[i].of, -b.term[i].times);
  for (unsigned i = 0; i < a.terms; i++)
    if (a.term[i].times != 0) return false;
  return !a.failed && a.constant != b.constant;
}

/* ----------------------------------------------------- what may be a copy? */

static bool is_plain(const Copies *c, LLVMValueRef v, LLVMValueRef value) {
  return !LLVMGetVolatile(v) && !LLVMIsAtomic(v) &&
         LLVMStoreSizeOfType(c->layout, LLVMTypeOf(value)) == BYTES;
}

/* Of a store to a variable: by what LLVM knows, or by where the variable is and
** what is added. */
static bool is_aligned(const Copies *c, LLVMValueRef store) {
  LLVMValueRef p = LLVMGetOperand(store, 1), object = object_of(p, 0);
  if (LLVMGetAlignment(store) >= BYTES) return true;
  Sum s = address_of(c, p);
  uint32_t all = s.constant;
  if (object) all |= (uint32_t)mt_threadgroup_place(c->w->module, object);
  for (unsigned i = 0; i < s.terms; i++) all |= s.term[i].times;
  return object && !s.failed && all % BYTES == 0;
}

/* Does nothing between them write device memory, or wait? */
static bool is_quiet_between(LLVMValueRef load, LLVMValueRef store) {
  LLVMValueRef i = LLVMGetNextInstruction(load);
  for (; i && i != store; i = LLVMGetNextInstruction(i))
    if (LLVMIsACallInst(i) || LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) ||
        LLVMIsAAtomicCmpXchgInst(i) ||
        (LLVMIsAStoreInst(i) &&
         !is_variable(object_of(LLVMGetOperand(i, 1), 0))))
      return false;
  return i != NULL;
}

static bool is_copy(const Copies *c, LLVMValueRef store) {
  if (!LLVMIsAStoreInst(store)) return false;
  LLVMValueRef load = LLVMGetOperand(store, 0);
  return LLVMIsALoadInst(load) && mt_only_user(load) == store &&
         is_plain(c, store, load) && is_plain(c, load, load) &&
         LLVMGetAlignment(load) >= BYTES &&
         is_variable(object_of(LLVMGetOperand(store, 1), 0)) &&
         is_aligned(c, store) &&
         is_buffer(c->w, object_of(LLVMGetOperand(load, 0), 0)) &&
         is_quiet_between(load, store);
}

static bool is_one_of(const Copies *c, LLVMValueRef store) {
  for (unsigned i = 0; i < c->count; i++)
    if (c->store[i] == store) return true;
  return false;
}

/* ------------------------------------------------- from barrier to barrier */

static bool touches_no_memory(LLVMValueRef call) {
  mt_Crosslane lanes;
  if (mt_crosslane_find(mt_callee(call), &lanes))
    return lanes.row->class == MT_LANES_POSITION;
  LLVMValueRef f = LLVMGetCalledValue(call);
  unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMAttributeRef a =
      f && LLVMIsAFunction(f)
          ? LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind)
          : NULL;
  return (a && LLVMGetEnumAttributeValue(a) == 0) ||
         mt_starts(mt_callee(call), "llvm.assume") ||
         mt_starts(mt_callee(call), "llvm.lifetime") ||
         mt_starts(mt_callee(call), "llvm.dbg");
}

static bool may_come_with(const Copies *c, LLVMValueRef copy, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: {
      LLVMValueRef object = object_of(LLVMGetOperand(i, 0), 0);
      return object && !is_variable(object) && !LLVMGetVolatile(i) &&
             !LLVMIsAtomic(i) &&
             (!LLVMIsAArgument(object) || is_buffer(c->w, object));
    }
    case LLVMStore:
      return is_one_of(c, i) && are_apart(c, copy, i);
    case LLVMCall:
      return mt_starts(mt_callee(i), "__mt_matrix_load_") ||
             strcmp(mt_callee(i), "__mt_matrix_multiply_add") == 0 ||
             touches_no_memory(i);
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMInvoke:
      return false;
    default:
      return true;
  }
}

static bool is_new(Copies *c, LLVMBasicBlockRef b) {
  for (unsigned i = 0; i < c->blocks; i++)
    if (c->seen[i] == b) return false;
  if (c->blocks == BLOCKS) return false;
  c->seen[c->blocks++] = b;
  return true;
}

/* All that may run between 'copy' and the next barrier: from 'i' on, then what
** follows its block. */
static bool is_free_after(Copies *c, LLVMValueRef copy, LLVMValueRef i,
                          LLVMBasicBlockRef b) {
  for (; i; i = LLVMGetNextInstruction(i)) {
    if (mt_is_barrier(i)) return true;
    if (!may_come_with(c, copy, i)) return false;
  }
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
    if (c->blocks == BLOCKS) return false;
    if (is_new(c, next) &&
        !is_free_after(c, copy, LLVMGetFirstInstruction(next), next))
      return false;
  }
  return true;
}

/* And between the barrier before and 'copy'. */
static bool is_free_before(Copies *c, LLVMValueRef copy, LLVMValueRef i,
                           LLVMBasicBlockRef b) {
  for (; i; i = LLVMGetPreviousInstruction(i)) {
    if (mt_is_barrier(i)) return true;
    if (!may_come_with(c, copy, i)) return false;
  }
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u;
       u = LLVMGetNextUse(u)) {
    LLVMValueRef end = LLVMGetUser(u);
    if (!LLVMIsATerminatorInst(end)) continue;
    LLVMBasicBlockRef before = LLVMGetInstructionParent(end);
    if (c->blocks == BLOCKS) return false;
    if (is_new(c, before) && !is_free_before(c, copy, end, before))
      return false;
  }
  return true;
}

static bool is_free(Copies *c, LLVMValueRef copy) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(copy);
  c->blocks = 0;
  if (!is_free_after(c, copy, LLVMGetNextInstruction(copy), b)) return false;
  c->blocks = 0;
  return is_free_before(c, copy, LLVMGetPreviousInstruction(copy), b);
}

/* A store that is no copy after all may stand in the way of others. */
static void drop_others(Copies *c) {
  for (unsigned before = c->count + 1; before != c->count;) {
    before = c->count;
    for (unsigned i = 0; i < c->count;)
      if (is_free(c, c->store[i]))
        i++;
      else
        c->store[i] = c->store[--c->count];
  }
}

/* ---------------------------------------------------------------- rewriting */

static void make_copy(mt_PtxWork *w, LLVMValueRef store) {
  LLVMValueRef load = LLVMGetOperand(store, 0);
  LLVMValueRef args[2] = {LLVMGetOperand(store, 1), LLVMGetOperand(load, 0)};
  LLVMPositionBuilderBefore(w->b, store);
  mt_build_call(w->module, w->b, "__mt_copy_start", w->none, args, 2);
  LLVMInstructionEraseFromParent(store);
  LLVMInstructionEraseFromParent(load);
}

static void each_instruction(mt_PtxWork *w, Copies *c,
                             void (*visit)(Copies *, LLVMValueRef)) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->prepared.function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      visit(c, i);
    }
}

static void collect(Copies *c, LLVMValueRef i) {
  if (c->count < MOST && is_copy(c, i)) c->store[c->count++] = i;
}

static void wait_before(Copies *c, LLVMValueRef i) {
  if (!mt_is_barrier(i)) return;
  LLVMPositionBuilderBefore(c->w->b, i);
  mt_build_call(c->w->module, c->w->b, "__mt_copies_wait", c->w->none, NULL, 0);
}

mt_Status mt_ptx_make_copies(mt_PtxWork *w, mt_Error *err) {
  Copies *c = malloc(sizeof *c);
  if (!c) return mt_error(err, MT_FAIL, "out of memory");
  *c = (Copies){.w = w, .layout = LLVMGetModuleDataLayout(w->module)};
  each_instruction(w, c, collect);
  drop_others(c);
  for (unsigned i = 0; i < c->count; i++) make_copy(w, c->store[i]);
  if (c->count > 0) each_instruction(w, c, wait_before);
  free(c);
  return MT_OK;
}
