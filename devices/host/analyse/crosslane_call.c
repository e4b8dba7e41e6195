/*
** crosslane_call.c - which cross-lane operation a call is, see
** crosslane_call.h, and whether its result is uniform.
*/
#include "devices/host/analyse/crosslane_call.h"

#include <string.h>

static const struct { const char *name; mt_CrosslaneOp op; } NAMES[] = {
    {"shuffle_xor_", MT_CROSSLANE_XOR}, {"shuffle_up_", MT_CROSSLANE_UP},
    {"shuffle_down_", MT_CROSSLANE_DOWN}, {"shuffle_", MT_CROSSLANE_SHUFFLE},
    {"rotate_up_", MT_CROSSLANE_ROTATE_UP}, {"rotate_down_", MT_CROSSLANE_ROTATE_DOWN},
    {"fill_up_", MT_CROSSLANE_FILL_UP}, {"fill_down_", MT_CROSSLANE_FILL_DOWN},
    {"broadcast_first_", MT_CROSSLANE_FIRST}, {"broadcast_", MT_CROSSLANE_BROADCAST},
    {"is_first", MT_CROSSLANE_IS_FIRST}, {"ballot", MT_CROSSLANE_BALLOT}, {"active", MT_CROSSLANE_ACTIVE},
    {"lane", MT_CROSSLANE_LANE}, {"sum_", MT_CROSSLANE_SUM}, {"product_", MT_CROSSLANE_PRODUCT},
    {"min_", MT_CROSSLANE_MIN}, {"max_", MT_CROSSLANE_MAX}, {"and_", MT_CROSSLANE_AND}, {"or_", MT_CROSSLANE_OR},
    {"xor_", MT_CROSSLANE_BIT_XOR}, {"prefix_exclusive_sum_", MT_CROSSLANE_EXCLUSIVE_SUM},
    {"prefix_inclusive_sum_", MT_CROSSLANE_INCLUSIVE_SUM},
    {"prefix_exclusive_product_", MT_CROSSLANE_EXCLUSIVE_PRODUCT},
    {"prefix_inclusive_product_", MT_CROSSLANE_INCLUSIVE_PRODUCT}, {"hold_", MT_CROSSLANE_HOLD}};

bool mt_crosslane_call(LLVMValueRef call, const char *name, mt_CrosslaneCall *out) {
  *out = (mt_CrosslaneCall){MT_CROSSLANE_NONE, LANES, 'u', call};
  if (!strncmp(name, "__mt_quad_", 10))
    out->width = 4;
  else if (strncmp(name, "__mt_simd_", 10))
    return false;
  name += 10;
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !out->op; i++)
    if (!strncmp(name, NAMES[i].name, strlen(NAMES[i].name))) {
      out->op = NAMES[i].op;
      out->type = name[strlen(NAMES[i].name)];
    }
  return out->op != MT_CROSSLANE_NONE;
}

/* Is the result the same in all lanes of a SIMD-group? */
mt_ShapeKind mt_crosslane_kind(mt_Spmd *s, LLVMValueRef call,
                               const char *name) {
  mt_CrosslaneCall c;
  if (!mt_crosslane_call(call, name, &c) || c.width != LANES) return MT_SHAPE_VARYING;
  if (c.op == MT_CROSSLANE_SHUFFLE || c.op == MT_CROSSLANE_BROADCAST) {
    mt_ShapeKind k = mt_part_kind(s, LLVMGetOperand(call, 1), 0);
    return k == MT_SHAPE_AFFINE ? MT_SHAPE_VARYING : k;
  }
  bool uniform = (c.op >= MT_CROSSLANE_SUM && c.op <= MT_CROSSLANE_BIT_XOR) || c.op == MT_CROSSLANE_BALLOT ||
                 c.op == MT_CROSSLANE_ACTIVE || c.op == MT_CROSSLANE_FIRST;
  return uniform ? MT_SHAPE_UNIFORM : MT_SHAPE_VARYING;
}
