/*
** lanes.c - probes of cross-lane operations: values read from other lanes, and
** matrices that are spread over all lanes.
**
** Reductions and votes (simd_sum, simd_all) are over the active lanes,
** whichever they are; a matrix needs all 32.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/compiler/ir/ir.h"
#include "devices/host/instrument/probes.h"
#include "devices/host/instrument/work.h"

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

void mt_instrument_lanes(mt_Instrumenter *w, LLVMValueRef call,
                         const char *name) {
  mt_Crosslane c;
  if (!mt_crosslane_find(name, &c) || c.row->class != MT_LANES_MOVE) return;
  LLVMPositionBuilderBefore(w->b, call);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(call));
  bool named = c.row->result == MT_LANES_BY_LANE ||
               c.op == MT_CROSSLANE_SHUFFLE_XOR; /* the lane must exist */
  LLVMValueRef from = mt_instrument_lane_source(w, call, &c);
  if (!from) return;
  uint32_t n =
      mt_site_add(w->table, (mt_Site){.kind = MT_SITE_LANES,
                                      .place = mt_instrument_place(call),
                                      .root = MT_ROOT_UNKNOWN,
                                      .width = named});
  if (!n) return;
  LLVMTypeRef params[] = {w->i32, w->i32};
  LLVMTypeRef type = LLVMFunctionType(w->none, params, 2, 0);
  LLVMValueRef args[] = {mt_instrument_number(w, n), from};
  mt_instrument_call(w, mt_instrument_declare(w, MT_PROBE_LANE, type), args, 2);
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
