/*
** service.c - the library's threads, and counted objects.
**
** The one idea: a caller takes the turn, leaves its job to a thread of the
** library, and waits until it is done. One thread would do, but a launch that
** is checked or profiled gives the turn back while its code runs
** (mt_device_take_turns), and then the next job has a thread of its own.
** Threads never end: processes that they start (Clang, LLVM's) live as long as
** they do. While it waits, the caller's poll is asked whether to go on;
** Python's Ctrl-C is one.
*/
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "base/cancel.h"
#include "base/files/file.h"
#include "base/files/module.h"
#include "base/process/worker_process.h"
#include "base/thread.h"
#include "embed/advice.h"
#include "embed/embed.h"

#define POLL_NS 20000000 /* 20 ms */
#define STACK_BYTES ((size_t)8 << 20)

_Static_assert(sizeof(mettle_Error) == sizeof(mt_Error), "errors are the same");
_Static_assert((int)METTLE_TIMEOUT == (int)MT_TIMEOUT &&
                   (int)METTLE_CANCELLED == (int)MT_CANCELLED &&
                   (int)METTLE_FAIL == (int)MT_FAIL &&
                   (int)METTLE_BADARG == (int)MT_BADARG,
               "statuses are the same");

typedef struct Job {
  mt_EmbedWork work;
  void *call;
  mt_Error *err;
  mt_Status status;
  bool over;
} Job;

static struct {
  pthread_mutex_t lock; /* of all that follows */
  pthread_cond_t given, done, returned;
  bool taken;        /* the turn: a job is at the devices, or about to be */
  Job *job;          /* that no thread has begun; NULL: none */
  unsigned idle;     /* threads without a job */
  unsigned outside;  /* jobs that have given their turn back for a while */
  bool started;
  mt_Counted *dropped; /* by a poll; ended after the job that it was asked of */
} service = {.lock = PTHREAD_MUTEX_INITIALIZER,
             .given = PTHREAD_COND_INITIALIZER,
             .done = PTHREAD_COND_INITIALIZER,
             .returned = PTHREAD_COND_INITIALIZER};

static atomic_bool forked; /* this is the child of a process that uses it */

static _Thread_local int (*poll_of_thread)(void *);
static _Thread_local void *poll_context;
static _Thread_local bool polling;

void mettle_poll(int (*poll)(void *), void *context) {
  poll_of_thread = poll;
  poll_context = context;
}

void mettle_cancel(void) { mt_cancel_request(); }

/* ---------------------------------------------------------------- the turn */

/* (each with the lock) */
static void give_turn_back(void) {
  service.taken = false;
  pthread_cond_broadcast(&service.returned);
}

static void await_turn(void) {
  while (service.taken) pthread_cond_wait(&service.returned, &service.lock);
  service.taken = true;
}

static void leave(void) {
  pthread_mutex_lock(&service.lock);
  service.outside++;
  give_turn_back();
  pthread_mutex_unlock(&service.lock);
}

static void enter(void) {
  pthread_mutex_lock(&service.lock);
  await_turn();
  service.outside--;
  pthread_mutex_unlock(&service.lock);
}

/* Ctrl-C is meant for all jobs: it is over when none is left to see it. */
void mt_embed_cancel_clear(void) {
  pthread_mutex_lock(&service.lock);
  if (!service.outside) mt_cancel_clear();
  pthread_mutex_unlock(&service.lock);
}

/* ------------------------------------------------------------- the threads */

/* (a job that is outside may use them) */
static void end_dropped(void) {
  pthread_mutex_lock(&service.lock);
  mt_Counted *o = service.outside ? NULL : service.dropped;
  if (o) service.dropped = NULL;
  pthread_mutex_unlock(&service.lock);
  while (o) {
    mt_Counted *next = o->next;
    o->end(o, NULL);
    o = next;
  }
}

static Job *next_job(void) {
  service.idle++;
  while (!service.job) pthread_cond_wait(&service.given, &service.lock);
  service.idle--;
  Job *job = service.job;
  service.job = NULL;
  return job;
}

static void carry_out(Job *job) {
  mt_embed_cancel_clear();
  mt_file_keep_standard(); /* the program may have closed them */
  job->status = job->work(job->call, job->err);
  end_dropped();
}

static void *serve(void *unused) {
  (void)unused;
  fesetenv(FE_DFL_ENV); /* the program's own rounding is not the kernels' */
  pthread_mutex_lock(&service.lock);
  for (;;) {
    Job *job = next_job();
    pthread_mutex_unlock(&service.lock);
    carry_out(job);
    pthread_mutex_lock(&service.lock);
    job->over = true;
    give_turn_back();
    pthread_cond_broadcast(&service.done);
  }
  return NULL;
}

static void in_child(void) { atomic_store(&forked, true); }

/* What is linked in here and is host.so elsewhere: MT_ENGINES is X(cuda)
** X(host), from devices/devices.mk, or nothing without LLVM. */
#define X(device) extern const char mt_##device##_engine[];
MT_ENGINES
#undef X

