/*
** texture.c - textures of the cuda device: mirrored rows of pixels and, after
** them on the GPU, the view of them that a kernel gets (msl/texture_view.h).
*/
#include <stdlib.h>
#include <string.h>

#include "devices/cuda/driver/shared_memory.h"
#include "devices/cuda/gpu.h"
#include "msl/texture_view.h"

typedef struct Texture {
  mt_Texture head;
  mt_CudaMemory memory;
  size_t row, slice;
  mt_TextureView *view; /* in the shared memory, to be copied from */
  uint64_t shown; /* generation of the driver that has it on the GPU */
} Texture;

mt_Status mt_cuda_texture_new(mt_Device *dev, const mt_TextureDesc *desc,
                              mt_Texture **out, mt_Error *err) {
  Texture *t = calloc(1, sizeof *t);
  if (!t) return mt_error(err, MT_FAIL, "out of memory");
  t->head = (mt_Texture){.device = dev, .desc = *desc};
  t->row = desc->width * mt_pixel_size(desc->format);
  t->slice = t->row * desc->height;
  size_t size = t->slice * desc->depth * desc->layers;
  mt_Status status = mt_cuda_memory_init(&t->memory, (mt_Cuda *)dev, size,
                                         sizeof(mt_TextureView), err);
  if (status != MT_OK) {
    free(t);
    return status;
  }
  t->view = mt_shared_memory_new(sizeof *t->view);
  if (!t->view) {
    mt_cuda_memory_done(&t->memory);
    free(t);
    return mt_error(err, MT_FAIL, "no memory for a texture of %zu bytes", size);
  }
  *out = &t->head;
  return MT_OK;
}

void mt_cuda_texture_free(mt_Texture *texture) {
  Texture *t = (Texture *)texture;
  mt_cuda_memory_done(&t->memory);
  mt_shared_memory_free(t->view, sizeof *t->view);
  free(t);
}

mt_Status mt_cuda_texture_write(mt_Texture *texture, const void *pixels,
                                mt_Error *err) {
  mt_CudaMemory *m = mt_cuda_texture_memory(texture);
  mt_Status status = mt_cuda_memory_access(m, 0, m->size, MT_WRITE, err);
  if (status == MT_OK) memcpy(m->bytes, pixels, m->size);
  return status;
}

mt_Status mt_cuda_texture_read(const mt_Texture *texture, void *pixels,
                               mt_Error *err) {
  mt_CudaMemory *m = mt_cuda_texture_memory((mt_Texture *)texture);
  mt_Status status = mt_cuda_memory_access(m, 0, m->size, MT_READ, err);
  if (status == MT_OK) memcpy(pixels, m->bytes, m->size);
  return status;
}

mt_CudaMemory *mt_cuda_texture_memory(mt_Texture *t) {
  return &((Texture *)t)->memory;
}

uint64_t mt_cuda_texture_view(mt_Texture *texture) {
  const mt_CudaMemory *m = mt_cuda_texture_memory(texture);
  return m->address + (m->size + 255) / 256 * 256;
}

mt_Status mt_cuda_texture_upload(mt_Texture *texture, mt_Error *err) {
  Texture *t = (Texture *)texture;
  const mt_TextureDesc *d = &t->head.desc;
  bool fresh;
  mt_Status status = mt_cuda_memory_upload(&t->memory, &fresh, err);
  if (status != MT_OK || (!fresh && t->shown == t->memory.generation))
    return status;
  *t->view = (mt_TextureView){
      .pixels = (void *)(uintptr_t)t->memory.address, .row_bytes = t->row,
      .slice_bytes = t->slice, .format = (unsigned)d->format,
      .width = d->width, .height = d->height, .depth = d->depth,
      .layers = d->layers, .levels = 1};
  status = mt_cuda_transfer(t->memory.gpu, MT_DRIVER_COPY_IN,
                            mt_cuda_texture_view(texture), t->view,
                            sizeof *t->view, err);
  if (status == MT_OK) t->shown = t->memory.generation;
  return status;
}
