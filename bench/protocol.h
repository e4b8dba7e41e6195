/*
** protocol.h - a program that runs kernels of another system for the
** benchmarks, told by lines of text. opencl.c, ispc.c and cuda.cu include it
** once (so it is C and C++) and define what their system does.
**
** The one idea: a problem is described once, in Lua (bench/pocl.lua), and this
** program knows nothing about it. It keeps buffers that came from .npy files,
** builds steps (a kernel, its arguments, its range) and runs them as often as
** it is told, so that it can take turns with the contender it is timed beside.
**
**   step FILE NAME OPTIONS    a kernel of a file; the next lines fill it
**   data PATH                 its next argument: the .npy file's numbers
**   value TYPE NUMBER ...     or one by value: uint, float or float2
**   range GX GY GZ LX LY LZ   threads and threads per group
**   run N                     all steps N times; answers seconds of one
**                             round, by the wall and of all threads' work
**   save PATH                 the numbers go back to their file
**   clear                     forget steps and buffers
**   device                    answers the device's name
**   quit
**
** Every line is answered by one: "ok ..." or "error ...".
*/
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
  void *data;        /* the file's numbers; aligned to a page */
  size_t size, head; /* bytes of them, and of the file's head */
  void *handle;      /* the system's own */
} Buffer;

static Buffer buffers[MOST_BUFFERS];
static int buffer_count, step_count;

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What each system defines. Where one answers, it has written the answer; the
** others return false after an error was answered. */
static bool open_device(void);
static bool buffer_open(Buffer *b); /* answers nothing */
static bool buffer_fetch(Buffer *b); /* the numbers, into 'data' */
static void buffer_close(Buffer *b);
static bool step_open(int number, const char *file, const char *name,
                      const char *options);
static void step_close(int number);
static bool step_argument(int number, size_t size, const void *value);
static bool step_data(int number, Buffer *b);
static void step_range(int number, const size_t threads[3],
                       const size_t group[3]);
static void run(int times);       /* answers */
static void name_device(void);    /* answers */

static void answer(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vprintf(fmt, ap);
  va_end(ap);
  putchar('\n');
  fflush(stdout);
}

/* ----------------------------------------------------------------- buffers */

/* A .npy file: ten bytes, the last two the length of the head after them. */
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
  if (read_file(b) && buffer_open(b)) {
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
  if (!buffer_fetch(b)) return;
  FILE *f = fopen(path, "r+b");
  bool ok = f && !fseek(f, (long)b->head, SEEK_SET) &&
            fwrite(b->data, 1, b->size, f) == b->size;
  if (f) fclose(f);
  answer(ok ? "ok" : "error cannot write the file");
}

static void clear(void) {
  for (int i = 0; i < step_count; i++) step_close(i);
  for (int i = 0; i < buffer_count; i++) {
    buffer_close(&buffers[i]);
    free(buffers[i].data);
  }
  step_count = buffer_count = 0;
  answer("ok");
}

/* ------------------------------------------------------------------- steps */

static void add_step(const char *file, const char *name, const char *options) {
  if (step_count == MOST_STEPS)
    answer("error too many steps");
  else if (step_open(step_count, file, name, options)) {
    step_count++;
    answer("ok");
  }
}

static bool has_step(void) {
  if (!step_count) answer("error there is no step");
  return step_count > 0;
}

static void set_argument(size_t size, const void *value) {
  if (step_argument(step_count - 1, size, value)) answer("ok");
}

static void set_data(const char *path) {
  Buffer *b = buffer_of(path);
  if (!b)
    answer("error no data in %s", path);
  else if (step_data(step_count - 1, b))
    answer("ok");
}

static void set_value(const char *line) {
  unsigned u;
  float f[2];
  if (sscanf(line, "uint %u", &u) == 1)
    set_argument(sizeof u, &u);
  else if (sscanf(line, "float2 %f %f", &f[0], &f[1]) == 2)
    set_argument(sizeof f, f);
  else if (sscanf(line, "float %f", &f[0]) == 1)
    set_argument(sizeof f[0], f);
  else
    answer("error what is the value '%s'?", line);
}

static void set_range(const char *line) {
  size_t t[3], g[3];
  if (sscanf(line, "%zu %zu %zu %zu %zu %zu", &t[0], &t[1], &t[2], &g[0], &g[1],
             &g[2]) != 6) {
    answer("error a range is six numbers");
    return;
  }
  step_range(step_count - 1, t, g);
  answer("ok");
}

/* -------------------------------------------------------------------- lines */

static void obey(char *line) {
  char a[512], b[128], options[256] = "";
  int n;
  if (sscanf(line, "step %511s %127s %255[^\n]", a, b, options) >= 2)
    add_step(a, b, options);
  else if (sscanf(line, "data %511s", a) == 1) {
    if (has_step()) set_data(a);
  } else if (!strncmp(line, "value ", 6)) {
    if (has_step()) set_value(line + 6);
  } else if (!strncmp(line, "range ", 6)) {
    if (has_step()) set_range(line + 6);
  } else if (sscanf(line, "run %d", &n) == 1 && n > 0)
    run(n);
  else if (sscanf(line, "save %511s", a) == 1)
    save(a);
  else if (!strncmp(line, "clear", 5))
    clear();
  else if (!strncmp(line, "device", 6))
    name_device();
  else
    answer("error what is this line?");
}

int main(void) {
  char line[1024];
  if (!open_device()) return 1;
  answer("ok");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "quit")) break;
    obey(line);
  }
  return 0;
}
