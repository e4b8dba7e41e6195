/*
** uniformity.c - uniformity analysis: which part of which value is uniform,
** affine or varying, and which branches are divergent.
**
** The one idea: an optimistic data-flow analysis. Everything starts at TOP, and
** each instruction's rule raises its result until nothing changes. A loop's phi
** first has the shape of its initial value and is raised, if need be, by the
** loop-carried one. A branch on a condition that is not uniform is divergent;
** where its sides reconverge, and where a loop with a divergent exit is left,
** phis are varying even if all their operands are uniform.
*/
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/analyse/uniform_memory.h"

static const mt_Shape VARYING = {.kind = MT_SHAPE_VARYING};

/* A constant is a multiple of 2 to this number. */
static int align_bits(LLVMValueRef c) {
  if (!LLVMIsAConstantInt(c) || LLVMGetIntTypeWidth(LLVMTypeOf(c)) > 64)
    return 0;
  uint64_t k = LLVMConstIntGetZExtValue(c);
  int bits = k ? __builtin_ctzll(k) : MT_ALIGN_BITS;
  return bits < MT_ALIGN_BITS ? bits : MT_ALIGN_BITS;
}

const mt_Shape *mt_part_shape(mt_Spmd *s, LLVMValueRef v, unsigned part) {
  mt_Value *x = mt_value(s, v);
  if (x) return x->part[part].shape;
  int bits = align_bits(mt_constant_part(v, part));
  if (!s->constant[bits]) {
    mt_Shape *h = s->constant[bits] = mt_shape_new(s);
    h->kind = MT_SHAPE_UNIFORM;
    h->align = 1ull << bits;
  }
  return s->constant[bits];
}

mt_ShapeKind mt_part_kind(mt_Spmd *s, LLVMValueRef v, unsigned part) {
  return mt_part_shape(s, v, part)->kind;
}

/* ------------------------------------------------------------------ copies */

static bool constant_index(LLVMValueRef v, unsigned *out) {
  if (!LLVMIsAConstantInt(v)) return false;
  *out = (unsigned)LLVMConstIntGetZExtValue(v);
  return true;
}

/* First part of the element that an extractvalue or insertvalue addresses. */
static unsigned first_part(LLVMValueRef i, LLVMTypeRef t) {
  unsigned at = 0;
  const unsigned *index = LLVMGetIndices(i);
  for (unsigned n = 0; n < LLVMGetNumIndices(i); n++) {
    bool record = LLVMGetTypeKind(t) == LLVMStructTypeKind;
    for (unsigned k = 0; k < index[n]; k++)
      at += mt_type_parts(record ? LLVMStructGetTypeAtIndex(t, k)
                                 : LLVMGetElementType(t));
    t = record ? LLVMStructGetTypeAtIndex(t, index[n]) : LLVMGetElementType(t);
  }
  return at;
}

static bool copied_value(LLVMValueRef i, unsigned part, LLVMValueRef *from,
                         unsigned *at) {
  LLVMValueRef whole = LLVMGetOperand(i, 0);
  unsigned first = first_part(i, LLVMTypeOf(whole));
  *from = whole, *at = part;
  if (LLVMGetInstructionOpcode(i) == LLVMExtractValue) {
    *at = first + part;
    return true;
  }
  LLVMValueRef x = LLVMGetOperand(i, 1);
  if (part >= first && part < first + mt_type_parts(LLVMTypeOf(x)))
    *from = x, *at = part - first;
  return true;
}

bool mt_part_copied(mt_Spmd *s, LLVMValueRef i, unsigned part,
                    LLVMValueRef *from, unsigned *at) {
  (void)s;
  unsigned k;
  *from = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
  *at = part;
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMExtractElement:
      return constant_index(LLVMGetOperand(i, 1), at) &&
             *at < mt_type_parts(LLVMTypeOf(*from));
    case LLVMInsertElement:
      if (!constant_index(LLVMGetOperand(i, 2), &k)) return false;
      if (k == part) *from = LLVMGetOperand(i, 1), *at = 0;
      return true;
    case LLVMShuffleVector: {
      int m = LLVMGetMaskValue(i, part);
      unsigned n = mt_type_parts(LLVMTypeOf(*from));
      *at = m < 0 ? 0 : (unsigned)m;
      if (*at >= n) *from = LLVMGetOperand(i, 1), *at -= n;
      return true;
    }
    case LLVMExtractValue:
    case LLVMInsertValue: return copied_value(i, part, from, at);
    case LLVMBitCast:
      return mt_type_parts(LLVMTypeOf(i)) == mt_type_parts(LLVMTypeOf(*from)) &&
             mt_type_part(LLVMTypeOf(i), part) ==
                 mt_type_part(LLVMTypeOf(*from), part);
    default: return false;
  }
}

