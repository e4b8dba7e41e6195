/*
** code.c - a kernel's code on the GPU: loaded when first launched, and again by
** each new process of the driver.
**
** The driver's compiler gives a thread as many registers as it likes. If then a
** threadgroup of the launch's size does not fit, the code is compiled once more
** for that size.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/cuda/driver/shared_memory.h"
#include "devices/cuda/gpu.h"

#define LANES 32
#define REGISTERS 65536 /* of a multiprocessor, since compute capability 3.0 */

/* The driver's own compiler may take minutes for a very large kernel. */
static const mt_DriverWait compiling = {
    .grace = 0.2, .notice = "NVIDIA's driver compiles the kernel"};

static mt_CudaLoaded *find(mt_Cuda *gpu, uint64_t id) {
  if (gpu->loaded_generation != gpu->driver.generation) gpu->loaded_count = 0;
  gpu->loaded_generation = gpu->driver.generation;
  for (size_t i = gpu->loaded_count; i-- > 0;)
    if (gpu->loaded[i].id == id) return &gpu->loaded[i];
  return NULL;
}

static mt_CudaLoaded *remember(mt_Cuda *gpu, uint64_t id, uint64_t kernel) {
  if (gpu->loaded_count == gpu->loaded_room) {
    size_t room = gpu->loaded_room ? 2 * gpu->loaded_room : 16;
    mt_CudaLoaded *more = realloc(gpu->loaded, room * sizeof *more);
    if (!more) return NULL;
    gpu->loaded = more;
    gpu->loaded_room = room;
  }
  mt_CudaLoaded *one = &gpu->loaded[gpu->loaded_count++];
  *one = (mt_CudaLoaded){.id = id, .kernel = kernel};
  return one;
}

/* "7.8" of ".version 7.8" as the CUDA that has it: 11.8. */
static void needed(const mt_CudaCode *code, char out[16]) {
  const char *at = strstr(code->ptx, ".version ");
  unsigned major = 0, minor = 0;
  snprintf(out, 16, "?");
  if (at && sscanf(at, ".version %u.%u", &major, &minor) == 2 && major >= 7)
    snprintf(out, 16, "%u.%u", (major + 4) % 100, minor % 100);
}

static mt_Status cannot_load(mt_Cuda *gpu, const mt_CudaKernel *k,
                             const mt_CudaCode *code, mt_Error *err) {
  const mt_Channel *c = gpu->driver.channel;
  const char *name = k->head.info.name;
  unsigned driver = gpu->driver.facts.driver;
  char wanted[16];
  needed(code, wanted);
  if (c->result == MT_CU_UNSUPPORTED_PTX || c->result == MT_CU_NO_BINARY)
    return mt_error(
        err, MT_FAIL,
        "kernel '%s' needs a newer NVIDIA driver, for CUDA %s: this "
        "one is for %u.%u (CUDA error %s)",
        name, wanted, driver / 1000, driver % 1000 / 10, c->error);
  if (c->result == MT_CU_INVALID_PTX)
    return mt_error(
        err, MT_FAIL,
        "NVIDIA's driver, for CUDA %u.%u, refuses the code of kernel "
        "'%s' (CUDA error %s): %.*s",
        driver / 1000, driver % 1000 / 10, name, c->error,
        (int)strcspn(c->text, "\n"),
        c->text[0] ? c->text : "it gives no reason");
  return mt_cuda_fault(gpu, name, "load its code", err);
}

static mt_Status load(mt_Cuda *gpu, const mt_CudaKernel *k,
                      const mt_CudaCode *code, uint64_t id, uint32_t registers,
                      mt_Error *err) {
  mt_Channel *c = gpu->driver.channel;
  char *text = mt_shared_memory_new(code->size + 1);
  if (!text) return mt_error(err, MT_FAIL, "out of memory");
  memcpy(text, code->ptx, code->size);
  text[code->size] = 0;
  c->load = (mt_DriverLoad){id, mt_shared_memory_offset(text), code->size,
                            registers};
  mt_Status status =
      mt_driver_ask(&gpu->driver, MT_DRIVER_LOAD, &compiling, err);
  mt_shared_memory_free(text, code->size + 1);
  if (status != MT_OK)
    return mt_cuda_stopped(k->head.info.name, 0, status, err);
  return c->result == MT_CU_OK ? MT_OK : cannot_load(gpu, k, code, err);
}

/* The code with at most so many registers. */
static mt_Status need(mt_Cuda *gpu, const mt_CudaKernel *k,
                      const mt_CudaCode *code, uint32_t registers,
                      mt_CudaLoaded **out, mt_Error *err) {
  uint64_t id = code->id ^ registers * 0x9e3779b97f4a7c15u;
  *out = find(gpu, id);
  if (*out) return MT_OK;
  mt_Status status = load(gpu, k, code, id, registers, err);
  if (status != MT_OK) return status;
  *out = remember(gpu, id, k->whole.id);
  if (!*out) return mt_error(err, MT_FAIL, "out of memory");
  (*out)->facts = gpu->driver.channel->code;
  return MT_OK;
}

