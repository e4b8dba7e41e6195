/*
** warp.c - runs blocks and warps (warp.h).
*/
#include "tests/cuda/warp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks that are there at once, so that one which waits for another by a word
** in memory does not wait for ever. */
#define RESIDENT 8
/* Warp instructions until the next warp, or the next block, has its turn. */
#define WARP_TURN 20000
#define BLOCK_TURN 4000000

void fault(Warp *w, const Inst *i, int lane, int code, const char *format,
           ...) {
  Launch *l = w->launch;
  char said[300];
  va_list a;
  va_start(a, format);
  vsnprintf(said, sizeof said, format, a);
  va_end(a);
  const char *s = i->text;
  while (*s == ' ' || *s == '\t') s++;
  const uint64_t *r = w->regs;
  snprintf(l->why, sizeof l->why,
           "%s: block %u,%u,%u, thread %u,%u,%u: %s (PTX line %u: %.*s)",
           l->entry->name, w->block->id[0], w->block->id[1], w->block->id[2],
           (unsigned)r[SR_TID_X * WARP + lane],
           (unsigned)r[SR_TID_Y * WARP + lane],
           (unsigned)r[SR_TID_Z * WARP + lane], said, i->line,
           (int)strcspn(s, "\n"), s);
  l->fault = code;
  longjmp(l->jump, 1);
}

/* ---------------------------------------------------------------- waiting */

static void retry_gathering(Warp *w) {
  w->runnable |= w->gathering;
  w->gathering = 0;
}

static void give_result(Warp *w, const Inst *i, int l,
                        const struct Barrier *r) {
  bool all = r->popc == r->arrived, any = r->popc != 0;
  if (i->op == 'p') dst(w, i->d[0])[l] = r->popc;
  if (i->op == '&' || i->op == '|')
    write_predicate(w, i->p[0], 1u << l,
                    (i->op == '&' ? all : any) ? UINT32_MAX : 0);
}

static void release(Block *b, unsigned id) {
  struct Barrier *r = &b->barriers[id];
  for (uint32_t k = 0; k < b->launch->warps; k++) {
    Warp *w = &b->warps[k];
    uint32_t go = 0;
    EACH(w->at_barrier, if (w->barrier[l] == id) go |= 1u << l);
    EACH(go, give_result(w, w->barrier_inst[l], l, r));
    w->at_barrier &= ~go;
    w->runnable |= go;
  }
  *r = (struct Barrier){0};
}

static void look_at_barrier(Block *b, unsigned id) {
  struct Barrier *r = &b->barriers[id];
  uint32_t wanted = r->wanted ? r->wanted : b->alive;
  if (r->arrived != 0 && r->arrived >= wanted) release(b, id);
}

void arrive(Warp *w, const Inst *i, uint32_t lanes, unsigned id,
            uint32_t wanted, bool wait) {
  Block *b = w->block;
  struct Barrier *r = &b->barriers[id];
  if (r->arrived != 0 && r->wanted != wanted)
    fault(w, i, __builtin_ctz(lanes), FAULT_LAUNCH,
          "barrier %u is waited for by %u threads and by %u", id, r->wanted,
          wanted);
  r->wanted = wanted;
  r->arrived += (uint32_t)__builtin_popcount(lanes);
  if (wait) {
    EACH(lanes, {
      w->barrier[l] = (uint8_t)id;
      w->barrier_inst[l] = i;
    });
    w->at_barrier |= lanes;
    w->runnable &= ~lanes;
  }
  w->again = true;
  look_at_barrier(b, id);
}

void end_lanes(Warp *w, uint32_t lanes) {
  Block *b = w->block;
  w->alive &= ~lanes;
  w->runnable &= ~lanes;
  b->alive -= (uint32_t)__builtin_popcount(lanes);
  retry_gathering(w);
  for (unsigned id = 0; id < BARRIERS; id++)
    if (b->barriers[id].wanted == 0) look_at_barrier(b, id);
}

/* A lane that waits with another membermask than 'l', which needs it. */
static int lane_with_other(const Warp *w, int of) {
  uint32_t mask = w->members[of];
  EACH(mask & w->alive, if (w->members[l] != mask) return l);
  return -1;
}

/* The lanes of 'here' that wait for no other one. Those of a smaller membermask
** go on before the others; where none can, masks do not fit. */
static uint32_t ready_of(Warp *w, const Inst *i, uint32_t here) {
  uint32_t ready = 0, stuck = 0;
  EACH(here, {
    uint32_t need = w->members[l] & w->alive;
    if ((need & ~here) != 0) continue;
    if (lane_with_other(w, l) < 0)
      ready |= need;
    else
      stuck |= 1u << l;
  });
  if (ready == 0 && stuck != 0) {
    int a = __builtin_ctz(stuck), other = lane_with_other(w, a);
    fault(w, i, a, FAULT_LAUNCH,
          "lane %d has membermask 0x%x, lane %d has 0x%x", other,
          w->members[other], a, w->members[a]);
  }
  return ready;
}

