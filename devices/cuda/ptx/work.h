/*
** work.h - a kernel on its way to PTX, shared by the files of this room.
*/
#ifndef MT_CUDA_PTX_WORK_H
#define MT_CUDA_PTX_WORK_H

#include <llvm-c/Core.h>

#include "devices/compiler/prepare/prepare.h"
#include "devices/cuda/ptx/ptx.h"

/* LLVM's address spaces for NVPTX. */
enum { MT_NV_GENERIC = 0, MT_NV_GLOBAL = 1, MT_NV_SHARED = 3 };

typedef struct mt_PtxWork {
  mt_PassState state;
  const mt_CompileJob *job;
  mt_Prepared prepared; /* its function becomes the body that the entry calls */
  unsigned capability;
  bool whole; /* mt_PtxRequest */
  mt_PtxFacts *facts;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef b;
  LLVMTypeRef i8, i32, i64, ptr, none;
  LLVMValueRef shared; /* dynamic shared memory, as a generic pointer */
} mt_PtxWork;

/* passes.c: the steps from the prepared kernel to what LLVM's back end gets,
** and what they work with: before, 'prepared' is known. The caller disposes of
** the builder. */
extern const mt_PassTable mt_ptx_passes;
void mt_ptx_begin(mt_PtxWork *w);

/* exponentials.c: functions of the Metal library that a GPU has instructions
** for. */
void mt_ptx_own_functions(LLVMModuleRef module);

/* link_builtins.c: define the builtins that the module calls. */
mt_Status mt_ptx_link_builtins(mt_PtxWork *w, mt_Error *err);

/* matrix.c: matrices in the layout of the tensor cores, which GPUs of this
** capability have for all kinds of elements, where the kernel cannot tell. */
#define MT_TENSOR_CAPABILITY 80
#define MT_TENSOR "__mt_tensor_" /* the builtins that it calls */
bool mt_ptx_has_matrices(LLVMModuleRef module);
mt_Status mt_ptx_place_matrices(mt_PtxWork *w, mt_Error *err);
/* copies.c: its first step, and the builtin that starts a copy. */
#define MT_COPY "__mt_copy_start"
mt_Status mt_ptx_make_copies(mt_PtxWork *w, mt_Error *err);
/* matrix_sums.c: the one between. Calls of two products are pairs then; those
** with this metadata add to their sums in the tensor core. */
#define MT_PAIR MT_TENSOR "multiply_"
#define MT_LONG_SUM "mt.long_sum"
mt_Status mt_ptx_keep_sums(mt_PtxWork *w, mt_Error *err);
/* matrix_rows.c: the last but one. */
mt_Status mt_ptx_join_loads(mt_PtxWork *w, mt_Error *err);
/* matrix_banks.c: its last step. */
mt_Status mt_ptx_swizzle(mt_PtxWork *w, mt_Error *err);

/* lower.c: calls that need more than their operands get it: the active lanes,
** cells, messages. After this the body has three more parameters: the cells of
** the SIMD-group, the thread's message, and the mask of the lanes that the
** SIMD-group has. */
mt_Status mt_ptx_lower_calls(mt_PtxWork *w, mt_Error *err);

/* constants.c: constants, in global memory. */
void mt_ptx_place_constants(mt_PtxWork *w);
/* And those that LLVM's back end would lay out wrongly. */
mt_Status mt_ptx_flatten_constants(mt_PtxWork *w, mt_Error *err);

/* unroll.c: the first step, and after LLVM's passes. */
void mt_ptx_keep_for_later(mt_PtxWork *w);
mt_Status mt_ptx_unroll(mt_PtxWork *w, mt_Error *err);

/* speculate.c: before LLVM's passes. */
mt_Status mt_ptx_speculate(mt_PtxWork *w, mt_Error *err);

/* extremes.c, conversions.c, narrow.c: after LLVM's passes. */
void mt_ptx_narrow(mt_PtxWork *w);
void mt_ptx_extremes(mt_PtxWork *w);
void mt_ptx_convert(mt_PtxWork *w);

/* high_products.c: the upper half of a product of 32 bits by one
** instruction. */
void mt_ptx_high_products(mt_PtxWork *w);

/* float_bits.c: a float's bits as an integer, which NVIDIA's assembler takes
** for a conversion otherwise. The last step: LLVM would see through others. */
void mt_ptx_settle_float_bits(mt_PtxWork *w);

/* loops.c: tell the driver's compiler which loops are unrolled already. */
void mt_ptx_keep_loops(mt_PtxWork *w);
/* Or that this one shall stay as it is, by the branch back. */
void mt_ptx_keep_rolled(mt_PtxWork *w, LLVMValueRef latch);

/* entry.c: the entry, into which the body will be inlined. */
mt_Status mt_ptx_make_entry(mt_PtxWork *w, mt_Error *err);

/* Places of the body's additional parameters, after the kernel's. */
#define MT_BODY_CELLS(w) ((w)->job->msl->param_count)
#define MT_BODY_MESSAGE(w) ((w)->job->msl->param_count + 1)
#define MT_BODY_LANES(w) ((w)->job->msl->param_count + 2)
#define MT_BODY_ADDED 3
/* The bytes of builtins.c's Message, of which the first are set by the entry:
** the log's address, then the group's position. */
#define MT_MESSAGE_BYTES (8 + 12 + 4 + 32 * 4 + 32 * 8)

#endif
