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

atomic_int mt_stop;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool started;
  atomic_int running;    /* a launch is in progress */
  atomic_int parked;     /* the watchdog waits for 'wake' */
  atomic_ullong deadline;
  atomic_ullong seen;    /* when it last looked, or the launch began */
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static void park(void) {
  pthread_mutex_lock(&watch.lock);
  atomic_store(&watch.parked, 1);
  while (!atomic_load(&watch.running))
    pthread_cond_wait(&watch.wake, &watch.lock);
  atomic_store(&watch.parked, 0);
  pthread_mutex_unlock(&watch.lock);
}

static void request(int why) {
  int none = MT_STOP_NO;
  atomic_compare_exchange_strong(&mt_stop, &none, why);
}

/* Time in which the process was stopped does not count. The deadline may be
** the next launch's by now: that one is left as it is. */
static unsigned long long find_deadline(void) {
  unsigned long long deadline = atomic_load(&watch.deadline);
  if (!deadline) return 0;
  uint64_t seen = atomic_load(&watch.seen), pause = mt_clock_pause(&seen);
  atomic_store(&watch.seen, seen);
  if (!pause) return deadline;
  unsigned long long later = deadline + pause;
  atomic_compare_exchange_strong(&watch.deadline, &deadline, later);
  return later;
}

/* Runs get one tick to see mt_stop themselves before they are abandoned. */
static void look(void) {
  unsigned long long deadline = find_deadline();
  if (atomic_load(&mt_stop) != MT_STOP_NO) mt_guard_stop();
  if (mt_cancelled())
    request(MT_STOP_CANCEL);
  else if (deadline && mt_now_ns() > deadline)
    request(MT_STOP_TIME);
}

static void *watch_main(void *unused) {
  (void)unused;
  unsigned idle = 0;
  for (;;) {
    struct timespec tick = {0, TICK_NS};
    nanosleep(&tick, NULL);
    if (atomic_load(&watch.running)) {
      idle = 0;
      look();
    } else if (++idle > IDLE_TICKS) {
      park();
      idle = 0;
    }
  }
  return NULL;
}

void mt_watchdog_begin(uint64_t deadline) {
  atomic_store(&mt_stop, MT_STOP_NO);
  if (deadline) atomic_store(&watch.seen, mt_now_ns());
  atomic_store(&watch.deadline, deadline);
  atomic_store(&watch.running, 1);
  if (!watch.started)
    watch.started = mt_thread_start(NULL, watch_main, NULL);
  if (atomic_load(&watch.parked)) {
    pthread_mutex_lock(&watch.lock);
    pthread_cond_signal(&watch.wake);
    pthread_mutex_unlock(&watch.lock);
  }
}

void mt_watchdog_end(void) { atomic_store(&watch.running, 0); }
