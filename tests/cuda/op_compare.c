/*
** op_compare.c - comparisons and choices: setp, set, selp, slct.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"
#include "tests/cuda/numbers.h"

#include <math.h>
#include <string.h>

enum {
  C_EQ,
  C_NE,
  C_LT,
  C_LE,
  C_GT,
  C_GE,
  C_LO,
  C_LS,
  C_HI,
  C_HS,
  C_EQU,
  C_NEU,
  C_LTU,
  C_LEU,
  C_GTU,
  C_GEU,
  C_NUM,
  C_NAN,
  C_COUNT
};
static const char *const names[C_COUNT] = {
    "eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
    "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

#define ROW(T, OP)                                       \
  EACH(lanes, r |= (uint32_t)((T)a[l] OP(T) b[l]) << l); \
  break
#define COMPARE_INT(name, T)                                                \
  static uint32_t name(const Inst *i, const uint64_t *a, const uint64_t *b, \
                       uint32_t lanes) {                                    \
    uint32_t r = 0;                                                         \
    switch (i->op) {                                                        \
      case C_EQ:                                                            \
        ROW(T, ==);                                                         \
      case C_NE:                                                            \
        ROW(T, !=);                                                         \
      case C_LT:                                                            \
      case C_LO:                                                            \
        ROW(T, <);                                                          \
      case C_LE:                                                            \
      case C_LS:                                                            \
        ROW(T, <=);                                                         \
      case C_GT:                                                            \
      case C_HI:                                                            \
        ROW(T, >);                                                          \
      default:                                                              \
        ROW(T, >=);                                                         \
    }                                                                       \
    return r;                                                               \
  }
COMPARE_INT(compare_u16, uint16_t)
COMPARE_INT(compare_u32, uint32_t)
COMPARE_INT(compare_u64, uint64_t)
COMPARE_INT(compare_s16, int16_t)
COMPARE_INT(compare_s32, int32_t)
COMPARE_INT(compare_s64, int64_t)

static bool compare_one(unsigned op, double a, double b) {
  bool unordered = a != a || b != b;
  switch (op) {
    case C_EQ:
      return a == b;
    case C_NE:
      return !unordered && a != b;
    case C_LT:
      return a < b;
    case C_LE:
      return a <= b;
    case C_GT:
      return a > b;
    case C_GE:
      return a >= b;
    case C_EQU:
      return unordered || a == b;
    case C_NEU:
      return unordered || a != b;
    case C_LTU:
      return unordered || a < b;
    case C_LEU:
      return unordered || a <= b;
    case C_GTU:
      return unordered || a > b;
    case C_GEU:
      return unordered || a >= b;
    case C_NUM:
      return !unordered;
    default:
      return unordered;
  }
}

static double value(const Inst *i, uint64_t bits, Type t) {
  double v = widen(bits, t);
  double least = t == T_F16 ? 0x1p-14 : 0x1p-126;
  return i->ftz && fabs(v) < least ? copysign(0, v) : v;
}

static uint32_t compare_float(const Inst *i, const uint64_t *a,
                              const uint64_t *b, uint32_t lanes, Type t,
                              unsigned shift) {
  uint32_t r = 0;
  EACH(lanes, r |= (uint32_t)compare_one(i->op, value(i, a[l] >> shift, t),
                                         value(i, b[l] >> shift, t))
                   << l);
  return r;
}

/* of pairs of halves the low ones, in 'high' the others */
static uint32_t compare(Warp *w, const Inst *i, uint32_t lanes,
                        uint32_t *high) {
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  switch (i->type) {
    case T_B16:
    case T_U16:
      return compare_u16(i, a, b, lanes);
    case T_B32:
    case T_U32:
      return compare_u32(i, a, b, lanes);
    case T_B64:
    case T_U64:
      return compare_u64(i, a, b, lanes);
    case T_S16:
      return compare_s16(i, a, b, lanes);
    case T_S32:
      return compare_s32(i, a, b, lanes);
    case T_S64:
      return compare_s64(i, a, b, lanes);
    case T_F16X2:
      *high = compare_float(i, a, b, lanes, T_F16, 16);
      return compare_float(i, a, b, lanes, T_F16, 0);
    case T_BF16X2:
      *high = compare_float(i, a, b, lanes, T_BF16, 16);
      return compare_float(i, a, b, lanes, T_BF16, 0);
    default:
      return compare_float(i, a, b, lanes, i->type, 0);
  }
}

/* with a third predicate: .and, .or, .xor */
static uint32_t combine(Warp *w, const Inst *i, uint32_t v) {
  if (i->semantics == 0) return v;
  uint32_t c = read_predicate(w, i, 2);
  return i->semantics == '&' ? v & c : i->semantics == '|' ? v | c : v ^ c;
}

static void setp(Warp *w, const Inst *i, uint32_t lanes) {
  uint32_t high = 0, r = compare(w, i, lanes, &high);
  bool pair = i->type == T_F16X2 || i->type == T_BF16X2;
  uint32_t first = combine(w, i, r), second = combine(w, i, pair ? high : ~r);
  write_predicate(w, i->p[0], lanes, first);
  write_predicate(w, i->p[1], lanes, second);
}

