/*
** log.c - messages and failed assertions of a launch (mt_CudaLog).
**
** Records come in the order in which threads took their room: messages are
** sorted by group and thread, and of the assertions that failed the one of the
** first thread is told. Texts are in the module's memory on the GPU and read
** from there, each once in a launch.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/cuda/abi/launch.h"
#include "devices/cuda/driver/shared_memory.h"
#include "devices/cuda/gpu.h"
#include "devices/log_format.h"

#define WORDS ((size_t)256 << 10) /* 1 MB */
#define BYTES (sizeof(mt_CudaLog) + WORDS * 4)
#define TEXTS 64
#define TEXT 512

static const mt_DriverWait quick = {.grace = 1};

/* Texts of this launch by their address. */
typedef struct Texts {
  mt_Cuda *gpu;
  uint64_t address[TEXTS];
  char text[TEXTS][TEXT];
  unsigned count, next;
} Texts;

mt_Status mt_cuda_log_begin(mt_Cuda *gpu, uint64_t *address, mt_Error *err) {
  mt_Status status = MT_OK;
  if (!gpu->log_bytes) gpu->log_bytes = mt_shared_memory_new(BYTES);
  if (!gpu->log_bytes) return mt_error(err, MT_FAIL, "out of memory");
  if (!gpu->log || gpu->log_generation != gpu->driver.generation) {
    status = mt_cuda_allocate(gpu, BYTES, &gpu->log, err);
    gpu->log_generation = gpu->driver.generation;
    gpu->log_clean = false;
  }
  if (status == MT_OK && !gpu->log_clean) {
    mt_CudaLog *head = (mt_CudaLog *)gpu->log_bytes;
    status = mt_cuda_transfer(gpu, MT_DRIVER_ZERO, gpu->log, gpu->log_bytes,
                              BYTES, err);
    *head = (mt_CudaLog){.room = WORDS};
    if (status == MT_OK)
      status = mt_cuda_transfer(gpu, MT_DRIVER_COPY_IN, gpu->log,
                                gpu->log_bytes, sizeof *head, err);
    gpu->log_clean = status == MT_OK;
  }
  *address = gpu->log;
  return status;
}

void mt_cuda_log_free(mt_Cuda *gpu) {
  mt_shared_memory_free(gpu->log_bytes, BYTES);
}

/* The text at an address of device memory. */
static const char *text_at(Texts *t, uint64_t address) {
  mt_Channel *c = t->gpu->driver.channel;
  mt_Error ignored;
  for (unsigned i = 0; i < t->count; i++)
    if (t->address[i] == address) return t->text[i];
  unsigned i = t->next++ % TEXTS;
  if (t->count < TEXTS) t->count++;
  t->address[i] = address;
  c->number = address;
  bool got = address && t->gpu->driver.greeted &&
             mt_driver_ask(&t->gpu->driver, MT_DRIVER_TEXT, &quick, &ignored) ==
                 MT_OK && c->result == MT_CU_OK;
  snprintf(t->text[i], TEXT, "%.*s", TEXT - 1, got ? c->text : "(no text)");
  return t->text[i];
}

static uint64_t wide(const uint32_t *w) { return w[0] | (uint64_t)w[1] << 32; }

typedef struct Record {
  uint32_t what, count, group[3], thread;
  uint64_t text;
  const uint32_t *values;
} Record;

static uint64_t group_number(const Record *r, const uint64_t groups[3]) {
  return r->group[0] + groups[0] * (r->group[1] + groups[1] * r->group[2]);
}

static void keep(Texts *t, const Record *r, const uint64_t groups[3]) {
  char text[MT_MESSAGE_LENGTH];
  mt_LogArgs args = {0};
  for (uint32_t i = 0; i < r->count && args.count < MT_LOG_ARGS; i++) {
    const uint32_t *v = r->values + (size_t)i * MT_CUDA_LOG_VALUE;
    uint64_t value = wide(v + 1);
    if (MT_LOG_KIND(v[0]) == MT_LOG_TEXT)
      value = (uint64_t)(uintptr_t)text_at(t, value);
    args.code[args.count] = v[0];
    args.value[args.count++] = value;
  }
  mt_log_text(text, sizeof text, text_at(t, r->text), &args);
  mt_messages_keep(&t->gpu->messages, group_number(r, groups), r->thread,
                   r->what == MT_CUDA_LOG_ERROR, text);
}

