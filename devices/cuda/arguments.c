/*
** arguments.c - the arguments of a launch, as the kernel's entry takes them
** (abi/launch.h).
**
** Values go to a slab of device memory, which is copied only if its bytes
** differ from those of the last launch.
*/
#include <string.h>

#include "base/align.h"
#include "devices/cuda/abi/launch.h"
#include "devices/cuda/gpu.h"
#include "msl/texture_view.h"

#define ALIGN 256u
#define SLOTS 400 /* more than a kernel has parameters */

/* ---------------------------------------------------------- what it touches */

static mt_Status upload_one(const mt_Arg *a, mt_Error *err) {
  bool fresh;
  mt_Status status = MT_OK;
  if (a->kind == MT_ARG_BUFFER)
    return mt_cuda_memory_upload(mt_cuda_buffer_memory(a->buffer), &fresh, err);
  if (a->kind != MT_ARG_TEXTURE) return MT_OK;
  if (a->texture_count == 0) return mt_cuda_texture_upload(a->texture, err);
  for (unsigned i = 0; i < a->texture_count && status == MT_OK; i++)
    status = mt_cuda_texture_upload(a->textures[i], err);
  return status;
}

mt_Status mt_cuda_arguments_upload(const mt_Launch *l, mt_Error *err) {
  mt_Status status = MT_OK;
  for (unsigned i = 0; i < l->arg_count && status == MT_OK; i++) {
    const mt_Arg *a = &l->args[i];
    status = upload_one(a, err);
    for (unsigned k = 0; k < a->link_count && status == MT_OK; k++)
      status = upload_one(&a->links[k].arg, err);
  }
  return status;
}

static void written_one(const mt_Arg *a) {
  if (a->kind == MT_ARG_BUFFER)
    mt_cuda_memory_written(mt_cuda_buffer_memory(a->buffer));
  if (a->kind != MT_ARG_TEXTURE) return;
  if (a->texture_count == 0)
    mt_cuda_memory_written(mt_cuda_texture_memory(a->texture));
  for (unsigned i = 0; i < a->texture_count; i++)
    mt_cuda_memory_written(mt_cuda_texture_memory(a->textures[i]));
}

void mt_cuda_arguments_written(const mt_Launch *l) {
  for (unsigned i = 0; i < l->arg_count; i++) {
    const mt_KernelInfo *info = &l->kernel->info;
    const mt_Arg *a = &l->args[i];
    if (mt_param_uses(info, i) & MT_WRITE) written_one(a);
    for (unsigned k = 0; k < a->link_count; k++)
      if (mt_link_uses(info, i, a->links[k].at) & MT_WRITE)
        written_one(&a->links[k].arg);
  }
}

/* ------------------------------------------------------------------ binding */

/* Parameters and slab while they are written. */
typedef struct Binding {
  mt_Cuda *gpu;
  uint64_t slot[SLOTS];
  unsigned slots;
  char slab[MT_CUDA_SLAB];
  size_t used;   /* of the slab */
  size_t shared; /* bytes of threadgroup memory */
} Binding;

/* Room in the slab; its place is an offset. NULL: too much. */
static char *take(Binding *b, size_t size, uint64_t *address) {
  size_t at = b->used;
  if (size > sizeof b->slab - at) return NULL;
  size_t end = mt_align_up(at + size, ALIGN);
  memset(b->slab + at + size, 0, end - at - size);
  b->used = end;
  *address = b->gpu->slab + at;
  return b->slab + at;
}

static uint64_t handle_of(const mt_Arg *a) {
  switch (a->kind) {
    case MT_ARG_BUFFER:
      return mt_cuda_buffer_memory(a->buffer)->address + a->offset;
    case MT_ARG_TEXTURE: return mt_cuda_texture_view(a->texture);
    case MT_ARG_SAMPLER:
      return mt_sampler_bits(a->sampler.linear, a->sampler.pixel,
                             a->sampler.address, a->sampler.compare);
    default: return 0;
  }
}

static bool bind_bytes(Binding *b, const mt_Arg *a, uint64_t *slot) {
  char *to = take(b, a->size, slot);
  if (!to) return false;
  memcpy(to, a->bytes, a->size);
  for (unsigned k = 0; k < a->link_count; k++) {
    uint64_t handle = handle_of(&a->links[k].arg);
    memcpy(to + a->links[k].at, &handle, sizeof handle);
  }
  return true;
}

static bool bind_textures(Binding *b, const mt_Arg *a, uint64_t *slot) {
  char *to = take(b, a->texture_count * sizeof(uint64_t), slot);
  for (unsigned i = 0; to && i < a->texture_count; i++) {
    uint64_t view = mt_cuda_texture_view(a->textures[i]);
    memcpy(to + i * sizeof view, &view, sizeof view);
  }
  return to != NULL;
}