static void set(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  uint32_t high = 0, r = compare(w, i, lanes, &high);
  bool pair = i->type == T_F16X2 || i->type == T_BF16X2;
  r = combine(w, i, r);
  high = combine(w, i, high);
  Type t = i->type2;
  uint64_t yes = t == T_F32                     ? bits_f32(1)
                 : t == T_F16 || t == T_F16X2   ? 0x3c00
                 : t == T_BF16 || t == T_BF16X2 ? 0x3f80
                 : type_size(t) == 2            ? 0xffff
                                                : 0xffffffffu;
  EACH(lanes, {
    uint64_t v = r >> l & 1 ? yes : 0;
    if (pair && type_float(t)) v |= (high >> l & 1 ? yes : 0) << 16;
    if (pair && !type_float(t))
      v = (r >> l & 1 ? 0xffff : 0) | (high >> l & 1 ? 0xffff0000u : 0);
    d[l] = v;
  });
}

static void selp(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]), mask = i->imm;
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  uint32_t c = read_predicate(w, i, 0);
  EACH(lanes, d[l] = (c >> l & 1 ? a[l] : b[l]) & mask);
}

static void slct(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]), mask = i->imm;
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  EACH(lanes, {
    float f = f32_of(c[l]);
    if (i->ftz && fabsf(f) < 0x1p-126f) f = 0;
    bool first = i->type2 == T_F32 ? f >= 0 : (int32_t)c[l] >= 0;
    d[l] = (first ? a[l] : b[l]) & mask;
  });
}

/* ------------------------------------------------------------------ decoding
 */

static uint64_t mask_of(Type t) {
  return type_size(t) == 8   ? UINT64_MAX
         : type_size(t) == 4 ? UINT32_MAX
                             : UINT16_MAX;
}

static void comparison(Parse *p) {
  Inst *i = p->i;
  if (p->parts < 2) parse_fail(p, "a comparison is missing");
  for (i->op = 0; i->op < C_COUNT; i->op++)
    if (strcmp(p->part[1], names[i->op]) == 0) break;
  if (i->op == C_COUNT) parse_fail(p, "unknown comparison");
  p->taken[1] = true;
  i->semantics = take(p, "and")   ? '&'
                 : take(p, "or")  ? '|'
                 : take(p, "xor") ? '^'
                                  : 0;
  i->ftz = take(p, "ftz");
}

static void sources(Parse *p) {
  Inst *i = p->i;
  unsigned n = i->semantics ? 4 : 3;
  want_ops(p, n, n);
  i->s[0] = get(p, &p->op[1], i->type);
  i->s[1] = get(p, &p->op[2], i->type);
  if (i->semantics) {
    i->p[2] = predicate(p, &p->op[3]);
    i->p_not[2] = p->op[3].negated;
  }
  bool of_floats = i->op >= C_EQU, of_unsigned = i->op >= C_LO && i->op <= C_HS;
  if (type_float(i->type) ? of_unsigned : of_floats)
    parse_fail(p, "this comparison is not of this type");
}

bool decode_compare(Parse *p) {
  Inst *i = p->i;
  const char *o = p->part[0];
  if (strcmp(o, "setp") == 0) {
    comparison(p);
    i->type = take_type(p);
    const Opnd *d = &p->op[0];
    if (d->kind == O_DUAL) {
      i->p[0] = predicate(p, &d->list[0]);
      i->p[1] = predicate(p, &d->list[1]);
    } else {
      i->p[0] = predicate(p, d);
    }
    sources(p);
    i->run = setp;
  } else if (strcmp(o, "set") == 0) {
    comparison(p);
    i->type2 = take_type(p);
    i->type = take_type(p);
    i->d[0] = put(p, &p->op[0], i->type2);
    sources(p);
    i->run = set;
  } else if (strcmp(o, "selp") == 0) {
    Type t = take_type(p);
    want_ops(p, 4, 4);
    i->d[0] = put(p, &p->op[0], t);
    i->s[0] = get(p, &p->op[1], t);
    i->s[1] = get(p, &p->op[2], t);
    i->p[0] = predicate(p, &p->op[3]);
    i->p_not[0] = p->op[3].negated;
    i->imm = (int64_t)mask_of(t);
    i->run = selp;
  } else if (strcmp(o, "slct") == 0) {
    i->ftz = take(p, "ftz");
    Type t = take_type(p);
    i->type2 = take_type(p);
    if (i->type2 != T_S32 && i->type2 != T_F32)
      parse_fail(p, "slct asks a .s32 or .f32");
    want_ops(p, 4, 4);
    i->d[0] = put(p, &p->op[0], t);
    i->s[0] = get(p, &p->op[1], t);
    i->s[1] = get(p, &p->op[2], t);
    i->s[2] = get(p, &p->op[3], i->type2);
    i->imm = (int64_t)mask_of(t);
    i->run = slct;
  } else {
    return false;
  }
  return true;
}
