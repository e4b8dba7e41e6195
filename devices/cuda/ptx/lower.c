/*
** lower.c - calls of builtins that need more than their operands.
**
** The one idea: most builtins are plain functions of builtins.c and are linked
** in by their names. Two kinds need state of the launch or the thread: values
** that inactive lanes hold (cells in shared memory, prepare/inactive_lanes.h)
** and messages (a buffer of the thread, until one is complete). The kernel's
** body is made anew with two more parameters for them. Where all lanes run a
** cross-lane call together, a warp barrier in front makes sure that they have
** reconverged.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/call.h"
#include "devices/compiler/ir/crosslane.h"
#include "devices/compiler/ir/divergence.h"
#include "devices/compiler/prepare/inactive_lanes.h"
#include "devices/cuda/ptx/work.h"

#define LANES 32

/* --------------------------------------------------------- a body with more */

/* Move the blocks of the prepared function into one that has the two additional
** parameters. */
static void add_parameters(mt_PtxWork *w) {
  LLVMValueRef old = w->prepared.function;
  unsigned n = LLVMCountParams(old);
  LLVMTypeRef params[256];
  for (unsigned i = 0; i < n; i++) params[i] = LLVMTypeOf(LLVMGetParam(old, i));
  params[n] = params[n + 1] = w->ptr;
  LLVMValueRef body = LLVMAddFunction(
      w->module, "mettle_body", LLVMFunctionType(w->none, params, n + 2, 0));
  for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(old), next; k; k = next) {
    next = LLVMGetNextBasicBlock(k);
    LLVMRemoveBasicBlockFromParent(k);
    LLVMAppendExistingBasicBlock(body, k);
  }
  for (unsigned i = 0; i < n; i++) {
    LLVMReplaceAllUsesWith(LLVMGetParam(old, i), LLVMGetParam(body, i));
    unsigned count = LLVMGetAttributeCountAtIndex(old, i + 1);
    LLVMAttributeRef all[32];
    if (count > 32) continue;
    LLVMGetAttributesAtIndex(old, i + 1, all);
    for (unsigned k = 0; k < count; k++)
      LLVMAddAttributeAtIndex(body, i + 1, all[k]);
  }
  static const char *const SAID[] = {"alwaysinline", "convergent", "nounwind",
                                     "null_pointer_is_valid"};
  for (size_t k = 0; k < sizeof SAID / sizeof *SAID; k++)
    LLVMAddAttributeAtIndex(
        body, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(
            w->context,
            LLVMGetEnumAttributeKindForName(SAID[k], strlen(SAID[k])), 0));
  LLVMSetLinkage(body, LLVMInternalLinkage);
  LLVMDeleteFunction(old);
  w->prepared.function = body;
}

/* ----------------------------------------------------------------- messages */

static void lower_message(mt_PtxWork *w, LLVMValueRef call, const char *name) {
  LLVMValueRef args[4] = {
      LLVMGetParam(w->prepared.function, MT_BODY_MESSAGE(w))};
  unsigned n = LLVMGetNumArgOperands(call);
  const char *to = "__mt_message_value";
  for (unsigned i = 0; i < n; i++) args[1 + i] = LLVMGetOperand(call, i);
  if (strcmp(name, MT_LOG_END) == 0) to = "__mt_message_end";
  if (strcmp(name, MT_LOG_ASSERT) == 0) {
    to = "__mt_message_assert";
    args[1 + n++] = LLVMConstInt(w->i32, LLVMGetDebugLocLine(call), 0);
  }
  mt_build_call(w->module, w->b, to, w->none, args, n + 1);
  w->facts->logs = true;
}

/* -------------------------------------------------------------------- cells */

static LLVMValueRef cell_at(mt_PtxWork *w, int cell) {
  if (cell < 0) return LLVMConstNull(w->ptr);
  LLVMValueRef at = LLVMConstInt(w->i64, (uint64_t)cell * LANES * 8, 0);
  return LLVMBuildGEP2(w->b, w->i8,
                       LLVMGetParam(w->prepared.function, MT_BODY_CELLS(w)),
                       &at, 1, "");
}

