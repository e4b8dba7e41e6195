/*
** cuda.h - the cuda device: kernels on NVIDIA GPUs.
**
** Two halves, as in the host device. What every prompt needs is linked into the
** program: the device and its buffers and textures (cuda.c, memory.c,
** texture.c), launches (launch.c; gpu.h) and the process that talks to NVIDIA's
** driver (driver/). What needs LLVM is in the module host.so: libraries and
** kernels (kernel/) and the code generator (ptx/), reached by the table
** mt_cuda_engine.
*/
#ifndef MT_CUDA_H
#define MT_CUDA_H

#include "base/str.h"
#include "devices/compiler_module.h"

/* A kernel's PTX for one kind of launch. */
typedef struct mt_CudaCode {
  const char *ptx; /* zero-terminated; owned by kernel/; NULL: not made yet */
  size_t size;
  uint64_t id; /* differs where the PTX does; never 0 */
} mt_CudaCode;

/* A kernel, made by kernel/ and launched by launch.c. */
typedef struct mt_CudaKernel {
  mt_Kernel head;
  mt_CudaCode whole; /* for launches of whole threadgroups (abi/launch.h) */
  mt_CudaCode any;   /* for the others */
  mt_Status (*make_any)(struct mt_CudaKernel *k, mt_Error *err);
  uint32_t threadgroup_bytes, cell_bytes; /* mt_PtxFacts */
  bool logs;
  const uint8_t *in_slot; /* mt_PtxFacts; owned by kernel/; NULL: none */
} mt_CudaKernel;

/* kernel/, in host.so: the engine mt_cuda_engine. Its 'serve' is for words that
** start with MT_CUDA_WORD, its 'kernel_free' calls mt_cuda_forget first. */
#define MT_CUDA_WORD "ptx"

/* The compute capability of the device's GPU: 90 for 9.0. */
unsigned mt_cuda_capability(const mt_Device *dev);

/* Wait for the driver: opening the device does not, if an earlier session knows
** the GPU. */
mt_Status mt_cuda_check(mt_Device *dev, mt_Error *err);

/* launch.c */
mt_Status mt_cuda_launch(const mt_Launch *launch, mt_Timing *out,
                         mt_Error *err);
mt_Status mt_cuda_commands(const mt_Commands *commands, mt_Timing *whole,
                           mt_Timing *each, size_t *failed, mt_Error *err);
/* code.c. What the driver says of the kernel's code: registers, spills, shared
** memory, threads that fit on a multiprocessor; as lines of text. */
mt_Status mt_cuda_code_facts(mt_CudaKernel *k, mt_Str *out, mt_Error *err);
/* sass.c. The GPU's own instructions, if a disassembler is found; else a
** comment that says what is missing. */
mt_Status mt_cuda_sass(mt_CudaKernel *k, mt_Str *out, mt_Error *err);
/* The kernel is about to be freed: unload its code from the GPU. */
void mt_cuda_forget(mt_CudaKernel *k);

#endif
