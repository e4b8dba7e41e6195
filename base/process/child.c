/*
** child.c - another program, run under limits.
**
** The one idea: three pipes are polled together, a few milliseconds at a time;
** the clock and the cancel flag are checked in between. The input is a pipe and
** no socket, so that the child can open it by name (/dev/fd/0); a write to one
** without a reader must not raise SIGPIPE in this process.
*/
#include "base/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <libproc.h>
#include <mach/mach_time.h>
#include <sys/resource.h>
#endif

#include "base/cancel.h"
#include "base/clock.h"
#include "base/notice.h"

#define POLL_MS 10
#define PATIENCE 4 /* wall-clock seconds for each second of processor time */
#define LEAST_SHARE 0.01 /* of its limit, to be given as long once more */

struct mt_Child {
  pid_t pid;
  int in, out, err;  /* this process's ends; -1 = closed */
  int ended;         /* of a fork server's run: its status (fork_server.h) */
  uint64_t deadline; /* 0 = none, or not set yet */
  double used;       /* processor time when the deadline was last moved */
  double seconds;
  size_t memory, output_limit;
  double idle; /* limit */
};

static void keep_private(int fd) { fcntl(fd, F_SETFD, FD_CLOEXEC); }

static void never_block(int fd) {
  fcntl(fd, F_SETFL, O_NONBLOCK);
#ifdef F_SETNOSIGPIPE
  fcntl(fd, F_SETNOSIGPIPE, 1);
#endif
}

/* write, without SIGPIPE. */
static ssize_t write_quietly(int fd, const void *bytes, size_t size) {
#ifdef F_SETNOSIGPIPE
  return write(fd, bytes, size);
#else
  sigset_t broken, before, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  ssize_t n = write(fd, bytes, size);
  int why = errno;
  if (n < 0 && why == EPIPE && !sigismember(&pending, SIGPIPE))
    while (sigtimedwait(&broken, NULL, &(struct timespec){0}) < 0 &&
           errno == EINTR)
      continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = why;
  return n;
#endif
}

mt_Status mt_child_start_from(mt_ForkServer *loaded, const char *const *argv,
                              const mt_ChildLimits *limits, mt_Child **out,
                              mt_Error *err) {
  int in[2] = {-1, -1}, so[2] = {-1, -1}, se[2] = {-1, -1};
  mt_Status status = MT_FAIL;
  *out = NULL;
  mt_Child *c = calloc(1, sizeof *c);
  if (c == NULL) return mt_error(err, MT_FAIL, "out of memory");
  if (pipe(in) != 0 || pipe(so) != 0 || pipe(se) != 0) {
    mt_error(err, MT_FAIL, "%s: no pipe: %s", argv[0], strerror(errno));
    goto done;
  }
  for (int i = 0; i < 2; i++)
    keep_private(in[i]), keep_private(so[i]), keep_private(se[i]);
  never_block(in[1]);
  mt_Spawn what = {.argv = argv,
                   .fds = {in[0], so[1], se[1], -1},
                   .memory = limits->memory,
                   .seconds = limits->seconds};
  c->ended = -1;
  c->pid = loaded ? mt_fork_server_spawn(loaded, &what, &c->ended) : -1;
  if (c->pid < 0) c->pid = mt_spawn(&what);
  if (c->pid < 0) {
    mt_error(err, MT_FAIL, "%s: cannot start: %s", argv[0], strerror(errno));
    goto done;
  }
  c->in = in[1], c->out = so[0], c->err = se[0];
  in[1] = so[0] = se[0] = -1;
  c->seconds = limits->seconds;
  c->memory = limits->memory;
  c->output_limit = limits->output;
  c->idle = limits->idle;
  *out = c;
  c = NULL;
  status = MT_OK;
done:
  for (int i = 0; i < 2; i++)
    mt_close_fd(&in[i]), mt_close_fd(&so[i]), mt_close_fd(&se[i]);
  free(c);
  return status;
}

mt_Status mt_child_start(const char *const *argv, const mt_ChildLimits *limits,
                         mt_Child **out, mt_Error *err) {
  return mt_child_start_from(NULL, argv, limits, out, err);
}

static void forget(mt_Child *c) {
  mt_close_fd(&c->in);
  mt_close_fd(&c->out);
  mt_close_fd(&c->err);
  mt_close_fd(&c->ended);
  free(c);
}

static int reap(mt_Child *c) {
  int how = mt_spawn_wait(c->pid);
  forget(c);
  return WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}

/* The exit status, as soon as it is known: before the kernel has freed the
** memory of a fork server's run. */
static int leave(mt_Child *c) {
  int code;
  ssize_t n;
  do n = c->ended >= 0 ? read(c->ended, &code, sizeof code) : 0;
  while (n < 0 && errno == EINTR);
  if (n != sizeof code) return reap(c);
  mt_fork_server_leave(c->pid);
  forget(c);
  return code;
}

bool mt_child_alive(const mt_Child *c) {
  siginfo_t ended = {0};
  return waitid(P_PID, (id_t)c->pid, &ended, WEXITED | WNOHANG | WNOWAIT) ==
             0 &&
         ended.si_pid == 0;
}

void mt_child_kill(mt_Child *c) {
  if (c == NULL) return;
  kill(-c->pid, SIGKILL);
  kill(c->pid, SIGKILL);
  reap(c);
}

static void start_clock(mt_Child *c) {
  if (c->seconds > 0 && c->deadline == 0)
    c->deadline = mt_now_ns() + (uint64_t)(c->seconds * PATIENCE * 1e9);
}

