/*
** lanes.c - probes of cross-lane operations: values read from other lanes, and
** matrices that are spread over all lanes.
**
** Reductions and votes (simd_sum, simd_all) are over the active lanes,
** whichever they are; a matrix needs all 32. A value from an inactive lane may
** be asked for, as long as nothing depends on it: its shadow flag goes with it
** (uninitialised.c).
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/probe/probe.h"

static LLVMValueRef lane_number(mt_Instrumenter *w) {
  LLVMValueRef f = mt_instrument_declare(w, MT_LANE_NUMBER,
                                         LLVMFunctionType(w->i32, NULL, 0, 0));
  return mt_instrument_call(w, f, NULL, 0);
}

/* ------------------------------------------------------------------- lanes */

static LLVMValueRef plus(mt_Instrumenter *w, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildAdd(w->b, a, b, "");
}

static LLVMValueRef minus(mt_Instrumenter *w, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSub(w->b, a, b, "");
}

/* The lane that a value is read from, among 'width' lanes; NULL: not
** checked. */
static LLVMValueRef source(mt_Instrumenter *w, mt_CrosslaneOp op,
                           LLVMValueRef at, LLVMValueRef by, uint32_t width) {
  LLVMValueRef last = mt_instrument_number(w, width - 1);
  LLVMValueRef n = mt_instrument_number(w, width), from, keep;
  switch (op) {
    case MT_CROSSLANE_SHUFFLE:
    case MT_CROSSLANE_BROADCAST: return by;
    case MT_CROSSLANE_SHUFFLE_XOR: return LLVMBuildXor(w->b, at, by, "");
    case MT_CROSSLANE_ROTATE_UP:
      return LLVMBuildAnd(w->b, minus(w, at, by), last, "");
    case MT_CROSSLANE_ROTATE_DOWN:
      return LLVMBuildAnd(w->b, plus(w, at, by), last, "");
    case MT_CROSSLANE_SHUFFLE_UP: /* the lowest lanes keep theirs */
      keep = LLVMBuildICmp(w->b, LLVMIntULT, at, by, "");
      return LLVMBuildSelect(w->b, keep, at, minus(w, at, by), "");
    case MT_CROSSLANE_SHUFFLE_DOWN:
      from = plus(w, at, by);
      keep = LLVMBuildICmp(w->b, LLVMIntUGE, from, n, "");
      return LLVMBuildSelect(w->b, keep, at, from, "");
    default: return NULL; /* a fill: two values */
  }
}

LLVMValueRef mt_instrument_lane_source(mt_Instrumenter *w, LLVMValueRef call,
                                       const mt_Crosslane *c) {
  bool quad = c->scope == MT_SCOPE_QUAD;
  LLVMValueRef lane = lane_number(w), at = lane;
  if (quad) at = LLVMBuildAnd(w->b, lane, mt_instrument_number(w, 3), "");
  LLVMValueRef from =
      source(w, c->op, at, LLVMGetOperand(call, 1), quad ? 4 : MT_LANES);
  if (!from || !quad) return from;
  LLVMValueRef first =
      LLVMBuildAnd(w->b, lane, mt_instrument_number(w, ~3u), "");
  return LLVMBuildAdd(w->b, first, from, "");
}

bool mt_instrument_is_move(LLVMValueRef call) {
  mt_Crosslane c;
  return mt_crosslane_find(mt_callee(call), &c) &&
         c.row->class == MT_LANES_MOVE && mt_crosslane_moved(c.row) == 1;
}

static LLVMValueRef call_lane(mt_Instrumenter *w, const char *name,
                              LLVMTypeRef result, LLVMValueRef *args) {
  LLVMTypeRef params[] = {w->i32, w->i32, w->i32, w->i1};
  LLVMTypeRef type = LLVMFunctionType(result, params, 4, 0);
  return mt_instrument_call(w, mt_instrument_declare(w, name, type), args, 4);
}

LLVMValueRef mt_instrument_lanes(mt_Instrumenter *w, LLVMValueRef call,
                                 LLVMValueRef flag) {
  mt_Crosslane c;
  mt_crosslane_find(mt_callee(call), &c);
  bool named = c.row->result == MT_LANES_BY_LANE ||
               c.op == MT_CROSSLANE_SHUFFLE_XOR; /* the lane must exist */
  uint32_t n =
      mt_site_add(w->table, (mt_Site){.kind = MT_SITE_LANES,
                                      .place = mt_instrument_place(call),
                                      .root = MT_ROOT_UNKNOWN,
                                      .width = named});
  if (!n) return mt_instrument_number(w, 0);
  LLVMPositionBuilderBefore(w->b, call);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(call));
  LLVMValueRef args[] = {mt_instrument_number(w, n),
                         mt_instrument_lane_source(w, call, &c), flag,
                         LLVMConstInt(w->i1, named, 0)};
  call_lane(w, MT_PROBE_LANE, w->none, args);
  LLVMPositionBuilderBefore(w->b, LLVMGetNextInstruction(call));
  return call_lane(w, MT_PROBE_ASKED, w->i32, args);
}

void mt_instrument_convergent(mt_Instrumenter *w, LLVMValueRef call,
                              const char *name) {
  uint32_t n = mt_site_add(
      w->table, (mt_Site){.kind = MT_SITE_TOGETHER, .root = MT_ROOT_UNKNOWN,
                          .place = mt_instrument_place(call)});
  if (!n) return;
  w->table->site[n].name = strdup(name);
  LLVMPositionBuilderBefore(w->b, call);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(call));
  LLVMTypeRef type = LLVMFunctionType(w->none, &w->i32, 1, 0);
  LLVMValueRef arg = mt_instrument_number(w, n);
  mt_instrument_call(w, mt_instrument_declare(w, MT_PROBE_TOGETHER, type), &arg,
                     1);
}
