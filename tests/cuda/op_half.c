/*
** op_half.c - arithmetic of .f16, .bf16 and of pairs of them. The exact result
** is rounded once.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"
#include "tests/cuda/numbers.h"

#include <math.h>
#include <string.h>

static double flush(double v, Type t) {
  double least = t == T_F16 || t == T_F16X2 ? 0x1p-14 : 0x1p-126;
  return fabs(v) < least ? copysign(0, v) : v;
}

static double choose(const Inst *i, double a, double b) {
  bool smaller = i->op == 'n';
  if (a != a || b != b) return i->nan ? NAN : a != a ? b : a;
  if (a == b) return (signbit(a) != 0) == smaller ? a : b;
  return (a < b) == smaller ? a : b;
}

static uint32_t one(const Inst *i, uint32_t a_, uint32_t b_, uint32_t c_) {
  Type t = i->type;
  bool sign = i->op == '-' || i->op == '|';
  if (sign && t == T_F16 && (a_ & 0x7fff) > 0x7c00) return 0x7fff;
  if (i->op == '-') return a_ ^ 0x8000;
  if (i->op == '|') return a_ & 0x7fff;
  double a = widen(a_, t), b = widen(b_, t), c = widen(c_, t), v;
  if (i->ftz) a = flush(a, t), b = flush(b, t), c = flush(c, t);
  switch (i->op) {
    case 'a':
      v = add_odd(a, b);
      break;
    case 's':
      v = add_odd(a, -b);
      break;
    case '*':
      v = a * b;
      break;
    case 'f':
      v = add_odd(a * b, c);
      break;
    case '2':
      v = exp2(a);
      break;
    case 't':
      v = tanh(a);
      break;
    default:
      v = i->abs ? choose(i, fabs(a), fabs(b)) : choose(i, a, b);
      if (i->abs && v == v && (signbit(a) != 0) != (signbit(b) != 0)) v = -v;
  }
  uint32_t r = narrow(v, t, R_RN);
  if (i->ftz) r = narrow(flush(widen(r, t), t), t, R_RN);
  if (i->relu && (r >> 15) && v == v) r = 0;
  if (i->sat) {
    double x = widen(r, t);
    r = !(x > 0) ? 0 : x > 1 ? narrow(1, t, R_RN) : r;
  }
  return r;
}

static void half(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  bool pair = i->type == T_F16X2 || i->type == T_BF16X2;
  EACH(lanes, {
    uint32_t x = (uint32_t)a[l];
    uint32_t y = (uint32_t)b[l];
    uint32_t z = (uint32_t)c[l];
    uint32_t r = one(i, x & 0xffff, y & 0xffff, z & 0xffff);
    if (pair) r |= one(i, x >> 16, y >> 16, z >> 16) << 16;
    d[l] = r;
  });
}

bool decode_half(Parse *p) {
  static const struct {
    const char *name;
    unsigned sources;
    char op;
  } table[] = {{"add", 2, 'a'}, {"sub", 2, 's'}, {"mul", 2, '*'},
               {"fma", 3, 'f'}, {"neg", 1, '-'}, {"abs", 1, '|'},
               {"min", 2, 'n'}, {"max", 2, 'x'}, {"ex2", 1, '2'},
               {"tanh", 1, 't'}};
  Inst *i = p->i;
  if (!peek_part(p, "f16") && !peek_part(p, "f16x2") && !peek_part(p, "bf16") &&
      !peek_part(p, "bf16x2"))
    return false;
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (strcmp(p->part[0], table[k].name) != 0) continue;
    i->op = (uint8_t)table[k].op;
    Rounding r = take_rounding(p);
    if (r != R_NONE && r != R_RN) parse_fail(p, "only .rn is of 16 bits");
    bool approx = take(p, "approx");
    if (approx != (i->op == '2' || i->op == 't'))
      parse_fail(p, ".approx is wrong or missing");
    if (i->op == 'f' && r == R_NONE) parse_fail(p, "a rounding is missing");
    i->nan = take(p, "NaN");
    i->abs = take(p, "xorsign");
    if (i->abs && !take(p, "abs")) parse_fail(p, ".abs is missing");
    i->ftz = take(p, "ftz");
    i->sat = take(p, "sat");
    i->relu = take(p, "relu");
    Type t = i->type = take_type(p);
    unsigned n = table[k].sources;
    want_ops(p, n + 1, n + 1);
    i->d[0] = put(p, &p->op[0], t);
    for (unsigned s = 0; s < 3; s++)
      i->s[s] = s < n ? get(p, &p->op[s + 1], t) : constant(p, 0);
    i->run = half;
    return true;
  }
  return false;
}