static void lower_hold(mt_PtxWork *w, LLVMValueRef call) {
  LLVMValueRef args[3] = {
      LLVMGetParam(w->prepared.function, MT_BODY_CELLS(w)),
      LLVMGetOperand(call, 0),
      LLVMBuildIntCast2(w->b, LLVMGetOperand(call, 1), w->i64, 0, "")};
  mt_build_call(w->module, w->b, "__mt_cell_store", w->none, args, 3);
}

/* A move whose operand inactive lanes hold. */
static LLVMValueRef lower_move(mt_PtxWork *w, LLVMValueRef call,
                               const char *name) {
  LLVMValueRef args[6];
  unsigned n = LLVMGetNumArgOperands(call), values = n == 4 ? 2 : 1;
  mt_Str held = MT_STR_INIT;
  for (unsigned i = 0; i < n; i++) args[i] = LLVMGetOperand(call, i);
  for (unsigned i = 0; i < values; i++)
    args[n + i] = cell_at(w, mt_inactive_cell(call, i));
  mt_str_addf(&held, "%s_held", name);
  LLVMValueRef made = mt_build_call(w->module, w->b, mt_str_text(&held),
                                    LLVMTypeOf(call), args, n + values);
  mt_str_free(&held);
  return made;
}

/* -------------------------------------------------------------- convergence */

/* Does the call need lanes of the SIMD-group together? */
static bool is_crosslane(const char *name) {
  mt_Crosslane c;
  if (!mt_crosslane_find(name, &c)) return mt_starts(name, MT_TENSOR);
  switch (c.row->class) {
    case MT_LANES_POSITION:
      return false;
    case MT_LANES_MATRIX:
      return c.op == MT_CROSSLANE_MATRIX_MULTIPLY;
    case MT_LANES_BARRIER:
      return c.op == MT_CROSSLANE_BARRIER_SIMD;
    case MT_LANES_VOTE:
    case MT_LANES_FIRST:
    case MT_LANES_MOVE:
    case MT_LANES_REDUCE:
    case MT_LANES_SCAN:
    case MT_LANES_EXCLUSIVE:
    case MT_LANES_CELL:
      return true;
  }
  return true;
}

/* All lanes of a warp arrive at the barrier together, which is faster. */
static void lower_barrier(mt_PtxWork *w, LLVMValueRef call) {
  LLVMValueRef flags = LLVMGetOperand(call, 0);
  mt_build_call(w->module, w->b, "__mt_barrier_converged", w->none, &flags, 1);
}

static void reconverge(mt_PtxWork *w) {
  LLVMValueRef all = LLVMConstInt(w->i32, UINT32_MAX, 0);
  mt_build_call(w->module, w->b, "llvm.nvvm.bar.warp.sync", w->none, &all, 1);
}

/* ---------------------------------------------------------------- all calls */

/* Returns what replaces 'call'; NULL: it stays, or has no value. '*gone': it is
** replaced. */
static LLVMValueRef lower(mt_PtxWork *w, LLVMValueRef call, const char *name,
                          bool *gone) {
  *gone = true;
  if (mt_is_log_call(name)) return lower_message(w, call, name), NULL;
  if (mt_starts(name, MT_HOLD)) return lower_hold(w, call), NULL;
  if (mt_inactive_cell(call, 0) >= 0 ||
      (LLVMGetNumArgOperands(call) == 4 && mt_inactive_cell(call, 1) >= 0))
    return lower_move(w, call, name);
  *gone = false;
  return NULL;
}

