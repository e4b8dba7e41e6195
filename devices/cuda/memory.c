/*
** memory.c - memory that is mirrored between CPU and GPU.
**
** The one idea: each chunk knows where it is current: on the CPU, on the GPU,
** or both. A copy is made only when the other side is about to use a chunk that
** is not current there. A chunk that the CPU has never written is cleared on
** the GPU and not copied.
*/
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/cancel.h"
#include "base/notice.h"
#include "devices/cuda/driver/shared_memory.h"
#include "devices/cuda/gpu.h"

enum { ON_CPU = 1, ON_GPU = 2, ZERO = 4 /* the CPU's copy is all zeros */ };

/* bytes of one command, so that Ctrl-C need not wait for long */
#define AT_ONCE ((size_t)256 << 20)
#define ALIGN 256u

/* While copies run the process is not killed at once: memory would be lost. */
static const mt_DriverWait patient = {.grace = 2,
                                      .notice = "copying to or from the GPU"};

/* ------------------------------------------------------------ device memory */

/* Tell the process which memory is not needed any more. */
static mt_Status free_pending(mt_Cuda *gpu, mt_Error *err) {
  mt_Channel *c = gpu->driver.channel;
  if (gpu->freed_generation != gpu->driver.generation) gpu->freed_count = 0;
  if (gpu->freed_count == 0) return MT_OK;
  memcpy(c->bytes, gpu->freed, gpu->freed_count * sizeof *gpu->freed);
  c->count = gpu->freed_count;
  gpu->freed_count = 0;
  mt_Status status = mt_driver_ask(&gpu->driver, MT_DRIVER_FREE, &patient, err);
  if (status != MT_OK || c->result == MT_CU_OK) return status;
  return mt_cuda_fault(gpu, NULL, "free memory", err);
}

static void free_later(mt_Cuda *gpu, uint64_t address) {
  mt_Error ignored;
  if (!gpu->driver.greeted) return;
  if (gpu->freed_generation != gpu->driver.generation) gpu->freed_count = 0;
  gpu->freed_generation = gpu->driver.generation;
  gpu->freed[gpu->freed_count++] = (mt_Piece){.address = address};
  if (gpu->freed_count == MT_CUDA_FREED) free_pending(gpu, &ignored);
}

mt_Status mt_cuda_allocate(mt_Cuda *gpu, size_t size, uint64_t *out,
                           mt_Error *err) {
  mt_Channel *c = gpu->driver.channel;
  *out = 0;
  mt_Status status = free_pending(gpu, err);
  if (status != MT_OK) return status;
  c->number = size;
  status = mt_driver_ask(&gpu->driver, MT_DRIVER_ALLOC, &patient, err);
  if (status != MT_OK) return status;
  if (c->result == MT_CU_OUT_OF_MEMORY)
    return mt_error(err, MT_FAIL,
                    "%zu MB do not fit on the GPU: %llu MB of its %llu MB can "
                    "be used now (a tenth stays free); free buffers that are "
                    "done with (%s), or see nvidia-smi for who has it",
                    (size + 0xfffff) >> 20,
                    (unsigned long long)c->facts.unused >> 20,
                    (unsigned long long)gpu->driver.facts.memory >> 20,
                    mt_advice()->free_buffer);
  if (c->result != MT_CU_OK)
    return mt_cuda_fault(gpu, NULL, "allocate memory", err);
  *out = c->answer;
  return MT_OK;
}

/* ------------------------------------------------------------------- copies */

/* Copies of one kind, collected in the channel. */
typedef struct Batch {
  mt_Cuda *gpu;
  mt_DriverOp op;
  uint32_t count;
  size_t bytes;
} Batch;

