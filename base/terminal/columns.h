/*
** columns.h - how many columns of a terminal a text takes, and sentences that
** are broken between words to fit into them.
**
** A character takes one column, an East Asian wide one or an emoji two, a
** combining or a control character none; a tab counts as one, a byte that is
** not UTF-8 as one. Escape sequences (colours, titles, links) take none.
*/
#ifndef MT_COLUMNS_H
#define MT_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Length of the character at 's', its code in '*code'; a byte that is not
** UTF-8 is a character of its own, with code 0. 'n' is at least 1. */
size_t mt_character(const char *s, size_t n, uint32_t *code);
int mt_character_columns(uint32_t code); /* 0, 1 or 2 */

/* Length of the character or the escape sequence at 's', and its columns. */
size_t mt_columns_next(const char *s, size_t n, int *columns);
int mt_columns(const char *text, size_t n);

/*
** Append 'n' bytes of a text without newlines, which begins at column 'at' of
** 'columns': a newline and 'indent' spaces in place of the spaces before each
** word that would not fit. Words are not broken; 'columns' 0 appends the text
** unchanged.
*/
typedef struct mt_Fold {
  int at, columns, indent;
} mt_Fold;
void mt_columns_fold(mt_Str *out, const char *text, size_t n, mt_Fold fold);

#endif
