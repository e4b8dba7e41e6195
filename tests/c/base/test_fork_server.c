/*
** test_fork_server.c - programs that stay loaded (base/process/fork_server.h):
** cat and the shell; and that no child outlives who began it
** (base/process/spawn.h, base/process/child_reaper.h).
**
** "# SKIP" where there is no such thing: another system than Linux.
**
** Guards: base/process/fork_server.h: programs that stay loaded; their runs,
** limits, environment and ends; base/process/spawn.c,
** base/process/child_reaper.c: children end with their parent;
** base/process/preload/stay.c, base/process/child.c
*/
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include <cmocka.h>

#include "base/cancel.h"
#include "base/files/folders.h"
#include "base/process/child.h"
#include "base/process/child_reaper.h"
#include "tests/c/skip.h"

#define NOT_HERE "programs stay loaded on Linux alone"

static char hook[PATH_MAX];

/* stay.so lies beside the program, one folder above this one. */
static void find_hook(void) {
  snprintf(hook, sizeof hook, "%s", mt_program_path());
  for (int i = 0; i < 2; i++) *strrchr(hook, '/') = '\0';
  strncat(hook, "/stay.so", sizeof hook - strlen(hook) - 1);
}

static mt_ForkServer *load(const char *program) {
  mt_ForkServer *l = mt_fork_server_new(program, hook);
  if (l == NULL) skip_because(NOT_HERE);
  for (int i = 0; i < 6000 && !mt_fork_server_ready(l); i++) usleep(10000);
  assert_true(mt_fork_server_ready(l));
  assert_true(mt_fork_server_usable(l));
  return l;
}

static mt_Child *start(mt_ForkServer *l, const char *const *argv,
                       mt_ChildLimits limits) {
  mt_Child *child = NULL;
  mt_Error err;
  assert_int_equal(mt_child_start_from(l, argv, &limits, &child, &err), MT_OK);
  return child;
}

/* Its exit status; what it said is compared with 'expected'. */
static int finish(mt_Child *child, const char *input, const char *expected) {
  mt_Str out = MT_STR_INIT, said = MT_STR_INIT;
  mt_Error err;
  int code = -1;
  assert_int_equal(
      mt_child_finish(child, input, strlen(input), &out, &said, &code, &err),
      MT_OK);
  assert_string_equal(mt_str_text(&out), expected);
  mt_str_free(&out);
  mt_str_free(&said);
  return code;
}

static int shell(mt_ForkServer *l, const char *text, const char *expected) {
  const char *const argv[] = {"/bin/sh", "-c", text, NULL};
  return finish(start(l, argv, (mt_ChildLimits){0, 0, 0, 0}), "", expected);
}

/* A process that was not loaded again still bears the arguments of the one it
** was forked from. */
#define ARGUMENTS "tr '\\0' ' ' </proc/$$/cmdline; :"

static void runs_are_forked(void **state) {
  (void)state;
  mt_ForkServer *l = load("/bin/sh");
  for (int i = 0; i < 3; i++)
    assert_int_equal(shell(l, ARGUMENTS, "/bin/sh "), 0);
  assert_int_equal(shell(NULL, ARGUMENTS, "/bin/sh -c " ARGUMENTS " "), 0);
  mt_fork_server_free(l);
}

/* The numbers below 200 that are files. */
static int files_open(void) {
  int n = 0;
  for (int fd = 0; fd < 200; fd++) n += fcntl(fd, F_GETFD) >= 0;
  return n;
}

static void no_file_stays_open(void **state) {
  (void)state;
  int before = files_open();
  for (int i = 0; i < 2; i++) {
    mt_ForkServer *l = load("/bin/sh");
    assert_int_equal(shell(l, "echo one", "one\n"), 0);
    mt_fork_server_free(l);
  }
  assert_int_equal(files_open(), before);
}

