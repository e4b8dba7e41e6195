/*
** op_convert.c - cvt, between numbers of all kinds, and cvt.pack.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"
#include "tests/cuda/numbers.h"

#include <math.h>
#include <string.h>

static uint64_t mask_of(Type t) {
  unsigned bits = type_size(t) * 8;
  return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static int64_t extended(uint64_t v, Type t) {
  unsigned bits = type_size(t) * 8;
  if (!type_signed(t)) return (int64_t)(v & mask_of(t));
  return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* The destination register may be wider than the type: the value is extended
** to it as its type says. i->imm: the register's mask. */
static uint64_t fill(const Inst *i, uint64_t v) {
  return (uint64_t)extended(v, i->type) & (uint64_t)i->imm;
}

/* ------------------------------------------------------- integer to integer */

static void cut(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, d[l] = fill(i, (uint64_t)extended(a[l], i->type2)));
}

static void u32_to_u64(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, d[l] = (uint32_t)a[l]);
}

static void s32_to_s64(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, d[l] = (uint64_t)(int64_t)(int32_t)a[l]);
}

static void cut_saturated(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  unsigned bits = type_size(i->type) * 8;
  __int128 most = type_signed(i->type) ? ((__int128)1 << (bits - 1)) - 1
                                       : ((__int128)1 << bits) - 1;
  __int128 least = type_signed(i->type) ? -((__int128)1 << (bits - 1)) : 0;
  EACH(lanes, {
    __int128 v = extended(a[l], i->type2);
    if (!type_signed(i->type2)) v = (uint64_t)v;
    if (v > most) v = most;
    if (v < least) v = least;
    d[l] = fill(i, (uint64_t)v);
  });
}

/* --------------------------------------------------------- float to integer */

static void float_to_int(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  unsigned bits = type_size(i->type) * 8;
  bool is_s = type_signed(i->type);
  double end = scalbn(1, (int)(is_s ? bits - 1 : bits));
  uint64_t most = is_s ? mask_of(i->type) >> 1 : mask_of(i->type);
  uint64_t least = is_s ? (uint64_t)1 << (bits - 1) : 0;
  uint64_t none =
      i->type2 == T_F64 || bits == 64 ? (uint64_t)1 << (bits - 1) : 0;
  EACH(lanes, {
    double v = widen(a[l], i->type2);
    uint64_t r;
    if (i->ftz && fabs(v) < 0x1p-126) v = 0;
    if (v != v) {
      r = none;
    } else {
      v = integral(v, i->round);
      if (v >= end)
        r = most;
      else if (is_s ? v < -end : v < 0)
        r = least;
      else
        r = is_s ? (uint64_t)(int64_t)v : (uint64_t)v;
    }
    d[l] = fill(i, r);
  });
}

/* --------------------------------------------------------- integer to float */

static void int_to_float(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  Rounding r = i->round;
  bool is_s = type_signed(i->type2);
  if (i->type == T_F64) {
    int was = set_rounding(r);
    EACH(lanes, {
      int64_t v = extended(a[l], i->type2);
      volatile double f = is_s ? (double)v : (double)(uint64_t)v;
      d[l] = bits_f64(f);
    });
    restore_rounding(was);
    return;
  }
  if (i->type == T_F32 && r == R_RN) {
    EACH(lanes, {
      int64_t v = extended(a[l], i->type2);
      d[l] = bits_f32(is_s ? (float)v : (float)(uint64_t)v);
    });
    return;
  }
  EACH(lanes, {
    int64_t v = extended(a[l], i->type2);
    d[l] = narrow(is_s ? odd_of_s64(v) : odd_of_u64((uint64_t)v), i->type, r);
  });
}

/* ----------------------------------------------------------- float to float */

static double least_normal(Type t) {
  return t == T_F16 ? 0x1p-14 : t == T_F64 ? 0x1p-1022 : 0x1p-126;
}

static uint64_t finish(const Inst *i, double v, Type t) {
  uint64_t r;
  if (i->sat) v = !(v > 0) ? 0 : v > 1 ? 1 : v;
  if (i->relu && v < 0) v = 0;
  if (t == T_F64) return bits_f64(v);
  if (v != v && i->nan) return t == T_F32 || t == T_TF32 ? NAN_F32 : NAN_16;
  r = narrow(v, t, i->round == R_NONE ? R_RN : (Rounding)i->round);
  if (i->nan && v == v) { /* .satfinite */
    double back = widen(r, t);
    if (isinf(back)) r = narrow(v, t, R_RZ) - (isinf(v) ? 1 : 0);
  }
  if (i->ftz && t == T_F32) {
    double back = widen(r, t);
    if (fabs(back) < least_normal(t)) r = narrow(copysign(0, back), t, R_RN);
  }
  return r;
}

static void float_to_float(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, {
    double v = widen(a[l], i->type2);
    if (i->ftz && i->type2 == T_F32 && fabs(v) < 0x1p-126) v = copysign(0, v);
    if (i->round >= R_RNI) v = integral(v, i->round);
    d[l] = finish(i, v, i->type);
  });
}

