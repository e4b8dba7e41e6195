/*
** screen.c - takes the terminal, and gives it back whatever happens.
*/
#include "base/terminal/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/terminal/typeahead.h"

/* The other page, no cursor, every motion of the mouse in decimal numbers. */
#define ENTER "\033[?1049h\033[?25l\033[?1003h\033[?1006h\033[2J\033[H"
/* Pictures of kitty's protocol are deleted with their page; a frame that was
** cut short may have left the terminal in the middle of an update. */
#define LEAVE "\033[?2026l\033[0m\033[?1006l\033[?1003l\033[?25h\033[?1049l"

static const int ends[] = {SIGTERM, SIGHUP, SIGQUIT, SIGABRT};
enum { ENDS = sizeof ends / sizeof *ends };

/* One terminal for the process, which signal handlers give back. */
static struct termios as_found;
static struct sigaction before[ENDS]; /* their handlers until then */
static volatile sig_atomic_t entered;
static volatile sig_atomic_t paged; /* with a page of its own */
static bool keyed; /* keys were taken before the page: they stay */
static bool lost;
static int real_errors = -1,
           kept_errors = -1; /* standard error; a file meanwhile */

static void write_all(const char *bytes, size_t n, bool to_the_end) {
  while (n > 0) {
    ssize_t done = write(STDOUT_FILENO, bytes, n);
    if (done > 0) bytes += done, n -= (size_t)done;
    else if (errno == EAGAIN)
      poll(&(struct pollfd){.fd = STDOUT_FILENO, .events = POLLOUT}, 1, 100);
    else if (errno != EINTR) return;
    if (!to_the_end && mt_cancelled()) return;
  }
}

void mt_screen_write(const char *bytes, size_t n) {
  write_all(bytes, n, false);
}

static void set_mode(const struct termios *mode, int when) {
  while (tcsetattr(STDIN_FILENO, when, mode) != 0 && errno == EINTR) continue;
}

static void keep_errors(void) {
  char path[] = "/tmp/mettle-screen-XXXXXX";
  if (!isatty(STDERR_FILENO) || (kept_errors = mkstemp(path)) < 0) return;
  unlink(path);
  real_errors = dup(STDERR_FILENO);
  dup2(kept_errors, STDERR_FILENO);
}

static void show_errors(void) {
  char bytes[1024];
  ssize_t n;
  if (real_errors < 0) return;
  dup2(real_errors, STDERR_FILENO);
  lseek(kept_errors, 0, SEEK_SET);
  while ((n = read(kept_errors, bytes, sizeof bytes)) > 0)
    if (write(STDERR_FILENO, bytes, (size_t)n) < 0) break;
  close(kept_errors);
  close(real_errors);
  real_errors = kept_errors = -1;
}

static void leave_page(void) {
  if (paged) write_all(LEAVE, strlen(LEAVE), true);
  paged = 0;
}

/* Drop what is still on its way, of the mouse mostly. */
static void leave_all(void) {
  if (!entered) return;
  entered = 0;
  leave_page();
  set_mode(&as_found, TCSAFLUSH);
  show_errors();
  for (int i = 0; i < ENDS; i++) sigaction(ends[i], &before[i], NULL);
}

void mt_screen_leave(void) {
  if (!paged || !keyed) {
    leave_all();
    return;
  }
  leave_page();
  tcflush(STDIN_FILENO, TCIFLUSH);
  show_errors();
}

void mt_screen_drop(void) { leave_all(); }

static void on_end(int signal_number) {
  leave_all(); /* the handler of before is in place again */
  raise(signal_number);
}

static void watch_the_end(void) {
  static bool watching;
  struct sigaction act = {.sa_handler = on_end};
  for (int i = 0; i < ENDS; i++) sigaction(ends[i], &act, &before[i]);
  if (!watching) atexit(leave_all);
  watching = true;
}

static bool has_pages(void) {
  const char *term = getenv("TERM");
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
         strcmp(term, "dumb") != 0;
}

/* Keys at once and unseen. */
static bool take_keys(bool page) {
  if (!has_pages() || tcgetattr(STDIN_FILENO, &as_found) != 0) return false;
  struct termios mode = as_found;
  mode.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON);
  mode.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN);
  mode.c_lflag |= ISIG;
  mode.c_cc[VSUSP] = _POSIX_VDISABLE;
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  watch_the_end();
  set_mode(&mode, TCSADRAIN);
  paged = page;
  entered = 1;
  lost = false;
  return true;
}

bool mt_screen_keys(void) { return entered || take_keys(false); }

bool mt_screen_enter(void) {
  if (paged) return true;
  keyed = entered;
  if (!keyed && !take_keys(true)) return false;
  paged = 1;
  keep_errors();
  write_all(ENTER, strlen(ENTER), true);
  return true;
}

void mt_screen_wait(double seconds) {
  struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
  if (mt_typeahead_waits()) return;
  poll(&p, 1, (int)(seconds * 1000));
}

size_t mt_screen_read(char *to, size_t most) {
  size_t early = mt_typeahead_take(to, most);
  struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
  if (early) return early;
  if (poll(&p, 1, 0) <= 0) return 0;
  ssize_t n = read(STDIN_FILENO, to, most);
  if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) lost = true;
  return n > 0 ? (size_t)n : 0;
}

bool mt_screen_lost(void) { return lost; }