/* -------------------------------------------------------------------- phis */

/* May lanes that diverged reconverge at 'block'? */
static bool lanes_meet(mt_Spmd *s, int block) {
  for (int i = 0; i < s->blocks; i++) {
    const mt_CfgBlock *k = &s->block[i];
    if (!k->divergent) continue;
    if (k->postdominator == block) return true;
    if (mt_set_has(k->side[0], block) && mt_set_has(k->side[1], block))
      return true;
  }
  for (int i = 0; i < s->block[block].preds; i++)
    for (int l = s->block[s->block[block].pred[i]].loop; l >= 0;
         l = s->loop[l].parent)
      if (s->loop[l].divergent && !mt_cfg_in_loop(s, block, l)) return true;
  return false;
}

static bool same_pattern(const mt_Shape *a, const mt_Shape *b) {
  if (a->kind != b->kind || a->kind != MT_SHAPE_AFFINE)
    return a->kind == b->kind;
  return a->terms == b->terms &&
         !memcmp(a->offset, b->offset, sizeof a->offset) &&
         !memcmp(a->factor, b->factor, sizeof a->factor[0] * a->terms);
}

static void phi_shape(mt_Spmd *s, mt_Value *v, unsigned part, mt_Shape *out) {
  mt_shape_reset(out, MT_SHAPE_TOP);
  bool same = true;
  LLVMValueRef first = LLVMGetIncomingValue(v->of, 0);
  for (unsigned n = 0; n < LLVMCountIncoming(v->of); n++) {
    LLVMValueRef x = LLVMGetIncomingValue(v->of, n);
    if (x != first) same = false;
    const mt_Shape *h = mt_part_shape(s, x, part);
    if (h->kind == MT_SHAPE_TOP) continue;
    if (LLVMIsUndef(x)) continue; /* undef takes the shape of the others */
    uint64_t align = out->kind == MT_SHAPE_TOP || h->align < out->align
                         ? h->align : out->align;
    bool address_only = out->address_only || h->address_only;
    if (out->kind == MT_SHAPE_TOP)
      mt_shape_copy(out, h);
    else if (!same_pattern(out, h))
      mt_shape_reset(out, MT_SHAPE_VARYING);
    out->constant = false;
    if (out->kind != MT_SHAPE_VARYING)
      out->align = align, out->address_only = address_only;
  }
  if (out->kind == MT_SHAPE_TOP) return;
  /* a value of a loop that lanes leave in different iterations */
  bool left = false;
  for (int i = 0; i < s->block[v->block].preds; i++)
    for (int l = s->block[s->block[v->block].pred[i]].loop; l >= 0;
         l = s->loop[l].parent)
      left |= s->loop[l].divergent && !mt_cfg_in_loop(s, v->block, l);
  if (lanes_meet(s, v->block) && (!same || left))
    mt_shape_reset(out, MT_SHAPE_VARYING);
}

/* ------------------------------------------------------------ instructions */

/* A bitcast may have more parts than its operand: use part 0 then. */
static unsigned operand_part(LLVMValueRef operand, unsigned part) {
  return part < mt_type_parts(LLVMTypeOf(operand)) ? part : 0;
}

static int operand_count(LLVMValueRef i) {
  return LLVMIsACallInst(i) ? (int)LLVMGetNumArgOperands(i)
                            : LLVMGetNumOperands(i);
}

/* The highest kind of any operand. */
static mt_ShapeKind operands_kind(mt_Spmd *s, LLVMValueRef i, unsigned part) {
  mt_ShapeKind most = MT_SHAPE_UNIFORM;
  for (int n = 0; n < operand_count(i); n++) {
    LLVMValueRef x = LLVMGetOperand(i, (unsigned)n);
    LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(x));
    if (k == LLVMMetadataTypeKind || k == LLVMLabelTypeKind) continue;
    mt_ShapeKind kind = mt_part_kind(s, x, operand_part(x, part));
    if (kind == MT_SHAPE_TOP) return MT_SHAPE_TOP;
    if (kind > most) most = kind;
  }
  return most;
}