static void feed(mt_Child *c, const char **bytes, size_t *size) {
  ssize_t n = *size ? write_quietly(c->in, *bytes, *size) : 0;
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
    return;
  if (n > 0) *bytes += n, *size -= (size_t)n;
  if (n < 0 || *size == 0) mt_close_fd(&c->in);
}

size_t mt_child_feed(mt_Child *c, const void *input, size_t size) {
  const char *bytes = input;
  size_t left = size, before;
  start_clock(c);
  do {
    before = left;
    feed(c, &bytes, &left);
  } while (c->in >= 0 && left < before);
  return size - left;
}

/* false: more than the limit */
static bool drain(int *fd, mt_Str *to, size_t limit) {
  char part[65536];
  ssize_t n = read(*fd, part, sizeof part);
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) mt_close_fd(fd);
  if (n > 0) mt_str_add_bytes(to, part, (size_t)n);
  return limit == 0 || to->length <= limit;
}

/* Seconds of processor time that it has used; -1: unknown. */
static double seconds_used(pid_t pid) {
#ifdef __APPLE__
  struct rusage_info_v0 used;
  mach_timebase_info_data_t unit;
  if (proc_pid_rusage(pid, RUSAGE_INFO_V0, (rusage_info_t *)&used) != 0 ||
      mach_timebase_info(&unit) != KERN_SUCCESS)
    return -1;
  return (double)(used.ri_user_time + used.ri_system_time) * unit.numer /
         unit.denom * 1e-9;
#else
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
    return -1;
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
#endif
}

/* On a busy machine a deadline passes while the child still works: then it is
** given more time, and its limit of processor time ends it. */
static bool is_late(mt_Child *c) {
  if (c->deadline == 0 || mt_now_ns() <= c->deadline) return false;
  double used = seconds_used(c->pid);
  if (used < c->used + c->seconds * LEAST_SHARE) return true;
  c->used = used;
  c->deadline = mt_now_ns() + (uint64_t)(c->seconds * PATIENCE * 1e9);
  return false;
}

/* XNU refuses a limit of address space below what a process has mapped when it
** begins, on Apple silicon hundreds of gigabytes: what it uses is read. */
static bool is_large(const mt_Child *c) {
#ifdef __APPLE__
  struct rusage_info_v0 used;
  return c->memory &&
         proc_pid_rusage(c->pid, RUSAGE_INFO_V0, (rusage_info_t *)&used) == 0 &&
         used.ri_phys_footprint > c->memory;
#else
  (void)c; /* the kernel refuses it more (spawn.c) */
  return false;
#endif
}

typedef struct Idle {
  double used;    /* processor time when it last increased */
  uint64_t since; /* and when that was */
} Idle;

static bool is_idle(const mt_Child *c, Idle *idle) {
  uint64_t now = mt_now_ns();
  double used = c->idle > 0 && c->in < 0 ? seconds_used(c->pid) : -1;
  if (used < 0 || used > idle->used || idle->since == 0)
    *idle = (Idle){used, now};
  return used >= 0 && (double)(now - idle->since) * 1e-9 > c->idle;
}

/* While this process was stopped, by Ctrl-Z or a debugger, the child may have
** been stopped too, and no one looked: that time does not count. */
static void forgive_pause(mt_Child *c, Idle *idle, uint64_t *last) {
  uint64_t pause = mt_clock_pause(last);
  if (c->deadline) c->deadline += pause;
  if (idle->since) idle->since += pause;
}

static mt_Status exchange(mt_Child *c, const char *input, size_t size,
                          mt_Str *output, mt_Str *errors, mt_Error *err) {
  Idle idle = {0, 0};
  uint64_t last = mt_now_ns();
  start_clock(c);
  if (size == 0) mt_close_fd(&c->in);
  while (c->out >= 0 || c->err >= 0) {
    struct pollfd p[3] = {
        {c->in, POLLOUT, 0}, {c->out, POLLIN, 0}, {c->err, POLLIN, 0}};
    if (poll(p, 3, POLL_MS) < 0 && errno != EINTR)
      return mt_error(err, MT_FAIL, "poll: %s", strerror(errno));
    if (mt_cancelled()) return mt_error(err, MT_CANCELLED, "stopped");
    mt_notice_wait();
    forgive_pause(c, &idle, &last);
    if (is_late(c))
      return mt_error(err, MT_TIMEOUT, "took longer than %g s",
                      c->seconds * PATIENCE);
    if (is_large(c))
      return mt_error(err, MT_FAIL, "took more than %zu MB of memory",
                      c->memory >> 20);
    if (is_idle(c, &idle))
      return mt_error(
          err, MT_TIMEOUT,
          "did nothing for %g s, as if it waited for a pipe or a device",
          c->idle);
    if (c->in >= 0 && p[0].revents) feed(c, &input, &size);
    if (c->out >= 0 && p[1].revents && !drain(&c->out, output, c->output_limit))
      return mt_error(err, MT_FAIL, "more than %zu bytes of output",
                      c->output_limit);
    if (c->err >= 0 && p[2].revents && !drain(&c->err, errors, c->output_limit))
      return mt_error(err, MT_FAIL, "more than %zu bytes of messages",
                      c->output_limit);
  }
  return MT_OK;
}

mt_Status mt_child_finish(mt_Child *c, const void *input, size_t size,
                          mt_Str *output, mt_Str *errors, int *code,
                          mt_Error *err) {
  mt_Status status = exchange(c, input, size, output, errors, err);
  if (status != MT_OK) {
    mt_child_kill(c);
    *code = -1;
    return status;
  }
  double seconds = c->seconds;
  *code = leave(c);
  if (*code == 128 + SIGXCPU)
    return mt_error(err, MT_TIMEOUT,
                    "took longer than %g s of the processor's time", seconds);
  return MT_OK;
}
