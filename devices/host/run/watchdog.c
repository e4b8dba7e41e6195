/*
** watchdog.c - a thread that ends launches which do not end by themselves.
**
** The one idea: polling every few milliseconds is cheap, waking a thread for
** each launch is not. So the watchdog polls while there are launches, and
** sleeps only after a while without any.
*/
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/thread.h"
#include "devices/host/run/fault_guard.h"

#define TICK_NS 5000000 /* 5 ms */
#define IDLE_TICKS 100  /* without a launch, before it sleeps */

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool started;
  atomic_int parked;           /* the watchdog waits for 'wake' */
  _Atomic(mt_Watch *) watches; /* all launches that there were */
} dog = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static bool any_runs(void) {
  for (mt_Watch *w = atomic_load(&dog.watches); w; w = w->next)
    if (atomic_load(&w->running)) return true;
  return false;
}

static void park(void) {
  pthread_mutex_lock(&dog.lock);
  atomic_store(&dog.parked, 1);
  while (!any_runs()) pthread_cond_wait(&dog.wake, &dog.lock);
  atomic_store(&dog.parked, 0);
  pthread_mutex_unlock(&dog.lock);
}

static void request(mt_Watch *w, int why) {
  int none = MT_STOP_NO;
  atomic_compare_exchange_strong(&w->stop, &none, why);
}

/* Time in which the process was stopped does not count. The deadline may be
** the next launch's by now: that one is left as it is. */
static unsigned long long find_deadline(mt_Watch *w) {
  unsigned long long deadline = atomic_load(&w->deadline);
  if (!deadline) return 0;
  uint64_t seen = atomic_load(&w->seen), pause = mt_clock_pause(&seen);
  atomic_store(&w->seen, seen);
  if (!pause) return deadline;
  unsigned long long later = deadline + pause;
  atomic_compare_exchange_strong(&w->deadline, &deadline, later);
  return later;
}

/* Runs get one tick to see 'stop' themselves before they are abandoned. */
static void look(mt_Watch *w) {
  unsigned long long deadline = find_deadline(w);
  if (atomic_load(&w->stop) != MT_STOP_NO) mt_guard_stop(&w->stop);
  if (mt_cancelled())
    request(w, MT_STOP_CANCEL);
  else if (deadline && mt_now_ns() > deadline)
    request(w, MT_STOP_TIME);
}

static void *watch_main(void *unused) {
  (void)unused;
  unsigned idle = 0;
  for (;;) {
    struct timespec tick = {0, TICK_NS};
    nanosleep(&tick, NULL);
    idle = any_runs() ? 0 : idle + 1;
    for (mt_Watch *w = atomic_load(&dog.watches); w; w = w->next)
      if (atomic_load(&w->running)) look(w);
    if (idle > IDLE_TICKS) {
      park();
      idle = 0;
    }
  }
  return NULL;
}

/* Of the first launch: it is watched from now on, whenever it runs. */
static void add(mt_Watch *w) {
  pthread_mutex_lock(&dog.lock);
  w->known = true;
  w->next = atomic_load(&dog.watches);
  atomic_store(&dog.watches, w);
  if (!dog.started) dog.started = mt_thread_start(NULL, watch_main, NULL);
  pthread_mutex_unlock(&dog.lock);
}

void mt_watchdog_begin(mt_Watch *w, uint64_t deadline) {
  atomic_store(&w->stop, MT_STOP_NO);
  if (deadline) atomic_store(&w->seen, mt_now_ns());
  atomic_store(&w->deadline, deadline);
  atomic_store(&w->running, 1);
  if (!w->known) add(w);
  if (atomic_load(&dog.parked)) {
    pthread_mutex_lock(&dog.lock);
    pthread_cond_signal(&dog.wake);
    pthread_mutex_unlock(&dog.lock);
  }
}

void mt_watchdog_end(mt_Watch *w) { atomic_store(&w->running, 0); }
