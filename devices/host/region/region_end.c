/*
** region_end.c - a region ends at a barrier: what it writes to the frame.
*/
#include "devices/host/region/region.h"

static int region_of(const mt_Spmd *s, int barrier) { /* 1 and up */
  int n = 1;
  for (int i = 0; i < barrier; i++) n += s->block[i].barrier;
  return n;
}

bool mt_is_passed_on(const mt_Spmd *s, const mt_Value *v) {
  return s->start != 0 && v->block >= 0 && !s->inside[v->block] &&
         mt_set_has(s->block[s->start].live, (int)(v - s->value));
}

bool mt_is_undisturbed(const mt_Spmd *s, const mt_Value *v,
                       const mt_Value *but) {
  if (!mt_is_passed_on(s, v)) return false;
  for (int i = 0; i < s->values; i++) {
    const mt_Value *x = &s->value[i];
    if (x != but && x->spilled && x->spill == v->spill && x->block >= 0 &&
        s->inside[x->block] && (x->part[0].in_frame || x->part[1].in_frame))
      return false;
  }
  return true;
}

/* Does a jump from the end of 'from' to 'to' belong to the region? */
static bool is_edge_inside(const mt_Spmd *s, LLVMBasicBlockRef from, int to) {
  for (int i = 0; i < s->block[to].preds; i++) {
    const mt_CfgBlock *k = &s->block[s->block[to].pred[i]];
    if (k->of == from && !k->barrier && s->inside[k - s->block]) return true;
  }
  return false;
}

/* An affine value's base may differ where the value does not. */
static bool has_affine(const mt_Value *v) {
  for (unsigned i = 0; i < v->parts; i++)
    if (v->part[i].shape->kind == MT_SHAPE_AFFINE) return true;
  return false;
}

/* Is the value of 'v' in its place already? It is one that the region only
** passes on, or a phi of such values, which share its place. */
static bool is_in_place(mt_Spmd *s, const mt_Value *v) {
  if (mt_is_passed_on(s, v)) return true;
  if (!LLVMIsAPHINode(v->of) || v->block < 0 || s->start == 0 || has_affine(v))
    return false;
  for (unsigned n = 0; n < LLVMCountIncoming(v->of); n++) {
    const mt_Value *x = mt_value(s, LLVMGetIncomingValue(v->of, n));
    if (!is_edge_inside(s, LLVMGetIncomingBlock(v->of, n), v->block)) continue;
    if (!x || !x->spilled || x->spill != v->spill || !mt_is_passed_on(s, x))
      return false;
  }
  return true;
}

void mt_region_wait(mt_Spmd *s, int block) {
  int next = s->block[block].succ[0];
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->spilled && mt_set_has(s->block[next].live, i) && !is_in_place(s, v))
      mt_frame_value(s, v, v->spill, 1);
  }
  mt_frame_held(s, mt_region_state(s)->held_at, 1);
  LLVMBuildStore(s->b, mt_mask_bits(s, s->mask), mt_frame_field(s, 16));
  LLVMBuildRet(s->b, mt_const_i32(s, region_of(s, block)));
}
