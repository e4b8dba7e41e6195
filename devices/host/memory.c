/*
** memory.c - memory that kernels use, between guard regions.
**
** A kernel that accesses memory past the end of a buffer must not reach the
** next one, nor the program. Address space is plentiful: each buffer lies
** between two inaccessible regions, wide enough for an index that is slightly
** wrong; and buffers lie far from the program and from each other, so that a
** wildly wrong index (any 32-bit index into floats) hits no mapped memory
** either.
*/
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/align.h"
#include "base/process/worker_process.h"
#include "devices/host/host.h"

#define MOAT MT_HOST_MOAT
/* Large buffers lie on such pages, whole ones if they start at one. */
#define HUGE_PAGE ((size_t)2 << 20)

/* An address range that is otherwise unused, and the distance between buffers.
** It is a hint to mmap: if the place is taken, the system chooses another. The
** sanitizers reserve address space of their own. */
#if defined(__linux__) && defined(__LP64__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FIRST ((uintptr_t)0x20 << 40)
#define LAST ((uintptr_t)0x50 << 40)
#define APART ((uintptr_t)16 << 30)
static void *wish(size_t size) {
  static uintptr_t next = FIRST;
  uintptr_t step = APART + mt_align_up(size, HUGE_PAGE);
  uintptr_t at = __atomic_fetch_add(&next, step, __ATOMIC_RELAXED);
  if (at > LAST) __atomic_store_n(&next, FIRST, __ATOMIC_RELAXED);
  return (void *)at;
}
#else
static void *wish(size_t size) {
  (void)size;
  return NULL;
}
#endif

static size_t pages(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return mt_align_up(size, page);
}

void *mt_host_memory_new(size_t size) {
  size_t inner = pages(size);
  if (inner < size || inner + 2 * MOAT < inner) return NULL;
  char *all = mmap(wish(inner + 2 * MOAT), inner + 2 * MOAT, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return NULL;
  if (mprotect(all + MOAT, inner, PROT_READ | PROT_WRITE) != 0) {
    munmap(all, inner + 2 * MOAT);
    return NULL;
  }
#ifdef MADV_HUGEPAGE
  if (inner >= 2 * HUGE_PAGE) madvise(all + MOAT, inner, MADV_HUGEPAGE);
#endif
  mt_worker_process_hide(all, inner + 2 * MOAT);
  return all + MOAT;
}

void mt_host_memory_free(void *at, size_t size) {
  if (at) munmap((char *)at - MOAT, pages(size) + 2 * MOAT);
}
