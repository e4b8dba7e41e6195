/*
** disk_cache.h - machine code kept for next time, in memory and on disk.
**
** A key is made of everything that the code depends on. What is kept on disk is
** a convenience: unreadable, damaged or foreign files are as if they were not
** there, and several consoles may use the folder at once.
*/
#ifndef MT_COMPILER_SERVICE_DISK_CACHE_H
#define MT_COMPILER_SERVICE_DISK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "devices/host/native/engine.h"

typedef struct mt_Key {
  uint64_t word[2];
} mt_Key;

#define MT_KEY_INIT {{0xcbf29ce484222325u, 0x9e3779b97f4a7c15u}}
void mt_key_add(mt_Key *k, const void *bytes, size_t size);
void mt_key_add_text(mt_Key *k, const char *text); /* NULL ok */
bool mt_key_equal(const mt_Key *a, const mt_Key *b);

/* What is known of a piece of machine code. */
typedef struct mt_CodeFacts {
  mt_Key key;
  uint64_t spill_bytes;
  uint64_t stack_bytes; /* of its large frames */
  uint64_t threadgroup_bytes;
  bool simd; /* by the vectoriser; else thread by thread */
  /* made in little time, to run until better is there (kernel/tier.h) */
  bool quick;
} mt_CodeFacts;

/* Loaded code, shared by all kernels that have the same key. */
typedef struct mt_LoadedCode {
  mt_CodeFacts made;
  mt_Code *code;
  unsigned users;    /* while it has some it stays */
  uint64_t last_use;
  struct mt_LoadedCode *next;
} mt_LoadedCode;

/* The name of the group function in the object file of 'key'. */
void mt_key_symbol(const mt_Key *k, char out[40]);

/* Code in memory; the caller gives it back with mt_code_cache_release. What
** nobody has is given up, least recently used first, where there is more
** than 'mt_code_cache_most' of it. */
extern size_t mt_code_cache_most;
size_t mt_code_cache_loaded(void); /* how much there is */
mt_LoadedCode *mt_code_cache_find(const mt_Key *key);
mt_Status mt_code_cache_add(const mt_CodeFacts *made, const mt_Str *object,
                            mt_LoadedCode **out, mt_Error *err);
void mt_code_cache_release(mt_LoadedCode *s);

/* Object files on disk. */
bool mt_disk_cache_read(const mt_Key *key, mt_CodeFacts *made, mt_Str *object);
void mt_disk_cache_write(const mt_CodeFacts *made, const mt_Str *object);

#endif
