/*
** op_pair.c - what compute capability 10.0 added: arithmetic of two floats in a
** register of 64 bits, and of a half with a float.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"
#include "tests/cuda/numbers.h"

#include <math.h>
#include <string.h>

static float flush(const Inst *i, float v) {
  return i->ftz && fabsf(v) < 0x1p-126f ? copysignf(0, v) : v;
}

static uint64_t one(const Inst *i, float a, float b, float c) {
  float v;
  a = flush(i, a), b = flush(i, b), c = flush(i, c);
  switch (i->op) {
    case '+':
      v = a + b;
      break;
    case '-':
      v = a - b;
      break;
    case '*':
      v = a * b;
      break;
    default:
      v = fmaf(a, b, c);
  }
  v = flush(i, v);
  if (i->sat) v = !(v > 0) ? 0 : v > 1 ? 1 : v;
  return v != v ? NAN_F32 : bits_f32(v);
}

static void pair(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  int was = set_rounding(i->round);
  EACH(lanes, {
    uint64_t low = one(i, f32_of(a[l]), f32_of(b[l]), f32_of(c[l]));
    d[l] = one(i, f32_of(a[l] >> 32), f32_of(b[l] >> 32), f32_of(c[l] >> 32))
               << 32 |
           low;
  });
  restore_rounding(was);
}

/* the last operand is a float, the others are halves */
static void mixed(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  int was = set_rounding(i->round);
  EACH(lanes, {
    float x = (float)widen(a[l], i->type2);
    float y = i->op == 'f' ? (float)widen(b[l], i->type2) : f32_of(b[l]);
    d[l] = one(i, x, y, f32_of(c[l]));
  });
  restore_rounding(was);
}

bool decode_pair(Parse *p) {
  static const struct {
    const char *name;
    unsigned sources;
    char op;
  } table[] = {
      {"add", 2, '+'}, {"sub", 2, '-'}, {"mul", 2, '*'}, {"fma", 3, 'f'}};
  Inst *i = p->i;
  bool two = peek_part(p, "f32x2");
  bool halves =
      peek_part(p, "f32") && (peek_part(p, "f16") || peek_part(p, "bf16"));
  if (!two && !halves) return false;
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (strcmp(p->part[0], table[k].name) != 0) continue;
    unsigned n = table[k].sources;
    if (p->m->target < 100 || (halves && table[k].op == '*'))
      parse_fail(p, "there is no such instruction before sm_100");
    i->op = (uint8_t)table[k].op;
    i->round = take_rounding(p);
    i->ftz = two && take(p, "ftz");
    i->sat = halves && take(p, "sat");
    if (i->round > R_RP) parse_fail(p, "no rounding of arithmetic");
    if (two) take(p, "f32x2");
    if (halves) take(p, "f32");
    i->type2 = two ? T_F32 : take_type(p);
    want_ops(p, n + 1, n + 1);
    Type whole = two ? T_B64 : T_F32;
    i->d[0] = put(p, &p->op[0], whole);
    for (unsigned s = 0; s < 3; s++)
      i->s[s] = s >= n ? constant(p, 0)
                       : get(p, &p->op[s + 1],
                             halves && s + 1 < n ? (Type)i->type2 : whole);
    i->run = two ? pair : mixed;
    return true;
  }
  return false;
}
