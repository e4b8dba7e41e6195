/*
** service.c - the library's thread, and counted objects.
**
** The one idea: a caller takes its turn, leaves one job, and waits until the
** thread has done it. The thread never ends: processes that it starts (Clang,
** LLVM's) live as long as it does. While it waits, the caller's poll is asked
** whether to go on; Python's Ctrl-C is one.
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
#include "embed/embed.h"

#define POLL_NS 20000000 /* 20 ms */
#define STACK_BYTES ((size_t)8 << 20)

_Static_assert(sizeof(mettle_Error) == sizeof(mt_Error), "errors are the same");
_Static_assert((int)METTLE_TIMEOUT == (int)MT_TIMEOUT &&
                   (int)METTLE_CANCELLED == (int)MT_CANCELLED &&
                   (int)METTLE_FAIL == (int)MT_FAIL &&
                   (int)METTLE_BADARG == (int)MT_BADARG,
               "statuses are the same");

static struct {
  pthread_mutex_t turn; /* held by the caller whose job it is */
  pthread_mutex_t lock; /* of the rest */
  pthread_cond_t given, done;
  mt_EmbedWork work; /* NULL: nothing to do */
  void *call;
  mt_Error *err;
  mt_Status status;
  bool started;
  mt_Counted *dropped; /* by a poll; ended after the job that it was asked of */
} service = {.turn = PTHREAD_MUTEX_INITIALIZER,
             .lock = PTHREAD_MUTEX_INITIALIZER,
             .given = PTHREAD_COND_INITIALIZER,
             .done = PTHREAD_COND_INITIALIZER};

static atomic_bool forked; /* this is the child of a process that uses it */

static _Thread_local int (*poll_of_thread)(void *);
static _Thread_local void *poll_context;
static _Thread_local bool polling;

void mettle_poll(int (*poll)(void *), void *context) {
  poll_of_thread = poll;
  poll_context = context;
}

void mettle_cancel(void) { mt_cancel_request(); }

/* -------------------------------------------------------------- the thread */

static void end_dropped(void) {
  pthread_mutex_lock(&service.lock);
  mt_Counted *o = service.dropped;
  service.dropped = NULL;
  pthread_mutex_unlock(&service.lock);
  while (o) {
    mt_Counted *next = o->next;
    o->end(o, NULL);
    o = next;
  }
}

static void *serve(void *unused) {
  (void)unused;
  fesetenv(FE_DFL_ENV); /* the program's own rounding is not the kernels' */
  pthread_mutex_lock(&service.lock);
  for (;;) {
    while (!service.work) pthread_cond_wait(&service.given, &service.lock);
    pthread_mutex_unlock(&service.lock);
    mt_cancel_clear();
    mt_file_keep_standard(); /* the program may have closed them */
    mt_Status status = service.work(service.call, service.err);
    end_dropped();
    pthread_mutex_lock(&service.lock);
    service.status = status;
    service.work = NULL;
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
  if (!start_thread())
    return mt_error(err, MT_FAIL, "Mettle's thread could not be started");
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

/* macOS has no pthread_mutex_timedlock. */
static bool take_turn(void) {
  if (!poll_of_thread) return pthread_mutex_lock(&service.turn) == 0;
  while (pthread_mutex_trylock(&service.turn) != 0) {
    struct timespec nap = {0, POLL_NS / 10};
    nanosleep(&nap, NULL);
    if (poll_says_stop()) return false;
  }
  return true;
}

/* With the lock. The poll is called without it, and no more once it has said
** to stop. */
static void await(void) {
  bool stops = false;
  while (service.work) {
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

static mt_Status hand_over(mt_EmbedWork work, void *call, mt_Error *err) {
  mt_Status status = start(err);
  if (status != MT_OK) return status;
  pthread_mutex_lock(&service.lock);
  service.call = call;
  service.err = err;
  service.work = work;
  pthread_cond_signal(&service.given);
  await();
  status = service.status;
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
  mt_Status status = hand_over(work, call, to);
  pthread_mutex_unlock(&service.turn);
  return (mettle_Status)status;
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
