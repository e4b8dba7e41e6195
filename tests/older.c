/*
** older.c - runs a command on a kernel that is older in one way: it has no
** Landlock (base/files/landlock.h), as Linux before 5.13, or a container that
** does not let its calls through.
**
**   older COMMAND ...
**
** A filter answers the calls with ENOSYS. The exit status is the command's; 125
** where there are no filters.
*/
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NO_FILTER 125
#define FIRST 444 /* landlock_create_ruleset, on every processor; then */
#define LAST 446  /* landlock_add_rule and landlock_restrict_self */

static int forbid(void) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST, 0, 2),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: older COMMAND ...\n");
    return 2;
  }
  if (!forbid()) return NO_FILTER;
  execvp(argv[1], argv + 1);
  perror(argv[1]);
  return 127;
}
