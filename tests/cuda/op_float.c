/*
** op_float.c - arithmetic of .f32 and .f64.
**
** Results are IEEE's in every direction of rounding. Approximations (.approx,
** .full) are libm's in double precision, so they are nearer than the
** hardware's. A .f32 result that is no number is 0x7fffffff, as on the
** hardware.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"
#include "tests/cuda/numbers.h"

#include <math.h>
#include <string.h>

static inline float flush(float v) {
  return fabsf(v) < 0x1p-126f ? copysignf(0, v) : v;
}

static inline uint64_t result32(float v) {
  return v != v ? NAN_F32 : bits_f32(v);
}

static inline uint64_t result32_with(const Inst *i, float v) {
  if (i->ftz) v = flush(v);
  if (i->sat) v = !(v > 0) ? 0 : v > 1 ? 1 : v;
  return result32(v);
}

static inline float in32(const Inst *i, uint64_t bits) {
  float v = f32_of(bits);
  return i->ftz ? flush(v) : v;
}

/* The plain ones apart: they are the most. */
#define PLAIN(i) (!(i)->ftz && !(i)->sat && (i)->round <= R_RN)
#define F32_UNARY(name, expr)                                      \
  static void name##_f32(Warp *w, const Inst *i, uint32_t lanes) { \
    uint64_t *d = dst(w, i->d[0]);                                 \
    const uint64_t *a_ = src(w, i->s[0]);                          \
    int was = set_rounding(i->round);                              \
    EACH(lanes, {                                                  \
      float a = in32(i, a_[l]);                                    \
      d[l] = result32_with(i, (expr));                             \
    });                                                            \
    restore_rounding(was);                                         \
  }
#define F32_BINARY(name, expr)                                     \
  static void name##_f32(Warp *w, const Inst *i, uint32_t lanes) { \
    uint64_t *d = dst(w, i->d[0]);                                 \
    const uint64_t *a_ = src(w, i->s[0]), *b_ = src(w, i->s[1]);   \
    if (PLAIN(i)) {                                                \
      EACH(lanes, {                                                \
        float a = f32_of(a_[l]);                                   \
        float b = f32_of(b_[l]);                                   \
        d[l] = result32(expr);                                     \
      });                                                          \
      return;                                                      \
    }                                                              \
    int was = set_rounding(i->round);                              \
    EACH(lanes, {                                                  \
      float a = in32(i, a_[l]);                                    \
      float b = in32(i, b_[l]);                                    \
      d[l] = result32_with(i, (expr));                             \
    });                                                            \
    restore_rounding(was);                                         \
  }
#define F64_UNARY(name, expr)                                      \
  static void name##_f64(Warp *w, const Inst *i, uint32_t lanes) { \
    uint64_t *d = dst(w, i->d[0]);                                 \
    const uint64_t *a_ = src(w, i->s[0]);                          \
    int was = set_rounding(i->round);                              \
    EACH(lanes, {                                                  \
      double a = f64_of(a_[l]);                                    \
      d[l] = bits_f64(expr);                                       \
    });                                                            \
    restore_rounding(was);                                         \
  }
#define F64_BINARY(name, expr)                                     \
  static void name##_f64(Warp *w, const Inst *i, uint32_t lanes) { \
    uint64_t *d = dst(w, i->d[0]);                                 \
    const uint64_t *a_ = src(w, i->s[0]), *b_ = src(w, i->s[1]);   \
    int was = set_rounding(i->round);                              \
    EACH(lanes, {                                                  \
      double a = f64_of(a_[l]);                                    \
      double b = f64_of(b_[l]);                                    \
      d[l] = bits_f64(expr);                                       \
    });                                                            \
    restore_rounding(was);                                         \
  }

F32_BINARY(add, a + b)
F32_BINARY(sub, a - b)
F32_BINARY(mul, a *b)
F32_BINARY(div, a / b)
F64_BINARY(add, a + b)
F64_BINARY(sub, a - b)
F64_BINARY(mul, a *b)
F64_BINARY(div, a / b)
F32_UNARY(sqrt, sqrtf(a))
F64_UNARY(sqrt, sqrt(a))
F32_UNARY(rcp, 1 / a)
F64_UNARY(rcp, 1 / a)
F32_UNARY(rsqrt, (float)(1 / sqrt((double)a)))
F64_UNARY(rsqrt, 1 / sqrt(a))
F32_UNARY(sin, (float)sin((double)a))
F32_UNARY(cos, (float)cos((double)a))
F32_UNARY(lg2, (float)log2((double)a))
F32_UNARY(ex2, (float)exp2((double)a))
F32_UNARY(tanh, (float)tanh((double)a))
/* bounds of the result of -0 and of numbers too large are those of a division
 */
