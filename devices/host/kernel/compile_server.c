/*
** compile_server.c - LLVM in a worker process, see compile.h.
**
** The one idea: the process is long-lived, and LLVM in it stays warm. A
** kernel's job is sent with its first request; its prepared form is kept there
** in one of a few slots, for requests of other geometries. If LLVM does not
** survive vectorised code, the request is repeated in a new process, thread by
** thread: the kernel runs, if slowly.
*/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/process/worker_process.h"
#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/compiler_module.h"
#include "devices/host/kernel/compile.h"

#define PLACES 4          /* slots for prepared kernels */
#define MOST_SECONDS 60.0 /* CPU time for a request */
#define LONGEST_ALSO 256

/* The worker's argument, if the worker is this program, started again. */
#define WARM "llvm-ahead"
#define AT_ONCE "llvm"
#define BACKGROUND "llvm-background"

/* Head of a question; the job follows if it is 'fresh'. */
typedef struct Head {
  unsigned place;
  bool fresh; /* a job follows, for a kernel that is new in its slot */
  mt_CompileRequest order;
  char also[LONGEST_ALSO]; /* METTLE_ALSO, which may have changed since the
                           ** worker started */
} Head;

double mt_compile_server_seconds(void) {
  const char *said = getenv("METTLE_LLVM_SECONDS");
  double n = said ? strtod(said, NULL) : 0;
  return n > 0 ? n : MOST_SECONDS;
}

/* ---------------------------------------------------- in the worker process */

typedef struct Place {
  char *bytes; /* of the serialised job */
  mt_CompileJobCopy *copy;
  mt_PreparedJob work;
} Place;

static void clear_place(Place *p) {
  mt_prepared_job_free(&p->work);
  mt_compile_job_free(p->copy);
  free(p->bytes);
  memset(p, 0, sizeof *p);
}

static bool fill_place(Place *p, const char *bytes, size_t size) {
  clear_place(p);
  p->bytes = malloc(size + 1);
  if (!p->bytes) return false;
  memcpy(p->bytes, bytes, size);
  p->copy = mt_compile_job_unpack(p->bytes, size, &p->work.job);
  return p->copy != NULL;
}

/* The answer: mt_Status, mt_Error, and the result if the status is MT_OK. */
static void serve(void *context, const void *question, size_t size,
                  mt_Str *answer) {
  static Place places[PLACES];
  (void)context;
  Head head;
  mt_CompileResult built = {0};
  mt_Error err = {{0}};
  if (size < sizeof head) return;
  memcpy(&head, question, sizeof head);
  Place *p = &places[head.place % PLACES];
  if (head.order.other) setenv("METTLE_ALSO", head.also, 1);
  if (head.fresh && !fill_place(p, (const char *)question + sizeof head,
                                size - sizeof head))
    return;
  mt_Status status = mt_compile_request(&p->work, &head.order, &built, &err);
  mt_str_add_bytes(answer, &status, sizeof status);
  mt_str_add_bytes(answer, &err, sizeof err);
  if (status == MT_OK) mt_compile_result_pack(&built, answer);
  mt_compile_result_free(&built);
}

/* Runs before the first request. An error will recur in that request, which
** reports it. */
static void begin(void *idle) {
  mt_Error ignored;
  if (idle)
    mt_llvm_warm_up(&ignored);
  else
    mt_target_host(&ignored);
}

/* The console may have ended before a background compile: so the system
** enforces its limit of CPU time. */
static void begin_background(void *context) {
  rlim_t most = (rlim_t)ceil(mt_compile_server_seconds());
  struct rlimit limit = {most, most + 1};
  (void)context;
  setrlimit(RLIMIT_CPU, &limit);
}

/* ------------------------------------------------- in the console's process */

static mt_WorkerProcess *shop;
static struct {
  const mt_HostKernel *kernel; /* in this slot of the worker; NULL: none */
  uint64_t used;        /* sequence number of the last use */
} there[PLACES];

void mt_compile_server_forget(const mt_HostKernel *k) {
  for (unsigned i = 0; i < PLACES; i++)
    if (there[i].kernel == k) there[i].kernel = NULL;
}

static void open_shop(bool idle) {
  if (mt_worker_process_usable(shop)) return;
  mt_worker_process_free(shop);
  memset(there, 0, sizeof there);
  shop = mt_worker_process_new(begin, serve, idle ? &shop : NULL,
                               idle ? WARM : AT_ONCE);
}

int mt_compile_server_serve(const char *word) {
  if (strcmp(word, BACKGROUND) == 0)
    return mt_worker_process_serve(begin_background, serve, NULL);
  return mt_worker_process_serve(begin, serve,
                                 strcmp(word, WARM) == 0 ? &shop : NULL);
}

void mt_compile_server_warm(void) { open_shop(true); }

void mt_compile_server_open(void) { open_shop(false); }

bool mt_compile_server_is_process(void) {
  mt_compile_server_open();
  return shop != NULL;
}

/* The kernel's slot; else an empty or the least recently used one. */
static unsigned place_of(const mt_HostKernel *k, bool *fresh) {
  static uint64_t now;
  unsigned at = 0;
  for (unsigned i = 0; i < PLACES; i++) {
    uint64_t i_used = there[i].kernel ? there[i].used : 0;
    uint64_t at_used = there[at].kernel ? there[at].used : 0;
    if (there[i].kernel == k || (there[at].kernel != k && i_used < at_used))
      at = i;
  }
  *fresh = there[at].kernel != k;
  there[at].kernel = k;
  there[at].used = ++now;
  return at;
}

