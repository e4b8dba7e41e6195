/*
** device.h - the stand-in's Metal classes, as far as its files share them.
**
** Each wraps what the host device has: a library an mt_Library, a pipeline an
** mt_Kernel, and so on. The numbers (data types, access, status) are Metal's.
*/
#ifndef MT_STANDIN_DEVICE_H
#define MT_STANDIN_DEVICE_H

#include "devices/device.h"
#include "tests/metal/foundation.h"
#include "tests/metal/log.h"

typedef struct Size3 {
  uint64_t width, height, depth;
} Size3;

typedef struct BufferObject {
  Object head;
  mt_Buffer *buffer; /* what kernels see */
  char *copy;        /* managed: what the CPU sees; else NULL */
} BufferObject;

typedef struct TextureObject {
  Object head;
  mt_Texture *texture;
  bool managed;       /* two copies: the GPU's, and one that the CPU reads */
  _Atomic bool stale; /* the GPU may have written its own */
} TextureObject;

typedef struct SamplerObject {
  Object head;
  mt_SamplerDesc desc;
  bool in_arguments;  /* made for argument buffers */
  struct SamplerObject *next; /* of those that live */
} SamplerObject;

typedef struct PipelineObject {
  Object head;
  mt_Kernel *kernel;
  bool logging; /* its library was compiled with it */
} PipelineObject;

extern const ClassOf standin_MTLDevice, standin_MTLBuffer, standin_MTLTexture,
    standin_MTLSampler, standin_MTLPipeline, standin_MTLQueue,
    standin_MTLCommandBufferDescriptor;

/* The host device that the stand-in uses; opened at first use. */
mt_Device *standin_host(void);

/* The most threads of a pipeline's threadgroup. */
unsigned standin_most_threads(const mt_KernelInfo *info);

/* setLabel: of whatever has one */
void standin_label(void *object, Selector s, StringObject *text);

/* reflection.c: the reflection of a kernel, autoreleased; 'whole': with what
** the host does not know to be used, under STANDIN_LEAVES_OUT too */
void *standin_reflection(const mt_KernelInfo *info, bool whole);
uint64_t standin_data_type(const mt_Type *t); /* MTLDataType */

/* queue.c: a new command queue, one owner; what its kernels log goes to
** 'log' */
void *standin_queue(LogObject *log);

/* The sampler of this gpuResourceID, if it still lives; else NULL. */
SamplerObject *standin_sampler_at(uint64_t id);

/*
** links.c: what the addresses in the bytes of an argument buffer lead to, among
** the resources that useResource named; a problem for each that leads nowhere.
** The list is the caller's to free; NULL if the type holds none.
*/
mt_Link *standin_links(const mt_Param *p, const mt_Arg *a, Object *const *used,
                       size_t used_count, unsigned *count);

/* refuse.c: false, with a problem for each reason, if Metal would not take
** it */
bool standin_accepts(Selector selector, const mt_Launch *launch);

/* Wait for what runs; a problem if it does not end within seconds. */
void standin_wait_until_idle(void);

#endif
