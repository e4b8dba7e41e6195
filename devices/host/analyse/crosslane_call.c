/*
** crosslane_call.c - which cross-lane operation a call is (analyse.h), and
** whether its result is uniform.
*/
#include "devices/host/analyse/analyse.h"

bool mt_crosslane_call(LLVMValueRef call, const char *name,
                       mt_CrosslaneCall *out) {
  mt_Crosslane c;
  if (!mt_crosslane_find(name, &c) ||
      (c.scope != MT_SCOPE_SIMD && c.scope != MT_SCOPE_QUAD))
    return false;
  int width = c.scope == MT_SCOPE_QUAD ? 4 : MT_LANES;
  *out = (mt_CrosslaneCall){c.op, c.row, width, c.type, call};
  return true;
}

/* Is the result the same in all lanes of a SIMD-group? */
mt_ShapeKind mt_crosslane_kind(mt_Spmd *s, LLVMValueRef call,
                               const char *name) {
  mt_CrosslaneCall c;
  if (!mt_crosslane_call(call, name, &c) || c.width != MT_LANES)
    return MT_SHAPE_VARYING;
  if (c.row->result == MT_LANES_BY_LANE) {
    unsigned which = mt_crosslane_moved(c.row);
    mt_ShapeKind k = mt_part_kind(s, LLVMGetOperand(call, which), 0);
    return k == MT_SHAPE_AFFINE ? MT_SHAPE_VARYING : k;
  }
  return c.row->result == MT_LANES_UNIFORM ? MT_SHAPE_UNIFORM
                                           : MT_SHAPE_VARYING;
}
