/*
** pool.c - a loop over all cores, by threads that sleep between loops.
**
** The one idea: a loop is a generation number and a shared counter. Workers
** wait for the generation to change, take runs of indices from the counter
** until it is used up, and report back; the caller works along with them. A
** short spin before sleeping keeps launches that follow one another cheap.
*/
#ifdef __linux__
#define _GNU_SOURCE
#include <sched.h>
#endif
#include "base/pool.h"

#include "base/clock.h"
#include "base/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_THREADS 256
#define SPINS 2000 /* tens of microseconds */
#define PATIENCE 25000 /* nanoseconds alone; about the cost of a wake-up */

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wake;    /* a new generation, or the end */
  pthread_cond_t done;    /* the last worker has finished */
  atomic_uint generation; /* changes when there is work */
  atomic_uint busy;       /* workers that have not finished */
  atomic_size_t next;     /* first index not yet handed out */
  size_t count;
  size_t run;             /* indices handed out at a time */
  mt_PoolBody body;
  void *context;
  unsigned threads;       /* taking part, the caller included; 0 = not yet */
  unsigned started;       /* workers that exist, numbered from 1 */
  unsigned born[MAX_THREADS]; /* generation when each worker was started */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static unsigned usable_cores(void) {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    return (unsigned)CPU_COUNT(&set);
#endif
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? (unsigned)n : 1;
}

static unsigned default_size(void) {
  const char *asked = getenv("METTLE_THREADS");
  long n = asked ? strtol(asked, NULL, 10) : 0;
  if (n <= 0) n = usable_cores();
  return n > MAX_THREADS ? MAX_THREADS : (unsigned)n;
}

unsigned mt_pool_size(void) {
  if (pool.threads == 0) pool.threads = default_size();
  return pool.threads;
}

void mt_pool_resize(unsigned threads) {
  pool.threads = threads > MAX_THREADS ? MAX_THREADS : threads;
}

static void take_runs(unsigned worker) {
  for (;;) {
    size_t first = atomic_fetch_add_explicit(&pool.next, pool.run,
                                             memory_order_relaxed);
    if (first >= pool.count) return;
    size_t end = pool.count - first < pool.run ? pool.count : first + pool.run;
    for (size_t i = first; i < end; i++) pool.body(pool.context, i, worker);
  }
}

static unsigned wait_for_work(unsigned seen) {
  for (int i = 0; i < SPINS; i++) {
    unsigned now = atomic_load_explicit(&pool.generation, memory_order_acquire);
    if (now != seen) return now;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
  }
  pthread_mutex_lock(&pool.lock);
  unsigned now;
  while ((now = atomic_load(&pool.generation)) == seen)
    pthread_cond_wait(&pool.wake, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
  return now;
}

static void *worker_main(void *arg) {
  unsigned worker = (unsigned)(size_t)arg, seen = pool.born[worker];
  for (;;) {
    seen = wait_for_work(seen);
    if (worker < pool.threads) take_runs(worker);
    if (atomic_fetch_sub(&pool.busy, 1) == 1) {
      pthread_mutex_lock(&pool.lock);
      pthread_cond_signal(&pool.done);
      pthread_mutex_unlock(&pool.lock);
    }
  }
  return NULL;
}

/* A copy of this process (fork) has none of its threads. */
static void forget_workers(void) {
  pool.started = 0;
  atomic_store(&pool.busy, 0);
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.wake, NULL);
  pthread_cond_init(&pool.done, NULL);
}

static void start_workers(unsigned want) {
  static bool noted;
  if (!noted) noted = pthread_atfork(NULL, NULL, forget_workers) == 0;
  while (pool.started + 1 < want) {
    size_t number = pool.started + 1;
    pool.born[number] = atomic_load(&pool.generation);
    if (!mt_thread_start(NULL, worker_main, (void *)number)) break;
    pool.started++;
  }
}

static void wait_for_workers(void) {
  for (int i = 0; i < SPINS; i++)
    if (atomic_load_explicit(&pool.busy, memory_order_acquire) == 0) return;
  pthread_mutex_lock(&pool.lock);
  while (atomic_load(&pool.busy) != 0)
    pthread_cond_wait(&pool.done, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
}

/* Indices from 'first' on. */
static void run_from(size_t first, size_t count, mt_PoolBody body,
                     void *context) {
  unsigned threads = mt_pool_size();
  if (threads == 1 || count - first <= 1) {
    for (size_t i = first; i < count; i++) body(context, i, 0);
    return;
  }
  pool.count = count;
  pool.body = body;
  pool.context = context;
  pool.run = (count - first) / (threads * 32u) + 1;
  atomic_store(&pool.next, first);
  if (pool.started + 1 < threads) start_workers(threads);
  atomic_store(&pool.busy, pool.started);
  pthread_mutex_lock(&pool.lock);
  atomic_fetch_add(&pool.generation, 1);
  pthread_cond_broadcast(&pool.wake);
  pthread_mutex_unlock(&pool.lock);
  take_runs(0);
  wait_for_workers();
}

void mt_pool_run(size_t count, mt_PoolBody body, void *context) {
  run_from(0, count, body, context);
}

void mt_pool_run_short(size_t count, mt_PoolBody body, void *context) {
  uint64_t start = mt_now_ns();
  size_t done = 0;
  while (done < count && mt_now_ns() - start < PATIENCE)
    body(context, done++, 0);
  if (done < count) run_from(done, count, body, context);
}
