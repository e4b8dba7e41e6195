/*
** serve.c - the driver's process: one command after the other.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/process/worker_process.h"
#include "devices/cuda/driver/command.h"
#include "devices/cuda/driver/server.h"
#include "devices/cuda/driver/shared_memory.h"

#define LEAST_CAPABILITY 70
#define LEAST_DRIVER 11000

/* -------------------------------------------------------------- first words */

static unsigned attribute(const mt_Server *s, int what) {
  int value = 0;
  return s->cu.device_attribute(&value, what, s->device) == MT_CU_OK &&
                 value > 0
             ? (unsigned)value
             : 0;
}

static mt_Status no_gpu(const mt_Server *s, mt_CuResult r, mt_Error *err) {
  char text[MT_CU_TEXT];
  mt_cu_error(&s->cu, r, text);
  switch (r) {
    case MT_CU_NO_DEVICE:
      return mt_error(err, MT_FAIL,
                      "NVIDIA's driver finds no GPU (CUDA error %s): "
                      "nvidia-smi and CUDA_VISIBLE_DEVICES say more", text);
    case MT_CU_STUB_LIBRARY:
      return mt_error(err, MT_FAIL,
                      "libcuda.so.1 is the toolkit's stub, not NVIDIA's driver "
                      "(CUDA error %s): install the driver, or take the stub "
                      "from LD_LIBRARY_PATH", text);
    case MT_CU_DRIVER_MISMATCH:
      return mt_error(err, MT_FAIL,
                      "libcuda.so.1 and the driver in the kernel differ in "
                      "version (CUDA error %s): restart the machine after the "
                      "driver's update", text);
    case MT_CU_SYSTEM_NOT_READY:
      return mt_error(err, MT_FAIL,
                      "the GPU's system is not ready (CUDA error %s): start "
                      "nvidia-fabricmanager", text);
    default:
      return mt_error(err, MT_FAIL,
                      "NVIDIA's driver does not start (CUDA error %s): see "
                      "nvidia-smi", text);
  }
}

static mt_Status check_number(const mt_Server *s, int count, mt_Error *err) {
  if (count == 0) return no_gpu(s, MT_CU_NO_DEVICE, err);
  if ((int)s->number < count) return MT_OK;
  return mt_error(err, MT_BADARG,
                  "there is no GPU %u here: NVIDIA's driver has %d, numbered "
                  "from 0", s->number, count);
}

static mt_Status find_gpu(mt_Server *s, mt_Error *err) {
  int count = 0, version = 0;
  mt_Status status = mt_cu_load(&s->cu, err);
  if (status != MT_OK) return status;
  mt_CuResult r = s->cu.init(0);
  if (r == MT_CU_OK) r = s->cu.driver_version(&version);
  if (r == MT_CU_OK) r = s->cu.device_count(&count);
  if (r != MT_CU_OK) return no_gpu(s, r, err);
  status = check_number(s, count, err);
  if (status != MT_OK) return status;
  r = s->cu.device_get(&s->device, (int)s->number);
  if (r != MT_CU_OK) return no_gpu(s, r, err);
  s->channel->facts.driver = (uint32_t)version;
  if (version < LEAST_DRIVER)
    return mt_error(err, MT_FAIL,
                    "NVIDIA's driver is for CUDA %d.%d; 11.0 or newer is "
                    "needed: update the driver", version / 1000,
                    version % 1000 / 10);
  return MT_OK;
}

static mt_Status read_facts(mt_Server *s, mt_Error *err) {
  mt_GpuFacts *f = &s->channel->facts;
  size_t memory = 0;
  if (s->cu.device_name(f->title, sizeof f->title, s->device) != MT_CU_OK)
    snprintf(f->title, sizeof f->title, "NVIDIA GPU");
  s->cu.device_memory(&memory, s->device);
  f->memory = memory;
  f->capability = 10 * attribute(s, MT_CU_MAJOR) + attribute(s, MT_CU_MINOR);
  f->units = attribute(s, MT_CU_MULTIPROCESSORS);
  f->max_threads = attribute(s, MT_CU_MAX_THREADS);
  for (int i = 0; i < 3; i++)
    f->max_block[i] = attribute(s, MT_CU_MAX_BLOCK_X + i);
  f->warp = attribute(s, MT_CU_WARP);
  f->shared = attribute(s, MT_CU_MAX_SHARED_OPTIN);
  if (f->capability < LEAST_CAPABILITY)
    return mt_error(err, MT_FAIL,
                    "%s has compute capability %u.%u; kernels need 7.0 or "
                    "newer (Volta, of 2017)", f->title, f->capability / 10,
                    f->capability % 10);
  return MT_OK;
}

