/*
** ispc.c - runs ISPC's examples for the benchmarks, see protocol.h. They are
** functions of one core that the Makefile compiled from a copy of ISPC's
** repository, so a step is a call of one of them.
*/
#include <stdint.h>
#include <time.h>

#include "bench/protocol.h"

#define MOST_ARGUMENTS 16

typedef struct Step {
  void (*call)(void **a);
  void *args[MOST_ARGUMENTS]; /* a buffer's data, or where a value is kept */
  uint32_t values[MOST_ARGUMENTS];
  int count;
} Step;

static Step steps[MOST_STEPS];

/* ----------------------------------------------------------- ISPC's tasks */

/* The files also have functions that launch tasks; none of them is called. */
extern void ISPCLaunch(void **handle, void *f, void *data, int x, int y, int z);
extern void ISPCSync(void *handle);
extern void *ISPCAlloc(void **handle, int64_t size, int32_t alignment);

void ISPCLaunch(void **handle, void *f, void *data, int x, int y, int z) {
  (void)handle, (void)f, (void)data, (void)x, (void)y, (void)z;
  abort();
}

void ISPCSync(void *handle) {
  (void)handle;
  abort();
}

void *ISPCAlloc(void **handle, int64_t size, int32_t alignment) {
  (void)handle, (void)size, (void)alignment;
  abort();
}

/* ----------------------------------------------------- what ISPC exports */

extern void mandelbrot_ispc(float x0, float y0, float x1, float y1,
                            int32_t width, int32_t height, int32_t most,
                            int32_t *out);
extern void black_scholes_ispc(float *S, float *X, float *T, float *r, float *v,
                               float *result, int32_t count);
extern void binomial_put_ispc(float *S, float *X, float *T, float *r, float *v,
                              float *result, int32_t count);
extern void noise_ispc(float x0, float y0, float x1, float y1, int32_t width,
                       int32_t height, float *out);
extern void loop_stencil_ispc(int32_t t0, int32_t t1, int32_t x0, int32_t x1,
                              int32_t y0, int32_t y1, int32_t z0, int32_t z1,
                              int32_t nx, int32_t ny, int32_t nz,
                              const float *coef, const float *vsq, float *even,
                              float *odd);
extern void ao_ispc(int32_t w, int32_t h, int32_t subsamples, float *image);
extern void volume_ispc(float *density, int32_t *voxels, const float *raster,
                        const float *world, int32_t width, int32_t height,
                        float *image);
extern void raytrace_ispc(int32_t width, int32_t height, int32_t base_width,
                          int32_t base_height, const float *raster,
                          const float *world, float *image, int32_t *id,
                          const void *nodes, const void *triangles);

#define INT(i) (*(int32_t *)a[i])
#define FLOAT(i) (*(float *)a[i])

static void mandelbrot(void **a) {
  mandelbrot_ispc(FLOAT(0), FLOAT(1), FLOAT(2), FLOAT(3), INT(4), INT(5),
                  INT(6), a[7]);
}

static void black_scholes(void **a) {
  black_scholes_ispc(a[0], a[1], a[2], a[3], a[4], a[5], INT(6));
}

static void binomial(void **a) {
  binomial_put_ispc(a[0], a[1], a[2], a[3], a[4], a[5], INT(6));
}

static void noise(void **a) {
  noise_ispc(FLOAT(0), FLOAT(1), FLOAT(2), FLOAT(3), INT(4), INT(5), a[6]);
}

static void stencil(void **a) {
  int32_t edge = INT(0), x = INT(1), y = INT(2), z = INT(3);
  loop_stencil_ispc(0, 1, edge, x - edge, edge, y - edge, edge, z - edge, x, y,
                    z, a[4], a[5], a[6], a[7]);
}

static void ao(void **a) { ao_ispc(INT(0), INT(1), INT(2), a[3]); }

static void volume(void **a) {
  volume_ispc(a[0], a[1], a[2], a[3], INT(4), INT(5), a[6]);
}

static void raytrace(void **a) {
  raytrace_ispc(INT(0), INT(1), INT(2), INT(3), a[4], a[5], a[6], a[7], a[8],
                a[9]);
}

static const struct {
  const char *name;
  void (*call)(void **a);
} calls[] = {
    {"mandelbrot", mandelbrot},
    {"black_scholes", black_scholes},
    {"binomial", binomial},
    {"noise", noise},
    {"stencil", stencil},
    {"ao", ao},
    {"volume", volume},
    {"raytrace", raytrace},
};

/* ------------------------------------------------------------ the protocol */

static bool open_device(void) { return true; }
static void name_device(void) { answer("ok " ISPC_NAME); }
static bool buffer_open(Buffer *b) { return b->data != NULL; }
static bool buffer_fetch(Buffer *b) { return b->data != NULL; }
static void buffer_close(Buffer *b) { b->handle = NULL; }
static void step_close(int number) { steps[number].count = 0; }

static bool step_open(int number, const char *file, const char *name,
                      const char *options) {
  (void)file, (void)options;
  memset(&steps[number], 0, sizeof steps[number]);
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
    if (!strcmp(calls[i].name, name)) steps[number].call = calls[i].call;
  if (!steps[number].call) answer("error there is no example %s", name);
  return steps[number].call;
}

static bool add_argument(Step *s, void *value) {
  if (s->count < MOST_ARGUMENTS) {
    s->args[s->count++] = value;
    return true;
  }
  answer("error too many arguments");
  return false;
}

static bool step_argument(int number, size_t size, const void *value) {
  Step *s = &steps[number];
  uint32_t *kept = &s->values[s->count % MOST_ARGUMENTS];
  memcpy(kept, value, size < sizeof *kept ? size : sizeof *kept);
  return add_argument(s, kept);
}

static bool step_data(int number, Buffer *b) {
  return add_argument(&steps[number], b->data);
}

/* The examples know their ranges from their arguments. */
static void step_range(int number, const size_t threads[3],
                       const size_t group[3]) {
  (void)number, (void)threads, (void)group;
}

static void run(int times) {
  double start = now(CLOCK_MONOTONIC);
  double work = now(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < times; i++)
    for (int k = 0; k < step_count; k++) steps[k].call(steps[k].args);
  answer("ok %.9g %.9g", (now(CLOCK_MONOTONIC) - start) / times,
         (now(CLOCK_PROCESS_CPUTIME_ID) - work) / times);
}