static void write_question(const mt_HostKernel *k, const mt_CompileRequest *o,
                           unsigned place, bool fresh, mt_Str *out) {
  Head head = {.place = place, .fresh = fresh, .order = *o};
  const char *also = getenv("METTLE_ALSO");
  if (also && strlen(also) < sizeof head.also) strcpy(head.also, also);
  mt_str_add_bytes(out, &head, sizeof head);
  if (fresh) mt_compile_job_pack(&k->work.job, out);
}

static mt_Status read_answer(const mt_MslKernel *kernel, const mt_Str *answer,
                             mt_CompileResult *out, mt_Error *err) {
  mt_Status status;
  mt_Error said;
  size_t head = sizeof status + sizeof said;
  if (answer->length < head)
    return mt_error(err, MT_FAIL, "LLVM's process gave no answer");
  memcpy(&status, answer->text, sizeof status);
  memcpy(&said, answer->text + sizeof status, sizeof said);
  if (status != MT_OK) return mt_error(err, status, "%s", said.text);
  if (!mt_compile_result_unpack(answer->text + head, answer->length - head,
                                kernel, out))
    return mt_error(err, MT_FAIL, "out of memory");
  return MT_OK;
}

mt_WorkerProcess *mt_compile_server_background(void) {
  return mt_worker_process_new(begin_background, serve, NULL, BACKGROUND);
}

void mt_compile_server_question(const mt_HostKernel *k,
                                const mt_CompileRequest *o, mt_Str *out) {
  write_question(k, o, 0, true, out);
}

/* Only instrumented results need the kernel's parameters, and background
** compiles are not instrumented. */
mt_Status mt_compile_server_answer(const mt_Str *answer, mt_CompileResult *out,
                                   mt_Error *err) {
  static const mt_MslKernel none;
  return read_answer(&none, answer, out, err);
}

/* '*lost': LLVM crashed or exceeded its limit, and 'err' says how. */
static mt_Status ask(mt_HostKernel *k, const mt_CompileRequest *o,
                     mt_CompileResult *out, bool *lost, mt_Error *err) {
  *lost = false;
  mt_compile_server_open();
  if (!shop) return mt_compile_request(&k->work, o, out, err);
  mt_Str question = MT_STR_INIT, answer = MT_STR_INIT, notice = MT_STR_INIT;
  mt_Status status = MT_FAIL;
  bool fresh;
  unsigned place = place_of(k, &fresh);
  write_question(k, o, place, fresh, &question);
  mt_str_addf(&notice, "%s: making the code…", k->from.msl->name);
  mt_Question q = {.bytes = question.text, .size = question.length,
                   .seconds = mt_compile_server_seconds()};
  if (o->seconds > 0 && o->seconds < q.seconds) q.seconds = o->seconds;
  /* checks and profiles show their own (run/progress.h) */
  if (!mt_request_is_instrumented(o)) q.notice = mt_str_text(&notice);
  if (question.failed) {
    mt_compile_server_forget(k);
    mt_error(err, MT_FAIL, "out of memory");
  } else {
    status = mt_worker_process_send(shop, &q, err);
    if (status == MT_OK && o->task == MT_TASK_CODE) mt_compiler_meanwhile();
    if (status == MT_OK)
      status = mt_worker_process_receive(shop, &q, &answer, err);
    *lost = status != MT_OK && status != MT_CANCELLED;
    if (status == MT_OK && !answer.length) mt_compile_server_forget(k);
    if (status == MT_OK) status = read_answer(k->from.msl, &answer, out, err);
  }
  mt_str_free(&question);
  mt_str_free(&answer);
  mt_str_free(&notice);
  return status;
}

/* The error for a compile that exceeded the launch's time limit. */
static mt_Status too_long(const mt_HostKernel *k, const mt_CompileRequest *o,
                          mt_Error *err) {
  return mt_error(
      err, MT_TIMEOUT,
      "kernel '%s' was stopped before it ran: its code%s was not made "
      "within the time limit of %g s; it is very large: unroll fewer "
      "iterations, or give it more time",
      k->from.msl->name,
      mt_request_is_instrumented(o) ? " with instrumentation" : "", o->seconds);
}

/* Time left for a second attempt; negative: none. */
static double seconds_left(const mt_CompileRequest *o, mt_Status first) {
  if (o->seconds <= 0 || first != MT_TIMEOUT) return o->seconds;
  double left = o->seconds - mt_compile_server_seconds();
  return left > 0 ? left : -1;
}

mt_Status mt_compile_server_request(mt_HostKernel *k,
                                    const mt_CompileRequest *o,
                                    mt_CompileResult *out, mt_Error *err) {
  bool lost;
  mt_Error how = {{0}};
  mt_Status status = ask(k, o, out, &lost, &how);
  if (lost) {
    mt_CompileRequest again = *o;
    again.thread_by_thread = true;
    again.plain = !mt_request_is_instrumented(o);
    again.seconds = seconds_left(o, status);
    snprintf(again.because, sizeof again.because,
             "LLVM failed over its vectors: %.120s", how.text);
    mt_compile_result_free(out);
    if (again.seconds < 0) return too_long(k, o, err);
    status = ask(k, &again, out, &lost, err);
    if (!lost) return status;
    if (status == MT_TIMEOUT && o->seconds > 0) return too_long(k, o, err);
    return mt_error(err, MT_FAIL,
                    "LLVM failed over kernel '%s', as vectors and thread by "
                    "thread: %s; try a simpler kernel, and please report this "
                    "one", k->from.msl->name, how.text);
  }
  if (status != MT_OK && err) *err = how;
  return status;
}
