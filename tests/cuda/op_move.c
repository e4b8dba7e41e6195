/*
** op_move.c - mov, vectors taken apart and put together, addresses of variables
** and their conversions between state spaces.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"

#include <string.h>
#include <time.h>

static void mov(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, d[l] = a[l]);
}

static void mov32(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, d[l] = (uint32_t)a[l]);
}

static void mov_pred(Warp *w, const Inst *i, uint32_t lanes) {
  write_predicate(w, i->p[0], lanes, read_predicate(w, i, 1));
}

static void mov_pred_constant(Warp *w, const Inst *i, uint32_t lanes) {
  write_predicate(w, i->p[0], lanes, i->imm ? UINT32_MAX : 0);
}

/* the address of a variable in the frame, in local memory */
static void mov_frame(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  EACH(lanes, d[l] = w->frame[l] + (uint64_t)i->imm);
}

static void unpack(Warp *w, const Inst *i, uint32_t lanes) {
  const uint64_t *a = src(w, i->s[0]);
  unsigned bits = i->op;
  uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  uint64_t v[WARP];
  memcpy(v, a, sizeof v);
  for (unsigned k = 0; k < i->vec; k++) {
    if (i->d[k] == SINK) continue;
    uint64_t *d = dst(w, i->d[k]);
    EACH(lanes, d[l] = v[l] >> (bits * k) & mask);
  }
}

static void pack(Warp *w, const Inst *i, uint32_t lanes) {
  unsigned bits = i->op;
  uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  uint64_t v[WARP] = {0};
  for (unsigned k = 0; k < i->vec; k++) {
    const uint64_t *a = src(w, i->s[k]);
    EACH(lanes, v[l] |= (a[l] & mask) << (bits * k));
  }
  uint64_t *d = dst(w, i->d[0]);
  EACH(lanes, d[l] = v[l]);
}

static uint64_t clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void read_clock(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]);
  uint64_t t = clock_now();
  switch (i->op) {
    case 0:
    case 4:
      t = (uint32_t)t;
      break;
    case 1:
    case 5:
      t >>= 32;
      break;
  }
  EACH(lanes, d[l] = t);
}

/* ------------------------------------------------------------ state spaces */

static uint64_t window_of(uint8_t space) {
  return space == SP_SHARED  ? SHARED_WINDOW
         : space == SP_LOCAL ? LOCAL_WINDOW
         : space == SP_PARAM ? PARAM_WINDOW
                             : 0;
}

static void to_generic(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]), add = window_of(i->space);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, d[l] = a[l] + add);
}

static void to_space(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t *d = dst(w, i->d[0]), subtract = window_of(i->space);
  const uint64_t *a = src(w, i->s[0]);
  EACH(lanes, d[l] = a[l] - subtract);
}

static void is_space(Warp *w, const Inst *i, uint32_t lanes) {
  const uint64_t *a = src(w, i->s[0]);
  uint64_t window = window_of(i->space);
  uint32_t r = 0;
  EACH(lanes, {
    bool in_window = a[l] >= SHARED_WINDOW && a[l] < PARAM_WINDOW + WINDOW_SIZE;
    bool is = window ? a[l] - window < WINDOW_SIZE : !in_window;
    r |= (uint32_t)is << l;
  });
  write_predicate(w, i->p[0], lanes, r);
}

static Space take_space(Parse *p) {
  if (take(p, "global")) return SP_GLOBAL;
  if (take(p, "shared") || take(p, "shared::cta")) return SP_SHARED;
  if (take(p, "local")) return SP_LOCAL;
  if (take(p, "const")) return SP_CONST;
  if (take(p, "param") || take(p, "param::entry")) return SP_PARAM;
  parse_fail(p, "a state space is wanted");
}

static void decode_cvta(Parse *p) {
  Inst *i = p->i;
  bool to = take(p, "to");
  i->space = take_space(p);
  Type t = take_type(p);
  want_ops(p, 2, 2);
  if (t != T_U64) parse_fail(p, "cvta is of .u64");
  i->d[0] = put(p, &p->op[0], t);
  i->run = to ? to_space : to_generic;
  const Opnd *o = &p->op[1];
  if (o->kind == O_VARIABLE &&
      (o->variable->space == SP_LOCAL || o->variable->space == SP_FRAME))
    parse_fail(p, "the address of a frame is only known to mov");
  i->s[0] = get(p, o, t);
}

static void decode_mov(Parse *p) {
  Inst *i = p->i;
  Type t = take_type(p);
  const Opnd *a = &p->op[0], *b = &p->op[1];
  want_ops(p, 2, 2);
  if (t == T_PRED) {
    i->p[0] = predicate(p, a);
    if (b->kind == O_IMM) {
      i->imm = b->value != 0;
      i->run = mov_pred_constant;
      return;
    }
    i->p[1] = predicate(p, b);
    i->p_not[1] = b->negated;
    i->run = mov_pred;
    return;
  }
  if (a->kind == O_VEC || b->kind == O_VEC) {
    const Opnd *v = a->kind == O_VEC ? a : b;
    unsigned whole = type_size(t);
    if (v->count != 2 && v->count != 4 && v->count != 8)
      parse_fail(p, "vectors have 2, 4 or 8 elements");
    i->vec = (uint8_t)v->count;
    i->op = (uint8_t)(whole * 8 / v->count);
    Type e = i->op == 8    ? T_B8
             : i->op == 16 ? T_B16
             : i->op == 32 ? T_B32
                           : T_NONE;
    if (e == T_NONE) parse_fail(p, "elements have 8, 16 or 32 bits");
    for (uint32_t k = 0; k < v->count; k++)
      if (v == a)
        i->d[k] = put_loose(p, &v->list[k], e);
      else
        i->s[k] = get_loose(p, &v->list[k], e);
    if (v == a)
      i->s[0] = get(p, b, t);
    else
      i->d[0] = put(p, a, t);
    i->run = v == a ? unpack : pack;
    return;
  }
  i->d[0] = put(p, a, t);
  if (b->kind == O_CLOCK) {
    if (type_size(b->type) != type_size(t))
      parse_fail(p, "this special register is not so wide");
    i->op = (uint8_t)b->index;
    i->run = read_clock;
  } else if (b->kind == O_FUNCTION) {
    uint64_t n = 0;
    while (p->m->functions[n] != b->function) n++;
    i->s[0] = constant(p, FUNCTION_BASE + n * FUNCTION_STEP);
    i->run = mov;
  } else if (b->kind == O_VARIABLE && (b->variable->space == SP_LOCAL ||
                                       b->variable->space == SP_FRAME)) {
    if (type_size(t) != 8) parse_fail(p, "an address has 64 bits");
    i->imm = (int64_t)b->variable->address + b->add;
    i->run = mov_frame;
  } else {
    i->s[0] = get(p, b, t);
    i->run = type_size(t) == 8 ? mov : mov32;
  }
}

bool decode_move(Parse *p) {
  Inst *i = p->i;
  if (strcmp(p->part[0], "mov") == 0) {
    decode_mov(p);
  } else if (strcmp(p->part[0], "cvta") == 0) {
    decode_cvta(p);
  } else if (strcmp(p->part[0], "isspacep") == 0) {
    i->space = take_space(p);
    want_ops(p, 2, 2);
    i->p[0] = predicate(p, &p->op[0]);
    i->s[0] = get(p, &p->op[1], T_U64);
    i->run = is_space;
  } else {
    return false;
  }
  return true;
}
