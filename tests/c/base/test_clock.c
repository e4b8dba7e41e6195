/*
** test_clock.c - base/clock.c: time goes on, and in steps that are finer than a
** microsecond, here and on macOS, whose CLOCK_MONOTONIC counts whole ones.
**
** The file's macOS side is compiled here once more, over clocks that do what
** macOS' do.
**
** Guards: base/clock.c: the clock goes on, in steps below a microsecond; its
** macOS side, over clocks that count as macOS' do; base/macos.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "tests/c/skip.h"

#ifndef __APPLE__
static uint64_t real_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* XNU: gettimeofday less the time of the start, which has microseconds */
__attribute__((unused))
static int played_gettime(clockid_t id, struct timespec *t) {
  uint64_t ns = real_ns();
  if (id == CLOCK_MONOTONIC) ns -= ns % 1000;
  *t = (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  return 0;
}

#undef CLOCK_MONOTONIC_RAW
enum { CLOCK_MONOTONIC_RAW = 4, CLOCK_UPTIME_RAW = 8 }; /* macOS' numbers */

/* The one goes on while the machine sleeps: here it has slept for an hour. */
__attribute__((unused))
static uint64_t played_nsec(int id) {
  uint64_t ns = real_ns();
  if (id == CLOCK_MONOTONIC) return ns - ns % 1000;
  return id == CLOCK_UPTIME_RAW ? ns : ns + 3600u * 1000000000u;
}

#define __APPLE__ 1
#define mt_now_ns macos_now_ns
#define clock_gettime played_gettime
#define clock_gettime_nsec_np played_nsec
uint64_t macos_now_ns(void);
#include "base/clock.c"
#undef mt_now_ns
#undef clock_gettime
#undef __APPLE__
#endif

enum { READINGS = 20000 };

/* Later or equal each time; some reading is not a whole microsecond. */
static void check_clock(uint64_t (*now)(void)) {
  uint64_t before = now();
  bool fine = before % 1000 != 0;
  for (int i = 0; i < READINGS; i++) {
    uint64_t t = now();
    assert_true(t >= before);
    fine = fine || t % 1000 != 0;
    before = t;
  }
  assert_true(fine);
}

static void test_clock_is_fine(void **state) {
  (void)state;
  check_clock(mt_now_ns);
}

static void test_macos_clock_is_fine(void **state) {
  (void)state;
#ifdef __APPLE__
  skip_because("the case before it has tried the real one");
#else
  check_clock(macos_now_ns);
  uint64_t here = mt_now_ns();
  /* without the sleep */
  assert_true(macos_now_ns() - here < 1800u * 1000000000u);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clock_is_fine),
      cmocka_unit_test(test_macos_clock_is_fine)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
