/*
** test_user_file.c - new files where the file system has no hard links, as FAT
** has none: this suite's own link says so. Pipes, and links of any user's.
**
** Guards: base/files/user_file.c: a new file without links, one that is there
** already, and one for which there is no room; a pipe that is full for a while;
** links that this user, root and another one made
*/
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "base/files/user_file.h"
#include "tests/c/skip.h"

static int refusal;      /* what link says; 0: it links */
static rlim_t room = RLIM_INFINITY; /* of a file, after that */
static int links;

int link(const char *from, const char *to) {
  links++;
  if (refusal == 0) return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = room;
  setrlimit(RLIMIT_FSIZE, &limit);
  errno = refusal;
  return -1;
}

static char folder[] = "/tmp/mettle-new-XXXXXX", path[64];

static int begin(void **state) {
  (void)state;
  strcpy(folder + strlen(folder) - 6, "XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/new", folder);
  links = refusal = 0;
  room = RLIM_INFINITY;
  return 0;
}

static int names(void) {
  int n = 0;
  DIR *d = opendir(folder);
  for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
  closedir(d);
  return n;
}

static int end(void **state) {
  (void)state;
  unlink(path);
  return rmdir(folder);
}

static mt_Status create(const char *bytes, bool *made, mt_Error *err) {
  err->text[0] = '\0';
  return mt_user_file_create(path, bytes, strlen(bytes), 0600, made, err);
}

static void holds(const char *bytes) {
  mt_Str text = MT_STR_INIT;
  mt_Error err;
  assert_int_equal(mt_file_read(path, 0, &text, &err), MT_OK);
  assert_string_equal(mt_str_text(&text), bytes);
  assert_int_equal(names(), 1);
  mt_str_free(&text);
}

static void test_made(void **state) {
  (void)state;
  static const int ways[] = {0, EPERM, ENOTSUP, EMLINK};
  for (size_t i = 0; i < 4; i++) {
    bool made = false;
    mt_Error err;
    refusal = ways[i];
    assert_int_equal(create("all of it", &made, &err), MT_OK);
    assert_true(made);
    holds("all of it");
    assert_int_equal(create("another", &made, &err), MT_OK);
    assert_false(made);
    holds("all of it");
    assert_int_equal(create("", &made, &err), MT_OK);
    assert_false(made);
    unlink(path);
  }
  assert_int_equal(links, 12);
}

/* Another process was faster: its file stays, and that is no failure. */
static void test_there(void **state) {
  (void)state;
  bool made = true;
  mt_Error err;
  refusal = EEXIST;
  assert_int_equal(create("all of it", &made, &err), MT_OK);
  assert_false(made);
  assert_int_equal(names(), 0);
}

/* A part of it is nothing. */
static void test_no_room(void **state) {
  (void)state;
  bool made = true;
  mt_Error err;
  struct rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  refusal = EPERM, room = 4;
  assert_int_equal(create("all of it", &made, &err), MT_FAIL);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_DFL);
  assert_false(made);
  assert_int_equal(names(), 0);
  assert_non_null(strstr(err.text, strerror(EFBIG)));
}

#define MUCH (1 << 20)

/* Reads all of it, after a while; the exit status is 0 if that is MUCH. */
static pid_t read_slowly(void) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  static char bytes[65536];
  size_t all = 0;
  int fd = open(path, O_RDONLY);
  usleep(200000);
  for (ssize_t n; (n = read(fd, bytes, sizeof bytes)) > 0;) all += (size_t)n;
  _exit(all == MUCH ? 0 : 1);
}

/* A reader that is slower than the writer is waited for. */
static void test_full_pipe(void **state) {
  (void)state;
  static char bytes[MUCH];
  mt_Error err;
  mt_Status status;
  int how = -1;
  assert_int_equal(mkfifo(path, 0600), 0);
  pid_t pid = read_slowly();
  for (int i = 0; i < 500; i++) { /* until it is there */
    status = mt_user_file_save(path, bytes, sizeof bytes, 0600, false, &err);
    if (status == MT_OK || !strstr(err.text, "no program reads")) break;
    usleep(10000);
  }
  if (status != MT_OK) kill(pid, SIGKILL);
  waitpid(pid, &how, 0);
  if (status != MT_OK) fail_msg("%s", err.text);
  assert_int_equal(how, 0);
}

/* Writes through a link that 'maker' has made, as 'writer'. */
static mt_Status write_as(uid_t writer, uid_t maker) {
  char target[80];
  int how = -1;
  snprintf(target, sizeof target, "%s/target", folder);
  FILE *f = fopen(target, "w");
  assert_non_null(f);
  fclose(f);
  assert_int_equal(symlink(target, path), 0);
  if (geteuid() == 0) {
    assert_int_equal(lchown(path, maker, maker), 0);
    assert_int_equal(chown(target, writer, writer), 0);
    assert_int_equal(chown(folder, writer, writer), 0);
  }
  pid_t pid = fork();
  if (pid == 0) {
    mt_Error err;
    if (geteuid() == 0 && seteuid(writer) != 0) _exit(99);
    mt_Status status = mt_user_file_save(path, "some", 4, 0600, false, &err);
    struct stat s;
    if (lstat(path, &s) != 0 || !S_ISLNK(s.st_mode)) _exit(98);
    if (stat(path, &s) != 0 || s.st_size != (status ? 0 : 4)) _exit(97);
    _exit((int)status);
  }
  waitpid(pid, &how, 0);
  unlink(target), unlink(path);
  assert_true(WIFEXITED(how));
  return (mt_Status)WEXITSTATUS(how);
}

/* One's own and root's are followed, another user's is not. */
static void test_links(void **state) {
  (void)state;
  uid_t me = geteuid() ? geteuid() : 1234;
  if (geteuid() == 0 && chown(folder, me, me) != 0)
    skip_because("a namespace that knows no user but root");
  assert_int_equal(write_as(me, me), MT_OK);
  if (geteuid() != 0) return; /* only root makes those of others */
  assert_int_equal(write_as(me, 0), MT_OK);
  assert_int_equal(write_as(0, 0), MT_OK);
  assert_int_equal(write_as(me, me + 1), MT_FAIL);
  assert_int_equal(write_as(0, me), MT_FAIL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_full_pipe, begin, end),
      cmocka_unit_test_setup_teardown(test_links, begin, end),
      cmocka_unit_test_setup_teardown(test_made, begin, end),
      cmocka_unit_test_setup_teardown(test_there, begin, end),
      cmocka_unit_test_setup_teardown(test_no_room, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