/* The value itself. Constant memory does not change during a launch, so that of
** a buffer may be read now. */
static bool bind_value(const mt_Param *p, const mt_Arg *a, uint64_t *slot) {
  const char *from = a->bytes;
  size_t size = a->size < p->type->size ? a->size : p->type->size;
  mt_Error ignored;
  if (a->kind == MT_ARG_BUFFER) {
    if (mt_buffer_access(a->buffer, a->offset, size, MT_READ, &ignored) !=
        MT_OK)
      return false;
    from = (const char *)mt_buffer_contents(a->buffer) + a->offset;
  }
  if (from) memcpy(slot, from, size);
  return true;
}

static bool bind_one(Binding *b, const mt_Param *p, const mt_Arg *a,
                     bool value) {
  uint64_t *slot = &b->slot[b->slots++];
  *slot = 0;
  if (value) return bind_value(p, a, slot);
  if (a->kind == MT_ARG_BYTES) return bind_bytes(b, a, slot);
  if (a->kind == MT_ARG_TEXTURE && p->array_count > 1)
    return bind_textures(b, a, slot);
  if (a->kind == MT_ARG_THREADGROUP) {
    *slot = b->shared;
    b->shared = mt_align_up(b->shared + a->size, 16);
  } else {
    *slot = handle_of(a);
  }
  return true;
}

static mt_Status need_slab(mt_Cuda *gpu, mt_Error *err) {
  if (gpu->slab && gpu->slab_generation == gpu->driver.generation) return MT_OK;
  gpu->slab = 0;
  gpu->slab_size = 0;
  gpu->slab_generation = gpu->driver.generation;
  return mt_cuda_allocate(gpu, MT_CUDA_SLAB, &gpu->slab, err);
}

/* The sizes, and whether shared memory is enough. */
static mt_Status measure(const mt_Launch *l, Binding *b, mt_CudaLaunch *at,
                         mt_Error *err) {
  const mt_CudaKernel *k = (const mt_CudaKernel *)l->kernel;
  mt_DriverLaunch *d = &b->gpu->driver.channel->launch;
  mt_Extent e = mt_launch_extent(l);
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    d->groups[i] = at->groups[i] = (uint32_t)e.groups[i];
    d->block[i] = at->size[i] = (uint32_t)e.group[i];
    at->grid[i] = (uint32_t)e.threads[i];
    threads *= e.group[i];
  }
  if (d->block[2] > b->gpu->driver.facts.max_block[2]) {
    d->block[0] = (uint32_t)threads;
    d->block[1] = d->block[2] = 1;
  }
  at->cells = (uint32_t)b->shared;
  size_t cells = k->cell_bytes * ((threads + 31) / 32);
  size_t all = b->shared + cells, limit = b->gpu->driver.facts.shared;
  d->shared = (uint32_t)all;
  if (all <= limit) return MT_OK;
  return mt_error(err, MT_BADARG,
                  "%s: %zu bytes of threadgroup memory are too much: the limit "
                  "is %zu%s", l->kernel->info.name, all, limit,
                  cells ? " (some are the device's own, for values of inactive "
                          "lanes)" : "");
}

static void write_slab(Binding *b, char *to) {
  mt_Cuda *gpu = b->gpu;
  mt_DriverLaunch *d = &gpu->driver.channel->launch;
  d->slab = gpu->slab;
  d->slab_size = 0;
  if (b->used <= gpu->slab_size &&
      memcmp(b->slab, gpu->slab_bytes, b->used) == 0)
    return;
  memcpy(to, b->slab, b->used);
  memcpy(gpu->slab_bytes, b->slab, b->used);
  gpu->slab_size = b->used;
  d->slab_size = (uint32_t)b->used;
}

mt_Status mt_cuda_arguments_bind(const mt_Launch *l, uint64_t code,
                                 uint64_t log, mt_Error *err) {
  static Binding b; /* too large for a stack; the console thread alone */
  const mt_CudaKernel *k = (const mt_CudaKernel *)l->kernel;
  mt_CudaLaunch place = {.log = log};
  b.gpu = (mt_Cuda *)l->kernel->device;
  b.slots = 0;
  b.used = 0;
  b.shared = mt_align_up(k->threadgroup_bytes, 16);
  mt_Status status = need_slab(b.gpu, err);
  if (status != MT_OK) return status;
  for (unsigned i = 0; i < l->arg_count; i++) {
    const mt_Param *p = &l->kernel->info.params[i];
    if (p->kind == MT_PARAM_BUILTIN) continue;
    bool value = k->in_slot && i < MT_SLOT_BITS &&
                 (k->in_slot[i / 8] >> i % 8 & 1);
    if (b.slots == SLOTS || !bind_one(&b, p, &l->args[i], value))
      return mt_error(err, MT_FAIL, "%s: its arguments take too much room",
                      l->kernel->info.name);
  }
  status = measure(l, &b, &place, err);
  if (status != MT_OK) return status;
  mt_Channel *c = b.gpu->driver.channel;
  size_t slots = b.slots * sizeof *b.slot;
  memcpy(c->bytes, b.slot, slots);
  memcpy(c->bytes + slots, &place, sizeof place);
  c->launch.id = code;
  c->launch.repeats = l->repeats;
  c->launch.parameters = (uint32_t)(b.slots + sizeof place / 8);
  write_slab(&b, c->bytes + slots + sizeof place);
  return MT_OK;
}
