/*
** copies.c - copies into threadgroup memory that a GPU makes by itself.
**
** The one idea: a thread that loads 16 bytes of device memory and stores them
** in threadgroup memory waits for them, and needs registers for what is on its
** way. GPUs of compute capability 8.0 have an instruction that does both and
** waits for nothing (cp.async). No thread may look at what it writes before the
** next barrier, in front of which the thread waits for its copies. So a copy
** becomes one only if, between the barriers before and after it,
**
** - the kernel stores nothing else, and loads from threadgroup memory only
**   matrices. Which lane loads which element of a matrix is hidden, so that a
**   kernel without a barrier between a store and the load would have a race;
** - no two copies of a thread go to the same place, since they have no order.
**
** The thread waits in front of the last barrier before a thread uses the
** variable that it has copied to: a kernel with a variable for each part may
** have several parts under way. All copies between two barriers are a group,
** and a barrier is told how many groups may still be under way.
**
** It is a step of matrix.c, for kernels whose matrices are on tensor cores.
*/
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/cuda/ptx/address.h"
#include "devices/cuda/ptx/work.h"

#define BYTES 16   /* of a copy, which is also its alignment */
#define MOST 256   /* copies of a kernel */
#define BLOCKS 512 /* of a kernel */
#define BARRIERS 64 /* of a kernel */
#define AHEAD 7    /* barriers that a copy may be under way across */

typedef struct Copies {
  mt_PtxWork *w;
  LLVMTargetDataRef layout;
  LLVMValueRef store[MOST]; /* of what is loaded right before */
  unsigned count;
  LLVMBasicBlockRef seen[BLOCKS]; /* by one search */
  unsigned blocks;
  LLVMValueRef reached[BARRIERS]; /* by one search */
  unsigned reached_count;
  LLVMValueRef barrier[BARRIERS];
  unsigned may_be_open[BARRIERS]; /* groups that are not waited for */
  bool visited[BARRIERS][AHEAD + 1]; /* for the copies to one variable */
  unsigned barriers;
} Copies;

/* ------------------------------------------------------ where pointers lead */

/* The variable or parameter that 'p' leads to; NULL: several, or unknown. */
static LLVMValueRef object_of(LLVMValueRef p) {
  LLVMValueRef o = mt_single_object(p);
  return o && (LLVMIsAGlobalVariable(o) || LLVMIsAArgument(o) ||
               LLVMIsAAllocaInst(o))
             ? o
             : NULL;
}

static bool is_variable(LLVMValueRef object) {
  return object && LLVMIsAGlobalVariable(object) && mt_is_threadgroup(object);
}

/* A parameter that is a buffer. */
static bool is_buffer(const mt_PtxWork *w, LLVMValueRef object) {
  const mt_Param *p =
      mt_parameter(w->job->msl, w->prepared.function, object);
  return p && p->kind == MT_PARAM_BUFFER;
}

/* ---------------------------------------------------------------- addresses */

/* Do two stores of a block never go to the same place? Both are aligned. */
static bool are_apart(const Copies *c, LLVMValueRef one, LLVMValueRef other) {
  LLVMValueRef p = LLVMGetOperand(one, 1), q = LLVMGetOperand(other, 1);
  if (object_of(p) != object_of(q)) return true;
  if (LLVMGetInstructionParent(one) != LLVMGetInstructionParent(other))
    return false; /* values may be those of different rounds */
  mt_Address a = mt_address_of(c->layout, p), b = mt_address_of(c->layout, q);
  if (a.failed || b.failed) return false;
  for (unsigned i = 0; i < b.terms; i++)
    mt_address_add(&a, b.term[i].of, -b.term[i].times);
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
  LLVMValueRef p = LLVMGetOperand(store, 1), object = object_of(p);
  if (LLVMGetAlignment(store) >= BYTES) return true;
  mt_Address s = mt_address_of(c->layout, p);
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
         !is_variable(object_of(LLVMGetOperand(i, 1)))))
      return false;
  return i != NULL;
}

static bool is_copy(const Copies *c, LLVMValueRef store) {
  if (!LLVMIsAStoreInst(store)) return false;
  LLVMValueRef load = LLVMGetOperand(store, 0);
  return LLVMIsALoadInst(load) && mt_only_user(load) == store &&
         is_plain(c, store, load) && is_plain(c, load, load) &&
         LLVMGetAlignment(load) >= BYTES &&
         is_variable(object_of(LLVMGetOperand(store, 1))) &&
         is_aligned(c, store) &&
         is_buffer(c->w, object_of(LLVMGetOperand(load, 0))) &&
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
      LLVMValueRef object = object_of(LLVMGetOperand(i, 0));
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

typedef bool Allowed(const Copies *, LLVMValueRef copy, LLVMValueRef i);

/* A barrier at which a search ends. */
static void reach(Copies *c, LLVMValueRef barrier) {
  for (unsigned i = 0; i < c->reached_count; i++)
    if (c->reached[i] == barrier) return;
  if (c->reached_count < BARRIERS) c->reached[c->reached_count++] = barrier;
}

/* Is all allowed that may run before the next barrier: from 'i' on, then what
** follows its block? */
static bool is_free_after(Copies *c, Allowed *allowed, LLVMValueRef copy,
                          LLVMValueRef i, LLVMBasicBlockRef b) {
  for (; i; i = LLVMGetNextInstruction(i)) {
    if (mt_is_barrier(i)) return reach(c, i), true;
    if (!allowed(c, copy, i)) return false;
  }
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
    if (c->blocks == BLOCKS) return false;
    if (is_new(c, next) && !is_free_after(c, allowed, copy,
                                          LLVMGetFirstInstruction(next), next))
      return false;
  }
  return true;
}

