/*
** progress.c - progress of a long check or profile.
**
** The one idea: the runs only count, and a separate thread prints. So nothing
** is printed in the middle of a kernel, which Ctrl-C may abandon at any
** instruction.
*/
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/notice.h"
#include "base/thread.h"
#include "devices/host/run/progress.h"

#define FIRST 1000 /* milliseconds until the first notice */
#define AGAIN 200

/* Wait. False: the thread has to end. */
static bool rest(mt_Progress *p, unsigned ms) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += (long)(ms % 1000) * 1000000;
  t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  while (!p->over && pthread_cond_timedwait(&p->end, &p->lock, &t) == 0)
    continue;
  return !p->over;
}

static void say(const mt_Progress *p) {
  char text[256], which[48] = "";
  uint64_t n = p->done, all = p->total;
  unsigned k = p->run, of = p->runs, parts = p->parts;
  if (parts > 1)
    snprintf(which, sizeof which, "part %u of %u, ", p->part, parts);
  if (k > 1) snprintf(which, sizeof which, "order %u of %u, ", k - 1, of - 1);
  if (!all)
    snprintf(text, sizeof text, "%s: making the code…", p->what);
  else
    snprintf(text, sizeof text, "%s: %s%.0f %% of %llu threadgroups…",
             p->what, which, n ? 100.0 * (double)(n - 1) / (double)all : 0,
             (unsigned long long)all);
  mt_notice(text);
}

static void *watch(void *progress) {
  mt_Progress *p = progress;
  bool said = false;
  pthread_mutex_lock(&p->lock);
  p->rests = true;
  pthread_cond_signal(&p->start);
  for (unsigned ms = FIRST; rest(p, ms); ms = AGAIN) {
    say(p);
    said = true;
  }
  pthread_mutex_unlock(&p->lock);
  if (said) mt_notice(NULL);
  return NULL;
}

/* The process is forked next (base/process/worker_process.h), and a lock that a
** starting thread holds, as AddressSanitizer's allocator does, would stay
** locked in the child. */
static void let_it_start(mt_Progress *p) {
  pthread_mutex_lock(&p->lock);
  while (!p->rests) pthread_cond_wait(&p->start, &p->lock);
  pthread_mutex_unlock(&p->lock);
}

void mt_progress_begin(mt_Progress *p, const char *what, const char *name) {
  memset(p, 0, sizeof *p);
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->start, NULL);
  pthread_cond_init(&p->end, NULL);
  snprintf(p->what, sizeof p->what, "%s %s", what, name);
  p->on = mt_thread_start(&p->thread, watch, p);
  if (p->on) let_it_start(p);
}

void mt_progress_end(mt_Progress *p) {
  if (!p->on) return;
  pthread_mutex_lock(&p->lock);
  p->over = true;
  pthread_cond_signal(&p->end);
  pthread_mutex_unlock(&p->lock);
  pthread_join(p->thread, NULL);
  p->on = false;
}

void mt_progress_part(mt_Progress *p, unsigned number, unsigned all,
                      uint64_t groups) {
  mt_progress_run(p, 1, 1, groups);
  p->part = number;
  p->parts = all;
}

void mt_progress_run(mt_Progress *p, unsigned number, unsigned all,
                     uint64_t groups) {
  p->done = 0;
  p->parts = 0;
  p->run = number;
  p->runs = all;
  p->total = groups;
}

void mt_progress_group(mt_Progress *p) {
  atomic_fetch_add_explicit(&p->done, 1, memory_order_relaxed);
}
