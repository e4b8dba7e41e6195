/*
** host.c - the host device: runs kernels on this machine's processor.
**
** Opening it only reads the machine's properties. Its memory is managed here;
** its compiler is the module host.so, loaded at the first compile.
*/
#include "devices/host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

#include "base/advice.h"
#include "base/pool.h"

#define MANY_BUFFERS 10000 /* above, the system's limit on mappings matters */

typedef struct Host {
  mt_Device head;
  char title[128];
  uint64_t used;  /* bytes in buffers */
  size_t buffers; /* live ones */
} Host;

static mt_CompilerHalf half = {.symbol = "mt_host_engine"};
extern const mt_DeviceOps mt_host_ops; /* at the end of this file */

/* ------------------------------------------------------------- the machine */

#ifdef __linux__
/* The value after "key : " in /proc/cpuinfo. */
static bool cpu_fact(const char *key, char *out, size_t size) {
  FILE *f = fopen("/proc/cpuinfo", "r");
  char line[512];
  bool found = false;
  while (f && !found && fgets(line, sizeof line, f)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, key, strlen(key)) != 0 || !colon) continue;
    colon += strspn(colon, ": \t");
    colon[strcspn(colon, "\n")] = 0;
    snprintf(out, size, "%s", colon);
    found = out[0] != 0;
  }
  if (f) fclose(f);
  return found;
}
#endif

static void find_title(char *out, size_t size) {
#ifdef __APPLE__
  size_t n = size;
  if (sysctlbyname("machdep.cpu.brand_string", out, &n, NULL, 0) == 0) return;
#elif defined(__linux__)
  if (cpu_fact("model name", out, size)) return;
  if (cpu_fact("Model", out, size)) return;
#endif
  struct utsname u;
  snprintf(out, size, "%s processor", uname(&u) == 0 ? u.machine : "unknown");
}

/* Memory that the process may use: the machine's, or the container's limit if
** that is less. */
static uint64_t find_memory(void) {
  uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) *
                    (uint64_t)sysconf(_SC_PAGESIZE);
#ifdef __linux__
  FILE *f = fopen("/sys/fs/cgroup/memory.max", "r");
  unsigned long long limit;
  if (f && fscanf(f, "%llu", &limit) == 1 && limit < memory) memory = limit;
  if (f) fclose(f);
#endif
  return memory;
}

static mt_Status host_open(mt_Device **out, mt_Error *err);

static void host_close(mt_Device *dev) { free(dev); }

/* --------------------------------------------------------------- the module */

/* The other devices have been asked: LLVM's process has all words that are
** left. */
static bool host_serve(const char *word, int *status) {
  *status = mt_compiler_serve(&half, word);
  return true;
}

/* Valid once there is a library. */
static const mt_HostEngine *engine(void) {
  return (const mt_HostEngine *)half.engine;
}

static void host_ready(mt_Device *dev) {
  (void)dev;
  mt_Error ignored;
  mt_compiler_ahead();
  if (mt_compiler_need(&half, &ignored) == MT_OK) engine()->ready();
}

static mt_Status host_launch(const mt_Launch *launch, mt_Timing *out,
                             mt_Error *err) {
  return engine()->launch(launch, out, err);
}

static mt_Status host_check(const mt_Launch *launch,
                            const mt_CheckOptions *options,
                            mt_CheckReport *out, mt_Error *err) {
  return engine()->check(launch, options, out, err);
}

static mt_Status host_profile(const mt_Launch *launch, mt_Profile *out,
                              mt_AccessMap *map, mt_Error *err) {
  return engine()->profile(launch, out, map, err);
}

static mt_Status host_record(const mt_Launch *launch,
                             const mt_RecordOptions *options,
                             mt_Recording *out, mt_Error *err) {
  return engine()->record(launch, options, out, err);
}

/* ----------------------------------------------------------------- buffers */

