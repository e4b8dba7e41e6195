/*
** progress.c - progress of a long check or profile.
**
** The one idea: the runs only count, and a separate thread prints. So nothing
** is printed in the middle of a kernel, which Ctrl-C may abandon at any
** instruction.
*/
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/notice.h"
#include "base/thread.h"
#include "devices/host/run/progress.h"

#define FIRST 1000 /* milliseconds until the first notice */
#define AGAIN 200

static struct {
  pthread_t thread;
  bool on;           /* the thread exists */
  bool rests;        /* it has started; under 'lock' */
  bool over;         /* it has to end; under 'lock' */
  char what[128];    /* "checking saxpy" */
  pthread_mutex_t lock;
  pthread_cond_t start, end;
} self = {.lock = PTHREAD_MUTEX_INITIALIZER, .start = PTHREAD_COND_INITIALIZER,
          .end = PTHREAD_COND_INITIALIZER};

static _Atomic uint64_t done, total;
static atomic_uint run, runs, part, parts;

/* Wait. False: the thread has to end. */
static bool rest(unsigned ms) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += (long)(ms % 1000) * 1000000;
  t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  while (!self.over && pthread_cond_timedwait(&self.end, &self.lock, &t) == 0)
    continue;
  return !self.over;
}

static void say(void) {
  char text[256], which[48] = "";
  uint64_t n = done, all = total;
  unsigned k = run, of = runs, p = part, ps = parts;
  if (ps > 1) snprintf(which, sizeof which, "part %u of %u, ", p, ps);
  if (k > 1) snprintf(which, sizeof which, "order %u of %u, ", k - 1, of - 1);
  if (!all)
    snprintf(text, sizeof text, "%s: making the code…", self.what);
  else
    snprintf(text, sizeof text, "%s: %s%.0f %% of %llu threadgroups…",
             self.what, which, n ? 100.0 * (double)(n - 1) / (double)all : 0,
             (unsigned long long)all);
  mt_notice(text);
}

static void *watch(void *unused) {
  bool said = false;
  pthread_mutex_lock(&self.lock);
  self.rests = true;
  pthread_cond_signal(&self.start);
  for (unsigned ms = FIRST; rest(ms); ms = AGAIN) {
    say();
    said = true;
  }
  pthread_mutex_unlock(&self.lock);
  if (said) mt_notice(NULL);
  return unused;
}

/* The process is forked next (base/process/worker_process.h), and a lock that a
** starting thread holds, as AddressSanitizer's allocator does, would stay
** locked in the child. */
static void let_it_start(void) {
  pthread_mutex_lock(&self.lock);
  while (!self.rests) pthread_cond_wait(&self.start, &self.lock);
  pthread_mutex_unlock(&self.lock);
}

void mt_progress_begin(const char *what, const char *name) {
  done = total = 0;
  run = runs = part = parts = 0;
  self.over = self.rests = false;
  snprintf(self.what, sizeof self.what, "%s %s", what, name);
  self.on = mt_thread_start(&self.thread, watch, NULL);
  if (self.on) let_it_start();
}

void mt_progress_end(void) {
  if (!self.on) return;
  pthread_mutex_lock(&self.lock);
  self.over = true;
  pthread_cond_signal(&self.end);
  pthread_mutex_unlock(&self.lock);
  pthread_join(self.thread, NULL);
  self.on = false;
}

void mt_progress_part(unsigned number, unsigned all, uint64_t groups) {
  mt_progress_run(1, 1, groups);
  part = number;
  parts = all;
}

void mt_progress_run(unsigned number, unsigned all, uint64_t groups) {
  done = 0;
  parts = 0;
  run = number;
  runs = all;
  total = groups;
}

void mt_progress_group(void) {
  atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
}
