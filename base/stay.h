/*
** stay.h - what fork_server.c says to the program that stays loaded
** (preload/stay.c).
**
** Once it is loaded the program says so, by one byte on its descriptor
** MT_STAY_FD. A message there asks for one run: this struct, then its
** arguments, each ended by a zero byte. With it come the descriptors of the
** run. The answer is its process, a pid_t, which the run writes to the last of
** them before it does anything else: so whoever asked hears of every run that
** there is.
*/
#ifndef MT_STAY_H
#define MT_STAY_H

#include <stdint.h>

#define MT_STAY_FD 3
#define MT_STAY_VARIABLE "METTLE_STAY" /* there: this program is to stay */
#define MT_STAY_LONGEST 65536          /* bytes of a message */

/* The descriptors, in this order. */
enum { MT_STAY_IN, MT_STAY_OUT, MT_STAY_ERR, MT_STAY_FOLDER, MT_STAY_ANSWER, MT_STAY_FDS };

typedef struct mt_StayAsk {
  uint64_t memory, seconds; /* limits; 0 = none */
  int32_t parent;           /* who asks; the run ends with it */
  uint32_t count;           /* of arguments */
} mt_StayAsk;

#endif
