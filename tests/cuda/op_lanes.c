/*
** op_lanes.c - instructions between the lanes of a warp. Each waits for the
** lanes in its membermask that have not ended.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"

#include <string.h>

/* what a lane that is not there says: it may not be relied on */
#define NOBODY 0xa5a5a5a5u

static void shfl(Warp *w, const Inst *i, uint32_t lanes) {
  lanes = gather(w, i, lanes, src(w, i->s[3]));
  const uint64_t *b = src(w, i->s[1]), *c = src(w, i->s[2]);
  uint32_t v[WARP], in_range = 0;
  const uint64_t *a = src(w, i->s[0]);
  for (int l = 0; l < WARP; l++)
    v[l] = lanes >> l & 1 ? (uint32_t)a[l] : NOBODY;
  uint64_t *d = dst(w, i->d[0]);
  EACH(lanes, {
    int by = (int)(b[l] & 31);
    int clamp = (int)(c[l] & 31);
    int segment = (int)(c[l] >> 8 & 31);
    int most = (l & segment) | (clamp & ~segment);
    int least = l & segment;
    int from;
    bool ok;
    switch (i->op) {
      case 'u':
        from = l - by, ok = from >= most;
        break;
      case 'd':
        from = l + by, ok = from <= most;
        break;
      case 'b':
        from = l ^ by, ok = from <= most;
        break;
      default:
        from = least | (by & ~segment), ok = from <= most;
    }
    d[l] = v[ok ? from : l];
    in_range |= (uint32_t)ok << l;
  });
  write_predicate(w, i->p[0], lanes, in_range);
}

static void vote(Warp *w, const Inst *i, uint32_t lanes) {
  lanes = gather(w, i, lanes, src(w, i->s[0]));
  uint32_t p = read_predicate(w, i, 1);
  uint32_t done = 0;
  while ((lanes & ~done) != 0) { /* each set of members by itself */
    int first = __builtin_ctz(lanes & ~done);
    uint32_t set = w->members[first] & lanes, yes = p & set;
    bool r = i->op == 'a'   ? yes == set
             : i->op == 'o' ? yes != 0
                            : yes == 0 || yes == set;
    if (i->op == 'b') {
      uint64_t *d = dst(w, i->d[0]);
      EACH(set, d[l] = yes);
    } else {
      write_predicate(w, i->p[0], set, r ? UINT32_MAX : 0);
    }
    done |= set | 1u << first;
  }
}

static void match(Warp *w, const Inst *i, uint32_t lanes) {
  lanes = gather(w, i, lanes, src(w, i->s[1]));
  uint64_t mask = i->wide ? UINT64_MAX : UINT32_MAX, v[WARP];
  memcpy(v, src(w, i->s[0]), sizeof v);
  uint64_t *d = dst(w, i->d[0]);
  uint32_t equal_all = 0;
  EACH(lanes, {
    uint32_t set = w->members[l] & lanes;
    uint32_t same = 0;
    for (int k = 0; k < WARP; k++)
      if (set >> k & 1 && (v[k] & mask) == (v[l] & mask)) same |= 1u << k;
    bool all = same == set;
    d[l] = i->op == 'a' ? (all ? set : 0) : same;
    equal_all |= (uint32_t)all << l;
  });
  write_predicate(w, i->p[0], lanes, equal_all);
}

static uint32_t reduce(uint8_t op, Type t, uint32_t a, uint32_t b) {
  switch (op) {
    case '+':
      return a + b;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case 'n':
      return t == T_S32 ? ((int32_t)a < (int32_t)b ? a : b) : a < b ? a : b;
    default:
      return t == T_S32 ? ((int32_t)a > (int32_t)b ? a : b) : a > b ? a : b;
  }
}

static void redux(Warp *w, const Inst *i, uint32_t lanes) {
  lanes = gather(w, i, lanes, src(w, i->s[1]));
  uint64_t v[WARP];
  memcpy(v, src(w, i->s[0]), sizeof v);
  uint64_t *d = dst(w, i->d[0]);
  EACH(lanes, {
    uint32_t set = w->members[l] & lanes;
    uint32_t r = (uint32_t)v[__builtin_ctz(set)];
    for (uint32_t left = set & (set - 1); left != 0; left &= left - 1)
      r = reduce(i->op, i->type, r, (uint32_t)v[__builtin_ctz(left)]);
    d[l] = r;
  });
}

static void activemask(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  EACH(lanes, d[l] = lanes);
}