static void lower_in(mt_PtxWork *w, const mt_Divergence *g,
                     LLVMBasicBlockRef block) {
  int converged = -1; /* not asked yet */
  bool reconverged = false;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    const char *name = mt_callee(i);
    if (!mt_starts(name, "__mt_")) continue;
    LLVMPositionBuilderBefore(w->b, i);
    if (converged < 0)
      converged = mt_divergence_converged(g, mt_divergence_number(g, block));
    if (converged && is_crosslane(name) && !reconverged) {
      reconverge(w); /* once: lanes do not part inside a block */
      reconverged = true;
    }
    bool gone = converged && mt_is_barrier(i);
    LLVMValueRef made = NULL;
    if (gone)
      lower_barrier(w, i);
    else
      made = lower(w, i, name, &gone);
    if (made) LLVMReplaceAllUsesWith(i, made);
    if (gone) LLVMInstructionEraseFromParent(i);
  }
}

/* The division of 1 / sqrt(x), if 'root' has no other use; else NULL. */
static LLVMValueRef reciprocal_of(LLVMValueRef root) {
  LLVMValueRef user = mt_only_user(root);
  if (!user || !LLVMIsAInstruction(user) ||
      LLVMGetInstructionOpcode(user) != LLVMFDiv ||
      LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMFloatTypeKind)
    return NULL;
  LLVMValueRef one = LLVMConstReal(LLVMTypeOf(user), 1);
  return LLVMGetOperand(user, 0) == one ? user : NULL;
}

static void replace(LLVMValueRef old, LLVMValueRef made) {
  LLVMReplaceAllUsesWith(old, made);
  LLVMInstructionEraseFromParent(old);
}

/* Roots are rounded as on every other device: fast math would allow an
** approximation, which LLVM takes. But 1 / sqrt(x) in fast math, rsqrt among
** others, is one instruction, as accurate as MSL wants. Signed zeros tell the
** modes apart: they count in safe math alone. */
static void settle_root(mt_PtxWork *w, LLVMValueRef root) {
  LLVMFastMathFlags flags = LLVMGetFastMathFlags(root);
  LLVMValueRef of = LLVMGetOperand(root, 0), divided = reciprocal_of(root);
  LLVMPositionBuilderBefore(w->b, root);
  if (divided && (flags & LLVMFastMathNoSignedZeros)) {
    replace(divided, mt_build_call(w->module, w->b, "llvm.nvvm.rsqrt.approx.f",
                                   LLVMTypeOf(root), &of, 1));
    LLVMInstructionEraseFromParent(root);
    return;
  }
  LLVMValueRef made =
      mt_build_call(w->module, w->b, mt_callee(root), LLVMTypeOf(root), &of, 1);
  LLVMSetFastMathFlags(made, flags & ~(unsigned)LLVMFastMathApproxFunc);
  replace(root, made);
}

/* MSL's atomics are of the device's scope: LLVM's default, all devices and the
** CPU, would be slower. */
static void settle(mt_PtxWork *w, LLVMValueRef i) {
  if (LLVMIsAtomic(i))
    LLVMSetAtomicSyncScopeID(i, LLVMGetSyncScopeID(w->context, "device", 6));
  if (mt_starts(mt_callee(i), "llvm.sqrt.")) settle_root(w, i);
}

static void settle_all(mt_PtxWork *w) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->prepared.function); b;
       b = LLVMGetNextBasicBlock(b))
    /* backwards: a division after its root may go with it */
    for (LLVMValueRef i = LLVMGetLastInstruction(b), before; i; i = before) {
      before = LLVMGetPreviousInstruction(i);
      settle(w, i);
    }
}

mt_Status mt_ptx_lower_calls(mt_PtxWork *w, mt_Error *err) {
  if (LLVMCountParams(w->prepared.function) > 250)
    return mt_error(err, MT_BADARG, "kernel '%s' has too many parameters",
                    w->job->msl->name);
  unsigned cells = mt_inactive_cell_count(w->prepared.function);
  w->facts->cell_bytes = cells * LANES * 8;
  settle_all(w);
  add_parameters(w);
  mt_Divergence g = {.function = w->prepared.function, .kernel = w->job->msl};
  mt_Status status = MT_OK;
  if (mt_divergence_open(&g))
    for (unsigned b = 0; b < g.blocks; b++) lower_in(w, &g, g.block[b]);
  else
    status = mt_error(err, MT_FAIL, "out of memory");
  mt_divergence_close(&g);
  return status;
}
