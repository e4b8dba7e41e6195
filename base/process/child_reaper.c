/*
** child_reaper.c - a process that kills Mettle's children, see child_reaper.h.
**
** The one idea: a message is a pid to register or, negative, to forget. The
** child sends its own before exec, so that it never runs unregistered.
*/
#include "base/process/child_reaper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
#define MOST 256 /* children at once; a console has only a few */

/* Of the process: one reaper for all of its children. */
static int to_reaper = -1;
static pid_t opened_by; /* a fork of this process must not use its reaper */

/* ----------------------------------------------------------- in the reaper */

static int32_t watched[MOST]; /* of the reaper's own process */

static void note(int32_t message) {
  int32_t looked_for = message > 0 ? 0 : -message;
  for (size_t i = 0; i < MOST; i++)
    if (watched[i] == looked_for) {
      watched[i] = message > 0 ? message : 0;
      return;
    }
}

static void end_all(void) {
  for (size_t i = 0; i < MOST; i++)
    if (watched[i]) {
      kill(-watched[i], SIGKILL);
      kill(watched[i], SIGKILL);
    }
}

/* Signals that kill Mettle must not kill the reaper before its work is done;
** and none of Mettle's files may stay open here. */
static void keep_watch(int from) {
  for (int s = 1; s < NSIG; s++) signal(s, SIG_IGN);
  setsid();
  int most = (int)sysconf(_SC_OPEN_MAX);
  for (int fd = 0; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
    if (fd != from) close(fd);
  for (;;) {
    int32_t message;
    ssize_t n = recv(from, &message, sizeof message, MSG_WAITALL);
    if (n < 0 && errno == EINTR) continue;
    if (n != sizeof message) break;
    note(message);
  }
  end_all();
  _exit(0);
}

/* ---------------------------------------------------------------- from here */

static void send_number(int32_t message) {
  if (to_reaper < 0) return;
  while (send(to_reaper, &message, sizeof message, MSG_NOSIGNAL) < 0 &&
         errno == EINTR)
    continue;
}

void mt_child_reaper_open(void) {
  int ends[2];
  if (to_reaper >= 0 && opened_by == getpid()) return;
  if (to_reaper >= 0) close(to_reaper);
  to_reaper = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  int on = 1;
  setsockopt(ends[1], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  pid_t pid = fork();
  if (pid == 0) keep_watch(ends[0]);
  close(ends[0]);
  opened_by = getpid();
  if (pid > 0) to_reaper = ends[1];
  else close(ends[1]);
}

void mt_child_reaper_enter(void) { send_number((int32_t)getpid()); }

void mt_child_reaper_forget(pid_t pid) {
  if (opened_by == getpid()) send_number(-(int32_t)pid);
}
