/*
** op_bits.c - logic, shifts, and instructions on the bits of a number.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"

#include <string.h>

static uint64_t width_mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

#define LOGIC(name, expr)                                        \
  static void name(Warp *w, const Inst *i, uint32_t lanes) {     \
    uint64_t *d = dst(w, i->d[0]);                               \
    const uint64_t *a_ = src(w, i->s[0]), *b_ = src(w, i->s[1]); \
    EACH(lanes, {                                                \
      uint64_t a = a_[l];                                        \
      uint64_t b = b_[l];                                        \
      d[l] = (expr);                                             \
    });                                                          \
  }
/* constants may have more bits than the type */
LOGIC(and_, a &b)
LOGIC(or_32, (uint32_t)(a | b))
LOGIC(or_64, a | b)
LOGIC(xor_32, (uint32_t)(a ^ b))
LOGIC(xor_64, a ^ b)
LOGIC(and_32, (uint32_t)(a & b))
LOGIC(or_16, (uint16_t)(a | b))
LOGIC(xor_16, (uint16_t)(a ^ b))
LOGIC(and_16, (uint16_t)(a & b))

static void not_(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]), mask = width_mask(i->op);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, d[l] = ~a[l] & mask);
}

static void cnot(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]), mask = width_mask(i->op);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, d[l] = (a[l] & mask) == 0);
}

static void logic_pred(Warp *w, const Inst *i, uint32_t lanes) {
  uint32_t a = read_predicate(w, i, 1),
           b = i->op == '!' ? 0 : read_predicate(w, i, 2);
  write_predicate(w, i->p[0], lanes,
                  i->op == '&'   ? a & b
                  : i->op == '|' ? a | b
                  : i->op == '^' ? a ^ b
                                 : ~a);
}

/* amounts beyond the width are as the width */
static void shl(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  unsigned bits = i->op;
  uint64_t mask = width_mask(bits);
  EACH(lanes, {
    uint32_t n = (uint32_t)b[l];
    d[l] = n >= bits ? 0 : (a[l] << n) & mask;
  });
}

static void shr_u(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  unsigned bits = i->op;
  uint64_t mask = width_mask(bits);
  EACH(lanes, {
    uint32_t n = (uint32_t)b[l];
    d[l] = n >= bits ? 0 : (a[l] & mask) >> n;
  });
}

