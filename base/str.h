/*
** str.h - a growable string of bytes.
**
** Start with MT_STR_INIT (or all zeros), append, read 'text' (always ended by
** a NUL, never NULL after the first append), release with mt_str_free. When
** memory runs out, the string keeps its bytes and 'failed' is set; further
** appends are safe, so a writer checks once, at the end.
*/
#ifndef MT_STR_H
#define MT_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/printf.h"

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
/* The bytes as valid UTF-8, with U+FFFD in place of each invalid byte. For
** formats that accept nothing else, such as JSON. */
void mt_str_add_utf8(mt_Str *s, const void *bytes, size_t n);
/* The same for a terminal, which interprets some bytes: control characters
** become visible symbols such as ␛, one column each, and bidirectional controls
** become U+FFFD. Characters in 'keep' stay, "\t" or "\t\n"; with "\033" in it
** colours (SGR) stay too, for texts that Mettle has coloured. */
void mt_str_add_visible(mt_Str *s, const void *bytes, size_t n,
                        const char *keep);
/* The bytes in base64, without line breaks. */
void mt_str_add_base64(mt_Str *s, const void *bytes, size_t n);
bool mt_str_reserve(mt_Str *s, size_t more); /* room for 'more' bytes */
void mt_str_clear(mt_Str *s);                /* empties, keeps the memory */
void mt_str_cut(mt_Str *s, size_t length);   /* keeps the first bytes alone */
void mt_str_free(mt_Str *s);                 /* empties, frees the memory */
const char *mt_str_text(const mt_Str *s);    /* 'text', or "" if none */

/* Does 's' begin with 'with'? (By strncmp GCC 16 warns wherever it knows 's':
** "evaluates to nonzero".) */
static inline bool mt_starts(const char *s, const char *with) {
  while (*with && *s == *with) s++, with++;
  return *with == '\0';
}

/* Append a copy of 's' to a list of '*count' strings, which the caller frees,
** each and the list. False: out of memory, and the list is as before. */
bool mt_strings_add(char ***list, size_t *count, const char *s);

/* Is 's' one of 'n' names? */
static inline bool mt_is_among(const char *s, const char *const names[],
                               size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(s, names[i]) == 0) return true;
  return false;
}

#endif
