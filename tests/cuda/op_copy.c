/*
** op_copy.c - cp.async: copies to shared memory that a thread waits for.
**
** The one idea: between a copy's start and its wait no thread may look at the
** bytes, nor at their source. So the start leaves rubbish where they will be,
** and the wait reads the source and brings them: who reads too early, writes
** what another thread still reads, or waits for one group too few gets rubbish.
*/
#include "tests/cuda/access.h"

#include <stdlib.h>
#include <string.h>

#define RUBBISH 0xa5
#define ALL_GROUPS UINT32_MAX

static void start(Warp *w, const Inst *i, uint32_t lanes) {
  const uint64_t *to = src(w, i->s[0]), *from = src(w, i->s[1]),
                 *given = src(w, i->s[2]);
  Inst of = *i;
  EACH(lanes, {
    Copy c = {.lane = (uint8_t)l, .group = w->group[l], .size = i->op};
    c.given = (unsigned)given[l] < i->op ? (uint8_t)given[l] : i->op;
    of.space = SP_GLOBAL;
    c.from = access_at(w, &of, l, from[l] + (uint64_t)i->target, i->op, false);
    of.space = SP_SHARED;
    uint64_t at = i->wide ? to[l] : (uint32_t)to[l];
    c.to = access_at(w, &of, l, at + (uint64_t)i->imm, i->op, true);
    memset(c.to, RUBBISH, c.size);
    if (w->copies == w->copy_room) {
      w->copy_room = w->copy_room ? 2 * w->copy_room : 256;
      w->copy = realloc(w->copy, w->copy_room * sizeof *w->copy);
    }
    w->copy[w->copies++] = c;
  });
}

/* All groups of the lane up to 'last', in their order. */
static void finish(Warp *w, int lane, uint32_t last) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < w->copies; k++) {
    Copy *c = &w->copy[k];
    if (c->lane != lane || c->group > last) {
      w->copy[left++] = *c;
      continue;
    }
    memset(c->to, 0, c->size);
    memcpy(c->to, c->from, c->given);
  }
  w->copies = left;
}

static void commit(Warp *w, const Inst *i, uint32_t lanes) {
  (void)i;
  EACH(lanes, w->group[l]++);
}

static void wait(Warp *w, const Inst *i, uint32_t lanes) {
  uint64_t open = (uint64_t)i->imm;
  EACH(lanes,
       if (w->group[l] > open) finish(w, l, w->group[l] - (uint32_t)open - 1));
}

static void wait_all(Warp *w, const Inst *i, uint32_t lanes) {
  commit(w, i, lanes);
  EACH(lanes, finish(w, l, ALL_GROUPS));
}

/* ------------------------------------------------------------------ decoding
 */

static void decode_start(Parse *p) {
  Inst *i = p->i;
  if (!take(p, "ca") && !take(p, "cg")) parse_fail(p, ".ca or .cg is missing");
  if (!take(p, "shared") && !take(p, "shared::cta"))
    parse_fail(p, ".shared is missing");
  if (!take(p, "global")) parse_fail(p, ".global is missing");
  take_semantics(p);
  want_ops(p, 3, 4);
  address(p, &p->op[1], 1, SP_GLOBAL);
  i->target = (uint32_t)i->imm;
  address(p, &p->op[0], 0, SP_SHARED);
  if (p->op[2].kind != O_IMM) parse_fail(p, "the size is a constant");
  i->op = (uint8_t)p->op[2].value;
  if (i->op != 4 && i->op != 8 && i->op != 16)
    parse_fail(p, "no copy of that size");
  i->s[2] = p->ops == 4 ? get(p, &p->op[3], T_U32) : constant(p, i->op);
  i->run = start;
}

bool decode_copy(Parse *p) {
  Inst *i = p->i;
  if (strcmp(p->part[0], "cp") != 0 || !take(p, "async")) return false;
  if (take(p, "commit_group")) {
    want_ops(p, 0, 0);
    i->run = commit;
  } else if (take(p, "wait_all")) {
    want_ops(p, 0, 0);
    i->run = wait_all;
  } else if (take(p, "wait_group")) {
    want_ops(p, 1, 1);
    if (p->op[0].kind != O_IMM) parse_fail(p, "how many is a constant");
    i->imm = (int64_t)p->op[0].value;
    i->run = wait;
  } else {
    decode_start(p);
  }
  return true;
}
