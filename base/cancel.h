/*
** cancel.h - Ctrl-C, seen by whatever runs.
**
** The console's signal handler requests; long work polls and stops within
** milliseconds; the console clears before it runs the next line. One flag for
** the process, since the person at the keyboard means all of it.
*/
#ifndef MT_CANCEL_H
#define MT_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Generated code and inner loops read it directly; others use the calls. */
extern atomic_int mt_cancel_flag;

void mt_cancel_request(void); /* safe in a signal handler */
void mt_cancel_clear(void);   /* console thread, before each line */
bool mt_cancelled(void);      /* any thread; costs one load */

/* memmove, in pieces; false if Ctrl-C ended it. */
bool mt_copy(void *to, const void *from, size_t n);

#endif
