/*
** cuda.c - the cuda device: runs kernels on an NVIDIA GPU.
**
** Opening it looks for the driver's library and starts the driver's process. It
** waits for the GPU's name and limits only if no earlier session knows them;
** the context is made while the console goes on. The compiler is in host.so,
** loaded at the first compile.
*/
#include "devices/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/cuda/driver/shared_memory.h"
#include "devices/cuda/gpu.h"
#include "devices/doctor.h"

static mt_CompilerHalf half = {.symbol = "mt_cuda_engine"};
extern const mt_DeviceOps mt_cuda_ops; /* at the end of this file */

/* --------------------------------------------------------------- the module */

static bool serve(const char *word, int *status) {
  if (mt_starts(word, MT_DRIVER_WORD)) *status = mt_driver_serve(word);
  else if (mt_starts(word, MT_CUDA_WORD))
    *status = mt_compiler_serve(&half, word);
  else return false;
  return true;
}

/* --------------------------------------------------------------- the device */

unsigned mt_cuda_capability(const mt_Device *dev) {
  return ((const mt_Cuda *)dev)->said.capability;
}

/* Is it the GPU that the session began with? 'unused' and the driver's version
** may differ. */
static bool is_same(const mt_GpuFacts *a, const mt_GpuFacts *b) {
  return strcmp(a->title, b->title) == 0 && a->capability == b->capability &&
         a->max_threads == b->max_threads && a->shared == b->shared &&
         a->memory == b->memory && a->warp == b->warp;
}

mt_Status mt_cuda_awake(mt_Cuda *gpu, mt_Error *err) {
  mt_Driver *d = &gpu->driver;
  bool first = d->generation == 0;
  mt_Status status = mt_driver_ready(d, err);
  if (!first) return status;
  bool same = status == MT_OK && is_same(&gpu->said, &d->facts);
  if (same || status == MT_CANCELLED) return status;
  mt_cuda_unlearn(d->number); /* the next session asks the driver itself */
  if (status != MT_OK) return status;
  mt_driver_kill(d);
  d->generation = 0;
  return mt_error(err, MT_FAIL,
                  "the GPU is %s now and was %s in the last session: start "
                  "Mettle again", d->facts.title, gpu->said.title);
}

mt_Status mt_cuda_check(mt_Device *dev, mt_Error *err) {
  return mt_cuda_awake((mt_Cuda *)dev, err);
}

/* The doctor's line. */
static void look(mt_Device *dev, const mt_Error *why, mt_Diagnosis *out) {
  mt_Error err;
  if (!dev || mt_cuda_check(dev, &err) != MT_OK) {
    mt_doctor_note(out, MT_KNOW, "%s", dev ? err.text : why->text);
    return;
  }
  mt_doctor_note(out, MT_GOOD, "%s, %.1f GB for buffers; %s",
                 dev->info.title, (double)dev->info.memory / 1073741824.0,
                 dev->info.how);
}

static const mt_DoctorLine doctor[] = {{"CUDA", look}, {NULL, NULL}};

static void ready(mt_Device *dev) {
  mt_Error ignored;
  mt_compiler_ahead();
  mt_driver_start(&((mt_Cuda *)dev)->driver, &ignored);
  mt_compiler_need(&half, &ignored);
}

/* A process that is started later would be confined, too, and NVIDIA's driver
** does not start where it may not write below /proc. */
static void confining(mt_Device *dev) {
  mt_driver_provide(&((mt_Cuda *)dev)->driver);
}

static void messages(mt_Device *dev, mt_Str *out) {
  mt_messages_take(&((mt_Cuda *)dev)->messages, out);
}

static void close_gpu(mt_Device *dev) {
  mt_Cuda *gpu = (mt_Cuda *)dev;
  if (!gpu) return;
  mt_driver_close(&gpu->driver);
  mt_cuda_log_free(gpu);
  mt_messages_free(&gpu->messages);
  free(gpu->slab_bytes);
  free(gpu->loaded);
  free(gpu);
}

