/*
** lower_lanes.c - the lanes of an access, as the files that lower probes ask
** for them: strides, runs, lists of numbers.
*/
#include "devices/host/instrument/lower.h"

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
