/*
** worker_process.c - work in a separate process, see worker_process.h.
**
** The one idea: questions and answers go over one socket, each preceded by its
** length; a pipe collects the process's standard error, for its last message.
** It is started in one of two ways, and behaves the same from then on.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/process/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#define QUIET MSG_NOSIGNAL
#else
#include <libproc.h>
#include <mach/mach_time.h>
#define QUIET 0 /* SO_NOSIGPIPE */
#endif

#include "base/cancel.h"
#include "base/clock.h"
#include "base/files/folders.h"
#include "base/notice.h"
#include "base/process/spawn.h"

#define POLL_MS 10
/* A lock that another thread held at the fork is never released in the copy. */
#define IDLE_SECONDS 20.0
#define NOTICE_NS 1000000000u
#define MOST_MEMORY ((rlim_t)4 << 30) /* beyond what it has when it begins */
#define LAST_WORDS 4096

struct mt_WorkerProcess {
  pid_t pid;
  int talk, words; /* this process's ends of socket and pipe; -1 = closed */
  double before;   /* its processor time when it was last asked */
};

/* ----------------------------------------------------- in the other process */

#ifdef __linux__
static rlim_t memory_in_use(void) {
  unsigned long pages[6] = {0};
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f) return 0;
  int n = fscanf(f, "%lu %lu %lu %lu %lu %lu", &pages[0], &pages[1], &pages[2],
                 &pages[3], &pages[4], &pages[5]);
  fclose(f);
  return n == 6 ? (rlim_t)pages[5] * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

/* If the machine runs out of memory, this process is to be killed first. */
static void go_first(void) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t ignored = write(fd, "1000", 4);
  (void)ignored;
  close(fd);
}
#else /* macOS does not enforce a limit on data */
static rlim_t memory_in_use(void) { return 0; }
static void go_first(void) {}
#endif

static void set_limits(void) {
  struct rlimit none = {0, 0}, data;
  setrlimit(RLIMIT_CORE, &none);
  go_first();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlim_t used = memory_in_use();
  if (!used || getrlimit(RLIMIT_DATA, &data) != 0) return;
  if (data.rlim_cur > used + MOST_MEMORY) data.rlim_cur = used + MOST_MEMORY;
  setrlimit(RLIMIT_DATA, &data);
#else
  (void)data, (void)memory_in_use;
#endif
}

/* Files that Mettle closes must not stay open here. */
static void close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0) return;
#endif
  for (int fd = first; fd < (int)sysconf(_SC_OPEN_MAX); fd++) close(fd);
}

