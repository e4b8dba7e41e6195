/*
** test_user_file.c - new files where the file system has no hard links, as FAT
** has none: this suite's own link says so.
**
** Guards: base/files/user_file.c: a new file without links, one that is there
** already, and one for which there is no room
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
#include <unistd.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "base/files/user_file.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_made, begin, end),
      cmocka_unit_test_setup_teardown(test_there, begin, end),
      cmocka_unit_test_setup_teardown(test_no_room, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
