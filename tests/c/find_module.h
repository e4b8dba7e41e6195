/*
** find_module.h - where suites find the modules: beside the program, which is a
** folder above them.
*/
#ifndef TEST_FIND_MODULE_H
#define TEST_FIND_MODULE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/folders.h"


/* A cmocka group's setup. */
static inline int find_module(void **state) {
  char folder[4096];
  (void)state;
  snprintf(folder, sizeof folder, "%s", mt_program_path());
  for (int i = 0; i < 2; i++) *strrchr(folder, '/') = '\0';
  return setenv("METTLE_LIB", folder, 0);
}

#endif
