/*
** work_shares.c - chunks for workers, see work_shares.h.
*/
#include "devices/host/run/work_shares.h"

static uint64_t share(uint64_t first, uint64_t end) {
  return end << 32 | first;
}
static uint64_t first_of(uint64_t s) { return s & UINT32_MAX; }
static uint64_t end_of(uint64_t s) { return s >> 32; }
static uint64_t size_of(uint64_t s) { return end_of(s) - first_of(s); }

void mt_work_shares_divide(mt_WorkShares *s, unsigned workers,
                           uint64_t chunks) {
  s->count = workers > MT_WORK_SHARES_MOST || chunks > UINT32_MAX ? 0 : workers;
  for (unsigned i = 0; i < s->count; i++)
    atomic_store(&s->left[i],
                 share(chunks * i / workers, chunks * (i + 1) / workers));
}

/* The worker's own share; the largest one if that is empty. */
static unsigned choose(mt_WorkShares *s, unsigned worker) {
  unsigned most = worker % s->count;
  if (size_of(atomic_load(&s->left[most]))) return most;
  for (unsigned i = 0; i < s->count; i++)
    if (size_of(atomic_load(&s->left[i])) >
        size_of(atomic_load(&s->left[most])))
      most = i;
  return most;
}

uint64_t mt_work_shares_take(mt_WorkShares *s, unsigned worker) {
  for (;;) {
    unsigned i = choose(s, worker);
    uint64_t old = atomic_load(&s->left[i]);
    bool own = i == worker % s->count;
    uint64_t first = first_of(old), end = end_of(old);
    if (first == end) continue; /* another worker was faster */
    uint64_t rest = own ? share(first + 1, end) : share(first, end - 1);
    if (atomic_compare_exchange_weak(&s->left[i], &old, rest))
      return own ? first : end - 1;
  }
}
