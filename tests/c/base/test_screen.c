/*
** test_screen.c - base/terminal/screen.h on a terminal of its own: how the
** terminal is set meanwhile, and that it is put back; keys that came early.
**
** Guards: base/terminal/{screen, typeahead}.c: the terminal's modes, what is
** written to it, bytes that are taken in several pieces
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/terminal/screen.h"
#include "base/terminal/typeahead.h"

/* The terminal of this process from here on; the other side of it. */
static int take_terminal(void) {
  int other = posix_openpt(O_RDWR | O_NOCTTY);
  if (other < 0 || grantpt(other) != 0 || unlockpt(other) != 0) return -1;
  setsid();
  int fd = open(ptsname(other), O_RDWR);
  if (fd < 0) return -1;
  ioctl(fd, TIOCSCTTY, 0);
  for (int i = 0; i < 3; i++) dup2(fd, i);
  fcntl(other, F_SETFL, O_NONBLOCK);
  setenv("TERM", "xterm", 1);
  return other;
}

static bool has_written(int other, const char *words) {
  char said[4096];
  ssize_t n = read(other, said, sizeof said - 1);
  said[n > 0 ? n : 0] = '\0';
  return strstr(said, words) != NULL;
}

static struct termios mode_now(void) {
  struct termios mode;
  memset(&mode, 0, sizeof mode);
  tcgetattr(STDIN_FILENO, &mode);
  return mode;
}

/* Keys at once and unseen; Ctrl-C stays a signal, Ctrl-Z is none. */
static bool is_taken(void) {
  struct termios m = mode_now();
  return !(m.c_iflag & (ICRNL | INLCR | IXON)) &&
         !(m.c_lflag & (ECHO | ICANON | IEXTEN)) && m.c_lflag & ISIG &&
         m.c_cc[VSUSP] == _POSIX_VDISABLE && m.c_cc[VINTR] == 3 &&
         m.c_cc[VMIN] == 1 && m.c_cc[VTIME] == 0;
}

static bool is_as(const struct termios *before) {
  struct termios m = mode_now();
  return m.c_iflag == before->c_iflag && m.c_oflag == before->c_oflag &&
         m.c_lflag == before->c_lflag &&
         memcmp(m.c_cc, before->c_cc, sizeof m.c_cc) == 0;
}

#define PAGE "\033[?1049h"
#define NO_PAGE "\033[?1049l"

/* The number of the first step that went wrong; 0: none did. */
static int use_screen(void) {
  int other = take_terminal();
  if (other < 0) return 1;
  struct termios before = mode_now();
  before.c_iflag |= ICRNL | IXON;
  before.c_lflag |= ECHO | ICANON | IEXTEN;
  before.c_cc[VSUSP] = 26, before.c_cc[VINTR] = 3;
  before.c_cc[VMIN] = 5, before.c_cc[VTIME] = 7;
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
  before = mode_now();
  if (!mt_screen_enter() || !is_taken()) return 2;
  if (!has_written(other, PAGE)) return 3;
  mt_screen_leave();
  if (!is_as(&before) || !has_written(other, NO_PAGE)) return 4;
  if (!mt_screen_enter() || !is_taken()) return 5;
  mt_screen_drop();
  if (!is_as(&before) || !has_written(other, NO_PAGE)) return 6;
  mt_screen_drop();
  if (!is_as(&before) || has_written(other, NO_PAGE)) return 7;
  if (!mt_screen_keys() || !is_taken() || has_written(other, PAGE)) return 8;
  if (!mt_screen_enter() || !is_taken() || !has_written(other, PAGE)) return 9;
  mt_screen_leave(); /* the page alone */
  if (!is_taken() || !has_written(other, NO_PAGE)) return 10;
  mt_screen_drop();
  return is_as(&before) && !has_written(other, NO_PAGE) ? 0 : 11;
}

static void test_screen(void **state) {
  (void)state;
  int how = -1;
  pid_t pid = fork();
  if (pid == 0) {
    alarm(20);
    _exit(use_screen());
  }
  assert_int_equal(waitpid(pid, &how, 0), pid);
  assert_int_equal(how, 0);
}

static void test_typeahead(void **state) {
  (void)state;
  char to[8] = "";
  assert_false(mt_typeahead_waits());
  assert_int_equal(mt_typeahead_take(to, 8), 0);
  mt_typeahead_put("abc", 3);
  mt_typeahead_put("de", 2);
  assert_true(mt_typeahead_waits());
  assert_int_equal(mt_typeahead_take(to, 2), 2);
  assert_memory_equal(to, "ab", 2);
  assert_int_equal(mt_typeahead_take(to, 0), 0);
  assert_int_equal(mt_typeahead_take(to, 1), 1);
  assert_memory_equal(to, "c", 1);
  mt_typeahead_put("f", 1);
  assert_int_equal(mt_typeahead_take(to, 8), 3);
  assert_memory_equal(to, "def", 3);
  assert_false(mt_typeahead_waits());
  assert_int_equal(mt_typeahead_take(to, 8), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_screen),
                                     cmocka_unit_test(test_typeahead)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
