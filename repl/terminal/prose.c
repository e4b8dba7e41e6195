/*
** prose.c - sentences for a terminal, wrapped by base/terminal/columns.h.
*/
#include "repl/terminal/prose.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal/columns.h"
#include "base/terminal/excerpt.h"

enum { INDENT = 2 };

void mt_prose_add(mt_Str *out, const char *text, size_t n, int at,
                  int columns) {
  const char *newline = memchr(text, '\n', n);
  size_t prose = newline ? (size_t)(newline - text) : n;
  mt_Fold fold = {.at = at, .columns = columns, .indent = INDENT};
  mt_columns_fold(out, text, prose, fold);
  mt_str_add_bytes(out, text + prose, n - prose);
}

void mt_prose_error(const char *prefix, const char *sentence) {
  mt_Str out = MT_STR_INIT;
  mt_prose_add(&out, sentence, strlen(sentence),
               mt_columns(prefix, strlen(prefix)),
               mt_excerpt_columns(STDERR_FILENO));
  fprintf(stderr, "%s%s\n", prefix, out.text ? out.text : sentence);
  mt_str_free(&out);
}
