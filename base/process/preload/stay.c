/*
** stay.c - a preloaded library that turns another program into a fork server.
**
** A program with a hundred megabytes of shared libraries takes longer to load
** than to compile a small kernel. Loaded before its libraries (LD_PRELOAD),
** this one intercepts the C library's call of main: the program is loaded, its
** constructors have run, and a loop runs in place of main. For each request
** (base/process/stay.h) it forks, and the copy goes on to main with the
** arguments, files and limits of that run.
**
** A copy may be told to park: it stops once more where it opens its input, with
** everything done that does not depend on it, and the same loop runs there.
**
** The copy is made with CLONE_PARENT: it is a child of the process that
** requests runs, which waits for it as for any other child. If that is refused,
** the program itself becomes the run, and the next run needs a new program.
*/
#define _GNU_SOURCE
#include "base/process/stay.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int Main(int argc, char **argv, char **env);
typedef int Start(Main *main, int argc, char **argv, void (*init)(void),
                  void (*fini)(void), void (*unload)(void), void *stack);

#define MOST_ARGS 1024

extern char **environ;
static Main *program;
static char message[MT_STAY_LONGEST];
static char *argv[MOST_ARGS + 1];
static int argc;
static int answer = -1; /* of this run: where its status goes */
static bool parks;      /* this run is to park, and has not come there */
static bool parked;     /* it did, or it is a copy of one that did */

/* Receive a whole message with all its descriptors; false: the socket was
** closed, or the message is invalid. */
static bool asked(mt_StayAsk *ask, int fds[MT_STAY_FDS]) {
  char small[sizeof *ask];
  char control[CMSG_SPACE(sizeof(int) * MT_STAY_FDS)];
  struct iovec part = {parked ? small : message,
                       parked ? sizeof small : sizeof message - 1};
  struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1,
                     .msg_control = control, .msg_controllen = sizeof control};
  ssize_t n;
  do n = recvmsg(MT_STAY_FD, &m, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
  if (c == NULL || c->cmsg_type != SCM_RIGHTS || (size_t)n < sizeof *ask ||
      c->cmsg_len != CMSG_LEN(sizeof(int) * MT_STAY_FDS) ||
      (m.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
    return false;
  memcpy(ask, part.iov_base, sizeof *ask);
  memcpy(fds, CMSG_DATA(c), sizeof(int) * MT_STAY_FDS);
  if (parked) return ask->count == 0; /* its arguments are in use */
  char *s = message + sizeof *ask, *end = message + n;
  *end = '\0';
  for (argc = 0; argc < MOST_ARGS && s < end; s += strlen(s) + 1)
    argv[argc++] = s;
  argv[argc] = NULL;
  return ask->count == (uint32_t)argc;
}

static void limit(int what, uint64_t soft, uint64_t hard) {
  struct rlimit l = {soft, hard};
  setrlimit(what, &l);
}

/* Ends the run, without the program's exit handlers: they would free what the
** kernel frees anyway. */
static _Noreturn void leave(int code) {
  code &= 0xff; /* as waitpid gives it */
  fflush(NULL);
  signal(SIGPIPE, SIG_IGN); /* the reader may have ended */
  ssize_t ignored = write(answer, &code, sizeof code);
  (void)ignored;
  for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) close(i);
  _exit(code);
}

/* The same steps that base/process/spawn.c takes before exec. One that parks
** has the socket for its requests as its files. */
static void begin(const mt_StayAsk *ask, const int fds[MT_STAY_FDS]) {
  if (answer >= 0) close(answer); /* of the run that is parked */
  answer = fds[MT_STAY_ANSWER];
  parks = ask->parks;
  pid_t self = getpid();
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != ask->parent) _exit(127);
  if (write(answer, &self, sizeof self) != sizeof self) _exit(127);
  if (fchdir(fds[MT_STAY_FOLDER]) != 0) _exit(127);
  for (int i = MT_STAY_IN; i <= MT_STAY_ERR; i++) dup2(fds[i], i);
  if (parks) dup2(fds[MT_STAY_IN], MT_STAY_FD);
  else close(MT_STAY_FD);
  for (int i = 0; i < MT_STAY_FDS; i++)
    if (fds[i] > MT_STAY_FD && fds[i] != answer) close(fds[i]);
  if (ask->memory) limit(RLIMIT_AS, ask->memory, ask->memory);
  if (ask->seconds) limit(RLIMIT_CPU, ask->seconds + 1, ask->seconds + 3);
}

/* Returns in each copy, with its files and limits. */
static void copy_when_asked(void) {
  mt_StayAsk ask;
  int fds[MT_STAY_FDS];
  if (send(MT_STAY_FD, "", 1, MSG_NOSIGNAL) != 1) _exit(0);
  while (asked(&ask, fds)) {
    long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid <= 0) {
      begin(&ask, fds);
      return;
    }
    for (int i = 0; i < MT_STAY_FDS; i++) close(fds[i]);
  }
  _exit(0);
}

static int stay(int ignored_argc, char **ignored_argv, char **ignored_env) {
  (void)ignored_argc, (void)ignored_argv, (void)ignored_env;
  copy_when_asked();
  leave(program(argc, argv, environ));
}

typedef int Open(const char *path, int flags, ...);

/* The program's call of the C library's. */
static int open_by(const char *name, const char *path, int flags, int mode) {
  Open *real = (Open *)dlsym(RTLD_NEXT, name);
  if (parks && strcmp(path, MT_STAY_TEXT) == 0) {
    parked = true;
    copy_when_asked();
  }
  return real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
  va_end(rest);
  return open_by("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
  va_end(rest);
  return open_by("open64", path, flags, mode);
}

/* The program's start code calls this one in place of the C library's. */
int __libc_start_main(Main *, int, char **, void (*)(void), void (*)(void),
                      void (*)(void), void *);
int __libc_start_main(Main *main, int count, char **args, void (*init)(void),
                      void (*fini)(void), void (*unload)(void), void *stack) {
  Start *start = (Start *)dlsym(RTLD_NEXT, "__libc_start_main");
  program = main;
  bool stays = getenv(MT_STAY_VARIABLE) != NULL;
  if (stays) { /* the program's own children must not preload this library */
    unsetenv(MT_STAY_VARIABLE);
    char *others =
        getenv("LD_PRELOAD") ? strchr(getenv("LD_PRELOAD"), ':') : NULL;
    if (others) setenv("LD_PRELOAD", others + 1, 1);
    else unsetenv("LD_PRELOAD");
  }
  return start(stays ? stay : main, count, args, init, fini, unload, stack);
}
