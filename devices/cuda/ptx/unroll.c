/*
** unroll.c - loops that get more copies than LLVM would make of them.
**
** The one idea: a GPU thread waits for a load of device memory some 600 clocks,
** and computes nothing meanwhile if the next iteration needs its turn. Copies
** of an iteration put several loads under way at once. LLVM has a limit for
** code of any kind, which is low; here loops that load are unrolled further, as
** NVIDIA's own compiler does it: all of a loop whose iterations are known and
** few, which also makes numbers of the elements of constant tables, else four
** iterations of a short loop that counts. A hint of the source comes first.
**
** They stay loops while LLVM simplifies: what is invariant leaves them,
** branches become selections, and sums of products are not mixed between
** copies. So the loops are found twice: before, those to keep, and after, by
** what became of them, how many copies each gets. A loop that may end early is
** unrolled before: two conditions would become one, which does not tell how
** often it holds. So is one that accesses the thread's own memory, which
** becomes registers then.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/cuda/ptx/work.h"

#define COUNTED 4096   /* iterations that are counted */
#define MOST_TRIPS 64  /* of a loop that is unrolled as a whole, */
#define MOST_BODY 72   /* instructions of an iteration; a longer one has enough
                          to do, and copies of it would take registers */
#define MOST_SIZE 1000 /* and instructions that the loop may become, */
#define MOST_ALL 3000  /* and all of the kernel */
#define COPIES 4       /* of an iteration of a loop that stays one, */
#define SHORT 32       /* if it has at most so many instructions */
#define MOST_BLOCKS 1000

typedef struct Loop {
  uint64_t body; /* instructions of an iteration, inner loops unrolled */
  bool loads;    /* from memory of the device, or constants */
  bool waits;    /* has an operation that lanes or threads do together */
  bool memory;   /* accesses the thread's own memory */
  bool inner;    /* has no loop inside that stays one */
  bool asked;    /* the source has a hint */
} Loop;

typedef struct Nest {
  mt_LoopEnds ends;
  Loop *loop; /* by number */
  uint64_t all;
} Nest;

/* --------------------------------------------------------------- the nest */

static LLVMBasicBlockRef header_of(const Nest *n, int l) {
  return mt_loop_header(&n->ends.nest, l);
}

/* With other lanes or threads, or a message: no copies. */
static bool waits(LLVMValueRef i) {
  mt_Crosslane c;
  const char *name = mt_callee(i);
  return mt_is_barrier(i) || mt_is_log_call(name) ||
         mt_crosslane_find(name, &c);
}

/* Of the thread's own memory, which may be registers yet? */
static bool is_private(LLVMValueRef i) {
  if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i)) return false;
  LLVMValueRef at = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
  return LLVMIsAAllocaInst(mt_underlying_object(at));
}

/* A product that is added is one instruction with its sum. */
static bool is_fused(LLVMValueRef i) {
  LLVMValueRef user =
      LLVMGetInstructionOpcode(i) == LLVMFMul ? mt_only_user(i) : NULL;
  return user && LLVMIsAInstruction(user) &&
         (LLVMGetInstructionOpcode(user) == LLVMFAdd ||
          LLVMGetInstructionOpcode(user) == LLVMFSub);
}

static void read_block(Nest *n, int number) {
  LLVMBasicBlockRef b = n->ends.nest.block[number];
  Loop read = {0};
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
       i = LLVMGetNextInstruction(i)) {
    if (!is_fused(i)) read.body += mt_unrolled_weight(i);
    read.memory |= is_private(i);
    read.loads |= LLVMIsALoadInst(i) && !is_private(i);
    read.waits |= waits(i);
  }
  n->all += read.body;
  int l = n->ends.nest.loop[number];
  if (l >= 0) {
    n->loop[l].body += read.body;
    n->loop[l].loads |= read.loads;
  }
  for (; l >= 0; l = n->ends.nest.loops[l].parent) {
    n->loop[l].waits |= read.waits;
    n->loop[l].memory |= read.memory;
  }
}