static mt_Status flush(Batch *b, mt_Error *err) {
  mt_Channel *c = b->gpu->driver.channel;
  if (b->count == 0) return MT_OK;
  c->count = b->count;
  b->count = 0;
  b->bytes = 0;
  mt_Status status = mt_driver_ask(&b->gpu->driver, b->op, &patient, err);
  if (status != MT_OK) return status;
  if (c->result != MT_CU_OK)
    return mt_cuda_fault(b->gpu, NULL, "copy memory", err);
  return mt_cancelled() ? mt_error(err, MT_CANCELLED, "interrupted") : MT_OK;
}

static mt_Status add(Batch *b, uint64_t address, const char *bytes, size_t size,
                     mt_Error *err) {
  mt_Piece *list = (mt_Piece *)b->gpu->driver.channel->bytes;
  mt_Status status = MT_OK;
  while (size && status == MT_OK) {
    size_t n = size < AT_ONCE - b->bytes ? size : AT_ONCE - b->bytes;
    list[b->count++] = (mt_Piece){address, mt_shared_memory_offset(bytes), n};
    b->bytes += n;
    address += n, bytes += n, size -= n;
    if (b->bytes == AT_ONCE || b->count == MT_DRIVER_BYTES / sizeof *list)
      status = flush(b, err);
  }
  return status;
}

mt_Status mt_cuda_transfer(mt_Cuda *gpu, mt_DriverOp op, uint64_t address,
                           const void *bytes, size_t size, mt_Error *err) {
  Batch b = {.gpu = gpu, .op = op};
  mt_Status status = add(&b, address, bytes, size, err);
  return status == MT_OK ? flush(&b, err) : status;
}

/* ------------------------------------------------------------------- chunks */

static size_t chunk_size(const mt_CudaMemory *m, size_t i) {
  size_t left = m->size - i * MT_CUDA_CHUNK;
  return left < MT_CUDA_CHUNK ? left : MT_CUDA_CHUNK;
}

static void set(mt_CudaMemory *m, size_t i, unsigned state) {
  unsigned old = m->chunk[i];
  m->on_cpu += (size_t)(state & ON_CPU ? 1 : 0) - (old & ON_CPU ? 1 : 0);
  m->on_gpu += (size_t)(state & ON_GPU ? 1 : 0) - (old & ON_GPU ? 1 : 0);
  m->chunk[i] = (uint8_t)state;
}

/* The process that had the GPU's copy is gone: the CPU's is what is left. */
static void notice_loss(mt_CudaMemory *m) {
  if (m->generation == m->gpu->driver.generation && m->gpu->driver.greeted)
    return;
  if (m->on_cpu < m->chunks || m->on_gpu)
    for (size_t i = 0; i < m->chunks; i++)
      set(m, i, ON_CPU | (m->chunk[i] & ZERO));
  m->address = 0;
}

/* Copy the chunks from 'first' to before 'end' that are not current on one
** side, in long runs. */
static mt_Status bring(mt_CudaMemory *m, size_t first, size_t end,
                       unsigned side, bool zeros, mt_DriverOp op,
                       mt_Error *err) {
  Batch b = {.gpu = m->gpu, .op = op};
  mt_Status status = MT_OK;
  for (size_t i = first, n; i < end && status == MT_OK; i += n ? n : 1) {
    size_t bytes = 0;
    for (n = 0; i + n < end; n++) {
      unsigned state = m->chunk[i + n];
      if (state & side || (side == ON_GPU && zeros != ((state & ZERO) != 0)))
        break;
      bytes += chunk_size(m, i + n);
    }
    size_t at = i * MT_CUDA_CHUNK;
    if (n) status = add(&b, m->address + at, m->bytes + at, bytes, err);
  }
  return status == MT_OK ? flush(&b, err) : status;
}

static mt_Status fetch(mt_CudaMemory *m, size_t first, size_t end,
                       mt_Error *err) {
  mt_Status status =
      bring(m, first, end, ON_CPU, false, MT_DRIVER_COPY_OUT, err);
  if (status != MT_OK) return status;
  for (size_t i = first; i < end; i++)
    if (!(m->chunk[i] & ON_CPU)) set(m, i, ON_CPU | ON_GPU);
  return MT_OK;
}

