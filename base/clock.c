/*
** clock.c - the monotonic clock.
**
** On macOS CLOCK_MONOTONIC counts whole microseconds; CLOCK_UPTIME_RAW has the
** hardware's resolution and, as the clock on Linux, stops while the machine
** sleeps.
*/
#include "base/clock.h"

#include <time.h>

#ifdef __APPLE__
uint64_t mt_now_ns(void) { return clock_gettime_nsec_np(CLOCK_UPTIME_RAW); }
#else
uint64_t mt_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
#endif
