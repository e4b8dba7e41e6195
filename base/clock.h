/*
** clock.h - time that never goes backwards.
*/
#ifndef MT_CLOCK_H
#define MT_CLOCK_H

#include <stdint.h>

uint64_t mt_now_ns(void); /* nanoseconds since some fixed moment */

#endif
