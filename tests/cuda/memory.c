/*
** memory.c - allocations of the stand-in's GPU (memory.h), ordered by address.
*/
#define _GNU_SOURCE
#include "tests/cuda/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST UINT64_C(0x7c1000000000)
#define APART 512 /* alignment, and at least so much between two */

static Allocation **all;
static size_t count, room;
static uint64_t next = FIRST, serial;
static const Allocation *last; /* that was asked for */

/* the first that starts beyond the address */
static size_t beyond(uint64_t address) {
  size_t lo = 0, hi = count;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (all[mid]->start > address)
      hi = mid;
    else
      lo = mid + 1;
  }
  return lo;
}

const Allocation *memory_find(uint64_t address) {
  if (last != NULL && address - last->start < last->size) return last;
  size_t n = beyond(address);
  if (n == 0 || address - all[n - 1]->start >= all[n - 1]->size) return NULL;
  return last = all[n - 1];
}

void *memory_at(uint64_t address, uint64_t size) {
  const Allocation *a = memory_find(address);
  if (a == NULL || size > a->size - (address - a->start)) return NULL;
  return a->host + (address - a->start);
}

uint64_t memory_next(void) { return next; }

static void insert(Allocation *a) {
  if (count == room) {
    room = room ? room * 2 : 64;
    all = realloc(all, room * sizeof *all);
  }
  size_t at = beyond(a->start);
  memmove(all + at + 1, all + at, (count - at) * sizeof *all);
  all[at] = a;
  count++;
}

const Allocation *memory_new(AllocationKind kind, uint64_t size, void *host,
                             uint64_t start, void *owner) {
  Allocation *a = calloc(1, sizeof *a);
  *a = (Allocation){.start = start,
                    .size = size,
                    .host = host,
                    .kind = kind,
                    .owner = owner,
                    .serial = ++serial};
  if (host == NULL) {
    host = mmap(NULL, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED) {
      free(a);
      return NULL;
    }
    a->host = host;
    /* zeros may not be relied on */
    memset(host, 0xa5, size < (64u << 20) ? size : (64u << 20));
  }
  if (kind == MEM_DEVICE || kind == MEM_MODULE) {
    if (start == 0) a->start = next;
    next = a->start + (size + 2 * APART - 1) / APART * APART + APART;
  } else {
    a->start = (uint64_t)(uintptr_t)a->host;
  }
  insert(a);
  return a;
}

void memory_free(uint64_t start) {
  size_t n = beyond(start);
  if (n == 0 || all[n - 1]->start != start) return;
  Allocation *a = all[n - 1];
  memmove(all + n - 1, all + n, (count - n) * sizeof *all);
  count--;
  if (last == a) last = NULL;
  if (a->kind != MEM_REGISTERED) munmap(a->host, a->size);
  free(a);
}

const Allocation *memory_any(void *owner) {
  const Allocation *first = NULL;
  for (size_t k = 0; k < count; k++)
    if (all[k]->owner == owner &&
        (first == NULL || all[k]->serial < first->serial))
      first = all[k];
  return first;
}

uint64_t memory_used(void *owner) {
  uint64_t sum = 0;
  for (size_t k = 0; k < count; k++)
    if (all[k]->owner == owner &&
        (all[k]->kind == MEM_DEVICE || all[k]->kind == MEM_MODULE ||
         all[k]->kind == MEM_MANAGED))
      sum += (all[k]->size + APART - 1) / APART * APART;
  return sum;
}
