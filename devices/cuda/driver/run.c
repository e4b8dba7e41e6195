/*
** run.c - a launch, in the driver's process.
**
** The one idea: all repeats and parts are enqueued in one go between two
** events, and only the last event is waited for. A sequence of launches goes to
** the same stream, each between two events of its own, and is waited for at its
** end. After a fault no event says anything more: so the stream itself counts
** the launches that have ended, in memory that stays.
*/
#include <string.h>

#include "base/clock.h"
#include "devices/cuda/abi/launch.h"
#include "devices/cuda/driver/server.h"

#define LOOK_NS 200000 /* a short kernel is over before a thread wakes up */
#define USUAL_SHARED (48u << 10)
#define SLOTS 512

static const uint32_t most[3] = MT_DRIVER_GROUPS;

mt_CuResult mt_server_wait(mt_Server *s, mt_CuHandle event) {
  uint64_t end = mt_now_ns() + LOOK_NS;
  mt_CuResult r;
  while ((r = s->cu.event_query(event)) == MT_CU_NOT_READY)
    if (mt_now_ns() > end) return s->cu.event_wait(event);
  return r;
}

static mt_CuResult allow_shared(mt_Server *s, mt_ServerCode *code,
                                uint32_t shared) {
  if (shared <= USUAL_SHARED || shared <= code->shared) return MT_CU_OK;
  mt_CuResult r = s->cu.function_set(
      code->function, MT_CU_FUNC_MAX_DYNAMIC_SHARED, (int)shared);
  if (r == MT_CU_OK) code->shared = shared;
  return r;
}

typedef struct Run {
  mt_Server *server;
  mt_CuHandle function;
  const mt_DriverLaunch *launch;
  mt_CudaLaunch *place; /* among the parameters */
  void *parameters[SLOTS];
} Run;

/* The part of the grid from 'origin' on. */
static mt_CuResult launch_part(Run *r, const uint32_t origin[3]) {
  const mt_DriverLaunch *l = r->launch;
  uint32_t n[3];
  for (int d = 0; d < 3; d++) {
    uint32_t left = l->groups[d] - origin[d];
    n[d] = left < most[d] ? left : most[d];
    r->place->origin[d] = origin[d];
  }
  return r->server->cu.launch(r->function, n[0], n[1], n[2], l->block[0],
                              l->block[1], l->block[2], l->shared,
                              r->server->stream, r->parameters, NULL);
}

static mt_CuResult launch_grid(Run *r) {
  const uint32_t *all = r->launch->groups;
  mt_CuResult status = MT_CU_OK;
  for (uint64_t z = 0; z < all[2]; z += most[2])
    for (uint64_t y = 0; y < all[1]; y += most[1])
      for (uint64_t x = 0; x < all[0] && status == MT_CU_OK; x += most[0])
        status = launch_part(r, (uint32_t[3]){(uint32_t)x, (uint32_t)y,
                                              (uint32_t)z});
  return status;
}

static mt_CuResult enqueue(mt_Server *s, Run *r, mt_CuHandle start,
                           mt_CuHandle end) {
  const mt_DriverLaunch *l = r->launch;
  const char *slab = s->channel->bytes + (size_t)l->parameters * 8;
  mt_CuResult status = MT_CU_OK;
  if (l->slab_size)
    status = s->cu.copy_in(l->slab, slab, l->slab_size, s->stream);
  if (status == MT_CU_OK) status = s->cu.event_record(start, s->stream);
  for (uint32_t i = 0; i < l->repeats && status == MT_CU_OK; i++)
    status = launch_grid(r);
  if (status == MT_CU_OK) status = s->cu.event_record(end, s->stream);
  return status;
}

/* The launch in the channel, from event 'start' to event 'end'. */
static mt_CuResult launch_from_channel(mt_Server *s, mt_CuHandle start,
                                       mt_CuHandle end) {
  mt_Channel *c = s->channel;
  mt_ServerCode *code = mt_server_code(s, c->launch.id);
  uint32_t last = c->launch.parameters - sizeof(mt_CudaLaunch) / 8;
  Run r = {s, code ? code->function : NULL, &c->launch,
           (mt_CudaLaunch *)(c->bytes + (size_t)last * 8), {NULL}};
  if (!code || last >= SLOTS) return MT_CU_INVALID_VALUE;
  for (uint32_t i = 0; i <= last; i++)
    r.parameters[i] = c->bytes + (size_t)i * 8;
  mt_CuResult status = allow_shared(s, code, c->launch.shared);
  if (status == MT_CU_OK) status = enqueue(s, &r, start, end);
  return status;
}

