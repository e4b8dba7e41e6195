/*
** excerpt.c - a window of a line of code, and of the carets below it.
**
** The one idea: both lines are cells with a first column; the window is the
** same columns of both. A tab is spaces up to the next of its stops, which the
** cut would move.
*/
#include "base/terminal/excerpt.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/terminal/columns.h"

enum { TAB = 8, NARROWEST = 20 };

int mt_excerpt_columns(int fd) {
  struct winsize size;
  if (!isatty(fd)) return 0;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col < NARROWEST) return 0;
  return size.ws_col;
}

/* Length of the cell at 's', which begins at column 'at', and its columns. */
static size_t cell(const char *s, size_t n, int at, int *columns) {
  if (*s != '\t') return mt_columns_next(s, n, columns);
  *columns = TAB - at % TAB;
  return 1;
}

/* The columns of 's' up to the first 'mark', or of all. */
static int columns_to(const char *s, size_t n, char mark) {
  int at = 0, wide;
  for (size_t i = 0; i < n && s[i] != mark; at += wide)
    i += cell(s + i, n - i, at, &wide);
  return at;
}

static bool is_marks(const char *s, size_t n) {
  int wide;
  bool caret = false;
  for (size_t i = 0; i < n;) {
    caret |= s[i] == '^';
    if (s[i] != '\33' && !strchr(" \t^~", s[i])) return false;
    i += mt_columns_next(s + i, n - i, &wide);
  }
  return caret;
}

/* --------------------------------------------------------------- the window */

typedef struct Window {
  int from, to;    /* columns that are shown; "…" stand outside them */
  bool left, right; /* code is cut there */
} Window;

static Window window_of(int code, int marks, int caret, int columns) {
  int all = code > marks ? code : marks, from = 0;
  if (caret >= columns - 1) {
    from = caret - columns / 2;
    if (from > all - columns) from = all - columns;
  }
  Window w = {.left = from > 0, .right = from + columns < code};
  w.from = from + w.left;
  w.to = from + columns - w.right;
  return w;
}

static void put_cell(mt_Str *out, const char *s, size_t n, int at, int wide,
                     const Window *w) {
  int end = at + wide;
  bool inside = at >= w->from && end <= w->to;
  if (*s == '\33' || (wide == 0 && at > w->from && at <= w->to) ||
      (wide && inside && *s != '\t')) {
    mt_str_add_bytes(out, s, n);
    return;
  }
  for (int c = at; c < end; c++) /* a tab, or half of a wide character */
    if (c >= w->from && c < w->to) mt_str_add_char(out, ' ');
}

static void put_window(mt_Str *out, const char *s, size_t n, const Window *w,
                       const char *more) {
  int at = 0, wide;
  if (w->left) mt_str_add(out, more);
  for (size_t i = 0; i < n; at += wide) {
    size_t length = cell(s + i, n - i, at, &wide);
    put_cell(out, s + i, length, at, wide, w);
    i += length;
  }
}

/* ---------------------------------------------------------------- the log */

/* Both lines; false: they fit. */
static bool put_both(mt_Str *out, const char *code, size_t n,
                     const char *marks, size_t length, int columns) {
  int wide = columns_to(code, n, '\n'), below = columns_to(marks, length, '\n');
  if (wide <= columns && below <= columns) return false;
  Window w = window_of(wide, below, columns_to(marks, length, '^'), columns);
  put_window(out, code, n, &w, "…");
  mt_str_add(out, w.right ? "…\n" : "\n");
  put_window(out, marks, length, &w, " ");
  return true;
}

void mt_excerpt_add(mt_Str *out, const char *log, int columns) {
  while (columns > 0 && *log) {
    size_t n = strcspn(log, "\n");
    const char *next = log[n] ? log + n + 1 : log + n;
    size_t length = strcspn(next, "\n");
    if (is_marks(next, length) &&
        put_both(out, log, n, next, length, columns))
      log = next + length;
    else {
      mt_str_add_bytes(out, log, n);
      log += n;
    }
    if (*log) mt_str_add_char(out, *log++);
  }
  mt_str_add(out, log);
}
