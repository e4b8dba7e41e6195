/*
** style.c - one table of colours.
*/
#include "repl/terminal/style.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const sequences[] = {
    [MT_STYLE_PLAIN] = "\x1b[0m", [MT_STYLE_BOLD] = "\x1b[1m",
    [MT_STYLE_DIM] = "\x1b[90m",  [MT_STYLE_ERROR] = "\x1b[31m",
    [MT_STYLE_WARN] = "\x1b[33m", [MT_STYLE_GOOD] = "\x1b[32m"};

bool mt_style_on(int fd) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  if (no != NULL && no[0] != '\0') return false;
  if (term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0)
    return false;
  return isatty(fd);
}

const char *mt_style(int fd, mt_Style style) {
  return mt_style_on(fd) ? sequences[style] : "";
}
