/*
** offline.c - runs a command and forbids it, and all that it starts, to reach
** another machine: the proof that nothing in Mettle does.
**
**   offline COMMAND ...
**
** Sockets of this machine are free: those in the file system, and what goes to
** the loopback address, by which a notebook talks to its kernel and getaddrinfo
** sorts the addresses of a name, but not port 53, whose service asks other
** machines for names. What else would leave it is refused and told on standard
** error, and the exit status is 99, whatever the program made of the refusal.
** Browsers and X servers, which some suites start, are refused without a word.
** Else the exit status is the command's; 125 where the kernel has no such watch
** (Linux 5.0 and newer do).
**
** A seccomp filter stops the calls in question, and a thread decides each,
** since a filter cannot read an address. The filter binds the thread that
** loads it, and the command that this thread starts.
*/
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <seccomp.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define REACHED_OUT 99
#define NO_WATCH 125
#define PORT_OF_NAMES 53

typedef struct {
  char **command;
  int calls;        /* those that wait for a decision; -1: there is no watch */
  sem_t is_loaded;  /* posted when calls is known */
} Watch;

static volatile int has_reached_out = 0;

/* ── Which calls wait ────────────────────────────────────────────────────── */

static int waits(scmp_filter_ctx filter, int call) {
  return seccomp_rule_add(filter, SCMP_ACT_NOTIFY, call, 0) == 0;
}

static int waits_if(scmp_filter_ctx filter, int call,
                    struct scmp_arg_cmp argument) {
  return seccomp_rule_add(filter, SCMP_ACT_NOTIFY, call, 1, argument) == 0;
}

/* io_uring could do the same unseen; programs do without where it is not. */
static int add_rules(scmp_filter_ctx filter) {
  return waits(filter, SCMP_SYS(connect)) &&
         waits_if(filter, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, AF_INET)) &&
         waits_if(filter, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, AF_INET6)) &&
         waits_if(filter, SCMP_SYS(sendto), SCMP_A4(SCMP_CMP_NE, 0)) &&
         waits(filter, SCMP_SYS(sendmsg)) &&
         waits(filter, SCMP_SYS(sendmmsg)) &&
         seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS),
                          SCMP_SYS(io_uring_setup), 0) == 0;
}

/* Binds this thread alone; the others decide. -1: not here. */
static int load_filter(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) return -1;
  if (!add_rules(filter) || seccomp_load(filter) < 0) return -1;
  return seccomp_notify_fd(filter);
}

/* ── What is decided ─────────────────────────────────────────────────────── */

/* What is at `there` in another process; false: it is gone. */
static int read_from(pid_t pid, uint64_t there, void *to, size_t size) {
  struct iovec local = {to, size};
  struct iovec remote = {(void *)(uintptr_t)there, size};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static int is_of_this_machine(const struct sockaddr_storage *address) {
  if (address->ss_family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    return ntohl(v4->sin_addr.s_addr) >> 24 == 127 &&
           ntohs(v4->sin_port) != PORT_OF_NAMES;
  }
  if (address->ss_family == AF_INET6) {
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) &&
           ntohs(v6->sin6_port) != PORT_OF_NAMES;
  }
  return 1;
}

/* The address of `size` bytes at `there`: anywhere but this machine? */
static int is_away(pid_t pid, uint64_t there, uint64_t size) {
  struct sockaddr_storage address;
  memset(&address, 0, sizeof address);
  if (size > sizeof address) size = sizeof address;
  if (!there || !read_from(pid, there, &address, size))
    return 0; /* none, or a wrong one: the kernel says so */
  return !is_of_this_machine(&address);
}

/* `count` messages, `stride` bytes apart, each with its own address or none */
static int sends_away(pid_t pid, uint64_t there, uint64_t count,
                      size_t stride) {
  for (uint64_t i = 0; i < count; i++) {
    struct msghdr message;
    if (!read_from(pid, there + i * stride, &message, sizeof message)) return 0;
    if (is_away(pid, (uintptr_t)message.msg_name, message.msg_namelen))
      return 1;
  }
  return 0;
}

