/*
** process.c - starts, asks and kills the driver's process, see process.h.
**
** The one idea: the process is a worker (base/process/worker_process.h) that is
** asked a single question and never answers it; commands go through shared
** memory. The worker's socket tells that it has ended.
*/
#include "devices/cuda/driver/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/notice.h"
#include "devices/cuda/driver/shared_memory.h"

#define TICK_MS 5
#define NOTICE_NS 1000000000u

static const mt_Question begin = {.bytes = "serve", .size = 5};

static mt_Status no_process(mt_Error *err) {
  return mt_error(err, MT_FAIL,
                  "the process for NVIDIA's driver cannot be started%s",
                  getenv("METTLE_WORKER") ? ": METTLE_WORKER must be copy or "
                                           "program, or not set"
                                         : "");
}

static mt_Status make_channel(mt_Driver *d, mt_Error *err) {
  if (!d->channel) d->channel = mt_shared_memory_new(sizeof *d->channel);
  if (!d->channel)
    return mt_error(err, MT_FAIL, "no shared memory for the GPU's process");
  memset(d->channel, 0, offsetof(mt_Channel, bytes));
  return MT_OK;
}

static void post(mt_Driver *d, mt_DriverOp op) {
  mt_Channel *c = d->channel;
  c->op = op;
  mt_channel_post(&c->asked, atomic_load(&c->asked) + 1, &c->process_sleeps);
}

static mt_WorkerProcess *new_process(mt_Driver *d, int shared) {
  mt_WorkerOptions options = {
      .fresh = true, .unlimited = true, .shared = shared};
  return mt_worker_process_new_with(NULL, mt_driver_work, d->word, d->word,
                                    &options);
}

void mt_driver_provide(mt_Driver *d) {
  int shared;
  mt_Error ignored;
  if (!d->process || mt_shared_memory_open(&shared, &ignored) != MT_OK) return;
  while (d->spares < MT_DRIVER_SPARES) {
    mt_WorkerProcess *one = new_process(d, shared);
    if (!one) return;
    d->spare[d->spares++] = one;
  }
}

mt_Status mt_driver_start(mt_Driver *d, mt_Error *err) {
  int shared;
  if (d->process && mt_worker_process_usable(d->process)) return MT_OK;
  if (d->process && d->greeted)
    mt_warning("the process of NVIDIA's driver has ended and is started again; "
               "buffers keep what the CPU last saw");
  mt_driver_kill(d);
  mt_Status status = mt_shared_memory_open(&shared, err);
  if (status == MT_OK) status = make_channel(d, err);
  if (status != MT_OK) return status;
  snprintf(d->word, sizeof d->word, MT_DRIVER_WORD " %u %llu", d->number,
           (unsigned long long)mt_shared_memory_offset(d->channel));
  d->process =
      d->spares ? d->spare[--d->spares] : new_process(d, shared);
  if (!d->process) return no_process(err);
  status = mt_worker_process_send(d->process, &begin, err);
  if (status != MT_OK) return mt_driver_kill(d), status;
  post(d, MT_DRIVER_HELLO);
  return MT_OK;
}

void mt_driver_kill(mt_Driver *d) {
  mt_worker_process_free(d->process);
  d->process = NULL;
  d->greeted = false;
}

void mt_driver_close(mt_Driver *d) {
  mt_driver_kill(d);
  while (d->spares) mt_worker_process_free(d->spare[--d->spares]);
  mt_shared_memory_free(d->channel, sizeof *d->channel);
  d->channel = NULL;
}

/* ------------------------------------------------------------------ waiting */

static mt_Status died(mt_Driver *d, mt_Error *err) {
  mt_Error how = {""};
  mt_Str nothing = MT_STR_INIT;
  mt_worker_process_receive(d->process, &begin, &nothing, &how);
  mt_str_free(&nothing);
  mt_driver_kill(d);
  return mt_error(err, MT_FAIL, "the process of NVIDIA's driver has ended: %s",
                  how.text);
}

/* Why it should not be waited for any longer; MT_OK: go on. */
static mt_Status patience(const mt_DriverWait *w, uint64_t start,
                          uint64_t *cancelled) {
  uint64_t now = mt_now_ns();
  if (mt_cancelled()) {
    if (*cancelled == 0) *cancelled = now;
    if ((double)(now - *cancelled) * 1e-9 >= w->grace) return MT_CANCELLED;
  }
  if (w->limit > 0 && (double)(now - start) * 1e-9 > w->limit)
    return MT_TIMEOUT;
  return MT_OK;
}

static mt_Status await(mt_Driver *d, const mt_DriverWait *w, mt_Error *err) {
  mt_Channel *c = d->channel;
  uint32_t asked = atomic_load(&c->asked), old;
  uint64_t start = mt_now_ns(), cancelled = 0;
  mt_Status status = MT_OK;
  bool shown = false;
  while ((old = atomic_load(&c->answered)) != asked && status == MT_OK) {
    if (mt_channel_wait(&c->answered, old, &c->console_sleeps, TICK_MS))
      continue;
    if (mt_worker_process_answers(d->process)) {
      status = died(d, err);
      break;
    }
    status = patience(w, start, &cancelled);
    if (w->notice && !shown && mt_now_ns() - start > NOTICE_NS)
      mt_notice(w->notice), shown = true;
  }
  if (shown) mt_notice(NULL);
  if (status == MT_CANCELLED || status == MT_TIMEOUT) {
    mt_driver_kill(d);
    mt_error(err, status,
             status == MT_CANCELLED ? "interrupted" : "it took too long");
  }
  return status;
}

mt_Status mt_driver_ready(mt_Driver *d, mt_Error *err) {
  static const mt_DriverWait wait = {.limit = 60, .notice = "starting the GPU"};
  mt_Status status = mt_driver_start(d, err);
  if (status != MT_OK || d->greeted) return status;
  status = await(d, &wait, err);
  if (status == MT_TIMEOUT)
    return mt_error(err, MT_FAIL,
                    "NVIDIA's driver did not start within %g s: see nvidia-smi",
                    wait.limit);
  if (status != MT_OK) return status;
  if (d->channel->result != MT_CU_OK) {
    mt_error(err, MT_FAIL, "%s", d->channel->text);
    mt_driver_kill(d);
    return MT_FAIL;
  }
  d->facts = d->channel->facts;
  d->greeted = true;
  d->generation++;
  return MT_OK;
}

mt_Status mt_driver_ask(mt_Driver *d, mt_DriverOp op, const mt_DriverWait *w,
                        mt_Error *err) {
  if (!d->process || !d->greeted)
    return mt_error(err, MT_FAIL, "the process of NVIDIA's driver has ended");
  post(d, op);
  return await(d, w, err);
}