/* Registers come in eights, for four warps at a time. */
static uint32_t registers_for(uint64_t threads) {
  return REGISTERS / (uint32_t)((threads + 127) / 128 * 128) / 8 * 8;
}

/* Are all threadgroups whole, each a block of its shape with full SIMD-groups,
** in one part (abi/launch.h)? */
static bool is_whole(const mt_Cuda *gpu, const mt_Launch *l) {
  static const uint32_t most[3] = MT_DRIVER_GROUPS;
  mt_Extent e = mt_launch_extent(l);
  for (int i = 0; i < 3; i++)
    if (e.threads[i] % e.group[i] || e.groups[i] > most[i]) return false;
  return e.group[0] * e.group[1] * e.group[2] % LANES == 0 &&
         e.group[2] <= gpu->driver.facts.max_block[2];
}

mt_Status mt_cuda_code(const mt_Launch *l, const mt_CudaLoaded **out,
                       mt_Error *err) {
  mt_CudaKernel *k = (mt_CudaKernel *)l->kernel;
  mt_Cuda *gpu = (mt_Cuda *)k->head.device;
  uint64_t threads = l->group.x * l->group.y * l->group.z;
  const mt_CudaCode *code = is_whole(gpu, l) ? &k->whole : &k->any;
  mt_CudaLoaded *found;
  mt_Status status = code->ptx ? MT_OK : k->make_any(k, err);
  if (status == MT_OK) status = need(gpu, k, code, 0, &found, err);
  if (status == MT_OK && found->facts.max_threads < threads &&
      threads <= k->head.info.max_threads)
    status = need(gpu, k, code, registers_for(threads), &found, err);
  if (status == MT_OK) *out = found;
  return status;
}

void mt_cuda_forget(mt_CudaKernel *k) {
  mt_Cuda *gpu = (mt_Cuda *)k->head.device;
  mt_Error ignored;
  if (!gpu) return; /* it was never complete */
  find(gpu, k->whole.id);
  for (size_t i = gpu->loaded_count; i-- > 0;) {
    if (gpu->loaded[i].kernel != k->whole.id) continue;
    gpu->driver.channel->number = gpu->loaded[i].id;
    gpu->loaded[i] = gpu->loaded[--gpu->loaded_count];
    if (gpu->driver.greeted)
      mt_driver_ask(&gpu->driver, MT_DRIVER_UNLOAD, &compiling, &ignored);
  }
}

/* How many threadgroups of that size fit on a multiprocessor. */
static mt_Status fit(mt_Cuda *gpu, const mt_CudaKernel *k, unsigned threads,
                     uint64_t *out, mt_Error *err) {
  mt_Channel *c = gpu->driver.channel;
  uint32_t groups = (threads + 31) / 32;
  c->launch.id = k->whole.id;
  c->launch.block[0] = threads;
  c->launch.shared =
      (k->threadgroup_bytes + 15) / 16 * 16 + k->cell_bytes * groups;
  mt_Status status =
      mt_driver_ask(&gpu->driver, MT_DRIVER_FIT, &compiling, err);
  if (status != MT_OK) return status;
  if (c->result != MT_CU_OK)
    return mt_cuda_fault(gpu, k->head.info.name, "look at its code", err);
  *out = c->answer;
  return MT_OK;
}

mt_Status mt_cuda_code_facts(mt_CudaKernel *k, mt_Str *out, mt_Error *err) {
  mt_Cuda *gpu = (mt_Cuda *)k->head.device;
  mt_CudaLoaded *code;
  uint64_t groups = 0;
  mt_Status status = mt_cuda_awake(gpu, err);
  if (status == MT_OK) status = need(gpu, k, &k->whole, 0, &code, err);
  if (status != MT_OK) return status;
  const mt_GpuCodeFacts facts = code->facts;
  unsigned threads = facts.max_threads < 256 ? facts.max_threads : 256;
  status = fit(gpu, k, threads, &groups, err);
  if (status != MT_OK) return status;
  mt_str_addf(out, "registers of a thread: %u\n", facts.registers);
  mt_str_addf(out, "local memory of a thread (arrays and spills): %u bytes\n",
              facts.local);
  mt_str_addf(out, "threadgroup memory of its own: %u bytes\n",
              k->threadgroup_bytes);
  mt_str_addf(out, "threads of a threadgroup: at most %u\n", facts.max_threads);
  mt_str_addf(out, "threadgroups of %u that fit on a multiprocessor: %llu, "
              "%llu threads\n", threads, (unsigned long long)groups,
              (unsigned long long)groups * threads);
  return MT_OK;
}
