/*
** plain.c - runs kernels that were compiled as plain C for the benchmarks, see
** protocol.h. A kernel is a library of its own (bench/strangers/texts.lua
** writes its text) with a function "call", which runs a part of the range: of
** threads, of rows of threads, or of groups. OMP_NUM_THREADS says on how many
** cores.
*/
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

#include "bench/protocol.h"

#define MOST_ARGUMENTS 16

typedef struct Step {
  void *library;
  void (*call)(void **args, uint32_t first, uint32_t end,
               const uint32_t sizes[3]);
  int of_groups;
  void *args[MOST_ARGUMENTS]; /* a buffer's data, or where a value is kept */
  uint32_t values[MOST_ARGUMENTS];
  int count;
  uint32_t sizes[3], units; /* what is counted from 'first' to 'end' */
} Step;

static Step steps[MOST_STEPS];

static bool open_device(void) { return true; }
static void name_device(void) { answer("ok cc %s", __VERSION__); }
static bool buffer_open(Buffer *b) { return b->data != NULL; }
static bool buffer_fetch(Buffer *b) { return b->data != NULL; }
static void buffer_close(Buffer *b) { b->handle = NULL; }

static bool step_open(int number, const char *file, const char *name,
                      const char *options) {
  Step *s = &steps[number];
  (void)name, (void)options;
  memset(s, 0, sizeof *s);
  s->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  const int *of_groups = s->library ? dlsym(s->library, "of_groups") : NULL;
  if (of_groups) {
    s->of_groups = *of_groups;
    *(void **)&s->call = dlsym(s->library, "call");
  } else
    answer("error %s", dlerror());
  return of_groups;
}

static void step_close(int number) { dlclose(steps[number].library); }

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

static void step_range(int number, const size_t threads[3],
                       const size_t group[3]) {
  Step *s = &steps[number];
  for (int i = 0; i < 3; i++)
    s->sizes[i] = (uint32_t)(threads[i] / (s->of_groups ? group[i] : 1));
  s->units = s->sizes[1] * s->sizes[2];
  if (s->of_groups || s->units == 1) s->units *= s->sizes[0];
}

/* In pieces, sixteen for each core: some take longer than others. */
static void run_step(Step *s, uint32_t pieces) {
#pragma omp parallel for schedule(dynamic)
  for (uint32_t i = 0; i < pieces; i++)
    s->call(s->args, (uint32_t)((uint64_t)s->units * i / pieces),
            (uint32_t)((uint64_t)s->units * (i + 1) / pieces), s->sizes);
}

static void run(int times) {
  const char *cores = getenv("OMP_NUM_THREADS");
  uint32_t pieces = cores && atoi(cores) > 1 ? 16 * (uint32_t)atoi(cores) : 1;
  double start = now(CLOCK_MONOTONIC);
  double work = now(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < times; i++)
    for (int k = 0; k < step_count; k++) run_step(&steps[k], pieces);
  answer("ok %.9g %.9g", (now(CLOCK_MONOTONIC) - start) / times,
         (now(CLOCK_PROCESS_CPUTIME_ID) - work) / times);
}
