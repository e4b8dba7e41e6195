/*
** limit.c - runs a command and ends it when its time is up, for systems
** without GNU's timeout (macOS).
**
**   limit [-s SIGNAL-NUMBER] [-t FILE] SECONDS COMMAND ...
**
** The command gets a process group of its own, so that what it started ends
** with it. First it is asked to end (SIGTERM, or the signal given), five
** seconds later it is killed. The exit status is the command's; 124 if its
** time was up, 128 + N if signal N ended it, 127 if it could not be started.
**
** FILE gets one line: the seconds that went by, and the processor's seconds of
** the command and of what it started. On Linux what outlives its parent counts
** too: a Clang that stays loaded is often killed and not waited for.
*/
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define GRACE 5 /* seconds between asking and killing */
#define ORPHANS_MS 300 /* for what ends with the command to be counted */

static volatile sig_atomic_t command = 0; /* its process group */
static volatile sig_atomic_t is_late = 0;
static int first_signal = SIGTERM;

static void on_alarm(int sig) {
  (void)sig;
  if (command > 0) kill(-(pid_t)command, is_late ? SIGKILL : first_signal);
  is_late = 1;
  alarm(GRACE);
}

/* A signal that ends limit ends the command too. */
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
  fprintf(stderr, "usage: limit [-s SIGNAL-NUMBER] [-t FILE] SECONDS "
                  "COMMAND ...\n");
  return 125;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* What the command left comes to us, and ends now if it ends with it. */
static void wait_for_orphans(void) {
  struct timespec ms = {0, 1000000};
  for (int i = 0; i < ORPHANS_MS; i++) {
    pid_t gone = waitpid(-1, NULL, WNOHANG);
    if (gone < 0 && errno == ECHILD) return;
    if (gone <= 0) nanosleep(&ms, NULL);
  }
}

static void write_times(const char *path, double began) {
  double wall = now() - began;
  wait_for_orphans();
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  FILE *f = fopen(path, "w");
  if (!f) return perror(path);
  fprintf(f, "%.1f %.1f\n", wall,
          seconds(used.ru_utime) + seconds(used.ru_stime));
  fclose(f);
}

/* waits for the command, and for orphans that come to us meanwhile */
static int wait_for(pid_t child, int *status) {
  for (;;) {
    pid_t gone = waitpid(-1, status, 0);
    if (gone == child) return 0;
    if (gone < 0 && errno != EINTR) return -1;
  }
}

int main(int argc, char **argv) {
  int first = 1;
  const char *times = NULL;
  for (; argc > first + 2 && argv[first][0] == '-'; first += 2) {
    if (strcmp(argv[first], "-s") == 0) first_signal = atoi(argv[first + 1]);
    else if (strcmp(argv[first], "-t") == 0) times = argv[first + 1];
    else return usage();
  }
  if (argc < first + 2 || atoi(argv[first]) <= 0 || first_signal <= 0)
    return usage();
  double began = now();
#ifdef __linux__
  if (times) prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
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
  if (wait_for(child, &status) < 0) return perror("limit: wait"), 125;
  alarm(0);
  if (is_late) kill(-child, SIGKILL); /* what it left */
  if (times) write_times(times, began);
  if (is_late) return 124;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
