/*
** cuda_case.h - for suites of the stand-in for NVIDIA's driver (tests/cuda):
** the library that lies beside the suite, its functions, and kernels of a few
** lines.
*/
#ifndef MT_TESTS_CUDA_CASE_H
#define MT_TESTS_CUDA_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <unistd.h>

#include "base/files/folders.h"
#include "tests/c/skip.h"

/* The main of a suite where there is no such library. */
#define NO_CUDA_TESTS                                                \
  static void nothing(void **state) {                                \
    (void)state, skip_because("the cuda device is for Linux");       \
  }                                                                  \
  int main(void) {                                                   \
    const struct CMUnitTest none[] = {cmocka_unit_test(nothing)};    \
    return cmocka_run_group_tests(none, NULL, NULL);                 \
  }

typedef int R;
typedef unsigned long long Ptr;

/* The functions that the suites call, by the names of the library. */
#define CUDA_FUNCTIONS(X)                                                   \
  X(cuInit, (unsigned))                                                     \
  X(cuDriverGetVersion, (int *))                                            \
  X(cuDeviceGetCount, (int *))                                              \
  X(cuDeviceGet, (int *, int))                                              \
  X(cuDeviceGetName, (char *, int, int))                                    \
  X(cuDeviceGetAttribute, (int *, int, int))                                \
  X(cuDeviceTotalMem_v2, (size_t *, int))                                   \
  X(cuDevicePrimaryCtxRetain, (void **, int))                               \
  X(cuDevicePrimaryCtxRelease_v2, (int))                                    \
  X(cuDevicePrimaryCtxReset_v2, (int))                                      \
  X(cuCtxCreate_v2, (void **, unsigned, int))                               \
  X(cuCtxDestroy_v2, (void *))                                              \
  X(cuCtxSetCurrent, (void *))                                              \
  X(cuCtxSynchronize, (void))                                               \
  X(cuMemGetInfo_v2, (size_t *, size_t *))                                  \
  X(cuMemAlloc_v2, (Ptr *, size_t))                                         \
  X(cuMemFree_v2, (Ptr))                                                    \
  X(cuMemcpyHtoD_v2, (Ptr, const void *, size_t))                           \
  X(cuMemcpyDtoH_v2, (void *, Ptr, size_t))                                 \
  X(cuMemcpyHtoDAsync_v2, (Ptr, const void *, size_t, void *))              \
  X(cuMemcpyDtoHAsync_v2, (void *, Ptr, size_t, void *))                    \
  X(cuMemsetD8_v2, (Ptr, unsigned char, size_t))                            \
  X(cuMemsetD8Async, (Ptr, unsigned char, size_t, void *))                  \
  X(cuMemHostRegister_v2, (void *, size_t, unsigned))                       \
  X(cuMemHostUnregister, (void *))                                          \
  X(cuMemHostAlloc, (void **, size_t, unsigned))                            \
  X(cuMemFreeHost, (void *))                                                \
  X(cuModuleLoadDataEx, (void **, const void *, unsigned, int *, void **))  \
  X(cuModuleLoadData, (void **, const void *))                              \
  X(cuModuleUnload, (void *))                                               \
  X(cuModuleGetFunction, (void **, void *, const char *))                   \
  X(cuFuncGetAttribute, (int *, int, void *))                               \
  X(cuFuncSetAttribute, (void *, int, int))                                 \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, void *, int, size_t)) \
  X(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned,        \
                     unsigned, unsigned, unsigned, void *, void **, void **)) \
  X(cuStreamCreate, (void **, unsigned))                                    \
  X(cuStreamDestroy_v2, (void *))                                           \
  X(cuStreamSynchronize, (void *))                                          \
  X(cuStreamQuery, (void *))                                                \
  X(cuEventCreate, (void **, unsigned))                                     \
  X(cuEventRecord, (void *, void *))                                        \
  X(cuEventQuery, (void *))                                                 \
  X(cuEventSynchronize, (void *))                                           \
  X(cuEventElapsedTime, (float *, void *, void *))                          \
  X(cuEventDestroy_v2, (void *))                                            \
  X(cuGetErrorName, (R, const char **))                                     \
  X(cuGetErrorString, (R, const char **))
#define DECLARE(name, args) static R(*name) args;
CUDA_FUNCTIONS(DECLARE)
#undef DECLARE

/* The library that is tried: CUDA_LIBRARY, or the stand-in. */
static bool load_library(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s", mt_program_path());
  *strrchr(path, '/') = '\0';
  strncat(path, "/cuda/libcuda.so.1", sizeof path - strlen(path) - 1);
  const char *other = getenv("CUDA_LIBRARY");
  void *h = dlopen(other != NULL ? other : path, RTLD_NOW);
  if (h == NULL) {
    printf("# %s\n", dlerror());
    return false;
  }
  bool all = true;
#define FIND(name, args)                          \
  *(void **)&name = dlsym(h, #name);              \
  if (name == NULL) {                             \
    printf("# %s is missing\n", #name);           \
    all = false;                                  \
  }
  CUDA_FUNCTIONS(FIND)
#undef FIND
  return all;
}

#define FINE(call) assert_int_equal((call), 0)

#define HEAD75 ".version 7.8\n.target sm_75\n.address_size 64\n"
#define HEAD90 ".version 7.8\n.target sm_90\n.address_size 64\n"

/* For a suite that makes one context for all its tests. */
static void *the_context;

static inline int open_context(void **state) {
  (void)state;
  if (!load_library() || cuInit(0) != 0) return -1;
  return cuCtxCreate_v2(&the_context, 0, 0);
}

static inline int close_context(void **state) {
  (void)state;
  return cuCtxDestroy_v2(the_context);
}

/* CUDA_KEEP_PTX=FOLDER: every module, to be assembled by NVIDIA's own. */
static inline void keep_ptx(const char *ptx) {
  static int number;
  const char *folder = getenv("CUDA_KEEP_PTX");
  char path[4096];
  if (folder == NULL) return;
  snprintf(path, sizeof path, "%s/%d-%d.ptx", folder, (int)getpid(), number++);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(ptx, f);
  fclose(f);
}

static inline void *load_ptx(const char *ptx, const char *entry,
                             void **module) {
  void *m, *f;
  keep_ptx(ptx);
  FINE(cuModuleLoadData(&m, ptx));
  FINE(cuModuleGetFunction(&f, m, entry));
  if (module != NULL) *module = m;
  return f;
}

#endif