mt_Status mt_cuda_memory_access(mt_CudaMemory *m, size_t offset, size_t size,
                                mt_Access access, mt_Error *err) {
  if (size == 0) return MT_OK;
  notice_loss(m);
  size_t first = offset / MT_CUDA_CHUNK;
  size_t end = (offset + size - 1) / MT_CUDA_CHUNK + 1;
  mt_Status status = MT_OK;
  if (m->on_cpu < m->chunks) {
    size_t from = first, to = end;
    if (access == MT_WRITE) { /* whole chunks are not needed: only the ends */
      size_t whole =
          offset + size == m->size ? end : (offset + size) / MT_CUDA_CHUNK;
      bool head = offset % MT_CUDA_CHUNK != 0;
      if (head) status = fetch(m, first, first + 1, err);
      from = whole > first + head ? whole : first + head;
    }
    if (status == MT_OK && from < to) status = fetch(m, from, to, err);
  }
  if (status != MT_OK || !(access & MT_WRITE)) return status;
  for (size_t i = first; i < end; i++) set(m, i, ON_CPU);
  return MT_OK;
}

mt_Status mt_cuda_memory_upload(mt_CudaMemory *m, bool *fresh, mt_Error *err) {
  mt_Status status = MT_OK;
  notice_loss(m);
  *fresh = m->address == 0;
  if (m->address == 0) {
    size_t inner = (m->size + ALIGN - 1) / ALIGN * ALIGN;
    status = mt_cuda_allocate(m->gpu, inner + m->extra, &m->address, err);
    m->generation = m->gpu->driver.generation;
  }
  if (status != MT_OK || m->on_gpu == m->chunks) return status;
  status = bring(m, 0, m->chunks, ON_GPU, true, MT_DRIVER_ZERO, err);
  if (status == MT_OK)
    status = bring(m, 0, m->chunks, ON_GPU, false, MT_DRIVER_COPY_IN, err);
  if (status != MT_OK) return status;
  for (size_t i = 0; i < m->chunks; i++) set(m, i, m->chunk[i] | ON_GPU);
  return MT_OK;
}

void mt_cuda_memory_written(mt_CudaMemory *m) {
  if (m->on_cpu == 0) return;
  for (size_t i = 0; i < m->chunks; i++)
    set(m, i, (m->chunk[i] & ~(unsigned)(ON_CPU)) | ON_GPU);
}

/* ----------------------------------------------------------------- lifetime */

mt_Status mt_cuda_memory_init(mt_CudaMemory *m, mt_Cuda *gpu, size_t size,
                              size_t extra, mt_Error *err) {
  size_t chunks = (size + MT_CUDA_CHUNK - 1) / MT_CUDA_CHUNK;
  if (gpu->used + size > gpu->head.info.memory)
    return mt_error(err, MT_FAIL,
                    "a buffer of %zu MB does not fit: the GPU has %llu MB for "
                    "buffers and %llu MB are in others", (size + 0xfffff) >> 20,
                    (unsigned long long)gpu->head.info.memory >> 20,
                    (unsigned long long)gpu->used >> 20);
  *m = (mt_CudaMemory){.gpu = gpu, .size = size, .extra = extra,
                       .chunks = chunks, .on_cpu = chunks,
                       .bytes = mt_shared_memory_new(size),
                       .chunk = malloc(chunks)};
  if (!m->bytes || !m->chunk) {
    mt_shared_memory_free(m->bytes, size);
    free(m->chunk);
    return mt_error(err, MT_FAIL, "no memory for a buffer of %zu bytes", size);
  }
  memset(m->chunk, ON_CPU | ZERO, chunks);
  gpu->used += size;
  return MT_OK;
}

void mt_cuda_memory_done(mt_CudaMemory *m) {
  if (m->address && m->generation == m->gpu->driver.generation)
    free_later(m->gpu, m->address);
  m->gpu->used -= m->size;
  mt_shared_memory_free(m->bytes, m->size);
  free(m->chunk);
}
