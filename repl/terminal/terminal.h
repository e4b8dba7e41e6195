/*
** terminal.h - the terminal as the console uses it: bytes in, bytes out, raw
** while a line is edited and in the user's mode at all other times.
**
** One terminal for the process, so no handle. Console thread only.
*/
#ifndef MT_TERMINAL_H
#define MT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Are both standard input and output a terminal? */
bool mt_term_here(void);

/* The same, and it understands escape sequences (TERM is not dumb). */
bool mt_term_clever(void);

/*
** Raw: every key at once, no echo, Ctrl-C is a byte. Unlike linenoise's own
** raw mode this keeps typeahead. The mode is restored at exit and by the
** signals that end the program. Calls may be repeated.
*/
bool mt_term_raw(void); /* false: not available */
void mt_term_cooked(void);

#define MT_TERM_END (-1) /* hung up, or end of file */
#define MT_TERM_TIMEOUT (-2)

/* The next byte, waiting 'milliseconds' for it (-1: for ever). */
int mt_term_byte(int milliseconds);
bool mt_term_ready(void);        /* is a byte waiting? */
bool mt_term_rests(int milliseconds); /* does none come for that long? */
int mt_term_peek(void);          /* the waiting byte, not consumed; or -1 */
size_t mt_term_drop_ahead(void); /* discard waiting input; number of lines */

void mt_term_write(const char *bytes, size_t n);
void mt_term_size(int *rows, int *columns); /* 24, 80 if unknown */

/* Suspend as Ctrl-Z does; returns, in raw mode again, when continued. */
void mt_term_suspend(void);

#endif
