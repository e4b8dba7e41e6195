/*
** prose.c - sentences for a terminal, wrapped by base/columns.h.
*/
#include "repl/prose.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/columns.h"

enum { INDENT = 2, NARROWEST = 20 };

int mt_prose_columns(int fd) {
  struct winsize size;
  if (!isatty(fd)) return 0;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col < NARROWEST) return 0;
  return size.ws_col;
}

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
               mt_prose_columns(STDERR_FILENO));
  fprintf(stderr, "%s%s\n", prefix, out.text ? out.text : sentence);
  mt_str_free(&out);
}
