/*
** column_encoding.h - encodes text so that each byte is one screen column.
**
** linenoise counts each byte as a column. So the line that it edits is not
** UTF-8 but cells: ASCII stands for itself, every other character of the line
** gets its own byte from 0x80 up (a wide one gets two), a newline is shown as
** one symbol and a tab as one space. Cells are assigned again for each line
** (mt_column_reset) and mean nothing outside it. Console thread only.
*/
#ifndef MT_COLUMN_ENCODING_H
#define MT_COLUMN_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

void mt_column_reset(void);

/* Append the cells of 'text'. False if the line has more different characters
** than there are cells (about 90 narrow, 256 wide); 'out' is then as before. */
bool mt_column_encode(const char *text, size_t n, mt_Str *out);

void mt_column_decode(const char *cells, size_t n, mt_Str *out); /* the text */
void mt_column_show(const char *cells, size_t n, mt_Str *out); /* for display */

/* Second byte of a wide character. */
bool mt_column_is_trail(char cell);

#endif