/* False: out of memory. */
static bool open_nest(Nest *n, LLVMValueRef f) {
  const mt_LoopNest *of = &n->ends.nest;
  memset(n, 0, sizeof *n);
  if (!mt_loop_ends_make(f, COUNTED, &n->ends)) return false;
  n->loop = calloc((size_t)of->loop_count + 1, sizeof *n->loop);
  if (!n->loop) return false;
  for (int l = 0; l < of->loop_count; l++) n->loop[l].inner = true;
  for (int b = 0; b < of->blocks && of->block[b]; b++) read_block(n, b);
  return true;
}

static void close_nest(Nest *n) {
  mt_loop_ends_free(&n->ends);
  free(n->loop);
}

/* ------------------------------------------------------------------ choice */

static bool is_invariant(const Nest *n, int l, LLVMValueRef v) {
  return !LLVMIsAInstruction(v) ||
         mt_loop_leaves(&n->ends.nest, l, LLVMGetInstructionParent(v));
}

/* The variable of the loop that counts by a constant and is 'v', or has it as
** its next value; NULL: none. */
static LLVMValueRef counter_of(const Nest *n, int l, LLVMValueRef v,
                               mt_Induction *out) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(header_of(n, l));
       phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
    if (mt_induction_find(phi, out) && (v == phi || v == out->next))
      return LLVMIsAConstantInt(out->by) ? phi : NULL;
  return NULL;
}

/* The counter that alone decides where the loop is left, which is where it
** closes; '*bound': what it is compared with. NULL: there is none. */
static LLVMValueRef only_counter(const Nest *n, int l, mt_Induction *out,
                                 LLVMValueRef *bound) {
  const mt_LoopEnd *end = &n->ends.of[l];
  if (end->exits != 1 || end->exit != end->branch) return NULL;
  LLVMValueRef test = LLVMGetCondition(end->branch);
  if (!LLVMIsAICmpInst(test)) return NULL;
  for (unsigned k = 0; k < 2; k++) {
    *bound = LLVMGetOperand(test, 1 - k);
    LLVMValueRef phi = counter_of(n, l, LLVMGetOperand(test, k), out);
    if (phi && is_invariant(n, l, *bound)) return phi;
  }
  return NULL;
}

/* A loop from a thread's number to a constant: its iterations at most, if they
** are so few that LLVM would copy all of them, with a test after each that
** waits for its load; else 0. */
static int64_t few_trips(const Nest *n, int l) {
  mt_Induction counter;
  LLVMValueRef bound, phi = only_counter(n, l, &counter, &bound);
  int64_t most, by;
  if (!phi || LLVMIsAConstant(counter.start) ||
      !mt_const_number(bound, &most) || !mt_const_number(counter.by, &by) ||
      by <= 0 || most <= 0)
    return 0;
  LLVMValueRef test = LLVMGetCondition(n->ends.of[l].branch);
  if (LLVMGetOperand(test, 0) == phi || LLVMGetOperand(test, 1) == phi)
    most += by;
  return (most + by - 1) / by <= COPIES ? (most + by - 1) / by : 0;
}

/* The copies of an iteration that a loop shall have; 1: it is LLVM's to say. */
static int64_t copies_of(const Nest *n, int l) {
  const Loop *loop = &n->loop[l];
  const mt_LoopEnd *end = &n->ends.of[l];
  mt_Induction counter;
  LLVMValueRef bound;
  uint64_t more = end->trips ? (uint64_t)(end->trips - 1) * loop->body : 0;
  if (!end->branch || !loop->inner || loop->waits || !loop->loads) return 1;
  if (end->trips) /* a longer one LLVM unrolls by what divides its length */
    return end->trips <= MOST_TRIPS && loop->body <= MOST_BODY &&
                   more + loop->body <= MOST_SIZE && n->all + more <= MOST_ALL
               ? end->trips
               : 1;
  if (loop->body > SHORT || !only_counter(n, l, &counter, &bound)) return 1;
  int64_t few = few_trips(n, l);
  return few == 0 || few == COPIES ? COPIES : few > 1 ? 2 : 1;
}

