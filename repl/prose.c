/*
** prose.c - wrapping at words.
**
** The one idea: a terminal breaks a long line at its last column, perhaps in
** the middle of a word; a sentence with its own newlines is not broken.
*/
#include "repl/prose.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { INDENT = 2, NARROWEST = 20 };

int mt_prose_columns(int fd) {
  struct winsize size;
  if (!isatty(fd)) return 0;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col < NARROWEST) return 0;
  return size.ws_col;
}

/* Columns of a word: its UTF-8 characters, each counted as one. */
static int width(const char *text, size_t n) {
  int columns = 0;
  for (size_t i = 0; i < n; i++)
    columns += ((unsigned char)text[i] & 0xc0) != 0x80;
  return columns;
}

void mt_prose_add(mt_Str *out, const char *text, size_t n, int at,
                  int columns) {
  const char *newline = memchr(text, '\n', n);
  size_t prose = newline ? (size_t)(newline - text) : n, i = 0;
  while (columns > 0 && i < prose) {
    size_t space = strspn(text + i, " ");
    if (space > prose - i) space = prose - i;
    size_t word = strcspn(text + i + space, " \n");
    if (word > prose - i - space) word = prose - i - space;
    int long_word = width(text + i + space, word);
    if (word && space && at + (int)space + long_word > columns) {
      mt_str_addf(out, "\n%*s", INDENT, "");
      at = INDENT;
    } else {
      mt_str_add_bytes(out, text + i, space);
      at += (int)space;
    }
    mt_str_add_bytes(out, text + i + space, word);
    at += long_word;
    i += space + word;
  }
  mt_str_add_bytes(out, text + i, n - i);
}

void mt_prose_error(const char *prefix, const char *sentence) {
  mt_Str out = MT_STR_INIT;
  mt_prose_add(&out, sentence, strlen(sentence), width(prefix, strlen(prefix)),
               mt_prose_columns(STDERR_FILENO));
  fprintf(stderr, "%s%s\n", prefix, out.text ? out.text : sentence);
  mt_str_free(&out);
}