F32_BINARY(div_approx, (float)((double)a / (double)b))

static void fma_f32(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  if (PLAIN(i)) {
    EACH(lanes,
         d[l] = result32(fmaf(f32_of(a[l]), f32_of(b[l]), f32_of(c[l]))));
    return;
  }
  int was = set_rounding(i->round);
  EACH(lanes, d[l] = result32_with(
                  i, fmaf(in32(i, a[l]), in32(i, b[l]), in32(i, c[l]))));
  restore_rounding(was);
}

static void fma_f64(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  int was = set_rounding(i->round);
  EACH(lanes, d[l] = bits_f64(fma(f64_of(a[l]), f64_of(b[l]), f64_of(c[l]))));
  restore_rounding(was);
}

/* -0 is less than 0; of a number and a NaN the number, but for .NaN */
static double choose(const Inst *i, double a, double b) {
  bool smaller = i->op == 'n';
  if (a != a || b != b) {
    if (i->nan) return NAN;
    return a != a ? b : a;
  }
  if (a == b) return (signbit(a) != 0) == smaller ? a : b;
  return (a < b) == smaller ? a : b;
}

static void minmax_f32(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  EACH(lanes, {
    float x = in32(i, a[l]);
    float y = in32(i, b[l]);
    float v = (float)(i->abs ? choose(i, fabsf(x), fabsf(y)) : choose(i, x, y));
    if (i->abs && v == v) v = (signbit(x) != 0) != (signbit(y) != 0) ? -v : v;
    d[l] = result32(v);
  });
}

static void minmax_f64(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  EACH(lanes, d[l] = bits_f64(choose(i, f64_of(a[l]), f64_of(b[l]))));
}

/* As an H200 has it: every NaN becomes the one NaN of a GPU. */
static void sign_f32(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  bool negate = i->op == '-';
  EACH(lanes, {
    uint32_t v = (uint32_t)bits_f32(in32(i, a[l]));
    d[l] = (v & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu
           : negate                        ? v ^ 0x80000000u
                                           : v & 0x7fffffffu;
  });
}

static void sign_f64(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]), top = (uint64_t)1 << 63;
  const uint64_t *a = src(w, i->s[0]);
  bool negate = i->op == '-';
  EACH(lanes, d[l] = negate ? a[l] ^ top : a[l] & ~top);
}

/* the sign of a, the rest of b */
static void copysign_f32(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  EACH(lanes, d[l] = (a[l] & 0x80000000u) | (b[l] & 0x7fffffffu));
}

static void copysign_f64(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]), top = (uint64_t)1 << 63;
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  EACH(lanes, d[l] = (a[l] & top) | (b[l] & ~top));
}

static void testp(Warp *w, const Inst *i, uint32_t lanes) {
  const uint64_t *a = src(w, i->s[0]);
  uint32_t r = 0;
  EACH(lanes, {
    int class =
        i->type == T_F64 ? fpclassify(f64_of(a[l])) : fpclassify(f32_of(a[l]));
    bool is = i->op == 'f'   ? class != FP_NAN && class != FP_INFINITE
              : i->op == 'i' ? class == FP_INFINITE
              : i->op == 'n' ? class != FP_NAN
              : i->op == 'x' ? class == FP_NAN
              : i->op == 'm' ? class == FP_NORMAL
                             : class == FP_SUBNORMAL;
    r |= (uint32_t)is << l;
  });
  write_predicate(w, i->p[0], lanes, r);
}

/* ------------------------------------------------------------------ decoding
 */

static void operands(Parse *p, unsigned sources, Type t) {
  want_ops(p, sources + 1, sources + 1);
  p->i->d[0] = put(p, &p->op[0], t);
  for (unsigned k = 0; k < sources; k++) p->i->s[k] = get(p, &p->op[k + 1], t);
}

static bool flags(Parse *p) {
  Inst *i = p->i;
  i->round = take_rounding(p);
  i->ftz = take(p, "ftz");
  i->sat = take(p, "sat");
  bool approx = take(p, "approx");
  i->type = take_type(p);
  if (i->round > R_RP) parse_fail(p, "no rounding of arithmetic");
  if (i->type == T_F64 && i->sat) parse_fail(p, ".sat is of .f32");
  return approx;
}

