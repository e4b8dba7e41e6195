/*
** copy.c - copies between the shared memory and device memory, in the driver's
** process.
**
** The one idea: the bus is fast only from and to memory that the driver has
** pinned, and pinning a buffer takes longer than copying it. So a large copy
** goes through a few pinned slots: while one is on its way over the bus, all
** cores fill or empty the next. The copies of a command are waited for once.
*/
#include <string.h>

#include "base/pool.h"
#include "devices/cuda/driver/server.h"
#include "devices/cuda/driver/shared_memory.h"

#define SLOTS 3
#define SLOT ((size_t)8 << 20)
#define LARGE ((size_t)1 << 20) /* a smaller copy is not worth it */
#define PART ((size_t)256 << 10)

struct mt_Stage {
  char *slot[SLOTS];
  mt_CuHandle done[SLOTS]; /* the bus has done with it */
};

/* -------------------------------------------------------- by all the cores */

typedef struct Move {
  char *to;
  const char *from;
  size_t size;
} Move;

static void move_part(void *context, size_t i, unsigned worker) {
  const Move *m = context;
  size_t at = i * PART, left = m->size - at;
  (void)worker;
  memcpy(m->to + at, m->from + at, left < PART ? left : PART);
}

static void move(char *to, const char *from, size_t size) {
  Move m = {to, from, size};
  mt_pool_run((size + PART - 1) / PART, move_part, &m);
}

/* --------------------------------------------------------------- the stage */

static bool make_stage(mt_Server *s) {
  static mt_Stage stage;
  void *made = NULL;
  if (s->stage) return true;
  if (s->cu.host_alloc(&made, SLOTS * SLOT, 0) != MT_CU_OK) return false;
  for (int k = 0; k < SLOTS; k++) {
    stage.slot[k] = (char *)made + (size_t)k * SLOT;
    if (s->cu.event_new(&stage.done[k], MT_CU_EVENT_BLOCKING) != MT_CU_OK)
      return false;
  }
  s->stage = &stage;
  return true;
}

static size_t block_size(const mt_Piece *p, size_t i) {
  size_t left = p->size - i * SLOT;
  return left < SLOT ? left : SLOT;
}

static mt_CuResult copy_in(mt_Server *s, const mt_Piece *p, size_t blocks) {
  const char *here = mt_shared_memory_at(p->offset);
  mt_CuResult r = MT_CU_OK;
  for (size_t i = 0; i < blocks && r == MT_CU_OK; i++) {
    char *slot = s->stage->slot[i % SLOTS];
    mt_CuHandle done = s->stage->done[i % SLOTS];
    size_t size = block_size(p, i);
    if (i >= SLOTS) r = mt_server_wait(s, done);
    if (r != MT_CU_OK) break;
    move(slot, here + i * SLOT, size);
    r = s->cu.copy_in(p->address + i * SLOT, slot, size, s->stream);
    if (r == MT_CU_OK) r = s->cu.event_record(done, s->stream);
  }
  return r;
}

static mt_CuResult copy_out(mt_Server *s, const mt_Piece *p, size_t blocks) {
  char *here = mt_shared_memory_at(p->offset);
  mt_CuResult r = MT_CU_OK;
  for (size_t i = 0; i < blocks + SLOTS - 1 && r == MT_CU_OK; i++) {
    if (i < blocks) {
      r = s->cu.copy_out(s->stage->slot[i % SLOTS], p->address + i * SLOT,
                         block_size(p, i), s->stream);
      if (r == MT_CU_OK)
        r = s->cu.event_record(s->stage->done[i % SLOTS], s->stream);
    }
    if (i < SLOTS - 1 || r != MT_CU_OK) continue;
    size_t last = i - (SLOTS - 1); /* it was asked for first */
    if (last >= blocks) continue;
    r = mt_server_wait(s, s->stage->done[last % SLOTS]);
    if (r == MT_CU_OK)
      move(here + last * SLOT, s->stage->slot[last % SLOTS],
           block_size(p, last));
  }
  return r;
}

static mt_CuResult copy_staged(mt_Server *s, const mt_Piece *p) {
  size_t blocks = (p->size + SLOT - 1) / SLOT;
  mt_CuResult r = s->channel->op == MT_DRIVER_COPY_IN
                      ? copy_in(s, p, blocks)
                      : copy_out(s, p, blocks);
  /* the next piece begins with the first slot again */
  mt_CuResult waited = s->cu.stream_wait(s->stream);
  return r == MT_CU_OK ? waited : r;
}

static mt_CuResult copy_piece(mt_Server *s, const mt_Piece *p) {
  void *here = mt_shared_memory_at(p->offset);
  if (s->channel->op == MT_DRIVER_ZERO)
    return s->cu.set_bytes(p->address, 0, p->size, s->stream);
  if (p->size >= LARGE && make_stage(s)) return copy_staged(s, p);
  if (s->channel->op == MT_DRIVER_COPY_IN)
    return s->cu.copy_in(p->address, here, p->size, s->stream);
  return s->cu.copy_out(here, p->address, p->size, s->stream);
}

mt_CuResult mt_server_copy(mt_Server *s) {
  const mt_Piece *p = (const mt_Piece *)s->channel->bytes;
  mt_CuResult r = MT_CU_OK;
  for (uint32_t i = 0; i < s->channel->count && r == MT_CU_OK; i++)
    r = copy_piece(s, &p[i]);
  mt_CuResult waited = s->cu.stream_wait(s->stream);
  return r == MT_CU_OK ? waited : r;
}
