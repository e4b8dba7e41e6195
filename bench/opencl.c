/*
** opencl.c - runs OpenCL kernels for the benchmarks, told by lines of text.
**
** The one idea: a problem is described once, in Lua (bench/pocl.lua), and this
** program knows nothing about it. It keeps buffers that came from .npy files,
** builds steps (a kernel, its arguments, its range) and runs them as often as
** it is told, so that it can take turns with the contender it is timed beside.
**
**   step FILE NAME OPTIONS    a kernel of an OpenCL file; the next lines fill it
**   data PATH                 its next argument: the .npy file's numbers
**   value TYPE NUMBER ...     or one by value: uint, float or float2
**   range GX GY GZ LX LY LZ   threads and threads per group
**   run N                     all steps N times; answers seconds of one round, by
**                             the wall and of all threads' work
**   save PATH                 the numbers go back to their file
**   clear                     forget steps and buffers
**   device                    answers the device's name
**   quit
**
** Every line is answered by one: "ok ..." or "error ...". It is a process of
** its own, since PoCL and Mettle each bring an LLVM.
*/
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_STEPS 4
#define MOST_BUFFERS 16

typedef struct Buffer {
  char path[512];
  void *data; /* the memory that OpenCL uses, too */
  size_t size, head; /* bytes of it, and of the file's head */
  cl_mem mem;
} Buffer;

typedef struct Step {
  cl_program program;
  cl_kernel kernel;
  cl_uint args;
  size_t global[3], local[3];
} Step;

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static Buffer buffers[MOST_BUFFERS];
static Step steps[MOST_STEPS];
static int buffer_count, step_count;

static void answer(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vprintf(fmt, ap);
  va_end(ap);
  putchar('\n');
  fflush(stdout);
}

static bool failed(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return false;
  answer("error %s: OpenCL says %d", what, (int)status);
  return true;
}

static bool open_device(void) {
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

/* ----------------------------------------------------------------- buffers */

/* A .npy file: ten bytes, the last two the length of the head behind them. */
static bool read_file(Buffer *b) {
  FILE *f = fopen(b->path, "rb");
  unsigned char start[10];
  bool ok = f && fread(start, 1, 10, f) == 10;
  if (ok) {
    b->head = 10 + start[8] + 256u * start[9];
    fseek(f, 0, SEEK_END);
    b->size = (size_t)ftell(f) - b->head;
    b->data = aligned_alloc(4096, (b->size + 4095) / 4096 * 4096);
    fseek(f, (long)b->head, SEEK_SET);
    ok = b->data && fread(b->data, 1, b->size, f) == b->size;
  }
  if (f) fclose(f);
  return ok;
}

static Buffer *buffer_of(const char *path) {
  for (int i = 0; i < buffer_count; i++)
    if (!strcmp(buffers[i].path, path)) return &buffers[i];
  if (buffer_count == MOST_BUFFERS) return NULL;
  Buffer *b = &buffers[buffer_count];
  memset(b, 0, sizeof *b);
  snprintf(b->path, sizeof b->path, "%s", path);
  cl_int status = CL_OUT_OF_RESOURCES;
  if (read_file(b))
    b->mem = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                            b->size, b->data, &status);
  if (status == CL_SUCCESS) {
    buffer_count++;
    return b;
  }
  free(b->data);
  return NULL;
}

static void save(const char *path) {
  Buffer *b = buffer_of(path);
  if (!b) {
    answer("error no such buffer");
    return;
  }
  cl_int status = clEnqueueReadBuffer(queue, b->mem, CL_TRUE, 0, b->size,
                                      b->data, 0, NULL, NULL);
  if (failed(status, "reading a buffer")) return;
  FILE *f = fopen(path, "r+b");
  bool ok = f && !fseek(f, (long)b->head, SEEK_SET) &&
            fwrite(b->data, 1, b->size, f) == b->size;
  if (f) fclose(f);
  answer(ok ? "ok" : "error cannot write the file");
}

