/*
** both_ways.h - a group of tests, each with a process that is a copy of this
** one and with this program started again (base/process/worker_process.h).
*/
#ifndef BOTH_WAYS_H
#define BOTH_WAYS_H

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define MOST_TESTS 32

static int as_copy(void **state) {
  (void)state;
  return setenv("METTLE_WORKER", "copy", 1);
}

static int as_program(void **state) {
  (void)state;
  return setenv("METTLE_WORKER", "program", 1);
}

static int run_both_ways(const struct CMUnitTest *tests, size_t count,
                         CMFixtureFunction before, CMFixtureFunction after) {
  static char name[MOST_TESTS][80];
  static struct CMUnitTest all[2 * MOST_TESTS];
  if (count > MOST_TESTS) return 1;
  for (size_t i = 0; i < count; i++) {
    all[i] = all[count + i] = tests[i];
    all[i].setup_func = as_copy;
    all[count + i].setup_func = as_program;
    snprintf(name[i], sizeof name[i], "%s, this program anew", tests[i].name);
    all[count + i].name = name[i];
  }
  cmocka_set_message_output(CM_OUTPUT_TAP);
  return _cmocka_run_group_tests("tests", all, 2 * count, before, after);
}

/* Memory that this program shares with itself, started again, by a file that
** TEST_MOODS names; MAP_FAILED: there is none. */
static inline void *share_with_anew(size_t size) {
  char path[] = "/tmp/mettle-moods-XXXXXX";
  const char *there = getenv("TEST_MOODS");
  int fd = there ? open(there, O_RDWR) : mkstemp(path);
  if (fd < 0 || (!there && ftruncate(fd, (off_t)size) != 0)) return MAP_FAILED;
  if (!there) setenv("TEST_MOODS", path, 1);
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return at;
}

#endif
