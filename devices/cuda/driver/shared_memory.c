/*
** shared_memory.c - shared memory, see shared_memory.h.
**
** The one idea: address space costs nothing, so the free ranges are a plain
** sorted list, first fit, and a freed range gives its pages back at once: it is
** a hole of the file, which reads as zeros.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "devices/cuda/driver/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/process/worker_process.h"

#define LARGEST ((size_t)4 << 40)
#define LEAST ((size_t)64 << 20)
#define PAGE 4096u
#define APART 16u /* pages between ranges, never used */

typedef struct Range {
  size_t at, size;
} Range;

static struct {
  int file;
  char *base; /* NULL: not open */
  size_t size;
  Range *free; /* by 'at', no two of them touch */
  size_t count, room;
} shared = {.file = -1};

/* The size of a range, with what keeps it from the next one. */
static size_t whole(size_t size) {
  return (size + PAGE - 1) / PAGE * PAGE + (size_t)APART * PAGE;
}

static bool map(int file, size_t size) {
  void *base = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_NORESERVE, file, 0);
  if (base == MAP_FAILED) return false;
  shared.base = base;
  shared.size = size;
  shared.file = file;
  mt_worker_process_hide(base, size); /* copies map it themselves, or not */
  return true;
}

/* A process that may not have much memory may not have it by way of the shared
** memory either. */
static size_t most(void) {
  struct rlimit data;
  if (getrlimit(RLIMIT_DATA, &data) != 0 || data.rlim_cur >= LARGEST)
    return LARGEST;
  return (size_t)data.rlim_cur / PAGE * PAGE;
}

/* The shared memory is memory, though a file to the system: a limit on the size
** of files is not meant for it. A file above that limit is not refused, it ends
** the process. */
static bool set_size(int file, size_t size) {
  struct rlimit was, lifted;
  bool limited = getrlimit(RLIMIT_FSIZE, &was) == 0;
  lifted = was;
  lifted.rlim_cur = was.rlim_max;
  if (limited && was.rlim_max < size) return false;
  if (limited) setrlimit(RLIMIT_FSIZE, &lifted);
  bool done = ftruncate(file, (off_t)size) == 0;
  if (limited) setrlimit(RLIMIT_FSIZE, &was);
  return done;
}

mt_Status mt_shared_memory_open(int *file, mt_Error *err) {
  *file = shared.file;
  if (shared.base) return MT_OK;
  int fd = memfd_create("mettle", MFD_CLOEXEC);
  bool mapped = false;
  /* limits on address space or files may allow less */
  for (size_t size = most(); fd >= 0 && !mapped && size >= LEAST; size /= 4)
    mapped = set_size(fd, size) && map(fd, size);
  shared.free = mapped ? malloc(16 * sizeof *shared.free) : NULL;
  if (!shared.free) {
    int why = errno;
    if (fd >= 0) close(fd);
    if (mapped) munmap(shared.base, shared.size);
    shared.base = NULL;
    shared.file = -1;
    return mt_error(err, MT_FAIL,
                    "memory that the GPU's process shares cannot be made: %s",
                    strerror(why));
  }
  shared.room = 16;
  shared.count = 1;
  shared.free[0] = (Range){0, shared.size};
  *file = fd;
  return MT_OK;
}

mt_Status mt_shared_memory_map(int file, mt_Error *err) {
  off_t size = lseek(file, 0, SEEK_END);
  if (size > 0 && map(file, (size_t)size)) return MT_OK;
  return mt_error(err, MT_FAIL, "the shared memory cannot be mapped: %s",
                  strerror(errno));
}

void *mt_shared_memory_new(size_t size) {
  size_t need = whole(size), i = 0;
  if (!shared.base || need < size) return NULL;
  while (i < shared.count && shared.free[i].size < need) i++;
  if (i == shared.count) return NULL;
  Range *r = &shared.free[i];
  char *at = shared.base + r->at;
  r->at += need;
  r->size -= need;
  if (r->size == 0) {
    shared.count--;
    memmove(r, r + 1, (shared.count - i) * sizeof *r);
  }
  if (size >= ((size_t)4 << 20)) madvise(at, size, MADV_HUGEPAGE);
  return at;
}

/* Room for one more range; false: out of memory, the range is lost. */
static bool grow(void) {
  if (shared.count < shared.room) return true;
  Range *more = realloc(shared.free, 2 * shared.room * sizeof *more);
  if (!more) return false;
  shared.free = more;
  shared.room *= 2;
  return true;
}

void mt_shared_memory_free(void *memory, size_t size) {
  if (!memory) return;
  size_t at = mt_shared_memory_offset(memory), need = whole(size), i = 0;
  size_t used = need - (size_t)APART * PAGE;
  if (fallocate(shared.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                (off_t)at, (off_t)used) != 0)
    memset(memory, 0, used);
  size_t low = 0, high = shared.count;
  while (low < high) {
    i = (low + high) / 2;
    if (shared.free[i].at < at) low = i + 1;
    else high = i;
  }
  i = low;
  bool before = i && shared.free[i - 1].at + shared.free[i - 1].size == at;
  bool after = i < shared.count && at + need == shared.free[i].at;
  if (before && after) {
    shared.free[i - 1].size += need + shared.free[i].size;
    shared.count--;
    memmove(&shared.free[i], &shared.free[i + 1],
            (shared.count - i) * sizeof *shared.free);
  } else if (before) {
    shared.free[i - 1].size += need;
  } else if (after) {
    shared.free[i].at = at;
    shared.free[i].size += need;
  } else if (grow()) {
    memmove(&shared.free[i + 1], &shared.free[i],
            (shared.count - i) * sizeof *shared.free);
    shared.free[i] = (Range){at, need};
    shared.count++;
  }
}

uint64_t mt_shared_memory_offset(const void *at) {
  return (uint64_t)((const char *)at - shared.base);
}

void *mt_shared_memory_at(uint64_t offset) { return shared.base + offset; }
