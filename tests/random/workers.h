/*
** workers.h - seeds tried by several processes at once, one for each core.
**
** A worker takes the next batch of seeds when it is done with one. If it is
** ended by a signal, or takes too long over a kernel, that costs this kernel
** alone: its seed is said, and another worker goes on after it. So the
** processes share where they are.
*/
#ifndef RANDOM_WORKERS_H
#define RANDOM_WORKERS_H

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/random/kernel.h"

#define MOST_WORKERS 64
#define TOO_LONG 90  /* seconds of the processor's time for one kernel */
#define STUCK 600    /* seconds: it does nothing any more */

typedef struct Worker {
  pid_t id;              /* set by its starter; 0: not running */
  _Atomic uint64_t seed; /* it is at this kernel */
  _Atomic uint64_t since; /* mt_now_ns */
  uint64_t end;          /* of its batch */
} Worker;

typedef struct Work {
  uint64_t first, end;   /* seeds */
  uint64_t deadline;     /* mt_now_ns; no batch is begun after it */
  _Atomic uint64_t next; /* batch to be taken: seed / TOGETHER */
  atomic_uint done, wrong, skipped; /* kernels */
  atomic_uint alone; /* of them, those that the vectoriser left to threads */
  Worker worker[MOST_WORKERS];
} Work;

static Work alone, *work = &alone; /* of this process, or shared */
static Worker *me = &alone.worker[0];

/* What a worker does, by test_random.c: open a device; try the kernels of some
** seeds, beginning with each by begin_kernel. */
static int make(void **state);
static int unmake(void **state);
static void try_kernels(uint64_t first, unsigned n);

static void begin_kernel(uint64_t seed) {
  struct itimerval limit = {.it_value = {.tv_sec = TOO_LONG}};
  setitimer(ITIMER_PROF, &limit, NULL); /* its signal ends the process */
  me->since = mt_now_ns();
  me->seed = seed;
}

/* The next batch, cut to the seeds that are asked for. */
static bool take_batch(void) {
  uint64_t at = atomic_fetch_add(&work->next, 1) * TOGETHER;
  if (at >= work->end || mt_now_ns() >= work->deadline) return false;
  begin_kernel(at < work->first ? work->first : at);
  me->end = at + TOGETHER < work->end ? at + TOGETHER : work->end;
  return true;
}

static void try_batches(void) {
  while (me->seed < me->end || take_batch()) {
    try_kernels(me->seed, (unsigned)(me->end - me->seed));
    me->seed = me->end;
  }
}

static void start(Worker *w) {
  w->since = mt_now_ns();
  fflush(NULL);
  pid_t id = fork();
  if (id != 0) {
    w->id = id;
    return;
  }
  me = w;
  if (make(NULL) != 0) _exit(1);
  try_batches();
  unmake(NULL);
  fflush(NULL);
  _exit(0);
}

/* A worker has ended; false: before its time. */
static bool has_ended(const Worker *w, int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  fprintf(stderr, "seed %llu: ", (unsigned long long)w->seed);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
    fprintf(stderr, "it took more than %d s of the processor\n", TOO_LONG);
  else if (WIFSIGNALED(status))
    fprintf(stderr, "signal %d\n", WTERMSIG(status));
  else
    fprintf(stderr, "status %d\n", WEXITSTATUS(status));
  return false;
}

/* See to one worker; false: there is no more of it. */
static bool attend(Worker *w) {
  int status;
  if (w->id <= 0) return false;
  if (waitpid(w->id, &status, WNOHANG) == 0) {
    if (mt_now_ns() - w->since > STUCK * 1000000000ull) kill(w->id, SIGKILL);
    return true;
  }
  w->id = 0;
  if (has_ended(w, status)) return false;
  work->wrong++;
  if (w->seed >= w->end) return false; /* it could not even begin */
  work->done++;
  w->seed++;
  start(w);
  return w->id > 0;
}

static void report(uint64_t *last) {
  if (work->done / 500 == *last / 500) return;
  printf("# %u kernels, %u wrong\n", work->done, work->wrong);
  fflush(stdout);
  *last = work->done;
}

static bool share_work(void) {
  Work *w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANON, -1, 0);
  if (w != MAP_FAILED) work = w;
  return w != MAP_FAILED;
}

/* 'work' says how the kernels from 'first' on were, as many as could be begun
** before 'deadline' (mt_now_ns). On all cores, or if it is one kernel, here:
** for a debugger. To be called while this process has no threads. */
static void try_seeds(uint64_t first, uint64_t count, uint64_t deadline) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int n = cores < 1 ? 1 : cores > MOST_WORKERS ? MOST_WORKERS : (int)cores;
  bool here = count == 1 || !share_work();
  work->first = first, work->end = first + count;
  work->deadline = deadline, work->next = first / TOGETHER;
  if (here) {
    if (make(NULL) == 0) try_batches();
    else work->wrong++;
    unmake(NULL);
    return;
  }
  uint64_t last = 0;
  for (int i = 0; i < n; i++) start(&work->worker[i]);
  for (bool any = true; any; usleep(20000)) {
    any = false;
    for (int i = 0; i < n; i++) any |= attend(&work->worker[i]);
    report(&last);
  }
}

#endif
