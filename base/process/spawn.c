/*
** spawn.c - start a process that does not outlive this one.
**
** However Mettle ends, kill -9 included, its children are killed: by the kernel
** (Linux) or by the reaper (base/process/child_reaper.h).
**
** Where vfork is reliable it replaces fork: copying the page tables of a
** process that has LLVM loaded, and the page faults afterwards, cost more than
** the rest of the start.
*/
#include "base/process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/thread.h"

#ifdef __linux__
#include <sys/prctl.h>
#define FORK vfork
#else
#include "base/process/child_reaper.h"
#define FORK fork
#endif

extern char **environ;

/* The parent's handlers must not run in the child: vfork shares memory. */
static void forget_handlers(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL}, old;
  for (int i = 1; i < NSIG; i++)
    if (sigaction(i, NULL, &old) == 0 && old.sa_handler != SIG_IGN &&
        old.sa_handler != SIG_DFL)
      sigaction(i, &usual, NULL);
}

/* In the child. Also handles a parent that died before prctl. */
static void end_with(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#else
  mt_child_reaper_enter();
#endif
  if (getppid() != parent) _exit(127);
}

/* A copy of 'fd' that none of the child's own numbers overwrites: they may be
** among the lowest where this program has closed its standard files. */
static int out_of_the_way(int fd) {
  return fd >= 0 && fd <= MT_SPAWN_FDS
             ? fcntl(fd, F_DUPFD_CLOEXEC, MT_SPAWN_FDS + 1)
             : fd;
}

static void take_files(const mt_Spawn *what) {
  int from[MT_SPAWN_FDS];
  int shared = what->shared > 0 ? out_of_the_way(what->shared) : -1;
  for (int i = 0; i < MT_SPAWN_FDS; i++)
    from[i] = out_of_the_way(what->fds[i]);
  for (int i = 0; i < MT_SPAWN_FDS; i++)
    if (from[i] >= 0) dup2(from[i], i);
  if (shared >= 0) dup2(shared, MT_SPAWN_FDS);
}

/* In the child, between fork and exec: only async-signal-safe calls, and no
** changes to the parent's memory. */
static void become(const mt_Spawn *what, pid_t parent) {
  setpgid(0, 0);
  end_with(parent);
  take_files(what);
  struct rlimit limit;
  if (what->memory) {
    limit.rlim_cur = limit.rlim_max = what->memory;
    setrlimit(RLIMIT_AS, &limit);
  }
  if (what->seconds > 0) {
    limit.rlim_cur = (rlim_t)what->seconds + 1;
    limit.rlim_max = limit.rlim_cur + 2;
    setrlimit(RLIMIT_CPU, &limit);
  }
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur > MT_SPAWN_STACK) {
    limit.rlim_cur = MT_SPAWN_STACK;
    setrlimit(RLIMIT_STACK, &limit);
  }
  limit.rlim_cur = limit.rlim_max = 0;
  setrlimit(RLIMIT_CORE, &limit);
  forget_handlers();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(what->argv[0], (char *const *)what->argv,
         what->env ? (char *const *)what->env : environ);
  _exit(127);
}

pid_t mt_spawn(const mt_Spawn *what) {
  sigset_t before;
  pid_t parent = getpid();
#ifndef __linux__
  mt_child_reaper_open();
#endif
  mt_signals_block(&before);
  pid_t pid = FORK();
  if (pid == 0) become(what, parent);
  int why = errno;
  if (pid > 0) setpgid(pid, pid); /* parent and child both do: no race */
  mt_signals_restore(&before);
  errno = why;
  return pid;
}

int mt_spawn_wait(pid_t pid) {
  siginfo_t ended;
  int how = 0;
  while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR)
    continue;
#ifndef __linux__
  mt_child_reaper_forget(pid); /* before waitpid, while the pid is not reused */
#endif
  while (waitpid(pid, &how, 0) < 0 && errno == EINTR) continue;
  return how;
}