static int64_t sign_extend(uint64_t v, unsigned bits) {
  return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static void shr_s(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  unsigned bits = i->op;
  uint64_t mask = width_mask(bits);
  EACH(lanes, {
    uint32_t n = (uint32_t)b[l];
    d[l] = (uint64_t)(sign_extend(a[l], bits) >> (n >= bits ? bits - 1 : n)) &
           mask;
  });
}

static void shf(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  bool left = i->op == 'l', wrap = i->wide;
  EACH(lanes, {
    uint32_t n = (uint32_t)c[l];
    n = wrap ? n & 31 : n > 32 ? 32 : n;
    uint64_t v = b[l] << 32 | (uint32_t)a[l];
    d[l] =
        left ? (uint32_t)(n == 0 ? b[l] : v >> (32 - n)) : (uint32_t)(v >> n);
  });
}

static void prmt(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  EACH(lanes, {
    uint64_t v = b[l] << 32 | (uint32_t)a[l];
    uint32_t r = 0;
    uint32_t control = (uint32_t)c[l];
    unsigned n = control & 3;
    for (unsigned k = 0; k < 4; k++) {
      unsigned from;
      bool sign = false;
      switch (i->op) {
        case 'f':
          from = (n + k) & 7;
          break; /* f4e */
        case 'b':
          from = (n - k) & 7;
          break; /* b4e */
        case '8':
          from = n;
          break; /* rc8 */
        case 'l':
          from = k < n ? n : k;
          break; /* ecl */
        case 'r':
          from = k > n ? n : k;
          break; /* ecr */
        case '6':
          from = (n & 1) * 2 + (k & 1);
          break; /* rc16 */
        default:
          from = control >> (4 * k) & 7;
          sign = control >> (4 * k + 3) & 1;
      }
      uint32_t byte = v >> (8 * from) & 0xff;
      if (sign) byte = byte & 0x80 ? 0xff : 0;
      r |= byte << (8 * k);
    }
    d[l] = r;
  });
}

static void bfe(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  unsigned bits = i->op;
  bool is_s = i->aligned;
  uint64_t mask = width_mask(bits);
  EACH(lanes, {
    unsigned pos = b[l] & 0xff;
    unsigned len = c[l] & 0xff;
    uint64_t v = a[l] & mask;
    unsigned top = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;
    uint64_t sign = !is_s || len == 0 ? 0 : v >> top & 1;
    uint64_t field = pos >= bits ? 0 : v >> pos;
    unsigned got = pos >= bits ? 0 : len > bits - pos ? bits - pos : len;
    field &= width_mask(got);
    if (got == 0) field = 0;
    if (sign) field |= ~width_mask(got);
    d[l] = field & mask;
  });
}

static void bfi(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]), *e = src(w, i->s[3]);
  unsigned bits = i->op;
  uint64_t mask = width_mask(bits);
  EACH(lanes, {
    unsigned pos = c[l] & 0xff;
    unsigned len = e[l] & 0xff;
    uint64_t v = b[l] & mask;
    if (pos < bits && len != 0) {
      uint64_t field = width_mask(len > bits - pos ? bits - pos : len) << pos;
      v = (v & ~field) | (a[l] << pos & field);
    }
    d[l] = v & mask;
  });
}

static void bfind(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  unsigned bits = i->op;
  bool is_s = i->aligned, shift = i->hi;
  uint64_t mask = width_mask(bits);
  EACH(lanes, {
    uint64_t v = a[l] & mask;
    if (is_s && v >> (bits - 1)) v = ~v & mask;
    uint32_t r = v == 0 ? UINT32_MAX : 63u - (uint32_t)__builtin_clzll(v);
    if (shift && r != UINT32_MAX) r = bits - 1 - r;
    d[l] = r;
  });
}

static void clz(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]), mask = width_mask(i->op);
  const uint64_t *a = src(w, i->s[0]);
  unsigned extra = 64 - i->op;
  EACH(lanes, {
    uint64_t v = a[l] & mask;
    d[l] = v == 0 ? i->op : (uint32_t)__builtin_clzll(v) - extra;
  });
}

static void popc(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]), mask = width_mask(i->op);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, d[l] = (uint32_t)__builtin_popcountll(a[l] & mask));
}

static void brev(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  unsigned bits = i->op;
  EACH(lanes, {
    uint64_t v = a[l];
    uint64_t r = 0;
    for (unsigned k = 0; k < bits; k++) r |= (v >> k & 1) << (bits - 1 - k);
    d[l] = r;
  });
}

static void lop3(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  uint32_t table = (uint32_t)i->imm;
  EACH(lanes, {
    uint32_t r = 0;
    uint32_t x = (uint32_t)a[l];
    uint32_t y = (uint32_t)b[l];
    uint32_t z = (uint32_t)c[l];
    for (unsigned k = 0; k < 8; k++)
      if (table >> k & 1)
        r |= (k & 4 ? x : ~x) & (k & 2 ? y : ~y) & (k & 1 ? z : ~z);
    d[l] = r;
  });
}

/* the n-th set bit from a base, upwards or downwards */
static void fns(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *mask = src(w, i->s[0]), *base = src(w, i->s[1]),
                 *nth = src(w, i->s[2]);
  EACH(lanes, {
    int32_t n = (int32_t)nth[l];
    int at = (int)(base[l] & 31);
    int step = n < 0 ? -1 : 1;
    int left = n == 0 ? 1 : n < 0 ? -n : n;
    uint32_t r = UINT32_MAX;
    for (; at >= 0 && at < 32; at += step) {
      if ((uint32_t)mask[l] >> at & 1 && --left == 0) {
        r = (uint32_t)at;
        break;
      }
      if (n == 0) break;
    }
    d[l] = r;
  });
}

