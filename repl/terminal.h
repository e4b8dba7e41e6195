/*
** terminal.h - the terminal as the console uses it: bytes in, bytes out, raw
** while a line is edited and as the person left it at all other times.
**
** One terminal for the process, so no handle. Console thread only.
*/
#ifndef MT_TERMINAL_H
#define MT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Both standard input and output are a terminal. */
bool mt_term_here(void);

/* And one that understands escape sequences (TERM is not dumb). */
bool mt_term_clever(void);

/*
** Raw: every key at once, no echo, Ctrl-C is a byte. Unlike linenoise's own
** raw mode this keeps what was typed or pasted ahead. Restored at exit and by
** the signals that end the program. Calls may be repeated.
*/
bool mt_term_raw(void); /* false: it cannot be had */
void mt_term_cooked(void);

#define MT_TERM_END (-1) /* hung up, or end of file */
#define MT_TERM_TIMEOUT (-2)

/* The next byte, waiting 'milliseconds' for it (-1: for ever). */
int mt_term_byte(int milliseconds);
bool mt_term_ready(void);        /* a byte is there already */
bool mt_term_rests(int milliseconds); /* none comes for so long */
int mt_term_peek(void);          /* that byte, left there; or -1 */
size_t mt_term_drop_ahead(void); /* forget what is there; lines dropped */

void mt_term_write(const char *bytes, size_t n);
void mt_term_size(int *rows, int *columns); /* 24, 80 if not known */

/* Stop as Ctrl-Z does elsewhere; returns, raw again, when continued. */
void mt_term_suspend(void);

#endif
