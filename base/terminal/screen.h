/*
** screen.h - the terminal's whole screen for a while, as an animation needs it:
** another page without a cursor, keys at once and unseen, the mouse.
**
** What goes to standard error meanwhile, a compiler's warnings say, is shown
** when the screen is left. Ctrl-C stays a signal, so that it stops kernels too;
** Ctrl-Z is off. However the program ends, the terminal is put back first: at
** exit, by the signals that end it, by the third Ctrl-C. One screen for the
** process. Console thread.
*/
#ifndef MT_SCREEN_H
#define MT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

bool mt_screen_enter(void); /* false: no terminal that has such a page */
bool mt_screen_keys(void);  /* only keys at once and unseen: no other page */
/* As it was before: where keys were taken first, only the page is left. */
void mt_screen_leave(void);
/* The terminal as it was before all of it; from a signal handler, too. */
void mt_screen_drop(void);

/* What was typed, without waiting: keys and the mouse (xterm's, SGR), as the
** terminal sends them. 0: nothing; the number of bytes. */
size_t mt_screen_read(char *to, size_t most);
/* Until something is typed, a signal comes, or 'seconds' have passed. */
void mt_screen_wait(double seconds);
bool mt_screen_lost(void); /* the terminal was closed */

/* All bytes, unless Ctrl-C is pressed meanwhile. */
void mt_screen_write(const char *bytes, size_t n);

#endif
