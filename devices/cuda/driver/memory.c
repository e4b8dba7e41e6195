/*
** memory.c - device memory, in the driver's process.
**
** A tenth of the memory that was free at the start stays free: a GPU that runs
** out of it fails in other places than where it was asked.
*/
#include "devices/cuda/driver/server.h"

mt_CuResult mt_server_alloc(mt_Server *s) {
  mt_Channel *c = s->channel;
  size_t available = 0, total = 0;
  mt_CuAddress address = 0;
  mt_CuResult r = s->cu.memory_info(&available, &total);
  if (r != MT_CU_OK) return r;
  c->facts.unused = available > s->reserve ? available - s->reserve : 0;
  if (c->number > c->facts.unused) return MT_CU_OUT_OF_MEMORY;
  r = s->cu.memory_alloc(&address, c->number);
  c->answer = address;
  return r;
}

mt_CuResult mt_server_free(mt_Server *s) {
  const mt_Piece *p = (const mt_Piece *)s->channel->bytes;
  mt_CuResult r = MT_CU_OK;
  for (uint32_t i = 0; i < s->channel->count && r == MT_CU_OK; i++)
    r = s->cu.memory_free(p[i].address);
  return r;
}

/* Byte by byte, since it is not known where the memory ends. */
mt_CuResult mt_server_text(mt_Server *s) {
  mt_Channel *c = s->channel;
  mt_CuResult r = MT_CU_OK;
  for (size_t i = 0; i + 1 < sizeof c->text && r == MT_CU_OK; i++) {
    r = s->cu.copy_out(&c->text[i], c->number + i, 1, s->stream);
    if (r == MT_CU_OK) r = s->cu.stream_wait(s->stream);
    c->text[i + 1] = 0;
    if (r != MT_CU_OK || c->text[i] == 0) break;
  }
  return r;
}
