/*
** prose.h - sentences for a person: broken between words where a window is as
** narrow as it is, and left in one piece where a program reads them.
*/
#ifndef MT_PROSE_H
#define MT_PROSE_H

#include <stddef.h>

#include "base/str.h"

/* Columns of the window behind a descriptor; 0 if it is no terminal. */
int mt_prose_columns(int fd);

/*
** Append 'n' bytes of 'text', which begin at column 'at' of 'columns', with a
** newline and two spaces in place of a space wherever the next word would not
** fit. Words are not broken; 'columns' 0 appends the text as it is. A newline in
** the text ends the prose: what follows is a compiler's, and is left alone.
*/
void mt_prose_add(mt_Str *out, const char *text, size_t n, int at, int columns);

/* Write "PREFIX SENTENCE" to standard error, wrapped, and a newline. */
void mt_prose_error(const char *prefix, const char *sentence);

#endif