/* The next record; false: there is none. */
static bool next(const uint32_t **at, const uint32_t *end, Record *r) {
  const uint32_t *w = *at;
  if (end - w < MT_CUDA_LOG_RECORD || w[0] == 0) return false;
  *r = (Record){w[0], w[1], {w[2], w[3], w[4]}, w[5], wide(w + 6),
                w + MT_CUDA_LOG_RECORD};
  size_t values = r->what == MT_CUDA_LOG_ASSERT ? 0 : r->count;
  if (values * MT_CUDA_LOG_VALUE > (size_t)(end - r->values)) return false;
  *at = r->values + values * MT_CUDA_LOG_VALUE;
  return true;
}

static mt_Status failed(Texts *t, const mt_Launch *l, const Record *r,
                        mt_Error *err) {
  const mt_KernelInfo *k = &l->kernel->info;
  mt_Extent e = mt_launch_extent(l);
  uint64_t rest = r->thread;
  unsigned at[3];
  char line[256] = "";
  for (int d = 0; d < 3; d++) {
    uint64_t first = r->group[d] * e.group[d], left = e.threads[d] - first;
    uint64_t side = left < e.group[d] ? left : e.group[d];
    at[d] = (unsigned)(first + (d < 2 ? rest % side : rest));
    rest /= side;
  }
  if (r->count)
    snprintf(line, sizeof line, ", line %u%s%.200s", r->count,
             k->file ? " of " : "", k->file ? k->file : "");
  return mt_error(err, MT_FAIL,
                  "kernel '%.100s'%s, threadgroup (%u, %u, %u): thread (%u, "
                  "%u, %u) failed assert(%s)", k->name, line, r->group[0],
                  r->group[1], r->group[2], at[0], at[1], at[2],
                  text_at(t, r->text));
}

static mt_Status read_records(Texts *t, const mt_Launch *l, size_t words,
                              mt_Error *err) {
  mt_Extent e = mt_launch_extent(l);
  const uint32_t *at = ((mt_CudaLog *)t->gpu->log_bytes)->words;
  const uint32_t *end = at + words;
  Record r, worst = {0};
  while (next(&at, end, &r)) {
    if (r.what != MT_CUDA_LOG_ASSERT) {
      keep(t, &r, e.groups);
      continue;
    }
    uint64_t a = group_number(&r, e.groups), b = group_number(&worst, e.groups);
    if (!worst.what || a < b || (a == b && r.thread < worst.thread)) worst = r;
  }
  return worst.what ? failed(t, l, &worst, err) : MT_OK;
}

mt_Status mt_cuda_log_end(mt_Cuda *gpu, const mt_Launch *l, mt_Error *err) {
  mt_CudaLog *log = (mt_CudaLog *)gpu->log_bytes;
  mt_Status status = mt_cuda_transfer(gpu, MT_DRIVER_COPY_OUT, gpu->log, log,
                                      sizeof *log, err);
  if (status != MT_OK || (!log->used && !log->asserted)) return status;
  gpu->log_clean = false;
  size_t words = log->used < WORDS ? log->used : WORDS;
  if (log->used > WORDS)
    gpu->messages.left_out += (log->used - WORDS) / MT_CUDA_LOG_RECORD + 1;
  if (words)
    status = mt_cuda_transfer(gpu, MT_DRIVER_COPY_OUT, gpu->log, log,
                              sizeof *log + words * 4, err);
  if (status != MT_OK) return status;
  Texts *texts = calloc(1, sizeof *texts);
  if (!texts) return mt_error(err, MT_FAIL, "out of memory");
  texts->gpu = gpu;
  status = read_records(texts, l, words, err);
  free(texts);
  return status;
}
