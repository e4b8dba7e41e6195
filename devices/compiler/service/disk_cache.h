/*
** disk_cache.h - machine code cached on disk between sessions.
**
** A key covers everything that the code depends on. The cache is optional
** (base/files/cache_entry.h says what counts as missing).
*/
#ifndef MT_COMPILER_SERVICE_DISK_CACHE_H
#define MT_COMPILER_SERVICE_DISK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/files/cache_entry.h"
#include "base/kernel_types/uses.h"
#include "base/str.h"
#include "devices/device.h"

/* Facts about cached machine code. */
typedef struct mt_CodeFacts {
  mt_Key key;
  uint64_t spill_bytes;
  uint64_t stack_bytes; /* of its large frames */
  uint64_t threadgroup_bytes;
  uint64_t kept_bytes;  /* mt_VectorFacts.kept_bytes of the host device */
  bool simd;            /* vectorised; else thread by thread */
  bool by_rows;         /* mt_VectorFacts.by_rows of the host device */
  bool any_rows;        /* mt_VectorFacts.any_rows, the same */
  /* quick tier, used until the optimised code is there (kernel/tier.h) */
  bool quick;
  char fallback[MT_FALLBACK_LENGTH]; /* not 'simd': the reason, else "" */
  mt_Uses uses; /* of the kernel, where it was only checked */
} mt_CodeFacts;

/* The name of the group function in the object file of 'key'. */
void mt_key_symbol(const mt_Key *k, char out[40]);

/* Object files on disk. */
bool mt_disk_cache_read(const mt_Key *key, mt_CodeFacts *made, mt_Str *object);
void mt_disk_cache_write(const mt_CodeFacts *made, const mt_Str *object);

#endif
