/*
** op_integer.c - integer arithmetic.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"

#include <string.h>

typedef unsigned __int128 u128;
typedef __int128 s128;

#define UNARY(name, T, U, expr)                              \
  static void name(Warp *w, const Inst *i, uint32_t lanes) { \
    uint64_t *d = dst(w, i->d[0]);                           \
    const uint64_t *a_ = src(w, i->s[0]);                    \
    EACH(lanes, {                                            \
      T a = (T)a_[l];                                        \
      d[l] = (U)(expr);                                      \
    });                                                      \
  }
#define BINARY(name, T, U, expr)                                 \
  static void name(Warp *w, const Inst *i, uint32_t lanes) {     \
    uint64_t *d = dst(w, i->d[0]);                               \
    const uint64_t *a_ = src(w, i->s[0]), *b_ = src(w, i->s[1]); \
    EACH(lanes, {                                                \
      T a = (T)a_[l];                                            \
      T b = (T)b_[l];                                            \
      d[l] = (U)(expr);                                          \
    });                                                          \
  }
#define TERNARY(name, T, U, expr)                                \
  static void name(Warp *w, const Inst *i, uint32_t lanes) {     \
    uint64_t *d = dst(w, i->d[0]);                               \
    const uint64_t *a_ = src(w, i->s[0]), *b_ = src(w, i->s[1]), \
                   *c_ = src(w, i->s[2]);                        \
    EACH(lanes, {                                                \
      T a = (T)a_[l];                                            \
      T b = (T)b_[l];                                            \
      T c = (T)c_[l];                                            \
      d[l] = (U)(expr);                                          \
    });                                                          \
  }
/* where only the width matters, and where the sign does */
#define BY_WIDTH(KIND, name, expr)                                   \
  KIND(name##_16, uint16_t, uint16_t, expr)                          \
  KIND(name##_32, uint32_t, uint32_t, expr)                          \
  KIND(name##_64, uint64_t, uint64_t, expr)                          \
  static Run *const name[T_COUNT] = {                                \
      [T_B16] = name##_16, [T_U16] = name##_16, [T_S16] = name##_16, \
      [T_B32] = name##_32, [T_U32] = name##_32, [T_S32] = name##_32, \
      [T_B64] = name##_64, [T_U64] = name##_64, [T_S64] = name##_64}
#define BY_SIGN(KIND, name, expr)                                       \
  KIND(name##_u16, uint16_t, uint16_t, expr)                            \
  KIND(name##_u32, uint32_t, uint32_t, expr)                            \
  KIND(name##_u64, uint64_t, uint64_t, expr)                            \
  KIND(name##_s16, int16_t, uint16_t, expr)                             \
  KIND(name##_s32, int32_t, uint32_t, expr)                             \
  KIND(name##_s64, int64_t, uint64_t, expr)                             \
  static Run *const name[T_COUNT] = {                                   \
      [T_U16] = name##_u16, [T_U32] = name##_u32, [T_U64] = name##_u64, \
      [T_S16] = name##_s16, [T_S32] = name##_s32, [T_S64] = name##_s64}

/* products of 16 bits are made in unsigned: int would overflow */
BY_WIDTH(BINARY, add, a + b);
BY_WIDTH(BINARY, sub, a - b);
BY_WIDTH(BINARY, mul_lo, (uint64_t)a *b);
BY_WIDTH(TERNARY, mad_lo, (uint64_t)a *b + c);
BY_WIDTH(UNARY, neg, -(uint64_t)a);

BINARY(mul_hi_u16, uint16_t, uint16_t, (uint32_t)a *b >> 16)
BINARY(mul_hi_s16, int16_t, uint16_t, (int32_t)a *b >> 16)
BINARY(mul_hi_u32, uint32_t, uint32_t, (uint64_t)a *b >> 32)
BINARY(mul_hi_s32, int32_t, uint32_t, (int64_t)a *b >> 32)
BINARY(mul_hi_u64, uint64_t, uint64_t, (u128)a *b >> 64)
BINARY(mul_hi_s64, int64_t, uint64_t, (s128)a *b >> 64)
static Run *const mul_hi[T_COUNT] = {
    [T_U16] = mul_hi_u16, [T_U32] = mul_hi_u32, [T_U64] = mul_hi_u64,
    [T_S16] = mul_hi_s16, [T_S32] = mul_hi_s32, [T_S64] = mul_hi_s64};
TERNARY(mad_hi_u16, uint16_t, uint16_t, ((uint32_t)a * b >> 16) + c)
TERNARY(mad_hi_s16, int16_t, uint16_t, ((int32_t)a * b >> 16) + c)
TERNARY(mad_hi_u32, uint32_t, uint32_t, ((uint64_t)a * b >> 32) + c)
TERNARY(mad_hi_s32, int32_t, uint32_t,
        (uint32_t)((int64_t)a * b >> 32) + (uint32_t)c)
TERNARY(mad_hi_u64, uint64_t, uint64_t, (uint64_t)((u128)a * b >> 64) + c)
TERNARY(mad_hi_s64, int64_t, uint64_t,
        (uint64_t)((s128)a * b >> 64) + (uint64_t)c)
static Run *const mad_hi[T_COUNT] = {
    [T_U16] = mad_hi_u16, [T_U32] = mad_hi_u32, [T_U64] = mad_hi_u64,
    [T_S16] = mad_hi_s16, [T_S32] = mad_hi_s32, [T_S64] = mad_hi_s64};
BINARY(mul_wide_u16, uint16_t, uint32_t, (uint32_t)a *b)
BINARY(mul_wide_s16, int16_t, uint32_t, (int32_t)a *b)
BINARY(mul_wide_u32, uint32_t, uint64_t, (uint64_t)a *b)
BINARY(mul_wide_s32, int32_t, uint64_t, (int64_t)a *b)
static Run *const mul_wide[T_COUNT] = {[T_U16] = mul_wide_u16,
                                       [T_U32] = mul_wide_u32,
                                       [T_S16] = mul_wide_s16,
                                       [T_S32] = mul_wide_s32};
/* the third operand is wide */
#define MAD_WIDE(name, T, U, P)                                   \
  static void name(Warp *w, const Inst *i, uint32_t lanes) {      \
    uint64_t *d = dst(w, i->d[0]);                                \
    const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),    \
                   *c = src(w, i->s[2]);                          \
    EACH(lanes, d[l] = (U)((U)((P)(T)a[l] * (T)b[l]) + (U)c[l])); \
  }
MAD_WIDE(mad_wide_u16, uint16_t, uint32_t, uint32_t)
MAD_WIDE(mad_wide_s16, int16_t, uint32_t, int32_t)
MAD_WIDE(mad_wide_u32, uint32_t, uint64_t, uint64_t)
MAD_WIDE(mad_wide_s32, int32_t, uint64_t, int64_t)
static Run *const mad_wide[T_COUNT] = {[T_U16] = mad_wide_u16,
                                       [T_U32] = mad_wide_u32,
                                       [T_S16] = mad_wide_s16,
                                       [T_S32] = mad_wide_s32};

/* a division by zero gives all ones, as the hardware does; the lowest number
** divided by -1 gives itself */
#define DIVIDE(a, b)                                              \
  ((b) == 0                                   ? UINT64_MAX        \
   : (b) == (__typeof__(b))-1 && is_signed(b) ? 0 - (uint64_t)(a) \
                                              : (uint64_t)((a) / (b)))
#define MODULO(a, b)                                          \
  ((b) == 0                                   ? (uint64_t)(a) \
   : (b) == (__typeof__(b))-1 && is_signed(b) ? 0             \
                                              : (uint64_t)((a) % (b)))
#define is_signed(b) ((__typeof__(b))-1 < (__typeof__(b))1)
BY_SIGN(BINARY, div_, DIVIDE(a, b));
BY_SIGN(BINARY, rem_, MODULO(a, b));
BY_SIGN(BINARY, min_, a < b ? a : b);
BY_SIGN(BINARY, max_, a > b ? a : b);
UNARY(abs_16, int16_t, uint16_t, a < 0 ? 0 - (uint64_t)a : (uint64_t)a)
UNARY(abs_32, int32_t, uint32_t, a < 0 ? 0 - (uint64_t)a : (uint64_t)a)
UNARY(abs_64, int64_t, uint64_t, a < 0 ? 0 - (uint64_t)a : (uint64_t)a)
static Run *const abs_[T_COUNT] = {
    [T_S16] = abs_16, [T_S32] = abs_32, [T_S64] = abs_64};
BY_SIGN(TERNARY, sad,
        (uint64_t)c +
            (a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b));

static int64_t clamp_s32(int64_t v) {
  return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}
BINARY(add_sat, int32_t, uint32_t, clamp_s32((int64_t)a + b))
BINARY(sub_sat, int32_t, uint32_t, clamp_s32((int64_t)a - b))
TERNARY(mad_hi_sat, int32_t, uint32_t, clamp_s32(((int64_t)a * b >> 32) + c))

static int32_t s24(uint64_t v) { return (int32_t)((uint32_t)v << 8) >> 8; }
static uint32_t u24(uint64_t v) { return (uint32_t)v & 0xffffff; }
BINARY(mul24_lo_u, uint32_t, uint32_t, (uint64_t)u24(a) * u24(b))
BINARY(mul24_lo_s, uint32_t, uint32_t, (int64_t)s24(a) * s24(b))
BINARY(mul24_hi_u, uint32_t, uint32_t, (uint64_t)u24(a) * u24(b) >> 16)
BINARY(mul24_hi_s, uint32_t, uint32_t, (int64_t)s24(a) * s24(b) >> 16)
TERNARY(mad24_lo_u, uint32_t, uint32_t, (uint64_t)u24(a) * u24(b) + c)
TERNARY(mad24_lo_s, uint32_t, uint32_t,
        (uint64_t)((int64_t)s24(a) * s24(b)) + c)
TERNARY(mad24_hi_u, uint32_t, uint32_t, ((uint64_t)u24(a) * u24(b) >> 16) + c)
TERNARY(mad24_hi_s, uint32_t, uint32_t,
        (uint64_t)((int64_t)s24(a) * s24(b) >> 16) + c)

/* ------------------------------------------------- with the carry of a lane */

/* a + b + carry, or a - b - borrow: of width 'bits' */
static void carry(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  unsigned bits = type_size(i->type) * 8;
  uint64_t mask = bits == 64 ? UINT64_MAX : UINT32_MAX;
  bool subtract = i->op & 1, uses = i->op & 2, sets = i->op & 4;
  EACH(lanes, {
    u128 in = uses ? w->carry >> l & 1 : 0;
    u128 x = a[l] & mask;
    u128 y = b[l] & mask;
    u128 r = subtract ? x - y - in : x + y + in;
    d[l] = (uint64_t)r & mask;
    if (sets) {
      uint32_t out = subtract ? x < y + in : (uint32_t)(r >> bits & 1);
      w->carry = (w->carry & ~(1u << l)) | out << l;
    }
  });
}

static void mad_carry(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  unsigned bits = type_size(i->type) * 8;
  uint64_t mask = bits == 64 ? UINT64_MAX : UINT32_MAX;
  bool uses = i->op & 2, sets = i->op & 4;
  EACH(lanes, {
    u128 product;
    if (bits == 64)
      product = type_signed(i->type)
                    ? (u128)((s128)(int64_t)a[l] * (int64_t)b[l])
                    : (u128)a[l] * b[l];
    else
      product = type_signed(i->type)
                    ? (u128)((s128)(int32_t)a[l] * (int32_t)b[l])
                    : (u128)(uint32_t)a[l] * (uint32_t)b[l];
    u128 x = (i->hi ? product >> bits : product) & mask;
    u128 r = x + (c[l] & mask) + (uses ? w->carry >> l & 1 : 0);
    d[l] = (uint64_t)r & mask;
    if (sets)
      w->carry = (w->carry & ~(1u << l)) | (uint32_t)(r >> bits & 1) << l;
  });
}

/* ----------------------------------------------------- products of the parts
 */

static int32_t part(uint32_t v, int k, unsigned bits, bool is_signed_part) {
  uint32_t x = v >> (k * bits) & ((1u << bits) - 1);
  if (is_signed_part && x >> (bits - 1)) return (int32_t)x - (1 << bits);
  return (int32_t)x;
}

static void dp4a(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  bool sa = type_signed(i->type), sb = type_signed(i->type2);
  EACH(lanes, {
    uint32_t sum = (uint32_t)c[l];
    for (int k = 0; k < 4; k++)
      sum += (uint32_t)(part((uint32_t)a[l], k, 8, sa) *
                        part((uint32_t)b[l], k, 8, sb));
    d[l] = sum;
  });
}

static void dp2a(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  bool sa = type_signed(i->type), sb = type_signed(i->type2);
  EACH(lanes, {
    uint32_t sum = (uint32_t)c[l];
    for (int k = 0; k < 2; k++)
      sum += (uint32_t)(part((uint32_t)a[l], k, 16, sa) *
                        part((uint32_t)b[l], k + (i->hi ? 2 : 0), 8, sb));
    d[l] = sum;
  });
}

/* two numbers of 16 bits in one register */
static void packed16(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  bool is_s = type_signed(i->type);
  EACH(lanes, {
    uint32_t r = 0;
    for (int k = 0; k < 2; k++) {
      int32_t x = part((uint32_t)a[l], k, 16, is_s);
      int32_t y = part((uint32_t)b[l], k, 16, is_s);
      int32_t v = i->op == 'a' ? x + y : (i->op == 'm') == (x < y) ? x : y;
      if (i->relu && v < 0) v = 0;
      r |= ((uint32_t)v & 0xffff) << (k * 16);
    }
    d[l] = r;
  });
}

/* ------------------------------------------------------------------ decoding
 */

static void operands(Parse *p, unsigned sources, Type t) {
  want_ops(p, sources + 1, sources + 1);
  p->i->d[0] = put(p, &p->op[0], t);
  for (unsigned k = 0; k < sources; k++) p->i->s[k] = get(p, &p->op[k + 1], t);
}

static Type widened(Parse *p, Type t) {
  switch (t) {
    case T_U16:
      return T_U32;
    case T_S16:
      return T_S32;
    case T_U32:
      return T_U64;
    case T_S32:
      return T_S64;
    default:
      parse_fail(p, ".wide is of 16 or 32 bits");
  }
}

static bool integer_type(const Parse *p) {
  Type t;
  for (uint32_t k = p->parts; k-- > 1;)
    if (type_named(p->part[k], (uint32_t)strlen(p->part[k]), &t))
      return !type_float(t) && t != T_PRED;
  return false;
}

static void decode_multiply(Parse *p, bool mad) {
  Inst *i = p->i;
  bool wide = take(p, "wide"), hi = take(p, "hi");
  bool lo = take(p, "lo"), sat = take(p, "sat");
  bool cc = take(p, "cc"), uses = strcmp(p->part[0], "madc") == 0;
  Type t = i->type = take_type(p);
  if (!wide && !hi && !lo) parse_fail(p, ".lo, .hi or .wide is missing");
  unsigned sources = mad ? 3 : 2;
  if (wide) {
    Type big = widened(p, t);
    want_ops(p, sources + 1, sources + 1);
    i->d[0] = put(p, &p->op[0], big);
    i->s[0] = get(p, &p->op[1], t);
    i->s[1] = get(p, &p->op[2], t);
    if (mad) i->s[2] = get(p, &p->op[3], big);
    i->run = mad ? mad_wide[t] : mul_wide[t];
    return;
  }
  operands(p, sources, t);
  if (cc || uses) {
    if (type_size(t) < 4) parse_fail(p, "carries are of 32 or 64 bits");
    i->op = (uint8_t)((uses ? 2 : 0) | (cc ? 4 : 0));
    i->hi = hi;
    i->run = mad_carry;
  } else if (sat) {
    i->run = mad && hi && t == T_S32 ? mad_hi_sat : NULL;
  } else {
    i->run = mad ? (hi ? mad_hi[t] : mad_lo[t]) : (hi ? mul_hi[t] : mul_lo[t]);
  }
}

static void decode_mul24(Parse *p, bool mad) {
  Inst *i = p->i;
  bool hi = take(p, "hi");
  if (!hi && !take(p, "lo")) parse_fail(p, ".lo or .hi is missing");
  Type t = take_type(p);
  operands(p, mad ? 3 : 2, t);
  if (t != T_U32 && t != T_S32) parse_fail(p, "24 bits are of .u32 or .s32");
  bool s = t == T_S32;
  if (mad)
    i->run = hi ? (s ? mad24_hi_s : mad24_hi_u) : (s ? mad24_lo_s : mad24_lo_u);
  else
    i->run = hi ? (s ? mul24_hi_s : mul24_hi_u) : (s ? mul24_lo_s : mul24_lo_u);
}

static void decode_add(Parse *p, bool subtract) {
  Inst *i = p->i;
  bool uses = p->part[0][3] == 'c', cc = take(p, "cc"), sat = take(p, "sat");
  Type t = i->type = take_type(p);
  operands(p, 2, t);
  if (uses || cc) {
    if (type_size(t) < 4) parse_fail(p, "carries are of 32 or 64 bits");
    i->op = (uint8_t)((subtract ? 1 : 0) | (uses ? 2 : 0) | (cc ? 4 : 0));
    i->run = carry;
  } else if (sat) {
    i->run = t != T_S32 ? NULL : subtract ? sub_sat : add_sat;
  } else if (!subtract && (t == T_U16X2 || t == T_S16X2)) {
    i->op = 'a';
    i->run = packed16;
  } else {
    i->run = subtract ? sub[t] : add[t];
  }
}

bool decode_integer(Parse *p) {
  Inst *i = p->i;
  const char *o = p->part[0];
  if (!integer_type(p)) return false;
  if (strcmp(o, "add") == 0 || strcmp(o, "addc") == 0) {
    decode_add(p, false);
  } else if (strcmp(o, "sub") == 0 || strcmp(o, "subc") == 0) {
    decode_add(p, true);
  } else if (strcmp(o, "mul") == 0) {
    decode_multiply(p, false);
  } else if (strcmp(o, "mad") == 0 || strcmp(o, "madc") == 0) {
    decode_multiply(p, true);
  } else if (strcmp(o, "mul24") == 0) {
    decode_mul24(p, false);
  } else if (strcmp(o, "mad24") == 0) {
    decode_mul24(p, true);
  } else if (strcmp(o, "dp4a") == 0 || strcmp(o, "dp2a") == 0) {
    bool four = o[2] == '4';
    i->hi = !four && take(p, "hi");
    if (!four && !i->hi && !take(p, "lo"))
      parse_fail(p, ".lo or .hi is missing");
    i->type = take_type(p);
    i->type2 = take_type(p);
    operands(p, 3, T_B32);
    i->run = four ? dp4a : dp2a;
  } else {
    static const struct {
      const char *name;
      unsigned sources;
      Run *const *by_type;
    } plain[] = {{"div", 2, div_}, {"rem", 2, rem_}, {"min", 2, min_},
                 {"max", 2, max_}, {"abs", 1, abs_}, {"neg", 1, neg},
                 {"sad", 3, sad}};
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
      if (strcmp(o, plain[k].name) == 0) {
        i->relu = take(p, "relu");
        Type t = i->type = take_type(p);
        operands(p, plain[k].sources, t);
        bool packed = (t == T_U16X2 || t == T_S16X2) && o[0] == 'm';
        i->op = o[1] == 'i' ? 'm' : 'x';
        if (i->relu && !(packed && t == T_S16X2))
          parse_fail(p, ".relu is of .s16x2");
        i->run = packed ? packed16 : plain[k].by_type[t];
        return true;
      }
    return false;
  }
  return true;
}
