/*
** gpu.h - the cuda device's own state: one GPU, its memory and its code.
**
** Memory is mirrored: the CPU's copy lies in memory that the driver's process
** shares (driver/shared_memory.h), the GPU's in device memory; each chunk knows
** which of the two is current (memory.c). The GPU's copy is made by the first
** launch that needs it, and again if the driver's process had to be killed.
*/
#ifndef MT_CUDA_GPU_H
#define MT_CUDA_GPU_H

#include "devices/cuda/cuda.h"
#include "devices/cuda/driver/process.h"
#include "devices/messages.h"

typedef struct mt_Cuda mt_Cuda;

#define MT_CUDA_CHUNK ((size_t)1 << 20)

typedef struct mt_CudaMemory {
  mt_Cuda *gpu;
  char *bytes; /* the CPU's copy; page-aligned */
  size_t size;
  size_t extra; /* bytes after it, on the GPU alone, from a multiple of 256 */
  uint64_t address; /* the GPU's copy; 0: none */
  uint64_t generation; /* of the driver, in which 'address' is meant */
  uint8_t *chunk; /* state of each, see memory.c */
  size_t chunks, on_cpu, on_gpu; /* of 'chunks' so many are current there */
} mt_CudaMemory;

/* Code that the driver's process has loaded. */
typedef struct mt_CudaLoaded {
  uint64_t id; /* in the driver's process */
  uint64_t kernel; /* mt_CudaKernel.whole.id */
  mt_GpuCodeFacts facts;
} mt_CudaLoaded;

#define MT_CUDA_SLAB ((size_t)192 << 10)
#define MT_CUDA_FREED 64

struct mt_Cuda {
  mt_Device head;
  char name[16];
  char how[96];
  mt_Driver driver;
  mt_GpuFacts said; /* what 'info' was made of */
  uint64_t used; /* bytes in buffers and textures */
  /* device memory to be freed with the next command of its kind */
  mt_Piece freed[MT_CUDA_FREED];
  unsigned freed_count;
  uint64_t freed_generation;
  /* values of arguments, in device memory, and what is there */
  uint64_t slab, slab_generation;
  char *slab_bytes;
  size_t slab_size;
  /* messages of kernels */
  uint64_t log, log_generation;
  char *log_bytes; /* in the shared memory */
  bool log_clean;
  mt_Messages messages;
  mt_CudaLoaded *loaded;
  size_t loaded_count, loaded_room;
  uint64_t loaded_generation;
};

/* find.c: is there a driver at all? Without loading or starting anything.
** MT_OK: perhaps. */
mt_Status mt_cuda_find(mt_Error *err);
unsigned mt_cuda_count(void); /* GPUs that this system shows; at least 1 */

/* gpu_info_cache.c: what an earlier session was told of that GPU; false:
** nothing. */
bool mt_cuda_recall(unsigned number, mt_GpuFacts *out);
void mt_cuda_remember(unsigned number, const mt_GpuFacts *facts);
void mt_cuda_unlearn(unsigned number);

/* cuda.c: the driver's process is there and has a GPU. Before each use. */
mt_Status mt_cuda_awake(mt_Cuda *gpu, mt_Error *err);

/* memory.c */
mt_Status mt_cuda_memory_init(mt_CudaMemory *m, mt_Cuda *gpu, size_t size,
                              size_t extra, mt_Error *err);
void mt_cuda_memory_done(mt_CudaMemory *m);
/* Before the CPU reads or writes that range: see mt_buffer_access. */
mt_Status mt_cuda_memory_access(mt_CudaMemory *m, size_t offset, size_t size,
                                mt_Access access, mt_Error *err);
/* Before a launch: the GPU's copy is all there. '*fresh' is set if its memory
** is new. */
mt_Status mt_cuda_memory_upload(mt_CudaMemory *m, bool *fresh, mt_Error *err);
/* After a launch that may have written it. */
void mt_cuda_memory_written(mt_CudaMemory *m);
/* Device memory, zeroed or not; 0 and 'err': none. */
mt_Status mt_cuda_allocate(mt_Cuda *gpu, size_t size, uint64_t *out,
                           mt_Error *err);
/* Copy between the shared memory and device memory, or clear it. */
mt_Status mt_cuda_transfer(mt_Cuda *gpu, mt_DriverOp op, uint64_t address,
                           const void *bytes, size_t size, mt_Error *err);

/* buffer.c */
mt_Status mt_cuda_buffer_new(mt_Device *dev, size_t size, mt_Buffer **out,
                             mt_Error *err);
void mt_cuda_buffer_free(mt_Buffer *b);
mt_Status mt_cuda_buffer_access(mt_Buffer *b, size_t offset, size_t size,
                                mt_Access access, mt_Error *err);
mt_CudaMemory *mt_cuda_buffer_memory(mt_Buffer *b);

/* texture.c */
mt_Status mt_cuda_texture_new(mt_Device *dev, const mt_TextureDesc *desc,
                              mt_Texture **out, mt_Error *err);
void mt_cuda_texture_free(mt_Texture *t);
mt_Status mt_cuda_texture_write(mt_Texture *t, const void *pixels,
                                mt_Error *err);
mt_Status mt_cuda_texture_read(const mt_Texture *t, void *pixels,
                               mt_Error *err);
mt_CudaMemory *mt_cuda_texture_memory(mt_Texture *t);
/* Before a launch, as mt_cuda_memory_upload. */
mt_Status mt_cuda_texture_upload(mt_Texture *t, mt_Error *err);
uint64_t mt_cuda_texture_view(mt_Texture *t); /* its address on the GPU */

/* arguments.c: make everything that the launch uses current on the GPU. */
mt_Status mt_cuda_arguments_upload(const mt_Launch *l, mt_Error *err);
/* Then: write parameters and slab into the channel, fill in its 'launch'. */
mt_Status mt_cuda_arguments_bind(const mt_Launch *l, uint64_t code,
                                 uint64_t log, mt_Error *err);
/* After the launch: mark what it may have written. */
void mt_cuda_arguments_written(const mt_Launch *l);

/* code.c: load the kernel's code for that launch, if it is not; belongs to the
** device. Where the driver's choice of registers leaves no room for so many
** threads, it is loaded once more with fewer registers. The GPU is awake. */
mt_Status mt_cuda_code(const mt_Launch *l, const mt_CudaLoaded **out,
                       mt_Error *err);

/* log.c: '*address' of an empty mt_CudaLog in device memory */
mt_Status mt_cuda_log_begin(mt_Cuda *gpu, uint64_t *address, mt_Error *err);
/* Collect the messages; MT_FAIL: an assertion failed. */
mt_Status mt_cuda_log_end(mt_Cuda *gpu, const mt_Launch *l, mt_Error *err);

void mt_cuda_log_free(mt_Cuda *gpu);

/* fault.c: the error that is in the reply, as one sentence. Ends the process
** where its context is of no use any more. */
mt_Status mt_cuda_fault(mt_Cuda *gpu, const char *kernel, const char *doing,
                        mt_Error *err);
/* A command that was not answered: 'status' and 'err' are of mt_driver_ask. */
mt_Status mt_cuda_stopped(const char *kernel, double limit, mt_Status status,
                          mt_Error *err);

#endif
