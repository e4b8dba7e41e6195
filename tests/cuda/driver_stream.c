/*
** driver_stream.c - work that waits, streams and events.
**
** Work is done in the order in which it was asked for, when the caller waits
** for it; a query does a little of it. So a caller that reads a result
** without waiting reads what was there before.
*/
#include "tests/cuda/driver.h"
#include "tests/cuda/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLICE 200000 /* warp instructions of one query or between two looks */

uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

Work *work_new(Context *c, Stream *s, int kind) {
  Work *w = calloc(1, sizeof *w);
  w->stream = s;
  w->kind = kind;
  *c->last = w;
  c->last = &w->next;
  return w;
}

static void work_free(Work *w) {
  launch_free(w->launch);
  free(w->copied);
  free(w);
}

void work_drop(Context *c) {
  while (c->first != NULL) {
    Work *w = c->first;
    c->first = w->next;
    if (w->kind == W_EVENT) w->event->pending--;
    work_free(w);
  }
  c->last = &c->first;
}

static void fail(Context *c, int code, const char *why) {
  fprintf(stderr, "cuda stand-in: fault %d: %s\n", code, why);
  c->sticky = code;
  work_drop(c);
}

/* Memory may have been freed since: that is a mistake of the caller's. */
static bool reach(Context *c, const Work *w, uint64_t address, uint8_t **at) {
  *at = memory_at(address, w->size);
  if (*at != NULL) return true;
  Call call = {.name = w->name};
  problem(&call, OK, "0x%llx was freed before this was done",
          (unsigned long long)address);
  fail(c, FAULT_ADDRESS, "copy of freed memory");
  return false;
}

static bool do_work(Context *c, Work *w, uint64_t budget) {
  uint8_t *at, *from;
  switch (w->kind) {
    case W_LAUNCH: {
      uint64_t before = w->launch->steps;
      bool ended = launch_run(w->launch, budget);
      count_steps += w->launch->steps - before;
      if (!ended) return false;
      if (w->launch->fault != 0) {
        fail(c, w->launch->fault, w->launch->why);
        return false;
      }
      return true;
    }
    case W_TO_DEVICE:
      if (!reach(c, w, w->device, &at)) return false;
      memcpy(at, w->copied ? w->copied : w->host, w->size);
      return true;
    case W_TO_HOST:
      if (!reach(c, w, w->device, &at)) return false;
      memcpy(w->host, at, w->size);
      return true;
    case W_ON_DEVICE:
      if (!reach(c, w, w->device, &at) || !reach(c, w, w->device_from, &from))
        return false;
      memmove(at, from, w->size);
      return true;
    case W_SET:
      if (!reach(c, w, w->device, &at)) return false;
      for (uint64_t k = 0; k < w->size; k += w->value_size)
        memcpy(at + k, &w->value, w->value_size);
      return true;
    default:
      w->event->ns = now_ns();
      if (--w->event->pending == 0) w->event->done = true;
      return true;
  }
}

static bool step(Context *c, uint64_t budget) {
  Work *w = c->first;
  if (w == NULL) return false;
  if (do_work(c, w, budget)) {
    c->first = w->next;
    if (c->first == NULL) c->last = &c->first;
    work_free(w);
  }
  return true;
}

bool work_step(Context *c) { return step(c, SLICE); }

static bool waits(const Context *c, const Stream *s, bool all) {
  for (const Work *w = c->first; w != NULL; w = w->next)
    if (all || w->stream == s) return true;
  return false;
}

CUresult work_finish(Call *call, Stream *s, bool all) {
  Context *c = call->context;
  while (c->sticky == OK && waits(c, s, all)) {
    step(c, SLICE * 10);
    unlock_a_moment();
  }
  return c->sticky;
}

/* ------------------------------------------------------------------ streams */

static CUresult stream_of(Call *c, Stream *given, Stream **out) {
  CUresult error = OK;
  *out = NULL;
  if (given == NULL || given == (Stream *)1 || given == (Stream *)2) return OK;
  *out = need_object(c, given, OBJ_STREAM, &error);
  return error;
}