static uint64_t nanoseconds(float ms) { return (uint64_t)((double)ms * 1e6); }

mt_CuResult mt_server_launch(mt_Server *s) {
  mt_Channel *c = s->channel;
  float ms = 0;
  mt_CuResult status = launch_from_channel(s, s->start, s->end);
  if (status != MT_CU_OK) {
    s->cu.stream_wait(s->stream); /* for parts that were enqueued */
    return status;
  }
  c->stage = 1;
  status = mt_server_wait(s, s->end);
  if (status == MT_CU_OK) status = s->cu.event_elapsed(&ms, s->start, s->end);
  c->answer = nanoseconds(ms);
  return status;
}

/* -------------------------------------------------------------- a sequence */

/* Count the launches that have ended, of those before number 'count'. */
static mt_CuResult count_finished(mt_Server *s, uint32_t count) {
  mt_Channel *c = s->channel;
  mt_CuResult status = MT_CU_OK;
  while (c->finished < count && status == MT_CU_OK) {
    status = s->cu.event_query(s->marks[2 * c->finished + 1]);
    if (status == MT_CU_OK) c->finished++;
  }
  return status == MT_CU_NOT_READY ? MT_CU_OK : status;
}

/* After launch number 'i' in the stream, its count. Without such memory a fault
** is one of several launches. */
static mt_CuResult count_on_gpu(mt_Server *s, uint64_t i) {
  if (!s->ended) return MT_CU_OK;
  return s->cu.set_words((mt_CuAddress)(uintptr_t)s->ended, (unsigned)i + 1, 1,
                         s->stream);
}

static void begin_sequence(mt_Server *s) {
  void *made = NULL;
  if (!s->ended &&
      s->cu.host_alloc(&made, sizeof *s->ended, MT_CU_HOST_MAPPED) == MT_CU_OK)
    s->ended = made;
  if (s->ended) *s->ended = 0;
  s->channel->finished = 0;
}

/* A launch of the sequence has failed: all before it have ended. */
static mt_CuResult failed(mt_Server *s, mt_CuResult why) {
  mt_Channel *c = s->channel;
  c->stage = 1;
  c->exact = s->ended != NULL;
  if (s->ended && *s->ended > c->finished) c->finished = *s->ended;
  return why;
}

mt_CuResult mt_server_enqueue(mt_Server *s) {
  mt_Channel *c = s->channel;
  uint64_t i = c->number;
  mt_CuResult status = MT_CU_OK;
  if (i >= MT_DRIVER_SEQUENCE) return MT_CU_INVALID_VALUE;
  if (i == 0) begin_sequence(s);
  mt_CuHandle *mark = &s->marks[2 * i];
  for (int k = 0; k < 2 && status == MT_CU_OK; k++)
    if (!mark[k]) status = s->cu.event_new(&mark[k], MT_CU_EVENT_BLOCKING);
  if (status == MT_CU_OK) status = count_finished(s, (uint32_t)i);
  if (status != MT_CU_OK) return failed(s, status); /* one before it */
  status = launch_from_channel(s, mark[0], mark[1]);
  return status == MT_CU_OK ? count_on_gpu(s, i) : status;
}

mt_CuResult mt_server_finish(mt_Server *s) {
  mt_Channel *c = s->channel;
  mt_DriverTime *times = (mt_DriverTime *)c->bytes;
  uint64_t count = c->number;
  mt_CuResult status = MT_CU_OK;
  float ms = 0;
  if (count == 0 || count > MT_DRIVER_SEQUENCE) return MT_CU_INVALID_VALUE;
  c->stage = 1;
  while (c->finished < count && status == MT_CU_OK) {
    status = mt_server_wait(s, s->marks[2 * c->finished + 1]);
    if (status == MT_CU_OK) c->finished++;
  }
  if (status != MT_CU_OK) return failed(s, status);
  for (uint64_t i = 0; i < count && status == MT_CU_OK; i++) {
    const mt_CuHandle *mark = &s->marks[2 * i];
    status = s->cu.event_elapsed(&ms, s->marks[0], mark[0]);
    times[i].start = nanoseconds(ms);
    if (status == MT_CU_OK)
      status = s->cu.event_elapsed(&ms, mark[0], mark[1]);
    times[i].ns = nanoseconds(ms);
  }
  if (status == MT_CU_OK)
    c->answer = times[count - 1].start + times[count - 1].ns;
  return status;
}
