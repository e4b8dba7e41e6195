/*
** limit.c - runs a command and ends it when its time is up, for systems
** without GNU's timeout (macOS).
**
**   limit [-s SIGNAL-NUMBER] SECONDS COMMAND ...
**
** The command gets a process group of its own, so that what it started ends
** with it. First it is asked to end (SIGTERM, or the signal given), five
** seconds later it is killed. The exit status is the command's; 124 if its
** time was up, 128 + N if signal N ended it, 127 if it could not be started.
*/
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE 5 /* seconds between asking and killing */

static volatile sig_atomic_t command = 0; /* its process group */
static volatile sig_atomic_t is_late = 0;
static int first_signal = SIGTERM;

static void on_alarm(int sig) {
  (void)sig;
  if (command > 0) kill(-(pid_t)command, is_late ? SIGKILL : first_signal);
  is_late = 1;
  alarm(GRACE);
}

/* Whoever ends limit ends the command too. */
static void on_end(int sig) {
  if (command > 0) kill(-(pid_t)command, SIGKILL);
  _exit(128 + sig);
}

static void handle(int sig, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(sig, &action, NULL);
}

static int usage(void) {
  fprintf(stderr, "usage: limit [-s SIGNAL-NUMBER] SECONDS COMMAND ...\n");
  return 125;
}

int main(int argc, char **argv) {
  int first = 1;
  if (argc > 3 && strcmp(argv[1], "-s") == 0) {
    first_signal = atoi(argv[2]);
    first = 3;
  }
  if (argc < first + 2 || atoi(argv[first]) <= 0 || first_signal <= 0) return usage();
  pid_t child = fork();
  if (child < 0) return perror("limit: fork"), 125;
  if (child == 0) {
    setpgid(0, 0);
    execvp(argv[first + 1], argv + first + 1);
    fprintf(stderr, "limit: %s: %s\n", argv[first + 1], strerror(errno));
    _exit(127);
  }
  setpgid(child, child);
  command = (sig_atomic_t)child;
  handle(SIGALRM, on_alarm);
  handle(SIGTERM, on_end);
  handle(SIGINT, on_end);
  handle(SIGHUP, on_end);
  alarm((unsigned)atoi(argv[first]));
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return perror("limit: wait"), 125;
  if (is_late) {
    kill(-child, SIGKILL); /* what it left behind */
    return 124;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
