/*
** stay.c - a preloaded library that turns another program into a fork server.
**
** A program with a hundred megabytes of shared libraries takes longer to load
** than to compile a small kernel. Loaded before its libraries (LD_PRELOAD),
** this one intercepts the C library's call of main: the program is loaded, its
** constructors have run, and a loop runs in place of main. For each request
** (base/stay.h) it forks, and the copy goes on to main with the arguments,
** files and limits of that run.
**
** The copy is made with CLONE_PARENT: it is a child of the process that
** requests runs, which waits for it as for any other child. If that is refused,
** the program itself becomes the run, and the next run needs a new program.
*/
#define _GNU_SOURCE
#include "base/stay.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
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

/* Receive a whole message with all its descriptors; false: the socket was
** closed, or the message is invalid. */
static bool asked(mt_StayAsk *ask, int fds[MT_STAY_FDS]) {
  char control[CMSG_SPACE(sizeof(int) * MT_STAY_FDS)];
  struct iovec part = {message, sizeof message - 1};
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
  memcpy(ask, message, sizeof *ask);
  memcpy(fds, CMSG_DATA(c), sizeof(int) * MT_STAY_FDS);
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
static _Noreturn void leave(int answer, int code) {
  code &= 0xff; /* as waitpid gives it */
  fflush(NULL);
  signal(SIGPIPE, SIG_IGN); /* nobody may be left who wants to know */
  ssize_t ignored = write(answer, &code, sizeof code);
  (void)ignored;
  for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) close(i);
  _exit(code);
}

/* The same steps that base/spawn.c takes before exec. */
static _Noreturn void run(const mt_StayAsk *ask, const int fds[MT_STAY_FDS]) {
  int answer = fds[MT_STAY_ANSWER];
  pid_t self = getpid();
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != ask->parent) _exit(127);
  if (write(answer, &self, sizeof self) != sizeof self) _exit(127);
  if (fchdir(fds[MT_STAY_FOLDER]) != 0) _exit(127);
  for (int i = MT_STAY_IN; i <= MT_STAY_ERR; i++) dup2(fds[i], i);
  for (int i = 0; i < MT_STAY_FDS; i++)
    if (fds[i] > STDERR_FILENO && fds[i] != answer) close(fds[i]);
  close(MT_STAY_FD);
  if (ask->memory) limit(RLIMIT_AS, ask->memory, ask->memory);
  if (ask->seconds) limit(RLIMIT_CPU, ask->seconds + 1, ask->seconds + 3);
  leave(answer, program(argc, argv, environ));
}

static int stay(int ignored_argc, char **ignored_argv, char **ignored_env) {
  (void)ignored_argc, (void)ignored_argv, (void)ignored_env;
  mt_StayAsk ask;
  int fds[MT_STAY_FDS];
  if (send(MT_STAY_FD, "", 1, MSG_NOSIGNAL) != 1) _exit(0);
  while (asked(&ask, fds)) {
    long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid <= 0) run(&ask, fds);
    for (int i = 0; i < MT_STAY_FDS; i++) close(fds[i]);
  }
  _exit(0);
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