/* Each buffer is a separate mapping between guard pages. Systems limit the
** number of mappings of a process: many buffers reach that limit before memory
** runs out. */
static mt_Status no_memory(const Host *host, size_t size, mt_Error *err) {
  if (host->buffers < MANY_BUFFERS || size > host->used)
    return mt_error(err, MT_FAIL, "no memory for a buffer of %zu bytes", size);
  return mt_error(err, MT_FAIL,
                  "the system allows this process no more buffers: %zu are "
                  "alive; free those that are done with (%s), or use views of "
                  "one large buffer",
                  host->buffers, mt_advice()->free_buffer);
}

static mt_Status host_buffer_new(mt_Device *dev, size_t size, mt_Buffer **out,
                                 mt_Error *err) {
  Host *host = (Host *)dev;
  if (host->used + size > dev->info.memory)
    return mt_error(err, MT_FAIL,
                    "a buffer of %zu MB does not fit: the machine has %llu MB "
                    "and %llu MB are in other buffers", size >> 20,
                    (unsigned long long)dev->info.memory >> 20,
                    (unsigned long long)host->used >> 20);
  mt_Buffer *b = calloc(1, sizeof *b);
  void *memory = b ? mt_host_memory_new(size) : NULL;
  if (!memory) {
    free(b);
    return no_memory(host, size, err);
  }
  *b = (mt_Buffer){.device = dev, .contents = memory, .size = size};
  host->used += size;
  host->buffers++;
  *out = b;
  return MT_OK;
}

static mt_Status host_buffer_wrap(mt_Device *dev, void *memory, size_t size,
                                  mt_Buffer **out, mt_Error *err) {
  mt_Buffer *b = calloc(1, sizeof *b);
  if (!b) return mt_error(err, MT_FAIL, "out of memory");
  *b = (mt_Buffer){
      .device = dev, .contents = memory, .size = size, .wrapped = true};
  *out = b;
  return MT_OK;
}

static void host_buffer_free(mt_Buffer *b) {
  Host *host = (Host *)b->device;
  if (b->wrapped) {
    free(b);
    return;
  }
  host->used -= b->size;
  host->buffers--;
  mt_host_memory_free(b->contents, b->size);
  free(b);
}

/* ------------------------------------------------------------------- table */

static void host_messages(mt_Device *dev, mt_Str *out) {
  (void)dev;
  if (half.engine) engine()->messages(out);
}

const mt_DeviceOps mt_host_ops = {
    .entry = {.name = "host",
              .what = "this machine's processor, 32 threads as a vector"},
    .open = host_open,
    .close = host_close,
    .compiler = &half,
    .library_new = mt_compiler_library_new,
    .library_free = mt_compiler_library_free,
    .kernel_new = mt_compiler_kernel_new,
    .kernel_free = mt_compiler_kernel_free,
    .kernel_listing = mt_compiler_kernel_listing,
    .buffer_new = host_buffer_new,
    .buffer_wrap = host_buffer_wrap,
    .buffer_free = host_buffer_free,
    .texture_new = mt_host_texture_new,
    .texture_free = mt_host_texture_free,
    .texture_write = mt_host_texture_write,
    .texture_read = mt_host_texture_read,
    .launch = host_launch,
    .messages = host_messages,
    .ready = host_ready,
    .serve = host_serve,
    .check = host_check,
    .profile = host_profile,
    .record = host_record,
};

static mt_Status host_open(mt_Device **out, mt_Error *err) {
  Host *host = calloc(1, sizeof *host);
  if (!host) return mt_error(err, MT_FAIL, "out of memory");
  find_title(host->title, sizeof host->title);
  uint64_t memory = find_memory();
  host->head.ops = &mt_host_ops;
  host->head.info =
      (mt_DeviceInfo){.name = "host",
                      .title = host->title,
                      .how = "Clang and LLVM compile MSL for this CPU",
                      .is_gpu = false,
                      .unified_memory = true,
                      .units = mt_pool_size(),
                      .simd_width = 32,
                      .max_threads_per_group = 1024,
                      .max_group = {1024, 1024, 1024},
                      .max_threadgroup_memory = 32768,
                      .max_buffer = (size_t)memory,
                      .memory = memory,
                      .max_buffers = 31,
                      .max_textures = 128,
                      .max_samplers = 16};
  *out = &host->head;
  return MT_OK;
}