uint32_t gather(Warp *w, const Inst *i, uint32_t lanes,
                const uint64_t *members) {
  uint32_t here = lanes;
  EACH(w->gathering,
       if (w->pc[l] == w->now || (i->hi && w->code[w->pc[l]].run == i->run))
           here |= 1u << l);
  EACH(lanes, {
    w->members[l] = (uint32_t)members[l];
    if (!(w->members[l] >> l & 1))
      fault(w, i, l, FAULT_LAUNCH, "lane %d is not in its own membermask 0x%x",
            l, w->members[l]);
  });
  uint32_t ready = ready_of(w, i, here);
  if (ready == lanes && lanes == w->active) return ready;
  w->again = true;
  uint32_t woken = ready & ~lanes, wait = lanes & ~ready;
  EACH(w->active, w->pc[l] = w->now + 1);
  EACH(woken, w->pc[l]++);
  w->parties++;
  EACH(ready, w->party[l] = w->parties);
  EACH(wait, w->pc[l] = w->now);
  w->gathering = (w->gathering & ~woken) | wait;
  w->runnable = (w->runnable | woken) & ~wait;
  return ready;
}

/* ----------------------------------------------------------------- running */

static uint64_t place_of(const Warp *w, int l) {
  return (uint64_t)(CALL_DEPTH - w->depth[l]) << 32 | w->pc[l];
}

/* After a branch: lanes at different places are parties of their own. */
static void part(Warp *w, uint32_t lanes) {
  for (uint32_t left = lanes; left != 0;) {
    uint32_t here = 0, at = w->pc[__builtin_ctz(left)];
    EACH(left, if (w->pc[l] == at) here |= 1u << l);
    if (here == lanes) return;
    w->parties++;
    EACH(here, w->party[l] = w->parties);
    left &= ~here;
  }
}

/* One party, each in its turn. */
static bool choose_party(Warp *w, uint64_t *stop) {
  if (w->runnable == 0) return false;
  uint32_t after = w->turns % WARP;
  uint32_t high = w->runnable & ~((1u << after) - 1);
  int first = __builtin_ctz(high ? high : w->runnable);
  w->active = 0;
  EACH(w->runnable,
       if (w->party[l] == w->party[first] && w->pc[l] == w->pc[first] &&
           w->depth[l] == w->depth[first]) w->active |= 1u << l);
  w->now = w->pc[first];
  *stop = UINT64_MAX;
  return true;
}

/* The lanes that run next; in 'stop' the place where others wait. Now and then
** those that wait longest: a lane that waits for another one's word in memory
** must not keep that one from running. */
static bool choose(Warp *w, uint64_t *stop) {
  if (w->launch->apart) return choose_party(w, stop);
  if (w->runnable == 0) return false;
  uint64_t best = UINT64_MAX;
  bool last = w->turns % 4 == 3;
  EACH(w->runnable, {
    uint64_t p = place_of(w, l);
    if (last ? best == UINT64_MAX || p > best : p < best) best = p;
  });
  uint32_t lanes = 0;
  *stop = UINT64_MAX;
  EACH(w->runnable, {
    uint64_t p = place_of(w, l);
    if (p == best)
      lanes |= 1u << l;
    else if (!last && p < *stop)
      *stop = p;
  });
  w->active = lanes;
  w->now = (uint32_t)best;
  return true;
}

static uint64_t run_warp(Warp *w, uint64_t budget) {
  uint64_t done = 0, threads = 0, stop;
  w->turns++;
  while (done < budget && choose(w, &stop)) {
    const uint64_t deep = stop >> 32;
    uint32_t limit = UINT32_MAX;
    if (stop != UINT64_MAX &&
        deep == (uint64_t)(CALL_DEPTH - w->depth[__builtin_ctz(w->active)]))
      limit = (uint32_t)stop;
    w->again = false;
    for (;;) {
      const Inst *i = &w->code[w->now];
      uint32_t lanes = w->active;
      done++;
      if (i->guard >= 0)
        lanes &= i->guard_not ? ~w->preds[i->guard] : w->preds[i->guard];
      threads += (uint32_t)__builtin_popcount(w->active);
      if (i->jump) {
        if (lanes == w->active) {
          w->now = i->target;
        } else if (lanes == 0) {
          w->now++;
        } else {
          EACH(w->active & ~lanes, w->pc[l] = w->now + 1);
          EACH(lanes, w->pc[l] = i->target);
          if (w->launch->apart) part(w, w->active);
          break;
        }
      } else if (i->control) {
        EACH(w->active, w->pc[l] = w->now + 1);
        if (lanes != 0) i->run(w, i, lanes);
        if (w->launch->apart) part(w, w->active & w->runnable);
        break;
      } else {
        if (lanes != 0) i->run(w, i, lanes);
        if (w->again) break; /* gather has set the places */
        w->now++;
      }
      if (w->now >= limit || done >= budget) {
        EACH(w->active, w->pc[l] = w->now);
        break;
      }
    }
  }
  w->launch->steps += threads;
  if (w->launch->step_limit != 0 && w->launch->steps > w->launch->step_limit)
    fault(w, &w->code[w->now], 0, 702, "more than %llu steps",
          (unsigned long long)w->launch->step_limit);
  return done;
}

