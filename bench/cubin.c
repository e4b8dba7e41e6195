/*
** cubin.c - runs CUDA kernels that were compiled to cubins (or PTX) for the
** benchmarks, see protocol.h. It needs NVIDIA's driver alone, which it loads at
** run time: types and numbers of its API are written down here. Of the two
** times that "run" answers the first is the GPU's own, by events, the second
** the wall's.
*/
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

#include "bench/protocol.h"

#define MOST_ARGS 16

typedef int Result; /* 0 is success */
typedef uint64_t Address;
typedef void *Handle; /* context, module, function, event */

enum { MAJOR = 75, MINOR = 76 }; /* attributes of a device */

/* name, parameters */
#define CALLS(X)                                                             \
  X(cuInit, (unsigned flags))                                                \
  X(cuDeviceGet, (int *device, int number))                                  \
  X(cuDeviceGetName, (char *name, int size, int device))                     \
  X(cuDeviceGetAttribute, (int *value, int attribute, int device))           \
  X(cuDevicePrimaryCtxRetain, (Handle *context, int device))                 \
  X(cuCtxSetCurrent, (Handle context))                                       \
  X(cuGetErrorString, (Result result, const char **text))                    \
  X(cuModuleLoad, (Handle *module, const char *path))                        \
  X(cuModuleUnload, (Handle module))                                         \
  X(cuModuleGetFunction, (Handle *function, Handle module, const char *name)) \
  X(cuMemAlloc_v2, (Address *address, size_t size))                          \
  X(cuMemFree_v2, (Address address))                                         \
  X(cuMemcpyHtoD_v2, (Address to, const void *from, size_t size))            \
  X(cuMemcpyDtoH_v2, (void *to, Address from, size_t size))                  \
  X(cuEventCreate, (Handle *event, unsigned flags))                          \
  X(cuEventRecord, (Handle event, Handle stream))                            \
  X(cuEventSynchronize, (Handle event))                                      \
  X(cuEventElapsedTime, (float *ms, Handle start, Handle end))               \
  X(cuLaunchKernel,                                                          \
    (Handle function, unsigned gx, unsigned gy, unsigned gz, unsigned x,     \
     unsigned y, unsigned z, unsigned shared, Handle stream, void **args,    \
     void **extra))

#define DECLARE(name, parameters) static Result(*name) parameters;
CALLS(DECLARE)

typedef struct Step {
  Handle module, function;
  unsigned args;
  uint64_t value[MOST_ARGS]; /* an address or the bytes of a number */
  unsigned groups[3], group[3];
} Step;

static Step steps[MOST_STEPS];
static int device;

static bool failed(Result result, const char *what) {
  const char *text = NULL;
  if (result == 0) return false;
  cuGetErrorString(result, &text);
  answer("error %s: %s", what, text ? text : "an unknown error");
  return true;
}

static bool load_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
#define LOAD(name, parameters) \
  if (library) *(void **)&name = dlsym(library, #name);
  CALLS(LOAD)
  return library && cuInit && cuLaunchKernel;
}

static bool open_device(void) {
  Handle context;
  if (!load_driver()) {
    answer("error NVIDIA's driver is not installed");
    return false;
  }
  return !failed(cuInit(0), "CUDA") &&
         !failed(cuDeviceGet(&device, 0), "the GPU") &&
         !failed(cuDevicePrimaryCtxRetain(&context, device), "the GPU") &&
         !failed(cuCtxSetCurrent(context), "the GPU");
}

static void name_device(void) {
  char name[128] = "";
  int major = 0, minor = 0;
  cuDeviceGetName(name, sizeof name, device);
  cuDeviceGetAttribute(&major, MAJOR, device);
  cuDeviceGetAttribute(&minor, MINOR, device);
  answer("ok %s, sm_%d%d", name, major, minor);
}

/* ----------------------------------------------------------------- buffers */

static Address address_of(const Buffer *b) {
  return (Address)(uintptr_t)b->handle;
}

static bool buffer_open(Buffer *b) {
  Address a;
  if (cuMemAlloc_v2(&a, b->size) != 0) return false;
  b->handle = (void *)(uintptr_t)a;
  return cuMemcpyHtoD_v2(a, b->data, b->size) == 0;
}

static bool buffer_fetch(Buffer *b) {
  return !failed(cuMemcpyDtoH_v2(b->data, address_of(b), b->size),
                 "reading a buffer");
}

static void buffer_close(Buffer *b) { cuMemFree_v2(address_of(b)); }

/* ------------------------------------------------------------------- steps */

static bool step_open(int number, const char *file, const char *name,
                      const char *options) {
  Step *s = &steps[number];
  (void)options;
  memset(s, 0, sizeof *s);
  return !failed(cuModuleLoad(&s->module, file), file) &&
         !failed(cuModuleGetFunction(&s->function, s->module, name), name);
}

static void step_close(int number) { cuModuleUnload(steps[number].module); }

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
  Address a = address_of(b);
  return step_argument(number, sizeof a, &a);
}

static void step_range(int number, const size_t t[3], const size_t g[3]) {
  for (int i = 0; i < 3; i++) {
    steps[number].group[i] = (unsigned)g[i];
    steps[number].groups[i] = (unsigned)(t[i] / g[i]);
  }
}

static bool launch(Step *s) {
  void *args[MOST_ARGS];
  const unsigned *n = s->groups, *g = s->group;
  for (unsigned a = 0; a < s->args; a++) args[a] = &s->value[a];
  return !failed(cuLaunchKernel(s->function, n[0], n[1], n[2], g[0], g[1], g[2],
                                0, NULL, args, NULL),
                 "a launch");
}

static void run(int times) {
  static Handle start, end;
  float ms = 0;
  if (!start && (cuEventCreate(&start, 0) || cuEventCreate(&end, 0))) {
    answer("error an event");
    return;
  }
  double before = now(CLOCK_MONOTONIC);
  cuEventRecord(start, NULL);
  for (int i = 0; i < times; i++)
    for (int k = 0; k < step_count; k++)
      if (!launch(&steps[k])) return;
  cuEventRecord(end, NULL);
  if (failed(cuEventSynchronize(end), "a kernel")) return;
  cuEventElapsedTime(&ms, start, end);
  double wall = now(CLOCK_MONOTONIC) - before;
  answer("ok %.9g %.9g", ms / 1e3 / times, wall / times);
}
