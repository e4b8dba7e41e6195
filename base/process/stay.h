/*
** stay.h - the protocol between fork_server.c and the program that stays loaded
** (preload/stay.c).
**
** Once loaded, the program writes one byte to its descriptor MT_STAY_FD. A
** message there requests one run: mt_StayAsk, then the arguments, each ended by
** a zero byte. The descriptors of the run come with it. The run answers with
** its pid_t, which it writes to the last of them before it does anything else:
** so the requesting process learns of every run. When main returns, what that
** returned follows as an int, and then the run closes its files: the kernel
** takes milliseconds to free the memory of such a process, and only then does
** it close them itself. A run that ends in another way writes no int.
**
** A run that is to park goes on until it opens MT_STAY_TEXT, and is a program
** that stays loaded itself from then on: its MT_STAY_IN is the socket for
** requests, which have no arguments. Their runs go on from there, with files
** and limits of their own.
*/
#ifndef MT_STAY_H
#define MT_STAY_H

#include <stdint.h>

#define MT_STAY_FD 3
#define MT_STAY_VARIABLE "METTLE_STAY" /* set: this program is to stay */
#define MT_STAY_TEXT "/dev/fd/0"       /* opened: all but the input is read */
#define MT_STAY_LONGEST 65536          /* limit on the bytes of a message */

/* The descriptors, in this order. */
enum {
  MT_STAY_IN,
  MT_STAY_OUT,
  MT_STAY_ERR,
  MT_STAY_FOLDER,
  MT_STAY_ANSWER,
  MT_STAY_FDS
};

typedef struct mt_StayAsk {
  uint64_t memory, seconds; /* limits; 0 = none */
  int32_t parent;           /* requesting process; the run ends with it */
  uint32_t count;           /* of arguments */
  uint32_t parks;           /* 1: the run is to park */
} mt_StayAsk;

#endif
