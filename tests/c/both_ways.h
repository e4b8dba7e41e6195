/*
** both_ways.h - a group of tests, each with a process that is a copy of this
** one and with this program started anew (base/worker_process.h).
*/
#ifndef BOTH_WAYS_H
#define BOTH_WAYS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST_TESTS 32

static int as_copy(void **state) {
  (void)state;
  return setenv("METTLE_ASIDE", "copy", 1);
}

static int as_program(void **state) {
  (void)state;
  return setenv("METTLE_ASIDE", "program", 1);
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

#endif
