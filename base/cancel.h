/*
** cancel.h - the cancellation flag that Ctrl-C sets.
**
** The console's signal handler sets the flag; long work polls it and stops
** within milliseconds; the console clears it before it runs the next line.
** There is one flag for the process, because Ctrl-C is meant for all of it.
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

/* memmove in pieces; false if Ctrl-C interrupted it. */
bool mt_copy(void *to, const void *from, size_t n);

#endif
