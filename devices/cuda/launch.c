/*
** launch.c - a launch: everything it uses goes to the GPU, it runs, and what it
** may have written is current there alone. The launches of a command buffer go
** to one stream, which is waited for at their end.
**
** The console waits on shared memory for the driver's process (driver/), and
** looks for Ctrl-C and the time limit meanwhile: both end that process.
*/
#include "base/clock.h"
#include "devices/cuda/gpu.h"

/* A kernel that is about to end may do so. */
#define GRACE 0.05

static mt_Status check_threads(const mt_Launch *l, const mt_GpuCodeFacts *f,
                               mt_Error *err) {
  uint64_t threads = l->group.x * l->group.y * l->group.z;
  if (threads <= f->max_threads) return MT_OK;
  return mt_error(err, MT_BADARG,
                  "%s: %llu threads in a threadgroup are too many: this kernel "
                  "takes at most %u on %s (it uses many registers, or its "
                  "source sets the limit)", l->kernel->info.name,
                  (unsigned long long)threads, f->max_threads,
                  l->kernel->device->info.name);
}

/* Its code and all that it uses are on the GPU. */
static mt_Status get_ready(mt_Cuda *gpu, const mt_Launch *l, mt_Error *err) {
  const mt_CudaLoaded *code;
  mt_Status status = mt_cuda_awake(gpu, err);
  if (status == MT_OK) status = mt_cuda_code(l, &code, err);
  if (status == MT_OK) status = check_threads(l, &code->facts, err);
  if (status == MT_OK) status = mt_cuda_arguments_upload(l, err);
  return status;
}

/* Then: its arguments are in the channel. */
static mt_Status bind(mt_Cuda *gpu, const mt_Launch *l, mt_Error *err) {
  mt_CudaKernel *k = (mt_CudaKernel *)l->kernel;
  const mt_CudaLoaded *code;
  uint64_t log = 0;
  mt_Status status = mt_cuda_code(l, &code, err);
  uint64_t id = status == MT_OK ? code->id : 0;
  if (status == MT_OK && k->logs) status = mt_cuda_log_begin(gpu, &log, err);
  if (status == MT_OK) status = mt_cuda_arguments_bind(l, id, log, err);
  return status;
}

static mt_Status run(mt_Cuda *gpu, const mt_Launch *l, mt_Error *err) {
  mt_DriverWait wait = {.limit = l->time_limit, .grace = GRACE};
  const char *name = l->kernel->info.name;
  mt_Status status = mt_driver_ask(&gpu->driver, MT_DRIVER_LAUNCH, &wait, err);
  if (status != MT_OK)
    return mt_cuda_stopped(name, l->time_limit, status, err);
  mt_cuda_arguments_written(l);
  if (gpu->driver.channel->result == MT_CU_OK) return MT_OK;
  return mt_cuda_fault(gpu, name, "be launched", err);
}

mt_Status mt_cuda_launch(const mt_Launch *l, mt_Timing *out, mt_Error *err) {
  mt_Cuda *gpu = (mt_Cuda *)l->kernel->device;
  uint64_t start = mt_now_ns();
  mt_Status status = get_ready(gpu, l, err);
  if (status == MT_OK) status = bind(gpu, l, err);
  if (status == MT_OK) status = run(gpu, l, err);
  if (status == MT_OK) {
    out->device_ns = gpu->driver.channel->answer;
    if (((mt_CudaKernel *)l->kernel)->logs)
      status = mt_cuda_log_end(gpu, l, err);
  }
  out->wall_ns = mt_now_ns() - start;
  return status;
}

/* -------------------------------------------------------------- a sequence */

/* Launches that the stream gets without a wait in between: 'count' from 'first'
** on. */
typedef struct Chunk {
  mt_Cuda *gpu;
  const mt_Commands *commands;
  size_t first, count;
  uint64_t began; /* when all began, by the CPU's clock */
} Chunk;

static const mt_Launch *launch_at(const Chunk *k, size_t i) {
  return &k->commands->list[k->first + i].launch;
}

static double time_left(const Chunk *k) {
  double limit = k->commands->time_limit;
  double left = limit - (double)(mt_now_ns() - k->began) * 1e-9;
  return limit <= 0 ? 0 : left > 1e-3 ? left : 1e-3;
}

/* The stream had 'enqueued' launches when one failed: the first that did not
** end, if the GPU could count them; else that one or a later one. */
static mt_Status faulted(const Chunk *k, size_t enqueued, size_t *failed,
                         mt_Error *err) {
  size_t done = k->gpu->driver.channel->finished;
  if (done >= enqueued) done = enqueued - 1;
  const char *name = launch_at(k, done)->kernel->info.name;
  bool known = k->gpu->driver.channel->exact || done + 1 == enqueued;
  *failed = known ? k->first + done : k->commands->count;
  mt_Status status =
      mt_cuda_fault(k->gpu, known ? name : NULL, "be launched", err);
  if (known) return status;
  mt_Error said = *err;
  return mt_error(err, status, "launch %zu of %zu (%s) or one after it: %s",
                  k->first + done + 1, k->commands->count, name, said.text);
}