/* Starts a search after 'i'. */
static bool search_after(Copies *c, Allowed *allowed, LLVMValueRef copy,
                         LLVMValueRef i) {
  c->blocks = c->reached_count = 0;
  return is_free_after(c, allowed, copy, LLVMGetNextInstruction(i),
                       LLVMGetInstructionParent(i));
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
  if (!search_after(c, may_come_with, copy, copy)) return false;
  c->blocks = 0;
  return is_free_before(c, copy, LLVMGetPreviousInstruction(copy),
                        LLVMGetInstructionParent(copy));
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
  mt_build_call(w->module, w->b, MT_COPY, w->none, args, 2);
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

/* ------------------------------------------------------------------ waiting */

/* May a copy that was started before an earlier barrier still be under way
** while this runs? Then none may use its variable. */
static bool may_run_meanwhile(const Copies *c, LLVMValueRef copy,
                              LLVMValueRef i) {
  LLVMValueRef to = object_of(LLVMGetOperand(copy, 1)), object = NULL;
  if (LLVMIsAStoreInst(i))
    object = object_of(LLVMGetOperand(i, 1));
  else if (mt_starts(mt_callee(i), "__mt_matrix_load_"))
    object = object_of(LLVMGetOperand(i, 0));
  else
    return may_come_with(c, copy, i);
  return object && object != to && may_come_with(c, copy, i);
}

static unsigned number_of(const Copies *c, LLVMValueRef barrier) {
  unsigned i = 0;
  while (c->barrier[i] != barrier) i++;
  return i;
}

/* 'barrier' is the one with this number since 'copy' was started. */
static void find_wait(Copies *c, LLVMValueRef copy, LLVMValueRef barrier,
                      unsigned number) {
  unsigned b = number_of(c, barrier);
  if (c->visited[b][number]) return;
  c->visited[b][number] = true;
  LLVMValueRef next[BARRIERS];
  bool free_after = search_after(c, may_run_meanwhile, copy, barrier);
  if (number == AHEAD || !free_after) {
    if (c->may_be_open[b] > number - 1) c->may_be_open[b] = number - 1;
    return;
  }
  unsigned n = c->reached_count;
  memcpy(next, c->reached, sizeof next);
  for (unsigned i = 0; i < n; i++) find_wait(c, copy, next[i], number + 1);
}

/* Each barrier ends an interval, whose copies are a group. */
static void find_waits(Copies *c, LLVMValueRef copy) {
  LLVMValueRef next[BARRIERS];
  memset(c->visited, 0, sizeof c->visited);
  search_after(c, may_come_with, copy, copy);
  unsigned n = c->reached_count;
  memcpy(next, c->reached, sizeof next);
  for (unsigned i = 0; i < n; i++) find_wait(c, copy, next[i], 1);
}

static void note_barrier(Copies *c, LLVMValueRef i) {
  if (!mt_is_barrier(i)) return;
  if (c->barriers < BARRIERS) {
    c->barrier[c->barriers] = i;
    c->may_be_open[c->barriers] = AHEAD;
  }
  c->barriers++;
}

static void wait_before(Copies *c, LLVMValueRef i) {
  if (!mt_is_barrier(i)) return;
  char name[] = "__mt_copies_wait0";
  unsigned open =
      c->barriers > BARRIERS ? 0 : c->may_be_open[number_of(c, i)];
  name[sizeof name - 2] += (char)open;
  LLVMPositionBuilderBefore(c->w->b, i);
  mt_build_call(c->w->module, c->w->b, name, c->w->none, NULL, 0);
}

mt_Status mt_ptx_make_copies(mt_PtxWork *w, mt_Error *err) {
  Copies *c = malloc(sizeof *c);
  if (!c) return mt_error(err, MT_FAIL, "out of memory");
  *c = (Copies){.w = w, .layout = LLVMGetModuleDataLayout(w->module)};
  each_instruction(w, c, collect);
  drop_others(c);
  each_instruction(w, c, note_barrier);
  if (c->barriers <= BARRIERS)
    for (unsigned i = 0; i < c->count; i++) find_waits(c, c->store[i]);
  for (unsigned i = 0; i < c->count; i++) make_copy(w, c->store[i]);
  if (c->count > 0) each_instruction(w, c, wait_before);
  free(c);
  return MT_OK;
}
