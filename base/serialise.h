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

void mt_pack_bytes(mt_Str *out, const void *bytes, size_t size);
void mt_pack_list(mt_Str *out, const void *list, size_t count, size_t item);
void mt_pack_text(mt_Str *out, const char *text); /* NULL is told from "" */

/* --------------------------------------------------------------- unpacking */

typedef struct mt_Unpacker {
  const char *at, *end;
  bool failed; /* there was less than it said, or no memory */
} mt_Unpacker;

/* in the bytes; NULL: failed */
const void *mt_unpack_bytes(mt_Unpacker *p, size_t size);
void mt_unpack_into(mt_Unpacker *p, void *to, size_t size);
/* How many items of that size there are to come. */
size_t mt_unpack_count(mt_Unpacker *p, size_t item);
/* to be freed */
void *mt_unpack_list(mt_Unpacker *p, size_t *count, size_t item);
const char *mt_unpack_text(mt_Unpacker *p); /* in the bytes; NULL: none */

#endif