/* d = {high half: a, low half: b} */
static void to_pair(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  EACH(lanes, {
    uint64_t hi = finish(i, f32_of(a[l]), i->type);
    d[l] = hi << 16 | finish(i, f32_of(b[l]), i->type);
  });
}

/* cvt.pack.sat.s16.s32 d, a, b: {a, b}; with 8 bits a third, moved up */
static void pack(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *s[2] = {src(w, i->s[0]), src(w, i->s[1])};
  const uint64_t *c = src(w, i->s[2]);
  unsigned bits = i->op;
  bool is_s = type_signed(i->type);
  int64_t most =
      is_s ? ((int64_t)1 << (bits - 1)) - 1 : ((int64_t)1 << bits) - 1;
  int64_t least = is_s ? -((int64_t)1 << (bits - 1)) : 0;
  EACH(lanes, {
    uint32_t r = 0;
    for (int k = 0; k < 2; k++) {
      int64_t v = (int32_t)s[k][l];
      v = v > most ? most : v < least ? least : v;
      r = r << bits | ((uint32_t)v & ((1u << bits) - 1));
    }
    if (bits < 16) r |= (uint32_t)c[l] << (2 * bits);
    d[l] = r;
  });
}

/* ------------------------------------------------------------------ decoding
 */

static void decode_pack(Parse *p) {
  Inst *i = p->i;
  if (!take(p, "sat")) parse_fail(p, ".sat is missing");
  i->type = take_type(p);
  bool third = p->ops == 4;
  if (take_type(p) != T_S32 || (third && take_type(p) != T_B32))
    parse_fail(p, "this cvt.pack is not known");
  i->op = (uint8_t)(type_size(i->type) * 8);
  if (third != (i->op < 16)) parse_fail(p, "this cvt.pack is not known");
  i->d[0] = put(p, &p->op[0], T_B32);
  i->s[0] = get(p, &p->op[1], T_B32);
  i->s[1] = get(p, &p->op[2], T_B32);
  i->s[2] = third ? get(p, &p->op[3], T_B32) : constant(p, 0);
  i->run = pack;
}

bool decode_convert(Parse *p) {
  Inst *i = p->i;
  if (strcmp(p->part[0], "cvt") != 0) return false;
  if (take(p, "pack")) {
    decode_pack(p);
    return true;
  }
  i->round = take_rounding(p);
  i->ftz = take(p, "ftz");
  i->relu = take(p, "relu");
  i->nan = take(p, "satfinite");
  i->sat = take(p, "sat");
  i->type = take_type(p);
  i->type2 = take_type(p);
  Type to = i->type, from = i->type2;
  if (to == T_F16X2 || to == T_BF16X2) {
    want_ops(p, 3, 3);
    if (from != T_F32) parse_fail(p, "pairs are made of .f32");
    if (i->round != R_RN && i->round != R_RZ)
      parse_fail(p, ".rn or .rz is wanted");
    i->type = to == T_F16X2 ? T_F16 : T_BF16;
    i->d[0] = put(p, &p->op[0], T_B32);
    i->s[0] = get(p, &p->op[1], T_F32);
    i->s[1] = get(p, &p->op[2], T_F32);
    i->run = to_pair;
    return true;
  }
  want_ops(p, 2, 2);
  bool float_to = type_float(to), float_from = type_float(from);
  i->d[0] = float_to ? put(p, &p->op[0], to == T_TF32 ? T_B32 : to)
                     : put_loose(p, &p->op[0], to);
  i->s[0] =
      float_from ? get(p, &p->op[1], from) : get_loose(p, &p->op[1], from);
  i->imm = p->op[0].kind == O_REG ? (int64_t)mask_of(p->op[0].type) : -1;
  bool integral_rounding = i->round >= R_RNI;
  if (!float_to && !float_from) {
    if (i->round != R_NONE) parse_fail(p, "no rounding between integers");
    i->run = i->sat ? cut_saturated : cut;
    if (!i->sat && type_size(from) == 4 &&
        to == (type_signed(from) ? T_S64 : T_U64))
      i->run = type_signed(from) ? s32_to_s64 : u32_to_u64;
  } else if (!float_to) {
    if (!integral_rounding) parse_fail(p, "a rounding to integers is missing");
    i->run = float_to_int;
  } else if (!float_from) {
    if (i->round == R_NONE || integral_rounding)
      parse_fail(p, "a rounding is missing");
    if (i->sat) parse_fail(p, "no .sat from integers here");
    i->run = int_to_float;
  } else {
    bool same = to == from,
         narrower = type_size(to) < type_size(from) || to == T_TF32;
    if (same && i->round != R_NONE && !integral_rounding)
      parse_fail(p, "between equal types only rounding to integers");
    if (narrower && (i->round == R_NONE || integral_rounding))
      parse_fail(p, "a rounding is missing");
    if (!same && !narrower && i->round != R_NONE && to != T_BF16 && to != T_F16)
      parse_fail(p, "nothing is rounded here");
    i->run = float_to_float;
  }
  return true;
}
