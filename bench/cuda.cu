/*
** cuda.cu - runs CUDA kernels for the benchmarks, see protocol.h; built by
** nvcc, with the kernels of kernels.cu in it. Times are the GPU's own, by
** events.
*/
#include <cuda_runtime.h>

#include "bench/kernels.cu"
#include "bench/protocol.h"

#define MOST_ARGS 16

struct Step {
  const void *kernel;
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

/* A kernel is found by its name alone: all of them are built in. */
static bool step_open(int number, const char *file, const char *name,
                      const char *options) {
  (void)file;
  (void)options;
  for (const Known &k : known)
    if (!strcmp(k.name, name)) {
      steps[number] = Step{k.kernel};
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

static bool launch(Step *s) {
  void *args[MOST_ARGS];
  for (unsigned a = 0; a < s->args; a++) args[a] = &s->value[a];
  return !failed(cudaLaunchKernel(s->kernel, s->groups, s->group, args, 0, 0),
                 "a launch");
}

static void run(int times) {
  static cudaEvent_t start, end;
  float ms = 0;
  if (!start) cudaEventCreate(&start), cudaEventCreate(&end);
  cudaEventRecord(start);
  for (int i = 0; i < times; i++)
    for (int k = 0; k < step_count; k++)
      if (!launch(&steps[k])) return;
  cudaEventRecord(end);
  if (failed(cudaEventSynchronize(end), "a kernel")) return;
  cudaEventElapsedTime(&ms, start, end);
  answer("ok %.9g %.9g", ms / 1e3 / times, ms / 1e3 / times);
}