static void deadlock(Block *b) {
  for (uint32_t k = 0; k < b->launch->warps; k++) {
    Warp *w = &b->warps[k];
    if (w->alive == 0) continue;
    int lane = __builtin_ctz(w->alive);
    for (uint32_t left = w->gathering; left != 0; left &= left - 1)
      lane = __builtin_ctz(left);
    bool here = w->gathering != 0;
    const Inst *i = &w->code[here ? w->pc[lane] : w->pc[lane] - 1];
    fault(w, i, lane, FAULT_LAUNCH,
          "deadlock: of warp %u lanes 0x%x wait for other lanes of the warp, "
          "0x%x at a barrier, and nobody can go on",
          w->index, w->gathering, w->at_barrier);
  }
}

/* True: the block has ended. */
static bool run_block(Block *b, uint64_t budget, uint64_t *done) {
  while (b->alive != 0) {
    bool any = false;
    for (uint32_t k = 0; k < b->launch->warps; k++) {
      Warp *w = &b->warps[k];
      if (w->runnable == 0) continue;
      any = true;
      *done += run_warp(w, WARP_TURN);
    }
    if (!any && b->alive != 0) deadlock(b);
    if (*done >= budget) break;
  }
  return b->alive == 0;
}

static void start_warp(Launch *l, Block *b, uint32_t k) {
  Warp *w = &b->warps[k];
  uint32_t left = l->threads - k * WARP;
  w->alive = w->runnable = left >= WARP ? UINT32_MAX : (1u << left) - 1;
  w->gathering = w->at_barrier = w->carry = 0;
  w->turns = 0;
  w->parties = 0;
  w->copies = 0;
  memset(w->group, 0, sizeof w->group);
  memset(w->party, 0, sizeof w->party);
  for (uint32_t n = 0; n < WARP; n++) {
    uint64_t *r = w->regs + n;
    uint32_t t = k * WARP + n;
    w->pc[n] = l->entry->first;
    w->depth[n] = 0;
    w->frame[n] = LOCAL_BASE;
    w->top[n] = LOCAL_BASE + l->entry->frame_size;
    r[SR_TID_X * WARP] = t % l->block[0];
    r[SR_TID_Y * WARP] = t / l->block[0] % l->block[1];
    r[SR_TID_Z * WARP] = t / l->block[0] / l->block[1];
    for (int d = 0; d < 3; d++) {
      r[(SR_NTID_X + d) * WARP] = l->block[d];
      r[(SR_CTAID_X + d) * WARP] = b->id[d];
      r[(SR_NCTAID_X + d) * WARP] = l->grid[d];
    }
    r[SR_LANEID * WARP] = n;
    r[SR_WARPID * WARP] = k;
    r[SR_NWARPID * WARP] = 64;
    r[SR_SMID * WARP] = (uint32_t)(b - l->resident);
    r[SR_NSMID * WARP] = RESIDENT;
    r[SR_GRIDID * WARP] = l->id;
    r[SR_MASK_EQ * WARP] = 1u << n;
    r[SR_MASK_LT * WARP] = (1u << n) - 1;
    r[SR_MASK_LE * WARP] = (1u << n) | ((1u << n) - 1);
    r[SR_MASK_GE * WARP] = (uint32_t)~((1u << n) - 1);
    r[SR_MASK_GT * WARP] = (uint32_t)~((1u << n) | ((1u << n) - 1));
    r[SR_DYNAMIC_SIZE * WARP] = l->dynamic_size;
    r[SR_TOTAL_SIZE * WARP] = l->shared_size;
  }
}