/* Add a loop, as it will be, to the one around it. */
static void add_loop(Nest *n, int l, int64_t copies) {
  const Loop *loop = &n->loop[l];
  int parent = n->ends.nest.loops[l].parent;
  n->all += (uint64_t)(copies - 1) * loop->body;
  if (parent < 0) return;
  n->loop[parent].body += loop->body * (uint64_t)copies;
  n->loop[parent].loads |= loop->loads;
  n->loop[parent].inner &= loop->inner && copies == n->ends.of[l].trips;
}

/* A bound that LLVM does not see through, by a move that costs no instruction:
** it makes the loop one of any length, four iterations of which have one
** test. */
static void hide_bound(mt_PtxWork *w, const Nest *n, int l) {
  LLVMTypeRef type = LLVMFunctionType(w->i32, &w->i32, 1, 0);
  LLVMBasicBlockRef header = header_of(n, l);
  LLVMValueRef phi = LLVMGetFirstInstruction(header);
  LLVMValueRef test = LLVMGetCondition(n->ends.of[l].branch);
  unsigned k = LLVMIsAConstant(LLVMGetOperand(test, 0)) ? 0 : 1;
  LLVMValueRef bound = LLVMGetOperand(test, k);
  if (LLVMTypeOf(bound) != w->i32) return;
  for (unsigned p = 0; p < LLVMCountIncoming(phi); p++) {
    LLVMBasicBlockRef before = LLVMGetIncomingBlock(phi, p);
    if (!mt_loop_leaves(&n->ends.nest, l, before)) continue;
    LLVMValueRef mov =
        LLVMGetInlineAsm(type, "mov.b32 $0, $1;", 15, "=r,r", 4, 0, 0,
                         LLVMInlineAsmDialectATT, 0);
    LLVMPositionBuilderBefore(w->b, LLVMGetBasicBlockTerminator(before));
    LLVMSetOperand(test, k, LLVMBuildCall2(w->b, type, mov, &bound, 1, ""));
    return;
  }
}

/* ----------------------------------------------------- before LLVM's passes */

/* Does the loop go on while 'next' is less than something, unsigned? */
static bool goes_on_below(const Nest *n, int l, LLVMValueRef next) {
  LLVMValueRef branch = n->ends.of[l].branch, test = LLVMGetCondition(branch);
  LLVMIntPredicate p = LLVMGetICmpPredicate(test);
  bool less = p == LLVMIntULT || p == LLVMIntULE;
  if (!less && p != LLVMIntUGT && p != LLVMIntUGE) return false;
  if (LLVMGetOperand(test, 1) == next) less = !less;
  else if (LLVMGetOperand(test, 0) != next) return false;
  return less == (LLVMGetSuccessor(branch, 0) == header_of(n, l));
}

/* for (uint i = t; i < n; i += 256): were 'i' to wrap, it would go round for
** ever, since what it is added divides 2^32. So it does not, which LLVM has to
** know to count the iterations. */
static void bound_counter(const Nest *n, int l) {
  mt_Induction counter;
  LLVMValueRef bound, phi = only_counter(n, l, &counter, &bound);
  int64_t by;
  if (!phi || !mt_const_number(counter.by, &by) || by <= 0 || (by & (by - 1)) ||
      LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind ||
      !LLVMIsAInstruction(counter.next) ||
      LLVMGetInstructionOpcode(counter.next) != LLVMAdd)
    return;
  if (goes_on_below(n, l, counter.next))
    LLVMSetNUW(counter.next, 1);
}

