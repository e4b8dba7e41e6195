/*
** excerpt.h - a compiler's log for a terminal: lines of code that are too wide
** are cut around their caret.
*/
#ifndef MT_EXCERPT_H
#define MT_EXCERPT_H

#include <stdbool.h>

#include "base/str.h"

/*
** Append 'log'. A line that is followed by one of '^' and '~' is code: where
** the two are wider than 'columns', a window of both is appended, with "…"
** where the code goes on. 'columns' 0 appends the log unchanged.
*/
void mt_excerpt_add(mt_Str *out, const char *log, int columns);

/* Columns of the terminal at a descriptor; 0: none, or hardly any. */
int mt_excerpt_columns(int fd);

#endif