/* The slow part; the console does not wait for it. */
static mt_CuResult make_context(mt_Server *s) {
  mt_Cu *cu = &s->cu;
  size_t available = 0, total = 0;
  mt_CuResult r = cu->context_retain(&s->context, s->device);
  if (r == MT_CU_OK) r = cu->context_set(s->context);
  if (r == MT_CU_OK) r = cu->stream_new(&s->stream, MT_CU_STREAM_NON_BLOCKING);
  if (r == MT_CU_OK) r = cu->event_new(&s->start, MT_CU_EVENT_BLOCKING);
  if (r == MT_CU_OK) r = cu->event_new(&s->end, MT_CU_EVENT_BLOCKING);
  if (r == MT_CU_OK) r = cu->memory_info(&available, &total);
  s->reserve = available / 10;
  return r;
}

/* ----------------------------------------------------------------- commands */

static mt_CuResult carry_out(mt_Server *s) {
  mt_Channel *c = s->channel;
  switch (c->op) {
    case MT_DRIVER_ALLOC: return mt_server_alloc(s);
    case MT_DRIVER_FREE: return mt_server_free(s);
    case MT_DRIVER_COPY_IN:
    case MT_DRIVER_COPY_OUT:
    case MT_DRIVER_ZERO: return mt_server_copy(s);
    case MT_DRIVER_TEXT: return mt_server_text(s);
    case MT_DRIVER_LOAD: return mt_server_load(s);
    case MT_DRIVER_UNLOAD: return mt_server_unload(s);
    case MT_DRIVER_LINK: return mt_server_link(s);
    case MT_DRIVER_FIT: return mt_server_fit(s);
    case MT_DRIVER_LAUNCH: return mt_server_launch(s);
    case MT_DRIVER_ENQUEUE: return mt_server_enqueue(s);
    case MT_DRIVER_FINISH: return mt_server_finish(s);
    default: return MT_CU_INVALID_VALUE;
  }
}

static void answer(mt_Server *s, uint32_t asked, mt_CuResult r) {
  mt_Channel *c = s->channel;
  c->result = r;
  c->error[0] = 0;
  if (r != MT_CU_OK) mt_cu_error(&s->cu, r, c->error);
  mt_channel_post(&c->answered, asked, &c->console_sleeps);
}

/* Commands until the console kills this process. */
static void serve(mt_Server *s) {
  mt_Channel *c = s->channel;
  mt_CuResult context = MT_CU_NOT_INITIALIZED;
  uint32_t done = 0;
  for (;;) {
    if (!mt_channel_wait(&c->asked, done, &c->process_sleeps, -1)) continue;
    done = atomic_load(&c->asked);
    c->text[0] = 0;
    c->stage = 0;
    if (c->op != MT_DRIVER_HELLO) {
      answer(s, done, context == MT_CU_OK ? carry_out(s) : context);
      continue;
    }
    mt_Error err = {""};
    mt_Status status = find_gpu(s, &err);
    if (status == MT_OK) status = read_facts(s, &err);
    if (status != MT_OK) snprintf(c->text, sizeof c->text, "%s", err.text);
    answer(s, done, status == MT_OK ? MT_CU_OK : MT_CU_NO_DEVICE);
    if (status == MT_OK) context = make_context(s);
  }
}

/* The word: "cuda-gpu NUMBER OFFSET", the GPU and the channel in the shared
** memory. */
/* The console may run under limits, as lessons are checked. What runs here is
** the driver, which reserves far more address space than it uses, and none of
** the person's code: it has the limits that the console was given itself. */
static void lift_limits(void) {
  static const int which[] = {RLIMIT_DATA, RLIMIT_AS, RLIMIT_FSIZE};
  for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
    struct rlimit limit;
    if (getrlimit(which[i], &limit) != 0) continue;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(which[i], &limit);
  }
}

void mt_driver_work(void *context, const void *question, size_t size,
                    mt_Str *reply) {
  static mt_Server server;
  unsigned long long offset = 0;
  mt_Error err;
  (void)question, (void)size, (void)reply;
  lift_limits();
  if (sscanf(context, MT_DRIVER_WORD " %u %llu", &server.number, &offset) != 2)
    return;
  if (mt_shared_memory_map(MT_WORKER_SHARED, &err) != MT_OK) {
    fprintf(stderr, "%s\n", err.text); /* the console reports it */
    exit(1);
  }
  server.channel = mt_shared_memory_at(offset);
  serve(&server);
}

int mt_driver_serve(const char *word) {
  mt_WorkerOptions options = {.unlimited = true, .shared = MT_WORKER_SHARED};
  return mt_worker_process_serve_with(NULL, mt_driver_work, (void *)word,
                                      &options);
}
