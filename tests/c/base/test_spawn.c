/*
** test_spawn.c - the files of a program that is started, whatever numbers they
** had here.
**
** Guards: base/process/spawn.c: files whose numbers are those of others, files
** that are left out, a group of its own
*/
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/process/spawn.h"

#define NAMES (MT_SPAWN_FDS + 1) /* the last is the shared one */

/* A pipe with a letter in it; its reading end. */
static int letter(char c) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(write(ends[1], &c, 1), 1);
  close(ends[1]);
  return ends[0];
}

static int kept[NAMES], out[2];

/* This program's own low files give way to pipes with the letters a to e; what
** the child writes comes from out[0]. */
static void take_low_files(void) {
  int pipes[NAMES];
  assert_int_equal(pipe(out), 0);
  for (int i = 0; i < 2; i++) {
    int high = fcntl(out[i], F_DUPFD_CLOEXEC, 40);
    close(out[i]), out[i] = high;
  }
  for (int i = 0; i < NAMES; i++) kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 20);
  for (int i = 0; i < NAMES; i++) {
    int low = letter((char)('a' + i));
    pipes[i] = fcntl(low, F_DUPFD_CLOEXEC, 60);
    close(low);
  }
  for (int i = 0; i < NAMES; i++)
    dup2(pipes[i], i), close(pipes[i]), fcntl(i, F_SETFD, FD_CLOEXEC);
}

static void give_low_files_back(void) {
  for (int i = 0; i < NAMES; i++) {
    if (kept[i] < 0) close(i);
    else dup2(kept[i], i), close(kept[i]);
  }
  close(out[0]);
}

/* The child reads a letter from each of its files, but writes to its file 1,
** which is 'out'; "-" where there is none. */
static void read_letters(mt_Spawn *what, char *letters, size_t size) {
  static const char *const program[] = {
      "/bin/sh", "-c",
      "for i in 0 2 3 4; do"
      "  l=$(eval \"dd bs=1 count=1 <&$i 2>/dev/null\") || l=-;"
      "  printf %s \"$l\"; done", NULL};
  what->argv = program;
  what->fds[1] = out[1];
  pid_t pid = mt_spawn(what);
  close(out[1]);
  size_t n = 0;
  ssize_t got;
  while ((got = read(out[0], letters + n, size - 1 - n)) > 0) n += (size_t)got;
  letters[n] = '\0';
  int how = pid > 0 ? mt_spawn_wait(pid) : -1;
  give_low_files_back();
  assert_true(pid > 0 && WIFEXITED(how));
}

/* For all that files may become of files 0, 2, 3 and 4 of this program. */
static void test_numbers(void **state) {
  (void)state;
  for (int way = 0; way < 24; way++) {
    int left[] = {0, 2, 3, 4}, order[4], w = way;
    for (int i = 0; i < 4; i++) {
      int k = w % (4 - i);
      w /= 4 - i;
      order[i] = left[k];
      for (; k < 3 - i; k++) left[k] = left[k + 1];
    }
    if (order[3] == 0) continue; /* 0 is none that is shared */
    char letters[16], wanted[5] = "";
    for (int i = 0; i < 4; i++) wanted[i] = (char)('a' + order[i]);
    take_low_files();
    mt_Spawn what = {.fds = {order[0], -1, order[1], order[2]},
                     .shared = order[3]};
    read_letters(&what, letters, sizeof letters);
    assert_string_equal(letters, wanted);
  }
}

static void test_left_out(void **state) {
  (void)state;
  char letters[16];
  for (int i = 0; i < 2; i++) {
    take_low_files();
    mt_Spawn what = {.fds = {3, -1, i ? 4 : 2, -1}};
    read_letters(&what, letters, sizeof letters);
    assert_string_equal(letters, i ? "de--" : "dc--");
  }
}

/* A number that is free here is none for a copy: it is the shared file's. */
static void test_free_number(void **state) {
  (void)state;
  char letters[16];
  take_low_files();
  close(MT_SPAWN_FDS);
  mt_Spawn what = {.fds = {0, -1, 2, -1}, .shared = 3};
  read_letters(&what, letters, sizeof letters);
  assert_string_equal(letters, "ac-d");
}

static void test_own_group(void **state) {
  (void)state;
  static const char *const program[] = {"/bin/sleep", "20", NULL};
  mt_Spawn what = {.argv = program, .fds = {-1, -1, -1, -1}};
  pid_t pid = mt_spawn(&what);
  assert_true(pid > 0);
  assert_int_equal(getpgid(pid), pid);
  kill(-pid, SIGKILL);
  int how = mt_spawn_wait(pid);
  assert_true(WIFSIGNALED(how));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                     cmocka_unit_test(test_left_out),
                                     cmocka_unit_test(test_free_number),
                                     cmocka_unit_test(test_own_group)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
