/*
** cuda.cu - runs CUDA kernels for the benchmarks, told by lines of text as
** opencl.c is (bench/pocl.lua); built by nvcc, with the kernels of kernels.cu
** in it. Times are the GPU's own, by events, from 'run'.
*/
#include <cuda_runtime.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels.cu"

#define MOST_STEPS 4
#define MOST_BUFFERS 16
#define MOST_ARGS 16

struct Buffer {
  char path[512];
  void *data;        /* the file's numbers */
  size_t size, head; /* bytes of them, and of the file's head */
  void *device;
};

struct Step {
  const void *kernel;
  unsigned args;
  unsigned long long value[MOST_ARGS]; /* an address or the bytes of a number */
  dim3 groups, group;
};

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

static bool failed(cudaError_t status, const char *what) {
  if (status == cudaSuccess) return false;
  answer("error %s: %s", what, cudaGetErrorString(status));
  return true;
}

static bool read_file(Buffer *b) {
  FILE *f = fopen(b->path, "rb");
  unsigned char start[10];
  bool ok = f && fread(start, 1, 10, f) == 10;
  if (ok) {
    b->head = 10 + start[8] + 256u * start[9];
    fseek(f, 0, SEEK_END);
    b->size = (size_t)ftell(f) - b->head;
    b->data = malloc(b->size);
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
  if (!read_file(b) || cudaMalloc(&b->device, b->size) != cudaSuccess ||
      cudaMemcpy(b->device, b->data, b->size, cudaMemcpyHostToDevice) !=
          cudaSuccess)
    return NULL;
  buffer_count++;
  return b;
}

static void save(const char *path) {
  Buffer *b = buffer_of(path);
  if (!b) return answer("error no such buffer");
  if (failed(cudaMemcpy(b->data, b->device, b->size, cudaMemcpyDeviceToHost),
             "reading a buffer"))
    return;
  FILE *f = fopen(path, "r+b");
  bool ok = f && !fseek(f, (long)b->head, SEEK_SET) &&
            fwrite(b->data, 1, b->size, f) == b->size;
  if (f) fclose(f);
  answer(ok ? "ok" : "error cannot write the file");
}

static void clear(void) {
  for (int i = 0; i < buffer_count; i++) {
    cudaFree(buffers[i].device);
    free(buffers[i].data);
  }
  step_count = buffer_count = 0;
  answer("ok");
}

static void add_step(const char *name) {
  if (step_count == MOST_STEPS) return answer("error too many steps");
  for (const Known &k : known)
    if (!strcmp(k.name, name)) {
      steps[step_count++] = Step{k.kernel};
      return answer("ok");
    }
  answer("error there is no kernel %s", name);
}

static void set_arg(size_t size, const void *value) {
  Step *s = &steps[step_count - 1];
  if (!step_count || s->args == MOST_ARGS) return answer("error an argument");
  memcpy(&s->value[s->args++], value, size);
  answer("ok");
}

static void set_value(const char *line) {
  unsigned u;
  float f[2];
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
  unsigned g[3], l[3];
  if (!step_count || sscanf(line, "%u %u %u %u %u %u", &g[0], &g[1], &g[2],
                            &l[0], &l[1], &l[2]) != 6)
    return answer("error a range is six numbers");
  steps[step_count - 1].group = dim3(l[0], l[1], l[2]);
  steps[step_count - 1].groups = dim3(g[0] / l[0], g[1] / l[1], g[2] / l[2]);
  answer("ok");
}

static void run(int n) {
  static cudaEvent_t start, end;
  float ms = 0;
  if (!start) cudaEventCreate(&start), cudaEventCreate(&end);
  cudaEventRecord(start);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < step_count; k++) {
      Step *s = &steps[k];
      void *args[MOST_ARGS];
      for (unsigned a = 0; a < s->args; a++) args[a] = &s->value[a];
      if (failed(cudaLaunchKernel(s->kernel, s->groups, s->group, args, 0, 0),
                 "a launch"))
        return;
    }
  cudaEventRecord(end);
  if (failed(cudaEventSynchronize(end), "a kernel")) return;
  cudaEventElapsedTime(&ms, start, end);
  answer("ok %.9g %.9g", ms / 1e3 / n, ms / 1e3 / n);
}

static void obey(char *line) {
  char a[512], b[128];
  int n;
  if (sscanf(line, "step %511s %127s", a, b) == 2)
    add_step(b);
  else if (sscanf(line, "data %511s", a) == 1) {
    Buffer *buffer = buffer_of(a);
    if (buffer)
      set_arg(sizeof buffer->device, &buffer->device);
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
    cudaDeviceProp p;
    if (!failed(cudaGetDeviceProperties(&p, 0), "the device"))
      answer("ok nvcc %d.%d on %s", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__,
             p.name);
  } else
    answer("error what is this line?");
}

int main(void) {
  char line[1024];
  if (failed(cudaFree(0), "CUDA")) return 1;
  answer("ok");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "quit")) break;
    obey(line);
  }
  return 0;
}