/* LD_PRELOAD ends a name at a space and at a colon. */
static void the_hook_may_be_anywhere(void **state) {
  (void)state;
  char folder[] = "/tmp/mettle hook: XXXXXX", there[PATH_MAX];
  mt_fork_server_free(load("/bin/sh")); /* or there is no such thing here */
  assert_non_null(mkdtemp(folder));
  snprintf(there, sizeof there, "%s/stay.so", folder);
  assert_int_equal(symlink(hook, there), 0);
  mt_ForkServer *l = mt_fork_server_new("/bin/sh", there);
  for (int i = 0; l && i < 6000 && !mt_fork_server_ready(l); i++) usleep(10000);
  bool ready = l && mt_fork_server_ready(l);
  unlink(there);
  rmdir(folder);
  assert_true(ready);
  assert_int_equal(shell(l, ARGUMENTS, "/bin/sh "), 0);
  assert_int_equal(shell(l, "cat; echo $LD_PRELOAD", "\n"), 0);
  mt_fork_server_free(l);
}

static void ends_are_told(void **state) {
  (void)state;
  mt_ForkServer *l = load("/bin/sh");
  assert_int_equal(shell(l, "echo one; exit 3", "one\n"), 3);
  assert_int_equal(shell(l, "kill -TERM $$", ""), 128 + SIGTERM);
  assert_int_equal(shell(l, "echo two", "two\n"), 0);
  mt_fork_server_free(l);
}

/* One run: what it writes to 'ended', or -1, and its exit status after that. */
static void run_once(mt_ForkServer *l, const char *const *argv, int *early,
                     int *late) {
  int none = open("/dev/null", O_RDWR | O_CLOEXEC), ended;
  mt_Spawn what = {.argv = argv, .fds = {none, none, none, -1}};
  pid_t pid = mt_fork_server_spawn(l, &what, &ended);
  assert_true(pid > 0);
  if (read(ended, early, sizeof *early) != sizeof *early) *early = -1;
  int how = mt_spawn_wait(pid);
  *late = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
  close(ended);
  close(none);
}