/* Memory is mirrored: what does not fit on the CPU does not fit at all. */
static uint64_t memory_for_buffers(const mt_GpuFacts *f) {
  uint64_t here = (uint64_t)sysconf(_SC_PHYS_PAGES) *
                  (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t there = f->memory / 10 * 9;
  return here < there ? here : there;
}

static void describe(mt_Cuda *gpu) {
  const mt_GpuFacts *f = &gpu->said;
  uint64_t memory = memory_for_buffers(f);
  snprintf(gpu->how, sizeof gpu->how,
           "LLVM compiles MSL to PTX; compute capability %u.%u, driver for "
           "CUDA %u.%u", f->capability / 10, f->capability % 10,
           f->driver / 1000, f->driver % 1000 / 10);
  gpu->head.ops = &mt_cuda_ops;
  gpu->head.info = (mt_DeviceInfo){
      .name = gpu->name, .title = f->title, .how = gpu->how, .is_gpu = true,
      .unified_memory = false, .units = f->units, .simd_width = f->warp,
      .max_threads_per_group = f->max_threads,
      .max_group = {f->max_threads, f->max_threads, f->max_threads},
      .max_threadgroup_memory = f->shared, .max_buffer = memory,
      .memory = memory, .max_buffers = 31, .max_textures = 128,
      .max_samplers = 16};
}

/* Learn what the GPU is: from an earlier session, while the driver starts, or
** from the driver. */
static mt_Status meet(mt_Cuda *gpu, mt_Error *err) {
  mt_Driver *d = &gpu->driver;
  if (mt_cuda_recall(d->number, &gpu->said)) return mt_driver_start(d, err);
  mt_Status status = mt_driver_ready(d, err);
  if (status != MT_OK) return status;
  gpu->said = d->facts;
  mt_cuda_remember(d->number, &d->facts);
  return MT_OK;
}

static mt_Status open_unit(unsigned number, mt_Device **out, mt_Error *err) {
  mt_Status status = mt_cuda_find(err);
  if (status != MT_OK) return status;
  mt_Cuda *gpu = calloc(1, sizeof *gpu);
  if (gpu) gpu->slab_bytes = malloc(MT_CUDA_SLAB);
  if (!gpu || !gpu->slab_bytes) {
    free(gpu);
    return mt_error(err, MT_FAIL, "out of memory");
  }
  gpu->driver.number = number;
  if (number) snprintf(gpu->name, sizeof gpu->name, "cuda:%u", number % 1000);
  else snprintf(gpu->name, sizeof gpu->name, "cuda");
  status = meet(gpu, err);
  if (status != MT_OK) {
    close_gpu(&gpu->head);
    return status;
  }
  describe(gpu);
  *out = &gpu->head;
  return MT_OK;
}

static mt_Status open_first(mt_Device **out, mt_Error *err) {
  return open_unit(0, out, err);
}

/* ------------------------------------------------------------------- table */

const mt_DeviceOps mt_cuda_ops = {
    .entry = {.name = "cuda", .what = "an NVIDIA GPU, by CUDA's driver"},
    .open = open_first,
    .open_unit = open_unit,
    .units = mt_cuda_count,
    .find = mt_cuda_find,
    .close = close_gpu,
    .compiler = &half,
    .library_new = mt_compiler_library_new,
    .library_free = mt_compiler_library_free,
    .kernel_new = mt_compiler_kernel_new,
    .kernel_free = mt_compiler_kernel_free,
    .kernel_listing = mt_compiler_kernel_listing,
    .buffer_new = mt_cuda_buffer_new,
    .buffer_free = mt_cuda_buffer_free,
    .buffer_access = mt_cuda_buffer_access,
    .texture_new = mt_cuda_texture_new,
    .texture_free = mt_cuda_texture_free,
    .texture_write = mt_cuda_texture_write,
    .texture_read = mt_cuda_texture_read,
    .launch = mt_cuda_launch,
    .commands = mt_cuda_commands,
    .messages = messages,
    .ready = ready,
    .confining = confining,
    .serve = serve,
    .doctor = doctor,
};
