/*
** memory.c - buffers' memory, with a moat.
**
** A kernel that runs off the end of a buffer must not reach the next one. Address
** space is plentiful: each buffer lies between two stretches of it that nothing
** may touch, wide enough for an index that is somewhat wrong.
*/
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/host/host.h"

#define MOAT ((size_t)64 << 20) /* bytes on either side */

static size_t pages(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (size + page - 1) / page * page;
}

void *mt_host_memory_new(size_t size) {
  size_t inner = pages(size);
  if (inner < size || inner + 2 * MOAT < inner) return NULL;
  char *all = mmap(NULL, inner + 2 * MOAT, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return NULL;
  if (mprotect(all + MOAT, inner, PROT_READ | PROT_WRITE) != 0) {
    munmap(all, inner + 2 * MOAT);
    return NULL;
  }
#ifdef MADV_HUGEPAGE
  if (inner >= (4u << 20)) madvise(all + MOAT, inner, MADV_HUGEPAGE);
#endif
  return all + MOAT;
}

void mt_host_memory_free(void *at, size_t size) {
  if (at) munmap((char *)at - MOAT, pages(size) + 2 * MOAT);
}
