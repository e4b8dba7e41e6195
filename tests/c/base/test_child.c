/*
** test_child.c - a child while signals come in: what it does is waited for as
** long as without them, and no longer.
**
** Guards: base/process/child.c: signals that interrupt the wait
*/
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>

#include <cmocka.h>

#include "base/process/child.h"

static volatile sig_atomic_t ticks;

static void tick(int number) {
  (void)number;
  ticks++;
}

/* Every few milliseconds; calls go on after it, but for poll. */
static void set_ticks(bool on) {
  struct sigaction act = {.sa_handler = on ? tick : SIG_DFL,
                          .sa_flags = SA_RESTART};
  struct itimerval often = {{0, on ? 3000 : 0}, {0, on ? 3000 : 0}};
  if (on) sigaction(SIGALRM, &act, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  if (!on) sigaction(SIGALRM, &act, NULL);
}

static mt_Status finish(const char *words, double seconds, mt_Str *out,
                        mt_Str *said, int *code) {
  const char *const argv[] = {"/bin/sh", "-c", words, NULL};
  mt_ChildLimits limits = {.seconds = seconds};
  mt_Child *child = NULL;
  mt_Error err;
  assert_int_equal(mt_child_start(argv, &limits, &child, &err), MT_OK);
  ticks = 0;
  set_ticks(true);
  mt_Status status = mt_child_finish(child, "in", 2, out, said, code, &err);
  set_ticks(false);
  assert_true(ticks > 3);
  return status;
}

/* One that says nothing is not read from after a signal: the read would wait as
** long as the child lives, whatever its limit. */
static void test_late(void **state) {
  (void)state;
  mt_Str out = MT_STR_INIT, said = MT_STR_INIT;
  int code;
  assert_int_equal(finish("exec sleep 6", 0.05, &out, &said, &code),
                   MT_TIMEOUT);
  mt_str_free(&out), mt_str_free(&said);
}

static void test_whole(void **state) {
  (void)state;
  mt_Str out = MT_STR_INIT, said = MT_STR_INIT;
  int code;
  assert_int_equal(finish("sleep 0.05; cat; sleep 0.05; echo err >&2; exit 3",
                          0, &out, &said, &code),
                   MT_OK);
  assert_string_equal(mt_str_text(&out), "in");
  assert_string_equal(mt_str_text(&said), "err\n");
  assert_int_equal(code, 3);
  mt_str_free(&out), mt_str_free(&said);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_late),
                                     cmocka_unit_test(test_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
