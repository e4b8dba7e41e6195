/*
** buffer.c - buffers of the cuda device: mirrored memory.
*/
#include <stdlib.h>

#include "devices/cuda/gpu.h"

typedef struct Buffer {
  mt_Buffer head;
  mt_CudaMemory memory;
} Buffer;

mt_Status mt_cuda_buffer_new(mt_Device *dev, size_t size, mt_Buffer **out,
                             mt_Error *err) {
  Buffer *b = calloc(1, sizeof *b);
  if (!b) return mt_error(err, MT_FAIL, "out of memory");
  mt_Status status =
      mt_cuda_memory_init(&b->memory, (mt_Cuda *)dev, size, 0, err);
  if (status != MT_OK) {
    free(b);
    return status;
  }
  b->head = (mt_Buffer){
      .device = dev, .contents = b->memory.bytes, .size = size};
  *out = &b->head;
  return MT_OK;
}

void mt_cuda_buffer_free(mt_Buffer *b) {
  mt_cuda_memory_done(mt_cuda_buffer_memory(b));
  free(b);
}

mt_Status mt_cuda_buffer_access(mt_Buffer *b, size_t offset, size_t size,
                                mt_Access access, mt_Error *err) {
  return mt_cuda_memory_access(mt_cuda_buffer_memory(b), offset, size, access,
                               err);
}

mt_CudaMemory *mt_cuda_buffer_memory(mt_Buffer *b) {
  return &((Buffer *)b)->memory;
}
