/*
** check_lanes.c - the watch at what threads of a SIMD-group do together: values
** taken from other lanes, and matrices that are spread over them.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/str.h"
#include "devices/host/engine/check_work.h"

static LLVMValueRef lane_number(Work *w) {
  LLVMValueRef f = mt_work_declare(w, "__mt_simd_lane",
                                   LLVMFunctionType(w->i32, NULL, 0, 0));
  return mt_work_call(w, f, NULL, 0);
}

/* ------------------------------------------------------------------- lanes */

static LLVMValueRef plus(Work *w, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildAdd(w->b, a, b, "");
}

static LLVMValueRef minus(Work *w, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSub(w->b, a, b, "");
}

/* Where a lane's value comes from, among 'width' lanes; NULL: from where it is,
** or it is not told. */
static LLVMValueRef source(Work *w, const char *op, LLVMValueRef at,
                           LLVMValueRef by, uint32_t width) {
  LLVMValueRef last = mt_work_number(w, width - 1);
  LLVMValueRef n = mt_work_number(w, width), from;
  if (mt_starts(op, "shuffle_xor_")) return LLVMBuildXor(w->b, at, by, "");
  if (mt_starts(op, "rotate_up_"))
    return LLVMBuildAnd(w->b, minus(w, at, by), last, "");
  if (mt_starts(op, "rotate_down_"))
    return LLVMBuildAnd(w->b, plus(w, at, by), last, "");
  if (mt_starts(op, "shuffle_up_")) { /* the lowest lanes keep theirs */
    LLVMValueRef keep = LLVMBuildICmp(w->b, LLVMIntULT, at, by, "");
    return LLVMBuildSelect(w->b, keep, at, minus(w, at, by), "");
  }
  if (mt_starts(op, "shuffle_down_")) {
    from = plus(w, at, by);
    LLVMValueRef keep = LLVMBuildICmp(w->b, LLVMIntUGE, from, n, "");
    return LLVMBuildSelect(w->b, keep, at, from, "");
  }
  if (mt_starts(op, "shuffle_") ||
      (mt_starts(op, "broadcast_") && !mt_starts(op, "broadcast_first")))
    return by;
  return NULL;
}

void mt_work_lanes(Work *w, LLVMValueRef call, const char *name) {
  bool quad = mt_starts(name, "__mt_quad_");
  if (LLVMGetNumArgOperands(call) < 2) return;
  LLVMPositionBuilderBefore(w->b, call);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(call));
  const char *op = name + 10;
  bool named = mt_starts(op, "shuffle_u") || mt_starts(op, "broadcast_u") ||
               mt_starts(op, "shuffle_xor_"); /* must be there */
  if (!mt_starts(op, "shuffle_") && !mt_starts(op, "broadcast_") &&
      !mt_starts(op, "rotate_"))
    return;
  LLVMValueRef lane = lane_number(w), at = lane;
  if (quad) at = LLVMBuildAnd(w->b, lane, mt_work_number(w, 3), "");
  LLVMValueRef from =
      source(w, op, at, LLVMGetOperand(call, 1), quad ? 4 : MT_LANES);
  if (!from) return;
  if (quad) {
    LLVMValueRef first = LLVMBuildAnd(w->b, lane, mt_work_number(w, ~3u), "");
    from = LLVMBuildAdd(w->b, first, from, "");
  }
  uint32_t n = mt_site_add(
      w->table, (mt_Site){.kind = MT_SITE_LANES, .place = mt_work_place(call),
                          .root = MT_ROOT_UNKNOWN, .width = named});
  if (!n) return;
  LLVMTypeRef params[] = {w->i32, w->i32};
  LLVMTypeRef type = LLVMFunctionType(w->none, params, 2, 0);
  LLVMValueRef args[] = {mt_work_number(w, n), from};
  mt_work_call(w, mt_work_declare(w, MT_WATCH_LANE, type), args, 2);
}

/* ---------------------------------------------------------------- matrices */

typedef struct Matrix {
  LLVMValueRef p, stride, transpose, base;
  LLVMValueRef row, column; /* of this lane's first element */
  mt_Site site;
} Matrix;

