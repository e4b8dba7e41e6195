/*
** lanes.c - the lanes of an access, as the files that lower probes ask
** for them (strides, runs, lists of numbers), and calls of helpers.
*/
#include <string.h>

#include "devices/host/lower/lowered_access.h"

LLVMValueRef mt_lower_observer(mt_Spmd *s) {
  return mt_group_field(s, offsetof(mt_Group, observer), s->ptr);
}

LLVMValueRef mt_lower_table(mt_Spmd *s, size_t offset) {
  LLVMValueRef at = mt_const_i64(s, (int64_t)offset);
  return LLVMBuildInBoundsGEP2(s->b, s->i8, mt_lower_observer(s), &at, 1, "");
}

LLVMValueRef mt_lower_call(mt_Spmd *s, const char *name, LLVMTypeRef result,
                           const LLVMValueRef *args, unsigned n) {
  LLVMValueRef all[1 + MT_HELPER_ARGUMENTS] = {mt_lower_observer(s)};
  memcpy(all + 1, args, n * sizeof *all);
  return mt_call_runtime(s, name, result, all, n + 1);
}

/* Do the lanes have one stride? Then its bytes in '*step'. */
bool mt_lower_row(const mt_Spmd *s, const mt_Shape *h, int64_t *step) {
  *step = h->offset[1] - h->offset[0];
  for (int l = 1; l < s->lanes; l++)
    if (h->offset[l] - h->offset[0] != l * *step || !mt_same_class(h, l, 0))
      return false;
  return true;
}

int mt_lower_runs(const mt_Spmd *s, const mt_Shape *h, mt_LaneRun *run) {
  int n = 0;
  for (int l = 0; l < s->lanes; l += run[n - 1].count) {
    if (n == MT_MAX_RUNS) return 0;
    mt_LaneRun r = {l, 1, 0};
    while (l + r.count < s->lanes && mt_same_class(h, l, l + r.count)) {
      int64_t far = h->offset[l + r.count] - h->offset[l + r.count - 1];
      if (r.count > 1 && far != r.step) break;
      r.step = far;
      r.count++;
    }
    run[n++] = r;
  }
  return n;
}

LLVMValueRef mt_lower_list(mt_Spmd *s, LLVMValueRef *n, unsigned count) {
  LLVMValueRef list = LLVMConstArray2(s->i32, n, count);
  LLVMValueRef g = LLVMAddGlobal(s->module, LLVMTypeOf(list), "mt.rows");
  LLVMSetInitializer(g, list);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMPrivateLinkage);
  return g;
}
