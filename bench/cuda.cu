/*
** cuda.cu - runs CUDA kernels for the benchmarks, see protocol.h; built by
** nvcc, with the kernels of kernels.cu in it. Of the two times that "run"
** answers the first is the GPU's own, by events, the second the wall's. With
** the option "wait" each launch of a step is waited for.
**
** The steps "cublas_half" and "cublas_float", of matrices a, b, c and the
** numbers n and k, are products by NVIDIA's library, if it is there:
** CUBLAS=path, or where the system has it. Neither rounds floats to TF32. The
** step "memcpy" copies its first buffer to its second.
*/
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <time.h>

#include "bench/kernels.cu"
#include "bench/protocol.h"

#define MOST_ARGS 16

/* Of no kernel: cuBLAS, with such matrices; the driver's copy */
enum Library { NONE, HALVES, FLOATS, COPY };

struct Step {
  const void *kernel;
  Library library;
  bool wait;
  unsigned args;
  unsigned long long value[MOST_ARGS]; /* an address or the bytes of a number */
  dim3 groups, group;
};

static Step steps[MOST_STEPS];

static bool failed(cudaError_t status, const char *what) {
  if (status == cudaSuccess) return false;
  answer("error %s: %s", what, cudaGetErrorString(status));
  return true;
}

static bool open_device(void) { return !failed(cudaFree(0), "CUDA"); }

static void name_device(void) {
  cudaDeviceProp p;
  if (!failed(cudaGetDeviceProperties(&p, 0), "the device"))
    answer("ok nvcc %d.%d on %s", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__,
           p.name);
}

static bool buffer_open(Buffer *b) {
  return cudaMalloc(&b->handle, b->size) == cudaSuccess &&
         cudaMemcpy(b->handle, b->data, b->size, cudaMemcpyHostToDevice) ==
             cudaSuccess;
}

static bool buffer_fetch(Buffer *b) {
  return !failed(
      cudaMemcpy(b->data, b->handle, b->size, cudaMemcpyDeviceToHost),
      "reading a buffer");
}

static void buffer_close(Buffer *b) { cudaFree(b->handle); }

/* ------------------------------------------------------------------ cuBLAS */

/* As much of its API as is used, so that its header is not needed. */
typedef int Create(void **handle);
typedef int Multiply(void *handle, int turn_a, int turn_b, int m, int n, int k,
                     const void *alpha, const void *a, int type_a, int pitch_a,
                     const void *b, int type_b, int pitch_b, const void *beta,
                     void *c, int type_c, int pitch_c, int compute, int how);
enum { PLAIN = 0, TYPE_FLOAT = 0, TYPE_HALF = 2, COMPUTE_FLOAT = 68 };
static void *cublas;
static Multiply *multiply;

static bool open_cublas(void) {
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12",
                                      "/usr/local/cuda/lib64/libcublas.so"};
  const char *path = getenv("CUBLAS");
  void *library = path ? dlopen(path, RTLD_NOW) : NULL;
  if (cublas) return true;
  for (const char *name : names)
    if (!library) library = dlopen(name, RTLD_NOW);
  if (!library) return false;
  Create *create = (Create *)dlsym(library, "cublasCreate_v2");
  multiply = (Multiply *)dlsym(library, "cublasGemmEx");
  return create && multiply && create(&cublas) == 0;
}

/* c = a b, of n x k and k x n, row by row: to cuBLAS, which has columns, that
** is c' = b' a'. */
static bool launch_cublas(const Step *s) {
  const float one = 1, zero = 0;
  int n = (int)s->value[3], k = (int)s->value[4];
  int type = s->library == HALVES ? TYPE_HALF : TYPE_FLOAT;
  int status = multiply(cublas, PLAIN, PLAIN, n, n, k, &one,
                        (const void *)s->value[1], type, n,
                        (const void *)s->value[0], type, k, &zero,
                        (void *)s->value[2], TYPE_FLOAT, n, COMPUTE_FLOAT, -1);
  if (status) answer("error cuBLAS says %d", status);
  return status == 0;
}

/* ------------------------------------------------------------------- steps */

/* A kernel is found by its name alone: all of them are built in. */
static bool step_open(int number, const char *file, const char *name,
                      const char *options) {
  (void)file;
  if (!strcmp(name, "memcpy")) {
    steps[number] = Step{NULL, COPY};
    return true;
  }
  if (!strncmp(name, "cublas_", 7)) {
    steps[number] = Step{NULL, strcmp(name + 7, "half") ? FLOATS : HALVES};
    if (open_cublas()) return true;
    answer("error there is no cuBLAS");
    return false;
  }
  for (const Known &k : known)
    if (!strcmp(k.name, name)) {
      steps[number] = Step{k.kernel, NONE, !strcmp(options, "wait")};
      return true;
    }
  answer("error there is no kernel %s", name);
  return false;
}

static void step_close(int number) { (void)number; }

static bool step_argument(int number, size_t size, const void *value) {
  Step *s = &steps[number];
  if (s->args == MOST_ARGS) {
    answer("error too many arguments");
    return false;
  }
  memcpy(&s->value[s->args++], value, size);
  return true;
}

static bool step_data(int number, Buffer *b) {
  return step_argument(number, sizeof b->handle, &b->handle);
}

static void step_range(int number, const size_t t[3], const size_t g[3]) {
  Step *s = &steps[number];
  s->group = dim3((unsigned)g[0], (unsigned)g[1], (unsigned)g[2]);
  s->groups = dim3((unsigned)(t[0] / g[0]), (unsigned)(t[1] / g[1]),
                   (unsigned)(t[2] / g[2]));
}

static bool copy_buffer(const Step *s) {
  return !failed(cudaMemcpyAsync((void *)s->value[1], (void *)s->value[0],
                                 buffers[0].size, cudaMemcpyDeviceToDevice, 0),
                 "a copy");
}

static bool launch(Step *s) {
  void *args[MOST_ARGS];
  if (s->library == COPY) return copy_buffer(s);
  if (s->library) return launch_cublas(s);
  for (unsigned a = 0; a < s->args; a++) args[a] = &s->value[a];
  if (failed(cudaLaunchKernel(s->kernel, s->groups, s->group, args, 0, 0),
             "a launch"))
    return false;
  return !s->wait || !failed(cudaStreamSynchronize(0), "a launch");
}

static void run(int times) {
  static cudaEvent_t start, end;
  float ms = 0;
  if (!start) cudaEventCreate(&start), cudaEventCreate(&end);
  double before = now(CLOCK_MONOTONIC);
  cudaEventRecord(start);
  for (int i = 0; i < times; i++)
    for (int k = 0; k < step_count; k++)
      if (!launch(&steps[k])) return;
  cudaEventRecord(end);
  if (failed(cudaEventSynchronize(end), "a kernel")) return;
  cudaEventElapsedTime(&ms, start, end);
  double wall = now(CLOCK_MONOTONIC) - before;
  answer("ok %.9g %.9g", ms / 1e3 / times, wall / times);
}
