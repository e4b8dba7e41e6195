/*
** prose.h - sentences wrapped between words to the width of the terminal, and
** left unwrapped where the output is not a terminal.
*/
#ifndef MT_PROSE_H
#define MT_PROSE_H

#include <stddef.h>

#include "base/str.h"

/*
** Append 'n' bytes of 'text', which begin at column 'at' of 'columns', with a
** newline and two spaces in place of a space wherever the next word would not
** fit. Words are not broken; 'columns' 0 appends the text unchanged. Text after
** a newline is a compiler's output and is left unchanged.
*/
void mt_prose_add(mt_Str *out, const char *text, size_t n, int at, int columns);

/* Write "PREFIX SENTENCE" to standard error, wrapped, and a newline. */
void mt_prose_error(const char *prefix, const char *sentence);

#endif
