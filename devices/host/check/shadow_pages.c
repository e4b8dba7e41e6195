/*
** shadow_pages.c - memory for the shadow: zeroed, and allocated on first touch.
*/
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/process/worker_process.h"
#include "devices/host/check/check.h"

/* Small blocks are kept for the next check, of any thread: clearing them is
** faster than new page faults. */
#define SPARES 64
#define SPARE_MAX ((size_t)5 << 20)   /* bytes of one block */
#define SPARES_MAX ((size_t)80 << 20) /* bytes of all */

static struct {
  void *pages;
  size_t bytes;
  bool zero;
} spare[SPARES];

static size_t spared; /* bytes of all blocks kept */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of both */

/* Removes spare block i, and gives its pages. */
static void *take(unsigned i) {
  void *pages = spare[i].pages;
  if (pages) spared -= spare[i].bytes;
  spare[i].pages = NULL;
  return pages;
}

/* A spare block of that size; NULL: there is none. */
static void *find_spare(size_t bytes, bool *zero) {
  void *found = NULL;
  pthread_mutex_lock(&lock);
  for (unsigned i = 0; i < SPARES && !found; i++)
    if (spare[i].pages && spare[i].bytes == bytes) {
      *zero = spare[i].zero;
      found = take(i);
    }
  pthread_mutex_unlock(&lock);
  return found;
}

void *mt_shadow_pages_new(size_t bytes) {
  bool zero;
  if (!bytes) bytes = 1;
  void *kept = find_spare(bytes, &zero);
  if (kept) return zero ? kept : memset(kept, 0, bytes);
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return NULL;
  mt_worker_process_hide(p, bytes);
  return p;
}

/* A slot for 'bytes' more; frees the oldest blocks. */
static unsigned make_place(size_t bytes) {
  static unsigned next;
  unsigned i;
  do {
    i = next++ % SPARES;
    void *old = take(i);
    if (old) munmap(old, spare[i].bytes);
  } while (spared + bytes > SPARES_MAX);
  return i;
}

void mt_shadow_pages_return(void *pages, size_t bytes, bool zero) {
  if (!pages) return;
  if (!bytes) bytes = 1;
  if (bytes > SPARE_MAX) {
    munmap(pages, bytes);
    return;
  }
  unsigned i = 0;
  pthread_mutex_lock(&lock);
  while (i < SPARES && spare[i].pages) i++;
  if (i == SPARES || spared + bytes > SPARES_MAX) i = make_place(bytes);
  spare[i].pages = pages, spare[i].bytes = bytes, spare[i].zero = zero;
  spared += bytes;
  pthread_mutex_unlock(&lock);
}

void mt_shadow_pages_clear(void *pages, size_t from, size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  from = (from + page - 1) & ~(page - 1);
  if (!pages || from >= bytes) return;
  char *p = (char *)pages + from;
  if (mmap(p, bytes - from, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
           0) == MAP_FAILED)
    memset(p, 0, bytes - from);
  else
    mt_worker_process_hide(p, bytes - from);
}

void mt_shadow_pages_small(void *pages, size_t bytes) {
#ifdef MADV_NOHUGEPAGE
  madvise(pages, bytes, MADV_NOHUGEPAGE);
#else
  (void)pages, (void)bytes;
#endif
}

void mt_shadow_pages_free(void *pages, size_t bytes) {
  mt_shadow_pages_return(pages, bytes, false);
}
