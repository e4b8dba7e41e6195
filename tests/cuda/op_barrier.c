/*
** op_barrier.c - barriers of a block and of a warp.
*/
#include "tests/cuda/ptx_parse.h"
#include "tests/cuda/warp.h"

#include <string.h>

static uint64_t everybody[WARP]; /* a membermask with all lanes */

static unsigned barrier_id(Warp *w, const Inst *i, uint32_t lanes,
                           uint32_t *wanted) {
  int first = __builtin_ctz(lanes);
  uint64_t id = src(w, i->s[0])[first];
  if (id >= BARRIERS)
    fault(w, i, first, FAULT_LAUNCH, "barrier %llu of 16",
          (unsigned long long)id);
  *wanted = i->wide ? (uint32_t)src(w, i->s[1])[first] : 0;
  if (i->wide && (*wanted == 0 || *wanted % WARP != 0))
    fault(w, i, first, FAULT_LAUNCH,
          "a barrier of %u threads, which is no multiple of the warp's size",
          *wanted);
  return (unsigned)id;
}

static void sync(Warp *w, const Inst *i, uint32_t lanes) {
  if (i->aligned) lanes = gather(w, i, lanes, everybody);
  if (lanes == 0) return;
  uint32_t wanted;
  unsigned id = barrier_id(w, i, lanes, &wanted);
  if (i->p[1] >= 0)
    w->block->barriers[id].popc +=
        (uint32_t)__builtin_popcount(read_predicate(w, i, 1) & lanes);
  arrive(w, i, lanes, id, wanted, true);
}

static void arrive_only(Warp *w, const Inst *i, uint32_t lanes) {
  if (i->aligned) lanes = gather(w, i, lanes, everybody);
  if (lanes == 0) return;
  uint32_t wanted;
  unsigned id = barrier_id(w, i, lanes, &wanted);
  arrive(w, i, lanes, id, wanted, false);
}

static void warp_sync(Warp *w, const Inst *i, uint32_t lanes) {
  gather(w, i, lanes, src(w, i->s[0]));
}

bool decode_barrier(Parse *p) {
  Inst *i = p->i;
  const char *o = p->part[0];
  bool bar = strcmp(o, "bar") == 0;
  if (!bar && strcmp(o, "barrier") != 0) return false;
  for (int l = 0; l < WARP; l++) everybody[l] = UINT32_MAX;
  if (bar && take(p, "warp")) {
    if (!take(p, "sync")) parse_fail(p, ".sync is missing");
    want_ops(p, 1, 1);
    i->s[0] = get(p, &p->op[0], T_U32);
    i->hi = true; /* any bar.warp.sync will do */
    i->run = warp_sync;
    return true;
  }
  take(p, "cta");
  i->aligned = take(p, "aligned") || bar;
  i->control = true;
  uint32_t at = 0, first = 0;
  if (take(p, "sync")) {
    i->run = sync;
  } else if (take(p, "arrive")) {
    i->run = arrive_only;
    want_ops(p, 2, 2);
  } else if (take(p, "red")) {
    i->run = sync;
    i->op = take(p, "popc") ? 'p' : take(p, "and") ? '&' : '|';
    if (i->op == '|' && !take(p, "or")) parse_fail(p, "a reduction is missing");
    Type t = take_type(p);
    want_ops(p, 3, 4);
    if (i->op == 'p')
      i->d[0] = put(p, &p->op[0], t);
    else
      i->p[0] = predicate(p, &p->op[0]);
    const Opnd *c = &p->op[p->ops - 1];
    i->p[1] = predicate(p, c);
    i->p_not[1] = c->negated;
    first = at = 1;
    p->ops--;
  } else {
    return false;
  }
  want_ops(p, first + 1, first + 2);
  i->s[0] = get(p, &p->op[at], T_U32);
  i->wide = p->ops == first + 2;
  if (i->wide) i->s[1] = get(p, &p->op[at + 1], T_U32);
  return true;
}