/* What main returns is known before the process has ended; and what its exit
** handlers would have written to standard output is written. */
static void ends_are_told_early(void **state) {
  (void)state;
  static const char *const wrong[] = {"/bin/cat", "/nowhere/at/all", NULL},
                           *const ends[] = {"/bin/sh", "-c", "kill -TERM $$",
                                            NULL},
                           *const said[] = {"/bin/echo", "buffered", NULL};
  int early, late;
  mt_ForkServer *cat = load("/bin/cat"), *sh = load("/bin/sh"),
                *echo = load("/bin/echo");
  run_once(cat, wrong, &early, &late);
  assert_int_equal(early, 1);
  assert_int_equal(late, 1);
  run_once(sh, ends, &early, &late);
  assert_int_equal(early, -1);
  assert_int_equal(late, -1);
  for (int i = 0; i < 20; i++) /* more than may be leaving at once */
    assert_int_equal(finish(start(echo, said, (mt_ChildLimits){0, 0, 0, 0}), "",
                            "buffered\n"),
                     0);
  mt_fork_server_free(cat);
  mt_fork_server_free(sh);
  mt_fork_server_free(echo);
  assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static void runs_may_overlap(void **state) {
  (void)state;
  mt_ForkServer *l = load("/bin/cat");
  static const char *const argv[] = {"/bin/cat", NULL};
  mt_Child *a = start(l, argv, (mt_ChildLimits){0, 0, 0, 0}),
           *b = start(l, argv, (mt_ChildLimits){0, 0, 0, 0});
  assert_true(mt_child_alive(a) && mt_child_alive(b));
  assert_int_equal(finish(b, "second", "second"), 0);
  assert_true(mt_child_alive(a));
  assert_int_equal(finish(a, "first", "first"), 0);
  a = start(l, argv, (mt_ChildLimits){0, 0, 0, 0});
  mt_child_kill(a);
  assert_true(mt_fork_server_usable(l));
  mt_fork_server_free(l);
}

/* It runs where its caller is now, in the caller's environment of then, without
** what made it stay. */
static void surroundings_are_the_callers(void **state) {
  (void)state;
  char before[PATH_MAX];
  setenv("METTLE_TEST_WORD", "heard", 1);
  mt_ForkServer *l = load("/bin/sh");
  assert_non_null(getcwd(before, sizeof before));
  assert_int_equal(chdir("/"), 0);
  int code = shell(l, "pwd; echo $METTLE_TEST_WORD$LD_PRELOAD$METTLE_STAY",
                   "/\nheard\n");
  assert_int_equal(chdir(before), 0);
  assert_int_equal(code, 0);
  assert_int_equal(shell(l, "ls /proc/$$/fd | sort -n | head -c 6; ulimit -c",
                         "0\n1\n2\n0\n"),
                   0);
  mt_fork_server_free(l);
}

static void limits_hold(void **state) {
  (void)state;
  mt_ForkServer *l = load("/bin/sh");
  static const char *const argv[] = {
      "/bin/sh", "-c", "ulimit -v; ulimit -t; while :; do :; done", NULL};
  mt_Child *child = start(l, argv, (mt_ChildLimits){1, (size_t)1 << 30, 0, 0});
  mt_Str out = MT_STR_INIT, said = MT_STR_INIT;
  mt_Error err;
  int code;
  assert_int_equal(mt_child_finish(child, "", 0, &out, &said, &code, &err),
                   MT_TIMEOUT);
  assert_string_equal(mt_str_text(&out), "1048576\n2\n");
  mt_str_free(&out);
  mt_str_free(&said);
  assert_int_equal(shell(l, "ulimit -t", "unlimited\n"), 0);
  mt_fork_server_free(l);
}

/* Stops where it opens its input; the runs go on from there, each with files,
** limits and an end of its own. */
static void runs_go_on_from_where_one_is_parked(void **state) {
  (void)state;
  static const char *const argv[] = {"/bin/cat", "/dev/fd/0", NULL},
                           *const none[] = {"/bin/cat", "--nonsense", NULL};
  mt_ForkServer *l = load("/bin/cat"), *p = mt_fork_server_park(l, argv);
  assert_non_null(p);
  for (int i = 0; i < 6000 && !mt_fork_server_ready(p); i++) usleep(10000);
  assert_true(mt_fork_server_ready(p) && mt_fork_server_usable(p));
  for (int i = 0; i < 3; i++) {
    mt_Child *a = start(p, none, (mt_ChildLimits){1, (size_t)1 << 30, 0, 0}),
             *b = start(p, none, (mt_ChildLimits){0, 0, 0, 0});
    assert_int_equal(finish(b, "second", "second"), 0);
    assert_true(mt_child_alive(a));
    assert_int_equal(finish(a, i ? "more" : "first", i ? "more" : "first"), 0);
  }
  mt_child_kill(start(p, none, (mt_ChildLimits){0, 0, 0, 0}));
  assert_int_equal(finish(start(l, argv, (mt_ChildLimits){0}), "up", "up"), 0);
  assert_true(mt_fork_server_usable(p) && mt_fork_server_usable(l));
  mt_fork_server_free(l); /* the one that is parked needs it no more */
  assert_int_equal(finish(start(p, none, (mt_ChildLimits){0}), "x", "x"), 0);
  mt_fork_server_free(p);
}

/* Whatever happens: the child starts. */
static void one_that_does_not_park_is_done_without(void **state) {
  (void)state;
  static const char *const argv[] = {"/bin/sh", "-c", "exit 3", NULL};
  mt_ForkServer *l = load("/bin/sh"), *p = mt_fork_server_park(l, argv);
  assert_non_null(p);
  for (int i = 0; i < 6000 && mt_fork_server_usable(p); i++) usleep(10000);
  assert_false(mt_fork_server_ready(p) || mt_fork_server_usable(p));
  assert_int_equal(shell(p, "echo still", "still\n"), 0);
  mt_fork_server_free(p);
  assert_int_equal(shell(l, "echo well", "well\n"), 0);
  mt_fork_server_free(l);
}

/* Whatever happens to it, the child starts, in the usual way if need be. */
static void one_that_died_is_done_without(void **state) {
  (void)state;
  mt_ForkServer *l = load("/bin/sh");
  assert_int_equal(
      system("for child in $(cat /proc/$PPID/task/*/children); do\n"
             "  [ $child = $$ ] || kill -KILL $child\ndone"),
      0);
  siginfo_t died;
  assert_int_equal(waitid(P_ALL, 0, &died, WEXITED | WNOWAIT), 0);
  assert_false(mt_fork_server_usable(l));
  assert_int_equal(shell(l, "echo still", "still\n"), 0);
  mt_fork_server_free(l);
}

static void long_arguments_are_done_without(void **state) {
  (void)state;
  mt_ForkServer *l = load("/bin/sh");
  mt_Str text = MT_STR_INIT;
  mt_str_add(&text, "echo ");
  for (int i = 0; i < 100000; i++) mt_str_add_char(&text, 'x');
  mt_str_add(&text, " | wc -c");
  assert_int_equal(shell(l, mt_str_text(&text), "100001\n"), 0);
  assert_true(mt_fork_server_usable(l));
  assert_int_equal(shell(l, "echo short", "short\n"), 0);
  mt_str_free(&text);
  mt_fork_server_free(l);
}

static void scripts_and_missing_programs_cannot_stay(void **state) {
  (void)state;
  char path[] = "/tmp/mettle-loaded-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(
      write(fd, "#!/bin/sh\necho script, longer than a head\n", 41), 41);
  fchmod(fd, 0700);
  close(fd);
  assert_null(mt_fork_server_new(path, hook));
  assert_null(mt_fork_server_new("/nowhere/at/all", hook));
  assert_null(mt_fork_server_new("/bin/sh", "/nowhere/stay.so"));
  unlink(path);
}

