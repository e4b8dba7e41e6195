/*
** fake_cuda.c - a driver library for test_cuda_driver.c: just enough of libcuda
** to see what the device asks of it. Device memory is memory of the process
** that loads it; instead of PTX a module is a word that says what its kernel
** does:
**
**   add        to each uint of parameter 0 the uint of parameter 1
**   groups     counts each threadgroup of the grid up in parameter 0
**   counters   writes 'calls' to parameter 0
**   text       logs a message with a value, one from each group
**   assert     fails an assertion in group 1
**   endless, slow, crash, exit   does so
**   error N    ends with that error, which stays
**   wide N     as add, in so many registers, if it is not told to use fewer
**   refuse N   is refused with it at the launch, once
**   load N     cannot be loaded
**
** CUDA_FAKE, a list of words or the name of a file with them: mb=N memory of
** the card, init=N cuInit's result, gpus=N, capability=N, driver=N.
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/cuda/abi/launch.h"
#include "devices/cuda/driver/cu.h"

static struct {
  uint32_t copies_in, copies_out, clears, allocs, frees, launches, loads,
      unloads, shared;
} calls;

static int sticky, waiting; /* waiting: 1 for a while, 2 forever */
static uint64_t waited;
static size_t used;

static long asked(const char *word, long usual) {
  static char words[256];
  const char *all = getenv("CUDA_FAKE");
  FILE *f = all && all[0] == '/' ? fopen(all, "r") : NULL;
  if (f && fgets(words, sizeof words, f)) all = words;
  if (f) fclose(f);
  const char *at = all ? strstr(all, word) : NULL;
  return at ? atol(at + strlen(word)) : usual;
}

static size_t memory(void) { return (size_t)asked("mb=", 64) << 20; }

/* Each block has its size before it. */
typedef struct Block {
  size_t size;
  char padding[248];
} Block;

mt_CuResult cuInit(unsigned flags) {
  return (void)flags, (int)asked("init=", 0);
}
mt_CuResult cuDriverGetVersion(int *v) {
  return *v = (int)asked("driver=", 12040), 0;
}
mt_CuResult cuDeviceGetCount(int *n) { return *n = (int)asked("gpus=", 2), 0; }
mt_CuResult cuDeviceGet(mt_CuDevice *d, int n) { return *d = n, 0; }
mt_CuResult cuDeviceGetName(char *name, int size, mt_CuDevice d) {
  snprintf(name, (size_t)size, "Fake GPU %d", d);
  return 0;
}
mt_CuResult cuDeviceGetAttribute(int *v, int what, mt_CuDevice d) {
  (void)d;
  int capability = (int)asked("capability=", 90);
  switch (what) {
    case MT_CU_MAX_THREADS:
    case MT_CU_MAX_BLOCK_X:
    case MT_CU_MAX_BLOCK_Y:
      *v = 1024;
      break;
    case MT_CU_MAX_BLOCK_Z: *v = 64; break;
    case MT_CU_WARP: *v = 32; break;
    case MT_CU_MULTIPROCESSORS: *v = 7; break;
    case MT_CU_MAJOR: *v = capability / 10; break;
    case MT_CU_MINOR: *v = capability % 10; break;
    case MT_CU_MAX_SHARED_OPTIN: *v = 100 << 10; break;
    default: return MT_CU_INVALID_VALUE;
  }
  return 0;
}
mt_CuResult cuDeviceTotalMem_v2(size_t *bytes, mt_CuDevice d) {
  return (void)d, *bytes = memory(), 0;
}
mt_CuResult cuDevicePrimaryCtxRetain(mt_CuHandle *c, mt_CuDevice d) {
  return (void)d, *c = (mt_CuHandle)&calls, 0;
}
mt_CuResult cuCtxSetCurrent(mt_CuHandle c) { return (void)c, 0; }
mt_CuResult cuMemGetInfo_v2(size_t *available, size_t *total) {
  *total = memory();
  *available = *total - used;
  return sticky;
}
mt_CuResult cuMemAlloc_v2(mt_CuAddress *at, size_t size) {
  calls.allocs++;
  if (used + size > memory()) return MT_CU_OUT_OF_MEMORY;
  Block *b = malloc(sizeof *b + size);
  if (!b) return MT_CU_OUT_OF_MEMORY;
  memset(b + 1, 0xcd, size); /* zeros may not be relied on */
  b->size = size;
  used += size;
  *at = (mt_CuAddress)(uintptr_t)(b + 1);
  return sticky;
}
mt_CuResult cuMemFree_v2(mt_CuAddress at) {
  Block *b = (Block *)(uintptr_t)at - 1;
  calls.frees++;
  used -= b->size;
  free(b);
  return sticky;
}
mt_CuResult cuMemcpyHtoDAsync_v2(mt_CuAddress to, const void *from, size_t n,
                                 mt_CuHandle s) {
  (void)s;
  calls.copies_in++;
  memcpy((void *)(uintptr_t)to, from, n);
  return sticky;
}
mt_CuResult cuMemcpyDtoHAsync_v2(void *to, mt_CuAddress from, size_t n,
                                 mt_CuHandle s) {
  (void)s;
  calls.copies_out++;
  memcpy(to, (void *)(uintptr_t)from, n);
  return sticky;
}
mt_CuResult cuMemsetD8Async(mt_CuAddress at, unsigned char v, size_t n,
                            mt_CuHandle s) {
  (void)s;
  calls.clears++;
  memset((void *)(uintptr_t)at, v, n);
  return sticky;
}
mt_CuResult cuMemsetD32Async(mt_CuAddress at, unsigned v, size_t n,
                             mt_CuHandle s) {
  (void)s;
  for (size_t i = 0; i < n; i++) ((unsigned *)(uintptr_t)at)[i] = v;
  return sticky;
}
mt_CuResult cuMemHostAlloc(void **at, size_t n, unsigned f) {
  (void)f;
  *at = calloc(1, n);
  return *at ? sticky : MT_CU_OUT_OF_MEMORY;
}

