/*
** str.h - a growable string of bytes.
**
** Start with MT_STR_INIT (or all zeros), append, read 'text' (always ended by
** a NUL, never NULL after the first append), release with mt_str_free. When
** memory ends, the string keeps what it has and 'failed' is set; appending
** goes on being safe, so a writer checks once, at the end.
*/
#ifndef MT_STR_H
#define MT_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"

typedef struct mt_Str {
  char *text;      /* the bytes, then a NUL; NULL while nothing was appended */
  size_t length;   /* bytes in 'text', without the NUL */
  size_t capacity; /* bytes allocated */
  bool failed;     /* an append found no memory */
} mt_Str;

#define MT_STR_INIT {NULL, 0, 0, false}

void mt_str_add(mt_Str *s, const char *text);
void mt_str_add_bytes(mt_Str *s, const void *bytes, size_t n);
void mt_str_add_char(mt_Str *s, char c);
void mt_str_addf(mt_Str *s, const char *fmt, ...) MT_PRINTF(2, 3);
/* The same bytes as UTF-8: U+FFFD in place of each byte that is part of none. For
** what others read who take nothing else, such as JSON. */
void mt_str_add_utf8(mt_Str *s, const void *bytes, size_t n);
/* The same for a terminal, which acts on some bytes: control characters are shown
** as ␛ and its like, one column each, and what turns the direction of writing as
** U+FFFD. Those in 'keep' stay, "\t" or "\t\n"; with "\033" in it so do colours
** (SGR), for texts that have some of our own. */
void mt_str_add_visible(mt_Str *s, const void *bytes, size_t n, const char *keep);
bool mt_str_reserve(mt_Str *s, size_t more); /* room for 'more' bytes */
void mt_str_clear(mt_Str *s);                /* empties, keeps the memory */
void mt_str_free(mt_Str *s);                 /* empties, gives it back */
const char *mt_str_text(const mt_Str *s);    /* 'text', or "" if none */

/* Does 's' begin with 'with'? */
static inline bool mt_starts(const char *s, const char *with) {
  return strncmp(s, with, strlen(with)) == 0;
}

#endif