static void provide_engines(void) {
#define X(device) \
  mt_module_provide("mt_" #device "_engine", \
                    (void *)(uintptr_t)mt_##device##_engine);
  MT_ENGINES
#undef X
}

/* It has the stack that a program's first thread has, whatever the usual. */
static bool start_thread(void) {
  pthread_attr_t how;
  pthread_t thread;
  sigset_t before;
  if (pthread_attr_init(&how) != 0) return false;
  pthread_attr_setstacksize(&how, STACK_BYTES);
  pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
  mt_signals_block(&before);
  bool ok = pthread_create(&thread, &how, serve, NULL) == 0;
  mt_signals_restore(&before);
  pthread_attr_destroy(&how);
  return ok;
}

/* At the first job, with the turn taken. */
static mt_Status start(mt_Error *err) {
  if (service.started) return MT_OK;
  mt_Status status = mt_embed_find_program(err);
  if (status != MT_OK) return status;
  mt_worker_process_never_copy();
  provide_engines();
  mt_advice_set(&mt_embed_advice);
  mt_device_take_turns(leave, enter);
  pthread_atfork(NULL, NULL, in_child);
  service.started = true;
  return MT_OK;
}

/* -------------------------------------------------------------- the callers */

static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += POLL_NS;
  if (t.tv_nsec >= 1000000000) t.tv_nsec -= 1000000000, t.tv_sec++;
  return t;
}

static bool poll_says_stop(void) {
  if (!poll_of_thread) return false;
  polling = true;
  bool stop = poll_of_thread(poll_context) != 0;
  polling = false;
  return stop;
}

/* False: the poll has said to stop. */
static bool take_turn(void) {
  bool stops = false;
  pthread_mutex_lock(&service.lock);
  while (service.taken && !stops) {
    struct timespec until = soon();
    pthread_cond_timedwait(&service.returned, &service.lock, &until);
    if (!service.taken) break;
    pthread_mutex_unlock(&service.lock);
    stops = poll_says_stop(); /* (false where there is none) */
    pthread_mutex_lock(&service.lock);
  }
  if (!stops) service.taken = true;
  pthread_mutex_unlock(&service.lock);
  return !stops;
}

/* With the lock. The poll is called without it, and no more once it has said
** to stop. */
static void await(const Job *job) {
  bool stops = false;
  while (!job->over) {
    struct timespec until = soon();
    if (!poll_of_thread || stops) {
      pthread_cond_wait(&service.done, &service.lock);
      continue;
    }
    if (pthread_cond_timedwait(&service.done, &service.lock, &until) !=
        ETIMEDOUT)
      continue;
    pthread_mutex_unlock(&service.lock);
    stops = poll_says_stop();
    if (stops) mt_cancel_request();
    pthread_mutex_lock(&service.lock);
  }
}

/* With the turn, which the job's thread gives back. */
static mt_Status hand_over(Job *job) {
  mt_Status status = start(job->err);
  pthread_mutex_lock(&service.lock);
  if (status == MT_OK && !service.idle && !start_thread())
    status =
        mt_error(job->err, MT_FAIL, "Mettle's thread could not be started");
  if (status != MT_OK) {
    give_turn_back();
  } else {
    service.job = job;
    pthread_cond_signal(&service.given);
    await(job);
    status = job->status;
  }
  pthread_mutex_unlock(&service.lock);
  return status;
}

mettle_Status mt_embed_run(mt_EmbedWork work, void *call, mettle_Error *err) {
  mettle_Error ignored;
  mt_Error *to = (mt_Error *)(err ? err : &ignored);
  to->text[0] = '\0';
  if (atomic_load(&forked))
    return (mettle_Status)mt_error(
        to, MT_FAIL,
        "this process was forked from one that uses Mettle: start it anew "
        "(exec; Python's multiprocessing: \"spawn\"), or use Mettle only "
        "after the fork");
  if (polling)
    return (mettle_Status)mt_error(to, MT_BADARG,
                                   "a poll must not call the library");
  if (!take_turn())
    return (mettle_Status)mt_error(to, MT_CANCELLED, "interrupted");
  Job job = {.work = work, .call = call, .err = to};
  return (mettle_Status)hand_over(&job);
}

mettle_Status mt_embed_refuse(mettle_Error *err, const char *format, ...) {
  va_list args;
  va_start(args, format);
  mt_verror((mt_Error *)err, MT_BADARG, format, args);
  va_end(args);
  return METTLE_BADARG;
}

/* ---------------------------------------------------------- counted objects */

void *mt_embed_new(size_t size, mt_EmbedWork end) {
  mt_Counted *o = calloc(1, size);
  if (!o) return NULL;
  atomic_init(&o->users, 1);
  o->end = end;
  return o;
}

void *mt_embed_keep(void *object) {
  mt_Counted *o = object;
  if (o) atomic_fetch_add(&o->users, 1);
  return object;
}

static bool is_last(mt_Counted *o) {
  return o && atomic_fetch_sub(&o->users, 1) == 1;
}

void mt_embed_drop_here(void *object) {
  mt_Counted *o = object;
  if (is_last(o)) o->end(o, NULL);
}

/* The library's thread is at work while a poll is asked. */
static void drop_later(mt_Counted *o) {
  pthread_mutex_lock(&service.lock);
  o->next = service.dropped;
  service.dropped = o;
  pthread_mutex_unlock(&service.lock);
}

/* In the child of a fork nothing can be ended, and memory is left. */
void mt_embed_drop(void *object) {
  mt_Counted *o = object;
  if (!is_last(o)) return;
  if (polling) {
    drop_later(o);
    return;
  }
  int (*poll)(void *) = poll_of_thread;
  poll_of_thread = NULL; /* what is freed, is freed */
  mt_embed_run(o->end, o, NULL);
  poll_of_thread = poll;
}

void mettle_text_free(char *text) { free(text); }
