/*
** fork_server.c - a program that stays loaded, so that running it costs a fork;
** see fork_server.h.
*/
#define _GNU_SOURCE
#include "base/process/fork_server.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/process/stay.h"
#include "base/str.h"

#define PATIENCE_NS 10000000000u /* for an answer; ample, for a busy machine */
#define CANCELLED_NS 500000000u  /* the same after Ctrl-C */
#define POLL_MS 10

struct mt_ForkServer {
  /* 0: it became a run itself, or did not answer a request */
  pid_t pid;
  int socket;
  bool ready;       /* it has reported that it is loaded */
  bool parked;      /* it has its arguments: mt_fork_server_park */
  char *program;
  struct stat file; /* of the program, when it was loaded */
};

extern char **environ;

/* ------------------------------------------------------------ ended, almost */

#define MOST_LEAVING 8
/* Of the process, whose children they are; 0 = free. */
static _Atomic pid_t leaving[MOST_LEAVING];

static void keep_leaving(pid_t run) {
  for (int i = 0; i < MOST_LEAVING; i++) {
    pid_t none = 0;
    if (atomic_compare_exchange_strong(&leaving[i], &none, run)) return;
  }
  mt_spawn_wait(run);
}

void mt_fork_server_leave(pid_t run) {
  for (int i = 0; i < MOST_LEAVING; i++) {
    pid_t other = atomic_exchange(&leaving[i], 0);
    if (other && waitpid(other, NULL, WNOHANG) == 0) keep_leaving(other);
  }
  keep_leaving(run);
}

static void await_leaving(void) {
  for (int i = 0; i < MOST_LEAVING; i++) {
    pid_t run = atomic_exchange(&leaving[i], 0);
    if (run) mt_spawn_wait(run);
  }
}

/* ---------------------------------------------------------------- beginning */

/* The first bytes of an ELF file up to the processor it is for. */
static bool kind_of(const char *path, unsigned char head[20]) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read(fd, head, 20) : -1;
  if (fd >= 0) close(fd);
  return n == 20 && memcmp(head, "\177ELF", 4) == 0;
}

static bool is_of_our_kind(const char *path) {
  unsigned char own[20], its[20];
  return kind_of("/proc/self/exe", own) && kind_of(path, its) &&
         memcmp(own, its, 6) == 0 && memcmp(own + 18, its + 18, 2) == 0;
}

/* This environment with the hook added; 'kept' owns the new string. Symbols are
** bound when it is loaded: otherwise each of its forks would look them up
** again. */
static const char **hooked(const char *hook, mt_Str *kept) {
  size_t n = 0, used = 0;
  while (environ[n]) n++;
  const char **env = calloc(n + 4, sizeof *env);
  const char *others = getenv("LD_PRELOAD");
  mt_str_addf(kept, "LD_PRELOAD=%s%s%s", hook, others && others[0] ? ":" : "",
              others ? others : "");
  if (env == NULL || kept->failed) {
    free(env);
    return NULL;
  }
  for (size_t i = 0; i < n; i++)
    if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0) env[used++] = environ[i];
  env[used++] = mt_str_text(kept);
  env[used++] = "LD_BIND_NOW=1";
  env[used] = MT_STAY_VARIABLE "=1";
  return env;
}

/* The hook is its input, which it never reads, and is preloaded from there: at
** its own path a colon or a space would end its name in LD_PRELOAD. */
static pid_t start(const char *program, const char *hook, int theirs) {
  mt_Str kept = MT_STR_INIT;
  const char *argv[] = {program, NULL},
             **env = hooked("/proc/self/fd/0", &kept);
  int none = open("/dev/null", O_RDWR | O_CLOEXEC),
      library = open(hook, O_RDONLY | O_CLOEXEC);
  mt_Spawn what = {
      .argv = argv, .env = env, .fds = {library, none, none, theirs}};
  pid_t pid = env && none >= 0 && library >= 0 ? mt_spawn(&what) : -1;
  if (none >= 0) close(none);
  if (library >= 0) close(library);
  free(env);
  mt_str_free(&kept);
  return pid;
}

mt_ForkServer *mt_fork_server_new(const char *program, const char *hook) {
  int ends[2];
  mt_ForkServer *l = calloc(1, sizeof *l);
  if (l) l->program = strdup(program);
  if (l == NULL || l->program == NULL || access(hook, R_OK) != 0 ||
      stat(program, &l->file) != 0 || !is_of_our_kind(program) ||
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    if (l) free(l->program);
    free(l);
    return NULL;
  }
  l->pid = start(program, hook, ends[0]);
  l->socket = ends[1];
  close(ends[0]);
  if (l->pid > 0) return l;
  close(l->socket);
  free(l->program);
  free(l);
  return NULL;
}

bool mt_fork_server_usable(const mt_ForkServer *l) {
  siginfo_t ended = {0};
  struct stat now;
  return l->pid && stat(l->program, &now) == 0 &&
         now.st_ino == l->file.st_ino && now.st_dev == l->file.st_dev &&
         now.st_mtime == l->file.st_mtime && now.st_size == l->file.st_size &&
         waitid(P_PID, (id_t)l->pid, &ended, WEXITED | WNOHANG | WNOWAIT) ==
             0 &&
         ended.si_pid == 0;
}

bool mt_fork_server_ready(mt_ForkServer *l) {
  char word;
  if (!l->ready) l->ready = recv(l->socket, &word, 1, MSG_DONTWAIT) == 1;
  return l->ready;
}