/* Which lane holds which element is Metal's affair, so here they go as they lie
** in memory: lane l has element l % 8 of the rows l / 8 and l / 8 + 4. */
static void place_lane(Work *w, Matrix *m) {
  LLVMBuilderRef b = w->b;
  LLVMValueRef lane = lane_number(w);
  m->row = LLVMBuildLShr(b, lane, mt_work_number(w, 3), "");
  m->column = LLVMBuildAnd(b, lane, mt_work_number(w, 7), "");
  m->row = LLVMBuildZExt(b, m->row, w->i64, "");
  m->column = LLVMBuildZExt(b, m->column, w->i64, "");
}

/* Watch element 'k' of the lane's two; true where it may be touched. */
static LLVMValueRef watch_element(Work *w, const Matrix *m, unsigned k) {
  LLVMBuilderRef b = w->b;
  LLVMValueRef row =
      LLVMBuildAdd(b, m->row, LLVMConstInt(w->i64, 4 * k, 0), "");
  LLVMValueRef straight = LLVMBuildAdd(
      b, LLVMBuildMul(b, row, m->stride, ""), m->column, "");
  LLVMValueRef across = LLVMBuildAdd(
      b, LLVMBuildMul(b, m->column, m->stride, ""), row, "");
  LLVMValueRef at = LLVMBuildSelect(b, m->transpose, across, straight, "");
  at = LLVMBuildMul(b, at, LLVMConstInt(w->i64, m->site.size, 0), "");
  LLVMValueRef p = LLVMBuildGEP2(b, w->i8, m->p, &at, 1, "");
  uint32_t n = mt_site_add(w->table, m->site);
  if (!n) return LLVMConstInt(w->i1, 1, 0);
  LLVMValueRef to = mt_work_access(w, n, m->base, p, NULL);
  return LLVMBuildICmp(b, LLVMIntEQ, to, p, "");
}

/* Memory for a matrix that is partly out of bounds. */
static LLVMValueRef elsewhere(Work *w) {
  LLVMValueRef g = LLVMGetNamedGlobal(w->module, "mt_matrix_away");
  LLVMTypeRef t = LLVMArrayType2(w->i8, 256);
  if (g) return g;
  g = LLVMAddGlobal(w->module, t, "mt_matrix_away");
  LLVMSetInitializer(g, LLVMConstNull(t));
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetAlignment(g, 64);
  return g;
}

void mt_work_matrix(Work *w, LLVMValueRef call, const char *type, bool store) {
  unsigned first = store ? 1 : 0;
  Matrix m = {.p = LLVMGetOperand(call, first),
              .stride = LLVMGetOperand(call, first + 1),
              .transpose = LLVMGetOperand(call, first + 2)};
  LLVMPositionBuilderBefore(w->b, call);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(call));
  m.site = (mt_Site){.kind = store ? MT_SITE_WRITE : MT_SITE_READ,
                     .place = mt_work_place(call),
                     .size = mt_starts(type, "f32") ? 4 : 2};
  m.site.align = m.site.size;
  m.site.root = mt_work_root(w, m.p, &m.base, 0);
  if (m.site.root < 0) m.site.root = MT_ROOT_UNKNOWN, m.base = NULL;
  if (m.site.root >= 0 && w->table->root[m.site.root].kind == MT_ROOT_PRIVATE)
    return;
  place_lane(w, &m);
  LLVMValueRef good = watch_element(w, &m, 0);
  good = LLVMBuildAnd(w->b, good, watch_element(w, &m, 1), "");
  LLVMValueRef bad = LLVMBuildNot(w->b, good, "");
  LLVMValueRef ballot = mt_work_declare(
      w, "__mt_simd_ballot", LLVMFunctionType(w->i64, &w->i1, 1, 0));
  bad = LLVMBuildICmp(w->b, LLVMIntNE, mt_work_call(w, ballot, &bad, 1),
                      LLVMConstInt(w->i64, 0, 0), "");
  LLVMSetOperand(call, first,
                 LLVMBuildSelect(w->b, bad, elsewhere(w), m.p, ""));
  LLVMSetOperand(call, first + 1,
                 LLVMBuildSelect(w->b, bad, LLVMConstInt(w->i64, 8, 0),
                                 m.stride, ""));
}
