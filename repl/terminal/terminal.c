/*
** terminal.c - raw mode and the bytes that come from the keyboard.
**
** All input that has arrived is read at once and returned byte by byte, so that
** a paste can be told from typing: after a typed key no input is waiting.
*/
#include "repl/terminal/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/terminal/typeahead.h"

/* One terminal for the process, which signal handlers give back. */
static struct termios as_found; /* the user's mode */
static volatile sig_atomic_t raw_now;
static char ahead[65536]; /* read, not yet returned */
static size_t ahead_first, ahead_end;

#define PASTE_ON "\x1b[?2004h" /* mark pasted text by ESC [200~ … ESC [201~ */
#define PASTE_OFF "\x1b[?2004l"

bool mt_term_here(void) {
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

bool mt_term_clever(void) {
  static const char *const simple[] = {"", "dumb", "cons25", "emacs"};
  const char *term = getenv("TERM");
  if (!mt_term_here() || term == NULL) return false;
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
    if (strcmp(term, simple[i]) == 0) return false;
  return true;
}

/* ------------------------------------------------------------------- modes */

static bool set_mode(const struct termios *mode) {
  int status;
  do status = tcsetattr(STDIN_FILENO, TCSADRAIN, mode);
  while (status != 0 && errno == EINTR);
  return status == 0;
}

void mt_term_cooked(void) {
  if (!raw_now) return;
  raw_now = 0;
  mt_term_write(PASTE_OFF, strlen(PASTE_OFF));
  set_mode(&as_found);
}

/* A signal ends the program: restore the terminal first. */
static void on_end(int signal_number) {
  mt_term_cooked();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void watch_the_end(void) {
  static const int ends[] = {SIGTERM, SIGHUP, SIGQUIT, SIGABRT};
  static bool watching;
  if (watching) return;
  watching = true;
  atexit(mt_term_cooked);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    struct sigaction old, act = {.sa_handler = on_end};
    if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(ends[i], &act, NULL);
  }
}

bool mt_term_raw(void) {
  if (raw_now) return true;
  if (tcgetattr(STDIN_FILENO, &as_found) != 0) return false;
  watch_the_end();
  struct termios mode = as_found;
  mode.c_iflag &=
      ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON);
  mode.c_cflag |= CS8;
  mode.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  if (!set_mode(&mode)) return false;
  raw_now = 1;
  mt_term_write(PASTE_ON, strlen(PASTE_ON));
  return true;
}

void mt_term_suspend(void) {
  mt_term_cooked();
  raise(SIGTSTP);
  mt_term_raw();
}

/* ------------------------------------------------------------------- bytes */

static int wait_readable(int milliseconds) {
  if (mt_typeahead_waits()) return 1;
  struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
  int n;
  do n = poll(&p, 1, milliseconds);
  while (n < 0 && errno == EINTR);
  return n;
}

static bool fill(void) {
  ssize_t n = (ssize_t)mt_typeahead_take(ahead, sizeof ahead);
  if (n == 0)
    do n = read(STDIN_FILENO, ahead, sizeof ahead);
    while (n < 0 && errno == EINTR);
  ahead_first = 0;
  ahead_end = n > 0 ? (size_t)n : 0;
  return n > 0;
}

int mt_term_byte(int milliseconds) {
  if (ahead_first == ahead_end) {
    if (milliseconds >= 0 && wait_readable(milliseconds) == 0)
      return MT_TERM_TIMEOUT;
    if (!fill()) return MT_TERM_END;
  }
  return (unsigned char)ahead[ahead_first++];
}

bool mt_term_rests(int milliseconds) {
  return ahead_first == ahead_end && wait_readable(milliseconds) == 0;
}

bool mt_term_ready(void) { return !mt_term_rests(0); }

int mt_term_peek(void) {
  if (!mt_term_ready() || (ahead_first == ahead_end && !fill())) return -1;
  return (unsigned char)ahead[ahead_first];
}

size_t mt_term_drop_ahead(void) {
  size_t lines = 0;
  while (mt_term_ready()) {
    int c = mt_term_byte(0);
    if (c < 0) break;
    lines += c == '\r' || c == '\n';
  }
  return lines;
}

void mt_term_write(const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t done = write(STDOUT_FILENO, bytes, n);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EAGAIN) {
      struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
      poll(&p, 1, 100);
      continue;
    }
    if (done < 0) return; /* the terminal was closed */
    bytes += done;
    n -= (size_t)done;
  }
}

void mt_term_size(int *rows, int *columns) {
  struct winsize size;
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  *rows = known && size.ws_row > 0 ? size.ws_row : 24;
  *columns = known && size.ws_col > 0 ? size.ws_col : 80;
}