API cuStreamCreate(Stream **out, unsigned flags) {
  BEGIN(0);
  NEED(out != NULL && flags <= 1, INVALID_VALUE, "flags 0x%x", flags);
  *out = (Stream *)object_new(OBJ_STREAM, sizeof **out, call.context);
  return OK;
}

API cuStreamCreateWithPriority(Stream **out, unsigned flags, int priority) {
  (void)priority;
  return cuStreamCreate(out, flags);
}

API cuStreamDestroy_v2(Stream *s) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, s, OBJ_STREAM, &error) == NULL) return error;
  /* the driver finishes what is in it */
  error = work_finish(&call, s, false);
  s->head.alive = false;
  return error;
}

API cuStreamSynchronize(Stream *given) {
  BEGIN(0);
  Stream *s;
  CUresult error = stream_of(&call, given, &s);
  return error ? error : work_finish(&call, s, s == NULL);
}

API cuStreamQuery(Stream *given) {
  BEGIN(0);
  Stream *s;
  CUresult error = stream_of(&call, given, &s);
  if (error) return error;
  if (waits(call.context, s, s == NULL)) step(call.context, SLICE);
  if (call.context->sticky) return call.context->sticky;
  return waits(call.context, s, s == NULL) ? NOT_READY : OK;
}

API cuStreamWaitEvent(Stream *given, Event *e, unsigned flags) {
  BEGIN(0);
  Stream *s;
  CUresult error = stream_of(&call, given, &s);
  if (error) return error;
  if (need_object(&call, e, OBJ_EVENT, &error) == NULL) return error;
  NEED(flags <= 1, INVALID_VALUE, "flags 0x%x", flags);
  return OK; /* all work is done in its order */
}

/* ------------------------------------------------------------------- events */

API cuEventCreate(Event **out, unsigned flags) {
  BEGIN(0);
  NEED(out != NULL && (flags & ~7u) == 0, INVALID_VALUE, "flags 0x%x", flags);
  *out = (Event *)object_new(OBJ_EVENT, sizeof **out, call.context);
  (*out)->timed = !(flags & 2);
  return OK;
}

API cuEventDestroy_v2(Event *e) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, e, OBJ_EVENT, &error) == NULL) return error;
  e->head.alive = false;
  return OK;
}

API cuEventRecord(Event *e, Stream *given) {
  BEGIN(0);
  Stream *s;
  CUresult error = stream_of(&call, given, &s);
  if (error) return error;
  if (need_object(&call, e, OBJ_EVENT, &error) == NULL) return error;
  e->recorded = true;
  e->done = false;
  e->pending++;
  work_new(call.context, s, W_EVENT)->event = e;
  return OK;
}

API cuEventQuery(Event *e) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, e, OBJ_EVENT, &error) == NULL) return error;
  NEED(e->recorded, INVALID_HANDLE, "the event was not recorded");
  if (!e->done) step(call.context, SLICE);
  if (call.context->sticky) return call.context->sticky;
  return e->done ? OK : NOT_READY;
}

API cuEventSynchronize(Event *e) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, e, OBJ_EVENT, &error) == NULL) return error;
  NEED(e->recorded, INVALID_HANDLE, "the event was not recorded");
  while (!e->done && call.context->sticky == OK) {
    step(call.context, SLICE * 10);
    unlock_a_moment();
  }
  return call.context->sticky;
}

API cuEventElapsedTime(float *ms, Event *a, Event *b) {
  BEGIN(0);
  CUresult error = OK;
  if (need_object(&call, a, OBJ_EVENT, &error) == NULL ||
      need_object(&call, b, OBJ_EVENT, &error) == NULL)
    return error;
  NEED(ms != NULL, INVALID_VALUE, "no place for the time");
  NEED(a->timed && b->timed, INVALID_HANDLE, "an event was made without times");
  NEED(a->recorded && b->recorded, INVALID_HANDLE, "an event was not recorded");
  if (!a->done || !b->done)
    return problem(&call, NOT_READY, "nobody waited for the events");
  *ms = (float)(((double)b->ns - (double)a->ns) * 1e-6);
  return OK;
}