static void decode_special(Parse *p) {
  static const struct {
    const char *name;
    Run *f32, *f64;
    bool exact; /* has .rn and the others */
  } table[] = {
      {"sqrt", sqrt_f32, sqrt_f64, true},     {"rcp", rcp_f32, rcp_f64, true},
      {"rsqrt", rsqrt_f32, rsqrt_f64, false}, {"sin", sin_f32, NULL, false},
      {"cos", cos_f32, NULL, false},          {"lg2", lg2_f32, NULL, false},
      {"ex2", ex2_f32, NULL, false},          {"tanh", tanh_f32, NULL, false}};
  Inst *i = p->i;
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (strcmp(p->part[0], table[k].name) != 0) continue;
    bool approx = flags(p);
    if (approx == (i->round != R_NONE) || (!approx && !table[k].exact))
      parse_fail(p, "a rounding or .approx is missing, or too many");
    if (i->type == T_F64 && i->ftz && approx) i->ftz = false;
    i->run = i->type == T_F64 ? table[k].f64 : table[k].f32;
    operands(p, 1, i->type);
    return;
  }
}

bool decode_float(Parse *p) {
  Inst *i = p->i;
  const char *o = p->part[0];
#define IS(name) (strcmp(o, name) == 0)
  if (IS("testp")) {
    i->op = take(p, "finite")       ? 'f'
            : take(p, "infinite")   ? 'i'
            : take(p, "number")     ? 'n'
            : take(p, "notanumber") ? 'x'
            : take(p, "normal")     ? 'm'
                                    : 's';
    if (i->op == 's' && !take(p, "subnormal"))
      parse_fail(p, "a test is missing");
    i->type = take_type(p);
    want_ops(p, 2, 2);
    i->p[0] = predicate(p, &p->op[0]);
    i->s[0] = get(p, &p->op[1], i->type);
    i->run = testp;
    return true;
  }
  if (IS("copysign")) {
    i->type = take_type(p);
    operands(p, 2, i->type);
    i->run = i->type == T_F64 ? copysign_f64 : copysign_f32;
    return true;
  }
  if (!peek_part(p, "f32") && !peek_part(p, "f64")) return false;
  bool wide = peek_part(p, "f64");
  if (IS("add") || IS("sub") || IS("mul")) {
    if (flags(p)) parse_fail(p, "there is no approximation of it");
    operands(p, 2, i->type);
    i->run = IS("add")   ? (wide ? add_f64 : add_f32)
             : IS("sub") ? (wide ? sub_f64 : sub_f32)
                         : (wide ? mul_f64 : mul_f32);
  } else if (IS("div")) {
    bool full = take(p, "full"), approx = flags(p);
    if (full + approx + (i->round != R_NONE) != 1)
      parse_fail(p, "a rounding, .approx or .full is missing");
    operands(p, 2, i->type);
    i->run = wide ? div_f64 : full || approx ? div_approx_f32 : div_f32;
    if (wide && (full || approx)) i->run = NULL;
  } else if (IS("fma") || IS("mad")) {
    if (flags(p)) parse_fail(p, "there is no approximation of it");
    if (i->round == R_NONE) parse_fail(p, "a rounding is missing");
    operands(p, 3, i->type);
    i->run = wide ? fma_f64 : fma_f32;
  } else if (IS("min") || IS("max")) {
    i->nan = take(p, "NaN");
    i->abs = take(p, "xorsign");
    if (i->abs && !take(p, "abs")) parse_fail(p, ".abs is missing");
    flags(p);
    operands(p, 2, i->type);
    i->op = (uint8_t)o[2] == 'n' ? 'n' : 'x';
    i->run = wide ? minmax_f64 : minmax_f32;
  } else if (IS("neg") || IS("abs")) {
    flags(p);
    operands(p, 1, i->type);
    i->op = o[0] == 'n' ? '-' : '|';
    i->run = wide ? sign_f64 : sign_f32;
  } else if (IS("sqrt") || IS("rcp") || IS("rsqrt") || IS("sin") || IS("cos") ||
             IS("lg2") || IS("ex2") || IS("tanh")) {
    decode_special(p);
  } else {
    return false;
  }
#undef IS
  return true;
}
