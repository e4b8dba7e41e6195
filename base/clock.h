/*
** clock.h - time that never goes backwards.
*/
#ifndef MT_CLOCK_H
#define MT_CLOCK_H

#include <stdint.h>

uint64_t mt_now_ns(void); /* nanoseconds since some fixed moment */

/*
** For limits by the clock, asked at least every tenth of a second: how long
** this process was stopped since '*last' (mt_now_ns), by Ctrl-Z or a debugger;
** 0: it was not, or for less than a second. '*last' becomes now.
*/
static inline uint64_t mt_clock_pause(uint64_t *last) {
  uint64_t now = mt_now_ns(), pause = now - *last;
  *last = now;
  return pause < 1000000000u ? 0 : pause;
}

#endif
