/*
** choices.c - a list of completions.
*/
#include <stdlib.h>
#include <string.h>

#include "repl/line/edit.h"

void mt_choices_add(mt_Choices *c, const char *text, size_t n) {
  char **grown = realloc(c->choices, (c->count + 1) * sizeof *grown);
  if (grown == NULL) return;
  c->choices = grown;
  char *copy = strndup(text, n);
  if (copy != NULL) c->choices[c->count++] = copy;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void mt_choices_sort(mt_Choices *c) {
  if (c->count == 0) return;
  qsort(c->choices, c->count, sizeof *c->choices, by_name);
  size_t kept = 1;
  for (size_t i = 1; i < c->count; i++) {
    if (strcmp(c->choices[i], c->choices[kept - 1]) == 0)
      free(c->choices[i]);
    else
      c->choices[kept++] = c->choices[i];
  }
  c->count = kept;
}

void mt_choices_free(mt_Choices *c) {
  for (size_t i = 0; i < c->count; i++) free(c->choices[i]);
  free(c->choices);
  memset(c, 0, sizeof *c);
}
