/*
** lower.c - calls of builtins that need more than their operands.
**
** The one idea: most builtins are plain functions of builtins.c and are linked
** in by their names. Three kinds need state of the launch or the thread:
** cross-lane calls (the mask of the active lanes, active_lanes.c), values that
** inactive lanes hold (cells in shared memory, prepare/inactive_lanes.h) and
** messages (a buffer of the thread, until one is complete). The kernel's body
** is made again with more parameters for them. Where all lanes run a cross-lane
** call together, a warp barrier in front makes sure that they have reconverged.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/str.h"
#include "devices/compiler/ir/ir.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/cuda/ptx/active_lanes.h"

#define LANES 32

/* --------------------------------------------------------- a body with more */

/* Move the blocks of the prepared function into one that has the additional
** parameters. */
static void add_parameters(mt_PtxWork *w) {
  LLVMValueRef old = w->prepared.function;
  unsigned n = LLVMCountParams(old);
  LLVMTypeRef params[256];
  for (unsigned i = 0; i < n; i++) params[i] = LLVMTypeOf(LLVMGetParam(old, i));
  params[n] = params[n + 1] = w->ptr;
  params[n + 2] = w->i32;
  LLVMValueRef body = LLVMAddFunction(
      w->module, "mettle_body", 
          LLVMFunctionType(w->none, params, n + MT_BODY_ADDED, 0));
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
    mt_add_attribute(body, SAID[k], 0);
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

static void clear_cells(mt_PtxWork *w, unsigned count) {
  LLVMValueRef body = w->prepared.function;
  LLVMValueRef args[3] = {LLVMGetParam(body, MT_BODY_CELLS(w)),
                          LLVMConstInt(w->i32, count, 0),
                          LLVMGetParam(body, MT_BODY_LANES(w))};
  LLVMPositionBuilderBefore(
      w->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(body)));
  mt_build_call(w->module, w->b, "__mt_cells_clear", w->none, args, 3);
}

static void lower_hold(mt_PtxWork *w, LLVMValueRef call, LLVMValueRef lanes) {
  LLVMValueRef args[4] = {
      LLVMGetParam(w->prepared.function, MT_BODY_CELLS(w)),
      LLVMGetOperand(call, 0),
      LLVMBuildIntCast2(w->b, LLVMGetOperand(call, 1), w->i64, 0, ""), lanes};
  mt_build_call(w->module, w->b, "__mt_cell_store", w->none, args, 4);
}

/* --------------------------------------------------------- cross-lane calls */

static bool holds_cells(LLVMValueRef call) {
  return mt_inactive_cell(call, 0) >= 0 ||
         (LLVMGetNumArgOperands(call) == 4 && mt_inactive_cell(call, 1) >= 0);
}

/* The builtin by these lanes; a move whose operand inactive lanes hold gets
** their cells. */
static LLVMValueRef lower_crosslane(mt_PtxWork *w, LLVMValueRef call,
                                    const char *name, LLVMValueRef lanes) {
  LLVMValueRef args[8];
  unsigned n = LLVMGetNumArgOperands(call);
  unsigned cells = !holds_cells(call) ? 0 : n == 4 ? 2 : 1;
  mt_Str full = MT_STR_INIT;
  for (unsigned i = 0; i < n; i++) args[i] = LLVMGetOperand(call, i);
  for (unsigned i = 0; i < cells; i++)
    args[n + i] = cell_at(w, mt_inactive_cell(call, i));
  args[n + cells] = lanes;
  mt_str_addf(&full, "%s_%s", name, cells ? "held" : "by");
  LLVMValueRef made = mt_build_call(w->module, w->b, mt_str_text(&full),
                                    LLVMTypeOf(call), args, n + cells + 1);
  mt_str_free(&full);
  return made;
}

