/*
** opencl.c - runs OpenCL kernels for the benchmarks, see protocol.h. It is a
** process of its own, since PoCL and Mettle each bring an LLVM.
*/
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <time.h>

#include "bench/protocol.h"

typedef struct Step {
  cl_program program;
  cl_kernel kernel;
  cl_uint args;
  size_t global[3], local[3];
} Step;

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static Step steps[MOST_STEPS];

static bool failed(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return false;
  answer("error %s: OpenCL says %d", what, (int)status);
  return true;
}

static bool find_device(void) {
  cl_platform_id platforms[8];
  cl_uint n = 0;
  cl_int status = clGetPlatformIDs(8, platforms, &n);
  for (cl_uint i = 0; status == CL_SUCCESS && i < n && i < 8; i++) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    if ((strstr(name, "Portable Computing Language") ||
         strstr(name, "Oclgrind")) &&
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
            CL_SUCCESS)
      break;
  }
  if (!device) return false;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  if (status != CL_SUCCESS) return false;
  queue = clCreateCommandQueue(context, device, 0, &status);
  return status == CL_SUCCESS;
}

static bool open_device(void) {
  if (find_device()) return true;
  answer("error there is neither PoCL nor Oclgrind");
  return false;
}

static void name_device(void) {
  char version[128] = "";
  clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
  answer("ok %s", version);
}

/* ----------------------------------------------------------------- buffers */

/* OpenCL uses the memory of the numbers, too. */
static bool buffer_open(Buffer *b) {
  cl_int status;
  b->handle = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                             b->size, b->data, &status);
  return status == CL_SUCCESS;
}

static bool buffer_fetch(Buffer *b) {
  cl_mem mem = (cl_mem)b->handle;
  return !failed(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, b->size, b->data,
                                     0, NULL, NULL),
                 "reading a buffer");
}

static void buffer_close(Buffer *b) { clReleaseMemObject((cl_mem)b->handle); }

/* ------------------------------------------------------------------- steps */

static char *source_of(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = f ? calloc(1, 1 << 16) : NULL;
  if (text && !fread(text, 1, (1 << 16) - 1, f)) text[0] = 0;
  if (f) fclose(f);
  return text;
}

/* What the compiler said, to stderr: it is more than a line. */
static void show_log(cl_program program) {
  static char log[8192];
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1,
                        log, NULL);
  fprintf(stderr, "%s\n", log);
}

static bool build(Step *s, const char *text, const char *name,
                  const char *options) {
  cl_int status;
  s->program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  if (failed(status, "the source")) return false;
  status = clBuildProgram(s->program, 1, &device, options, NULL, NULL);
  if (status != CL_SUCCESS) show_log(s->program);
  if (failed(status, "building")) return false;
  s->kernel = clCreateKernel(s->program, name, &status);
  return !failed(status, name);
}

static bool step_open(int number, const char *file, const char *name,
                      const char *options) {
  char *source = source_of(file);
  memset(&steps[number], 0, sizeof steps[number]);
  if (!source) answer("error cannot read %s", file);
  bool ok = source && build(&steps[number], source, name, options);
  free(source);
  return ok;
}

static void step_close(int number) {
  clReleaseKernel(steps[number].kernel);
  clReleaseProgram(steps[number].program);
}

static bool step_argument(int number, size_t size, const void *value) {
  Step *s = &steps[number];
  return !failed(clSetKernelArg(s->kernel, s->args++, size, value),
                 "an argument");
}

static bool step_data(int number, Buffer *b) {
  cl_mem mem = (cl_mem)b->handle;
  return step_argument(number, sizeof mem, &mem);
}

static void step_range(int number, const size_t threads[3],
                       const size_t group[3]) {
  memcpy(steps[number].global, threads, sizeof steps[number].global);
  memcpy(steps[number].local, group, sizeof steps[number].local);
}

static void run(int times) {
  double start = now(CLOCK_MONOTONIC);
  double work = now(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < times; i++)
    for (int k = 0; k < step_count; k++)
      if (failed(clEnqueueNDRangeKernel(queue, steps[k].kernel, 3, NULL,
                                        steps[k].global, steps[k].local, 0,
                                        NULL, NULL),
                 "a launch"))
        return;
  if (!failed(clFinish(queue), "a kernel"))
    answer("ok %.9g %.9g", (now(CLOCK_MONOTONIC) - start) / times,
           (now(CLOCK_PROCESS_CPUTIME_ID) - work) / times);
}
