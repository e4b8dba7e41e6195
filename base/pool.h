/*
** pool.h - a loop over all cores.
**
** mt_pool_run calls 'body' for 0 .. count-1, each index once, on the calling
** thread and on workers that are started at first use and then sleep between
** calls. Indices are handed out in order, in small runs, so uneven work stays
** balanced. It returns when all are done. Console thread only: one call at a
** time, and 'body' must not call the pool again.
*/
#ifndef MT_POOL_H
#define MT_POOL_H

#include <stddef.h>

/* 'index' as above; 'worker' in 0 .. mt_pool_size()-1, distinct among those
** that run at the same moment, for per-worker scratch memory. */
typedef void (*mt_PoolBody)(void *context, size_t index, unsigned worker);

/* Threads that take part, the caller included: the cores this process may
** use, or METTLE_THREADS, or what mt_pool_resize asked for. At least 1. */
unsigned mt_pool_size(void);

/* Use 'threads' from the next call on; 0 returns to the default. */
void mt_pool_resize(unsigned threads);

void mt_pool_run(size_t count, mt_PoolBody body, void *context);

/* The same, for work that should be done before another thread could wake up:
** the caller begins alone, and wakes the others if work is left after some
** microseconds. */
void mt_pool_run_short(size_t count, mt_PoolBody body, void *context);

#endif