/* Some instructions mix the parts of their operands: an index that is not
** constant, a bit cast of many parts into one, a reduction. */
static bool mixes_parts(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMExtractElement || op == LLVMInsertElement) return true;
  unsigned parts = mt_type_parts(LLVMTypeOf(i));
  for (int n = 0; n < operand_count(i); n++) {
    unsigned own = mt_type_parts(LLVMTypeOf(LLVMGetOperand(i, (unsigned)n)));
    if (own > 1 && own != parts) return true;
    if (op == LLVMBitCast && own != parts) return true;
  }
  return false;
}

static uint64_t uniform_align(mt_Spmd *s, LLVMValueRef i, unsigned part) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMAlloca) return 16;
  if (LLVMGetTypeKind(mt_type_part(LLVMTypeOf(i), part)) !=
          LLVMIntegerTypeKind ||
      mixes_parts(i))
    return 1;
  LLVMValueRef x = LLVMGetOperand(i, 0);
  uint64_t a = mt_part_shape(s, x, operand_part(x, part))->align, b = 1;
  if (op == LLVMZExt || op == LLVMSExt) return a;
  if (LLVMGetNumOperands(i) < 2) return 1;
  x = LLVMGetOperand(i, 1);
  b = mt_part_shape(s, x, operand_part(x, part))->align;
  if (op == LLVMAdd || op == LLVMSub || op == LLVMOr) return a < b ? a : b;
  if (op == LLVMAnd) return a > b ? a : b;
  if (op == LLVMMul && a < 1ull << 16 && b < 1ull << 16) return a * b;
  if (op == LLVMShl && LLVMIsAConstantInt(x) && a < 1ull << 16) {
    uint64_t k = LLVMConstIntGetZExtValue(x);
    return k < 16 ? a << k : a;
  }
  return 1;
}

static void load_shape(mt_Spmd *s, LLVMValueRef i, mt_Shape *out) {
  LLVMValueRef p = LLVMGetOperand(i, 0);
  mt_ShapeKind kind = mt_part_kind(s, p, 0);
  mt_PointerSpace space = mt_address_space(s, p);
  bool own = (space == MT_POINTER_PRIVATE && !mt_is_shared(s, p)) ||
             (space == MT_POINTER_UNKNOWN && s->private_bytes > 0);
  mt_shape_reset(out, kind == MT_SHAPE_TOP               ? MT_SHAPE_TOP
                      : kind == MT_SHAPE_UNIFORM && !own ? MT_SHAPE_UNIFORM
                                                         : MT_SHAPE_VARYING);
}

static mt_ShapeKind mixed_kind(mt_Spmd *s, LLVMValueRef i) {
  mt_ShapeKind most = MT_SHAPE_UNIFORM;
  for (int n = 0; n < operand_count(i); n++) {
    LLVMValueRef x = LLVMGetOperand(i, (unsigned)n);
    for (unsigned p = 0; p < mt_type_parts(LLVMTypeOf(x)); p++) {
      mt_ShapeKind kind = mt_part_kind(s, x, p);
      if (kind == MT_SHAPE_TOP) return MT_SHAPE_TOP;
      if (kind > most) most = kind;
    }
  }
  return most == MT_SHAPE_AFFINE ? MT_SHAPE_VARYING : most;
}

static void general_shape(mt_Spmd *s, LLVMValueRef i, unsigned part,
                          mt_Shape *out) {
  mt_ShapeKind kind =
      mixes_parts(i) ? mixed_kind(s, i) : operands_kind(s, i, part);
  if (kind == MT_SHAPE_AFFINE && mt_affine_shape(s, i, part, out)) return;
  mt_shape_reset(out, kind == MT_SHAPE_AFFINE ? MT_SHAPE_VARYING : kind);
  if (kind == MT_SHAPE_UNIFORM) out->align = uniform_align(s, i, part);
}