/* ------------------------------------------------------------------ modules */

typedef struct Code {
  char word[80];
  unsigned registers;
} Code;

mt_CuResult cuLinkCreate_v2(unsigned n, int *o, void **v, mt_CuHandle *link) {
  *link = (mt_CuHandle)calloc(1, sizeof(void *));
  return (void)n, (void)o, (void)v, sticky;
}
mt_CuResult cuLinkAddData_v2(mt_CuHandle link, int kind, void *data,
                             size_t size, const char *name, unsigned n, int *o,
                             void **v) {
  (void)link, (void)kind, (void)data, (void)size, (void)name, (void)n, (void)o,
      (void)v;
  return sticky;
}
mt_CuResult cuLinkComplete(mt_CuHandle link, void **code, size_t *size) {
  *code = link, *size = sizeof(void *);
  return sticky;
}
mt_CuResult cuLinkDestroy(mt_CuHandle link) { return free(link), sticky; }

mt_CuResult cuModuleLoadDataEx(mt_CuHandle *module, const void *image,
                               unsigned count, int *options, void **values) {
  const char *word = image;
  calls.loads++;
  if (strncmp(word, "load ", 5) == 0) {
    if (count >= 2 && options[0] == MT_CU_JIT_ERROR_LOG)
      snprintf(values[0], (size_t)(uintptr_t)values[1],
               "ptxas: it is a word\nand more");
    return atoi(word + 5);
  }
  Code *code = calloc(1, sizeof *code);
  snprintf(code->word, sizeof code->word, "%s", word);
  if (sscanf(word, "wide %u", &code->registers) == 1) strcpy(code->word, "add");
  else code->registers = 40;
  if (count == 3 && options[2] == MT_CU_JIT_MAX_REGISTERS &&
      (uintptr_t)values[2] < code->registers)
    code->registers = (unsigned)(uintptr_t)values[2];
  *module = (mt_CuHandle)code;
  return sticky;
}
mt_CuResult cuModuleUnload(mt_CuHandle module) {
  calls.unloads++;
  free(module);
  return sticky;
}
mt_CuResult cuModuleGetFunction(mt_CuHandle *f, mt_CuHandle module,
                                const char *name) {
  *f = module;
  return strcmp(name, MT_CUDA_ENTRY) == 0 ? sticky : 500;
}
mt_CuResult cuFuncGetAttribute(int *v, int what, mt_CuHandle f) {
  unsigned registers = ((Code *)f)->registers,
           threads = 65536 / registers / 32 * 32;
  *v = what == MT_CU_FUNC_REGISTERS     ? (int)registers
       : what == MT_CU_FUNC_MAX_THREADS ? (threads < 1024 ? (int)threads : 1024)
                                        : 0;
  return sticky;
}
mt_CuResult cuFuncSetAttribute(mt_CuHandle f, int what, int v) {
  (void)f;
  if (what == MT_CU_FUNC_MAX_DYNAMIC_SHARED) calls.shared = (uint32_t)v;
  return sticky;
}
mt_CuResult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, mt_CuHandle f,
                                                        int threads,
                                                        size_t shared) {
  (void)f, (void)shared;
  *n = 2048 / threads;
  return sticky;
}

/* ----------------------------------------------------------------- launches */

