/*
** ptx.h - from a kernel's bitcode to PTX.
**
** Bitcode (docs/ir.md) is prepared as for every device (compiler/prepare), the
** builtins are linked in (builtins.c, compiled for the GPU by Clang), the
** kernel becomes an entry that computes positions and converts pointers
** (entry.c, abi/launch.h), and LLVM's NVPTX back end writes PTX.
**
** mt_ptx_make runs LLVM in this process; mt_ptx_request in a worker process,
** which may crash or be stopped.
*/
#ifndef MT_CUDA_PTX_PTX_H
#define MT_CUDA_PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/str.h"
#include "devices/compiler/service/service.h"
#include "devices/cuda/abi/launch.h"

typedef struct mt_PtxFacts {
  uint32_t threadgroup_bytes; /* of the kernel's threadgroup variables */
  uint32_t cell_bytes;        /* of shared memory per SIMD-group, for values
                              ** that inactive lanes hold */
  uint8_t in_slot[MT_SLOT_BITS / 8]; /* bit i: parameter i is a value */
  mt_Uses uses;               /* of its parameters */
  bool logs;                  /* has os_log or assert: wants an mt_CudaLog */
} mt_PtxFacts;

typedef struct mt_PtxRequest {
  unsigned capability; /* 90: compute capability 9.0 */
  bool whole; /* for launches of whole threadgroups (abi/launch.h) */
  bool ir;    /* a listing of the final LLVM IR, not PTX */
} mt_PtxRequest;

mt_Status mt_ptx_make(const mt_CompileJob *job, const mt_PtxRequest *request,
                      mt_PtxFacts *facts, mt_Str *out, mt_Error *err);
mt_Status mt_ptx_request(const mt_CompileJob *job, const mt_PtxRequest *request,
                         mt_PtxFacts *facts, mt_Str *out, mt_Error *err);

/* Start the worker process ahead; and its main, if the worker is this program,
** started again: returns the exit status. */
void mt_ptx_open(void);
int mt_ptx_serve(const char *word);

#endif