static void instr_shape(mt_Spmd *s, mt_Value *v, unsigned part, mt_Shape *out) {
  LLVMValueRef from;
  unsigned at;
  LLVMOpcode op = LLVMGetInstructionOpcode(v->of);
  if (op == LLVMPHI) {
    phi_shape(s, v, part, out);
  } else if (op == LLVMLoad) {
    load_shape(s, v->of, out);
  } else if (op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg) {
    mt_shape_reset(out, MT_SHAPE_VARYING);
  } else if (op == LLVMCall && mt_is_probe(mt_callee(v->of))) {
    mt_shape_reset(out, MT_SHAPE_VARYING);
    s->probes->shape(s, v->of, mt_callee(v->of), out);
  } else if (op == LLVMCall && !strncmp(mt_callee(v->of), "__mt_", 5)) {
    mt_shape_reset(out, mt_crosslane_kind(s, v->of, mt_callee(v->of)));
    if (!strcmp(mt_callee(v->of), MT_LANE_NUMBER)) {
      out->kind = MT_SHAPE_AFFINE, out->constant = true;
      for (int l = 0; l < s->lanes; l++) out->offset[l] = l % MT_LANES;
    }
  } else if (mt_part_copied(s, v->of, part, &from, &at)) {
    mt_shape_copy(out, mt_part_shape(s, from, at));
  } else {
    general_shape(s, v->of, part, out);
  }
}

/* Raise a part to 'to'. An affine pattern that changes becomes varying. */
static bool raise(mt_Spmd *s, mt_Part *p, const mt_Shape *to) {
  mt_Shape *h = p->shape;
  if (h->kind == MT_SHAPE_VARYING || to->kind == MT_SHAPE_TOP) return false;
  if (h->kind == MT_SHAPE_TOP) {
    if (to->kind == MT_SHAPE_AFFINE)
      h = p->shape = mt_arena_grow(&s->working, h, 1, sizeof *h);
    if (to->kind == MT_SHAPE_AFFINE)
      mt_shape_copy(h, to);
    else
      memcpy(h, to, MT_SHAPE_HEAD);
    return true;
  }
  if (same_pattern(h, to)) {
    bool changed = to->align < h->align ||
                   (to->address_only && !h->address_only) ||
                   (h->constant && !to->constant);
    if (to->align < h->align) h->align = to->align;
    h->address_only |= to->address_only;
    h->constant &= to->constant;
    return changed;
  }
  memcpy(h, &VARYING, MT_SHAPE_HEAD);
  return true;
}

static bool is_divergent(mt_Spmd *s, int block) {
  LLVMValueRef c = s->block[block].condition;
  if (!c) return false;
  mt_ShapeKind k = mt_part_kind(s, c, 0);
  return k == MT_SHAPE_AFFINE || k == MT_SHAPE_VARYING;
}

static bool pass(mt_Spmd *s, mt_SharedArray *array, int arrays) {
  bool changed = mt_shared_check_values(s, array, arrays);
  for (int i = 0; i < s->values; i++) {
    mt_Value *v = &s->value[i];
    if (v->block < 0) continue;
    for (unsigned p = 0; p < v->parts; p++) {
      mt_Shape h;
      instr_shape(s, v, p, &h);
      changed |= raise(s, &v->part[p], &h);
    }
  }
  for (int i = 0; i < s->blocks; i++)
    if (!s->block[i].divergent && is_divergent(s, i)) {
      mt_cfg_diverges(s, i);
      mt_shared_check_branch(s, array, arrays, i);
      changed = true;
    }
  return changed;
}

/* Still TOP means never computed: treat as varying. */
static void settle(mt_Spmd *s) {
  for (int i = 0; i < s->values; i++)
    for (unsigned p = 0; p < s->value[i].parts; p++)
      if (s->value[i].part[p].shape->kind == MT_SHAPE_TOP)
        memcpy(s->value[i].part[p].shape, &VARYING, MT_SHAPE_HEAD);
}

mt_Status mt_shape_analyse(mt_Spmd *s) {
  for (unsigned i = 0; i < LLVMCountParams(s->old); i++) {
    mt_Value *v = mt_value(s, LLVMGetParam(s->old, i));
    for (unsigned p = 0; p < v->parts; p++)
      if (LLVMGetFirstUse(v->of)) {
        mt_Shape h;
        mt_geometry_shape(s, v->of, p, &h);
        raise(s, &v->part[p], &h);
      }
  }
  mt_SharedArray *array;
  int arrays = mt_shared_find(s, &array);
  while (pass(s, array, arrays) && s->status == MT_OK)
    ;
  settle(s);
  while (pass(s, array, arrays)) /* propagate that */
    ;
  mt_shared_free(s, array, arrays);
  mt_cfg_finish(s);
  return s->status;
}