/* Does the call need the mask of the lanes that run it? */
static bool needs_lanes(const char *name) {
  mt_Crosslane c;
  if (!mt_crosslane_find(name, &c)) return false;
  switch (c.row->class) {
    case MT_LANES_POSITION:
    case MT_LANES_MATRIX:
      return false;
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

/* Does the call need all lanes of the SIMD-group together? */
static bool needs_all_lanes(const char *name) {
  mt_Crosslane c;
  return needs_lanes(name) || mt_starts(name, MT_TENSOR) ||
         (mt_crosslane_find(name, &c) && c.op == MT_CROSSLANE_MATRIX_MULTIPLY);
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
** replaced. 'lanes': those that run it, if it needs them. */
static LLVMValueRef lower(mt_PtxWork *w, LLVMValueRef call, const char *name,
                          LLVMValueRef lanes, bool *gone) {
  *gone = true;
  if (mt_is_log_call(name)) return lower_message(w, call, name), NULL;
  if (mt_starts(name, MT_HOLD)) return lower_hold(w, call, lanes), NULL;
  if (lanes) return lower_crosslane(w, call, name, lanes);
  *gone = false;
  return NULL;
}

/* The first call in 'block' that needs the mask of its lanes; NULL: none. */
static LLVMValueRef first_with_lanes(LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (i && !needs_lanes(mt_callee(i))) i = LLVMGetNextInstruction(i);
  return i;
}

static void lower_in(mt_PtxWork *w, const mt_Divergence *g, mt_ActiveLanes *a,
                     LLVMBasicBlockRef block) {
  int converged = -1; /* not asked yet */
  bool reconverged = false;
  LLVMValueRef lanes =
      first_with_lanes(block) ? mt_active_lanes_mask(a, block) : NULL;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    const char *name = mt_callee(i);
    if (!mt_starts(name, "__mt_")) continue;
    LLVMPositionBuilderBefore(w->b, i);
    if (converged < 0)
      converged = mt_divergence_converged(g, mt_divergence_number(g, block));
    if (converged && needs_all_lanes(name) && !reconverged) {
      reconverge(w); /* once: lanes do not part inside a block */
      reconverged = true;
    }
    bool gone = converged && mt_is_barrier(i);
    LLVMValueRef made = NULL;
    if (gone)
      lower_barrier(w, i);
    else
      made = lower(w, i, name, needs_lanes(name) ? lanes : NULL, &gone);
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

/* ------------------------------------------------------------ control flow */

/* Every block with one way in, or with all lanes that part before it. */
static const char *const STRUCTURE = "unify-loop-exits,structurizecfg";

/* Analyse the body as it is now. */
static mt_Status analyse(mt_PtxWork *w, mt_Divergence *g, mt_ActiveLanes **a,
                         bool *known, mt_Error *err) {
  *g = (mt_Divergence){.function = w->prepared.function, .kernel = w->job->msl};
  if (!mt_divergence_open(g)) return mt_error(err, MT_FAIL, "out of memory");
  mt_Status status = mt_active_lanes_new(w, g, a, err);
  *known = status == MT_OK;
  for (unsigned b = 0; *known && b < g->blocks; b++)
    *known = !first_with_lanes(g->block[b]) ||
             mt_active_lanes_known(*a, g->block[b]);
  return status;
}

/* The same, of control flow that is made structured first. */
static mt_Status structure(mt_PtxWork *w, mt_Divergence *g, mt_ActiveLanes **a,
                           mt_Error *err) {
  bool known = false;
  mt_active_lanes_free(*a), *a = NULL;
  mt_divergence_close(g), *g = (mt_Divergence){0};
  mt_Status status = mt_run_function_passes(
      w->prepared.target, w->prepared.function, STRUCTURE, err);
  if (status == MT_OK)
    status = mt_canonicalise_loops(w->prepared.target, w->module, err);
  if (status == MT_OK) status = analyse(w, g, a, &known, err);
  if (status == MT_OK && !known)
    status = mt_error(err, MT_FAIL,
                      "kernel '%s' has branches around operations between "
                      "lanes that the cuda device cannot follow: write "
                      "them as 'if' and loops with one exit",
                      w->job->msl->name);
  return status;
}

mt_Status mt_ptx_lower_calls(mt_PtxWork *w, mt_Error *err) {
  if (LLVMCountParams(w->prepared.function) > 250)
    return mt_error(err, MT_BADARG, "kernel '%s' has too many parameters",
                    w->job->msl->name);
  unsigned cells = mt_inactive_cell_count(w->prepared.function);
  w->facts->cell_bytes = cells * LANES * 8;
  settle_all(w);
  add_parameters(w);
  mt_Divergence g = {0};
  mt_ActiveLanes *a = NULL;
  bool known = false;
  mt_Status status = analyse(w, &g, &a, &known, err);
  if (status == MT_OK && !known) status = structure(w, &g, &a, err);
  for (unsigned b = 0; status == MT_OK && b < g.blocks; b++)
    lower_in(w, &g, a, g.block[b]);
  if (status == MT_OK && cells) clear_cells(w, cells);
  mt_active_lanes_free(a);
  mt_divergence_close(&g);
  return status;
}