static mt_Status stopped(const Chunk *k, size_t *failed, mt_Status status,
                         mt_Error *err) {
  size_t done = k->gpu->driver.channel->finished;
  if (done >= k->count) done = k->count - 1;
  *failed = k->first + done;
  return mt_cuda_stopped(launch_at(k, done)->kernel->info.name,
                         k->commands->time_limit, status, err);
}

/* Enqueue the launches one by one; nothing else is asked of the driver in
** between, unless a constant was written by one before. */
static mt_Status enqueue(const Chunk *k, size_t *failed, mt_Error *err) {
  mt_Driver *d = &k->gpu->driver;
  mt_DriverWait wait = {.limit = time_left(k), .grace = GRACE};
  for (size_t i = 0; i < k->count; i++) {
    const mt_Launch *l = launch_at(k, i);
    *failed = k->first + i;
    mt_Status status = bind(k->gpu, l, err);
    if (status != MT_OK) return status;
    d->channel->number = i;
    status = mt_driver_ask(d, MT_DRIVER_ENQUEUE, &wait, err);
    if (status != MT_OK) return stopped(k, failed, status, err);
    mt_cuda_arguments_written(l);
    if (d->channel->result == MT_CU_OK) continue;
    if (d->channel->stage == 1 && i > 0) return faulted(k, i, failed, err);
    return mt_cuda_fault(k->gpu, l->kernel->info.name, "be launched", err);
  }
  return MT_OK;
}

static mt_Status finish(const Chunk *k, mt_Timing *whole, mt_Timing *each,
                        size_t *failed, mt_Error *err) {
  mt_Driver *d = &k->gpu->driver;
  mt_DriverWait wait = {.limit = time_left(k), .grace = GRACE};
  d->channel->number = k->count;
  mt_Status status = mt_driver_ask(d, MT_DRIVER_FINISH, &wait, err);
  if (status != MT_OK) return stopped(k, failed, status, err);
  if (d->channel->result != MT_CU_OK) return faulted(k, k->count, failed, err);
  const mt_DriverTime *times = (const mt_DriverTime *)d->channel->bytes;
  for (size_t i = 0; i < k->count; i++) {
    each[k->first + i].device_ns = times[i].ns;
    each[k->first + i].start_ns = whole->device_ns + times[i].start;
  }
  whole->device_ns += d->channel->answer;
  return MT_OK;
}

static mt_Status run_chunk(const Chunk *k, mt_Timing *whole, mt_Timing *each,
                           size_t *failed, mt_Error *err) {
  mt_Status status = MT_OK;
  for (size_t i = 0; i < k->count && status == MT_OK; i++) {
    *failed = k->first + i;
    status = get_ready(k->gpu, launch_at(k, i), err);
  }
  if (status == MT_OK) status = enqueue(k, failed, err);
  if (status == MT_OK) status = finish(k, whole, each, failed, err);
  return status;
}

/* Messages are read after each launch: one that may have some is alone. */
static mt_Status run_alone(const Chunk *k, mt_Timing *whole, mt_Timing *each,
                           size_t *failed, mt_Error *err) {
  mt_Launch l = *launch_at(k, 0);
  l.time_limit = time_left(k);
  *failed = k->first;
  mt_Status status = mt_cuda_launch(&l, &each[k->first], err);
  each[k->first].start_ns = whole->device_ns;
  each[k->first].wall_ns = 0;
  whole->device_ns += each[k->first].device_ns;
  return status;
}

mt_Status mt_cuda_commands(const mt_Commands *c, mt_Timing *whole,
                           mt_Timing *each, size_t *failed, mt_Error *err) {
  Chunk k = {.gpu = (mt_Cuda *)c->list[0].launch.kernel->device,
             .commands = c, .began = mt_now_ns()};
  mt_Status status = MT_OK;
  while (k.first < c->count && status == MT_OK) {
    bool logs = ((mt_CudaKernel *)launch_at(&k, 0)->kernel)->logs;
    k.count = 1;
    while (!logs && k.first + k.count < c->count &&
           k.count < MT_DRIVER_SEQUENCE &&
           !((mt_CudaKernel *)launch_at(&k, k.count)->kernel)->logs)
      k.count++;
    status = (logs ? run_alone : run_chunk)(&k, whole, each, failed, err);
    k.first += k.count;
  }
  whole->wall_ns = mt_now_ns() - k.began;
  return status;
}