static void bmsk(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  EACH(lanes, {
    uint32_t from = (uint32_t)a[l];
    uint32_t n = (uint32_t)b[l];
    if (i->op == 'w') from &= 31, n &= 31;
    d[l] = from >= 32 ? 0 : (uint32_t)(width_mask(n > 32 ? 32 : n) << from);
  });
}

static void szext(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]);
  bool is_s = i->aligned;
  EACH(lanes, {
    uint32_t n = (uint32_t)b[l];
    if (i->op == 'w') n &= 31;
    uint32_t v = (uint32_t)a[l];
    d[l] = n >= 32  ? v
           : n == 0 ? 0
           : is_s   ? (uint32_t)((int32_t)(v << (32 - n)) >> (32 - n))
                    : v & (uint32_t)width_mask(n);
  });
}

/* ------------------------------------------------------------------ decoding
 */

static void decode_logic(Parse *p, char op) {
  static Run *const runs[3][3] = {
      {and_16, and_32, and_}, {or_16, or_32, or_64}, {xor_16, xor_32, xor_64}};
  Inst *i = p->i;
  Type t = take_type(p);
  unsigned sources = op == '!' ? 1 : 2;
  want_ops(p, sources + 1, sources + 1);
  if (t == T_PRED) {
    i->op = (uint8_t)op;
    i->p[0] = predicate(p, &p->op[0]);
    for (unsigned k = 1; k <= sources; k++) {
      i->p[k] = predicate(p, &p->op[k]);
      i->p_not[k] = p->op[k].negated;
    }
    i->run = logic_pred;
    return;
  }
  if (type_float(t)) parse_fail(p, "logic is of bits");
  i->d[0] = put(p, &p->op[0], t);
  for (unsigned k = 0; k < sources; k++) i->s[k] = get(p, &p->op[k + 1], t);
  i->op = (uint8_t)(type_size(t) * 8);
  int width = type_size(t) == 2 ? 0 : type_size(t) == 4 ? 1 : 2;
  i->run = op == '!' ? not_ : runs[op == '&' ? 0 : op == '|' ? 1 : 2][width];
}

static void decode_shift(Parse *p, bool left) {
  Inst *i = p->i;
  Type t = take_type(p);
  want_ops(p, 3, 3);
  i->d[0] = put(p, &p->op[0], t);
  i->s[0] = get(p, &p->op[1], t);
  i->s[1] = get(p, &p->op[2], T_U32);
  i->op = (uint8_t)(type_size(t) * 8);
  i->run = left ? shl : type_signed(t) ? shr_s : shr_u;
}