void mt_fork_server_free(mt_ForkServer *l) {
  if (l == NULL) return;
  close(l->socket);
  if (l->pid) {
    kill(l->pid, SIGKILL);
    mt_spawn_wait(l->pid);
  }
  await_leaving();
  free(l->program);
  free(l);
}

/* ------------------------------------------------------------------- asking */

static bool ask(const mt_ForkServer *l, const mt_Spawn *what, bool parks,
                int folder, int answer) {
  mt_StayAsk head = {what->memory, (uint64_t)what->seconds, getpid(), 0, parks};
  mt_Str text = MT_STR_INIT;
  for (; !l->parked && what->argv[head.count]; head.count++) continue;
  mt_str_add_bytes(&text, &head, sizeof head);
  for (uint32_t i = 0; i < head.count; i++)
    mt_str_add_bytes(&text, what->argv[i], strlen(what->argv[i]) + 1);
  int fds[MT_STAY_FDS] = {what->fds[0], what->fds[1], what->fds[2], folder,
                          answer};
  union { /* aligned as a header is */
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof fds)];
  } control = {0};
  struct iovec part = {text.text, text.length};
  struct msghdr m = {.msg_iov = &part,
                     .msg_iovlen = 1,
                     .msg_control = &control,
                     .msg_controllen = sizeof control};
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof fds);
  memcpy(CMSG_DATA(c), fds, sizeof fds);
  ssize_t length = (ssize_t)text.length;
  bool sent = !text.failed && text.length < MT_STAY_LONGEST &&
              sendmsg(l->socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == length;
  mt_str_free(&text);
  return sent;
}

/* The pid of the run; -1: no answer in time, or cancelled. */
static pid_t answered(int fd) {
  uint64_t until = mt_now_ns() + PATIENCE_NS, cancelled = 0;
  struct pollfd p = {fd, POLLIN, 0};
  pid_t pid;
  while (poll(&p, 1, POLL_MS) <= 0) {
    if (mt_cancelled() && cancelled == 0)
      cancelled = mt_now_ns() + CANCELLED_NS;
    if ((cancelled && mt_now_ns() > cancelled) || mt_now_ns() > until)
      return -1;
  }
  return read(fd, &pid, sizeof pid) == sizeof pid ? pid : -1;
}

/* The server may have started a run whose pid is not known yet, and which is a
** child of this process. A run writes its pid before anything else, and once
** the server is dead, the read of that pipe ends. */
static void take_back(mt_ForkServer *l, int answer) {
  pid_t pid, program = l->pid;
  ssize_t n;
  kill(program, SIGKILL);
  mt_spawn_wait(program);
  l->pid = 0;
  do n = read(answer, &pid, sizeof pid);
  while (n < 0 && errno == EINTR);
  if (n != sizeof pid || pid == program) return;
  kill(pid, SIGKILL);
  mt_spawn_wait(pid);
}

static pid_t spawn(mt_ForkServer *l, const mt_Spawn *what, bool parks,
                   int *ended) {
  int answer[2], folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  pid_t pid = -1;
  *ended = -1;
  if (folder < 0) return -1;
  if (pipe2(answer, O_CLOEXEC) == 0) {
    bool sent = ask(l, what, parks, folder, answer[1]);
    close(answer[1]);
    if (sent) {
      pid = answered(answer[0]);
      if (pid < 0) take_back(l, answer[0]);
      else if (pid == l->pid) l->pid = 0;
    }
    if (pid < 0) close(answer[0]);
    else *ended = answer[0];
  }
  close(folder);
  return pid;
}

pid_t mt_fork_server_spawn(mt_ForkServer *l, const mt_Spawn *what,
                           int *ended) {
  return spawn(l, what, false, ended);
}

mt_ForkServer *mt_fork_server_park(mt_ForkServer *loaded,
                                   const char *const *argv) {
  int ends[2], ended;
  mt_ForkServer *l = calloc(1, sizeof *l);
  if (l) l->program = strdup(loaded->program);
  if (l == NULL || l->program == NULL ||
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    if (l) free(l->program);
    free(l);
    return NULL;
  }
  mt_Spawn what = {.argv = argv, .fds = {ends[0], ends[0], ends[0], -1}};
  l->parked = true;
  l->file = loaded->file;
  l->socket = ends[1];
  l->pid = spawn(loaded, &what, true, &ended);
  close(ends[0]);
  if (l->pid > 0) {
    close(ended); /* it has no status */
    return l;
  }
  close(l->socket);
  free(l->program);
  free(l);
  return NULL;
}

#else

mt_ForkServer *mt_fork_server_new(const char *program, const char *hook) {
  (void)program, (void)hook;
  return NULL;
}
bool mt_fork_server_usable(const mt_ForkServer *loaded) {
  return loaded != NULL;
}
bool mt_fork_server_ready(mt_ForkServer *loaded) { return loaded != NULL; }
mt_ForkServer *mt_fork_server_park(mt_ForkServer *loaded,
                                   const char *const *argv) {
  (void)loaded, (void)argv;
  return NULL;
}
pid_t mt_fork_server_spawn(mt_ForkServer *loaded, const mt_Spawn *what,
                           int *ended) {
  (void)loaded, (void)what;
  *ended = -1;
  return -1;
}
void mt_fork_server_leave(pid_t run) { mt_spawn_wait(run); }
void mt_fork_server_free(mt_ForkServer *loaded) { (void)loaded; }

#endif