static void log_record(const mt_CudaLaunch *l, uint32_t what, uint32_t count,
                       uint32_t group, const char *text) {
  mt_CudaLog *log = (mt_CudaLog *)(uintptr_t)l->log;
  uint64_t at = (uint64_t)(uintptr_t)text;
  uint32_t r[] = {
      what,   count,      group, 0, 0, 3, (uint32_t)at, (uint32_t)(at >> 32),
      4 << 4, 40 + group, 0};
  uint32_t n = what == MT_CUDA_LOG_ASSERT ? 8 : 11, first = log->used;
  log->used += n;
  if (first + n <= log->room) memcpy(log->words + first, r, n * 4);
  if (what == MT_CUDA_LOG_ASSERT) log->asserted = 1;
}

/* All groups of this part, the last first. */
static void run(const char *word, uint32_t *out, void **p,
                const mt_CudaLaunch *l, const unsigned n[3], unsigned threads) {
  for (uint64_t i = (uint64_t)n[0] * n[1] * n[2]; i-- > 0;) {
    uint64_t x = i % n[0] + l->origin[0], y = i / n[0] % n[1] + l->origin[1],
             z = i / n[0] / n[1] + l->origin[2];
    uint64_t group = x + l->groups[0] * (y + l->groups[1] * z);
    if (strcmp(word, "groups") == 0) out[group]++;
    if (strcmp(word, "text") == 0)
      log_record(l, MT_CUDA_LOG_MESSAGE, 1, (uint32_t)group, "says %d\n");
    if (strcmp(word, "assert") == 0 && group == 1)
      log_record(l, MT_CUDA_LOG_ASSERT, 17, 1, "x < 3");
    if (strcmp(word, "add") == 0)
      for (uint64_t t = group * threads;
           t < (group + 1) * threads && t < l->grid[0]; t++)
        out[t] += **(uint32_t **)p[1];
  }
}

mt_CuResult cuLaunchKernel(mt_CuHandle f, unsigned gx, unsigned gy, unsigned gz,
                           unsigned bx, unsigned by, unsigned bz,
                           unsigned shared, mt_CuHandle s, void **p,
                           void **extra) {
  const char *word = ((const Code *)f)->word;
  unsigned n[3] = {gx, gy, gz}, params = strcmp(word, "add") == 0 ? 2 : 1;
  (void)s, (void)extra, (void)shared;
  calls.launches++;
  if (bx * by * bz > 65536 / ((const Code *)f)->registers)
    return MT_CU_OUT_OF_RESOURCES;
  if (gy > 65535 || gz > 65535 || bz > 64) return MT_CU_INVALID_VALUE;
  if (strncmp(word, "refuse ", 7) == 0) return atoi(word + 7);
  if (strncmp(word, "error ", 6) == 0) return sticky = atoi(word + 6), 0;
  if (strcmp(word, "crash") == 0) abort();
  if (strcmp(word, "exit") == 0) exit(3);
  if (strcmp(word, "endless") == 0) waiting = 2;
  if (strcmp(word, "slow") == 0) waiting = 1;
  uint32_t *out = *(uint32_t **)p[0];
  if (strcmp(word, "counters") == 0) memcpy(out, &calls, sizeof calls);
  run(word, out, p, p[params], n, bx * by * bz);
  return sticky;
}

mt_CuResult cuStreamCreate(mt_CuHandle *s, unsigned f) {
  return (void)f, *s = (mt_CuHandle)&used, 0;
}
mt_CuResult cuStreamSynchronize(mt_CuHandle s) { return (void)s, sticky; }
mt_CuResult cuEventCreate(mt_CuHandle *e, unsigned f) {
  return (void)f, *e = (mt_CuHandle)&waited, 0;
}
mt_CuResult cuEventRecord(mt_CuHandle e, mt_CuHandle s) {
  return (void)e, (void)s, sticky;
}
mt_CuResult cuEventQuery(mt_CuHandle e) {
  return (void)e, waiting ? MT_CU_NOT_READY : sticky;
}
mt_CuResult cuEventSynchronize(mt_CuHandle e) {
  (void)e;
  if (waiting == 1) usleep(300000), waiting = 0;
  while (waiting) pause();
  return sticky;
}
mt_CuResult cuEventElapsedTime(float *ms, mt_CuHandle a, mt_CuHandle b) {
  return (void)a, (void)b, *ms = 1.5f, sticky;
}
mt_CuResult cuGetErrorName(mt_CuResult r, const char **name) {
  static char text[32];
  snprintf(text, sizeof text, "CUDA_ERROR_FAKE_%d", r);
  *name = text;
  return 0;
}
mt_CuResult cuGetErrorString(mt_CuResult r, const char **text) {
  return cuGetErrorName(r, text);
}