bool decode_bits(Parse *p) {
  Inst *i = p->i;
  const char *o = p->part[0];
#define IS(name) (strcmp(o, name) == 0)
  if (IS("and"))
    decode_logic(p, '&');
  else if (IS("or"))
    decode_logic(p, '|');
  else if (IS("xor"))
    decode_logic(p, '^');
  else if (IS("not"))
    decode_logic(p, '!');
  else if (IS("shl"))
    decode_shift(p, true);
  else if (IS("shr"))
    decode_shift(p, false);
  else if (IS("cnot")) {
    Type t = take_type(p);
    want_ops(p, 2, 2);
    i->d[0] = put(p, &p->op[0], t);
    i->s[0] = get(p, &p->op[1], t);
    i->op = (uint8_t)(type_size(t) * 8);
    i->run = cnot;
  } else if (IS("shf")) {
    i->op = take(p, "l") ? 'l' : 'r';
    if (i->op == 'r' && !take(p, "r")) parse_fail(p, ".l or .r is missing");
    i->wide = take(p, "wrap");
    if (!i->wide && !take(p, "clamp"))
      parse_fail(p, ".wrap or .clamp is missing");
    Type t = take_type(p);
    if (type_size(t) != 4) parse_fail(p, "shf is of .b32");
    want_ops(p, 4, 4);
    i->d[0] = put(p, &p->op[0], t);
    for (int k = 0; k < 3; k++) i->s[k] = get(p, &p->op[k + 1], t);
    i->run = shf;
  } else if (IS("prmt")) {
    Type t = take_type(p);
    if (type_size(t) != 4) parse_fail(p, "prmt is of .b32");
    i->op = take(p, "f4e")    ? 'f'
            : take(p, "b4e")  ? 'b'
            : take(p, "rc8")  ? '8'
            : take(p, "ecl")  ? 'l'
            : take(p, "ecr")  ? 'r'
            : take(p, "rc16") ? '6'
                              : 0;
    want_ops(p, 4, 4);
    i->d[0] = put(p, &p->op[0], t);
    for (int k = 0; k < 3; k++) i->s[k] = get(p, &p->op[k + 1], t);
    i->run = prmt;
  } else if (IS("bfe") || IS("bfi")) {
    bool insert = o[2] == 'i';
    Type t = take_type(p);
    unsigned sources = insert ? 4 : 3;
    if (type_size(t) < 4) parse_fail(p, "%s is of 32 or 64 bits", o);
    want_ops(p, sources + 1, sources + 1);
    i->d[0] = put(p, &p->op[0], t);
    i->s[0] = get(p, &p->op[1], t);
    if (insert) i->s[1] = get(p, &p->op[2], t);
    for (unsigned k = insert ? 2 : 1; k < sources; k++)
      i->s[k] = get(p, &p->op[k + 1], T_U32);
    i->op = (uint8_t)(type_size(t) * 8);
    i->aligned = type_signed(t);
    i->run = insert ? bfi : bfe;
  } else if (IS("bfind") || IS("clz") || IS("popc") || IS("brev")) {
    i->hi = take(p, "shiftamt");
    Type t = take_type(p);
    want_ops(p, 2, 2);
    i->d[0] = put(p, &p->op[0], IS("brev") ? t : T_U32);
    i->s[0] = get(p, &p->op[1], t);
    i->op = (uint8_t)(type_size(t) * 8);
    i->aligned = type_signed(t);
    i->run = IS("bfind") ? bfind : IS("clz") ? clz : IS("popc") ? popc : brev;
  } else if (IS("lop3")) {
    Type t = take_type(p);
    want_ops(p, 5, 5);
    i->d[0] = put(p, &p->op[0], t);
    for (int k = 0; k < 3; k++) i->s[k] = get(p, &p->op[k + 1], t);
    if (p->op[4].kind != O_IMM) parse_fail(p, "the table is a constant");
    i->imm = (int64_t)p->op[4].value;
    i->run = lop3;
  } else if (IS("fns")) {
    Type t = take_type(p);
    want_ops(p, 4, 4);
    i->d[0] = put(p, &p->op[0], t);
    for (int k = 0; k < 3; k++) i->s[k] = get(p, &p->op[k + 1], t);
    i->run = fns;
  } else if (IS("bmsk") || IS("szext")) {
    i->op = take(p, "wrap") ? 'w' : 'c';
    if (i->op == 'c' && !take(p, "clamp"))
      parse_fail(p, ".clamp or .wrap is missing");
    Type t = take_type(p);
    want_ops(p, 3, 3);
    i->d[0] = put(p, &p->op[0], t);
    for (int k = 0; k < 2; k++) i->s[k] = get(p, &p->op[k + 1], t);
    i->aligned = type_signed(t);
    i->run = o[0] == 'b' ? bmsk : szext;
  } else {
    return false;
  }
#undef IS
  return true;
}
