/*
** fault.c - what went wrong on the GPU, as one sentence with the kernel's name
** and what to do.
*/
#include <stdio.h>

#include "base/advice.h"
#include "devices/cuda/gpu.h"

#define LOST "; buffers keep what the CPU last saw"

typedef struct Meaning {
  int result;
  const char *what;   /* "kernel 'f' " goes before it */
  const char *advice; /* as mt_advice_in reads it */
} Meaning;

static const Meaning meanings[] = {
    {MT_CU_ILLEGAL_ADDRESS, "read or wrote memory that is not there",
     "{check} finds the line"},
    {MT_CU_MISALIGNED, "used a misaligned address",
     "a float4 lies at a multiple of 16 bytes; {check} finds the line"},
    {MT_CU_ADDRESS_SPACE, "used an address of the wrong address space",
     "{check} finds the line"},
    {MT_CU_INVALID_PC, "jumped to an address that is not there",
     "{check} finds what it overwrote"},
    {MT_CU_ILLEGAL_INSTRUCTION, "ran an illegal instruction, or a trap",
     "__builtin_trap(), or a place that C++ says is never reached"},
    {MT_CU_STACK, "used up its stack, or wrote over it",
     "check the indices of the arrays that each thread has"},
    {MT_CU_LAUNCH_FAILED, "failed on the GPU",
     "mostly an index outside threadgroup memory or a thread's own "
     "array: {check} finds the line"},
    {MT_CU_ASSERT, "failed an assertion", "{check} finds the line"},
    {MT_CU_LAUNCH_TIMEOUT, "was stopped by the system's own time limit",
     "the GPU also serves a display: give it less work in one launch"},
    {MT_CU_OUT_OF_RESOURCES, "needs more than the GPU has for one threadgroup",
     "make the threadgroup smaller"},
    {MT_CU_OUT_OF_MEMORY, "found no memory on the GPU",
     "free buffers that are done with ({free_buffer}), or see nvidia-smi "
     "for the processes that have it"},
};

/* Is the context as before? Every other error stays with it for good. */
static bool is_harmless(int result) {
  return result == MT_CU_OUT_OF_RESOURCES || result == MT_CU_OUT_OF_MEMORY ||
         result == MT_CU_INVALID_VALUE || result == MT_CU_NO_BINARY ||
         result == MT_CU_INVALID_PTX || result == MT_CU_UNSUPPORTED_PTX;
}

/* Is the GPU itself the trouble? */
static bool is_lost(int result) {
  return result == MT_CU_DEVICE_UNAVAILABLE || result == MT_CU_ECC ||
         result == MT_CU_DEINITIALIZED || result == MT_CU_NO_DEVICE ||
         result == 79 /* power break, before CUDA 12 */ ||
         (result >= MT_CU_NOT_PERMITTED + 2 && result < 900);
}

mt_Status mt_cuda_fault(mt_Cuda *gpu, const char *kernel, const char *doing,
                        mt_Error *err) {
  const mt_Channel *c = gpu->driver.channel;
  int result = c->result;
  char error[MT_CU_TEXT], who[160], advice[200];
  const char *lost = is_harmless(result) ? "" : LOST;
  const Meaning *m = NULL;
  snprintf(error, sizeof error, "%s", c->error);
  snprintf(who, sizeof who, kernel ? "kernel '%.120s'" : "the GPU", kernel);
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
    if (meanings[i].result == result) m = &meanings[i];
  if (!is_harmless(result)) mt_driver_kill(&gpu->driver);
  if (is_lost(result))
    return mt_error(
        err, MT_FAIL,
        "the GPU of %s is not available (CUDA error %s): nvidia-smi "
        "and dmesg say more%s",
        gpu->name, error, lost);
  if (m)
    return mt_error(err, MT_FAIL, "%s %s (CUDA error %s): %s%s", who, m->what,
                    error, mt_advice_in(m->advice, advice, sizeof advice),
                    lost);
  return mt_error(err, MT_FAIL, "%s could not %s (CUDA error %s)%s", who, doing,
                  error, lost);
}

mt_Status mt_cuda_stopped(const char *kernel, double limit, mt_Status status,
                          mt_Error *err) {
  mt_Error how = *err;
  switch (status) {
    case MT_CANCELLED:
      return mt_error(err, MT_CANCELLED, "kernel '%s' was interrupted" LOST,
                      kernel);
    case MT_TIMEOUT:
      return mt_error(err, MT_TIMEOUT,
                      "kernel '%s' was stopped: it did not end within its time "
                      "limit of %g s" LOST, kernel, limit);
    default:
      return mt_error(err, status, "kernel '%s': %.600s" LOST, kernel,
                      how.text);
  }
}
