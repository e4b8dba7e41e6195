/*
** serialise.h - data as bytes, from one process to another.
**
** Both processes run the same program, so structs are copied as they are. The
** targets of their pointers are packed too, and the unpacking code sets the
** pointers.
*/
#ifndef MT_BASE_SERIALISE_H
#define MT_BASE_SERIALISE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* ----------------------------------------------------------------- packing */

void mt_pack_bytes(mt_Str *out, const void *bytes, size_t size);
void mt_pack_list(mt_Str *out, const void *list, size_t count, size_t item);
void mt_pack_text(mt_Str *out, const char *text); /* NULL differs from "" */

/* --------------------------------------------------------------- unpacking */

typedef struct mt_Unpacker {
  const char *at, *end;
  bool failed; /* too few bytes, or out of memory */
} mt_Unpacker;

/* Points into the packed bytes; NULL: failed. */
const void *mt_unpack_bytes(mt_Unpacker *p, size_t size);
void mt_unpack_into(mt_Unpacker *p, void *to, size_t size);
/* The number of items, of 'item' bytes each, that follow. */
size_t mt_unpack_count(mt_Unpacker *p, size_t item);
/* The caller frees the result. */
void *mt_unpack_list(mt_Unpacker *p, size_t *count, size_t item);
const char *mt_unpack_text(mt_Unpacker *p); /* in the packed bytes, or NULL */

#endif