static int leaves_machine(const struct seccomp_notif *call) {
  const struct seccomp_data *data = &call->data;
  pid_t pid = (pid_t)call->pid;
  if (data->nr == SCMP_SYS(socket)) {
    int type = data->args[1] & 0xf;
    return type != SOCK_STREAM && type != SOCK_DGRAM; /* no address to read */
  }
  if (data->nr == SCMP_SYS(connect))
    return is_away(pid, data->args[1], data->args[2]);
  if (data->nr == SCMP_SYS(sendto))
    return is_away(pid, data->args[4], data->args[5]);
  if (data->nr == SCMP_SYS(sendmsg))
    return sends_away(pid, data->args[1], 1, 0);
  return sends_away(pid, data->args[1], data->args[2], sizeof(struct mmsghdr));
}

static void name_program(pid_t pid, char *name, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
  ssize_t length = readlink(link, name, size - 1);
  name[length > 0 ? length : 0] = 0;
}

static int is_tool_of_tests(const char *program) {
  static const char *const tools[] = {"chrom", "Xvfb", "Xorg"};
  const char *name = strrchr(program, '/');
  name = name ? name + 1 : program;
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
    if (strncmp(name, tools[i], strlen(tools[i])) == 0) return 1;
  return 0;
}

static void tell(const struct seccomp_notif *call) {
  char program[4096];
  name_program((pid_t)call->pid, program, sizeof program);
  if (is_tool_of_tests(program)) return;
  char *what = seccomp_syscall_resolve_num_arch(call->data.arch, call->data.nr);
  fprintf(stderr, "offline: %s tried to reach another machine (%s)\n", program,
          what ? what : "?");
  free(what);
  has_reached_out = 1;
}

static void decide(int calls, const struct seccomp_notif *call,
                   struct seccomp_notif_resp *answer) {
  memset(answer, 0, sizeof *answer);
  answer->id = call->id;
  if (leaves_machine(call)) {
    answer->error = -ENETUNREACH;
    if (seccomp_notify_id_valid(calls, call->id) == 0) tell(call);
  } else {
    answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  }
  seccomp_notify_respond(calls, answer);
}

static void *decide_all(void *given) {
  int calls = *(int *)given;
  struct seccomp_notif *call;
  struct seccomp_notif_resp *answer;
  if (seccomp_notify_alloc(&call, &answer) < 0) _exit(NO_WATCH);
  for (;;) {
    memset(call, 0, sizeof *call); /* the kernel refuses any other */
    if (seccomp_notify_receive(calls, call) == 0) decide(calls, call, answer);
    else if (errno != EINTR && errno != ENOENT) _exit(NO_WATCH);
  }
}

/* ── The command ─────────────────────────────────────────────────────────── */

/* in a thread of its own, which the filter binds */
static void *run(void *given) {
  Watch *watch = given;
  watch->calls = load_filter();
  sem_post(&watch->is_loaded);
  if (watch->calls < 0) return NULL;
  pid_t child = fork();
  if (child == 0) {
    execvp(watch->command[0], watch->command);
    fprintf(stderr, "offline: %s: %s\n", watch->command[0], strerror(errno));
    _exit(127);
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    perror("offline");
    _exit(NO_WATCH);
  }
  if (has_reached_out) _exit(REACHED_OUT);
  _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: offline COMMAND ...\n");
    return NO_WATCH;
  }
  Watch watch = {.command = argv + 1};
  pthread_t thread;
  sem_init(&watch.is_loaded, 0, 0);
  if (pthread_create(&thread, NULL, run, &watch) != 0) return NO_WATCH;
  while (sem_wait(&watch.is_loaded) != 0) continue;
  if (watch.calls < 0) {
    fprintf(stderr,
            "offline: this kernel lets no program watch another's calls\n");
    return NO_WATCH;
  }
  decide_all(&watch.calls);
  return 0;
}