/* One that was replaced, as by an update, is not asked any more. */
static void a_replaced_program_is_not_asked(void **state) {
  (void)state;
  char path[] = "/tmp/mettle-loaded-XXXXXX", command[128];
  close(mkstemp(path));
  snprintf(command, sizeof command, "cp /bin/cat %s && chmod 700 %s", path,
           path);
  assert_int_equal(system(command), 0);
  mt_ForkServer *l = load(path);
  assert_int_equal(unlink(path), 0);
  assert_false(mt_fork_server_usable(l));
  assert_int_equal(system(command), 0);
  assert_false(mt_fork_server_usable(l));
  mt_fork_server_free(l);
  unlink(path);
}

/* ------------------------------------------------------------------- ends */

/* 'owner' runs in a process of its own and then dies as by kill -9. All that it
** began hold a pipe open: true if that is closed within seconds. */
static bool all_end_with(void (*owner)(void)) {
  int told[2];
  char byte;
  assert_int_equal(pipe(told), 0);
  pid_t pid = fork();
  if (pid == 0) {
    owner();
    kill(getpid(), SIGKILL);
  }
  close(told[1]);
  assert_int_equal(waitpid(pid, NULL, 0), pid);
  struct pollfd p = {told[0], POLLIN, 0};
  bool ended = poll(&p, 1, 5000) == 1 && read(told[0], &byte, 1) == 0;
  close(told[0]);
  return ended;
}

static const char *const endless[] = {
    "/bin/sh", "-c", "trap '' HUP TERM PIPE; while :; do :; done", NULL};

static void own_loaded(void) {
  mt_ForkServer *l = mt_fork_server_new("/bin/cat", hook);
  for (int i = 0; l && i < 6000 && !mt_fork_server_ready(l); i++) usleep(10000);
}

static void own_child(void) {
  mt_Child *child;
  mt_child_start(endless, &(mt_ChildLimits){20, 0, 0, 0}, &child, NULL);
}

static void own_forked_child(void) {
  mt_Child *child;
  mt_ForkServer *l = mt_fork_server_new("/bin/sh", hook);
  for (int i = 0; l && i < 6000 && !mt_fork_server_ready(l); i++) usleep(10000);
  mt_child_start_from(l, endless, &(mt_ChildLimits){20, 0, 0, 0}, &child, NULL);
}

/* What spawn.c does where there is a reaper. */
static void own_watched(void) {
  mt_child_reaper_open();
  for (int i = 0; i < 3; i++)
    if (fork() == 0) {
      setpgid(0, 0);
      mt_child_reaper_enter();
      execl("/bin/sh", "sh", "-c",
            "trap '' HUP TERM; sleep 20 & wait; sleep 20", NULL);
    }
  usleep(100000); /* they have children of their own by now */
}

static void children_end_with_their_owner(void **state) {
  (void)state;
  assert_true(all_end_with(own_child));
  if (access("/proc/self/exe", R_OK) != 0) return;
  assert_true(all_end_with(own_loaded));
  assert_true(all_end_with(own_forked_child));
}

static void the_reaper_ends_children(void **state) {
  (void)state;
  assert_true(all_end_with(own_watched));
}