static void make_block(Launch *l, Block *b) {
  const Module *m = l->module;
  b->launch = l;
  b->shared = malloc(l->shared_size + 16);
  b->warps = calloc(l->warps, sizeof *b->warps);
  for (uint32_t k = 0; k < l->warps; k++) {
    Warp *w = &b->warps[k];
    size_t regs = (size_t)m->reg_count * WARP * sizeof *w->regs;
    w->regs = malloc(regs);
    memset(w->regs, 0xa5, regs); /* what was not written is not zero */
    w->preds = malloc((m->pred_count + 1) * sizeof *w->preds);
    memset(w->preds, 0x5a, (m->pred_count + 1) * sizeof *w->preds);
    w->local = malloc((size_t)l->local_size * WARP);
    memset(w->local, 0xa5, (size_t)l->local_size * WARP);
    w->calls = l->calls ? calloc(WARP * CALL_DEPTH, sizeof *w->calls) : NULL;
    w->pool = m->pool;
    w->code = m->code;
    w->block = b;
    w->launch = l;
    w->index = k;
  }
}

static void start_block(Launch *l, Block *b) {
  uint64_t n = l->next++;
  if (b->warps == NULL) make_block(l, b);
  b->busy = true;
  b->steps = 0;
  b->id[0] = (uint32_t)(n % l->grid[0]);
  b->id[1] = (uint32_t)(n / l->grid[0] % l->grid[1]);
  b->id[2] = (uint32_t)(n / l->grid[0] / l->grid[1]);
  b->alive = l->threads;
  memset(b->barriers, 0, sizeof b->barriers);
  memset(b->shared, 0xa5, l->shared_size);
  for (uint32_t k = 0; k < l->warps; k++) start_warp(l, b, k);
}

Launch *launch_new(const Module *m, const Function *entry,
                   const uint32_t grid[3], const uint32_t block[3],
                   uint32_t dynamic_size, const void *params) {
  static uint64_t launches;
  Launch *l = calloc(1, sizeof *l);
  l->module = m;
  l->entry = entry;
  memcpy(l->grid, grid, sizeof l->grid);
  memcpy(l->block, block, sizeof l->block);
  l->dynamic_size = dynamic_size;
  l->shared_size = (uint32_t)(m->dynamic_address - SHARED_BASE) + dynamic_size;
  l->params = malloc(entry->param_bytes + 8);
  if (entry->param_bytes) memcpy(l->params, params, entry->param_bytes);
  l->threads = block[0] * block[1] * block[2];
  l->warps = (l->threads + WARP - 1) / WARP;
  l->blocks = (uint64_t)grid[0] * grid[1] * grid[2];
  l->resident = calloc(RESIDENT, sizeof *l->resident);
  l->id = ++launches;
  l->local_size = LOCAL_BASE;
  for (uint32_t k = 0; k < m->function_count; k++)
    l->local_size += m->functions[k]->frame_size;
  l->calls = m->function_count > 1;
  for (uint32_t k = 0; k < m->count; k++)
    if (m->code[k].stack) {
      l->calls = true;
      l->local_size += l->local_size < 65536 ? 16384 : 0;
    }
  return l;
}

static Block *next_block(Launch *l) {
  for (uint32_t k = 0; k < RESIDENT; k++) {
    Block *b = &l->resident[(l->turn + k) % RESIDENT];
    if (b->busy) return b;
  }
  return NULL;
}

/* One more block, where none runs or one has run for long: it may wait for a
** block that has not begun. */
static void admit(Launch *l, Block *running) {
  if (l->next == l->blocks || (running != NULL && running->steps < BLOCK_TURN))
    return;
  for (uint32_t k = 0; k < RESIDENT; k++)
    if (!l->resident[k].busy) {
      start_block(l, &l->resident[k]);
      break;
    }
  if (running != NULL) running->steps = 0;
}

bool launch_run(Launch *l, uint64_t budget) {
  volatile uint64_t done = 0;
  if (l->fault != 0 || setjmp(l->jump) != 0) return true;
  while (done < budget) {
    Block *b = next_block(l);
    admit(l, b);
    if (b == NULL && (b = next_block(l)) == NULL) return true;
    uint64_t n = 0, most = budget - done;
    if (run_block(b, most < BLOCK_TURN ? most : BLOCK_TURN, &n))
      b->busy = false;
    b->steps += n;
    done += n;
    l->turn = (uint32_t)(b - l->resident + 1) % RESIDENT;
  }
  return false;
}

void launch_free(Launch *l) {
  if (l == NULL) return;
  for (uint32_t k = 0; k < RESIDENT; k++) {
    Block *b = &l->resident[k];
    for (uint32_t n = 0; b->warps != NULL && n < l->warps; n++) {
      Warp *w = &b->warps[n];
      for (int c = 0; w->calls != NULL && c < WARP * CALL_DEPTH; c++)
        free(w->calls[c].saved);
      free(w->calls);
      free(w->copy);
      free(w->regs);
      free(w->preds);
      free(w->local);
    }
    free(b->warps);
    free(b->shared);
  }
  free(l->resident);
  free(l->params);
  free(l);
}
