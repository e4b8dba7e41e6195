/*
** launch.c - a launch: everything it uses goes to the GPU, it runs, and what it
** may have written is current there alone.
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

/* All that precedes the run itself. */
static mt_Status prepare(mt_Cuda *gpu, const mt_Launch *l, mt_Error *err) {
  mt_CudaKernel *k = (mt_CudaKernel *)l->kernel;
  const mt_CudaLoaded *code;
  uint64_t threads = l->group.x * l->group.y * l->group.z;
  uint64_t log = 0;
  mt_Status status = mt_cuda_awake(gpu, err);
  if (status == MT_OK) status = mt_cuda_code(k, threads, &code, err);
  if (status == MT_OK) status = check_threads(l, &code->facts, err);
  uint64_t id = status == MT_OK ? code->id : 0;
  if (status == MT_OK) status = mt_cuda_arguments_upload(l, err);
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
  mt_Status status = prepare(gpu, l, err);
  if (status == MT_OK) status = run(gpu, l, err);
  if (status == MT_OK) {
    out->device_ns = gpu->driver.channel->answer;
    if (((mt_CudaKernel *)l->kernel)->logs)
      status = mt_cuda_log_end(gpu, l, err);
  }
  out->wall_ns = mt_now_ns() - start;
  return status;
}
