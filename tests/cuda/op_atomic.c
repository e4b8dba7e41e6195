/*
** op_atomic.c - atom and red: one lane after the other.
*/
#include "tests/cuda/access.h"
#include "tests/cuda/numbers.h"

#include <math.h>
#include <string.h>

static uint64_t add_pair(uint64_t a, uint64_t b, Type t) {
  Type e = t == T_F16X2 ? T_F16 : T_BF16;
  uint64_t r = 0;
  for (int k = 0; k < 32; k += 16)
    r |= (uint64_t)narrow(add_odd(widen(a >> k, e), widen(b >> k, e)), e, R_RN)
         << k;
  return r;
}

static int64_t signed_of(uint64_t v, unsigned size) {
  return (int64_t)(v << (64 - size * 8)) >> (64 - size * 8);
}

static uint64_t operate(const Inst *i, uint64_t old, uint64_t b, uint64_t c) {
  unsigned size = type_size(i->type);
  bool less = type_signed(i->type) ? signed_of(old, size) < signed_of(b, size)
                                   : old < b;
  switch (i->op) {
    case '+':
      switch ((Type)i->type) {
        case T_F32: {
          float r = f32_of(old) + f32_of(b);
          return r != r ? NAN_F32 : bits_f32(r);
        }
        case T_F64:
          return bits_f64(f64_of(old) + f64_of(b));
        case T_F16:
        case T_BF16:
          return narrow(add_odd(widen(old, i->type), widen(b, i->type)),
                        i->type, R_RN);
        case T_F16X2:
        case T_BF16X2:
          return add_pair(old, b, i->type);
        default:
          return old + b;
      }
    case '&':
      return old & b;
    case '|':
      return old | b;
    case '^':
      return old ^ b;
    case 'e':
      return b;
    case 'c':
      return old == b ? c : old;
    case 'i':
      return old >= b ? 0 : old + 1;
    case 'd':
      return old == 0 || old > b ? b : old - 1;
    case 'n':
      return less ? old : b;
    default:
      return less ? b : old;
  }
}

static void atom(Warp *w, const Inst *i, uint32_t lanes) {
  const uint64_t *a = src(w, i->s[0]), *b = src(w, i->s[1]),
                 *c = src(w, i->s[2]);
  unsigned size = type_size(i->type);
  uint64_t *d = dst(w, i->d[0]);
  uint64_t mask = size == 8 ? UINT64_MAX : ((uint64_t)1 << size * 8) - 1;
  EACH(lanes, {
    uint64_t at = (i->wide ? a[l] : (uint32_t)a[l]) + (uint64_t)i->imm;
    void *m = access_at(w, i, l, at, size, true);
    uint64_t old = 0;
    uint64_t new;
    memcpy(&old, m, size);
    new = operate(i, old, b[l] & mask, c[l] & mask);
    memcpy(m, &new, size);
    d[l] = old;
  });
}

bool decode_atomic(Parse *p) {
  static const struct {
    const char *name;
    char op;
  } ops[] = {{"add", '+'},  {"and", '&'}, {"or", '|'},  {"xor", '^'},
             {"exch", 'e'}, {"cas", 'c'}, {"inc", 'i'}, {"dec", 'd'},
             {"min", 'n'},  {"max", 'x'}};
  Inst *i = p->i;
  bool red = strcmp(p->part[0], "red") == 0;
  if (!red && strcmp(p->part[0], "atom") != 0) return false;
  Space space = take_state_space(p);
  take_semantics(p);
  for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
    if (take(p, ops[k].name)) i->op = (uint8_t)ops[k].op;
  if (i->op == 0) parse_fail(p, "an operation is missing");
  bool noftz = take(p, "noftz");
  Type t = i->type = take_type(p);
  bool sixteen = type_float(t) && t != T_F32 && t != T_F64;
  if (noftz != sixteen || (type_float(t) && i->op != '+') ||
      (type_size(t) < 4 && !sixteen && i->op != 'c' && i->op != 'e'))
    parse_fail(p, "there is no such atomic operation");
  if ((i->op == 'i' || i->op == 'd') && t != T_U32)
    parse_fail(p, ".inc and .dec are of .u32");
  if (space != SP_GENERIC && space != SP_GLOBAL && space != SP_SHARED)
    parse_fail(p, "atomics are of global or shared memory");
  unsigned at = red ? 0 : 1, n = at + 2 + (i->op == 'c');
  want_ops(p, n, n);
  if (!red) i->d[0] = put(p, &p->op[0], t);
  address(p, &p->op[at], 0, space);
  i->s[1] = get(p, &p->op[at + 1], t);
  i->s[2] = i->op == 'c' ? get(p, &p->op[at + 2], t) : constant(p, 0);
  i->run = atom;
  return true;
}