static bool transfer(int fd, void *bytes, size_t size, bool out) {
  for (char *p = bytes; size;) {
    ssize_t n = out ? send(fd, p, size, QUIET) : recv(fd, p, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n, size -= (size_t)n;
  }
  return true;
}

/* A message, its length before it: in one piece, or the reader would wake for
** the length and sleep again. */
static bool send_message(int fd, const void *bytes, uint64_t size) {
  struct iovec parts[] = {{&size, sizeof size}, {(void *)bytes, size}};
  struct msghdr m = {.msg_iov = parts, .msg_iovlen = 2};
  ssize_t n;
  do n = sendmsg(fd, &m, QUIET);
  while (n < 0 && errno == EINTR);
  if (n < (ssize_t)sizeof size) return false;
  size_t sent = (size_t)n - sizeof size;
  return sent == size || transfer(fd, (char *)bytes + sent, size - sent, true);
}

static void answer_all(mt_WorkerAnswer work, void *context) {
  uint64_t size;
  mt_Str question = MT_STR_INIT, answer = MT_STR_INIT;
  while (transfer(3, &size, sizeof size, false)) {
    mt_str_clear(&question);
    mt_str_clear(&answer);
    if (!mt_str_reserve(&question, size + 1) ||
        !transfer(3, question.text, size, false))
      break;
    work(context, question.text, size, &answer);
    if (answer.failed || !send_message(3, answer.text, answer.length)) break;
  }
}

static const mt_WorkerOptions usual = {.shared = -1};

int mt_worker_process_serve_with(mt_WorkerBegin begin, mt_WorkerAnswer work,
                                 void *context,
                                 const mt_WorkerOptions *options) {
  close_from(options->shared < 0 ? MT_WORKER_SHARED : MT_WORKER_SHARED + 1);
  mt_notice_set(NULL);
  mt_warning_set(NULL);
  if (!options->unlimited) set_limits();
  if (begin) begin(context);
  answer_all(work, context);
  return 0;
}

int mt_worker_process_serve(mt_WorkerBegin begin, mt_WorkerAnswer work,
                            void *context) {
  return mt_worker_process_serve_with(begin, work, context, &usual);
}

/* ----------------------------------------------------------- a copy of this */

#ifdef __linux__
/* The program's signal handlers must not run in the copy: a signal kills it. */
static void forget_signals(void) {
  struct sigaction plain = {.sa_handler = SIG_DFL};
  sigset_t none;
  for (int s = 1; s < NSIG; s++) sigaction(s, &plain, NULL);
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
}

/* 0 and 1 are /dev/null, 2 is the pipe for messages, 3 is the socket, 4 the
** shared file. */
static bool place_files(int talk, int words, int shared) {
  int nowhere = open("/dev/null", O_RDWR);
  int high = fcntl(talk, F_DUPFD, 10), say = fcntl(words, F_DUPFD, 10);
  if (nowhere < 0 || high < 0 || say < 0) return false;
  if (shared >= 0 && (shared = fcntl(shared, F_DUPFD, 10)) < 0) return false;
  dup2(nowhere, 0);
  dup2(nowhere, 1);
  dup2(say, 2);
  dup2(high, 3);
  if (shared >= 0) dup2(shared, MT_WORKER_SHARED);
  return true;
}

/* 'parent' is the pid of Mettle: if getppid differs, Mettle died before prctl
** took effect. */
static void live(pid_t parent, int talk, int words, mt_WorkerBegin begin,
                 mt_WorkerAnswer work, void *context,
                 const mt_WorkerOptions *options) {
  setpgid(0, 0); /* Ctrl-C must reach only Mettle, which kills this process */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  forget_signals();
  if (getppid() == parent && place_files(talk, words, options->shared))
    mt_worker_process_serve_with(begin, work, context, options);
  _exit(0);
}

static pid_t begin_copy(int talk, int words, mt_WorkerBegin begin,
                        mt_WorkerAnswer work, void *context,
                        const mt_WorkerOptions *options) {
  pid_t self = getpid(), pid = fork();
  if (pid == 0) live(self, talk, words, begin, work, context, options);
  return pid;
}
#else
static pid_t begin_copy(int talk, int words, mt_WorkerBegin begin,
                        mt_WorkerAnswer work, void *context,
                        const mt_WorkerOptions *options) {
  (void)talk, (void)words, (void)begin, (void)work, (void)context;
  (void)options;
  return -1;
}
#endif

/* ------------------------------------------------------ this program, again */

/* What main said of this program, once, at its start. */
static bool offered, never_copies;

void mt_worker_process_offer(void) { offered = true; }

void mt_worker_process_never_copy(void) { offered = never_copies = true; }

const char *mt_worker_process_asked(int argc, char **argv) {
  return argc == 3 && strcmp(argv[1], MT_WORKER_OPTION) == 0 ? argv[2] : NULL;
}

static pid_t begin_program(int talk, int words, int shared,
                           const char *argument) {
  const char *path = mt_program_path();
  if (!offered || !argument || !path) return -1;
  const char *argv[] = {path, MT_WORKER_OPTION, argument, NULL};
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  int high = shared < 0 ? 0 : fcntl(shared, F_DUPFD_CLOEXEC, 10);
  mt_Spawn what = {.argv = argv, .fds = {nowhere, nowhere, words, talk},
                   .shared = high};
  pid_t pid = nowhere < 0 || high < 0 ? -1 : mt_spawn(&what);
  mt_close_fd(&nowhere);
  if (high > 0) close(high);
  return pid;
}

/* --------------------------------------------------------------- from here */

/* METTLE_WORKER: 0, copy or program. */
static bool wants(const char *way, const mt_WorkerOptions *options) {
  const char *said = never_copies ? NULL : getenv("METTLE_WORKER");
#ifdef __linux__
  bool fresh = never_copies || (options->fresh && offered);
  const char *best = fresh ? "program" : "copy";
#else
  const char *best = "program";
  (void)options;
#endif
  bool known = said && (strcmp(said, "0") == 0 || strcmp(said, "copy") == 0 ||
                        strcmp(said, "program") == 0);
  return strcmp(known ? said : best, way) == 0;
}

/* Both ends of the socket and the pipe, which no other child may inherit. */
static bool open_files(int talk[2], int words[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, talk) != 0 || pipe(words) != 0)
    return false;
#ifndef __linux__
  int on = 1;
  setsockopt(talk[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  for (int i = 0; i < 2; i++) {
    fcntl(talk[i], F_SETFD, FD_CLOEXEC);
    fcntl(words[i], F_SETFD, FD_CLOEXEC);
    fcntl(words[i], F_SETFL, O_NONBLOCK);
  }
  return true;
}

static double seconds_used(const mt_WorkerProcess *a);

mt_WorkerProcess *mt_worker_process_new_with(mt_WorkerBegin begin,
                                             mt_WorkerAnswer work,
                                             void *context,
                                             const char *argument,
                                             const mt_WorkerOptions *options) {
  int talk[2] = {-1, -1}, words[2] = {-1, -1};
  pid_t pid = -1;
  mt_WorkerProcess *a = wants("0", options) ? NULL : calloc(1, sizeof *a);
  if (!a) return NULL;
  if (open_files(talk, words))
    pid = wants("copy", options)
              ? begin_copy(talk[1], words[1], begin, work, context, options)
              : begin_program(talk[1], words[1], options->shared, argument);
  mt_close_fd(&talk[1]);
  mt_close_fd(&words[1]);
  *a = (mt_WorkerProcess){.pid = pid, .talk = talk[0], .words = words[0]};
  if (pid > 0 && seconds_used(a) >= 0) return a;
  mt_worker_process_free(a);
  return NULL;
}

mt_WorkerProcess *mt_worker_process_new(mt_WorkerBegin begin,
                                        mt_WorkerAnswer work, void *context,
                                        const char *argument) {
  return mt_worker_process_new_with(begin, work, context, argument, &usual);
}

/* The system may have killed an idle worker for lack of memory. */
bool mt_worker_process_usable(const mt_WorkerProcess *a) {
  struct pollfd p = {.fd = a ? a->talk : -1, .events = POLLIN};
  return p.fd >= 0 && poll(&p, 1, 0) == 0;
}

/* Kills or waits for it; returns its status as waitpid does. */
static int end(mt_WorkerProcess *a, bool kill_it) {
  int how = 0;
  if (a->pid <= 0) return 0;
  if (kill_it) kill(a->pid, SIGKILL);
  how = mt_spawn_wait(a->pid);
  a->pid = -1;
  mt_close_fd(&a->talk);
  return how;
}

void mt_worker_process_free(mt_WorkerProcess *a) {
  if (!a) return;
  end(a, true);
  mt_close_fd(&a->talk);
  mt_close_fd(&a->words);
  free(a);
}

/* LLVM prints the reason of a fatal error on one line; the stack trace after it
** is of no use to the user. */
static void read_last_words(mt_WorkerProcess *a, char out[LAST_WORDS]) {
  ssize_t n = read(a->words, out, LAST_WORDS - 1);
  out[n > 0 ? n : 0] = 0;
  const char *reason = strstr(out, "ERROR: ");
  if (reason) memmove(out, reason + 7, strlen(reason + 7) + 1);
  out[strcspn(out, "\n")] = 0;
}

static mt_Status ended(mt_WorkerProcess *a, bool kill_it, mt_Error *err) {
  char words[LAST_WORDS];
  int how = end(a, kill_it);
  read_last_words(a, words);
  if (words[0]) return mt_error(err, MT_FAIL, "%s", words);
  if (!WIFSIGNALED(how)) return mt_error(err, MT_FAIL, "it ended early");
  return mt_error(err, MT_FAIL, "%s", strsignal(WTERMSIG(how)));
}

/* Processor time; negative: unknown. */
static double seconds_used(const mt_WorkerProcess *a) {
#ifdef __linux__
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(a->pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
    return -1;
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
#else
  struct rusage_info_v2 used;
  mach_timebase_info_data_t unit;
  if (proc_pid_rusage(a->pid, RUSAGE_INFO_V2, (rusage_info_t *)&used) != 0 ||
      mach_timebase_info(&unit) != KERN_SUCCESS)
    return -1;
  return (double)(used.ri_user_time + used.ri_system_time) * unit.numer /
         unit.denom * 1e-9;
#endif
}

/* Waits for the first byte of the answer. */
static mt_Status await(mt_WorkerProcess *a, const mt_Question *q, double before,
                       mt_Error *err) {
  uint64_t start = mt_now_ns();
  bool shown = false;
  mt_Status status = MT_OK;
  double patience = q->seconds < 1              ? 1
                    : q->seconds < IDLE_SECONDS ? q->seconds
                                                : IDLE_SECONDS;
  /* idle time counts polls, not the clock: a stopped Mettle must not count */
  double last = before, idle = 0;
  for (;;) {
    struct pollfd p = {a->talk, POLLIN, 0};
    if (poll(&p, 1, POLL_MS) > 0) break;
    if (mt_cancelled()) {
      status = mt_error(err, MT_CANCELLED, "stopped");
      break;
    }
    double used = seconds_used(a);
    idle = used > last ? 0 : idle + POLL_MS * 1e-3, last = used;
    if (q->seconds > 0 && used - before > q->seconds) {
      status = mt_error(err, MT_TIMEOUT, "it took longer than %g s of the "
                        "processor's time", q->seconds);
      break;
    }
    if (q->seconds > 0 && idle > patience) {
      status = mt_error(err, MT_TIMEOUT, "it did nothing for %g s", patience);
      break;
    }
    if (q->notice && !shown && mt_now_ns() - start > NOTICE_NS)
      mt_notice(q->notice), shown = true;
  }
  if (shown) mt_notice(NULL);
  return status;
}

mt_Status mt_worker_process_send(mt_WorkerProcess *a, const mt_Question *q,
                                 mt_Error *err) {
  if (a->pid <= 0) return mt_error(err, MT_FAIL, "it has ended before");
  /* it may have died while idle */
  if (!mt_worker_process_usable(a)) return ended(a, true, err);
  a->before = seconds_used(a);
  if (!send_message(a->talk, q->bytes, q->size)) return ended(a, false, err);
  return MT_OK;
}

void mt_worker_process_lower(const mt_WorkerProcess *a) {
  if (a->pid > 0) setpriority(PRIO_PROCESS, (id_t)a->pid, 10);
}

bool mt_worker_process_answers(const mt_WorkerProcess *a) {
  struct pollfd p = {.fd = a->talk, .events = POLLIN};
  return p.fd < 0 || poll(&p, 1, 0) != 0;
}

mt_Status mt_worker_process_receive(mt_WorkerProcess *a, const mt_Question *q,
                                    mt_Str *answer, mt_Error *err) {
  uint64_t length;
  if (a->pid <= 0) return mt_error(err, MT_FAIL, "it has ended before");
  mt_Status status = await(a, q, a->before, err);
  if (status != MT_OK) {
    end(a, true);
    return status;
  }
  if (!transfer(a->talk, &length, sizeof length, false))
    return ended(a, false, err);
  size_t had = answer->length;
  if (!mt_str_reserve(answer, length + 1)) {
    end(a, true);
    return mt_error(err, MT_FAIL, "out of memory");
  }
  if (!transfer(a->talk, answer->text + had, length, false))
    return ended(a, false, err);
  answer->length = had + length;
  answer->text[answer->length] = 0;
  return MT_OK;
}

mt_Status mt_worker_process_ask(mt_WorkerProcess *a, const mt_Question *q,
                                mt_Str *answer, mt_Error *err) {
  mt_Status status = mt_worker_process_send(a, q, err);
  return status == MT_OK ? mt_worker_process_receive(a, q, answer, err)
                         : status;
}

void mt_worker_process_hide(void *pages, size_t size) {
#ifdef __linux__
  madvise(pages, size, MADV_DONTFORK);
#else
  (void)pages, (void)size; /* nothing is copied */
#endif
}
