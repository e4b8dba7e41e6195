/*
** parcel.h - things as bytes, from one process to another.
**
** Both are the same program, one a copy of the other, so structs go as they
** are; what their pointers lead to is sent along, and whoever unpacks sets
** them.
*/
#ifndef MT_BASE_SERIALISE_H
#define MT_BASE_SERIALISE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* ----------------------------------------------------------------- packing */

void mt_put(mt_Str *out, const void *bytes, size_t size);
void mt_put_list(mt_Str *out, const void *list, size_t count, size_t item);
void mt_put_text(mt_Str *out, const char *text); /* NULL is told from "" */

/* --------------------------------------------------------------- unpacking */

typedef struct mt_Parcel {
  const char *at, *end;
  bool failed; /* there was less than it said, or no memory */
} mt_Parcel;

const void *mt_get(mt_Parcel *p, size_t size); /* in the bytes; NULL: failed */
void mt_get_into(mt_Parcel *p, void *to, size_t size);
/* How many items of that size there are to come. */
size_t mt_get_count(mt_Parcel *p, size_t item);
void *mt_get_list(mt_Parcel *p, size_t *count, size_t item); /* to be freed */
const char *mt_get_text(mt_Parcel *p); /* in the bytes; NULL: none */

#endif