/* A count of one: stay a loop for now. No source has it: Clang writes
** "disable". The loops around it stay as they are, since LLVM would count this
** one as short. */
static void keep(mt_PtxWork *w, const Nest *n, int l) {
  LLVMMetadataRef one =
      mt_loop_hint(w->context, "llvm.loop.unroll.count", 1, 32);
  mt_set_loop_hints(w->context, n->ends.of[l].branch, &one, 1);
  bound_counter(n, l);
  while ((l = n->ends.nest.loops[l].parent) >= 0)
    if (n->ends.of[l].branch)
      mt_unroll_hint_add(n->ends.of[l].branch, "llvm.loop.unroll.disable");
}

static bool is_kept(LLVMValueRef branch) {
  int64_t count;
  return branch && mt_unroll_hint(branch, &count) == MT_HINT_COUNT &&
         count == 1;
}

/* Now, or later? */
static void decide(mt_PtxWork *w, const Nest *n, int l, int64_t copies) {
  const mt_LoopEnd *end = &n->ends.of[l];
  if (n->loop[l].memory && end->exits == 1 && end->trips)
    mt_unroll_hint_add(end->branch, "llvm.loop.unroll.full");
  else if (end->exits > 1)
    mt_unroll_hint_replace(end->branch, copies);
  else if (!n->loop[l].memory)
    keep(w, n, l);
}

static void find_asked(Nest *n) {
  int64_t ignored;
  for (int l = 0; l < n->ends.nest.loop_count; l++) {
    LLVMValueRef branch = n->ends.of[l].branch;
    n->loop[l].asked =
        branch && mt_unroll_hint(branch, &ignored) != MT_HINT_NONE;
  }
}

void mt_ptx_keep_for_later(mt_PtxWork *w) {
  LLVMValueRef f = w->prepared.function;
  Nest n;
  if (LLVMCountBasicBlocks(f) > MOST_BLOCKS || mt_ptx_has_matrices(w->module))
    return;
  if (open_nest(&n, f)) {
    find_asked(&n);
    /* inner ones are last */
    for (int l = n.ends.nest.loop_count - 1; l >= 0; l--) {
      int64_t copies = n.loop[l].asked ? 1 : copies_of(&n, l);
      if (copies > 1) decide(w, &n, l, copies);
      add_loop(&n, l, copies);
    }
  }
  close_nest(&n);
}

/* -------------------------------------------------------------------- after */

static const char *const UNROLL =
    "loop-unroll<O3;no-partial;no-runtime;no-peeling;no-upperbound>,"
    "sroa<modify-cfg>,gvn,simplifycfg,instcombine<no-verify-fixpoint>,"
    "simplifycfg,adce";

static void unroll(mt_PtxWork *w, const Nest *n, int l, int64_t copies) {
  const mt_LoopEnd *end = &n->ends.of[l];
  unsigned kind = LLVMGetMDKindIDInContext(w->context, "llvm.loop", 9);
  LLVMSetMetadata(end->branch, kind, NULL);
  if (copies == 1) return;
  if (copies == end->trips && end->exits == 1)
    mt_unroll_hint_add(end->branch, "llvm.loop.unroll.full");
  else
    mt_unroll_hint_replace(end->branch, copies);
  if (!end->trips && few_trips(n, l)) hide_bound(w, n, l);
}

mt_Status mt_ptx_unroll(mt_PtxWork *w, mt_Error *err) {
  LLVMValueRef f = w->prepared.function;
  bool any = false;
  Nest n = {0};
  if (LLVMCountBasicBlocks(f) <= MOST_BLOCKS && open_nest(&n, f))
    for (int l = n.ends.nest.loop_count - 1; l >= 0; l--) {
      bool kept = is_kept(n.ends.of[l].branch);
      int64_t copies = kept ? copies_of(&n, l) : 1;
      if (kept) unroll(w, &n, l, copies), any = true;
      add_loop(&n, l, copies);
    }
  close_nest(&n);
  return any ? mt_run_function_passes(w->prepared.target, f, UNROLL, err)
             : MT_OK;
}