static void elect(Warp *w, const Inst *i, uint32_t lanes) {
  lanes = gather(w, i, lanes, src(w, i->s[0]));
  uint64_t *d = dst(w, i->d[0]);
  uint32_t leader = 0;
  EACH(lanes, {
    int first = __builtin_ctz(w->members[l] & lanes);
    d[l] = (uint32_t)first;
    leader |= 1u << first;
  });
  write_predicate(w, i->p[0], lanes, leader);
}

/* ------------------------------------------------------------------ decoding
 */

static const Opnd *with_predicate(Parse *p, const Opnd *d) {
  if (d->kind != O_DUAL) return d;
  p->i->p[0] = predicate(p, &d->list[1]);
  return &d->list[0];
}

static void decode_vote(Parse *p) {
  Inst *i = p->i;
  if (!take(p, "sync")) parse_fail(p, ".sync is missing");
  i->op = take(p, "all")      ? 'a'
          : take(p, "any")    ? 'o'
          : take(p, "uni")    ? 'u'
          : take(p, "ballot") ? 'b'
                              : 0;
  if (i->op == 0) parse_fail(p, "a vote is missing");
  Type t = take_type(p);
  want_ops(p, 3, 3);
  if (i->op == 'b')
    i->d[0] = put(p, &p->op[0], t);
  else
    i->p[0] = predicate(p, &p->op[0]);
  i->p[1] = predicate(p, &p->op[1]);
  i->p_not[1] = p->op[1].negated;
  i->s[0] = get(p, &p->op[2], T_U32);
  i->run = vote;
}

bool decode_lanes(Parse *p) {
  Inst *i = p->i;
  const char *o = p->part[0];
#define IS(name) (strcmp(o, name) == 0)
  if (IS("shfl")) {
    if (!take(p, "sync")) parse_fail(p, ".sync is missing");
    i->op = take(p, "up")     ? 'u'
            : take(p, "down") ? 'd'
            : take(p, "bfly") ? 'b'
                              : 'i';
    if (i->op == 'i' && !take(p, "idx")) parse_fail(p, "a mode is missing");
    Type t = take_type(p);
    want_ops(p, 5, 5);
    i->d[0] = put(p, with_predicate(p, &p->op[0]), t);
    for (int k = 0; k < 4; k++) i->s[k] = get(p, &p->op[k + 1], T_B32);
    i->run = shfl;
  } else if (IS("vote")) {
    decode_vote(p);
  } else if (IS("match")) {
    i->op = take(p, "any") ? 'o' : 'a';
    if (i->op == 'a' && !take(p, "all"))
      parse_fail(p, ".any or .all is missing");
    if (!take(p, "sync")) parse_fail(p, ".sync is missing");
    Type t = take_type(p);
    i->wide = type_size(t) == 8;
    want_ops(p, 3, 3);
    i->d[0] = put(p, with_predicate(p, &p->op[0]), T_B32);
    i->s[0] = get(p, &p->op[1], t);
    i->s[1] = get(p, &p->op[2], T_U32);
    i->run = match;
  } else if (IS("redux")) {
    if (!take(p, "sync")) parse_fail(p, ".sync is missing");
    i->op = take(p, "add")   ? '+'
            : take(p, "and") ? '&'
            : take(p, "or")  ? '|'
            : take(p, "xor") ? '^'
            : take(p, "min") ? 'n'
            : take(p, "max") ? 'x'
                             : 0;
    if (i->op == 0) parse_fail(p, "an operation is missing");
    i->type = take_type(p);
    if (type_size(i->type) != 4 || type_float(i->type))
      parse_fail(p, "redux is of 32 bits");
    want_ops(p, 3, 3);
    i->d[0] = put(p, &p->op[0], i->type);
    i->s[0] = get(p, &p->op[1], i->type);
    i->s[1] = get(p, &p->op[2], T_U32);
    i->run = redux;
  } else if (IS("activemask")) {
    Type t = take_type(p);
    want_ops(p, 1, 1);
    i->d[0] = put(p, &p->op[0], t);
    i->run = activemask;
  } else if (IS("elect")) {
    if (!take(p, "sync")) parse_fail(p, ".sync is missing");
    want_ops(p, 2, 2);
    i->d[0] = put(p, with_predicate(p, &p->op[0]), T_B32);
    i->s[0] = get(p, &p->op[1], T_U32);
    i->run = elect;
  } else {
    return false;
  }
#undef IS
  return true;
}
