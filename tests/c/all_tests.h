/*
** all_tests.h - are all cases wanted, METTLE_TESTS=all, or a choice of them?
*/
#ifndef ALL_TESTS_H
#define ALL_TESTS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool all_tests(void) {
  const char *tests = getenv("METTLE_TESTS");
  return tests != NULL && strcmp(tests, "all") == 0;
}

#endif
