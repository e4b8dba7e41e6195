/*
** cache_entry.h - a file of the cache folder, by the hash of what it is made
** of.
**
** A key covers everything that the content depends on. A file that is missing,
** damaged, of another version or of another user counts as missing, and several
** processes may share the folder: a file is there as a whole or not at all.
** base/files/cache_limit.h keeps the folder small.
*/
#ifndef MT_CACHE_ENTRY_H
#define MT_CACHE_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

typedef struct mt_Key {
  uint64_t word[2];
} mt_Key;

#define MT_KEY_INIT {{0xcbf29ce484222325u, 0x9e3779b97f4a7c15u}}
void mt_key_add(mt_Key *k, const void *bytes, size_t size);
void mt_key_add_text(mt_Key *k, const char *text); /* NULL ok */
bool mt_key_equal(const mt_Key *a, const mt_Key *b);

/* Appends what was written to 'path' for 'key', and marks the file as recently
** used. False: there is none; a damaged one is removed. */
bool mt_cache_entry_read(const char *path, const mt_Key *key, size_t limit,
                         mt_Str *content);
void mt_cache_entry_write(const char *path, const mt_Key *key,
                          const mt_Str *content);

#endif