static void clear(void) {
  for (int i = 0; i < step_count; i++) {
    clReleaseKernel(steps[i].kernel);
    clReleaseProgram(steps[i].program);
  }
  for (int i = 0; i < buffer_count; i++) {
    clReleaseMemObject(buffers[i].mem);
    free(buffers[i].data);
  }
  step_count = buffer_count = 0;
  answer("ok");
}

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

static void add_step(const char *file, const char *name, const char *options) {
  cl_int status = CL_INVALID_VALUE;
  char *source = source_of(file);
  if (!source || step_count == MOST_STEPS) {
    answer("error cannot add this step");
    free(source);
    return;
  }
  Step *s = &steps[step_count];
  memset(s, 0, sizeof *s);
  const char *text = source;
  s->program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  free(source);
  if (failed(status, "the source")) return;
  status = clBuildProgram(s->program, 1, &device, options, NULL, NULL);
  if (status != CL_SUCCESS) show_log(s->program);
  if (failed(status, "building")) return;
  s->kernel = clCreateKernel(s->program, name, &status);
  if (failed(status, name)) return;
  step_count++;
  answer("ok");
}

static void set_arg(size_t size, const void *value) {
  Step *s = &steps[step_count - 1];
  if (step_count && !failed(clSetKernelArg(s->kernel, s->args, size, value),
                            "an argument")) {
    s->args++;
    answer("ok");
  }
}

static void set_value(const char *line) {
  cl_uint u;
  cl_float f[2];
  if (sscanf(line, "uint %u", &u) == 1)
    set_arg(sizeof u, &u);
  else if (sscanf(line, "float2 %f %f", &f[0], &f[1]) == 2)
    set_arg(sizeof f, f);
  else if (sscanf(line, "float %f", &f[0]) == 1)
    set_arg(sizeof f[0], f);
  else
    answer("error what is the value '%s'?", line);
}

static void set_range(const char *line) {
  Step *s = &steps[step_count - 1];
  int n = step_count ? sscanf(line, "%zu %zu %zu %zu %zu %zu", &s->global[0],
                              &s->global[1], &s->global[2], &s->local[0],
                              &s->local[1], &s->local[2])
                     : 0;
  answer(n == 6 ? "ok" : "error a range is six numbers");
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(int n) {
  double start = now(CLOCK_MONOTONIC);
  double work = now(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < step_count; k++)
      if (failed(clEnqueueNDRangeKernel(queue, steps[k].kernel, 3, NULL,
                                        steps[k].global, steps[k].local, 0,
                                        NULL, NULL),
                 "a launch"))
        return;
  if (!failed(clFinish(queue), "a kernel"))
    answer("ok %.9g %.9g", (now(CLOCK_MONOTONIC) - start) / n,
           (now(CLOCK_PROCESS_CPUTIME_ID) - work) / n);
}

static void obey(char *line) {
  char a[512], b[128], options[256] = "";
  int n;
  if (sscanf(line, "step %511s %127s %255[^\n]", a, b, options) >= 2)
    add_step(a, b, options);
  else if (sscanf(line, "data %511s", a) == 1) {
    Buffer *buffer = buffer_of(a);
    if (buffer)
      set_arg(sizeof buffer->mem, &buffer->mem);
    else
      answer("error no data in %s", a);
  } else if (!strncmp(line, "value ", 6))
    set_value(line + 6);
  else if (!strncmp(line, "range ", 6))
    set_range(line + 6);
  else if (sscanf(line, "run %d", &n) == 1 && n > 0)
    run(n);
  else if (sscanf(line, "save %511s", a) == 1)
    save(a);
  else if (!strncmp(line, "clear", 5))
    clear();
  else if (!strncmp(line, "device", 6)) {
    char version[128] = "";
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    answer("ok %s", version);
  } else
    answer("error what is this line?");
}

int main(void) {
  char line[1024];
  if (!open_device()) {
    answer("error there is neither PoCL nor Oclgrind");
    return 1;
  }
  answer("ok");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "quit")) break;
    obey(line);
  }
  return 0;
}