static void own_forgotten(void) {
  mt_child_reaper_open();
  pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    mt_child_reaper_enter();
    sleep(1);
    _exit(write(STDOUT_FILENO, "# outlived\n", 11) == 11);
  }
  usleep(100000);
  mt_child_reaper_forget(pid); /* it is another's now */
}

static void the_reaper_leaves_others_alone(void **state) {
  (void)state;
  int heard[2];
  char word[16];
  assert_int_equal(pipe(heard), 0);
  int out = dup(STDOUT_FILENO);
  fflush(stdout);
  dup2(heard[1], STDOUT_FILENO);
  close(heard[1]);
  bool ended = all_end_with(own_forgotten);
  dup2(out, STDOUT_FILENO);
  close(out);
  assert_true(ended);
  assert_int_equal(read(heard[0], word, sizeof word), 11);
  close(heard[0]);
}

static bool has_children(void) {
  return waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD;
}

/* A run that was asked for before Ctrl-C and begins after it is our child
** all the same: 'late' is when the program, which was stopped, goes on. */
static void cancel_a_question(unsigned late) {
  static const char *const argv[] = {"/bin/sh", "-c", ":", NULL};
  char command[256];
  mt_ForkServer *l = load("/bin/sh");
  snprintf(command, sizeof command,
           "for child in $(cat /proc/$PPID/task/*/children); "
           "do [ $child = $$ ] || {\n"
           "  kill -STOP $child; (sleep %u.%03u; "
           "kill -CONT $child 2>/dev/null) >/dev/null 2>&1 & }; done",
           late / 1000, late % 1000);
  assert_int_equal(system(command), 0);
  mt_cancel_request();
  mt_child_kill(start(l, argv, (mt_ChildLimits){0, 0, 0, 0}));
  mt_cancel_clear();
  usleep(200000);
  mt_fork_server_free(l);
  assert_false(has_children());
}

static void a_cancelled_question_leaves_no_child(void **state) {
  (void)state;
  assert_false(has_children());
  cancel_a_question(60);
  cancel_a_question(700);
}

#ifdef __linux__
/* Forbid copies that are not one's own children, as some containers may. */
static bool forbid_copies(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
               offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_PARENT, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/* Then the program itself becomes the run, and it can do no other. */
static void one_that_cannot_be_copied_runs_once(void **state) {
  (void)state;
  pid_t other = fork(); /* the rules stay with a process for good */
  if (other == 0) {
    if (!forbid_copies()) _exit(2);
    mt_ForkServer *l = load("/bin/sh");
    assert_int_equal(shell(l, ARGUMENTS, "/bin/sh "), 0);
    assert_false(mt_fork_server_usable(l));
    assert_int_equal(shell(l, "echo again", "again\n"), 0);
    mt_fork_server_free(l);
    _exit(0);
  }
  int how;
  assert_int_equal(waitpid(other, &how, 0), other);
  if (WIFEXITED(how) && WEXITSTATUS(how) == 2) skip_because(NOT_HERE);
  assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
}
#endif

int main(void) {
  find_hook();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_are_forked),
      cmocka_unit_test(no_file_stays_open),
      cmocka_unit_test(the_hook_may_be_anywhere),
      cmocka_unit_test(ends_are_told), cmocka_unit_test(ends_are_told_early),
      cmocka_unit_test(runs_may_overlap),
      cmocka_unit_test(surroundings_are_the_callers),
      cmocka_unit_test(limits_hold),
      cmocka_unit_test(runs_go_on_from_where_one_is_parked),
      cmocka_unit_test(one_that_does_not_park_is_done_without),
      cmocka_unit_test(one_that_died_is_done_without),
      cmocka_unit_test(long_arguments_are_done_without),
      cmocka_unit_test(scripts_and_missing_programs_cannot_stay),
      cmocka_unit_test(a_replaced_program_is_not_asked),
      cmocka_unit_test(a_cancelled_question_leaves_no_child),
      cmocka_unit_test(children_end_with_their_owner),
      cmocka_unit_test(the_reaper_ends_children),
      cmocka_unit_test(the_reaper_leaves_others_alone),
#ifdef __linux__
      cmocka_unit_test(one_that_cannot_be_copied_runs_once),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
