/*
** case_filter.c - part of every C suite: METTLE_CASE=word runs only the cases
** with that word in their name, as CASE=word of make test asks for.
**
** cmocka 2 reads a pattern from the environment and cmocka 1.1 does not: here
** it is set for both, before a suite's main runs.
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void set_filter(void) {
  static char pattern[256]; /* cmocka keeps the pointer */
  const char *word = getenv("METTLE_CASE");
  if (word == NULL || *word == '\0') return;
  snprintf(pattern, sizeof pattern, "*%s*", word);
  cmocka_set_test_filter(pattern);
}
